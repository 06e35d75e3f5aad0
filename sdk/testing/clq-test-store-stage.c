#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* ---- commits that are announced before their batch ---- */

#define N_COMMITS 3

static gboolean
wants_to_know (TestStore *store)
{
  if (store->info->stage != NULL)
    return TRUE;
  g_test_skip ("the store takes whole batches only");
  return FALSE;
}

/* The next commit of each of some sessions. */
static GPtrArray *
next_commits (guint64 seqs[N_COMMITS])
{
  GPtrArray *commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

  for (guint i = 0; i < N_COMMITS; i++)
    g_ptr_array_add (commits, test_commit_next (i + 1, &seqs[i]));
  return commits;
}

static guint
count_records (TestStore *store, guint session)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);

  test_store_ask (store, store->info->journal, query, answer);
  g_assert_no_error (answer->error);
  return answer->records->len;
}

static void
assert_written (TestStore *store, const GPtrArray *commits)
{
  for (guint i = 0; i < commits->len; i++)
    {
      const ClqCommit *commit = commits->pdata[i];

      g_assert_no_error (commit->error);
      test_assert_loads (store, i + 1, &commit->head);
      g_assert_cmpuint (count_records (store, i + 1), ==, commit->head.seq);
    }
}

/* What is staged is no part of the store until its batch comes. */
static void
test_stage_unseen (TestStore *store, gconstpointer config)
{
  guint64 seqs[N_COMMITS] = { 0 };
  g_autoptr (GPtrArray) first = next_commits (seqs);
  g_autoptr (GPtrArray) second = next_commits (seqs);

  if (!wants_to_know (store))
    return;
  test_store_stage (store, first, 0, 2);
  for (guint session = 1; session <= N_COMMITS; session++)
    {
      g_autoptr (TestAnswer) answer = test_store_load (store, session);

      g_assert_cmpuint (answer->heads->len, ==, 0);
      g_assert_cmpuint (count_records (store, session), ==, 0);
    }
  test_store_commit_staged (store, first);
  test_store_stage (store, second, 0, N_COMMITS);
  assert_written (store, first);
  test_store_commit_staged (store, second);
  assert_written (store, second);
}

/* Batches that follow each other: what is staged while one is on its way belongs to the next. */
static void
on_batch_done (ClqBatch *batch)
{
  *(gboolean *) batch->owner = TRUE;
}

static void
test_stage_behind (TestStore *store, gconstpointer config)
{
  guint64 seqs[N_COMMITS] = { 0 }, others[N_COMMITS] = { 0 };
  g_autoptr (GPtrArray) first = next_commits (seqs);
  g_autoptr (GPtrArray) second = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  gboolean is_done = FALSE;
  ClqBatch batch = { .commits = first, .done = on_batch_done, .owner = &is_done };

  if (!wants_to_know (store))
    return;
  for (guint i = 0; i < N_COMMITS; i++)
    g_ptr_array_add (second, test_commit_next (N_COMMITS + 1 + i, &others[i]));
  test_store_stage (store, first, 0, 1);
  store->info->commit (store->instance, &batch);
  test_store_stage (store, second, 0, N_COMMITS);
  while (!is_done)
    test_store_iterate (store);
  assert_written (store, first);
  test_store_commit_staged (store, second);
  for (guint i = 0; i < N_COMMITS; i++)
    {
      const ClqCommit *commit = second->pdata[i];

      g_assert_no_error (commit->error);
      test_assert_loads (store, N_COMMITS + 1 + i, &commit->head);
    }
}

static void
ask (TestStore *store, TestQueryFunc func, guint session)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query;

  if (func == NULL)
    return;
  query = test_query_new (session, &answer);
  query->now = G_MAXINT64;
  test_store_ask (store, func, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->heads->len, ==, 0);
}

/* Whatever else is asked meanwhile neither sees nor spoils what is staged, and nothing of it counts twice. */
static void
test_stage_between (TestStore *store, gconstpointer config)
{
  const ClqUsage used = { .day = 20000, .agent = "critic", .calls = 1, .tokens_in = 10, .tokens_out = 20, .cost = 0.5 };
  const guint other = N_COMMITS + 1;
  guint64 seqs[N_COMMITS] = { 0 }, seq = 0;
  g_autoptr (GPtrArray) commits = next_commits (seqs);

  if (!wants_to_know (store))
    return;
  for (guint i = 0; i < N_COMMITS; i++)
    {
      ((ClqCommit *) commits->pdata[i])->head.wake_at = 100;
      test_commit_add_usage (commits->pdata[i], &used);
    }
  test_store_write (store, test_commit_next (other, &seq));
  test_store_stage (store, commits, 0, 1);
  ask (store, store->info->claim_due, 0);
  test_store_stage (store, commits, 1, 2);
  ask (store, store->info->remove, other);
  test_store_stage (store, commits, 2, N_COMMITS);
  test_store_commit_staged (store, commits);
  assert_written (store, commits);
  if (store->info->remove != NULL)
    g_assert_cmpuint (count_records (store, other), ==, 0);
  if (store->info->usage != NULL)
    {
      g_autoptr (TestAnswer) answer = NULL;
      ClqQuery *query = test_query_new (0, &answer);

      query->before = used.day + 1;
      test_store_ask (store, store->info->usage, query, answer);
      g_assert_cmpuint (answer->usage->len, ==, 1);
      g_assert_cmpuint (g_array_index (answer->usage, ClqUsage, 0).calls, ==, N_COMMITS);
    }
}

/* A batch that comes before the one that is announced is written as a whole, and so is that one then. */
static void
test_stage_other (TestStore *store, gconstpointer config)
{
  guint64 seqs[N_COMMITS] = { 0 }, seq = 0;
  g_autoptr (GPtrArray) commits = next_commits (seqs);
  const guint other = N_COMMITS + 1;

  if (!wants_to_know (store))
    return;
  for (guint i = 0; i < N_COMMITS; i++)
    {
      g_autoptr (GPtrArray) single = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

      test_store_stage (store, commits, i, i + 1);
      g_ptr_array_add (single, test_commit_next (other, &seq));
      test_store_commit_staged (store, single);
      g_assert_no_error (((ClqCommit *) single->pdata[0])->error);
      test_assert_loads (store, other, &((ClqCommit *) single->pdata[0])->head);
    }
  test_store_commit_staged (store, commits);
  assert_written (store, commits);
}

/* What would come too late if its batch came now, but is right when it comes, counts. */
static void
test_stage_early (TestStore *store, gconstpointer config)
{
  guint64 seq = 0, before;
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  ClqCommit *first = test_commit_next (1, &seq);

  if (!wants_to_know (store))
    {
      test_commit_free (first);
      return;
    }
  before = seq;
  g_ptr_array_add (commits, test_commit_next (1, &seq));
  test_store_stage (store, commits, 0, 1);
  {
    g_autoptr (GPtrArray) single = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

    g_ptr_array_add (single, first);
    test_store_commit_staged (store, single);
    g_assert_no_error (first->error);
    g_assert_cmpuint (count_records (store, 1), ==, before);
  }
  test_store_commit_staged (store, commits);
  assert_written (store, commits);
}

/* One that comes too late fails alone, whether it was staged or not, and whatever was asked meanwhile. */
static void
test_stage_stale (TestStore *store, gconstpointer config)
{
  guint64 seqs[N_COMMITS] = { 0 };

  if (!wants_to_know (store))
    return;
  for (guint round = 0; round < 2 * N_COMMITS; round++)
    {
      g_autoptr (GPtrArray) commits = next_commits (seqs);
      g_autoptr (ClqCommit) late = test_commit_new (2, seqs[1] + 7);
      guint64 before = seqs[1] - 1;

      test_commit_add_record (late, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{}");
      test_commit_free (commits->pdata[1]);
      commits->pdata[1] = g_steal_pointer (&late);
      test_store_stage (store, commits, 0, round % N_COMMITS + 1);
      if (round >= N_COMMITS)
        ask (store, store->info->claim_due, 0);
      test_store_commit_staged (store, commits);
      g_assert_error (((ClqCommit *) commits->pdata[1])->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
      g_assert_cmpuint (count_records (store, 2), ==, before);
      seqs[1] = before;
      for (guint i = 0; i < N_COMMITS; i += 2)
        {
          g_assert_no_error (((ClqCommit *) commits->pdata[i])->error);
          g_assert_cmpuint (count_records (store, i + 1), ==, seqs[i]);
        }
    }
}

const TestCase test_stage_cases[] = {
  { "stage/unseen", test_stage_unseen },
  { "stage/behind", test_stage_behind },
  { "stage/between", test_stage_between },
  { "stage/other", test_stage_other },
  { "stage/early", test_stage_early },
  { "stage/stale", test_stage_stale },
  { NULL },
};
