/* What the parts of the graph compiler share. */
#pragma once

#include "clq-invariant.h"

G_BEGIN_DECLS

/* A file of 1 MiB could ask for tables of any size. */
#define CLQ_MAX_STATES 1000
#define CLQ_MAX_EVENTS 1000
#define CLQ_MAX_RULES 1000000
#define CLQ_MAX_INVARIANTS 1000

/* Whether an event may come in a state: at all, and as what a node there ends with. */
#define CLQ_OCCURS 1
#define CLQ_OCCURS_BY_NODE 2

/* Where something stands. Without a key it is the group, without a group the file. */
typedef struct
{
  const ClqGroup *group;
  const ClqKey *key;
} ClqPlace;

/* A node that a state asks for. */
typedef struct
{
  ClqPlace place;
  const ClqNodeInfo *info; /* NULL if there is none of that kind, or if bare */
  const char *event;       /* NULL = every entry */
  guint state;
  gboolean inherited; /* from [state *] */
  gboolean unused;    /* inherited, but its event never leads here */
} ClqNodePlan;

typedef struct
{
  ClqGraph *graph;
  const ClqGraphOptions *options;
  ClqFindings *findings; /* of this graph alone */
  char *file;
  char **folders;           /* where files that settings name are looked for */
  guint line;               /* of [graph] there */
  GPtrArray *state_groups;  /* ClqGroup, one per state */
  const ClqGroup *defaults; /* [state *], NULL if none */
  GArray *plans;            /* ClqNodePlan, by state */
  GHashTable *guards;       /* text → ClqGuard */
  ClqWays *ways;            /* what can happen, as soon as there are rules */
  char **actions;
  char **deadlines;
  /* What is not known makes no further findings. */
  gboolean lacks_base;     /* a graph that it extends could not be found */
  gboolean lacks_kinds;    /* outcomes and settings may be missing */
  gboolean lacks_modality; /* fields and predicates may be missing */
  gboolean lacks_rules;    /* a rule could not be read */
  gboolean *doubtful;      /* per state: rules that begin there are missing */
  guint *accepted;         /* per state: what was found and is accepted, ClqAccept */
  guint8 *occurs;          /* [state * n_events + event]: CLQ_OCCURS, CLQ_OCCURS_BY_NODE */
} ClqCompiler;

/* clq-graph-values.c */
void clq_compiler_expand_values (ClqCompiler *self);

/* clq-graph-compile.c */
void clq_compiler_run (ClqCompiler *self);
void clq_compiler_report (ClqCompiler *self, ClqPlace place, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);
void clq_compiler_criticise (ClqCompiler *self, ClqPlace place, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);
void clq_compiler_unknown_key (ClqCompiler *self, ClqPlace place, const ClqSetting *table, GPtrArray *more);
void clq_compiler_parse (ClqCompiler *self, ClqPlace place, const ClqSetting *setting, gpointer values);
void clq_compiler_read_group (ClqCompiler *self, const ClqGroup *group, const ClqSetting *table, gpointer values);
gboolean clq_compiler_ready (ClqCompiler *self, const ClqFeature *feature, gpointer instance, GError **error);
const ClqSetting *clq_compiler_find_setting (const ClqSetting *table, const char *key);
gboolean clq_compiler_check_name (ClqCompiler *self, ClqPlace place, const char *what, const char *name);
gboolean clq_compiler_is_free (const char *name);

/* clq-graph-states.c */
void clq_compiler_read_states (ClqCompiler *self);
ClqPlace clq_compiler_find_key (const ClqCompiler *self, guint state, const char *key);
gboolean clq_compiler_is_state_key (const char *key);
void clq_compiler_unknown_state_key (ClqCompiler *self, ClqPlace place, GPtrArray *settings);
int clq_compiler_find_state (ClqCompiler *self, ClqPlace place, const char *name);
const char *clq_compiler_accept_word (ClqAccept bit);

/* clq-graph-nodes.c */
void clq_compiler_plan_nodes (ClqCompiler *self);
void clq_compiler_make_nodes (ClqCompiler *self);
void clq_binding_free (gpointer binding);

/* clq-graph-tools.c */
void clq_compiler_read_tools (ClqCompiler *self, guint index);

/* clq-graph-events.c */
void clq_compiler_read_events (ClqCompiler *self);
gboolean clq_compiler_is_engine_event (const ClqCompiler *self, guint event);
int clq_compiler_find_event (ClqCompiler *self, ClqPlace place, const char *name);
gboolean clq_compiler_event_leads_to (const ClqCompiler *self, guint event, guint state);
gboolean clq_compiler_stay_enters (const ClqCompiler *self, guint event);

/* clq-graph-rules.c */
void clq_compiler_read_rules (ClqCompiler *self);

/* clq-graph-metrics.c */
void clq_compiler_read_metrics (ClqCompiler *self);
ClqGuard *clq_compiler_get_guard (ClqCompiler *self, ClqPlace place, const char *text);
void clq_metric_free (gpointer metric);

/* clq-graph-invariants.c */
void clq_compiler_prove (ClqCompiler *self);

/* clq-graph-check.c */
void clq_compiler_check (ClqCompiler *self);
ClqFindingLevel clq_compiler_level (const ClqCompiler *self);
void clq_compiler_found (ClqCompiler *self, guint state, ClqAccept what, ClqPlace place, int code, const char *expected, const char *format, ...) G_GNUC_PRINTF (7, 8);

static inline guint8
clq_compiler_occurs (const ClqCompiler *self, guint state, guint event)
{
  return self->occurs[state * self->graph->n_events + event];
}

/* clq-graph-check-rules.c */
void clq_compiler_check_rules (ClqCompiler *self);

/* clq-graph-check-loops.c */
void clq_compiler_check_loops (ClqCompiler *self);

G_END_DECLS
