/* What the tests of graphs share. */
#include "fixture.h"

void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  const char *const folders[] = { g_getenv ("CLQ_PLUGIN_PATH"), FIXTURE_DIR, NULL };

  fixture->registry = clq_registry_new (folders);
  fixture->findings = clq_findings_new ();
  fixture->options.registry = fixture->registry;
}

void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  clq_findings_free (fixture->findings);
  clq_registry_free (fixture->registry);
}

ClqGraph *
fixture_load (Fixture *fixture, const char *text)
{
  ClqGraph *graph = clq_graph_load_text ("text", text, &fixture->options, fixture->findings);
  g_autofree char *findings = clq_findings_print (fixture->findings);

  if (graph == NULL)
    g_test_message ("%s", findings);
  g_assert_nonnull (graph);
  return graph;
}

void
fixture_assert_fails (Fixture *fixture, const char *text, const char *expected)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *actual = NULL;

  g_assert_null (clq_graph_load_text ("text", text, &fixture->options, findings));
  actual = clq_findings_print (findings);
  g_assert_cmpstr (actual, ==, expected);
}

int
fixture_find_state (const ClqGraph *graph, const char *name)
{
  int state = clq_graph_find_state (graph, name);

  g_assert_cmpint (state, >=, 0);
  return state;
}

int
fixture_find_event (const ClqGraph *graph, const char *name)
{
  int event = clq_graph_find_event (graph, name);

  g_assert_cmpint (event, >=, 0);
  return event;
}

/* The rules of a state and event as one text. */
static char *
print_rules (const ClqGraph *graph, const char *state, const char *event)
{
  GString *out = g_string_new (NULL);
  guint n_rules;
  const ClqRule *rules = clq_graph_get_rules (graph, fixture_find_state (graph, state), fixture_find_event (graph, event), &n_rules);

  for (guint i = 0; i < n_rules; i++)
    {
      const char *target = rules[i].target == CLQ_STAY     ? "@stay"
                           : rules[i].target == CLQ_REFUSE ? "@refuse"
                                                           : graph->state_names[rules[i].target];

      g_string_append_printf (out, "%s%s", i > 0 ? " ; " : "", target);
      if (rules[i].guard != NULL)
        g_string_append_printf (out, " if %s", clq_guard_get_text (rules[i].guard));
    }
  return g_string_free (out, FALSE);
}

void
fixture_assert_rules (const ClqGraph *graph, const char *state, const char *event, const char *expected)
{
  g_autofree char *actual = print_rules (graph, state, event);

  g_assert_cmpstr (actual, ==, expected);
}

/* A setting of a node, as text. */
static char *
print_setting (const ClqBinding *binding, const char *key)
{
  const ClqNodeInfo *info = clq_node_get_info (binding->node);
  const ClqSetting *setting = clq_settings_find (info->settings, info->setting_size, key);

  g_assert_nonnull (setting);
  return clq_setting_print (setting, clq_node_get_self (binding->node));
}

void
fixture_assert_setting (const ClqBinding *binding, const char *key, const char *expected)
{
  g_autofree char *actual = print_setting (binding, key);

  g_assert_cmpstr (actual, ==, expected);
}
