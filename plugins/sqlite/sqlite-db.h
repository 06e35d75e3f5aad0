/* A connection to the database, with the statements that are kept prepared. */
#pragma once

#include <colloquy.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef struct
{
  sqlite3 *handle;
  char *path;
  sqlite3_stmt **statements; /* in the order of their texts */
  guint n_statements;
  int code;           /* of the last failure */
  gboolean is_broken; /* the disk failed: what the connection believes may be wrong, so it is opened anew */
} SqliteDb;

/* Whether a failure is about one session; otherwise it is about all of them. */
gboolean sqlite_is_personal (int code);

gboolean sqlite_db_open (SqliteDb *self, const char *path, gboolean for_writing, GError **error);
gboolean sqlite_db_prepare (SqliteDb *self, const char *const *texts, guint n_texts, GError **error);
void sqlite_db_close (SqliteDb *self);
int sqlite_db_set_error (SqliteDb *self, int code, GError **error);
gboolean sqlite_db_exec (SqliteDb *self, const char *sql, GError **error);
gboolean sqlite_db_get_number (SqliteDb *self, const char *sql, gint64 *number, GError **error);
sqlite3_stmt *sqlite_db_prepare_one (SqliteDb *self, const char *sql, GError **error);

int sqlite_db_step (SqliteDb *self, sqlite3_stmt *statement, GError **error);
gboolean sqlite_db_run (SqliteDb *self, sqlite3_stmt *statement, GError **error);

static inline sqlite3_stmt *
sqlite_db_get (const SqliteDb *self, guint which)
{
  return self->statements[which];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

G_END_DECLS
