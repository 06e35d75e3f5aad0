/* What is read of structured answers. They are read strictly: an answer that is not as it was asked for has a mistake. */
#include "debate.h"

/* {"confidence": 0..100, …} */
gboolean
debate_read_confidence (const char *answer, double *confidence, char **mistake)
{
  g_autofree char *json = clq_json_extract (answer, CLQ_JSON_OBJECT);
  ClqJsonSpan span = json != NULL ? clq_json_find (json, -1, "confidence") : (ClqJsonSpan){ 0 };
  double number = clq_json_span_get_double (&span);

  if (json == NULL)
    *mistake = g_strdup ("there is no JSON object in it");
  else if (span.type != CLQ_JSON_NUMBER)
    *mistake = g_strdup ("it has no confidence, a number");
  else if (number < 0 || number > 100)
    *mistake = g_strdup_printf ("confidence is %g; expected 0 to 100", number);
  else
    *confidence = number;
  return *mistake == NULL;
}

void
debate_question_free (gpointer data)
{
  DebateQuestion *self = data;

  g_free (self->id);
  g_free (self->text);
  g_free (self);
}

/* A text, or {"id": …, "text": …}. */
static DebateQuestion *
read_question (const ClqJsonSpan *item)
{
  DebateQuestion *question = g_new0 (DebateQuestion, 1);
  g_autofree char *json = g_strndup (item->start, item->length);

  if (item->type == CLQ_JSON_STRING)
    question->text = clq_json_span_dup_string (item);
  else if (item->type == CLQ_JSON_OBJECT)
    {
      question->text = clq_json_find_string (json, "text");
      question->id = clq_json_find_string (json, "id");
    }
  if (question->text != NULL && !debate_is_blank (question->text))
    return question;
  debate_question_free (question);
  return NULL;
}

/* {"questions": […]}; NULL if it cannot be read. */
GPtrArray *
debate_read_questions (const char *answer, char **mistake)
{
  g_autofree char *json = clq_json_extract (answer, CLQ_JSON_OBJECT);
  g_autoptr (GPtrArray) questions = g_ptr_array_new_with_free_func (debate_question_free);
  ClqJsonSpan list = json != NULL ? clq_json_find (json, -1, "questions") : (ClqJsonSpan){ 0 }, item;
  ClqJsonIter iter;

  if (list.type != CLQ_JSON_ARRAY)
    {
      *mistake = g_strdup (json == NULL ? "there is no JSON object in it" : "it has no questions, a list");
      return NULL;
    }
  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      DebateQuestion *question = read_question (&item);

      if (question == NULL)
        {
          *mistake = g_strdup_printf ("question %u has no text", questions->len + 1);
          return NULL;
        }
      g_ptr_array_add (questions, question);
    }
  return g_steal_pointer (&questions);
}
