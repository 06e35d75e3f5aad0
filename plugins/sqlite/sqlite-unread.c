#define G_LOG_DOMAIN "sqlite-unread"

#include "sqlite-writer.h"

static gboolean
run (SqliteWriter *self, WriterStatement which, gint64 session, guint64 seq, GError **error)
{
  sqlite3_stmt *statement = sqlite_writer_get (self, which);

  sqlite3_bind_int64 (statement, 1, session);
  sqlite3_bind_int64 (statement, 2, (gint64) seq);
  return sqlite_db_run (&self->db, statement, error);
}

/**
 * sqlite_write_unread:
 * @self: a writer in a transaction
 * @session: the number of a session
 * @record: a notification of it, or what was read
 * @error: return location
 *
 * Keeps the table of what was not read: who asks for that need not look at any journal.
 *
 * Returns: whether it is written
 */
gboolean
sqlite_write_unread (SqliteWriter *self, gint64 session, const ClqRecord *record, GError **error)
{
  g_autoptr (GArray) read = clq_record_dup_read (record);

  if (read == NULL)
    return run (self, WRITER_INSERT_UNREAD, session, clq_record_get_seq (record), error);
  for (guint i = 0; i < read->len; i++)
    if (!run (self, WRITER_DELETE_UNREAD, session, g_array_index (read, guint64, i), error))
      return FALSE;
  return TRUE;
}
