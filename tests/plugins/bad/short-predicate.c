/* short-predicate: its predicates are shorter than this minor makes them. */
#include "bad.h"

static gboolean
is_calm (gpointer self, ClqView *view, const ClqEvent *event)
{
  return TRUE;
}

static const ClqPredicate predicates[] = {
  { "calm", "nobody shouts", is_calm },
  { NULL },
};

static const ClqModalityInfo feature = {
  CLQ_FEATURE_INIT (ClqModalityInfo, CLQ_FEATURE_MODALITY),
  .name = "wave",
  .summary = "Does nothing",
  .predicate_size = sizeof (ClqPredicate) - 8,
  .predicates = predicates,
};
CLQ_PLUGIN ("short-predicate", "1.0", "A fixture", &feature.feature);
