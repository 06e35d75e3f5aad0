#define G_LOG_DOMAIN "clq-calls"

#include "clq-calls.h"

#include <string.h>

/* ---- before the commit ---- */

static void
take_question (ClqDraft *draft, const RunCall *call)
{
  clq_questions_merge (&clq_draft_extra (draft)->questions, call->question);
}

static void
take_call_retry (ClqDraft *draft, const RunCall *call)
{
  const ClqGraph *graph = draft->live->graph;
  ClqEvent *event = draft->event;

  event->index = graph->engine_events[CLQ_ENGINE_RETRY];
  event->name = graph->events[event->index].name;
  if (event->error == NULL)
    event->error = g_error_copy (call->call.error);
  draft->is_retry = TRUE;
  clq_change_set_reason (draft->change, "call %s: attempt %u failed: %s", call->call.key, call->attempt, call->call.error->message);
}

static gboolean
has_answers (const ClqEvent *event)
{
  return event->calls != NULL && (event->purpose != CLQ_PURPOSE_RECORD || event->record == CLQ_RECORD_ANSWERS);
}

/* Private: what the answers that come with the event have cost is added to the session. */
void
clq_call_count (ClqDraft *draft)
{
  const ClqEvent *event = draft->event;

  for (guint i = 0; has_answers (event) && i < event->calls->len; i++)
    {
      const ClqCall *call = g_ptr_array_index (event->calls, i);
      ClqExtra *extra;

      if (call->error != NULL)
        continue;
      extra = clq_draft_extra (draft);
      extra->tokens_in += call->tokens_in;
      extra->tokens_out += call->tokens_out;
      extra->cost += call->cost;
    }
}

/* Private: what a visit wants to have written down. A session that has stopped meanwhile stays so. */
void
clq_call_take (ClqEngine *engine, ClqDraft *draft)
{
  const RunCall *call = draft->event->calls != NULL ? g_ptr_array_index (draft->event->calls, 0) : NULL;

  draft->failed_session = draft->live->head.status == CLQ_STATUS_FAILED;
  if (draft->event->record == CLQ_RECORD_QUESTION)
    take_question (draft, call);
  else if (draft->event->record == CLQ_RECORD_RETRY)
    take_call_retry (draft, call);
}

/* ---- the records ---- */

static void
append_text (GString *out, const char *name, const char *text)
{
  clq_json_append_name (out, name);
  clq_json_append_string (out, text, -1);
}

static void
append_number (GString *out, const char *name, guint64 number)
{
  clq_json_append_name (out, name);
  clq_json_append_int (out, (gint64) number);
}

static GString *
begin_record (ClqDraft *draft)
{
  return clq_draft_begin_record (draft, CLQ_RECORD_CALL, CLQ_ROLE_NONE, "{", 1);
}

static void
end_record (ClqDraft *draft)
{
  g_string_append_c (draft->commit.text, '}');
  clq_draft_end_record (draft);
}

static GString *
begin_call (ClqDraft *draft, const RunCall *call)
{
  GString *body = begin_record (draft);

  append_number (body, "visit", call->visit_id);
  append_text (body, "key", call->call.key);
  append_text (body, call->kind == CALL_AGENT ? "agent" : call->kind == CALL_TOOL ? "tool"
                                                                                  : "person",
               call->call.target);
  return body;
}

static void
append_failure (GString *body, const ClqCall *call)
{
  append_text (body, "error", call->error->message);
  append_text (body, "class", clq_failure_to_string (clq_failure_of (call->error)));
  if (call->retry_after > 0)
    append_number (body, "retryAfter", call->retry_after);
}

/* A message that says the same is not repeated here. */
static void
write_answer (ClqDraft *draft, const RunCall *call)
{
  const ClqCall *answer = &call->call;
  GString *body = begin_call (draft, call);

  if (answer->error != NULL)
    append_failure (body, answer);
  else if (draft->event->said != NULL && draft->event->purpose == CLQ_PURPOSE_EVENT && strcmp (draft->event->said, answer->text) == 0)
    g_string_append (body, ",\"said\":true");
  else
    append_text (body, "text", answer->text);
  if (call->heard != NULL)
    append_text (body, "heard", call->heard);
  if (call->is_late)
    g_string_append (body, ",\"late\":true");
  append_number (body, "ms", MAX (call->ended_at - call->started_at, 0) / 1000);
  if (answer->tokens_in > 0 || answer->tokens_out > 0 || answer->cost > 0)
    {
      append_number (body, "tokensIn", answer->tokens_in);
      append_number (body, "tokensOut", answer->tokens_out);
      g_string_append (body, ",\"cost\":");
      clq_json_append_double (body, answer->cost);
    }
  end_record (draft);
  if (answer->error == NULL)
    clq_budget_write (draft, call);
}

static void
write_intent (ClqDraft *draft, const RunCall *call)
{
  GString *body = begin_call (draft, call);

  g_string_append (body, ",\"intent\":");
  g_string_append (body, call->call.request);
  end_record (draft);
}

static void
write_question (ClqDraft *draft, const RunCall *call)
{
  GString *body = begin_call (draft, call);

  g_string_append (body, ",\"question\":");
  g_string_append (body, call->question);
  end_record (draft);
}

static void
write_rejection (ClqDraft *draft)
{
  GString *body = begin_record (draft);

  append_number (body, "visit", draft->live->work->visit_id);
  append_text (body, "key", draft->event->owned_name);
  append_text (body, "rejected", draft->event->text);
  end_record (draft);
}

static void
write_absence (ClqDraft *draft, const char *agent)
{
  GString *body = begin_record (draft);

  append_number (body, "visit", draft->live->work->visit_id);
  append_text (body, "agent", agent);
  g_string_append (body, ",\"absent\":true");
  end_record (draft);
}

/* Answers of people to questions of the visit are its results, too. */
static void
write_visit_answers (ClqDraft *draft)
{
  ClqJsonSpan root = clq_json_span (draft->visit_answers, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      GString *body = begin_record (draft);
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *text = g_strndup (value.start, value.length);

      append_number (body, "visit", draft->live->work->visit_id);
      append_text (body, "key", name);
      append_text (body, "person", "person");
      append_text (body, "text", text);
      end_record (draft);
    }
}

/* Private: writes what the draft's event says of calls. */
void
clq_call_write (ClqDraft *draft)
{
  const ClqEvent *event = draft->event;

  if (draft->visit_answers != NULL)
    write_visit_answers (draft);
  for (guint i = 0; event->absent != NULL && i < event->absent->len; i++)
    write_absence (draft, g_ptr_array_index (event->absent, i));
  if (event->purpose == CLQ_PURPOSE_RECORD && event->record == CLQ_RECORD_REJECTION)
    write_rejection (draft);
  for (guint i = 0; event->calls != NULL && i < event->calls->len; i++)
    {
      const RunCall *call = g_ptr_array_index (event->calls, i);

      if (has_answers (event) || event->record == CLQ_RECORD_RETRY)
        write_answer (draft, call);
      else if (event->record == CLQ_RECORD_INTENT)
        write_intent (draft, call);
      else if (event->record == CLQ_RECORD_QUESTION)
        write_question (draft, call);
    }
}

/* ---- after the commit ---- */

static void
on_retry_due (ClqCall *call, gpointer user_data)
{
  RunCall *self = (RunCall *) call;

  self->attempt++;
  clq_run_call_start (self);
}

/* Private: what was to be written down is durable. */
void
clq_call_settled (ClqEngine *engine, ClqLive *live, ClqEvent *event)
{
  RunCall *call = event->calls != NULL ? g_ptr_array_index (event->calls, 0) : NULL;

  if (call == NULL || call->run == NULL || call->run->live != live || call->run->visit.over)
    return;
  if (event->record == CLQ_RECORD_INTENT)
    {
      clq_work_note_intent (live->work, call->call.key);
      clq_run_call_restart (call);
    }
  else if (event->record == CLQ_RECORD_RETRY)
    {
      GTimeSpan delay = MAX (clq_engine_backoff (live, call->attempt), call->call.retry_after);

      clq_run_call_forget (call);
      clq_call_after (&call->call, delay, on_retry_due, NULL);
    }
}
