/* basic: small nodes for examples and tests, and a modality that keeps notes. */
#include "basic.h"

CLQ_PLUGIN ("basic", "1.0", "Small nodes for examples and tests, and a modality that keeps notes", &basic_ask.feature, &basic_count.feature, &basic_fail.feature, &basic_panel.feature, &basic_pause.feature, &basic_reply.feature, &basic_say.feature, &basic_notes.feature);
