/* no-outcomes: its node ends with nothing. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .enter = bad_enter,
};
CLQ_PLUGIN ("no-outcomes", "1.0", "A fixture", &node.feature);
