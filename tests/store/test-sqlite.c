/* The SQLite store: the contract of stores, and what only this one promises of files, locks and schemas. */
#include "sample.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

/* ---- places ---- */

static void
assert_mode (const char *path, guint mode)
{
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 0777, ==, mode);
}

/* Without a place the store is where the user's data are, and only for the user's eyes. */
static void
test_standard_place (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "colloquy", NULL);
  g_autofree char *path = g_build_filename (folder, "colloquy.db", NULL);
  g_autofree char *journal = g_strconcat (path, "-wal", NULL);
  g_autoptr (GError) error = NULL;
  TestStore store;

  sqlite_folder_free (g_strdup (folder));
  g_assert_true (sqlite_store_open (&store, NULL, FALSE, &error));
  g_assert_cmpstr (store.info->durability, ==, "disk");
  sample_write (&store, 1, 3);
  assert_mode (folder, 0700);
  assert_mode (path, 0600);
  assert_mode (journal, 0600);
  sqlite_store_close (&store);
  g_assert_false (g_file_test (journal, G_FILE_TEST_EXISTS));
  g_assert_true (sqlite_store_open (&store, "", TRUE, &error));
  g_assert_cmpint (sample_read (&store, 1, NULL), ==, 3);
  sqlite_store_close (&store);
  sqlite_folder_free (g_strdup (folder));
}

static void
assert_refused (const char *path, gboolean read_only, ClqStoreError code, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  TestStore store;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_assert_false (sqlite_store_open (&store, path, read_only, &error));
  g_assert_error (error, CLQ_STORE_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_missing_place (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "nowhere", "store.db", NULL);

  assert_refused (path, FALSE, CLQ_STORE_ERROR_FAILED, "'%s.lock': No such file or directory", path);
  assert_refused (path, TRUE, CLQ_STORE_ERROR_FAILED, "'%s': unable to open database file (14)", path);
}

/* ---- who may ---- */

/* A second host is told who has the store; one that only looks may look. */
static void
test_lock (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autofree char *lock = g_strconcat (path, ".lock", NULL);
  g_autoptr (GError) error = NULL;
  TestStore store, other;

  /* What a host that was killed has left. */
  g_assert_true (g_file_set_contents (lock, "1\n", -1, NULL));
  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  assert_refused (path, FALSE, CLQ_STORE_ERROR_BUSY, "'%s': store is in use by PID %d", path, getpid ());
  sample_write (&store, 2, 5);
  g_assert_true (sqlite_store_open (&other, path, TRUE, &error));
  g_assert_cmpint (sample_read (&other, 1, NULL), ==, 5);
  sqlite_store_close (&other);
  sqlite_store_close (&store);
  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  g_assert_cmpint (sample_read (&store, 2, NULL), ==, 5);
  sqlite_store_close (&store);
}

/* What was opened for looking only is not written to, and says so. */
static void
test_read_only (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autofree char *message = g_strdup_printf ("'%s' was opened read-only, nothing can be written", path);
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  g_autoptr (TestAnswer) due = NULL;
  g_autoptr (GError) error = NULL;
  TestStore store;
  ClqCommit *commit;
  ClqQuery *query;
  guint64 seq = 0;

  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  sample_write (&store, 1, 1);
  sqlite_store_close (&store);
  g_assert_true (sqlite_store_open (&store, path, TRUE, &error));
  commit = test_commit_next (2, &seq);
  g_ptr_array_add (commits, commit);
  test_store_commit (&store, commits);
  g_assert_error (commit->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  g_assert_cmpstr (commit->error->message, ==, message);
  query = test_query_new (0, &due);
  test_store_ask (&store, store.info->claim_due, query, due);
  g_assert_error (due->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

/* ---- schemas ---- */

static char *
hash_file (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
}

/* What is not ours, or not ours yet, is not touched. */
static void
test_refused (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *newer = g_build_filename (folder, "newer.db", NULL), *foreign = g_build_filename (folder, "foreign.db", NULL);
  g_autofree char *text = g_build_filename (folder, "text.db", NULL), *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  TestStore store;

  g_assert_true (sqlite_store_open (&store, newer, FALSE, &error));
  sqlite_store_close (&store);
  sqlite_run_sql (newer, "PRAGMA user_version=99");
  before = hash_file (newer);
  for (guint read_only = 0; read_only < 2; read_only++)
    assert_refused (newer, read_only, CLQ_STORE_ERROR_FAILED,
                    "'%s' has schema 99, expected 3 or older; it was written by a newer version of this program", newer);
  after = hash_file (newer);
  g_assert_cmpstr (before, ==, after);
  sqlite_run_sql (foreign, "CREATE TABLE session (id)");
  g_free (before);
  g_free (after);
  before = hash_file (foreign);
  assert_refused (foreign, FALSE, CLQ_STORE_ERROR_FAILED, "'%s' is the database of another program; expected a store or no file", foreign);
  after = hash_file (foreign);
  g_assert_cmpstr (before, ==, after);
  g_assert_true (g_file_set_contents (text, "This is a text and no database, though a rather short one.\n", -1, NULL));
  assert_refused (text, FALSE, CLQ_STORE_ERROR_CORRUPT, "'%s': file is not a database (26); expected a store or no file", text);
}

#define N_KEPT 3
#define N_KEPT_STEPS 35

static guint
count_sums (TestStore *store)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  test_store_ask (store, store->info->usage, query, answer);
  g_assert_no_error (answer->error);
  return answer->usage->len;
}

/* Schema 1 had no sums. They are kept from now on. */
static void
assert_sums (TestStore *store, const char *schema)
{
  const ClqUsage usage = { .day = 30000, .agent = "new", .calls = 1, .tokens_in = 1, .tokens_out = 1 };
  guint64 seq = 0;
  guint n_sums = count_sums (store);
  ClqCommit *commit = test_commit_next (N_KEPT + 1, &seq);

  if (strcmp (schema, "1.sql") == 0)
    g_assert_cmpuint (n_sums, ==, 0);
  else
    sample_assert_usage (store, N_KEPT);
  test_commit_add_usage (commit, &usage);
  test_store_write (store, commit);
  g_assert_cmpuint (count_sums (store), ==, n_sums + 1);
}

/* Every schema that was released is kept, with the same content, and is brought up to date. */
static void
test_schemas (void)
{
  g_autofree char *schemas = g_test_build_filename (G_TEST_DIST, "schemas", NULL);
  g_autoptr (GDir) dir = g_dir_open (schemas, 0, NULL);
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  const char *name;
  guint n_schemas = 0;

  g_assert_nonnull (dir);
  for (; (name = g_dir_read_name (dir)) != NULL; n_schemas++)
    {
      g_autofree char *dump = g_build_filename (schemas, name, NULL), *path = g_build_filename (folder, name, NULL);
      g_autofree char *sql = NULL;
      g_autoptr (GError) error = NULL;
      TestStore store;

      g_assert_true (g_file_get_contents (dump, &sql, NULL, NULL));
      sqlite_run_sql (path, sql);
      g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
      for (guint session = 1; session <= N_KEPT; session++)
        g_assert_cmpint (sample_read (&store, session, NULL), ==, N_KEPT_STEPS);
      assert_sums (&store, name);
      sqlite_store_assert_whole (&store);
      sqlite_store_close (&store);
    }
  g_assert_cmpuint (n_schemas, >, 0);
}

static guint
count_unread (TestStore *store)
{
  g_autoptr (TestAnswer) answer = NULL;
  ClqQuery *query = test_query_new (0, &answer);

  clq_query_set_filter (query, "unread", "true");
  test_store_ask (store, store->info->list, query, answer);
  g_assert_no_error (answer->error);
  return answer->heads->len;
}

/* Schema 2 had no table of what was not read: it is made from the journal. A table that says something else is found. */
static void
test_unread (void)
{
  static const char *const bodies[] = { "{\"text\":\"one\"}", "{\"text\":\"two\"}", "{\"read\":[1]}", "{\"read\":[2]}" };
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "unread.db", NULL);
  g_autoptr (GError) error = NULL;
  guint64 seq = 0;
  TestStore store;

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      ClqCommit *commit = test_commit_new (1, seq);

      g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
      test_commit_add_record (commit, CLQ_RECORD_NOTIFICATION, CLQ_ROLE_NONE, TEST_EPOCH, bodies[i]);
      seq = commit->head.seq;
      test_store_write (&store, commit);
      sqlite_store_close (&store);
      sqlite_run_sql (path, "DROP TABLE unread; PRAGMA user_version=2");
      g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
      g_assert_cmpuint (count_unread (&store), ==, i < 3);
      sqlite_store_assert_whole (&store);
      sqlite_store_close (&store);
    }
  sqlite_run_sql (path, "INSERT INTO unread VALUES (1, 2)");
  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  g_assert_false (sqlite_store_is_whole (&store));
  sqlite_store_close (&store);
}

/* Writes the content of such a schema; plugins/sqlite/README.md says how it becomes a file there. */
static int
write_kept (const char *path)
{
  g_autoptr (GError) error = NULL;
  TestStore store;

  if (!sqlite_store_open (&store, path, FALSE, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  sample_write (&store, N_KEPT, N_KEPT_STEPS);
  sqlite_store_close (&store);
  return 0;
}

static int
on_row (void *user_data, int n_columns, char **values, char **names)
{
  guint *n_rows = user_data;

  ++*n_rows;
  return SQLITE_OK;
}

/* The queries in the README give something. */
static void
test_readme (void)
{
  g_autofree char *page = g_test_build_filename (G_TEST_DIST, "..", "..", "plugins", "sqlite", "README.md", NULL), *text = NULL;
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_auto (GStrv) blocks = NULL;
  sqlite3 *handle;

  g_assert_cmpint (write_kept (path), ==, 0);
  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  blocks = g_strsplit (text, "\n```sql\n", -1);
  g_assert_cmpuint (g_strv_length (blocks), >, 3);
  g_assert_cmpint (sqlite3_open_v2 (path, &handle, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  for (guint i = 1; blocks[i] != NULL; i++)
    {
      guint n_rows = 0;
      char *message = NULL;

      g_assert_nonnull (strstr (blocks[i], "\n```"));
      *strstr (blocks[i], "\n```") = '\0';
      g_test_message ("%s", blocks[i]);
      sqlite3_exec (handle, blocks[i], on_row, &n_rows, &message);
      g_assert_cmpstr (message, ==, NULL);
      g_assert_cmpuint (n_rows, >, 0);
    }
  g_assert_cmpint (sqlite3_close (handle), ==, SQLITE_OK);
}

/* ---- commits ---- */

/* A commit that cannot be written does not keep the others of its batch from being written. */
static void
test_apart (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  g_autoptr (GError) error = NULL;
  TestStore store;

  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  sample_write (&store, 5, 3);
  for (guint session = 1; session <= 5; session++)
    {
      Sample sample = SAMPLE (session);

      for (guint i = 0; i < 3; i++)
        test_commit_free (sample_next (&sample));
      g_ptr_array_add (commits, sample_next (&sample));
    }
  /* One segment cannot be opened twice. */
  test_commit_add_segment (commits->pdata[2], 7, 1, 1);
  test_commit_add_segment (commits->pdata[2], 7, 1, 1);
  test_store_commit (&store, commits);
  for (guint i = 0; i < 5; i++)
    {
      if (i == 2)
        g_assert_error (((ClqCommit *) commits->pdata[i])->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
      else
        g_assert_no_error (((ClqCommit *) commits->pdata[i])->error);
      g_assert_cmpint (sample_read (&store, i + 1, NULL), ==, i == 2 ? 3 : 4);
    }
  sample_assert_usage (&store, 5);
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

/* What others write is seen, although we believe to be alone. */
static void
test_others (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  g_autoptr (GError) error = NULL;
  guint64 seq = 0;
  TestStore store;
  ClqCommit *commit;

  g_assert_true (sqlite_store_open (&store, path, FALSE, &error));
  test_store_write (&store, test_commit_next (1, &seq));
  test_store_write (&store, test_commit_next (1, &seq));
  sqlite_run_sql (path, "DELETE FROM session; DELETE FROM journal;");
  commit = test_commit_next (1, &seq);
  g_ptr_array_add (commits, commit);
  test_store_commit (&store, commits);
  g_assert_error (commit->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE);
  seq = 0;
  test_store_write (&store, test_commit_next (1, &seq));
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

int
main (int argc, char **argv)
{
  static const ClqTestStore store = { CLQ_TEST_STORE, .open = sqlite_contract_open, .reopen = sqlite_contract_reopen, .close = sqlite_contract_close, .damage = sqlite_contract_damage };
  int status;

  if (argc == 3 && strcmp (argv[1], "--write-sample") == 0)
    return write_kept (argv[2]);
  g_test_init (&argc, &argv, NULL);
  clq_test_store_add ("/colloquy/sqlite/contract", &store);
  g_test_add_func ("/colloquy/sqlite/standard-place", test_standard_place);
  g_test_add_func ("/colloquy/sqlite/missing-place", test_missing_place);
  g_test_add_func ("/colloquy/sqlite/lock", test_lock);
  g_test_add_func ("/colloquy/sqlite/read-only", test_read_only);
  g_test_add_func ("/colloquy/sqlite/refused", test_refused);
  g_test_add_func ("/colloquy/sqlite/schemas", test_schemas);
  g_test_add_func ("/colloquy/sqlite/unread", test_unread);
  g_test_add_func ("/colloquy/sqlite/readme", test_readme);
  g_test_add_func ("/colloquy/sqlite/apart", test_apart);
  g_test_add_func ("/colloquy/sqlite/others", test_others);
  status = g_test_run ();
  sqlite_contract_end ();
  return status;
}
