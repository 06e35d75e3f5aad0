#define G_LOG_DOMAIN "clq-searches"

#include "clq-engine.h"

/* What visits search for in what was kept. */

typedef struct
{
  ClqRun *run;
  ClqSearchFunc func;
  gpointer user_data;
  gboolean is_asking; /* the store has not returned yet */
  GArray *hits;       /* ClqHit, owns records and ids */
  GError *error;
} Search;

static void
clear_hit (gpointer data)
{
  ClqHit *hit = data;

  g_free ((char *) hit->session);
  clq_record_unref ((ClqRecord *) hit->record);
}

static void
deliver (Search *search)
{
  ClqVisit *visit = &search->run->visit;

  if (!visit->over)
    search->func (visit, (const ClqHit *) (gpointer) search->hits->data, search->hits->len, search->error, search->user_data);
  clq_visit_unref (visit);
  g_array_unref (search->hits);
  g_clear_error (&search->error);
  g_free (search);
}

static void
on_kept (gpointer search)
{
  deliver (search);
}

/* Nothing comes back from inside a call, whatever store it is. */
static void
deliver_later (Search *search)
{
  clq_engine_later (search->run->engine, on_kept, search);
}

static void
on_found (ClqQuery *query, gpointer user_data)
{
  Search *search = user_data;

  search->run->engine->n_queries--;
  for (guint i = 0; i < query->records->len && query->error == NULL; i++)
    {
      ClqHit hit = { NULL, clq_record_ref (g_ptr_array_index (query->records, i)), g_array_index (query->relevance, double, i) };
      char id[CLQ_ID_LENGTH + 1];

      clq_id_print (query->hit_ids->data + 16 * i, id);
      hit.session = g_strdup (id);
      g_array_append_val (search->hits, hit);
    }
  search->error = query->error != NULL ? g_error_copy (query->error) : NULL;
  if (search->is_asking)
    deliver_later (search);
  else
    deliver (search);
}

/* Private: looks for words in what sessions of the same graph and owner have kept. */
void
clq_run_search (ClqVisit *visit, const char *text, guint limit, ClqSearchFunc func, gpointer user_data)
{
  ClqRun *run = (ClqRun *) visit;
  ClqEngine *engine = run->engine;
  Search *search = g_new0 (Search, 1);
  ClqQuery *query;

  *search = (Search){ (ClqRun *) clq_visit_ref (visit), func, user_data, .is_asking = TRUE };
  search->hits = g_array_new (FALSE, FALSE, sizeof (ClqHit));
  g_array_set_clear_func (search->hits, clear_hit);
  if (engine->search_fault || engine->store->search == NULL)
    {
      search->error = g_error_new (CLQ_STORE_ERROR, engine->search_fault ? CLQ_STORE_ERROR_FAILED : CLQ_STORE_ERROR_NOT_FOUND,
                                   engine->search_fault ? "what was kept cannot be searched now" : "this store does not search");
      deliver_later (search);
      return;
    }
  query = clq_query_new (on_found, search);
  query->text = g_strdup (text);
  query->limit = limit;
  clq_query_set_filter (query, "graph", clq_view_get_graph (&visit->view));
  if (clq_view_get_owner (&visit->view) != NULL)
    clq_query_set_filter (query, "owner", clq_view_get_owner (&visit->view));
  engine->n_queries++;
  engine->store->search (engine->store_self, query);
  search->is_asking = FALSE;
}
