#define G_LOG_DOMAIN "sqlite-journal"

#include "sqlite-reader.h"
#include "sqlite-writer.h"

/*
 * The records of a session are a chain: each names the row of the one before it, and the session names that of the
 * newest. Every SQLITE_STRIDE records there is one that can be found directly. So reading starts at most that many
 * records behind where it is wanted, and a journal is read in stretches, each from its end.
 */

typedef struct
{
  SqliteReader *reader;
  ClqQuery *query;
  const SqliteSession *session;
  gint64 row; /* where record seq is */
  guint64 seq;
  guint n_found;
} Walk;

/* A part of the path, narrowed to what is asked for: records with after < seq <= until. */
typedef struct
{
  guint32 segment; /* 0 = any */
  guint64 after;
  guint64 until;
} Range;

/* Reads the record at the walk's place. The statement stays on its row. */
static gboolean
walk_read (Walk *self, SqliteRecord *record, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self->reader, READER_RECORD);
  int code;

  sqlite3_reset (row);
  sqlite3_bind_int64 (row, 1, self->row);
  code = sqlite_db_step (&self->reader->db, row, error);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return FALSE;
  if (code == SQLITE_ROW && sqlite_record_read (record, row) && record->session == self->session->number && record->seq == self->seq)
    return TRUE;
  return sqlite_damage (error, self->session->id, "record %" G_GUINT64_FORMAT " is damaged", self->seq);
}

/* Goes to the next record that can be found directly, not before @seq, if it is nearer than the walk's place. */
static gboolean
walk_jump (Walk *self, guint64 seq, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self->reader, READER_SEEK);
  int code;

  if (self->seq < seq)
    {
      self->seq = self->session->seq;
      self->row = self->session->last;
    }
  if (self->seq - seq < SQLITE_STRIDE)
    return TRUE;
  sqlite3_bind_int64 (row, 1, self->session->number);
  sqlite3_bind_int64 (row, 2, seq);
  code = sqlite_db_step (&self->reader->db, row, error);
  if (code == SQLITE_ROW && (guint64) sqlite3_column_int64 (row, 0) < self->seq)
    {
      self->seq = sqlite3_column_int64 (row, 0);
      self->row = sqlite3_column_int64 (row, 1);
    }
  sqlite3_reset (row);
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

static void
walk_step (Walk *self, const SqliteRecord *record)
{
  self->row = record->previous;
  self->seq--;
}

static gboolean
walk_is_full (const Walk *self)
{
  guint limit = clq_query_get_limit (self->query);

  return limit > 0 && self->n_found >= limit;
}

static gboolean
is_wanted (const Walk *self, const Range *range, const SqliteRecord *record)
{
  guint types = clq_query_get_types (self->query);

  return (range->segment == 0 || range->segment == record->segment) && (types == 0 || (types >> record->type & 1) != 0);
}

/*
 * Reads a range from its end, until enough is found, and gives the records to the query, or to @kept if that is not
 * %NULL. Records that are not wanted are compared with their checksums, too: one of the wanted may have become another.
 */
static gboolean
read_back (Walk *self, const Range *range, GPtrArray *kept, GError **error)
{
  SqliteRecord record;

  if (!walk_jump (self, range->until, error))
    return FALSE;
  while (self->seq > range->after && (kept != NULL || !walk_is_full (self)))
    {
      ClqRecord *found;

      if (!walk_read (self, &record, error))
        return FALSE;
      if (self->seq <= range->until && is_wanted (self, range, &record))
        {
          found = sqlite_record_get (&record);
          if (found == NULL)
            return sqlite_damage (error, self->session->id, "record %" G_GUINT64_FORMAT " is damaged: its body is no JSON", self->seq);
          if (kept != NULL)
            g_ptr_array_add (kept, found);
          else
            {
              clq_query_add_record (self->query, found);
              self->n_found++;
            }
        }
      walk_step (self, &record);
    }
  return TRUE;
}

/* Reads a range from its start, in stretches that end where a record can be found directly. */
static gboolean
read_forward (Walk *self, const Range *range, GError **error)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  Range stretch = *range;

  for (; stretch.after < range->until && !walk_is_full (self); stretch.after = stretch.until)
    {
      stretch.until = MIN (range->until, (stretch.after / SQLITE_STRIDE + 1) * SQLITE_STRIDE);
      g_ptr_array_set_size (kept, 0);
      if (!read_back (self, &stretch, kept, error))
        return FALSE;
      for (guint i = kept->len; i-- > 0 && !walk_is_full (self);)
        {
          clq_query_add_record (self->query, clq_record_ref (kept->pdata[i]));
          self->n_found++;
        }
    }
  return TRUE;
}

/* The ranges of the path that is asked for. Records of a segment come after it was opened. */
static gboolean
build_path (SqliteReader *self, const SqliteSession *session, guint32 tip, GArray *path, GError **error)
{
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  g_autoptr (GArray) opened = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  char id[CLQ_ID_LENGTH + 1];

  if (!sqlite_reader_get_segments (self, session, segments, opened, error))
    return FALSE;
  if (!clq_path_build ((const ClqSegment *) (gpointer) segments->data, segments->len, tip, ranges))
    {
      clq_id_print (session->id, id);
      g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "session %s: there is no segment %u", id, tip);
      return FALSE;
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      const ClqPathRange *range = &g_array_index (ranges, ClqPathRange, i);
      Range narrowed = { range->segment, range->after_seq, range->until_seq };

      for (guint j = 0; j < segments->len; j++)
        if (g_array_index (segments, ClqSegment, j).segment == range->segment)
          narrowed.after = MAX (narrowed.after, g_array_index (opened, guint64, j));
      g_array_append_val (path, narrowed);
    }
  return TRUE;
}

static gboolean
read_path (Walk *self, GArray *path, GError **error)
{
  guint64 after = clq_query_get_after (self->query), before = clq_query_get_before (self->query);
  gboolean newest_first = clq_query_get_newest_first (self->query);

  for (guint i = 0; i < path->len && !walk_is_full (self); i++)
    {
      Range range = g_array_index (path, Range, newest_first ? path->len - 1 - i : i);

      range.after = MAX (range.after, after);
      range.until = MIN (range.until, self->session->seq);
      if (before > 0)
        range.until = MIN (range.until, before - 1);
      if (range.after >= range.until)
        continue;
      if (newest_first ? !read_back (self, &range, NULL, error) : !read_forward (self, &range, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
journal (SqliteReader *self, ClqQuery *query, GError **error)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (Range));
  guint32 tip = clq_query_get_segment (query);
  SqliteSession session;
  Walk walk = { .reader = self, .query = query, .session = &session };
  gboolean is_read;
  int code = sqlite_reader_find (self, clq_query_get_id (query), &session, error);

  sqlite3_reset (sqlite_reader_get (self, READER_SESSION));
  if (code != SQLITE_ROW)
    return code == SQLITE_DONE;
  if (tip == 0)
    g_array_append_val (path, ((Range){ 0, 0, G_MAXUINT64 }));
  else if (!build_path (self, &session, tip, path, error))
    return FALSE;
  walk.row = session.last;
  walk.seq = session.seq;
  is_read = read_path (&walk, path, error);
  sqlite3_reset (sqlite_reader_get (self, READER_RECORD));
  return is_read;
}

/**
 * sqlite_reader_journal:
 * @job: a job with a query for records
 * @self: the reader
 */
void
sqlite_reader_journal (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, journal);
}
