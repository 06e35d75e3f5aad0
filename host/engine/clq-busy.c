#define G_LOG_DOMAIN "clq-busy"

#include "clq-engine.h"

/* Which event of a session is next, and what waits while a visit runs. */

/* Where the event would lead if it were taken now. */
static int
foresee (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  ClqDraft *draft = clq_draft_new (self, live, event);
  gint32 index = event->index;
  g_autofree char *payload = g_strdup (event->payload);
  g_autofree char *text = g_strdup (event->text);
  int target = CLQ_NO_RULE;

  if ((event->purpose != CLQ_PURPOSE_ANSWER || clq_answers_take (draft, NULL)) && clq_take_propose (draft, NULL))
    target = clq_engine_choose (live, &draft->view, event->index, event);
  event->index = index;
  g_free (event->payload);
  event->payload = g_steal_pointer (&payload);
  g_free (event->text);
  event->text = g_steal_pointer (&text);
  draft->event = NULL;
  clq_draft_free (self, draft);
  return target;
}

/* Answers to questions of the visit itself go to it at once; so do those that leave the batch open. */
static gboolean
is_for_visit (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  const ClqExtra *extra = live->head.extra;

  return event->purpose == CLQ_PURPOSE_ANSWER && extra != NULL && clq_questions_count_open (extra->questions) > 0 &&
         foresee (self, live, event) == CLQ_NO_RULE;
}

typedef enum
{
  FATE_TAKE,
  FATE_WAIT,
  FATE_REFUSE,
} Fate;

static Fate
fate_while_busy (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  int target;

  if (event->purpose == CLQ_PURPOSE_PUT || event->purpose == CLQ_PURPOSE_CANCEL)
    {
      event->overtakes = TRUE;
      return FATE_TAKE;
    }
  clq_take_read_message (live, event);
  if (is_for_visit (self, live, event))
    return FATE_TAKE;
  if (event->key != NULL && !event->is_new_key)
    return FATE_TAKE; /* the store is asked first */
  target = foresee (self, live, event);
  if (target >= 0 && target != live->state)
    {
      event->overtakes = TRUE;
      return FATE_TAKE;
    }
  switch (live->graph->states[live->state].busy)
    {
    case CLQ_BUSY_REFUSE:
      return FATE_REFUSE;
    case CLQ_BUSY_INTERRUPT:
      if (target == CLQ_NO_RULE || target == CLQ_REFUSE)
        return FATE_TAKE; /* to be refused */
      event->overtakes = TRUE;
      return FATE_TAKE;
    case CLQ_BUSY_QUEUE:
    default:
      return FATE_WAIT;
    }
}

static ClqEvent *
unlink_input (ClqWork *work, ClqEvent *before, ClqEvent *event)
{
  if (before != NULL)
    before->next = event->next;
  else
    work->first_input = event->next;
  if (work->last_input == event)
    work->last_input = before;
  event->next = NULL;
  return event;
}

/* The first input that need not wait for the visit. */
static ClqEvent *
next_urgent_input (ClqEngine *self, ClqLive *live)
{
  ClqWork *work = live->work;
  ClqEvent *before = NULL, *event = work->first_input;

  while (event != NULL && !work->inputs_seen)
    {
      ClqEvent *next = event->next;
      Fate fate = fate_while_busy (self, live, event);

      if (fate == FATE_TAKE)
        return unlink_input (work, before, event);
      if (fate == FATE_REFUSE)
        {
          g_autoptr (ClqEvent) refused = unlink_input (work, before, event);
          g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BUSY,
                                                  "state %s is busy; '%s' can be sent again when it is done", live->head.state, refused->name);

          clq_engine_answer (live, refused, NULL, error);
        }
      else
        before = event;
      event = next;
    }
  work->inputs_seen = TRUE;
  return NULL;
}

/* A timer that would not lead away lets the visit finish; it is found again when the visit is over. */
static gboolean
timer_must_wait (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  int target;

  if (event->kind != CLQ_EVENT_TIMER || event->purpose != CLQ_PURPOSE_EVENT || live->work->origin == NULL)
    return FALSE;
  target = foresee (self, live, event);
  if (target >= 0 && target != live->state)
    {
      event->overtakes = TRUE;
      return FALSE;
    }
  clq_due_postpone (live);
  return TRUE;
}

/* In a past that is run again somebody's input is next: what comes of nodes and timers has come too early. */
static gboolean
is_held_back (const ClqEngine *self, const ClqEvent *event)
{
  return self->rehearsal != NULL && self->rehearsal->holds_results && event->purpose != CLQ_PURPOSE_DELIVER &&
         event->purpose != CLQ_PURPOSE_ALERT;
}

static ClqEvent *
next_event (ClqEngine *self, ClqLive *live)
{
  ClqWork *work = live->work;
  ClqEvent *event;

  /* While the store fails, what it has failed to write waits; inputs get their answer. */
  while ((event = work->first_event) != NULL && work->stalled.index == 0 && !is_held_back (self, event))
    {
      work->first_event = event->next;
      if (work->first_event == NULL)
        work->last_event = NULL;
      event->next = NULL;
      if (clq_take_is_stale (live, event) || !timer_must_wait (self, live, event))
        return event;
      clq_event_unref (event);
    }
  if (work->first_input == NULL)
    return NULL;
  if (work->origin != NULL)
    return next_urgent_input (self, live);
  return unlink_input (work, NULL, work->first_input);
}

/* No input leads away from the open visit: it begins. */
static gboolean
enter_waiting (ClqEngine *self, ClqLive *live)
{
  if (!live->work->must_enter)
    return FALSE;
  live->work->must_enter = FALSE;
  clq_run_enter (self, live, live->head.updated_at);
  return TRUE;
}

/* Private: takes what the session has to do next, unless its commit is still in flight. */
void
clq_engine_take_next (ClqEngine *self, ClqLive *live)
{
  while (live->work != NULL && live->work->draft == NULL && live->work->holds == 0)
    {
      ClqEvent *event = next_event (self, live);

      if (event != NULL)
        clq_take (self, live, event);
      else if (!enter_waiting (self, live))
        break;
    }
  if (live->is_new && (live->work == NULL || live->work->draft == NULL))
    clq_live_free (live); /* it could not be opened */
  else
    clq_live_rest (live);
}
