#define G_LOG_DOMAIN "sqlite-maintain"

#include "sqlite-maintain.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* ---- stats ---- */

static const struct
{
  const char *name;
  const char *sql;
} numbers[] = {
  { "sessions", "SELECT count(*) FROM session" },
  { "records", "SELECT coalesce(sum(seq), 0) FROM session" },
  { "running", "SELECT count(*) FROM session WHERE status = 'running'" },
  { "due", "SELECT count(*) FROM session WHERE wake_at > 0" },
  { "keys", "SELECT count(*) FROM input" },
  { "graphs", "SELECT count(*) FROM graph_text" },
  { "schema", "PRAGMA user_version" },
  { "free", "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size" },
};

/* The database and what belongs to it. */
static guint64
count_bytes (const char *path)
{
  static const char *const endings[] = { "", "-wal", "-shm" };
  guint64 bytes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat (path, endings[i], NULL);
      GStatBuf info;

      if (g_stat (name, &info) == 0)
        bytes += info.st_size;
    }
  return bytes;
}

/**
 * sqlite_maintain_stats:
 * @job: a job with a query
 * @nothing: unused
 */
void
sqlite_maintain_stats (SqliteJob *job, gpointer nothing)
{
  const char *path = job->data;
  SqliteReader *reader = sqlite_reader_new (path, &job->error);
  g_autoptr (GString) answer = g_string_new ("{");

  if (reader == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (numbers) && job->error == NULL; i++)
    {
      gint64 number;

      if (sqlite_db_get_number (&reader->db, numbers[i].sql, &number, &job->error))
        g_string_append_printf (answer, "\"%s\":%" G_GINT64_FORMAT ",", numbers[i].name, number);
    }
  g_string_append_printf (answer, "\"bytes\":%" G_GUINT64_FORMAT ",\"sqlite\":\"%s\",\"place\":", count_bytes (path), sqlite3_libversion ());
  clq_json_append_string (answer, path, -1);
  g_string_append_c (answer, '}');
  if (job->error == NULL)
    clq_query_take_text (job->query, g_string_free (g_steal_pointer (&answer), FALSE));
  sqlite_reader_free (reader);
}

/* ---- check ---- */

/**
 * sqlite_maintain_check:
 * @job: a job with a query
 * @nothing: unused
 */
void
sqlite_maintain_check (SqliteJob *job, gpointer nothing)
{
  SqliteReader *reader = sqlite_reader_new (job->data, &job->error);

  if (reader == NULL)
    return;
  /* Everything is to be read as of one moment. */
  if (sqlite_db_run (&reader->db, sqlite_reader_get (reader, READER_BEGIN), &job->error))
    clq_query_take_text (job->query, sqlite_check (reader));
  sqlite_reader_free (reader);
}

/* ---- backup ---- */

static gboolean
set_file_error (GError **error, const char *path, int code)
{
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "backup '%s': %s", path,
               code == EEXIST ? "there is something already, expected nothing" : g_strerror (code));
  return FALSE;
}

/* A name that nobody else has, readable by nobody else. SQLite takes an empty file for none. */
static gboolean
make_file (const char *path, GError **error)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0)
    return set_file_error (error, path, errno);
  close (fd);
  return TRUE;
}

/* SQLite does not wait for the disk when it makes a copy. */
static gboolean
sync_path (const char *path, int flags, GError **error)
{
  int fd = g_open (path, flags | O_CLOEXEC, 0);
  int code = fd < 0 || fsync (fd) != 0 ? errno : 0;

  if (fd >= 0)
    close (fd);
  return code == 0 || set_file_error (error, path, code);
}

static gboolean
copy (SqliteReader *reader, const char *path, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree char *folder = g_path_get_dirname (path);

  /* What is written to is the copy; the database itself was opened read-only. */
  if (!sqlite_db_exec (&reader->db, "PRAGMA query_only=OFF", error))
    return FALSE;
  statement = sqlite_db_prepare_one (&reader->db, "VACUUM INTO ?1", error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, path, -1, SQLITE_STATIC);
  return sqlite_db_run (&reader->db, statement, error) && sync_path (path, O_RDONLY, error) && sync_path (folder, O_RDONLY | O_DIRECTORY, error);
}

/**
 * sqlite_maintain_backup:
 * @job: a job with a query whose text is where to
 * @nothing: unused
 */
void
sqlite_maintain_backup (SqliteJob *job, gpointer nothing)
{
  const char *text = clq_query_get_text (job->query);
  g_autofree char *path = NULL;
  g_autoptr (GString) answer = NULL;
  SqliteReader *reader;
  gboolean is_done;

  if (text == NULL || *text == '\0')
    {
      g_set_error (&job->error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "backup: no place is given, expected the name of a new file");
      return;
    }
  path = g_canonicalize_filename (text, NULL);
  reader = sqlite_reader_new (job->data, &job->error);
  if (reader == NULL)
    return;
  is_done = make_file (path, &job->error);
  if (is_done && !copy (reader, path, &job->error))
    {
      g_unlink (path);
      is_done = FALSE;
    }
  sqlite_reader_free (reader);
  if (!is_done)
    return;
  answer = g_string_new ("{\"place\":");
  clq_json_append_string (answer, path, -1);
  g_string_append_printf (answer, ",\"bytes\":%" G_GUINT64_FORMAT "}", count_bytes (path));
  clq_query_take_text (job->query, g_string_free (g_steal_pointer (&answer), FALSE));
}
