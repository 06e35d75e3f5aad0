#define G_LOG_DOMAIN "clq-settled"

#include "clq-engine.h"

#include <string.h>

/* What follows when the store has answered for a commit. */

/* ---- news ---- */

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

/* A visit that asks is told of: whoever shows the session must show the question. */
static void
tell_question (ClqEngine *self, const ClqDraft *draft)
{
  clq_engine_tell (self, &(ClqNews){ .type = CLQ_NEWS_ASKED, .id = draft->live->head.id, .at = draft->now });
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
          g_autofree char *text = op->role != CLQ_ROLE_USER ? clq_json_find_string (value, "text") : NULL;

          if (text != NULL) /* nobody needs to be told what they have said */
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
  if (live->head.segment != draft->commit.head.segment || draft->include != NULL)
    {
      g_datalist_clear (&live->work->memos);
      clq_tail_clear (&live->work->tail);
    }
  if (live->is_new && g_hash_table_contains (live->engine->reading_graphs, live->graph->hash))
    clq_tail_begin (&live->work->tail, 0);
  clq_tail_add (&live->work->tail, &draft->commit);
  clq_extra_unref (live->head.extra);
  draft->moved_ms = (draft->now - live->head.entered_at) / 1000;
  draft->was_late = (live->head.fired & CLQ_FIRED_ALERT) != 0;
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
    clq_run_enter (self, live, live->head.updated_at);
}

static void
go_on (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  ClqWork *work = live->work;

  if (work->run != NULL && (draft->closes_visit || (draft->is_retry && draft->event->purpose == CLQ_PURPOSE_FAILURE)))
    clq_run_keep_answers (work->run);
  if (draft->closes_visit)
    clq_run_close (live);
  else if (draft->is_retry && draft->event->purpose == CLQ_PURPOSE_FAILURE)
    {
      clq_run_cancel (live);
      work->attempt++;
    }
  if (live->head.wake_at > 0 || live->wake != NULL)
    clq_due_arm (self, live);
  if (draft->event->purpose == CLQ_PURPOSE_RECORD)
    clq_call_settled (self, live, draft->event);
  else if (draft->visit_answers != NULL)
    {
      clq_call_answers (live, draft->visit_answers);
      g_clear_pointer (&draft->visit_answers, g_free);
    }
  if (draft->event->purpose == CLQ_PURPOSE_RESUME && !draft->closes_visit)
    {
      work->attempt++;
      clq_run_enter (self, live, live->head.updated_at);
    }
  else if (draft->enter != NULL)
    open_visit (self, draft);
  else if (draft->limit >= 0)
    clq_limits_raise (live);
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
  if (draft->event->purpose == CLQ_PURPOSE_ALERT)
    clq_metrics_note_late (self, draft);
  else if ((draft->event->purpose != CLQ_PURPOSE_RECORD || draft->is_retry) && !draft->is_refusal)
    {
      tell_taken (self, draft, from);
      tell_rest (self, draft);
      if (draft->is_transition && live->graph->is_measured)
        clq_metrics_note (self, draft, from);
      if (draft->failed_session)
        clq_engine_tell (self, &(ClqNews){ .type = CLQ_NEWS_FAILED, .id = live->head.id, .at = draft->now, .error = draft->event->error->message });
    }
  else if (draft->event->record == CLQ_RECORD_QUESTION)
    tell_question (self, draft);
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

static void
on_reloaded (ClqLive *live, const GError *error, gpointer user_data)
{
  if (live == NULL)
    return;
  live->pins += GPOINTER_TO_UINT (user_data);
  clq_sleep_forget (live);
}

/* The store has more of the session than we know of: what we know is dropped, and it is read again. */
static void
settle_stale (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  g_autoptr (ClqEvent) event = g_steal_pointer (&draft->event);
  g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_STORE, "nothing was changed: %s; it can be sent again", draft->commit.error->message);
  guint pins = live->pins;
  guint8 id[16];

  memcpy (id, live->head.id, sizeof id);
  clq_draft_free (self, draft);
  clq_engine_answer (live, event, NULL, error);
  clq_live_free (live);
  clq_live_load (self, id, on_reloaded, GUINT_TO_POINTER (pins));
}

/* Private: the store has answered for this draft. */
void
clq_engine_settle_draft (ClqEngine *self, ClqDraft *draft)
{
  ClqLive *live = draft->live;
  gboolean failed = draft->commit.error != NULL;

  live->work->draft = NULL;
  if (failed && !live->is_new && g_error_matches (draft->commit.error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE))
    {
      settle_stale (self, draft);
      return;
    }
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
