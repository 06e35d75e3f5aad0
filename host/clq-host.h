/*
 * The host: runs sessions on graphs, with nodes, agents and a store from plugins, on one GMainContext.
 *
 * Everything is asynchronous and belongs to the thread of that context. What happens is told twice: to observers, plain
 * functions for those who want to be fast, and by the signal `news`, detailed by what happened (`news::said`), on the
 * host and on the session's own handle.
 */
#pragma once

#include "clq-budget.h"
#include "clq-finding.h"
#include "clq-graph-handle.h"
#include "clq-news.h"
#include "clq-registry.h"

G_BEGIN_DECLS

#define CLQ_TYPE_HOST (clq_host_get_type ())
#define CLQ_HOST(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CLQ_TYPE_HOST, ClqHost))
#define CLQ_IS_HOST(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CLQ_TYPE_HOST))

typedef struct _ClqHostClass
{
  GObjectClass parent_class;
} ClqHostClass;

CLQ_API GType clq_host_get_type (void);
CLQ_API ClqHost *clq_host_new (GMainContext *context);
CLQ_API void clq_host_close (ClqHost *self);

/* Before the first session. */
CLQ_API void clq_host_set_plugin_folders (ClqHost *self, const char *const *folders);
CLQ_API void clq_host_set_graph_folders (ClqHost *self, const char *const *folders);
CLQ_API const char *const *clq_host_get_graph_folders (ClqHost *self);
CLQ_API ClqRegistry *clq_host_get_registry (ClqHost *self);
CLQ_API void clq_host_set_manual_clock (ClqHost *self, gint64 now, guint64 seed);
CLQ_API gint64 clq_host_get_now (ClqHost *self);
CLQ_API gboolean clq_host_use_store (ClqHost *self, const char *place, GError **error);
CLQ_API gboolean clq_host_view_store (ClqHost *self, const char *place, GError **error);
CLQ_API const char *clq_host_get_durability (ClqHost *self);
CLQ_API void clq_host_set_max_live (ClqHost *self, guint max_live);
CLQ_API void clq_host_set_max_concurrent (ClqHost *self, guint max_concurrent);
CLQ_API void clq_host_set_poll (ClqHost *self, GTimeSpan interval);
CLQ_API void clq_host_set_passive (ClqHost *self, gboolean passive);
CLQ_API gboolean clq_host_configure (ClqHost *self, ClqFindings *findings);
CLQ_API gboolean clq_host_configure_from (ClqHost *self, const char *path, ClqFindings *findings);
CLQ_API void clq_host_start (ClqHost *self);

/* Agents and tools. */
CLQ_API gboolean clq_host_add_agent (ClqHost *self, const char *name, const char *kind, GHashTable *settings, GError **error);
CLQ_API void clq_host_set_standard_agent (ClqHost *self, const char *kind, GHashTable *settings);
CLQ_API char **clq_host_list_agents (ClqHost *self);
CLQ_API char *clq_host_describe_agent (ClqHost *self, const char *name, GError **error);
CLQ_API gboolean clq_host_instruct_agent (ClqHost *self, const char *name, const char *json, GError **error);
CLQ_API gboolean clq_host_configure_tool (ClqHost *self, const char *kind, GHashTable *settings, GError **error);

/* What agents cost. */
typedef void (*ClqUsageFunc) (const ClqUsage *sums, guint n_sums, const GError *error, gpointer user_data);
CLQ_API void clq_host_set_budget (ClqHost *self, const char *agent, const ClqBudget *budget);
CLQ_API ClqBudget clq_host_get_budget (ClqHost *self, const char *agent);
CLQ_API char **clq_host_dup_limited_agents (ClqHost *self);
CLQ_API void clq_host_read_usage (ClqHost *self, guint32 first_day, guint32 last_day, ClqUsageFunc func, gpointer user_data);

/* Graphs. */
CLQ_API ClqGraph *clq_host_load_graph (ClqHost *self, const char *name_or_path, const char *const *overrides, gboolean bare, ClqFindings *findings);
CLQ_API ClqGraph *clq_host_load_graph_text (ClqHost *self, const char *name, const char *text, ClqFindings *findings);

/* Input. */
typedef enum
{
  CLQ_INPUT_ACTION,
  CLQ_INPUT_MESSAGE,
  CLQ_INPUT_ANSWER,
  CLQ_INPUT_EVENT, /* an internal event; bare graphs only */
  CLQ_INPUT_PUT,
  CLQ_INPUT_CANCEL, /* what runs now is to end */
  CLQ_INPUT_READ,   /* notifications were read: payload {"read": [seq, …]} */
} ClqInputKind;

typedef struct
{
  ClqInputKind kind;
  const char *name;    /* actions, events */
  const char *payload; /* JSON object: of the action; {"value": …} or {"values": …}; what to put */
  const char *text;    /* messages */
  ClqRole role;        /* messages */
  const char *actor;   /* who sends it */
  const char *key;     /* idempotency key */
  const char *to;      /* events: take the alternative with this target, whatever its guard would say */
} ClqInput;

CLQ_API void clq_host_new_id (ClqHost *self, guint8 id[16]);
CLQ_API void clq_host_open_session (ClqHost *self, ClqGraph *graph, const guint8 id[16], const char *owner, const char *input, const char *key, ClqReplyFunc func, gpointer user_data);
CLQ_API void clq_host_place_session (ClqHost *self, ClqGraph *graph, const guint8 id[16], const char *owner, const char *put, ClqReplyFunc func, gpointer user_data);
CLQ_API void clq_host_send (ClqHost *self, const guint8 id[16], const ClqInput *input, ClqReplyFunc func, gpointer user_data);

/* Reading. */
typedef void (*ClqRecordsFunc) (GPtrArray *records, const GError *error, gpointer user_data);
CLQ_API void clq_host_read_journal (ClqHost *self, const guint8 id[16], guint types, guint64 after, guint limit, ClqRecordsFunc func, gpointer user_data);
CLQ_API void clq_host_read_conversation (ClqHost *self, const guint8 id[16], guint types, guint limit, ClqRecordsFunc func, gpointer user_data);

/* Which sessions; what is NULL or 0 does not matter. */
typedef struct
{
  const char *owner;
  const char *graph;
  const char *state;
  const char *status;
  guint limit;            /* how many at the most */
  const guint8 *after_id; /* of the last head of the page before */
  gint64 after_time;      /* when that was written */
  gboolean unread;        /* only those with a notification that was not read */
} ClqSessionFilter;

typedef void (*ClqHeadsFunc) (GPtrArray *heads, const GError *error, gpointer user_data);
CLQ_API void clq_host_list_sessions (ClqHost *self, const ClqSessionFilter *filter, ClqHeadsFunc func, gpointer user_data);

/* The journal of a session as a tree: its segments but the root, the names that point into it, where it goes on. */
typedef struct
{
  const ClqHead *head;
  guint32 current;
  const ClqSegment *segments;
  guint n_segments;
  const ClqMark *marks;
  guint n_marks;
} ClqTree;

typedef void (*ClqTreeFunc) (const ClqTree *tree, const GError *error, gpointer user_data);
CLQ_API void clq_host_read_tree (ClqHost *self, const guint8 id[16], ClqTreeFunc func, gpointer user_data);

/* The store itself. */
typedef void (*ClqTextFunc) (const char *text, const GError *error, gpointer user_data);
CLQ_API void clq_host_read_metrics (ClqHost *self, ClqGraph *graph, ClqTextFunc func, gpointer user_data);
CLQ_API void clq_host_maintain_store (ClqHost *self, const char *what, const char *text, ClqTextFunc func, gpointer user_data);
CLQ_API void clq_host_export_session (ClqHost *self, const guint8 id[16], ClqTextFunc func, gpointer user_data);
CLQ_API void clq_host_import_session (ClqHost *self, const char *json, gboolean new_id, ClqTextFunc func, gpointer user_data);
CLQ_API void clq_host_remove_session (ClqHost *self, const guint8 id[16], ClqTextFunc func, gpointer user_data);

/* What happens. */
CLQ_API void clq_host_observe (ClqHost *self, ClqObserverFunc func, gpointer user_data);
CLQ_API void clq_host_unobserve (ClqHost *self, ClqObserverFunc func, gpointer user_data);

/* For programs that wait: tests, `pipe`. */
CLQ_API void clq_host_settle (ClqHost *self);
CLQ_API gboolean clq_host_is_quiet (ClqHost *self);
CLQ_API void clq_host_advance (ClqHost *self, GTimeSpan by);
CLQ_API gboolean clq_host_set_fault (ClqHost *self, const char *what, gboolean on, GError **error);
CLQ_API guint clq_host_count_held (ClqHost *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqHost, g_object_unref)

G_END_DECLS
