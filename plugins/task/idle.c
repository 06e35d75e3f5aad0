/* idle: stores what still waits; after a while without a request also looks for patterns. */
#include "task.h"

#define ENTRIES 200 /* that an analysis looks at */
#define MAX_DISCOVERED 16

typedef struct
{
  char **stop_words;
} Idle;

static const ClqSetting settings[] = {
  CLQ_LIST (Idle, stop_words, TASK_STOP_WORDS, "words in which no pattern is seen"),
  { NULL },
};

static gboolean
is_analysis (ClqVisit *visit)
{
  return clq_event_get_kind (clq_visit_get_event (visit)) == CLQ_EVENT_TIMER && strcmp (clq_event_get_name (clq_visit_get_event (visit)), "timeout") == 0;
}

/* ---- the analysis ---- */

static void
count_terms (const Idle *self, const ClqRecord *record, GHashTable *counts)
{
  g_autofree char *type = task_dup_member (record, "entry.type");
  g_autofree char *content = task_dup_member (record, "entry.content");
  g_autofree char *request_type = task_dup_member (record, "entry.metadata.request_type");
  g_auto (GStrv) terms = NULL;

  if (g_strcmp0 (type, "request") != 0 || content == NULL || request_type == NULL)
    return;
  terms = task_words_dup_terms (content, (const char *const *) self->stop_words, TASK_MAX_TERMS);
  for (guint i = 0; terms[i] != NULL; i++)
    {
      char *name = g_strconcat (request_type, ":", terms[i], NULL);

      g_hash_table_insert (counts, name, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) + 1));
    }
}

/* What is seen often enough, by name. */
static char *
dup_payload (GHashTable *counts, gint64 significant)
{
  GString *out = g_string_new ("{\"discovered\":[");
  GList *names = g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc) strcmp);
  guint n = 0;

  for (GList *l = names; l != NULL && n < MAX_DISCOVERED; l = l->next)
    {
      guint seen = GPOINTER_TO_UINT (g_hash_table_lookup (counts, l->data));

      if (seen < significant)
        continue;
      g_string_append (out, n++ > 0 ? ",{\"name\":" : "{\"name\":");
      clq_json_append_string (out, l->data, -1);
      g_string_append_printf (out, ",\"seen\":%u}", seen);
    }
  g_list_free (names);
  g_string_append (out, "]}");
  return g_string_free (out, FALSE);
}

static void
on_entries (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *payload = NULL;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = 0; i < n_records; i++)
    count_terms (user_data, records[i], counts);
  payload = dup_payload (counts, task_patterns_get_significant (clq_visit_get_view (visit)));
  clq_visit_finish_with (visit, "analysed", payload);
}

/* ---- storing ---- */

static void
on_drained (ClqVisit *visit, gpointer user_data)
{
  if (is_analysis (visit))
    clq_visit_read_journal (visit, 1u << CLQ_RECORD_CONTRIBUTION, 0, ENTRIES, on_entries, user_data);
  else
    clq_visit_finish (visit, "stored");
}

static void
on_hits (ClqVisit *visit, const ClqHit *hits, guint n_hits, const GError *error, gpointer user_data)
{
  if (error == NULL)
    task_queue_drain (visit, NULL, NULL, on_drained, user_data);
  else if (is_analysis (visit))
    on_drained (visit, user_data);
  else
    clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "the context manager is not available: %s; entries that wait: %" G_GINT64_FORMAT, error->message,
                    task_queue_get_length (clq_visit_get_view (visit)));
}

/* Whether anything is found does not matter: an answer says that the context manager is there. */
static void
idle_enter (gpointer self, ClqVisit *visit)
{
  if (task_queue_get_length (clq_visit_get_view (visit)) > 0)
    clq_visit_search (visit, "request", 1, on_hits, self);
  else
    on_drained (visit, self);
}

const ClqNodeInfo task_idle = {
  CLQ_NODE_INFO,
  .name = "idle",
  .summary = "Stores what waits to be stored; after a while without a request looks for patterns",
  .outcomes = CLQ_OUTCOMES ("stored", "analysed"),
  .settings = settings,
  .self_size = sizeof (Idle),
  .enter = idle_enter,
};
