/* The modality: what each event makes of the data, and what is to be kept of it. */
#include "task.h"

#define TITLE_LENGTH 60

static const ClqSetting settings[] = {
  CLQ_INT (Task, max_length, 16000, 100, 40000, "how many bytes a request with all its changes may have"),
  CLQ_INT (Task, significant, 3, 1, 1000, "how often a pattern must be seen before it is used"),
  CLQ_DOUBLE (Task, weight, 0.3, 0.01, 1, "how much the newest result counts in the moving average of a pattern's confidence"),
  CLQ_DOUBLE (Task, forget_below, 0.3, 0, 1, "patterns with less confidence are forgotten"),
  CLQ_DOUBLE (Task, decay, 0.98, 0.01, 1, "what is left of a pattern's confidence after a day in which it was not used"),
  CLQ_INT (Task, max_patterns, 32, 1, 64, "how many patterns a session keeps in mind"),
  CLQ_DURATION (Task, store_again, "30s", "how soon storing is tried again while the context manager is away; doubled each time, up to an hour"),
  { NULL },
};

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
is_in (const TaskStep *step, const char *state)
{
  return strcmp (clq_view_get_state (step->view), state) == 0;
}

static gboolean
is_event (const TaskStep *step, const char *name)
{
  return strcmp (clq_event_get_name (step->event), name) == 0;
}

static void
count (const TaskStep *step, const char *what)
{
  g_autofree char *path = g_strconcat ("stats.", what, NULL);

  clq_change_set_int (step->change, path, clq_view_get_int (step->view, path) + 1);
}

/* ---- requests ---- */

static gboolean
begin_request (TaskStep *step, const char *content, GError **error)
{
  static const char *const old[] = { "context", "execution", "result", "review", "clarification", "alternatives", "example", "error" };
  gint64 number = clq_view_get_int (step->view, "request.number") + 1;
  g_autofree char *id = task_dup_request_id (step->view, number);
  g_autofree char *now = clq_time_print (clq_view_get_now (step->view));
  g_autofree char *json = NULL;
  JsonBuilder *request;

  if (strlen (content) > (gsize) step->task->max_length)
    return refuse (error, "the request has %zu bytes; expected at most %" G_GINT64_FORMAT ": split it, or put long texts into files", strlen (content), step->task->max_length);
  for (guint i = 0; i < G_N_ELEMENTS (old); i++)
    if (clq_view_has (step->view, old[i]))
      clq_change_unset (step->change, old[i]);
  request = task_begin (NULL, NULL);
  task_add_string (request, "id", id);
  task_add_int (request, "number", number);
  task_add_string (request, "content", content);
  task_add_string (request, "timestamp", now);
  if (is_event (step, "modify"))
    {
      g_autofree char *before = clq_view_dup_string (step->view, "request.id");

      task_add_string (request, "modifies", before);
    }
  json = task_end (request);
  clq_change_set_json (step->change, "request", json);
  count (step, "requests");
  if (clq_view_get_title (step->view) == NULL && *content != '\0')
    {
      g_autofree char *line = g_strdelimit (g_strdup (content), "\n\r\t", ' ');
      g_autofree char *title = task_clip (line, TITLE_LENGTH);

      clq_change_set_title (step->change, title);
    }
  return TRUE;
}

static gboolean
take_message (TaskStep *step, GError **error)
{
  const char *text = clq_event_get_text (step->event);
  gint64 idle_ms = (clq_view_get_now (step->view) - clq_view_get_entered_at (step->view)) / 1000;

  if (clq_event_get_role (step->event) != CLQ_ROLE_USER || text == NULL)
    return refuse (error, "a request is a message of the user");
  clq_change_set_int (step->change, "stats.idle_ms", clq_view_get_int (step->view, "stats.idle_ms") + idle_ms);
  return begin_request (step, text, error);
}

/* ---- decisions ---- */

static gboolean
take_decision (TaskStep *step, const char *decision, const char *said)
{
  g_autofree char *feedback = clq_event_dup_string (step->event, "feedback");

  task_note_review (step, decision, feedback != NULL ? feedback : "");
  task_patterns_learn (step, "result.patterns", strcmp (decision, "approved") == 0);
  count (step, decision);
  clq_change_say (step->change, CLQ_ROLE_SYSTEM, said);
  return TRUE;
}

static gboolean
take_approve (TaskStep *step, GError **error)
{
  return take_decision (step, "approved", "Approved.");
}

static gboolean
take_reject (TaskStep *step, GError **error)
{
  return take_decision (step, "rejected", "Rejected.");
}

/* A change is a new request: what was wanted, and what is wanted now. */
static gboolean
take_modify (TaskStep *step, GError **error)
{
  g_autofree char *text = clq_event_dup_string (step->event, "text");
  g_autofree char *content = clq_view_dup_string (step->view, "request.content");
  g_autofree char *whole = NULL;

  if (text != NULL)
    g_strstrip (text);
  if (text == NULL || *text == '\0')
    return refuse (error, "modify: what is to be changed is missing; expected {\"text\":\"what should be different\"}");
  task_note_review (step, "modify", text);
  count (step, "modified");
  whole = g_strconcat (content != NULL ? content : "", "\n\nChange: ", text, NULL);
  return begin_request (step, whole, error);
}

static gboolean
take_abort (TaskStep *step, GError **error)
{
  g_autofree char *reason = clq_event_dup_string (step->event, "reason");

  if (is_in (step, "EXECUTING"))
    task_note_execution (step);
  task_note_abort (step, reason != NULL ? reason : "");
  count (step, "aborted");
  return TRUE;
}

static const struct
{
  const char *name;
  gboolean (*take) (TaskStep *step, GError **error);
} actions[] = {
  { "message", take_message },
  { "approve", take_approve },
  { "reject", take_reject },
  { "modify", take_modify },
  { "abort", take_abort },
};

/* ---- failures and time-outs ---- */

/* While the context manager is away, storing is tried again less and less often. */
static void
store_later (TaskStep *step)
{
  gint64 attempts = clq_view_get_int (step->view, "queue.attempts");
  GTimeSpan delay = step->task->store_again << MIN (attempts, 16);

  clq_change_set_int (step->change, "queue.attempts", attempts + 1);
  clq_change_set_deadline (step->change, "drain", clq_view_get_now (step->view) + CLAMP (delay, step->task->store_again, MAX (G_TIME_SPAN_HOUR, step->task->store_again)));
}

static void
take_failure (TaskStep *step)
{
  const GError *error = clq_event_get_error (step->event);
  ClqFailure class = clq_failure_of (error);

  if (is_in (step, "IDLE"))
    {
      if (task_queue_get_length (step->view) > 0)
        store_later (step);
      return;
    }
  if (is_in (step, "CONTEXT_SEARCH") && class == CLQ_FAILURE_RECOVERABLE)
    {
      task_note_search (step);
      clq_change_warn (step->change, "the work begins without context: %s", error->message);
      return;
    }
  if (is_in (step, "CONTEXT_UPDATE") && class == CLQ_FAILURE_RECOVERABLE)
    {
      clq_change_set_string (step->change, "result.storage_status", "failed");
      clq_change_warn (step->change, "the result waits to be stored: %s", error->message);
      return;
    }
  if (is_in (step, "EXECUTING"))
    task_note_execution (step);
  task_note_error (step, clq_failure_to_string (class), error->message);
  count (step, "failed");
}

static void
take_timeout (TaskStep *step)
{
  if (is_in (step, "REQUEST_RECEIVED"))
    {
      task_note_error (step, "recoverable", "the request could not be understood in time");
      count (step, "failed");
    }
  else if (is_in (step, "CONTEXT_SEARCH"))
    {
      task_note_search (step);
      clq_change_warn (step->change, "the work begins without context: the search took too long");
    }
  else if (is_in (step, "EXECUTING"))
    {
      task_note_execution (step);
      clq_change_warn (step->change, "the work took too long and was cut off; what is there is shown");
    }
  else if (is_in (step, "CONTEXT_UPDATE"))
    {
      clq_change_set_string (step->change, "result.storage_status", "failed");
      clq_change_warn (step->change, "the result waits to be stored: storing took too long");
    }
}

static void
take_outcome (TaskStep *step)
{
  if (is_event (step, "valid"))
    task_note_request (step);
  else if (is_event (step, "found"))
    {
      task_note_search (step);
      task_patterns_adopt (step);
    }
  else if (is_event (step, "completed"))
    task_note_execution (step);
  else if (is_event (step, "stored") && is_in (step, "CONTEXT_UPDATE"))
    {
      clq_change_set_string (step->change, "result.storage_status", "success");
      task_patterns_discover (step, clq_view_get_bool (step->view, "result.success"));
    }
  else if (is_event (step, "analysed"))
    {
      task_patterns_age (step);
      count (step, "analyses");
    }
  else if (is_event (step, "invalid") || is_event (step, "ambiguous"))
    count (step, "invalid");
}

static gboolean
task_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  TaskStep step = { self, view, event, change, 0 };

  for (guint i = 0; clq_event_get_kind (event) == CLQ_EVENT_ACTION && i < G_N_ELEMENTS (actions); i++)
    if (is_event (&step, actions[i].name))
      return actions[i].take (&step, error);
  if (clq_event_get_error (event) != NULL)
    take_failure (&step);
  else if (clq_event_get_kind (event) == CLQ_EVENT_TIMER && is_event (&step, "timeout"))
    take_timeout (&step);
  else if (clq_event_get_kind (event) == CLQ_EVENT_OUTCOME)
    take_outcome (&step);
  return TRUE;
}

/* ---- arriving ---- */

static const char *
suggest (ClqFailure class)
{
  switch (class)
    {
    case CLQ_FAILURE_RECOVERABLE:
      return "Send the request again in a while.";
    case CLQ_FAILURE_USER:
      return "Say it differently, or ask for less.";
    case CLQ_FAILURE_AUTH:
      return "Check the agent's key: colloquy agents lists what is missing.";
    case CLQ_FAILURE_CRITICAL:
    default:
      return "Check the agents with colloquy agents, then send the request again.";
    }
}

/* Back in IDLE because something went wrong: what, what is left of it, what to do. */
static void
report (TaskStep *step, const char *state, ClqFailure class, const char *message)
{
  g_autofree char *preview = clq_view_dup_string (step->view, "result.preview");
  gboolean has_partial = preview != NULL && *preview != '\0';
  g_autofree char *text = g_strdup_printf ("%s failed: %s.%s %s", state, message, has_partial ? " What was done so far is kept." : "", suggest (class));
  JsonBuilder *builder = task_begin (NULL, NULL);
  g_autofree char *json = NULL;

  task_add_string (builder, "state", state);
  task_add_string (builder, "class", clq_failure_to_string (class));
  task_add_string (builder, "message", message);
  task_add_string (builder, "suggestion", suggest (class));
  json = task_end (builder);
  clq_change_set_json (step->change, "error", json);
  clq_change_say (step->change, CLQ_ROLE_SYSTEM, text);
}

static void
task_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  TaskStep step = { self, view, event, change, 0 };
  const GError *error = clq_event_get_error (event);

  if (is_event (&step, "abort"))
    {
      g_autofree char *reason = clq_event_dup_string (event, "reason");

      clq_change_set_reason (change, reason != NULL && *reason != '\0' ? "aborted in %s: %s" : "aborted in %s", from, reason);
      clq_change_say (change, CLQ_ROLE_SYSTEM, clq_event_get_partial (event) != NULL ? "Aborted. What was done so far is kept." : "Aborted.");
    }
  else if (error != NULL && strcmp (to, "IDLE") == 0)
    report (&step, from, clq_failure_of (error), error->message);
  else if (is_event (&step, "timeout") && strcmp (to, "IDLE") == 0)
    report (&step, from, CLQ_FAILURE_RECOVERABLE, "it took too long");
  if (error != NULL)
    clq_change_set_reason (change, "%s", error->message);
  if (strcmp (to, "EXECUTING") == 0)
    clq_change_set_json (change, "execution", "{\"status\":\"in_progress\"}");
}

static char *
task_describe (gpointer self, ClqView *view)
{
  g_autofree char *content = clq_view_dup_string (view, "request.content");
  g_autofree char *clipped = content != NULL ? task_clip (content, TITLE_LENGTH) : NULL;

  return g_strdup_printf ("%s%s%s: %" G_GINT64_FORMAT " requests, %" G_GINT64_FORMAT " approved, %" G_GINT64_FORMAT " rejected", clq_view_get_state (view),
                          clipped != NULL ? ", " : "", clipped != NULL ? clipped : "", clq_view_get_int (view, "stats.requests"),
                          clq_view_get_int (view, "stats.approved"), clq_view_get_int (view, "stats.rejected"));
}

const ClqModalityInfo task_task = {
  CLQ_MODALITY_INFO,
  .name = "task",
  .summary = "Requests that are done with what was learned from earlier ones, and judged by a person",
  .settings = settings,
  .self_size = sizeof (Task),
  .fields = (const char *const[]){ "request", "context", "execution", "result", "review", "clarification", "alternatives", "example", "error", "patterns", "queue", "stats", NULL },
  .actions = (const char *const[]){ "message", "approve", "reject", "modify", "abort", NULL },
  .apply = task_apply,
  .arrive = task_arrive,
  .describe = task_describe,
};
