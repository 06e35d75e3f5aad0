/* How a graph is loaded: files, extends, overrides, without nodes, and where it ends. */
#include <locale.h>

#include <glib/gstdio.h>

#include "fixture.h"

static const char to_override[] = HEAD "modality=basic.notes\nactions=go\n[state a]\n[state b]\nfinal=true\n[transitions]\na.go=b\n";

static void
test_overrides (Fixture *fixture, gconstpointer data)
{
  const char *const overrides[] = { "graph.max-hops=5", "modality.max-notes=3", "state a.timeout=5s", "state *.retry=4",
                                    "transitions.a.timeout=@stay", "transitions.a.go=@stay if hops == 1 ; b", NULL };
  g_autoptr (ClqGraph) plain = fixture_load (fixture, to_override);
  g_autoptr (ClqGraph) graph = NULL;
  g_autoptr (ClqGraph) again = NULL;

  fixture->options.overrides = overrides;
  graph = fixture_load (fixture, to_override);
  g_assert_cmpuint (graph->max_hops, ==, 5);
  g_assert_cmpint (graph->states[0].timeout, ==, 5 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (graph->states[1].retry, ==, 4);
  fixture_assert_rules (graph, "a", "go", "@stay if hops == 1 ; b");
  g_assert_cmpstr (graph->hash, !=, plain->hash);
  /* They are part of the text. */
  fixture->options.overrides = NULL;
  again = fixture_load (fixture, graph->text);
  g_assert_true (again->hash == graph->hash);
  g_assert_cmpuint (again->max_hops, ==, 5);
}

static void
test_bad_overrides (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *override;
    const char *expected;
  } cases[] = {
    { "max-hops", "--set: 'max-hops' sets nothing; expected GROUP.KEY=VALUE, for example graph.max-hops=5\n" },
    { "max-hops=1.5", "--set: 'max-hops=1.5' sets nothing; expected GROUP.KEY=VALUE, for example graph.max-hops=5\n" },
    { ".x=1", "--set: '.x=1' sets nothing; expected GROUP.KEY=VALUE, for example graph.max-hops=5\n" },
    { "graph.max-hops=x", "--set: [graph] max-hops: 'x' is no whole number\n" },
    { "graph.max-hop=1", "--set: [graph] max-hop: unknown key; did you mean 'max-hops'?\n" },
    { "grahp.max-hops=1", "--set: [grahp]: unknown group; did you mean 'graph'?\n" },
    { "state bb.retry=1", "--set: unknown group [state bb]; did you mean 'state b'?\n" },
    { "state a.retyr=1", "--set: [state a] retyr: unknown key; did you mean 'retry'?\n" },
    { "modality.max-notes=-1", "--set: [modality] max-notes: -1 is out of range; expected 0 to 1000\n" },
    { "graph.extends=base", "--set: [graph] extends: only a file can extend another graph\n" },
    { "graph.title=\\q", "--set: [graph] title: '\\q' is no escape; expected \\s, \\n, \\t, \\r, \\\\, \\; or \\\"\n" },
    { "transitions.a.go=c", "--set: [transitions] a.go: unknown state 'c'; expected one of: a, b\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const overrides[] = { cases[i].override, NULL };

      fixture->options.overrides = overrides;
      fixture_assert_fails (fixture, to_override, cases[i].expected);
    }
}

/* What stands for something else is part of the text, which needs the files no more. */
static void
test_values (Fixture *fixture, gconstpointer data)
{
  static const char saying[] = "Two lines,\nand ${this} stays as it is.\n";
  g_autoptr (ClqGraph) graph = clq_graph_load ("y_value.graph", &fixture->options, fixture->findings);
  g_autoptr (ClqGraph) again = NULL;

  g_assert_nonnull (graph);
  g_assert_cmpint (graph->states[0].idle, ==, 3 * G_TIME_SPAN_MINUTE);
  g_assert_cmpstr (clq_keyfile_get (graph->keyfile, "state a", "text"), ==, saying);
  again = fixture_load (fixture, graph->text);
  g_assert_true (again->hash == graph->hash);
  g_assert_cmpstr (clq_keyfile_get (again->keyfile, "state a", "text"), ==, saying);
}

static void
test_extends (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = clq_graph_load ("y_extends_twice.graph", &fixture->options, fixture->findings);
  int idle, busy;
  guint n_rules;

  g_assert_nonnull (graph);
  g_assert_cmpstr (graph->name, ==, "y_extends_twice");
  g_assert_null (graph->title);
  g_assert_cmpstr (graph->modality->name, ==, "notes");
  g_assert_cmpstr (clq_keyfile_get (graph->keyfile, "graph", "actions"), ==, "message;stop;more");
  g_assert_null (clq_keyfile_get (graph->keyfile, "graph", "extends"));
  g_assert_cmpstr (graph->state_names[graph->initial], ==, "extra");
  fixture_assert_rules (graph, "busy", "message", "@stay");
  fixture_assert_rules (graph, "idle", "message", "busy");
  idle = fixture_find_state (graph, "idle");
  busy = fixture_find_state (graph, "busy");
  fixture_assert_setting (graph->states[busy].entry, "text", "Very busy.");
  /* Every rule knows where it stands. */
  g_assert_cmpstr (clq_graph_get_rules (graph, busy, graph->message, &n_rules)->file, ==, "y_extends.graph");
  g_assert_cmpstr (clq_graph_get_rules (graph, idle, graph->message, &n_rules)->file, ==, "base.graph");
}

/* The list shows what is wrong with a file once, but the file loads neither the first time nor the second. */
static void
test_same_finding_twice (Fixture *fixture, gconstpointer data)
{
  g_assert_null (clq_graph_load ("broken.graph", &fixture->options, fixture->findings));
  g_assert_cmpuint (clq_findings_get_n_errors (fixture->findings), ==, 2);
  g_assert_null (clq_graph_load ("broken.graph", &fixture->options, fixture->findings));
  g_assert_cmpuint (clq_findings_get_n_errors (fixture->findings), ==, 2);
}

static void
test_find_file (Fixture *fixture, gconstpointer data)
{
  static const char *const folders[] = { "nowhere", "more", ".", NULL };
  static const struct
  {
    const char *name;
    const char *found;
    const char *error;
  } cases[] = {
    { "elsewhere", "more/elsewhere.graph", NULL },
    { "base", "./base.graph", NULL },
    { "base.graph", "base.graph", NULL },
    { "more/elsewhere.graph", "more/elsewhere.graph", NULL },
    { "elsewhre", NULL, "graph 'elsewhre' not found in nowhere, more, .; did you mean 'elsewhere'?" },
    { "more/elsewher.graph", NULL, "file 'more/elsewher.graph' not found; did you mean 'elsewhere.graph'?" },
    { "no/such/thing", NULL, "file 'no/such/thing' not found" },
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) local = NULL;
      g_autofree char *found = clq_graph_find_file (cases[i].name, folders, &local);

      g_assert_cmpstr (found, ==, cases[i].found);
      if (cases[i].error == NULL)
        g_assert_no_error (local);
      else
        g_assert_error (local, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_NOT_FOUND);
      g_assert_cmpstr (local != NULL ? local->message : NULL, ==, cases[i].error);
    }
  g_assert_null (clq_graph_find_file ("base", NULL, &error));
  g_assert_cmpstr (error->message, ==, "graph 'base' not found in no folder at all");
}

static void
test_not_found (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_assert_null (clq_graph_load ("bse.graph", &fixture->options, fixture->findings));
  g_assert_null (clq_graph_load ("more", &fixture->options, fixture->findings));
  text = clq_findings_print (fixture->findings);
  g_assert_cmpstr (text, ==, "bse.graph: file 'bse.graph' not found; did you mean 'base.graph'?\n"
                             "more: graph 'more' not found in no folder at all\n");
}

static void
test_by_name (Fixture *fixture, gconstpointer data)
{
  static const char *const folders[] = { "more", NULL };
  g_autoptr (ClqGraph) graph = NULL;

  fixture->options.folders = folders;
  graph = clq_graph_load ("elsewhere", &fixture->options, fixture->findings);
  g_assert_nonnull (graph);
  g_assert_cmpstr (graph->name, ==, "elsewhere");
  g_assert_cmpstr (graph->states[0].file, ==, "more/elsewhere.graph");
}

static void
test_bare (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = NULL;
  ClqView view = { .data = "{}", .state = "a" };
  const ClqRule *rules;
  guint n_rules;

  fixture->options.registry = NULL;
  fixture->options.bare = TRUE;
  graph = fixture_load (fixture, HEAD "modality=no.such\nactions=message\n[modality]\nany=thing\n"
                                      "[events]\nfailed=FAILED\nsaid=message\n"
                                      "[state a]\nnode=also.missing\nnode.ring=one.more\nsome-setting=x\n"
                                      "[transitions]\na.message=a if some-predicate ; @stay\na.invented=a\na.ring=a\n[otherwise]\nother=@refuse\n");
  g_assert_true (graph->bare);
  g_assert_null (graph->modality);
  g_assert_null (graph->states[0].entry);
  fixture_assert_rules (graph, "a", "invented", "a");
  fixture_assert_rules (graph, "a", "other", "@refuse");
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_FAILED], ==, fixture_find_event (graph, "FAILED"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "said"), ==, graph->message);
  /* Nobody knows the predicate, so it does not hold. */
  rules = clq_graph_get_rules (graph, 0, graph->message, &n_rules);
  g_assert_cmpint (clq_guard_eval (rules[0].guard, &view, NULL, NULL), ==, CLQ_FALSE);
}

static void
test_bare_findings (Fixture *fixture, gconstpointer data)
{
  fixture->options.registry = NULL;
  fixture->options.bare = TRUE;
  fixture_assert_fails (fixture, HEAD "[state a]\n[state b]\n[events]\nfailed=FAILED\n[transitions]\na.go=c\na.failed=b if visits(d) > 1\na.x.y=a\n",
                        "text:10: [transitions] a.go: unknown state 'c'; expected one of: a, b\n"
                        "text:11: [transitions] a.failed: 'failed' is another event here: [events] says failed=FAILED; expected 'FAILED'\n"
                        "text:12: [transitions] a.x.y: 'x.y' is no name of an event; expected a letter or '_', then letters, digits, '_' and '-'\n");
}

/* A graph that breaks its promises can be looked at, but not run. */
static void
test_bare_warnings (Fixture *fixture, gconstpointer data)
{
  static const char broken[] = HEAD "actions=go;stop\ndeadlines=bell\n[state a]\ntimeout=5s\n[state b]\naccept=unreachable\n[state c]\n"
                                    "[transitions]\na.go=b if state == \"b\" ; b ; a\n"
                                    "[invariants]\nback=b leads to a by outcome\nlives=every state has an exit\n";
  static const char *const warnings[] = {
    "text:6: warning: [graph] deadlines: no rule takes 'bell' in any state; expected bell=TARGET in [otherwise], or STATE.bell=TARGET in [transitions]\n",
    "text:8: warning: state a: timeout=5s raises 'timeout', but no rule takes that; expected a.timeout=TARGET in [transitions]\n",
    "text:9: warning: state b is a dead end: nothing can happen there; expected a rule, final=true, or accept=dead-end in [state b]\n",
    "text:10: warning: [state b] accept: state b can be reached; expected no 'unreachable' there\n",
    "text:11: warning: state c cannot be reached from a; expected a rule that leads there, or accept=unreachable in [state c]\n",
    "text:13: warning: [transitions] a.go: 'a' is never tried: 'b' before it has no guard; expected it last\n",
    "text:13: warning: [transitions] a.go: 'b if state == \"b\"' is never taken: its guard never holds in state a; expected another guard, or accept=never-taken in [state a]\n",
    "text:15: warning: [invariants] back: 'b leads to a by outcome' does not hold: b has no rule for 'outcome'; counterexample: go, outcome\n",
    "text:16: warning: [invariants] lives: 'every state has an exit' does not hold: nothing leads from b to another state; counterexample: go\n",
    NULL,
  };
  g_autofree char *expected = g_strjoinv (NULL, (char **) warnings);
  g_autofree char *actual = NULL;
  g_autoptr (ClqGraph) graph = NULL;
  GPtrArray *all;
  const ClqFinding *last;

  g_assert_null (clq_graph_load_text ("text", broken, &fixture->options, fixture->findings));
  g_clear_pointer (&fixture->findings, clq_findings_free);
  fixture->findings = clq_findings_new ();
  fixture->options.bare = TRUE;
  graph = clq_graph_load_text ("text", broken, &fixture->options, fixture->findings);
  g_assert_nonnull (graph);
  g_assert_null (clq_findings_to_error (fixture->findings));
  actual = clq_findings_print (fixture->findings);
  g_assert_cmpstr (actual, ==, expected);
  all = clq_findings_get_all (fixture->findings);
  last = g_ptr_array_index (all, all->len - 1);
  g_assert_cmpint (last->code, ==, CLQ_GRAPH_ERROR_INVARIANT);
  g_assert_cmpstr (last->invariant, ==, "lives");
  g_assert_cmpstr (last->counterexample, ==, "[{\"do\":\"event\",\"name\":\"go\",\"to\":\"b\"}]");
}

static void
test_too_many_invariants (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "actions=go\n[state a]\n[transitions]\na.go=a\n[invariants]\n");

  for (guint i = 0; i < 1001; i++)
    g_string_append_printf (text, "i%u=a is never left\n", i);
  fixture_assert_fails (fixture, text->str, "text:1010: [invariants] i1000: there are too many invariants; expected at most 1000\n");
}

static void
test_too_many_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "[state a]\n");

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "[state s%u]\n", i);
  fixture_assert_fails (fixture, text->str, "text:1: there are 1001 states; expected at most 1000\n");
}

static void
test_too_many_events (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "actions=");

  /* The engine has eight. */
  for (guint i = 0; i < 993; i++)
    g_string_append_printf (text, "e%u;", i);
  g_string_append (text, "\n[state a]\n");
  fixture_assert_fails (fixture, text->str, "text:1: there are 1001 events; expected at most 1000\n");
}

/* A rule for any state is one for each. */
static void
test_too_many_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "actions=go\n[state a]\n");

  for (guint i = 0; i < 150; i++)
    g_string_append_printf (text, "[state s%u]\ntimeout=1s\n", i);
  g_string_append (text, "[otherwise]\ngo=");
  for (guint i = 0; i < 10000; i++)
    g_string_append (text, "a if hops > 1;");
  g_string_append (text, "a\n");
  fixture_assert_fails (fixture, text->str, "text:1: there are too many rules; expected at most 1000000, counted for each state\n");
}

static void
test_text_extends (Fixture *fixture, gconstpointer data)
{
  fixture_assert_fails (fixture, HEAD "extends=base\n[state a]\nfinal=true\n", "text:5: [graph] extends: only a file can extend another graph\n");
}

static void
test_error (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_graph_load ("n_accept.graph", &fixture->options, fixture->findings));
  g_assert_null (clq_graph_load ("n_kind_form.graph", &fixture->options, fixture->findings));
  error = clq_findings_to_error (fixture->findings);
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "n_accept.graph:8: [state a] accept: 'unreachabel' is no finding that can be accepted; did you mean 'unreachable'?\n"
                                       "n_kind_form.graph:8: [state a] node: kind 'say': expected PLUGIN.NAME");
}

static void
add (const char *path, void (*func) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, fixture_set_up, func, fixture_tear_down);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (g_chdir (FILES_DIR), ==, 0);
  add ("/colloquy/graph-load/overrides", test_overrides);
  add ("/colloquy/graph-load/bad-overrides", test_bad_overrides);
  add ("/colloquy/graph-load/values", test_values);
  add ("/colloquy/graph-load/extends", test_extends);
  add ("/colloquy/graph-load/same-finding-twice", test_same_finding_twice);
  add ("/colloquy/graph-load/find-file", test_find_file);
  add ("/colloquy/graph-load/not-found", test_not_found);
  add ("/colloquy/graph-load/by-name", test_by_name);
  add ("/colloquy/graph-load/bare", test_bare);
  add ("/colloquy/graph-load/bare-findings", test_bare_findings);
  add ("/colloquy/graph-load/bare-warnings", test_bare_warnings);
  add ("/colloquy/graph-load/too-many-invariants", test_too_many_invariants);
  add ("/colloquy/graph-load/too-many-states", test_too_many_states);
  add ("/colloquy/graph-load/too-many-events", test_too_many_events);
  add ("/colloquy/graph-load/too-many-rules", test_too_many_rules);
  add ("/colloquy/graph-load/text-extends", test_text_extends);
  add ("/colloquy/graph-load/error", test_error);
  return g_test_run ();
}
