/* The SQLite store in the long run: how it grows, what damage does, backups. */
#include "sample.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

static TestStore
open_store (const char *path)
{
  g_autoptr (GError) error = NULL;
  TestStore store;

  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  return store;
}

static guint64
get_size (const char *path, const char *ending)
{
  g_autofree char *name = g_strconcat (path, ending, NULL);
  GStatBuf info;

  return g_stat (name, &info) == 0 ? info.st_size : 0;
}

/* ---- growth ---- */

/* How large the database will be when all is written. */
static guint64
count_bytes (const char *path)
{
  guint64 bytes;
  sqlite3 *handle;
  sqlite3_stmt *select;

  g_assert_cmpint (sqlite3_open_v2 (path, &handle, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (handle, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", -1, &select, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (select), ==, SQLITE_ROW);
  bytes = sqlite3_column_int64 (select, 0);
  sqlite3_finalize (select);
  g_assert_cmpint (sqlite3_close (handle), ==, SQLITE_OK);
  return bytes;
}

#define TEXT_SIZE 2048

static void
add_turn (ClqCommit *commit, guint turn)
{
  g_autoptr (GString) body = g_string_new ("{\"text\":\"");

  test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH + turn,
                          "{\"from\":\"STREAMING\",\"event\":\"message\",\"to\":\"STREAMING\",\"ms\":12345,\"kind\":\"action\",\"actor\":\"user\"}");
  for (guint i = 0; i < TEXT_SIZE; i++)
    g_string_append_c (body, 'a' + (i * turn + i / 7) % 26);
  g_string_append (body, "\"}");
  test_commit_add_record (commit, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, TEST_EPOCH + turn, body->str);
}

/* Ten thousand turns of 2 KB: the last ones cost what the first ones did, and all of them little more than their texts. */
static void
test_growth (void)
{
  enum
  {
    N_TURNS = 10000,
    AT_ONCE = 10,
    EARLY = 100,
    STRETCH = 1000,
  };
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  TestStore store = open_store (path);
  g_autoptr (TestAnswer) page = NULL;
  guint64 seq = 0, early = 0, late = 0, bytes;
  ClqQuery *query;

  for (guint turn = 0; turn < N_TURNS; turn += AT_ONCE)
    {
      ClqCommit *commit = test_commit_new (1, seq);

      if (turn == EARLY)
        early = count_bytes (path);
      if (turn == EARLY + STRETCH)
        early = count_bytes (path) - early;
      if (turn == N_TURNS - STRETCH)
        late = count_bytes (path);
      for (guint i = 0; i < AT_ONCE; i++)
        add_turn (commit, turn + i);
      seq = commit->head.seq;
      test_store_write (&store, commit);
    }
  late = count_bytes (path) - late;
  g_assert_cmpuint (get_size (path, "-wal"), <, 40 * 1024 * 1024);
  query = test_query_new (1, &page);
  query->newest_first = TRUE;
  query->limit = 10;
  test_store_ask (&store, store.info->journal, query, page);
  g_assert_no_error (page->error);
  g_assert_cmpuint (((ClqRecord *) page->records->pdata[9])->seq, ==, 2 * N_TURNS - 9);
  sqlite_store_close (&store);
  bytes = get_size (path, "");
  g_test_message ("%.3f times the text; a turn %.0f bytes at first, %.0f at the end", (double) bytes / N_TURNS / TEXT_SIZE, (double) early / STRETCH, (double) late / STRETCH);
  g_assert_cmpuint (get_size (path, "-wal"), ==, 0);
  g_assert_cmpfloat ((double) bytes / N_TURNS / TEXT_SIZE, <=, 1.3);
  g_assert_cmpfloat ((double) late / early, <=, 1.2);
}

/* A fork is a segment and the event that made it. */
static void
test_forks (void)
{
  enum
  {
    N_FORKS = 2000,
  };
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  TestStore store = open_store (path);
  guint64 seq = 0, before;
  ClqCommit *commit = test_commit_new (1, 0);

  add_turn (commit, 1);
  seq = commit->head.seq;
  test_store_write (&store, commit);
  before = count_bytes (path);
  for (guint i = 0; i < N_FORKS; i++)
    {
      commit = test_commit_new (1, seq);
      test_commit_add_segment (commit, i + 2, i + 1, seq);
      test_commit_add_record (commit, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"from\":\"STREAMING\",\"event\":\"fork\",\"to\":\"FORKING\",\"ms\":12345}");
      seq = commit->head.seq;
      test_store_write (&store, commit);
    }
  g_test_message ("%.0f bytes", (double) (count_bytes (path) - before) / N_FORKS);
  g_assert_cmpuint (count_bytes (path) - before, <, 300 * N_FORKS);
  sqlite_store_close (&store);
}

/* ---- damage ---- */

#define N_SESSIONS 6
#define N_STEPS 39 /* of three steps one has one record, one two, one three */

/* The bytes of a store with some sessions. */
static char *
make_store (const char *path, gsize *length)
{
  TestStore store = open_store (path);
  char *bytes;

  sample_write (&store, N_SESSIONS, N_STEPS);
  sqlite_store_close (&store);
  g_assert_true (g_file_get_contents (path, &bytes, length, NULL));
  return bytes;
}

/* Whether a store can still be used in every way, though maybe not with success. */
static void
use_all (TestStore *store)
{
  g_autoptr (TestAnswer) list = NULL, found = NULL, graph = NULL;
  ClqQuery *query = test_query_new (0, &list);

  test_store_ask (store, store->info->list, query, list);
  for (guint i = 0; i < list->heads->len; i++)
    {
      ClqHead *head = list->heads->pdata[i];

      g_assert_cmpuint (head->seq, ==, N_STEPS * 2);
    }
  query = test_query_new (0, &found);
  query->text = g_strdup ("abcdef");
  test_store_ask (store, store->info->search, query, found);
  query = test_query_new (0, &graph);
  query->text = g_strdup ("0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0");
  test_store_ask (store, store->info->graph, query, graph);
  if (graph->error == NULL && graph->text != NULL)
    g_assert_cmpstr (graph->text, ==, "[graph]\nname=plain\n");
}

/* Reads all sessions. What is not as it was written must be said, or be found by looking at everything. */
static guint
count_damaged (TestStore *store)
{
  guint n_damaged = 0, n_gone = 0;

  for (guint session = 1; session <= N_SESSIONS; session++)
    {
      g_autoptr (GError) error = NULL;
      int n_steps = sample_read (store, session, &error);

      if (n_steps < 0 && !g_error_matches (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND))
        g_assert_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT);
      else if (n_steps > 0)
        g_assert_cmpint (n_steps, ==, N_STEPS);
      n_damaged += n_steps < 0;
      n_gone += n_steps == 0;
    }
  use_all (store);
  if (n_damaged + n_gone > 0)
    g_assert_false (sqlite_store_is_whole (store));
  return n_damaged + n_gone;
}

/* Returns how many sessions are damaged if one bit is another; all if the store cannot be opened. */
static guint
try_bit (const char *path, char *bytes, gsize length, gsize place, guint bit)
{
  g_autoptr (GError) error = NULL;
  guint n_damaged = N_SESSIONS;
  TestStore store;

  bytes[place] ^= 1 << bit;
  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  bytes[place] ^= 1 << bit;
  if (sqlite_store_open (&store, path, FALSE, &error))
    {
      n_damaged = count_damaged (&store);
      sqlite_store_close (&store);
    }
  else
    g_assert_true (error->domain == CLQ_STORE_ERROR);
  return n_damaged;
}

/* One wrong bit anywhere never gives something else than was written. */
static void
test_bits (void)
{
  const guint n_places = g_test_slow () ? 5000 : 300;
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL), *other = g_build_filename (folder, "other.db", NULL);
  gsize length;
  g_autofree char *bytes = make_store (path, &length);
  guint counts[N_SESSIONS + 1] = { 0 };

  g_assert_cmpuint (try_bit (other, bytes, length, length - 1, 8), ==, 0);
  for (guint i = 0; i < n_places; i++)
    counts[try_bit (other, bytes, length, g_test_rand_int_range (0, length), g_test_rand_int_range (0, 8))]++;
  for (guint i = 0; i <= N_SESSIONS; i++)
    g_test_message ("%u sessions damaged: %u times", i, counts[i]);
  /* Most of the bytes are texts or nothing. */
  g_assert_cmpuint (counts[0] + counts[1], >, n_places / 2);
  g_assert_cmpuint (counts[1], >, 0);
}

/* A wrong bit in the text of a record is the matter of its session only; the others go on, and it can be taken away. */
static void
test_record (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  gsize length;
  g_autofree char *bytes = make_store (path, &length);
  g_autoptr (TestAnswer) load = NULL, removed = NULL;
  g_autoptr (GError) error = NULL;
  TestStore store;
  ClqQuery *query;
  char *text = memmem (bytes, length, "\"of\":\"3/20/0\"", 13);

  g_assert_nonnull (text);
  text[8] ^= 1;
  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  store = open_store (path);
  g_assert_cmpuint (count_damaged (&store), ==, 1);
  g_assert_cmpint (sample_read (&store, 3, &error), ==, -1);
  g_assert_cmpstr (error->message, ==, "session 0199c82c-c003-79d5-93a2-b436664ca9d5: record 40 is damaged");
  for (guint session = 1; session <= N_SESSIONS; session++)
    {
      Sample sample = SAMPLE (session);

      for (guint i = 0; i < N_STEPS; i++)
        test_commit_free (sample_next (&sample));
      test_store_write (&store, sample_next (&sample));
      if (session != 3)
        g_assert_cmpint (sample_read (&store, session, NULL), ==, N_STEPS + 1);
    }
  query = test_query_new (3, &removed);
  test_store_ask (&store, store.info->remove, query, removed);
  g_assert_no_error (removed->error);
  load = test_store_load (&store, 3);
  g_assert_cmpuint (load->heads->len, ==, 0);
  sqlite_store_close (&store);
}

static guint
count_found (TestStore *store, GError **error)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup ("needle");
  test_store_ask (store, store->info->search, query, answer);
  if (answer->error != NULL)
    g_propagate_error (error, g_steal_pointer (&answer->error));
  return answer->records->len;
}

static void
write_needle (TestStore *store, guint64 *seq)
{
  ClqCommit *commit = test_commit_new (1, *seq);

  test_commit_add_record (commit, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, TEST_EPOCH, "{\"text\":\"a needle\"}");
  *seq = commit->head.seq;
  test_store_write (store, commit);
}

/* An index that is damaged keeps nobody from going on, and is made again from the records. */
static void
test_index (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  TestStore store = open_store (path);
  g_autoptr (TestAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;
  guint64 seq = 0;

  write_needle (&store, &seq);
  g_assert_cmpuint (count_found (&store, NULL), ==, 1);
  sqlite_store_close (&store);
  sqlite_run_sql (path, "UPDATE words_data SET block = x'ffffffffffffffffffffffffffffffff'");
  store = open_store (path);
  count_found (&store, &error);
  g_assert_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT);
  write_needle (&store, &seq);
  write_needle (&store, &seq);
  g_assert_false (sqlite_store_is_whole (&store));
  answer = sqlite_store_maintain (&store, "reindex", NULL);
  g_assert_no_error (answer->error);
  g_assert_cmpstr (answer->text, ==, "{\"records\":3}");
  write_needle (&store, &seq);
  g_assert_cmpuint (count_found (&store, NULL), ==, 4);
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

/* A sum that is damaged is left out and found by looking at everything; the next commit begins it anew. */
static void
test_usage (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  const ClqUsage usage = { .day = 20000, .agent = "a", .calls = 1, .tokens_in = 8, .tokens_out = 4, .cost = 0.5 };
  guint64 seq = 0;
  TestStore store;

  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (TestAnswer) answer = NULL;
      ClqQuery *query = test_query_new (0, &answer);
      ClqCommit *commit = test_commit_next (1, &seq);

      store = open_store (path);
      test_store_ask (&store, store.info->usage, query, answer);
      g_assert_no_error (answer->error);
      g_assert_cmpuint (answer->usage->len, ==, round == 2 ? 1 : 0);
      g_assert_cmpint (sqlite_store_is_whole (&store), ==, round != 1);
      test_commit_add_usage (commit, &usage);
      test_store_write (&store, commit);
      sqlite_store_assert_whole (&store);
      sqlite_store_close (&store);
      if (round == 0)
        sqlite_run_sql (path, "UPDATE usage SET cost = 1e9");
      else if (round == 2)
        g_assert_cmpuint (g_array_index (answer->usage, ClqUsage, 0).tokens_in, ==, 8);
    }
}

/* ---- backups ---- */

/* Writes steps of some sessions for as long as a backup takes. Returns how many. */
static guint
write_during (TestStore *store, Sample *samples, const TestAnswer *backup)
{
  guint n_steps = 0;

  for (; !backup->is_done; n_steps++)
    for (guint i = 0; i < N_SESSIONS; i++)
      test_store_write (store, sample_next (&samples[i]));
  return n_steps;
}

/* A copy that is made while all goes on is a store as of one moment. */
static void
test_backup (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  TestStore store = open_store (path);
  Sample samples[N_SESSIONS];
  guint n_backups = g_test_slow () ? 100 : 8;

  for (guint i = 0; i < N_SESSIONS; i++)
    samples[i] = SAMPLE (i + 1);
  for (guint i = 0; i < n_backups; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u.db", folder, i);
      g_autoptr (TestAnswer) answer = NULL;
      ClqQuery *query = test_query_new (0, &answer);
      guint n_before = samples[0].n_steps;
      g_autoptr (GError) error = NULL;
      TestStore copy;

      query->text = g_strdup (name);
      store.info->maintain (store.instance, "backup", query);
      write_during (&store, samples, answer);
      g_assert_no_error (answer->error);
      g_assert_cmpuint (get_size (name, ""), >, 0);
      g_assert_true (sqlite_store_open (&copy, name, FALSE, &error));
      for (guint j = 0; j < N_SESSIONS; j++)
        {
          int n_steps = sample_read (&copy, j + 1, &error);

          g_assert_no_error (error);
          g_assert_cmpint (n_steps, >=, n_before);
          g_assert_cmpint (n_steps, <=, samples[j].n_steps);
        }
      sample_assert_usage (&copy, N_SESSIONS);
      sqlite_store_assert_whole (&copy);
      sqlite_store_close (&copy);
    }
  sqlite_store_close (&store);
}

/* A backup never takes the place of something else. */
static void
test_backup_refused (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL), *there = g_build_filename (folder, "there", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "where", NULL), *content = NULL;
  g_autofree char *expected = g_strdup_printf ("backup '%s': there is something already, expected nothing", there);
  TestStore store = open_store (path);
  g_autoptr (TestAnswer) refused = NULL, impossible = NULL, unnamed = NULL;

  g_assert_true (g_file_set_contents (there, "precious", -1, NULL));
  refused = sqlite_store_maintain (&store, "backup", there);
  g_assert_error (refused->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  g_assert_cmpstr (refused->error->message, ==, expected);
  g_assert_true (g_file_get_contents (there, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "precious");
  impossible = sqlite_store_maintain (&store, "backup", nowhere);
  g_assert_error (impossible->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  unnamed = sqlite_store_maintain (&store, "backup", NULL);
  g_assert_error (unnamed->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  sqlite_store_close (&store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/sqlite/growth", test_growth);
  g_test_add_func ("/colloquy/sqlite/forks", test_forks);
  g_test_add_func ("/colloquy/sqlite/bits", test_bits);
  g_test_add_func ("/colloquy/sqlite/record", test_record);
  g_test_add_func ("/colloquy/sqlite/index", test_index);
  g_test_add_func ("/colloquy/sqlite/usage", test_usage);
  g_test_add_func ("/colloquy/sqlite/backup", test_backup);
  g_test_add_func ("/colloquy/sqlite/backup-refused", test_backup_refused);
  return g_test_run ();
}
