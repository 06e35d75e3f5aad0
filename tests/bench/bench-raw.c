#include "bench-raw.h"

sqlite3 *
bench_raw_open (const char *path)
{
  static const char settings[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=0; PRAGMA cache_size=-16384;"
                                 "PRAGMA wal_autocheckpoint=512;";
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open_v2 (path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, settings, NULL, NULL, NULL), ==, SQLITE_OK);
  return handle;
}

sqlite3_stmt *
bench_raw_prepare (sqlite3 *handle, const char *sql)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v3 (handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  if (statement == NULL)
    g_printerr ("%s\n", sqlite3_errmsg (handle));
  g_assert_nonnull (statement);
  return statement;
}

/* A statement that gives no rows. */
void
bench_raw_run (sqlite3_stmt *statement)
{
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  sqlite3_reset (statement);
}
