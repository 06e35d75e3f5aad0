#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

#include <string.h>

/* ---- heads ---- */

static char *
random_json (void)
{
  static const char *const texts[] = { "{}", "[]", "{\"name\":\"Käse 🧀\",\"n\":-12.5e3}", "[{\"a\":[1,2,{\"b\":null}]},\"x\\u00e4\"]" };
  guint choice = g_test_rand_int_range (0, G_N_ELEMENTS (texts) + 2);

  if (choice < G_N_ELEMENTS (texts))
    return g_strdup (texts[choice]);
  return choice == G_N_ELEMENTS (texts) ? NULL : g_strdup_printf ("{\"long\":\"%*d\"}", g_test_rand_int_range (1, 3000), 7);
}

static guint64
random_number (void)
{
  guint64 number = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  return number >> g_test_rand_int_range (1, 64);
}

static void
randomize_extra (ClqExtra *extra)
{
  extra->owner = g_test_rand_bit () ? g_strdup ("Zoë") : NULL;
  extra->title = g_test_rand_bit () ? g_strdup ("") : g_strdup ("a \"title\"\nof two lines");
  extra->schedule = random_json ();
  extra->questions = random_json ();
  extra->deadlines = random_json ();
  extra->visit = random_json ();
  extra->error = random_json ();
  extra->next_run = random_number ();
  extra->retry_at = random_number ();
  extra->tokens_in = random_number ();
  extra->tokens_out = random_number ();
  extra->cost = g_test_rand_double ();
}

static void
randomize_head (ClqCommit *commit)
{
  static const char *const states[] = { "listening", "QUESTIONS_PENDING", "zwölf", "a" };
  g_autofree char *data = random_json ();
  ClqHead *head = &commit->head;

  head->state = g_intern_string (states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]);
  if (g_test_rand_bit ())
    {
      head->graph_hash = g_intern_static_string ("1");
      head->graph_name = g_intern_static_string ("other");
    }
  test_commit_set_data (commit, data);
  head->created_at = random_number ();
  head->updated_at = random_number ();
  head->entered_at = random_number ();
  head->input_at = random_number ();
  head->wake_at = g_test_rand_bit () ? random_number () : 0;
  head->entry = random_number ();
  head->hops = random_number ();
  head->turns_here = random_number ();
  head->since_snapshot = random_number ();
  head->status = g_test_rand_int_range (CLQ_STATUS_RESTING, CLQ_STATUS_FAILED + 1);
  head->fired = g_test_rand_int_range (0, 4);
  head->n_visits = g_test_rand_int_range (0, 40);
  head->visits = g_renew (guint32, head->visits, head->n_visits + 1);
  for (guint i = 0; i < head->n_visits; i++)
    head->visits[i] = random_number ();
  if (g_test_rand_bit ())
    randomize_extra (test_commit_extra (commit));
}

/* What was committed is what is loaded, whatever the head was before. */
static void
test_load_equal (TestStore *store, gconstpointer config)
{
  enum
  {
    N_SESSIONS = 16,
    N_ROUNDS = 16,
  };
  g_autoptr (GPtrArray) last = NULL;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

      for (guint session = 1; session <= N_SESSIONS; session++)
        {
          guint64 seq = round;

          g_ptr_array_add (commits, test_commit_next (session, &seq));
          randomize_head (commits->pdata[session - 1]);
        }
      test_store_commit (store, commits);
      for (guint session = 1; session <= N_SESSIONS; session++)
        test_assert_loads (store, session, &((ClqCommit *) commits->pdata[session - 1])->head);
      g_clear_pointer (&last, g_ptr_array_unref);
      last = g_steal_pointer (&commits);
    }
  if (!test_store_reopen (store))
    return;
  for (guint session = 1; session <= N_SESSIONS; session++)
    test_assert_loads (store, session, &((ClqCommit *) last->pdata[session - 1])->head);
}

static void
test_load_unknown (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) before = test_store_load (store, 7);
  g_autoptr (TestAnswer) after = NULL;
  guint64 seq = 0;

  g_assert_no_error (before->error);
  g_assert_cmpuint (before->heads->len, ==, 0);
  g_assert_cmpuint (before->segments->len, ==, 0);
  g_assert_cmpuint (before->marks->len, ==, 0);
  test_store_write (store, test_commit_next (6, &seq));
  after = test_store_load (store, 7);
  g_assert_no_error (after->error);
  g_assert_cmpuint (after->heads->len, ==, 0);
}

/* ---- segments and marks ---- */

static const ClqMark *
find_mark (TestAnswer *answer, const char *name)
{
  for (guint i = 0; i < answer->marks->len; i++)
    if (strcmp (g_array_index (answer->marks, ClqMark, i).name, name) == 0)
      return &g_array_index (answer->marks, ClqMark, i);
  return NULL;
}

static void
assert_mark (TestAnswer *answer, const char *name, guint32 segment, guint64 seq)
{
  const ClqMark *mark = find_mark (answer, name);

  g_assert_nonnull (mark);
  g_assert_cmpuint (mark->segment, ==, segment);
  g_assert_cmpuint (mark->seq, ==, seq);
}

static void
check_marks (TestStore *store)
{
  g_autoptr (TestAnswer) answer = test_store_load (store, 1);
  g_autoptr (TestAnswer) other = test_store_load (store, 2);

  g_assert_cmpuint (answer->marks->len, ==, 3);
  assert_mark (answer, "kept", 1, 1);
  assert_mark (answer, "moved", 1, 2);
  assert_mark (answer, "back again, größer", 1, 3);
  g_assert_cmpuint (other->marks->len, ==, 1);
  assert_mark (other, "kept", 1, 1);
}

/* Names are set, moved, taken away and set again, each session for itself. */
static void
test_load_marks (TestStore *store, gconstpointer config)
{
  guint64 seq = 0, other = 0;
  ClqCommit *commit = test_commit_next (1, &seq);

  test_commit_add_mark (commit, "kept", 1, 1);
  test_commit_add_mark (commit, "moved", 1, 1);
  test_commit_add_mark (commit, "back again, größer", 1, 1);
  test_store_write (store, commit);
  commit = test_commit_next (2, &other);
  test_commit_add_mark (commit, "kept", 1, 1);
  test_store_write (store, commit);
  commit = test_commit_next (1, &seq);
  test_commit_add_mark (commit, "moved", 1, 2);
  test_commit_add_mark (commit, "back again, größer", 1, 0);
  test_commit_add_mark (commit, "never there", 1, 0);
  test_store_write (store, commit);
  commit = test_commit_next (1, &seq);
  test_commit_add_mark (commit, "back again, größer", 1, 3);
  test_store_write (store, commit);
  check_marks (store);
  if (test_store_reopen (store))
    check_marks (store);
}

static void
check_segments (TestStore *store)
{
  g_autoptr (TestAnswer) answer = test_store_load (store, 1);
  guint seen = 0;

  g_assert_cmpuint (answer->segments->len, ==, 4);
  for (guint i = 0; i < answer->segments->len; i++)
    {
      const ClqSegment *segment = &g_array_index (answer->segments, ClqSegment, i);

      g_assert_cmpuint (segment->segment, >=, 2);
      g_assert_cmpuint (segment->segment, <=, 5);
      g_assert_cmpuint (segment->parent, ==, segment->segment - 1);
      g_assert_cmpuint (segment->parent_seq, ==, segment->segment - 2);
      seen |= 1u << segment->segment;
    }
  g_assert_cmpuint (seen, ==, 0x3c);
}

/* Segments are kept as they were opened, also several by one commit and from before the first record. */
static void
test_load_segments (TestStore *store, gconstpointer config)
{
  guint64 seq = 0;
  ClqCommit *commit = test_commit_next (1, &seq);

  test_commit_add_segment (commit, 2, 1, 0);
  test_commit_add_segment (commit, 3, 2, 1);
  test_store_write (store, commit);
  test_store_write (store, test_commit_next (1, &seq));
  commit = test_commit_next (1, &seq);
  test_commit_add_segment (commit, 4, 3, 2);
  test_commit_add_segment (commit, 5, 4, 3);
  test_store_write (store, commit);
  check_segments (store);
  if (test_store_reopen (store))
    check_segments (store);
}

const TestCase test_load_cases[] = {
  { "load/equal", test_load_equal },
  { "load/unknown", test_load_unknown },
  { "load/marks", test_load_marks },
  { "load/segments", test_load_segments },
  { NULL },
};
