/* duplicate-name: two of its nodes have one name. */
#include "bad.h"

GOOD_NODE (one, "wave");
GOOD_NODE (other, "wave");
CLQ_PLUGIN ("duplicate-name", "1.0", "A fixture", &one.feature, &other.feature);
