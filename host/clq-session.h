/* A handle on one session of a host, made on demand. As long as it lives the session stays in memory. */
#pragma once

#include "clq-host.h"

G_BEGIN_DECLS

#define CLQ_TYPE_SESSION (clq_session_get_type ())
#define CLQ_SESSION(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CLQ_TYPE_SESSION, ClqSession))
#define CLQ_IS_SESSION(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CLQ_TYPE_SESSION))

typedef struct _ClqSession ClqSession;
typedef struct _ClqSessionClass
{
  GObjectClass parent_class;
} ClqSessionClass;

typedef void (*ClqSessionFunc) (ClqSession *session, const GError *error, gpointer user_data);

CLQ_API GType clq_session_get_type (void);
CLQ_API void clq_host_find_session (ClqHost *host, const guint8 id[16], ClqSessionFunc func, gpointer user_data);
CLQ_API ClqSession *clq_host_get_session (ClqHost *host, const guint8 id[16]);
CLQ_API const char *clq_session_get_id (ClqSession *self);
CLQ_API const char *clq_session_get_graph (ClqSession *self);
CLQ_API const char *clq_session_get_state (ClqSession *self);
CLQ_API const char *clq_session_get_status (ClqSession *self);
CLQ_API const char *clq_session_get_data (ClqSession *self);
CLQ_API const char *clq_session_get_schedule (ClqSession *self);
CLQ_API gint64 clq_session_get_next_run (ClqSession *self);
CLQ_API const char *clq_session_get_error (ClqSession *self);
CLQ_API guint64 clq_session_get_seq (ClqSession *self);
CLQ_API char *clq_session_dup_questions (ClqSession *self);
CLQ_API char **clq_session_dup_actions (ClqSession *self);
CLQ_API gboolean clq_session_has_action (ClqSession *self, const char *name);
CLQ_API char *clq_session_dup_summary (ClqSession *self);
CLQ_API void clq_session_report (ClqSession *self, ClqTextFunc func, gpointer user_data);
CLQ_API char *clq_session_dup_headline (ClqSession *self);
CLQ_API void clq_session_send (ClqSession *self, const ClqInput *input, ClqReplyFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqSession, g_object_unref)

G_END_DECLS
