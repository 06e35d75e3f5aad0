/* no-features: says that it has a feature and does not have it. */
#include "bad.h"

const ClqPlugin clq_plugin = {
  .magic = CLQ_PLUGIN_MAGIC,
  .abi_major = CLQ_ABI_MAJOR,
  .abi_minor = CLQ_ABI_MINOR,
  .size = sizeof (ClqPlugin),
  .n_features = 1,
  .id = "no-features",
  .version = "1.0",
  .summary = "A fixture",
  .features = NULL,
};
