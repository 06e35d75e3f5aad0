#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

static const char *const other_hash = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

/* A commit that leaves traces everywhere. */
static ClqCommit *
traceable_commit (guint session, guint64 expected_seq)
{
  ClqCommit *commit = test_commit_new (session, expected_seq);

  commit->head.graph_hash = g_intern_string (other_hash);
  commit->head.state = g_intern_static_string ("moved");
  commit->head.wake_at = 1;
  commit->graph_text = "[graph]\n";
  test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"unforgettable\"}");
  test_commit_add_mark (commit, "trace", 1, 1);
  test_commit_add_segment (commit, 2, 1, 1);
  return commit;
}

static void
assert_finds_nothing (TestStore *store, TestQueryFunc func, const char *text)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query;

  if (func == NULL)
    return;
  query = test_query_new (0, &answer);
  query->text = g_strdup (text);
  query->now = G_MAXINT64;
  test_store_ask (store, func, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->heads->len, ==, 0);
  g_assert_cmpuint (answer->records->len, ==, 0);
  g_assert_null (answer->text);
}

static void
assert_untouched (TestStore *store, guint session, const ClqHead *head)
{
  g_autoptr (TestAnswer) journal = NULL;
  g_autoptr (TestAnswer) answer = test_store_load (store, session);
  ClqQuery *query = test_query_new (session, &journal);

  test_store_ask (store, store->info->journal, query, journal);
  g_assert_cmpuint (journal->records->len, ==, head != NULL ? head->seq : 0);
  g_assert_cmpuint (answer->heads->len, ==, head != NULL);
  if (head != NULL)
    test_assert_heads_equal (answer->heads->pdata[0], head);
  g_assert_cmpuint (answer->segments->len, ==, 0);
  g_assert_cmpuint (answer->marks->len, ==, 0);
}

/* A commit that comes too late fails as a whole and alone, wherever it stands in its batch. */
static void
test_commit_stale (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  g_autoptr (GPtrArray) second = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  const guint64 wrong[] = { 0, 1, 3, G_MAXUINT32 }; /* of sessions 1 to 4, which are at 2; session 5 does not exist */

  for (guint session = 1; session <= 4; session++)
    {
      ClqCommit *commit = test_commit_new (session, 0);

      test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{}");
      test_commit_add_record (commit, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, TEST_EPOCH, "{}");
      g_ptr_array_add (first, commit);
    }
  test_store_commit (store, first);
  for (guint session = 1; session <= 4; session++)
    {
      guint64 seq = 0;

      g_ptr_array_add (second, traceable_commit (session, wrong[session - 1]));
      g_ptr_array_add (second, test_commit_next (10 + session, &seq));
    }
  g_ptr_array_add (second, traceable_commit (5, 1));
  test_store_commit (store, second);
  for (guint i = 0; i < second->len; i++)
    {
      ClqCommit *commit = second->pdata[i];

      if (i % 2 == 0)
        g_assert_error (commit->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
      else
        g_assert_no_error (commit->error);
    }
  for (guint session = 1; session <= 4; session++)
    {
      assert_untouched (store, session, &((ClqCommit *) first->pdata[session - 1])->head);
      assert_untouched (store, 10 + session, &((ClqCommit *) second->pdata[2 * session - 1])->head);
    }
  assert_untouched (store, 5, NULL);
  assert_finds_nothing (store, store->info->search, "unforgettable");
  assert_finds_nothing (store, store->info->graph, other_hash);
  assert_finds_nothing (store, store->info->claim_due, NULL);
}

/* Whoever commits first wins, and the other one can try again with what it has learned. */
static void
test_commit_race (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint64 winner = 0, loser;

  test_store_write (store, test_commit_next (1, &winner));
  for (guint i = 0; i < 20; i++)
    {
      loser = winner;
      test_store_write (store, test_commit_next (1, &winner));
      g_ptr_array_set_size (commits, 0);
      g_ptr_array_add (commits, test_commit_next (1, &loser));
      test_store_commit (store, commits);
      g_assert_error (((ClqCommit *) commits->pdata[0])->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
      test_store_write (store, test_commit_next (1, &winner));
    }
}

static void
test_commit_many (TestStore *store, gconstpointer config)
{
  enum
  {
    N_SESSIONS = 2000,
  };

  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

      for (guint session = 1; session <= N_SESSIONS; session++)
        {
          guint64 seq = round;

          g_ptr_array_add (commits, test_commit_next (session, &seq));
        }
      test_store_commit (store, commits);
      for (guint session = 1; session <= N_SESSIONS; session++)
        {
          const ClqCommit *commit = commits->pdata[session - 1];

          g_assert_no_error (commit->error);
          test_assert_loads (store, session, &commit->head);
        }
    }
}

static void
check_large (TestStore *store, const ClqCommit *commit)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (1, &answer);

  test_store_ask (store, store->info->journal, query, answer);
  test_assert_loads (store, 1, &commit->head);
  g_assert_cmpuint (answer->records->len, ==, commit->records->len);
  for (guint i = 0; i < commit->records->len; i++)
    test_assert_records_equal (answer->records->pdata[i], &g_array_index (commit->records, ClqRecord, i));
}

/* Bodies of a megabyte between small ones, and a head as large as heads may be. */
static void
test_commit_large (TestStore *store, gconstpointer config)
{
  const gsize size = 1024 * 1024, head_size = 60 * 1024;
  g_autoptr (GString) text = g_string_sized_new (size + 16);
  ClqCommit *commit = test_commit_new (1, 0);
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

  g_string_append (text, "{\"text\":\"");
  while (text->len < size)
    g_string_append_c (text, 'a' + text->len % 26);
  g_string_append (text, "\"}");
  test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{}");
  test_commit_add_record (commit, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, TEST_EPOCH, text->str);
  test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, text->str);
  test_commit_add_record (commit, CLQ_RECORD_ARTIFACT, CLQ_ROLE_ASSISTANT, TEST_EPOCH, "{\"small\":true}");
  g_string_truncate (text, head_size);
  g_string_append (text, "\"}");
  test_commit_set_data (commit, text->str);
  g_ptr_array_add (commits, commit);
  test_store_commit (store, commits);
  g_assert_no_error (commit->error);
  check_large (store, commit);
  if (test_store_reopen (store))
    check_large (store, commit);
}

static void
on_batch_done (ClqBatch *batch)
{
  gboolean *is_done = batch->owner;

  *is_done = TRUE;
}

/* Queries need not wait for a batch, nor for each other; all of them are answered. */
static void
test_commit_together (TestStore *store, gconstpointer config)
{
  enum
  {
    N_QUERIES = 10,
  };
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint64 seq = 0, other = 0;
  ClqCommit *commit = test_commit_next (1, &seq);
  g_autoptr (ClqHead) head = clq_head_copy (&commit->head);
  TestAnswer *answers[N_QUERIES];
  gboolean is_done = FALSE;
  ClqBatch batch = { .commits = commits, .done = on_batch_done, .owner = &is_done };

  test_store_write (store, commit);
  g_ptr_array_add (commits, test_commit_next (2, &other));
  store->info->commit (store->instance, &batch);
  for (guint i = 0; i < N_QUERIES; i++)
    store->info->load (store->instance, test_query_new (1, &answers[i]));
  for (guint i = 0; i < N_QUERIES; i++)
    {
      g_autoptr (TestAnswer) answer = answers[i];

      while (!answer->is_done)
        test_store_iterate (store);
      g_assert_no_error (answer->error);
      g_assert_cmpuint (answer->heads->len, ==, 1);
      test_assert_heads_equal (answer->heads->pdata[0], head);
    }
  while (!is_done)
    test_store_iterate (store);
  test_assert_loads (store, 2, &((ClqCommit *) commits->pdata[0])->head);
}

/* ---- graphs ---- */

static void
check_graph (TestStore *store, const char *hash, const char *expected)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup (hash);
  test_store_ask (store, store->info->graph, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpstr (answer->text, ==, expected);
}

/* The text of a graph is kept from the commit that brings it, for all sessions. */
static void
test_graph_text (TestStore *store, gconstpointer config)
{
  guint64 seq = 0, other = 0;
  ClqCommit *commit;
  const char *plain_hash;

  commit = test_commit_next (1, &seq);
  plain_hash = commit->head.graph_hash;
  commit->graph_text = "[graph]\nname=plain\ntitle=Grüße\n";
  check_graph (store, plain_hash, NULL);
  test_store_write (store, commit);
  check_graph (store, plain_hash, "[graph]\nname=plain\ntitle=Grüße\n");
  commit = test_commit_next (2, &other);
  commit->head.graph_hash = g_intern_string (other_hash);
  commit->graph_text = "[graph]\nname=other\n";
  test_store_write (store, commit);
  test_store_write (store, test_commit_next (1, &seq));
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      check_graph (store, plain_hash, "[graph]\nname=plain\ntitle=Grüße\n");
      check_graph (store, other_hash, "[graph]\nname=other\n");
      check_graph (store, "no such hash", NULL);
    }
}

const TestCase test_commit_cases[] = {
  { "commit/stale", test_commit_stale },
  { "commit/race", test_commit_race },
  { "commit/many", test_commit_many },
  { "commit/large", test_commit_large },
  { "commit/together", test_commit_together },
  { "graph/text", test_graph_text },
  { NULL },
};
