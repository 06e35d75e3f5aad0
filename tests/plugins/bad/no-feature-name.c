/* no-feature-name: its node has no name. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("no-feature-name", "1.0", "A fixture", &node.feature);
