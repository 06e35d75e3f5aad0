/* long-struct: has more members than this minor knows. */
#include "bad.h"

GOOD_NODE (node, "wave");
static const ClqFeature *const features[] = { &node.feature };

typedef struct
{
  ClqPlugin known;
  const char *more;
} Longer;

/* The linker knows no types: this is what a later SDK with the same minor would have made. */
extern const Longer longer __asm__("clq_plugin") __attribute__ ((visibility ("default")));
const Longer longer = {
  .known = {
      .magic = CLQ_PLUGIN_MAGIC,
      .abi_major = CLQ_ABI_MAJOR,
      .abi_minor = CLQ_ABI_MINOR,
      .size = sizeof (Longer),
      .n_features = 1,
      .id = "long-struct",
      .version = "1.0",
      .summary = "A fixture",
      .features = features,
  },
  .more = "more",
};
