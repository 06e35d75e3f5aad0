/* Jobs: batches and queries that threads work on, and the way of their answers back to the host's thread. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _SqliteAnswers SqliteAnswers;
typedef struct _SqliteThread SqliteThread;
typedef struct _SqliteJob SqliteJob;

/* Does what a job is for, in a thread. On failure it sets job->error. */
typedef void (*SqliteJobFunc) (SqliteJob *job, gpointer worker);

/* What a worker does between jobs. */
typedef void (*SqliteIdleFunc) (gpointer worker);

struct _SqliteJob
{
  SqliteJobFunc func;
  ClqBatch *batch; /* one of the two, or neither: then nobody waits for an answer */
  ClqQuery *query;
  gpointer data;   /* for the function */
  GThread *thread; /* one of its own, or NULL */
  gboolean is_short;
  GError *error;
  int state;
};

SqliteJob *sqlite_job_new (SqliteJobFunc func, ClqBatch *batch, ClqQuery *query);

SqliteAnswers *sqlite_answers_new (void);
void sqlite_answers_free (SqliteAnswers *self);

SqliteThread *sqlite_thread_new (const char *name, SqliteAnswers *answers, gpointer worker, SqliteIdleFunc idle);
void sqlite_thread_free (SqliteThread *self);
void sqlite_thread_push (SqliteThread *self, SqliteJob *job);
void sqlite_thread_push_and_wait (SqliteThread *self, SqliteJob *job);
void sqlite_thread_run_alone (SqliteAnswers *answers, SqliteJob *job);

G_END_DECLS
