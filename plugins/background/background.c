/* background: conversations that go on working while nobody looks. */
#include "background.h"

CLQ_PLUGIN ("background", "1.0", "Conversations that go on working while nobody looks", &background_conversation.feature, &background_chat.feature, &background_work.feature);
