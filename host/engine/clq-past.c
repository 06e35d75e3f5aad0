#define G_LOG_DOMAIN "clq-past"

#include "clq-engine.h"

#include <string.h>

/* The data of an earlier moment: the nearest snapshot before it and what events have set since. */
typedef struct
{
  ClqEngine *engine;
  guint8 id[16];
  guint32 segment;
  guint64 seq;
  GString *data;
  ClqPastFunc func;
  gpointer user_data;
} Past;

static void
end (Past *self, const GError *error)
{
  self->func (error == NULL ? self->data->str : NULL, error, self->user_data);
  g_string_free (self->data, TRUE);
  g_free (self);
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

static ClqQuery *
query_new (Past *self, ClqQueryFunc func, ClqRecordType type)
{
  ClqQuery *query = clq_query_new (func, self);

  memcpy (query->id, self->id, 16);
  query->segment = self->segment;
  query->before = self->seq + 1;
  query->types = 1u << type;
  self->engine->n_queries++;
  return query;
}

static void
on_events (ClqQuery *query, gpointer user_data)
{
  Past *self = user_data;

  self->engine->n_queries--;
  for (guint i = 0; query->error == NULL && i < query->records->len; i++)
    apply_sets (self->data, g_ptr_array_index (query->records, i));
  end (self, query->error);
}

static void
on_snapshot (ClqQuery *query, gpointer user_data)
{
  Past *self = user_data;
  ClqQuery *events;

  self->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  events = query_new (self, on_events, CLQ_RECORD_EVENT);
  events->limit = G_MAXUINT;
  if (query->records->len > 0)
    {
      const ClqRecord *snapshot = g_ptr_array_index (query->records, 0);

      events->after = snapshot->seq;
      g_string_truncate (self->data, 0);
      g_string_append_len (self->data, snapshot->body, snapshot->length);
    }
  self->engine->store->journal (self->engine->store_self, events);
}

/* Private: reads the data that a session had after record @seq on the path to @segment. */
void
clq_past_read (ClqEngine *engine, const guint8 id[16], guint32 segment, guint64 seq, ClqPastFunc func, gpointer user_data)
{
  Past *self = g_new0 (Past, 1);
  ClqQuery *query;

  self->engine = engine;
  memcpy (self->id, id, 16);
  self->segment = segment;
  self->seq = seq;
  self->data = g_string_new ("{}");
  self->func = func;
  self->user_data = user_data;
  query = query_new (self, on_snapshot, CLQ_RECORD_SNAPSHOT);
  query->limit = 1;
  query->newest_first = TRUE;
  engine->store->journal (engine->store_self, query);
}
