#define G_LOG_DOMAIN "clq-limits"

#include "clq-engine.h"

/* Private: whether the draft's target may not be entered any more. */
gboolean
clq_limits_are_reached (ClqDraft *draft)
{
  const ClqGraph *graph = draft->live->graph;
  const ClqHead *head = &draft->commit.head;
  const ClqState *target = &graph->states[draft->to];

  if (draft->is_transition && target->max_visits > 0 && head->visits[draft->to] >= target->max_visits)
    return TRUE;
  if (graph->max_hops > 0 && draft->event->kind == CLQ_EVENT_OUTCOME && head->hops + 1 >= graph->max_hops &&
      (draft->enter != NULL || draft->is_transition))
    return TRUE;
  if (head->extra == NULL)
    return FALSE;
  return draft->enter != NULL &&
         ((graph->max_tokens > 0 && head->extra->tokens_in + head->extra->tokens_out >= graph->max_tokens) ||
          (graph->max_cost > 0 && head->extra->cost >= graph->max_cost));
}

/* Private: which limit stopped the session, as the payload of `limit`. */
char *
clq_limits_dup_payload (const ClqLive *live, const ClqHead *head)
{
  const ClqGraph *graph = live->graph;
  const ClqState *place = &graph->states[live->state];

  if (place->max_visits > 0 && head->visits[live->state] > place->max_visits)
    return g_strdup_printf ("{\"limit\":\"max-visits\",\"message\":\"state %s was entered more than max-visits=%u times\"}",
                            place->name, place->max_visits);
  if (graph->max_hops > 0 && head->hops >= graph->max_hops)
    return g_strdup_printf ("{\"limit\":\"max-hops\",\"message\":\"max-hops=%u: so many steps since the last input\"}", graph->max_hops);
  return clq_budget_dup_session_payload (graph, head);
}

/*
 * Private: a commit that reaches a limit is followed by `limit`. A host that stops between the two must find that out: the
 * session is running, though no visit is open.
 */
void
clq_limits_note (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;

  head->fired &= ~CLQ_FIRED_LIMIT;
  if (draft->limit < 0)
    return;
  head->fired |= CLQ_FIRED_LIMIT;
  head->status = CLQ_STATUS_RUNNING;
}

/* Private: queues `limit`. */
void
clq_limits_raise (ClqLive *live)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, NULL);

  event->index = live->graph->engine_events[CLQ_ENGINE_LIMIT];
  event->name = live->graph->events[event->index].name;
  event->payload = clq_limits_dup_payload (live, &live->head);
  event->entry = live->head.entry;
  clq_engine_queue_event (live, event);
}
