/* Paths through a journal. */
#include <colloquy.h>

static void
assert_path (const ClqSegment *segments, guint n_segments, guint32 tip, const ClqPathRange *expected, guint n_expected)
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

#define ASSERT_PATH(segments, tip, ...) \
  do \
    { \
      const ClqPathRange expected[] = { __VA_ARGS__ }; \
\
      assert_path (segments, G_N_ELEMENTS (segments), tip, expected, G_N_ELEMENTS (expected)); \
    } \
  while (0)

/* 2 leaves the root at 4, 3 leaves 2 at 7, 4 leaves 3 at 2, which 3 has from the root, 5 begins before everything. */
static const ClqSegment tree[] = { { 5, 1, 0 }, { 4, 3, 2 }, { 2, 1, 4 }, { 3, 2, 7 } };

static void
test_tree (void)
{
  ASSERT_PATH (tree, 1, { 1, 0, G_MAXUINT64 });
  ASSERT_PATH (tree, 2, { 1, 0, 4 }, { 2, 4, G_MAXUINT64 });
  ASSERT_PATH (tree, 3, { 1, 0, 4 }, { 2, 4, 7 }, { 3, 7, G_MAXUINT64 });
  ASSERT_PATH (tree, 4, { 1, 0, 2 }, { 4, 2, G_MAXUINT64 });
  ASSERT_PATH (tree, 5, { 5, 0, G_MAXUINT64 });
}

static void
assert_no_path (const ClqSegment *segments, guint n_segments, guint32 tip)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  ClqPathRange before = { 9, 9, 9 };

  g_array_append_val (ranges, before);
  g_assert_false (clq_path_build (segments, n_segments, tip, ranges));
  g_assert_cmpuint (ranges->len, ==, 1);
  g_assert_cmpuint (g_array_index (ranges, ClqPathRange, 0).segment, ==, 9);
}

static void
test_no_way (void)
{
  static const ClqSegment circle[] = { { 2, 4, 1 }, { 3, 2, 2 }, { 4, 3, 3 } };
  static const ClqSegment own[] = { { 2, 2, 1 } };
  static const ClqSegment gap[] = { { 3, 2, 1 } };

  assert_no_path (circle, G_N_ELEMENTS (circle), 3);
  assert_no_path (own, G_N_ELEMENTS (own), 2);
  assert_no_path (gap, G_N_ELEMENTS (gap), 3);
  assert_no_path (gap, G_N_ELEMENTS (gap), 0);
  assert_no_path (NULL, 0, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/path/tree", test_tree);
  g_test_add_func ("/colloquy/path/no-way", test_no_way);
  return g_test_run ();
}
