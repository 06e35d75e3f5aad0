/* undefined-symbol: needs a function that nobody has. */
#include "bad.h"

void clq_test_nobody_has_this (void);

static void
clear (gpointer self)
{
  clq_test_nobody_has_this ();
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .clear = clear,
  .enter = bad_enter,
};
CLQ_PLUGIN ("undefined-symbol", "1.0", "A fixture", &node.feature);
