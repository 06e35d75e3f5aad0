/* duplicate-action: it lists an action twice. */
#include "bad.h"

static const ClqModalityInfo feature = {
  CLQ_MODALITY_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .actions = CLQ_CHOICES ("note", "note"),
};
CLQ_PLUGIN ("duplicate-action", "1.0", "A fixture", &feature.feature);
