#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

static char *
print_alternative (const ClqGraph *graph, const ClqAlternative *rule)
{
  const char *target = rule->target == CLQ_STAY ? "@stay" : rule->target == CLQ_REFUSE ? "@refuse"
                                                                                       : graph->state_names[rule->target];

  return rule->guard != NULL ? g_strdup_printf ("%s if %s", target, clq_guard_get_text (rule->guard)) : g_strdup (target);
}

static gboolean
may_hold (const ClqGraph *graph, const ClqAlternative *rule, guint state)
{
  return rule->guard == NULL || clq_guard_eval_in_state (rule->guard, graph->state_names[state]) != CLQ_FALSE;
}

/* Why an event never comes in a state, or NULL if it may. */
static char *
explain_event (const ClqCompiler *self, guint state, guint event)
{
  static const ClqEngineEvent failures[] = { CLQ_ENGINE_FAILED, CLQ_ENGINE_FALLBACK, CLQ_ENGINE_RETRY };
  const ClqGraph *graph = self->graph;
  const char *name = graph->state_names[state];

  if (clq_compiler_occurs (self, state, event) != 0)
    return NULL;
  if ((int) event == graph->engine_events[CLQ_ENGINE_TIMEOUT])
    return g_strdup_printf ("state %s has no timeout", name);
  if ((int) event == graph->engine_events[CLQ_ENGINE_IDLE])
    return g_strdup_printf ("state %s has no idle", name);
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    if ((int) event == graph->engine_events[failures[i]])
      return g_strdup_printf ("state %s has no node that could fail", name);
  return g_strdup_printf ("no node of state %s ends with '%s'", name, graph->event_names[event]);
}

/* Why a rule of one state is never taken. */
static void
report_own (ClqCompiler *self, const ClqAlternative *rule, const char *text)
{
  const ClqGraph *graph = self->graph;
  guint state = (guint) rule->state;
  ClqPlace place = { rule->group, rule->key };
  g_autofree char *why = NULL;
  const char *expected;

  if (!may_hold (graph, rule, state))
    {
      why = g_strdup_printf ("its guard never holds in state %s", graph->state_names[state]);
      expected = "another guard";
    }
  else if ((why = explain_event (self, state, rule->event)) != NULL)
    expected = "no rule for what never comes";
  else
    {
      why = g_strdup_printf ("in state %s what stands before it always holds", graph->state_names[state]);
      expected = "it earlier";
    }
  clq_compiler_found (self, state, CLQ_ACCEPT_NEVER_TAKEN, place, CLQ_GRAPH_ERROR_UNREACHABLE, expected,
                      "[%s] %s: '%s' is never taken: %s", rule->group->name, rule->key->key, text, why);
}

static void
report_common (ClqCompiler *self, const ClqAlternative *rule, const char *text, ClqFindingLevel level)
{
  const ClqGraph *graph = self->graph;
  gboolean holds = FALSE;

  for (guint state = 0; state < graph->n_states; state++)
    holds = holds || may_hold (graph, rule, state);
  clq_findings_add (self->findings, level, CLQ_GRAPH_ERROR_UNREACHABLE, rule->key->file, rule->key->line,
                    "[%s] %s: '%s' is never taken: %s", rule->group->name, rule->key->key, text,
                    holds ? "in every state a rule before it takes the event; expected it elsewhere or not at all"
                          : "its guard holds in no state; expected another guard");
}

/* What the graph has from one that it extends cannot be taken away here. */
static gboolean
is_inherited (const ClqCompiler *self, const ClqAlternative *rule)
{
  return strcmp (rule->key->file, self->file) != 0;
}

static void
report (ClqCompiler *self, guint index)
{
  const ClqAlternative *rule = &g_array_index (self->graph->written, ClqAlternative, index);
  g_autofree char *text = print_alternative (self->graph, rule);

  if (rule->rules != CLQ_RULES_TRANSITIONS)
    report_common (self, rule, text, is_inherited (self, rule) ? CLQ_FINDING_NOTE : clq_compiler_level (self));
  else if (!is_inherited (self, rule) || (self->graph->states[rule->state].accepts & CLQ_ACCEPT_NEVER_TAKEN) != 0)
    report_own (self, rule, text);
}

/* Which rules some way takes. */
static void
find_taken (const ClqCompiler *self, gboolean *taken)
{
  const ClqGraph *graph = self->graph;

  for (guint state = 0; state < graph->n_states; state++)
    for (guint event = 0; event < graph->n_events; event++)
      {
        guint n_ways;
        const ClqWay *ways = clq_ways_get (self->ways, state, event, &n_ways);

        for (guint i = 0; i < n_ways && ways[i].rule >= 0; i++)
          {
            guint written = graph->rules[ways[i].rule].written;

            /* What is common to all states need not make sense in each. */
            if (g_array_index (graph->written, ClqAlternative, written).rules != CLQ_RULES_TRANSITIONS || clq_compiler_occurs (self, state, event) != 0)
              taken[written] = TRUE;
          }
      }
}

/* Private: finds rules that are never taken, whatever happens. */
void
clq_compiler_check_rules (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;
  g_autofree gboolean *taken = g_new0 (gboolean, graph->written->len);
  g_autofree gboolean *always = g_new0 (gboolean, graph->n_events);
  const ClqKey *key = NULL;
  gboolean is_over = FALSE;

  find_taken (self, taken);
  for (guint i = 0; i < graph->written->len; i++)
    {
      const ClqAlternative *rule = &g_array_index (graph->written, ClqAlternative, i);

      is_over = is_over && rule->key == key;
      key = rule->key;
      /* Behind one without a guard, in the same key or in [always], it was found when the rules were read. */
      if (!taken[i] && !is_over && !(rule->rules == CLQ_RULES_TRANSITIONS && always[rule->event]))
        report (self, i);
      is_over = is_over || rule->guard == NULL;
      if (rule->rules == CLQ_RULES_ALWAYS && rule->guard == NULL)
        always[rule->event] = TRUE;
    }
}
