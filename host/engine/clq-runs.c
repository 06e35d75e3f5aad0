#define G_LOG_DOMAIN "clq-runs"

#include "clq-engine.h"

/* ---- how a visit ends ---- */

static ClqEvent *
result_event (ClqRun *run)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, NULL);

  event->visit = run->serial;
  event->calls = g_steal_pointer (&run->unrecorded);
  event->absent = g_steal_pointer (&run->absent);
  return event;
}

static void
disarm (ClqRun *run)
{
  clq_timers_disarm (&run->engine->timers, &run->limit);
}

/* What the graph connects to `outcome::NAME`: the event that the outcome is. Only queues. */
static void
on_outcome (ClqNode *node, gpointer visit, gpointer user_data)
{
  ClqRun *run = visit;
  ClqEvent *event;

  if (run->visit.ops != &clq_run_ops || run->live == NULL)
    return; /* nobody wants the result any more */
  disarm (run);
  event = result_event (run);
  event->index = GPOINTER_TO_INT (user_data);
  event->name = run->live->graph->events[event->index].name;
  event->change = g_steal_pointer (&run->visit.change);
  event->payload = g_steal_pointer (&run->visit.payload);
  if (run->visit.said != NULL)
    event->said = g_string_free (g_steal_pointer (&run->visit.said), FALSE);
  clq_engine_queue_event (run->live, event);
}

/* Private: the visit has failed; retry, fallback or failed follow. */
void
clq_run_fail (ClqVisit *visit, const GError *error)
{
  ClqRun *run = (ClqRun *) visit;
  ClqEvent *event;

  if (run->live == NULL)
    return;
  disarm (run);
  event = result_event (run);
  event->purpose = CLQ_PURPOSE_FAILURE;
  event->is_final = run->was_retried;
  event->name = run->live->graph->events[run->live->graph->engine_events[CLQ_ENGINE_FAILED]].name;
  event->error = g_error_copy (error);
  event->retry_after = run->retry_after;
  if (g_error_matches (error, CLQ_NODE_ERROR, CLQ_NODE_ERROR_BUDGET))
    event->payload = clq_budget_dup_payload (run, error);
  if (visit->said != NULL)
    event->partial = g_strdup (visit->said->str);
  clq_engine_queue_event (run->live, event);
}

/* Private: wires the nodes of a loaded graph to its rules: outcomes become events. */
void
clq_run_connect (ClqGraph *graph)
{
  for (guint i = 0; i < graph->bindings->len; i++)
    {
      ClqBinding *binding = g_ptr_array_index (graph->bindings, i);
      const char *const *outcomes = clq_node_get_info (binding->node)->outcomes;

      for (guint j = 0; outcomes != NULL && outcomes[j] != NULL; j++)
        {
          GClosure *closure = g_cclosure_new (G_CALLBACK (on_outcome), GINT_TO_POINTER (clq_graph_find_outcome (graph, outcomes[j])), NULL);

          g_signal_connect_closure_by_id (binding->node, clq_node_get_outcome_signal (), g_quark_from_string (outcomes[j]), closure, FALSE);
        }
    }
}

static void
on_limit (ClqTimer *timer)
{
  ClqRun *run = (ClqRun *) ((char *) timer - G_STRUCT_OFFSET (ClqRun, limit));
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;

  if (run->visit.over)
    return;
  after = clq_duration_print (run->allowed);
  error = g_error_new (CLQ_NODE_ERROR, CLQ_NODE_ERROR_TIMED_OUT, "node '%s' did not finish within visit-timeout=%s",
                       run->live->work->binding->kind, after);
  clq_visit_ref (&run->visit);
  clq_visit_fail_error (&run->visit, error);
  g_cancellable_cancel (clq_visit_get_cancellable (&run->visit));
  clq_run_cancel_calls (run);
  clq_run_cancel_waits (run);
  clq_visit_unref (&run->visit);
}

/* Private: how long the visit may still take; 0 = any time. */
void
clq_run_set_timeout (ClqVisit *visit, GTimeSpan timeout)
{
  ClqRun *run = (ClqRun *) visit;
  ClqEngine *engine = run->engine;

  clq_timers_disarm (&engine->timers, &run->limit);
  run->allowed = timeout;
  if (timeout == 0)
    return;
  clq_timers_arm (&engine->timers, &run->limit, clq_clock_now (&engine->clock) + timeout, CLQ_TIMER_DEADLINE, on_limit);
  clq_engine_rearm (engine);
}

/* ---- life ---- */

/* Private: the last reference is gone. */
void
clq_run_dispose (ClqVisit *visit)
{
  ClqRun *run = (ClqRun *) visit;

  disarm (run);
  if (run->live != NULL && run->live->work != NULL && run->live->work->run == run)
    run->live->work->run = NULL;
  g_clear_pointer (&run->head, clq_head_free);
  g_clear_pointer (&visit->event, clq_event_unref);
  g_clear_pointer (&visit->change, clq_change_free);
  if (visit->said != NULL)
    g_string_free (visit->said, TRUE);
  g_clear_object (&visit->cancellable);
  g_clear_pointer (&run->calls, g_ptr_array_unref);
  g_clear_pointer (&run->waits, g_ptr_array_unref);
  g_clear_pointer (&run->unrecorded, g_ptr_array_unref);
  g_clear_pointer (&run->absent, g_ptr_array_unref);
  g_free (visit->key);
  g_free (visit->payload);
  g_free (run->refusal);
  g_object_unref (visit->node);
  clq_graph_unref (run->graph);
  clq_engine_let_go (run->engine, &run->engine->n_runs);
  g_slice_free (ClqRun, run);
}

static ClqRun *
run_new (ClqEngine *engine, ClqLive *live, gint64 now)
{
  ClqRun *run = g_slice_new0 (ClqRun);
  ClqWork *work = live->work;

  run->visit.ops = &clq_run_ops;
  run->visit.ref_count = 1;
  run->visit.attempt = work->attempt;
  run->visit.id = work->visit_id;
  run->visit.node = g_object_ref (work->binding->node);
  run->visit.event = clq_event_ref (work->origin);
  run->engine = engine;
  run->live = live;
  run->graph = clq_graph_ref (live->graph);
  run->serial = ++engine->serial;
  engine->n_runs++;
  work->run = run;
  work->serial = run->serial;
  clq_view_from_head (&run->visit.view, &live->head, live->graph, now);
  return run;
}

static GTimeSpan
allowed_time (const ClqState *place, int event)
{
  if (event >= 0 && place->visit_timeout_on != NULL && place->visit_timeout_on[event] >= 0)
    return place->visit_timeout_on[event];
  return place->visit_timeout;
}

/* What the node saw stays as it was on entry, however the session goes on. Texts are shared, so pointers stay valid. */
static void
keep_head (ClqRun *run)
{
  run->head = clq_head_copy (run->visit.view.head);
  run->visit.view.head = run->head;
}

/*
 * Private: enters the node of the session's open visit. To the node it is @now, a time that the journal tells: a visit
 * that is run again sees what the first one saw.
 */
void
clq_run_enter (ClqEngine *engine, ClqLive *live, gint64 now)
{
  ClqRun *run = run_new (engine, live, now);

  run->allowed = allowed_time (&live->graph->states[live->state], live->work->origin->index);
  if (run->allowed > 0)
    clq_run_set_timeout (&run->visit, run->allowed);
  clq_node_enter (run->visit.node, &run->visit);
  clq_clock_outdate (&engine->clock);
  if (!run->visit.over && run->visit.ref_count > 1)
    keep_head (run);
  clq_visit_unref (&run->visit);
}

/* Private: the result of the running visit is not wanted any more. */
void
clq_run_cancel (ClqLive *live)
{
  ClqRun *run = live->work != NULL ? live->work->run : NULL;

  if (live->work != NULL)
    {
      live->work->run = NULL;
      live->work->serial = 0;
    }
  if (run == NULL)
    return;
  clq_visit_ref (&run->visit);
  disarm (run);
  run->visit.over = TRUE;
  run->live = NULL;
  if (run->head == NULL)
    keep_head (run);
  if (run->visit.cancellable != NULL)
    g_cancellable_cancel (run->visit.cancellable);
  clq_run_cancel_calls (run);
  clq_run_cancel_waits (run);
  clq_visit_unref (&run->visit);
}

/* Private: the visit is over for good; nothing of it will be tried again. */
void
clq_run_close (ClqLive *live)
{
  ClqWork *work = live->work;

  clq_run_cancel (live);
  if (work == NULL)
    return;
  g_clear_pointer (&work->origin, clq_event_unref);
  g_clear_pointer (&work->results, g_hash_table_unref);
  g_clear_pointer (&work->intents, g_hash_table_unref);
  work->binding = NULL;
  work->must_enter = FALSE;
  work->visit_id = 0;
}

/* Private: what the running visit has said so far, and what it has spent if it is cancelled, goes to the event that ends it. */
void
clq_run_hand_over (ClqLive *live, ClqEvent *event)
{
  ClqRun *run = live->work != NULL ? live->work->run : NULL;

  if (run == NULL)
    return;
  g_free (event->partial);
  event->partial = run->visit.said != NULL ? g_strdup (run->visit.said->str) : NULL;
  if (event->purpose == CLQ_PURPOSE_CANCEL && event->calls == NULL)
    event->calls = g_steal_pointer (&run->unrecorded);
}
