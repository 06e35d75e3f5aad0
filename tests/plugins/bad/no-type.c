/* no-type: its node does not begin with CLQ_NODE_INFO. */
#include "bad.h"

static const ClqNodeInfo node = {
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("no-type", "1.0", "A fixture", &node.feature);
