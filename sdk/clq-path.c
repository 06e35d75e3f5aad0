#define G_LOG_DOMAIN "clq-path"

#include "clq-private.h"
#include "clq-path.h"

/* Segments are numbered as they are opened and mostly given in that order, so the place of one is easy to guess. */
static const ClqSegment *
find_segment (const ClqSegment *segments, guint n_segments, guint32 segment)
{
  guint guess = segment - (CLQ_ROOT_SEGMENT + 1);

  if (guess < n_segments && segments[guess].segment == segment)
    return &segments[guess];
  for (guint i = 0; i < n_segments; i++)
    if (segments[i].segment == segment)
      return &segments[i];
  return NULL;
}

static void
reverse (GArray *ranges, guint first)
{
  for (guint i = first, j = ranges->len; i + 1 < j; i++)
    {
      ClqPathRange *a = &g_array_index (ranges, ClqPathRange, i);
      ClqPathRange *b = &g_array_index (ranges, ClqPathRange, --j);
      ClqPathRange keep = *a;

      *a = *b;
      *b = keep;
    }
}

/**
 * clq_path_build:
 * @segments: (array length=n_segments): the segments of a session, without the root, in any order
 * @n_segments: how many
 * @tip: the segment at the end of the path
 * @ranges: (element-type ClqPathRange): where to append the ranges, from the root to @tip
 *
 * Finds the records that lead to a segment. The ranges follow each other without gaps in the numbers of records: each
 * begins after the record at which the one before it ends. Segments of which nothing is on the path are left out.
 *
 * A segment may continue from a record that its parent has itself from an ancestor; the path then leaves the ancestor
 * at that record.
 *
 * Returns: %FALSE if @tip or one of its ancestors is unknown or its own ancestor; @ranges is as it was then
 */
gboolean
clq_path_build (const ClqSegment *segments, guint n_segments, guint32 tip, GArray *ranges)
{
  ClqPathRange range = { .segment = tip, .until_seq = G_MAXUINT64 };
  guint first = ranges->len;

  for (guint steps = 0; range.segment != CLQ_ROOT_SEGMENT; steps++)
    {
      const ClqSegment *segment = find_segment (segments, n_segments, range.segment);

      if (segment == NULL || steps >= n_segments)
        {
          g_array_set_size (ranges, first);
          return FALSE;
        }
      range.after_seq = segment->parent_seq;
      if (range.after_seq < range.until_seq)
        g_array_append_val (ranges, range);
      range.until_seq = MIN (range.until_seq, segment->parent_seq);
      range.segment = segment->parent;
    }
  range.after_seq = 0;
  if (range.until_seq > 0)
    g_array_append_val (ranges, range);
  reverse (ranges, first);
  return TRUE;
}
