#define G_LOG_DOMAIN "clq-fan-out"

#include "clq-calls.h"

/*
 * Several calls at once. It lives until its last call has left. It keeps calls that have not started and calls that have
 * ended; in between only the side that answers does, so that a dropped call is noticed.
 */
struct _FanOut
{
  RunCall **calls; /* NULL: cancelled */
  guint n_calls;
  guint n_started;
  guint n_settled;
  guint n_left;
  guint max_parallel;
  ClqJoin join;
  ClqJoinFunc func;
  gpointer user_data;
};

static void
keep (RunCall *call)
{
  if (call->is_kept)
    return;
  call->is_kept = TRUE;
  clq_call_ref (&call->call);
}

static void
let_go (RunCall *call)
{
  if (!call->is_kept)
    return;
  call->is_kept = FALSE;
  clq_call_unref (&call->call);
}

static void
free_fan_out (FanOut *self)
{
  for (guint i = 0; i < self->n_calls; i++)
    if (self->calls[i] != NULL)
      {
        self->calls[i]->group = NULL;
        let_go (self->calls[i]);
      }
  g_free (self->calls);
  g_free (self);
}

/* A call that left does not come back; with the last one the group goes. */
static void
leave (FanOut *self)
{
  if (++self->n_left == self->n_calls)
    free_fan_out (self);
}

static void
start_more (FanOut *self)
{
  while (self->n_started < self->n_calls && self->n_started - self->n_settled < self->max_parallel)
    {
      RunCall *call = self->calls[self->n_started++];

      clq_run_call_start (call);
      let_go (call);
    }
}

static void
finish (FanOut *self, ClqRun *run)
{
  g_autofree ClqCall **calls = g_new (ClqCall *, self->n_calls);

  for (guint i = 0; i < self->n_calls; i++)
    calls[i] = &self->calls[i]->call;
  if (!run->visit.over)
    self->func (&run->visit, calls, self->n_calls, self->user_data);
}

static void
tell_progress (const FanOut *self, const RunCall *call)
{
  g_autofree char *text = NULL;

  if (call->run->visit.over)
    return;
  text = g_strconcat (call->call.key, ": ", call->call.error != NULL ? call->call.error->message : "answered", NULL);
  clq_run_ops.progress (&call->run->visit, (double) self->n_settled / self->n_calls, text);
}

static gboolean
may_try_again (const RunCall *call)
{
  const ClqLive *live = call->run->live;

  return call->call.error != NULL && clq_failure_of (call->call.error) == CLQ_FAILURE_RECOVERABLE &&
         call->attempt <= live->graph->states[live->state].retry;
}

/* One call has no answer, and trying again was tried. */
static void
settle_failed (FanOut *self, RunCall *call)
{
  ClqVisit *visit = &call->run->visit;
  const GError *error = call->call.error;

  if (visit->over)
    return;
  if (self->join == CLQ_JOIN_SETTLE)
    {
      clq_change_warn (clq_visit_get_change (visit), "%s: %s", call->call.key, error->message);
      return;
    }
  call->run->was_retried = call->attempt > 1;
  clq_visit_fail_error (visit, error);
}

/* Private: a call of the group has an answer or an error. */
void
clq_fan_out_deliver (RunCall *call)
{
  FanOut *self = call->group;
  ClqRun *run = call->run;

  if (!run->visit.over && may_try_again (call))
    {
      clq_run_record_answers (run); /* in the order in which they came */
      clq_engine_queue_event (run->live, clq_run_call_event (call, CLQ_PURPOSE_RECORD, CLQ_RECORD_RETRY));
      return;
    }
  clq_visit_ref (&run->visit);
  clq_run_call_note_failure (call);
  keep (call);
  self->n_settled++;
  if (call->call.error != NULL)
    settle_failed (self, call);
  tell_progress (self, call);
  if (!run->visit.over)
    start_more (self);
  if (self->n_settled == self->n_calls)
    finish (self, run);
  clq_run_call_leave (call);
  leave (self);
  if (run->visit.over)
    clq_run_cancel_calls (run);
  clq_visit_unref (&run->visit);
}

/* Private: a call of the group was cancelled. */
void
clq_fan_out_cancel (RunCall *call)
{
  FanOut *self = call->group;

  self->calls[call->index] = NULL;
  call->group = NULL;
  let_go (call);
  leave (self);
}

/* Private: asks several agents, at most @max_parallel at a time; @func gets the answers in the order of @requests. */
void
clq_fan_out (ClqVisit *visit, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data)
{
  ClqRun *run = (ClqRun *) visit;
  FanOut *self;

  if (n_requests == 0)
    return; /* nothing will come of it: the node has to finish by itself */
  self = g_new0 (FanOut, 1);
  self->calls = g_new0 (RunCall *, n_requests);
  self->n_calls = n_requests;
  self->max_parallel = max_parallel > 0 ? max_parallel : n_requests;
  self->join = join;
  self->func = func;
  self->user_data = user_data;
  for (guint i = 0; i < n_requests; i++)
    {
      self->calls[i] = clq_run_call_new (run, CALL_AGENT, requests[i].key, requests[i].agent, requests[i].request);
      self->calls[i]->group = self;
      self->calls[i]->index = i;
      self->calls[i]->is_kept = TRUE;
    }
  start_more (self);
}
