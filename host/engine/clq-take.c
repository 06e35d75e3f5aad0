#define G_LOG_DOMAIN "clq-take"

#include "clq-engine.h"

#include <string.h>

static void take (ClqEngine *self, ClqLive *live, ClqEvent *event);

/* ---- rules ---- */

/* Private: the first alternative that holds: a state, CLQ_STAY, CLQ_REFUSE or CLQ_NO_RULE. */
int
clq_engine_choose (ClqLive *live, ClqView *view, int event_index, const ClqEvent *event)
{
  const ClqGraph *graph = live->graph;
  const ClqRule *rules;
  guint n_rules;

  if (event_index < 0)
    return CLQ_NO_RULE;
  rules = clq_graph_get_rules (graph, live->state, event_index, &n_rules);
  for (guint i = 0; i < n_rules; i++)
    if (rules[i].guard == NULL || clq_guard_eval (rules[i].guard, view, event, graph->modality_self) == CLQ_TRUE)
      return rules[i].target;
  return CLQ_NO_RULE;
}

/* What the modality makes of the event goes into the draft's change and data. */
static gboolean
propose (ClqDraft *draft, GError **error)
{
  const ClqModalityInfo *modality = draft->live->graph->modality;
  gpointer self = draft->live->graph->modality_self;
  const ClqEvent *event = draft->event;
  guint done;

  if (event->change != NULL)
    clq_change_extend (draft->change, event->change);
  clq_draft_apply (draft, draft->change, 0);
  done = clq_change_get_n_ops (draft->change);
  if (modality == NULL)
    return TRUE;
  if (event->purpose == CLQ_PURPOSE_OPEN)
    {
      if (modality->open != NULL && !modality->open (self, &draft->view, event, draft->change, error))
        return FALSE;
    }
  else if (modality->apply != NULL && !modality->apply (self, &draft->view, event, draft->change, error))
    return FALSE;
  clq_draft_apply (draft, draft->change, done);
  return TRUE;
}

/* ---- ends of a take ---- */

static void
refuse (ClqEngine *self, ClqDraft *draft, const GError *error)
{
  ClqLive *live = draft->live;
  g_autoptr (ClqEvent) event = g_steal_pointer (&draft->event);

  clq_draft_free (self, draft);
  clq_engine_answer (live, event, NULL, error);
}

static void
stage (ClqEngine *self, ClqDraft *draft)
{
  clq_draft_write (draft);
  clq_engine_stage (self, draft);
}

/* The session stops visibly: its status says so, its error says why. */
static void
fail_session (ClqEngine *self, ClqDraft *draft, const char *code, const char *message)
{
  ClqExtra *extra = clq_draft_extra (draft);
  GString *text = g_string_new ("{\"code\":");

  clq_json_append_string (text, code, -1);
  g_string_append (text, ",\"message\":");
  clq_json_append_string (text, message, -1);
  g_string_append_c (text, '}');
  g_free (extra->error);
  extra->error = g_string_free (text, FALSE);
  draft->failed_session = TRUE;
  draft->closes_visit = TRUE;
  draft->is_transition = FALSE;
  draft->to = draft->live->state;
  draft->enter = NULL;
  if (draft->event->error == NULL)
    draft->event->error = g_error_new_literal (CLQ_FAILURE, CLQ_FAILURE_CRITICAL, message);
  stage (self, draft);
}

static void
unhandled (ClqEngine *self, ClqDraft *draft)
{
  const ClqEvent *event = draft->event;
  g_autofree char *message = NULL;
  const char *code = "unhandled";

  if (event->index == draft->live->graph->engine_events[CLQ_ENGINE_FAILED] && event->error != NULL)
    {
      code = "failed";
      message = g_strdup (event->error->message);
    }
  else if (event->index == draft->live->graph->engine_events[CLQ_ENGINE_LIMIT])
    {
      code = "limit";
      message = clq_event_dup_string (event, "message");
    }
  else
    message = g_strdup_printf ("no rule takes the %s '%s' in state %s",
                               event->kind == CLQ_EVENT_TIMER ? "timer" : "outcome", event->name, draft->live->head.state);
  fail_session (self, draft, code, message != NULL ? message : code);
}

/* ---- limits ---- */

static gboolean
over_limit (ClqDraft *draft)
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

static char *
limit_payload (const ClqLive *live, const ClqHead *head)
{
  const ClqGraph *graph = live->graph;
  const ClqState *place = &graph->states[live->state];

  if (place->max_visits > 0 && head->visits[live->state] > place->max_visits)
    return g_strdup_printf ("{\"limit\":\"max-visits\",\"message\":\"state %s was entered more than max-visits=%u times\"}",
                            place->name, place->max_visits);
  if (graph->max_hops > 0 && head->hops >= graph->max_hops)
    return g_strdup_printf ("{\"limit\":\"max-hops\",\"message\":\"max-hops=%u: so many steps since the last input\"}", graph->max_hops);
  if (graph->max_tokens > 0 && head->extra != NULL && head->extra->tokens_in + head->extra->tokens_out >= graph->max_tokens)
    return g_strdup_printf ("{\"limit\":\"max-tokens\",\"message\":\"max-tokens=%" G_GUINT64_FORMAT " is used up\"}", graph->max_tokens);
  return g_strdup ("{\"limit\":\"max-cost\",\"message\":\"max-cost is used up\"}");
}

/* ---- taking ---- */

static ClqBinding *
node_for (const ClqDraft *draft)
{
  const ClqGraph *graph = draft->live->graph;
  ClqBinding *binding;

  if (!draft->is_transition && draft->event->kind == CLQ_EVENT_OUTCOME)
    return NULL;
  binding = clq_graph_get_binding (graph, draft->to, draft->event->index);
  if (binding == NULL && draft->is_transition)
    binding = graph->states[draft->to].entry;
  return binding;
}

static void
accept_target (ClqEngine *self, ClqDraft *draft, int target)
{
  ClqLive *live = draft->live;
  const ClqGraph *graph = live->graph;
  guint done = clq_change_get_n_ops (draft->change);

  draft->is_transition = target >= 0;
  draft->to = target >= 0 ? (guint) target : live->state;
  if (draft->is_transition && graph->modality != NULL && graph->modality->arrive != NULL)
    {
      graph->modality->arrive (graph->modality_self, &draft->view, draft->event, live->head.state,
                               graph->states[draft->to].name, draft->change);
      clq_draft_apply (draft, draft->change, done);
    }
  if (clq_draft_is_too_large (draft))
    {
      g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_LIMIT,
                                              "the session's data would be larger than 64 KB; keep long texts in records");

      if (draft->event->kind == CLQ_EVENT_ACTION)
        refuse (self, draft, error);
      else
        {
          draft->data_changed = FALSE;
          fail_session (self, draft, "limit", error->message);
        }
      return;
    }
  draft->enter = node_for (draft);
  if (draft->event->index != graph->engine_events[CLQ_ENGINE_LIMIT] && over_limit (draft))
    {
      draft->enter = NULL;
      draft->limit = 1;
    }
  else if (draft->event->index == graph->engine_events[CLQ_ENGINE_LIMIT])
    draft->event->kind = CLQ_EVENT_TIMER; /* the rule for the limit starts a new count */
  stage (self, draft);
}

/* An outcome or timer that a rule refuses: nothing of it is kept, but it has had its turn and its visit is over. */
static void
drop_result (ClqEngine *self, ClqDraft *draft)
{
  clq_change_reset (draft->change);
  g_clear_pointer (&draft->event->said, g_free);
  draft->data_changed = FALSE;
  g_array_set_size (draft->commit.segments, 0);
  g_clear_pointer (&draft->commit.head.extra, clq_extra_unref);
  draft->commit.head = draft->live->head;
  clq_extra_ref (draft->commit.head.extra);
  clq_call_count (draft);
  if (draft->event->due != CLQ_DUE_NOTHING)
    clq_due_claim (draft);
  draft->is_refusal = TRUE;
  stage (self, draft);
}

static void
reject (ClqEngine *self, ClqDraft *draft, const GError *error)
{
  if (draft->event->kind == CLQ_EVENT_ACTION)
    refuse (self, draft, error);
  else
    fail_session (self, draft, "failed", error->message);
}

/* The rules decide where the event leads. */
static void
decide (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  const ClqEvent *event = draft->event;
  int target = clq_engine_choose (live, &draft->view, event->index, event);

  if (target >= CLQ_STAY)
    accept_target (self, draft, target);
  else if (event->kind == CLQ_EVENT_ACTION)
    {
      g_autoptr (GError) error = clq_live_refusal (live, event->name);

      refuse (self, draft, error);
    }
  else if (target == CLQ_REFUSE)
    drop_result (self, draft);
  else
    unhandled (self, draft);
}

static void
take_event (ClqEngine *self, ClqDraft *draft)
{
  g_autoptr (GError) error = NULL;

  if (draft->event->due != CLQ_DUE_NOTHING)
    clq_due_claim (draft);
  if (!propose (draft, &error))
    {
      if (error == NULL)
        error = clq_live_refusal (draft->live, draft->event->name);
      reject (self, draft, error);
    }
  else if (clq_rewind_is_needed (draft))
    clq_rewind_start (self, draft);
  else
    decide (self, draft);
}

/* Private: the journal was read for a draft that goes back in it. */
void
clq_engine_decide (ClqEngine *self, ClqDraft *draft, const GError *error)
{
  ClqLive *live = draft->live;

  live->work->draft = NULL;
  if (error != NULL)
    reject (self, draft, error);
  else
    decide (self, draft);
  if (live->work != NULL && live->work->draft == NULL)
    clq_engine_make_ready (self, live);
  clq_engine_rearm (self);
}

/* ---- failures of visits ---- */

/* Private: how long to wait after a failed attempt of the session's visit or of one of its calls. */
GTimeSpan
clq_engine_backoff (const ClqLive *live, guint attempt)
{
  const ClqState *place = &live->graph->states[live->state];
  GTimeSpan delay = place->backoff_min;

  for (guint i = 1; i < attempt && delay < place->backoff_max; i++)
    delay *= 2;
  return MIN (delay, MAX (place->backoff_max, place->backoff_min));
}

static void
rename_event (ClqDraft *draft, ClqEngineEvent which)
{
  const ClqGraph *graph = draft->live->graph;

  draft->event->index = graph->engine_events[which];
  draft->event->name = graph->events[draft->event->index].name;
}

static void
take_retry (ClqEngine *self, ClqDraft *draft)
{
  ClqWork *work = draft->live->work;
  ClqExtra *extra = clq_draft_extra (draft);
  g_autoptr (GString) visit = g_string_new (extra->visit != NULL ? extra->visit : "{}");
  g_autofree char *attempt = g_strdup_printf ("%u", work->attempt + 1);

  rename_event (draft, CLQ_ENGINE_RETRY);
  draft->is_retry = TRUE;
  clq_json_set (visit, "attempt", attempt);
  g_free (extra->visit);
  extra->visit = g_strdup (visit->str);
  extra->retry_at = draft->now + clq_engine_backoff (draft->live, work->attempt);
  clq_change_set_reason (draft->change, "attempt %u failed: %s", work->attempt, draft->event->error->message);
  stage (self, draft);
}

static void
take_failure (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqEvent *event = draft->event;
  ClqFailure class = clq_failure_of (event->error);
  const ClqState *place = &live->graph->states[live->state];

  if (class == CLQ_FAILURE_RECOVERABLE && live->work->attempt <= place->retry && !event->is_final)
    {
      take_retry (self, draft);
      return;
    }
  draft->closes_visit = TRUE;
  if (class == CLQ_FAILURE_RECOVERABLE)
    {
      rename_event (draft, CLQ_ENGINE_FALLBACK);
      if (clq_engine_choose (live, &draft->view, event->index, event) >= CLQ_STAY)
        {
          take_event (self, draft);
          return;
        }
    }
  rename_event (draft, CLQ_ENGINE_FAILED);
  take_event (self, draft);
}

/* ---- other purposes ---- */

static void
take_open (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  const ClqState *place = &live->graph->states[live->state];
  g_autoptr (GError) error = NULL;

  if (!propose (draft, &error) || clq_draft_is_too_large (draft))
    {
      if (error == NULL)
        error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "the session cannot be opened with this input");
      refuse (self, draft, error);
      return;
    }
  draft->commit.head.visits[live->state]++;
  draft->visits_of = live->state;
  draft->enter = place->entry;
  stage (self, draft);
}

/* A session that is placed before it was opened begins with the modality's first data. */
static void
take_put (ClqEngine *self, ClqDraft *draft)
{
  const ClqGraph *graph = draft->live->graph;
  g_autoptr (GError) error = NULL;

  if (draft->live->is_new && graph->modality != NULL && graph->modality->open != NULL)
    graph->modality->open (graph->modality_self, &draft->view, draft->event, draft->change, NULL);
  if (!clq_put_take (draft, &error))
    {
      refuse (self, draft, error);
      return;
    }
  draft->closes_visit = TRUE;
  stage (self, draft);
}

static void
take_answer (ClqEngine *self, ClqDraft *draft)
{
  g_autoptr (GError) error = NULL;

  if (!clq_answers_take (draft, &error))
    refuse (self, draft, error);
  else if (draft->event->index >= 0)
    take_event (self, draft); /* nothing is open any more */
  else
    stage (self, draft);
}

static void
take_by_purpose (ClqEngine *self, ClqDraft *draft)
{
  switch ((ClqPurpose) draft->event->purpose)
    {
    case CLQ_PURPOSE_EVENT:
      take_event (self, draft);
      break;
    case CLQ_PURPOSE_OPEN:
      take_open (self, draft);
      break;
    case CLQ_PURPOSE_PUT:
      take_put (self, draft);
      break;
    case CLQ_PURPOSE_ANSWER:
      take_answer (self, draft);
      break;
    case CLQ_PURPOSE_FAILURE:
      take_failure (self, draft);
      break;
    case CLQ_PURPOSE_RECORD:
      clq_call_take (self, draft);
      stage (self, draft);
      break;
    case CLQ_PURPOSE_REENTER:
    case CLQ_PURPOSE_DELIVER:
    default:
      g_assert_not_reached ();
    }
}

static void
reenter (ClqEngine *self, ClqLive *live)
{
  clq_extra_writable (&live->head.extra)->retry_at = 0;
  live->head.wake_at = clq_due_find (&live->head, live->graph, live->state, TRUE, 0).at;
  clq_due_arm (self, live);
  clq_run_enter (self, live);
}

static gboolean
is_stale (const ClqLive *live, const ClqEvent *event)
{
  const ClqWork *work = live->work;

  if (event->purpose == CLQ_PURPOSE_RECORD && event->record == CLQ_RECORD_ANSWERS)
    return FALSE; /* what was spent was spent */
  if (event->visit != 0)
    return event->visit != work->serial;
  if (event->kind == CLQ_EVENT_TIMER && event->entry != 0)
    return event->entry != live->head.entry;
  return event->purpose == CLQ_PURPOSE_REENTER && work->origin == NULL;
}

static gboolean
is_repeated (ClqLive *live, ClqEvent *event)
{
  gpointer known = NULL;

  if (event->key == NULL || live->work->keys == NULL ||
      !g_hash_table_lookup_extended (live->work->keys, event->key, NULL, &known))
    return FALSE;
  clq_engine_answer (live, event, known, NULL);
  return TRUE;
}

static char *
dup_value (const char *text)
{
  g_autofree char *quoted = clq_json_quote (text);

  return g_strconcat ("{\"value\":", quoted, "}", NULL);
}

/* A message is the action `message`, or an answer if exactly one question is open. */
static void
read_message (ClqLive *live, ClqEvent *event)
{
  const ClqExtra *extra = live->head.extra;

  if (event->purpose != CLQ_PURPOSE_EVENT || event->index < 0 || event->index != live->graph->message)
    return;
  event->is_message = event->text != NULL || event->said != NULL;
  if (event->kind != CLQ_EVENT_ACTION || event->role != CLQ_ROLE_USER || event->text == NULL || extra == NULL ||
      clq_questions_count_open (extra->questions) != 1)
    return;
  event->purpose = CLQ_PURPOSE_ANSWER;
  g_free (event->payload);
  event->payload = dup_value (event->text);
}

static void
take (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  ClqDraft *draft;

  if (is_stale (live, event) || is_repeated (live, event))
    {
      clq_event_unref (event);
      return;
    }
  if (event->purpose == CLQ_PURPOSE_REENTER)
    {
      clq_event_unref (event);
      reenter (self, live);
      return;
    }
  if (event->purpose == CLQ_PURPOSE_DELIVER)
    {
      clq_call_deliver (self, live, event);
      clq_event_unref (event);
      return;
    }
  read_message (live, event);
  if (event->overtakes)
    event->partial = clq_run_dup_partial (live);
  draft = clq_draft_new (self, live, event);
  draft->closes_visit = event->visit != 0 ? event->purpose == CLQ_PURPOSE_EVENT : event->overtakes;
  clq_call_count (draft);
  take_by_purpose (self, draft);
}

/* ---- while a visit runs ---- */

/* Where the event would lead if it were taken now. */
static int
foresee (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  ClqDraft *draft = clq_draft_new (self, live, event);
  gint32 index = event->index;
  g_autofree char *payload = g_strdup (event->payload);
  g_autofree char *text = g_strdup (event->text);
  int target = CLQ_NO_RULE;

  if ((event->purpose != CLQ_PURPOSE_ANSWER || clq_answers_take (draft, NULL)) && propose (draft, NULL))
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

  if (event->purpose == CLQ_PURPOSE_PUT)
    {
      event->overtakes = TRUE;
      return FATE_TAKE;
    }
  read_message (live, event);
  if (is_for_visit (self, live, event))
    return FATE_TAKE;
  if (event->key != NULL && live->work->keys != NULL && g_hash_table_contains (live->work->keys, event->key))
    return FATE_TAKE;
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
  clq_due_postpone (self, live);
  return TRUE;
}

static ClqEvent *
next_event (ClqEngine *self, ClqLive *live)
{
  ClqWork *work = live->work;
  ClqEvent *event;

  while ((event = work->first_event) != NULL)
    {
      work->first_event = event->next;
      if (work->first_event == NULL)
        work->last_event = NULL;
      event->next = NULL;
      if (is_stale (live, event) || !timer_must_wait (self, live, event))
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
  clq_run_enter (self, live);
  return TRUE;
}

/* Private: takes what the session has to do next, unless its commit is still in flight. */
void
clq_engine_take_next (ClqEngine *self, ClqLive *live)
{
  while (live->work != NULL && live->work->draft == NULL)
    {
      ClqEvent *event = next_event (self, live);

      if (event != NULL)
        take (self, live, event);
      else if (!enter_waiting (self, live))
        break;
    }
  if (live->is_new && (live->work == NULL || live->work->draft == NULL))
    clq_live_free (live); /* it could not be opened */
  else
    clq_live_rest (live);
}

/* ---- after the commit ---- */

static void
tell_taken (ClqEngine *self, const ClqDraft *draft, const char *from)
{
  const ClqEvent *event = draft->event;
  const ClqRecord *first = &g_array_index (draft->commit.records, ClqRecord, 0);
  gboolean moved = draft->is_transition || draft->is_retry;
  const ClqState *target = &draft->live->graph->states[draft->to];
  ClqNews news = {
    .type = event->purpose == CLQ_PURPOSE_OPEN ? CLQ_NEWS_OPENED : CLQ_NEWS_TAKEN,
    .id = draft->live->head.id,
    .seq = first->seq,
    .at = draft->now,
    .event = event->name,
    .reason = draft->reason,
    .actor = event->actor,
    .error = event->error != NULL ? event->error->message : NULL,
  };

  if (moved)
    {
      news.from = from;
      news.to = target->name;
      news.ms = draft->moved_ms;
      news.milestone = draft->is_transition && target->milestone && target->name != from;
    }
  clq_engine_tell (self, &news);
}

static void
tell_message (ClqEngine *self, const ClqDraft *draft, ClqRole role, const char *text)
{
  clq_engine_tell (self, &(ClqNews){ .type = CLQ_NEWS_SAID, .id = draft->live->head.id, .at = draft->now, .role = role, .text = text });
}

static void
tell_rest (ClqEngine *self, const ClqDraft *draft)
{
  const ClqChange *change = draft->change;

  if (draft->event->said != NULL)
    tell_message (self, draft, CLQ_ROLE_ASSISTANT, draft->event->said);
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);
      const char *value = clq_change_get_string (change, op->value);
      ClqNews news = { .id = draft->live->head.id, .at = draft->now, .text = value };

      if (op->type == CLQ_OP_RECORD && op->record_type == CLQ_RECORD_MESSAGE)
        {
          g_autofree char *text = clq_json_find_string (value, "text");

          if (text != NULL)
            tell_message (self, draft, op->role, text);
        }
      else if (op->type == CLQ_OP_NOTIFY || op->type == CLQ_OP_WARN)
        {
          news.type = op->type == CLQ_OP_NOTIFY ? CLQ_NEWS_NOTIFIED : CLQ_NEWS_WARNED;
          clq_engine_tell (self, &news);
        }
    }
}

/* The draft's head becomes the session's. */
static void
adopt_head (ClqDraft *draft)
{
  ClqLive *live = draft->live;

  if (draft->owns_data && live->head.data != NULL)
    g_ref_string_release (live->head.data);
  draft->owns_data = FALSE;
  clq_extra_unref (live->head.extra);
  draft->moved_ms = (draft->now - live->head.entered_at) / 1000;
  live->head = draft->commit.head;
  draft->commit.head.extra = NULL;
  live->state = draft->to;
  live->is_new = FALSE;
}

static void
open_visit (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqWork *work = live->work;

  work->origin = g_steal_pointer (&draft->event);
  work->visit_id = g_array_index (draft->commit.records, ClqRecord, 0).seq;
  work->binding = draft->enter;
  work->attempt = 1;
  work->inputs_seen = FALSE;
  /* Somebody may want to stop a session whose nodes never wait. */
  work->must_enter = work->first_input != NULL;
  if (!work->must_enter)
    clq_run_enter (self, live);
}

static void
raise_limit (ClqLive *live)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, NULL);

  event->index = live->graph->engine_events[CLQ_ENGINE_LIMIT];
  event->name = live->graph->events[event->index].name;
  event->payload = limit_payload (live, &live->head);
  clq_engine_queue_event (live, event);
}

static void
go_on (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqWork *work = live->work;

  if (draft->closes_visit)
    clq_run_close (live);
  else if (draft->is_retry && draft->event->purpose == CLQ_PURPOSE_FAILURE)
    {
      clq_run_cancel (live);
      work->attempt++;
    }
  clq_due_arm (self, live);
  if (draft->event->purpose == CLQ_PURPOSE_RECORD)
    clq_call_settled (self, live, draft->event);
  else if (draft->visit_answers != NULL)
    {
      clq_call_answers (live, draft->visit_answers);
      g_clear_pointer (&draft->visit_answers, g_free);
    }
  if (draft->enter != NULL)
    open_visit (self, draft);
  else if (draft->limit >= 0)
    raise_limit (live);
}

/* Whoever sent the event that stopped the session hears why. */
static void
answer_failure (ClqLive *live, ClqEvent *event)
{
  g_autofree char *code = clq_json_find_string (live->head.extra->error, "code");
  g_autofree char *message = clq_json_find_string (live->head.extra->error, "message");
  g_autoptr (GError) error = g_error_new_literal (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_FAILED, message);

  if (strcmp (code, "unhandled") == 0)
    error->code = CLQ_INPUT_ERROR_UNHANDLED;
  else if (strcmp (code, "limit") == 0)
    error->code = CLQ_INPUT_ERROR_LIMIT;
  clq_engine_answer (live, event, NULL, error);
}

static void
settle_success (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  const char *from = live->head.state;

  adopt_head (draft);
  live->work->stalls = 0;
  if (draft->commit.graph_text != NULL)
    g_hash_table_add (self->known_graphs, (gpointer) live->head.graph_hash);
  if ((draft->event->purpose != CLQ_PURPOSE_RECORD || draft->is_retry) && !draft->is_refusal)
    {
      tell_taken (self, draft, from);
      tell_rest (self, draft);
      if (draft->failed_session)
        clq_engine_tell (self, &(ClqNews){ .type = CLQ_NEWS_FAILED, .id = live->head.id, .at = draft->now, .error = draft->event->error->message });
    }
  if (draft->failed_session && draft->event->func != NULL)
    answer_failure (live, draft->event);
  else
    clq_engine_answer (live, draft->event, draft->result, NULL);
  go_on (self, draft);
}

static void
on_stall_over (ClqTimer *timer)
{
  ClqWork *work = (ClqWork *) ((char *) timer - G_STRUCT_OFFSET (ClqWork, stalled));
  ClqLive *live = work->owner;

  clq_engine_make_ready (live->engine, live);
}

/* Nothing was written: nothing has changed. What nobody waits for is tried again. */
static void
settle_failure (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqWork *work = live->work;
  ClqEvent *event = g_steal_pointer (&draft->event);
  g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_STORE, "nothing was changed: %s", draft->commit.error->message);

  if (draft->visits_of >= 0)
    live->head.visits[draft->visits_of]--;
  if (event->kind == CLQ_EVENT_ACTION)
    {
      clq_engine_answer (live, event, NULL, error);
      clq_event_unref (event);
      return;
    }
  g_clear_pointer (&draft->visit_answers, g_free);
  event->next = work->first_event;
  work->first_event = event;
  if (work->last_event == NULL)
    work->last_event = event;
  work->owner = live;
  work->stalls = MIN (work->stalls + 1, 6);
  clq_timers_arm (&self->timers, &work->stalled, clq_clock_now (&self->clock) + (G_TIME_SPAN_SECOND << (work->stalls - 1)),
                  CLQ_TIMER_ANSWER, on_stall_over);
}

/* Private: the store has answered for this draft. */
void
clq_engine_settle_draft (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  gboolean failed = draft->commit.error != NULL;

  live->work->draft = NULL;
  if (failed)
    settle_failure (self, draft);
  else
    settle_success (self, draft);
  clq_draft_free (self, draft);
  if (live->is_new)
    {
      clq_live_free (live); /* it could not be opened */
      return;
    }
  if (live->work != NULL && (live->work->first_input != NULL || (live->work->first_event != NULL && !failed)))
    clq_engine_make_ready (self, live);
  else
    clq_live_rest (live);
}
