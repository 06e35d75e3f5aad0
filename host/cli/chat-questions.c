#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static const TermStyle strong = { TERM_BOLD, TERM_DEFAULT };
static const TermStyle plain = { 0, TERM_DEFAULT };

/* The first question that is open, as JSON; NULL if none is. */
static char *
dup_question (Chat *self)
{
  g_autofree char *questions = clq_session_dup_questions (self->session);
  ClqJsonSpan root = clq_json_span (questions, -1), question;
  ClqJsonIter iter;

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

/* What is sent for what was typed: the answer to the first open question. */
char *
chat_dup_answer (Chat *self, const char *text)
{
  g_autofree char *question = dup_question (self);
  g_autofree char *key = clq_json_find_string (question, "key");
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  gboolean is_confirmation = is_of_type (question, "confirmation");
  g_autofree char *value = clq_json_quote (is_confirmation && strcmp (stripped, "1") == 0 ? "yes" : is_confirmation && strcmp (stripped, "2") == 0 ? "no"
                                                                                                                                                   : stripped);
  g_autofree char *name = clq_json_quote (key);

  return g_strdup_printf ("{\"values\":{%s:%s}}", name, value);
}

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
