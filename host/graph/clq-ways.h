/* What can happen in a graph: where each event may lead if every guard that reads more than the state may hold or not. */
#pragma once

#include "clq-graph.h"

G_BEGIN_DECLS

#define CLQ_NOWHERE (-1)

typedef struct
{
  gint32 target; /* a state, CLQ_STAY or CLQ_REFUSE */
  gint32 rule;   /* in the graph's table; -1 = no guard holds, so that nothing takes the event */
} ClqWay;

typedef struct
{
  gint32 event;
  gint32 target; /* a state, CLQ_STAY or CLQ_REFUSE */
} ClqStep;

/* A search, breadth first: what it reached, in which order, and from where. */
typedef struct
{
  guint *order; /* the states it reached, nearest first */
  guint n_reached;
  gint32 *from;  /* per state: the one before it; CLQ_NOWHERE where the search began or did not come */
  gint32 *event; /* per state: what led there */
  gboolean *reached;
} ClqSearch;

typedef struct
{
  const ClqGraph *graph;
  ClqWay *ways;
  guint32 *first;  /* [state * n_events + event], one more at the end */
  ClqSearch start; /* from the initial state */
} ClqWays;

CLQ_API ClqWays *clq_ways_new (const ClqGraph *graph);
CLQ_API void clq_ways_free (ClqWays *self);
CLQ_API gboolean clq_ways_may_refuse (const ClqWays *self, guint state, guint event);
CLQ_API gboolean clq_ways_may_take (const ClqWays *self, guint state, guint event);
CLQ_API void clq_search_run (ClqSearch *self, const ClqWays *ways, guint start, gboolean after, int without);
CLQ_API void clq_search_clear (ClqSearch *self);
CLQ_API void clq_search_append_path (const ClqSearch *self, guint state, GArray *steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqWays, clq_ways_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClqSearch, clq_search_clear)

static inline const ClqWay *
clq_ways_get (const ClqWays *self, guint state, guint event, guint *n_ways)
{
  const guint32 *first = self->first + state * self->graph->n_events + event;

  *n_ways = first[1] - first[0];
  return *n_ways > 0 ? self->ways + first[0] : NULL;
}

G_END_DECLS
