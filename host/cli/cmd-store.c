#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

/* `store check|backup|stats` and `delete`: what concerns the store and not a conversation. */

static void
print_members (const char *json)
{
  ClqJsonSpan root = clq_json_span (json, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *text = value.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&value) : g_strndup (value.start, value.length);

      printf ("%s: %s\n", name, text);
    }
}

static int
finish (CliAnswer *answer, gboolean json)
{
  int status = CLI_OK;

  if (answer->error != NULL)
    status = cli_fail (answer->error);
  else if (answer->text != NULL)
    {
      ClqJsonSpan ok = clq_json_find (answer->text, -1, "ok");

      if (json)
        puts (answer->text);
      else
        print_members (answer->text);
      status = ok.type == CLQ_JSON_BOOL && !clq_json_span_is_true (&ok) ? CLI_FAILURE : CLI_OK;
    }
  return status;
}

int
cmd_store (int argc, char **argv)
{
  g_autofree char *store = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Which store (default: sqlite)", "sqlite:PATH" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "JSON instead of text", NULL },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };
  int status;

  if (!cli_parse (cli_find_command ("store"), entries, &argc, &argv, 1, 2, &status))
    return status;
  if ((strcmp (argv[1], "backup") == 0) != (argc == 3))
    {
      cli_complain ("store: expected check, stats or backup FILE");
      return CLI_USAGE;
    }
  host = clq_host_new (NULL);
  if (!cli_use_store (host, store, &error))
    return cli_fail (error);
  clq_host_maintain_store (host, argv[1], argc > 2 ? argv[2] : NULL, cli_on_answer, &answer);
  clq_host_settle (host);
  status = finish (&answer, json);
  clq_host_close (host);
  return status;
}

int
cmd_delete (int argc, char **argv)
{
  g_autofree char *store = NULL;
  g_autoptr (ClqHost) host = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };
  guint8 id[16];
  int status;

  if (!cli_parse_session ("delete", &argc, &argv, 1, &store, id, &status))
    return status;
  host = clq_host_new (NULL);
  clq_host_set_passive (host, TRUE);
  if (!cli_use_store (host, store, &error))
    return cli_fail (error);
  clq_host_remove_session (host, id, cli_on_answer, &answer);
  clq_host_settle (host);
  status = finish (&answer, FALSE);
  clq_host_close (host);
  return status;
}
