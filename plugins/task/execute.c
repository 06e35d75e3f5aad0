/* execute: lets the agent do the work, with what was found. */
#include "task.h"

typedef struct
{
  char *agent;
  char *system_prompt;
  char *prompt;
  GTimeSpan progress_interval;
} Execute;

static const char *const names[] = { "request", "type", "complexity", "context", "patterns", "previous", NULL };

static const ClqSetting settings[] = {
  CLQ_STRING (Execute, agent, "assistant", "who does the work"),
  CLQ_STRING (Execute, system_prompt, "", "what the agent is told before everything else; empty: nothing"),
  CLQ_STRING (Execute, prompt, "{{#if context}}From earlier work:\n{{context}}\n{{/if}}{{#if patterns}}This has worked before: {{patterns}}\n\n{{/if}}{{#if previous}}The result so far:\n{{previous}}\n\n{{/if}}{{request}}", "what it is asked; {{request}}, {{type}}, {{complexity}}, {{context}}, {{patterns}} and {{previous}} are filled in"),
  CLQ_DURATION (Execute, progress_interval, "5s", "how often it is said how far the work is; 0 = never"),
  { NULL },
};

#define MESSAGES 8 /* among which the previous result is looked for */

typedef struct
{
  const Execute *node;
  ClqVisit *visit; /* not a reference */
  GPtrArray *updates;
  gint64 began;
  char *request;
  char *type;
  char *context;
  char *previous;
} Work;

static void
work_free (gpointer data)
{
  Work *self = data;

  g_ptr_array_unref (self->updates);
  g_free (self->request);
  g_free (self->type);
  g_free (self->context);
  g_free (self->previous);
  g_free (self);
}

/* ---- progress ---- */

static void
update (Work *work, double fraction, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
update (Work *work, double fraction, const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (work->updates, text);
  clq_visit_progress (work->visit, fraction, "%s", text);
}

static gint64
get_seconds (ClqVisit *visit, guint n, GTimeSpan interval)
{
  return (gint64) n * interval / G_TIME_SPAN_SECOND;
}

static void
on_interval (ClqVisit *visit, gpointer user_data)
{
  Work *work = user_data;
  const char *said = clq_visit_get_said (visit);
  gint64 expected = clq_view_get_int (clq_visit_get_view (visit), "request.estimated_duration_ms");
  gint64 seconds = get_seconds (visit, ++work->began, work->node->progress_interval);

  update (work, expected > 0 ? MIN (0.95, seconds * 1000.0 / expected) : 0.5, "%ld characters after %" G_GINT64_FORMAT " s",
          said != NULL ? g_utf8_strlen (said, -1) : 0, seconds);
  clq_visit_after (visit, work->node->progress_interval, on_interval, work);
}

/* ---- the result ---- */

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *c = strstr (text, part); c != NULL; c = strstr (c + strlen (part), part))
    n++;
  return n;
}

/* Why the output cannot be the result of this request at all; NULL if it may be. */
static const char *
find_fault (const Work *work, const char *output)
{
  g_autofree char *stripped = g_strstrip (g_strdup (output));

  if (*stripped == '\0')
    return "it is empty";
  if (strcmp (stripped, work->request) == 0)
    return "it only repeats the request";
  if (count (output, "```") % 2 != 0)
    return "a block of code is not closed";
  return NULL;
}

/* What a person should look at; nothing that makes the result useless. */
static void
add_checks (JsonBuilder *builder, const Work *work, const char *output)
{
  gboolean wants_code = g_strcmp0 (work->type, "code") == 0 || g_strcmp0 (work->type, "refactor") == 0;

  json_builder_set_member_name (builder, "checks_failed");
  json_builder_begin_array (builder);
  if (wants_code && strstr (output, "```") == NULL)
    json_builder_add_string_value (builder, "there is no block of code in it");
  json_builder_end_array (builder);
}

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Work *work = user_data;
  const char *output = clq_call_get_text (call), *fault;
  guint64 in = 0, out = 0;
  JsonBuilder *builder;
  g_autofree char *payload = NULL;

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  fault = find_fault (work, output);
  if (fault != NULL)
    {
      clq_visit_reject_call (visit, "execute", fault);
      clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "the result does not fit the request: %s", fault);
      return;
    }
  clq_call_get_usage (call, &in, &out);
  update (work, 1, "%ld characters are complete", g_utf8_strlen (output, -1));
  g_ptr_array_add (work->updates, NULL);
  builder = task_begin (NULL, NULL);
  task_add_int (builder, "tokens_used", (gint64) (in + out));
  task_add_strings (builder, "progress_updates", (const char *const *) work->updates->pdata);
  add_checks (builder, work, output);
  payload = task_end (builder);
  clq_visit_finish_with (visit, "completed", payload);
}

/* ---- the request ---- */

static void
ask (ClqVisit *visit, Work *work)
{
  ClqView *view = clq_visit_get_view (visit);
  g_autofree char *complexity = clq_view_dup_string (view, "request.estimated_complexity");
  ClqJsonSpan list = clq_view_find (view, "context.patterns_applied");
  g_auto (GStrv) applied = task_dup_strings (&list);
  g_autofree char *patterns = g_strjoinv (", ", applied);
  const char *values[] = { work->request, work->type, complexity != NULL ? complexity : "", work->context != NULL ? work->context : "", patterns,
                           work->previous != NULL ? work->previous : "", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = clq_template_expand (work->node->prompt, names, values, &error);
  ClqPrompt *prompt;
  g_autofree char *request = NULL;

  if (text == NULL)
    {
      clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "prompt: %s", error->message);
      return;
    }
  prompt = clq_prompt_new ();
  if (*work->node->system_prompt != '\0')
    clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, work->node->system_prompt);
  clq_prompt_add (prompt, CLQ_ROLE_USER, text);
  request = clq_prompt_finish (prompt);
  update (work, 0, "%s begins, with %" G_GINT64_FORMAT " earlier requests in view", work->node->agent, clq_view_get_int (view, "context.results_count"));
  if (work->node->progress_interval > 0)
    clq_visit_after (visit, work->node->progress_interval, on_interval, work);
  clq_visit_call_agent (visit, "execute", work->node->agent, request, TRUE, on_answer, work);
}

/* The newest first: the context that was found for this request, and the result that is to be modified. */
static void
on_records (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  Work *work = user_data;
  ClqView *view = clq_visit_get_view (visit);
  g_autofree char *id = clq_view_dup_string (view, "request.id");

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = 0; i < n_records; i++)
    {
      gboolean is_context = clq_record_get_record_type (records[i]) == CLQ_RECORD_ARTIFACT;
      g_autofree char *request_id = is_context ? task_dup_member (records[i], "request_id") : NULL;

      if (is_context && work->context == NULL && g_strcmp0 (request_id, id) == 0)
        work->context = task_dup_member (records[i], "context");
      else if (!is_context && work->previous == NULL && clq_record_get_role (records[i]) == CLQ_ROLE_ASSISTANT && clq_view_has (view, "request.modifies"))
        work->previous = task_dup_member (records[i], "text");
    }
  ask (visit, work);
}

static void
execute_enter (gpointer self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  Work *work = g_new0 (Work, 1);

  work->node = self;
  work->visit = visit;
  work->updates = g_ptr_array_new_with_free_func (g_free);
  work->request = clq_view_dup_string (view, "request.content");
  work->type = clq_view_dup_string (view, "request.request_type");
  if (work->request == NULL)
    work->request = g_strdup ("");
  if (work->type == NULL)
    work->type = g_strdup ("query");
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "task-execute", work, work_free);
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_ARTIFACT | 1u << CLQ_RECORD_MESSAGE, 0, MESSAGES, on_records, work);
}

static gboolean
execute_init (gpointer self, GError **error)
{
  return clq_template_check (((Execute *) self)->prompt, names, error);
}

const ClqNodeInfo task_execute = {
  CLQ_NODE_INFO,
  .name = "execute",
  .summary = "Lets the agent do the work, with what was found, and looks whether the result can be one",
  .outcomes = CLQ_OUTCOMES ("completed"),
  .settings = settings,
  .self_size = sizeof (Execute),
  .init = execute_init,
  .enter = execute_enter,
};
