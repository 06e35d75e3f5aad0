#define G_LOG_DOMAIN "sqlite-search"

#include <math.h>

#include "sqlite-reader.h"

/* ---- how relevant a record is ---- */

/* BM25: how soon more of the same word stops to count, and how much long texts are held back. */
#define K1 1.2
#define B 0.75

/* What is the same for all records that are found. */
typedef struct
{
  double average; /* words of a record */
  double perfect; /* what a text of nothing but the words would score at the most */
  int n_words;
  double rarity[]; /* of each word of the question */
} Scale;

static int
on_hit (const Fts5ExtensionApi *api, Fts5Context *context, gpointer user_data)
{
  guint64 *n_hits = user_data;

  ++*n_hits;
  return SQLITE_OK;
}

static int
measure (const Fts5ExtensionApi *api, Fts5Context *context, Scale **out)
{
  int n_words = api->xPhraseCount (context);
  g_autofree Scale *scale = g_malloc0 (sizeof *scale + n_words * sizeof (double));
  sqlite3_int64 n_records, n_all_words;
  int code = api->xRowCount (context, &n_records);

  if (code == SQLITE_OK)
    code = api->xColumnTotalSize (context, -1, &n_all_words);
  if (code != SQLITE_OK || n_records <= 0)
    return code != SQLITE_OK ? code : SQLITE_CORRUPT_VTAB;
  scale->n_words = n_words;
  scale->average = MAX ((double) n_all_words / n_records, 1e-9);
  for (int i = 0; i < n_words; i++)
    {
      guint64 n_hits = 0;

      code = api->xQueryPhrase (context, i, &n_hits, on_hit);
      if (code != SQLITE_OK)
        return code;
      scale->rarity[i] = log (1 + (MAX ((double) n_records - n_hits, 0) + 0.5) / (n_hits + 0.5));
      scale->perfect += scale->rarity[i] * (K1 + 1);
    }
  code = api->xSetAuxdata (context, scale, g_free);
  /* It has been freed if it could not be kept. */
  *out = g_steal_pointer (&scale);
  return code;
}

static int
score (const Fts5ExtensionApi *api, Fts5Context *context, const Scale *scale, double *relevance)
{
  g_autofree guint *counts = g_new0 (guint, scale->n_words);
  int n_found, n_words, code = api->xInstCount (context, &n_found);

  for (int i = 0; code == SQLITE_OK && i < n_found; i++)
    {
      int word, column, place;

      code = api->xInst (context, i, &word, &column, &place);
      if (code == SQLITE_OK)
        counts[word]++;
    }
  if (code == SQLITE_OK)
    code = api->xColumnSize (context, -1, &n_words);
  if (code != SQLITE_OK)
    return code;
  *relevance = 0;
  for (int i = 0; i < scale->n_words; i++)
    {
      double hold_back = K1 * (1 - B + B * n_words / scale->average);

      *relevance += scale->rarity[i] * counts[i] * (K1 + 1) / (counts[i] + hold_back);
    }
  *relevance /= scale->perfect;
  return SQLITE_OK;
}

/* The function `relevance` of SQL: the same number as in other stores, more than 0 and below 1. */
static void
relevance_function (const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int n_values, sqlite3_value **values)
{
  Scale *scale = api->xGetAuxdata (context, 0);
  int code = scale == NULL ? measure (api, context, &scale) : SQLITE_OK;
  double relevance = 0;

  if (code == SQLITE_OK)
    code = score (api, context, scale, &relevance);
  if (code == SQLITE_OK)
    sqlite3_result_double (result, relevance);
  else
    sqlite3_result_error_code (result, code);
}

/**
 * sqlite_search_prepare:
 * @db: a connection
 * @error: return location
 *
 * Returns: whether `relevance` can be used there
 */
gboolean
sqlite_search_prepare (SqliteDb *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = sqlite_db_prepare_one (db, "SELECT fts5(?1)", error);
  fts5_api *api = NULL;
  int code;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_pointer (statement, 1, &api, "fts5_api_ptr", NULL);
  if (sqlite_db_step (db, statement, error) != SQLITE_ROW)
    return FALSE;
  code = api != NULL ? api->xCreateFunction (api, "relevance", NULL, relevance_function, NULL) : SQLITE_ERROR;
  if (code == SQLITE_OK)
    return TRUE;
  sqlite_db_set_error (db, code, error);
  return FALSE;
}

/* ---- searches ---- */

/* The parameters, by number: ?1 the words, ?2 graph, ?3 state, ?4 status, ?5 owner, ?6 id. */
static const char *const filters[] = { "graph", "state", "status", "owner" };
static const char *const filter_terms[] = { " AND graph.name = ?2", " AND state = ?3", " AND status = ?4", " AND owner = ?5" };

enum
{
  MATCH = 1,
  FILTER,
  ID = FILTER + G_N_ELEMENTS (filters),
};

static sqlite3_stmt *
prepare_search (SqliteReader *self, ClqQuery *query, const char *match, GError **error)
{
  /* Only as many of the ranked rows are joined as are read; the limit keeps SQLite from turning this inside out. */
  g_autoptr (GString) sql = g_string_new ("SELECT hit.number, session.id, hit.relevance FROM (SELECT rowid AS number, relevance(words) AS relevance"
                                          " FROM words WHERE words MATCH ?1 ORDER BY 2 DESC, 1 DESC LIMIT -1) AS hit"
                                          " CROSS JOIN journal ON journal.number = hit.number CROSS JOIN session ON session.number = journal.session"
                                          " LEFT JOIN graph ON graph.number = session.graph WHERE TRUE");
  sqlite3_stmt *statement;

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (clq_query_get_filter (query, filters[i]) != NULL)
      g_string_append (sql, filter_terms[i]);
  if (clq_query_has_id (query))
    g_string_append (sql, " AND session.id = ?6");
  statement = sqlite_db_prepare_one (&self->db, sql->str, error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_text (statement, MATCH, match, -1, SQLITE_STATIC);
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (clq_query_get_filter (query, filters[i]) != NULL)
      sqlite3_bind_text (statement, FILTER + i, clq_query_get_filter (query, filters[i]), -1, SQLITE_STATIC);
  if (clq_query_has_id (query))
    sqlite3_bind_blob (statement, ID, clq_query_get_id (query), 16, SQLITE_STATIC);
  return statement;
}

/* The record in a row; NULL if it is damaged. */
static ClqRecord *
read_record (SqliteReader *self, gint64 number)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_RECORD);
  ClqRecord *found = NULL;
  SqliteRecord record;

  sqlite3_bind_int64 (row, 1, number);
  if (sqlite3_step (row) == SQLITE_ROW && sqlite_record_read (&record, row) && record.type == CLQ_RECORD_CONTEXT)
    found = sqlite_record_get (&record);
  sqlite3_reset (row);
  return found;
}

static gboolean
search (SqliteReader *self, ClqQuery *query, GError **error)
{
  const char *text = clq_query_get_text (query);
  g_autofree char *match = sqlite_words_to_match (text != NULL ? text : "");
  g_autoptr (sqlite3_stmt) row = NULL;
  guint limit = clq_query_get_limit (query), n_found = 0;
  int code = SQLITE_ROW;

  if (match == NULL)
    return TRUE;
  row = prepare_search (self, query, match, error);
  if (row == NULL)
    return FALSE;
  while ((limit == 0 || n_found < limit) && (code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW)
    {
      ClqRecord *record = read_record (self, sqlite3_column_int64 (row, 0));
      gconstpointer id = sqlite3_column_blob (row, 1);

      if (record != NULL && id != NULL && sqlite3_column_bytes (row, 1) == 16)
        {
          clq_query_add_hit (query, id, g_steal_pointer (&record), sqlite3_column_double (row, 2));
          n_found++;
        }
      g_clear_pointer (&record, clq_record_unref);
    }
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

/**
 * sqlite_reader_search:
 * @job: a job with a query for words
 * @self: the reader
 */
void
sqlite_reader_search (SqliteJob *job, gpointer self)
{
  sqlite_reader_run (self, job, search);
}
