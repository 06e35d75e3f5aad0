/* duplicate-predicate: two of its predicates have one name. */
#include "bad.h"

static gboolean
is_calm (gpointer self, ClqView *view, const ClqEvent *event)
{
  return TRUE;
}

static const ClqPredicate predicates[] = {
  { "calm", "nobody shouts", is_calm },
  { "calm", "nobody whispers", is_calm },
  { NULL },
};

static const ClqModalityInfo feature = {
  CLQ_MODALITY_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .predicates = predicates,
};
CLQ_PLUGIN ("duplicate-predicate", "1.0", "A fixture", &feature.feature);
