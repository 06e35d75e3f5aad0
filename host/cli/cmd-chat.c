#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <glib-unix.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define STANDARD_GRAPH "chat-merge"

/* A line of a pipe may be a whole document. */
#define MAX_LINE (1024 * 1024)

typedef struct
{
  char *session;
  char *store;
  char **overrides;
  gboolean is_continued;
  gboolean is_plain;
} Options;

/* ---- signals ---- */

static gboolean
on_interrupt (gpointer user_data)
{
  chat_interrupt (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_terminate (gpointer user_data)
{
  chat_leave (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_resize (gpointer user_data)
{
  Chat *self = user_data;

  term_measure (&self->term);
  if (self->editor != NULL)
    chat_editor_resize (self->editor);
  return G_SOURCE_CONTINUE;
}

/* GLib does not watch for SIGCONT, so a handler counts them. */
static int continued_fd = -1;

static void
on_continue_signal (int signal_number)
{
  if (eventfd_write (continued_fd, 1) < 0)
    return; /* it is full of them already */
}

static gboolean
on_continued (int fd, GIOCondition condition, gpointer user_data)
{
  Chat *self = user_data;
  eventfd_t count;

  eventfd_read (fd, &count);
  if (self->editor != NULL)
    chat_editor_resume (self->editor);
  return G_SOURCE_CONTINUE;
}

static void
watch_signals (Chat *self, GArray *sources)
{
  struct sigaction action = { .sa_handler = on_continue_signal, .sa_flags = SA_RESTART };
  guint ids[5];

  continued_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  ids[0] = g_unix_signal_add (SIGINT, on_interrupt, self);
  ids[1] = g_unix_signal_add (SIGTERM, on_terminate, self);
  ids[2] = g_unix_signal_add (SIGHUP, on_terminate, self);
  ids[3] = g_unix_signal_add (SIGWINCH, on_resize, self);
  ids[4] = g_unix_fd_add (continued_fd, G_IO_IN, on_continued, self);
  sigaction (SIGCONT, &action, NULL);
  g_array_append_vals (sources, ids, G_N_ELEMENTS (ids));
}

static void
unwatch_signals (GArray *sources)
{
  for (guint i = 0; i < sources->len; i++)
    g_source_remove (g_array_index (sources, guint, i));
  if (sources->len == 0)
    return;
  signal (SIGCONT, SIG_DFL);
  close (continued_fd);
}

/* ---- lines of a pipe ---- */

static void
on_line (const char *line, gsize length, const GError *error, gpointer user_data)
{
  Chat *self = user_data;

  if (error != NULL)
    chat_complain (self, "%s", error->message);
  else if (line == NULL)
    self->is_at_end = TRUE;
  else if (!g_utf8_validate (line, (gssize) length, NULL))
    chat_complain (self, "a line is no UTF-8 and was left out");
  else
    g_queue_push_tail (&self->typed, g_strndup (line, length));
  chat_update (self);
}

/* ---- the session ---- */

static void
give_up (Chat *self, int status)
{
  self->status = status;
  chat_leave (self);
}

static void
welcome (Chat *self, const char *what)
{
  if (self->editor != NULL)
    chat_note (self, "%s. /help lists what can be done here.", what);
}

static void
on_opened (const ClqReply *reply, gpointer user_data)
{
  Chat *self = user_data;

  if (reply->error != NULL)
    {
      give_up (self, cli_fail (reply->error));
      return;
    }
  self->session = clq_host_get_session (self->host, self->id);
  chat_update (self);
}

/*
 * A graph that is not made for a terminal may name the one that is. It is loaded without the overrides, which are meant for
 * the other.
 */
static gboolean
find_graph (Chat *self)
{
  g_autoptr (ClqGraph) named = self->graph_name != NULL ? cli_load_graph (self->host, self->graph_name, NULL, FALSE) : NULL;

  if (self->graph_name == NULL || (named != NULL && named->chat == NULL))
    return TRUE;
  if (named == NULL)
    return FALSE;
  self->graph_name = g_intern_string (named->chat);
  return TRUE;
}

static void
open_new (Chat *self)
{
  const char *name = self->graph_name != NULL ? self->graph_name : STANDARD_GRAPH;

  self->graph = cli_load_graph (self->host, name, self->overrides, FALSE);
  if (self->graph == NULL)
    {
      give_up (self, CLI_FAILURE);
      return;
    }
  welcome (self, self->graph->title != NULL ? self->graph->title : self->graph->name);
  clq_host_new_id (self->host, self->id);
  clq_host_open_session (self->host, self->graph, self->id, g_get_user_name (), NULL, NULL, on_opened, self);
}

static void
on_found (ClqSession *session, const GError *error, gpointer user_data)
{
  Chat *self = user_data;
  char text[CLQ_ID_LENGTH + 1];

  if (error != NULL)
    give_up (self, cli_fail (error));
  else if (session == NULL)
    {
      clq_id_print (self->id, text);
      cli_complain ("there is no session %s", text);
      give_up (self, CLI_NOT_FOUND);
    }
  else
    {
      self->session = g_object_ref (session);
      welcome (self, clq_session_get_graph (session));
      if (self->editor != NULL)
        chat_recall (self);
      chat_update (self);
    }
}

static void
on_latest (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Chat *self = user_data;

  if (error != NULL)
    give_up (self, cli_fail (error));
  else if (heads->len == 0)
    {
      cli_complain ("there is no earlier conversation, so this is a new one");
      open_new (self);
    }
  else
    {
      memcpy (self->id, clq_head_get_id (g_ptr_array_index (heads, 0)), sizeof self->id);
      clq_host_find_session (self->host, self->id, on_found, self);
    }
}

static void
begin_session (Chat *self, const Options *options)
{
  ClqSessionFilter filter = { .owner = g_get_user_name (), .limit = 1 };

  if (!find_graph (self))
    {
      give_up (self, CLI_FAILURE);
      return;
    }
  filter.graph = self->graph_name;
  if (options->is_continued)
    clq_host_list_sessions (self->host, &filter, on_latest, self);
  else if (options->session == NULL)
    open_new (self);
  else if (clq_id_parse (options->session, self->id))
    clq_host_find_session (self->host, self->id, on_found, self);
  else
    {
      cli_complain ("chat: --session=%s: expected an id like 01890a5d-ac96-774b-bcce-b302099a8057", options->session);
      give_up (self, CLI_USAGE);
    }
}

/* ---- setting up ---- */

/* Keys are read as UTF-8, so the editor has to think in UTF-8, too. */
static void
require_utf8 (void)
{
  if (strcmp (nl_langinfo (CODESET), "UTF-8") != 0)
    setlocale (LC_CTYPE, "C.UTF-8");
}

static gboolean
set_up (Chat *self, const Options *options)
{
  g_autoptr (GError) error = NULL;

  if (cli_use_store (self->host, options->store, &error))
    self->status = cli_configure (self->host) ? CLI_OK : CLI_FAILURE;
  else
    self->status = cli_fail (error);
  return self->status == CLI_OK;
}

/* A terminal that can move its cursor gets an editor; everything else gets lines. */
static void
set_up_terminal (Chat *self, const Options *options)
{
  gboolean is_plain = options->is_plain || cli_is_plain (STDIN_FILENO) || cli_is_plain (STDOUT_FILENO);

  term_init (&self->term, STDOUT_FILENO, is_plain);
  term_init (&self->aside, STDERR_FILENO, TRUE);
  self->talk = is_plain ? &self->aside : &self->term;
  self->has_gap = TRUE;
  term_stream_init (&self->stream, &self->term);
  self->streamed = g_string_new (NULL);
  if (!is_plain)
    {
      require_utf8 ();
      self->editor = chat_editor_new (self);
    }
}

static void
clear (Chat *self)
{
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_handle_id (&self->passing_id, g_source_remove);
  g_clear_pointer (&self->lines, pipe_lines_free);
  g_clear_object (&self->session);
  clq_host_close (self->host);
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_clear_object (&self->host);
  term_stream_clear (&self->stream);
  g_string_free (self->streamed, TRUE);
  g_free (self->said);
  term_clear (&self->term);
  term_clear (&self->aside);
  g_queue_clear_full (&self->typed, g_free);
  chat_drop_notices (self);
  g_free (self->trouble);
  g_free (self->held);
  g_free (self->merging);
  g_free (self->question);
  chat_drop_doubt (self);
  g_free (self->export_path);
  g_main_loop_unref (self->loop);
}

/* Where to find the conversation again. */
static void
say_goodbye (Chat *self)
{
  if (self->editor == NULL)
    return;
  chat_rest (self);
  g_clear_pointer (&self->editor, chat_editor_free);
  if (self->session != NULL && !chat_is_finished (self) && strcmp (clq_host_get_durability (self->host), "memory") != 0)
    term_say (&self->term, (TermStyle){ TERM_DIM, TERM_DEFAULT }, "colloquy chat -c goes on with this conversation, %s", clq_session_get_id (self->session));
  term_flush (&self->term);
}

static void
run (Chat *self, const Options *options)
{
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (guint));

  set_up_terminal (self, options);
  if (self->editor != NULL)
    watch_signals (self, sources);
  else
    self->lines = pipe_lines_new (STDIN_FILENO, MAX_LINE, on_line, self);
  clq_host_observe (self->host, chat_on_news, self);
  begin_session (self, options);
  if (!self->is_over)
    g_main_loop_run (self->loop);
  say_goodbye (self);
  unwatch_signals (sources);
}

static void
clear_options (Options *options)
{
  g_free (options->session);
  g_free (options->store);
  g_strfreev (options->overrides);
}

static int
chat (const char *graph, const Options *options)
{
  Chat self = { .graph_name = graph, .overrides = options->overrides, .status = CLI_OK };

  self.host = clq_host_new (NULL);
  if (!set_up (&self, options))
    {
      clq_host_close (self.host);
      g_object_unref (self.host);
      return self.status;
    }
  self.loop = g_main_loop_new (NULL, FALSE);
  run (&self, options);
  clear (&self);
  return self.status;
}

int
cmd_chat (int argc, char **argv)
{
  Options options = { NULL };
  const GOptionEntry entries[] = {
    { "continue", 'c', 0, G_OPTION_ARG_NONE, &options.is_continued, "Go on with your last conversation", NULL },
    { "session", 0, 0, G_OPTION_ARG_STRING, &options.session, "Go on with this conversation", "ID" },
    { "plain", 0, 0, G_OPTION_ARG_NONE, &options.is_plain, "Text only: no colours, no editor, Markdown as it is", NULL },
    { "store", 0, 0, G_OPTION_ARG_STRING, &options.store, "Where conversations are kept (default: sqlite)", "memory|sqlite:PATH" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.overrides, "Change a key of the graph; may be repeated", "GROUP.KEY=VALUE" },
    { NULL },
  };
  int status;

  if (cli_parse (cli_find_command ("chat"), entries, &argc, &argv, 0, 1, &status))
    {
      status = CLI_USAGE;
      if (options.is_continued && options.session != NULL)
        cli_complain ("chat: expected either --continue or --session");
      else
        status = chat (argc > 1 ? argv[1] : NULL, &options);
    }
  clear_options (&options);
  return status;
}
