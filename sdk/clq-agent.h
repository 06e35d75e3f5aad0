/* An agent is something that answers: a model over HTTP, a script. */
#pragma once

#include "clq-call.h"
#include "clq-plugin.h"

G_BEGIN_DECLS

typedef struct
{
  CLQ_FEATURE_HEAD
  void (*complete) (gpointer self, ClqCall *call);
  gboolean (*is_present) (gpointer self);                                 /* (optional) FALSE = nobody would answer */
  gboolean (*instruct) (gpointer self, const char *json, GError **error); /* (optional) a word outside any call, e.g. replies to give */
  guint64 (*estimate_tokens) (gpointer self, const char *text);           /* (optional) how many tokens a text is for this agent */
} ClqAgentInfo;

#define CLQ_AGENT_INFO CLQ_FEATURE_INIT (ClqAgentInfo, CLQ_FEATURE_AGENT)

G_END_DECLS
