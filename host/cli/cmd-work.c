#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  ClqHost *host;
  GMainLoop *loop;
  int max_concurrent;
  GTimeSpan poll;
  gboolean once;
  gboolean json;
  gboolean quiet;
  guint64 n_runs;
} Work;

/* The terminal is where notifications go; one that cannot be written is still kept in its conversation. */
static void
print_notification (const Work *work, const ClqNews *news, const char *id)
{
  g_autofree char *text = clq_json_find_string (news->text, "text");
  g_autofree char *title = clq_json_find_string (news->text, "title");
  g_autofree char *type = clq_json_find_string (news->text, "type");
  g_autofree char *line = NULL;

  if (work->json)
    {
      g_autoptr (GString) out = g_string_new ("{");

      cli_json_string (out, "session", id);
      cli_json_time (out, "at", news->at);
      cli_json_raw (out, "notification", news->text);
      g_string_append_c (out, '}');
      line = g_string_free (g_steal_pointer (&out), FALSE);
    }
  else
    line = g_strdup_printf ("%s%s%s: %s", g_strcmp0 (type, "question") == 0 ? "? " : "", title != NULL ? title : id,
                            g_strcmp0 (type, "question") == 0 ? " asks" : "", text != NULL ? text : news->text);
  cli_print_line ("%s", line);
  fflush (stdout);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Work *work = user_data;
  char id[CLQ_ID_LENGTH + 1];
  g_autofree char *at = clq_time_print (news->at);

  clq_id_print (news->id, id);
  if (news->type == CLQ_NEWS_NOTIFIED)
    print_notification (work, news, id);
  if (news->type == CLQ_NEWS_TAKEN && g_strcmp0 (news->event, "due") == 0)
    work->n_runs++;
  if (work->quiet)
    return;
  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    cli_tell ("%.19s %s: %s --%s--> %s", at, id, news->from, news->event, news->to);
  else if (news->type == CLQ_NEWS_WARNED)
    cli_tell ("%.19s %s: warning: %s", at, id, news->text);
  else if (news->type == CLQ_NEWS_FAILED)
    cli_tell ("%.19s %s: failed: %s", at, id, news->error);
}

/* What runs is taken up again by the next worker. */
static gboolean
on_stop (gpointer user_data)
{
  Work *work = user_data;

  g_main_loop_quit (work->loop);
  return G_SOURCE_CONTINUE;
}

static void
work_until_stopped (Work *work)
{
  guint signals[] = { g_unix_signal_add (SIGINT, on_stop, work), g_unix_signal_add (SIGTERM, on_stop, work) };

  g_main_loop_run (work->loop);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (signals[i]);
}

static int
run_worker (Work *work, const char *store)
{
  g_autoptr (GError) error = NULL;

  if (!cli_use_store (work->host, store, &error))
    return cli_fail (error);
  if (!cli_configure (work->host))
    return CLI_FAILURE;
  clq_host_set_max_concurrent (work->host, (guint) work->max_concurrent);
  clq_host_observe (work->host, on_news, work);
  clq_host_start (work->host);
  if (work->once)
    while (!clq_host_is_quiet (work->host))
      g_main_context_iteration (NULL, TRUE);
  else
    {
      clq_host_set_poll (work->host, work->poll);
      if (!work->quiet)
        cli_tell ("working; Ctrl-C stops");
      work_until_stopped (work);
    }
  if (!work->quiet)
    cli_tell ("stopped after %" G_GUINT64_FORMAT " run%s", work->n_runs, work->n_runs == 1 ? "" : "s");
  return CLI_OK;
}

/* Options that can be written but not meant. */
static gboolean
check_options (Work *work, const char *poll)
{
  if (work->max_concurrent < 0)
    cli_complain ("work: --max-concurrent: %d is out of range; expected 0 or more", work->max_concurrent);
  else if (!clq_duration_parse (poll != NULL ? poll : "5s", &work->poll) || work->poll <= 0)
    cli_complain ("work: --poll: '%s' is no duration; expected one like 5s", poll);
  else
    return TRUE;
  return FALSE;
}

int
cmd_work (int argc, char **argv)
{
  g_autofree char *store = NULL, *poll = NULL;
  int status;
  Work work = { .max_concurrent = 5 };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the conversations are (default: the user's own database)", "sqlite:PATH" },
    { "max-concurrent", 0, 0, G_OPTION_ARG_INT, &work.max_concurrent, "How many conversations may work at once (5); 0 = any number", "N" },
    { "poll", 0, 0, G_OPTION_ARG_STRING, &poll, "How often to look at the store whatever the clock shows (5s)", "DURATION" },
    { "once", 0, 0, G_OPTION_ARG_NONE, &work.once, "Do what is due now, then end", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &work.json, "Notifications as one JSON object per line", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &work.quiet, "No progress on stderr", NULL },
    { NULL },
  };

  if (!cli_parse (cli_find_command ("work"), entries, &argc, &argv, 0, 0, &status))
    return status;
  if (!check_options (&work, poll))
    return CLI_USAGE;
  work.host = clq_host_new (NULL);
  work.loop = g_main_loop_new (NULL, FALSE);
  status = run_worker (&work, store);
  clq_host_close (work.host);
  g_clear_object (&work.host);
  g_main_loop_unref (work.loop);
  return status;
}
