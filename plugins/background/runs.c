/*
 * Which runs of a cron there were, so that none comes twice when a clock is set back: a list of stretches [first, last], in
 * seconds, in which every time of the cron has run. There is one stretch unless runs were missed or the clock was set.
 */
#include "background.h"

#define MAX_STRETCHES 8

typedef struct
{
  gint64 first;
  gint64 last;
} Stretch;

static GArray *
read_stretches (const char *runs)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  ClqJsonSpan root = clq_json_span (runs, -1), key, value;
  ClqJsonIter iter;

  if (runs == NULL || !clq_json_iter_init (&iter, &root))
    return stretches;
  while (clq_json_iter_next (&iter, &key, &value))
    {
      ClqJsonSpan first = clq_json_find (value.start, (gssize) value.length, "0"), last = clq_json_find (value.start, (gssize) value.length, "1");
      Stretch stretch = { clq_json_span_get_int (&first) * G_USEC_PER_SEC, clq_json_span_get_int (&last) * G_USEC_PER_SEC };

      g_array_append_val (stretches, stretch);
    }
  return stretches;
}

static const Stretch *
find_stretch (const GArray *stretches, gint64 time)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      if (time >= stretch->first && time <= stretch->last)
        return stretch;
    }
  return NULL;
}

/* Whether the run at @time was. */
gboolean
background_runs_have (const char *runs, gint64 time)
{
  g_autoptr (GArray) stretches = read_stretches (runs);

  return find_stretch (stretches, time) != NULL;
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *one = a, *other = b;

  return (one->first > other->first) - (one->first < other->first);
}

/* Neighbours become one. If there are too many the oldest two do: what was missed between them does not come back. */
static void
join_stretches (GArray *stretches, ClqCron *cron)
{
  g_array_sort (stretches, compare_stretches);
  for (guint i = stretches->len; i > 1; i--)
    {
      Stretch *one = &g_array_index (stretches, Stretch, i - 2), *next = &g_array_index (stretches, Stretch, i - 1);

      if (next->first > one->last && clq_cron_next (cron, one->last) != next->first)
        continue;
      one->last = MAX (one->last, next->last);
      g_array_remove_index (stretches, i - 1);
    }
  while (stretches->len > MAX_STRETCHES)
    {
      g_array_index (stretches, Stretch, 1).first = g_array_index (stretches, Stretch, 0).first;
      g_array_remove_index (stretches, 0);
    }
}

/* Notes that the run at @time is made. */
char *
background_runs_add (const char *runs, ClqCron *cron, gint64 time)
{
  g_autoptr (GArray) stretches = read_stretches (runs);
  g_autoptr (GString) out = g_string_new ("[");
  Stretch stretch = { time, time };

  g_array_append_val (stretches, stretch);
  join_stretches (stretches, cron);
  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *one = &g_array_index (stretches, Stretch, i);

      g_string_append_printf (out, "%s[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]", i > 0 ? "," : "",
                              one->first / G_USEC_PER_SEC, one->last / G_USEC_PER_SEC);
    }
  g_string_append_c (out, ']');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* The first run after @after that has not been; 0 if there is none. */
gint64
background_runs_next (const char *runs, ClqCron *cron, gint64 after)
{
  g_autoptr (GArray) stretches = read_stretches (runs);
  gint64 time = clq_cron_next (cron, after);
  const Stretch *stretch;

  while (time != 0 && (stretch = find_stretch (stretches, time)) != NULL)
    time = clq_cron_next (cron, stretch->last);
  return time;
}
