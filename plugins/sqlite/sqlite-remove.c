#define G_LOG_DOMAIN "sqlite-remove"

#include "sqlite-writer.h"

/* The tables in which a session has rows beside its journal; the last one is its own. */
static const char *const deletions[] = {
  "DELETE FROM seek WHERE session = ?1",
  "DELETE FROM segment WHERE session = ?1",
  "DELETE FROM mark WHERE session = ?1",
  "DELETE FROM input WHERE session = ?1",
  "DELETE FROM unread WHERE session = ?1",
  "DELETE FROM session WHERE number = ?1",
};

static gboolean
run_for (SqliteWriter *self, const char *sql, gint64 number, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = sqlite_db_prepare_one (&self->db, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, number);
  return sqlite_db_run (&self->db, statement, error);
}

/* The index keeps no texts, so it must be told what to forget. A damaged one is left as it is. */
static gboolean
forget_words (SqliteWriter *self, const SqliteRecord *record, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  int code;

  if (record->type != CLQ_RECORD_CONTEXT || !self->has_index)
    return TRUE;
  statement = sqlite_db_prepare_one (&self->db, "INSERT INTO words (words, rowid, text) VALUES ('delete', ?1, ?2)", error);
  if (statement == NULL)
    return FALSE;
  sqlite_words_collect (record->body, record->length, self->words);
  sqlite3_bind_int64 (statement, 1, record->number);
  sqlite3_bind_text (statement, 2, self->words->str, self->words->len, SQLITE_STATIC);
  code = sqlite3_step (statement);
  if (code == SQLITE_DONE || (code & 0xff) == SQLITE_CORRUPT)
    return TRUE;
  sqlite_db_set_error (&self->db, code, error);
  return FALSE;
}

/* Deletes record after record. Sets @number to the row where the chain is broken, to 0 if it is not. */
static gboolean
remove_chain (SqliteWriter *self, const SqliteSeat *seat, gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) select = sqlite_db_prepare_one (&self->db, "SELECT " SQLITE_RECORD_COLUMNS " FROM journal WHERE number = ?1", error);
  g_autoptr (sqlite3_stmt) delete = sqlite_db_prepare_one (&self->db, "DELETE FROM journal WHERE number = ?1", error);
  SqliteRecord record;

  if (select == NULL || delete == NULL)
    return FALSE;
  for (*number = seat->last; *number != 0; *number = record.previous)
    {
      sqlite3_bind_int64 (select, 1, *number);
      if (sqlite3_step (select) != SQLITE_ROW || !sqlite_record_read (&record, select) || record.session != seat->number)
        return TRUE;
      sqlite3_bind_int64 (delete, 1, *number);
      if (!forget_words (self, &record, error) || !sqlite_db_run (&self->db, delete, error))
        return FALSE;
      sqlite3_reset (select);
    }
  return TRUE;
}

static gboolean
remove_session (SqliteWriter *self, const SqliteSeat *seat, GError **error)
{
  gint64 number;

  if (!remove_chain (self, seat, &number, error))
    return FALSE;
  /* What is behind a damaged record can only be found by looking at all. */
  if (number != 0 && !run_for (self, "DELETE FROM journal WHERE session = ?1", seat->number, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (deletions); i++)
    if (!run_for (self, deletions[i], seat->number, error))
      return FALSE;
  g_array_append_val (self->written, seat->number);
  return TRUE;
}

/**
 * sqlite_writer_remove:
 * @job: a job with a query for a session
 * @self: the writer
 */
void
sqlite_writer_remove (SqliteJob *job, gpointer self)
{
  SqliteWriter *writer = self;
  const SqliteSeat *seat;

  if (!sqlite_writer_begin (writer, &job->error))
    return;
  seat = sqlite_seat_find (writer, clq_query_get_id (job->query), &job->error);
  if (seat == NULL || (seat->number != 0 && !remove_session (writer, seat, &job->error)))
    sqlite_writer_roll_back (writer);
  else if (sqlite_writer_commit (writer, &job->error))
    sqlite_seat_forget (writer, clq_query_get_id (job->query));
}

static gboolean
index_again (SqliteWriter *self, gint64 *n_records, GError **error)
{
  g_autoptr (sqlite3_stmt) select = NULL;
  SqliteRecord record;
  int code;

  *n_records = 0;
  select = sqlite_db_prepare_one (&self->db, "SELECT " SQLITE_RECORD_COLUMNS " FROM journal WHERE type = 3 ORDER BY number", error);
  if (select == NULL)
    return FALSE;
  while ((code = sqlite_db_step (&self->db, select, error)) == SQLITE_ROW)
    {
      if (!sqlite_record_read (&record, select))
        continue;
      sqlite_words_collect (record.body, record.length, self->words);
      sqlite3_bind_int64 (sqlite_writer_get (self, WRITER_INSERT_WORDS), 1, record.number);
      sqlite3_bind_text (sqlite_writer_get (self, WRITER_INSERT_WORDS), 2, self->words->str, self->words->len, SQLITE_STATIC);
      if (!sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_INSERT_WORDS), error))
        return FALSE;
      ++*n_records;
    }
  return code == SQLITE_DONE;
}

G_STATIC_ASSERT (CLQ_RECORD_CONTEXT == 3);

/*
 * Makes the index what it is when it is new. It may be so damaged that SQLite refuses to do this by its own means, so its
 * tables are written to, and then the connection is made anew, because it has read the old ones.
 */
static gboolean
empty_index (SqliteWriter *self, GError **error)
{
  gboolean is_empty;

  if (!sqlite_writer_begin (self, error))
    return FALSE;
  sqlite3_db_config (self->db.handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  is_empty = sqlite_db_exec (&self->db,
                             "DELETE FROM words_data; DELETE FROM words_idx; DELETE FROM words_docsize;"
                             "INSERT INTO words_data VALUES (1, x''), (10, x'00000000000000');",
                             error);
  if (!is_empty)
    sqlite_writer_roll_back (self);
  else
    is_empty = sqlite_writer_commit (self, error);
  sqlite_db_close (&self->db);
  return is_empty;
}

/**
 * sqlite_writer_reindex:
 * @job: a job with a query
 * @self: the writer
 *
 * Makes the index for searching anew from the records.
 */
void
sqlite_writer_reindex (SqliteJob *job, gpointer self)
{
  SqliteWriter *writer = self;
  gint64 n_records;

  if (!empty_index (writer, &job->error) || !sqlite_writer_begin (writer, &job->error))
    return;
  if (!index_again (writer, &n_records, &job->error))
    sqlite_writer_roll_back (writer);
  else if (sqlite_writer_commit (writer, &job->error))
    clq_query_take_text (job->query, g_strdup_printf ("{\"records\":%" G_GINT64_FORMAT "}", n_records));
}
