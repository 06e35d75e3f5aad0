/* short-feature: its node is shorter than this minor makes it. */
#include "bad.h"

static const ClqNodeInfo node = {
  .size = sizeof (ClqNodeInfo) - 8,
  .type = CLQ_FEATURE_NODE,
  .setting_size = sizeof (ClqSetting),
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("short-feature", "1.0", "A fixture", &node.feature);
