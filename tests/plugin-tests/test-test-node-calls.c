/* The node helper of the SDK: what a node asks of agents, tools and people. */
#include "test-test-node.h"

#include <string.h>

static void
on_call (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  const GError *error = clq_call_get_error (call);

  clq_visit_say (visit, "%s%s=%s ", clq_call_is_replayed (call) ? "again " : "", clq_call_get_key (call),
                 error != NULL ? error->message : clq_call_get_text (call));
  if (g_str_equal (clq_call_get_key (call), "two"))
    clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "not yet");
  else if (g_str_equal (clq_call_get_key (call), "last"))
    clq_visit_finish (visit, "done");
}

/* Nothing comes back from inside a call. */
static void
calls_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_agent (visit, "one", "ann", "{}", FALSE, on_call, NULL);
  clq_visit_call_tool (visit, clq_visit_get_attempt (visit) == 1 ? "two" : "last", "file.read", "{\"n\":1}", on_call, NULL);
  clq_visit_say (visit, "asked ");
}
NODE (calls);

static void
test_calls (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&calls_info, NULL);

  clq_test_node_reply (test, "ann", "1");
  clq_test_node_reply (test, "file.read", "2");
  clq_test_node_reply (test, "file.read", "3");
  clq_test_node_set_retry (test, 1);
  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_assert_said (test, "asked one=1 two=2 ");
  /* The second attempt knows the answer of the first. */
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "asked again one=1 last=3 ");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "one ann\ntwo file.read\nlast file.read\n");
  g_assert_cmpstr (clq_test_node_get_request (test, "last"), ==, "{\"n\":1}");
  /* Another visit does not. */
  clq_test_node_set_retry (test, 0);
  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "not yet");
  clq_test_node_assert_said (test, "asked one=agent 'ann' has no reply queued two=tool 'file.read' has no reply queued ");
}

static void
on_reject (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  if (g_strcmp0 (clq_call_get_text (call), "good") == 0)
    {
      clq_visit_finish (visit, "done");
      return;
    }
  clq_visit_reject_call (visit, "q", "no good");
  clq_visit_call_agent (visit, "q", "ann", "{}", FALSE, on_reject, NULL);
}

static void
reject_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_agent (visit, "q", "ann", "{}", FALSE, on_reject, NULL);
}
NODE (reject);

static void
test_reject (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&reject_info, NULL);

  clq_test_node_reply (test, "ann", "bad");
  clq_test_node_reply (test, "ann", "good");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "q ann\nq ann\nq rejected: no good\n");
  clq_test_node_assert_released (test);
}

static void
on_confirmed (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  clq_visit_finish (visit, g_str_equal (clq_call_get_text (call), "true") ? "done" : "other");
}

static void
confirm_enter (gpointer self, ClqVisit *visit)
{
  const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .prompt = "Delete it?" };

  clq_visit_ask (visit, "sure", &question, on_confirmed, NULL);
}
NODE (confirm);

static void
test_ask (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&confirm_info, NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_assert_asked (test, "Delete it?");
  g_assert_false (clq_test_node_answer (test, "sure", "\"perhaps\"", &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER);
  g_clear_error (&error);
  g_assert_false (clq_test_node_answer (test, "other", "true", &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER);
  g_clear_error (&error);
  clq_test_node_assert_running (test);
  g_assert_true (clq_test_node_answer (test, "sure", "\"Yes!\"", &error));
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_released (test);

  clq_test_node_enter (test);
  clq_test_node_cancel (test);
  clq_test_node_assert_released (test);
}

static void
test_ask_timeout (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&confirm_info, NULL);

  clq_test_node_set_visit_timeout (test, G_TIME_SPAN_SECOND);
  clq_test_node_enter (test);
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "node 'test.confirm' did not finish within visit-timeout=1s");
  clq_test_node_assert_released (test);
}

/* ---- agents and tools that let go, or take their time ---- */

static void
forget_complete (gpointer self, ClqCall *call)
{
}

static const ClqAgentInfo forgetful = {
  CLQ_AGENT_INFO,
  .name = "forgetful",
  .summary = "Lets go of calls",
  .complete = forget_complete,
};

static void
last_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_agent (visit, "last", "ann", "{}", FALSE, on_call, NULL);
}
NODE (last);

static void
test_dropped_call (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&last_info, NULL);

  g_assert_true (clq_test_node_add_agent (test, "ann", &forgetful, NULL, NULL));
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "last='ann' dropped the call 'last' without an answer ");
  clq_test_node_assert_released (test);
}

static gboolean
on_idle (gpointer data)
{
  g_autoptr (ClqCall) call = data;

  clq_call_return (call, "read");
  return G_SOURCE_REMOVE;
}

static void
slow_use (gpointer self, ClqCall *call)
{
  g_idle_add (on_idle, clq_call_ref (call));
}

static const ClqToolInfo slow_tool = {
  CLQ_TOOL_INFO,
  .name = "slow",
  .summary = "Answers from the main loop",
  .schema = "{}",
  .has_effects = TRUE,
  .use = slow_use,
};

static void
effect_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_tool (visit, "last", "file.slow", "{}", on_call, NULL);
}
NODE (effect);

static void
test_tool (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&effect_info, NULL);

  g_assert_true (clq_test_node_add_tool (test, "file.slow", &slow_tool, NULL, NULL));
  clq_test_node_enter (test);
  clq_test_node_wait (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "last=read ");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "last file.slow\n");
}

static void
two_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_tool (visit, "first", "file.read", "{}", on_call, NULL);
  clq_visit_call_tool (visit, "last", "file.write", "{}", on_call, NULL);
}
NODE (two);

/* Tools of one plugin may be named one after the other. */
static void
test_tools_of_one_plugin (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&two_info, NULL);

  clq_test_node_reply (test, "file.read", "r");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "first=r last=kind 'file.write': plugin 'file' has no tool of that name; expected read ");
  clq_test_node_reply (test, "file.read", "r");
  clq_test_node_reply (test, "file.write", "w");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "first=r last=w ");
}

static void
estimate_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_say (visit, "%d %d", (int) clq_visit_estimate_tokens (visit, "ann", "four"), (int) clq_visit_estimate_tokens (visit, "bob", "four"));
  clq_visit_finish (visit, "done");
}
NODE (estimate);

static guint64
forget_estimate (gpointer self, const char *text)
{
  return strlen (text);
}

static const ClqAgentInfo counting = {
  CLQ_AGENT_INFO,
  .name = "counting",
  .summary = "Counts letters",
  .complete = forget_complete,
  .estimate_tokens = forget_estimate,
};

static void
test_estimate (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&estimate_info, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_test_node_add_agent (test, "ann", &counting, NULL, NULL));
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "4 1");
  g_assert_false (clq_test_node_instruct_agent (test, "ann", "{}", &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
}

static void
hold_complete (gpointer self, ClqCall *call)
{
  *(ClqCall **) self = clq_call_ref (call);
  clq_call_return (call, "here");
}

static void
hold_clear (gpointer self)
{
  clq_call_unref (*(ClqCall **) self);
}

static const ClqAgentInfo holding = {
  CLQ_AGENT_INFO,
  .name = "holding",
  .summary = "Does not let go of its call",
  .self_size = sizeof (ClqCall *),
  .clear = hold_clear,
  .complete = hold_complete,
};

/* The agent goes after the host, and its call with it. */
static void
test_kept_call (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&last_info, NULL);

  g_assert_true (clq_test_node_add_agent (test, "ann", &holding, NULL, NULL));
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "last=here ");
}

/* ---- fan-outs ---- */

static void
on_all (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  for (guint i = 0; i < n_calls; i++)
    clq_visit_say (visit, "%s ", clq_call_get_error (calls[i]) != NULL ? clq_call_get_error (calls[i])->message : clq_call_get_text (calls[i]));
  clq_visit_finish (visit, "done");
}

static void
panel_enter (gpointer self, ClqVisit *visit)
{
  const ClqRequest requests[] = { { "a", "ann", "{}" }, { "b", "bob", "{}" }, { "c", "cid", "{}" } };
  ClqJoin join = g_strcmp0 (clq_visit_get_text (visit), "settle") == 0 ? CLQ_JOIN_SETTLE : CLQ_JOIN_ALL;

  clq_visit_fan_out (visit, requests, G_N_ELEMENTS (requests), join, 0, on_all, NULL);
}
NODE (panel);

static void
test_fan_out_all_at_once (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&panel_info, NULL);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_delay_reply (test, "ann", 2);
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_delay_reply (test, "bob", 1);
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "a ann\nb bob\nc cid\n");
  clq_test_node_advance (test, 2);
  clq_test_node_assert_said (test, "A B C ");
  clq_test_node_assert_released (test);
}

static void
test_fan_out_failure (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&panel_info, NULL);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_delay_reply (test, "bob", 1);
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_delay_reply (test, "cid", 2);
  clq_test_node_enter (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_assert_released (test);

  /* Another visit knows nothing of it. */
  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "A B C ");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "a ann\nb bob\nc cid\n");
}

static void
test_fan_out_settle (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&panel_info, NULL);

  clq_test_node_set_text (test, "settle");
  g_assert_true (clq_test_node_add_agent (test, "ann", &forgetful, NULL, NULL));
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "'ann' dropped the call 'a' without an answer B agent 'cid' has no reply queued ");
  g_assert_cmpstr (clq_test_node_get_written (test), ==,
                   "warn a: 'ann' dropped the call 'a' without an answer\n"
                   "warn c: agent 'cid' has no reply queued\n");
  clq_test_node_assert_released (test);
}

static void
test_fan_out_retry (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&panel_info, NULL);

  clq_test_node_set_retry (test, 2);
  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 2 * G_TIME_SPAN_SECOND - 1);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_said (test, "A B C ");
}

/* Adds the tests of this file. */
void
test_add_calls (void)
{
  g_test_add_func ("/colloquy/test-node/calls", test_calls);
  g_test_add_func ("/colloquy/test-node/reject", test_reject);
  g_test_add_func ("/colloquy/test-node/ask", test_ask);
  g_test_add_func ("/colloquy/test-node/ask-timeout", test_ask_timeout);
  g_test_add_func ("/colloquy/test-node/dropped-call", test_dropped_call);
  g_test_add_func ("/colloquy/test-node/tool", test_tool);
  g_test_add_func ("/colloquy/test-node/tools-of-one-plugin", test_tools_of_one_plugin);
  g_test_add_func ("/colloquy/test-node/estimate", test_estimate);
  g_test_add_func ("/colloquy/test-node/kept-call", test_kept_call);
  g_test_add_func ("/colloquy/test-node/fan-out/all-at-once", test_fan_out_all_at_once);
  g_test_add_func ("/colloquy/test-node/fan-out/failure", test_fan_out_failure);
  g_test_add_func ("/colloquy/test-node/fan-out/settle", test_fan_out_settle);
  g_test_add_func ("/colloquy/test-node/fan-out/retry", test_fan_out_retry);
}
