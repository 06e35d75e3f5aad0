#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static const TermStyle dim = { TERM_DIM, TERM_DEFAULT };

static void
add (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GString *out, const char *format, ...)
{
  va_list arguments;

  if (out->len > 0)
    g_string_append (out, " · ");
  va_start (arguments, format);
  g_string_append_vprintf (out, format, arguments);
  va_end (arguments);
}

/* How full the window of the agent is, if the conversation knows. */
static void
add_context (GString *out, const char *data)
{
  ClqJsonSpan used = clq_json_find (data, -1, "context.tokens");
  ClqJsonSpan window = clq_json_find (data, -1, "context.window");

  if (used.type == CLQ_JSON_NUMBER && window.type == CLQ_JSON_NUMBER && clq_json_span_get_double (&window) > 0)
    add (out, "context %.0f %%", 100 * clq_json_span_get_double (&used) / clq_json_span_get_double (&window));
}

/* The line above the one that is typed: state, what the modality says of it, branch, turns, use of the context. */
char *
chat_dup_status (Chat *self)
{
  const char *data = clq_session_get_data (self->session);
  const char *status = clq_session_get_status (self->session);
  ClqJsonSpan turns = clq_json_find (data, -1, "turnCount");
  g_autofree char *branch = clq_json_find_string (data, "branch");
  g_autofree char *headline = clq_session_dup_headline (self->session);
  g_autoptr (GString) text = g_string_new (NULL), line = g_string_new (NULL);
  g_autofree char *safe = NULL, *fitting = NULL;

  add (text, "%s", clq_session_get_state (self->session));
  if (headline != NULL)
    add (text, "%s", headline);
  if (branch != NULL)
    add (text, "%s", branch);
  if (turns.type == CLQ_JSON_NUMBER)
    add (text, "%" G_GINT64_FORMAT " turn%s", clq_json_span_get_int (&turns), clq_json_span_get_int (&turns) == 1 ? "" : "s");
  add_context (text, data);
  if (strcmp (status, "resting") != 0)
    add (text, "%s", strcmp (status, "waiting") == 0 ? "waiting for an answer" : status);
  safe = term_safe_dup (text->str, -1);
  fitting = term_fit (safe, self->term.columns - 1);
  term_mark (line, dim);
  g_string_append (line, fitting);
  return g_strdup (line->str);
}
