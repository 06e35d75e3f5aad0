/* store: keeps nothing and counts. */
#include "probe.h"

#include <string.h>

static gboolean
store_open (gpointer self, const char *place, GError **error)
{
  ((ProbeStore *) self)->later = g_strcmp0 (place, "later") == 0;
  return TRUE;
}

typedef struct
{
  ProbeStore *store;
  ClqBatch *batch;
} Answer;

static gboolean
on_idle (gpointer user_data)
{
  Answer *answer = user_data;

  answer->store->in_flight--;
  clq_batch_done (answer->batch);
  g_free (answer);
  return G_SOURCE_REMOVE;
}

static void
store_commit (gpointer self, ClqBatch *batch)
{
  ProbeStore *store = self;
  Answer *answer;

  store->n_batches++;
  store->n_commits += clq_batch_get_n_commits (batch);
  store->largest = MAX (store->largest, clq_batch_get_n_commits (batch));
  if (!store->later)
    {
      clq_batch_done (batch);
      return;
    }
  store->in_flight++;
  store->most_in_flight = MAX (store->most_in_flight, store->in_flight);
  answer = g_new (Answer, 1);
  *answer = (Answer){ store, batch };
  g_idle_add (on_idle, answer);
}

static void
store_nothing (gpointer self, ClqQuery *query)
{
  clq_query_done (query, NULL);
}

const ClqStoreInfo probe_store = {
  CLQ_STORE_INFO,
  .name = "store",
  .summary = "Keeps nothing and counts",
  .self_size = sizeof (ProbeStore),
  .open = store_open,
  .commit = store_commit,
  .load = store_nothing,
  .journal = store_nothing,
  .list = store_nothing,
  .claim_due = store_nothing,
  .search = store_nothing,
  .graph = store_nothing,
  .durability = "none",
};
