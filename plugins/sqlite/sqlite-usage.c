#define G_LOG_DOMAIN "sqlite-usage"

#include "sqlite-reader.h"
#include "sqlite-writer.h"

#include <string.h>

/* ---- rows ---- */

/**
 * sqlite_usage_sum:
 * @self: what an agent has used on one day
 *
 * Returns: what its checksum must be
 */
gint32
sqlite_usage_sum (const ClqUsage *self)
{
  SqliteSum sum;

  sqlite_sum_init (&sum);
  sqlite_sum_number (&sum, self->day);
  sqlite_sum_text (&sum, self->agent);
  sqlite_sum_number (&sum, self->calls);
  sqlite_sum_number (&sum, self->tokens_in);
  sqlite_sum_number (&sum, self->tokens_out);
  sqlite_sum_bytes (&sum, &self->cost, sizeof self->cost);
  return sqlite_sum_end (&sum);
}

/**
 * sqlite_usage_read:
 * @self: (out): what the row says; the name belongs to the statement
 * @row: a statement that has a row of %SQLITE_USAGE_COLUMNS
 *
 * Returns: whether the row is whole
 */
gboolean
sqlite_usage_read (ClqUsage *self, sqlite3_stmt *row)
{
  const char *agent = (const char *) sqlite3_column_text (row, 1);

  *self = (ClqUsage){
    .day = (guint32) sqlite3_column_int64 (row, 0),
    .agent = agent != NULL ? agent : "",
    .calls = sqlite3_column_int64 (row, 2),
    .tokens_in = sqlite3_column_int64 (row, 3),
    .tokens_out = sqlite3_column_int64 (row, 4),
    .cost = sqlite3_column_double (row, 5),
  };
  return agent != NULL && g_utf8_validate (agent, -1, NULL) && sqlite3_column_int64 (row, 6) == sqlite_usage_sum (self);
}

/* ---- writing ---- */

/* What the sum was; one that is damaged begins anew. */
static gboolean
add_known (SqliteWriter *self, ClqUsage *sum, GError **error)
{
  sqlite3_stmt *find = sqlite_writer_get (self, WRITER_FIND_USAGE);
  ClqUsage known;
  int code;

  sqlite3_bind_int64 (find, 1, sum->day);
  sqlite3_bind_text (find, 2, sum->agent, -1, SQLITE_STATIC);
  code = sqlite_db_step (&self->db, find, error);
  if (code == SQLITE_ROW && sqlite_usage_read (&known, find))
    {
      sum->calls += known.calls;
      sum->tokens_in += known.tokens_in;
      sum->tokens_out += known.tokens_out;
      sum->cost += known.cost;
    }
  sqlite3_reset (find);
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

static gboolean
write_sum (SqliteWriter *self, const ClqUsage *usage, GError **error)
{
  sqlite3_stmt *set = sqlite_writer_get (self, WRITER_SET_USAGE);
  ClqUsage sum = *usage;

  if (!add_known (self, &sum, error))
    return FALSE;
  sqlite3_bind_int64 (set, 1, sum.day);
  sqlite3_bind_text (set, 2, sum.agent, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (set, 3, sum.calls);
  sqlite3_bind_int64 (set, 4, sum.tokens_in);
  sqlite3_bind_int64 (set, 5, sum.tokens_out);
  sqlite3_bind_double (set, 6, sum.cost);
  sqlite3_bind_int (set, 7, sqlite_usage_sum (&sum));
  return sqlite_db_run (&self->db, set, error);
}

/**
 * sqlite_usage_add:
 * @self: a writer in a transaction
 * @usage: what is to be added to the sum of its day and agent; its name must last as long as the transaction
 *
 * Many commits of a transaction use the same few agents: their sums are written once, by sqlite_usage_flush().
 */
void
sqlite_usage_add (SqliteWriter *self, const ClqUsage *usage)
{
  for (guint i = 0; i < self->usage->len; i++)
    {
      ClqUsage *sum = &g_array_index (self->usage, ClqUsage, i);

      if (sum->day != usage->day || strcmp (sum->agent, usage->agent) != 0)
        continue;
      sum->calls += usage->calls;
      sum->tokens_in += usage->tokens_in;
      sum->tokens_out += usage->tokens_out;
      sum->cost += usage->cost;
      return;
    }
  g_array_append_vals (self->usage, usage, 1);
}

/**
 * sqlite_usage_flush:
 * @self: a writer in a transaction
 * @error: return location
 *
 * Returns: whether all that was added is written
 */
gboolean
sqlite_usage_flush (SqliteWriter *self, GError **error)
{
  for (guint i = 0; i < self->usage->len; i++)
    if (!write_sum (self, &g_array_index (self->usage, ClqUsage, i), error))
      return FALSE;
  g_array_set_size (self->usage, 0);
  return TRUE;
}

/* ---- reading ---- */

static gboolean
read_sums (SqliteReader *self, ClqQuery *query, GError **error)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_USAGE);
  guint64 before = clq_query_get_before (query);
  int code;

  sqlite3_bind_int64 (row, 1, clq_query_get_after (query));
  sqlite3_bind_int64 (row, 2, before > 0 ? (gint64) before : G_MAXINT64);
  while ((code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW)
    {
      ClqUsage sum;

      if (sqlite_usage_read (&sum, row))
        clq_query_add_usage (query, &sum);
    }
  sqlite3_reset (row);
  return code == SQLITE_DONE;
}

/**
 * sqlite_reader_usage:
 * @job: a job with a query for sums
 * @self: the reader
 */
void
sqlite_reader_usage (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, read_sums);
}
