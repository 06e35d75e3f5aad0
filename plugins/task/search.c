/* search: looks for earlier requests like this one, for what came of them, and for patterns. */
#include "task.h"

#define CANDIDATES 50 /* entries per query */
#define MAX_QUERIES 4

typedef struct
{
  char *agent;
  char *prompt;
  gint64 results;
  double least_relevance;
} Search;

static const ClqSetting settings[] = {
  CLQ_STRING (Search, agent, "analyst", "who says what to look for; without such an agent the words of the request do"),
  CLQ_STRING (Search, prompt, "What should be looked for in the notes on earlier work before this request is done? Answer with a JSON list of at most 3 short queries.", "what the agent is told"),
  CLQ_INT (Search, results, 5, 1, 20, "how many earlier requests are used at most"),
  CLQ_DOUBLE (Search, least_relevance, 0.05, 0, 1, "how relevant they must be"),
  { NULL },
};

typedef struct
{
  const Search *node;
  TaskFindings *findings;
  GPtrArray *queries;
  guint next;
  gboolean is_complete; /* what was found by its words; the rest of these requests is looked for */
} Work;

static void
work_free (gpointer data)
{
  Work *self = data;

  task_findings_free (self->findings);
  g_ptr_array_unref (self->queries);
  g_free (self);
}

static void look (ClqVisit *visit, Work *work);

/* ---- the end ---- */

static char *
dup_known (const Work *work)
{
  GString *list = g_string_new ("[");

  for (guint i = 0; i < work->findings->patterns->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "," : "", (const char *) work->findings->patterns->pdata[i]);
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

static char *
dup_payload (ClqVisit *visit, const Work *work)
{
  ClqView *view = clq_visit_get_view (visit);
  g_autofree char *content = clq_view_dup_string (view, "request.content");
  g_autofree char *type = clq_view_dup_string (view, "request.request_type");
  g_autofree char *normal = task_words_normalise (content != NULL ? content : "");
  g_autofree char *known = dup_known (work);
  g_autofree char *applied = task_patterns_dup_applied (view, known, type != NULL ? type : "query", normal);
  JsonBuilder *builder = task_begin (NULL, NULL);

  json_builder_set_member_name (builder, "queries");
  json_builder_begin_array (builder);
  for (guint i = 0; i < work->queries->len; i++)
    json_builder_add_string_value (builder, work->queries->pdata[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "relevance_scores");
  json_builder_begin_array (builder);
  for (guint i = 0; i < work->findings->related->len; i++)
    json_builder_add_double_value (builder, floor (((const TaskRelated *) work->findings->related->pdata[i])->relevance * 100 + 0.5) / 100);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "links");
  json_builder_begin_array (builder);
  for (guint i = 0; i < work->findings->related->len; i++)
    json_builder_add_string_value (builder, ((const TaskRelated *) work->findings->related->pdata[i])->request_id);
  json_builder_end_array (builder);
  task_add_json (builder, "known", NULL, known);
  task_add_json (builder, "patterns_applied", NULL, applied);
  return task_end (builder);
}

static void
on_drained (ClqVisit *visit, gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *id = clq_view_dup_string (clq_visit_get_view (visit), "request.id");
  g_autofree char *payload = dup_payload (visit, work);

  if (work->findings->related->len > 0)
    {
      g_autofree char *summary = task_findings_dup_summary (work->findings);
      JsonBuilder *builder = task_begin (NULL, id);
      g_autofree char *body = NULL;

      task_add_string (builder, "context", summary);
      body = task_end (builder);
      clq_change_append (clq_visit_get_change (visit), CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, body);
    }
  clq_visit_finish_with (visit, "found", payload);
}

/* ---- searching ---- */

static void
on_hits (ClqVisit *visit, const ClqHit *hits, guint n_hits, const GError *error, gpointer user_data)
{
  Work *work = user_data;

  if (error != NULL)
    {
      clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "the context manager is not available: %s", error->message);
      return;
    }
  task_findings_add (work->findings, hits, n_hits, !work->is_complete);
  look (visit, work);
}

/* The ids of the requests that were found are words like any other: they find what belongs to them. */
static void
add_ids (Work *work)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < work->findings->related->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", ((const TaskRelated *) work->findings->related->pdata[i])->request_id);
  g_ptr_array_add (work->queries, g_string_free (ids, FALSE));
}

static void
look (ClqVisit *visit, Work *work)
{
  if (work->next == work->queries->len && !work->is_complete)
    {
      task_findings_sort (work->findings, (guint) work->node->results, work->node->least_relevance);
      work->is_complete = TRUE;
      if (work->findings->related->len > 0)
        add_ids (work);
    }
  if (work->next < work->queries->len)
    {
      clq_visit_search (visit, work->queries->pdata[work->next++], CANDIDATES, on_hits, work);
      return;
    }
  task_findings_sort (work->findings, (guint) work->node->results, work->node->least_relevance);
  task_queue_drain (visit, NULL, NULL, on_drained, work);
}

/* The agent's queries come after the words of the request. */
static void
on_queries (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Work *work = user_data;
  const GError *error = clq_call_get_error (call);
  g_autofree char *json = error == NULL ? clq_json_extract (clq_call_get_text (call), CLQ_JSON_ARRAY) : NULL;
  ClqJsonSpan list = json != NULL ? clq_json_span (json, -1) : (ClqJsonSpan){ 0 };
  g_auto (GStrv) queries = task_dup_strings (&list);

  if (error != NULL && clq_failure_of (error) != CLQ_FAILURE_RECOVERABLE)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = 0; queries[i] != NULL && work->queries->len < MAX_QUERIES; i++)
    g_ptr_array_add (work->queries, g_strdup (queries[i]));
  look (visit, work);
}

static void
search_enter (gpointer self, ClqVisit *visit)
{
  const Search *node = self;
  ClqView *view = clq_visit_get_view (visit);
  ClqJsonSpan list = clq_view_find (view, "request.terms");
  g_auto (GStrv) terms = task_dup_strings (&list);
  g_autofree char *id = clq_view_dup_string (view, "request.id");
  g_autofree char *content = clq_view_dup_string (view, "request.content");
  Work *work = g_new0 (Work, 1);

  work->node = node;
  work->findings = task_findings_new (id);
  work->queries = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "task-search", work, work_free);
  g_ptr_array_add (work->queries, terms[0] != NULL ? g_strjoinv (" ", terms) : g_strdup (content != NULL ? content : ""));
  if (!task_ask (visit, "queries", node->agent, node->prompt, content != NULL ? content : "", on_queries, work))
    look (visit, work);
}

const ClqNodeInfo task_search = {
  CLQ_NODE_INFO,
  .name = "search",
  .summary = "Looks for earlier requests like this one, what came of them, and patterns",
  .outcomes = CLQ_OUTCOMES ("found"),
  .settings = settings,
  .self_size = sizeof (Search),
  .enter = search_enter,
};
