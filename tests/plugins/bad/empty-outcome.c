/* empty-outcome: its outcome has no name. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES (""),
  .enter = bad_enter,
};
CLQ_PLUGIN ("empty-outcome", "1.0", "A fixture", &node.feature);
