#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

static gboolean
is_skipped (TestStore *store)
{
  if (store->info->claim_due != NULL)
    return FALSE;
  g_test_skip ("the store wakes nothing");
  return TRUE;
}

/* Writes a session that is due at @wake_at; 0 = never. */
static void
write_due (TestStore *store, guint session, guint64 *seq, gint64 wake_at)
{
  ClqCommit *commit = test_commit_next (session, seq);

  commit->head.wake_at = wake_at;
  test_store_write (store, commit);
}

/* Claims what is due and compares it with @sessions, which ends with 0. Returns when to ask next. */
static gint64
assert_claims (TestStore *store, gint64 now, guint limit, gint64 lease_until, const guint *sessions)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  query->now = now;
  query->limit = limit;
  query->lease_until = lease_until;
  test_store_ask (store, store->info->claim_due, query, answer);
  g_assert_no_error (answer->error);
  for (guint i = 0; i < answer->heads->len; i++)
    {
      const ClqHead *head = answer->heads->pdata[i];

      g_assert_cmpuint (sessions[i], >, 0);
      test_assert_is_session (head->id, sessions[i]);
      g_assert_cmpint (head->wake_at, >, 0);
      g_assert_cmpint (head->wake_at, <=, now);
    }
  g_assert_cmpuint (sessions[answer->heads->len], ==, 0);
  return answer->next_due;
}

#define SESSIONS(...) ((const guint[]){ __VA_ARGS__, 0 })
#define NOBODY ((const guint[]){ 0 })

/* The earliest first, equal ones by id, as many as are wanted, and nothing before its time. */
static void
test_claim_order (TestStore *store, gconstpointer config)
{
  static const gint64 times[] = { 500, 300, 0, 300, 700, 100, 900 };

  if (is_skipped (store))
    return;
  g_assert_cmpint (assert_claims (store, G_MAXINT64, 0, 0, NOBODY), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      guint64 seq = 0;

      write_due (store, i + 1, &seq, times[i]);
    }
  g_assert_cmpint (assert_claims (store, 99, 10, 0, NOBODY), ==, 100);
  g_assert_cmpint (assert_claims (store, 300, 2, 0, SESSIONS (6, 2)), ==, 300);
  g_assert_cmpint (assert_claims (store, 600, 10, 0, SESSIONS (4, 1)), ==, 700);
  g_assert_cmpint (assert_claims (store, 1000, 0, 0, SESSIONS (5, 7)), ==, 0);
}

/* What is claimed is not given again until it is committed again, and then at its new time. */
static void
test_claim_once (TestStore *store, gconstpointer config)
{
  guint64 seq[4] = { 0 };

  if (is_skipped (store))
    return;
  for (guint session = 1; session <= 3; session++)
    write_due (store, session, &seq[session], 100 * session);
  assert_claims (store, 300, 2, 0, SESSIONS (1, 2));
  assert_claims (store, 300, 2, 0, SESSIONS (3));
  g_assert_cmpint (assert_claims (store, G_MAXINT64, 0, 0, NOBODY), ==, 0);
  write_due (store, 1, &seq[1], 50);
  write_due (store, 2, &seq[2], 0);
  write_due (store, 3, &seq[3], 400);
  g_assert_cmpint (assert_claims (store, 300, 0, 0, SESSIONS (1)), ==, 400);
  assert_claims (store, 400, 0, 0, SESSIONS (3));
}

/* A session whose time is changed before it is claimed is due at the new time only. */
static void
test_claim_moved (TestStore *store, gconstpointer config)
{
  guint64 seq[4] = { 0 };

  if (is_skipped (store))
    return;
  for (guint session = 1; session <= 3; session++)
    write_due (store, session, &seq[session], 100);
  write_due (store, 1, &seq[1], 300);
  write_due (store, 2, &seq[2], 0);
  write_due (store, 3, &seq[3], 50);
  g_assert_cmpint (assert_claims (store, 200, 0, 0, SESSIONS (3)), ==, 300);
  assert_claims (store, 300, 0, 0, SESSIONS (1));
}

/* A commit that fails does not end a claim. */
static void
test_claim_stale (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint64 seq = 0, stale = 7;

  if (is_skipped (store))
    return;
  write_due (store, 1, &seq, 100);
  assert_claims (store, 100, 0, 0, SESSIONS (1));
  g_ptr_array_add (commits, test_commit_next (1, &stale));
  ((ClqCommit *) commits->pdata[0])->head.wake_at = 100;
  test_store_commit (store, commits);
  g_assert_error (((ClqCommit *) commits->pdata[0])->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  assert_claims (store, 200, 0, 0, NOBODY);
}

/* A claim that ends by itself gives the session back, in its old place; one that a commit has ended does not. */
static void
test_claim_lease (TestStore *store, gconstpointer config)
{
  guint64 seq[5] = { 0 };

  if (is_skipped (store))
    return;
  for (guint session = 1; session <= 3; session++)
    write_due (store, session, &seq[session], 100 * session);
  assert_claims (store, 300, 1, 2000, SESSIONS (1));
  assert_claims (store, 300, 0, 1000, SESSIONS (2, 3));
  write_due (store, 3, &seq[3], 5000);
  write_due (store, 4, &seq[4], 150);
  g_assert_cmpint (assert_claims (store, 140, 0, 0, NOBODY), ==, 150);
  g_assert_cmpint (assert_claims (store, 999, 0, 4000, SESSIONS (4)), ==, 1000);
  g_assert_cmpint (assert_claims (store, 1000, 0, 3000, SESSIONS (2)), ==, 2000);
  g_assert_cmpint (assert_claims (store, 4000, 0, 6000, SESSIONS (1, 4, 2)), ==, 5000);
}

/* Claims of a host that has stopped do not last longer than their lease. */
static void
test_claim_reopen (TestStore *store, gconstpointer config)
{
  guint64 seq[3] = { 0 };

  if (is_skipped (store))
    return;
  write_due (store, 1, &seq[1], 100);
  write_due (store, 2, &seq[2], 200);
  assert_claims (store, 100, 0, 300, SESSIONS (1));
  if (!test_store_reopen (store))
    {
      g_test_skip ("nothing outlives closing");
      return;
    }
  assert_claims (store, 300, 0, 400, SESSIONS (1, 2));
}

const TestCase test_claim_cases[] = {
  { "claim/order", test_claim_order },
  { "claim/once", test_claim_once },
  { "claim/moved", test_claim_moved },
  { "claim/stale", test_claim_stale },
  { "claim/lease", test_claim_lease },
  { "claim/reopen", test_claim_reopen },
  { NULL },
};
