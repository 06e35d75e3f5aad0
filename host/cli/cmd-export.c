#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

/* `export ID [FILE]` and `import FILE`: a whole session as one JSON file. */

static int
write_text (const char *text, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (path != NULL)
    return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error) ? CLI_OK : cli_fail (error);
  fputs (text, stdout);
  return fflush (stdout) == 0 ? CLI_OK : CLI_FAILURE;
}

int
cmd_export (int argc, char **argv)
{
  g_autofree char *store = NULL;
  g_autoptr (ClqHost) host = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };
  guint8 id[16];
  int status;

  if (!cli_parse_session ("export", &argc, &argv, 2, &store, id, &status))
    return status;
  host = clq_host_new (NULL);
  if (!cli_view_store (host, store, &error))
    return cli_fail (error);
  clq_host_export_session (host, id, cli_on_answer, &answer);
  clq_host_settle (host);
  status = answer.error != NULL ? cli_fail (answer.error) : write_text (answer.text, argc > 2 ? argv[2] : NULL);
  clq_host_close (host);
  return status;
}

int
cmd_import (int argc, char **argv)
{
  g_autofree char *store = NULL, *text = NULL;
  gboolean new_id = FALSE;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the session will be kept (default: sqlite)", "sqlite:PATH" },
    { "new-id", 0, 0, G_OPTION_ARG_NONE, &new_id, "Make it another session", NULL },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };
  int status;

  if (!cli_parse (cli_find_command ("import"), entries, &argc, &argv, 1, 1, &status))
    return status;
  if (!g_file_get_contents (argv[1], &text, NULL, &error))
    return cli_fail (error);
  host = clq_host_new (NULL);
  if (!cli_use_store (host, store, &error))
    return cli_fail (error);
  clq_host_import_session (host, text, new_id, cli_on_answer, &answer);
  clq_host_settle (host);
  if (answer.error != NULL)
    status = cli_fail (answer.error);
  else
    puts (answer.text);
  clq_host_close (host);
  return status;
}
