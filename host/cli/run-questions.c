#define G_LOG_DOMAIN "colloquy"

#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- asking in the terminal ---- */

static void
tell_question (const char *question)
{
  g_autofree char *owner = clq_json_find_string (question, "owner");
  g_autofree char *prompt = clq_json_find_string (question, "prompt");
  ClqJsonSpan options = clq_json_find (question, -1, "options"), option;
  ClqJsonIter iter;
  guint number = 0;

  cli_tell ("%s asks: %s", owner, prompt);
  clq_json_iter_init (&iter, &options);
  while (options.type == CLQ_JSON_ARRAY && clq_json_iter_next (&iter, NULL, &option))
    {
      g_autofree char *text = clq_json_span_dup_string (&option);

      cli_tell ("  %u) %s", ++number, text);
    }
}

/* The answer to one question as a member of `values`; FALSE if nobody answers any more. */
static gboolean
ask_one (const char *question, GString *values)
{
  g_autofree char *key = clq_json_find_string (question, "key");
  g_autofree char *line = NULL;

  tell_question (question);
  do
    {
      g_free (line);
      fputs ("> ", stderr);
      line = cli_read_line ();
    }
  while (line != NULL && *line == '\0');
  if (line != NULL)
    cli_json_string (values, key, line);
  return line != NULL;
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  GError **error = user_data;

  if (reply->error != NULL)
    *error = g_error_copy (reply->error);
}

/*
 * Asks in the terminal what is open and sends the answers. Returns: FALSE if there is no terminal, or nobody answers; what was
 * answered until then is kept.
 */
gboolean
run_ask_questions (ClqHost *host, const guint8 id[16])
{
  g_autoptr (ClqSession) session = clq_host_get_session (host, id);
  g_autofree char *questions = clq_session_dup_questions (session), *payload = NULL;
  g_autoptr (GString) values = g_string_new ("{");
  g_autoptr (GError) error = NULL;
  ClqJsonSpan root = clq_json_span (questions, -1), item;
  ClqJsonIter iter;
  gboolean goes_on = TRUE;

  if (!cli_is_terminal (STDIN_FILENO) || !cli_is_terminal (STDERR_FILENO))
    return FALSE;
  clq_json_iter_init (&iter, &root);
  while (goes_on && clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *question = g_strndup (item.start, item.length);

      goes_on = ask_one (question, values);
    }
  if (values->len == 1)
    return FALSE;
  payload = g_strdup_printf ("{\"values\":%s}}", values->str);
  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ANSWER, .payload = payload }, on_reply, &error);
  clq_host_settle (host);
  if (error != NULL)
    cli_complain ("%s", error->message);
  return goes_on;
}

/* ---- without a terminal ---- */

void
run_tell_questions (ClqSession *session)
{
  g_autofree char *questions = clq_session_dup_questions (session);
  const char *id = clq_session_get_id (session);
  ClqJsonSpan root = clq_json_span (questions, -1), item;
  ClqJsonIter iter;
  guint n = 0;

  clq_json_iter_init (&iter, &root);
  for (; clq_json_iter_next (&iter, NULL, &item); n++)
    {
      g_autofree char *question = g_strndup (item.start, item.length);
      g_autofree char *key = clq_json_find_string (question, "key");
      g_autofree char *prompt = clq_json_find_string (question, "prompt");

      cli_tell ("%s: %s", key, prompt);
    }
  cli_complain ("session %s waits for an answer; give it with: colloquy answer %s %s", id, id, n == 1 ? "TEXT" : "KEY=TEXT...");
}
