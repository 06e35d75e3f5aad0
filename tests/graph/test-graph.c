/* What a graph is after loading: tables, nodes, names, limits. */
#include <locale.h>
#include <string.h>

#include <glib/gstdio.h>

#include "clq-graph.h"

typedef struct
{
  ClqRegistry *registry;
  ClqFindings *findings;
  ClqGraphOptions options;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const char *const folders[] = { g_getenv ("CLQ_PLUGIN_PATH"), FIXTURE_DIR, NULL };

  fixture->registry = clq_registry_new (folders);
  fixture->findings = clq_findings_new ();
  fixture->options.registry = fixture->registry;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  clq_findings_free (fixture->findings);
  clq_registry_free (fixture->registry);
}

static ClqGraph *
load (Fixture *fixture, const char *text)
{
  ClqGraph *graph = clq_graph_load_text ("text", text, &fixture->options, fixture->findings);
  g_autofree char *findings = clq_findings_print (fixture->findings);

  if (graph == NULL)
    g_test_message ("%s", findings);
  g_assert_nonnull (graph);
  return graph;
}

static void
assert_fails (Fixture *fixture, const char *text, const char *expected)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *actual = NULL;

  g_assert_null (clq_graph_load_text ("text", text, &fixture->options, findings));
  actual = clq_findings_print (findings);
  g_assert_cmpstr (actual, ==, expected);
}

static int
find_state (const ClqGraph *graph, const char *name)
{
  int state = clq_graph_find_state (graph, name);

  g_assert_cmpint (state, >=, 0);
  return state;
}

static int
find_event (const ClqGraph *graph, const char *name)
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
  const ClqRule *rules = clq_graph_get_rules (graph, find_state (graph, state), find_event (graph, event), &n_rules);

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

static void
assert_rules (const ClqGraph *graph, const char *state, const char *event, const char *expected)
{
  g_autofree char *actual = print_rules (graph, state, event);

  g_assert_cmpstr (actual, ==, expected);
}

#define HEAD "[graph]\nformat=1\nname=text\ninitial=a\n"

static void
test_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "actions=go;stop\n"
                                                   "[always]\nstop=@refuse if state == \"b\"\n"
                                                   "[state a]\n[state b]\n"
                                                   "[transitions]\n"
                                                   "a.go=b if event.text == \"x;\\\"y\" ; a if hops > 1 ; @stay\n"
                                                   "b.stop=a if hops > 1\n"
                                                   "[otherwise]\nstop=@stay\ngo=@refuse\n");
  guint n_rules;

  assert_rules (graph, "a", "go", "b if event.text == \"x;\\\"y\" ; a if hops > 1 ; @stay ; @refuse");
  assert_rules (graph, "b", "go", "@refuse");
  assert_rules (graph, "a", "stop", "@refuse if state == \"b\" ; @stay");
  assert_rules (graph, "b", "stop", "@refuse if state == \"b\" ; a if hops > 1 ; @stay");
  assert_rules (graph, "a", "failed", "");
  g_assert_cmpuint (graph->first_rule[graph->n_states * graph->n_events], ==, 4 + 1 + 2 + 3);
  g_assert_cmpuint (clq_graph_get_rules (graph, 0, find_event (graph, "go"), &n_rules)[1].line, ==, 11);
  g_assert_cmpstr (clq_graph_get_rules (graph, 0, find_event (graph, "go"), &n_rules)[1].file, ==, "text");
}

static void
test_guard_cache (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "actions=go;stop\n[state a]\n"
                                                   "[transitions]\na.go=a if hops > 1 ; @stay\na.stop=a if  hops > 1\n");
  guint n_rules;

  g_assert_cmpuint (graph->guards->len, ==, 1);
  g_assert_true (clq_graph_get_rules (graph, 0, find_event (graph, "go"), &n_rules)->guard ==
                 clq_graph_get_rules (graph, 0, find_event (graph, "stop"), &n_rules)->guard);
}

static void
test_events (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "actions=message;answer\ndeadlines=bell\n"
                                                   "[events]\nfailed=FAILED\ndone=message\nasked=ASKED\n"
                                                   "[state a]\nnode=basic.say\nnode.bell=basic.ask\n"
                                                   "[transitions]\na.message=@stay\na.bell=a\na.ASKED=@stay\na.FAILED=@stay\na.answer=a\n");
  const ClqGraphEvent *message = &graph->events[find_event (graph, "message")];
  const ClqGraphEvent *answer = &graph->events[find_event (graph, "answer")];

  g_assert_cmpint (graph->message, ==, find_event (graph, "message"));
  g_assert_true (message->is_action && message->is_outcome && !message->is_deadline);
  g_assert_true (answer->is_action && !answer->is_outcome);
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_ANSWER], ==, find_event (graph, "answer"));
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_FAILED], ==, find_event (graph, "FAILED"));
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_LIMIT], ==, find_event (graph, "limit"));
  g_assert_true (graph->events[find_event (graph, "bell")].is_deadline);
  g_assert_cmpint (clq_graph_find_event (graph, "failed"), ==, -1);
  g_assert_cmpint (clq_graph_find_event (graph, "done"), ==, -1);
  g_assert_cmpint (clq_graph_find_outcome (graph, "done"), ==, find_event (graph, "message"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "asked"), ==, find_event (graph, "ASKED"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "message"), ==, find_event (graph, "message"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "nothing"), ==, -1);
  /* Actions come first, as the file lists them. */
  g_assert_cmpstr (graph->event_names[0], ==, "message");
  g_assert_cmpstr (graph->event_names[1], ==, "answer");
  g_assert_null (graph->event_names[graph->n_events]);
}

static void
test_no_message (Fixture *fixture, gconstpointer data)
{
  /* An outcome is not the action, whatever its name. */
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "[events]\ndone=message\n[state a]\nnode=basic.say\n[transitions]\na.message=@stay\n");

  g_assert_cmpint (graph->message, ==, -1);
  g_assert_cmpint (clq_graph_find_event (graph, "message"), >=, 0);
}

static void
test_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "title=A title\nactions=go\n"
                                                   "[state *]\nretry=2\ntimeout=1min\nbusy=refuse\nvisit-timeout.go=5s\n"
                                                   "[state a]\nsummary=First\nmilestone=true\nvisit-timeout=2s\nmax-visits=4\ntarget=1s\nalert=2s\n"
                                                   "[state b]\nretry=0\ntimeout=0\nidle=250ms\nbackoff=3s\nbusy=interrupt\nfinal=true\nwait=answer\nvisit-timeout.go=7s\n"
                                                   "[transitions]\na.go=b\nb.go=b\n[otherwise]\ntimeout=@stay\nidle=@stay\nanswer=a\n");
  const ClqState *a = &graph->states[find_state (graph, "a")], *b = &graph->states[find_state (graph, "b")];
  int go = find_event (graph, "go");

  g_assert_cmpstr (graph->title, ==, "A title");
  g_assert_cmpuint (graph->max_hops, ==, 1000);
  g_assert_cmpstr (a->title, ==, "First");
  g_assert_true (a->milestone && !a->final && !a->waits && !b->milestone && b->final && b->waits);
  g_assert_cmpuint (a->retry, ==, 2);
  g_assert_cmpuint (b->retry, ==, 0);
  g_assert_cmpint (a->timeout, ==, G_TIME_SPAN_MINUTE);
  g_assert_cmpint (b->timeout, ==, 0);
  g_assert_cmpint (b->idle, ==, 250 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (a->backoff_min, ==, G_TIME_SPAN_SECOND);
  g_assert_cmpint (a->backoff_max, ==, 60 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (b->backoff_min, ==, 3 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (b->backoff_max, ==, 3 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (a->busy, ==, CLQ_BUSY_REFUSE);
  g_assert_cmpint (b->busy, ==, CLQ_BUSY_INTERRUPT);
  g_assert_cmpuint (a->max_visits, ==, 4);
  g_assert_cmpint (a->target, ==, G_TIME_SPAN_SECOND);
  g_assert_cmpint (a->alert, ==, 2 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (a->visit_timeout, ==, 2 * G_TIME_SPAN_SECOND);
  /* No rule for go leads to a. */
  g_assert_null (a->visit_timeout_on);
  g_assert_cmpint (b->visit_timeout_on[go], ==, 7 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (b->visit_timeout_on[find_event (graph, "timeout")], ==, -1);
  g_assert_cmpuint (b->line, ==, 19);
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

static void
assert_setting (const ClqBinding *binding, const char *key, const char *expected)
{
  g_autofree char *actual = print_setting (binding, key);

  g_assert_cmpstr (actual, ==, expected);
}

static void
test_nodes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "actions=message;go\n"
                                                   "[state *]\nnode.message=basic.reply\nagent=one\nprompt=What?\n"
                                                   "[state a]\nnode=basic.say\ntext=Hello.\n"
                                                   "[state b]\nnode.go=basic.ask\n"
                                                   "[state c]\nnode.message=\n[state d]\nagent=two\n"
                                                   "[transitions]\na.message=@stay\na.go=b\nb.message=c if hops > 1 ; d\nb.go=a\nc.go=c\n"
                                                   "[otherwise]\ndone=@stay\nreplied=@stay\nsilent=@stay\nasked=@stay\n");
  int message = find_event (graph, "message"), go = find_event (graph, "go");
  const ClqState *a = &graph->states[0], *b = &graph->states[1], *c = &graph->states[2], *d = &graph->states[3];

  g_assert_cmpuint (graph->bindings->len, ==, 4);
  g_assert_cmpstr (a->entry->kind, ==, "basic.say");
  g_assert_cmpint (a->entry->event, ==, -1);
  g_assert_true (a->entry->graph == graph);
  assert_setting (a->entry, "text", "Hello.");
  g_assert_true (clq_graph_get_binding (graph, 0, message) == a->on_event[message]);
  g_assert_cmpint (a->on_event[message]->event, ==, message);
  assert_setting (a->on_event[message], "agent", "one");
  g_assert_null (clq_graph_get_binding (graph, 0, go));
  g_assert_null (clq_graph_get_binding (graph, 0, -1));
  /* Nothing leads to b by message, although b takes it. */
  g_assert_null (b->on_event[message]);
  g_assert_cmpuint (b->on_event[go]->state, ==, 1);
  assert_setting (b->on_event[go], "prompt", "What?");
  assert_setting (d->on_event[message], "agent", "two");
  /* c has taken the default away. */
  g_assert_null (c->on_event);
  g_assert_null (c->entry);
}

static void
test_node_type (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "[state a]\nnode=odd.typed\n[transitions]\na.done=@stay\n");

  g_assert_cmpstr (G_OBJECT_TYPE_NAME (graph->states[0].entry->node), ==, "OddTyped");
}

static void
test_lives_alone (Fixture *fixture, gconstpointer data)
{
  ClqGraph *graph = load (fixture, HEAD "modality=basic.notes\n[state a]\nnode=basic.say\n[transitions]\na.done=@stay\n");

  g_clear_pointer (&fixture->registry, clq_registry_free);
  g_assert_true (clq_graph_ref (graph) == graph);
  clq_graph_unref (graph);
  g_assert_cmpstr (graph->modality->name, ==, "notes");
  g_assert_nonnull (graph->modality_self);
  clq_graph_unref (graph);
}

static void
test_modality (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "modality=basic.notes\nactions=message\n[modality]\nmax-notes=7\n"
                                                   "[state a]\n[transitions]\na.message=a if mentions-stop ; @stay if count > 2\n");
  const ClqSetting *setting = clq_settings_find (graph->modality->settings, graph->modality->setting_size, "max-notes");
  g_autofree char *notes = clq_setting_print (setting, graph->modality_self);
  guint n_rules;

  g_assert_cmpstr (notes, ==, "7");
  g_assert_true (clq_guard_reads_event (clq_graph_get_rules (graph, 0, graph->message, &n_rules)->guard));
}

static const char to_override[] = HEAD "modality=basic.notes\nactions=go\n[state a]\n[state b]\n[transitions]\na.go=b\n";

static void
test_overrides (Fixture *fixture, gconstpointer data)
{
  const char *const overrides[] = { "graph.max-hops=5", "modality.max-notes=3", "state a.timeout=5s", "state *.retry=4",
                                    "transitions.a.timeout=@stay", "transitions.a.go=@stay if hops == 1 ; b", NULL };
  g_autoptr (ClqGraph) plain = load (fixture, to_override);
  g_autoptr (ClqGraph) graph = NULL;
  g_autoptr (ClqGraph) again = NULL;

  fixture->options.overrides = overrides;
  graph = load (fixture, to_override);
  g_assert_cmpuint (graph->max_hops, ==, 5);
  g_assert_cmpint (graph->states[0].timeout, ==, 5 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (graph->states[1].retry, ==, 4);
  assert_rules (graph, "a", "go", "@stay if hops == 1 ; b");
  g_assert_cmpstr (graph->hash, !=, plain->hash);
  /* They are part of the text. */
  fixture->options.overrides = NULL;
  again = load (fixture, graph->text);
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
      assert_fails (fixture, to_override, cases[i].expected);
    }
}

static void
test_extends (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = clq_graph_load ("y_extends_twice.graph", &fixture->options, fixture->findings);
  guint n_rules;

  g_assert_nonnull (graph);
  g_assert_cmpstr (graph->name, ==, "y_extends_twice");
  g_assert_null (graph->title);
  g_assert_cmpstr (graph->modality->name, ==, "notes");
  g_assert_cmpstr (clq_keyfile_get (graph->keyfile, "graph", "actions"), ==, "message;stop;more");
  g_assert_null (clq_keyfile_get (graph->keyfile, "graph", "extends"));
  g_assert_cmpstr (graph->state_names[graph->initial], ==, "extra");
  assert_rules (graph, "busy", "message", "@stay");
  assert_rules (graph, "idle", "message", "busy");
  assert_setting (graph->states[find_state (graph, "busy")].entry, "text", "Very busy.");
  /* Every rule knows where it stands. */
  g_assert_cmpstr (clq_graph_get_rules (graph, find_state (graph, "busy"), graph->message, &n_rules)->file, ==, "y_extends.graph");
  g_assert_cmpstr (clq_graph_get_rules (graph, find_state (graph, "idle"), graph->message, &n_rules)->file, ==, "base.graph");
}

static void
test_same_finding_twice (Fixture *fixture, gconstpointer data)
{
  /* Both extend the same wrong file; the list shows what is wrong there once, but neither may load. */
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
  graph = load (fixture, HEAD "modality=no.such\nactions=message\n[modality]\nany=thing\n"
                              "[events]\nfailed=FAILED\nsaid=message\n"
                              "[state a]\nnode=also.missing\nnode.ring=one.more\nsome-setting=x\n"
                              "[transitions]\na.message=a if some-predicate ; @stay\na.invented=a\na.ring=a\n[otherwise]\nother=@refuse\n");
  g_assert_true (graph->bare);
  g_assert_null (graph->modality);
  g_assert_null (graph->states[0].entry);
  assert_rules (graph, "a", "invented", "a");
  assert_rules (graph, "a", "other", "@refuse");
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_FAILED], ==, find_event (graph, "FAILED"));
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
  assert_fails (fixture, HEAD "[state a]\n[state b]\n[events]\nfailed=FAILED\n[transitions]\na.go=c\na.failed=b if visits(d) > 1\na.x.y=a\n",
                "text:10: [transitions] a.go: unknown state 'c'; expected one of: a, b\n"
                "text:11: [transitions] a.failed: 'failed' is another event here: [events] says failed=FAILED; expected 'FAILED'\n"
                "text:12: [transitions] a.x.y: 'x.y' is no name of an event; expected a letter or '_', then letters, digits, '_' and '-'\n");
}

static void
test_metrics (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture, HEAD "actions=yes;no\n[state a]\n[otherwise]\nyes=@stay\nno=@stay\n"
                                                   "[metric rate]\nof=a.yes ; no / a.*\ntarget=> 75%\nalert=<50%\n"
                                                   "[metric count]\nof=yes\ntarget=< 12.5\nwindow=7\n");
  const ClqMetric *rate = g_ptr_array_index (graph->metrics, 0), *count = g_ptr_array_index (graph->metrics, 1);

  g_assert_cmpuint (graph->metrics->len, ==, 2);
  g_assert_cmpstr (rate->name, ==, "rate");
  g_assert_cmpstr (rate->of[0], ==, "a.yes");
  g_assert_cmpstr (rate->of[1], ==, "no");
  g_assert_null (rate->of[2]);
  g_assert_cmpstr (rate->per[0], ==, "a.*");
  g_assert_cmpint (rate->target_sign, ==, '>');
  g_assert_cmpfloat (rate->target, ==, 0.75);
  g_assert_cmpint (rate->alert_sign, ==, '<');
  g_assert_cmpfloat (rate->alert, ==, 0.5);
  g_assert_cmpuint (rate->window, ==, 50);
  g_assert_null (count->per);
  g_assert_cmpint (count->target_sign, ==, '<');
  g_assert_cmpfloat (count->target, ==, 12.5);
  g_assert_cmpint (count->alert_sign, ==, 0);
  g_assert_cmpuint (count->window, ==, 7);
}

static void
test_too_many_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "[state a]\n");

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "[state s%u]\n", i);
  assert_fails (fixture, text->str, "text:1: there are 1001 states; expected at most 1000\n");
}

static void
test_too_many_events (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "actions=");

  /* The engine has eight. */
  for (guint i = 0; i < 993; i++)
    g_string_append_printf (text, "e%u;", i);
  g_string_append (text, "\n[state a]\n");
  assert_fails (fixture, text->str, "text:1: there are 1001 events; expected at most 1000\n");
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
  assert_fails (fixture, text->str, "text:1: there are too many rules; expected at most 1000000, counted for each state\n");
}

static void
test_text_extends (Fixture *fixture, gconstpointer data)
{
  assert_fails (fixture, HEAD "extends=base\n[state a]\n", "text:5: [graph] extends: only a file can extend another graph\n");
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
test_note (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = NULL;
  g_autofree char *text = NULL;

  graph = clq_graph_load ("y_accept_unreachable.graph", &fixture->options, fixture->findings);
  g_assert_nonnull (graph);
  g_clear_pointer (&graph, clq_graph_unref);
  graph = clq_graph_load ("y_hidden_setting.graph", &fixture->options, fixture->findings);
  text = clq_findings_print (fixture->findings);
  g_assert_cmpstr (text, ==, "y_accept_unreachable.graph:9: note: state CONVERGING cannot be reached (accepted)\n"
                             "y_hidden_setting.graph:9: note: odd.hidden has a setting 'timeout' that cannot be given: every state has a key of that name\n");
  g_assert_null (clq_findings_to_error (fixture->findings));
  assert_setting (graph->states[0].entry, "Some-Name", "y");
  assert_setting (graph->states[0].entry, "timeout", "3s");
}

static void
add (const char *path, void (*func) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, func, tear_down);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (g_chdir (FILES_DIR), ==, 0);
  add ("/colloquy/graph/rules", test_rules);
  add ("/colloquy/graph/guard-cache", test_guard_cache);
  add ("/colloquy/graph/events", test_events);
  add ("/colloquy/graph/no-message", test_no_message);
  add ("/colloquy/graph/states", test_states);
  add ("/colloquy/graph/nodes", test_nodes);
  add ("/colloquy/graph/node-type", test_node_type);
  add ("/colloquy/graph/lives-alone", test_lives_alone);
  add ("/colloquy/graph/modality", test_modality);
  add ("/colloquy/graph/overrides", test_overrides);
  add ("/colloquy/graph/bad-overrides", test_bad_overrides);
  add ("/colloquy/graph/extends", test_extends);
  add ("/colloquy/graph/same-finding-twice", test_same_finding_twice);
  add ("/colloquy/graph/find-file", test_find_file);
  add ("/colloquy/graph/not-found", test_not_found);
  add ("/colloquy/graph/by-name", test_by_name);
  add ("/colloquy/graph/bare", test_bare);
  add ("/colloquy/graph/bare-findings", test_bare_findings);
  add ("/colloquy/graph/metrics", test_metrics);
  add ("/colloquy/graph/too-many-states", test_too_many_states);
  add ("/colloquy/graph/too-many-events", test_too_many_events);
  add ("/colloquy/graph/too-many-rules", test_too_many_rules);
  add ("/colloquy/graph/text-extends", test_text_extends);
  add ("/colloquy/graph/error", test_error);
  add ("/colloquy/graph/note", test_note);
  return g_test_run ();
}
