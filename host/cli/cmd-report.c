#define G_LOG_DOMAIN "colloquy"

#include "run.h"

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  if (session != NULL)
    *(ClqSession **) user_data = g_object_ref (session);
}

static int
report (ClqHost *host, const char *store, const guint8 id[16], const char *file)
{
  g_autoptr (ClqSession) session = NULL;
  g_autoptr (GError) error = NULL;
  char text[CLQ_ID_LENGTH + 1];

  if (!cli_view_store (host, store, &error))
    return cli_fail (error);
  clq_host_find_session (host, id, on_session, &session);
  clq_host_settle (host);
  if (session != NULL)
    return run_write_report (session, host, file);
  clq_id_print (id, text);
  cli_complain ("there is no session %s; see colloquy sessions", text);
  return CLI_NOT_FOUND;
}

int
cmd_report (int argc, char **argv)
{
  g_autofree char *store = NULL;
  g_autoptr (ClqHost) host = NULL;
  guint8 id[16];
  int status;

  if (!cli_parse_session ("report", &argc, &argv, 2, &store, id, &status))
    return status;
  host = clq_host_new (NULL);
  status = report (host, store, id, argc > 2 ? argv[2] : NULL);
  clq_host_close (host);
  return status;
}
