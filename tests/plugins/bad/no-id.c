/* no-id: has no id. */
#include "bad.h"

GOOD_NODE (node, "wave");
static const ClqFeature *const features[] = { &node.feature };

const ClqPlugin clq_plugin = {
  .magic = CLQ_PLUGIN_MAGIC,
  .abi_major = CLQ_ABI_MAJOR,
  .abi_minor = CLQ_ABI_MINOR,
  .size = sizeof (ClqPlugin),
  .n_features = 1,
  .version = "1.0",
  .summary = "A fixture",
  .features = features,
};
