#define G_LOG_DOMAIN "clq-include"

#include "clq-meeting.h"

#include <string.h>

/*
 * Another branch becomes part of the conversation, by reference: an include record names stretches of segments, and the
 * place that was merged. Only an interleaved include has to look at records.
 */
typedef struct
{
  ClqEngine *engine;
  ClqDraft *draft;
  ClqMeeting *meeting;
  GPtrArray *records; /* of what is here since both parted; references */
  GArray *stretches;  /* guint, which stretch each of them is of */
} Include;

#define SEEN (1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT | 1u << CLQ_RECORD_CONTRIBUTION | 1u << CLQ_RECORD_ARTIFACT)

/* ---- the record ---- */

static gboolean
read_numbers (const ClqJsonSpan *list, guint64 *numbers, guint n_numbers)
{
  ClqJsonSpan key, number;
  ClqJsonIter iter;

  if (list->type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, list))
    return FALSE;
  for (guint i = 0; i < n_numbers; i++)
    {
      if (!clq_json_iter_next (&iter, &key, &number))
        return FALSE;
      numbers[i] = clq_json_span_get_int (&number);
    }
  return TRUE;
}

/* Private: appends the stretches that an include record names. */
void
clq_include_read (const ClqRecord *record, GArray *ranges)
{
  ClqJsonSpan list = clq_json_find (record->body, record->length, "ranges"), key, item;
  ClqJsonIter iter;
  guint64 numbers[3];

  if (list.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &list))
    return;
  while (clq_json_iter_next (&iter, &key, &item))
    {
      ClqPathRange range;

      if (!read_numbers (&item, numbers, 3))
        continue;
      range = (ClqPathRange){ .segment = numbers[0], .after_seq = numbers[1], .until_seq = numbers[2] };
      g_array_append_val (ranges, range);
    }
}

/* Private: the place that was merged, if the record says so. */
gboolean
clq_include_read_place (const ClqRecord *record, ClqPlace *place)
{
  ClqJsonSpan at = clq_json_find (record->body, record->length, "at");
  guint64 numbers[2];

  if (!read_numbers (&at, numbers, 2))
    return FALSE;
  place->segment = numbers[0];
  place->seq = numbers[1];
  return TRUE;
}

/* Private: the body of an include record; @place is what was merged, or NULL. */
char *
clq_include_print (const ClqPlace *place, const GArray *ranges)
{
  GString *out = g_string_new ("{");

  if (place != NULL)
    g_string_append_printf (out, "\"at\":[%u,%" G_GUINT64_FORMAT "],", place->segment, place->seq);
  g_string_append (out, "\"ranges\":[");
  for (guint i = 0; i < ranges->len; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);

      g_string_append_printf (out, "%s[%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]", i > 0 ? "," : "", range->segment, range->after_seq, range->until_seq);
    }
  g_string_append (out, "]}");
  return g_string_free (out, FALSE);
}

/* ---- how it ends ---- */

static const ClqOp *
find_include (const ClqChange *change)
{
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    if (clq_change_get_op (change, i)->type == CLQ_OP_INCLUDE)
      return clq_change_get_op (change, i);
  return NULL;
}

/* Private. */
gboolean
clq_include_is_needed (const ClqDraft *draft)
{
  return find_include (draft->change) != NULL;
}

static void
end (Include *self, const GError *error)
{
  ClqEngine *engine = self->engine;
  ClqDraft *draft = self->draft;

  g_clear_pointer (&self->meeting, clq_meeting_free);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  g_free (self);
  clq_engine_decide (engine, draft, error);
}

static void
include (Include *self, const GArray *ranges)
{
  g_free (self->draft->include);
  self->draft->include = clq_include_print (&self->meeting->there, ranges);
  end (self, NULL);
}

/* ---- by time ---- */

/* One side of an interleaved include; the records of a stretch follow each other without gaps. */
typedef struct
{
  const GPtrArray *records;
  const guint *stretches;
  guint next;
} Side;

static const ClqRecord *
peek (const Side *side)
{
  return side->next < side->records->len ? g_ptr_array_index (side->records, side->next) : NULL;
}

static gboolean
is_earlier (const ClqRecord *one, const ClqRecord *other)
{
  if (one == NULL || other == NULL)
    return one != NULL;
  return one->at != other->at ? one->at < other->at : one->seq <= other->seq;
}

/* Takes as much of a side as comes before the other one, at the most to the end of a stretch. */
static void
take_run (Side *side, const Side *other, GArray *ranges)
{
  const ClqRecord *record = peek (side);
  ClqPathRange range = { .segment = record->segment, .after_seq = record->seq - 1 };
  guint stretch = side->stretches[side->next];

  do
    {
      range.until_seq = record->seq;
      side->next++;
      record = peek (side);
    }
  while (record != NULL && side->stretches[side->next] == stretch && is_earlier (record, peek (other)));
  g_array_append_val (ranges, range);
}

/* The conversation goes on from where they parted; what both have since then follows in the order of time. */
static void
on_news (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data)
{
  Include *self = user_data;
  Side here = { .records = self->records, .stretches = (const guint *) self->stretches->data };
  Side there = { .records = records, .stretches = stretches };
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  while (peek (&here) != NULL || peek (&there) != NULL)
    if (is_earlier (peek (&here), peek (&there)))
      take_run (&here, &there, ranges);
    else
      take_run (&there, &here, ranges);
  clq_draft_branch_off (self->draft, self->meeting->parted.segment, self->meeting->parted.seq);
  include (self, ranges);
}

static void
on_since (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data)
{
  Include *self = user_data;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  self->records = g_ptr_array_ref (records);
  self->stretches = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_vals (self->stretches, stretches, records->len);
  clq_stretches_read (self->meeting, self->meeting->news, SEEN, on_news, self);
}

/* ---- what is included ---- */

static void
on_meeting (ClqMeeting *meeting, const GError *error, gpointer user_data)
{
  Include *self = user_data;
  ClqInclude how = find_include (self->draft->change)->number;

  self->meeting = meeting;
  if (error != NULL)
    end (self, error);
  else if (how == CLQ_INCLUDE_INTERLEAVE)
    clq_stretches_read (meeting, meeting->since, SEEN, on_since, self);
  else
    include (self, how == CLQ_INCLUDE_WHOLE ? meeting->all : meeting->news);
}

/* Private: finds what the draft's change includes, then goes on with the draft. */
void
clq_include_start (ClqEngine *engine, ClqDraft *draft)
{
  Include *self = g_new0 (Include, 1);

  self->engine = engine;
  self->draft = draft;
  draft->live->work->draft = draft;
  clq_meeting_prepare (engine, draft->live, clq_change_get_string (draft->change, find_include (draft->change)->name), on_meeting, self);
}
