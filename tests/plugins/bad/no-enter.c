/* no-enter: its node cannot be entered. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
};
CLQ_PLUGIN ("no-enter", "1.0", "A fixture", &node.feature);
