#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

/* The tools that agents may ask for in a state. */

static const ClqToolInfo *
find_tool (ClqCompiler *self, ClqPlace place, const char *kind)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = clq_registry_find (self->options->registry, CLQ_FEATURE_TOOL, kind, &error);

  if (feature == NULL)
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KIND, "%s", error->message);
  return (const ClqToolInfo *) feature;
}

/* What an agent is told of a tool. */
static void
describe (GString *out, const char *kind, const ClqToolInfo *info)
{
  g_string_append (out, out->len == 1 ? "{\"name\":" : ",{\"name\":");
  clq_json_append_string (out, kind, -1);
  g_string_append (out, ",\"summary\":");
  clq_json_append_string (out, info->summary, -1);
  g_string_append_printf (out, ",\"schema\":%s}", info->schema);
}

static void
check_confirm (ClqCompiler *self, guint index)
{
  const ClqState *state = &self->graph->states[index];
  ClqPlace place = clq_compiler_find_key (self, index, "confirm");

  for (guint i = 0; state->confirm != NULL && state->confirm[i] != NULL; i++)
    {
      g_autofree char *hint = NULL;

      if (state->tools != NULL && g_strv_contains ((const char *const *) state->tools, state->confirm[i]))
        continue;
      hint = clq_did_you_mean (state->confirm[i], (const char *const *) state->tools);
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "'%s' is none of the tools of this state%s", state->confirm[i], hint);
    }
}

/* Private: finds the tools of a state and writes down what agents are told of them. */
void
clq_compiler_read_tools (ClqCompiler *self, guint index)
{
  ClqState *state = &self->graph->states[index];
  ClqPlace place = clq_compiler_find_key (self, index, "tools");
  g_autoptr (GString) text = g_string_new ("[");

  check_confirm (self, index);
  for (guint i = 0; !self->graph->bare && state->tools != NULL && state->tools[i] != NULL; i++)
    {
      const ClqToolInfo *info = find_tool (self, place, state->tools[i]);

      if (info != NULL)
        describe (text, state->tools[i], info);
    }
  if (text->len == 1)
    return;
  g_string_append_c (text, ']');
  state->tools_text = g_string_free (g_steal_pointer (&text), FALSE);
}
