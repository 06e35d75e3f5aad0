#define G_LOG_DOMAIN "clq-graph"

#include "clq-invariant.h"

typedef struct
{
  const ClqInvariant *invariant;
  const ClqWays *ways;
  const ClqGraph *graph;
  ClqCounterexample *refutation;
} Proof;

static guint
get (const GArray *indices, guint index)
{
  return g_array_index (indices, guint, index);
}

static const char *
state_name (const Proof *proof, guint state)
{
  return proof->graph->state_names[state];
}

static const char *
event_name (const Proof *proof, guint event)
{
  return proof->graph->event_names[event];
}

static gboolean
is_reached (const Proof *proof, guint state)
{
  return proof->ways->start.reached[state];
}

/* Where the session is after a step. */
static guint
after (guint state, int target)
{
  return target >= 0 ? (guint) target : state;
}

/* How sure it is that an event leads somewhere. */
static const char *
leads (const Proof *proof, guint state, guint event)
{
  guint n_ways;

  clq_ways_get (proof->ways, state, event, &n_ways);
  return n_ways > 1 ? "may lead" : "leads";
}

/* ---- refuting ---- */

static gboolean
refute (Proof *proof, guint state, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* The invariant is broken in a state, or by the steps that are added next. Always FALSE. */
static gboolean
refute (Proof *proof, guint state, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  proof->refutation->why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  clq_search_append_path (&proof->ways->start, state, proof->refutation->steps);
  return FALSE;
}

static void
add_step (Proof *proof, guint event, int target)
{
  ClqStep step = { (gint32) event, target };

  g_array_append_val (proof->refutation->steps, step);
}

/* An event that may come and not be taken. */
static gboolean
refute_by_refusal (Proof *proof, guint path_to, guint state, guint event)
{
  guint n_rules, n_ways;
  const ClqWay *ways = clq_ways_get (proof->ways, state, event, &n_ways);
  const char *where = state_name (proof, state), *what = event_name (proof, event);

  clq_graph_get_rules (proof->graph, state, event, &n_rules);
  if (n_rules == 0)
    return refute (proof, path_to, "%s has no rule for '%s'", where, what);
  if (n_ways == 1)
    return refute (proof, path_to, "%s refuses '%s'", where, what);
  if (ways[n_ways - 1].rule < 0)
    return refute (proof, path_to, "%s may have no rule for '%s', because each has a guard", where, what);
  return refute (proof, path_to, "%s may refuse '%s'", where, what);
}

/* ---- the forms ---- */

static gboolean
prove_leads (Proof *proof)
{
  guint from = get (proof->invariant->states, 0), to = get (proof->invariant->others, 0);
  g_auto (ClqSearch) search = { 0 };

  if (!is_reached (proof, from))
    return TRUE;
  clq_search_run (&search, proof->ways, from, TRUE, CLQ_NOWHERE);
  if (search.reached[to])
    return TRUE;
  return refute (proof, from, "no way leads from %s to %s", state_name (proof, from), state_name (proof, to));
}

static gboolean
prove_leads_by (Proof *proof)
{
  guint from = get (proof->invariant->states, 0), to = get (proof->invariant->others, 0), event = get (proof->invariant->events, 0);
  guint n_ways;
  const ClqWay *ways = clq_ways_get (proof->ways, from, event, &n_ways);

  if (!is_reached (proof, from))
    return TRUE;
  if (clq_ways_may_refuse (proof->ways, from, event))
    {
      refute_by_refusal (proof, from, from, event);
      add_step (proof, event, CLQ_REFUSE);
      return FALSE;
    }
  for (guint i = 0; i < n_ways; i++)
    if (after (from, ways[i].target) != to)
      {
        refute (proof, from, "'%s' %s from %s to %s", event_name (proof, event), leads (proof, from, event), state_name (proof, from), state_name (proof, after (from, ways[i].target)));
        add_step (proof, event, ways[i].target);
        return FALSE;
      }
  return TRUE;
}

typedef gboolean (*MoveFunc) (const Proof *proof, guint from, guint event, guint to);

/* No event may move the session from one state to another in a way that @is_bad. */
static gboolean
prove_moves (Proof *proof, guint from, MoveFunc is_bad)
{
  for (guint event = 0; event < proof->graph->n_events; event++)
    {
      guint n_ways;
      const ClqWay *ways = clq_ways_get (proof->ways, from, event, &n_ways);

      for (guint i = 0; i < n_ways; i++)
        {
          int to = ways[i].target;

          if (to < 0 || to == (int) from || !is_bad (proof, from, event, (guint) to))
            continue;
          refute (proof, from, "'%s' %s from %s to %s", event_name (proof, event), leads (proof, from, event), state_name (proof, from), state_name (proof, (guint) to));
          add_step (proof, event, to);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
prove_all_moves (Proof *proof, MoveFunc is_bad)
{
  const ClqSearch *start = &proof->ways->start;

  for (guint i = 0; i < start->n_reached; i++)
    if (!prove_moves (proof, start->order[i], is_bad))
      return FALSE;
  return TRUE;
}

static gboolean
enters_from_outside (const Proof *proof, guint from, guint event, guint to)
{
  return clq_indices_contain (proof->invariant->others, to) && !clq_indices_contain (proof->invariant->states, from);
}

static gboolean
is_by_other_event (const Proof *proof, guint from, guint event, guint to)
{
  return !clq_indices_contain (proof->invariant->events, event);
}

static gboolean
is_by_this_event (const Proof *proof, guint from, guint event, guint to)
{
  return clq_indices_contain (proof->invariant->events, event);
}

static gboolean
prove_left_by (Proof *proof)
{
  guint state = get (proof->invariant->states, 0);

  return !is_reached (proof, state) || prove_moves (proof, state, is_by_other_event);
}

static gboolean
has_exit (const ClqWays *ways, guint state)
{
  const guint32 *first = ways->first + state * ways->graph->n_events;

  for (guint32 i = first[0]; i < first[ways->graph->n_events]; i++)
    if (ways->ways[i].target >= 0 && ways->ways[i].target != (int) state)
      return TRUE;
  return FALSE;
}

static gboolean
prove_exit (Proof *proof)
{
  const ClqSearch *start = &proof->ways->start;

  for (guint i = 0; i < start->n_reached; i++)
    {
      guint state = start->order[i];

      if (!clq_indices_contain (proof->invariant->others, state) && !has_exit (proof->ways, state))
        return refute (proof, state, "nothing leads from %s to another state", state_name (proof, state));
    }
  return TRUE;
}

static gboolean
prove_accepts (Proof *proof)
{
  const ClqInvariant *invariant = proof->invariant;
  const ClqSearch *start = &proof->ways->start;

  for (guint i = 0; i < start->n_reached; i++)
    for (guint j = 0; j < invariant->events->len; j++)
      {
        guint state = start->order[i], event = get (invariant->events, j);

        if (clq_indices_contain (invariant->others, state) || !clq_ways_may_refuse (proof->ways, state, event))
          continue;
        refute_by_refusal (proof, state, state, event);
        add_step (proof, event, CLQ_REFUSE);
        return FALSE;
      }
  return TRUE;
}

static gboolean
prove_returns (Proof *proof)
{
  guint from = get (proof->invariant->states, 0), out = get (proof->invariant->events, 0), back = get (proof->invariant->events, 1);
  guint n_out, n_back;
  const ClqWay *ways_out = clq_ways_get (proof->ways, from, out, &n_out), *ways_back;

  if (!is_reached (proof, from))
    return TRUE;
  if (clq_ways_may_refuse (proof->ways, from, out))
    {
      refute_by_refusal (proof, from, from, out);
      add_step (proof, out, CLQ_REFUSE);
      return FALSE;
    }
  for (guint i = 0; i < n_out; i++)
    {
      guint there = after (from, ways_out[i].target);

      if (clq_ways_may_refuse (proof->ways, there, back))
        {
          refute_by_refusal (proof, from, there, back);
          add_step (proof, out, ways_out[i].target);
          add_step (proof, back, CLQ_REFUSE);
          return FALSE;
        }
      ways_back = clq_ways_get (proof->ways, there, back, &n_back);
      for (guint j = 0; j < n_back; j++)
        if (after (there, ways_back[j].target) != from)
          {
            refute (proof, from, "'%s' %s from %s to %s", event_name (proof, back), leads (proof, there, back), state_name (proof, there), state_name (proof, after (there, ways_back[j].target)));
            add_step (proof, out, ways_out[i].target);
            add_step (proof, back, ways_back[j].target);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
prove_before (Proof *proof)
{
  guint first = get (proof->invariant->states, 0), later = get (proof->invariant->others, 0);
  g_auto (ClqSearch) search = { 0 };

  clq_search_run (&search, proof->ways, proof->graph->initial, FALSE, (int) first);
  if (!search.reached[later])
    return TRUE;
  proof->refutation->why = g_strdup_printf ("a way leads to %s without %s", state_name (proof, later), state_name (proof, first));
  clq_search_append_path (&search, later, proof->refutation->steps);
  return FALSE;
}

/**
 * clq_invariant_prove:
 * @self: an invariant
 * @ways: what can happen in its graph
 * @refutation: (out caller-allocates): the shortest counterexample if it does not hold; free it in any case
 *
 * Looks at everything that can happen.
 *
 * Returns: whether the invariant holds
 */
gboolean
clq_invariant_prove (const ClqInvariant *self, const ClqWays *ways, ClqCounterexample *refutation)
{
  Proof proof = { self, ways, NULL, refutation };

  g_return_val_if_fail (self != NULL && ways != NULL && refutation != NULL, FALSE);

  proof.graph = ways->graph;
  *refutation = (ClqCounterexample){ g_array_new (FALSE, FALSE, sizeof (ClqStep)), NULL };
  switch (self->form)
    {
    case CLQ_INVARIANT_LEADS:
      return prove_leads (&proof);
    case CLQ_INVARIANT_LEADS_BY:
      return prove_leads_by (&proof);
    case CLQ_INVARIANT_ENTER:
      return prove_all_moves (&proof, enters_from_outside);
    case CLQ_INVARIANT_LEFT_BY:
    case CLQ_INVARIANT_NEVER_LEFT:
      return prove_left_by (&proof);
    case CLQ_INVARIANT_EXIT:
      return prove_exit (&proof);
    case CLQ_INVARIANT_ACCEPTS:
      return prove_accepts (&proof);
    case CLQ_INVARIANT_KEEP:
      return prove_all_moves (&proof, is_by_this_event);
    case CLQ_INVARIANT_RETURNS:
      return prove_returns (&proof);
    case CLQ_INVARIANT_BEFORE:
      return prove_before (&proof);
    default:
      g_return_val_if_reached (FALSE);
    }
}

/**
 * clq_invariant_get_subject:
 * @self: an invariant
 *
 * Returns: the state that must be reached before the invariant says anything, or -1 if it always does
 */
int
clq_invariant_get_subject (const ClqInvariant *self)
{
  switch (self->form)
    {
    case CLQ_INVARIANT_LEADS:
    case CLQ_INVARIANT_LEADS_BY:
    case CLQ_INVARIANT_LEFT_BY:
    case CLQ_INVARIANT_NEVER_LEFT:
    case CLQ_INVARIANT_RETURNS:
      return (int) get (self->states, 0);
    case CLQ_INVARIANT_BEFORE:
      return (int) get (self->others, 0);
    case CLQ_INVARIANT_ENTER:
    case CLQ_INVARIANT_EXIT:
    case CLQ_INVARIANT_ACCEPTS:
    case CLQ_INVARIANT_KEEP:
    default:
      return -1;
    }
}

/* ---- counterexamples ---- */

/**
 * clq_counterexample_clear:
 * @self: a counterexample
 *
 * Frees what it holds.
 */
void
clq_counterexample_clear (ClqCounterexample *self)
{
  g_clear_pointer (&self->steps, g_array_unref);
  g_clear_pointer (&self->why, g_free);
}

static const char *
target_name (const ClqGraph *graph, int target)
{
  if (target == CLQ_STAY)
    return "@stay";
  return target == CLQ_REFUSE ? "@refuse" : graph->state_names[target];
}

/**
 * clq_counterexample_print:
 * @self: a counterexample
 * @ways: what can happen in its graph
 *
 * Returns: (transfer full): its events for people, with the target where an event may have several
 */
char *
clq_counterexample_print (const ClqCounterexample *self, const ClqWays *ways)
{
  const ClqGraph *graph = ways->graph;
  GString *out = g_string_new (NULL);
  guint state = graph->initial;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const ClqStep *step = &g_array_index (self->steps, ClqStep, i);
      guint n_ways;

      clq_ways_get (ways, state, step->event, &n_ways);
      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", graph->event_names[step->event]);
      if (n_ways > 1 && step->target == CLQ_REFUSE)
        g_string_append (out, " (refused)");
      else if (n_ways > 1)
        g_string_append_printf (out, " to %s", target_name (graph, step->target));
      state = after (state, step->target);
    }
  if (out->len == 0)
    g_string_append (out, "the start");
  return g_string_free (out, FALSE);
}

/**
 * clq_counterexample_to_json:
 * @self: a counterexample
 * @graph: its graph
 *
 * Returns: (transfer full): a JSON list of the requests that `colloquy pipe --bare` takes
 */
char *
clq_counterexample_to_json (const ClqCounterexample *self, const ClqGraph *graph)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < self->steps->len; i++)
    {
      const ClqStep *step = &g_array_index (self->steps, ClqStep, i);

      g_string_append_printf (out, "%s{\"do\":\"event\",\"name\":", i > 0 ? "," : "");
      clq_json_append_string (out, graph->event_names[step->event], -1);
      g_string_append (out, ",\"to\":");
      clq_json_append_string (out, target_name (graph, step->target), -1);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}
