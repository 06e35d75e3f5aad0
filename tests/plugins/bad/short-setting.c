/* short-setting: its settings are shorter than this minor makes them. */
#include "bad.h"

static const ClqNodeInfo node = {
  .size = sizeof (ClqNodeInfo),
  .type = CLQ_FEATURE_NODE,
  .setting_size = sizeof (ClqSetting) - 8,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("short-setting", "1.0", "A fixture", &node.feature);
