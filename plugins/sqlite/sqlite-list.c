#define G_LOG_DOMAIN "sqlite-list"

#include "sqlite-reader.h"

/* The parameters of a list, by number: ?1 graph, ?2 state, ?3 status, ?4 owner, ?5 after, ?6 before, ?7 id; `unread` has none. */
static const char *const filters[] = { "graph", "state", "status", "owner" };
static const char *const filter_terms[] = { " AND graph.name = ?1", " AND state = ?2", " AND status = ?3", " AND owner = ?4" };

enum
{
  AFTER = G_N_ELEMENTS (filters) + 1,
  BEFORE,
  ID,
};

/* An index that gives the sessions in the order in which they were written, and as few others as possible. Few are unread. */
static const char *
choose_index (ClqQuery *query)
{
  if (clq_query_get_filter (query, "unread") != NULL)
    return NULL;
  if (g_strcmp0 (clq_query_get_filter (query, "status"), "running") == 0)
    return "session_running";
  return clq_query_get_filter (query, "owner") != NULL ? "session_owned" : "session_written";
}

static void
append_bounds (GString *sql, ClqQuery *query)
{
  gboolean newest_first = clq_query_get_newest_first (query), has_id = clq_query_has_id (query);

  if (has_id && newest_first)
    g_string_append (sql, " AND (updated_at, id) < (?6, ?7)");
  else if (clq_query_get_before (query) > 0)
    g_string_append (sql, " AND updated_at < ?6");
  if (has_id && !newest_first)
    g_string_append (sql, " AND (updated_at, id) > (?5, ?7)");
  else if (clq_query_get_after (query) > 0)
    g_string_append (sql, " AND updated_at > ?5");
  g_string_append (sql, newest_first ? " ORDER BY updated_at DESC, id DESC" : " ORDER BY updated_at, id");
}

static char *
build_sql (ClqQuery *query)
{
  const char *index = choose_index (query);
  g_autoptr (GString) sql = g_string_new ("SELECT " SQLITE_SESSION_COLUMNS " FROM ");

  if (index != NULL)
    g_string_append_printf (sql, "session INDEXED BY %s", index);
  else
    g_string_append (sql, "(SELECT DISTINCT session AS told FROM unread) CROSS JOIN session ON session.number = told");
  g_string_append (sql, " LEFT JOIN graph ON graph.number = session.graph WHERE TRUE");
  /* SQLite must see why a partial index will do. */
  if (g_strcmp0 (index, "session_running") == 0)
    g_string_append (sql, " AND status = 'running'");
  if (g_strcmp0 (index, "session_owned") == 0)
    g_string_append (sql, " AND owner IS NOT NULL");
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (clq_query_get_filter (query, filters[i]) != NULL)
      g_string_append (sql, filter_terms[i]);
  append_bounds (sql, query);
  return g_string_free (g_steal_pointer (&sql), FALSE);
}

static void
bind_all (sqlite3_stmt *statement, ClqQuery *query)
{
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      const char *value = clq_query_get_filter (query, filters[i]);

      if (value != NULL)
        sqlite3_bind_text (statement, i + 1, value, -1, SQLITE_STATIC);
    }
  sqlite3_bind_int64 (statement, AFTER, clq_query_get_after (query));
  sqlite3_bind_int64 (statement, BEFORE, clq_query_get_before (query));
  sqlite3_bind_blob (statement, ID, clq_query_get_id (query), 16, SQLITE_STATIC);
}

static gboolean
list (SqliteReader *self, ClqQuery *query, GError **error)
{
  g_autofree char *sql = build_sql (query);
  g_autoptr (sqlite3_stmt) row = sqlite_db_prepare_one (&self->db, sql, error);
  guint limit = clq_query_get_limit (query), n_found = 0;
  int code = SQLITE_ROW;

  if (row == NULL)
    return FALSE;
  bind_all (row, query);
  while ((limit == 0 || n_found < limit) && (code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW)
    {
      SqliteSession session;
      ClqHead *head = sqlite_session_read (&session, row, NULL) ? sqlite_session_get_head (&session, NULL) : NULL;

      if (head == NULL)
        continue;
      clq_query_add_head (query, head);
      n_found++;
    }
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

/**
 * sqlite_reader_list:
 * @job: a job with a query for sessions
 * @self: the reader
 */
void
sqlite_reader_list (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, list);
}
