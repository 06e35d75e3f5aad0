/* bad-feature-name: its node has a name that no kind can have. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "Wave.Back",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("bad-feature-name", "1.0", "A fixture", &node.feature);
