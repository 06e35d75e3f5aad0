/* review: shows the result to a person. */
#include "task.h"

#define MESSAGES 4 /* among which the result is */
#define MAX_PARTS 5
#define PART_LENGTH 60

static char *
dup_part (const char *line)
{
  g_autofree char *start = task_clip (line, PART_LENGTH);

  return g_strconcat (start, strlen (start) < strlen (line) ? "…" : NULL, NULL);
}

/* Headings, and the first line of each block of code: where to look first. */
static char *
dup_parts (const char *output)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  gboolean is_code = FALSE;

  for (guint i = 0; lines[i] != NULL && parts->len < MAX_PARTS; i++)
    {
      const char *line = g_strstrip (lines[i]);
      gboolean is_fence = g_str_has_prefix (line, "```");

      if (is_fence)
        is_code = !is_code;
      if (is_fence && is_code && lines[i + 1] != NULL)
        g_ptr_array_add (parts, dup_part (g_strstrip (lines[i + 1])));
      else if (!is_code && *line == '#')
        g_ptr_array_add (parts, dup_part (line + strspn (line, "# ")));
    }
  g_ptr_array_add (parts, NULL);
  return task_print_strings ((const char *const *) parts->pdata);
}

static char *
dup_card (ClqView *view, const char *parts)
{
  GString *card = g_string_new (NULL);
  ClqJsonSpan checks = clq_view_find (view, "result.checks_failed"), list = clq_json_span (parts, -1);
  g_auto (GStrv) failed = task_dup_strings (&checks);
  g_auto (GStrv) names = task_dup_strings (&list);
  g_autofree char *stored = clq_view_dup_string (view, "result.storage_status");
  gboolean is_partial = clq_view_get_bool (view, "result.partial");

  g_string_append_printf (card, "%s Confidence %.0f %%; earlier requests used: %" G_GINT64_FORMAT ".", is_partial ? "This is a partial result." : "The result is there.",
                          clq_view_get_double (view, "result.confidence") * 100, clq_view_get_int (view, "context.results_count"));
  for (guint i = 0; failed[i] != NULL; i++)
    g_string_append_printf (card, " Look closely: %s.", failed[i]);
  if (g_strcmp0 (stored, "success") != 0)
    g_string_append (card, " It waits to be stored.");
  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (card, "%s\n• %s", i == 0 ? "\nKey parts:" : "", names[i]);
  g_string_append (card, "\nDecide with approve, reject or modify TEXT.");
  return g_string_free (card, FALSE);
}

static void
on_messages (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  ClqView *view = clq_visit_get_view (visit);
  ClqChange *change = clq_visit_get_change (visit);
  g_autofree char *output = NULL, *parts = NULL, *card = NULL, *review = NULL;
  JsonBuilder *builder = task_begin (NULL, NULL);

  for (guint i = 0; i < n_records && output == NULL; i++)
    if (clq_record_get_role (records[i]) == CLQ_ROLE_ASSISTANT)
      output = task_dup_member (records[i], "text");
  parts = dup_parts (output != NULL ? output : "");
  card = dup_card (view, parts);
  task_add_double (builder, "confidence", clq_view_get_double (view, "result.confidence"));
  task_add_json (builder, "key_parts", NULL, parts);
  review = task_end (builder);
  clq_change_set_json (change, "review", review);
  clq_change_say (change, CLQ_ROLE_SYSTEM, card);
  clq_visit_finish (visit, "presented");
}

static void
review_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE, 0, MESSAGES, on_messages, NULL);
}

const ClqNodeInfo task_review = {
  CLQ_NODE_INFO,
  .name = "review",
  .summary = "Shows the result, how far it can be trusted, and what to look at first",
  .outcomes = CLQ_OUTCOMES ("presented"),
  .enter = review_enter,
};
