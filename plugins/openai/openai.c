/* openai: models behind an HTTP interface like that of OpenAI. */
#include "openai.h"

CLQ_PLUGIN ("openai", "1.0", "Models behind an HTTP interface like that of OpenAI", &openai_chat.feature);
