/* What a graph is after loading: rules, events, states, nodes, metrics. */
#include <locale.h>

#include <glib/gstdio.h>

#include "fixture.h"

static void
test_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "actions=go;stop\n"
                                                           "[always]\nstop=@refuse if state == \"b\" and hops > 9\n"
                                                           "[state a]\n[state b]\nfinal=true\n"
                                                           "[transitions]\n"
                                                           "a.go=b if event.text == \"x;\\\"y\" ; a if hops > 1 ; @stay\n"
                                                           "b.stop=a if hops > 1\n"
                                                           "[otherwise]\nstop=@stay\ngo=@refuse\n");
  guint n_rules;

  fixture_assert_rules (graph, "a", "go", "b if event.text == \"x;\\\"y\" ; a if hops > 1 ; @stay ; @refuse");
  fixture_assert_rules (graph, "b", "go", "@refuse");
  fixture_assert_rules (graph, "a", "stop", "@refuse if state == \"b\" and hops > 9 ; @stay");
  fixture_assert_rules (graph, "b", "stop", "@refuse if state == \"b\" and hops > 9 ; a if hops > 1 ; @stay");
  fixture_assert_rules (graph, "a", "failed", "");
  g_assert_cmpuint (graph->first_rule[graph->n_states * graph->n_events], ==, 4 + 1 + 2 + 3);
  g_assert_cmpuint (clq_graph_get_rules (graph, 0, fixture_find_event (graph, "go"), &n_rules)[1].line, ==, 12);
  g_assert_cmpstr (clq_graph_get_rules (graph, 0, fixture_find_event (graph, "go"), &n_rules)[1].file, ==, "text");
}

static void
test_no_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "[state a]\nfinal=true\n");
  guint n_rules = 1;

  g_assert_cmpuint (graph->n_events, >, 0);
  for (guint event = 0; event < graph->n_events; event++)
    {
      g_assert_null (clq_graph_get_rules (graph, 0, event, &n_rules));
      g_assert_cmpuint (n_rules, ==, 0);
    }
}

static void
test_guard_cache (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "actions=go;stop\n[state a]\n"
                                                           "[transitions]\na.go=a if hops > 1 ; @stay\na.stop=a if  hops > 1\n");
  guint n_rules;

  g_assert_cmpuint (graph->guards->len, ==, 1);
  g_assert_true (clq_graph_get_rules (graph, 0, fixture_find_event (graph, "go"), &n_rules)->guard ==
                 clq_graph_get_rules (graph, 0, fixture_find_event (graph, "stop"), &n_rules)->guard);
}

static void
test_events (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "actions=message;answer\ndeadlines=bell\n"
                                                           "[events]\nfailed=FAILED\ndone=message\nasked=ASKED\n"
                                                           "[state a]\nnode=basic.say\nnode.bell=basic.ask\n"
                                                           "[transitions]\na.message=@stay\na.bell=a\na.ASKED=@stay\na.FAILED=@stay\na.answer=a\n");
  const ClqGraphEvent *message = &graph->events[fixture_find_event (graph, "message")];
  const ClqGraphEvent *answer = &graph->events[fixture_find_event (graph, "answer")];

  g_assert_cmpint (graph->message, ==, fixture_find_event (graph, "message"));
  g_assert_true (message->is_action && message->is_outcome && !message->is_deadline);
  g_assert_true (answer->is_action && !answer->is_outcome);
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_ANSWER], ==, fixture_find_event (graph, "answer"));
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_FAILED], ==, fixture_find_event (graph, "FAILED"));
  g_assert_cmpint (graph->engine_events[CLQ_ENGINE_LIMIT], ==, fixture_find_event (graph, "limit"));
  g_assert_true (graph->events[fixture_find_event (graph, "bell")].is_deadline);
  g_assert_cmpint (clq_graph_find_event (graph, "failed"), ==, -1);
  g_assert_cmpint (clq_graph_find_event (graph, "done"), ==, -1);
  g_assert_cmpint (clq_graph_find_outcome (graph, "done"), ==, fixture_find_event (graph, "message"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "asked"), ==, fixture_find_event (graph, "ASKED"));
  g_assert_cmpint (clq_graph_find_outcome (graph, "message"), ==, fixture_find_event (graph, "message"));
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
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "[events]\ndone=message\n[state a]\nnode=basic.say\n[transitions]\na.message=@stay\n");

  g_assert_cmpint (graph->message, ==, -1);
  g_assert_cmpint (clq_graph_find_event (graph, "message"), >=, 0);
}

static void
test_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "title=A title\nactions=go\n"
                                                           "[state *]\nretry=2\ntimeout=1min\nbusy=refuse\nvisit-timeout.go=5s\n"
                                                           "[state a]\nsummary=First\nmilestone=true\nvisit-timeout=2s\nmax-visits=4\ntarget=1s\nalert=2s\n"
                                                           "[state b]\nretry=0\ntimeout=0\nidle=250ms\nbackoff=3s\nbusy=interrupt\nfinal=true\nwait=answer\naccept=unanswered\nvisit-timeout.go=7s\n"
                                                           "[transitions]\na.go=b\nb.go=b\n[otherwise]\ntimeout=@stay\nidle=@stay\nanswer=a\n");
  const ClqState *a = &graph->states[fixture_find_state (graph, "a")], *b = &graph->states[fixture_find_state (graph, "b")];
  int go = fixture_find_event (graph, "go");

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
  g_assert_cmpint (b->visit_timeout_on[fixture_find_event (graph, "timeout")], ==, -1);
  g_assert_cmpuint (b->line, ==, 19);
}

static void
test_nodes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "actions=message;go\n"
                                                           "[state *]\nnode.message=basic.reply\nagent=one\nprompt=What?\n"
                                                           "[state a]\nnode=basic.say\ntext=Hello.\n"
                                                           "[state b]\nnode.go=basic.ask\n"
                                                           "[state c]\nnode.message=\nfinal=true\n[state d]\nagent=two\nfinal=true\n"
                                                           "[transitions]\na.message=@stay\na.go=b\nb.message=c if hops > 1 ; d\nb.go=a\nc.go=c\n"
                                                           "[otherwise]\ndone=@stay\nreplied=@stay\nsilent=@stay\nasked=@stay\n");
  int message = fixture_find_event (graph, "message"), go = fixture_find_event (graph, "go");
  const ClqState *a = &graph->states[0], *b = &graph->states[1], *c = &graph->states[2], *d = &graph->states[3];

  g_assert_cmpuint (graph->bindings->len, ==, 4);
  g_assert_cmpstr (a->entry->kind, ==, "basic.say");
  g_assert_cmpint (a->entry->event, ==, -1);
  g_assert_true (a->entry->graph == graph);
  fixture_assert_setting (a->entry, "text", "Hello.");
  g_assert_true (clq_graph_get_binding (graph, 0, message) == a->on_event[message]);
  g_assert_cmpint (a->on_event[message]->event, ==, message);
  fixture_assert_setting (a->on_event[message], "agent", "one");
  g_assert_null (clq_graph_get_binding (graph, 0, go));
  g_assert_null (clq_graph_get_binding (graph, 0, -1));
  /* Nothing leads to b by message, although b takes it. */
  g_assert_null (b->on_event[message]);
  g_assert_cmpuint (b->on_event[go]->state, ==, 1);
  fixture_assert_setting (b->on_event[go], "prompt", "What?");
  fixture_assert_setting (d->on_event[message], "agent", "two");
  /* c has taken the default away. */
  g_assert_null (c->on_event);
  g_assert_null (c->entry);
}

static void
test_node_type (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "[state a]\nnode=odd.typed\n[transitions]\na.done=@stay\n");

  g_assert_cmpstr (G_OBJECT_TYPE_NAME (graph->states[0].entry->node), ==, "OddTyped");
}

static void
test_lives_alone (Fixture *fixture, gconstpointer data)
{
  ClqGraph *graph = fixture_load (fixture, HEAD "modality=basic.notes\n[state a]\nnode=basic.say\n[transitions]\na.done=@stay\n");

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
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "modality=basic.notes\nactions=message\n[modality]\nmax-notes=7\n"
                                                           "[state a]\n[transitions]\na.message=a if mentions-stop ; @stay if count > 2\n");
  const ClqSetting *setting = clq_settings_find (graph->modality->settings, graph->modality->setting_size, "max-notes");
  g_autofree char *notes = clq_setting_print (setting, graph->modality_self);
  guint n_rules;

  g_assert_cmpstr (notes, ==, "7");
  g_assert_true (clq_guard_reads_event (clq_graph_get_rules (graph, 0, graph->message, &n_rules)->guard));
}

static void
test_metrics (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = fixture_load (fixture, HEAD "actions=yes;no\n[state a]\n[otherwise]\nyes=@stay\nno=@stay\n"
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
test_note (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = NULL;
  g_autofree char *text = NULL;

  graph = clq_graph_load ("y_accept_unreachable.graph", &fixture->options, fixture->findings);
  g_assert_nonnull (graph);
  g_clear_pointer (&graph, clq_graph_unref);
  graph = clq_graph_load ("y_hidden_setting.graph", &fixture->options, fixture->findings);
  text = clq_findings_print (fixture->findings);
  g_assert_cmpstr (text, ==, "y_accept_unreachable.graph:9: note: state CONVERGING cannot be reached from a (accepted)\n"
                             "y_hidden_setting.graph:9: note: odd.hidden has a setting 'timeout' that cannot be given: every state has a key of that name\n");
  g_assert_null (clq_findings_to_error (fixture->findings));
  fixture_assert_setting (graph->states[0].entry, "Some-Name", "y");
  fixture_assert_setting (graph->states[0].entry, "timeout", "3s");
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
  add ("/colloquy/graph/rules", test_rules);
  add ("/colloquy/graph/no-rules", test_no_rules);
  add ("/colloquy/graph/guard-cache", test_guard_cache);
  add ("/colloquy/graph/events", test_events);
  add ("/colloquy/graph/no-message", test_no_message);
  add ("/colloquy/graph/states", test_states);
  add ("/colloquy/graph/nodes", test_nodes);
  add ("/colloquy/graph/node-type", test_node_type);
  add ("/colloquy/graph/lives-alone", test_lives_alone);
  add ("/colloquy/graph/modality", test_modality);
  add ("/colloquy/graph/metrics", test_metrics);
  add ("/colloquy/graph/note", test_note);
  return g_test_run ();
}
