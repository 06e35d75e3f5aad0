#define G_LOG_DOMAIN "clq-graph"

#include "clq-ways.h"

/* ---- ways ---- */

/* The alternatives that may decide, in order, up to the first that must. */
static void
append_ways (const ClqGraph *graph, guint state, guint event, GArray *ways)
{
  guint n_rules;
  const ClqRule *rules = clq_graph_get_rules (graph, state, event, &n_rules);
  ClqWay way;

  for (guint i = 0; i < n_rules; i++)
    {
      ClqTruth truth = rules[i].guard == NULL ? CLQ_TRUE : clq_guard_eval_in_state (rules[i].guard, graph->state_names[state]);

      if (truth == CLQ_FALSE)
        continue;
      way = (ClqWay){ rules[i].target, (gint32) (rules + i - graph->rules) };
      g_array_append_val (ways, way);
      if (truth == CLQ_TRUE)
        return;
    }
  way = (ClqWay){ CLQ_REFUSE, -1 };
  if (n_rules > 0)
    g_array_append_val (ways, way);
}

/**
 * clq_ways_new:
 * @graph: a graph with its rules; it must live as long as the ways
 *
 * Finds out what may happen in each state, and which states can be reached.
 *
 * Returns: (transfer full): the ways
 */
ClqWays *
clq_ways_new (const ClqGraph *graph)
{
  ClqWays *self;
  GArray *ways;

  g_return_val_if_fail (graph != NULL && graph->first_rule != NULL, NULL);

  self = g_new0 (ClqWays, 1);
  self->graph = graph;
  self->first = g_new (guint32, (gsize) graph->n_states * graph->n_events + 1);
  ways = g_array_new (FALSE, FALSE, sizeof (ClqWay));
  for (guint state = 0; state < graph->n_states; state++)
    for (guint event = 0; event < graph->n_events; event++)
      {
        self->first[state * graph->n_events + event] = ways->len;
        append_ways (graph, state, event, ways);
      }
  self->first[graph->n_states * graph->n_events] = ways->len;
  self->ways = (ClqWay *) g_array_free (ways, FALSE);
  clq_search_run (&self->start, self, graph->initial, FALSE, CLQ_NOWHERE);
  return self;
}

/**
 * clq_ways_free:
 * @self: (nullable): ways
 *
 * Frees them.
 */
void
clq_ways_free (ClqWays *self)
{
  if (self == NULL)
    return;
  clq_search_clear (&self->start);
  g_free (self->ways);
  g_free (self->first);
  g_free (self);
}

/**
 * clq_ways_may_refuse:
 * @self: ways
 * @state: a state
 * @event: an event
 *
 * Returns: whether the event may come there and not be taken
 */
gboolean
clq_ways_may_refuse (const ClqWays *self, guint state, guint event)
{
  guint n_ways;
  const ClqWay *ways = clq_ways_get (self, state, event, &n_ways);

  for (guint i = 0; i < n_ways; i++)
    if (ways[i].target == CLQ_REFUSE)
      return TRUE;
  return n_ways == 0;
}

/**
 * clq_ways_may_take:
 * @self: ways
 * @state: a state
 * @event: an event
 *
 * Returns: whether the event may be taken there, by a transition or by staying
 */
gboolean
clq_ways_may_take (const ClqWays *self, guint state, guint event)
{
  guint n_ways;
  const ClqWay *ways = clq_ways_get (self, state, event, &n_ways);

  for (guint i = 0; i < n_ways; i++)
    if (ways[i].target != CLQ_REFUSE)
      return TRUE;
  return FALSE;
}

/* ---- searches ---- */

static void
reach (ClqSearch *self, guint state, int from, int event)
{
  if (self->reached[state])
    return;
  self->reached[state] = TRUE;
  self->from[state] = from;
  self->event[state] = event;
  self->order[self->n_reached++] = state;
}

static void
follow (ClqSearch *self, const ClqWays *ways, guint state, int without)
{
  for (guint event = 0; event < ways->graph->n_events; event++)
    {
      guint n_ways;
      const ClqWay *all = clq_ways_get (ways, state, event, &n_ways);

      for (guint i = 0; i < n_ways; i++)
        if (all[i].target >= 0 && all[i].target != without)
          reach (self, all[i].target, state, event);
    }
}

/**
 * clq_search_run:
 * @self: (out caller-allocates): where to put the result
 * @ways: what can happen
 * @start: the state to begin with
 * @after: whether @start counts as reached only if a transition leads there
 * @without: a state that no path may pass, or %CLQ_NOWHERE
 *
 * Follows all transitions, the nearest states first. Events and rules are tried in the order of the graph, so that the result is
 * always the same.
 */
void
clq_search_run (ClqSearch *self, const ClqWays *ways, guint start, gboolean after, int without)
{
  guint n = ways->graph->n_states;

  *self = (ClqSearch){ .order = g_new (guint, n), .from = g_new (gint32, n), .event = g_new (gint32, n), .reached = g_new0 (gboolean, n) };
  for (guint i = 0; i < n; i++)
    self->from[i] = self->event[i] = CLQ_NOWHERE;
  if (after)
    follow (self, ways, start, without);
  else if ((int) start != without)
    reach (self, start, CLQ_NOWHERE, CLQ_NOWHERE);
  for (guint i = 0; i < self->n_reached; i++)
    follow (self, ways, self->order[i], without);
}

/**
 * clq_search_clear:
 * @self: a search
 *
 * Frees what it found.
 */
void
clq_search_clear (ClqSearch *self)
{
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->from, g_free);
  g_clear_pointer (&self->event, g_free);
  g_clear_pointer (&self->reached, g_free);
}

/**
 * clq_search_append_path:
 * @self: a search that began at its start
 * @state: a state that it reached
 * @steps: (element-type ClqStep): where to append the shortest way there
 */
void
clq_search_append_path (const ClqSearch *self, guint state, GArray *steps)
{
  guint first = steps->len;

  g_return_if_fail (self->reached[state]);
  for (int at = (int) state; self->from[at] != CLQ_NOWHERE; at = self->from[at])
    {
      ClqStep step = { self->event[at], at };

      g_array_append_val (steps, step);
    }
  for (guint i = first, j = steps->len; i + 1 < j; i++, j--)
    {
      ClqStep step = g_array_index (steps, ClqStep, i);

      g_array_index (steps, ClqStep, i) = g_array_index (steps, ClqStep, j - 1);
      g_array_index (steps, ClqStep, j - 1) = step;
    }
}
