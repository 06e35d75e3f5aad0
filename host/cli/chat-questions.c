#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static const TermStyle strong = { TERM_BOLD, TERM_DEFAULT };
static const TermStyle plain = { 0, TERM_DEFAULT };

/* The question that is to be answered next, as JSON: that of the program, else the first that is open; NULL if none is. */
static char *
dup_question (Chat *self)
{
  g_autofree char *questions = clq_session_dup_questions (self->session);
  ClqJsonSpan root = clq_json_span (questions, -1), question;
  ClqJsonIter iter;

  if (self->doubt != NULL)
    return g_strdup (self->doubt);
  clq_json_iter_init (&iter, &root);
  return clq_json_iter_next (&iter, NULL, &question) ? g_strndup (question.start, question.length) : NULL;
}

/* Whether somebody has to answer. */
gboolean
chat_has_question (Chat *self)
{
  g_autofree char *question = dup_question (self);

  return question != NULL;
}

static gboolean
is_of_type (const char *question, const char *type)
{
  g_autofree char *its = clq_json_find_string (question, "type");

  return g_strcmp0 (its, type) == 0;
}

/* What was typed, as JSON; a confirmation is answered by number as well. */
static char *
dup_value (const char *question, const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  if (is_of_type (question, "confirmation") && (strcmp (stripped, "1") == 0 || strcmp (stripped, "2") == 0))
    return g_strdup (*stripped == '1' ? "true" : "false");
  return clq_json_quote (stripped);
}

/* ---- the program's own ---- */

/* Whoever archives a conversation that has work to do is asked first. Returns: whether that is so; /do archive does not ask. */
gboolean
chat_doubt_archive (Chat *self, const char *arguments)
{
  g_autofree char *scheduled = chat_can (self, "archive") ? cli_dup_scheduled (self->session) : NULL;
  g_autofree char *prompt = NULL, *quoted = NULL;

  if (scheduled == NULL)
    return FALSE;
  prompt = g_strdup_printf ("Work is scheduled: %s. Archive the conversation and give that up?", scheduled);
  quoted = clq_json_quote (prompt);
  self->doubt = g_strdup_printf ("{\"type\":\"confirmation\",\"prompt\":%s}", quoted);
  self->doubtful = g_strconcat ("do archive ", arguments, NULL);
  chat_update (self);
  return TRUE;
}

/* Whatever is done instead of answering means no. */
void
chat_drop_doubt (Chat *self)
{
  g_clear_pointer (&self->doubt, g_free);
  g_clear_pointer (&self->doubtful, g_free);
}

static void
answer_doubt (Chat *self, const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fitting = clq_question_fit_answer (self->doubt, value, &error);
  g_autofree char *command = NULL;

  if (fitting == NULL)
    {
      chat_reject (self, "%s", error->message);
      return;
    }
  command = g_strdup (self->doubtful);
  chat_drop_doubt (self);
  if (strcmp (fitting, "true") == 0)
    chat_run_command (self, command);
  else
    chat_note (self, "not archived");
}

/* ---- answering ---- */

/* What was typed is the answer to the question that was drawn. */
void
chat_answer (Chat *self, const char *text)
{
  g_autofree char *question = dup_question (self), *value = dup_value (question, text);
  g_autofree char *key = NULL, *name = NULL, *payload = NULL;

  if (self->doubt != NULL)
    {
      answer_doubt (self, value);
      return;
    }
  key = clq_json_find_string (question, "key");
  name = clq_json_quote (key);
  payload = g_strdup_printf ("{\"values\":{%s:%s}}", name, value);
  chat_send (self, &(ClqInput){ .kind = CLQ_INPUT_ANSWER, .payload = payload }, NULL);
}

/* ---- drawing ---- */

static void
draw_option (Chat *self, guint number, const char *text)
{
  term_say (self->talk, plain, "  %u) %s", number, text);
}

static void
draw_question (Chat *self, const char *question)
{
  g_autofree char *prompt = clq_json_find_string (question, "prompt");
  ClqJsonSpan options = clq_json_find (question, -1, "options"), option;
  ClqJsonIter iter;
  guint number = 0;

  term_say (self->talk, strong, "%s", prompt != NULL ? prompt : "?");
  if (is_of_type (question, "confirmation"))
    {
      draw_option (self, 1, "yes");
      draw_option (self, 2, "no");
      return;
    }
  clq_json_iter_init (&iter, &options);
  while (clq_json_iter_next (&iter, NULL, &option))
    {
      g_autofree char *text = clq_json_span_dup_string (&option);

      draw_option (self, ++number, text);
    }
}

/* Draws the question that is to be answered next, once. */
void
chat_draw_questions (Chat *self)
{
  g_autofree char *question = dup_question (self);

  if (g_strcmp0 (question, self->question) == 0)
    return;
  g_free (self->question);
  self->question = g_strdup (question);
  if (question == NULL)
    return;
  chat_begin (self);
  chat_leave_gap (self);
  draw_question (self, question);
  self->has_gap = FALSE;
  chat_end (self);
}
