#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* A session as simple as can be: all its records in the order of their numbers, and its segments. */
typedef struct
{
  guint session;
  GPtrArray *records;
  GArray *segments; /* ClqSegment, the root first */
} Model;

static Model *
model_new (guint session)
{
  Model *self = g_new0 (Model, 1);
  ClqSegment root = { CLQ_ROOT_SEGMENT, 0, 0 };

  self->session = session;
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  g_array_append_val (self->segments, root);
  return self;
}

static void
model_free (Model *self)
{
  g_ptr_array_unref (self->records);
  g_array_unref (self->segments);
  g_free (self);
}

/* What leads to record @until on @segment: what leads to the record that the segment continues, then its own. */
static void
model_add_path (const Model *self, guint32 segment, guint64 until, GPtrArray *path)
{
  const ClqSegment *place = &g_array_index (self->segments, ClqSegment, segment - CLQ_ROOT_SEGMENT);

  if (segment != CLQ_ROOT_SEGMENT)
    model_add_path (self, place->parent, MIN (until, place->parent_seq), path);
  for (guint i = 0; i < self->records->len; i++)
    {
      ClqRecord *record = self->records->pdata[i];

      if (record->segment == segment && record->seq <= until)
        g_ptr_array_add (path, record);
    }
}

/* The records that @query asks for. */
static GPtrArray *
model_ask (const Model *self, const ClqQuery *query)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  GPtrArray *page = g_ptr_array_new ();

  if (query->segment > 0)
    model_add_path (self, query->segment, G_MAXUINT64, path);
  else
    g_ptr_array_extend (path, self->records, NULL, NULL);
  for (guint i = 0; i < path->len && (query->limit == 0 || page->len < query->limit); i++)
    {
      ClqRecord *record = path->pdata[query->newest_first ? path->len - 1 - i : i];

      if (record->seq > query->after && (query->before == 0 || record->seq < query->before) &&
          (query->types == 0 || (query->types >> record->type & 1) != 0))
        g_ptr_array_add (page, record);
    }
  return page;
}

/* Opens a segment that continues from any record on the path to any other segment, or from before the first. */
static void
model_fork (Model *self, ClqCommit *commit)
{
  guint32 parent = g_test_rand_int_range (0, self->segments->len) + CLQ_ROOT_SEGMENT;
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  ClqSegment segment = { self->segments->len + CLQ_ROOT_SEGMENT, parent, 0 };

  model_add_path (self, parent, G_MAXUINT64, path);
  if (path->len > 0 && g_test_rand_int_range (0, 8) > 0)
    segment.parent_seq = ((ClqRecord *) path->pdata[g_test_rand_int_range (0, path->len)])->seq;
  g_array_append_val (self->segments, segment);
  test_commit_add_segment (commit, segment.segment, segment.parent, segment.parent_seq);
}

static ClqCommit *
model_step (Model *self)
{
  ClqCommit *commit = test_commit_new (self->session, self->records->len);
  guint n_records = g_test_rand_int_range (1, 5);

  commit->head.segment = g_test_rand_int_range (0, self->segments->len) + CLQ_ROOT_SEGMENT;
  for (guint i = 0; i < 3 && g_test_rand_int_range (0, 6) == 0; i++)
    model_fork (self, commit);
  for (guint i = 0; i < n_records; i++)
    {
      gint64 at = TEST_EPOCH + g_test_rand_int_range (-1000000, 1000000);
      g_autofree char *body = g_strdup_printf ("{\"n\":\"%*d\"}", g_test_rand_int_range (1, 600), (int) self->records->len);

      test_commit_add_record (commit, g_test_rand_int_range (CLQ_RECORD_EVENT, CLQ_RECORD_SNAPSHOT + 1),
                              g_test_rand_int_range (CLQ_ROLE_NONE, CLQ_ROLE_SYSTEM + 1), at, body);
      g_ptr_array_add (self->records, clq_record_ref (&g_array_index (commit->records, ClqRecord, i)));
    }
  return commit;
}

static void
assert_page (TestStore *store, const Model *model, ClqQuery *query, TestAnswer *answer)
{
  g_autoptr (GPtrArray) expected = model_ask (model, query);

  test_store_ask (store, store->info->journal, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->records->len, ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    test_assert_records_equal (answer->records->pdata[i], expected->pdata[i]);
}

static void
check_random_page (TestStore *store, const Model *model)
{
  int end = model->records->len + 2;
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (model->session, &answer);

  query->segment = g_test_rand_int_range (0, model->segments->len + 1);
  query->after = g_test_rand_bit () ? g_test_rand_int_range (0, end) : 0;
  query->before = g_test_rand_bit () ? g_test_rand_int_range (0, end) : 0;
  query->limit = g_test_rand_bit () ? g_test_rand_int_range (1, 12) : 0;
  query->types = g_test_rand_bit () ? g_test_rand_int_range (1, 128) << 1 : 0;
  query->newest_first = g_test_rand_bit ();
  assert_page (store, model, query, answer);
}

/* Page after page gives the whole path, in either direction. */
static void
check_all_pages (TestStore *store, const Model *model, gboolean newest_first)
{
  guint32 tip = g_test_rand_int_range (0, model->segments->len + 1);
  guint n_records = 0, n_expected;
  guint64 last = 0;
  g_autoptr (GPtrArray) expected = NULL;
  ClqQuery all = { .segment = tip };

  expected = model_ask (model, &all);
  n_expected = expected->len;
  for (gboolean is_last = FALSE; !is_last;)
    {
      g_autoptr (TestAnswer) answer = NULL;
      ClqQuery *query = test_query_new (model->session, &answer);

      query->segment = tip;
      query->limit = 5;
      query->newest_first = newest_first;
      if (newest_first)
        query->before = last;
      else
        query->after = last;
      assert_page (store, model, query, answer);
      n_records += answer->records->len;
      is_last = answer->records->len < 5;
      if (!is_last)
        last = ((ClqRecord *) answer->records->pdata[4])->seq;
      /* What is before the first record is nothing, but no bound is all. */
      is_last = is_last || (newest_first && last == 1);
    }
  g_assert_cmpuint (n_records, ==, n_expected);
}

static void
check_models (TestStore *store, GPtrArray *models, guint n_pages)
{
  for (guint i = 0; i < models->len; i++)
    {
      for (guint j = 0; j < n_pages; j++)
        check_random_page (store, models->pdata[i]);
      check_all_pages (store, models->pdata[i], FALSE);
      check_all_pages (store, models->pdata[i], TRUE);
    }
}

/* Random trees, several sessions at a time: what is read is what a simple model says. */
static void
test_journal_trees (TestStore *store, gconstpointer config)
{
  enum
  {
    N_TREES = 256,
    AT_A_TIME = 32,
    N_PAGES = 12,
  };

  for (guint first = 1; first <= N_TREES; first += AT_A_TIME)
    {
      g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) model_free);
      guint n_steps = g_test_rand_int_range (1, 40);

      for (guint i = 0; i < AT_A_TIME; i++)
        g_ptr_array_add (models, model_new (first + i));
      for (guint step = 0; step < n_steps; step++)
        {
          g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

          for (guint i = 0; i < AT_A_TIME; i++)
            g_ptr_array_add (commits, model_step (models->pdata[i]));
          test_store_commit (store, commits);
          for (guint i = 0; i < AT_A_TIME; i++)
            g_assert_no_error (((ClqCommit *) commits->pdata[i])->error);
        }
      check_models (store, models, N_PAGES);
      if (first + AT_A_TIME > N_TREES && test_store_reopen (store))
        check_models (store, models, N_PAGES);
    }
}

/* A journal of many records in one line. */
static void
test_journal_long (TestStore *store, gconstpointer config)
{
  enum
  {
    N_COMMITS = 300,
    N_RECORDS = 10,
  };
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) model_free);
  Model *model = model_new (1);

  g_ptr_array_add (models, model);
  for (guint i = 0; i < N_COMMITS; i++)
    {
      ClqCommit *commit = test_commit_new (1, model->records->len);

      for (guint j = 0; j < N_RECORDS; j++)
        {
          g_autofree char *body = g_strdup_printf ("{\"commit\":%u,\"record\":%u}", i, j);

          test_commit_add_record (commit, CLQ_RECORD_EVENT + j % 3, CLQ_ROLE_USER, TEST_EPOCH + i, body);
        }
      for (guint j = 0; j < N_RECORDS; j++)
        g_ptr_array_add (model->records, clq_record_ref (&g_array_index (commit->records, ClqRecord, j)));
      test_store_write (store, commit);
    }
  check_models (store, models, 200);
}

static void
test_journal_unknown (TestStore *store, gconstpointer config)
{
  g_autoptr (TestAnswer) no_session = NULL, no_segment = NULL, other_segment = NULL;
  guint64 seq = 0, other = 0;
  ClqCommit *commit;
  ClqQuery *query;

  test_store_write (store, test_commit_next (1, &seq));
  commit = test_commit_next (2, &other);
  test_commit_add_segment (commit, 2, 1, 1);
  test_store_write (store, commit);
  query = test_query_new (3, &no_session);
  test_store_ask (store, store->info->journal, query, no_session);
  g_assert_no_error (no_session->error);
  g_assert_cmpuint (no_session->records->len, ==, 0);
  query = test_query_new (1, &no_segment);
  query->segment = 2;
  test_store_ask (store, store->info->journal, query, no_segment);
  g_assert_error (no_segment->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND);
  query = test_query_new (2, &other_segment);
  query->segment = 2;
  test_store_ask (store, store->info->journal, query, other_segment);
  g_assert_no_error (other_segment->error);
  g_assert_cmpuint (other_segment->records->len, ==, 1);
}

const TestCase test_journal_cases[] = {
  { "journal/trees", test_journal_trees },
  { "journal/long", test_journal_long },
  { "journal/unknown", test_journal_unknown },
  { NULL },
};
