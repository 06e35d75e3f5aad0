#define G_LOG_DOMAIN "clq-conversation"

#include "clq-engine.h"

#include <string.h>

/*
 * The conversation as it is seen: the records of a path, newest first, with what is included in the place where it was
 * included. Stretches that are still to be read wait on a stack, so at any record the stack is all that comes before it.
 */
#define PAGE 256

typedef struct
{
  guint32 segment;
  guint64 after;
  guint64 before;
  gboolean is_included;
} Stretch;

typedef struct
{
  ClqEngine *engine;
  guint8 id[16];
  guint32 segment;
  guint types;
  guint limit;
  GArray *stack; /* Stretch, the newest on top */
  Stretch current;
  guint64 included_at; /* the record of the path that includes what is read */
  GPtrArray *records;
  ClqConversationFunc func;
  guint n_messages; /* of the user, wanted; then func is not used */
  guint n_found;
  ClqPlaceFunc place_func;
  gpointer user_data;
  ClqPlace place; /* its segment is 0 until it is found */
  GError *error;
  gboolean is_reading; /* further up on the stack */
  gboolean has_page;
  gboolean is_over;
} Conversation;

static void
end (Conversation *self)
{
  if (self->place_func != NULL)
    self->place_func (self->place.segment != 0 ? &self->place : NULL, self->n_found, self->error, self->user_data);
  else
    self->func (self->records, self->error, self->user_data);
  g_array_unref (self->stack);
  g_ptr_array_unref (self->records);
  g_clear_error (&self->error);
  g_free (self->place.include);
  g_free (self);
}

static void
push (Conversation *self, guint32 segment, guint64 after, guint64 before, gboolean is_included)
{
  Stretch stretch = { segment, after, before, is_included };

  if (after + 1 < before)
    g_array_append_val (self->stack, stretch);
}

/* The stretches of an include record, so that its last one is on top. */
static void
push_included (Conversation *self, const ClqRecord *record)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

  clq_include_read (record, ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);

      push (self, range->segment, range->after_seq, range->until_seq + 1, TRUE);
    }
}

/* ---- the place before a message ---- */

/*
 * Going on from before a message is going on after what came before the event that brought it. A message that was
 * included is on no path from here: what was included before it is then included anew.
 */
static void
note_place (Conversation *self, const ClqRecord *message)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

  self->is_over = TRUE;
  self->place.segment = self->segment;
  self->place.seq = message->seq - 2;
  if (!self->current.is_included)
    return;
  self->place.seq = self->included_at - 2;
  push (self, self->current.segment, self->current.after, message->seq - 1, TRUE);
  for (guint i = 0; i < self->stack->len; i++)
    {
      const Stretch *stretch = &g_array_index (self->stack, Stretch, i);
      ClqPathRange range = { .segment = stretch->segment, .after_seq = stretch->after, .until_seq = stretch->before - 1 };

      if (stretch->is_included)
        g_array_append_val (ranges, range);
    }
  self->place.include = clq_include_print (NULL, ranges);
}

/* What was said when the session was opened cannot be taken back. */
static gboolean
is_wanted_message (Conversation *self, const ClqRecord *record)
{
  return self->place_func != NULL && record->type == CLQ_RECORD_MESSAGE && record->role == CLQ_ROLE_USER && record->seq >= 3 &&
         ++self->n_found == self->n_messages;
}

/* ---- reading ---- */

/* Returns: FALSE if what is next stands elsewhere than in the rest of the page. */
static gboolean
take_record (Conversation *self, ClqRecord *record)
{
  const Stretch *current = &self->current;

  if (is_wanted_message (self, record))
    {
      note_place (self, record);
      return FALSE;
    }
  if (self->place_func == NULL && (self->types & 1u << record->type) != 0)
    g_ptr_array_add (self->records, clq_record_ref (record));
  if (record->type != CLQ_RECORD_INCLUDE)
    return self->records->len < self->limit;
  if (!current->is_included)
    self->included_at = record->seq;
  push (self, current->segment, current->after, record->seq, current->is_included);
  push_included (self, record);
  return FALSE;
}

static void read_on (Conversation *self);

static void
on_page (ClqQuery *query, gpointer user_data)
{
  Conversation *self = user_data;
  guint n = query->records->len, i = 0;

  self->engine->n_queries--;
  self->has_page = TRUE;
  if (query->error != NULL)
    self->error = g_error_copy (query->error);
  self->is_over = query->error != NULL;
  while (!self->is_over && i < n && take_record (self, g_ptr_array_index (query->records, i)))
    i++;
  if (!self->is_over && i == n && n == query->limit)
    push (self, self->current.segment, self->current.after, ((const ClqRecord *) g_ptr_array_index (query->records, n - 1))->seq, self->current.is_included);
  if (!self->is_reading)
    read_on (self);
}

static void
ask (Conversation *self)
{
  ClqQuery *query = clq_query_new (on_page, self);

  self->current = g_array_index (self->stack, Stretch, self->stack->len - 1);
  g_array_set_size (self->stack, self->stack->len - 1);
  memcpy (query->id, self->id, 16);
  query->segment = self->current.segment;
  query->after = self->current.after;
  query->before = self->current.before;
  query->types = self->types | 1u << CLQ_RECORD_INCLUDE;
  query->limit = MIN (PAGE, self->limit - self->records->len);
  query->newest_first = TRUE;
  self->engine->n_queries++;
  self->engine->store->journal (self->engine->store_self, query);
}

/* There may be thousands of stretches; a store that answers at once must not pile them up on the stack. */
static void
read_on (Conversation *self)
{
  self->is_reading = TRUE;
  while (!self->is_over && self->stack->len > 0 && self->records->len < self->limit)
    {
      self->has_page = FALSE;
      ask (self);
      if (!self->has_page)
        {
          self->is_reading = FALSE;
          return;
        }
    }
  end (self);
}

static Conversation *
conversation_new (ClqEngine *engine, const guint8 id[16], guint32 segment, guint types, guint64 after, guint64 before)
{
  Conversation *self = g_new0 (Conversation, 1);

  self->engine = engine;
  memcpy (self->id, id, 16);
  self->segment = segment;
  self->types = types;
  self->limit = G_MAXUINT;
  self->stack = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  push (self, segment, after, before != 0 ? before : G_MAXINT64, FALSE);
  return self;
}

/* Private: reads the conversation that leads to the end of @segment, newest first; @after and @before as in a query, 0 = all. */
void
clq_conversation_read (ClqEngine *engine, const guint8 id[16], guint32 segment, guint types, guint64 after, guint64 before, guint limit, ClqConversationFunc func, gpointer user_data)
{
  Conversation *self = conversation_new (engine, id, segment, types != 0 ? types : ~(1u << CLQ_RECORD_INCLUDE), after, before);

  self->limit = limit;
  self->func = func;
  self->user_data = user_data;
  read_on (self);
}

/* Private: finds the place before the user's @n_messages last messages; there is none if there are fewer. */
void
clq_conversation_find_back (ClqEngine *engine, const guint8 id[16], guint32 segment, guint n_messages, ClqPlaceFunc func, gpointer user_data)
{
  Conversation *self = conversation_new (engine, id, segment, 1u << CLQ_RECORD_MESSAGE, 0, 0);

  self->n_messages = n_messages;
  self->place_func = func;
  self->user_data = user_data;
  read_on (self);
}
