/* SQLite without a host, as the store sets it up. */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

sqlite3 *bench_raw_open (const char *path);
sqlite3_stmt *bench_raw_prepare (sqlite3 *handle, const char *sql);
void bench_raw_run (sqlite3_stmt *statement);

/* A session that a host has left, to go on without one. */
typedef struct
{
  guint8 id[16];
  gint64 number;
  gint64 seq;
  gint64 last;
  GBytes *head;
} BenchRawSession;

/* The rows that commits write, to the tables that a host has left. */
typedef struct
{
  sqlite3 *handle;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  sqlite3_stmt *insert;
  sqlite3_stmt *update;
  GArray *sessions; /* BenchRawSession */
  gint64 next_record;
} BenchRaw;

void bench_raw_init (BenchRaw *self, const char *path);
void bench_raw_clear (BenchRaw *self);
void bench_raw_append (BenchRaw *self, BenchRawSession *session, int type, const char *body);
void bench_raw_move (BenchRaw *self, BenchRawSession *session, guint n_records, const char *state, const char *status);

G_END_DECLS
