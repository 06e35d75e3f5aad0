#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

static void
tell_broken (ClqCompiler *self, ClqPlace place, const ClqCounterexample *refutation)
{
  g_autofree char *events = clq_counterexample_print (refutation, self->ways);
  g_autofree char *json = clq_counterexample_to_json (refutation, self->graph);

  clq_findings_add_broken (self->findings, clq_compiler_level (self), place.key->file, place.key->line, place.key->key, json,
                           "[%s] %s: '%s' does not hold: %s; counterexample: %s",
                           place.group->name, place.key->key, place.key->value, refutation->why, events);
}

static void
prove (ClqCompiler *self, ClqPlace place, const ClqInvariant *invariant)
{
  g_auto (ClqCounterexample) refutation = { 0 };
  int subject = clq_invariant_get_subject (invariant);

  if (!clq_invariant_prove (invariant, self->ways, &refutation))
    tell_broken (self, place, &refutation);
  else if (subject >= 0 && !self->ways->start.reached[subject])
    clq_findings_add (self->findings, CLQ_FINDING_NOTE, CLQ_GRAPH_ERROR_INVARIANT, place.key->file, place.key->line,
                      "[%s] %s: '%s' says nothing: state %s cannot be reached", place.group->name, place.key->key, place.key->value,
                      self->graph->state_names[subject]);
}

static void
read_invariant (ClqCompiler *self, ClqPlace place)
{
  g_autoptr (GError) error = NULL;
  ClqInvariant *invariant = clq_invariant_parse (self->graph, place.key->value, &error);

  if (invariant == NULL)
    {
      clq_compiler_report (self, place, error->code, "%s", error->message);
      return;
    }
  invariant->key = place.key;
  g_ptr_array_add (self->graph->invariants, invariant);
  if (!self->lacks_rules)
    prove (self, place, invariant);
}

/* Private: reads what the graph promises and proves it. */
void
clq_compiler_prove (ClqCompiler *self)
{
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, "invariants");

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };

      if (clq_compiler_is_free (place.key->key))
        continue;
      if (self->graph->invariants->len == CLQ_MAX_INVARIANTS)
        {
          clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "there are too many invariants; expected at most %d", CLQ_MAX_INVARIANTS);
          return;
        }
      read_invariant (self, place);
    }
}
