#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph.h"
#include "clq-graph-private.h"

static void
free_states (ClqGraph *self)
{
  for (guint i = 0; self->states != NULL && i < self->n_states; i++)
    {
      g_free (self->states[i].title);
      g_strfreev (self->states[i].tools);
      g_strfreev (self->states[i].confirm);
      g_free (self->states[i].tools_text);
      g_free (self->states[i].on_event);
      g_free (self->states[i].visit_timeout_on);
    }
  g_free (self->states);
  g_free (self->state_names);
  g_clear_pointer (&self->state_index, g_hash_table_unref);
}

/* Also one that could not be finished. */
static void
graph_free (ClqGraph *self)
{
  g_clear_pointer (&self->bindings, g_ptr_array_unref);
  g_clear_pointer (&self->guards, g_ptr_array_unref);
  g_clear_pointer (&self->metrics, g_ptr_array_unref);
  g_clear_pointer (&self->invariants, g_ptr_array_unref);
  g_clear_pointer (&self->written, g_array_unref);
  g_clear_pointer (&self->event_index, g_hash_table_unref);
  g_clear_pointer (&self->aliases, g_hash_table_unref);
  free_states (self);
  g_free (self->events);
  g_free (self->event_names);
  g_free (self->rules);
  g_free (self->first_rule);
  if (self->modality_self != NULL)
    clq_instance_free (&self->modality->feature, self->modality_self);
  clq_keyfile_free (self->keyfile);
  g_free (self->title);
  g_free (self->chat);
  g_free (self->text);
  g_free (self);
}

/**
 * clq_graph_ref:
 * @self: a graph
 *
 * Returns: (transfer full): the same graph
 */
ClqGraph *
clq_graph_ref (ClqGraph *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * clq_graph_unref:
 * @self: (nullable) (transfer full): a graph
 *
 * Gives a reference back. With the last one the graph goes, with its nodes and its modality.
 */
void
clq_graph_unref (ClqGraph *self)
{
  if (self != NULL && g_atomic_ref_count_dec (&self->ref_count))
    graph_free (self);
}

static int
find_index (GHashTable *index, const char *name)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (index, name)) - 1;
}

/**
 * clq_graph_find_state:
 * @self: a graph
 * @name: the name of a state
 *
 * Returns: its index, or -1 if there is none of that name
 */
int
clq_graph_find_state (const ClqGraph *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);
  return find_index (self->state_index, name);
}

/**
 * clq_graph_find_event:
 * @self: a graph
 * @name: the name of an event, as it stands in rules
 *
 * Returns: its index, or -1 if there is none of that name
 */
int
clq_graph_find_event (const ClqGraph *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);
  return find_index (self->event_index, name);
}

/**
 * clq_graph_find_outcome:
 * @self: a graph
 * @outcome: what a node ends with
 *
 * Returns: the index of the event that the outcome is, which `[events]` may decide; -1 if the graph knows none
 */
int
clq_graph_find_outcome (const ClqGraph *self, const char *outcome)
{
  int alias;

  g_return_val_if_fail (self != NULL && outcome != NULL, -1);
  alias = find_index (self->aliases, outcome);
  return alias >= 0 ? alias : find_index (self->event_index, outcome);
}

/**
 * clq_graph_get_name:
 * @self: a graph
 *
 * Returns: (transfer none): its name
 */
const char *
clq_graph_get_name (const ClqGraph *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}
