/* good: nothing is wrong with it. */
#include "bad.h"

GOOD_NODE (node, "wave");
CLQ_PLUGIN ("good", "1.0", "A fixture", &node.feature);
