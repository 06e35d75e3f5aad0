#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* ---- what agents have used ---- */

#define DAY 20000u

static gboolean
keeps_sums (TestStore *store)
{
  if (store->info->usage != NULL)
    return TRUE;
  g_test_skip ("the store keeps no sums");
  return FALSE;
}

static ClqUsage
usage (guint32 day, const char *agent, guint64 tokens)
{
  return (ClqUsage){ .day = day, .agent = agent, .calls = 1, .tokens_in = tokens, .tokens_out = 2 * tokens, .cost = tokens / 4.0 };
}

static void
spend (TestStore *store, guint session, guint64 *seq, guint32 day, const char *agent, guint64 tokens)
{
  ClqCommit *commit = test_commit_next (session, seq);
  const ClqUsage used = usage (day, agent, tokens);

  test_commit_add_usage (commit, &used);
  test_store_write (store, commit);
}

/* The sums of a range of days, as text. */
static char *
dup_sums (TestStore *store, guint64 after, guint64 before)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);
  GString *out = g_string_new (NULL);

  query->after = after;
  query->before = before;
  test_store_ask (store, store->info->usage, query, answer);
  g_assert_no_error (answer->error);
  for (guint i = 0; i < answer->usage->len; i++)
    {
      const ClqUsage *sum = &g_array_index (answer->usage, ClqUsage, i);

      g_string_append_printf (out, "%s%u %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %.2f", i > 0 ? "; " : "",
                              sum->day - DAY, sum->agent, sum->calls, sum->tokens_in, sum->tokens_out, sum->cost);
    }
  return g_string_free (out, FALSE);
}

static void
assert_sums (TestStore *store, guint64 after, guint64 before, const char *expected)
{
  g_autofree char *sums = dup_sums (store, after, before);

  g_assert_cmpstr (sums, ==, expected);
}

/* One sum per day and agent, over all sessions, in order and within bounds. */
static void
test_usage_sums (TestStore *store, gconstpointer config)
{
  guint64 seq[3] = { 0 };

  if (!keeps_sums (store))
    return;
  assert_sums (store, 0, 0, "");
  spend (store, 1, &seq[1], DAY + 1, "b", 10);
  spend (store, 2, &seq[2], DAY + 1, "b", 1);
  spend (store, 2, &seq[2], DAY + 1, "a", 100);
  spend (store, 1, &seq[1], DAY, "o'neil; --", 3);
  spend (store, 1, &seq[1], DAY + 2, "Grüße", 0);
  test_store_write (store, test_commit_next (1, &seq[1]));
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      assert_sums (store, 0, 0, "0 o'neil; -- 1 3 6 0.75; 1 a 1 100 200 25.00; 1 b 2 11 22 2.75; 2 Grüße 1 0 0 0.00");
      assert_sums (store, DAY, 0, "1 a 1 100 200 25.00; 1 b 2 11 22 2.75; 2 Grüße 1 0 0 0.00");
      assert_sums (store, DAY, DAY + 2, "1 a 1 100 200 25.00; 1 b 2 11 22 2.75");
      assert_sums (store, 0, DAY + 1, "0 o'neil; -- 1 3 6 0.75");
      assert_sums (store, DAY, DAY + 1, "");
      assert_sums (store, DAY + 2, 0, "");
    }
}

/* One commit may add to several sums, and several commits of a batch to the same. */
static void
test_usage_batch (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  const ClqUsage a = usage (DAY, "a", 1), b = usage (DAY, "b", 2), next = usage (DAY + 1, "a", 4);

  if (!keeps_sums (store))
    return;
  for (guint session = 1; session <= 40; session++)
    {
      guint64 seq = 0;
      ClqCommit *commit = test_commit_next (session, &seq);

      test_commit_add_usage (commit, &a);
      test_commit_add_usage (commit, &b);
      test_commit_add_usage (commit, &next);
      g_ptr_array_add (commits, commit);
    }
  test_store_commit (store, commits);
  assert_sums (store, 0, 0, "0 a 40 40 80 10.00; 0 b 40 80 160 20.00; 1 a 40 160 320 40.00");
}

/* A commit that fails has used nothing. */
static void
test_usage_failed (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  const ClqUsage used = usage (DAY, "a", 5);
  guint64 seq[3] = { 0 }, stale = 7;
  ClqCommit *late, *again, *good;

  if (!keeps_sums (store))
    return;
  again = test_commit_next (2, &seq[2]);
  again->key = "key";
  test_store_write (store, again);
  late = test_commit_next (1, &stale);
  again = test_commit_next (2, &seq[2]);
  again->key = "key";
  good = test_commit_next (1, &seq[1]);
  g_ptr_array_add (commits, late);
  g_ptr_array_add (commits, again);
  g_ptr_array_add (commits, good);
  for (guint i = 0; i < commits->len; i++)
    test_commit_add_usage (g_ptr_array_index (commits, i), &used);
  test_store_commit (store, commits);
  g_assert_error (late->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  g_assert_error (again->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  g_assert_no_error (good->error);
  assert_sums (store, 0, 0, "0 a 1 5 10 1.25");
}

/* What was spent was spent, also by a session that is taken away. */
static void
test_usage_removed (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) answer = NULL;
  guint64 seq = 0;
  ClqQuery *query;

  if (!keeps_sums (store))
    return;
  if (store->info->remove == NULL)
    {
      g_test_skip ("the store keeps everything");
      return;
    }
  spend (store, 1, &seq, DAY, "a", 5);
  query = test_query_new (1, &answer);
  test_store_ask (store, store->info->remove, query, answer);
  g_assert_no_error (answer->error);
  assert_sums (store, 0, 0, "0 a 1 5 10 1.25");
}

const TestCase test_usage_cases[] = {
  { "usage/sums", test_usage_sums },
  { "usage/batch", test_usage_batch },
  { "usage/failed", test_usage_failed },
  { "usage/removed", test_usage_removed },
  { NULL },
};
