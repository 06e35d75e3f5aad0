#include "bench-raw.h"

#include <string.h>

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

static void
clear_session (gpointer session)
{
  g_bytes_unref (((BenchRawSession *) session)->head);
}

void
bench_raw_init (BenchRaw *self, const char *path)
{
  sqlite3_stmt *select;

  self->handle = bench_raw_open (path);
  self->sessions = g_array_new (FALSE, TRUE, sizeof (BenchRawSession));
  g_array_set_clear_func (self->sessions, clear_session);
  select = bench_raw_prepare (self->handle, "SELECT id, number, seq, last, head FROM session ORDER BY number");
  while (sqlite3_step (select) == SQLITE_ROW)
    {
      BenchRawSession session = { .number = sqlite3_column_int64 (select, 1), .seq = sqlite3_column_int64 (select, 2), .last = sqlite3_column_int64 (select, 3) };

      memcpy (session.id, sqlite3_column_blob (select, 0), sizeof session.id);
      session.head = g_bytes_new (sqlite3_column_blob (select, 4), sqlite3_column_bytes (select, 4));
      g_array_append_val (self->sessions, session);
    }
  sqlite3_finalize (select);
  select = bench_raw_prepare (self->handle, "SELECT max(number) + 1 FROM journal");
  g_assert_cmpint (sqlite3_step (select), ==, SQLITE_ROW);
  self->next_record = sqlite3_column_int64 (select, 0);
  sqlite3_finalize (select);
  self->begin = bench_raw_prepare (self->handle, "BEGIN IMMEDIATE");
  self->commit = bench_raw_prepare (self->handle, "COMMIT");
  self->insert = bench_raw_prepare (self->handle, "INSERT INTO journal (number, session, seq, segment, type, role, at, previous, checksum, body)"
                                                  " VALUES (?1, ?2, ?3, 1, ?8, 0, ?4, ?5, ?6, ?7)");
  self->update = bench_raw_prepare (self->handle, "UPDATE session SET seq = ?3, last = ?4, state = ?5, status = ?6, updated_at = ?7, wake_at = 0, checksum = ?8, head = ?9"
                                                  " WHERE id = ?1 AND seq = ?2");
}

void
bench_raw_clear (BenchRaw *self)
{
  sqlite3_finalize (self->begin);
  sqlite3_finalize (self->commit);
  sqlite3_finalize (self->insert);
  sqlite3_finalize (self->update);
  g_assert_cmpint (sqlite3_close (self->handle), ==, SQLITE_OK);
  g_array_unref (self->sessions);
}

void
bench_raw_append (BenchRaw *self, BenchRawSession *session, int type, const char *body)
{
  gint64 now = g_get_real_time ();

  sqlite3_bind_int64 (self->insert, 1, self->next_record);
  sqlite3_bind_int64 (self->insert, 2, session->number);
  sqlite3_bind_int64 (self->insert, 3, ++session->seq);
  sqlite3_bind_int64 (self->insert, 4, now);
  sqlite3_bind_int64 (self->insert, 5, session->last);
  sqlite3_bind_int (self->insert, 6, (int) (now * 2654435761u));
  sqlite3_bind_text (self->insert, 7, body, -1, SQLITE_STATIC);
  sqlite3_bind_int (self->insert, 8, type);
  bench_raw_run (self->insert);
  session->last = self->next_record++;
}

/* The session is where its last @n_records records have brought it. */
void
bench_raw_move (BenchRaw *self, BenchRawSession *session, guint n_records, const char *state, const char *status)
{
  gint64 now = g_get_real_time ();
  gsize length;
  gconstpointer head = g_bytes_get_data (session->head, &length);

  sqlite3_bind_blob (self->update, 1, session->id, sizeof session->id, SQLITE_STATIC);
  sqlite3_bind_int64 (self->update, 2, session->seq - n_records);
  sqlite3_bind_int64 (self->update, 3, session->seq);
  sqlite3_bind_int64 (self->update, 4, session->last);
  sqlite3_bind_text (self->update, 5, state, -1, SQLITE_STATIC);
  sqlite3_bind_text (self->update, 6, status, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (self->update, 7, now);
  sqlite3_bind_int (self->update, 8, (int) (now * 2246822519u));
  sqlite3_bind_blob (self->update, 9, head, length, SQLITE_STATIC);
  bench_raw_run (self->update);
  g_assert_cmpint (sqlite3_changes (self->handle), ==, 1);
}
