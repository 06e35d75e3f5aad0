#include "sample.h"

#include <string.h>

static const char graph_text[] = "[graph]\nname=plain\n";

/* Texts of all lengths, also some that do not fit on a page. */
static char *
make_body (guint session, guint step, guint record)
{
  guint length = (session * 131 + step * 37 + record * 17) % 240;
  GString *body = g_string_new (NULL);

  if (step == 12 && session % 4 == 1 && record == 0)
    length += 20000;
  g_string_append_printf (body, "{\"of\":\"%u/%u/%u\",\"text\":\"", session, step, record);
  for (guint i = 0; i < length; i++)
    g_string_append_c (body, i % 7 == 6 ? ' ' : 'a' + (i * session + step) % 26);
  g_string_append (body, "\"}");
  return g_string_free (body, FALSE);
}

/* What the agents of a step have used; every few steps nothing. */
static void
use_agents (ClqCommit *commit, guint session, guint step)
{
  static const char *const agents[] = { "optimist", "sceptic" };

  for (guint i = 0; i < step % 3; i++)
    {
      const ClqUsage usage = { .day = 20370 + step / 10, .agent = agents[i], .calls = 1 + i, .tokens_in = 10 * step + session, .tokens_out = step, .cost = step / 8.0 };

      test_commit_add_usage (commit, &usage);
    }
}

static void
decorate (ClqCommit *commit, guint session, guint step)
{
  ClqHead *head = &commit->head;
  g_autofree char *data = g_strdup_printf ("{\"session\":%u,\"step\":%u}", session, step);

  test_commit_set_data (commit, data);
  head->wake_at = step % 3 == 1 ? TEST_EPOCH + session + step : 0;
  head->status = step % 4 == 1 ? CLQ_STATUS_RUNNING : CLQ_STATUS_RESTING;
  head->state = g_intern_string (step % 2 == 0 ? "listening" : "working");
  if (session % 2 == 0)
    test_commit_extra (commit)->owner = g_strdup ("anna");
  if (step % 5 == 2)
    test_commit_add_mark (commit, step % 10 == 2 ? "even" : "odd", head->segment, 1);
  if (step == 0)
    commit->graph_text = graph_text;
  if (step % 4 == 3)
    {
      commit->key = g_intern_string (step % 8 == 3 ? "first key" : "second key");
      commit->result = step % 8 == 3 ? "{\"ok\":true}" : NULL;
    }
}

ClqCommit *
sample_next (Sample *self)
{
  static const ClqRecordType types[] = { CLQ_RECORD_EVENT, CLQ_RECORD_CONTEXT, CLQ_RECORD_MESSAGE };
  guint step = self->n_steps++, n_records = 1 + (self->session + step) % 3;
  ClqCommit *commit = test_commit_new (self->session, self->seq);

  commit->head.segment = self->n_segments;
  commit->head.n_segments = self->n_segments;
  if (step % 6 == 4)
    test_commit_add_segment (commit, self->n_segments + 1, self->n_segments, self->seq / 2);
  self->n_segments = commit->head.n_segments;
  for (guint i = 0; i < n_records; i++)
    {
      g_autofree char *body = make_body (self->session, step, i);

      test_commit_add_record (commit, types[i], i == 2 ? CLQ_ROLE_USER : CLQ_ROLE_NONE, TEST_EPOCH + step, body);
    }
  decorate (commit, self->session, step);
  use_agents (commit, self->session, step);
  /* A key is for one input: only the first of its kind has it. */
  if (step >= 8)
    commit->key = commit->result = NULL;
  self->seq = commit->head.seq;
  return commit;
}

void
sample_write (TestStore *store, guint n_sessions, guint n_steps)
{
  g_autofree Sample *samples = g_new (Sample, n_sessions);

  for (guint i = 0; i < n_sessions; i++)
    samples[i] = SAMPLE (i + 1);
  for (guint step = 0; step < n_steps; step++)
    {
      g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

      for (guint i = 0; i < n_sessions; i++)
        g_ptr_array_add (commits, sample_next (&samples[i]));
      test_store_commit (store, commits);
      for (guint i = 0; i < n_sessions; i++)
        g_assert_no_error (((ClqCommit *) commits->pdata[i])->error);
    }
}

/* ---- comparing ---- */

/* All that a session must have after some steps. */
typedef struct
{
  GPtrArray *commits;
  guint n_records;
  guint n_segments;
  gboolean has_even;
  gboolean has_odd;
} Expected;

static Expected
expect (guint session, guint64 seq)
{
  Expected self = { .commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free) };
  Sample sample = SAMPLE (session);

  while (sample.seq < seq)
    {
      ClqCommit *commit = sample_next (&sample);

      g_ptr_array_add (self.commits, commit);
      self.n_records += commit->records->len;
      self.n_segments += commit->segments->len;
      for (guint i = 0; i < commit->marks->len; i++)
        {
          const ClqMark *mark = &g_array_index (commit->marks, ClqMark, i);

          self.has_even = self.has_even || strcmp (mark->name, "even") == 0;
          self.has_odd = self.has_odd || strcmp (mark->name, "odd") == 0;
        }
    }
  /* Commits are there as a whole. */
  g_assert_cmpuint (sample.seq, ==, seq);
  return self;
}

static gboolean
read_journal (TestStore *store, guint session, const Expected *expected, GError **error)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);
  guint place = 0;

  test_store_ask (store, store->info->journal, query, answer);
  if (answer->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&answer->error));
      return FALSE;
    }
  g_assert_cmpuint (answer->records->len, ==, expected->n_records);
  for (guint i = 0; i < expected->commits->len; i++)
    {
      const ClqCommit *commit = expected->commits->pdata[i];

      for (guint j = 0; j < commit->records->len; j++)
        test_assert_records_equal (answer->records->pdata[place++], &g_array_index (commit->records, ClqRecord, j));
    }
  return TRUE;
}

static gboolean
read_key (TestStore *store, guint session, const Expected *expected, GError **error)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (session, &answer);

  query->key = g_strdup ("first key");
  test_store_ask (store, store->info->load, query, answer);
  if (answer->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&answer->error));
      return FALSE;
    }
  if (answer->key_seq == 0 && expected->commits->len > 3)
    {
      g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "the key of an input is gone");
      return FALSE;
    }
  g_assert_cmpint (answer->key_seq > 0, ==, expected->commits->len > 3);
  g_assert_cmpstr (answer->result, ==, expected->commits->len > 3 ? "{\"ok\":true}" : NULL);
  return TRUE;
}

int
sample_read (TestStore *store, guint session, GError **error)
{
  g_autoptr (TestAnswer) answer = test_store_load (store, session);
  g_autoptr (GPtrArray) commits = NULL;
  const ClqHead *head;
  Expected expected;

  if (answer->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&answer->error));
      return -1;
    }
  if (answer->heads->len == 0)
    return 0;
  head = answer->heads->pdata[0];
  expected = expect (session, head->seq);
  commits = expected.commits;
  test_assert_heads_equal (head, &((ClqCommit *) commits->pdata[commits->len - 1])->head);
  g_assert_cmpuint (answer->segments->len, ==, expected.n_segments);
  g_assert_cmpuint (answer->marks->len, ==, expected.has_even + expected.has_odd);
  if (!read_journal (store, session, &expected, error) || !read_key (store, session, &expected, error))
    return -1;
  return commits->len;
}

static int
compare_usage (gconstpointer a, gconstpointer b)
{
  const ClqUsage *one = a, *other = b;

  return one->day != other->day ? (one->day < other->day ? -1 : 1) : strcmp (one->agent, other->agent);
}

static void
add_usage (GArray *sums, const ClqUsage *usage)
{
  for (guint i = 0; i < sums->len; i++)
    {
      ClqUsage *sum = &g_array_index (sums, ClqUsage, i);

      if (compare_usage (sum, usage) == 0)
        {
          sum->calls += usage->calls;
          sum->tokens_in += usage->tokens_in;
          sum->tokens_out += usage->tokens_out;
          sum->cost += usage->cost;
          return;
        }
    }
  g_array_append_val (sums, *usage);
}

/* What the steps that the store has must have used. */
static GArray *
expect_usage (TestStore *store, guint n_sessions)
{
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (ClqUsage));

  for (guint session = 1; session <= n_sessions; session++)
    {
      Sample sample = SAMPLE (session);
      int n_steps = sample_read (store, session, NULL);

      for (int step = 0; step < n_steps; step++)
        {
          g_autoptr (ClqCommit) commit = sample_next (&sample);

          for (guint i = 0; i < clq_commit_get_n_usage (commit); i++)
            add_usage (sums, clq_commit_get_usage (commit, i));
        }
    }
  g_array_sort (sums, compare_usage);
  return sums;
}

void
sample_assert_usage (TestStore *store, guint n_sessions)
{
  g_autoptr (GArray) expected = expect_usage (store, n_sessions);
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  test_store_ask (store, store->info->usage, query, answer);
  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->usage->len, ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    {
      const ClqUsage *sum = &g_array_index (answer->usage, ClqUsage, i), *wanted = &g_array_index (expected, ClqUsage, i);

      g_assert_cmpint (compare_usage (sum, wanted), ==, 0);
      g_assert_cmpuint (sum->calls, ==, wanted->calls);
      g_assert_cmpuint (sum->tokens_in, ==, wanted->tokens_in);
      g_assert_cmpuint (sum->tokens_out, ==, wanted->tokens_out);
      g_assert_cmpfloat (sum->cost, ==, wanted->cost);
    }
}
