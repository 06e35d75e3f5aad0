#define G_LOG_DOMAIN "clq-graph"

#include "clq-draw.h"

#include "clq-ways.h"

static void
edge_clear (gpointer data)
{
  g_free (((ClqDrawEdge *) data)->label);
}

/* What stands at the arrow. A guard that the state decides says nothing there. */
static char *
make_label (const ClqWays *ways, guint state, guint event, guint index)
{
  const ClqGraph *graph = ways->graph;
  guint n_ways;
  const ClqWay *way = clq_ways_get (ways, state, event, &n_ways) + index;
  const ClqGuard *guard = graph->rules[way->rule].guard;

  if (guard != NULL && clq_guard_eval_in_state (guard, graph->state_names[state]) == CLQ_MAYBE)
    return g_strdup_printf ("%s [%s]", graph->event_names[event], clq_guard_get_text (guard));
  return g_strconcat (graph->event_names[event], index > 0 ? " [else]" : "", NULL);
}

static void
append_edge (const ClqWays *ways, guint state, guint written, GArray *edges)
{
  const ClqGraph *graph = ways->graph;
  const ClqAlternative *rule = &g_array_index (graph->written, ClqAlternative, written);
  guint n_ways;
  const ClqWay *all = clq_ways_get (ways, state, rule->event, &n_ways);

  for (guint i = 0; i < n_ways && all[i].rule >= 0; i++)
    if (graph->rules[all[i].rule].written == written && all[i].target >= 0)
      {
        ClqDrawEdge edge = { state, (guint) rule->event, (guint) all[i].target, rule->rules != CLQ_RULES_TRANSITIONS, NULL };

        edge.label = make_label (ways, state, edge.event, i);
        g_array_append_val (edges, edge);
      }
}

/* Private: the transitions that may be made, in the order of the file. */
GArray *
clq_draw_list_edges (const ClqGraph *graph)
{
  g_autoptr (ClqWays) ways = clq_ways_new (graph);
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (ClqDrawEdge));

  g_array_set_clear_func (edges, edge_clear);
  for (guint i = 0; i < graph->written->len; i++)
    {
      const ClqAlternative *rule = &g_array_index (graph->written, ClqAlternative, i);

      if (rule->rules == CLQ_RULES_TRANSITIONS)
        append_edge (ways, (guint) rule->state, i, edges);
    }
  for (guint i = 0; i < graph->written->len; i++)
    for (guint state = 0; state < graph->n_states; state++)
      if (g_array_index (graph->written, ClqAlternative, i).rules != CLQ_RULES_TRANSITIONS)
        append_edge (ways, state, i, edges);
  return edges;
}

/* Private: whether the session has been in a state. */
gboolean
clq_draw_is_visited (const ClqDrawMarks *marks, guint state)
{
  for (guint i = 0; marks != NULL && i < marks->n_moves; i++)
    if (marks->path[i].from == state || marks->path[i].to == state)
      return TRUE;
  return FALSE;
}

/* Private: whether the session has gone this way. */
gboolean
clq_draw_is_taken (const ClqDrawMarks *marks, const ClqDrawEdge *edge)
{
  for (guint i = 0; marks != NULL && i < marks->n_moves; i++)
    if (marks->path[i].from == edge->from && marks->path[i].event == edge->event && marks->path[i].to == edge->to)
      return TRUE;
  return FALSE;
}

/**
 * clq_graph_draw:
 * @self: a graph
 * @format: how
 * @marks: (nullable): where a session is and how it came there
 *
 * Draws a graph: as a Mermaid `stateDiagram-v2`, for Graphviz, as W3C SCXML, or as a Promela model with which spin checks the
 * invariants once more.
 *
 * Returns: (transfer full): the drawing
 */
char *
clq_graph_draw (const ClqGraph *self, ClqDrawFormat format, const ClqDrawMarks *marks)
{
  g_return_val_if_fail (self != NULL, NULL);
  switch (format)
    {
    case CLQ_DRAW_DOT:
      return clq_draw_dot (self, marks);
    case CLQ_DRAW_SCXML:
      return clq_draw_scxml (self);
    case CLQ_DRAW_PROMELA:
      return clq_draw_promela (self);
    case CLQ_DRAW_MERMAID:
    default:
      return clq_draw_mermaid (self, marks);
    }
}
