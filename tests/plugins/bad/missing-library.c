/* missing-library: needs a library that is not there. */
#include "bad.h"

extern const int clq_test_elsewhere;

static gboolean
init (gpointer self, GError **error)
{
  return clq_test_elsewhere != 0;
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .init = init,
  .enter = bad_enter,
};
CLQ_PLUGIN ("missing-library", "1.0", "A fixture", &node.feature);
