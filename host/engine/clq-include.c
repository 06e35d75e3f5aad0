#define G_LOG_DOMAIN "clq-include"

#include "clq-engine.h"

#include <string.h>

/*
 * Another branch becomes part of the conversation, by reference: an include record names stretches of segments. Where
 * the two branches parted follows from their paths; only an interleaved include has to look at records.
 */
typedef struct
{
  ClqEngine *engine;
  ClqDraft *draft;
  GArray *here;       /* ClqPathRange, the path to where the session is */
  GArray *there;      /* the path to the marked place */
  GArray *tails;      /* what either has since they parted */
  GPtrArray *records; /* of the tails; references */
  guint n_read;
  guint32 parted_segment;
  guint64 parted_seq;
} Include;

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

  g_array_unref (self->here);
  g_array_unref (self->there);
  g_array_unref (self->tails);
  g_ptr_array_unref (self->records);
  g_free (self);
  clq_engine_decide (engine, draft, error);
}

/* ---- where they parted ---- */

static ClqPathRange *
get_range (GArray *ranges, guint index)
{
  return &g_array_index (ranges, ClqPathRange, index);
}

/* A path ends at the newest record that the place has. */
static void
clip (GArray *path, guint64 seq)
{
  while (path->len > 0 && get_range (path, path->len - 1)->after_seq >= seq)
    g_array_set_size (path, path->len - 1);
  if (path->len > 0)
    get_range (path, path->len - 1)->until_seq = MIN (get_range (path, path->len - 1)->until_seq, seq);
}

static void
append_tail (Include *self, GArray *path, guint first)
{
  for (guint i = first; i < path->len; i++)
    {
      ClqPathRange range = *get_range (path, i);

      range.after_seq = MAX (range.after_seq, i == first && range.segment == self->parted_segment ? self->parted_seq : 0);
      if (range.after_seq < range.until_seq)
        g_array_append_val (self->tails, range);
    }
}

/* Returns: the index of the first range that is not shared as a whole. */
static guint
find_parting (Include *self)
{
  guint i = 0;

  while (i < self->here->len && i < self->there->len && get_range (self->here, i)->segment == get_range (self->there, i)->segment)
    {
      self->parted_segment = get_range (self->here, i)->segment;
      self->parted_seq = MIN (get_range (self->here, i)->until_seq, get_range (self->there, i)->until_seq);
      if (get_range (self->here, i)->until_seq != get_range (self->there, i)->until_seq)
        break;
      i++;
    }
  return i;
}

/* ---- the record ---- */

static void
append_range (GString *out, guint32 segment, guint64 after, guint64 until)
{
  g_string_append_printf (out, "%c[%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]", out->str[out->len - 1] == '[' ? ' ' : ',', segment, after, until);
}

static void
finish (Include *self, GString *ranges)
{
  const ClqChange *change = self->draft->change;
  g_autofree char *name = clq_json_quote (clq_change_get_string (change, find_include (change)->name));

  if (strcmp (ranges->str, "[") != 0)
    {
      g_free (self->draft->include);
      self->draft->include = g_strdup_printf ("{\"mark\":%s,\"ranges\":%s]}", name, ranges->str);
    }
  end (self, NULL);
}

static void
include_ranges (Include *self, GArray *ranges)
{
  g_autoptr (GString) out = g_string_new ("[");

  for (guint i = 0; i < ranges->len; i++)
    append_range (out, get_range (ranges, i)->segment, get_range (ranges, i)->after_seq, get_range (ranges, i)->until_seq);
  finish (self, out);
}

/* ---- by time ---- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const ClqRecord *one = *(ClqRecord *const *) a, *other = *(ClqRecord *const *) b;

  if (one->at != other->at)
    return one->at < other->at ? -1 : 1;
  return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/* The conversation goes on from where they parted; what both have since then follows in the order of time. */
static void
interleave (Include *self)
{
  g_autoptr (GString) out = g_string_new ("[");
  const ClqRecord *record;

  g_ptr_array_sort (self->records, compare_times);
  for (guint i = 0, j; i < self->records->len; i = j)
    {
      record = g_ptr_array_index (self->records, i);
      j = i + 1;
      while (j < self->records->len && ((const ClqRecord *) g_ptr_array_index (self->records, j))->segment == record->segment)
        j++;
      append_range (out, record->segment, record->seq - 1, ((const ClqRecord *) g_ptr_array_index (self->records, j - 1))->seq);
    }
  clq_draft_branch_off (self->draft, self->parted_segment, self->parted_seq);
  finish (self, out);
}

static void read_next_tail (Include *self);

static void
on_tail (ClqQuery *query, gpointer user_data)
{
  Include *self = user_data;

  self->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  for (guint i = 0; i < query->records->len; i++)
    g_ptr_array_add (self->records, clq_record_ref (g_ptr_array_index (query->records, i)));
  read_next_tail (self);
}

static void
read_next_tail (Include *self)
{
  const ClqPathRange *range;
  ClqQuery *query;

  if (self->n_read == self->tails->len)
    {
      interleave (self);
      return;
    }
  range = get_range (self->tails, self->n_read++);
  query = clq_query_new (on_tail, self);
  memcpy (query->id, self->draft->live->head.id, 16);
  query->segment = range->segment;
  query->after = range->after_seq;
  query->before = range->until_seq + 1;
  query->types = 1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT | 1u << CLQ_RECORD_INCLUDE;
  query->limit = G_MAXUINT;
  self->engine->n_queries++;
  self->engine->store->journal (self->engine->store_self, query);
}

/* ---- finding the place ---- */

static void
on_place (ClqQuery *query, gpointer user_data)
{
  Include *self = user_data;
  const ClqChange *change = self->draft->change;
  const ClqOp *op = find_include (change);
  const ClqMark *mark = clq_query_find_mark (query, clq_change_get_string (change, op->name));
  const ClqSegment *segments = (const ClqSegment *) query->segments->data;
  guint first;

  self->engine->n_queries--;
  if (query->error != NULL || mark == NULL)
    {
      g_autoptr (GError) error = query->error != NULL ? g_error_copy (query->error) : clq_rewind_no_mark (query, clq_change_get_string (change, op->name));

      end (self, error);
      return;
    }
  clq_path_build (segments, query->segments->len, self->draft->live->head.segment, self->here);
  clq_path_build (segments, query->segments->len, mark->segment, self->there);
  clip (self->here, self->draft->live->head.seq);
  clip (self->there, mark->seq);
  first = find_parting (self);
  if (op->number == CLQ_INCLUDE_WHOLE)
    {
      include_ranges (self, self->there);
      return;
    }
  if (op->number == CLQ_INCLUDE_INTERLEAVE)
    append_tail (self, self->here, first);
  append_tail (self, self->there, first);
  if (op->number == CLQ_INCLUDE_INTERLEAVE)
    read_next_tail (self);
  else
    include_ranges (self, self->tails);
}

/* Private: finds what the draft's change includes, then goes on with the draft. */
void
clq_include_start (ClqEngine *engine, ClqDraft *draft)
{
  Include *self = g_new0 (Include, 1);
  ClqQuery *query = clq_query_new (on_place, self);

  self->engine = engine;
  self->draft = draft;
  self->here = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  self->there = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  self->tails = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  draft->live->work->draft = draft;
  memcpy (query->id, draft->live->head.id, 16);
  engine->n_queries++;
  engine->store->load (engine->store_self, query);
}
