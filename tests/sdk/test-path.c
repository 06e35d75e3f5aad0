/* The path through a journal's tree, against a model that walks record by record. */
#include <colloquy.h>

#define SEED 20240229
#define MAX_SEGMENTS 40

/* A journal: record i + 1 belongs to segment owners[i]; segment s + 2 continues from parents[s], parent_seqs[s]. */
typedef struct
{
  GArray *owners;   /* guint32 */
  GArray *segments; /* ClqSegment */
} Journal;

static void
journal_clear (Journal *self)
{
  g_clear_pointer (&self->owners, g_array_unref);
  g_clear_pointer (&self->segments, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Journal, journal_clear)

static const ClqSegment *
journal_find (const Journal *self, guint32 segment)
{
  for (guint i = 0; i < self->segments->len; i++)
    if (g_array_index (self->segments, ClqSegment, i).segment == segment)
      return &g_array_index (self->segments, ClqSegment, i);
  return NULL;
}

/* The model: a record is on the path if it is in the tip, or if it is on the parent's path and not behind the fork. */
static gboolean
model_has (const Journal *self, guint32 tip, guint64 seq)
{
  const ClqSegment *segment;

  if (g_array_index (self->owners, guint32, seq - 1) == tip)
    return TRUE;
  segment = journal_find (self, tip);
  return segment != NULL && seq <= segment->parent_seq && model_has (self, segment->parent, seq);
}

static gboolean
ranges_have (const GArray *ranges, guint32 segment, guint64 seq)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);

      if (range->segment == segment && range->after_seq < seq && seq <= range->until_seq)
        return TRUE;
    }
  return FALSE;
}

/* Appends records to the tip and opens segments wherever the path of a segment leads. */
static void
journal_grow (Journal *self, GRand *rand)
{
  guint32 tip = CLQ_ROOT_SEGMENT;
  int steps = g_rand_int_range (rand, 1, 120);

  self->owners = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  for (int i = 0; i < steps; i++)
    {
      if (g_rand_int_range (rand, 0, 4) == 0 && self->segments->len < MAX_SEGMENTS)
        {
          guint64 seq = g_rand_int_range (rand, 0, (gint32) self->owners->len + 1);
          guint32 parent = CLQ_ROOT_SEGMENT + g_rand_int_range (rand, 0, (gint32) self->segments->len + 1);
          ClqSegment segment = { CLQ_ROOT_SEGMENT + 1 + self->segments->len, parent, seq };

          if (seq > 0 && !model_has (self, parent, seq))
            continue;
          tip = segment.segment;
          g_array_append_val (self->segments, segment);
        }
      else
        g_array_append_val (self->owners, tip);
    }
}

static void
shuffle (GArray *segments, GRand *rand)
{
  for (guint i = 1; i < segments->len; i++)
    {
      guint j = g_rand_int_range (rand, 0, (gint32) i + 1);
      ClqSegment keep = g_array_index (segments, ClqSegment, i);

      g_array_index (segments, ClqSegment, i) = g_array_index (segments, ClqSegment, j);
      g_array_index (segments, ClqSegment, j) = keep;
    }
}

/* Ranges follow each other without gaps, none is empty, and the last one is open. */
static void
assert_in_order (const GArray *ranges)
{
  guint64 end = 0;

  for (guint i = 0; i < ranges->len; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);

      g_assert_cmpuint (range->after_seq, ==, end);
      g_assert_cmpuint (range->until_seq, >, range->after_seq);
      end = range->until_seq;
    }
  g_assert_cmpuint (end, ==, G_MAXUINT64);
}

static void
test_random_trees (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  guint n_segments = 0;

  for (int i = 0; i < 500; i++)
    {
      g_auto (Journal) journal = { 0 };

      journal_grow (&journal, rand);
      if (i % 2 == 0)
        shuffle (journal.segments, rand);
      n_segments += journal.segments->len;
      for (guint32 tip = CLQ_ROOT_SEGMENT; tip <= journal.segments->len + CLQ_ROOT_SEGMENT; tip++)
        {
          g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

          g_assert_true (clq_path_build ((const ClqSegment *) (gpointer) journal.segments->data, journal.segments->len, tip, ranges));
          assert_in_order (ranges);
          for (guint64 seq = 1; seq <= journal.owners->len; seq++)
            g_assert_cmpint (ranges_have (ranges, g_array_index (journal.owners, guint32, seq - 1), seq), ==, model_has (&journal, tip, seq));
        }
    }
  g_assert_cmpuint (n_segments, >, 2000);
}

static void
assert_ranges (const ClqSegment *segments, guint n_segments, guint32 tip, const ClqPathRange *expected, guint n_expected)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

  g_assert_true (clq_path_build (segments, n_segments, tip, ranges));
  g_assert_cmpuint (ranges->len, ==, n_expected);
  for (guint i = 0; i < n_expected; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);

      g_assert_cmpuint (range->segment, ==, expected[i].segment);
      g_assert_cmpuint (range->after_seq, ==, expected[i].after_seq);
      g_assert_cmpuint (range->until_seq, ==, expected[i].until_seq);
    }
}

static void
test_examples (void)
{
  static const ClqSegment segments[] = { { 2, 1, 10 }, { 3, 2, 15 }, { 4, 3, 5 }, { 5, 1, 0 }, { 6, 3, 15 } };
  static const ClqPathRange root[] = { { 1, 0, G_MAXUINT64 } };
  static const ClqPathRange third[] = { { 1, 0, 10 }, { 2, 10, 15 }, { 3, 15, G_MAXUINT64 } };
  /* It continues from a record that its parent has from the root. */
  static const ClqPathRange fourth[] = { { 1, 0, 5 }, { 4, 5, G_MAXUINT64 } };
  /* It continues from nothing. */
  static const ClqPathRange fifth[] = { { 5, 0, G_MAXUINT64 } };
  /* Nothing of its parent is on the path. */
  static const ClqPathRange sixth[] = { { 1, 0, 10 }, { 2, 10, 15 }, { 6, 15, G_MAXUINT64 } };

  assert_ranges (NULL, 0, 1, root, G_N_ELEMENTS (root));
  assert_ranges (segments, G_N_ELEMENTS (segments), 1, root, G_N_ELEMENTS (root));
  assert_ranges (segments, G_N_ELEMENTS (segments), 3, third, G_N_ELEMENTS (third));
  assert_ranges (segments, G_N_ELEMENTS (segments), 4, fourth, G_N_ELEMENTS (fourth));
  assert_ranges (segments, G_N_ELEMENTS (segments), 5, fifth, G_N_ELEMENTS (fifth));
  assert_ranges (segments, G_N_ELEMENTS (segments), 6, sixth, G_N_ELEMENTS (sixth));
}

/* What a damaged store may hold: it is refused, and what was in the array stays. */
static void
test_wrong (void)
{
  static const ClqSegment orphan[] = { { 2, 7, 1 } };
  static const ClqSegment own_parent[] = { { 2, 2, 1 } };
  static const ClqSegment circle[] = { { 2, 4, 1 }, { 3, 2, 1 }, { 4, 3, 1 } };
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));

  g_assert_true (clq_path_build (NULL, 0, 1, ranges));
  g_assert_false (clq_path_build (NULL, 0, 2, ranges));
  g_assert_false (clq_path_build (NULL, 0, 0, ranges));
  g_assert_false (clq_path_build (orphan, 1, 2, ranges));
  g_assert_false (clq_path_build (orphan, 1, 7, ranges));
  g_assert_false (clq_path_build (own_parent, 1, 2, ranges));
  for (guint32 tip = 2; tip <= 4; tip++)
    g_assert_false (clq_path_build (circle, 3, tip, ranges));
  g_assert_false (clq_path_build (circle, 3, G_MAXUINT32, ranges));
  g_assert_cmpuint (ranges->len, ==, 1);
  g_assert_cmpuint (g_array_index (ranges, ClqPathRange, 0).segment, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/path/examples", test_examples);
  g_test_add_func ("/colloquy/path/random-trees", test_random_trees);
  g_test_add_func ("/colloquy/path/wrong", test_wrong);
  return g_test_run ();
}
