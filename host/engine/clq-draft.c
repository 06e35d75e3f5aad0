#define G_LOG_DOMAIN "clq-draft"

#include "clq-engine.h"

#include <string.h>


/* ---- views ---- */

static const char *
find_setting (ClqView *view, const char *key)
{
  const ClqGraph *graph = view->graph;

  return clq_keyfile_get (graph->keyfile, "modality", key);
}

static gpointer
find_modality (ClqView *view, gconstpointer info)
{
  const ClqGraph *graph = view->graph;

  return graph->modality == info ? graph->modality_self : NULL;
}

/* Private: the session as its head says. */
void
clq_view_from_head (ClqView *view, const ClqHead *head, const ClqGraph *graph, gint64 now)
{
  view->head = head;
  view->data = clq_head_get_data (head);
  view->state = head->state;
  view->schedule = head->extra != NULL ? head->extra->schedule : NULL;
  view->questions = head->extra != NULL ? head->extra->questions : NULL;
  view->next_run = head->extra != NULL ? head->extra->next_run : 0;
  view->now = now;
  view->turns_here = head->turns_here;
  view->state_names = (const char *const *) graph->state_names;
  view->setting = find_setting;
  view->modality = find_modality;
  view->graph = (gpointer) graph;
  view->comparison = NULL;
  view->id_text[0] = '\0';
}

/* Private: the session with what the draft has changed so far. */
void
clq_draft_refresh_view (ClqDraft *draft)
{
  clq_view_from_head (&draft->view, &draft->commit.head, draft->live->graph, draft->now);
  if (draft->data_changed)
    draft->view.data = draft->data->str;
  draft->view.comparison = draft->comparison;
  if (draft->event->is_message)
    draft->view.turns_here++;
}

/* ---- life ---- */

static ClqDraft *
draft_from_pool (ClqEngine *engine)
{
  ClqDraft *draft = engine->spare_draft;

  if (draft != NULL)
    {
      engine->spare_draft = draft->next_spare;
      return draft;
    }
  draft = g_new0 (ClqDraft, 1);
  draft->commit.records = g_array_sized_new (FALSE, FALSE, sizeof (ClqRecord), CLQ_USUAL_RECORDS);
  draft->commit.segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  draft->commit.marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  draft->commit.mark_names = g_ptr_array_new_with_free_func (g_free);
  draft->commit.text = g_string_sized_new (256);
  draft->data = g_string_new (NULL);
  draft->change = clq_change_new ();
  return draft;
}

/* Private: begins the commit that @event will become. The draft owns @event. */
ClqDraft *
clq_draft_new (ClqEngine *engine, ClqLive *live, ClqEvent *event)
{
  ClqDraft *draft = draft_from_pool (engine);

  draft->live = live;
  draft->event = event;
  draft->now = clq_clock_recent (&engine->clock);
  draft->commit.expected_seq = live->is_new ? 0 : live->head.seq;
  draft->commit.head = live->head;
  clq_extra_ref (live->head.extra);
  draft->commit.graph_text = NULL;
  draft->commit.key = event->key;
  draft->data_changed = FALSE;
  draft->to = live->state;
  draft->is_transition = FALSE;
  draft->is_retry = FALSE;
  draft->is_refusal = FALSE;
  draft->owns_data = FALSE;
  draft->visits_of = -1;
  draft->enter = NULL;
  draft->closes_visit = FALSE;
  draft->limit = -1;
  draft->counts = 0;
  draft->failed_session = FALSE;
  draft->reason = NULL;
  draft->result = NULL;
  clq_draft_refresh_view (draft);
  return draft;
}

/* Private: back to the pool. The event goes too unless somebody took it. */
void
clq_draft_free (ClqEngine *engine, ClqDraft *draft)
{
  ClqCommit *commit = &draft->commit;

  if (draft->event != NULL)
    clq_engine_drop_event (engine, g_steal_pointer (&draft->event));
  if (draft->owns_data && commit->head.data != NULL)
    g_ref_string_release (commit->head.data);
  draft->owns_data = FALSE;
  g_clear_pointer (&commit->head.extra, clq_extra_unref);
  g_clear_pointer (&commit->error, g_error_free);
  g_clear_pointer (&draft->include, g_free);
  g_clear_pointer (&draft->comparison, g_free);
  commit->records->len = 0;
  if (commit->segments->len > 0)
    g_array_set_size (commit->segments, 0);
  if (commit->marks->len > 0)
    {
      g_array_set_size (commit->marks, 0);
      g_ptr_array_set_size (commit->mark_names, 0);
    }
  if (commit->usage != NULL)
    g_array_set_size (commit->usage, 0);
  commit->text->len = 0;
  if (clq_change_get_n_ops (draft->change) > 0)
    clq_change_reset (draft->change);
  draft->next_spare = engine->spare_draft;
  engine->spare_draft = draft;
}

/* Private: frees a draft that is in no use. */
void
clq_draft_destroy (ClqDraft *draft)
{
  g_array_unref (draft->commit.records);
  g_array_unref (draft->commit.segments);
  g_array_unref (draft->commit.marks);
  g_ptr_array_unref (draft->commit.mark_names);
  g_clear_pointer (&draft->commit.usage, g_array_unref);
  g_string_free (draft->commit.text, TRUE);
  g_string_free (draft->data, TRUE);
  clq_change_free (draft->change);
  g_free (draft);
}

/* Private: what most sessions do not have, ready to be written to. */
ClqExtra *
clq_draft_extra (ClqDraft *draft)
{
  return clq_extra_writable (&draft->commit.head.extra);
}

/* ---- changes ---- */

static void
set_data (ClqDraft *draft, const char *path, const char *value)
{
  if (!draft->data_changed)
    {
      g_string_assign (draft->data, clq_head_get_data (&draft->commit.head));
      draft->data_changed = TRUE;
    }
  if (value == NULL)
    clq_json_unset (draft->data, path);
  else if (!clq_json_set (draft->data, path, value))
    clq_change_warn (draft->change, "data '%s' cannot be set: the path runs through a value that is no object", path);
}

static void
set_deadline (ClqDraft *draft, const char *name, gint64 at)
{
  ClqExtra *extra = clq_draft_extra (draft);
  g_autoptr (GString) deadlines = g_string_new (extra->deadlines != NULL ? extra->deadlines : "{}");
  char number[24];

  g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, at);
  if (at > 0)
    clq_json_set (deadlines, name, number);
  else
    clq_json_unset (deadlines, name);
  g_free (extra->deadlines);
  extra->deadlines = g_strcmp0 (deadlines->str, "{}") == 0 ? NULL : g_strdup (deadlines->str);
}

static void
set_schedule (ClqDraft *draft, const char *schedule, gint64 next_run)
{
  ClqExtra *extra = clq_draft_extra (draft);

  g_free (extra->schedule);
  extra->schedule = g_strdup (schedule);
  extra->next_run = next_run;
}

/* What follows goes to a new segment that continues from a record. */
static void
begin_segment (ClqDraft *draft, guint32 parent, guint64 parent_seq)
{
  ClqSegment segment = { .segment = draft->commit.head.n_segments + 1, .parent = parent, .parent_seq = parent_seq };

  draft->commit.head.n_segments++;
  draft->commit.head.segment = segment.segment;
  g_array_append_val (draft->commit.segments, segment);
}

static void
apply_op (ClqDraft *draft, const ClqChange *change, const ClqOp *op)
{
  const char *name = clq_change_get_string (change, op->name);
  const char *value = clq_change_get_string (change, op->value);

  switch (op->type)
    {
    case CLQ_OP_SET:
    case CLQ_OP_UNSET:
      set_data (draft, name, value);
      break;
    case CLQ_OP_ASK:
      clq_questions_merge (&clq_draft_extra (draft)->questions, value);
      break;
    case CLQ_OP_CLEAR_QUESTIONS:
      g_clear_pointer (&clq_draft_extra (draft)->questions, g_free);
      break;
    case CLQ_OP_SCHEDULE:
      set_schedule (draft, value, op->number);
      break;
    case CLQ_OP_DEADLINE:
      set_deadline (draft, name, op->number);
      break;
    case CLQ_OP_TITLE:
      {
        ClqExtra *extra = clq_draft_extra (draft);

        g_free (extra->title);
        extra->title = g_strdup (value);
        break;
      }
    case CLQ_OP_FORK:
      begin_segment (draft, draft->commit.head.segment, draft->live->head.seq);
      break;
    case CLQ_OP_RECORD:
    case CLQ_OP_MARK:
    case CLQ_OP_DROP_MARK:
    case CLQ_OP_GO_TO_MARK:
    case CLQ_OP_GO_TO_RECORD:
    case CLQ_OP_GO_BACK:
    case CLQ_OP_INCLUDE:
    case CLQ_OP_COMPARE:
    case CLQ_OP_REASON:
    case CLQ_OP_RESULT:
    case CLQ_OP_NOTIFY:
    case CLQ_OP_WARN:
    case CLQ_OP_TAG:
    default:
      break; /* when the records are written, or later */
    }
}

/* Private: what @change says from its operation @from on is done to the draft's data and head. */
void
clq_draft_apply (ClqDraft *draft, const ClqChange *change, guint from)
{
  for (guint i = from; i < clq_change_get_n_ops (change); i++)
    {
      ClqOp op = *clq_change_get_op (change, i); /* a warning may move the array */

      apply_op (draft, change, &op);
    }
  if (clq_change_get_n_ops (change) > from)
    clq_draft_refresh_view (draft);
}

/* Private: the session goes on from an earlier record with the data it has, which is written down whole. */
void
clq_draft_branch_off (ClqDraft *draft, guint32 segment, guint64 seq)
{
  begin_segment (draft, segment, seq);
  draft->commit.head.since_snapshot = CLQ_SNAPSHOT_EVERY - 1;
}

/* Private: the session goes on from an earlier record; the draft's data is already the one of that moment. */
void
clq_draft_jump (ClqDraft *draft, guint32 segment, guint64 seq)
{
  const ClqChange *change = draft->change;

  draft->data_changed = TRUE;
  clq_draft_branch_off (draft, segment, seq);
  for (guint i = clq_rewind_first_op (change); i < clq_change_get_n_ops (change); i++)
    {
      ClqOp op = *clq_change_get_op (change, i);

      if (op.type == CLQ_OP_SET || op.type == CLQ_OP_UNSET)
        apply_op (draft, change, &op);
    }
  clq_draft_refresh_view (draft);
}
