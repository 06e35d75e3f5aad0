#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* ---- taking away ---- */

/* A session with something everywhere. */
static void
write_full (TestStore *store, guint session)
{
  guint64 seq = 0;
  ClqCommit *commit = test_commit_new (session, 0);

  commit->head.wake_at = 100;
  commit->key = "key";
  test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"unforgettable\"}");
  test_commit_add_mark (commit, "here", 1, 1);
  test_commit_add_segment (commit, 2, 1, 1);
  seq = commit->head.seq;
  test_store_write (store, commit);
  while (seq < 200)
    test_store_write (store, test_commit_next (session, &seq));
}

static guint
count (TestStore *store, TestQueryFunc func, guint session)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);

  query->text = g_strdup ("unforgettable");
  query->key = g_strdup ("key");
  test_store_ask (store, func, query, answer);
  g_assert_no_error (answer->error);
  return answer->heads->len + answer->records->len + answer->segments->len + answer->marks->len + (answer->key_seq > 0);
}

static void
remove_session (TestStore *store, guint session)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);

  test_store_ask (store, store->info->remove, query, answer);
  g_assert_no_error (answer->error);
}

/* What is taken away is gone everywhere, others are as they were, and the id can be used anew. */
static void
test_remove (TestStore *store, gconstpointer config)
{
  guint64 seq = 0;

  if (store->info->remove == NULL)
    {
      g_test_skip ("the store keeps everything");
      return;
    }
  for (guint session = 1; session <= 3; session++)
    write_full (store, session);
  remove_session (store, 2);
  remove_session (store, 7);
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      g_assert_cmpuint (count (store, store->info->load, 2), ==, 0);
      g_assert_cmpuint (count (store, store->info->journal, 2), ==, 0);
      for (guint session = 1; session <= 3; session += 2)
        {
          g_assert_cmpuint (count (store, store->info->load, session), ==, 4);
          g_assert_cmpuint (count (store, store->info->journal, session), ==, 200);
        }
      g_assert_cmpuint (count (store, store->info->list, 0), ==, 2);
      if (store->info->search != NULL)
        g_assert_cmpuint (count (store, store->info->search, 0), ==, 2);
    }
  test_store_write (store, test_commit_next (2, &seq));
  g_assert_cmpuint (count (store, store->info->load, 2), ==, 1);
  g_assert_cmpuint (count (store, store->info->journal, 2), ==, 1);
}

/* ---- damage ---- */

/* A damaged record is the matter of its session: what is read of that says so, the others are as they were and go on. */
static void
test_damage (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) damaged = NULL;
  ClqQuery *query;
  guint8 id[16];

  if (store->config->damage == NULL)
    {
      g_test_skip ("nobody can damage the store");
      return;
    }
  for (guint session = 1; session <= 3; session++)
    write_full (store, session);
  test_id (2, id);
  store->config->damage (id, store->config->user_data);
  query = test_query_new (2, &damaged);
  test_store_ask (store, store->info->journal, query, damaged);
  g_assert_error (damaged->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT);
  for (guint session = 1; session <= 3; session += 2)
    {
      guint64 seq = 200;

      g_assert_cmpuint (count (store, store->info->load, session), ==, 4);
      g_assert_cmpuint (count (store, store->info->journal, session), ==, 200);
      test_store_write (store, test_commit_next (session, &seq));
      g_assert_cmpuint (count (store, store->info->journal, session), ==, 201);
    }
  g_assert_cmpuint (count (store, store->info->list, 0), >=, 2);
  if (store->info->search != NULL)
    g_assert_cmpuint (count (store, store->info->search, 0), ==, 2);
}

/* ---- looking after ---- */

static TestAnswer *
maintain (TestStore *store, const char *what, const char *text)
{
  TestAnswer *answer;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup (text);
  store->info->maintain (store->instance, what, query);
  while (!answer->is_done)
    test_store_iterate (store);
  g_assert_true (answer->thread == store->thread);
  return answer;
}

static gint64
get_number (const char *text, const char *path)
{
  ClqJsonSpan span = clq_json_find (text, -1, path);

  g_assert_cmpint (span.type, ==, CLQ_JSON_NUMBER);
  return clq_json_span_get_int (&span);
}

/* The store counts what it has, finds nothing wrong with it and says so if it does not know what to do. */
static void
test_maintain (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) stats = NULL, check = NULL, unknown = NULL;
  ClqJsonSpan ok;

  if (store->info->maintain == NULL)
    {
      g_test_skip ("the store needs no care");
      return;
    }
  for (guint session = 1; session <= 3; session++)
    write_full (store, session);
  stats = maintain (store, "stats", NULL);
  g_assert_no_error (stats->error);
  g_assert_true (clq_json_check (stats->text, -1, NULL, NULL));
  g_assert_cmpint (get_number (stats->text, "sessions"), ==, 3);
  g_assert_cmpint (get_number (stats->text, "records"), ==, 600);
  g_assert_cmpint (get_number (stats->text, "bytes"), >, 600);
  check = maintain (store, "check", NULL);
  g_assert_no_error (check->error);
  g_assert_true (clq_json_check (check->text, -1, NULL, NULL));
  ok = clq_json_find (check->text, -1, "ok");
  g_assert_true (clq_json_span_is_true (&ok));
  g_assert_cmpint (get_number (check->text, "sessions"), ==, 3);
  g_assert_cmpint (get_number (check->text, "records"), ==, 600);
  unknown = maintain (store, "no such thing", NULL);
  g_assert_error (unknown->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND);
}

const TestCase test_care_cases[] = {
  { "care/remove", test_remove },
  { "care/damage", test_damage },
  { "care/maintain", test_maintain },
  { NULL },
};
