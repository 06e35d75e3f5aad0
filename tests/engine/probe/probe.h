/* What tests may look at inside the store of the plugin probe. */
#pragma once

#include <colloquy.h>

typedef struct
{
  gboolean later; /* answers come from the main loop, not from inside the call */
  guint n_batches;
  guint n_commits;
  guint largest;
  guint in_flight;
  guint most_in_flight;
} ProbeStore;

extern const ClqStoreInfo probe_store;
