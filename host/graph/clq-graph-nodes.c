#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

/* Private: frees a binding with its node. */
void
clq_binding_free (gpointer binding)
{
  ClqBinding *self = binding;

  g_clear_object (&self->node);
  g_free (self);
}

/* Calls @func for every key of a state: first what it has from [state *], then its own. */
static void
for_each_key (ClqCompiler *self, guint state, void (*func) (ClqCompiler *self, guint state, ClqPlace place, gpointer data), gpointer data)
{
  const ClqGroup *own = g_ptr_array_index (self->state_groups, state);

  for (guint i = 0; self->defaults != NULL && i < self->defaults->keys->len; i++)
    {
      ClqPlace place = { self->defaults, g_ptr_array_index (self->defaults->keys, i) };

      if (!g_hash_table_contains (own->index, place.key->key))
        func (self, state, place, data);
    }
  for (guint i = 0; i < own->keys->len; i++)
    func (self, state, (ClqPlace){ own, g_ptr_array_index (own->keys, i) }, data);
}

/* ---- what the states ask for ---- */

/* node= without a kind takes the default away; where there is none it must be a mistake. */
static gboolean
is_none (ClqCompiler *self, ClqPlace place)
{
  if (*place.key->value != '\0')
    return FALSE;
  if (place.group == self->defaults || self->defaults == NULL || !g_hash_table_contains (self->defaults->index, place.key->key))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "it is empty; expected PLUGIN.NAME");
  return TRUE;
}

static void
plan_key (ClqCompiler *self, guint state, ClqPlace place, gpointer data)
{
  ClqNodePlan plan = { .place = place, .state = state, .inherited = place.group == self->defaults };
  g_autoptr (GError) error = NULL;

  if (g_str_has_prefix (place.key->key, "node."))
    plan.event = place.key->key + strlen ("node.");
  else if (strcmp (place.key->key, "node") != 0)
    return;
  if (is_none (self, place))
    return;
  if (!self->graph->bare)
    {
      plan.info = (const ClqNodeInfo *) clq_registry_find (self->options->registry, CLQ_FEATURE_NODE, place.key->value, &error);
      if (plan.info == NULL)
        {
          clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KIND, "%s", error->message);
          self->lacks_kinds = TRUE;
        }
    }
  g_array_append_val (self->plans, plan);
}

/* Private: finds the nodes of all states, to know their outcomes. None is made yet. */
void
clq_compiler_plan_nodes (ClqCompiler *self)
{
  for (guint i = 0; i < self->graph->n_states; i++)
    for_each_key (self, i, plan_key, NULL);
}

/* ---- settings ---- */

typedef struct
{
  const ClqFeature *feature;
  gpointer instance;
} Filling;

static void
fill_key (ClqCompiler *self, guint state, ClqPlace place, gpointer data)
{
  Filling *filling = data;
  const ClqSetting *setting;

  if (clq_compiler_is_state_key (place.key->key))
    return;
  setting = clq_settings_find (filling->feature->settings, filling->feature->setting_size, place.key->key);
  if (setting != NULL)
    clq_compiler_parse (self, place, setting, filling->instance);
}

/* A plugin may be older than a key of ours. */
static void
note_hidden_settings (ClqCompiler *self, const ClqNodePlan *plan)
{
  const ClqFeature *feature = &plan->info->feature;
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    {
      g_autofree char *key = clq_setting_dup_key (setting);

      if (clq_compiler_is_state_key (key))
        clq_findings_add (self->findings, CLQ_FINDING_NOTE, CLQ_GRAPH_ERROR_UNKNOWN_KEY, plan->place.key->file, plan->place.key->line,
                          "%s has a setting '%s' that cannot be given: every state has a key of that name", plan->place.key->value, key);
    }
}

/* The node with its settings; NULL if something is wrong with them. */
static ClqNode *
make_node (ClqCompiler *self, const ClqNodePlan *plan)
{
  const ClqNodeInfo *info = plan->info;
  Filling filling = { .feature = &info->feature };
  guint n_errors = clq_findings_get_n_errors (self->findings);
  g_autoptr (GError) error = NULL;

  filling.instance = clq_instance_begin (filling.feature, &error);
  if (filling.instance != NULL)
    for_each_key (self, plan->state, fill_key, &filling);
  /* One with a wrong setting may not start for that reason. */
  if (filling.instance != NULL && clq_findings_get_n_errors (self->findings) == n_errors &&
      clq_compiler_ready (self, filling.feature, filling.instance, &error))
    return clq_node_new (info->get_type != NULL ? info->get_type () : CLQ_TYPE_NODE, info, filling.instance, clq_instance_free);
  if (error != NULL)
    clq_compiler_report (self, plan->place, CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
  clq_instance_free (filling.feature, filling.instance);
  return NULL;
}

/* ---- settings that no node has ---- */

/* A node of a state, or of any with -1, that has the setting. What is not known may have any. */
static const ClqNodePlan *
find_owner (ClqCompiler *self, int state, const char *key)
{
  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);

      if (plan->unused || (state >= 0 && plan->state != (guint) state))
        continue;
      if (plan->info == NULL || clq_settings_find (plan->info->settings, plan->info->setting_size, key) != NULL)
        return plan;
    }
  return NULL;
}

static GPtrArray *
list_settings (ClqCompiler *self, int state)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);
      const ClqSetting *setting = NULL;

      if (plan->unused || plan->info == NULL || (state >= 0 && plan->state != (guint) state))
        continue;
      while ((setting = clq_settings_next (plan->info->settings, plan->info->setting_size, setting)) != NULL)
        {
          g_autofree char *name = clq_setting_dup_key (setting);

          if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
            g_ptr_array_add (names, g_steal_pointer (&name));
        }
    }
  return names;
}

static void
check_settings (ClqCompiler *self, const ClqGroup *group, int state)
{
  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };
      const ClqNodePlan *elsewhere;
      g_autoptr (GPtrArray) names = NULL;

      if (clq_compiler_is_state_key (place.key->key) || find_owner (self, state, place.key->key) != NULL)
        continue;
      elsewhere = find_owner (self, -1, place.key->key);
      if (elsewhere != NULL && elsewhere->info != NULL)
        {
          clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "no node of this state has such a setting; expected it where %s runs, as in state %s",
                               elsewhere->place.key->value, self->graph->state_names[elsewhere->state]);
          continue;
        }
      names = list_settings (self, state);
      clq_compiler_unknown_state_key (self, place, names);
    }
}

/* ---- bindings ---- */

/* Whether the event of a key leads to the state; complains if not and the key is the state's own. */
static gboolean
check_event (ClqCompiler *self, ClqPlace place, guint state, int event, const char *what)
{
  const char *name = self->graph->states[state].name;

  if (self->lacks_rules || clq_compiler_event_leads_to (self, event, state))
    return TRUE;
  if (place.group != self->defaults)
    clq_compiler_criticise (self, place, CLQ_GRAPH_ERROR_MISSING_TRANSITION, "it never %s: no rule for '%s' leads to %s%s; expected one, for example %s.%s=%s in [transitions]",
                            what, self->graph->event_names[event], name,
                            clq_compiler_stay_enters (self, event) ? "" : " (after an outcome @stay does not)",
                            name, self->graph->event_names[event], name);
  return FALSE;
}

static void
bind (ClqCompiler *self, ClqNodePlan *plan)
{
  ClqGraph *graph = self->graph;
  ClqState *state = &graph->states[plan->state];
  int event = plan->event != NULL ? clq_compiler_find_event (self, plan->place, plan->event) : -1;
  ClqBinding *binding;

  if (plan->event != NULL && event < 0)
    return;
  if (event >= 0 && !check_event (self, plan->place, plan->state, event, "runs"))
    {
      plan->unused = plan->inherited;
      return;
    }
  if (plan->info == NULL)
    return;
  note_hidden_settings (self, plan);
  binding = g_new0 (ClqBinding, 1);
  binding->graph = graph;
  binding->kind = g_intern_string (plan->place.key->value);
  binding->state = plan->state;
  binding->event = event;
  binding->node = make_node (self, plan);
  g_ptr_array_add (graph->bindings, binding);
  if (event < 0)
    state->entry = binding;
  else
    {
      if (state->on_event == NULL)
        state->on_event = g_new0 (ClqBinding *, graph->n_events);
      state->on_event[event] = binding;
    }
}

static void
read_visit_timeout (ClqCompiler *self, guint index, ClqPlace place, gpointer data)
{
  static const char prefix[] = "visit-timeout.";
  ClqState *state = &self->graph->states[index];
  GTimeSpan duration = 0;
  const ClqSetting setting = { "duration", CLQ_SETTING_DURATION, 0, NULL, 0, 0, NULL, NULL };
  int event;

  if (!g_str_has_prefix (place.key->key, prefix))
    return;
  clq_compiler_parse (self, place, &setting, &duration);
  event = clq_compiler_find_event (self, place, place.key->key + strlen (prefix));
  if (event < 0 || !check_event (self, place, index, event, "counts"))
    return;
  if (state->visit_timeout_on == NULL)
    {
      state->visit_timeout_on = g_new (GTimeSpan, self->graph->n_events);
      for (guint i = 0; i < self->graph->n_events; i++)
        state->visit_timeout_on[i] = -1;
    }
  state->visit_timeout_on[event] = duration;
}

/* Private: makes the nodes of all states, each with the settings of its state. */
void
clq_compiler_make_nodes (ClqCompiler *self)
{
  for (guint i = 0; i < self->plans->len; i++)
    bind (self, &g_array_index (self->plans, ClqNodePlan, i));
  for (guint i = 0; i < self->graph->n_states; i++)
    for_each_key (self, i, read_visit_timeout, NULL);
  if (self->graph->bare)
    return;
  for (guint i = 0; i < self->graph->n_states; i++)
    check_settings (self, g_ptr_array_index (self->state_groups, i), i);
  check_settings (self, self->defaults, -1);
}
