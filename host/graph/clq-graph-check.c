#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

/* ---- findings that may be meant ---- */

/* Private: how bad it is that the graph does what it should not. Who loads it bare wants to look at that. */
ClqFindingLevel
clq_compiler_level (const ClqCompiler *self)
{
  return self->graph->bare ? CLQ_FINDING_WARNING : CLQ_FINDING_ERROR;
}

/* Private: a finding that accept= of the state turns into a note; @format says what is wrong. */
void
clq_compiler_found (ClqCompiler *self, guint state, ClqAccept what, ClqPlace place, int code, const char *expected, const char *format, ...)
{
  const ClqState *found = &self->graph->states[state];
  const char *file = place.key != NULL ? place.key->file : found->file;
  guint line = place.key != NULL ? place.key->line : found->line;
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if ((found->accepts & what) != 0)
    clq_findings_add (self->findings, CLQ_FINDING_NOTE, code, file, line, "%s (accepted)", message);
  else
    clq_findings_add (self->findings, clq_compiler_level (self), code, file, line, "%s; expected %s, or accept=%s in [state %s]",
                      message, expected, clq_compiler_accept_word (what), found->name);
  self->accepted[state] |= found->accepts & what;
}

/* Accepting what is not there hides what may come. */
static void
check_accepted (ClqCompiler *self)
{
  static const struct
  {
    ClqAccept what;
    gboolean needs_nodes;        /* a bare graph cannot tell */
    const char *before, *behind; /* the name of the state */
  } all[] = {
    { CLQ_ACCEPT_UNREACHABLE, FALSE, "state", "can be reached" },
    { CLQ_ACCEPT_DEAD_END, FALSE, "state", "is no dead end" },
    { CLQ_ACCEPT_NEVER_TAKEN, TRUE, "every rule of state", "may be taken" },
    { CLQ_ACCEPT_UNHANDLED, TRUE, "state", "handles whatever may come" },
    { CLQ_ACCEPT_UNANSWERED, TRUE, "state", "does not wait in vain" },
    { CLQ_ACCEPT_ENDLESS, TRUE, "state", "is in no loop without a bound" },
  };

  for (guint i = 0; i < self->graph->n_states; i++)
    for (guint j = 0; j < G_N_ELEMENTS (all); j++)
      {
        const ClqState *state = &self->graph->states[i];
        const ClqKey *key;

        if ((state->accepts & ~self->accepted[i] & all[j].what) == 0 ||
            (all[j].needs_nodes && (self->graph->bare || self->lacks_kinds || self->lacks_modality)))
          continue;
        key = clq_compiler_find_key (self, i, "accept").key;
        clq_findings_add (self->findings, clq_compiler_level (self), CLQ_GRAPH_ERROR_VALUE, key->file, key->line,
                          "[state %s] accept: %s %s %s; expected no '%s' there", state->name, all[j].before, state->name, all[j].behind,
                          clq_compiler_accept_word (all[j].what));
      }
}

/* ---- what may come ---- */

static void
add_outcome (ClqCompiler *self, guint state, int event)
{
  if (event >= 0)
    self->occurs[state * self->graph->n_events + event] |= CLQ_OCCURS | CLQ_OCCURS_BY_NODE;
}

static void
add_outcomes (ClqCompiler *self, const ClqNodePlan *plan)
{
  static const ClqEngineEvent failures[] = { CLQ_ENGINE_FAILED, CLQ_ENGINE_FALLBACK, CLQ_ENGINE_RETRY };
  const ClqGraph *graph = self->graph;

  for (guint i = 0; plan->info->outcomes[i] != NULL; i++)
    add_outcome (self, plan->state, clq_graph_find_outcome (graph, plan->info->outcomes[i]));
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    add_outcome (self, plan->state, graph->engine_events[failures[i]]);
}

static gboolean
may_occur (const ClqCompiler *self, guint state, guint event)
{
  const ClqGraph *graph = self->graph;
  const ClqState *place = &graph->states[state];
  const int *engine = graph->engine_events;

  if (graph->bare || self->lacks_kinds || graph->events[event].is_action || graph->events[event].is_deadline)
    return TRUE;
  if ((int) event == engine[CLQ_ENGINE_TIMEOUT])
    return place->timeout > 0;
  if ((int) event == engine[CLQ_ENGINE_IDLE])
    return place->idle > 0;
  return (int) event == engine[CLQ_ENGINE_DUE] || (int) event == engine[CLQ_ENGINE_ANSWER] || (int) event == engine[CLQ_ENGINE_LIMIT];
}

/* Which events may come in which state, from outside, from a node or from the clock. */
static void
find_occurring (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;

  self->occurs = g_new0 (guint8, (gsize) graph->n_states * graph->n_events);
  for (guint state = 0; state < graph->n_states; state++)
    for (guint event = 0; event < graph->n_events; event++)
      if (may_occur (self, state, event))
        self->occurs[state * graph->n_events + event] = CLQ_OCCURS;
  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);

      if (plan->info != NULL && !plan->unused)
        add_outcomes (self, plan);
    }
}

/* ---- what must have a rule ---- */

/* Whether rules are there; if all have guards, none of them may hold. */
static gboolean
check_handled (ClqCompiler *self, guint state, guint event, ClqPlace place, const char *what)
{
  const ClqGraph *graph = self->graph;
  guint n_rules, n_ways;
  const ClqWay *ways;

  clq_graph_get_rules (graph, state, event, &n_rules);
  if (n_rules == 0)
    return FALSE;
  ways = clq_ways_get (self->ways, state, event, &n_ways);
  if (ways[n_ways - 1].rule < 0)
    clq_compiler_found (self, state, CLQ_ACCEPT_UNHANDLED, place, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "a last alternative without a guard",
                        "state %s: %s, but maybe no rule takes that: each has a guard", graph->states[state].name, what);
  return TRUE;
}

static void
check_outcomes (ClqCompiler *self, const ClqNodePlan *plan)
{
  const ClqGraph *graph = self->graph;
  const char *state = graph->states[plan->state].name;

  for (guint i = 0; plan->info->outcomes[i] != NULL; i++)
    {
      int event = clq_graph_find_outcome (graph, plan->info->outcomes[i]);
      g_autofree char *alias = NULL;
      g_autofree char *what = NULL;

      if (event < 0)
        continue;
      if (!g_str_equal (plan->info->outcomes[i], graph->event_names[event]))
        alias = g_strdup_printf (", which is '%s' here", graph->event_names[event]);
      what = g_strdup_printf ("%s may end with '%s'%s", plan->place.key->value, plan->info->outcomes[i], alias != NULL ? alias : "");
      if (!check_handled (self, plan->state, event, plan->place, what))
        clq_findings_add (self->findings, clq_compiler_level (self), CLQ_GRAPH_ERROR_MISSING_TRANSITION, plan->place.key->file, plan->place.key->line,
                          "state %s: %s, but no rule takes that; expected %s.%s=TARGET in [transitions]",
                          state, what, state, graph->event_names[event]);
    }
}

static void
check_raised (ClqCompiler *self, guint state, const char *key, ClqEngineEvent raised)
{
  const ClqGraph *graph = self->graph;
  ClqPlace place = clq_compiler_find_key (self, state, key);
  const char *name = graph->states[state].name, *event = graph->event_names[graph->engine_events[raised]];
  g_autofree char *what = g_strdup_printf ("%s=%s raises '%s'", key, place.key->value, event);

  if (!check_handled (self, state, graph->engine_events[raised], place, what))
    clq_findings_add (self->findings, clq_compiler_level (self), CLQ_GRAPH_ERROR_MISSING_TRANSITION, place.key->file, place.key->line,
                      "state %s: %s, but no rule takes that; expected %s.%s=TARGET in [transitions]", name, what, name, event);
}

static void
check_deadlines (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;
  ClqPlace place = { clq_keyfile_find_group (graph->keyfile, "graph"), clq_keyfile_find (graph->keyfile, "graph", "deadlines") };

  for (guint event = 0; event < graph->n_events; event++)
    {
      gboolean is_taken = !graph->events[event].is_deadline || clq_compiler_is_engine_event (self, event);
      guint n_rules;

      for (guint state = 0; state < graph->n_states && !is_taken; state++)
        is_taken = clq_graph_get_rules (graph, state, event, &n_rules) != NULL;
      if (!is_taken)
        clq_compiler_criticise (self, place, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "no rule takes '%s' in any state; expected %s=TARGET in [otherwise], or STATE.%s=TARGET in [transitions]",
                                graph->event_names[event], graph->event_names[event], graph->event_names[event]);
    }
}

/* A wait that ends for nobody. */
static void
check_wait (ClqCompiler *self, guint state)
{
  const ClqGraph *graph = self->graph;
  ClqPlace place = clq_compiler_find_key (self, state, "wait");
  const char *name = graph->states[state].name;
  guint answer = (guint) graph->engine_events[CLQ_ENGINE_ANSWER], n_rules;

  clq_graph_get_rules (graph, state, answer, &n_rules);
  if (n_rules == 0)
    check_raised (self, state, "wait", CLQ_ENGINE_ANSWER);
  else if (!clq_ways_may_take (self->ways, state, answer))
    clq_compiler_found (self, state, CLQ_ACCEPT_UNANSWERED, place, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "one that takes it",
                        "state %s waits in vain: every rule refuses '%s'", name, graph->event_names[answer]);
  else if (!graph->bare && !self->lacks_modality && graph->modality == NULL && self->plans->len == 0)
    clq_compiler_found (self, state, CLQ_ACCEPT_UNANSWERED, place, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "somebody who can",
                        "state %s waits in vain: nobody can ask, the graph has neither nodes nor a modality", name);
}

static void
check_missing (ClqCompiler *self)
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
        check_wait (self, i);
    }
  if (!self->lacks_rules)
    check_deadlines (self);
}

/* ---- what can be reached and left ---- */

static void
check_reach (ClqCompiler *self)
{
  const ClqGraph *graph = self->graph;

  for (guint i = 0; i < graph->n_states; i++)
    if (!self->ways->start.reached[i])
      clq_compiler_found (self, i, CLQ_ACCEPT_UNREACHABLE, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_UNREACHABLE, "a rule that leads there",
                          "state %s cannot be reached from %s", graph->states[i].name, graph->states[graph->initial].name);
}

/* How a state can go on: not at all, or only without leaving. */
static void
check_dead_end (ClqCompiler *self, guint state)
{
  const ClqGraph *graph = self->graph;
  gboolean goes_on = FALSE, leaves = self->ways->start.n_reached == 1;

  for (guint event = 0; event < graph->n_events; event++)
    {
      guint n_ways;
      const ClqWay *ways = clq_ways_get (self->ways, state, event, &n_ways);

      for (guint i = 0; i < n_ways && clq_compiler_occurs (self, state, event) != 0; i++)
        {
          goes_on = goes_on || ways[i].target != CLQ_REFUSE;
          leaves = leaves || (ways[i].target >= 0 && ways[i].target != (int) state);
        }
    }
  if (!goes_on)
    clq_compiler_found (self, state, CLQ_ACCEPT_DEAD_END, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "a rule, final=true",
                        "state %s is a dead end: nothing can happen there", graph->states[state].name);
  else if (!leaves)
    clq_compiler_found (self, state, CLQ_ACCEPT_DEAD_END, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "a rule that does, final=true",
                        "state %s is a dead end: nothing leads to another state", graph->states[state].name);
}

static void
check_dead_ends (ClqCompiler *self)
{
  for (guint i = 0; i < self->graph->n_states; i++)
    if (self->ways->start.reached[i] && !self->graph->states[i].final && !self->graph->states[i].waits)
      check_dead_end (self, i);
}

/* Private: checks what only shows when states, events, rules and nodes are known. */
void
clq_compiler_check (ClqCompiler *self)
{
  self->accepted = g_new0 (guint, self->graph->n_states);
  find_occurring (self);
  check_missing (self);
  if (self->lacks_rules)
    return;
  check_reach (self);
  check_dead_ends (self);
  clq_compiler_check_rules (self);
  clq_compiler_check_loops (self);
  check_accepted (self);
}
