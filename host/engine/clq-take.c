#define G_LOG_DOMAIN "clq-take"

#include "clq-engine.h"

#include <string.h>

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

/* Private: what the modality makes of the event goes into the draft's change and data. */
gboolean
clq_take_propose (ClqDraft *draft, GError **error)
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
  clq_limits_note (draft);
  clq_batches_stage (self, draft);
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

static gboolean
has_warning (const ClqChange *change)
{
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    if (clq_change_get_op (change, i)->type == CLQ_OP_WARN)
      return TRUE;
  return FALSE;
}

static void
accept_target (ClqEngine *self, ClqDraft *draft, int target)
{
  ClqLive *live = draft->live;
  const ClqGraph *graph = live->graph;
  guint done = clq_change_get_n_ops (draft->change);

  draft->is_transition = target >= 0;
  draft->to = target >= 0 ? (guint) target : live->state;
  if (target == CLQ_STAY && draft->event->error != NULL && !has_warning (draft->change))
    clq_change_warn (draft->change, "%s", draft->event->error->message); /* it leaves no other trace */
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
  if (draft->event->index != graph->engine_events[CLQ_ENGINE_LIMIT] && draft->event->to == NULL && clq_limits_are_reached (draft))
    {
      draft->enter = NULL;
      draft->limit = 1;
    }
  else if (draft->event->index == graph->engine_events[CLQ_ENGINE_LIMIT] && draft->event->purpose != CLQ_PURPOSE_FAILURE)
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
  g_autoptr (GError) wrong = NULL;
  int target = event->to != NULL ? clq_choice_find (live, event, &wrong) : clq_engine_choose (live, &draft->view, event->index, event);

  if (wrong != NULL)
    refuse (self, draft, wrong);
  else if (target >= CLQ_STAY)
    accept_target (self, draft, target);
  else if (event->kind == CLQ_EVENT_ACTION)
    {
      g_autoptr (GError) error = clq_live_refusal (live, event->name);

      refuse (self, draft, error);
    }
  else if (target == CLQ_REFUSE || event->purpose == CLQ_PURPOSE_CANCEL)
    drop_result (self, draft);
  else
    unhandled (self, draft);
}

/* An action for which the state has no rule at all is none of the modality's business. */
static gboolean
is_hopeless (const ClqDraft *draft)
{
  const ClqLive *live = draft->live;
  guint n_rules = 0;

  if (draft->event->kind == CLQ_EVENT_ACTION && draft->event->index >= 0)
    clq_graph_get_rules (live->graph, live->state, draft->event->index, &n_rules);
  return draft->event->kind == CLQ_EVENT_ACTION && n_rules == 0;
}

static void
take_event (ClqEngine *self, ClqDraft *draft)
{
  g_autoptr (GError) error = NULL;

  if (draft->event->due != CLQ_DUE_NOTHING)
    clq_due_claim (draft);
  if (is_hopeless (draft) || !clq_take_propose (draft, &error))
    {
      if (error == NULL)
        error = clq_live_refusal (draft->live, draft->event->name);
      reject (self, draft, error);
    }
  else if (clq_rewind_is_needed (draft))
    clq_rewind_start (self, draft);
  else if (clq_include_is_needed (draft))
    clq_include_start (self, draft);
  else if (clq_compare_is_needed (draft))
    clq_compare_start (self, draft);
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
  extra->retry_at = draft->now + MAX (clq_engine_backoff (draft->live, work->attempt), draft->event->retry_after);
  clq_change_set_reason (draft->change, "attempt %u failed: %s", work->attempt, draft->event->error->message);
  stage (self, draft);
}

/* An agent could not be asked any more. A graph that tries on and on is stopped like any other that runs in circles. */
static void
take_refusal (ClqEngine *self, ClqDraft *draft)
{
  guint max_hops = draft->live->graph->max_hops;

  draft->closes_visit = TRUE;
  rename_event (draft, CLQ_ENGINE_LIMIT);
  if (max_hops > 0 && draft->live->head.hops + 1 >= max_hops)
    unhandled (self, draft);
  else
    take_event (self, draft);
}

static void
take_failure (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqEvent *event = draft->event;
  ClqFailure class = clq_failure_of (event->error);
  const ClqState *place = &live->graph->states[live->state];

  if (g_error_matches (event->error, CLQ_NODE_ERROR, CLQ_NODE_ERROR_BUDGET))
    {
      take_refusal (self, draft);
      return;
    }
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

/* Like a failure that is not tried again. */
static void
take_cancel (ClqEngine *self, ClqDraft *draft)
{
  ClqEvent *event = draft->event;
  g_autoptr (GError) error = NULL;

  if (!event->overtakes)
    {
      error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "nothing runs in state %s that could be cancelled", draft->live->head.state);
      refuse (self, draft, error);
      return;
    }
  event->kind = CLQ_EVENT_OUTCOME;
  if (event->error == NULL)
    event->error = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
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

  if (!clq_take_propose (draft, &error) || clq_draft_is_too_large (draft))
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
take_resume (ClqEngine *self, ClqDraft *draft)
{
  if (clq_recover_take (draft))
    stage (self, draft);
  else
    take_failure (self, draft);
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
    case CLQ_PURPOSE_RESUME:
      take_resume (self, draft);
      break;
    case CLQ_PURPOSE_CANCEL:
      take_cancel (self, draft);
      break;
    case CLQ_PURPOSE_ALERT:
      clq_due_claim (draft);
      stage (self, draft);
      break;
    case CLQ_PURPOSE_READ:
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
  ClqExtra *extra = clq_extra_writable (&live->head.extra);
  gint64 due = extra->retry_at;

  extra->retry_at = 0;
  live->head.wake_at = clq_due_find (&live->head, live->graph, live->state, TRUE, 0).at;
  clq_due_arm (self, live);
  clq_run_enter (self, live, due);
}

/* Private: whether the event belongs to a visit or a stay that is over. */
gboolean
clq_take_is_stale (const ClqLive *live, const ClqEvent *event)
{
  const ClqWork *work = live->work;

  if (event->purpose == CLQ_PURPOSE_RECORD && event->record == CLQ_RECORD_ANSWERS)
    return FALSE; /* what was spent was spent */
  if (event->purpose == CLQ_PURPOSE_ALERT && (live->head.fired & CLQ_FIRED_ALERT) != 0)
    return TRUE;
  if (event->visit != 0)
    return event->visit != work->serial;
  if (event->entry != 0 && (event->kind == CLQ_EVENT_TIMER || event->index == live->graph->engine_events[CLQ_ENGINE_LIMIT]))
    return event->entry != live->head.entry;
  if (event->purpose == CLQ_PURPOSE_RESUME)
    return work->origin == NULL || event->entry != live->head.entry; /* a deadline may have led away meanwhile */
  return event->purpose == CLQ_PURPOSE_REENTER && work->origin == NULL;
}

static char *
dup_value (const char *text)
{
  g_autofree char *quoted = clq_json_quote (text);

  return g_strconcat ("{\"value\":", quoted, "}", NULL);
}

/* Private: a message is the action `message`, or an answer if exactly one question is open. */
void
clq_take_read_message (ClqLive *live, ClqEvent *event)
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
refuse_second_opening (ClqLive *live, ClqEvent *event)
{
  g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "there is a session with this id already");

  clq_engine_answer (live, event, NULL, error);
  clq_event_unref (event);
}

/* Private: takes one event: it ends as a commit, as a refusal or as nothing. */
void
clq_take (ClqEngine *self, ClqLive *live, ClqEvent *event)
{
  ClqDraft *draft;

  if (clq_take_is_stale (live, event))
    {
      clq_event_unref (event);
      return;
    }
  if (clq_keys_must_ask (live, event))
    return;
  if (event->purpose == CLQ_PURPOSE_OPEN && !live->is_new)
    {
      refuse_second_opening (live, event);
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
  clq_take_read_message (live, event);
  if (event->overtakes)
    clq_run_hand_over (live, event);
  draft = clq_draft_new (self, live, event);
  draft->closes_visit = event->visit != 0 ? event->purpose == CLQ_PURPOSE_EVENT : event->overtakes;
  if (event->calls != NULL)
    clq_call_count (draft);
  take_by_purpose (self, draft);
}
