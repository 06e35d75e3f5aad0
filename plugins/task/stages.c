/* The records of the stages, with the members that each stage has, and what the data say of them. */
#include "task.h"

static gint64
get_elapsed_ms (TaskStep *step)
{
  return (clq_view_get_now (step->view) - clq_view_get_entered_at (step->view)) / 1000;
}

static void
keep (TaskStep *step, JsonBuilder *builder)
{
  g_autofree char *entry = task_end (builder);

  task_queue_add (step, entry);
}

/* As a UUID of version 5: the same for the same request, whoever asks. */
char *
task_dup_request_id (ClqView *view, gint64 number)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  g_autofree char *name = g_strdup_printf ("%s/request/%" G_GINT64_FORMAT, clq_view_get_id (view), number);
  char text[CLQ_ID_LENGTH + 1];
  gsize length = 20;
  guint8 digest[20];

  g_checksum_update (checksum, (const guchar *) name, -1);
  g_checksum_get_digest (checksum, digest, &length);
  digest[6] = (digest[6] & 0x0f) | 0x50;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  clq_id_print (digest, text);
  return g_strdup (text);
}

/* ---- REQUEST_RECEIVED ---- */

void
task_note_request (TaskStep *step)
{
  static const char *const names[] = { "request_type", "estimated_complexity", "estimated_duration_ms", "terms" };
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  g_autofree char *content = clq_view_dup_string (step->view, "request.content");
  g_autofree char *timestamp = clq_view_dup_string (step->view, "request.timestamp");
  ClqJsonSpan complexity = task_find_payload (step, "estimated_complexity"), type = task_find_payload (step, "request_type");
  JsonBuilder *entry = task_begin ("request", id);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      ClqJsonSpan value = task_find_payload (step, names[i]);
      g_autofree char *path = g_strconcat ("request.", names[i], NULL);
      g_autofree char *json = value.type != CLQ_JSON_NONE ? g_strndup (value.start, value.length) : NULL;

      if (json != NULL)
        clq_change_set_json (step->change, path, json);
    }
  task_add_string (entry, "content", content);
  json_builder_set_member_name (entry, "metadata");
  json_builder_begin_object (entry);
  task_add_json (entry, "estimated_complexity", &complexity, "\"simple\"");
  task_add_json (entry, "request_type", &type, "\"query\"");
  task_add_string (entry, "timestamp", timestamp);
  json_builder_end_object (entry);
  keep (step, entry);
}

/* ---- CONTEXT_SEARCH ---- */

static guint
count_items (const ClqJsonSpan *list)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;
  guint n = 0;

  if (list->type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, list))
    while (clq_json_iter_next (&iter, &key, &value))
      n++;
  return n;
}

/* Also if nothing was found because nothing could be searched: then the event has no payload. */
void
task_note_search (TaskStep *step)
{
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  ClqJsonSpan queries = task_find_payload (step, "queries"), scores = task_find_payload (step, "relevance_scores");
  ClqJsonSpan links = task_find_payload (step, "links"), applied = task_find_payload (step, "patterns_applied"), first = task_find_payload (step, "relevance_scores.0");
  JsonBuilder *entry = task_begin ("context_search", id), *data = task_begin (NULL, NULL);
  g_autofree char *json = NULL;

  task_add_json (entry, "queries", &queries, "[]");
  task_add_int (entry, "results_count", count_items (&scores));
  task_add_json (entry, "relevance_scores", &scores, "[]");
  task_add_int (entry, "search_duration_ms", get_elapsed_ms (step));
  keep (step, entry);
  task_add_int (data, "results_count", count_items (&scores));
  task_add_double (data, "relevance", first.type == CLQ_JSON_NUMBER ? clq_json_span_get_double (&first) : 0);
  task_add_json (data, "links", &links, "[]");
  task_add_json (data, "patterns_applied", &applied, "[]");
  json = task_end (data);
  clq_change_set_json (step->change, "context", json);
}

/* ---- EXECUTING ---- */

/* How much to trust a result: what was checked, what it is built on, what is known of such requests. */
static double
estimate_confidence (TaskStep *step, gboolean success)
{
  ClqJsonSpan failed = task_find_payload (step, "checks_failed"), applied = clq_view_find (step->view, "context.patterns_applied");
  double confidence = success ? 0.6 : 0.2;

  confidence += 0.25 * clq_view_get_double (step->view, "context.relevance");
  confidence += success && count_items (&applied) > 0 ? 0.15 : 0;
  confidence -= 0.15 * count_items (&failed);
  return CLAMP (confidence, 0.05, 1);
}

static void
set_result (TaskStep *step, const char *output, gboolean success, gint64 ms)
{
  g_autofree char *preview = task_clip (output, TASK_PREVIEW);
  ClqJsonSpan failed = task_find_payload (step, "checks_failed"), tokens = task_find_payload (step, "tokens_used");
  JsonBuilder *result = task_begin (NULL, NULL), *execution = task_begin (NULL, NULL);
  g_autofree char *result_json = NULL, *execution_json = NULL;

  task_add_bool (result, "success", success);
  task_add_bool (result, "partial", !success);
  task_add_string (result, "preview", preview);
  task_add_double (result, "confidence", estimate_confidence (step, success));
  task_add_json (result, "checks_failed", &failed, "[]");
  result_json = task_end (result);
  clq_change_set_json (step->change, "result", result_json);
  task_add_string (execution, "status", success ? "completed" : "failed");
  task_add_int (execution, "duration_ms", ms);
  task_add_json (execution, "tokens_used", &tokens, "0");
  execution_json = task_end (execution);
  clq_change_set_json (step->change, "execution", execution_json);
}

static void
keep_result (TaskStep *step, const char *id, const char *output, gboolean success, gint64 ms)
{
  ClqJsonSpan tokens = task_find_payload (step, "tokens_used"), links = clq_view_find (step->view, "context.links");
  JsonBuilder *entry = task_begin ("execution_result", id);

  json_builder_set_member_name (entry, "result");
  json_builder_begin_object (entry);
  task_add_string (entry, "output", output);
  task_add_bool (entry, "success", success);
  task_add_strings (entry, "patterns_discovered", NULL);
  json_builder_set_member_name (entry, "metrics");
  json_builder_begin_object (entry);
  task_add_json (entry, "tokens_used", &tokens, "0");
  task_add_int (entry, "execution_time_ms", ms);
  task_add_double (entry, "context_relevance", clq_view_get_double (step->view, "context.relevance"));
  json_builder_end_object (entry);
  json_builder_end_object (entry);
  task_add_string (entry, "storage_status", "failed");
  task_add_json (entry, "context_links", &links, "[]");
  keep (step, entry);
}

/* Work that was stopped cannot say any more how far it was; what it has said tells. */
static void
add_updates (JsonBuilder *entry, TaskStep *step, const char *output, gint64 ms)
{
  ClqJsonSpan updates = task_find_payload (step, "progress_updates");
  g_autofree char *last = g_strdup_printf ("stopped with %ld characters after %" G_GINT64_FORMAT " s", g_utf8_strlen (output, -1), ms / 1000);

  if (updates.type == CLQ_JSON_ARRAY)
    task_add_json (entry, "progress_updates", &updates, "[]");
  else
    task_add_strings (entry, "progress_updates", (const char *const[]){ last, NULL });
}

/*
 * The work has ended, well or not. What it has said before it was stopped is kept like a result, but not as one that
 * succeeded.
 */
void
task_note_execution (TaskStep *step)
{
  gboolean success = clq_event_get_kind (step->event) == CLQ_EVENT_OUTCOME && clq_event_get_error (step->event) == NULL;
  const char *text = success ? clq_event_get_text (step->event) : clq_event_get_partial (step->event);
  const char *output = text != NULL ? text : "";
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  g_autofree char *preview = task_clip (output, TASK_PREVIEW);
  ClqJsonSpan applied = clq_view_find (step->view, "context.patterns_applied");
  gint64 ms = get_elapsed_ms (step);
  JsonBuilder *entry = task_begin ("execution", id);

  task_add_string (entry, "status", success ? "completed" : "failed");
  add_updates (entry, step, output, ms);
  task_add_json (entry, "patterns_applied", &applied, "[]");
  task_add_int (entry, "execution_duration_ms", ms);
  task_add_string (entry, "result_preview", preview);
  keep (step, entry);
  set_result (step, output, success, ms);
  if (success || *output != '\0' || clq_event_get_kind (step->event) == CLQ_EVENT_TIMER)
    keep_result (step, id, output, success, ms);
  if (!success && *output != '\0')
    clq_change_say (step->change, CLQ_ROLE_ASSISTANT, output);
}

/* ---- HUMAN_REVIEW ---- */

void
task_note_review (TaskStep *step, const char *decision, const char *feedback)
{
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  gboolean is_modification = strcmp (decision, "modify") == 0;
  JsonBuilder *entry = task_begin ("review_result", id);

  task_add_string (entry, "decision", decision);
  task_add_string (entry, "feedback", feedback);
  task_add_int (entry, "review_duration_ms", get_elapsed_ms (step));
  task_add_strings (entry, "modifications_requested", is_modification ? (const char *const[]){ feedback, NULL } : NULL);
  keep (step, entry);
}

/* ---- what went wrong ---- */

void
task_note_abort (TaskStep *step, const char *reason)
{
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  JsonBuilder *entry = task_begin ("abort", id);

  task_add_string (entry, "state", clq_view_get_state (step->view));
  task_add_string (entry, "reason", reason);
  task_add_string (entry, "partial_result", clq_event_get_partial (step->event));
  task_add_strings (entry, "tags", (const char *const[]){ "abort", NULL });
  keep (step, entry);
}

/* Those who do something like it later find it as a pitfall. */
void
task_note_error (TaskStep *step, const char *class, const char *message)
{
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  g_autofree char *content = clq_view_dup_string (step->view, "request.content");
  JsonBuilder *entry = task_begin ("error", id);

  task_add_string (entry, "state", clq_view_get_state (step->view));
  task_add_string (entry, "class", class);
  task_add_string (entry, "message", message);
  task_add_string (entry, "content", content);
  task_add_string (entry, "partial_result", clq_event_get_partial (step->event));
  task_add_strings (entry, "tags", (const char *const[]){ "error", class, NULL });
  keep (step, entry);
}
