#define G_LOG_DOMAIN "clq-conversation"

#include "clq-engine.h"

#include <string.h>

/*
 * The conversation as it is seen: the records of a path, newest first, with what is included in the place where it was
 * included. Stretches that are still to be read wait on a stack.
 */
#define PAGE 256

typedef struct
{
  guint32 segment;
  guint64 after;
  guint64 before;
} Stretch;

typedef struct
{
  ClqEngine *engine;
  guint8 id[16];
  guint types;
  guint limit;
  GArray *stack; /* Stretch, the newest on top */
  GPtrArray *records;
  ClqConversationFunc func;
  gpointer user_data;
} Conversation;

static void
end (Conversation *self, const GError *error)
{
  self->func (self->records, error, self->user_data);
  g_array_unref (self->stack);
  g_ptr_array_unref (self->records);
  g_free (self);
}

static void
push (Conversation *self, guint32 segment, guint64 after, guint64 before)
{
  Stretch stretch = { segment, after, before };

  if (after + 1 < before)
    g_array_append_val (self->stack, stretch);
}

/* The stretches of an include record, so that its last one is on top. */
static void
push_included (Conversation *self, const ClqRecord *record)
{
  ClqJsonSpan ranges = clq_json_find (record->body, record->length, "ranges"), key, range;
  ClqJsonIter iter;

  if (ranges.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &ranges))
    return;
  while (clq_json_iter_next (&iter, &key, &range))
    {
      guint64 numbers[3] = { 0, 0, 0 };
      ClqJsonSpan number;
      ClqJsonIter inner;

      if (range.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&inner, &range))
        continue;
      for (guint i = 0; i < 3 && clq_json_iter_next (&inner, &key, &number); i++)
        numbers[i] = clq_json_span_get_int (&number);
      push (self, numbers[0], numbers[1], numbers[2] + 1);
    }
}

static void read_next (Conversation *self);

static void
on_page (ClqQuery *query, gpointer user_data)
{
  Conversation *self = user_data;
  guint64 before = query->before, after = query->after;
  guint i;

  self->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  for (i = 0; i < query->records->len && self->records->len < self->limit; i++)
    {
      ClqRecord *record = g_ptr_array_index (query->records, i);

      before = record->seq;
      if ((self->types & 1u << record->type) != 0)
        g_ptr_array_add (self->records, clq_record_ref (record));
      if (record->type == CLQ_RECORD_INCLUDE)
        {
          push (self, query->segment, after, before);
          push_included (self, record);
          break;
        }
    }
  if (i == query->records->len && query->records->len == PAGE)
    push (self, query->segment, after, before);
  read_next (self);
}

static void
read_next (Conversation *self)
{
  ClqQuery *query;
  Stretch stretch;

  if (self->stack->len == 0 || self->records->len >= self->limit)
    {
      end (self, NULL);
      return;
    }
  stretch = g_array_index (self->stack, Stretch, self->stack->len - 1);
  g_array_set_size (self->stack, self->stack->len - 1);
  query = clq_query_new (on_page, self);
  memcpy (query->id, self->id, 16);
  query->segment = stretch.segment;
  query->after = stretch.after;
  query->before = stretch.before;
  query->types = self->types | 1u << CLQ_RECORD_INCLUDE;
  query->limit = PAGE;
  query->newest_first = TRUE;
  self->engine->n_queries++;
  self->engine->store->journal (self->engine->store_self, query);
}

/* Private: reads the conversation that leads to the end of @segment, newest first; @before as in a query, 0 = all. */
void
clq_conversation_read (ClqEngine *engine, const guint8 id[16], guint32 segment, guint types, guint64 before, guint limit, ClqConversationFunc func, gpointer user_data)
{
  Conversation *self = g_new0 (Conversation, 1);

  self->engine = engine;
  memcpy (self->id, id, 16);
  self->types = types != 0 ? types : ~(1u << CLQ_RECORD_INCLUDE);
  self->limit = limit;
  self->stack = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->func = func;
  self->user_data = user_data;
  push (self, segment, 0, before != 0 ? before : G_MAXINT64);
  read_next (self);
}
