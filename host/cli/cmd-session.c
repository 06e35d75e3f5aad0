#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Commands on one stored session: show, history, act, say, answer, resume, archive. Each is one request of `pipe`, run on the
 * session; `--json` prints its answer as it is.
 */
typedef struct
{
  Pipe pipe;
  RunView view;
  char *store;
  char *key;
  gboolean json;
  gboolean is_sure;
  gboolean was_running; /* when it was found */
} Command;

/* ---- for people ---- */

static char *
dup_text (const ClqJsonSpan *span)
{
  return span->type == CLQ_JSON_STRING ? clq_json_span_dup_string (span) : g_strndup (span->start, span->length);
}

static void
print_questions (const char *answer)
{
  ClqJsonSpan questions = clq_json_find (answer, -1, "questions"), item;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &questions);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *question = g_strndup (item.start, item.length);
      g_autofree char *key = clq_json_find_string (question, "key");
      g_autofree char *prompt = clq_json_find_string (question, "prompt");
      ClqJsonSpan options = clq_json_find (question, -1, "options");
      gboolean has_options = options.type == CLQ_JSON_ARRAY;

      cli_print_line ("question %s: %s%s%.*s", key, prompt, has_options ? " " : "", has_options ? (int) options.length : 0, options.start);
    }
}

static void
print_state (const char *answer)
{
  g_autofree char *state = clq_json_find_string (answer, "state");
  g_autofree char *status = clq_json_find_string (answer, "status");
  ClqJsonSpan failure = clq_json_find (answer, -1, "error");

  cli_print_line ("state: %s (%s)", state, status);
  if (failure.type == CLQ_JSON_OBJECT)
    {
      ClqJsonSpan message = clq_json_find (failure.start, failure.length, "message");
      g_autofree char *text = dup_text (&message);

      cli_print_line ("error: %s", text);
    }
}

static void
print_show (Command *command, const char *answer)
{
  g_autofree char *session = clq_json_find_string (answer, "session");
  g_auto (GStrv) actions = clq_session_dup_actions (command->pipe.session);
  g_autofree char *joined = g_strjoinv (", ", actions);
  g_autofree char *summary = clq_session_dup_summary (command->pipe.session);
  ClqJsonSpan schedule = clq_json_find (answer, -1, "schedule"), next = clq_json_find (answer, -1, "nextRunAt");

  cli_print_line ("session: %s\ngraph: %s", session, clq_session_get_graph (command->pipe.session));
  print_state (answer);
  cli_print_line ("summary: %s\nactions: %s", summary, joined);
  print_questions (answer);
  if (schedule.type == CLQ_JSON_OBJECT)
    cli_print_line ("schedule: %.*s", (int) schedule.length, schedule.start);
  if (next.type == CLQ_JSON_STRING)
    cli_print_line ("next run: %.*s", (int) next.length - 2, next.start + 1);
  cli_print_line ("data: %s", clq_session_get_data (command->pipe.session));
}

static void
print_history (const char *result)
{
  ClqJsonSpan list = clq_json_span (result, -1), item;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *entry = g_strndup (item.start, item.length);
      g_autofree char *at = clq_json_find_string (entry, "at");
      g_autofree char *from = clq_json_find_string (entry, "from");
      g_autofree char *event = clq_json_find_string (entry, "event");
      g_autofree char *to = clq_json_find_string (entry, "to");
      g_autofree char *reason = clq_json_find_string (entry, "reason");
      g_autofree char *error = clq_json_find_string (entry, "error");

      cli_print_line ("%s  %s --%s--> %s%s%s%s%s%s%s", at, from, event, to, reason != NULL ? "  (" : "", reason != NULL ? reason : "",
                      reason != NULL ? ")" : "", error != NULL ? "  [" : "", error != NULL ? error : "", error != NULL ? "]" : "");
    }
}

static void
print_answer (Command *command, const char *what, const char *answer)
{
  if (strcmp (what, "show") == 0)
    print_show (command, answer);
  else if (strcmp (what, "history") == 0)
    print_history (command->pipe.result);
  else
    {
      print_questions (answer); /* what was said stands there already */
      if (strcmp (what, "say") != 0)
        print_state (answer);
      if (command->pipe.result != NULL && strcmp (command->pipe.result, "null") != 0)
        cli_print_line ("result: %s", command->pipe.result);
    }
}

/* ---- running ---- */

static void
on_news (const ClqNews *news, gpointer user_data)
{
  run_view_take (user_data, news);
}

static gboolean
is_reading (const char *what)
{
  return strcmp (what, "show") == 0 || strcmp (what, "history") == 0;
}

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  Command *command = user_data;

  if (session != NULL)
    {
      command->pipe.session = g_object_ref (session);
      command->was_running = strcmp (clq_session_get_status (session), "running") == 0;
    }
  if (error != NULL)
    command->pipe.error = g_error_copy (error);
}

/* Opens the store and finds the session in it. One that was interrupted goes on as soon as it is found. */
static int
find_session (Command *command, const char *name, const char *id_text)
{
  Pipe *pipe = &command->pipe;
  g_autoptr (GError) error = NULL;

  if (!cli_parse_id (name, id_text, pipe->id))
    return CLI_USAGE;
  if (is_reading (name) ? !cli_view_store (pipe->host, command->store, &error) : !cli_use_store (pipe->host, command->store, &error))
    return cli_fail (error);
  if (!is_reading (name) && !cli_configure (pipe->host))
    return CLI_FAILURE;
  clq_host_observe (pipe->host, pipe_observe, pipe);
  if (!command->json)
    clq_host_observe (pipe->host, on_news, &command->view);
  clq_host_find_session (pipe->host, pipe->id, on_session, command);
  clq_host_settle (pipe->host);
  if (pipe->error != NULL)
    return cli_fail (pipe->error);
  if (pipe->session == NULL)
    {
      cli_complain ("there is no session %s; see colloquy sessions", id_text);
      return CLI_NOT_FOUND;
    }
  return CLI_OK;
}

static int
run_request (Command *command, const char *what, const char *request)
{
  Pipe *pipe = &command->pipe;
  g_autoptr (GString) answer = g_string_new (NULL);
  int status = CLI_OK;

  if (!is_reading (what))
    run_view_begin (&command->view, TRUE);
  pipe_run_line (pipe, request, strlen (request), &pipe->error);
  while (pipe->error == NULL && !is_reading (what) && strcmp (clq_session_get_status (pipe->session), "running") == 0)
    {
      g_main_context_iteration (NULL, TRUE); /* a visit waits for the clock or for an agent */
      clq_host_settle (pipe->host);
    }
  run_view_rest (&command->view);
  run_view_sum_up (&command->view);
  if (pipe->error != NULL)
    status = command->json ? cli_status_of (pipe->error) : cli_fail (pipe->error);
  else if (strcmp (clq_session_get_status (pipe->session), "waiting") == 0 && !is_reading (what))
    status = CLI_WAITING;
  pipe_answer (pipe, answer);
  if (command->json)
    puts (answer->str);
  else if (pipe->error == NULL)
    print_answer (command, what, answer->str);
  return status;
}

/* Whether there is something to go on with. */
static int
require_interrupted (const Command *command, const char *id)
{
  const char *status = clq_session_get_status (command->pipe.session);

  if (command->was_running)
    return CLI_OK;
  if (strcmp (status, "waiting") == 0)
    cli_complain ("session %s waits for an answer; give it with: colloquy answer %s", id, id);
  else
    cli_complain ("session %s was not interrupted: it is %s in state %s", id, status, clq_session_get_state (command->pipe.session));
  return CLI_REFUSED;
}

/* ---- making sure ---- */

/* Whoever archives a session that has work to do must mean it: `--yes` says so, or whoever sits at the terminal. */
static int
make_sure (const Command *command)
{
  g_autofree char *scheduled = command->is_sure ? NULL : cli_dup_scheduled (command->pipe.session);
  g_autofree char *line = NULL, *value = NULL, *answer = NULL;

  if (scheduled == NULL)
    return CLI_OK;
  if (!cli_is_terminal (STDIN_FILENO) || !cli_is_terminal (STDERR_FILENO))
    {
      cli_complain ("archive: work is scheduled: %s; --yes archives the session and gives that up", scheduled);
      return CLI_REFUSED;
    }
  cli_tell ("Work is scheduled: %s.", scheduled);
  fputs ("Archive the session and give that up? [y/N] ", stderr);
  line = cli_read_line ();
  value = clq_json_quote (line != NULL ? line : "");
  answer = clq_question_fit_answer ("{\"type\":\"confirmation\"}", value, NULL);
  if (g_strcmp0 (answer, "true") == 0)
    return CLI_OK;
  cli_complain ("not archived");
  return CLI_REFUSED;
}

/* ---- requests ---- */

static void
append_key (const Command *command, GString *request)
{
  if (command->key != NULL)
    cli_json_string (request, "key", command->key);
}

/* A value as it was typed: JSON if it is some, else a text. */
static void
append_value (GString *request, const char *name, const char *value)
{
  if (clq_json_check (value, -1, NULL, NULL))
    cli_json_raw (request, name, value);
  else
    cli_json_string (request, name, value);
}

/* `answer ID VALUE`, or `answer ID KEY=VALUE...` where several questions are open. */
static void
append_answers (GString *request, char **values)
{
  g_autoptr (GString) object = g_string_new ("{");

  if (values[1] == NULL && strstr (values[0], "=") == NULL)
    {
      append_value (request, "value", values[0]);
      return;
    }
  for (guint i = 0; values[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (values[i], "=", 2);

      append_value (object, parts[0], parts[1] != NULL ? parts[1] : "");
    }
  g_string_append_c (object, '}');
  cli_json_raw (request, "values", object->str);
}

static char *
dup_request (const Command *command, const char *what, int argc, char **argv)
{
  GString *request = g_string_new ("{");

  if (strcmp (what, "act") == 0 || strcmp (what, "archive") == 0)
    {
      cli_json_string (request, "do", "action");
      cli_json_string (request, "name", argc > 2 ? argv[2] : "archive");
      if (argc > 3)
        append_value (request, "payload", argv[3]);
      append_key (command, request);
    }
  else if (strcmp (what, "say") == 0)
    {
      cli_json_string (request, "do", "message");
      cli_json_string (request, "text", argv[2]);
      append_key (command, request);
    }
  else if (strcmp (what, "answer") == 0)
    {
      cli_json_string (request, "do", "answer");
      append_answers (request, argv + 2);
      append_key (command, request);
    }
  else
    cli_json_string (request, "do", strcmp (what, "resume") == 0 ? "show" : what);
  g_string_append_c (request, '}');
  return g_string_free (request, FALSE);
}

static int
run (const char *what, int argc, char **argv, int min, int max)
{
  Command command = { .json = FALSE };
  const gboolean archives = strcmp (what, "archive") == 0;
  const GOptionEntry yes = { "yes", 'y', 0, G_OPTION_ARG_NONE, &command.is_sure, "Do not ask, also if work is scheduled", NULL };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &command.store, "Where the session is kept (default: sqlite)", "sqlite:PATH" },
    { "key", 0, 0, G_OPTION_ARG_STRING, &command.key, "Idempotency key: the same key is taken once", "KEY" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &command.json, "Print the answer as pipe does", NULL },
    archives ? yes : (GOptionEntry){ NULL },
    { NULL },
  };
  int status;

  if (cli_parse (cli_find_command (what), entries, &argc, &argv, min, max, &status))
    {
      pipe_init (&command.pipe);
      run_view_init (&command.view, command.pipe.host, command.pipe.id, command.json || cli_is_plain (STDERR_FILENO), FALSE);
      status = find_session (&command, what, argv[1]);
      if (status == CLI_OK && archives)
        status = make_sure (&command);
      if (status == CLI_OK && strcmp (what, "resume") == 0)
        status = require_interrupted (&command, argv[1]);
      if (status == CLI_OK)
        {
          g_autofree char *request = dup_request (&command, what, argc, argv);

          status = run_request (&command, what, request);
        }
      run_view_clear (&command.view);
      pipe_clear (&command.pipe);
    }
  g_free (command.store);
  g_free (command.key);
  return status;
}

int
cmd_show (int argc, char **argv)
{
  return run ("show", argc, argv, 1, 1);
}

int
cmd_history (int argc, char **argv)
{
  return run ("history", argc, argv, 1, 1);
}

int
cmd_act (int argc, char **argv)
{
  return run ("act", argc, argv, 2, 3);
}

int
cmd_say (int argc, char **argv)
{
  return run ("say", argc, argv, 2, 2);
}

int
cmd_answer (int argc, char **argv)
{
  return run ("answer", argc, argv, 2, G_MAXINT);
}

int
cmd_resume (int argc, char **argv)
{
  return run ("resume", argc, argv, 1, 1);
}

int
cmd_archive (int argc, char **argv)
{
  return run ("archive", argc, argv, 1, 1);
}
