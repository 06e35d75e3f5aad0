#define G_LOG_DOMAIN "sqlite-claims"

#include "sqlite-writer.h"

/*
 * Claims are kept in memory: there is one host, and when that has stopped its claims are to end. They belong to the
 * writer, so that a claim and the commit that ends it come one after the other.
 */

static void
claim (SqliteWriter *self, gint64 session, gint64 until)
{
  g_hash_table_insert (self->claims, g_memdup2 (&session, sizeof session), g_memdup2 (&until, sizeof until));
}

static gboolean
has_ended (gpointer key, gpointer value, gpointer user_data)
{
  const gint64 *until = value, *now = user_data;

  return *until > 0 && *until <= *now;
}

/* When the first claim ends by itself; 0 = never. */
static gint64
get_first_end (SqliteWriter *self)
{
  GHashTableIter iter;
  gpointer value;
  gint64 first = 0;

  g_hash_table_iter_init (&iter, self->claims);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      gint64 until = *(gint64 *) value;

      if (until > 0 && (first == 0 || until < first))
        first = until;
    }
  return first;
}

/* A session that is damaged is claimed for ever, or it would be due for ever. */
static gboolean
give_head (SqliteWriter *self, gint64 number, ClqQuery *query, GError **error)
{
  sqlite3_stmt *row = sqlite_writer_get (self, WRITER_SESSION);
  SqliteSession session;
  ClqHead *head = NULL;
  int code;

  sqlite3_bind_int64 (row, 1, number);
  code = sqlite_db_step (&self->db, row, error);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return FALSE;
  if (code == SQLITE_ROW && sqlite_session_read (&session, row, NULL))
    head = sqlite_session_get_head (&session, NULL);
  sqlite3_reset (row);
  if (head != NULL)
    clq_query_add_head (query, head);
  claim (self, number, head != NULL ? clq_query_get_lease_until (query) : 0);
  return TRUE;
}

/* The numbers of the sessions to be given. Returns when the first of the others is due, 0 if none is, -1 on failure. */
static gint64
find_due (SqliteWriter *self, ClqQuery *query, GArray *found, GError **error)
{
  sqlite3_stmt *due = sqlite_writer_get (self, WRITER_DUE);
  gint64 now = clq_query_get_now (query), next = 0;
  guint limit = clq_query_get_limit (query);
  int code;

  while ((code = sqlite_db_step (&self->db, due, error)) == SQLITE_ROW && next == 0)
    {
      gint64 number = sqlite3_column_int64 (due, 0), wake_at = sqlite3_column_int64 (due, 1);

      if (g_hash_table_contains (self->claims, &number))
        continue;
      if (wake_at > now || (limit > 0 && found->len >= limit))
        next = wake_at;
      else
        g_array_append_val (found, number);
    }
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return -1;
  sqlite3_reset (due);
  return next;
}

static void
claim_due (SqliteWriter *self, ClqQuery *query, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 now = clq_query_get_now (query), next, end;

  g_hash_table_foreach_remove (self->claims, has_ended, &now);
  next = find_due (self, query, found, error);
  if (next < 0)
    return;
  for (guint i = 0; i < found->len; i++)
    if (!give_head (self, g_array_index (found, gint64, i), query, error))
      {
        /* Nobody gets the answer, so nobody has a claim. */
        for (guint j = 0; j < i; j++)
          g_hash_table_remove (self->claims, &g_array_index (found, gint64, j));
        return;
      }
  end = get_first_end (self);
  clq_query_set_next_due (query, next == 0 || (end != 0 && end < next) ? end : next);
}

/**
 * sqlite_writer_claim_due:
 * @job: a job with a query for what is due
 * @self: the writer
 */
void
sqlite_writer_claim_due (SqliteJob *job, gpointer self)
{
  if (sqlite_writer_connect (self, &job->error))
    claim_due (self, job->query, &job->error);
}
