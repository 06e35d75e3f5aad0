#define G_LOG_DOMAIN "sqlite-rows"

#include "sqlite-rows.h"

#include <string.h>

/**
 * sqlite_damage:
 * @error: return location
 * @id: (nullable): the session
 * @format: what is wrong
 * @...: and its arguments
 *
 * Returns: %FALSE
 */
gboolean
sqlite_damage (GError **error, const guint8 *id, const char *format, ...)
{
  char text[CLQ_ID_LENGTH + 1];
  va_list args;

  if (error == NULL)
    return FALSE;
  va_start (args, format);
  *error = g_error_new_valist (CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, format, args);
  va_end (args);
  if (id != NULL)
    {
      clq_id_print (id, text);
      g_prefix_error (error, "session %s: ", text);
    }
  return FALSE;
}

static const char *
get_text (sqlite3_stmt *row, int column)
{
  return (const char *) sqlite3_column_text (row, column);
}

/* ---- sessions ---- */

/**
 * sqlite_session_sum:
 * @self: a session
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_session_sum (const SqliteSession *self)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, self->number);
  sqlite_sum_bytes (&sum, self->id, sizeof self->id);
  sqlite_sum_number (&sum, self->seq);
  sqlite_sum_number (&sum, self->last);
  sqlite_sum_number (&sum, (gint64) self->n_segments << 32 | self->n_marks);
  sqlite_sum_number (&sum, self->created_at);
  sqlite_sum_number (&sum, self->updated_at);
  sqlite_sum_number (&sum, self->wake_at);
  sqlite_sum_text (&sum, self->graph_hash);
  sqlite_sum_text (&sum, self->graph_name);
  sqlite_sum_text (&sum, self->state);
  sqlite_sum_text (&sum, self->status);
  sqlite_sum_text (&sum, self->owner);
  sqlite_sum_text (&sum, self->title);
  sqlite_sum_bytes (&sum, self->head, self->head_length);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_session_read:
 * @self: where to put what was read
 * @row: a statement with SQLITE_SESSION_COLUMNS, on a row
 * @error: return location
 *
 * Returns: whether the row is as it was written; its number and id are there in any case
 */
gboolean
sqlite_session_read (SqliteSession *self, sqlite3_stmt *row, GError **error)
{
  gconstpointer id = sqlite3_column_blob (row, 1);

  memset (self, 0, sizeof *self);
  self->number = sqlite3_column_int64 (row, 0);
  if (id != NULL && sqlite3_column_bytes (row, 1) == sizeof self->id)
    memcpy (self->id, id, sizeof self->id);
  self->seq = sqlite3_column_int64 (row, 2);
  self->last = sqlite3_column_int64 (row, 3);
  self->n_segments = sqlite3_column_int64 (row, 4);
  self->n_marks = sqlite3_column_int64 (row, 5);
  self->created_at = sqlite3_column_int64 (row, 6);
  self->updated_at = sqlite3_column_int64 (row, 7);
  self->wake_at = sqlite3_column_int64 (row, 8);
  self->state = get_text (row, 9);
  self->status = get_text (row, 10);
  self->owner = get_text (row, 11);
  self->title = get_text (row, 12);
  self->head = sqlite3_column_blob (row, 13);
  self->head_length = sqlite3_column_bytes (row, 13);
  self->graph_hash = get_text (row, 15);
  self->graph_name = get_text (row, 16);
  if (self->graph_hash != NULL && self->graph_name != NULL && self->state != NULL && self->status != NULL &&
      self->head != NULL && sqlite3_column_int64 (row, 14) == sqlite_session_sum (self))
    return TRUE;
  return sqlite_damage (error, self->id, "its head is damaged");
}

/**
 * sqlite_session_get_head:
 * @self: a session that was read
 * @error: return location
 *
 * Returns: (transfer full) (nullable): its head
 */
ClqHead *
sqlite_session_get_head (const SqliteSession *self, GError **error)
{
  ClqHead *head = clq_head_unpack (self->id, self->seq, self->graph_hash, self->graph_name, self->state, self->head, self->head_length, error);

  if (head == NULL && error != NULL)
    {
      char id[CLQ_ID_LENGTH + 1];

      clq_id_print (self->id, id);
      g_prefix_error (error, "session %s: ", id);
    }
  return head;
}

/* ---- records ---- */

/**
 * sqlite_record_sum:
 * @self: a record
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_record_sum (const SqliteRecord *self)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, self->number);
  sqlite_sum_number (&sum, self->session);
  sqlite_sum_number (&sum, self->seq);
  sqlite_sum_number (&sum, (guint64) self->segment << 32 | self->type << 8 | self->role);
  sqlite_sum_number (&sum, self->at);
  sqlite_sum_number (&sum, self->previous);
  sqlite_sum_bytes (&sum, self->body, self->length);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_record_read:
 * @self: where to put what was read
 * @row: a statement with SQLITE_RECORD_COLUMNS, on a row
 *
 * Returns: whether the row is as it was written
 */
gboolean
sqlite_record_read (SqliteRecord *self, sqlite3_stmt *row)
{
  *self = (SqliteRecord){
    .number = sqlite3_column_int64 (row, 0),
    .session = sqlite3_column_int64 (row, 1),
    .seq = sqlite3_column_int64 (row, 2),
    .segment = sqlite3_column_int64 (row, 3),
    .type = sqlite3_column_int (row, 4),
    .role = sqlite3_column_int (row, 5),
    .at = sqlite3_column_int64 (row, 6),
    .previous = sqlite3_column_int64 (row, 7),
    .body = get_text (row, 9),
  };
  self->length = sqlite3_column_bytes (row, 9);
  return self->body != NULL && sqlite3_column_int64 (row, 8) == sqlite_record_sum (self);
}

/**
 * sqlite_record_get:
 * @self: a record that was read
 *
 * Returns: (transfer full) (nullable): what the host takes; %NULL if the body is no JSON
 */
ClqRecord *
sqlite_record_get (const SqliteRecord *self)
{
  const ClqJsonLimits limits = { SQLITE_JSON_LIMITS };

  if (!clq_json_check (self->body, self->length, &limits, NULL))
    return NULL;
  return clq_record_new (self->type, self->seq, self->segment, self->role, self->at, self->body, self->length);
}

/* ---- the others ---- */

/**
 * sqlite_segment_sum:
 * @session: the number of its session
 * @segment: a segment
 * @opened_seq: the newest record when it was opened
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_segment_sum (gint64 session, const ClqSegment *segment, guint64 opened_seq)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, session);
  sqlite_sum_number (&sum, (guint64) segment->segment << 32 | segment->parent);
  sqlite_sum_number (&sum, segment->parent_seq);
  sqlite_sum_number (&sum, opened_seq);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_mark_sum:
 * @session: the number of its session
 * @mark: a mark
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_mark_sum (gint64 session, const ClqMark *mark)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, session);
  sqlite_sum_text (&sum, mark->name);
  sqlite_sum_number (&sum, mark->segment);
  sqlite_sum_number (&sum, mark->seq);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_input_sum:
 * @session: the number of its session
 * @key: the key of an input
 * @seq: the newest record of its commit
 * @result: (nullable): what it brought
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_input_sum (gint64 session, const char *key, guint64 seq, const char *result)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, session);
  sqlite_sum_text (&sum, key);
  sqlite_sum_number (&sum, seq);
  sqlite_sum_text (&sum, result);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_graph_sum:
 * @hash: of a graph
 * @text: its text
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_graph_sum (const char *hash, const char *text)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_text (&sum, hash);
  sqlite_sum_text (&sum, text);
  return sqlite_sum_end (&sum);
}
