/* The node helper of the SDK: what a node asks of agents, tools and people. */
#include "test-test-node.h"

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
  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "not yet");
  clq_test_node_assert_said (test, "asked one=1 two=2 ");
  /* The second attempt knows the answer of the first. */
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "asked again one=1 last=3 ");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "one ann\ntwo file.read\nlast file.read\n");
  g_assert_cmpstr (clq_test_node_get_request (test, "last"), ==, "{\"n\":1}");
  /* Another visit does not. */
  clq_test_node_enter (test);
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
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "q ann\nq rejected: no good\nq ann\n");
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
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_WAITING);
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
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "node 'confirm' did not finish within visit-timeout=1s");
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

/* ---- fan-outs ---- */

static void
on_all (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  for (guint i = 0; i < n_calls; i++)
    clq_visit_say (visit, "%s ", clq_call_get_error (calls[i]) != NULL ? clq_call_get_error (calls[i])->message : clq_call_get_text (calls[i]));
  clq_visit_finish (visit, "done");
}

static void
fan_out_enter (gpointer self, ClqVisit *visit)
{
  const ClqRequest requests[] = { { "a", "ann", "{}" }, { "b", "bob", "{}" }, { "c", "cid", "{}" } };
  ClqJoin join = g_strcmp0 (clq_visit_get_text (visit), "settle") == 0 ? CLQ_JOIN_SETTLE : CLQ_JOIN_ALL;

  clq_visit_fan_out (visit, requests, G_N_ELEMENTS (requests), join, 0, on_all, NULL);
}
NODE (fan_out);

static void
test_fan_out_all_at_once (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&fan_out_info, NULL);

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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&fan_out_info, NULL);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_delay_reply (test, "bob", 1);
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_delay_reply (test, "cid", 2);
  clq_test_node_enter (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_assert_released (test);

  /* Only what has no answer is asked again. */
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "A B C ");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "a ann\nb bob\nc cid\nb bob\nc cid\n");
}

static void
test_fan_out_settle (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&fan_out_info, NULL);

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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&fan_out_info, NULL);

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
  g_test_add_func ("/colloquy/test-node/fan-out/all-at-once", test_fan_out_all_at_once);
  g_test_add_func ("/colloquy/test-node/fan-out/failure", test_fan_out_failure);
  g_test_add_func ("/colloquy/test-node/fan-out/settle", test_fan_out_settle);
  g_test_add_func ("/colloquy/test-node/fan-out/retry", test_fan_out_retry);
}
