/* no-commit: its store keeps nothing. */
#include "bad.h"

static gboolean
open_store (gpointer self, const char *place, GError **error)
{
  return TRUE;
}

static void
answer (gpointer self, ClqQuery *query)
{
  clq_query_done (query, NULL);
}

static const ClqStoreInfo feature = {
  CLQ_STORE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .open = open_store,
  .load = answer,
  .journal = answer,
  .list = answer,
};
CLQ_PLUGIN ("no-commit", "1.0", "A fixture", &feature.feature);
