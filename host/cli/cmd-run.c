#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  gboolean json;
  gboolean quiet;
  RunView view;
  gboolean is_kept; /* it is there when the program is not */
  char *failure;    /* why the session came to the final state in which it is */
  GError *error;
} Run;

typedef struct
{
  char *file;
  char *context;
  char *report;
  char *store;
  char **overrides;
} Options;

static void
clear_options (Options *options)
{
  g_free (options->file);
  g_free (options->context);
  g_free (options->report);
  g_free (options->store);
  g_strfreev (options->overrides);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

/* ---- what happens ---- */

static void
print_news_json (const ClqNews *news)
{
  static const char *const words[] = { "opened", "taken", "piece", "said", "progress", "notified", "warned", "alert", "failed", "asked", "calling", "answered" };
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
  if (news->type == CLQ_NEWS_PROGRESS)
    cli_json_double (out, "fraction", news->fraction);
  if (news->call != NULL)
    {
      cli_json_string (out, "call", news->call);
      cli_json_string (out, "target", news->target);
    }
  if (news->type == CLQ_NEWS_ANSWERED)
    {
      cli_json_number (out, "ms", news->ms);
      cli_json_number (out, "tokensIn", (gint64) news->tokens_in);
      cli_json_number (out, "tokensOut", (gint64) news->tokens_out);
    }
  g_string_append_c (out, '}');
  cli_print (out->str);
  putchar ('\n');
  fflush (stdout);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Run *run = user_data;

  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    {
      g_free (run->failure);
      run->failure = g_strdup (news->error);
    }
  if (run->json)
    print_news_json (news);
  else
    run_view_take (&run->view, news);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Run *run = user_data;

  if (reply->error != NULL)
    run->error = g_error_copy (reply->error);
}

/* While somebody is asked, Ctrl-C ends the program at once. */
static void
run_to_rest (Run *run)
{
  run_view_begin (&run->view, run->is_kept);
  cli_run_to_rest (run->host, run->id);
  run_view_rest (&run->view);
}

/* ---- how it ends ---- */

static int
finish (Run *run)
{
  g_autoptr (ClqSession) session = clq_host_get_session (run->host, run->id);
  const char *status, *failure;

  run_view_sum_up (&run->view);
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
  if (strcmp (status, "waiting") == 0)
    {
      run_tell_questions (session);
      return CLI_WAITING;
    }
  if (strcmp (status, "done") != 0 || run->failure == NULL)
    return CLI_OK;
  cli_complain ("%s", run->failure);
  return CLI_FAILURE;
}

/* A conversation that is to be started first, or that waits for a message, hears the text as its first message. */
static void
open_and_say (Run *run, const char *text)
{
  clq_host_open_session (run->host, run->graph, run->id, NULL, NULL, NULL, on_reply, run);
  run_to_rest (run);
  if (run->error == NULL && cli_starts_first (run->graph))
    clq_host_send (run->host, run->id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "start" }, on_reply, run);
  run_to_rest (run);
  if (run->error == NULL)
    clq_host_send (run->host, run->id, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = text }, on_reply, run);
}

/* A session that may have to wait for somebody is kept where it is found again. */
static gboolean
may_wait (const ClqGraph *graph)
{
  for (guint i = 0; i < graph->n_states; i++)
    if (graph->states[i].waits)
      return TRUE;
  return FALSE;
}

static gboolean
use_store (Run *run, const char *store, GError **error)
{
  run->is_kept = store != NULL ? strcmp (store, "memory") != 0 : may_wait (run->graph);
  if (store == NULL && run->is_kept)
    return cli_use_store (run->host, NULL, error);
  return clq_host_use_store (run->host, store != NULL ? store : "memory", error);
}

static gboolean
is_waiting (const Run *run)
{
  g_autoptr (ClqSession) session = clq_host_get_session (run->host, run->id);

  return session != NULL && strcmp (clq_session_get_status (session), "waiting") == 0;
}

/* Whoever sits at the terminal answers what is asked. */
static void
run_to_end (Run *run)
{
  run_to_rest (run);
  while (run->error == NULL && !run->json && is_waiting (run))
    {
      run_view_pause (&run->view);
      if (!run_ask_questions (run->host, run->id))
        return;
      run_to_rest (run);
    }
}

static int
run_graph (Run *run, const Options *options, const char *graph, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *input = NULL;
  int status, reported;

  run->graph = cli_load_graph (run->host, graph, options->overrides, FALSE);
  if (run->graph == NULL)
    return CLI_FAILURE;
  if (!run_read_input (text, options->file, options->context, &input, &error) || !use_store (run, options->store, &error))
    return cli_fail (error);
  if (!cli_configure (run->host))
    return CLI_FAILURE;
  clq_host_observe (run->host, on_news, run);
  clq_host_new_id (run->host, run->id);
  if (input != NULL && (cli_starts_first (run->graph) || cli_speaks_first (run->graph)))
    open_and_say (run, input);
  else
    clq_host_open_session (run->host, run->graph, run->id, NULL, input, NULL, on_reply, run);
  run_to_end (run);
  status = finish (run);
  if (options->report != NULL && run->error == NULL)
    {
      g_autoptr (ClqSession) session = clq_host_get_session (run->host, run->id);

      reported = run_write_report (session, run->host, options->report);
      status = status == CLI_OK ? reported : status;
    }
  return status;
}

int
cmd_run (int argc, char **argv)
{
  g_auto (Options) options = { NULL };
  Run run = { NULL };
  const GOptionEntry entries[] = {
    { "file", 0, 0, G_OPTION_ARG_FILENAME, &options.file, "Read TEXT from a file; - is stdin", "FILE" },
    { "context", 0, 0, G_OPTION_ARG_FILENAME, &options.context, "Tell a debate what is around the problem, too", "FILE" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &options.report, "Write the whole of it as Markdown, when it has ended", "FILE.md" },
    { "store", 0, 0, G_OPTION_ARG_STRING, &options.store, "Where the session is kept", "memory|sqlite:PATH" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.overrides, "Change a key of the graph; may be repeated", "GROUP.KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &run.json, "One JSON object per line for everything that happens", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &run.quiet, "No progress on stderr", NULL },
    { NULL },
  };
  int status;

  if (!cli_parse (cli_find_command ("run"), entries, &argc, &argv, 1, 2, &status))
    return status;
  if (argc > 2 && options.file != NULL)
    {
      cli_complain ("run: expected TEXT or --file, not both; see colloquy run --help");
      return CLI_USAGE;
    }
  run.host = clq_host_new (NULL);
  run_view_init (&run.view, run.host, run.id, run.quiet || run.json, TRUE);
  status = run_graph (&run, &options, argv[1], argc > 2 ? argv[2] : NULL);
  clq_host_close (run.host);
  run_view_clear (&run.view);
  g_clear_pointer (&run.graph, clq_graph_unref);
  g_clear_object (&run.host);
  g_clear_error (&run.error);
  g_free (run.failure);
  return status;
}
