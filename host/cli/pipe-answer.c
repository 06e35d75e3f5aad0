#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <string.h>

/* ---- life ---- */

void
pipe_init (Pipe *self)
{
  memset (self, 0, sizeof *self);
  self->host = clq_host_new (NULL);
  self->transitions = g_ptr_array_new_with_free_func (g_free);
  self->said = g_ptr_array_new_with_free_func (g_free);
  self->notifications = g_ptr_array_new_with_free_func (g_free);
  self->alerts = g_ptr_array_new_with_free_func (g_free);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
}

void
pipe_clear (Pipe *self)
{
  g_clear_object (&self->session);
  clq_host_close (self->host);
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_clear_object (&self->host);
  g_clear_error (&self->error);
  g_clear_pointer (&self->result, g_free);
  g_ptr_array_unref (self->transitions);
  g_ptr_array_unref (self->said);
  g_ptr_array_unref (self->notifications);
  g_ptr_array_unref (self->alerts);
  g_ptr_array_unref (self->warnings);
}

/* ---- what happens between two answers ---- */

void
pipe_append_transition (GString *out, const ClqNews *news)
{
  g_string_append_c (out, '{');
  cli_json_number (out, "seq", news->seq);
  cli_json_string (out, "from", news->from);
  cli_json_string (out, "event", news->event);
  cli_json_string (out, "to", news->to);
  cli_json_string (out, "reason", news->reason);
  cli_json_bool (out, "milestone", news->milestone);
  cli_json_time (out, "at", news->at);
  cli_json_number (out, "ms", news->ms);
  if (news->actor != NULL)
    cli_json_string (out, "actor", news->actor);
  if (news->error != NULL)
    cli_json_string (out, "error", news->error);
  g_string_append_c (out, '}');
}

static void
note_said (Pipe *self, const ClqNews *news)
{
  GString *out = g_string_new ("{");

  cli_json_string (out, "role", clq_role_to_string (news->role));
  cli_json_string (out, "text", news->text);
  g_string_append_c (out, '}');
  g_ptr_array_add (self->said, g_string_free (out, FALSE));
}

void
pipe_observe (const ClqNews *news, gpointer user_data)
{
  Pipe *self = user_data;
  GString *out;

  switch (news->type)
    {
    case CLQ_NEWS_TAKEN:
      if (news->to == NULL)
        break;
      out = g_string_new (NULL);
      pipe_append_transition (out, news);
      g_ptr_array_add (self->transitions, g_string_free (out, FALSE));
      break;
    case CLQ_NEWS_SAID:
      note_said (self, news);
      break;
    case CLQ_NEWS_NOTIFIED:
      g_ptr_array_add (self->notifications, g_strdup (news->text));
      break;
    case CLQ_NEWS_ALERT:
      g_ptr_array_add (self->alerts, g_strdup (news->text));
      break;
    case CLQ_NEWS_WARNED:
      g_ptr_array_add (self->warnings, clq_json_quote (news->text));
      break;
    case CLQ_NEWS_OPENED:
    case CLQ_NEWS_PIECE:
    case CLQ_NEWS_PROGRESS:
    case CLQ_NEWS_FAILED:
    default:
      break;
    }
}

/* ---- the answer ---- */

static void
append_list (GString *out, const char *name, GPtrArray *items)
{
  g_autofree char *list = cli_json_list (items);

  cli_json_raw (out, name, list);
  g_ptr_array_set_size (items, 0);
}

static void
append_actions (GString *out, ClqSession *session)
{
  g_auto (GStrv) actions = session != NULL ? clq_session_dup_actions (session) : NULL;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; actions != NULL && actions[i] != NULL; i++)
    g_ptr_array_add (items, clq_json_quote (actions[i]));
  append_list (out, "actions", items);
}

static void
append_where (Pipe *self, GString *out)
{
  ClqSession *session = self->session;

  cli_json_string (out, "session", session != NULL ? clq_session_get_id (session) : NULL);
  cli_json_string (out, "state", session != NULL ? clq_session_get_state (session) : NULL);
  cli_json_string (out, "status", session != NULL ? clq_session_get_status (session) : NULL);
  append_actions (out, session);
}

static void
append_what (Pipe *self, GString *out)
{
  ClqSession *session = self->session;
  g_autofree char *questions = session != NULL ? clq_session_dup_questions (session) : NULL;

  append_list (out, "transitions", self->transitions);
  append_list (out, "said", self->said);
  cli_json_raw (out, "questions", questions != NULL ? questions : "[]");
  cli_json_raw (out, "schedule", session != NULL ? clq_session_get_schedule (session) : NULL);
  cli_json_time (out, "nextRunAt", session != NULL ? clq_session_get_next_run (session) : 0);
  append_list (out, "notifications", self->notifications);
  append_list (out, "alerts", self->alerts);
  append_list (out, "warnings", self->warnings);
  cli_json_raw (out, "data", session != NULL ? clq_session_get_data (session) : "{}");
}

/* The answer to the request that was just run: one line, without its end. */
void
pipe_answer (Pipe *self, GString *out)
{
  const char *failure = self->session != NULL ? clq_session_get_error (self->session) : NULL;

  g_string_append_c (out, '{');
  cli_json_bool (out, "ok", self->error == NULL);
  if (self->error != NULL)
    cli_json_error (out, clq_input_error_to_string (self->error), self->error->message);
  append_where (self, out);
  if (self->error == NULL)
    {
      cli_json_raw (out, "result", self->result);
      if (failure != NULL)
        cli_json_raw (out, "error", failure);
    }
  append_what (self, out);
  g_string_append_c (out, '}');
}
