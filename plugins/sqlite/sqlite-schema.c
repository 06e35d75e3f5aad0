#define G_LOG_DOMAIN "sqlite-schema"

#include "sqlite-schema.h"

#include <string.h>

/* "Clq" and a 1: it tells our files from those of others. */
#define APPLICATION 0x436c7131
#define MARK_APPLICATION "PRAGMA application_id=1131180337;"

/*
 * Pages of 16 KB: texts of some KB fill them well, which pages of 4 KB do not (a record that is larger than half a page
 * wastes the rest of it).
 */
#define PAGES "PRAGMA page_size=16384;"

#define ID_TEXT \
  "lower(substr(hex(session.id), 1, 8) || '-' || substr(hex(session.id), 9, 4) || '-' || substr(hex(session.id), 13, 4) || '-' ||" \
  " substr(hex(session.id), 17, 4) || '-' || substr(hex(session.id), 21))"
#define TIME_TEXT(column) "strftime('%Y-%m-%dT%H:%M:%fZ', " column " / 1e6, 'unixepoch')"

/*
 * Step n makes schema n + 1 of schema n. Steps that were released never change; a new schema is a new step. The README
 * says what the tables are for.
 */
static const char *const steps[] = {
  "CREATE TABLE session (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, seq INTEGER NOT NULL, last INTEGER NOT NULL,"
  " segments INTEGER NOT NULL, marks INTEGER NOT NULL, graph INTEGER NOT NULL, state TEXT NOT NULL, status TEXT NOT NULL,"
  " owner TEXT, title TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, wake_at INTEGER NOT NULL,"
  " checksum INTEGER NOT NULL, head BLOB NOT NULL);"
  "CREATE INDEX session_written ON session (updated_at, id);"
  "CREATE INDEX session_owned ON session (owner, updated_at, id) WHERE owner IS NOT NULL;"
  "CREATE INDEX session_running ON session (updated_at, id) WHERE status = 'running';"
  "CREATE INDEX session_due ON session (wake_at, id) WHERE wake_at > 0;"
  "CREATE TABLE journal (number INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, segment INTEGER NOT NULL,"
  " type INTEGER NOT NULL, role INTEGER NOT NULL, at INTEGER NOT NULL, previous INTEGER NOT NULL, checksum INTEGER NOT NULL,"
  " body TEXT NOT NULL);"
  "CREATE TABLE seek (session INTEGER NOT NULL, seq INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID;"
  "CREATE TABLE segment (session INTEGER NOT NULL, segment INTEGER NOT NULL, parent INTEGER NOT NULL, parent_seq INTEGER NOT NULL,"
  " opened_seq INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (session, segment)) WITHOUT ROWID;"
  "CREATE TABLE mark (session INTEGER NOT NULL, name TEXT NOT NULL, segment INTEGER NOT NULL, seq INTEGER NOT NULL,"
  " checksum INTEGER NOT NULL, PRIMARY KEY (session, name)) WITHOUT ROWID;"
  "CREATE TABLE input (session INTEGER NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, result TEXT,"
  " checksum INTEGER NOT NULL, PRIMARY KEY (session, key)) WITHOUT ROWID;"
  "CREATE TABLE graph (number INTEGER PRIMARY KEY, hash TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (hash, name));"
  "CREATE TABLE graph_text (hash TEXT PRIMARY KEY NOT NULL, checksum INTEGER NOT NULL, text TEXT NOT NULL);"
  "CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='ascii');"
  "CREATE VIEW sessions AS SELECT " ID_TEXT " AS id, graph.name AS graph, state, status, owner, title, seq,"
  " " TIME_TEXT ("created_at") " AS created, " TIME_TEXT ("updated_at") " AS updated,"
                                                                        " CASE WHEN wake_at > 0 THEN " TIME_TEXT ("wake_at") " END AS wakes FROM session LEFT JOIN graph ON graph.number = session.graph;"
                                                                                                                             "CREATE VIEW records AS SELECT " ID_TEXT " AS session, journal.seq AS seq, segment,"
                                                                                                                             " CASE type WHEN 1 THEN 'event' WHEN 2 THEN 'message' WHEN 3 THEN 'context' WHEN 4 THEN 'contribution' WHEN 5 THEN 'artifact'"
                                                                                                                             " WHEN 6 THEN 'call' WHEN 7 THEN 'snapshot' WHEN 8 THEN 'include' END AS type,"
                                                                                                                             " CASE role WHEN 1 THEN 'user' WHEN 2 THEN 'assistant' WHEN 3 THEN 'system' END AS role,"
                                                                                                                             " " TIME_TEXT ("at") " AS time, body, journal.number AS number, previous FROM journal JOIN session ON session.number = journal.session;" MARK_APPLICATION,
  "CREATE TABLE usage (day INTEGER NOT NULL, agent TEXT NOT NULL, calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL,"
  " tokens_out INTEGER NOT NULL, cost REAL NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (day, agent)) WITHOUT ROWID;"
  "CREATE VIEW spending AS SELECT date(day * 86400, 'unixepoch') AS day, agent, calls, tokens_in, tokens_out, cost FROM usage;",
  "CREATE TABLE unread (session INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID;"
  "INSERT INTO unread " SQLITE_UNREAD_BY_JOURNAL ";"
  "DROP VIEW records;"
  "CREATE VIEW records AS SELECT " ID_TEXT " AS session, journal.seq AS seq, segment,"
  " CASE type WHEN 1 THEN 'event' WHEN 2 THEN 'message' WHEN 3 THEN 'context' WHEN 4 THEN 'contribution' WHEN 5 THEN 'artifact'"
  " WHEN 6 THEN 'call' WHEN 7 THEN 'snapshot' WHEN 8 THEN 'include' WHEN 9 THEN 'notification' END AS type,"
  " CASE role WHEN 1 THEN 'user' WHEN 2 THEN 'assistant' WHEN 3 THEN 'system' END AS role,"
  " " TIME_TEXT ("at") " AS time, body, journal.number AS number, previous FROM journal JOIN session ON session.number = journal.session;",
};

#define VERSION ((gint64) G_N_ELEMENTS (steps))

static gboolean
get_version (SqliteDb *db, gint64 *version, GError **error)
{
  gint64 application, n_tables;

  if (!sqlite_db_get_number (db, "PRAGMA user_version", version, error) ||
      !sqlite_db_get_number (db, "PRAGMA application_id", &application, error) ||
      !sqlite_db_get_number (db, "SELECT count(*) FROM sqlite_schema", &n_tables, error))
    return FALSE;
  if (application == APPLICATION ? *version > 0 : application == 0 && *version == 0 && n_tables == 0)
    return TRUE;
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "'%s' is the database of another program; expected a store or no file", db->path);
  return FALSE;
}

static gboolean
refuse_newer (SqliteDb *db, gint64 version, GError **error)
{
  if (version <= VERSION)
    return FALSE;
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED,
               "'%s' has schema %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT " or older; it was written by a newer version of this program",
               db->path, version, VERSION);
  return TRUE;
}

/* One transaction from the old schema to the new one. */
static gboolean
migrate (SqliteDb *db, gint64 version, GError **error)
{
  g_autofree char *mark = g_strdup_printf ("PRAGMA user_version=%" G_GINT64_FORMAT, VERSION);
  gboolean is_done = sqlite_db_exec (db, "BEGIN IMMEDIATE", error);

  for (; is_done && version < VERSION; version++)
    is_done = sqlite_db_exec (db, steps[version], error);
  if (is_done && sqlite_db_exec (db, mark, error) && sqlite_db_exec (db, "COMMIT", error))
    return TRUE;
  if (!sqlite3_get_autocommit (db->handle))
    sqlite3_exec (db->handle, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

static gboolean
use_journal (SqliteDb *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = sqlite_db_prepare_one (db, "PRAGMA journal_mode=WAL", error);
  const char *mode;

  if (statement == NULL || sqlite_db_step (db, statement, error) != SQLITE_ROW)
    return FALSE;
  mode = (const char *) sqlite3_column_text (statement, 0);
  if (g_strcmp0 (mode, "wal") == 0)
    return TRUE;
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "'%s': the file system does not allow a write-ahead journal (got '%s'); expected a local one",
               db->path, mode != NULL ? mode : "");
  return FALSE;
}

/**
 * sqlite_schema_bring:
 * @db: the connection that writes
 * @error: return location
 *
 * Makes the tables in an empty database, or brings older ones up to date. Databases of others and of newer versions are
 * refused and not touched.
 *
 * Returns: whether the tables are as this version knows them
 */
gboolean
sqlite_schema_bring (SqliteDb *db, GError **error)
{
  gint64 version;

  if (!get_version (db, &version, error) || refuse_newer (db, version, error))
    return FALSE;
  if (version == 0 && !sqlite_db_exec (db, PAGES, error))
    return FALSE;
  return use_journal (db, error) && (version == VERSION || migrate (db, version, error));
}

/**
 * sqlite_schema_check:
 * @db: a connection that only reads
 * @error: return location
 *
 * Returns: whether the tables are as this version knows them
 */
gboolean
sqlite_schema_check (SqliteDb *db, GError **error)
{
  gint64 version;

  if (!get_version (db, &version, error) || refuse_newer (db, version, error))
    return FALSE;
  if (version == VERSION)
    return TRUE;
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED,
               "'%s' has schema %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT "; open it for writing once to bring it up to date",
               db->path, version, VERSION);
  return FALSE;
}
