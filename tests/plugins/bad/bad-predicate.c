/* bad-predicate: no guard could spell its predicate. */
#include "bad.h"

static gboolean
is_calm (gpointer self, ClqView *view, const ClqEvent *event)
{
  return TRUE;
}

static const ClqPredicate predicates[] = {
  { "is calm?", "nobody shouts", is_calm },
  { NULL },
};

static const ClqModalityInfo feature = {
  CLQ_MODALITY_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .predicates = predicates,
};
CLQ_PLUGIN ("bad-predicate", "1.0", "A fixture", &feature.feature);
