#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* Writes a commit whose input had a key. */
static void
write_key (TestStore *store, guint session, guint64 *seq, const char *key, const char *result)
{
  ClqCommit *commit = test_commit_next (session, seq);

  commit->key = key;
  commit->result = result;
  test_store_write (store, commit);
}

static TestAnswer *
load_key (TestStore *store, guint session, const char *key)
{
  TestAnswer *answer;
  ClqQuery *query = test_query_new (session, &answer);

  query->key = g_strdup (key);
  test_store_ask (store, store->info->load, query, answer);
  g_assert_no_error (answer->error);
  return answer;
}

static void
assert_taken (TestStore *store, guint session, const char *key, guint64 seq, const char *result)
{
  g_autoptr (TestAnswer) answer = load_key (store, session, key);

  g_assert_cmpuint (answer->heads->len, ==, 1);
  g_assert_cmpuint (answer->key_seq, ==, seq);
  g_assert_cmpstr (answer->result, ==, result);
}

/* What an input with a key brought is known for ever, to its own session only. */
static void
test_keys_found (TestStore *store, gconstpointer config)
{
  guint64 seq[3] = { 0 };

  write_key (store, 1, &seq[1], "opened", NULL);
  write_key (store, 2, &seq[2], "a'; --", "\"two\"");
  write_key (store, 1, &seq[1], "a'; --", "{\"text\":\"Grüße\"}");
  write_key (store, 1, &seq[1], "A'; --", "3");
  test_store_write (store, test_commit_next (1, &seq[1]));
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      g_autoptr (TestAnswer) nobody = load_key (store, 3, "opened");

      g_assert_cmpuint (nobody->heads->len, ==, 0);
      g_assert_cmpuint (nobody->key_seq, ==, 0);
      assert_taken (store, 1, "opened", 1, NULL);
      assert_taken (store, 1, "a'; --", 2, "{\"text\":\"Grüße\"}");
      assert_taken (store, 1, "A'; --", 3, "3");
      assert_taken (store, 2, "a'; --", 1, "\"two\"");
      assert_taken (store, 2, "opened", 0, NULL);
      assert_taken (store, 1, "a", 0, NULL);
      assert_taken (store, 1, NULL, 0, NULL);
    }
}

/* The same key is not taken twice, and the second commit leaves nothing behind. */
static void
test_keys_twice (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint64 seq[4] = { 0 };
  ClqCommit *again, *other;

  write_key (store, 1, &seq[1], "key", "1");
  test_store_write (store, test_commit_next (1, &seq[1]));
  again = test_commit_next (1, &seq[1]);
  again->key = "key";
  again->result = "2";
  test_commit_add_mark (again, "trace", 1, 1);
  other = test_commit_next (2, &seq[2]);
  other->key = "key";
  g_ptr_array_add (commits, again);
  g_ptr_array_add (commits, other);
  test_store_commit (store, commits);
  g_assert_error (again->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  g_assert_no_error (other->error);
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      g_autoptr (TestAnswer) answer = load_key (store, 1, "key");

      g_assert_cmpuint (((ClqHead *) answer->heads->pdata[0])->seq, ==, 2);
      g_assert_cmpuint (answer->marks->len, ==, 0);
      g_assert_cmpuint (answer->key_seq, ==, 1);
      g_assert_cmpstr (answer->result, ==, "1");
    }
}

/* A key of a commit that has failed may be used again. */
static void
test_keys_failed (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint64 seq = 0, stale = 7;
  ClqCommit *failing = test_commit_next (1, &stale);

  test_store_write (store, test_commit_next (1, &seq));
  failing->key = "key";
  g_ptr_array_add (commits, failing);
  test_store_commit (store, commits);
  g_assert_error (failing->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  assert_taken (store, 1, "key", 0, NULL);
  write_key (store, 1, &seq, "key", "\"now\"");
  assert_taken (store, 1, "key", 2, "\"now\"");
}

const TestCase test_key_cases[] = {
  { "keys/found", test_keys_found },
  { "keys/twice", test_keys_twice },
  { "keys/failed", test_keys_failed },
  { NULL },
};
