/* update: stores what waits, and looks for what this request has in common with others. */
#include "task.h"

#define CANDIDATES 50

typedef struct
{
  char *agent;
  char *prompt;
} Update;

static const ClqSetting settings[] = {
  CLQ_STRING (Update, agent, "analyst", "who names patterns; without such an agent common words do"),
  CLQ_STRING (Update, prompt, "Which recurring pattern does this request show? Answer with a JSON list of at most 3 names of one or two words.", "what the agent is told"),
  { NULL },
};

typedef struct
{
  const Update *node;
  TaskFindings *findings;
  char *id;
  char *content;
  char *type;
  char **terms;
  GString *discovered; /* JSON: [{name, seen}, …] */
  GPtrArray *names;
} Work;

static void
work_free (gpointer data)
{
  Work *self = data;

  task_findings_free (self->findings);
  g_free (self->id);
  g_free (self->content);
  g_free (self->type);
  g_strfreev (self->terms);
  if (self->discovered != NULL)
    g_string_free (self->discovered, TRUE);
  g_ptr_array_unref (self->names);
  g_free (self);
}

static void
on_drained (ClqVisit *visit, gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *payload = g_strconcat ("{\"discovered\":", work->discovered->str, "}", NULL);

  clq_visit_finish_with (visit, "stored", payload);
}

static void
store (ClqVisit *visit, Work *work)
{
  ClqJsonSpan list = clq_json_span (work->discovered->str, -1), key, value;
  ClqJsonIter iter;
  g_autofree char *names = NULL;

  if (clq_json_iter_init (&iter, &list))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        ClqJsonSpan name = clq_json_find (value.start, (gssize) value.length, "name");

        g_ptr_array_add (work->names, clq_json_span_dup_string (&name));
      }
  g_ptr_array_add (work->names, NULL);
  names = task_print_strings ((const char *const *) work->names->pdata);
  task_queue_drain (visit, work->id, names, on_drained, work);
}

/* A name that the agent gives is seen once more; whether that is enough is seen later. */
static void
add_name (Work *work, const char *text)
{
  g_autofree char *words = g_strstrip (task_words_normalise (text));
  g_autofree char *name = g_strconcat (work->type, ":", words, NULL);
  g_autofree char *quoted = clq_json_quote (name);

  if (*words == '\0' || strstr (work->discovered->str, quoted) != NULL)
    return;
  g_string_truncate (work->discovered, work->discovered->len - 1);
  g_string_append_printf (work->discovered, "%s{\"name\":%s,\"seen\":1}]", work->discovered->len > 1 ? "," : "", quoted);
}

/* Whatever goes wrong here costs no result. */
static void
on_names (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Work *work = user_data;
  const GError *error = clq_call_get_error (call);
  g_autofree char *json = error == NULL ? clq_json_extract (clq_call_get_text (call), CLQ_JSON_ARRAY) : NULL;
  ClqJsonSpan list = json != NULL ? clq_json_span (json, -1) : (ClqJsonSpan){ 0 };
  g_auto (GStrv) names = task_dup_strings (&list);

  if (error != NULL && clq_failure_of (error) == CLQ_FAILURE_CRITICAL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  if (error != NULL)
    clq_change_warn (clq_visit_get_change (visit), "no patterns were named: %s", error->message);
  for (guint i = 0; names[i] != NULL && i < 3; i++)
    add_name (work, names[i]);
  store (visit, work);
}

static void
on_hits (ClqVisit *visit, const ClqHit *hits, guint n_hits, const GError *error, gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *counts = NULL;

  if (error != NULL)
    {
      clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "the context manager is not available: %s", error->message);
      return;
    }
  task_findings_add (work->findings, hits, n_hits, TRUE);
  counts = task_findings_dup_counts (work->findings, work->type, (const char *const *) work->terms,
                                     task_patterns_get_significant (clq_visit_get_view (visit)));
  work->discovered = g_string_new (counts);
  if (!task_ask (visit, "patterns", work->node->agent, work->node->prompt, work->content, on_names, work))
    store (visit, work);
}

static void
update_enter (gpointer self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  ClqJsonSpan list = clq_view_find (view, "request.terms");
  Work *work = g_new0 (Work, 1);
  g_autofree char *query = NULL;

  work->node = self;
  work->id = clq_view_dup_string (view, "request.id");
  work->content = clq_view_dup_string (view, "request.content");
  work->type = clq_view_dup_string (view, "request.request_type");
  if (work->content == NULL)
    work->content = g_strdup ("");
  if (work->type == NULL)
    work->type = g_strdup ("query");
  work->terms = task_dup_strings (&list);
  work->findings = task_findings_new (work->id);
  work->names = g_ptr_array_new_with_free_func (g_free);
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "task-update", work, work_free);
  query = g_strjoinv (" ", work->terms);
  clq_visit_search (visit, query, CANDIDATES, on_hits, work);
}

const ClqNodeInfo task_update = {
  CLQ_NODE_INFO,
  .name = "update",
  .summary = "Stores the result, and looks for what the request has in common with others",
  .outcomes = CLQ_OUTCOMES ("stored"),
  .settings = settings,
  .self_size = sizeof (Update),
  .enter = update_enter,
};
