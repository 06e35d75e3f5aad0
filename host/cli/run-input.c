#define G_LOG_DOMAIN "colloquy"

#include "run.h"

#include <stdio.h>
#include <string.h>

/* A file, or stdin for `-`, as a text. */
static char *
read_text (const char *file, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (strcmp (file, "-") == 0 ? "/dev/stdin" : file, &text, &length, error))
    return NULL;
  if (g_utf8_validate_len (text, length, NULL))
    return g_steal_pointer (&text);
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "%s is no UTF-8 text", file);
  return NULL;
}

/* What the session is opened with: a text, or with a context an object that has both. */
gboolean
run_read_input (const char *text, const char *file, const char *context, char **input, GError **error)
{
  g_autofree char *own = NULL, *around = NULL;
  GString *object;

  own = file != NULL ? read_text (file, error) : g_strdup (text);
  if (own == NULL && file != NULL)
    return FALSE;
  if (context == NULL)
    {
      *input = g_steal_pointer (&own);
      return TRUE;
    }
  around = read_text (context, error);
  if (around == NULL)
    return FALSE;
  object = g_string_new ("{");
  cli_json_string (object, "problem", own != NULL ? own : "");
  cli_json_string (object, "context", around);
  g_string_append_c (object, '}');
  *input = g_string_free (object, FALSE);
  return TRUE;
}

/* Writes the report of a session to a file, or to stdout if @file is NULL. */
int
run_write_report (ClqSession *session, ClqHost *host, const char *file)
{
  g_auto (CliAnswer) answer = { NULL };

  clq_session_report (session, cli_on_answer, &answer);
  clq_host_settle (host);
  if (answer.error != NULL)
    return cli_fail (answer.error);
  if (file == NULL)
    {
      cli_print (answer.text);
      return CLI_OK;
    }
  if (g_file_set_contents (file, answer.text, -1, &answer.error))
    return CLI_OK;
  return cli_fail (answer.error);
}
