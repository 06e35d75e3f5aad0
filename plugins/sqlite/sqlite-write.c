#define G_LOG_DOMAIN "sqlite-write"

#include "sqlite-writer.h"

#include <string.h>

/* ---- what is known by heart ---- */

static SqliteSeat *
get_seat (SqliteWriter *self, const guint8 *id)
{
  guint32 place;

  /* The last bytes of an id are random. */
  memcpy (&place, id + 12, sizeof place);
  return &self->seats[(place * 2654435761u) >> 20];
}

G_STATIC_ASSERT (SQLITE_N_SEATS == 1 << 12);

/**
 * sqlite_seat_forget:
 * @self: a writer
 * @id: a session
 */
void
sqlite_seat_forget (SqliteWriter *self, const guint8 *id)
{
  get_seat (self, id)->number = 0;
}

/**
 * sqlite_seat_find:
 * @self: a writer in a transaction
 * @id: a session
 * @error: return location
 *
 * Returns: (transfer none) (nullable): what is known of the session; its number is 0 if it does not exist
 */
SqliteSeat *
sqlite_seat_find (SqliteWriter *self, const guint8 *id, GError **error)
{
  SqliteSeat *seat = get_seat (self, id);
  sqlite3_stmt *find;
  int code;

  if (seat->number != 0 && memcmp (seat->id, id, sizeof seat->id) == 0)
    return seat;
  memset (seat, 0, sizeof *seat);
  memcpy (seat->id, id, sizeof seat->id);
  find = sqlite_writer_get (self, WRITER_FIND);
  sqlite3_bind_blob (find, 1, id, sizeof seat->id, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, find, error);
  if (code == SQLITE_ROW)
    {
      seat->number = sqlite3_column_int64 (find, 0);
      seat->seq = sqlite3_column_int64 (find, 1);
      seat->last = sqlite3_column_int64 (find, 2);
      seat->n_segments = sqlite3_column_int64 (find, 3);
      seat->n_marks = sqlite3_column_int64 (find, 4);
    }
  else if (code != SQLITE_DONE)
    return NULL;
  sqlite3_reset (find);
  return seat;
}

/* ---- what may be wrong with a commit ---- */

static WriteResult
refuse (const SqliteWriter *self, ClqCommit *commit, ClqStoreError code, const char *format, ...) G_GNUC_PRINTF (4, 5);

static WriteResult
refuse (const SqliteWriter *self, ClqCommit *commit, ClqStoreError code, const char *format, ...)
{
  char id[CLQ_ID_LENGTH + 1];
  g_autoptr (GError) error = NULL;
  va_list args;

  if (self->is_staging)
    return WRITE_REFUSED;
  clq_id_print (clq_commit_get_id (commit), id);
  va_start (args, format);
  error = g_error_new_valist (CLQ_STORE_ERROR, code, format, args);
  va_end (args);
  g_prefix_error (&error, "session %s: ", id);
  clq_commit_fail (commit, error);
  return WRITE_REFUSED;
}

/* Everything else that can be wrong is found before anything is written. */
static WriteResult
check (const SqliteWriter *self, const SqliteSeat *seat, ClqCommit *commit)
{
  guint64 expected = clq_commit_get_expected_seq (commit);
  guint64 given = clq_head_get_seq (clq_commit_get_head (commit));
  guint n_records = clq_commit_get_n_records (commit);

  if (seat->seq != expected)
    return refuse (self, commit, CLQ_STORE_ERROR_STALE, "its newest record is %" G_GUINT64_FORMAT ", expected %" G_GUINT64_FORMAT, seat->seq, expected);
  if (n_records == 0)
    return refuse (self, commit, CLQ_STORE_ERROR_CORRUPT, "a commit has no records, expected at least one");
  if (given != expected + n_records)
    return refuse (self, commit, CLQ_STORE_ERROR_CORRUPT, "the head names record %" G_GUINT64_FORMAT ", expected %" G_GUINT64_FORMAT, given, expected + n_records);
  return WRITE_DONE;
}

static WriteResult
check_segments (SqliteWriter *self, const SqliteSeat *seat, ClqCommit *commit, GError **error)
{
  sqlite3_stmt *find = sqlite_writer_get (self, WRITER_FIND_SEGMENT);

  for (guint i = 0; i < clq_commit_get_n_segments (commit); i++)
    {
      guint32 segment = clq_commit_get_segment (commit, i)->segment;
      int code;

      sqlite3_bind_int64 (find, 1, seat->number);
      sqlite3_bind_int64 (find, 2, segment);
      code = sqlite_db_step (&self->db, find, error);
      if (code != SQLITE_ROW && code != SQLITE_DONE)
        return WRITE_FAILED;
      sqlite3_reset (find);
      if (code == SQLITE_ROW || segment == CLQ_ROOT_SEGMENT)
        return refuse (self, commit, CLQ_STORE_ERROR_CORRUPT, "segment %u is there already, expected a new one", segment);
    }
  return WRITE_DONE;
}

/* ---- parts of a commit ---- */

static WriteResult
write_key (SqliteWriter *self, const SqliteSeat *seat, ClqCommit *commit, GError **error)
{
  const char *key = clq_commit_get_key (commit), *result = clq_commit_get_result (commit);
  guint64 seq = clq_head_get_seq (clq_commit_get_head (commit));
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_INPUT);
  int code;

  if (key == NULL)
    return WRITE_DONE;
  sqlite3_bind_int64 (insert, 1, seat->number);
  sqlite3_bind_text (insert, 2, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (insert, 3, seq);
  sqlite3_bind_text (insert, 4, result, -1, SQLITE_STATIC);
  sqlite3_bind_int (insert, 5, sqlite_input_sum (seat->number, key, seq, result));
  code = sqlite3_step (insert);
  sqlite3_reset (insert);
  if (code == SQLITE_DONE)
    return WRITE_DONE;
  if ((code & 0xff) == SQLITE_CONSTRAINT)
    return refuse (self, commit, CLQ_STORE_ERROR_STALE, "an input with the key '%s' was taken before", key);
  sqlite_db_set_error (&self->db, code, error);
  return WRITE_FAILED;
}

static gboolean
write_seek (SqliteWriter *self, const SqliteRecord *record, GError **error)
{
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_SEEK);

  if (record->seq % SQLITE_STRIDE != 0)
    return TRUE;
  sqlite3_bind_int64 (insert, 1, record->session);
  sqlite3_bind_int64 (insert, 2, record->seq);
  sqlite3_bind_int64 (insert, 3, record->number);
  return sqlite_db_run (&self->db, insert, error);
}

/* A damaged index must not keep sessions from going on: it can be made again from the records. */
static gboolean
write_words (SqliteWriter *self, const SqliteRecord *record, GError **error)
{
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_WORDS);

  if (record->type != CLQ_RECORD_CONTEXT || !self->has_index)
    return TRUE;
  sqlite_words_collect (record->body, record->length, self->words);
  sqlite3_bind_int64 (insert, 1, record->number);
  sqlite3_bind_text (insert, 2, self->words->str, self->words->len, SQLITE_STATIC);
  if (sqlite_db_run (&self->db, insert, error))
    return TRUE;
  if ((self->db.code & 0xff) == SQLITE_CORRUPT)
    self->has_index = FALSE;
  return FALSE;
}

static gboolean
write_record (SqliteWriter *self, SqliteSeat *seat, const ClqRecord *given, GError **error)
{
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_RECORD);
  SqliteRecord record = {
    .number = self->next_record,
    .session = seat->number,
    .seq = clq_record_get_seq (given),
    .segment = clq_record_get_segment (given),
    .type = clq_record_get_record_type (given),
    .role = clq_record_get_role (given),
    .at = clq_record_get_at (given),
    .previous = seat->last,
  };

  record.body = clq_record_get_body (given, &record.length);
  sqlite3_bind_int64 (insert, 1, record.number);
  sqlite3_bind_int64 (insert, 2, record.session);
  sqlite3_bind_int64 (insert, 3, record.seq);
  sqlite3_bind_int64 (insert, 4, record.segment);
  sqlite3_bind_int (insert, 5, record.type);
  sqlite3_bind_int (insert, 6, record.role);
  sqlite3_bind_int64 (insert, 7, record.at);
  sqlite3_bind_int64 (insert, 8, record.previous);
  sqlite3_bind_int (insert, 9, sqlite_record_sum (&record));
  sqlite3_bind_text64 (insert, 10, record.body, record.length, SQLITE_STATIC, SQLITE_UTF8);
  if (!sqlite_db_run (&self->db, insert, error) || !write_seek (self, &record, error) || !write_words (self, &record, error) ||
      (record.type == CLQ_RECORD_NOTIFICATION && !sqlite_write_unread (self, record.session, given, error)))
    return FALSE;
  seat->last = record.number;
  self->next_record++;
  return TRUE;
}

static gboolean
write_segment (SqliteWriter *self, SqliteSeat *seat, const ClqSegment *segment, GError **error)
{
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_SEGMENT);

  sqlite3_bind_int64 (insert, 1, seat->number);
  sqlite3_bind_int64 (insert, 2, segment->segment);
  sqlite3_bind_int64 (insert, 3, segment->parent);
  sqlite3_bind_int64 (insert, 4, segment->parent_seq);
  sqlite3_bind_int64 (insert, 5, seat->seq);
  sqlite3_bind_int (insert, 6, sqlite_segment_sum (seat->number, segment, seat->seq));
  seat->n_segments++;
  return sqlite_db_run (&self->db, insert, error);
}

static gboolean
write_mark (SqliteWriter *self, SqliteSeat *seat, const ClqMark *mark, GError **error)
{
  static const WriterStatement ways[] = { WRITER_UPDATE_MARK, WRITER_INSERT_MARK };
  sqlite3_stmt *statement = sqlite_writer_get (self, WRITER_DELETE_MARK);
  gboolean is_there = FALSE;

  if (mark->seq == 0)
    {
      sqlite3_bind_int64 (statement, 1, seat->number);
      sqlite3_bind_text (statement, 2, mark->name, -1, SQLITE_STATIC);
      if (!sqlite_db_run (&self->db, statement, error))
        return FALSE;
      seat->n_marks -= sqlite3_changes (self->db.handle);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (ways) && !is_there; i++)
    {
      statement = sqlite_writer_get (self, ways[i]);
      sqlite3_bind_int64 (statement, 1, seat->number);
      sqlite3_bind_text (statement, 2, mark->name, -1, SQLITE_STATIC);
      sqlite3_bind_int64 (statement, 3, mark->segment);
      sqlite3_bind_int64 (statement, 4, mark->seq);
      sqlite3_bind_int (statement, 5, sqlite_mark_sum (seat->number, mark));
      if (!sqlite_db_run (&self->db, statement, error))
        return FALSE;
      is_there = sqlite3_changes (self->db.handle) > 0;
      seat->n_marks += is_there && ways[i] == WRITER_INSERT_MARK;
    }
  return TRUE;
}

/* ---- graphs ---- */

static gboolean
write_graph_text (SqliteWriter *self, const char *hash, const char *text, GError **error)
{
  sqlite3_stmt *insert = sqlite_writer_get (self, WRITER_INSERT_GRAPH_TEXT);

  if (text == NULL)
    return TRUE;
  sqlite3_bind_text (insert, 1, hash, -1, SQLITE_STATIC);
  sqlite3_bind_int (insert, 2, sqlite_graph_sum (hash, text));
  sqlite3_bind_text (insert, 3, text, -1, SQLITE_STATIC);
  return sqlite_db_run (&self->db, insert, error);
}

/* The number of a graph, 0 on failure. Sessions refer to it, because hashes are long. */
static gint64
write_graph (SqliteWriter *self, const char *hash, const char *name, GError **error)
{
  g_autofree char *both = g_strconcat (hash, "\n", name, NULL);
  const gint64 *known = g_hash_table_lookup (self->graphs, both);
  sqlite3_stmt *statement;
  gint64 number;
  int code;

  if (known != NULL)
    return *known;
  statement = sqlite_writer_get (self, WRITER_FIND_GRAPH);
  sqlite3_bind_text (statement, 1, hash, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 2, name, -1, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, statement, error);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return 0;
  number = code == SQLITE_ROW ? sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_reset (statement);
  if (number == 0)
    {
      statement = sqlite_writer_get (self, WRITER_INSERT_GRAPH);
      sqlite3_bind_text (statement, 1, hash, -1, SQLITE_STATIC);
      sqlite3_bind_text (statement, 2, name, -1, SQLITE_STATIC);
      if (!sqlite_db_run (&self->db, statement, error))
        return 0;
      number = sqlite3_last_insert_rowid (self->db.handle);
    }
  g_hash_table_insert (self->graphs, g_steal_pointer (&both), g_memdup2 (&number, sizeof number));
  return number;
}

/* ---- the whole ---- */

static gboolean
write_session (SqliteWriter *self, const SqliteSeat *seat, const ClqHead *head, gboolean is_new, GError **error)
{
  sqlite3_stmt *statement = sqlite_writer_get (self, is_new ? WRITER_INSERT_SESSION : WRITER_UPDATE_SESSION);
  SqliteSession session = {
    .number = seat->number,
    .seq = seat->seq,
    .last = seat->last,
    .n_segments = seat->n_segments,
    .n_marks = seat->n_marks,
    .created_at = clq_head_get_created_at (head),
    .updated_at = clq_head_get_updated_at (head),
    .wake_at = clq_head_get_wake_at (head),
    .graph_hash = clq_head_get_graph_hash (head),
    .graph_name = clq_head_get_graph_name (head),
    .state = clq_head_get_state (head),
    .status = clq_head_get_status (head),
    .owner = clq_head_get_owner (head),
    .title = clq_head_get_title (head),
  };
  gint64 graph = write_graph (self, session.graph_hash, session.graph_name, error);

  if (graph == 0)
    return FALSE;
  memcpy (session.id, seat->id, sizeof session.id);
  g_byte_array_set_size (self->head, 0);
  clq_head_pack (head, self->head);
  session.head = self->head->data;
  session.head_length = self->head->len;
  sqlite3_bind_int64 (statement, 1, session.number);
  sqlite3_bind_blob (statement, 2, session.id, sizeof session.id, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 3, session.seq);
  sqlite3_bind_int64 (statement, 4, session.last);
  sqlite3_bind_int64 (statement, 5, session.n_segments);
  sqlite3_bind_int64 (statement, 6, session.n_marks);
  sqlite3_bind_int64 (statement, 7, graph);
  sqlite3_bind_text (statement, 8, session.state, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 9, session.status, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 10, session.owner, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 11, session.title, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 12, session.created_at);
  sqlite3_bind_int64 (statement, 13, session.updated_at);
  sqlite3_bind_int64 (statement, 14, session.wake_at);
  sqlite3_bind_int (statement, 15, sqlite_session_sum (&session));
  sqlite3_bind_blob (statement, 16, session.head, session.head_length, SQLITE_STATIC);
  return sqlite_db_run (&self->db, statement, error);
}

static gboolean
write_parts (SqliteWriter *self, SqliteSeat *seat, ClqCommit *commit, GError **error)
{
  for (guint i = 0; i < clq_commit_get_n_segments (commit); i++)
    if (!write_segment (self, seat, clq_commit_get_segment (commit, i), error))
      return FALSE;
  for (guint i = 0; i < clq_commit_get_n_marks (commit); i++)
    if (!write_mark (self, seat, clq_commit_get_mark (commit, i), error))
      return FALSE;
  for (guint i = 0; i < clq_commit_get_n_records (commit); i++)
    if (!write_record (self, seat, clq_commit_get_record (commit, i), error))
      return FALSE;
  for (guint i = 0; i < clq_commit_get_n_usage (commit); i++)
    sqlite_usage_add (self, clq_commit_get_usage (commit, i));
  return TRUE;
}

/**
 * sqlite_write:
 * @self: a writer in a transaction
 * @commit: what to write
 * @error: return location
 *
 * Returns: what became of it
 */
WriteResult
sqlite_write (SqliteWriter *self, ClqCommit *commit, GError **error)
{
  const ClqHead *head = clq_commit_get_head (commit);
  SqliteSeat *seat = sqlite_seat_find (self, clq_commit_get_id (commit), error);
  gboolean is_new = seat != NULL && seat->number == 0;
  WriteResult result;

  if (seat == NULL)
    return WRITE_FAILED;
  result = check (self, seat, commit);
  if (result == WRITE_DONE)
    result = check_segments (self, seat, commit, error);
  if (result != WRITE_DONE)
    return result;
  if (is_new)
    seat->number = self->next_session;
  result = write_key (self, seat, commit, error);
  if (result != WRITE_DONE)
    {
      seat->number = is_new ? 0 : seat->number;
      return result;
    }
  if (!write_parts (self, seat, commit, error))
    return WRITE_FAILED;
  seat->seq = clq_head_get_seq (head);
  if (!write_graph_text (self, clq_head_get_graph_hash (head), clq_commit_get_graph_text (commit), error) ||
      !write_session (self, seat, head, is_new, error))
    return WRITE_FAILED;
  self->next_session += is_new;
  g_array_append_val (self->written, seat->number);
  return WRITE_DONE;
}
