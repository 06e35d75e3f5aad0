#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

static gboolean
has_rule (const ClqGraph *graph, guint state, guint event)
{
  guint n_rules;

  clq_graph_get_rules (graph, state, event, &n_rules);
  return n_rules > 0;
}

/* ---- what must have a rule ---- */

static void
check_outcomes (ClqCompiler *self, const ClqNodePlan *plan)
{
  const ClqGraph *graph = self->graph;
  const char *state = graph->states[plan->state].name;

  for (guint i = 0; plan->info->outcomes[i] != NULL; i++)
    {
      int event = clq_graph_find_outcome (graph, plan->info->outcomes[i]);
      g_autofree char *alias = NULL;

      if (event < 0 || has_rule (graph, plan->state, event))
        continue;
      if (!g_str_equal (plan->info->outcomes[i], graph->event_names[event]))
        alias = g_strdup_printf (", which is '%s' here", graph->event_names[event]);
      clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_MISSING_TRANSITION, plan->place.key->file, plan->place.key->line,
                        "state %s: %s may end with '%s'%s, but no rule takes that; expected %s.%s=TARGET in [transitions]",
                        state, plan->place.key->value, plan->info->outcomes[i], alias != NULL ? alias : "", state, graph->event_names[event]);
    }
}

static void
check_raised (ClqCompiler *self, guint state, const char *key, ClqEngineEvent raised)
{
  const ClqGraph *graph = self->graph;
  ClqPlace place = clq_compiler_find_key (self, state, key);
  const char *name = graph->states[state].name, *event = graph->event_names[graph->engine_events[raised]];

  if (!has_rule (graph, state, graph->engine_events[raised]))
    clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_MISSING_TRANSITION, place.key->file, place.key->line,
                      "state %s: %s=%s raises '%s', but no rule takes that; expected %s.%s=TARGET in [transitions]",
                      name, key, place.key->value, event, name, event);
}

static void
check_rules (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;

  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);

      if (plan->info != NULL && !plan->unused && !self->doubtful[plan->state])
        check_outcomes (self, plan);
    }
  for (guint i = 0; i < graph->n_states; i++)
    {
      if (self->doubtful[i])
        continue;
      if (graph->states[i].timeout > 0)
        check_raised (self, i, "timeout", CLQ_ENGINE_TIMEOUT);
      if (graph->states[i].idle > 0)
        check_raised (self, i, "idle", CLQ_ENGINE_IDLE);
      if (graph->states[i].waits)
        check_raised (self, i, "wait", CLQ_ENGINE_ANSWER);
    }
}

/* ---- what can be reached ---- */

static void
reach (const ClqGraph *graph, guint state, gboolean *reached, GArray *next)
{
  if (reached[state])
    return;
  reached[state] = TRUE;
  g_array_append_val (next, state);
}

/* Every event may come and every guard may hold. */
static void
follow (const ClqGraph *graph, guint state, gboolean *reached, GArray *next)
{
  for (guint event = 0; event < graph->n_events; event++)
    {
      guint n_rules;
      const ClqRule *rules = clq_graph_get_rules (graph, state, event, &n_rules);

      for (guint i = 0; i < n_rules; i++)
        {
          if (rules[i].target >= 0)
            reach (graph, rules[i].target, reached, next);
          if (rules[i].guard == NULL)
            break;
        }
    }
}

static void
check_reach (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;
  g_autofree gboolean *reached = g_new0 (gboolean, graph->n_states);
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (guint));

  reach (graph, graph->initial, reached, next);
  for (guint i = 0; i < next->len; i++)
    follow (graph, g_array_index (next, guint, i), reached, next);
  for (guint i = 0; i < graph->n_states; i++)
    {
      const ClqState *state = &graph->states[i];

      if (reached[i] && (state->accepts & CLQ_ACCEPT_UNREACHABLE) != 0)
        clq_compiler_report (self, clq_compiler_find_key (self, i, "accept"), CLQ_GRAPH_ERROR_VALUE,
                             "state %s can be reached; expected no 'unreachable' there", state->name);
      else if (!reached[i] && (state->accepts & CLQ_ACCEPT_UNREACHABLE) != 0)
        clq_findings_add (self->findings, CLQ_FINDING_NOTE, CLQ_GRAPH_ERROR_UNREACHABLE, state->file, state->line,
                          "state %s cannot be reached (accepted)", state->name);
      else if (!reached[i])
        clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_UNREACHABLE, state->file, state->line,
                          "state %s cannot be reached from %s; expected a rule that leads there, or accept=unreachable in [state %s]",
                          state->name, graph->states[graph->initial].name, state->name);
    }
}

/* Private: checks what only shows when states, events, rules and nodes are known. */
void
clq_compiler_check (ClqCompiler *self)
{
  check_rules (self);
  if (!self->lacks_rules)
    check_reach (self);
}
