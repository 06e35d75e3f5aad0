#define G_LOG_DOMAIN "clq-recover"

#include "clq-engine.h"

#include <string.h>

/*
 * A session that was loaded with an open visit: somebody stopped while its node ran. What led there and what the visit
 * had got so far is read from the journal; then the visit is entered once more. The session takes nothing meanwhile.
 */
#define MAX_LOST 3

typedef struct
{
  ClqEngine *engine;
  ClqLive *live;
  guint64 visit;
} Recovery;

static gint64
find_int (const char *json, const char *name)
{
  ClqJsonSpan span = clq_json_find (json, -1, name);

  return span.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&span) : 0;
}

static char *
dup_member (const ClqRecord *record, const char *name)
{
  ClqJsonSpan span = clq_json_find (record->body, record->length, name);

  if (span.type == CLQ_JSON_NONE)
    return NULL;
  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : g_strndup (span.start, span.length);
}

/* ---- what led to the visit ---- */

static void
read_error (ClqEvent *event, const ClqRecord *record)
{
  g_autofree char *message = dup_member (record, "error");
  g_autofree char *word = dup_member (record, "class");
  ClqFailure failure = CLQ_FAILURE_CRITICAL;

  if (message == NULL)
    return;
  clq_failure_from_string (word, &failure);
  event->error = g_error_new_literal (CLQ_FAILURE, failure, message);
}

static ClqEvent *
read_origin (const ClqGraph *graph, const ClqRecord *record, const ClqRecord *message)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_ACTION, NULL);
  g_autofree char *kind = dup_member (record, "kind");

  event->owned_name = dup_member (record, "event");
  event->name = event->owned_name;
  event->index = clq_graph_find_event (graph, event->name);
  event->payload = dup_member (record, "payload");
  event->partial = dup_member (record, "partial");
  event->actor = dup_member (record, "actor");
  read_error (event, record);
  if (g_strcmp0 (kind, "outcome") == 0)
    event->kind = CLQ_EVENT_OUTCOME;
  else if (g_strcmp0 (kind, "timer") == 0)
    event->kind = CLQ_EVENT_TIMER;
  if (message != NULL && event->kind == CLQ_EVENT_OUTCOME)
    event->said = dup_member (message, "text");
  else if (message != NULL)
    {
      event->text = dup_member (message, "text");
      event->role = message->role;
    }
  return event;
}

static ClqBinding *
find_binding (const ClqLive *live, const ClqEvent *origin)
{
  ClqBinding *binding = origin->index >= 0 ? clq_graph_get_binding (live->graph, live->state, origin->index) : NULL;

  return binding != NULL ? binding : live->graph->states[live->state].entry;
}

/* ---- what the visit had got ---- */

static void
read_call (ClqWork *work, const ClqRecord *record)
{
  g_autofree char *key = dup_member (record, "key");
  g_autofree char *text = dup_member (record, "text");
  g_autofree char *intent = dup_member (record, "intent");
  g_autofree char *rejected = dup_member (record, "rejected");

  if (key == NULL)
    return;
  if (intent != NULL)
    clq_work_note_intent (work, key);
  else if (rejected != NULL)
    clq_work_forget_result (work, key);
  else if (text != NULL)
    {
      clq_work_note_result (work, key, text);
      if (work->intents != NULL)
        g_hash_table_remove (work->intents, key);
    }
}

/* ---- going on ---- */

static void
end (Recovery *self)
{
  ClqLive *live = self->live;
  ClqWork *work = live->work;

  work->holds--;
  g_free (self);
  if (work->origin != NULL)
    {
      clq_due_raise (live); /* what is due comes before the visit */
      if (live->head.extra->retry_at == 0)
        {
          ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, "resume");

          event->purpose = CLQ_PURPOSE_RESUME;
          event->entry = live->head.entry;
          clq_engine_queue_event (live, event);
        }
    }
  clq_engine_make_ready (live->engine, live);
}

/* The journal does not have what the head speaks of: the session stops visibly. */
static void
give_up (Recovery *self, const char *why)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_OUTCOME, "resume");

  event->purpose = CLQ_PURPOSE_FAILURE;
  event->error = g_error_new (CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "the open visit could not be found again: %s", why);
  event->name = self->live->graph->events[self->live->graph->engine_events[CLQ_ENGINE_FAILED]].name;
  clq_engine_queue_event (self->live, event);
  end (self);
}

static void
on_calls (ClqQuery *query, gpointer user_data)
{
  Recovery *self = user_data;

  self->engine->n_queries--;
  if (query->error != NULL)
    {
      give_up (self, query->error->message);
      return;
    }
  for (guint i = 0; i < query->records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (query->records, i);
      ClqJsonSpan visit = clq_json_find (record->body, record->length, "visit");

      if (visit.type == CLQ_JSON_NUMBER && clq_json_span_get_int (&visit) == (gint64) self->visit)
        read_call (self->live->work, record);
    }
  end (self);
}

static ClqQuery *
query_new (Recovery *self, ClqQueryFunc func)
{
  ClqQuery *query = clq_query_new (func, self);

  memcpy (query->id, self->live->head.id, 16);
  query->after = self->visit - 1;
  self->engine->n_queries++;
  return query;
}

static void
on_origin (ClqQuery *query, gpointer user_data)
{
  Recovery *self = user_data;
  ClqWork *work = self->live->work;
  const ClqRecord *record = query->records->len > 0 ? g_ptr_array_index (query->records, 0) : NULL;
  const ClqRecord *message = query->records->len > 1 ? g_ptr_array_index (query->records, 1) : NULL;
  ClqQuery *calls;

  self->engine->n_queries--;
  if (query->error != NULL || record == NULL || record->type != CLQ_RECORD_EVENT)
    {
      give_up (self, query->error != NULL ? query->error->message : "its record is missing");
      return;
    }
  if (message != NULL && message->type != CLQ_RECORD_MESSAGE)
    message = NULL;
  work->origin = read_origin (self->live->graph, record, message);
  work->binding = find_binding (self->live, work->origin);
  work->visit_id = self->visit;
  work->attempt = MAX (find_int (self->live->head.extra->visit, "attempt"), 1);
  if (work->binding == NULL)
    {
      give_up (self, "its state has no node");
      return;
    }
  calls = query_new (self, on_calls);
  calls->types = 1u << CLQ_RECORD_CALL;
  calls->limit = G_MAXUINT;
  self->engine->store->journal (self->engine->store_self, calls);
}

/* Private: finds the open visit of a session that was just loaded. */
void
clq_recover_visit (ClqLive *live)
{
  Recovery *self = g_new (Recovery, 1);
  ClqQuery *query;

  *self = (Recovery){ live->engine, live, find_int (live->head.extra->visit, "id") };
  clq_live_work (live)->holds++;
  query = query_new (self, on_origin);
  query->before = self->visit + 2;
  query->limit = 2;
  self->engine->store->journal (self->engine->store_self, query);
}

/* Private: an attempt was lost; the next one is written down before it begins. FALSE: it was lost too often. */
gboolean
clq_recover_take (ClqDraft *draft)
{
  ClqExtra *extra = clq_draft_extra (draft);
  g_autoptr (GString) visit = g_string_new (extra->visit);
  gint64 lost = find_int (extra->visit, "lost") + 1;
  g_autofree char *lost_text = g_strdup_printf ("%" G_GINT64_FORMAT, lost);
  g_autofree char *attempt = g_strdup_printf ("%u", draft->live->work->attempt + 1);

  if (lost >= MAX_LOST)
    {
      draft->event->error = g_error_new (CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "the host stopped %d times while node '%s' ran",
                                         MAX_LOST, draft->live->work->binding->kind);
      return FALSE;
    }
  clq_json_set (visit, "lost", lost_text);
  clq_json_set (visit, "attempt", attempt);
  g_free (extra->visit);
  extra->visit = g_strdup (visit->str);
  return TRUE;
}
