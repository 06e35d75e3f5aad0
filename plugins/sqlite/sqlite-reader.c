#define G_LOG_DOMAIN "sqlite-reader"

#include "sqlite-reader.h"

#include "sqlite-schema.h"

static const char *const texts[N_READER_STATEMENTS] = {
  [READER_BEGIN] = "BEGIN",
  [READER_END] = "COMMIT",
  [READER_SESSION] = "SELECT " SQLITE_SESSION_COLUMNS " FROM " SQLITE_SESSION_TABLES " WHERE session.id = ?1",
  [READER_SEGMENTS] = "SELECT segment, parent, parent_seq, opened_seq, checksum FROM segment WHERE session = ?1 ORDER BY segment",
  [READER_MARKS] = "SELECT name, segment, seq, checksum FROM mark WHERE session = ?1",
  [READER_INPUT] = "SELECT seq, result, checksum FROM input WHERE session = ?1 AND key = ?2",
  [READER_RECORD] = "SELECT " SQLITE_RECORD_COLUMNS " FROM journal WHERE number = ?1",
  [READER_HIT] = "SELECT session.id FROM journal CROSS JOIN " SQLITE_SESSION_TABLES " WHERE journal.number = ?1"
                 " AND session.number = journal.session AND (?2 IS NULL OR graph.name = ?2) AND (?3 IS NULL OR state = ?3)"
                 " AND (?4 IS NULL OR status = ?4) AND (?5 IS NULL OR owner = ?5) AND (?6 IS NULL OR session.id = ?6)",
  [READER_SEEK] = "SELECT seq, record FROM seek WHERE session = ?1 AND seq >= ?2 ORDER BY seq LIMIT 1",
  [READER_GRAPH] = "SELECT checksum, text FROM graph_text WHERE hash = ?1",
  [READER_USAGE] = "SELECT " SQLITE_USAGE_COLUMNS " FROM usage WHERE day > ?1 AND day < ?2 ORDER BY day, agent",
};

/**
 * sqlite_reader_connect:
 * @self: a reader
 * @error: return location
 *
 * Makes sure that there is a connection; one that has failed is made anew.
 *
 * Returns: whether there is one
 */
gboolean
sqlite_reader_connect (SqliteReader *self, GError **error)
{
  if (self->db.is_broken)
    sqlite_db_close (&self->db);
  if (self->db.handle != NULL)
    return TRUE;
  if (sqlite_db_open (&self->db, self->path, FALSE, error) && sqlite_schema_check (&self->db, error) &&
      sqlite_search_prepare (&self->db, error) && sqlite_db_prepare (&self->db, texts, N_READER_STATEMENTS, error))
    return TRUE;
  sqlite_db_close (&self->db);
  return FALSE;
}

/**
 * sqlite_reader_new:
 * @path: a database with the tables of this version
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a reader, connected
 */
SqliteReader *
sqlite_reader_new (const char *path, GError **error)
{
  SqliteReader *self = g_new0 (SqliteReader, 1);

  self->path = g_strdup (path);
  if (sqlite_reader_connect (self, error))
    return self;
  sqlite_reader_free (self);
  return NULL;
}

/**
 * sqlite_reader_free:
 * @self: (transfer full): a reader
 */
void
sqlite_reader_free (SqliteReader *self)
{
  sqlite_db_close (&self->db);
  g_free (self->path);
  g_free (self);
}

/**
 * sqlite_reader_run:
 * @self: a reader
 * @job: a job with a query
 * @func: what to do
 *
 * Calls @func inside a transaction, so that all it reads was there at the same moment.
 */
void
sqlite_reader_run (SqliteReader *self, SqliteJob *job, SqliteQueryFunc func)
{
  if (!sqlite_reader_connect (self, &job->error) || !sqlite_db_run (&self->db, sqlite_reader_get (self, READER_BEGIN), &job->error))
    return;
  func (self, job->query, &job->error);
  if (!sqlite3_get_autocommit (self->db.handle) && !sqlite_db_run (&self->db, sqlite_reader_get (self, READER_END), NULL))
    self->db.is_broken = TRUE;
}

/**
 * sqlite_reader_find:
 * @self: a reader
 * @id: a session
 * @session: (out): what is known of it; texts are there until the statement is reset
 * @error: return location
 *
 * Returns: %SQLITE_ROW if the session is there and whole, %SQLITE_DONE if it does not exist; else @error is set
 */
int
sqlite_reader_find (SqliteReader *self, const guint8 *id, SqliteSession *session, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_SESSION);
  int code;

  sqlite3_reset (row);
  sqlite3_bind_blob (row, 1, id, 16, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, row, error);
  if (code != SQLITE_ROW)
    return code;
  return sqlite_session_read (session, row, error) ? SQLITE_ROW : SQLITE_CORRUPT;
}

/* ---- loads ---- */

/**
 * sqlite_reader_get_segments:
 * @self: a reader
 * @session: a session
 * @segments: (element-type ClqSegment): where to append its segments, by number
 * @opened: (element-type guint64): and the newest record when each was opened
 * @error: return location
 *
 * Returns: whether all are there and whole
 */
gboolean
sqlite_reader_get_segments (SqliteReader *self, const SqliteSession *session, GArray *segments, GArray *opened, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_SEGMENTS);
  gboolean is_whole = TRUE;
  int code = SQLITE_DONE;

  sqlite3_bind_int64 (row, 1, session->number);
  while (is_whole && (code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW)
    {
      ClqSegment segment = { sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2) };
      guint64 opened_seq = sqlite3_column_int64 (row, 3);

      is_whole = sqlite3_column_int64 (row, 4) == sqlite_segment_sum (session->number, &segment, opened_seq);
      g_array_append_val (segments, segment);
      g_array_append_val (opened, opened_seq);
    }
  sqlite3_reset (row);
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  return (is_whole && segments->len == session->n_segments) || sqlite_damage (error, session->id, "its segments are damaged");
}

static gboolean
give_segments (SqliteReader *self, const SqliteSession *session, ClqQuery *query, GError **error)
{
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  g_autoptr (GArray) opened = g_array_new (FALSE, FALSE, sizeof (guint64));

  if (!sqlite_reader_get_segments (self, session, segments, opened, error))
    return FALSE;
  for (guint i = 0; i < segments->len; i++)
    clq_query_add_segment (query, &g_array_index (segments, ClqSegment, i));
  return TRUE;
}

static gboolean
give_marks (SqliteReader *self, const SqliteSession *session, ClqQuery *query, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_MARKS);
  gboolean is_whole = TRUE;
  guint n_marks = 0;
  int code = SQLITE_DONE;

  sqlite3_bind_int64 (row, 1, session->number);
  for (; is_whole && (code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW; n_marks++)
    {
      ClqMark mark = { (const char *) sqlite3_column_text (row, 0), sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2) };

      is_whole = mark.name != NULL && sqlite3_column_int64 (row, 3) == sqlite_mark_sum (session->number, &mark);
      if (is_whole)
        clq_query_add_mark (query, &mark);
    }
  sqlite3_reset (row);
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  return (is_whole && n_marks == session->n_marks) || sqlite_damage (error, session->id, "its marks are damaged");
}

static gboolean
give_result (SqliteReader *self, const SqliteSession *session, ClqQuery *query, GError **error)
{
  const char *key = clq_query_get_key (query), *result;
  sqlite3_stmt *row = sqlite_reader_get (self, READER_INPUT);
  gboolean is_whole = TRUE;
  int code;

  if (key == NULL)
    return TRUE;
  sqlite3_bind_int64 (row, 1, session->number);
  sqlite3_bind_text (row, 2, key, -1, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, row, error);
  if (code == SQLITE_ROW)
    {
      guint64 seq = sqlite3_column_int64 (row, 0);

      result = (const char *) sqlite3_column_text (row, 1);
      is_whole = sqlite3_column_int64 (row, 2) == sqlite_input_sum (session->number, key, seq, result);
      if (is_whole)
        clq_query_take_result (query, seq, g_strdup (result));
    }
  sqlite3_reset (row);
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  return is_whole || sqlite_damage (error, session->id, "the result of the input with the key '%s' is damaged", key);
}

static gboolean
load (SqliteReader *self, ClqQuery *query, GError **error)
{
  SqliteSession session;
  gboolean is_loaded = FALSE;
  int code = sqlite_reader_find (self, clq_query_get_id (query), &session, error);

  if (code == SQLITE_ROW)
    {
      ClqHead *head = sqlite_session_get_head (&session, error);

      if (head != NULL)
        clq_query_add_head (query, head);
      is_loaded = head != NULL && give_segments (self, &session, query, error) && give_marks (self, &session, query, error) &&
                  give_result (self, &session, query, error);
    }
  sqlite3_reset (sqlite_reader_get (self, READER_SESSION));
  return is_loaded || code == SQLITE_DONE;
}

/**
 * sqlite_reader_load:
 * @job: a job with a load
 * @self: the reader
 */
void
sqlite_reader_load (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, load);
}

/* ---- graphs ---- */

static gboolean
graph (SqliteReader *self, ClqQuery *query, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_GRAPH);
  const char *hash = clq_query_get_text (query), *text;
  gboolean is_whole = TRUE;
  int code;

  sqlite3_bind_text (row, 1, hash, -1, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, row, error);
  if (code == SQLITE_ROW)
    {
      text = (const char *) sqlite3_column_text (row, 1);
      is_whole = text != NULL && sqlite3_column_int64 (row, 0) == sqlite_graph_sum (hash, text);
      if (is_whole)
        clq_query_take_text (query, g_strdup (text));
    }
  sqlite3_reset (row);
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  return is_whole || sqlite_damage (error, NULL, "the graph with the hash '%s' is damaged", hash);
}

/**
 * sqlite_reader_graph:
 * @job: a job with a query for a graph's text
 * @self: the reader
 */
void
sqlite_reader_graph (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, graph);
}
