/* The node helper of the SDK: does it treat nodes as the host does? */
#include <string.h>

#include <colloquy-testing.h>

#define NODE(node_name) \
  static const ClqNodeInfo node_name##_info = { \
    CLQ_NODE_INFO, \
    .name = #node_name, \
    .summary = "Does one thing", \
    .outcomes = CLQ_OUTCOMES ("done", "other"), \
    .enter = node_name##_enter, \
  }

/* ---- how a visit ends ---- */

static void
drop_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_say (visit, "I forget");
}
NODE (drop);

static void
test_dropped (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&drop_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_CRITICAL, "the node dropped its visit without finish or fail");
  g_assert_error (clq_test_node_get_error (test), CLQ_NODE_ERROR, CLQ_NODE_ERROR_UNFINISHED);
  clq_test_node_assert_said (test, "I forget");
  clq_test_node_assert_released (test);
}

static void
undeclared_enter (gpointer self, ClqVisit *visit)
{
  clq_change_set_int (clq_visit_get_change (visit), "n", 1);
  clq_visit_finish (visit, "dome");
}
NODE (undeclared);

static void
test_undeclared (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&undeclared_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_CRITICAL, "node 'undeclared' finished with an outcome that it does not declare: 'dome'; did you mean 'done'?");
  g_assert_error (clq_test_node_get_error (test), CLQ_NODE_ERROR, CLQ_NODE_ERROR_OUTCOME);
  /* A failed visit writes nothing. */
  clq_test_node_assert_set (test, "n", NULL);
  g_assert_cmpstr (clq_test_node_get_data (test), ==, "{}");
}

static void
twice_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish_with (visit, "other", "{\"a\":[1,2]}");
  clq_visit_finish (visit, "done");
  clq_visit_fail (visit, CLQ_FAILURE_USER, "too late");
  clq_visit_say (visit, "too late");
}
NODE (twice);

static void
test_first_end_counts (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&twice_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "other");
  clq_test_node_assert_payload (test, "{ \"a\" : [1, 2] }");
  clq_test_node_assert_said (test, NULL);
}

/* ---- what a node sees and writes ---- */

static void
look_enter (gpointer self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  const ClqEvent *event = clq_visit_get_event (visit);
  ClqChange *change = clq_visit_get_change (visit);

  clq_visit_say (visit, "%s %s %s %u %s %s %s", clq_view_get_state (view), clq_view_get_data (view), clq_view_get_schedule (view),
                 clq_view_get_visits (view, "REVIEW"), clq_view_get_setting (view, "max-turns"), clq_event_get_name (event), clq_event_get_payload (event));
  clq_change_set_string (change, "seen.by", "look");
  clq_change_unset (change, "old");
  clq_change_set_int (change, "text.x", 1);
  clq_change_append (change, CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, "{\"a\":1}");
  clq_change_say (change, CLQ_ROLE_SYSTEM, "noted");
  clq_change_set_schedule (change, "{\"type\":\"once\"}", 5);
  clq_change_clear_schedule (change);
  clq_change_set_deadline (change, "late", 7);
  clq_change_clear_deadline (change, "late");
  clq_change_mark (change, "here");
  clq_change_go_to_record (change, 3);
  clq_change_set_reason (change, "because");
  clq_visit_finish (visit, "done");
}
NODE (look);

static void
test_session (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&look_info, NULL);

  clq_test_node_set_state (test, "REVIEW");
  clq_test_node_set_data (test, "{\"old\":1,\"text\":\"t\"}");
  clq_test_node_set_schedule (test, "{\"type\":\"cron\"}", 1);
  clq_test_node_set_modality_setting (test, "max-turns", "3");
  clq_test_node_set_event (test, CLQ_EVENT_TIMER, "due", "{\"p\":1}");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "REVIEW {\"old\":1,\"text\":\"t\"} {\"type\":\"cron\"} 1 3 due {\"p\":1}");
  g_assert_cmpstr (clq_test_node_get_data (test), ==, "{\"text\":\"t\",\"seen\":{\"by\":\"look\"}}");
  clq_test_node_assert_set (test, "seen.by", "\"look\"");
  clq_test_node_assert_set (test, "old", NULL);
  g_assert_cmpstr (clq_test_node_get_written (test), ==,
                   "set seen.by \"look\"\n"
                   "unset old\n"
                   "set text.x 1\n"
                   "record artifact none {\"a\":1}\n"
                   "record message system {\"text\":\"noted\"}\n"
                   "schedule 5 {\"type\":\"once\"}\n"
                   "clear-schedule\n"
                   "deadline late 7\n"
                   "clear-deadline late\n"
                   "mark here\n"
                   "go-to-record 3\n"
                   "reason because\n"
                   "warn data 'text.x' cannot be set: the path runs through a value that is no object\n");
}

static void
on_records (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  for (guint i = 0; i < n_records; i++)
    clq_visit_say (visit, "%" G_GUINT64_FORMAT "%s", clq_record_get_seq (records[i]), clq_record_get_body (records[i], NULL));
  clq_visit_finish (visit, "done");
}

static void
journal_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_read_journal (visit, 1 << CLQ_RECORD_MESSAGE, 4, 2, on_records, NULL);
  g_assert_false (clq_visit_is_over (visit));
}
NODE (journal);

static void
test_journal (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&journal_info, NULL);

  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[1]");
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[2]");
  clq_test_node_add_record (test, CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, "[3]");
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[4]");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "2[2]1[1]");
}

/* ---- calls ---- */

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

/* ---- the clock ---- */

static void
on_tick (ClqVisit *visit, gpointer user_data)
{
  clq_visit_say (visit, "%s", (const char *) user_data);
  if (g_str_equal (user_data, "c"))
    clq_visit_finish (visit, "done");
}

static void
clock_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_after (visit, 3, on_tick, "c");
  clq_visit_after (visit, 2, on_tick, "a");
  clq_visit_after (visit, 2, on_tick, "b");
  clq_visit_after (visit, 4, on_tick, "never");
}
NODE (clock);

/* At the same instant the answer comes before the deadline. */
static void
test_clock (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&clock_info, NULL);
  gint64 begin = clq_test_node_get_now (test);

  clq_test_node_set_visit_timeout (test, 3);
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, NULL);
  clq_test_node_advance (test, 10);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "abc");
  g_assert_cmpint (clq_test_node_get_now (test), ==, begin + 10);
  clq_test_node_assert_released (test);
}

static void
test_visit_timeout (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&clock_info, NULL);

  clq_test_node_set_visit_timeout (test, G_TIME_SPAN_MILLISECOND);
  clq_test_node_enter (test);
  clq_test_node_advance (test, 2);
  clq_test_node_cancel (test);
  clq_test_node_assert_said (test, "ab");
  clq_test_node_assert_released (test);

  g_clear_pointer (&test, clq_test_node_free);
  test = clq_test_node_new (&confirm_info, NULL);
  clq_test_node_set_visit_timeout (test, G_TIME_SPAN_SECOND);
  clq_test_node_enter (test);
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "node 'confirm' did not finish within visit-timeout=1s");
  clq_test_node_assert_released (test);
}

/* ---- objects ---- */

typedef struct
{
  ClqNode parent_instance;
} TestObject;

typedef struct
{
  ClqNodeClass parent_class;
} TestObjectClass;

static GType test_object_get_type (void);
G_DEFINE_TYPE (TestObject, test_object, CLQ_TYPE_NODE)

static void
test_object_enter (ClqNode *node, ClqVisit *visit)
{
  clq_visit_say (visit, "%s", clq_visit_get_text (visit));
  clq_visit_finish (visit, "other");
}

static void
test_object_class_init (TestObjectClass *klass)
{
  CLQ_NODE_CLASS (klass)->enter = test_object_enter;
}

static void
test_object_init (TestObject *self)
{
}

static const ClqNodeInfo object_info = {
  CLQ_NODE_INFO,
  .name = "object",
  .summary = "A subclass",
  .outcomes = CLQ_OUTCOMES ("other"),
  .get_type = test_object_get_type,
  .type_name = "TestObject",
};

static void
test_object (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&object_info, NULL);

  clq_test_node_set_text (test, "hello");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "other");
  clq_test_node_assert_said (test, "hello");
}

/* ---- assertions that fail ---- */

static void
test_wrong_settings (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_test_node_try_new (&drop_info, &error, "key", "value", NULL));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN);
  g_assert_cmpstr (error->message, ==, "node 'drop' has no setting 'key'");
}

static void
fail_in_subprocess (gconstpointer data)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&look_info, NULL);

  clq_test_node_enter (test);
  switch (GPOINTER_TO_INT (data))
    {
    case 0:
      clq_test_node_assert_outcome (test, "other");
      break;
    case 1:
      clq_test_node_assert_failed (test, CLQ_FAILURE_USER, NULL);
      break;
    case 2:
      clq_test_node_assert_running (test);
      break;
    case 3:
      clq_test_node_assert_said (test, NULL);
      break;
    case 4:
      clq_test_node_assert_set (test, "seen.by", "\"me\"");
      break;
    case 5:
      clq_test_node_assert_wrote (test, "fork");
      break;
    case 6:
      clq_test_node_assert_asked (test, "Why?");
      break;
    default:
      clq_test_node_assert_payload (test, "{}");
    }
}

static void
test_assertions (void)
{
  static const char *const messages[] = {
    "*test-test-node.c*the visit finished with 'done'; expected outcome 'other'*",
    "*test-test-node.c*the visit finished with 'done'; expected failure as user: (any)*",
    "*test-test-node.c*the visit finished with 'done'; expected it to run*",
    "*test-test-node.c*the visit said '*'; expected nothing*",
    "*test-test-node.c*'seen.by' is set to \"look\"; expected \"me\"*",
    "*test-test-node.c*expected a line: fork*",
    "*test-test-node.c*people are asked nothing (0 in all); expected Why?*",
    "*test-test-node.c*the payload is nothing; expected {}*",
  };

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autofree char *path = g_strdup_printf ("/colloquy/test-node/assertions/subprocess/%u", i);

      g_test_trap_subprocess (path, 0, 0);
      g_test_trap_assert_failed ();
      g_test_trap_assert_stderr (messages[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/test-node/dropped", test_dropped);
  g_test_add_func ("/colloquy/test-node/undeclared", test_undeclared);
  g_test_add_func ("/colloquy/test-node/first-end-counts", test_first_end_counts);
  g_test_add_func ("/colloquy/test-node/session", test_session);
  g_test_add_func ("/colloquy/test-node/journal", test_journal);
  g_test_add_func ("/colloquy/test-node/calls", test_calls);
  g_test_add_func ("/colloquy/test-node/reject", test_reject);
  g_test_add_func ("/colloquy/test-node/ask", test_ask);
  g_test_add_func ("/colloquy/test-node/dropped-call", test_dropped_call);
  g_test_add_func ("/colloquy/test-node/tool", test_tool);
  g_test_add_func ("/colloquy/test-node/fan-out/all-at-once", test_fan_out_all_at_once);
  g_test_add_func ("/colloquy/test-node/fan-out/failure", test_fan_out_failure);
  g_test_add_func ("/colloquy/test-node/fan-out/settle", test_fan_out_settle);
  g_test_add_func ("/colloquy/test-node/fan-out/retry", test_fan_out_retry);
  g_test_add_func ("/colloquy/test-node/clock", test_clock);
  g_test_add_func ("/colloquy/test-node/visit-timeout", test_visit_timeout);
  g_test_add_func ("/colloquy/test-node/object", test_object);
  g_test_add_func ("/colloquy/test-node/wrong-settings", test_wrong_settings);
  g_test_add_func ("/colloquy/test-node/assertions", test_assertions);
  for (int i = 0; i < 8; i++)
    {
      g_autofree char *path = g_strdup_printf ("/colloquy/test-node/assertions/subprocess/%d", i);

      g_test_add_data_func (path, GINT_TO_POINTER (i), fail_in_subprocess);
    }
  return g_test_run ();
}
