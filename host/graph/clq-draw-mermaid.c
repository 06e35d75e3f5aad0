#define G_LOG_DOMAIN "clq-graph"

#include "clq-draw.h"

#include <string.h>

/* What is no name in Mermaid. */
static const char *const reserved[] = {
  "as", "class", "classDef", "direction", "end", "note", "scale", "state", "stateDiagram", "style", "hide", "default", "click", NULL
};

static char *
replace_dashes (const char *name)
{
  return g_strdelimit (g_strdup (name), "-", '_');
}

/* Mermaid's name of a state: its own wherever that is possible. */
static char *
make_id (const ClqGraph *graph, guint state)
{
  const char *name = graph->state_names[state];
  g_autofree char *id = replace_dashes (name);
  gboolean good = !g_strv_contains (reserved, id);

  for (guint i = 0; i < graph->n_states && good; i++)
    {
      g_autofree char *other = replace_dashes (graph->state_names[i]);

      good = i == state || strcmp (id, other) != 0;
    }
  return good ? g_steal_pointer (&id) : g_strdup_printf ("state%u_%s", state, id);
}

static void
append_text (GString *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (strchr (";:#<>{}", *c) != NULL)
      g_string_append_printf (out, "#%d;", *c);
    else
      g_string_append_c (out, *c);
}

static void
append_edges (GString *out, const GArray *edges, char **ids, gboolean common)
{
  for (guint i = 0; i < edges->len; i++)
    {
      const ClqDrawEdge *edge = &g_array_index (edges, ClqDrawEdge, i);

      if (edge->is_common != common)
        continue;
      g_string_append_printf (out, "    %s --> %s: ", ids[edge->from], ids[edge->to]);
      append_text (out, edge->label);
      g_string_append_c (out, '\n');
    }
}

static gboolean
has_common (const GArray *edges)
{
  for (guint i = 0; i < edges->len; i++)
    if (g_array_index (edges, ClqDrawEdge, i).is_common)
      return TRUE;
  return FALSE;
}

/* A state without any arrow would not be drawn. */
static gboolean
is_alone (const ClqGraph *graph, const GArray *edges, guint state)
{
  for (guint i = 0; i < edges->len; i++)
    if (g_array_index (edges, ClqDrawEdge, i).from == state || g_array_index (edges, ClqDrawEdge, i).to == state)
      return FALSE;
  return state != graph->initial && !graph->states[state].final;
}

static void
append_marks (GString *out, const ClqGraph *graph, char **ids, const ClqDrawMarks *marks)
{
  if (marks == NULL)
    return;
  g_string_append (out, "\n    classDef visited stroke-width:3px\n"
                        "    classDef current fill:#0066ff,color:#fff,stroke-width:3px\n");
  for (guint i = 0; i < graph->n_states; i++)
    if (marks->current == (int) i)
      g_string_append_printf (out, "    class %s current\n", ids[i]);
    else if (clq_draw_is_visited (marks, i))
      g_string_append_printf (out, "    class %s visited\n", ids[i]);
}

/* Private: a Mermaid state diagram. */
char *
clq_draw_mermaid (const ClqGraph *graph, const ClqDrawMarks *marks)
{
  g_autoptr (GArray) edges = clq_draw_list_edges (graph);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  GString *out = g_string_new ("stateDiagram-v2\n");

  for (guint i = 0; i < graph->n_states; i++)
    {
      g_ptr_array_add (ids, make_id (graph, i));
      if (strcmp (g_ptr_array_index (ids, i), graph->state_names[i]) != 0)
        g_string_append_printf (out, "    state \"%s\" as %s\n", graph->state_names[i], (char *) g_ptr_array_index (ids, i));
      else if (is_alone (graph, edges, i))
        g_string_append_printf (out, "    %s\n", graph->state_names[i]);
    }
  g_string_append_printf (out, "    [*] --> %s\n", (char *) g_ptr_array_index (ids, graph->initial));
  append_edges (out, edges, (char **) ids->pdata, FALSE);
  for (guint i = 0; i < graph->n_states; i++)
    if (graph->states[i].final)
      g_string_append_printf (out, "    %s --> [*]\n", (char *) g_ptr_array_index (ids, i));
  if (has_common (edges))
    g_string_append (out, "\n    %% from any state\n");
  append_edges (out, edges, (char **) ids->pdata, TRUE);
  append_marks (out, graph, (char **) ids->pdata, marks);
  return g_string_free (out, FALSE);
}
