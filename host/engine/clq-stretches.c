#define G_LOG_DOMAIN "clq-stretches"

#include "clq-meeting.h"

#include <string.h>

/* The records of some stretches, one after the other. */
typedef struct
{
  ClqMeeting *meeting;
  GArray *ranges;
  guint types;
  guint next;
  GPtrArray *records; /* references */
  GArray *stretches;  /* guint, which range each record is of */
  GError *error;
  gboolean is_reading; /* further up on the stack */
  gboolean has_answer;
  ClqStretchesFunc func;
  gpointer user_data;
} Reading;

static void read_on (Reading *self);

static void
on_records (ClqQuery *query, gpointer user_data)
{
  Reading *self = user_data;
  guint stretch = self->next - 1;

  self->meeting->engine->n_queries--;
  self->has_answer = TRUE;
  if (query->error != NULL)
    self->error = g_error_copy (query->error);
  for (guint i = 0; query->error == NULL && i < query->records->len; i++)
    {
      g_ptr_array_add (self->records, clq_record_ref (g_ptr_array_index (query->records, i)));
      g_array_append_val (self->stretches, stretch);
    }
  if (!self->is_reading)
    read_on (self);
}

static void
ask (Reading *self)
{
  ClqEngine *engine = self->meeting->engine;
  const ClqPathRange *range = &g_array_index (self->ranges, ClqPathRange, self->next++);
  ClqQuery *query = clq_query_new (on_records, self);

  memcpy (query->id, self->meeting->id, 16);
  query->segment = range->segment;
  query->after = range->after_seq;
  query->before = range->until_seq + 1;
  query->types = self->types;
  query->limit = G_MAXUINT;
  engine->n_queries++;
  engine->store->journal (engine->store_self, query);
}

static void
end (Reading *self)
{
  self->func (self->records, (const guint *) self->stretches->data, self->error, self->user_data);
  g_array_unref (self->ranges);
  g_ptr_array_unref (self->records);
  g_array_unref (self->stretches);
  g_clear_error (&self->error);
  g_free (self);
}

/* A store that answers at once must not pile the stretches up on the stack. */
static void
read_on (Reading *self)
{
  self->is_reading = TRUE;
  while (self->error == NULL && self->next < self->ranges->len)
    {
      self->has_answer = FALSE;
      ask (self);
      if (!self->has_answer)
        {
          self->is_reading = FALSE;
          return;
        }
    }
  end (self);
}

/* Private: reads the records of @ranges, in that order; @func learns of each record in which range it stands. */
void
clq_stretches_read (ClqMeeting *meeting, const GArray *ranges, guint types, ClqStretchesFunc func, gpointer user_data)
{
  Reading *self = g_new0 (Reading, 1);

  self->meeting = meeting;
  self->ranges = g_array_copy ((GArray *) ranges);
  self->types = types;
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->stretches = g_array_new (FALSE, FALSE, sizeof (guint));
  self->func = func;
  self->user_data = user_data;
  read_on (self);
}
