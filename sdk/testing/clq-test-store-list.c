#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

#include <string.h>

#define N_SESSIONS 120

static const char *const graphs[] = { "chat", "debate", "task" };
static const char *const states[] = { "listening", "working", "ended" };
static const char *const owners[] = { NULL, "anna", "bert", "ANNA" };

/* What there is to be listed, by session, from 1 on. */
static ClqHead *
write_session (TestStore *store, guint session, gint64 updated_at)
{
  guint64 seq = 0;
  ClqCommit *commit = test_commit_next (session, &seq);
  const char *owner = owners[g_test_rand_int_range (0, G_N_ELEMENTS (owners))];
  ClqHead *copy;

  commit->head.graph_name = g_intern_string (graphs[g_test_rand_int_range (0, G_N_ELEMENTS (graphs))]);
  commit->head.state = g_intern_string (states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]);
  commit->head.status = g_test_rand_int_range (CLQ_STATUS_RESTING, CLQ_STATUS_FAILED + 1);
  commit->head.updated_at = updated_at;
  if (owner != NULL)
    test_commit_extra (commit)->owner = g_strdup (owner);
  copy = clq_head_copy (&commit->head);
  test_store_write (store, commit);
  return copy;
}

/* Many are written in the same microsecond. */
static GPtrArray *
write_sessions (TestStore *store)
{
  GPtrArray *heads = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_head_free);

  for (guint session = 1; session <= N_SESSIONS; session++)
    g_ptr_array_add (heads, write_session (store, session, TEST_EPOCH + g_test_rand_int_range (0, 20)));
  return heads;
}

static gboolean
is_wanted (const ClqQuery *query, const char *name, const char *value)
{
  const char *wanted = query->filters != NULL ? g_hash_table_lookup (query->filters, name) : NULL;

  return wanted == NULL || g_strcmp0 (wanted, value) == 0;
}

static int
compare_heads (gconstpointer a, gconstpointer b)
{
  const ClqHead *one = *(const ClqHead *const *) a, *other = *(const ClqHead *const *) b;

  if (one->updated_at != other->updated_at)
    return one->updated_at < other->updated_at ? -1 : 1;
  return memcmp (one->id, other->id, sizeof one->id);
}

/* The heads that @query asks for, without paging. */
static GPtrArray *
model_ask (GPtrArray *heads, const ClqQuery *query)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < heads->len; i++)
    {
      const ClqHead *head = heads->pdata[i];

      if (is_wanted (query, "graph", head->graph_name) && is_wanted (query, "state", head->state) &&
          is_wanted (query, "status", clq_head_get_status (head)) && is_wanted (query, "owner", clq_head_get_owner (head)) &&
          (query->after == 0 || head->updated_at > (gint64) query->after) &&
          (query->before == 0 || head->updated_at < (gint64) query->before))
        g_ptr_array_add (found, heads->pdata[i]);
    }
  g_ptr_array_sort (found, compare_heads);
  for (guint i = 0, j = found->len; query->newest_first && i + 1 < j; i++)
    {
      gpointer keep = found->pdata[i];

      found->pdata[i] = found->pdata[--j];
      found->pdata[j] = keep;
    }
  return found;
}

static void
set_random_filters (ClqQuery *query)
{
  if (g_test_rand_int_range (0, 3) == 0)
    clq_query_set_filter (query, "graph", graphs[g_test_rand_int_range (0, G_N_ELEMENTS (graphs))]);
  if (g_test_rand_int_range (0, 3) == 0)
    clq_query_set_filter (query, "state", states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]);
  if (g_test_rand_int_range (0, 3) == 0)
    clq_query_set_filter (query, "status", clq_status_to_string (g_test_rand_int_range (0, CLQ_STATUS_FAILED + 1)));
  if (g_test_rand_int_range (0, 3) == 0)
    clq_query_set_filter (query, "owner", owners[g_test_rand_int_range (1, G_N_ELEMENTS (owners))]);
}

static void
check_filters (TestStore *store, GPtrArray *heads)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);
  g_autoptr (GPtrArray) expected = NULL;

  set_random_filters (query);
  query->newest_first = g_test_rand_bit ();
  query->after = g_test_rand_bit () ? TEST_EPOCH + g_test_rand_int_range (0, 20) : 0;
  query->before = g_test_rand_bit () ? TEST_EPOCH + g_test_rand_int_range (0, 20) : 0;
  expected = model_ask (heads, query);
  test_store_ask (store, store->info->list, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->heads->len, ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    test_assert_heads_equal (answer->heads->pdata[i], expected->pdata[i]);
}

static void
test_list_filters (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) heads = write_sessions (store);

  for (guint i = 0; i < 200; i++)
    check_filters (store, heads);
  if (!test_store_reopen (store))
    return;
  for (guint i = 0; i < 50; i++)
    check_filters (store, heads);
}

static void
test_list_nothing (TestStore *store, gconstpointer config)
{
  static const char *const names[] = { "graph", "state", "status", "owner" };
  guint64 seq = 0;

  for (guint i = 0; i < 2; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (names); j++)
        {
          g_autoptr (TestAnswer) answer = NULL;
          ClqQuery *query = test_query_new (0, &answer);

          clq_query_set_filter (query, names[j], "nothing like it'; --");
          test_store_ask (store, store->info->list, query, answer);
          g_assert_no_error (answer->error);
          g_assert_cmpuint (answer->heads->len, ==, 0);
        }
      if (i == 0)
        test_store_write (store, test_commit_next (1, &seq));
    }
}

/* Reads all pages of @limit heads and compares them with the list as a whole. */
static void
check_pages (TestStore *store, GPtrArray *heads, guint limit, gboolean newest_first)
{
  ClqQuery all = { .newest_first = newest_first };
  g_autoptr (GPtrArray) expected = model_ask (heads, &all);
  const ClqHead *last = NULL;
  guint n_read = 0;

  for (gboolean is_last = FALSE; !is_last;)
    {
      g_autoptr (TestAnswer) answer = NULL;
      ClqQuery *query = test_query_new (0, &answer);

      query->limit = limit;
      query->newest_first = newest_first;
      if (last != NULL)
        {
          memcpy (query->id, last->id, sizeof last->id);
          query->before = newest_first ? last->updated_at : 0;
          query->after = newest_first ? 0 : last->updated_at;
        }
      test_store_ask (store, store->info->list, query, answer);
      g_assert_no_error (answer->error);
      g_assert_cmpuint (answer->heads->len, ==, MIN (limit, expected->len - n_read));
      for (guint i = 0; i < answer->heads->len; i++)
        test_assert_heads_equal (answer->heads->pdata[i], expected->pdata[n_read + i]);
      n_read += answer->heads->len;
      is_last = answer->heads->len < limit;
      last = expected->pdata[n_read - 1];
    }
  g_assert_cmpuint (n_read, ==, expected->len);
}

static void
test_list_pages (TestStore *store, gconstpointer config)
{
  static const guint limits[] = { 1, 7, 64, N_SESSIONS, 1000 };
  g_autoptr (GPtrArray) heads = write_sessions (store);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      check_pages (store, heads, limits[i], FALSE);
      check_pages (store, heads, limits[i], TRUE);
    }
}

/* A session that is written again is found as it is now and not as it was. */
static void
test_list_moves (TestStore *store, gconstpointer config)
{
  g_autoptr (GPtrArray) heads = write_sessions (store);

  for (guint i = 0; i < 30; i++)
    {
      guint place = g_test_rand_int_range (0, heads->len);
      ClqHead *head = heads->pdata[place];
      ClqCommit *commit = test_commit_new (place + 1, head->seq);

      test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{}");
      commit->head.state = g_intern_string (states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]);
      commit->head.updated_at = TEST_EPOCH + g_test_rand_int_range (0, 40);
      if (g_test_rand_bit ())
        test_commit_extra (commit)->owner = g_strdup ("bert");
      clq_head_free (head);
      heads->pdata[place] = clq_head_copy (&commit->head);
      test_store_write (store, commit);
      check_filters (store, heads);
    }
  check_pages (store, heads, 10, TRUE);
}

static void
write_notification (TestStore *store, guint session, guint64 *seq, const char *body)
{
  ClqCommit *commit = test_commit_new (session, *seq);

  test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{}");
  test_commit_add_record (commit, CLQ_RECORD_NOTIFICATION, CLQ_ROLE_NONE, TEST_EPOCH, body);
  commit->head.updated_at = TEST_EPOCH + session;
  *seq = commit->head.seq;
  test_store_write (store, commit);
}

/* Asks which sessions have unread notifications; @expected are their numbers, the last written first. */
static void
check_unread (TestStore *store, const char *expected)
{
  g_autoptr (TestAnswer) answer = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  ClqQuery *query = test_query_new (0, &answer);

  clq_query_set_filter (query, "unread", "true");
  query->newest_first = TRUE;
  test_store_ask (store, store->info->list, query, answer);
  g_assert_no_error (answer->error);
  for (guint i = 0; i < answer->heads->len; i++)
    g_string_append_printf (found, "%u ", (guint) (clq_head_get_updated_at (answer->heads->pdata[i]) - TEST_EPOCH));
  g_assert_cmpstr (found->str, ==, expected);
}

/* A session is unread until each of its notifications was read, whatever else is said to have been. */
static void
test_list_unread (TestStore *store, gconstpointer config)
{
  guint64 seq[5] = { 0 };
  g_autofree char *first = NULL, *second = NULL;

  for (guint i = 1; i < G_N_ELEMENTS (seq); i++)
    test_store_write (store, test_commit_next (i, &seq[i]));
  check_unread (store, "");
  write_notification (store, 2, &seq[2], "{\"text\":\"one\"}");
  first = g_strdup_printf ("{\"read\":[%" G_GUINT64_FORMAT "]}", seq[2]);
  write_notification (store, 4, &seq[4], "{\"text\":\"other\",\"read\":true}");
  check_unread (store, "4 2 ");
  write_notification (store, 2, &seq[2], "{\"text\":\"two\"}");
  second = g_strdup_printf ("{\"read\":[%" G_GUINT64_FORMAT ",1,99]}", seq[2]);
  write_notification (store, 2, &seq[2], first);
  write_notification (store, 2, &seq[2], first);
  write_notification (store, 3, &seq[3], second);
  check_unread (store, "4 2 ");
  if (test_store_reopen (store))
    check_unread (store, "4 2 ");
  write_notification (store, 2, &seq[2], second);
  check_unread (store, "4 ");
}

const TestCase test_list_cases[] = {
  { "list/filters", test_list_filters },
  { "list/nothing", test_list_nothing },
  { "list/pages", test_list_pages },
  { "list/moves", test_list_moves },
  { "list/unread", test_list_unread },
  { NULL },
};
