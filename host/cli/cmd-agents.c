#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "term.h"

#include <stdio.h>
#include <string.h>

#define MAX_VALUE 60

/* ---- the list ---- */

/* `endpoint=… model=…`, long values cut off; it is set or not is all that is known of a secret, and that says nothing here. */
static char *
dup_connection (const char *json)
{
  ClqJsonSpan settings = clq_json_find (json, -1, "settings"), key, value;
  g_autoptr (GString) out = g_string_new (NULL);
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &settings);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *text = clq_json_span_dup_string (&value);
      g_autofree char *safe = term_safe_dup (g_strdelimit (text, "\n\t", ' '), -1);
      g_autofree char *fit = term_fit (safe, MAX_VALUE);

      g_string_append_printf (out, "%s%s=%s", out->len > 0 ? " " : "", name, fit);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static int
longest (char **names)
{
  int columns = 0;

  for (guint i = 0; names[i] != NULL; i++)
    columns = MAX (columns, term_width (names[i], -1));
  return columns;
}

static int
list_agents (ClqHost *host, gboolean json)
{
  g_auto (GStrv) names = clq_host_list_agents (host);
  int columns = longest (names);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *agent = clq_host_describe_agent (host, names[i], NULL);
      g_autofree char *kind = clq_json_find_string (agent, "kind");
      g_autofree char *problem = clq_json_find_string (agent, "problem");
      g_autofree char *connection = dup_connection (agent);

      if (json)
        puts (agent);
      else
        printf ("%-*s  %-16s  %s  %s\n", columns, names[i], kind, problem != NULL ? problem : "ready", connection);
    }
  if (names[0] == NULL)
    cli_complain ("there are no agents; colloquy.conf, beside the folder of graphs, says who they are");
  return CLI_OK;
}

/* ---- the test ---- */

typedef struct
{
  ClqHost *host;
  guint8 id[16];
  gboolean json;
  char *reply;
  char *problem;
  char *call; /* the record of the call: tokens, cost, time */
} Test;

/* An agent is asked as every graph asks it. The state that it ends in says what kind of failure there was. */
static const char graph_text[] =
    "[graph]\nformat=1\nname=test\ninitial=asking\n\n"
    "[state asking]\nnode=basic.reply\nvisit-timeout=5min\nagent=%s\n\n"
    "[state over]\nfinal=true\n\n[state recoverable]\nfinal=true\n\n[state critical]\nfinal=true\n\n[state user]\nfinal=true\n\n[state auth]\nfinal=true\n\n"
    "[transitions]\nasking.replied=over\nasking.silent=over\n"
    "asking.failed=recoverable if event.class == \"recoverable\" ; user if event.class == \"user\" ; auth if event.class == \"auth\" ; critical\n";

static ClqGraph *
load_graph (ClqHost *host, const char *agent)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_auto (GStrv) parts = g_strsplit (agent, "\\", -1);
  g_autofree char *escaped = g_strjoinv ("\\\\", parts);
  g_autofree char *text = g_strdup_printf (graph_text, escaped);
  ClqGraph *graph = clq_host_load_graph_text (host, "test", text, findings);
  g_autofree char *said = graph == NULL ? clq_findings_print (findings) : NULL;

  if (said != NULL)
    fputs (said, stderr);
  return graph;
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Test *test = user_data;

  if (news->type == CLQ_NEWS_SAID && news->role == CLQ_ROLE_ASSISTANT)
    {
      g_free (test->reply);
      test->reply = g_strdup (news->text);
    }
  else if (news->error != NULL)
    {
      g_free (test->problem);
      test->problem = g_strdup (news->error);
    }
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Test *test = user_data;

  if (reply->error != NULL && test->problem == NULL)
    test->problem = g_strdup (reply->error->message);
}

static void
on_calls (GPtrArray *records, const GError *error, gpointer user_data)
{
  Test *test = user_data;

  if (error == NULL && records->len > 0)
    test->call = g_strdup (clq_record_get_body (g_ptr_array_index (records, records->len - 1), NULL));
}

/* A number of the call's record, as it is written there. */
static char *
dup_number (const Test *test, const char *name)
{
  ClqJsonSpan number = clq_json_find (test->call != NULL ? test->call : "{}", -1, name);

  return number.start != NULL ? g_strndup (number.start, number.length) : NULL;
}

static void
print_json (const Test *test, const char *name, const char *state, gint64 took)
{
  g_autoptr (GString) out = g_string_new ("{");
  static const char *const members[] = { "tokensIn", "tokensOut", "cost" };

  cli_json_bool (out, "ok", test->problem == NULL);
  cli_json_string (out, "agent", name);
  cli_json_string (out, "text", test->reply);
  cli_json_number (out, "ms", took / 1000);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *number = dup_number (test, members[i]);

      cli_json_raw (out, members[i], number != NULL ? number : "null");
    }
  if (test->problem != NULL)
    cli_json_error (out, state, test->problem);
  g_string_append_c (out, '}');
  puts (out->str);
}

static void
print_reply (const Test *test, const char *name, gint64 took)
{
  g_autofree char *in = dup_number (test, "tokensIn");
  g_autofree char *out = dup_number (test, "tokensOut");
  g_autofree char *cost = dup_number (test, "cost");

  cli_print_line ("%s", test->reply != NULL ? test->reply : "");
  fflush (stdout);
  if (in == NULL)
    cli_tell ("%s answers after %.1f s; it does not say how many tokens that were", name, took / 1e6);
  else
    cli_tell ("%s answers after %.1f s: %s tokens in, %s out, cost %s", name, took / 1e6, in, out, cost);
}

/* What may be done about a failure, where the agent's own words do not say it. */
static const char *
hint_for (const char *state)
{
  if (strcmp (state, "auth") == 0)
    return "the key is missing or not accepted; look at api-key in colloquy.conf, and at what it refers to";
  if (strcmp (state, "recoverable") == 0)
    return "later it may work; if it does not, look at where colloquy.conf says that it is";
  if (strcmp (state, "user") == 0)
    return "it was reached, but does not take this request";
  return "it will not work before colloquy.conf, or the server, is changed";
}

static int
run_test (Test *test, ClqGraph *graph, const char *name, const char *text)
{
  gint64 began = g_get_monotonic_time ();
  g_autoptr (ClqSession) session = NULL;
  const char *state;
  gint64 took;

  clq_host_observe (test->host, on_news, test);
  clq_host_new_id (test->host, test->id);
  clq_host_open_session (test->host, graph, test->id, NULL, text, NULL, on_reply, test);
  cli_run_to_rest (test->host, test->id);
  took = g_get_monotonic_time () - began;
  clq_host_read_journal (test->host, test->id, 1u << CLQ_RECORD_CALL, 0, 10, on_calls, test);
  clq_host_settle (test->host);
  clq_host_unobserve (test->host, on_news, test);
  session = clq_host_get_session (test->host, test->id);
  state = session != NULL ? clq_session_get_state (session) : "critical";
  if (test->json)
    print_json (test, name, state, took);
  else if (test->problem == NULL)
    print_reply (test, name, took);
  else
    {
      cli_complain ("%s does not answer: %s", name, test->problem);
      cli_tell ("%s", hint_for (state));
    }
  return test->problem == NULL ? CLI_OK : CLI_FAILURE;
}

static int
test_agent (ClqHost *host, const char *name, const char *text, gboolean json)
{
  Test test = { .host = host, .json = json };
  g_autoptr (GError) error = NULL;
  g_autofree char *agent = clq_host_describe_agent (host, name, &error);
  g_autoptr (ClqGraph) graph = NULL;
  int status;

  if (agent == NULL || !clq_host_use_store (host, "memory", &error))
    return cli_fail (error);
  graph = load_graph (host, name);
  if (graph == NULL)
    return CLI_FAILURE;
  status = run_test (&test, graph, name, text != NULL ? text : "Say hello in one short sentence.");
  g_free (test.reply);
  g_free (test.problem);
  g_free (test.call);
  return status;
}

int
cmd_agents (int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per agent, or for the test", NULL },
    { NULL },
  };
  const CliCommand *command = cli_find_command ("agents");
  g_autoptr (ClqHost) host = NULL;
  int status;

  if (!cli_parse (command, entries, &argc, &argv, 0, 3, &status))
    return status;
  if (argc > 1 && (argc < 3 || strcmp (argv[1], "test") != 0))
    {
      cli_complain ("agents: expected %s; see colloquy agents --help", command->arguments);
      return CLI_USAGE;
    }
  host = clq_host_new (NULL);
  if (!cli_configure (host))
    status = CLI_FAILURE;
  else if (argc > 1)
    status = test_agent (host, argv[2], argc > 3 ? argv[3] : NULL, json);
  else
    status = list_agents (host, json);
  clq_host_close (host);
  return status;
}
