#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  gboolean json;
  gboolean quiet;
  gboolean line_is_open; /* a piece was printed that does not end its line */
  GError *error;
} Run;

/* ---- what happens ---- */

static void
end_line (Run *run)
{
  if (run->line_is_open)
    putchar ('\n');
  run->line_is_open = FALSE;
  fflush (stdout);
}

static void
tell_progress (const Run *run, const ClqNews *news)
{
  if (run->quiet)
    return;
  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    fprintf (stderr, "%s --%s--> %s\n", news->from, news->event, news->to);
  else if (news->type == CLQ_NEWS_PROGRESS)
    fprintf (stderr, "%3.0f%% %s\n", CLAMP (news->fraction, 0, 1) * 100, news->text);
  else if (news->type == CLQ_NEWS_WARNED)
    fprintf (stderr, "warning: %s\n", news->text);
}

static void
print_news_json (const ClqNews *news)
{
  static const char *const words[] = { "opened", "taken", "piece", "said", "progress", "notified", "warned", "alert", "failed", "asked" };
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "news", words[news->type]);
  cli_json_time (out, "at", news->at);
  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    {
      g_autoptr (GString) transition = g_string_new (NULL);

      pipe_append_transition (transition, news);
      cli_json_raw (out, "transition", transition->str);
    }
  else if (news->event != NULL)
    cli_json_string (out, "event", news->event);
  if (news->role != CLQ_ROLE_NONE)
    cli_json_string (out, "role", clq_role_to_string (news->role));
  if (news->type == CLQ_NEWS_NOTIFIED || news->type == CLQ_NEWS_ALERT)
    cli_json_raw (out, "body", news->text);
  else if (news->text != NULL)
    cli_json_string (out, "text", news->text);
  if (news->error != NULL)
    cli_json_string (out, "error", news->error);
  g_string_append_c (out, '}');
  puts (out->str);
  fflush (stdout);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Run *run = user_data;

  if (run->json)
    {
      print_news_json (news);
      return;
    }
  if (news->type == CLQ_NEWS_PIECE)
    {
      fputs (news->text, stdout);
      fflush (stdout);
      run->line_is_open = TRUE;
    }
  else if (news->type == CLQ_NEWS_SAID && run->line_is_open)
    end_line (run); /* its pieces were printed */
  else if (news->type == CLQ_NEWS_SAID)
    puts (news->text);
  tell_progress (run, news);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Run *run = user_data;

  if (reply->error != NULL)
    run->error = g_error_copy (reply->error);
}

/* ---- how it ends ---- */

static void
tell_questions (ClqSession *session)
{
  g_autofree char *questions = clq_session_dup_questions (session);
  ClqJsonSpan root = clq_json_span (questions, -1), key, question;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &question))
    {
      g_autofree char *text = g_strndup (question.start, question.length);
      g_autofree char *name = clq_json_find_string (text, "key");
      g_autofree char *prompt = clq_json_find_string (text, "prompt");

      fprintf (stderr, "%s: %s\n", name, prompt);
    }
  cli_complain ("session %s waits for an answer", clq_session_get_id (session));
}

static int
finish (Run *run)
{
  g_autoptr (ClqSession) session = clq_host_get_session (run->host, run->id);
  const char *status, *failure;

  end_line (run);
  if (run->error != NULL)
    return cli_fail (run->error);
  status = clq_session_get_status (session);
  failure = clq_session_get_error (session);
  if (failure != NULL)
    {
      g_autofree char *message = clq_json_find_string (failure, "message");

      cli_complain ("%s", message);
      return CLI_FAILURE;
    }
  if (strcmp (status, "waiting") != 0)
    return CLI_OK;
  tell_questions (session);
  return CLI_WAITING;
}

/* Until it ends, rests or waits for somebody; a visit that waits for the clock is waited for. */
static void
run_to_rest (Run *run)
{
  for (;;)
    {
      g_autoptr (ClqSession) session = NULL;

      clq_host_settle (run->host);
      session = clq_host_get_session (run->host, run->id);
      if (session == NULL || strcmp (clq_session_get_status (session), "running") != 0)
        return;
      g_main_context_iteration (NULL, TRUE);
    }
}

static int
run_graph (Run *run, const char *graph, const char *store, const char *text, char **overrides)
{
  g_autoptr (GError) error = NULL;

  run->graph = cli_load_graph (run->host, graph, overrides, FALSE);
  if (run->graph == NULL)
    return CLI_FAILURE;
  if (!clq_host_use_store (run->host, store != NULL ? store : "memory", &error) || !cli_configure_agents (run->host, &error))
    return cli_fail (error);
  clq_host_observe (run->host, on_news, run);
  clq_host_new_id (run->host, run->id);
  clq_host_open_session (run->host, run->graph, run->id, NULL, text, NULL, on_reply, run);
  run_to_rest (run);
  return finish (run);
}

int
cmd_run (int argc, char **argv)
{
  g_autofree char *store = NULL;
  g_auto (GStrv) overrides = NULL;
  Run run = { NULL };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the session is kept (default: memory)", "memory|sqlite:PATH" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &overrides, "Change a key of the graph; may be repeated", "GROUP.KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &run.json, "One JSON object per line for everything that happens", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &run.quiet, "No progress on stderr", NULL },
    { NULL },
  };
  int status;

  if (!cli_parse (cli_find_command ("run"), entries, &argc, &argv, 1, 2, &status))
    return status;
  run.host = clq_host_new (NULL);
  status = run_graph (&run, argv[1], store, argc > 2 ? argv[2] : NULL, overrides);
  clq_host_close (run.host);
  g_clear_pointer (&run.graph, clq_graph_unref);
  g_clear_object (&run.host);
  g_clear_error (&run.error);
  return status;
}
