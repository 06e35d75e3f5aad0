/* null-type: its type does not exist. */
#include "bad.h"

static GType
get_type (void)
{
  return G_TYPE_INVALID;
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = get_type,
  .type_name = "TestNull",
};
CLQ_PLUGIN ("null-type", "1.0", "A fixture", &node.feature);
