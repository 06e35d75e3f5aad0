#define G_LOG_DOMAIN "clq-draft"

#include "clq-engine.h"

#include <string.h>

#include "clq-put-private.h"

#define HEAD_LIMIT (64 * 1024)

/* A draft becomes records and a head. */

/* ---- records ---- */

/* Private: appends a record with a body of its own. */
void
clq_draft_add_record (ClqDraft *draft, ClqRecordType type, ClqRole role, const char *body, gsize length)
{
  ClqCommit *commit = &draft->commit;
  ClqRecord record = {
    .seq = ++commit->head.seq,
    .at = draft->now,
    .segment = commit->head.segment,
    .length = length,
    .type = type,
    .role = role,
    .body = GSIZE_TO_POINTER (commit->text->len), /* an offset until the text stops growing */
  };

  if (body != NULL)
    clq_put (commit->text, body, length);
  if (commit->records->len < CLQ_USUAL_RECORDS)
    g_array_index (commit->records, ClqRecord, commit->records->len++) = record;
  else
    g_array_append_val (commit->records, record);
}

static ClqRecord *
newest_record (ClqDraft *draft)
{
  return &g_array_index (draft->commit.records, ClqRecord, draft->commit.records->len - 1);
}

/* Private: begins a record; its body goes on where the returned text ends, until clq_draft_end_record (). */
GString *
clq_draft_begin_record (ClqDraft *draft, ClqRecordType type, ClqRole role, const char *opening, gsize length)
{
  clq_draft_add_record (draft, type, role, opening, length);
  return draft->commit.text;
}

/* Private: the body of the newest record is written. */
void
clq_draft_end_record (ClqDraft *draft)
{
  ClqRecord *record = newest_record (draft);

  record->length = draft->commit.text->len - GPOINTER_TO_SIZE (record->body);
}

/* Begins a record as many others begin. */
static GString *
open_record (ClqDraft *draft, ClqRecordType type, ClqRole role, const char *opening, gsize length)
{
  GString *out = clq_draft_begin_record (draft, type, role, opening, length);

  if (length <= G_MAXUINT16)
    {
      newest_record (draft)->opening = opening;
      newest_record (draft)->opening_length = length;
    }
  return out;
}

/* What the modality says of the message that the event brings. */
static void
append_tags (const ClqDraft *draft, GString *out)
{
  const ClqChange *change = draft->change;

  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);

      if (op->type != CLQ_OP_TAG)
        continue;
      g_string_append_c (out, ',');
      clq_json_append_string (out, clq_change_get_string (change, op->name), -1);
      g_string_append_c (out, ':');
      g_string_append (out, clq_change_get_string (change, op->value));
    }
}

static void
add_message (ClqDraft *draft, ClqRole role, const char *text, gboolean with_tags)
{
  const char *opening = draft->live->engine->text_opening;
  GString *out = open_record (draft, CLQ_RECORD_MESSAGE, role, opening, strlen (opening));

  clq_json_append_string (out, text, -1);
  if (with_tags)
    append_tags (draft, out);
  g_string_append_c (out, '}');
  clq_draft_end_record (draft);
}

static void
append_member (GString *out, const char *name, const char *text)
{
  clq_put_text (out, name);
  clq_json_append_string (out, text, -1);
}

static void
append_sets (ClqDraft *draft, GString *out)
{
  const ClqChange *change = draft->change;
  gboolean first = TRUE;

  for (guint i = clq_rewind_first_op (change); i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);

      if (op->type != CLQ_OP_SET && op->type != CLQ_OP_UNSET)
        continue;
      g_string_append (out, first ? ",\"set\":[[" : ",[");
      clq_json_append_string (out, clq_change_get_string (change, op->name), -1);
      if (op->type == CLQ_OP_SET)
        {
          g_string_append_c (out, ',');
          g_string_append (out, clq_change_get_string (change, op->value));
        }
      g_string_append_c (out, ']');
      first = FALSE;
    }
  if (!first)
    g_string_append_c (out, ']');
}

/* Whether a condition held cannot be told later. */
static void
append_counts (ClqDraft *draft, GString *out)
{
  const GPtrArray *metrics = draft->live->graph->metrics;
  gboolean first = TRUE;

  draft->counts = clq_metrics_find_counts (draft);
  if (draft->counts == 0)
    return;
  for (guint i = 0; i < metrics->len; i++)
    if ((draft->counts >> i & 1) != 0)
      {
        append_member (out, first ? ",\"counts\":[" : ",", ((const ClqMetric *) g_ptr_array_index (metrics, i))->name);
        first = FALSE;
      }
  g_string_append_c (out, ']');
}

static const char *const kind_members[] = { NULL, ",\"kind\":\"outcome\"", ",\"kind\":\"timer\"" };

/* The body of an event record. Names of states and events need no escaping: the graph has checked them. */
static void
write_event (ClqDraft *draft)
{
  const ClqEvent *event = draft->event;
  const ClqLive *live = draft->live;
  const ClqState *target = &live->graph->states[draft->to];
  gboolean moves = draft->is_transition || draft->is_retry;
  const char *name = event->owned_name == NULL ? event->name : g_intern_string (event->name);
  const ClqOpening *opening = clq_openings_find (live->engine, moves ? live->head.state : NULL, name, moves ? target->name : NULL);
  GString *out = open_record (draft, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, opening->text, opening->length);

  if (moves)
    {
      clq_json_append_int (out, MAX (draft->now - live->head.entered_at, 0) / 1000);
      if (target->milestone && draft->to != live->state)
        g_string_append (out, ",\"milestone\":true");
    }
  if (kind_members[event->kind] != NULL)
    clq_put_text (out, kind_members[event->kind]);
  if (event->purpose == CLQ_PURPOSE_CANCEL)
    g_string_append (out, ",\"cancelled\":true");
  if (event->purpose == CLQ_PURPOSE_RESUME && draft->closes_visit)
    g_string_append (out, ",\"lost\":true");
  if (event->purpose == CLQ_PURPOSE_ANSWER && event->is_message)
    g_string_append (out, ",\"message\":true");
  if (draft->is_refusal)
    g_string_append (out, ",\"refused\":true");
  if (draft->reason != NULL)
    append_member (out, ",\"reason\":", draft->reason);
  if (event->actor != NULL)
    append_member (out, ",\"actor\":", event->actor);
  if (event->key != NULL)
    append_member (out, ",\"key\":", event->key);
  if (event->error != NULL)
    {
      append_member (out, ",\"error\":", event->error->message);
      append_member (out, ",\"class\":", clq_failure_to_string (clq_failure_of (event->error)));
    }
  if (event->partial != NULL)
    append_member (out, ",\"partial\":", event->partial);
  if (event->payload != NULL)
    {
      g_string_append (out, ",\"payload\":");
      g_string_append (out, event->payload);
    }
  if (draft->is_transition && live->graph->is_measured)
    append_counts (draft, out);
  if (draft->data_changed)
    append_sets (draft, out);
  g_string_append_c (out, '}');
  clq_draft_end_record (draft);
}

static const char *
last_text (const ClqChange *change, ClqOpType type)
{
  for (guint i = clq_change_get_n_ops (change); i > 0; i--)
    if (clq_change_get_op (change, i - 1)->type == type)
      return clq_change_get_string (change, clq_change_get_op (change, i - 1)->value);
  return NULL;
}

static void
write_rest (ClqDraft *draft)
{
  const ClqEvent *event = draft->event;
  const ClqChange *change = draft->change;

  if (event->text != NULL && (event->is_message || event->purpose == CLQ_PURPOSE_OPEN) && !draft->is_refusal)
    add_message (draft, event->role != CLQ_ROLE_NONE ? event->role : CLQ_ROLE_USER, event->text, TRUE);
  if (event->purpose == CLQ_PURPOSE_READ)
    clq_draft_add_record (draft, CLQ_RECORD_NOTIFICATION, CLQ_ROLE_NONE, event->payload, strlen (event->payload));
  if (event->said != NULL)
    add_message (draft, CLQ_ROLE_ASSISTANT, event->said, FALSE);
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);
      const char *value = clq_change_get_string (change, op->value);

      if (op->type == CLQ_OP_RECORD)
        clq_draft_add_record (draft, op->record_type, op->role, value, strlen (value));
      else if (op->type == CLQ_OP_NOTIFY)
        clq_draft_add_record (draft, CLQ_RECORD_NOTIFICATION, CLQ_ROLE_NONE, value, strlen (value));
    }
}

/* Operations before this one speak of the place that is left. */
static guint
find_way (const ClqChange *change)
{
  for (guint i = clq_change_get_n_ops (change); i > 0; i--)
    {
      const ClqOp *op = clq_change_get_op (change, i - 1);

      if (op->type == CLQ_OP_GO_TO_MARK || op->type == CLQ_OP_GO_TO_RECORD || op->type == CLQ_OP_GO_BACK || op->type == CLQ_OP_FORK)
        return i;
    }
  return 0;
}

/* Gives a name to a place in the journal; 0 as number takes it away. */
static void
add_mark (ClqDraft *draft, const char *name, const ClqHead *place, guint64 seq)
{
  char *copy = g_strdup (name);
  ClqMark mark = { .name = copy, .segment = place->segment, .seq = seq };

  g_ptr_array_add (draft->commit.mark_names, copy);
  g_array_append_val (draft->commit.marks, mark);
}

static void
write_marks (ClqDraft *draft)
{
  const ClqChange *change = draft->change;
  guint way = find_way (change);

  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);
      const ClqHead *place = i < way ? &draft->live->head : &draft->commit.head;

      if (op->type == CLQ_OP_MARK)
        add_mark (draft, clq_change_get_string (change, op->name), place, place->seq);
      else if (op->type == CLQ_OP_DROP_MARK)
        add_mark (draft, clq_change_get_string (change, op->name), place, 0);
    }
}

static void
write_snapshot (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;
  const char *data = draft->data_changed ? draft->data->str : head->data;

  if (data == NULL)
    return;
  if (++head->since_snapshot < CLQ_SNAPSHOT_EVERY)
    return;
  head->since_snapshot = 0;
  clq_draft_add_record (draft, CLQ_RECORD_SNAPSHOT, CLQ_ROLE_NONE, data, strlen (data));
}

/* ---- the head ---- */

static gboolean
is_empty (const ClqExtra *extra)
{
  return extra->owner == NULL && extra->title == NULL && extra->schedule == NULL && extra->questions == NULL &&
         extra->deadlines == NULL && extra->visit == NULL && extra->error == NULL && extra->next_run == 0 &&
         extra->retry_at == 0 && extra->tokens_in == 0 && extra->tokens_out == 0;
}

static void
clear_for_final (ClqDraft *draft)
{
  ClqExtra *extra;

  if (draft->commit.head.extra == NULL)
    return;
  extra = clq_draft_extra (draft);
  g_clear_pointer (&extra->schedule, g_free);
  g_clear_pointer (&extra->questions, g_free);
  g_clear_pointer (&extra->deadlines, g_free);
  extra->next_run = 0;
}

static void
move_to_target (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;
  const ClqLive *live = draft->live;
  const ClqState *target = &live->graph->states[draft->to];

  head->state = target->name;
  head->entered_at = draft->now;
  head->entry++;
  head->fired = 0;
  head->visits[draft->to]++;
  draft->visits_of = draft->to;
  if (draft->to != live->state)
    head->turns_here = 0;
  if (target->final)
    clear_for_final (draft);
}

static void
count (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;
  const ClqEvent *event = draft->event;

  if (event->purpose == CLQ_PURPOSE_RECORD || event->purpose == CLQ_PURPOSE_PUT || event->purpose == CLQ_PURPOSE_RESUME ||
      event->purpose == CLQ_PURPOSE_READ || event->purpose == CLQ_PURPOSE_ALERT)
    return;
  if (event->is_message)
    head->turns_here++;
  if (event->kind == CLQ_EVENT_ACTION && event->role != CLQ_ROLE_ASSISTANT && event->role != CLQ_ROLE_SYSTEM)
    {
      head->input_at = draft->now;
      head->fired &= ~CLQ_FIRED_IDLE;
    }
  if (event->kind == CLQ_EVENT_OUTCOME)
    head->hops++;
  else
    head->hops = 0;
}

static char *
dup_visit (const ClqDraft *draft)
{
  GString *out = g_string_new ("{\"id\":");

  clq_json_append_int (out, (gint64) draft->live->head.seq + 1);
  g_string_append (out, ",\"attempt\":1,\"state\":\"");
  g_string_append (out, draft->live->graph->states[draft->to].name);
  g_string_append (out, "\",\"event\":\"");
  g_string_append (out, draft->event->name);
  g_string_append (out, "\"}");
  return g_string_free (out, FALSE);
}

static void
note_visit (ClqDraft *draft)
{
  ClqExtra *extra;

  if (draft->enter != NULL)
    {
      extra = clq_draft_extra (draft);
      g_free (extra->visit);
      extra->visit = dup_visit (draft);
      extra->retry_at = 0;
    }
  else if (draft->closes_visit && draft->commit.head.extra != NULL)
    {
      extra = clq_draft_extra (draft);
      g_clear_pointer (&extra->visit, g_free);
      extra->retry_at = 0;
    }
}

static ClqStatus
status_of (const ClqDraft *draft)
{
  const ClqExtra *extra = draft->commit.head.extra;

  if (draft->failed_session)
    return CLQ_STATUS_FAILED;
  if (extra != NULL && extra->visit != NULL)
    return CLQ_STATUS_RUNNING;
  if (draft->live->graph->states[draft->to].final)
    return CLQ_STATUS_DONE;
  if (draft->live->graph->states[draft->to].waits || (extra != NULL && extra->questions != NULL))
    return CLQ_STATUS_WAITING;
  return CLQ_STATUS_RESTING;
}

static void
finish_head (ClqDraft *draft)
{
  ClqHead *head = &draft->commit.head;
  const ClqState *place = &draft->live->graph->states[draft->to];

  if (!draft->failed_session && head->extra != NULL && head->extra->error != NULL)
    g_clear_pointer (&clq_draft_extra (draft)->error, g_free);
  if (head->extra != NULL && head->extra->questions != NULL)
    clq_questions_tidy (&clq_draft_extra (draft)->questions, draft->closes_visit);
  note_visit (draft);
  head->status = status_of (draft);
  head->updated_at = draft->now;
  if (head->extra != NULL && is_empty (head->extra))
    g_clear_pointer (&head->extra, clq_extra_unref);
  if (head->extra != NULL || place->timeout > 0 || place->idle > 0 || place->alert > 0)
    head->wake_at = clq_due_find (head, draft->live->graph, draft->to, head->status == CLQ_STATUS_RUNNING, 0).at;
  else
    head->wake_at = 0;
}

/* Private: turns what was decided into records and a head. */
void
clq_draft_write (ClqDraft *draft)
{
  ClqEngine *engine = draft->live->engine;
  ClqHead *head = &draft->commit.head;
  GArray *records = draft->commit.records;

  draft->reason = last_text (draft->change, CLQ_OP_REASON);
  draft->result = last_text (draft->change, CLQ_OP_RESULT);
  draft->commit.result = draft->result;
  count (draft);
  if (draft->is_transition)
    {
      move_to_target (draft);
      if (draft->event->is_message && draft->to != draft->live->state)
        head->turns_here = 1;
    }
  if (draft->event->purpose != CLQ_PURPOSE_RECORD || draft->is_retry)
    write_event (draft);
  if (draft->include != NULL) /* right after the event: going back counts on it */
    clq_draft_add_record (draft, CLQ_RECORD_INCLUDE, CLQ_ROLE_NONE, draft->include, strlen (draft->include));
  if (draft->event->calls != NULL || draft->event->absent != NULL || draft->visit_answers != NULL || draft->event->purpose == CLQ_PURPOSE_RECORD)
    clq_call_write (draft);
  write_rest (draft);
  write_snapshot (draft);
  write_marks (draft);
  finish_head (draft);
  if (draft->data_changed)
    {
      head->data = strcmp (draft->data->str, "{}") == 0 ? NULL : g_ref_string_new_len (draft->data->str, draft->data->len);
      draft->owns_data = TRUE;
    }
  for (guint i = 0; i < records->len; i++)
    {
      ClqRecord *record = &g_array_index (records, ClqRecord, i);

      record->body = draft->commit.text->str + GPOINTER_TO_SIZE (record->body);
    }
  if (head->graph_hash != engine->known_graph)
    {
      if (g_hash_table_contains (engine->known_graphs, head->graph_hash))
        engine->known_graph = head->graph_hash;
      else
        draft->commit.graph_text = draft->live->graph->text;
    }
}

/* Private: whether the head would be larger than heads may be. */
gboolean
clq_draft_is_too_large (ClqDraft *draft)
{
  const ClqExtra *extra = draft->commit.head.extra;
  gsize size = draft->data_changed ? draft->data->len : 0;

  if (extra != NULL)
    {
      const char *texts[] = { extra->schedule, extra->questions, extra->deadlines, extra->visit, extra->error, extra->title };

      for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        size += texts[i] != NULL ? strlen (texts[i]) : 0;
    }
  return size > HEAD_LIMIT;
}
