/* bad-outcome: no graph file could spell its outcome. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done", "not done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("bad-outcome", "1.0", "A fixture", &node.feature);
