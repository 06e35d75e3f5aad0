#define G_LOG_DOMAIN "clq-meeting"

#include "clq-meeting.h"

#include <string.h>

/*
 * A path with what is included in it in place is a list of stretches of segments: what is seen. The stretches of include
 * records are written that way, so one look at the include records of a path is enough.
 */
typedef struct
{
  ClqMeeting *meeting;
  ClqLive *live;
  char *mark;
  GArray *here; /* ClqPathRange, the path to where the session is */
  GArray *there;
  GPtrArray *here_includes;
  GPtrArray *there_includes;
  ClqMeetingFunc func;
  gpointer user_data;
} Preparation;

static GArray *
ranges_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
}

static ClqPathRange *
get_range (const GArray *ranges, guint index)
{
  return &g_array_index (ranges, ClqPathRange, index);
}

/* Private. */
void
clq_meeting_free (ClqMeeting *self)
{
  g_array_unref (self->news);
  g_array_unref (self->all);
  g_array_unref (self->own);
  g_array_unref (self->since);
  g_free (self);
}

static void
end (Preparation *self, const GError *error)
{
  ClqMeeting *meeting = g_steal_pointer (&self->meeting);

  if (error != NULL)
    g_clear_pointer (&meeting, clq_meeting_free);
  self->func (meeting, error, self->user_data);
  g_array_unref (self->here);
  g_array_unref (self->there);
  g_clear_pointer (&self->here_includes, g_ptr_array_unref);
  g_clear_pointer (&self->there_includes, g_ptr_array_unref);
  g_free (self->mark);
  g_free (self);
}

/* ---- stretches ---- */

static void
add_range (GArray *out, guint32 segment, guint64 after, guint64 until)
{
  ClqPathRange range = { .segment = segment, .after_seq = after, .until_seq = until };

  if (after < until)
    g_array_append_val (out, range);
}

/* What is seen of a path, or of the end of one. */
static void
see (const GArray *path, const GPtrArray *includes, GArray *out)
{
  guint next = 0;

  for (guint i = 0; i < path->len; i++)
    {
      ClqPathRange range = *get_range (path, i);

      for (; next < includes->len; next++)
        {
          const ClqRecord *include = g_ptr_array_index (includes, next);

          if (include->seq > range.until_seq)
            break;
          if (include->seq <= range.after_seq)
            continue; /* before the path begins */
          add_range (out, range.segment, range.after_seq, include->seq - 1);
          clq_include_read (include, out);
          range.after_seq = include->seq;
        }
      add_range (out, range.segment, range.after_seq, range.until_seq);
    }
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const ClqPathRange *one = a, *other = b;

  if (one->segment != other->segment)
    return one->segment < other->segment ? -1 : 1;
  return one->after_seq < other->after_seq ? -1 : one->after_seq > other->after_seq;
}

/* The first of sorted ranges that may touch what is after @seq in @segment. */
static guint
find_first (const GArray *sorted, const guint64 *reach, guint32 segment, guint64 seq)
{
  guint low = 0, high = sorted->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const ClqPathRange *range = get_range (sorted, middle);

      if (range->segment < segment || (range->segment == segment && reach[middle] <= seq))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* What of @wanted is in no range of @known; a stretch may be known several times. */
static void
subtract (const GArray *wanted, const GArray *known, GArray *out)
{
  g_autoptr (GArray) sorted = g_array_copy ((GArray *) known);
  g_autofree guint64 *reach = g_new (guint64, known->len + 1);

  g_array_sort (sorted, compare_ranges);
  for (guint i = 0; i < sorted->len; i++)
    {
      const ClqPathRange *range = get_range (sorted, i);
      gboolean follows = i > 0 && get_range (sorted, i - 1)->segment == range->segment;

      reach[i] = MAX (range->until_seq, follows ? reach[i - 1] : 0);
    }
  for (guint i = 0; i < wanted->len; i++)
    {
      ClqPathRange rest = *get_range (wanted, i);

      for (guint j = find_first (sorted, reach, rest.segment, rest.after_seq); j < sorted->len; j++)
        {
          const ClqPathRange *range = get_range (sorted, j);

          if (range->segment != rest.segment || range->after_seq >= rest.until_seq)
            break;
          add_range (out, rest.segment, rest.after_seq, range->after_seq);
          rest.after_seq = MAX (rest.after_seq, range->until_seq);
        }
      add_range (out, rest.segment, rest.after_seq, rest.until_seq);
    }
}

/* ---- where they parted ---- */

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
find_parting (Preparation *self)
{
  ClqPlace *parted = &self->meeting->parted;
  const GArray *here = self->here, *there = self->there;

  for (guint i = 0; i < here->len && i < there->len && get_range (here, i)->segment == get_range (there, i)->segment; i++)
    {
      parted->segment = get_range (here, i)->segment;
      parted->seq = MIN (get_range (here, i)->until_seq, get_range (there, i)->until_seq);
      if (get_range (here, i)->until_seq != get_range (there, i)->until_seq)
        break;
    }
}

static gboolean
is_on_path (const GArray *path, const ClqPlace *place)
{
  for (guint i = path->len; i > 0; i--)
    {
      const ClqPathRange *range = get_range (path, i - 1);

      if (range->segment == place->segment && range->after_seq < place->seq && place->seq <= range->until_seq)
        return TRUE;
    }
  return FALSE;
}

/* The newest merge of a place of @path that is among @includes, if it is newer than where the two parted. */
static guint64
find_merge (const Preparation *self, const GPtrArray *includes, const GArray *path, ClqPlace *base)
{
  for (guint i = includes->len; i > 0; i--)
    {
      const ClqRecord *include = g_ptr_array_index (includes, i - 1);
      ClqPlace place = { 0 };

      if (!clq_include_read_place (include, &place) || place.seq <= self->meeting->parted.seq || !is_on_path (path, &place))
        continue;
      *base = place;
      return include->seq;
    }
  return 0;
}

static void
find_base (Preparation *self)
{
  ClqPlace one = self->meeting->parted, other = self->meeting->parted;
  guint64 merged_here = find_merge (self, self->here_includes, self->there, &one);
  guint64 merged_there = find_merge (self, self->there_includes, self->here, &other);

  self->meeting->base = merged_here > merged_there ? one : other;
}

static void
compare_paths (Preparation *self)
{
  ClqMeeting *meeting = self->meeting;
  g_autoptr (GArray) seen = ranges_new ();
  g_autoptr (GArray) tail = ranges_new ();

  find_parting (self);
  find_base (self);
  for (guint i = 0; i < self->here->len; i++)
    {
      const ClqPathRange *range = get_range (self->here, i);

      add_range (tail, range->segment, MAX (range->after_seq, meeting->parted.seq), range->until_seq);
    }
  see (self->here, self->here_includes, seen);
  see (self->there, self->there_includes, meeting->all);
  see (tail, self->here_includes, meeting->since);
  subtract (meeting->all, seen, meeting->news);
  subtract (seen, meeting->all, meeting->own);
  end (self, NULL);
}

/* ---- reading ---- */

static void
query_includes (Preparation *self, guint32 segment, guint64 seq, ClqQueryFunc func)
{
  ClqEngine *engine = self->meeting->engine;
  ClqQuery *query = clq_query_new (func, self);

  memcpy (query->id, self->meeting->id, 16);
  query->segment = segment;
  query->before = seq + 1;
  query->types = 1u << CLQ_RECORD_INCLUDE;
  query->limit = G_MAXUINT;
  engine->n_queries++;
  engine->store->journal (engine->store_self, query);
}

static void
on_there (ClqQuery *query, gpointer user_data)
{
  Preparation *self = user_data;

  self->meeting->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  self->there_includes = g_ptr_array_ref (query->records);
  compare_paths (self);
}

static void
on_here (ClqQuery *query, gpointer user_data)
{
  Preparation *self = user_data;

  self->meeting->engine->n_queries--;
  if (query->error != NULL)
    {
      end (self, query->error);
      return;
    }
  self->here_includes = g_ptr_array_ref (query->records);
  query_includes (self, self->meeting->there.segment, self->meeting->there.seq, on_there);
}

static void
on_place (ClqQuery *query, gpointer user_data)
{
  Preparation *self = user_data;
  const ClqMark *mark = clq_query_find_mark (query, self->mark);
  const ClqSegment *segments = (const ClqSegment *) query->segments->data;
  const ClqHead *head = &self->live->head;

  self->meeting->engine->n_queries--;
  if (query->error != NULL || mark == NULL)
    {
      g_autoptr (GError) error = query->error != NULL ? g_error_copy (query->error) : clq_rewind_no_mark (query, self->mark);

      end (self, error);
      return;
    }
  self->meeting->there = (ClqPlace){ .segment = mark->segment, .seq = mark->seq };
  clq_path_build (segments, query->segments->len, head->segment, self->here);
  clq_path_build (segments, query->segments->len, mark->segment, self->there);
  clip (self->here, head->seq);
  clip (self->there, mark->seq);
  query_includes (self, head->segment, head->seq, on_here);
}

/* Private: finds out how a session and one of its marked places stand to each other; @func gets the meeting to keep. */
void
clq_meeting_prepare (ClqEngine *engine, ClqLive *live, const char *mark, ClqMeetingFunc func, gpointer user_data)
{
  Preparation *self = g_new0 (Preparation, 1);
  ClqMeeting *meeting = g_new0 (ClqMeeting, 1);
  ClqQuery *query = clq_query_new (on_place, self);

  meeting->engine = engine;
  meeting->id = live->head.id;
  meeting->news = ranges_new ();
  meeting->all = ranges_new ();
  meeting->own = ranges_new ();
  meeting->since = ranges_new ();
  self->meeting = meeting;
  self->live = live;
  self->mark = g_strdup (mark);
  self->here = ranges_new ();
  self->there = ranges_new ();
  self->func = func;
  self->user_data = user_data;
  memcpy (query->id, live->head.id, 16);
  engine->n_queries++;
  engine->store->load (engine->store_self, query);
}
