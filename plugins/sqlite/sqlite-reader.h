/* The reader: a connection that only reads, so that nobody waits behind the disk who does not write. Used by one thread. */
#pragma once

#include "sqlite-jobs.h"
#include "sqlite-rows.h"

G_BEGIN_DECLS

typedef enum
{
  READER_BEGIN,
  READER_END,
  READER_SESSION,
  READER_SEGMENTS,
  READER_MARKS,
  READER_INPUT,
  READER_RECORD,
  READER_HIT,
  READER_SEEK,
  READER_GRAPH,
  READER_USAGE,
  N_READER_STATEMENTS,
} ReaderStatement;

typedef struct
{
  SqliteDb db;
  char *path;
} SqliteReader;

SqliteReader *sqlite_reader_new (const char *path, GError **error);
void sqlite_reader_free (SqliteReader *self);
gboolean sqlite_reader_connect (SqliteReader *self, GError **error);

/* Jobs. */
void sqlite_reader_load (SqliteJob *job, gpointer self);
void sqlite_reader_journal (SqliteJob *job, gpointer self);
void sqlite_reader_list (SqliteJob *job, gpointer self);
void sqlite_reader_search (SqliteJob *job, gpointer self);
void sqlite_reader_graph (SqliteJob *job, gpointer self);
void sqlite_reader_usage (SqliteJob *job, gpointer self);

/* Parts that several of them need. */
typedef gboolean (*SqliteQueryFunc) (SqliteReader *self, ClqQuery *query, GError **error);
void sqlite_reader_run (SqliteReader *self, SqliteJob *job, SqliteQueryFunc func);
int sqlite_reader_find (SqliteReader *self, const guint8 *id, SqliteSession *session, GError **error);
gboolean sqlite_reader_get_segments (SqliteReader *self, const SqliteSession *session, GArray *segments, GArray *opened, GError **error);
gboolean sqlite_search_prepare (SqliteDb *db, GError **error);

static inline sqlite3_stmt *
sqlite_reader_get (const SqliteReader *self, ReaderStatement which)
{
  return sqlite_db_get (&self->db, which);
}

G_END_DECLS
