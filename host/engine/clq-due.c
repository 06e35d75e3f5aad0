#define G_LOG_DOMAIN "clq-due"

#include "clq-engine.h"

static void
consider (ClqDue *best, gint64 after, ClqDueKind kind, gint64 at, const char *name)
{
  if (at > after && (best->kind == CLQ_DUE_NOTHING || at < best->at))
    *best = (ClqDue){ kind, at, name };
}

static void
consider_deadlines (ClqDue *best, gint64 after, const char *deadlines)
{
  ClqJsonSpan root = clq_json_span (deadlines, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      gint64 at = clq_json_span_get_int (&value);

      if (best->kind == CLQ_DUE_NOTHING || at < best->at)
        {
          g_autofree char *name = clq_json_span_dup_string (&key);

          consider (best, after, CLQ_DUE_DEADLINE, at, g_intern_string (name));
        }
    }
}

/* Private: when a stay has become longer than `alert`, in the milliseconds in which stays are measured. 0 = never. */
gint64
clq_due_alert_at (const ClqHead *head, const ClqState *place)
{
  return place->alert > 0 && !place->final ? head->entered_at + place->alert + G_TIME_SPAN_MILLISECOND : 0;
}

/* Private: the first thing after @after that the session waits for on the clock. At the same instant the order is the one of ClqDueKind. */
ClqDue
clq_due_find (const ClqHead *head, const ClqGraph *graph, guint state, gboolean visiting, gint64 after)
{
  const ClqState *place = &graph->states[state];
  const ClqExtra *extra = head->extra;
  ClqDue best = { CLQ_DUE_NOTHING, 0, NULL };
  guint n_rules;

  if (head->status == CLQ_STATUS_FAILED)
    return best;
  if (extra != NULL)
    {
      if (visiting)
        consider (&best, after, CLQ_DUE_RETRY, extra->retry_at, NULL);
      if (extra->deadlines != NULL)
        consider_deadlines (&best, after, extra->deadlines);
    }
  if (place->timeout > 0 && (head->fired & CLQ_FIRED_TIMEOUT) == 0)
    consider (&best, after, CLQ_DUE_TIMEOUT, head->entered_at + place->timeout, NULL);
  if (place->idle > 0 && (head->fired & CLQ_FIRED_IDLE) == 0)
    consider (&best, after, CLQ_DUE_IDLE, head->input_at + place->idle, NULL);
  if (extra != NULL && extra->next_run > 0 && !visiting)
    {
      clq_graph_get_rules (graph, state, graph->engine_events[CLQ_ENGINE_DUE], &n_rules);
      if (n_rules > 0)
        consider (&best, after, CLQ_DUE_RUN, extra->next_run, NULL);
    }
  if ((head->fired & CLQ_FIRED_ALERT) == 0)
    consider (&best, after, CLQ_DUE_ALERT, clq_due_alert_at (head, place), NULL);
  return best;
}

static ClqEvent *
due_event (ClqLive *live, const ClqDue *due)
{
  static const int engine_events[] = {
    [CLQ_DUE_TIMEOUT] = CLQ_ENGINE_TIMEOUT,
    [CLQ_DUE_IDLE] = CLQ_ENGINE_IDLE,
    [CLQ_DUE_RUN] = CLQ_ENGINE_DUE,
  };
  ClqEvent *event = clq_event_new (CLQ_EVENT_TIMER, NULL);

  event->due = due->kind;
  event->entry = live->head.entry;
  if (due->kind == CLQ_DUE_RETRY)
    {
      event->purpose = CLQ_PURPOSE_REENTER;
      event->name = live->graph->events[live->graph->engine_events[CLQ_ENGINE_RETRY]].name;
    }
  else if (due->kind == CLQ_DUE_DEADLINE)
    {
      event->name = due->name;
      event->index = clq_graph_find_event (live->graph, due->name);
      event->entry = 0; /* a named deadline outlives the state it was set in */
    }
  else
    {
      event->index = live->graph->engine_events[engine_events[due->kind]];
      event->name = live->graph->events[event->index].name;
    }
  if (due->kind == CLQ_DUE_RUN)
    {
      g_autofree char *at = clq_time_print (due->at);

      event->payload = g_strdup_printf ("{\"scheduledAt\":\"%s\"}", at);
    }
  return event;
}

/* Private: a stay has become too long. To write this down changes nothing for those that wait, so it comes before them. */
void
clq_due_raise_alert (ClqLive *live)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_TIMER, "alert");
  ClqWork *work = clq_live_work (live);

  event->purpose = CLQ_PURPOSE_ALERT;
  event->due = CLQ_DUE_ALERT;
  event->entry = live->head.entry;
  event->payload = g_strdup_printf ("{\"state\":\"%s\"}", live->head.state);
  event->next = work->first_event;
  work->first_event = event;
  if (work->last_event == NULL)
    work->last_event = event;
  clq_engine_make_ready (live->engine, live);
}

static ClqWake *
get_wake (ClqLive *live)
{
  if (live->wake == NULL)
    {
      live->wake = g_new0 (ClqWake, 1);
      live->wake->live = live;
    }
  return live->wake;
}

static void on_wake (ClqTimer *timer);

/* What is due until now waits; the timer looks at what comes after it. */
static void
skip (ClqLive *live, gboolean visiting)
{
  ClqEngine *engine = live->engine;
  ClqWake *wake = get_wake (live);
  ClqDue next;

  wake->after = clq_clock_now (&engine->clock);
  next = clq_due_find (&live->head, live->graph, live->state, visiting, wake->after);
  if (next.kind != CLQ_DUE_NOTHING)
    clq_timers_arm (&engine->timers, &wake->timer, next.at, CLQ_TIMER_DEADLINE, on_wake);
}

static gboolean
is_due (ClqLive *live, const ClqDue *due)
{
  return due->kind != CLQ_DUE_NOTHING && due->at <= clq_clock_now (&live->engine->clock);
}

/* Private: queues the event that is due now, if there is one. */
void
clq_due_raise (ClqLive *live)
{
  gboolean visiting = live->head.status == CLQ_STATUS_RUNNING;
  ClqDue first = clq_due_find (&live->head, live->graph, live->state, visiting, live->wake != NULL ? live->wake->after : 0), due = first;

  if (!is_due (live, &first))
    return;
  /* Whatever may lead away comes before an alert. */
  if (first.kind == CLQ_DUE_ALERT)
    due = clq_due_find (&live->head, live->graph, live->state, visiting, first.at);
  if (is_due (live, &due))
    {
      if (due.kind != CLQ_DUE_RUN || clq_turns_take (live))
        clq_engine_queue_event (live, due_event (live, &due));
    }
  else if (live->engine->rehearsal == NULL)
    clq_due_raise_alert (live);
  else
    skip (live, visiting); /* if there was one it is in the journal */
}

static void
on_wake (ClqTimer *timer)
{
  ClqLive *live = ((ClqWake *) timer)->live;

  if (live->work != NULL && live->work->holds > 0)
    return; /* whoever holds it looks at the clock when it is done */
  clq_due_raise (live);
}

/* Private: what is due now must wait until the visit is over. */
void
clq_due_postpone (ClqLive *live)
{
  skip (live, TRUE);
}

/* Private: the session waits for nothing on the clock. */
void
clq_due_disarm (ClqEngine *engine, ClqLive *live)
{
  if (live->wake == NULL)
    return;
  clq_timers_disarm (&engine->timers, &live->wake->timer);
  g_clear_pointer (&live->wake, g_free);
}

/* Private: sets the session's one timer as its head says. */
void
clq_due_arm (ClqEngine *engine, ClqLive *live)
{
  ClqWake *wake;

  if (live->head.wake_at <= 0)
    {
      clq_due_disarm (engine, live);
      return;
    }
  wake = get_wake (live);
  wake->after = 0;
  clq_timers_arm (&engine->timers, &wake->timer, live->head.wake_at, CLQ_TIMER_DEADLINE, on_wake);
}

/* Private: what was due before now has its turn first, also if nobody was there to look at the clock. */
void
clq_due_catch_up (ClqEngine *engine, ClqLive *live)
{
  ClqTimer *timer = live->wake != NULL ? &live->wake->timer : NULL;

  if (timer == NULL || timer->index == 0 || timer->at > clq_clock_now (&engine->clock))
    return;
  clq_timers_disarm (&engine->timers, timer);
  timer->fire (timer);
}

/* Private: a timer has its turn only once. */
void
clq_due_claim (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;

  switch (draft->event->due)
    {
    case CLQ_DUE_TIMEOUT:
      head->fired |= CLQ_FIRED_TIMEOUT;
      break;
    case CLQ_DUE_IDLE:
      head->fired |= CLQ_FIRED_IDLE;
      break;
    case CLQ_DUE_ALERT:
      head->fired |= CLQ_FIRED_ALERT;
      break;
    case CLQ_DUE_RUN:
      clq_draft_extra (draft)->next_run = 0;
      break;
    case CLQ_DUE_DEADLINE:
      {
        ClqExtra *extra = clq_draft_extra (draft);
        g_autoptr (GString) rest = g_string_new (extra->deadlines != NULL ? extra->deadlines : "{}");

        clq_json_unset (rest, draft->event->name);
        g_free (extra->deadlines);
        extra->deadlines = g_strcmp0 (rest->str, "{}") == 0 ? NULL : g_strdup (rest->str);
        break;
      }
    default:
      break;
    }
}
