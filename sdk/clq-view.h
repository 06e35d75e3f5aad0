/* A view is what a node or a modality may see of a session: state, data and counters, at one moment. */
#pragma once

#include "clq-json.h"

G_BEGIN_DECLS

CLQ_API const char *clq_view_get_id (ClqView *self);
CLQ_API const char *clq_view_get_graph (ClqView *self);
CLQ_API const char *clq_view_get_state (ClqView *self);
CLQ_API const char *clq_view_get_owner (ClqView *self);
CLQ_API const char *clq_view_get_title (ClqView *self);
CLQ_API guint64 clq_view_get_seq (ClqView *self);
CLQ_API gint64 clq_view_get_now (ClqView *self);
CLQ_API const char *clq_view_get_data (ClqView *self);
CLQ_API ClqJsonSpan clq_view_find (ClqView *self, const char *path);
CLQ_API gboolean clq_view_has (ClqView *self, const char *path);
CLQ_API char *clq_view_dup_string (ClqView *self, const char *path);
CLQ_API gint64 clq_view_get_int (ClqView *self, const char *path);
CLQ_API double clq_view_get_double (ClqView *self, const char *path);
CLQ_API gboolean clq_view_get_bool (ClqView *self, const char *path);
CLQ_API guint clq_view_get_visits (ClqView *self, const char *state);
CLQ_API guint clq_view_get_turns_here (ClqView *self);
CLQ_API gint64 clq_view_get_entered_at (ClqView *self);
CLQ_API gint64 clq_view_get_input_at (ClqView *self);
CLQ_API const char *clq_view_get_schedule (ClqView *self);
CLQ_API gint64 clq_view_get_next_run (ClqView *self);
CLQ_API const char *clq_view_get_questions (ClqView *self);
CLQ_API const char *clq_view_get_comparison (ClqView *self);
CLQ_API void clq_view_get_tokens (ClqView *self, guint64 *tokens_in, guint64 *tokens_out);
CLQ_API const char *clq_view_get_setting (ClqView *self, const char *key);

G_END_DECLS
