/* goals: follows goals through a conversation. */
#include "goals.h"

CLQ_PLUGIN ("goals", "1.0", "Follows goals through a conversation, from the first wish to the result", &goals_tracker.feature, &goals_assistant.feature);
