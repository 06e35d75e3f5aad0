#define G_LOG_DOMAIN "sqlite-db"

#include "sqlite-db.h"

/* How long another program may hold the database: a backup tool, somebody with a shell. */
#define BUSY_TIMEOUT 5000 /* milliseconds */

/* Of the journal that SQLite writes ahead; it is not made smaller than this, so that a full disk is no obstacle at once. */
#define JOURNAL_LIMIT "67108864"

/**
 * sqlite_is_personal:
 * @code: of SQLite
 *
 * Returns: whether the failure is about what was written or read, so that others may do better
 */
gboolean
sqlite_is_personal (int code)
{
  switch (code & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
      return TRUE;
    default:
      return FALSE;
    }
}

static ClqStoreError
code_to_error (int code)
{
  switch (code & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return CLQ_STORE_ERROR_CORRUPT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return CLQ_STORE_ERROR_BUSY;
    default:
      return CLQ_STORE_ERROR_FAILED;
    }
}

/* What to do about it, where people can do something. */
static const char *
get_advice (int code)
{
  switch (code & 0xff)
    {
    case SQLITE_FULL:
      return "; nothing can be written until there is room";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another program is using it";
    case SQLITE_NOTADB:
      return "; expected a store or no file";
    default:
      return "";
    }
}

/**
 * sqlite_db_set_error:
 * @self: a connection
 * @code: what SQLite said
 * @error: return location
 *
 * Returns: @code
 */
int
sqlite_db_set_error (SqliteDb *self, int code, GError **error)
{
  int extended = self->handle != NULL ? sqlite3_extended_errcode (self->handle) : code;
  gboolean is_same = self->handle != NULL && (extended & 0xff) == (code & 0xff);

  self->code = code;
  if ((code & 0xff) == SQLITE_IOERR)
    self->is_broken = TRUE;
  g_set_error (error, CLQ_STORE_ERROR, code_to_error (code), "'%s': %s (%d)%s", self->path,
               is_same ? sqlite3_errmsg (self->handle) : sqlite3_errstr (code), is_same ? extended : code, get_advice (code));
  return code;
}

/**
 * sqlite_db_step:
 * @self: a connection
 * @statement: one of its statements
 * @error: return location
 *
 * Returns: %SQLITE_ROW or %SQLITE_DONE; otherwise the statement was reset and @error is set
 */
int
sqlite_db_step (SqliteDb *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite3_step (statement);

  if (code == SQLITE_ROW || code == SQLITE_DONE)
    return code;
  sqlite_db_set_error (self, code, error);
  sqlite3_reset (statement);
  return code;
}

/**
 * sqlite_db_run:
 * @self: a connection
 * @statement: one of its statements, without rows
 * @error: return location
 *
 * Runs @statement and resets it.
 *
 * Returns: whether it succeeded
 */
gboolean
sqlite_db_run (SqliteDb *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite_db_step (self, statement, error);

  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  sqlite3_reset (statement);
  return TRUE;
}

/**
 * sqlite_db_exec:
 * @self: a connection
 * @sql: statements
 * @error: return location
 *
 * Returns: whether all succeeded
 */
gboolean
sqlite_db_exec (SqliteDb *self, const char *sql, GError **error)
{
  int code = sqlite3_exec (self->handle, sql, NULL, NULL, NULL);

  if (code == SQLITE_OK)
    return TRUE;
  sqlite_db_set_error (self, code, error);
  return FALSE;
}

/**
 * sqlite_db_prepare_one:
 * @self: a connection
 * @sql: a statement
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the statement, to be used once
 */
sqlite3_stmt *
sqlite_db_prepare_one (SqliteDb *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL);

  if (code != SQLITE_OK)
    sqlite_db_set_error (self, code, error);
  return statement;
}

/**
 * sqlite_db_get_number:
 * @self: a connection
 * @sql: a query
 * @number: (out): the first column of its first row
 * @error: return location
 *
 * Returns: whether there was one
 */
gboolean
sqlite_db_get_number (SqliteDb *self, const char *sql, gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = sqlite_db_prepare_one (self, sql, error);

  if (statement == NULL || sqlite_db_step (self, statement, error) != SQLITE_ROW)
    return FALSE;
  *number = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

/**
 * sqlite_db_open:
 * @self: zeroed memory, or a closed connection
 * @path: a file that exists
 * @for_writing: whether it is the one connection that writes
 * @error: return location
 *
 * Nothing is written by this.
 *
 * Returns: whether the file could be opened
 */
gboolean
sqlite_db_open (SqliteDb *self, const char *path, gboolean for_writing, GError **error)
{
  int flags = SQLITE_OPEN_NOMUTEX | (for_writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  int code;

  g_return_val_if_fail (self->handle == NULL, FALSE);
  g_free (self->path);
  self->path = g_strdup (path);
  self->is_broken = FALSE;
  code = sqlite3_open_v2 (path, &self->handle, flags, NULL);
  if (code != SQLITE_OK)
    {
      sqlite_db_set_error (self, code, error);
      sqlite_db_close (self);
      return FALSE;
    }
  sqlite3_extended_result_codes (self->handle, TRUE);
  sqlite3_busy_timeout (self->handle, BUSY_TIMEOUT);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  /* Only the writer may move pages from the journal into the database, and it says itself when. */
  sqlite3_wal_autocheckpoint (self->handle, 0);
  if (sqlite_db_exec (self, "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384;", error) &&
      sqlite_db_exec (self, for_writing ? "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=" JOURNAL_LIMIT ";" : "PRAGMA query_only=ON;", error))
    return TRUE;
  sqlite_db_close (self);
  return FALSE;
}

/**
 * sqlite_db_prepare:
 * @self: an open connection
 * @texts: (array length=n_texts): statements that are kept as long as the connection is open; %NULL ones are left out
 * @n_texts: how many
 * @error: return location
 *
 * Returns: whether all could be prepared
 */
gboolean
sqlite_db_prepare (SqliteDb *self, const char *const *texts, guint n_texts, GError **error)
{
  self->statements = g_new0 (sqlite3_stmt *, n_texts);
  self->n_statements = n_texts;
  for (guint i = 0; i < n_texts; i++)
    {
      int code = SQLITE_OK;

      if (texts[i] != NULL)
        code = sqlite3_prepare_v3 (self->handle, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &self->statements[i], NULL);
      if (code != SQLITE_OK)
        {
          sqlite_db_set_error (self, code, error);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * sqlite_db_close:
 * @self: a connection, open or not, or zeroed memory
 */
void
sqlite_db_close (SqliteDb *self)
{
  for (guint i = 0; i < self->n_statements; i++)
    sqlite3_finalize (self->statements[i]);
  g_clear_pointer (&self->statements, g_free);
  self->n_statements = 0;
  g_clear_pointer (&self->handle, sqlite3_close_v2);
  g_clear_pointer (&self->path, g_free);
}
