/*
 * Searching a hundred thousand entries in the SQLite store, beside the bare query on the same index, in turns. The bare query
 * ranks with FTS5's own function and gives numbers; the store gives records of sessions, with a relevance from 0 to 1. To order by
 * bm25() is faster than to order by FTS5's column rank, which sorts all hits.
 */
#include "bench.h"

#include <sqlite3.h>
#include <string.h>

#include "sqlite.h"

#define N_SESSIONS 1000
#define N_ENTRIES 100 /* of each */
#define N_QUERIES 200
#define N_HITS 50

static const char *const nouns[] = { "parser", "cache", "socket", "index", "calendar", "editor", "schema", "invoice", "router", "token",
                                     "matrix", "signal", "thread", "driver", "report", "budget", "mirror", "folder", "ledger", "canvas" };

/* A word that is the rarer the larger the number is. */
static void
append_word (GString *out, GRand *rand)
{
  double place = g_rand_double (rand);

  if (place < 0.3)
    g_string_append (out, nouns[g_rand_int_range (rand, 0, G_N_ELEMENTS (nouns))]);
  else
    g_string_append_printf (out, "w%d", (int) (20000 * place * place * place));
}

static void
fill (TestStore *store, GRand *rand)
{
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      ClqCommit *commit = test_commit_new (i + 1, 0);

      for (guint j = 0; j < N_ENTRIES; j++)
        {
          g_autoptr (GString) body = g_string_new ("{\"type\":\"request\",\"content\":\"");

          for (guint k = 0; k < 30; k++)
            {
              append_word (body, rand);
              g_string_append_c (body, ' ');
            }
          g_string_append (body, "\"}");
          test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH + j, body->str);
        }
      test_store_write (store, commit);
    }
}

static double
time_store (TestStore *store, const char *words, const char *graph, guint *n_found)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);
  double start = bench_now ();

  query->text = g_strdup (words);
  query->limit = N_HITS;
  if (graph != NULL)
    clq_query_set_filter (query, "graph", graph);
  test_store_ask (store, store->info->search, query, answer);
  *n_found = answer->records->len;
  return bench_now () - start;
}

static double
time_raw (sqlite3_stmt *statement, const char *words, guint *n_found)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);
  g_autofree char *match = g_strjoinv (" OR ", list);
  double start = bench_now ();

  *n_found = 0;
  sqlite3_bind_text (statement, 1, match, -1, SQLITE_STATIC);
  while (sqlite3_step (statement) == SQLITE_ROW)
    ++*n_found;
  sqlite3_reset (statement);
  return bench_now () - start;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return *(const double *) a < *(const double *) b ? -1 : 1;
}

static double
at (GArray *times, double share)
{
  g_array_sort (times, compare);
  return g_array_index (times, double, (guint) ((times->len - 1) * share));
}

static void
report (GArray *ours, GArray *theirs, const char *what)
{
  g_autofree char *median = g_strdup_printf ("median: %s / bare", what), *slow = g_strdup_printf ("99 %%: %s / bare", what);

  g_print ("%-52s %10.2f ms, 99 %%: %.2f ms\n", what, at (ours, 0.5) * 1e3, at (ours, 0.99) * 1e3);
  bench_goal (median, at (ours, 0.5) / at (theirs, 0.5), "x", FALSE, 1.3, 1.0);
  bench_goal (slow, at (ours, 0.99) / at (theirs, 0.99), "x", FALSE, 1.3, 1.0);
}

static void
measure (TestStore *store, sqlite3_stmt *raw, GRand *rand)
{
  g_autoptr (GArray) ours = g_array_new (FALSE, FALSE, sizeof (double)), theirs = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) filtered = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < N_QUERIES; i++)
    {
      g_autoptr (GString) words = g_string_new (nouns[i % G_N_ELEMENTS (nouns)]);
      guint n_ours, n_theirs, n_filtered;
      double time;

      for (guint j = 0; j < 3; j++)
        g_string_append_printf (words, " w%d", g_rand_int_range (rand, 0, 2000));
      time = time_store (store, words->str, NULL, &n_ours);
      g_array_append_val (ours, time);
      time = time_raw (raw, words->str, &n_theirs);
      g_array_append_val (theirs, time);
      time = time_store (store, words->str, "plain", &n_filtered);
      g_array_append_val (filtered, time);
      g_assert_cmpuint (n_ours, ==, n_theirs);
      g_assert_cmpuint (n_filtered, ==, n_theirs);
    }
  g_print ("%-52s %10.2f ms, 99 %%: %.2f ms\n", "the bare query", at (theirs, 0.5) * 1e3, at (theirs, 0.99) * 1e3);
  report (ours, theirs, "the store");
  report (filtered, theirs, "the store, for one graph");
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("colloquy-bench-XXXXXX", NULL), *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *statement = NULL;
  sqlite3 *db = NULL;
  TestStore store;

  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  fill (&store, rand);
  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT rowid, bm25(words) FROM words WHERE words MATCH ?1 ORDER BY 2 LIMIT " G_STRINGIFY (N_HITS), -1, &statement, NULL), ==, SQLITE_OK);
  measure (&store, statement, rand);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  sqlite_store_close (&store);
  sqlite_folder_free (g_steal_pointer (&folder));
  return 0;
}
