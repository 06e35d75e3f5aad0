#define G_LOG_DOMAIN "clq-rewind"

#include "clq-engine.h"

#include <string.h>

/*
 * Going back to a place in the journal: the data of that moment is its nearest snapshot plus what events have set since.
 * The journal is read before the event's commit; the session takes no other event meanwhile.
 */
typedef struct
{
  ClqEngine *engine;
  ClqDraft *draft;
  guint32 segment;
  guint64 seq;
  guint n_messages; /* of the user, passed on the way back */
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

  g_free (self);
  if (error == NULL && clq_include_is_needed (draft))
    clq_include_start (engine, draft);
  else
    clq_engine_decide (engine, draft, error);
}

static void
apply_sets (GString *data, const ClqRecord *record)
{
  ClqJsonSpan sets = clq_json_find (record->body, record->length, "set"), key, pair;
  ClqJsonIter iter;

  if (sets.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &sets))
    return;
  while (clq_json_iter_next (&iter, &key, &pair))
    {
      ClqJsonIter inner;
      ClqJsonSpan path, value;
      g_autofree char *name = NULL;

      clq_json_iter_init (&inner, &pair);
      clq_json_iter_next (&inner, &key, &path);
      name = clq_json_span_dup_string (&path);
      if (clq_json_iter_next (&inner, &key, &value))
        {
          g_autofree char *json = g_strndup (value.start, value.length);

          clq_json_set (data, name, json);
        }
      else
        clq_json_unset (data, name);
    }
}

static void
on_events (ClqQuery *query, gpointer user_data)
{
  Rewind *self = user_data;
  ClqDraft *draft = self->draft;

  self->engine->n_queries--;
  for (guint i = 0; query->error == NULL && i < query->records->len; i++)
    apply_sets (draft->data, g_ptr_array_index (query->records, i));
  if (query->error == NULL)
    clq_draft_jump (draft, self->segment, self->seq);
  end (self, query->error);
}

static ClqQuery *
query_new (Rewind *self, ClqQueryFunc func, ClqRecordType type)
{
  ClqQuery *query = clq_query_new (func, self);

  memcpy (query->id, self->draft->live->head.id, 16);
  query->segment = self->segment;
  query->before = self->seq + 1;
  query->types = 1u << type;
  self->engine->n_queries++;
  return query;
}

static void
on_snapshot (ClqQuery *query, gpointer user_data)
{
  Rewind *self = user_data;
  ClqQuery *events;

  self->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  events = query_new (self, on_events, CLQ_RECORD_EVENT);
  events->limit = G_MAXUINT;
  g_string_assign (self->draft->data, "{}");
  if (query->records->len > 0)
    {
      const ClqRecord *snapshot = g_ptr_array_index (query->records, 0);

      events->after = snapshot->seq;
      g_string_truncate (self->draft->data, 0);
      g_string_append_len (self->draft->data, snapshot->body, snapshot->length);
    }
  self->engine->store->journal (self->engine->store_self, events);
}

static void
read_snapshot (Rewind *self)
{
  ClqQuery *query = query_new (self, on_snapshot, CLQ_RECORD_SNAPSHOT);

  query->limit = 1;
  query->newest_first = TRUE;
  self->engine->store->journal (self->engine->store_self, query);
}

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
  if (mark != NULL)
    {
      self->segment = mark->segment;
      self->seq = mark->seq;
    }
  if (query->error != NULL || self->seq == 0)
    {
      error = query->error != NULL ? g_error_copy (query->error) : clq_rewind_no_mark (query, name);
      end (self, error);
      return;
    }
  read_snapshot (self);
}

/* ---- so many messages back ---- */

#define PAGE 256

static void read_messages (Rewind *self, guint64 before);

/* Going on from before a message is going on after what came before the event that brought it. */
static void
on_messages (ClqQuery *query, gpointer user_data)
{
  Rewind *self = user_data;
  guint index;
  guint wanted = find_jump (self->draft->change, &index)->number;
  g_autoptr (GError) error = NULL;

  self->engine->n_queries--;
  for (guint i = 0; query->error == NULL && i < query->records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (query->records, i);

      if (record->role != CLQ_ROLE_USER || record->seq < 3 || ++self->n_messages < wanted)
        continue;
      self->seq = record->seq - 2;
      read_snapshot (self);
      return;
    }
  if (query->error == NULL && query->records->len == PAGE)
    {
      read_messages (self, ((const ClqRecord *) g_ptr_array_index (query->records, PAGE - 1))->seq);
      return;
    }
  error = query->error != NULL ? g_error_copy (query->error)
                               : g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "cannot go back %u turns: there are %u", wanted, self->n_messages);
  end (self, error);
}

static void
read_messages (Rewind *self, guint64 before)
{
  ClqQuery *query;

  self->seq = before - 1;
  query = query_new (self, on_messages, CLQ_RECORD_MESSAGE);
  query->limit = PAGE;
  query->newest_first = TRUE;
  self->engine->store->journal (self->engine->store_self, query);
}

/* Private: finds the data of the place that the draft's change goes to, then goes on with the draft. */
void
clq_rewind_start (ClqEngine *engine, ClqDraft *draft)
{
  Rewind *self = g_new0 (Rewind, 1);
  guint index;
  const ClqOp *jump = find_jump (draft->change, &index);
  ClqQuery *query;

  self->engine = engine;
  self->draft = draft;
  draft->live->work->draft = draft;
  if (jump->type == CLQ_OP_GO_BACK)
    {
      self->segment = draft->live->head.segment;
      read_messages (self, draft->live->head.seq + 1);
      return;
    }
  if (jump->type == CLQ_OP_GO_TO_RECORD)
    {
      g_autoptr (GError) error = NULL;

      self->segment = draft->live->head.segment;
      self->seq = jump->number;
      if (self->seq >= 1 && self->seq <= draft->live->head.seq)
        {
          read_snapshot (self);
          return;
        }
      error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no record %" G_GUINT64_FORMAT, self->seq);
      end (self, error);
      return;
    }
  query = clq_query_new (on_marks, self);
  memcpy (query->id, draft->live->head.id, 16);
  engine->n_queries++;
  engine->store->load (engine->store_self, query);
}
