/* no-summary: has no summary. */
#include "bad.h"

GOOD_NODE (node, "wave");
static const ClqFeature *const features[] = { &node.feature };

const ClqPlugin clq_plugin = {
  .magic = CLQ_PLUGIN_MAGIC,
  .abi_major = CLQ_ABI_MAJOR,
  .abi_minor = CLQ_ABI_MINOR,
  .size = sizeof (ClqPlugin),
  .n_features = 1,
  .id = "no-summary",
  .version = "1.0",
  .features = features,
};
