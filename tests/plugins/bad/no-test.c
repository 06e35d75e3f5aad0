/* no-test: its predicate cannot be asked. */
#include "bad.h"

static const ClqPredicate predicates[] = {
  { "calm", "nobody shouts", NULL },
  { NULL },
};

static const ClqModalityInfo feature = {
  CLQ_MODALITY_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .predicates = predicates,
};
CLQ_PLUGIN ("no-test", "1.0", "A fixture", &feature.feature);
