/* A prompt is what an agent is asked: messages, one after the other, as the JSON object that every agent understands. */
#pragma once

#include "clq-record.h"

G_BEGIN_DECLS

typedef struct _ClqPrompt ClqPrompt;

CLQ_API ClqPrompt *clq_prompt_new (void);
CLQ_API void clq_prompt_add (ClqPrompt *self, ClqRole role, const char *text);
CLQ_API void clq_prompt_add_escaped (ClqPrompt *self, ClqRole role, const char *text);
CLQ_API char *clq_prompt_finish (ClqPrompt *self);
CLQ_API void clq_prompt_free (ClqPrompt *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqPrompt, clq_prompt_free)

G_END_DECLS
