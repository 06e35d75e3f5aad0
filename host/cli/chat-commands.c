#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static const TermStyle plain = { 0, TERM_DEFAULT };
static const TermStyle strong = { TERM_BOLD, TERM_DEFAULT };
static const TermStyle dim = { TERM_DIM, TERM_DEFAULT };

static void show_help (Chat *self, const char *arguments);

/* ---- commands that are small ---- */

static void
show_actions (Chat *self, const char *arguments)
{
  g_auto (GStrv) actions = clq_session_dup_actions (self->session);
  g_autofree char *list = g_strjoinv ("  /", actions);
  g_autofree char *text = *actions != NULL ? g_strdup_printf ("/%s", list) : g_strdup ("nothing");

  chat_begin (self);
  chat_leave_gap (self);
  chat_print_line (self, dim, "valid in %s:", clq_session_get_state (self->session));
  chat_print_line (self, plain, "%s", text);
  chat_end (self);
}

static void
quit (Chat *self, const char *arguments)
{
  chat_leave (self);
}

/* Any action, also one that has the name of a command. */
static void
take_action (Chat *self, const char *name, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *payload = chat_dup_payload (name, arguments, &error);

  if (error != NULL)
    chat_reject (self, "/%s: %s", name, error->message);
  else if (strcmp (name, "message") == 0 && *arguments != '{')
    chat_send (self, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = arguments }, NULL);
  else
    chat_act (self, name, payload, NULL);
}

static void
do_action (Chat *self, const char *arguments)
{
  gsize length = strcspn (arguments, " ");
  g_autofree char *name = g_strndup (arguments, length);

  if (*name == '\0')
    chat_reject (self, "/do: expected an action; /actions lists those that are valid");
  else
    take_action (self, name, arguments + length + strspn (arguments + length, " "));
}

/* ---- the table ---- */

static const ChatCommand commands[] = {
  { "actions", "", "the actions that are valid now", show_actions, CHAT_COMPLETE_NOTHING },
  { "fork", "[NAME]", "go on in a branch of its own; the one you leave stays as it is", chat_fork, CHAT_COMPLETE_NOTHING },
  { "switch", "BRANCH", "go on in another branch", chat_switch, CHAT_COMPLETE_BRANCH },
  { "rewind", "[TURNS|CHECKPOINT]", "take back turns (one if not said), or go back to a checkpoint", chat_rewind, CHAT_COMPLETE_CHECKPOINT },
  { "checkpoint", "[NAME]", "remember this place", chat_checkpoint, CHAT_COMPLETE_NOTHING },
  { "merge", "BRANCH [STRATEGY]", "bring another branch into this one", chat_merge, CHAT_COMPLETE_BRANCH },
  { "tree", "", "draw the branches", chat_tree, CHAT_COMPLETE_NOTHING },
  { "why", "[NUMBER]", "the last transitions, with their reasons", chat_why, CHAT_COMPLETE_NOTHING },
  { "history", "[NUMBER]", "what was said on this branch", chat_history, CHAT_COMPLETE_NOTHING },
  { "export", "FILE", "write the conversation to a file, Markdown or JSON", chat_export, CHAT_COMPLETE_NOTHING },
  { "do", "ACTION [DATA]", "take an action as it is, also one that is called like a command", do_action, CHAT_COMPLETE_NOTHING },
  { "help", "", "this list", show_help, CHAT_COMPLETE_NOTHING },
  { "quit", "", "leave; so does Ctrl-D", quit, CHAT_COMPLETE_NOTHING },
};

const ChatCommand *
chat_get_commands (guint *n_commands)
{
  *n_commands = G_N_ELEMENTS (commands);
  return commands;
}

static void
show_help (Chat *self, const char *arguments)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  const int columns = term_text_columns (&self->term);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GString) call = g_string_new (NULL);

      term_mark (call, strong);
      g_string_append_printf (call, "/%s", commands[i].name);
      term_mark (call, plain);
      g_string_append_printf (call, " %s", commands[i].arguments);
      g_string_append_printf (call, "%*s", MAX (28 - term_width (call->str, -1), 1), "");
      if (columns >= 60)
        term_wrap (commands[i].summary, columns, call->str, "                            ", lines);
      else
        term_wrap (commands[i].summary, columns, call->str, "    ", lines);
    }
  g_ptr_array_add (lines, g_strdup (""));
  term_wrap ("/ACTION [DATA] takes any action that is valid now. DATA is an object, {\"name\":\"idea\"}, or NAME=VALUE words, or just words. "
             "A message that begins with / is typed with two. Ctrl-C ends a reply; twice, it leaves. Tab completes.",
             columns, "", "", lines);
  chat_print (self, lines);
}

/* ---- running one ---- */

static const ChatCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static void
complain_unknown (Chat *self, const char *name)
{
  g_auto (GStrv) actions = clq_session_dup_actions (self->session);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_ptr_array_add (names, (gpointer) commands[i].name);
  for (guint i = 0; actions[i] != NULL; i++)
    g_ptr_array_add (names, actions[i]);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  chat_reject (self, "there is no command or action '%s'%s; /help lists them", name, hint);
}

/* What was typed behind a slash: a command, or an action of the graph. */
void
chat_run_command (Chat *self, const char *line)
{
  gsize length = strcspn (line, " \n");
  g_autofree char *name = g_strndup (line, length);
  g_autofree char *arguments = g_strstrip (g_strdup (line + length));
  const ChatCommand *command = find_command (name);

  chat_drop_doubt (self);
  if (command != NULL)
    command->run (self, arguments);
  else if (!clq_session_has_action (self->session, name))
    complain_unknown (self, name);
  else if (strcmp (name, "archive") != 0 || !chat_doubt_archive (self, arguments))
    take_action (self, name, arguments);
}
