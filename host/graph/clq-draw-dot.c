#define G_LOG_DOMAIN "clq-graph"

#include "clq-draw.h"

/* In Graphviz's quotes; a new line stays one. */
static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if (*c == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void
append_state (GString *out, const ClqGraph *graph, guint index, const ClqDrawMarks *marks)
{
  const ClqState *state = &graph->states[index];

  g_string_append_printf (out, "  \"%s\" [", state->name);
  if (state->title != NULL)
    {
      g_string_append (out, "tooltip=");
      append_quoted (out, state->title);
    }
  else
    g_string_append_printf (out, "tooltip=\"%s\"", state->name);
  if (state->final)
    g_string_append (out, ", peripheries=2");
  if (marks != NULL && marks->current == (int) index)
    g_string_append (out, ", style=\"rounded,filled\", fillcolor=\"#0066ff\", fontcolor=white, penwidth=3");
  else if (clq_draw_is_visited (marks, index))
    g_string_append (out, ", penwidth=3");
  g_string_append (out, "];\n");
}

/* Events that lead from one state to the same other one share an arrow. */
static void
append_arrow (GString *out, const ClqGraph *graph, const GArray *edges, guint index, const ClqDrawMarks *marks)
{
  const ClqDrawEdge *first = &g_array_index (edges, ClqDrawEdge, index);
  g_autoptr (GString) label = g_string_new (NULL);
  gboolean taken = FALSE;

  for (guint i = 0; i < edges->len; i++)
    {
      const ClqDrawEdge *edge = &g_array_index (edges, ClqDrawEdge, i);

      if (edge->from != first->from || edge->to != first->to)
        continue;
      if (i < index)
        return;
      g_string_append_printf (label, "%s%s", label->len > 0 ? "\n" : "", edge->label);
      taken = taken || clq_draw_is_taken (marks, edge);
    }
  g_string_append_printf (out, "  \"%s\" -> \"%s\" [label=", graph->state_names[first->from], graph->state_names[first->to]);
  append_quoted (out, label->str);
  g_string_append_printf (out, "%s];\n", taken ? ", penwidth=3" : "");
}

/* Private: a drawing for Graphviz. */
char *
clq_draw_dot (const ClqGraph *graph, const ClqDrawMarks *marks)
{
  g_autoptr (GArray) edges = clq_draw_list_edges (graph);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "digraph \"%s\" {\n", graph->name);
  if (graph->title != NULL)
    {
      g_string_append (out, "  label=");
      append_quoted (out, graph->title);
      g_string_append (out, ";\n  labelloc=t;\n");
    }
  g_string_append (out, "  fontname=\"sans-serif\";\n"
                        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
                        "  edge [fontname=\"sans-serif\", fontsize=10];\n"
                        "  \"*\" [shape=point, width=0.15, tooltip=start];\n");
  for (guint i = 0; i < graph->n_states; i++)
    append_state (out, graph, i, marks);
  g_string_append_printf (out, "  \"*\" -> \"%s\";\n", graph->state_names[graph->initial]);
  for (guint i = 0; i < edges->len; i++)
    append_arrow (out, graph, edges, i, marks);
  g_string_append (out, "}\n");
  return g_string_free (out, FALSE);
}
