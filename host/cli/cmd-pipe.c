#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where a manual clock begins if nobody says so. */
#define MANUAL_START "2026-01-01T00:00:00Z"

typedef struct
{
  char *session;
  char *store;
  char *clock;
  char *now;
  char **overrides;
  gboolean agents;
  gboolean bare;
} Options;

typedef struct
{
  Pipe pipe;
  PipeLines *lines;
  GMainLoop *loop;
  int status;
} Program;

/* ---- lines ---- */

static gboolean
print_line (GString *line)
{
  g_string_append_c (line, '\n');
  return fwrite (line->str, 1, line->len, stdout) == line->len && fflush (stdout) == 0;
}

static void
on_line (const char *line, gsize length, const GError *error, gpointer user_data)
{
  Program *program = user_data;
  Pipe *pipe = &program->pipe;
  g_autoptr (GString) out = g_string_new (NULL);

  if (line == NULL)
    {
      g_main_loop_quit (program->loop);
      return;
    }
  if (error == NULL && (length == 0 || strspn (line, " \t\r") == length))
    return;
  if (error != NULL)
    pipe->error = g_error_copy (error);
  else
    pipe_run_line (pipe, line, length, &pipe->error);
  pipe_answer (pipe, out);
  g_clear_error (&pipe->error);
  g_clear_pointer (&pipe->result, g_free);
  if (print_line (out))
    return;
  program->status = CLI_FAILURE; /* nobody reads any more */
  g_main_loop_quit (program->loop);
}

/* ---- setting up ---- */

static gboolean
set_clock (Pipe *pipe, const Options *options)
{
  gint64 now;

  if (options->clock != NULL && strcmp (options->clock, "manual") != 0 && strcmp (options->clock, "real") != 0)
    {
      cli_complain ("pipe: --clock=%s: expected manual or real", options->clock);
      return FALSE;
    }
  pipe->is_manual = options->now != NULL || g_strcmp0 (options->clock, "manual") == 0;
  if (options->now != NULL && g_strcmp0 (options->clock, "real") == 0)
    {
      cli_complain ("pipe: --now sets a manual clock; expected it without --clock=real");
      return FALSE;
    }
  if (!pipe->is_manual)
    return TRUE;
  if (!clq_time_parse (options->now != NULL ? options->now : MANUAL_START, &now))
    {
      cli_complain ("pipe: --now=%s: expected a time like %s", options->now, MANUAL_START);
      return FALSE;
    }
  clq_host_set_manual_clock (pipe->host, now, 1);
  return TRUE;
}

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  Pipe *pipe = user_data;

  if (session != NULL)
    pipe->session = g_object_ref (session);
  if (error != NULL)
    pipe->error = g_error_copy (error);
}

/* A session that the store has goes on; an id that it does not have is for the one that will be opened. */
static gboolean
find_session (Pipe *pipe, const Options *options, int *status)
{
  if (options->session == NULL)
    {
      clq_host_new_id (pipe->host, pipe->id);
      return TRUE;
    }
  if (!clq_id_parse (options->session, pipe->id))
    {
      cli_complain ("pipe: --session=%s: expected an id like 01890a5d-ac96-774b-bcce-b302099a8057", options->session);
      *status = CLI_USAGE;
      return FALSE;
    }
  clq_host_find_session (pipe->host, pipe->id, on_session, pipe);
  clq_host_settle (pipe->host);
  if (pipe->error == NULL)
    return TRUE;
  *status = cli_fail (pipe->error);
  return FALSE;
}

static gboolean
set_up (Program *program, const char *graph, const Options *options)
{
  Pipe *pipe = &program->pipe;
  g_autoptr (GError) error = NULL;

  program->status = CLI_USAGE;
  if (!set_clock (pipe, options))
    return FALSE;
  program->status = CLI_FAILURE;
  pipe->graph = cli_load_graph (pipe->host, graph, options->overrides, options->bare);
  if (pipe->graph == NULL)
    return FALSE;
  if (!clq_host_use_store (pipe->host, options->store != NULL ? options->store : "memory", &error))
    {
      program->status = cli_fail (error);
      return FALSE;
    }
  if (!options->agents)
    clq_host_set_standard_agent (pipe->host, "scripted.agent", NULL);
  else if (!cli_configure (pipe->host))
    return FALSE;
  if (!find_session (pipe, options, &program->status))
    return FALSE;
  clq_host_observe (pipe->host, pipe_observe, pipe);
  program->status = CLI_OK;
  return TRUE;
}

static void
clear_options (Options *options)
{
  g_free (options->session);
  g_free (options->store);
  g_free (options->clock);
  g_free (options->now);
  g_strfreev (options->overrides);
}

int
cmd_pipe (int argc, char **argv)
{
  Options options = { NULL };
  const GOptionEntry entries[] = {
    { "session", 0, 0, G_OPTION_ARG_STRING, &options.session, "Go on with this session, or open it under this id", "ID" },
    { "store", 0, 0, G_OPTION_ARG_STRING, &options.store, "Where sessions are kept (default: memory)", "memory|sqlite:PATH" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &options.clock, "manual: time moves only by advance", "real|manual" },
    { "now", 0, 0, G_OPTION_ARG_STRING, &options.now, "Where a manual clock begins", "ISO" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.overrides, "Change a key of the graph; may be repeated", "GROUP.KEY=VALUE" },
    { "agents", 0, 0, G_OPTION_ARG_NONE, &options.agents, "Use the agents of colloquy.conf instead of scripted ones", NULL },
    { "bare", 0, 0, G_OPTION_ARG_NONE, &options.bare, "Only the graph: no nodes, no modality, any event by name", NULL },
    { NULL },
  };
  Program program = { .status = CLI_OK };
  int status;

  if (!cli_parse (cli_find_command ("pipe"), entries, &argc, &argv, 1, 1, &status))
    {
      clear_options (&options);
      return status;
    }
  program.loop = g_main_loop_new (NULL, FALSE);
  pipe_init (&program.pipe);
  if (set_up (&program, argv[1], &options))
    {
      program.lines = pipe_lines_new (STDIN_FILENO, CLQ_JSON_MAX_SIZE, on_line, &program);
      g_main_loop_run (program.loop);
    }
  g_clear_pointer (&program.lines, pipe_lines_free);
  pipe_clear (&program.pipe);
  g_main_loop_unref (program.loop);
  clear_options (&options);
  return program.status;
}
