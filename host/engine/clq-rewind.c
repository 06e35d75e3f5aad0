#define G_LOG_DOMAIN "clq-rewind"

#include "clq-engine.h"

#include <string.h>

/*
 * Going back to a place in the journal, with the data of that moment. The journal is read before the event's commit; the
 * session takes no other event meanwhile.
 */
typedef struct
{
  ClqEngine *engine;
  ClqDraft *draft;
  ClqPlace place;
} Rewind;

static const ClqOp *
find_jump (const ClqChange *change, guint *index)
{
  for (guint i = clq_change_get_n_ops (change); i > 0; i--)
    {
      const ClqOp *op = clq_change_get_op (change, i - 1);

      if (op->type == CLQ_OP_GO_TO_MARK || op->type == CLQ_OP_GO_TO_RECORD || op->type == CLQ_OP_GO_BACK)
        {
          *index = i - 1;
          return op;
        }
    }
  return NULL;
}

/* Private: the first operation that says something of the data after the jump, if there is one. */
guint
clq_rewind_first_op (const ClqChange *change)
{
  guint index;

  return find_jump (change, &index) != NULL ? index + 1 : 0;
}

/* Private. */
gboolean
clq_rewind_is_needed (const ClqDraft *draft)
{
  guint index;

  return find_jump (draft->change, &index) != NULL;
}

static void
end (Rewind *self, const GError *error)
{
  ClqEngine *engine = self->engine;
  ClqDraft *draft = self->draft;

  g_free (self->place.include);
  g_free (self);
  if (error == NULL && clq_include_is_needed (draft))
    clq_include_start (engine, draft);
  else
    clq_engine_decide (engine, draft, error);
}

static void
on_data (const char *data, const GError *error, gpointer user_data)
{
  Rewind *self = user_data;
  ClqDraft *draft = self->draft;

  if (error == NULL)
    {
      g_string_assign (draft->data, data);
      g_free (draft->include);
      draft->include = g_steal_pointer (&self->place.include);
      clq_draft_jump (draft, self->place.segment, self->place.seq);
    }
  end (self, error);
}

static void
go_to (Rewind *self)
{
  clq_past_read (self->engine, self->draft->live->head.id, self->place.segment, self->place.seq, on_data, self);
}

/* ---- to a mark ---- */

/* Private. */
const ClqMark *
clq_query_find_mark (const ClqQuery *query, const char *name)
{
  for (guint i = 0; i < query->marks->len; i++)
    if (strcmp (g_array_index (query->marks, ClqMark, i).name, name) == 0)
      return &g_array_index (query->marks, ClqMark, i);
  return NULL;
}

/* Private: what a caller hears who named a place that is not there. */
GError *
clq_rewind_no_mark (const ClqQuery *query, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < query->mark_names->len; i++)
    g_ptr_array_add (names, g_ptr_array_index (query->mark_names, i));
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  return g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no place named '%s'%s", name, hint);
}

static void
on_marks (ClqQuery *query, gpointer user_data)
{
  Rewind *self = user_data;
  guint index;
  const ClqOp *jump = find_jump (self->draft->change, &index);
  const char *name = clq_change_get_string (self->draft->change, jump->name);
  const ClqMark *mark = clq_query_find_mark (query, name);
  g_autoptr (GError) error = NULL;

  self->engine->n_queries--;
  if (query->error != NULL || mark == NULL)
    {
      error = query->error != NULL ? g_error_copy (query->error) : clq_rewind_no_mark (query, name);
      end (self, error);
      return;
    }
  self->place.segment = mark->segment;
  self->place.seq = mark->seq;
  go_to (self);
}

static void
go_to_mark (Rewind *self)
{
  ClqQuery *query = clq_query_new (on_marks, self);

  memcpy (query->id, self->draft->live->head.id, 16);
  self->engine->n_queries++;
  self->engine->store->load (self->engine->store_self, query);
}

/* ---- elsewhere ---- */

static void
on_place (const ClqPlace *place, guint n_found, const GError *error, gpointer user_data)
{
  Rewind *self = user_data;
  guint index;
  guint wanted = find_jump (self->draft->change, &index)->number;
  g_autoptr (GError) refusal = NULL;

  if (error == NULL && place == NULL)
    refusal = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "cannot go back %u turns: there are %u", wanted, n_found);
  if (place == NULL)
    {
      end (self, error != NULL ? error : refusal);
      return;
    }
  self->place = *place;
  self->place.include = g_strdup (place->include);
  go_to (self);
}

static void
go_to_record (Rewind *self, guint64 seq)
{
  const ClqHead *head = &self->draft->live->head;
  g_autoptr (GError) error = NULL;

  self->place.segment = head->segment;
  self->place.seq = seq;
  if (seq >= 1 && seq <= head->seq)
    {
      go_to (self);
      return;
    }
  error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no record %" G_GUINT64_FORMAT, seq);
  end (self, error);
}

/* Private: finds the data of the place that the draft's change goes to, then goes on with the draft. */
void
clq_rewind_start (ClqEngine *engine, ClqDraft *draft)
{
  Rewind *self = g_new0 (Rewind, 1);
  const ClqHead *head = &draft->live->head;
  guint index;
  const ClqOp *jump = find_jump (draft->change, &index);

  self->engine = engine;
  self->draft = draft;
  draft->live->work->draft = draft;
  if (jump->type == CLQ_OP_GO_BACK)
    clq_conversation_find_back (engine, head->id, head->segment, jump->number, on_place, self);
  else if (jump->type == CLQ_OP_GO_TO_RECORD)
    go_to_record (self, jump->number);
  else
    go_to_mark (self);
}
