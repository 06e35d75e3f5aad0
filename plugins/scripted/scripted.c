/* scripted: an agent that answers without a model. */
#include "scripted.h"

CLQ_PLUGIN ("scripted", "1.0", "An agent that answers without a model", &scripted_agent.feature);
