#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/*
 * Several calls at once. It lives until its last call has left. It keeps calls that have not started and calls that have
 * ended; in between only the side that answers does, so that a dropped call is noticed.
 */
struct _TestFanOut
{
  TestCall **calls; /* NULL: cancelled */
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
keep (TestCall *call)
{
  if (call->is_kept)
    return;
  call->is_kept = TRUE;
  clq_call_ref (&call->call);
}

static void
let_go (TestCall *call)
{
  if (!call->is_kept)
    return;
  call->is_kept = FALSE;
  clq_call_unref (&call->call);
}

/* A call that left does not come back; with the last one the group goes. */
static void
leave (TestFanOut *self)
{
  if (++self->n_left < self->n_calls)
    return;
  for (guint i = 0; i < self->n_calls; i++)
    if (self->calls[i] != NULL)
      {
        self->calls[i]->group = NULL;
        let_go (self->calls[i]);
      }
  g_free (self->calls);
  g_free (self);
}

static void
start_more (TestFanOut *self)
{
  while (self->n_started < self->n_calls && self->n_started - self->n_settled < self->max_parallel)
    {
      TestCall *call = self->calls[self->n_started++];

      test_call_start (call);
      let_go (call);
    }
}

static void
finish (TestFanOut *self, TestVisit *visit)
{
  g_autofree ClqCall **calls = g_new (ClqCall *, self->n_calls);

  for (guint i = 0; i < self->n_calls; i++)
    calls[i] = &self->calls[i]->call;
  if (!visit->visit.over)
    self->func (&visit->visit, calls, self->n_calls, self->user_data);
}

static gboolean
may_try_again (const TestCall *call)
{
  return call->call.error != NULL && clq_failure_of (call->call.error) == CLQ_FAILURE_RECOVERABLE && call->attempt <= call->test->retry;
}

/* One call has no answer, and trying again was tried. */
static void
settle_failed (TestFanOut *self, TestCall *call)
{
  ClqVisit *visit = &call->visit->visit;
  const GError *error = call->call.error;

  if (visit->over)
    return;
  if (self->join == CLQ_JOIN_SETTLE)
    clq_change_warn (clq_visit_get_change (visit), "%s: %s", call->call.key, error->message);
  else
    clq_visit_fail_error (visit, error);
}

/* Private: a call of the group has an answer or an error. */
void
test_fan_out_deliver (TestCall *call)
{
  TestFanOut *self = call->group;
  TestVisit *visit = call->visit;

  if (!visit->visit.over && may_try_again (call))
    {
      test_call_retry (call);
      return;
    }
  clq_visit_ref (&visit->visit);
  keep (call);
  self->n_settled++;
  if (call->call.error != NULL)
    settle_failed (self, call);
  clq_visit_progress (&visit->visit, (double) self->n_settled / self->n_calls, "%s: %s",
                      call->call.key, call->call.error != NULL ? call->call.error->message : "answered");
  if (!visit->visit.over)
    start_more (self);
  if (self->n_settled == self->n_calls)
    finish (self, visit);
  test_call_leave (call);
  leave (self);
  if (visit->visit.over)
    test_visit_cancel_calls (visit);
  clq_visit_unref (&visit->visit);
}

/* Private: a call of the group was cancelled. */
void
test_fan_out_cancel (TestCall *call)
{
  TestFanOut *self = call->group;

  self->calls[call->index] = NULL;
  call->group = NULL;
  let_go (call);
  leave (self);
}

/* Private: asks several agents, at most @max_parallel at a time; @func gets the answers in the order of @requests. */
void
test_fan_out (ClqVisit *visit, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data)
{
  TestFanOut *self;

  if (n_requests == 0)
    return; /* nothing will come of it: the node has to finish by itself */
  self = g_new0 (TestFanOut, 1);
  self->calls = g_new0 (TestCall *, n_requests);
  self->n_calls = n_requests;
  self->max_parallel = max_parallel > 0 ? max_parallel : n_requests;
  self->join = join;
  self->func = func;
  self->user_data = user_data;
  for (guint i = 0; i < n_requests; i++)
    {
      self->calls[i] = test_call_new ((TestVisit *) visit, TEST_CALL_AGENT, requests[i].key, requests[i].agent, requests[i].request);
      self->calls[i]->group = self;
      self->calls[i]->index = i;
      self->calls[i]->is_kept = TRUE;
    }
  start_more (self);
}
