#define G_LOG_DOMAIN "clq-take"

#include "clq-engine.h"

#include <string.h>

static const char *
target_name (const ClqGraph *graph, int target)
{
  if (target == CLQ_STAY)
    return "@stay";
  return target == CLQ_REFUSE ? "@refuse" : graph->state_names[target];
}

static void
add_name (GString *names, const char *name)
{
  if (names->len > 0)
    g_string_append (names, ", ");
  g_string_append (names, name);
}

/*
 * Private: the alternative that whoever sent the event has chosen; guards decide only as far as the state does. A counterexample
 * needs this: a bare session has no data for its guards.
 */
int
clq_choice_find (const ClqLive *live, const ClqEvent *event, GError **error)
{
  const ClqGraph *graph = live->graph;
  g_autoptr (GString) names = g_string_new (NULL);
  ClqTruth truth = CLQ_FALSE;
  guint n_rules;
  const ClqRule *rules = clq_graph_get_rules (graph, live->state, event->index, &n_rules);

  for (guint i = 0; i < n_rules && truth != CLQ_TRUE; i++)
    {
      truth = rules[i].guard == NULL ? CLQ_TRUE : clq_guard_eval_in_state (rules[i].guard, graph->state_names[live->state]);
      if (truth == CLQ_FALSE)
        continue;
      if (strcmp (event->to, target_name (graph, rules[i].target)) == 0)
        return rules[i].target;
      add_name (names, target_name (graph, rules[i].target));
    }
  if (truth != CLQ_TRUE && strcmp (event->to, "@refuse") == 0)
    return CLQ_NO_RULE;
  if (truth != CLQ_TRUE)
    add_name (names, "@refuse");
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "in state %s no rule for '%s' leads to '%s'; expected one of: %s",
               graph->state_names[live->state], event->name, event->to, names->str);
  return CLQ_NO_RULE;
}
