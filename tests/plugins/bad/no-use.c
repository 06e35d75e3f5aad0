/* no-use: it cannot be used. */
#include "bad.h"

static const ClqToolInfo feature = {
  CLQ_TOOL_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .schema = "{}",
};
CLQ_PLUGIN ("no-use", "1.0", "A fixture", &feature.feature);
