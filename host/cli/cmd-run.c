#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"
#include "term.h"

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
  Term term;
  TermStream stream;
  gboolean is_speaking; /* a piece was printed of what is being said */
  GError *error;
} Run;

/* ---- what happens ---- */

static void
speak (Run *run, const char *text)
{
  run->is_speaking = TRUE;
  term_stream_add (&run->stream, text, -1);
  term_flush (&run->term);
}

static void
end_speech (Run *run)
{
  if (!run->is_speaking)
    return;
  run->is_speaking = FALSE;
  term_stream_end (&run->stream);
  term_flush (&run->term);
}

static void
tell_progress (const Run *run, const ClqNews *news)
{
  if (run->quiet)
    return;
  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    cli_tell ("%s --%s--> %s", news->from, news->event, news->to);
  else if (news->type == CLQ_NEWS_PROGRESS)
    cli_tell ("%3.0f%% %s", CLAMP (news->fraction, 0, 1) * 100, news->text);
  else if (news->type == CLQ_NEWS_WARNED)
    cli_tell ("warning: %s", news->text);
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
  if (cli_is_terminal (STDOUT_FILENO))
    {
      g_autofree char *safe = term_safe_dup (out->str, -1);

      puts (safe);
    }
  else
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
    speak (run, news->text);
  else if (news->type == CLQ_NEWS_SAID && run->is_speaking)
    end_speech (run); /* its pieces were printed */
  else if (news->type == CLQ_NEWS_SAID && news->role != CLQ_ROLE_USER)
    {
      speak (run, news->text);
      end_speech (run);
    }
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

      cli_tell ("%s: %s", name, prompt);
    }
  cli_complain ("session %s waits for an answer", clq_session_get_id (session));
}

static int
finish (Run *run)
{
  g_autoptr (ClqSession) session = clq_host_get_session (run->host, run->id);
  const char *status, *failure;

  end_speech (run);
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

/* A conversation that is to be started first hears the text as its first message. */
static void
start_and_say (Run *run, const char *text)
{
  clq_host_open_session (run->host, run->graph, run->id, NULL, NULL, NULL, on_reply, run);
  cli_run_to_rest (run->host, run->id);
  if (run->error == NULL)
    clq_host_send (run->host, run->id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "start" }, on_reply, run);
  cli_run_to_rest (run->host, run->id);
  if (run->error == NULL)
    clq_host_send (run->host, run->id, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = text }, on_reply, run);
}

static int
run_graph (Run *run, const char *graph, const char *store, const char *text, char **overrides)
{
  g_autoptr (GError) error = NULL;

  run->graph = cli_load_graph (run->host, graph, overrides, FALSE);
  if (run->graph == NULL)
    return CLI_FAILURE;
  if (!clq_host_use_store (run->host, store != NULL ? store : "memory", &error))
    return cli_fail (error);
  if (!cli_configure (run->host))
    return CLI_FAILURE;
  clq_host_observe (run->host, on_news, run);
  clq_host_new_id (run->host, run->id);
  if (text != NULL && cli_starts_first (run->graph))
    start_and_say (run, text);
  else
    clq_host_open_session (run->host, run->graph, run->id, NULL, text, NULL, on_reply, run);
  cli_run_to_rest (run->host, run->id);
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
  term_init (&run.term, STDOUT_FILENO, TRUE);
  term_stream_init (&run.stream, &run.term);
  status = run_graph (&run, argv[1], store, argc > 2 ? argv[2] : NULL, overrides);
  clq_host_close (run.host);
  g_clear_pointer (&run.graph, clq_graph_unref);
  g_clear_object (&run.host);
  g_clear_error (&run.error);
  term_stream_clear (&run.stream);
  term_clear (&run.term);
  return status;
}
