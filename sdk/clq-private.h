/* What the SDK library and the host share behind the plugin's back. Never installed. */
#pragma once

#ifndef CLQ_COMPILATION
#define CLQ_COMPILATION
#endif
#include "colloquy.h"

G_BEGIN_DECLS

/* ---- records ---- */

struct _ClqRecord
{
  guint64 seq;
  gint64 at;
  guint32 segment;
  guint32 length;
  gint32 ref_count; /* 0: borrowed, lives in a commit */
  guint8 type;
  guint8 role;
  guint16 opening_length;
  const char *body;
  const char *opening; /* interned: what the body begins with; NULL = nothing that others have, too */
};

/* ---- heads ---- */

typedef enum
{
  CLQ_STATUS_RESTING,
  CLQ_STATUS_RUNNING,
  CLQ_STATUS_WAITING,
  CLQ_STATUS_DONE,
  CLQ_STATUS_FAILED,
} ClqStatus;

CLQ_API const char *clq_status_to_string (ClqStatus status);

/* What most sessions do not have. Shared by reference and copied before it is written to. All texts are JSON but owner and title. */
typedef struct
{
  gatomicrefcount ref_count;
  char *owner;
  char *title;
  char *schedule;
  char *questions; /* array; answered ones carry "answer" */
  char *deadlines; /* object: name → microseconds */
  char *visit;     /* object: the open visit */
  char *error;     /* object: why the session has failed */
  gint64 next_run;
  gint64 retry_at;
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
} ClqExtra;

CLQ_API ClqExtra *clq_extra_new (void);
CLQ_API ClqExtra *clq_extra_ref (ClqExtra *self);
CLQ_API void clq_extra_unref (ClqExtra *self);
CLQ_API ClqExtra *clq_extra_writable (ClqExtra **self);

typedef enum
{
  CLQ_FIRED_TIMEOUT = 1 << 0,
  CLQ_FIRED_IDLE = 1 << 1,
  CLQ_FIRED_ALERT = 1 << 2,
  CLQ_FIRED_LIMIT = 1 << 3, /* a limit was reached, and `limit` is still to come */
} ClqFired;

struct _ClqHead
{
  guint8 id[16];
  guint64 seq;
  const char *graph_hash; /* interned */
  const char *graph_name; /* interned */
  const char *state;      /* interned */
  char *data;             /* NULL = {} ; a reference-counted string */
  ClqExtra *extra;        /* NULL = all empty */
  guint32 *visits;        /* per state, in the order of the graph */
  gint64 created_at;
  gint64 updated_at;
  gint64 entered_at;
  gint64 input_at;
  gint64 wake_at; /* 0 = never */
  guint32 entry;  /* counts entries; timers of an older one are stale */
  guint32 segment;
  guint32 n_segments;
  guint32 hops;
  guint32 turns_here;
  guint16 n_visits;
  guint8 since_snapshot;
  guint8 status;
  guint8 fired; /* ClqFired: timers of this entry that have had their turn */
};

/* ---- commits ---- */

struct _ClqCommit
{
  guint64 expected_seq;
  ClqHead head;    /* borrows everything from the session's draft */
  GArray *records; /* ClqRecord, bodies in text */
  GString *text;
  GArray *segments;
  GPtrArray *mark_names;
  GArray *marks;
  const char *graph_text;
  const char *key;
  const char *result; /* to be remembered with the key */
  GError *error;
  GArray *usage; /* ClqUsage, borrows its names; NULL = nothing was used */
};

struct _ClqBatch
{
  GPtrArray *commits;
  void (*done) (ClqBatch *batch);
  gpointer owner;
  gboolean finished;
};

/* ---- queries ---- */

typedef void (*ClqQueryFunc) (ClqQuery *query, gpointer user_data);

struct _ClqQuery
{
  guint8 id[16];
  guint64 after;
  guint64 before;
  gint64 now;
  gint64 lease_until;
  guint32 segment;
  guint limit;
  guint types;
  gboolean newest_first;
  char *text;
  char *key;
  GHashTable *filters;
  /* answer */
  GPtrArray *heads;
  GPtrArray *records;
  GArray *relevance;   /* double, one per hit of a search */
  GByteArray *hit_ids; /* 16 bytes per hit of a search: its session */
  GArray *segments;
  GPtrArray *mark_names;
  GArray *marks;
  GArray *usage; /* ClqUsage, owns its names */
  char *answer;
  char *result;    /* loads with a key */
  guint64 key_seq; /* 0 = nothing had the key */
  gint64 next_due;
  GError *error;
  gboolean finished;
  ClqQueryFunc func;
  gpointer user_data;
};

CLQ_API ClqQuery *clq_query_new (ClqQueryFunc func, gpointer user_data);
CLQ_API void clq_query_set_filter (ClqQuery *self, const char *name, const char *value);
CLQ_API void clq_query_free (ClqQuery *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqQuery, clq_query_free)

/* ---- events ---- */

struct _ClqEvent
{
  int ref_count;
  ClqEvent *next;
  const char *name; /* interned by the graph, or owned_name */
  char *owned_name;
  char *payload;
  char *text;
  char *partial;
  char *actor;
  char *key;
  char *to; /* bare graphs: the target that the sender chose; NULL = the guards choose */
  GError *error;
  gint32 index; /* of the event in the graph; -1 = unknown there */
  guint8 kind;
  guint8 role;
  guint8 purpose;    /* engine's own */
  guint8 due;        /* timers: a ClqDueKind */
  guint8 record;     /* what is to be recorded: a ClqRecordPurpose */
  guint8 is_new_key; /* the store does not know the key */
  guint8 is_final;   /* failures: trying again was tried */
  guint8 overtakes;  /* leads away from a running visit */
  guint8 is_message;
  guint32 entry;         /* timers: of this entry only; 0 = any */
  guint64 visit;         /* outcomes: of this visit only */
  ClqChange *change;     /* outcomes: what the node wrote */
  GTimeSpan retry_after; /* failures: the next attempt is not made before */
  char *said;
  GPtrArray *calls;  /* engine's own: the calls that the event is about; references */
  GPtrArray *absent; /* engine's own: names of agents that the visit did not find */
  gpointer func;     /* who waits for the answer */
  gpointer user_data;
};

CLQ_API ClqEvent *clq_event_new (ClqEventKind kind, const char *name);
CLQ_API ClqEvent *clq_event_ref (ClqEvent *self);
CLQ_API void clq_event_unref (ClqEvent *self);
CLQ_API void clq_event_reset (ClqEvent *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqEvent, clq_event_unref)

/* ---- views ---- */

struct _ClqView
{
  const ClqHead *head;
  const char *data; /* "{}" if nothing */
  const char *state;
  const char *schedule; /* NULL = none */
  const char *questions;
  gint64 next_run;
  gint64 now;
  guint32 turns_here;
  const char *const *state_names; /* for visits */
  const char *(*setting) (ClqView *view, const char *key);
  gpointer (*modality) (ClqView *view, gconstpointer info);
  gpointer graph;
  const char *comparison; /* NULL unless the change asked for one */
  char id_text[CLQ_ID_LENGTH + 1];
};

/* ---- changes ---- */

typedef enum
{
  CLQ_OP_SET,
  CLQ_OP_UNSET,
  CLQ_OP_RECORD,
  CLQ_OP_ASK,
  CLQ_OP_CLEAR_QUESTIONS,
  CLQ_OP_SCHEDULE,
  CLQ_OP_DEADLINE,
  CLQ_OP_MARK,
  CLQ_OP_DROP_MARK,
  CLQ_OP_FORK,
  CLQ_OP_GO_TO_MARK,
  CLQ_OP_GO_TO_RECORD,
  CLQ_OP_GO_BACK,
  CLQ_OP_INCLUDE,
  CLQ_OP_COMPARE,
  CLQ_OP_TITLE,
  CLQ_OP_REASON,
  CLQ_OP_RESULT,
  CLQ_OP_NOTIFY,
  CLQ_OP_WARN,
  CLQ_OP_TAG,
} ClqOpType;

typedef struct
{
  ClqOpType type;
  guint8 record_type;
  guint8 role;
  gint64 number;
  gsize name;  /* offset in text; 0 = none */
  gsize value; /* offset in text; 0 = none */
} ClqOp;

struct _ClqChange
{
  GArray *ops;
  GString *text; /* starts with one byte, so that offset 0 is free */
};

CLQ_API ClqChange *clq_change_new (void);
CLQ_API void clq_change_reset (ClqChange *self);
CLQ_API void clq_change_free (ClqChange *self);
CLQ_API void clq_change_extend (ClqChange *self, const ClqChange *other);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqChange, clq_change_free)

static inline guint
clq_change_get_n_ops (const ClqChange *self)
{
  return self->ops->len;
}

static inline const ClqOp *
clq_change_get_op (const ClqChange *self, guint index)
{
  return &g_array_index (self->ops, ClqOp, index);
}

static inline const char *
clq_change_get_string (const ClqChange *self, gsize offset)
{
  return offset > 0 ? self->text->str + offset : NULL;
}

/* ---- visits and calls: the host brings the behaviour ---- */

typedef struct
{
  void (*say) (ClqVisit *visit, const char *text, gsize length);
  void (*progress) (ClqVisit *visit, double fraction, const char *text);
  void (*after) (ClqVisit *visit, GTimeSpan delay, ClqVisitFunc func, gpointer user_data);
  void (*set_timeout) (ClqVisit *visit, GTimeSpan timeout);
  void (*read_journal) (ClqVisit *visit, guint types, guint64 after, guint64 before, guint limit, ClqJournalFunc func, gpointer user_data);
  gboolean (*has_agent) (ClqVisit *visit, const char *agent);
  guint64 (*estimate_tokens) (ClqVisit *visit, const char *agent, const char *text);
  void (*call) (ClqVisit *visit, gboolean tool, const char *key, const char *target, const char *request, gboolean stream, ClqCallFunc func, gpointer user_data);
  void (*ask) (ClqVisit *visit, const char *key, const ClqQuestion *question, ClqCallFunc func, gpointer user_data);
  void (*reject) (ClqVisit *visit, const char *key, const char *why);
  void (*fan_out) (ClqVisit *visit, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data);
  void (*fail) (ClqVisit *visit, const GError *error);
  void (*dispose) (ClqVisit *visit);
  void (*search) (ClqVisit *visit, const char *text, guint limit, ClqSearchFunc func, gpointer user_data);
  GData **(*memos) (ClqVisit *visit); /* NULL: there is no place for any */
} ClqVisitOps;

struct _ClqVisit
{
  const ClqVisitOps *ops;
  int ref_count;
  gboolean over;
  guint attempt;
  guint64 id;
  ClqNode *node;
  ClqView view;
  ClqEvent *event;
  ClqChange *change;
  GString *said;
  GCancellable *cancellable;
  char *key;
  char *payload; /* of the outcome */
  gpointer host;
};

typedef struct
{
  void (*after) (ClqCall *call, GTimeSpan delay, ClqCallTimerFunc func, gpointer user_data);
  void (*piece) (ClqCall *call, const char *text, gsize length);
  void (*done) (ClqCall *call);
  gint64 (*now) (ClqCall *call);
  void (*dispose) (ClqCall *call);
} ClqCallOps;

struct _ClqCall
{
  const ClqCallOps *ops;
  int ref_count;
  gboolean over;
  gboolean replayed;
  char *key;
  char *target;
  char *request;
  char *idempotency_key;
  char *text;
  GError *error;
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
  guint64 earlier_in; /* tokens of the rounds before, in which the agent asked for tools */
  guint64 earlier_out;
  GString *wants;        /* JSON, without the closing bracket: the tools that the agent asks for; NULL = none */
  GTimeSpan retry_after; /* of a failure: the other side wants to be left alone for so long */
  GCancellable *cancellable;
};

/* ---- secrets ---- */

char *clq_secret_service_lookup (const char *name, GError **error);

/* ---- nodes ---- */

typedef void (*ClqInstanceFreeFunc) (const ClqFeature *feature, gpointer instance);

typedef struct
{
  const ClqNodeInfo *info;
  gpointer self;
  ClqInstanceFreeFunc free_self;
} ClqNodePrivate;

CLQ_API ClqNode *clq_node_new (GType type, const ClqNodeInfo *info, gpointer self_data, ClqInstanceFreeFunc free_self);
CLQ_API void clq_node_enter (ClqNode *self, ClqVisit *visit);
CLQ_API guint clq_node_get_outcome_signal (void);

G_END_DECLS
