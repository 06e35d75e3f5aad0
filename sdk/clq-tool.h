/* A tool is something that an agent or a node may use, with a JSON schema for its arguments. */
#pragma once

#include "clq-call.h"
#include "clq-plugin.h"

G_BEGIN_DECLS

/* What to do after a crash with a call that was begun and has no result. */
typedef enum
{
  CLQ_TOOL_ASK,   /* ask a person */
  CLQ_TOOL_RETRY, /* the call is idempotent: make it again */
  CLQ_TOOL_FAIL,
} ClqToolPolicy;

typedef struct
{
  CLQ_FEATURE_HEAD
  const char *schema;
  gboolean has_effects; /* it changes something outside: an intent is written before the call */
  ClqToolPolicy policy;
  void (*use) (gpointer self, ClqCall *call);
} ClqToolInfo;

#define CLQ_TOOL_INFO CLQ_FEATURE_INIT (ClqToolInfo, CLQ_FEATURE_TOOL)

G_END_DECLS
