/* The writer: the one connection that writes, with what it knows by heart. Used by one thread. */
#pragma once

#include "sqlite-jobs.h"
#include "sqlite-rows.h"

G_BEGIN_DECLS

#define SQLITE_STRIDE 64 /* every so many records of a session one can be found directly */
#define SQLITE_N_SEATS 4096

typedef enum
{
  WRITER_BEGIN,
  WRITER_COMMIT,
  WRITER_ROLLBACK,
  WRITER_SAVE,
  WRITER_UNSAVE,
  WRITER_KEEP,
  WRITER_FIND,
  WRITER_INSERT_SESSION,
  WRITER_UPDATE_SESSION,
  WRITER_INSERT_RECORD,
  WRITER_INSERT_SEEK,
  WRITER_INSERT_WORDS,
  WRITER_FIND_SEGMENT,
  WRITER_INSERT_SEGMENT,
  WRITER_UPDATE_MARK,
  WRITER_INSERT_MARK,
  WRITER_DELETE_MARK,
  WRITER_INSERT_INPUT,
  WRITER_FIND_GRAPH,
  WRITER_INSERT_GRAPH,
  WRITER_INSERT_GRAPH_TEXT,
  WRITER_FIND_USAGE,
  WRITER_SET_USAGE,
  WRITER_INSERT_UNREAD,
  WRITER_DELETE_UNREAD,
  WRITER_DUE,
  WRITER_SESSION,
  N_WRITER_STATEMENTS,
} WriterStatement;

/* What is known of a session that was written lately. */
typedef struct
{
  guint8 id[16];
  gint64 number; /* 0 = nothing */
  guint64 seq;
  gint64 last;
  guint32 n_segments;
  guint32 n_marks;
} SqliteSeat;

typedef struct
{
  SqliteDb db;
  char *path;
  gint64 next_session; /* numbers to be given */
  gint64 next_record;
  guint data_version; /* of the database as we left it */
  guint checkpoint;
  guint n_frames;             /* in the write-ahead journal */
  guint n_tried;              /* as many were there when we last tried to move them into the database */
  const ClqCommit *announced; /* what the batch begins with that is announced; NULL = none is */
  guint n_staged;             /* commits of it that the open transaction holds; 0 = none is open between jobs */
  gboolean is_staging;        /* what is wrong with a commit is left to its batch */
  gboolean stages_nothing;    /* until that batch has come */
  gboolean has_index;         /* searching is possible; not if the index is damaged */
  GHashTable *graphs;
  GHashTable *claims; /* number of a session → until when it is claimed; 0 = for ever */
  GArray *written;    /* numbers of the sessions of this transaction */
  GArray *usage;      /* ClqUsage, to be added to sums before it ends */
  GByteArray *head;   /* packed */
  GString *words;
  SqliteSeat seats[SQLITE_N_SEATS];
} SqliteWriter;

SqliteWriter *sqlite_writer_new (const char *path, guint checkpoint, GError **error);
void sqlite_writer_free (SqliteWriter *self);
gboolean sqlite_writer_connect (SqliteWriter *self, GError **error);
gboolean sqlite_writer_begin (SqliteWriter *self, GError **error);
gboolean sqlite_writer_commit (SqliteWriter *self, GError **error);
void sqlite_writer_roll_back (SqliteWriter *self);
void sqlite_writer_rest (gpointer self);

/* Jobs. */
void sqlite_writer_stage (SqliteJob *job, gpointer self);
void sqlite_writer_write_batch (SqliteJob *job, gpointer self);
void sqlite_writer_claim_due (SqliteJob *job, gpointer self);
void sqlite_writer_remove (SqliteJob *job, gpointer self);
void sqlite_writer_reindex (SqliteJob *job, gpointer self);

/* One commit, inside a transaction. */
typedef enum
{
  WRITE_DONE,
  WRITE_REFUSED, /* this commit alone has failed, nothing was written */
  WRITE_FAILED,  /* the transaction must be rolled back, or to the last savepoint */
} WriteResult;

WriteResult sqlite_write (SqliteWriter *self, ClqCommit *commit, GError **error);
void sqlite_usage_add (SqliteWriter *self, const ClqUsage *usage); /* sqlite-usage.c */
gboolean sqlite_usage_flush (SqliteWriter *self, GError **error);
gboolean sqlite_write_unread (SqliteWriter *self, gint64 session, const ClqRecord *record, GError **error); /* sqlite-unread.c */
SqliteSeat *sqlite_seat_find (SqliteWriter *self, const guint8 *id, GError **error);
void sqlite_seat_forget (SqliteWriter *self, const guint8 *id);

static inline sqlite3_stmt *
sqlite_writer_get (const SqliteWriter *self, WriterStatement which)
{
  return sqlite_db_get (&self->db, which);
}

G_END_DECLS
