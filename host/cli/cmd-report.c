#define G_LOG_DOMAIN "colloquy"

#include "run.h"

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  if (session != NULL)
    *(ClqSession **) user_data = g_object_ref (session);
}

static int
report (ClqHost *host, const char *store, const char *id_text, const char *file)
{
  g_autoptr (ClqSession) session = NULL;
  g_autoptr (GError) error = NULL;
  guint8 id[16];

  if (!clq_id_parse (id_text, id))
    {
      cli_complain ("report: '%s' is no id; expected one like 01890a5d-ac96-774b-bcce-b302099a8057, see colloquy sessions", id_text);
      return CLI_USAGE;
    }
  if (!cli_view_store (host, store, &error))
    return cli_fail (error);
  clq_host_find_session (host, id, on_session, &session);
  clq_host_settle (host);
  if (session != NULL)
    return run_write_report (session, host, file);
  cli_complain ("there is no session %s; see colloquy sessions", id_text);
  return CLI_NOT_FOUND;
}

int
cmd_report (int argc, char **argv)
{
  g_autofree char *store = NULL;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the session is kept (default: sqlite)", "sqlite:PATH" },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  int status;

  if (!cli_parse (cli_find_command ("report"), entries, &argc, &argv, 1, 2, &status))
    return status;
  host = clq_host_new (NULL);
  status = report (host, store, argv[1], argc > 2 ? argv[2] : NULL);
  clq_host_close (host);
  return status;
}
