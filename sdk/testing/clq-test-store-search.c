#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

#include <string.h>

static gboolean
is_skipped (TestStore *store)
{
  if (store->info->search != NULL)
    return FALSE;
  g_test_skip ("the store does not search");
  return TRUE;
}

/* Writes one record per session, from 1 on. */
static void
write_texts (TestStore *store, const char *const *texts)
{
  for (guint i = 0; texts[i] != NULL; i++)
    {
      ClqCommit *commit = test_commit_new (i + 1, 0);

      test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, texts[i]);
      test_store_write (store, commit);
    }
}

static TestAnswer *
search (TestStore *store, ClqQuery *query, TestAnswer *answer)
{
  test_store_ask (store, store->info->search, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->relevance->len, ==, answer->records->len);
  g_assert_cmpuint (answer->hit_ids->len, ==, 16 * answer->records->len);
  for (guint i = 0; i < answer->relevance->len; i++)
    {
      double relevance = g_array_index (answer->relevance, double, i);

      g_assert_cmpfloat (relevance, >, 0);
      g_assert_cmpfloat (relevance, <=, i > 0 ? g_array_index (answer->relevance, double, i - 1) : 1);
    }
  return answer;
}

static TestAnswer *
search_text (TestStore *store, const char *text)
{
  TestAnswer *answer;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup (text);
  return search (store, query, answer);
}

static gboolean
was_found (TestAnswer *answer, guint session)
{
  guint8 id[16];

  test_id (session, id);
  for (guint i = 0; i < answer->records->len; i++)
    if (memcmp (answer->hit_ids->data + 16 * i, id, sizeof id) == 0)
      return TRUE;
  return FALSE;
}

#define SESSIONS(...) ((const guint[]){ __VA_ARGS__, 0 })
#define NOBODY ((const guint[]){ 0 })

/* Compares what is found with @sessions, which ends with 0: the best one first, the others in any order. */
static void
assert_finds (TestStore *store, const char *text, const guint *sessions)
{
  g_autoptr (TestAnswer) answer = search_text (store, text);
  guint n_sessions = 0;

  for (; sessions[n_sessions] != 0; n_sessions++)
    g_assert_true (was_found (answer, sessions[n_sessions]));
  g_assert_cmpuint (answer->records->len, ==, n_sessions);
  if (n_sessions > 0)
    test_assert_is_session (answer->hit_ids->data, sessions[0]);
}

/* What holds more of the words comes first; how the others are ranked is the store's own business. */
static void
test_search_ranking (TestStore *store, gconstpointer config)
{
  static const char *const texts[] = {
    "{\"text\":\"the parser reads the file\"}",
    "{\"text\":\"the parser reads the socket and a cache keeps what it has read for the next time\"}",
    "{\"text\":\"the cache is cleared\"}",
    "{\"text\":\"the parser is fast\"}",
    "{\"text\":\"the weather is fine and so is everything else\"}",
    NULL,
  };

  if (is_skipped (store))
    return;
  write_texts (store, texts);
  for (guint i = 0; i == 0 || (i == 1 && test_store_reopen (store)); i++)
    {
      g_autoptr (TestAnswer) both = search_text (store, "socket parser");
      const ClqRecord *best;

      g_assert_cmpuint (both->records->len, ==, 3);
      best = both->records->pdata[0];
      g_assert_cmpuint (best->seq, ==, 1);
      g_assert_cmpmem (best->body, best->length, texts[1], strlen (texts[1]));
      assert_finds (store, "socket parser", SESSIONS (2, 1, 4));
      assert_finds (store, "parser file", SESSIONS (1, 2, 4));
      assert_finds (store, "Cleared cache?", SESSIONS (3, 2));
      assert_finds (store, "nowhere weather", SESSIONS (5));
      assert_finds (store, "nowhere", NOBODY);
      assert_finds (store, "pars", NOBODY);
    }
}

/* Words are found in any case and script, within any value of a record, but not in its member names. */
static void
test_search_words (TestStore *store, gconstpointer config)
{
  static const char *const texts[] = {
    "{\"text\":\"ÄRGER mit der Straßenbahn\"}",
    "{\"list\":[{\"inner\":\"Привет, МИР!\"}],\"n\":12}",
    "{\"text\":\"line\\nbreak and \\u00e9t\\u00e9\"}",
    "{\"tags\":[\"x86\",\"foo-bar\"]}",
    NULL,
  };

  if (is_skipped (store))
    return;
  write_texts (store, texts);
  assert_finds (store, "ärger", SESSIONS (1));
  assert_finds (store, "мир", SESSIONS (2));
  assert_finds (store, "BREAK", SESSIONS (3));
  assert_finds (store, "Été", SESSIONS (3));
  assert_finds (store, "X86", SESSIONS (4));
  assert_finds (store, "bar", SESSIONS (4));
  assert_finds (store, "inner", NOBODY);
}

/* What is looked for is words, whatever characters are around them. */
static void
test_search_odd (TestStore *store, gconstpointer config)
{
  static const char *const texts[] = { "{\"text\":\"near or not\"}", NULL };
  static const char *const odd[] = { "\"near", "near*", "near AND", "NEAR(", "(near", "near'; --", "-near", "^near:", "%near%", "near near near" };
  static const char *const empty[] = { "", " ", "\"", "***", "()", "' or 1=1" };

  if (is_skipped (store))
    return;
  write_texts (store, texts);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    assert_finds (store, odd[i], SESSIONS (1));
  for (guint i = 0; i + 1 < G_N_ELEMENTS (empty); i++)
    assert_finds (store, empty[i], NOBODY);
  assert_finds (store, empty[G_N_ELEMENTS (empty) - 1], SESSIONS (1));
}

/* Only context records are found. */
static void
test_search_types (TestStore *store, gconstpointer config)
{
  ClqCommit *commit = test_commit_new (1, 0);
  g_autoptr (TestAnswer) answer = NULL;

  if (is_skipped (store))
    {
      test_commit_free (commit);
      return;
    }
  for (guint type = CLQ_RECORD_EVENT; type <= CLQ_RECORD_SNAPSHOT; type++)
    test_commit_add_record (commit, type, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"needle\"}");
  test_store_write (store, commit);
  answer = search_text (store, "needle");
  g_assert_cmpuint (answer->records->len, ==, 1);
  g_assert_cmpint (((ClqRecord *) answer->records->pdata[0])->type, ==, CLQ_RECORD_CONTEXT);
  g_assert_cmpuint (((ClqRecord *) answer->records->pdata[0])->seq, ==, CLQ_RECORD_CONTEXT);
}

/* Sessions: 1 of anna, 2 of bert, 3 of nobody, 4 of anna on another graph; the latter two have two records. */
static void
write_owned (TestStore *store)
{
  static const char *const owners[] = { "anna", "bert", NULL, "anna" };

  for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
    {
      ClqCommit *commit = test_commit_new (i + 1, 0);

      test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"secret\"}");
      if (i >= 2)
        test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"secret\"}");
      if (owners[i] != NULL)
        test_commit_extra (commit)->owner = g_strdup (owners[i]);
      if (i == 3)
        commit->head.graph_name = g_intern_static_string ("other");
      test_store_write (store, commit);
    }
}

static guint
count_found (TestStore *store, guint session, const char *owner, const char *graph, guint limit)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);

  query->text = g_strdup ("secret");
  query->limit = limit;
  if (owner != NULL)
    clq_query_set_filter (query, "owner", owner);
  if (graph != NULL)
    clq_query_set_filter (query, "graph", graph);
  search (store, query, answer);
  for (guint i = 0; session > 0 && i < answer->records->len; i++)
    test_assert_is_session (answer->hit_ids->data + 16 * i, session);
  return answer->records->len;
}

/* Nobody finds what is not theirs; the limit counts what is left. */
static void
test_search_filters (TestStore *store, gconstpointer config)
{
  if (is_skipped (store))
    return;
  write_owned (store);
  g_assert_cmpuint (count_found (store, 0, NULL, NULL, 0), ==, 6);
  g_assert_cmpuint (count_found (store, 0, NULL, NULL, 4), ==, 4);
  g_assert_cmpuint (count_found (store, 0, "anna", NULL, 0), ==, 3);
  g_assert_cmpuint (count_found (store, 0, "anna", "plain", 0), ==, 1);
  g_assert_cmpuint (count_found (store, 0, "bert", NULL, 1), ==, 1);
  g_assert_cmpuint (count_found (store, 0, "carl", NULL, 0), ==, 0);
  g_assert_cmpuint (count_found (store, 3, NULL, NULL, 0), ==, 2);
  g_assert_cmpuint (count_found (store, 3, "anna", NULL, 0), ==, 0);
  g_assert_cmpuint (count_found (store, 9, NULL, NULL, 0), ==, 0);
}

#define N_OTHERS 60

/* The only record that anna has written is the worst of all; each has one word less of those that are looked for. */
static void
write_worse_and_worse (TestStore *store)
{
  g_autoptr (GString) body = g_string_new ("{\"text\":\"needle\"}");

  for (guint i = N_OTHERS + 1; i > 0; i--)
    {
      ClqCommit *commit = test_commit_new (i, 0);

      test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, body->str);
      test_commit_extra (commit)->owner = g_strdup (i > N_OTHERS ? "anna" : "bert");
      test_store_write (store, commit);
      g_string_insert (body, body->len - 2, " needle");
    }
}

/* A limit takes the first of what would be found without one, wherever in the ranking they are. */
static void
test_search_limits (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) all = NULL, anna = NULL;
  ClqQuery *query;

  if (is_skipped (store))
    return;
  write_worse_and_worse (store);
  all = search_text (store, "needle");
  g_assert_cmpuint (all->records->len, ==, N_OTHERS + 1);
  for (guint i = 0; i <= N_OTHERS; i++)
    test_assert_is_session (all->hit_ids->data + 16 * i, i + 1);
  for (guint limit = 1; limit <= N_OTHERS + 1; limit++)
    {
      g_autoptr (TestAnswer) some = NULL;

      query = test_query_new (0, &some);
      query->text = g_strdup ("needle");
      query->limit = limit;
      search (store, query, some);
      g_assert_cmpmem (some->hit_ids->data, some->hit_ids->len, all->hit_ids->data, 16 * limit);
      g_assert_cmpmem (some->relevance->data, some->relevance->len * sizeof (double), all->relevance->data, limit * sizeof (double));
    }
  query = test_query_new (0, &anna);
  query->text = g_strdup ("needle");
  query->limit = 2;
  clq_query_set_filter (query, "owner", "anna");
  search (store, query, anna);
  g_assert_cmpuint (anna->records->len, ==, 1);
  test_assert_is_session (anna->hit_ids->data, N_OTHERS + 1);
}

/* @n records of four words, in sessions of many; all have one word in common, and nothing else. */
static void
write_many (TestStore *store, guint n)
{
  for (guint i = 0; i < n;)
    {
      ClqCommit *commit = test_commit_new (i / 1000 + 1, 0);

      do
        {
          g_autofree char *body = g_strdup_printf ("{\"text\":\"common x%u y%u z%u\"}", i, i, i);

          test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, body);
        }
      while (++i < n && i % 1000 != 0);
      test_store_write (store, commit);
    }
}

static double
best_relevance (TestStore *store, const char *text)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup (text);
  query->limit = 1;
  search (store, query, answer);
  g_assert_cmpuint (answer->relevance->len, ==, 1);
  return g_array_index (answer->relevance, double, 0);
}

/* The same bound divides what belongs to a question from what does not, however many records there are. */
static void
check_relevance (TestStore *store, guint n)
{
  if (is_skipped (store))
    return;
  write_many (store, n);
  g_assert_cmpfloat (best_relevance (store, "common x7 y7 z7"), >, 0.3);          /* all of it */
  g_assert_cmpfloat (best_relevance (store, "x7 y7 no nothing"), >, 0.1);         /* half of it */
  g_assert_cmpfloat (best_relevance (store, "x7 no nothing never"), >, 0.05);     /* one word of four that says something */
  g_assert_cmpfloat (best_relevance (store, "common no nothing never"), <, 0.05); /* and one that does not */
  g_assert_cmpfloat (best_relevance (store, "common x7"), >, 2 * best_relevance (store, "common nothing"));
}

static void
test_search_relevance (TestStore *store, gconstpointer config)
{
  check_relevance (store, 10);
  /* That all of a few records have a word does not mean that it says nothing. */
  if (store->info->search != NULL)
    g_assert_cmpfloat (best_relevance (store, "common nothing"), >, 0.05);
}

static void
test_search_relevance_of_many (TestStore *store, gconstpointer config)
{
  check_relevance (store, 100000);
}

const TestCase test_search_cases[] = {
  { "search/ranking", test_search_ranking },
  { "search/words", test_search_words },
  { "search/odd", test_search_odd },
  { "search/types", test_search_types },
  { "search/filters", test_search_filters },
  { "search/limits", test_search_limits },
  { "search/relevance", test_search_relevance },
  { "search/relevance-of-many", test_search_relevance_of_many },
  { NULL },
};
