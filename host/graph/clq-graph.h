/* A graph: states, rules, limits. Names are compiled to small integers; once loaded it never changes. */
#pragma once

#include "clq-graph-handle.h"
#include "clq-guard.h"
#include "clq-keyfile.h"
#include "clq-registry.h"

G_BEGIN_DECLS

#define CLQ_STAY (-1)
#define CLQ_REFUSE (-2)

typedef struct
{
  gint32 target;   /* a state, CLQ_STAY or CLQ_REFUSE */
  guint32 written; /* which ClqAlternative it is */
  ClqGuard *guard; /* NULL = always; owned by the graph */
  const char *file;
  guint line;
} ClqRule;

typedef enum
{
  CLQ_RULES_ALWAYS,
  CLQ_RULES_TRANSITIONS,
  CLQ_RULES_OTHERWISE,
} ClqRuleGroup;

/* A rule as it stands in the file: TARGET [if GUARD]. One of [always] or [otherwise] is a ClqRule of every state. */
typedef struct
{
  gint32 target;
  ClqGuard *guard;
  const ClqGroup *group;
  const ClqKey *key;
  guint8 rules; /* ClqRuleGroup */
  gint16 state; /* -1 = any */
  gint16 event;
  guint32 index; /* among the alternatives of its key */
} ClqAlternative;

/* A node in its place: the behaviour of one state, for every entry or for one event. */
typedef struct
{
  ClqGraph *graph; /* not a reference */
  ClqNode *node;
  const char *kind;
  guint16 state;
  gint16 event; /* -1 = every entry */
} ClqBinding;

typedef enum
{
  CLQ_BUSY_QUEUE,
  CLQ_BUSY_REFUSE,
  CLQ_BUSY_INTERRUPT,
} ClqBusy;

/* Findings that are meant: the words of accept=. */
typedef enum
{
  CLQ_ACCEPT_UNREACHABLE = 1 << 0,
  CLQ_ACCEPT_DEAD_END = 1 << 1,
  CLQ_ACCEPT_NEVER_TAKEN = 1 << 2,
  CLQ_ACCEPT_UNHANDLED = 1 << 3,
  CLQ_ACCEPT_UNANSWERED = 1 << 4,
  CLQ_ACCEPT_ENDLESS = 1 << 5,
} ClqAccept;

typedef struct
{
  const char *name;      /* interned */
  char *title;           /* summary=, NULL if none */
  ClqBinding *entry;     /* node=; NULL if none */
  ClqBinding **on_event; /* node.EVENT=, one slot per event of the graph; NULL array if none */
  GTimeSpan timeout;     /* 0 = none */
  GTimeSpan idle;
  GTimeSpan visit_timeout;
  GTimeSpan *visit_timeout_on; /* visit-timeout.EVENT, one slot per event, -1 = not given; NULL array if none */
  GTimeSpan backoff_min;
  GTimeSpan backoff_max;
  GTimeSpan target; /* durations to be kept, 0 = none */
  GTimeSpan alert;
  guint retry;
  guint max_visits; /* 0 = no limit */
  char **tools;     /* kinds that agents may ask for; NULL = none */
  char **confirm;   /* those of them that a person has to allow each time */
  char *tools_text; /* JSON: what agents are told of them; NULL = nothing */
  guint max_tool_rounds;
  ClqBusy busy;
  gboolean waits; /* wait=answer */
  gboolean final;
  gboolean milestone;
  guint accepts; /* ClqAccept */
  const char *file;
  guint line;
} ClqState;

/* Events that the engine raises itself. Their names can be changed in [events]. */
typedef enum
{
  CLQ_ENGINE_TIMEOUT,
  CLQ_ENGINE_IDLE,
  CLQ_ENGINE_DUE,
  CLQ_ENGINE_ANSWER,
  CLQ_ENGINE_FAILED,
  CLQ_ENGINE_RETRY,
  CLQ_ENGINE_FALLBACK,
  CLQ_ENGINE_LIMIT,
  CLQ_N_ENGINE_EVENTS,
} ClqEngineEvent;

typedef struct
{
  const char *name; /* interned */
  gboolean is_action;
  gboolean is_outcome;  /* some node of the graph declares it (after [events]) */
  gboolean is_deadline; /* listed in deadlines= */
} ClqGraphEvent;

typedef struct
{
  char *name;
  char **of;                    /* what is counted: "STATE.EVENT" or "STATE.*" or "EVENT" */
  char **per;                   /* against what; NULL = a plain count */
  char target_sign, alert_sign; /* '<' or '>'; 0 = none */
  double target, alert;         /* 0..1 */
  guint window;
  guint at_least; /* events before alert counts */
  ClqGuard *when; /* only then an event counts; NULL = always */
} ClqMetric;

struct _ClqGraph
{
  gatomicrefcount ref_count;
  const char *name; /* interned */
  const char *hash; /* interned; 32 hexadecimal digits of the SHA-256 of text */
  char *title;
  char *chat; /* the graph to talk to instead of this one, NULL if there is none */
  char *text; /* the whole graph with what it extends, as one file */
  ClqKeyfile *keyfile;
  ClqState *states;
  const char **state_names; /* NULL-terminated */
  guint n_states;
  guint initial;
  ClqGraphEvent *events;
  const char **event_names; /* NULL-terminated */
  guint n_events;
  GHashTable *event_index;                /* name → index + 1 */
  GHashTable *aliases;                    /* outcome name → event index + 1, from [events] */
  int engine_events[CLQ_N_ENGINE_EVENTS]; /* index of each; always present */
  int message;                            /* index of the action `message`, -1 if there is none */
  ClqRule *rules;
  guint32 *first_rule;             /* [state * n_events + event], one more at the end */
  GArray *written;                 /* ClqAlternative: the rules as they stand in the file */
  GPtrArray *invariants;           /* ClqInvariant */
  GPtrArray *bindings;             /* ClqBinding */
  GPtrArray *guards;               /* ClqGuard, owned */
  GPtrArray *metrics;              /* ClqMetric */
  const ClqModalityInfo *modality; /* NULL if none or bare */
  gpointer modality_self;
  guint max_hops; /* 0 = no limit */
  guint64 max_tokens;
  double max_cost;
  gboolean bare;
  gboolean is_measured;    /* there are metrics, or stays that may be too long */
  GHashTable *state_index; /* name → index + 1 */
};

typedef struct
{
  ClqRegistry *registry;        /* NULL only with bare */
  const char *const *folders;   /* where names of graphs are looked up: FOLDER/NAME.graph */
  const char *const *overrides; /* (nullable) GROUP.KEY=VALUE */
  gboolean bare;                /* leave nodes and modality out; what the graph promises and breaks is a warning then */
} ClqGraphOptions;

CLQ_API ClqGraph *clq_graph_load (const char *name_or_path, const ClqGraphOptions *options, ClqFindings *findings);
CLQ_API ClqGraph *clq_graph_load_text (const char *name, const char *text, const ClqGraphOptions *options, ClqFindings *findings);
CLQ_API char *clq_graph_find_file (const char *name_or_path, const char *const *folders, GError **error);

CLQ_API int clq_graph_find_state (const ClqGraph *self, const char *name);
CLQ_API int clq_graph_find_event (const ClqGraph *self, const char *name);
CLQ_API int clq_graph_find_outcome (const ClqGraph *self, const char *outcome); /* through [events] */

CLQ_API gboolean clq_metric_matches (char **patterns, const char *state, const char *event);
CLQ_API gboolean clq_bound_holds (char sign, double bound, double value);

static inline const ClqRule *
clq_graph_get_rules (const ClqGraph *self, guint state, guint event, guint *n_rules)
{
  const guint32 *first = self->first_rule + state * self->n_events + event;

  *n_rules = first[1] - first[0];
  return *n_rules > 0 ? self->rules + first[0] : NULL;
}

static inline ClqBinding *
clq_graph_get_binding (const ClqGraph *self, guint state, int event)
{
  const ClqState *place = &self->states[state];

  if (event >= 0 && place->on_event != NULL && place->on_event[event] != NULL)
    return place->on_event[event];
  return NULL;
}

G_END_DECLS
