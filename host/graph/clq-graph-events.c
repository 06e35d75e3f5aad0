#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

static const char *const engine_names[CLQ_N_ENGINE_EVENTS + 1] = {
  [CLQ_ENGINE_TIMEOUT] = "timeout",
  [CLQ_ENGINE_IDLE] = "idle",
  [CLQ_ENGINE_DUE] = "due",
  [CLQ_ENGINE_ANSWER] = "answer",
  [CLQ_ENGINE_FAILED] = "failed",
  [CLQ_ENGINE_RETRY] = "retry",
  [CLQ_ENGINE_FALLBACK] = "fallback",
  [CLQ_ENGINE_LIMIT] = "limit",
};

typedef struct
{
  ClqCompiler *compiler;
  GArray *events; /* ClqGraphEvent */
} Table;

static ClqPlace
find_rename (const ClqCompiler *self, const char *name)
{
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, "events");

  return (ClqPlace){ group, group != NULL ? g_hash_table_lookup (group->index, name) : NULL };
}

/* What [events] calls an engine event or outcome. */
static const char *
rename_event (const ClqCompiler *self, const char *name)
{
  ClqPlace place = find_rename (self, name);

  return place.key != NULL && *place.key->value != '\0' ? place.key->value : name;
}

static ClqGraphEvent *
add_event (Table *table, const char *name)
{
  ClqGraph *graph = table->compiler->graph;
  int index = clq_graph_find_event (graph, name);
  ClqGraphEvent event = { .name = g_intern_string (name) };

  if (index < 0)
    {
      index = table->events->len;
      g_array_append_val (table->events, event);
      g_hash_table_insert (graph->event_index, (gpointer) event.name, GINT_TO_POINTER (index + 1));
    }
  return &g_array_index (table->events, ClqGraphEvent, index);
}

static void
add_engine_events (Table *table)
{
  ClqCompiler *self = table->compiler;
  ClqGraph *graph = self->graph;

  for (guint i = 0; i < CLQ_N_ENGINE_EVENTS; i++)
    {
      const char *name = rename_event (self, engine_names[i]);

      add_event (table, name);
      graph->engine_events[i] = clq_graph_find_event (graph, name);
      for (guint j = 0; j < i; j++)
        if (graph->engine_events[j] == graph->engine_events[i])
          {
            ClqPlace place = find_rename (self, engine_names[i]);

            clq_compiler_report (self, place.key != NULL ? place : find_rename (self, engine_names[j]), CLQ_GRAPH_ERROR_DUPLICATE,
                                 "'%s' and '%s' would both be '%s'; expected different names", engine_names[j], engine_names[i], name);
          }
    }
}

/* Private: whether the engine raises the event itself. */
gboolean
clq_compiler_is_engine_event (const ClqCompiler *self, guint event)
{
  for (guint i = 0; i < CLQ_N_ENGINE_EVENTS; i++)
    if (self->graph->engine_events[i] == (int) event)
      return TRUE;
  return FALSE;
}

static void
add_deadlines (Table *table)
{
  ClqCompiler *self = table->compiler;
  ClqGraph *graph = self->graph;
  ClqPlace place = { clq_keyfile_find_group (graph->keyfile, "graph"), clq_keyfile_find (graph->keyfile, "graph", "deadlines") };

  for (guint i = 0; self->deadlines != NULL && self->deadlines[i] != NULL; i++)
    {
      int index = clq_graph_find_event (graph, self->deadlines[i]);

      if (index >= 0 && clq_compiler_is_engine_event (self, index))
        clq_compiler_report (self, place, CLQ_GRAPH_ERROR_DUPLICATE, "the engine raises '%s' itself; expected another name", self->deadlines[i]);
      add_event (table, self->deadlines[i])->is_deadline = TRUE;
    }
}

static void
add_outcomes (Table *table)
{
  ClqCompiler *self = table->compiler;
  ClqGraph *graph = self->graph;

  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);

      for (guint j = 0; plan->info != NULL && plan->info->outcomes[j] != NULL; j++)
        {
          const char *outcome = plan->info->outcomes[j], *name = rename_event (self, outcome);

          if (name == outcome && !clq_compiler_check_name (self, plan->place, "an event", outcome))
            continue;
          add_event (table, name)->is_outcome = TRUE;
          if (name != outcome)
            g_hash_table_insert (graph->aliases, (gpointer) g_intern_string (outcome),
                                 GINT_TO_POINTER (clq_graph_find_event (graph, name) + 1));
        }
    }
}

static gboolean
is_outcome (const ClqCompiler *self, const char *name, GPtrArray *names)
{
  for (guint i = 0; i < self->plans->len; i++)
    {
      const ClqNodePlan *plan = &g_array_index (self->plans, ClqNodePlan, i);

      for (guint j = 0; plan->info != NULL && plan->info->outcomes[j] != NULL; j++)
        {
          if (strcmp (plan->info->outcomes[j], name) == 0)
            return TRUE;
          if (!g_ptr_array_find_with_equal_func (names, plan->info->outcomes[j], g_str_equal, NULL))
            g_ptr_array_add (names, (gpointer) plan->info->outcomes[j]);
        }
    }
  return FALSE;
}

/* The left side of [events]: what the engine or a node raises. */
static void
check_left (ClqCompiler *self, ClqPlace place)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (self->graph->bare || self->lacks_kinds || g_strv_contains (engine_names, place.key->key) ||
      is_outcome (self, place.key->key, names))
    return;
  for (guint i = 0; i < CLQ_N_ENGINE_EVENTS; i++)
    g_ptr_array_add (names, (gpointer) engine_names[i]);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (place.key->key, (const char *const *) names->pdata);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_OUTCOME, "neither a node nor the engine raises '%s'%s", place.key->key, hint);
}

static void
read_renames (Table *table)
{
  ClqCompiler *self = table->compiler;
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, "events");

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };

      if (clq_compiler_is_free (place.key->key))
        continue;
      check_left (self, place);
      if (!clq_compiler_check_name (self, place, "an event", place.key->value) || !self->graph->bare)
        continue;
      /* Without nodes nobody knows which outcomes there are. */
      add_event (table, place.key->value)->is_outcome = TRUE;
      g_hash_table_insert (self->graph->aliases, (gpointer) g_intern_string (place.key->key),
                           GINT_TO_POINTER (clq_graph_find_event (self->graph, place.key->value) + 1));
    }
}

/* Without the nodes every event that something names must do. */
static void
add_named (Table *table, const char *group_name, const char *prefix, gboolean behind_dot)
{
  ClqCompiler *self = table->compiler;
  GPtrArray *groups = clq_keyfile_get_groups (self->graph->keyfile);

  for (guint i = 0; i < groups->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (groups, i);

      for (guint j = 0; g_str_has_prefix (group->name, group_name) && j < group->keys->len; j++)
        {
          const char *key = ((ClqKey *) g_ptr_array_index (group->keys, j))->key, *dot = strchr (key, '.');

          if (clq_compiler_is_free (key) || !g_str_has_prefix (key, prefix) || behind_dot != (dot != NULL))
            continue;
          /* Whether it is a name is found where the key is read. */
          if (find_rename (self, dot != NULL ? dot + 1 : key).key == NULL)
            add_event (table, dot != NULL ? dot + 1 : key);
        }
    }
}

/* An outcome for which no rule is left is still one that an invariant may name. */
static void
add_promised (Table *table)
{
  ClqCompiler *self = table->compiler;
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, "invariants");

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (group->keys, i);
      g_auto (GStrv) words = g_strsplit_set (key->value, " \t,", -1);

      for (guint j = 0; words[j] != NULL && !clq_compiler_is_free (key->key); j++)
        if (*words[j] != '\0' && !clq_invariant_is_keyword (words[j]) && clq_graph_find_state (self->graph, words[j]) < 0)
          add_event (table, words[j]);
    }
}

/* Private: the table of events: actions, the engine's, deadlines and what nodes end with. */
void
clq_compiler_read_events (ClqCompiler *self)
{
  ClqGraph *graph = self->graph;
  Table table = { self, g_array_new (FALSE, TRUE, sizeof (ClqGraphEvent)) };

  for (guint i = 0; self->actions != NULL && self->actions[i] != NULL; i++)
    add_event (&table, self->actions[i])->is_action = TRUE;
  graph->message = clq_graph_find_event (graph, "message");
  add_engine_events (&table);
  add_deadlines (&table);
  add_outcomes (&table);
  read_renames (&table);
  if (graph->bare || self->lacks_kinds)
    {
      add_named (&table, "always", "", FALSE);
      add_named (&table, "transitions", "", TRUE);
      add_named (&table, "otherwise", "", FALSE);
      add_named (&table, "state ", "node.", TRUE);
      add_named (&table, "state ", "visit-timeout.", TRUE);
      add_promised (&table);
    }
  if (table.events->len > CLQ_MAX_EVENTS)
    {
      clq_compiler_report (self, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_VALUE, "there are %u events; expected at most %d", table.events->len, CLQ_MAX_EVENTS);
      g_hash_table_remove_all (graph->event_index);
      g_array_set_size (table.events, 0);
    }
  graph->n_events = table.events->len;
  graph->events = (ClqGraphEvent *) g_array_free (table.events, FALSE);
  graph->event_names = g_new0 (const char *, graph->n_events + 1);
  for (guint i = 0; i < graph->n_events; i++)
    graph->event_names[i] = graph->events[i].name;
}

/* Private: the index of an event; complains and gives -1 if there is none of that name. */
int
clq_compiler_find_event (ClqCompiler *self, ClqPlace place, const char *name)
{
  int event = clq_graph_find_event (self->graph, name);
  ClqPlace rename;
  g_autofree char *hint = NULL;

  if (event >= 0 && !clq_compiler_check_name (self, place, "an event", name))
    return -1;
  if (event >= 0)
    return event;
  rename = find_rename (self, name);
  if (rename.key != NULL)
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_OUTCOME, "'%s' is another event here: [events] says %s=%s; expected '%s'",
                           name, name, rename.key->value, rename.key->value);
      return -1;
    }
  hint = clq_did_you_mean (name, (const char *const *) self->graph->event_names);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_OUTCOME, "unknown event '%s'%s", name, hint);
  return -1;
}

/* Private: whether @stay may enter the node of the event. After an outcome it does not. */
gboolean
clq_compiler_stay_enters (const ClqCompiler *self, guint event)
{
  static const ClqEngineEvent raised[] = { CLQ_ENGINE_TIMEOUT, CLQ_ENGINE_IDLE, CLQ_ENGINE_DUE, CLQ_ENGINE_ANSWER, CLQ_ENGINE_LIMIT };
  const ClqGraph *graph = self->graph;

  for (guint i = 0; i < G_N_ELEMENTS (raised); i++)
    if (graph->engine_events[raised[i]] == (int) event)
      return TRUE;
  return graph->bare || graph->events[event].is_action || graph->events[event].is_deadline;
}

/* Private: whether a rule for the event leads to a state, or stays there in a way that enters a node. */
gboolean
clq_compiler_event_leads_to (const ClqCompiler *self, guint event, guint state)
{
  const ClqGraph *graph = self->graph;

  for (guint from = 0; from < graph->n_states; from++)
    {
      guint n_ways;
      const ClqWay *ways = clq_ways_get (self->ways, from, event, &n_ways);

      for (guint i = 0; i < n_ways; i++)
        if (ways[i].target == (int) state || (ways[i].target == CLQ_STAY && from == state && clq_compiler_stay_enters (self, event)))
          return TRUE;
    }
  return FALSE;
}
