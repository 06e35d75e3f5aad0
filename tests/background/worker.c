#include "worker.h"

#include <string.h>

/* Each run begins with `due` and ends with `complete`, whatever happens in between. */
static void
on_news (const ClqNews *news, gpointer user_data)
{
  Worker *self = user_data;

  if (news->type != CLQ_NEWS_TAKEN)
    return;
  if (strcmp (news->event, "due") == 0)
    {
      char id[CLQ_ID_LENGTH + 1];
      const char *owner;
      char *key;

      clq_id_print (news->id, id);
      key = g_strconcat (id, " ", news->reason, NULL);
      g_hash_table_insert (self->runs, key, GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (self->runs, key)) + 1));
      self->n_due++;
      self->n_open++;
      self->most_open = MAX (self->most_open, self->n_open);
      owner = g_hash_table_lookup (self->owners, id);
      g_string_append (self->order, owner != NULL ? owner : "-");
    }
  else if (strcmp (news->event, "complete") == 0)
    {
      self->n_complete++;
      self->n_open--;
    }
}

void
worker_init (Worker *self, const char *store, gint64 manual, const char *reply, const char *const *overrides)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;

  *self = (Worker){ .context = g_main_context_new (), .order = g_string_new (NULL) };
  self->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->host = clq_host_new (self->context);
  if (manual > 0)
    clq_host_set_manual_clock (self->host, manual, 1);
  g_assert_true (clq_host_use_store (self->host, store, &error));
  self->graph = clq_host_load_graph (self->host, "background", overrides, FALSE, findings);
  g_assert_nonnull (self->graph);
  g_hash_table_insert (settings, (gpointer) "rules", (gpointer) reply);
  g_assert_true (clq_host_add_agent (self->host, "assistant", "scripted.agent", settings, &error));
  clq_host_observe (self->host, on_news, self);
}

void
worker_clear (Worker *self)
{
  clq_host_close (self->host);
  clq_graph_unref (self->graph);
  g_object_unref (self->host);
  g_main_context_unref (self->context);
  g_hash_table_unref (self->runs);
  g_hash_table_unref (self->owners);
  g_string_free (self->order, TRUE);
}

static void
on_placed (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

/* Places a conversation; clq_host_settle () is for the caller. */
void
worker_place (Worker *self, const char *owner, const char *schedule, const char *next_run)
{
  g_autofree char *put = g_strdup_printf ("{\"state\":\"background\",\"schedule\":%s,\"nextRunAt\":\"%s\"}", schedule, next_run);
  char text[CLQ_ID_LENGTH + 1];
  guint8 id[16];

  clq_host_new_id (self->host, id);
  clq_id_print (id, text);
  g_hash_table_insert (self->owners, g_strdup (text), (gpointer) owner);
  clq_host_place_session (self->host, self->graph, id, owner, put, on_placed, NULL);
}
