/* An event drives a transition. Plugins read it; only the engine makes one. */
#pragma once

#include "clq-error.h"
#include "clq-record.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_EVENT_ACTION,  /* from outside */
  CLQ_EVENT_OUTCOME, /* from a node */
  CLQ_EVENT_TIMER,   /* from the clock */
} ClqEventKind;

CLQ_API const char *clq_event_get_name (const ClqEvent *self);
CLQ_API ClqEventKind clq_event_get_kind (const ClqEvent *self);
CLQ_API const char *clq_event_get_payload (const ClqEvent *self);
CLQ_API const char *clq_event_get_text (const ClqEvent *self);
CLQ_API ClqRole clq_event_get_role (const ClqEvent *self);
CLQ_API const char *clq_event_get_actor (const ClqEvent *self);
CLQ_API const char *clq_event_get_partial (const ClqEvent *self);
CLQ_API const GError *clq_event_get_error (const ClqEvent *self);
CLQ_API gboolean clq_event_is_message (const ClqEvent *self);
CLQ_API char *clq_event_dup_string (const ClqEvent *self, const char *path);

G_END_DECLS
