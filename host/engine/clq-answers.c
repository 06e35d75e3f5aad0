#define G_LOG_DOMAIN "clq-answers"

#include "clq-engine.h"

#include <string.h>

/* ---- the list of questions: a JSON array; answered ones carry "answer", those of a running visit "call" ---- */

static gboolean
is_open (const ClqJsonSpan *question)
{
  return clq_json_find (question->start, question->length, "answer").type == CLQ_JSON_NONE;
}

static gboolean
is_of_visit (const ClqJsonSpan *question)
{
  return clq_json_find (question->start, question->length, "call").type == CLQ_JSON_STRING;
}

static gboolean
has_key (const ClqJsonSpan *question, const char *key)
{
  ClqJsonSpan span = clq_json_find (question->start, question->length, "key");

  return clq_json_span_string_equal (&span, key);
}

static gboolean
first_question (ClqJsonIter *iter, const char *questions)
{
  ClqJsonSpan root;

  if (questions == NULL)
    return FALSE;
  root = clq_json_span (questions, -1);
  return clq_json_iter_init (iter, &root);
}

/* Private. */
guint
clq_questions_count_open (const char *questions)
{
  ClqJsonIter iter;
  ClqJsonSpan key, question;
  guint n = 0;

  if (first_question (&iter, questions))
    while (clq_json_iter_next (&iter, &key, &question))
      n += is_open (&question);
  return n;
}

static void
append_question (GString *list, const char *text, gsize length)
{
  g_string_append_c (list, list->len > 0 ? ',' : '[');
  g_string_append_len (list, text, length);
}

static char *
finish_list (GString *list)
{
  if (list->len == 0)
    {
      g_string_free (list, TRUE);
      return NULL;
    }
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

/* Private: adds a question; one with the same key is replaced. */
void
clq_questions_merge (char **questions, const char *question)
{
  g_autofree char *new_key = clq_json_find_string (question, "key");
  GString *list = g_string_new (NULL);
  ClqJsonIter iter;
  ClqJsonSpan key, old;

  if (first_question (&iter, *questions))
    while (clq_json_iter_next (&iter, &key, &old))
      if (!has_key (&old, new_key))
        append_question (list, old.start, old.length);
  append_question (list, question, strlen (question));
  g_free (*questions);
  *questions = finish_list (list);
}

/* Private: those that still wait for an answer, or NULL. */
char *
clq_questions_dup_open (const char *questions)
{
  GString *list = g_string_new (NULL);
  ClqJsonIter iter;
  ClqJsonSpan key, question;

  if (first_question (&iter, questions))
    while (clq_json_iter_next (&iter, &key, &question))
      if (is_open (&question))
        append_question (list, question.start, question.length);
  return finish_list (list);
}

/*
 * Private: takes away what is no longer of use: everything once nothing is open, else only answers that a visit has got,
 * and what a visit that is over wanted to know.
 */
void
clq_questions_tidy (char **questions, gboolean visit_is_over)
{
  GString *list = g_string_new (NULL);
  gboolean batch_is_open = FALSE;
  ClqJsonIter iter;
  ClqJsonSpan key, question;

  if (first_question (&iter, *questions))
    while (clq_json_iter_next (&iter, &key, &question))
      batch_is_open = batch_is_open || (is_open (&question) && !is_of_visit (&question));
  if (first_question (&iter, *questions))
    while (clq_json_iter_next (&iter, &key, &question))
      if (is_of_visit (&question) ? is_open (&question) && !visit_is_over : is_open (&question) || batch_is_open)
        append_question (list, question.start, question.length);
  g_free (*questions);
  *questions = finish_list (list);
}

/* ---- answering ---- */

typedef struct
{
  ClqDraft *draft;
  const char *payload;
  GString *list;     /* the questions with the new answers */
  GString *values;   /* all answers of the batch, an object */
  GString *of_visit; /* answers for the running visit */
  char *only;        /* the one answer, if there was one question */
  guint n_taken;
  guint n_batch_taken;
  guint n_batch_open;
} Answering;

static char *
dup_open_keys (const char *questions, char ***strv)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  ClqJsonIter iter;
  ClqJsonSpan key, question;
  char *joined;

  if (first_question (&iter, questions))
    while (clq_json_iter_next (&iter, &key, &question))
      if (is_open (&question))
        {
          ClqJsonSpan name = clq_json_find (question.start, question.length, "key");

          g_ptr_array_add (keys, clq_json_span_dup_string (&name));
        }
  g_ptr_array_add (keys, NULL);
  joined = g_strjoinv (", ", (char **) keys->pdata);
  if (strv != NULL)
    *strv = (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
  return joined;
}

static void
append_value (GString *object, const char *key, const char *value)
{
  g_string_append_c (object, object->len > 0 ? ',' : '{');
  clq_json_append_string (object, key, -1);
  g_string_append_c (object, ':');
  g_string_append (object, value);
}

/* Members of an object are looked for one by one: a key may hold dots. */
static ClqJsonSpan
find_member (const ClqJsonSpan *object, const char *name)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  if (object->type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, object))
    while (clq_json_iter_next (&iter, &key, &value))
      if (clq_json_span_string_equal (&key, name))
        return value;
  return (ClqJsonSpan){ CLQ_JSON_NONE, NULL, 0 };
}

static gboolean
take_one (Answering *self, const ClqJsonSpan *span, GError **error)
{
  g_autofree char *question = g_strndup (span->start, span->length);
  g_autofree char *key = clq_json_find_string (question, "key");
  ClqJsonSpan values = clq_json_find (self->payload, -1, "values");
  ClqJsonSpan value = values.type == CLQ_JSON_OBJECT ? find_member (&values, key) : clq_json_find (self->payload, -1, "value");
  g_autofree char *raw = value.type != CLQ_JSON_NONE ? g_strndup (value.start, value.length) : NULL;
  g_autofree char *answer = NULL;

  if (is_open (span) && raw != NULL)
    {
      g_autoptr (GString) answered = g_string_new (question);
      g_autofree char *call = clq_json_find_string (question, "call");

      answer = clq_question_fit_answer (question, raw, error);
      if (answer == NULL)
        {
          g_prefix_error (error, "answer to %s: ", key);
          return FALSE;
        }
      clq_json_set (answered, "answer", answer);
      append_question (self->list, answered->str, answered->len);
      self->n_taken++;
      if (call != NULL)
        append_value (self->of_visit, call, answer);
      else
        self->n_batch_taken++;
    }
  else
    {
      ClqJsonSpan earlier = clq_json_find (question, -1, "answer");

      append_question (self->list, question, strlen (question));
      self->n_batch_open += is_open (span) && !is_of_visit (span);
      if (earlier.type != CLQ_JSON_NONE)
        answer = g_strndup (earlier.start, earlier.length);
    }
  if (answer != NULL && !is_of_visit (span))
    {
      append_value (self->values, key, answer);
      g_free (self->only);
      self->only = g_strdup (answer);
    }
  return TRUE;
}

/* Every key that was answered must be an open question. */
static gboolean
check_keys (const char *payload, const char *questions, GError **error)
{
  ClqJsonSpan values = clq_json_find (payload, -1, "values"), key, value;
  g_auto (GStrv) keys = NULL;
  g_autofree char *open = dup_open_keys (questions, &keys);
  guint n = 0;
  ClqJsonIter iter;

  if (values.type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, &values))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        g_autofree char *name = clq_json_span_dup_string (&key);

        n++;
        if (!g_strv_contains ((const char *const *) keys, name))
          {
            g_autofree char *hint = clq_did_you_mean (name, (const char *const *) keys);

            g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER, "no open question is '%s'%s", name, hint);
            return FALSE;
          }
      }
  if (values.type == CLQ_JSON_OBJECT && n > 0)
    return TRUE;
  if (clq_json_find (payload, -1, "value").type == CLQ_JSON_NONE || values.type != CLQ_JSON_NONE)
    g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER, "expected an answer; open: %s", open);
  else if (g_strv_length (keys) != 1)
    g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER,
                 "%u questions are open: %s; expected values for them by name", g_strv_length (keys), open);
  else
    return TRUE;
  return FALSE;
}

/* Nothing of the batch is open any more: the event is raised, with all answers. */
static void
raise_answer (Answering *self)
{
  const ClqGraph *graph = self->draft->live->graph;
  ClqEvent *event = self->draft->event;
  ClqJsonSpan only = clq_json_span (self->only, -1);

  event->index = graph->engine_events[CLQ_ENGINE_ANSWER];
  event->name = graph->events[event->index].name;
  g_string_append_c (self->values, '}');
  g_free (event->payload);
  event->payload = g_strdup_printf ("{\"value\":%s,\"values\":%s}", self->only, self->values->str);
  if (event->text == NULL)
    event->text = only.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&only) : g_strdup (self->only);
}

static void
store_answers (Answering *self)
{
  ClqExtra *extra = clq_draft_extra (self->draft);

  g_free (extra->questions);
  extra->questions = finish_list (g_steal_pointer (&self->list));
  clq_draft_refresh_view (self->draft);
  if (self->of_visit->len > 0)
    {
      g_string_append_c (self->of_visit, '}');
      g_free (self->draft->visit_answers);
      self->draft->visit_answers = g_strdup (self->of_visit->str);
    }
  if (self->n_batch_taken > 0 && self->n_batch_open == 0)
    raise_answer (self);
}

/* Private: checks the answers of the draft's event and puts them to their questions; @event->index says whether to go on. */
gboolean
clq_answers_take (ClqDraft *draft, GError **error)
{
  const char *questions = draft->commit.head.extra != NULL ? draft->commit.head.extra->questions : NULL;
  Answering self = { .draft = draft, .payload = draft->event->payload };
  gboolean fits = TRUE;
  ClqJsonIter iter;
  ClqJsonSpan key, question;

  if (clq_questions_count_open (questions) == 0)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_WAITING, "state %s waits for no answer", draft->live->head.state);
      return FALSE;
    }
  if (!check_keys (self.payload, questions, error))
    return FALSE;
  self.list = g_string_new (NULL);
  self.values = g_string_new (NULL);
  self.of_visit = g_string_new (NULL);
  draft->event->index = -1;
  first_question (&iter, questions);
  while (fits && clq_json_iter_next (&iter, &key, &question))
    fits = take_one (&self, &question, error);
  if (fits)
    store_answers (&self);
  if (self.list != NULL)
    g_string_free (self.list, TRUE);
  g_string_free (self.values, TRUE);
  g_string_free (self.of_visit, TRUE);
  g_free (self.only);
  return fits;
}
