/* unknown-type: its feature is of a type that does not exist. */
#include "bad.h"

static const ClqNodeInfo node = {
  .size = sizeof (ClqNodeInfo),
  .type = CLQ_FEATURE_SERVICE + 1,
  .setting_size = sizeof (ClqSetting),
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = bad_enter,
};
CLQ_PLUGIN ("unknown-type", "1.0", "A fixture", &node.feature);
