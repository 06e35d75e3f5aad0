#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

/* ---- sending ---- */

typedef struct
{
  Chat *chat;
  ChatDoneFunc done;
} Sending;

/* What an action gave is shown, unless somebody knows better. */
static void
show_result (Chat *self, const char *result, const GError *error)
{
  if (error != NULL)
    chat_complain (self, "%s", error->message);
  else if (result != NULL)
    chat_print_result (self, result);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Sending *sending = user_data;
  Chat *self = sending->chat;
  ChatDoneFunc done = sending->done;

  g_free (sending);
  self->n_pending--;
  if (self->is_over)
    return;
  if (reply->error != NULL && self->editor == NULL && self->status == CLI_OK)
    self->status = cli_status_of (reply->error);
  done (self, reply->result, reply->error);
  chat_update (self);
}

/* Sends an input; @done hears how it was taken. */
void
chat_send (Chat *self, const ClqInput *input, ChatDoneFunc done)
{
  Sending *sending = g_new (Sending, 1);

  *sending = (Sending){ self, done != NULL ? done : show_result };
  self->n_pending++;
  clq_session_send (self->session, input, on_reply, sending);
  chat_update (self);
}

/* Takes an action. */
void
chat_act (Chat *self, const char *action, const char *payload, ChatDoneFunc done)
{
  chat_send (self, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = action, .payload = payload }, done);
}

/* Whether an action is valid now. */
gboolean
chat_can (Chat *self, const char *action)
{
  g_auto (GStrv) actions = clq_session_dup_actions (self->session);

  return g_strv_contains ((const char *const *) actions, action);
}

static void
send_message (Chat *self, const char *text)
{
  chat_send (self, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = text }, NULL);
}

static void
on_started (Chat *self, const char *result, const GError *error)
{
  g_autofree char *held = g_steal_pointer (&self->held);

  if (error != NULL)
    chat_complain (self, "%s", error->message);
  else
    send_message (self, held);
}

/* Whether the name of an action that is valid now, with what is behind it, is that action: where no message is taken. */
gboolean
chat_reads_actions (Chat *self)
{
  return !chat_has_question (self) && !chat_can (self, "message") && !chat_can (self, "start");
}

static gboolean
take_as_action (Chat *self, const char *text)
{
  g_autofree char *name = g_ascii_strdown (text, (gssize) strcspn (text, " \t\n"));
  g_autofree char *line = NULL;

  if (!chat_reads_actions (self) || !chat_can (self, name))
    return FALSE;
  line = g_strconcat ("do ", name, text + strlen (name), NULL);
  chat_run_command (self, line);
  return TRUE;
}

/*
 * What is said goes to the open question if there is one. A conversation that takes no message now but can be started
 * is started first.
 */
void
chat_say (Chat *self, const char *text)
{
  if (chat_has_question (self))
    chat_answer (self, text);
  else if (!chat_can (self, "message") && chat_can (self, "start"))
    {
      g_free (self->held);
      self->held = g_strdup (text);
      chat_act (self, "start", NULL, on_started);
    }
  else if (!take_as_action (self, text))
    send_message (self, text);
}

/* A line was typed or read. */
void
chat_take_line (Chat *self, const char *line)
{
  self->n_interrupts = 0;
  if (line[strspn (line, " \t\r\n")] == '\0')
    return;
  if (*line != '/')
    chat_say (self, line);
  else if (line[1] == '/')
    chat_say (self, line + 1);
  else
    chat_run_command (self, line + 1);
}

/* ---- interrupting ---- */

static void
on_cancelled (Chat *self, const char *result, const GError *error)
{
  if (error != NULL)
    self->is_cancelled = FALSE; /* it was done before it could be cancelled */
  else if (self->trouble == NULL && self->is_cancelled)
    self->trouble = g_strdup ("cancelled"); /* no rule of the graph takes that, so nothing was told */
}

static void
cancel (Chat *self)
{
  if (chat_can (self, "abort"))
    {
      chat_act (self, "abort", NULL, NULL); /* the graph has its own way, and words, for this */
      return;
    }
  self->is_cancelled = TRUE;
  chat_send (self, &(ClqInput){ .kind = CLQ_INPUT_CANCEL }, on_cancelled);
}

/* Ctrl-C: ends what runs; throws the line away; the second time it leaves. */
void
chat_interrupt (Chat *self)
{
  gboolean had_line = self->editor != NULL && !chat_is_busy (self) && chat_editor_clear_line (self->editor);

  if (self->session == NULL || self->n_interrupts++ > 0)
    {
      chat_leave (self);
      return;
    }
  chat_drop_doubt (self);
  if (chat_is_busy (self))
    cancel (self);
  else if (!had_line)
    chat_note (self, "Ctrl-C again leaves");
}

/* Ends the program. */
void
chat_leave (Chat *self)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  g_main_loop_quit (self->loop);
}

/* ---- what is next ---- */

/* Whether something goes on that will end by itself. */
gboolean
chat_is_busy (Chat *self)
{
  return self->session == NULL || self->n_pending > 0 || strcmp (clq_session_get_status (self->session), "running") == 0;
}

/* Whether the conversation has ended and takes nothing any more. */
gboolean
chat_is_finished (Chat *self)
{
  g_auto (GStrv) actions = clq_session_dup_actions (self->session);

  return strcmp (clq_session_get_status (self->session), "done") == 0 && *actions == NULL;
}

static void
take_next_line (Chat *self)
{
  g_autofree char *line = g_queue_pop_head (&self->typed);

  if (line != NULL)
    {
      chat_take_line (self, line);
      chat_update (self);
    }
  else if (self->is_at_end)
    {
      if (self->status == CLI_OK && strcmp (clq_session_get_status (self->session), "failed") == 0)
        self->status = CLI_FAILURE;
      else if (self->status == CLI_OK && chat_has_question (self))
        self->status = CLI_WAITING;
      chat_leave (self);
    }
}

static gboolean
on_update (gpointer user_data)
{
  Chat *self = user_data;

  self->update_id = 0;
  if (self->is_over)
    return G_SOURCE_REMOVE;
  chat_draw_trouble (self);
  if (self->update_id != 0)
    return G_SOURCE_REMOVE; /* something was drawn; the rest comes then */
  if (chat_is_busy (self))
    {
      chat_watch (self);
      return G_SOURCE_REMOVE;
    }
  chat_rest (self);
  chat_draw_questions (self);
  if (chat_is_finished (self))
    {
      chat_note (self, "this conversation has ended");
      chat_leave (self);
    }
  else if (self->editor != NULL)
    chat_editor_show (self->editor);
  else
    take_next_line (self);
  return G_SOURCE_REMOVE;
}

/* Something has changed: when nothing else is to be done, sees what is next. */
void
chat_update (Chat *self)
{
  if (self->update_id == 0 && !self->is_over)
    self->update_id = g_idle_add (on_update, self);
}
