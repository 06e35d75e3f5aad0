/* chat: a conversation with branches, checkpoints, merges and a result. */
#include "chat.h"

CLQ_PLUGIN ("chat", "1.0", "A conversation with branches, checkpoints, merges and a result", &chat_chat.feature, &chat_reply.feature, &chat_digest.feature);
