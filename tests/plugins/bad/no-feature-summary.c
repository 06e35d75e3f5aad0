/* no-feature-summary: its node does not say what it does. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("no-feature-summary", "1.0", "A fixture", &node.feature);
