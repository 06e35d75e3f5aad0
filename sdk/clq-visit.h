/*
 * A visit is one execution of a node for one session. It ends exactly once, by finish or fail; dropping the last
 * reference without either is a failure, never a hang.
 */
#pragma once

#include "clq-call.h"
#include "clq-change.h"
#include "clq-event.h"
#include "clq-view.h"

G_BEGIN_DECLS

/* One request of a fan-out. The key is stable over attempts. */
typedef struct
{
  const char *key;
  const char *agent;
  const char *request;
} ClqRequest;

typedef enum
{
  CLQ_JOIN_ALL,    /* one failure fails the visit */
  CLQ_JOIN_SETTLE, /* wait for all; failed ones carry their error and raise a warning */
} ClqJoin;

/* A context record that a search has found. */
typedef struct
{
  const char *session; /* id of the one that has kept it */
  const ClqRecord *record;
  double relevance; /* more than 0, up to 1 */
} ClqHit;

typedef void (*ClqVisitFunc) (ClqVisit *visit, gpointer user_data);
typedef void (*ClqCallFunc) (ClqVisit *visit, ClqCall *call, gpointer user_data);
typedef void (*ClqJoinFunc) (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data);
typedef void (*ClqJournalFunc) (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data);
typedef void (*ClqSearchFunc) (ClqVisit *visit, const ClqHit *hits, guint n_hits, const GError *error, gpointer user_data);

CLQ_API ClqVisit *clq_visit_ref (ClqVisit *self);
CLQ_API void clq_visit_unref (ClqVisit *self);

/* What led here. */
CLQ_API ClqView *clq_visit_get_view (ClqVisit *self);
CLQ_API const ClqEvent *clq_visit_get_event (ClqVisit *self);
CLQ_API const char *clq_visit_get_text (ClqVisit *self);
CLQ_API guint clq_visit_get_attempt (ClqVisit *self);
CLQ_API const char *clq_visit_get_idempotency_key (ClqVisit *self);
CLQ_API GCancellable *clq_visit_get_cancellable (ClqVisit *self);
CLQ_API gboolean clq_visit_is_over (ClqVisit *self);

/* While it runs. */
CLQ_API ClqChange *clq_visit_get_change (ClqVisit *self);
CLQ_API void clq_visit_say (ClqVisit *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
CLQ_API void clq_visit_say_text (ClqVisit *self, const char *text, gssize length);
CLQ_API const char *clq_visit_get_said (ClqVisit *self);
CLQ_API void clq_visit_progress (ClqVisit *self, double fraction, const char *format, ...) G_GNUC_PRINTF (3, 4);
CLQ_API void clq_visit_after (ClqVisit *self, GTimeSpan delay, ClqVisitFunc func, gpointer user_data);
CLQ_API void clq_visit_set_timeout (ClqVisit *self, GTimeSpan timeout);
CLQ_API void clq_visit_read_journal (ClqVisit *self, guint types, guint64 before, guint limit, ClqJournalFunc func, gpointer user_data);
CLQ_API void clq_visit_read_since (ClqVisit *self, guint types, guint64 after, ClqJournalFunc func, gpointer user_data);
CLQ_API void clq_visit_search (ClqVisit *self, const char *text, guint limit, ClqSearchFunc func, gpointer user_data);
CLQ_API gpointer clq_visit_get_memo (ClqVisit *self, const char *name);
CLQ_API void clq_visit_set_memo (ClqVisit *self, const char *name, gpointer memo, GDestroyNotify destroy);

/* Calls. */
CLQ_API gboolean clq_visit_has_agent (ClqVisit *self, const char *agent);
CLQ_API guint64 clq_visit_estimate_tokens (ClqVisit *self, const char *agent, const char *text);
CLQ_API void clq_visit_call_agent (ClqVisit *self, const char *key, const char *agent, const char *request, gboolean stream, ClqCallFunc func, gpointer user_data);
CLQ_API void clq_visit_call_tool (ClqVisit *self, const char *key, const char *tool, const char *arguments, ClqCallFunc func, gpointer user_data);
CLQ_API void clq_visit_ask (ClqVisit *self, const char *key, const ClqQuestion *question, ClqCallFunc func, gpointer user_data);
CLQ_API void clq_visit_reject_call (ClqVisit *self, const char *key, const char *why);
CLQ_API void clq_visit_fan_out (ClqVisit *self, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data);

/* How it ends. */
CLQ_API void clq_visit_finish (ClqVisit *self, const char *outcome);
CLQ_API void clq_visit_finish_with (ClqVisit *self, const char *outcome, const char *payload);
CLQ_API void clq_visit_fail (ClqVisit *self, ClqFailure failure, const char *format, ...) G_GNUC_PRINTF (3, 4);
CLQ_API void clq_visit_fail_error (ClqVisit *self, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqVisit, clq_visit_unref)

G_END_DECLS
