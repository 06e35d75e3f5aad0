/* bad-field: no guard could spell its field. */
#include "bad.h"

static const ClqModalityInfo feature = {
  CLQ_MODALITY_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .fields = CLQ_CHOICES ("notes", "a.b"),
};
CLQ_PLUGIN ("bad-field", "1.0", "A fixture", &feature.feature);
