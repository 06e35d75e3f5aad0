/* null-feature: its second feature is not there. */
#include "bad.h"

GOOD_NODE (node, "wave");
CLQ_PLUGIN ("null-feature", "1.0", "A fixture", &node.feature, NULL);
