#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

/* Steps that nodes make without anybody's help, and that nothing counts. */
typedef struct
{
  ClqCompiler *compiler;
  GArray **next; /* per state: guint */
} Loops;

static gboolean
runs_on_arrival (const ClqGraph *graph, guint state, guint event)
{
  return graph->states[state].entry != NULL || clq_graph_get_binding (graph, state, (int) event) != NULL;
}

static void
add_steps (Loops *loops, guint state, guint event)
{
  const ClqGraph *graph = loops->compiler->graph;
  guint n_ways;
  const ClqWay *ways = clq_ways_get (loops->compiler->ways, state, event, &n_ways);

  for (guint i = 0; i < n_ways; i++)
    {
      const ClqGuard *guard = ways[i].rule >= 0 ? graph->rules[ways[i].rule].guard : NULL;
      guint target = (guint) ways[i].target;

      if (ways[i].target >= 0 && graph->states[target].max_visits == 0 && runs_on_arrival (graph, target, event) &&
          (guard == NULL || !clq_guard_counts (guard)))
        g_array_append_val (loops->next[state], target);
    }
}

static void
find_steps (Loops *loops)
{
  const ClqGraph *graph = loops->compiler->graph;

  loops->next = g_new0 (GArray *, graph->n_states);
  for (guint state = 0; state < graph->n_states; state++)
    {
      loops->next[state] = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint event = 0; event < graph->n_events; event++)
        if ((clq_compiler_occurs (loops->compiler, state, event) & CLQ_OCCURS_BY_NODE) != 0)
          add_steps (loops, state, event);
    }
}

/* The shortest way from a state back to it, without those in @closed: who comes before whom. */
static gboolean
find_loop (const Loops *loops, guint start, const gboolean *closed, int *from)
{
  guint n = loops->compiler->graph->n_states;
  g_autofree guint *queue = g_new (guint, n + 1);
  guint n_queued = 0;

  for (guint i = 0; i < n; i++)
    from[i] = -1;
  queue[n_queued++] = start;
  for (guint i = 0; i < n_queued; i++)
    for (guint j = 0; j < loops->next[queue[i]]->len; j++)
      {
        guint target = g_array_index (loops->next[queue[i]], guint, j);

        if (from[target] >= 0 || (closed[target] && target != start))
          continue;
        from[target] = (int) queue[i];
        if (target == start)
          return TRUE;
        queue[n_queued++] = target;
      }
  return FALSE;
}

static void
report (Loops *loops, guint start, const int *from, gboolean *closed)
{
  ClqCompiler *self = loops->compiler;
  const ClqGraph *graph = self->graph;
  g_autoptr (GString) names = g_string_new (graph->state_names[start]);

  for (guint state = (guint) from[start]; state != start; state = (guint) from[state])
    {
      g_autofree char *name = g_strdup_printf ("%s -> ", graph->state_names[state]);

      g_string_prepend (names, name);
      closed[state] = TRUE;
    }
  closed[start] = TRUE;
  clq_compiler_found (self, start, CLQ_ACCEPT_ENDLESS, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_VALUE, "max-hops in [graph], max-visits in one of the states",
                      "a loop without a bound: %s -> %s, by outcomes alone", graph->state_names[start], names->str);
}

/* Private: finds states that nodes may lead round and round without an input, a timer or a limit. */
void
clq_compiler_check_loops (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;
  Loops loops = { self, NULL };
  g_autofree gboolean *closed = NULL;
  g_autofree int *from = NULL;

  if (graph->bare || graph->max_hops > 0 || self->lacks_kinds)
    return;
  closed = g_new0 (gboolean, graph->n_states);
  from = g_new (int, graph->n_states);
  find_steps (&loops);
  /* Those that are accepted come first: what remains must do without them. */
  for (guint i = 0; i < graph->n_states; i++)
    if ((graph->states[i].accepts & CLQ_ACCEPT_ENDLESS) != 0)
      {
        g_autofree gboolean *none = g_new0 (gboolean, graph->n_states);

        if (find_loop (&loops, i, none, from))
          report (&loops, i, from, none);
        closed[i] = TRUE;
      }
  for (guint i = 0; i < graph->n_states; i++)
    if (!closed[i] && find_loop (&loops, i, closed, from))
      report (&loops, i, from, closed);
  for (guint i = 0; i < graph->n_states; i++)
    g_array_unref (loops.next[i]);
  g_free (loops.next);
}
