/*
 * A conversation of ten thousand turns of 2 KB in the SQLite store: what a turn costs then, beside one in a conversation of
 * a hundred turns, and how long it takes to load it and to read its last page when the store was just opened.
 */
#include "bench.h"

#include <string.h>

#include "sqlite.h"

#define N_TURNS 10000
#define N_EARLY 100
#define N_AT_A_TIME 30
#define TEXT_SIZE 2048

typedef struct
{
  guint session;
  guint n_turns;
  guint64 seq;
} Talk;

static ClqCommit *
make_turn (Talk *self)
{
  g_autoptr (GString) body = g_string_new ("{\"text\":\"");
  ClqCommit *commit = test_commit_new (self->session, self->seq);
  guint turn = self->n_turns++;

  test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH + turn,
                          "{\"from\":\"STREAMING\",\"event\":\"message\",\"to\":\"STREAMING\",\"ms\":12345,\"actor\":\"user\"}");
  for (guint i = 0; i < TEXT_SIZE; i++)
    g_string_append_c (body, 'a' + (i * turn + i / 7) % 26);
  g_string_append (body, "\"}");
  test_commit_add_record (commit, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, TEST_EPOCH + turn, body->str);
  self->seq = commit->head.seq;
  return commit;
}

/* Seconds for one turn. */
static double
time_turns (Talk *self, TestStore *store, guint n_turns)
{
  double start = bench_now ();

  for (guint i = 0; i < n_turns; i++)
    test_store_write (store, make_turn (self));
  return (bench_now () - start) / n_turns;
}

static double
time_load (const char *path, guint64 seq)
{
  g_autoptr (TestAnswer) load = NULL, page = NULL;
  g_autoptr (GError) error = NULL;
  TestStore store;
  ClqQuery *query;
  double start;

  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  start = bench_now ();
  load = test_store_load (&store, 1);
  query = test_query_new (1, &page);
  query->newest_first = TRUE;
  query->limit = 100;
  test_store_ask (&store, store.info->journal, query, page);
  start = bench_now () - start;
  g_assert_cmpuint (((ClqHead *) load->heads->pdata[0])->seq, ==, seq);
  g_assert_cmpuint (page->records->len, ==, 100);
  sqlite_store_close (&store);
  return start;
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("colloquy-bench-XXXXXX", NULL), *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GError) error = NULL;
  BenchSeries loads = { 0 }, early = { 0 }, late = { 0 };
  Talk old = { .session = 1 }, young = { .session = 2 };
  TestStore store;

  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  time_turns (&old, &store, N_TURNS);
  time_turns (&young, &store, N_EARLY);
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      bench_add (&early, time_turns (&young, &store, N_AT_A_TIME));
      bench_add (&late, time_turns (&old, &store, N_AT_A_TIME));
    }
  sqlite_store_close (&store);
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    bench_add (&loads, time_load (path, old.seq));
  g_print ("%-52s %10.1f us at turn %d, %.1f us at turn %d\n", "a turn of 2 KB", bench_median (&early) * 1e6, N_EARLY, bench_median (&late) * 1e6, N_TURNS);
  bench_goal ("turn 10,000 / turn 100", bench_median (&late) / bench_median (&early), "x", FALSE, 1.2, 1.0);
  bench_goal ("loading it and its last 100 records", bench_median (&loads) * 1e3, "ms", FALSE, 50, 5);
  sqlite_folder_free (g_steal_pointer (&folder));
  return 0;
}
