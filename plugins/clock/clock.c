/* clock: a model has no idea what time it is. */
#include "clock.h"

CLQ_PLUGIN ("clock", "1.0", "What time it is", &clock_now.feature);
