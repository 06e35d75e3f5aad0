/* no-complete: its agent does not answer. */
#include "bad.h"

static const ClqAgentInfo feature = {
  CLQ_AGENT_INFO,
  .name = "wave",
  .summary = "Does nothing",
};
CLQ_PLUGIN ("no-complete", "1.0", "A fixture", &feature.feature);
