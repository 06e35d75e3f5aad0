/* What a search has found: entries, put together by the request that they belong to. */
#include "task.h"

#define OUTPUT_LENGTH 1000 /* characters of an earlier result that are shown */
#define MAX_DISCOVERED 5

static void
related_free (gpointer data)
{
  TaskRelated *self = data;

  g_free (self->request_id);
  g_free (self->content);
  g_free (self->type);
  g_free (self->output);
  g_free (self->decision);
  g_free (self->error);
  g_free (self);
}

TaskFindings *
task_findings_new (const char *own_id)
{
  TaskFindings *self = g_new0 (TaskFindings, 1);

  self->related = g_ptr_array_new_with_free_func (related_free);
  self->patterns = g_ptr_array_new_with_free_func (g_free);
  self->own_id = g_strdup (own_id);
  return self;
}

void
task_findings_free (gpointer findings)
{
  TaskFindings *self = findings;

  g_ptr_array_unref (self->related);
  g_ptr_array_unref (self->patterns);
  g_free (self->own_id);
  g_free (self);
}

static TaskRelated *
find_related (TaskFindings *self, const char *request_id)
{
  TaskRelated *related;

  for (guint i = 0; i < self->related->len; i++)
    {
      related = g_ptr_array_index (self->related, i);
      if (strcmp (related->request_id, request_id) == 0)
        return related;
    }
  related = g_new0 (TaskRelated, 1);
  related->request_id = g_strdup (request_id);
  g_ptr_array_add (self->related, related);
  return related;
}

/* Of entries with the same name the one that has seen more counts. */
static void
add_pattern (TaskFindings *self, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  g_autofree char *name = task_dup_member (record, "name");
  ClqJsonSpan seen = clq_json_find (body, (gssize) length, "seen");

  for (guint i = 0; name != NULL && i < self->patterns->len; i++)
    {
      g_autofree char *other = clq_json_find_string (self->patterns->pdata[i], "name");
      ClqJsonSpan other_seen = clq_json_find (self->patterns->pdata[i], -1, "seen");

      if (g_strcmp0 (name, other) != 0)
        continue;
      if (clq_json_span_get_int (&seen) > clq_json_span_get_int (&other_seen))
        {
          g_free (self->patterns->pdata[i]);
          self->patterns->pdata[i] = g_strndup (body, length);
        }
      return;
    }
  if (name != NULL && seen.type == CLQ_JSON_NUMBER)
    g_ptr_array_add (self->patterns, g_strndup (body, length));
}

static void
take_member (char **place, const ClqRecord *record, const char *path)
{
  if (*place == NULL)
    *place = task_dup_member (record, path);
}

/* Whether the entry says what a request is about; the others only follow from it. */
static gboolean
add_entry (TaskRelated *related, const char *type, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);

  if (strcmp (type, "request") == 0)
    {
      take_member (&related->content, record, "content");
      take_member (&related->type, record, "metadata.request_type");
    }
  else if (strcmp (type, "execution_result") == 0)
    {
      ClqJsonSpan success = clq_json_find (body, (gssize) length, "result.success");

      take_member (&related->output, record, "result.output");
      related->success = clq_json_span_is_true (&success);
    }
  else if (strcmp (type, "review_result") == 0)
    take_member (&related->decision, record, "decision");
  else if (strcmp (type, "error") == 0)
    take_member (&related->error, record, "message");
  return strcmp (type, "request") == 0 || strcmp (type, "execution_result") == 0 || strcmp (type, "error") == 0;
}

/* @counts: whether the words that were looked for say how relevant a hit is, or only bring the rest of a request */
void
task_findings_add (TaskFindings *self, const ClqHit *hits, guint n_hits, gboolean counts)
{
  for (guint i = 0; i < n_hits; i++)
    {
      const ClqRecord *record = hits[i].record;
      g_autofree char *type = task_dup_member (record, "type");
      g_autofree char *request_id = task_dup_member (record, "request_id");
      TaskRelated *related;

      if (type == NULL || request_id == NULL)
        continue;
      if (strcmp (type, "pattern") == 0)
        {
          add_pattern (self, record);
          continue;
        }
      if (g_strcmp0 (request_id, self->own_id) == 0)
        continue;
      related = find_related (self, request_id);
      if (add_entry (related, type, record) && counts)
        related->relevance = MAX (related->relevance, hits[i].relevance);
    }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const TaskRelated *one = *(TaskRelated *const *) a, *other = *(TaskRelated *const *) b;

  return one->relevance != other->relevance ? (one->relevance < other->relevance ? 1 : -1) : strcmp (one->request_id, other->request_id);
}

/* The best first, no more than @limit, none that is less relevant than @least. */
void
task_findings_sort (TaskFindings *self, guint limit, double least)
{
  g_ptr_array_sort (self->related, compare);
  for (guint i = 0; i < self->related->len; i++)
    if (i == limit || ((const TaskRelated *) g_ptr_array_index (self->related, i))->relevance < least)
      {
        g_ptr_array_set_size (self->related, (int) i);
        return;
      }
}

/* For the agent that does the work: what was asked, what came of it, what went wrong. */
char *
task_findings_dup_summary (const TaskFindings *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->related->len; i++)
    {
      const TaskRelated *related = g_ptr_array_index (self->related, i);
      g_autofree char *content = task_clip (related->content != NULL ? related->content : "", OUTPUT_LENGTH);
      g_autofree char *output = task_clip (related->output != NULL ? related->output : "", OUTPUT_LENGTH);

      g_string_append_printf (out, "%u. Request (relevance %.2f%s%s): %s\n", i + 1, related->relevance, related->decision != NULL ? ", " : "",
                              related->decision != NULL ? related->decision : "", content);
      if (*output != '\0')
        g_string_append_printf (out, "   %s: %s\n", related->success ? "Result" : "Partial result", output);
      if (related->error != NULL)
        g_string_append_printf (out, "   Pitfall: %s\n", related->error);
    }
  return g_string_free (out, FALSE);
}

/* What this request and at least @significant - 1 others of its type have in common: [{name, seen}, …]. */
char *
task_findings_dup_counts (const TaskFindings *self, const char *type, const char *const *terms, gint64 significant)
{
  GString *out = g_string_new ("[");

  for (guint i = 0, n_found = 0; terms[i] != NULL && n_found < MAX_DISCOVERED; i++)
    {
      gint64 n = 1;

      for (guint j = 0; j < self->related->len; j++)
        {
          const TaskRelated *related = g_ptr_array_index (self->related, j);
          g_autofree char *normal = related->content != NULL ? task_words_normalise (related->content) : NULL;

          n += normal != NULL && g_strcmp0 (related->type, type) == 0 && task_words_have (normal, terms[i]);
        }
      if (n < significant)
        continue;
      g_string_append_printf (out, "%s{\"name\":", n_found++ > 0 ? "," : "");
      {
        g_autofree char *name = g_strconcat (type, ":", terms[i], NULL);

        clq_json_append_string (out, name, -1);
      }
      g_string_append_printf (out, ",\"seen\":%" G_GINT64_FORMAT "}", n);
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}
