/* bad-magic: begins with another number. */
#include "bad.h"

GOOD_NODE (node, "wave");
static const ClqFeature *const features[] = { &node.feature };

const ClqPlugin clq_plugin = {
  .magic = 0x12345678,
  .abi_major = CLQ_ABI_MAJOR,
  .abi_minor = CLQ_ABI_MINOR,
  .size = sizeof (ClqPlugin),
  .n_features = 1,
  .id = "bad-magic",
  .version = "1.0",
  .summary = "A fixture",
  .features = features,
};
