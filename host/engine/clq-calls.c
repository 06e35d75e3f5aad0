#define G_LOG_DOMAIN "clq-calls"

#include "clq-calls.h"

#include <string.h>

/* ---- life ---- */

static RunCall *
call_of (ClqCall *call)
{
  return (RunCall *) call;
}

/* Whether the call waits for something else than the clock. */
static void
set_busy (RunCall *self, gboolean busy)
{
  if (self->busy == busy)
    return;
  self->busy = busy;
  if (busy)
    self->engine->n_busy_calls++;
  else
    self->engine->n_busy_calls--;
}

/* The visit and the call need each other no more. */
static void
leave_run (RunCall *self)
{
  ClqRun *run = g_steal_pointer (&self->run);

  if (run == NULL)
    return;
  g_ptr_array_remove_fast (run->calls, self);
  clq_visit_unref (&run->visit);
  if (self->is_held)
    {
      self->is_held = FALSE;
      clq_call_unref (&self->call);
    }
}

static void
disarm (RunCall *self)
{
  if (self->timer.index == 0)
    return;
  clq_timers_disarm (&self->engine->timers, &self->timer);
  clq_call_unref (&self->call);
}

static void
call_dispose (ClqCall *call)
{
  RunCall *self = call_of (call);

  if (!call->over && self->run != NULL)
    {
      /* Whoever should have answered has let go of it. */
      call->ref_count = 1;
      clq_call_fail (call, CLQ_FAILURE_CRITICAL, "'%s' dropped the call '%s' without an answer", call->target, call->key);
      clq_call_unref (call);
      return;
    }
  set_busy (self, FALSE);
  g_free (call->key);
  g_free (call->target);
  g_free (call->request);
  g_free (call->idempotency_key);
  g_free (call->text);
  g_clear_error (&call->error);
  g_clear_object (&call->cancellable);
  if (call->wants != NULL)
    g_string_free (call->wants, TRUE);
  g_clear_pointer (&self->question, g_free);
  g_clear_pointer (&self->heard, g_free);
  clq_tool_rounds_clear (self);
  clq_engine_let_go (self->engine, &self->engine->n_calls);
  g_slice_free (RunCall, self);
}

/* Private: the events that calls become carry them along. */
ClqEvent *
clq_run_call_event (RunCall *self, ClqPurpose purpose, ClqRecordPurpose record)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, "call");

  event->purpose = purpose;
  event->record = record;
  event->visit = self->run->serial;
  event->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_call_unref);
  g_ptr_array_add (event->calls, clq_call_ref (&self->call));
  if (purpose == CLQ_PURPOSE_RECORD)
    event->absent = g_steal_pointer (&self->run->absent);
  return event;
}

/* ---- the side that answers ---- */

static void
on_timer (ClqTimer *timer)
{
  RunCall *self = (RunCall *) ((char *) timer - G_STRUCT_OFFSET (RunCall, timer));
  ClqCallTimerFunc func = self->after;

  if (!self->call.over && self->run != NULL)
    {
      set_busy (self, TRUE);
      func (&self->call, self->after_data);
    }
  clq_call_unref (&self->call);
}

static void
call_after (ClqCall *call, GTimeSpan delay, ClqCallTimerFunc func, gpointer user_data)
{
  RunCall *self = call_of (call);

  disarm (self);
  self->after = func;
  self->after_data = user_data;
  set_busy (self, FALSE);
  clq_call_ref (call);
  clq_timers_arm (&self->engine->timers, &self->timer, clq_clock_now (&self->engine->clock) + MAX (delay, 0), CLQ_TIMER_ANSWER, on_timer);
  clq_engine_rearm (self->engine);
}

/* Private: the visit says what the agent says. What it said before it asked for tools is a paragraph of its own. */
void
clq_run_call_say (RunCall *self, const char *text, gssize length)
{
  ClqVisit *visit = &self->run->visit;

  if (!self->streamed && self->n_rounds > 0 && visit->said != NULL && visit->said->len > 0 && *text != '\0')
    clq_visit_say_text (visit, "\n\n", -1);
  if (!self->streamed)
    self->streamed_from = visit->said != NULL ? visit->said->len : 0;
  self->streamed = TRUE;
  clq_visit_say_text (visit, text, length);
}

static void
call_piece (ClqCall *call, const char *text, gsize length)
{
  RunCall *self = call_of (call);

  if (self->stream && self->run != NULL)
    clq_run_call_say (self, text, (gssize) length);
}

/* What was not streamed is said now. */
static void
say_rest (RunCall *self)
{
  if (self->stream && !self->streamed && self->call.text != NULL && self->run != NULL)
    clq_run_call_say (self, self->call.text, -1);
}

static void
call_done (ClqCall *call)
{
  RunCall *self = call_of (call);

  disarm (self);
  set_busy (self, FALSE);
  self->ended_at = clq_clock_now (&self->engine->clock);
  clq_budget_count (self);
  if (self->run == NULL || self->run->live == NULL)
    return;
  clq_call_tell (self, CLQ_NEWS_ANSWERED);
  if (self->asked_by != NULL && call->error != NULL)
    clq_tool_rounds_take_failure (self);
  clq_engine_queue_event (self->run->live, clq_run_call_event (self, CLQ_PURPOSE_DELIVER, CLQ_RECORD_NOTHING));
}

static gint64
call_now (ClqCall *call)
{
  return clq_clock_now (&call_of (call)->engine->clock);
}

static const ClqCallOps call_ops = { call_after, call_piece, call_done, call_now, call_dispose };

/* ---- starting ---- */

/* Private: nobody who answers has the call now, because people or other calls come first; it stays all the same. */
void
clq_run_call_hold (RunCall *self)
{
  if (!self->is_held)
    clq_call_ref (&self->call);
  self->is_held = TRUE;
  set_busy (self, FALSE);
}

/* Private: what it waits for next is neither the clock nor the side that answers. */
void
clq_run_call_wait (RunCall *self)
{
  set_busy (self, FALSE);
}

/* Private: a call that was held goes on, and is the answering side's again. */
void
clq_run_call_restart (RunCall *self)
{
  gboolean was_held = self->is_held;

  self->is_held = FALSE;
  clq_run_call_start (self);
  if (was_held)
    clq_call_unref (&self->call);
}

/* Private: what came back does not count any more; the call is made once more. */
void
clq_run_call_forget (RunCall *self)
{
  ClqCall *call = &self->call;

  g_clear_error (&call->error);
  g_clear_pointer (&call->text, g_free);
  if (call->wants != NULL)
    g_string_free (g_steal_pointer (&call->wants), TRUE);
  clq_call_usage (call, 0, 0, 0);
  call->retry_after = 0;
  call->over = FALSE;
  self->streamed = FALSE;
}

/* Private: a call of a visit, not yet started. */
RunCall *
clq_run_call_new (ClqRun *run, CallKind kind, const char *key, const char *target, const char *request)
{
  RunCall *self = g_slice_new0 (RunCall);

  self->call.ops = &call_ops;
  self->call.ref_count = 1;
  self->call.key = g_strdup (key);
  self->call.target = g_strdup (target);
  self->call.request = g_strdup (request);
  self->call.idempotency_key = g_strconcat (clq_visit_get_idempotency_key (&run->visit), "/", key, NULL);
  self->kind = kind;
  self->attempt = 1;
  self->engine = run->engine;
  self->engine->n_calls++;
  self->visit_id = run->visit.id;
  self->run = (ClqRun *) clq_visit_ref (&run->visit);
  if (run->calls == NULL)
    run->calls = g_ptr_array_new ();
  g_ptr_array_add (run->calls, self);
  if (kind == CALL_QUESTION)
    clq_run_call_hold (self);
  return self;
}

/* Private: whether nobody is asked, because the answer will come from the past. */
gboolean
clq_run_call_park (RunCall *self)
{
  if (self->engine->rehearsal == NULL)
    return FALSE;
  self->is_parked = TRUE;
  clq_run_call_hold (self);
  return TRUE;
}

static void
ask_agent (RunCall *self)
{
  ClqEngine *engine = self->engine;
  const ClqAgentInfo *info = NULL;
  g_autoptr (GError) error = NULL;
  gpointer agent;

  if (!clq_budget_allows (self) || clq_run_call_park (self))
    return;
  if (g_hash_table_contains (engine->agent_faults, self->call.target))
    {
      clq_call_fail (&self->call, CLQ_FAILURE_RECOVERABLE, "agent '%s' is not available", self->call.target);
      return;
    }
  agent = engine->host_ops->find_agent (engine->host, self->call.target, &info, &error);
  if (agent == NULL)
    {
      clq_call_fail (&self->call, clq_failure_of (error), "%s", error->message);
      return;
    }
  clq_tool_rounds_write_request (self);
  info->complete (agent, &self->call);
}

static gboolean
replay (RunCall *self)
{
  ClqWork *work = self->run->live->work;
  const char *known = work->results != NULL ? g_hash_table_lookup (work->results, self->call.key) : NULL;

  if (known == NULL)
    return FALSE;
  self->call.replayed = TRUE;
  clq_call_return (&self->call, known);
  return TRUE;
}

/* Private: makes the call, unless it has an answer from before. */
void
clq_run_call_start (RunCall *self)
{
  clq_run_record_answers (self->run); /* what is known comes before what is asked next */
  clq_call_ref (&self->call);
  self->started_at = clq_clock_now (&self->engine->clock);
  if (!replay (self))
    {
      set_busy (self, self->kind != CALL_QUESTION);
      clq_call_tell (self, CLQ_NEWS_CALLING);
      if (self->kind == CALL_AGENT && !clq_tool_rounds_resume (self))
        ask_agent (self);
      else if (self->kind == CALL_TOOL)
        clq_tool_call_use (self);
      else if (self->kind == CALL_QUESTION)
        clq_engine_queue_event (self->run->live, clq_run_call_event (self, CLQ_PURPOSE_RECORD, CLQ_RECORD_QUESTION));
    }
  clq_call_unref (&self->call);
}

/* ---- delivering ---- */

/* Private: the answer of @key is of no use, and so is what its agent had asked for on the way. */
void
clq_work_forget_result (ClqWork *work, const char *key)
{
  g_autofree char *rounds = g_strconcat (key, "/tools-", NULL);
  GHashTableIter iter;
  gpointer name;

  if (work->results == NULL)
    return;
  g_hash_table_remove (work->results, key);
  g_hash_table_iter_init (&iter, work->results);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (g_str_has_prefix (name, rounds))
      g_hash_table_iter_remove (&iter);
}

/* Private: a call with @key has an answer, in this attempt and in later ones. */
void
clq_work_note_result (ClqWork *work, const char *key, const char *text)
{
  if (work->results == NULL)
    work->results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (work->results, g_strdup (key), g_strdup (text));
}

/* What reached people piece by piece may be more or less than the answer in the end. */
static void
keep_heard (RunCall *self)
{
  const GString *said = self->run->visit.said;
  const char *heard = said != NULL && said->len >= self->streamed_from ? said->str + self->streamed_from : "";

  if (self->streamed && self->heard == NULL && g_strcmp0 (heard, self->call.text) != 0)
    self->heard = g_strdup (heard);
}

static void
note_unrecorded (RunCall *self)
{
  ClqRun *run = self->run;

  keep_heard (self);
  if (run->unrecorded == NULL)
    run->unrecorded = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_call_unref);
  g_ptr_array_add (run->unrecorded, clq_call_ref (&self->call));
}

/* Private: the visit has the answer now; it is written down with what the visit does next, at the latest in a commit of its own. */
void
clq_run_call_note_answer (RunCall *self)
{
  ClqRun *run = self->run;

  if (run->live == NULL)
    return;
  if (self->has_intent && run->live->work->intents != NULL)
    g_hash_table_remove (run->live->work->intents, self->call.key);
  if (self->call.error != NULL)
    run->retry_after = MAX (run->retry_after, self->call.retry_after);
  if (self->call.error != NULL || self->call.replayed)
    return;
  clq_work_note_result (run->live->work, self->call.key, self->call.text);
  if (self->kind != CALL_QUESTION) /* those are written down with the answer */
    note_unrecorded (self);
}

/*
 * Private: the call has failed for good. That is no result, but written down like one: what followed from it can be told
 * from the journal.
 */
void
clq_run_call_note_failure (RunCall *self)
{
  if (self->call.error != NULL && self->kind != CALL_QUESTION && self->run->live != NULL)
    note_unrecorded (self);
}

/* Private: the answers that the visit has got so far go into a commit of their own. */
void
clq_run_record_answers (ClqRun *run)
{
  ClqEvent *event;

  if (run->live == NULL || run->unrecorded == NULL)
    return;
  event = clq_event_new (CLQ_EVENT_OUTCOME, "call");
  event->purpose = CLQ_PURPOSE_RECORD;
  event->record = CLQ_RECORD_ANSWERS;
  event->visit = run->serial;
  event->calls = g_steal_pointer (&run->unrecorded);
  event->absent = g_steal_pointer (&run->absent);
  clq_engine_queue_event (run->live, event);
}

/* An answer that nobody waits for any more was paid for, and another attempt of the visit need not ask for it. */
static void
keep_answer (RunCall *self)
{
  if (!self->call.over || self->call.text == NULL || self->round != NULL)
    return;
  self->is_late = TRUE;
  if (!clq_tool_rounds_note (self))
    clq_run_call_note_answer (self);
}

/* Private: the visit is about to be over; what came back for it and was not delivered is written down all the same. */
void
clq_run_keep_answers (ClqRun *run)
{
  ClqRehearsal *rehearsal = run->engine->rehearsal;

  if (run->live == NULL)
    return;
  if (rehearsal != NULL)
    rehearsal->end_visit (rehearsal, run);
  for (guint i = 0; run->calls != NULL && i < run->calls->len; i++)
    keep_answer (g_ptr_array_index (run->calls, i));
  clq_run_record_answers (run);
}

/* The call is over for its visit, which does not hear of it. */
static void
drop (RunCall *self)
{
  if (self->group != NULL)
    clq_fan_out_cancel (self);
  leave_run (self);
}

static void
deliver (RunCall *self)
{
  ClqRun *run = self->run;

  say_rest (self);
  if (clq_tool_rounds_take (self))
    return;
  clq_run_call_note_answer (self);
  if (self->is_refused)
    drop (self);
  else if (self->group != NULL)
    clq_fan_out_deliver (self);
  else
    {
      clq_run_call_note_failure (self);
      self->func (&run->visit, &self->call, self->user_data);
      leave_run (self);
    }
}

/* What has come back at the same time is written down together. */
static gboolean
has_more_to_deliver (const ClqLive *live)
{
  const ClqEvent *next = live->work != NULL ? live->work->first_event : NULL;

  return next != NULL && next->purpose == CLQ_PURPOSE_DELIVER && !clq_take_is_stale (live, next);
}

/* Private: the visit gets what came back. */
void
clq_call_deliver (ClqEngine *engine, ClqLive *live, ClqEvent *event)
{
  RunCall *self = g_ptr_array_index (event->calls, 0);
  ClqRun *run = self->run;

  if (run == NULL || run->live != live)
    return;
  clq_visit_ref (&run->visit);
  if (run->visit.over)
    {
      keep_answer (self);
      drop (self);
    }
  else
    deliver (self);
  clq_budget_end_visit (run);
  if (!has_more_to_deliver (live))
    clq_run_record_answers (run);
  clq_visit_unref (&run->visit);
}

/* Private: a call of a fan-out has come to its end. */
void
clq_run_call_leave (RunCall *self)
{
  leave_run (self);
}

/* Private: nobody waits for the visit's calls any more. */
void
clq_run_cancel_calls (ClqRun *run)
{
  clq_run_keep_answers (run);
  while (run->calls != NULL && run->calls->len > 0)
    {
      RunCall *self = g_ptr_array_index (run->calls, run->calls->len - 1);

      clq_call_ref (&self->call);
      self->call.over = TRUE;
      disarm (self);
      set_busy (self, FALSE);
      if (self->call.cancellable != NULL)
        g_cancellable_cancel (self->call.cancellable);
      drop (self);
      clq_call_unref (&self->call);
    }
}

/* Private: people have answered questions of the running visit; @answers is {KEY: ANSWER}. */
void
clq_call_answers (ClqLive *live, const char *answers)
{
  ClqRun *run = live->work != NULL ? live->work->run : NULL;
  ClqJsonSpan root = clq_json_span (answers, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (run != NULL && clq_json_iter_next (&iter, &key, &value))
    for (guint i = 0; run->calls != NULL && i < run->calls->len; i++)
      {
        RunCall *self = g_ptr_array_index (run->calls, i);

        if (self->kind == CALL_QUESTION && clq_json_span_string_equal (&key, self->call.key))
          {
            g_autofree char *text = g_strndup (value.start, value.length);

            clq_call_return (&self->call, text);
            break;
          }
      }
}
