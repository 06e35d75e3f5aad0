#define G_LOG_DOMAIN "clq-graph"

#include "clq-draw.h"

#include "clq-ways.h"

/* NAME="text", for XML. */
static void
append_attribute (GString *out, const char *name, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (out, " %s=\"%s\"", name, escaped);
}

static void
append_transition (GString *out, const ClqWays *ways, guint state, guint event, const ClqWay *way)
{
  const ClqGraph *graph = ways->graph;
  const ClqGuard *guard = way->rule >= 0 ? graph->rules[way->rule].guard : NULL;

  if (way->rule < 0)
    return;
  g_string_append (out, "    <transition");
  append_attribute (out, "event", graph->event_names[event]);
  if (guard != NULL && clq_guard_eval_in_state (guard, graph->state_names[state]) == CLQ_MAYBE)
    append_attribute (out, "cond", clq_guard_get_text (guard));
  if (way->target >= 0)
    append_attribute (out, "target", graph->state_names[way->target]);
  else if (way->target == CLQ_REFUSE)
    append_attribute (out, "clq:refuse", "true");
  g_string_append (out, "/>\n");
}

/* SCXML lets no transition leave a <final>. */
static const char *
element_of (const ClqWays *ways, guint state)
{
  guint n_events = ways->graph->n_events;
  gboolean has_rules = ways->first[state * n_events] < ways->first[(state + 1) * n_events];

  return ways->graph->states[state].final && !has_rules ? "final" : "state";
}

static void
append_state (GString *out, const ClqWays *ways, guint state)
{
  const ClqGraph *graph = ways->graph;
  const char *element = element_of (ways, state);
  gsize start;

  g_string_append_printf (out, "  <%s", element);
  append_attribute (out, "id", graph->state_names[state]);
  if (graph->states[state].title != NULL)
    append_attribute (out, "clq:summary", graph->states[state].title);
  if (graph->states[state].final && *element == 's')
    append_attribute (out, "clq:final", "true");
  start = out->len;
  g_string_append (out, ">\n");
  for (guint event = 0; event < graph->n_events; event++)
    {
      guint n_ways;
      const ClqWay *all = clq_ways_get (ways, state, event, &n_ways);

      for (guint i = 0; i < n_ways; i++)
        append_transition (out, ways, state, event, &all[i]);
    }
  if (out->len == start + 2)
    {
      g_string_truncate (out, start);
      g_string_append (out, "/>\n");
    }
  else
    g_string_append_printf (out, "  </%s>\n", element);
}

/*
 * Private: W3C SCXML. A transition without a target stays where it is, as @stay does; one that refuses says so in an attribute
 * of ours. Guards are in our own language.
 */
char *
clq_draw_scxml (const ClqGraph *graph)
{
  g_autoptr (ClqWays) ways = clq_ways_new (graph);
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:clq=\"urn:colloquy:graph\" version=\"1.0\"");

  append_attribute (out, "name", graph->name);
  append_attribute (out, "initial", graph->state_names[graph->initial]);
  append_attribute (out, "datamodel", "x-colloquy");
  if (graph->title != NULL)
    append_attribute (out, "clq:title", graph->title);
  g_string_append (out, ">\n");
  for (guint i = 0; i < graph->n_states; i++)
    append_state (out, ways, i);
  g_string_append (out, "</scxml>\n");
  return g_string_free (out, FALSE);
}
