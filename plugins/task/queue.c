/*
 * What the context manager is to keep. Every entry is written to the journal together with the event that brought it, as a
 * contribution that waits. A node that finds the context manager working makes context of all that wait, in their order.
 * So an entry is lost neither when the context manager is away nor when the host stops.
 */
#include "task.h"

void
task_queue_add (TaskStep *step, const char *entry)
{
  g_autofree char *body = g_strconcat ("{\"entry\":", entry, "}", NULL);

  clq_change_append (step->change, CLQ_RECORD_CONTRIBUTION, CLQ_ROLE_NONE, body);
  clq_change_set_int (step->change, "queue.count", task_queue_get_length (step->view) + ++step->n_queued);
}

gint64
task_queue_get_length (ClqView *view)
{
  return clq_view_get_int (view, "queue.count");
}

typedef struct
{
  char *request_id;
  char *patterns; /* JSON: discovered for that request */
  TaskQueueFunc func;
  gpointer user_data;
} Drain;

static void
drain_free (gpointer data)
{
  Drain *self = data;

  g_free (self->request_id);
  g_free (self->patterns);
  g_free (self);
}

/* What could not be known before: that it is stored, and which patterns were seen in it. */
static char *
complete (const Drain *self, const ClqJsonSpan *entry)
{
  GString *text = g_string_new_len (entry->start, (gssize) entry->length);
  g_autofree char *type = clq_json_find_string (text->str, "type");
  g_autofree char *request_id = clq_json_find_string (text->str, "request_id");

  if (g_strcmp0 (type, "execution_result") == 0)
    {
      clq_json_set (text, "storage_status", "\"success\"");
      if (self->patterns != NULL && g_strcmp0 (request_id, self->request_id) == 0)
        clq_json_set (text, "result.patterns_discovered", self->patterns);
    }
  return g_string_free (text, FALSE);
}

static void
on_waiting (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  const Drain *self = user_data;
  ClqChange *change = clq_visit_get_change (visit);

  if (error != NULL)
    {
      clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "what waits to be kept cannot be read: %s", error->message);
      return;
    }
  for (guint i = n_records; i > 0; i--)
    {
      gsize length;
      const char *body = clq_record_get_body (records[i - 1], &length);
      ClqJsonSpan entry = clq_json_find (body, (gssize) length, "entry");
      g_autofree char *whole = entry.type == CLQ_JSON_OBJECT ? complete (self, &entry) : NULL;

      if (whole != NULL)
        clq_change_append (change, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, whole);
    }
  clq_change_unset (change, "queue");
  clq_change_clear_deadline (change, "drain");
  self->func (visit, self->user_data);
}

/*
 * Makes context of everything that waits, oldest first, together with the outcome of the visit; then calls @func.
 * @patterns: (nullable): what was discovered for @request_id
 */
void
task_queue_drain (ClqVisit *visit, const char *request_id, const char *patterns, TaskQueueFunc func, gpointer user_data)
{
  gint64 length = task_queue_get_length (clq_visit_get_view (visit));
  Drain *self;

  if (length <= 0)
    {
      func (visit, user_data);
      return;
    }
  self = g_new0 (Drain, 1);
  *self = (Drain){ g_strdup (request_id), g_strdup (patterns), func, user_data };
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "task-drain", self, drain_free);
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_CONTRIBUTION, 0, (guint) MIN (length, G_MAXINT32), on_waiting, self);
}
