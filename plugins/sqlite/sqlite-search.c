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
      /* A word that all records have still counts a little: in a small store that says nothing against it. */
      scale->rarity[i] = log (1 + (n_records + 1) / (n_hits + 0.5));
      scale->perfect += scale->rarity[i] * (K1 + 1);
    }
  code = api->xSetAuxdata (context, scale, g_free);
  /* It has been freed if it could not be kept. */
  *out = g_steal_pointer (&scale);
  return code;
}

static int
count (const Fts5ExtensionApi *api, Fts5Context *context, int word, guint *n_found)
{
  Fts5PhraseIter iter;
  int column, place, code = api->xPhraseFirst (context, word, &iter, &column, &place);

  for (*n_found = 0; code == SQLITE_OK && column >= 0; api->xPhraseNext (context, &iter, &column, &place))
    ++*n_found;
  return code;
}

static int
score (const Fts5ExtensionApi *api, Fts5Context *context, const Scale *scale, double *relevance)
{
  int n_words, code = api->xColumnSize (context, -1, &n_words);
  double hold_back = K1 * (1 - B + B * n_words / scale->average);

  *relevance = 0;
  for (int i = 0; code == SQLITE_OK && i < scale->n_words; i++)
    {
      guint n_found;

      code = count (api, context, i, &n_found);
      *relevance += scale->rarity[i] * n_found * (K1 + 1) / (n_found + hold_back);
    }
  *relevance /= scale->perfect;
  return code;
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

/* The rows with any of the words, the best first, the newer first among equals. */
#define RANKED "SELECT rowid, relevance(words) FROM words WHERE words MATCH ?1 ORDER BY 2 DESC, 1 DESC"

/* How many of the best rows are looked at for each that is wanted, if only those of some sessions are, before all are ranked. */
#define FILTERED 8

/* The parameters of READER_HIT. */
static const char *const filters[] = { "graph", "state", "status", "owner" };

enum
{
  NUMBER = 1,
  FILTER,
  ID = FILTER + G_N_ELEMENTS (filters),
};

/* Returns whether only what some sessions have written is wanted. */
static gboolean
bind_filters (SqliteReader *self, ClqQuery *query)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_HIT);
  gboolean is_filtered = clq_query_has_id (query);

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      const char *value = clq_query_get_filter (query, filters[i]);

      sqlite3_bind_text (row, FILTER + i, value, -1, SQLITE_STATIC);
      is_filtered |= value != NULL;
    }
  sqlite3_bind_blob (row, ID, clq_query_has_id (query) ? clq_query_get_id (query) : NULL, 16, SQLITE_STATIC);
  return is_filtered;
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
add_hit (SqliteReader *self, ClqQuery *query, gint64 number, double relevance)
{
  sqlite3_stmt *row = sqlite_reader_get (self, READER_HIT);
  gboolean is_added = FALSE;

  sqlite3_bind_int64 (row, NUMBER, number);
  if (sqlite3_step (row) == SQLITE_ROW && sqlite3_column_bytes (row, 0) == 16)
    {
      ClqRecord *record = read_record (self, number);

      is_added = record != NULL;
      if (is_added)
        clq_query_add_hit (query, sqlite3_column_blob (row, 0), record, relevance);
    }
  sqlite3_reset (row);
  return is_added;
}

/* Adds hits from the ranked rows of @sql but its first @n_known, until there are as many as are wanted. */
static gboolean
add_hits (SqliteReader *self, ClqQuery *query, const char *sql, const char *match, gint64 n_known, guint *n_found, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sqlite_db_prepare_one (&self->db, sql, error);
  guint limit = clq_query_get_limit (query);
  int code = SQLITE_ROW;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_text (row, 1, match, -1, SQLITE_STATIC);
  while ((limit == 0 || *n_found < limit) && (code = sqlite_db_step (&self->db, row, error)) == SQLITE_ROW)
    if (n_known > 0)
      n_known--;
    else if (add_hit (self, query, sqlite3_column_int64 (row, 0), sqlite3_column_double (row, 1)))
      ++*n_found;
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

static gboolean
search (SqliteReader *self, ClqQuery *query, GError **error)
{
  const char *text = clq_query_get_text (query);
  g_autofree char *match = sqlite_words_to_match (text != NULL ? text : ""), *best = NULL;
  gint64 limit = clq_query_get_limit (query), n_best = bind_filters (self, query) ? FILTERED * limit : limit;
  guint n_found = 0;

  if (match == NULL)
    return TRUE;
  /* What one session has written is seldom among the best of all. */
  if (clq_query_has_id (query))
    n_best = 0;
  /* SQLite keeps only the best while it ranks, which is much faster than to sort all. */
  best = g_strdup_printf (RANKED " LIMIT %" G_GINT64_FORMAT, n_best);
  if (n_best > 0 && !add_hits (self, query, best, match, 0, &n_found, error))
    return FALSE;
  return (limit > 0 && n_found == limit) || add_hits (self, query, RANKED, match, n_best, &n_found, error);
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
