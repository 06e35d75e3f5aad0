/* ledger: an agent that writes down every call that it gets, and whose answers depend on all that it is told. */
#include <colloquy.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GTimeSpan slowness;
} Ledger;

static const ClqSetting settings[] = {
  CLQ_DURATION (Ledger, slowness, "0", "answers come up to so much later, in no order"),
  { NULL },
};

static gboolean
write_down (const char *key)
{
  const char *path = g_getenv ("CLQ_LEDGER");
  g_autofree char *line = g_strconcat (key, "\n", NULL);
  int fd = path != NULL ? open (path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
  gboolean good = path == NULL || (fd >= 0 && write (fd, line, strlen (line)) == (gssize) strlen (line));

  if (fd >= 0)
    close (fd);
  return good;
}

/* Questions and verdicts have a form; everything else is free. */
static char *
dup_answer (ClqCall *call, const char *digest)
{
  const char *key = clq_call_get_key (call);

  if (g_str_has_prefix (key, "questions/1/"))
    return g_strdup_printf ("{\"questions\":[\"%.8s?\"]}", digest);
  if (g_str_has_prefix (key, "questions/"))
    return g_strdup ("{\"questions\":[]}");
  if (g_str_has_prefix (key, "evaluation/"))
    return g_strdup ("{\"confidence\":10}");
  return g_strdup_printf ("%s %s", key, digest);
}

static void
answer (ClqCall *call, gpointer user_data)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, clq_call_get_request (call), -1);
  g_autofree char *text = dup_answer (call, digest);

  clq_call_usage (call, strlen (clq_call_get_request (call)), strlen (text), 0);
  clq_call_return (call, text);
}

/* The delay depends on the request alone, so that a run can be repeated. */
static void
ledger_complete (gpointer data, ClqCall *call)
{
  Ledger *self = data;

  if (!write_down (clq_call_get_idempotency_key (call)))
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "the ledger cannot be written");
  else if (self->slowness == 0)
    answer (call, NULL);
  else
    clq_call_after (call, 1 + g_str_hash (clq_call_get_request (call)) % self->slowness, answer, NULL);
}

static const ClqAgentInfo ledger = {
  CLQ_AGENT_INFO,
  .name = "agent",
  .summary = "Writes down every call",
  .settings = settings,
  .self_size = sizeof (Ledger),
  .complete = ledger_complete,
};

CLQ_PLUGIN ("ledger", "1.0", "An agent that writes down every call", &ledger.feature);
