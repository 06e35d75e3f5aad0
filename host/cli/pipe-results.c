#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <string.h>

/* ---- reading ---- */

typedef struct
{
  GPtrArray *records;
  GError *error;
} Page;

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  Page *page = user_data;

  for (guint i = 0; i < records->len; i++)
    g_ptr_array_add (page->records, clq_record_ref (g_ptr_array_index (records, i)));
  if (error != NULL)
    page->error = g_error_copy (error);
}

static GPtrArray *
read_records (Pipe *self, guint types, GError **error)
{
  Page page = { g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref), NULL };

  clq_host_read_journal (self->host, self->id, types, 0, 0, on_records, &page);
  clq_host_settle (self->host);
  if (page.error == NULL)
    return page.records;
  g_ptr_array_unref (page.records);
  g_propagate_error (error, page.error);
  return NULL;
}

typedef gboolean (*AppendFunc) (GString *out, const ClqRecord *record);

/* A list of what @append makes of the records; it says FALSE for those that do not belong there. */
static char *
dup_list (Pipe *self, guint types, AppendFunc append, GError **error)
{
  g_autoptr (GPtrArray) records = read_records (self, types, error);
  GString *out;

  if (records == NULL)
    return NULL;
  out = g_string_new ("[");
  for (guint i = 0; i < records->len; i++)
    {
      gsize start = out->len;

      if (start > 1)
        g_string_append_c (out, ',');
      if (!append (out, g_ptr_array_index (records, i)))
        g_string_truncate (out, start);
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

static char *
dup_member (const ClqRecord *record, const char *name)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

static gint64
get_number (const ClqRecord *record, const char *name)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, length, name);

  return span.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&span) : 0;
}

/* ---- history ---- */

static gboolean
append_history (GString *out, const ClqRecord *record)
{
  g_autofree char *from = dup_member (record, "from");
  g_autofree char *event = dup_member (record, "event");
  g_autofree char *to = dup_member (record, "to");
  g_autofree char *reason = dup_member (record, "reason");
  g_autofree char *actor = dup_member (record, "actor");
  g_autofree char *error = dup_member (record, "error");
  gsize length;
  const char *body = clq_record_get_body (record, &length);

  if (to == NULL)
    return FALSE;
  pipe_append_transition (out, &(ClqNews){
                                   .seq = clq_record_get_seq (record),
                                   .from = from,
                                   .event = event,
                                   .to = to,
                                   .reason = reason,
                                   .milestone = clq_json_find (body, length, "milestone").type == CLQ_JSON_BOOL,
                                   .at = clq_record_get_at (record),
                                   .ms = get_number (record, "ms"),
                                   .actor = actor,
                                   .error = error,
                               });
  return TRUE;
}

char *
pipe_dup_history (Pipe *self, GError **error)
{
  return dup_list (self, 1u << CLQ_RECORD_EVENT, append_history, error);
}

/* ---- journal and calls ---- */

static gboolean
append_record (GString *out, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqRole role = clq_record_get_role (record);

  g_string_append_c (out, '{');
  cli_json_number (out, "seq", clq_record_get_seq (record));
  cli_json_number (out, "segment", clq_record_get_segment (record));
  cli_json_string (out, "type", clq_record_type_to_string (clq_record_get_record_type (record)));
  cli_json_string (out, "role", role != CLQ_ROLE_NONE ? clq_role_to_string (role) : NULL);
  cli_json_time (out, "at", clq_record_get_at (record));
  cli_json_member (out, "body");
  g_string_append_len (out, body, length);
  g_string_append_c (out, '}');
  return TRUE;
}

char *
pipe_dup_journal (Pipe *self, GError **error)
{
  return dup_list (self, 0, append_record, error);
}

static gboolean
append_call (GString *out, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);

  g_string_append_c (out, '{');
  cli_json_number (out, "seq", clq_record_get_seq (record));
  cli_json_time (out, "at", clq_record_get_at (record));
  g_string_append_c (out, ',');
  g_string_append_len (out, body + 1, length - 1);
  return TRUE;
}

char *
pipe_dup_calls (Pipe *self, GError **error)
{
  return dup_list (self, 1u << CLQ_RECORD_CALL, append_call, error);
}

/* ---- metrics ---- */

typedef struct
{
  guint64 n;
  gint64 total;
  gint64 longest;
} Stay;

static void
append_states (GString *out, const ClqGraph *graph, const Stay *stays)
{
  cli_json_member (out, "states");
  g_string_append_c (out, '{');
  for (guint i = 0; i < graph->n_states; i++)
    {
      if (stays[i].n == 0)
        continue;
      cli_json_member (out, graph->states[i].name);
      g_string_append_c (out, '{');
      cli_json_number (out, "count", stays[i].n);
      cli_json_number (out, "ms", stays[i].total / (gint64) stays[i].n);
      cli_json_number (out, "maxMs", stays[i].longest);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, '}');
}

/* Whether the condition of the metric held when the event was taken. */
static gboolean
was_counted (const ClqRecord *record, const char *name)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan list = clq_json_find (body, length, "counts"), key, value;
  ClqJsonIter iter;

  if (list.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &list))
    while (clq_json_iter_next (&iter, &key, &value))
      if (clq_json_span_string_equal (&value, name))
        return TRUE;
  return FALSE;
}

/* Over the newest `window` of what a metric is measured against. */
static void
append_metric (GString *out, const ClqMetric *metric, GPtrArray *records)
{
  guint64 n = 0, all = 0;

  for (guint i = records->len; i > 0 && (metric->per == NULL || all < metric->window); i--)
    {
      g_autofree char *from = dup_member (g_ptr_array_index (records, i - 1), "from");
      g_autofree char *event = dup_member (g_ptr_array_index (records, i - 1), "event");

      if (from == NULL)
        continue;
      all += metric->per != NULL && clq_metric_matches (metric->per, from, event);
      n += clq_metric_matches (metric->of, from, event) && (metric->when == NULL || was_counted (g_ptr_array_index (records, i - 1), metric->name));
    }
  cli_json_member (out, metric->name);
  g_string_append_c (out, '{');
  cli_json_number (out, "count", n);
  if (metric->per != NULL)
    {
      cli_json_number (out, "of", all);
      cli_json_member (out, "rate");
      if (all > 0)
        clq_json_append_double (out, (double) n / all);
      else
        g_string_append (out, "null");
    }
  g_string_append_c (out, '}');
}

char *
pipe_dup_metrics (Pipe *self, GError **error)
{
  g_autoptr (GPtrArray) records = read_records (self, 1u << CLQ_RECORD_EVENT, error);
  g_autofree Stay *stays = g_new0 (Stay, self->graph->n_states);
  GString *out;

  if (records == NULL)
    return NULL;
  for (guint i = 0; i < records->len; i++)
    {
      g_autofree char *from = dup_member (g_ptr_array_index (records, i), "from");
      int state = from != NULL ? clq_graph_find_state (self->graph, from) : -1;
      gint64 ms = get_number (g_ptr_array_index (records, i), "ms");

      if (state < 0)
        continue;
      stays[state].n++;
      stays[state].total += ms;
      stays[state].longest = MAX (stays[state].longest, ms);
    }
  out = g_string_new ("{");
  append_states (out, self->graph, stays);
  cli_json_member (out, "metrics");
  g_string_append_c (out, '{');
  for (guint i = 0; i < self->graph->metrics->len; i++)
    append_metric (out, g_ptr_array_index (self->graph->metrics, i), records);
  g_string_append (out, "}}");
  return g_string_free (out, FALSE);
}
