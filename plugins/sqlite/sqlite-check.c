#define G_LOG_DOMAIN "sqlite-check"

#include "sqlite-maintain.h"
#include "sqlite-schema.h"
#include "sqlite-writer.h"

#define MAX_PROBLEMS 100

/* What the rows that belong to a session must add up to. */
typedef struct
{
  gint64 number; /* first, so that it is its own key */
  guint64 seq;
  gint64 last;
  guint64 found_seq;
  gint64 found_last;
  guint32 n_segments;
  guint32 n_marks;
  guint8 id[16];
} Tally;

typedef struct
{
  SqliteReader *reader;
  GHashTable *tallies;
  GString *problems;
  guint n_problems;
  guint64 n_sessions;
  guint64 n_records;
  guint64 n_contexts;
  guint64 n_seeks;
} Check;

static void
complain (Check *self, const guint8 *id, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
complain (Check *self, const guint8 *id, const char *format, ...)
{
  g_autofree char *what = NULL, *text = NULL;
  char session[CLQ_ID_LENGTH + 1];
  va_list args;

  self->n_problems++;
  if (self->n_problems > MAX_PROBLEMS)
    return;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (id != NULL)
    clq_id_print (id, session);
  text = id != NULL ? g_strdup_printf ("session %s: %s", session, what) : g_utf8_make_valid (what, -1);
  if (self->problems->len > 0)
    g_string_append_c (self->problems, ',');
  clq_json_append_string (self->problems, text, -1);
}

/* Calls @func for each row of a query. */
static void
foreach_row (Check *self, const char *sql, void (*func) (Check *self, sqlite3_stmt *row))
{
  g_autoptr (GError) error = NULL;
  g_autoptr (sqlite3_stmt) row = sqlite_db_prepare_one (&self->reader->db, sql, &error);

  while (row != NULL && sqlite_db_step (&self->reader->db, row, &error) == SQLITE_ROW)
    func (self, row);
  if (error != NULL)
    complain (self, NULL, "%s", error->message);
}

static Tally *
find_tally (Check *self, gint64 number)
{
  return g_hash_table_lookup (self->tallies, &number);
}

static void
on_integrity (Check *self, sqlite3_stmt *row)
{
  const char *text = (const char *) sqlite3_column_text (row, 0);

  if (g_strcmp0 (text, "ok") != 0)
    complain (self, NULL, "sqlite: %s", text != NULL ? text : "no answer");
}

static void
on_session (Check *self, sqlite3_stmt *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqHead) head = NULL;
  SqliteSession session;
  Tally *tally = g_new0 (Tally, 1);

  if (sqlite_session_read (&session, row, &error))
    head = sqlite_session_get_head (&session, &error);
  if (error != NULL)
    complain (self, NULL, "%s", error->message);
  tally->number = session.number;
  tally->seq = session.seq;
  tally->last = session.last;
  tally->n_segments = session.n_segments;
  tally->n_marks = session.n_marks;
  memcpy (tally->id, session.id, sizeof tally->id);
  g_hash_table_add (self->tallies, tally);
  self->n_sessions++;
  self->n_seeks += session.seq / SQLITE_STRIDE;
}

static void
on_record (Check *self, sqlite3_stmt *row)
{
  SqliteRecord record;
  gboolean is_whole = sqlite_record_read (&record, row);
  Tally *tally = find_tally (self, record.session);

  self->n_records++;
  self->n_contexts += record.type == CLQ_RECORD_CONTEXT;
  if (tally == NULL)
    {
      complain (self, NULL, "journal: row %" G_GINT64_FORMAT " belongs to no session", record.number);
      return;
    }
  if (!is_whole)
    complain (self, tally->id, "record %" G_GUINT64_FORMAT " is damaged", record.seq);
  else if (record.seq != tally->found_seq + 1 || record.previous != tally->found_last)
    complain (self, tally->id, "record %" G_GUINT64_FORMAT " follows record %" G_GUINT64_FORMAT, record.seq, tally->found_seq);
  tally->found_seq = record.seq;
  tally->found_last = record.number;
}

static void
on_segment (Check *self, sqlite3_stmt *row)
{
  gint64 session = sqlite3_column_int64 (row, 0);
  ClqSegment segment = { sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2), sqlite3_column_int64 (row, 3) };
  Tally *tally = find_tally (self, session);

  if (sqlite3_column_int64 (row, 5) != sqlite_segment_sum (session, &segment, sqlite3_column_int64 (row, 4)))
    complain (self, tally != NULL ? tally->id : NULL, "segment %u is damaged", segment.segment);
  if (tally != NULL)
    tally->n_segments--;
}

static void
on_mark (Check *self, sqlite3_stmt *row)
{
  gint64 session = sqlite3_column_int64 (row, 0);
  ClqMark mark = { (const char *) sqlite3_column_text (row, 1), sqlite3_column_int64 (row, 2), sqlite3_column_int64 (row, 3) };
  Tally *tally = find_tally (self, session);

  if (sqlite3_column_int64 (row, 4) != sqlite_mark_sum (session, &mark))
    complain (self, tally != NULL ? tally->id : NULL, "a mark is damaged");
  if (tally != NULL)
    tally->n_marks--;
}

static void
on_input (Check *self, sqlite3_stmt *row)
{
  gint64 session = sqlite3_column_int64 (row, 0);
  const char *key = (const char *) sqlite3_column_text (row, 1), *result = (const char *) sqlite3_column_text (row, 3);
  Tally *tally = find_tally (self, session);

  if (tally == NULL || sqlite3_column_int64 (row, 4) != sqlite_input_sum (session, key, sqlite3_column_int64 (row, 2), result))
    complain (self, tally != NULL ? tally->id : NULL, "the result of an input is damaged");
}

static void
on_graph (Check *self, sqlite3_stmt *row)
{
  const char *hash = (const char *) sqlite3_column_text (row, 0), *text = (const char *) sqlite3_column_text (row, 2);

  if (sqlite3_column_int64 (row, 1) != sqlite_graph_sum (hash, text))
    complain (self, NULL, "a graph is damaged");
}

static void
on_usage (Check *self, sqlite3_stmt *row)
{
  ClqUsage usage;

  if (!sqlite_usage_read (&usage, row))
    complain (self, NULL, "usage: the sum of day %u is damaged", usage.day);
}

static void
on_bad_seek (Check *self, sqlite3_stmt *row)
{
  const Tally *tally = find_tally (self, sqlite3_column_int64 (row, 0));

  complain (self, tally != NULL ? tally->id : NULL, "record %" G_GINT64_FORMAT " cannot be found directly", (gint64) sqlite3_column_int64 (row, 1));
}

static void
on_bad_unread (Check *self, sqlite3_stmt *row)
{
  const Tally *tally = find_tally (self, sqlite3_column_int64 (row, 0));

  complain (self, tally != NULL ? tally->id : NULL, "notification %" G_GINT64_FORMAT " is not listed as what it is, read or unread",
            (gint64) sqlite3_column_int64 (row, 1));
}

static void
expect_count (Check *self, const char *sql, guint64 expected, const char *what)
{
  g_autoptr (GError) error = NULL;
  gint64 number;

  if (!sqlite_db_get_number (&self->reader->db, sql, &number, &error))
    complain (self, NULL, "%s: %s", what, error->message);
  else if ((guint64) number != expected)
    complain (self, NULL, "%s: there are %" G_GINT64_FORMAT " rows, expected %" G_GUINT64_FORMAT, what, number, expected);
}

static void
check_tallies (Check *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->tallies);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    {
      const Tally *tally = value;

      if (tally->found_seq != tally->seq || tally->found_last != tally->last)
        complain (self, tally->id, "its newest record is %" G_GUINT64_FORMAT ", expected %" G_GUINT64_FORMAT, tally->found_seq, tally->seq);
      if (tally->n_segments != 0 || tally->n_marks != 0)
        complain (self, tally->id, "it has not as many segments or marks as it should");
    }
}

/**
 * sqlite_check:
 * @reader: a connection of its own
 *
 * Reads everything and compares it: what SQLite itself can tell, checksums, chains of records against heads, counts.
 *
 * Returns: (transfer full): what was found, a JSON object
 */
char *
sqlite_check (SqliteReader *reader)
{
  g_autoptr (GHashTable) tallies = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GString) problems = g_string_new (NULL);
  Check self = { .reader = reader, .tallies = tallies, .problems = problems };

  foreach_row (&self, "PRAGMA integrity_check", on_integrity);
  foreach_row (&self, "SELECT " SQLITE_SESSION_COLUMNS " FROM " SQLITE_SESSION_TABLES, on_session);
  foreach_row (&self, "SELECT " SQLITE_RECORD_COLUMNS " FROM journal ORDER BY number", on_record);
  foreach_row (&self, "SELECT session, segment, parent, parent_seq, opened_seq, checksum FROM segment", on_segment);
  foreach_row (&self, "SELECT session, name, segment, seq, checksum FROM mark", on_mark);
  foreach_row (&self, "SELECT session, key, seq, result, checksum FROM input", on_input);
  foreach_row (&self, "SELECT hash, checksum, text FROM graph_text", on_graph);
  foreach_row (&self, "SELECT " SQLITE_USAGE_COLUMNS " FROM usage", on_usage);
  foreach_row (&self, "SELECT seek.session, seek.seq FROM seek LEFT JOIN journal ON journal.number = seek.record"
                      " WHERE journal.session IS NOT seek.session OR journal.seq IS NOT seek.seq",
               on_bad_seek);
  foreach_row (&self, "SELECT * FROM (SELECT * FROM unread EXCEPT SELECT * FROM (" SQLITE_UNREAD_BY_JOURNAL "))"
                      " UNION ALL SELECT * FROM (SELECT * FROM (" SQLITE_UNREAD_BY_JOURNAL ") EXCEPT SELECT * FROM unread)",
               on_bad_unread);
  check_tallies (&self);
  expect_count (&self, "SELECT count(*) FROM seek", self.n_seeks, "seek");
  expect_count (&self, "SELECT count(*) FROM words_docsize", self.n_contexts, "the index of words");
  return g_strdup_printf ("{\"ok\":%s,\"sessions\":%" G_GUINT64_FORMAT ",\"records\":%" G_GUINT64_FORMAT ",\"found\":%u,\"problems\":[%s]}",
                          self.n_problems == 0 ? "true" : "false", self.n_sessions, self.n_records, self.n_problems, problems->str);
}
