#define G_LOG_DOMAIN "sqlite-jobs"

#include "sqlite-jobs.h"

/*
 * A sleeping thread takes some 40 microseconds to wake up, as long as writing a commit on a fast disk. So whoever can
 * expect an answer at once looks for it a while before going to sleep: the writer for the next batch as long as batches
 * follow each other, the host for a small batch as long as the disk is fast. With one processor nobody does.
 */
#define SOON 200      /* microseconds */
#define MAX_WAIT 500  /* microseconds for which the host's thread may be held */
#define FAST_DISK 350 /* microseconds that a small batch usually takes */

enum
{
  JOB_LEFT,      /* nobody waits: the answer goes the long way */
  JOB_UNDER_WAY, /* the host's thread looks at it */
  JOB_DONE,      /* and has seen that it is done */
};

/* ---- jobs ---- */

/**
 * sqlite_job_new:
 * @func: what to do
 * @batch: (nullable): the batch to be answered
 * @query: (nullable): or the query
 *
 * Returns: (transfer full): a job
 */
SqliteJob *
sqlite_job_new (SqliteJobFunc func, ClqBatch *batch, ClqQuery *query)
{
  SqliteJob *self = g_new0 (SqliteJob, 1);

  self->func = func;
  self->batch = batch;
  self->query = query;
  return self;
}

/* On the host's thread; the store may be gone afterwards. */
static void
answer_job (SqliteJob *self)
{
  g_autoptr (GError) error = g_steal_pointer (&self->error);
  ClqBatch *batch = self->batch;
  ClqQuery *query = self->query;

  g_clear_pointer (&self->thread, g_thread_join);
  g_free (self);
  if (query != NULL)
    clq_query_done (query, error);
  else if (error != NULL)
    clq_batch_fail (batch, error);
  else
    clq_batch_done (batch);
}

/* ---- answers ---- */

struct _SqliteAnswers
{
  GMutex lock;
  GQueue jobs; /* that are done */
  GSource *source;
};

typedef struct
{
  GSource base;
  SqliteAnswers *answers;
} AnswerSource;

/* A callback may run the main loop, ask more or close the store, so jobs are taken one by one. */
static gboolean
dispatch_answers (GSource *source, GSourceFunc callback, gpointer user_data)
{
  SqliteAnswers *self = ((AnswerSource *) source)->answers;
  gboolean is_last = FALSE;

  while (!is_last && !g_source_is_destroyed (source))
    {
      SqliteJob *job;

      g_mutex_lock (&self->lock);
      job = g_queue_pop_head (&self->jobs);
      is_last = g_queue_is_empty (&self->jobs);
      if (is_last)
        g_source_set_ready_time (source, -1);
      g_mutex_unlock (&self->lock);
      if (job != NULL)
        answer_job (job);
    }
  return G_SOURCE_CONTINUE;
}

/**
 * sqlite_answers_new:
 *
 * Returns: (transfer full): the way to the main context that is the thread's default now
 */
SqliteAnswers *
sqlite_answers_new (void)
{
  static GSourceFuncs funcs = { .dispatch = dispatch_answers };
  SqliteAnswers *self = g_new0 (SqliteAnswers, 1);
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  g_mutex_init (&self->lock);
  self->source = g_source_new (&funcs, sizeof (AnswerSource));
  ((AnswerSource *) self->source)->answers = self;
  g_source_set_static_name (self->source, "sqlite answers");
  g_source_set_can_recurse (self->source, TRUE);
  g_source_attach (self->source, context);
  return self;
}

/**
 * sqlite_answers_free:
 * @self: (transfer full): answers, all of them given
 */
void
sqlite_answers_free (SqliteAnswers *self)
{
  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* From any thread. */
static void
post_answer (SqliteAnswers *self, SqliteJob *job)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->jobs, job);
  if (self->jobs.length == 1)
    g_source_set_ready_time (self->source, 0);
  g_mutex_unlock (&self->lock);
}

/* ---- threads ---- */

struct _SqliteThread
{
  GMutex lock;
  GCond wake;
  GQueue jobs;
  int n_jobs; /* the same as in the queue, to be seen without the lock */
  gboolean is_stopping;
  gboolean is_eager; /* the last job came soon after the one before */
  int usual_time;    /* of a small batch, in microseconds */
  guint n_processors;
  SqliteAnswers *answers;
  SqliteIdleFunc idle;
  gpointer worker;
  GThread *thread;
};

static void
look_for_job (SqliteThread *self, gint64 until)
{
  while (g_atomic_int_get (&self->n_jobs) == 0 && g_get_monotonic_time () < until)
    g_thread_yield ();
}

static SqliteJob *
take_job (SqliteThread *self)
{
  gint64 start = g_get_monotonic_time ();
  SqliteJob *job;

  if (self->is_eager && self->n_processors > 1)
    look_for_job (self, start + SOON);
  g_mutex_lock (&self->lock);
  while (g_queue_is_empty (&self->jobs) && !self->is_stopping)
    g_cond_wait (&self->wake, &self->lock);
  job = g_queue_pop_head (&self->jobs);
  if (job != NULL)
    g_atomic_int_add (&self->n_jobs, -1);
  g_mutex_unlock (&self->lock);
  self->is_eager = g_get_monotonic_time () - start < SOON;
  return job;
}

static void
note_time (SqliteThread *self, gint64 time)
{
  int usual = g_atomic_int_get (&self->usual_time);

  time = MIN (time, 100 * MAX_WAIT);
  g_atomic_int_set (&self->usual_time, (int) ((7 * (gint64) usual + time) / 8));
}

static gpointer
run_thread (gpointer data)
{
  SqliteThread *self = data;
  SqliteJob *job;

  while ((job = take_job (self)) != NULL)
    {
      gint64 start = g_get_monotonic_time ();

      job->func (job, self->worker);
      if (job->is_short)
        note_time (self, g_get_monotonic_time () - start);
      if (job->batch == NULL && job->query == NULL)
        g_free (job);
      else if (!g_atomic_int_compare_and_exchange (&job->state, JOB_UNDER_WAY, JOB_DONE))
        post_answer (self->answers, job);
      if (self->idle != NULL)
        self->idle (self->worker);
    }
  return NULL;
}

/**
 * sqlite_thread_new:
 * @name: for debuggers
 * @answers: where answers go; must outlive the thread
 * @worker: for the functions of the jobs
 * @idle: (nullable): what to do after each job, when its answer is under way
 *
 * Returns: (transfer full): a thread that does one job after the other
 */
SqliteThread *
sqlite_thread_new (const char *name, SqliteAnswers *answers, gpointer worker, SqliteIdleFunc idle)
{
  SqliteThread *self = g_new0 (SqliteThread, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->answers = answers;
  self->worker = worker;
  self->idle = idle;
  self->n_processors = g_get_num_processors ();
  self->thread = g_thread_new (name, run_thread, self);
  return self;
}

/**
 * sqlite_thread_free:
 * @self: (transfer full): a thread without jobs
 */
void
sqlite_thread_free (SqliteThread *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  g_cond_clear (&self->wake);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * sqlite_thread_push:
 * @self: a thread
 * @job: (transfer full): what to do next
 */
void
sqlite_thread_push (SqliteThread *self, SqliteJob *job)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->jobs, job);
  g_atomic_int_inc (&self->n_jobs);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

/**
 * sqlite_thread_push_and_wait:
 * @self: a thread
 * @job: (transfer full): what to do next; it is short
 *
 * Like sqlite_thread_push(), but answers from inside the call if the job is done very soon.
 */
void
sqlite_thread_push_and_wait (SqliteThread *self, SqliteJob *job)
{
  gint64 until;

  job->is_short = TRUE;
  if (self->n_processors < 2 || g_atomic_int_get (&self->usual_time) > FAST_DISK)
    {
      sqlite_thread_push (self, job);
      return;
    }
  job->state = JOB_UNDER_WAY;
  until = g_get_monotonic_time () + MAX_WAIT;
  sqlite_thread_push (self, job);
  while (g_atomic_int_get (&job->state) == JOB_UNDER_WAY && g_get_monotonic_time () < until)
    g_thread_yield ();
  if (!g_atomic_int_compare_and_exchange (&job->state, JOB_UNDER_WAY, JOB_LEFT))
    answer_job (job);
}

typedef struct
{
  SqliteAnswers *answers;
  SqliteJob *job;
} Alone;

static gpointer
run_alone (gpointer data)
{
  g_autofree Alone *alone = data;

  alone->job->func (alone->job, NULL);
  post_answer (alone->answers, alone->job);
  return NULL;
}

/**
 * sqlite_thread_run_alone:
 * @answers: where the answer goes
 * @job: (transfer full): something that takes long
 *
 * Does a job in a thread of its own.
 */
void
sqlite_thread_run_alone (SqliteAnswers *answers, SqliteJob *job)
{
  Alone *alone = g_new (Alone, 1);

  *alone = (Alone){ answers, job };
  /* The job is answered later, from the main loop of the thread that runs now: then the thread is noted. */
  job->thread = g_thread_new ("sqlite alone", run_alone, alone);
}
