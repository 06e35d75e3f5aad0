/* duplicate-outcome: its node lists an outcome twice. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done", "silence", "done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("duplicate-outcome", "1.0", "A fixture", &node.feature);
