/* Rows as they are read: each is compared with its checksum before anything of it is believed. */
#pragma once

#include "sqlite-db.h"
#include "sqlite-sum.h"
#include "sqlite-words.h"

G_BEGIN_DECLS

/* What to select for sqlite_session_read (), from the tables in SQLITE_SESSION_TABLES. */
#define SQLITE_SESSION_COLUMNS \
  "session.number, session.id, session.seq, session.last, session.segments, session.marks, session.created_at, session.updated_at," \
  " session.wake_at, session.state, session.status, session.owner, session.title, session.head, session.checksum, graph.hash, graph.name"
#define SQLITE_SESSION_TABLES "session LEFT JOIN graph ON graph.number = session.graph"

/* What to select for sqlite_record_read (), from journal. */
#define SQLITE_RECORD_COLUMNS "number, session, seq, segment, type, role, at, previous, checksum, body"

/* What to select for sqlite_usage_read (), from usage. */
#define SQLITE_USAGE_COLUMNS "day, agent, calls, tokens_in, tokens_out, cost, checksum"

/* A row of the table of sessions; the texts belong to the statement. */
typedef struct
{
  gint64 number;
  guint8 id[16];
  guint64 seq;
  gint64 last;
  guint32 n_segments;
  guint32 n_marks;
  gint64 created_at;
  gint64 updated_at;
  gint64 wake_at;
  const char *graph_hash;
  const char *graph_name;
  const char *state;
  const char *status;
  const char *owner;
  const char *title;
  const guint8 *head;
  gsize head_length;
} SqliteSession;

/* A row of the journal; the body belongs to the statement. */
typedef struct
{
  gint64 number;
  gint64 session;
  guint64 seq;
  guint32 segment;
  guint8 type;
  guint8 role;
  gint64 at;
  gint64 previous;
  const char *body;
  gsize length;
} SqliteRecord;

gint32 sqlite_session_sum (const SqliteSession *self);
gboolean sqlite_session_read (SqliteSession *self, sqlite3_stmt *row, GError **error);
ClqHead *sqlite_session_get_head (const SqliteSession *self, GError **error);

gint32 sqlite_record_sum (const SqliteRecord *self);
gboolean sqlite_record_read (SqliteRecord *self, sqlite3_stmt *row);
ClqRecord *sqlite_record_get (const SqliteRecord *self);

gint32 sqlite_segment_sum (gint64 session, const ClqSegment *segment, guint64 opened_seq);
gint32 sqlite_mark_sum (gint64 session, const ClqMark *mark);
gint32 sqlite_input_sum (gint64 session, const char *key, guint64 seq, const char *result);
gint32 sqlite_graph_sum (const char *hash, const char *text);

gint32 sqlite_usage_sum (const ClqUsage *self);
gboolean sqlite_usage_read (ClqUsage *self, sqlite3_stmt *row);

gboolean sqlite_damage (GError **error, const guint8 *id, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
