/* empty-outcomes: its node has an empty list of outcomes. */
#include "bad.h"

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = (const char *const[]){ NULL },
  .enter = bad_enter,
};
CLQ_PLUGIN ("empty-outcomes", "1.0", "A fixture", &node.feature);
