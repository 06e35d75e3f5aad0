/*
 * A call is one request to an agent or a tool. The side that answers takes the request, may stream pieces, and ends it
 * exactly once with a text or a failure; the visit that asked reads text or error from the same object.
 */
#pragma once

#include "clq-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef void (*ClqCallTimerFunc) (ClqCall *call, gpointer user_data);

CLQ_API ClqCall *clq_call_ref (ClqCall *self);
CLQ_API void clq_call_unref (ClqCall *self);

/* Both sides. */
CLQ_API const char *clq_call_get_key (ClqCall *self);
CLQ_API const char *clq_call_get_target (ClqCall *self);
CLQ_API const char *clq_call_get_request (ClqCall *self);

/* The side that answers. */
CLQ_API const char *clq_call_get_idempotency_key (ClqCall *self);
CLQ_API GCancellable *clq_call_get_cancellable (ClqCall *self);
CLQ_API gint64 clq_call_get_now (ClqCall *self);
CLQ_API void clq_call_after (ClqCall *self, GTimeSpan delay, ClqCallTimerFunc func, gpointer user_data);
CLQ_API void clq_call_piece (ClqCall *self, const char *text, gssize length);
CLQ_API void clq_call_usage (ClqCall *self, guint64 tokens_in, guint64 tokens_out, double cost);
CLQ_API void clq_call_want_tool (ClqCall *self, const char *id, const char *name, const char *arguments);
CLQ_API void clq_call_set_retry_after (ClqCall *self, GTimeSpan delay);
CLQ_API void clq_call_return (ClqCall *self, const char *text);
CLQ_API void clq_call_fail (ClqCall *self, ClqFailure failure, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* The side that asked. */
CLQ_API const char *clq_call_get_text (ClqCall *self);
CLQ_API void clq_call_get_usage (ClqCall *self, guint64 *tokens_in, guint64 *tokens_out);
CLQ_API const GError *clq_call_get_error (ClqCall *self);
CLQ_API gboolean clq_call_is_replayed (ClqCall *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqCall, clq_call_unref)

G_END_DECLS
