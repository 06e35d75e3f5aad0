#define G_LOG_DOMAIN "clq-replay"

#include "clq-replay-private.h"

#include <string.h>

/* What the journal tells of things that came from outside. */

/* Private: a record that has not been compared yet; NULL = there is none, or it was not read yet. */
const ClqRecord *
clq_replay_peek (const ClqReplay *self, guint ahead)
{
  return self->next + ahead < self->records->len ? g_ptr_array_index (self->records, self->next + ahead) : NULL;
}

static ClqJsonSpan
find (const ClqRecord *record, const char *name)
{
  return clq_json_find (record->body, record->length, name);
}

static gboolean
has (const ClqRecord *record, const char *name)
{
  return find (record, name).type != CLQ_JSON_NONE;
}

/* Private: (transfer full) (nullable): a text as it is, anything else as JSON. */
char *
clq_replay_dup_member (const ClqRecord *record, const char *name)
{
  ClqJsonSpan span = find (record, name);

  if (span.type == CLQ_JSON_NONE)
    return NULL;
  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : g_strndup (span.start, span.length);
}

/* Private: whether somebody sent this. */
gboolean
clq_replay_is_input (const ClqRecord *record)
{
  return record->type == CLQ_RECORD_EVENT && (!has (record, "kind") || has (record, "cancelled"));
}

/* Private: whether this is what a host wrote that found the visit of one that had stopped. */
gboolean
clq_replay_is_loss (const ClqRecord *record)
{
  ClqJsonSpan event = find (record, "event");

  return record->type == CLQ_RECORD_EVENT && (has (record, "lost") || (has (record, "kind") && clq_json_span_string_equal (&event, "resume")));
}

/* Private: whether this was written because a stay had become too long. */
gboolean
clq_replay_is_alert (const ClqRecord *record)
{
  ClqJsonSpan event = find (record, "event");

  return record->type == CLQ_RECORD_EVENT && clq_json_span_string_equal (&event, "alert") && has (record, "kind") && !has (record, "to") &&
         has (record, "payload.state");
}

/* Private: (transfer full) (nullable): what the event was raised with, if a limit of what is spent may have kept a visit from asking an agent. */
char *
clq_replay_dup_refusal (const ClqRecord *record)
{
  g_autofree char *limit = record->type == CLQ_RECORD_EVENT ? clq_replay_dup_member (record, "payload.limit") : NULL;

  return limit != NULL ? clq_replay_dup_member (record, "payload") : NULL;
}

static guint64
find_number (const ClqRecord *record, const char *name)
{
  ClqJsonSpan span = find (record, name);

  return span.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&span) : 0;
}

/*
 * The calls of what comes next: answers are given when their records are about to be written, so that what follows from them
 * comes in the order in which it came. What is said of a call stands right behind the event that it led to.
 */
static const ClqRecord *
peek_call (const ClqReplay *self, guint *ahead)
{
  const ClqRecord *first = clq_replay_peek (self, 0);

  for (;;)
    {
      const ClqRecord *record = clq_replay_peek (self, (*ahead)++);

      if (record == NULL || record->at != first->at || (record != first && record->type == CLQ_RECORD_EVENT))
        return NULL;
      if (record->type == CLQ_RECORD_CALL)
        return record;
    }
}

/* An answer that was said in full stands in the message. */
static char *
dup_said (const ClqReplay *self, guint ahead)
{
  for (const ClqRecord *record; (record = clq_replay_peek (self, ahead)) != NULL && record->type != CLQ_RECORD_EVENT; ahead++)
    if (record->type == CLQ_RECORD_MESSAGE && record->role == CLQ_ROLE_ASSISTANT)
      return clq_replay_dup_member (record, "text");
  return NULL;
}

/* To a visit of the session, or to one that is @ending. */
static gboolean
give_answer (const ClqReplay *self, ClqLive *live, ClqRun *ending, const ClqRecord *record, guint ahead)
{
  ClqJsonSpan cost = find (record, "cost");
  g_autofree char *key = clq_replay_dup_member (record, "key");
  g_autofree char *text = has (record, "said") ? dup_said (self, ahead) : clq_replay_dup_member (record, "text");
  g_autofree char *error = clq_replay_dup_member (record, "error");
  g_autofree char *class = clq_replay_dup_member (record, "class");
  g_autofree char *heard = clq_replay_dup_member (record, "heard");
  ClqPastCall past = {
    .visit = find_number (record, "visit"),
    .key = key,
    .text = text,
    .error = error,
    .failure = CLQ_FAILURE_CRITICAL,
    .retry_after = (GTimeSpan) find_number (record, "retryAfter"),
    .heard = heard,
    .tokens_in = find_number (record, "tokensIn"),
    .tokens_out = find_number (record, "tokensOut"),
    .cost = cost.type == CLQ_JSON_NUMBER ? clq_json_span_get_double (&cost) : 0,
  };

  if (key == NULL || (text == NULL && error == NULL))
    return FALSE;
  clq_failure_from_string (class, &past.failure);
  return ending != NULL ? clq_rehearse_late_call (ending, &past) : clq_rehearse_call (live, &past);
}

/* Private: answers the calls that wait for what comes next. Answers that came together were written down together. */
gboolean
clq_replay_answer_calls (ClqReplay *self, ClqLive *live)
{
  gboolean any = FALSE;
  guint ahead = 0;

  for (const ClqRecord *record; (record = peek_call (self, &ahead)) != NULL;)
    if (!has (record, "late") && give_answer (self, live, NULL, record, ahead))
      any = TRUE;
  return any;
}

/* Private: the visit is about to be over; gives it what came when nobody waited for it any more, if that is among the next records. */
void
clq_replay_answer_late_calls (const ClqReplay *self, ClqRun *run, guint n_records)
{
  const ClqRecord *record;

  for (guint ahead = 0; ahead < n_records && (record = clq_replay_peek (self, ahead)) != NULL; ahead++)
    if (record->type == CLQ_RECORD_CALL && has (record, "late"))
      give_answer (self, NULL, run, record, ahead + 1);
}

/* Private: whether the visit looked for an agent and did not find it. */
gboolean
clq_replay_was_absent (const ClqReplay *self, guint64 visit, const char *agent)
{
  guint ahead = 0;

  if (clq_replay_peek (self, 0) == NULL)
    return FALSE;
  for (const ClqRecord *record; (record = peek_call (self, &ahead)) != NULL;)
    {
      ClqJsonSpan name = find (record, "agent");

      if (has (record, "absent") && find_number (record, "visit") == visit && clq_json_span_string_equal (&name, agent))
        return TRUE;
    }
  return FALSE;
}
