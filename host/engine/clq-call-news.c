#define G_LOG_DOMAIN "clq-calls"

#include "clq-calls.h"

/* Private: tells that an agent or tool is asked or has answered. What is known from before is no news. */
void
clq_call_tell (const RunCall *self, ClqNewsType type)
{
  const ClqCall *call = &self->call;
  gint64 now;

  if (self->kind == CALL_QUESTION || call->replayed || self->run == NULL || self->run->live == NULL || self->engine->observers->len == 0)
    return;
  now = clq_clock_now (&self->engine->clock);
  clq_engine_tell (self->engine, &(ClqNews){
                                     .type = type,
                                     .id = self->run->live->head.id,
                                     .at = now,
                                     .visit = self->run->visit.id,
                                     .attempt = self->attempt,
                                     .call = call->key,
                                     .target = call->target,
                                     .ms = type == CLQ_NEWS_ANSWERED ? MAX (now - self->started_at, 0) / 1000 : 0,
                                     .tokens_in = type == CLQ_NEWS_ANSWERED ? call->tokens_in : 0,
                                     .tokens_out = type == CLQ_NEWS_ANSWERED ? call->tokens_out : 0,
                                     .error = type == CLQ_NEWS_ANSWERED && call->error != NULL ? call->error->message : NULL,
                                 });
}
