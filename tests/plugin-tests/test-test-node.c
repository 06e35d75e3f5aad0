/* The node helper of the SDK: does it show what the host makes of a node? */
#include "test-test-node.h"

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
  clq_test_node_set_event (test, CLQ_EVENT_ACTION, "look", "{\"p\":1}");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "REVIEW {\"old\":1,\"text\":\"t\"} {\"type\":\"cron\"} 1 3 look {\"p\":1}");
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
  clq_visit_read_journal (visit, 1 << CLQ_RECORD_MESSAGE, 6, 2, on_records, NULL);
  g_assert_false (clq_visit_is_over (visit));
}
NODE (journal);

/* Before the records of the test there are two: the session was opened, and the test has begun. */
static void
test_journal (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&journal_info, NULL);

  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[1]");
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[2]");
  clq_test_node_add_record (test, CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, "[3]");
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "[4]");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "4[2]3[1]");
}

static void
on_hits (ClqVisit *visit, const ClqHit *hits, guint n_hits, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  for (guint i = 0; i < n_hits; i++)
    {
      g_assert_cmpstr (hits[i].session, ==, clq_view_get_id (clq_visit_get_view (visit)));
      g_assert_cmpfloat (hits[i].relevance, >, 0);
      g_assert_cmpfloat (hits[i].relevance, <=, i > 0 ? hits[i - 1].relevance : 1);
      clq_visit_say (visit, "%" G_GUINT64_FORMAT, clq_record_get_seq (hits[i].record));
    }
  g_assert_cmpstr (clq_visit_get_said (visit), ==, n_hits > 0 ? "53" : NULL);
  clq_visit_finish (visit, "done");
}

static void
search_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_search (visit, clq_visit_get_text (visit), 2, on_hits, NULL);
  g_assert_false (clq_visit_is_over (visit));
}
NODE (search);

/* Only what is kept as context is found: the best first, no more than asked for. */
static void
test_search (void)
{
  static const char *const texts[] = { "parser socket", "nowhere" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (ClqTestNode) test = clq_test_node_new (&search_info, NULL);

      clq_test_node_set_text (test, texts[i]);
      clq_test_node_add_record (test, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, "{\"text\":\"the parser\"}");
      clq_test_node_add_record (test, CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, "{\"text\":\"parser socket\"}");
      clq_test_node_add_record (test, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, "{\"text\":\"parser and socket\"}");
      clq_test_node_add_record (test, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, "{\"text\":\"the parser reads files that are long and dull\"}");
      clq_test_node_enter (test);
      clq_test_node_assert_outcome (test, "done");
    }
}

/* ---- what led there ---- */

static void
origin_enter (gpointer self, ClqVisit *visit)
{
  static const char *const kinds[] = { "action", "outcome", "timer" };
  const ClqEvent *event = clq_visit_get_event (visit);
  const char *payload = clq_event_get_payload (event), *text = clq_event_get_text (event);

  clq_visit_say (visit, "%s %s %s %s", kinds[clq_event_get_kind (event)], clq_event_get_name (event), payload != NULL ? payload : "-", text != NULL ? text : "-");
  clq_visit_finish (visit, "done");
}
NODE (origin);

static void
test_origin (void)
{
  static const struct
  {
    ClqEventKind kind;
    const char *name, *payload, *text, *said;
  } origins[] = {
    { CLQ_EVENT_ACTION, "start", NULL, NULL, "action start - -" },
    { CLQ_EVENT_ACTION, "message", NULL, "hi", "action message - hi" },
    { CLQ_EVENT_ACTION, "approve", "{\"by\":1}", "fine", "action approve {\"by\":1} fine" },
    { CLQ_EVENT_ACTION, "answer", NULL, "blue", "action answer {\"value\":\"blue\",\"values\":{\"session/question\":\"blue\"}} blue" },
    { CLQ_EVENT_OUTCOME, "done", "{\"n\":1}", "said before", "outcome done {\"n\":1} said before" },
    { CLQ_EVENT_OUTCOME, "ready", NULL, NULL, "outcome ready - -" },
    { CLQ_EVENT_TIMER, "due", NULL, NULL, "timer due {\"scheduledAt\":\"2026-01-01T00:00:00.000Z\"} -" },
    { CLQ_EVENT_TIMER, "timeout", NULL, NULL, "timer timeout - -" },
    { CLQ_EVENT_TIMER, "idle", NULL, NULL, "timer idle - -" },
    { CLQ_EVENT_TIMER, "late", NULL, NULL, "timer late - -" },
  };
  g_autoptr (ClqTestNode) test = clq_test_node_new (&origin_info, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
    {
      clq_test_node_set_text (test, origins[i].text);
      clq_test_node_set_event (test, origins[i].kind, origins[i].name, origins[i].payload);
      clq_test_node_enter (test);
      clq_test_node_assert_outcome (test, "done");
      clq_test_node_assert_said (test, origins[i].said);
      g_assert_cmpstr (clq_test_node_get_pieces (test), ==, origins[i].said);
    }
}

/* The data goes along when the state changes, and can be replaced as a whole. */
static void
test_next_visit (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&look_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_set_state (test, "OTHER");
  clq_test_node_enter (test);
  g_assert_true (g_str_has_prefix (clq_test_node_get_said (test), "OTHER {\"seen\":{\"by\":\"look\"},\"text\":{\"x\":1}} "));
  clq_test_node_set_data (test, "{\"a\":{}}");
  g_assert_cmpstr (clq_test_node_get_data (test), ==, "{\"a\":{}}");
  clq_test_node_enter (test);
  g_assert_true (g_str_has_prefix (clq_test_node_get_said (test), "OTHER {\"a\":{}} "));
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
test_cancel (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&clock_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_advance (test, 2);
  clq_test_node_cancel (test);
  clq_test_node_assert_said (test, "ab");
  clq_test_node_assert_released (test);
}

/* ---- visits that are not let go of ---- */

static ClqVisit *kept;

static void
keep_enter (gpointer self, ClqVisit *visit)
{
  kept = clq_visit_ref (visit);
}
NODE (keep);

/* A node may be slow to notice that nobody wants its result, or that the host is gone. */
static void
test_kept (void)
{
  ClqTestNode *test = clq_test_node_new (&keep_info, NULL);

  clq_test_node_set_text (test, "hello");
  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_free (test);
  g_assert_true (clq_visit_is_over (kept));
  g_assert_cmpstr (clq_visit_get_text (kept), ==, "hello");
  g_assert_cmpstr (clq_view_get_state (clq_visit_get_view (kept)), ==, "here");
  g_assert_false (clq_visit_has_agent (kept, "ann"));
  clq_visit_say (kept, "too late");
  clq_visit_finish (kept, "done");
  g_clear_pointer (&kept, clq_visit_unref);
}

static void
large_enter (gpointer self, ClqVisit *visit)
{
  g_autofree char *text = g_strnfill (70000, 'x');

  clq_change_set_string (clq_visit_get_change (visit), "text", text);
  clq_visit_finish (visit, "done");
}
NODE (large);

static void
test_too_large (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&large_info, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_CRITICAL, "the session has failed: the session's data would be larger than 64 KB; keep long texts in records");
  g_assert_null (clq_test_node_get_outcome (test));
  g_assert_cmpstr (clq_test_node_get_data (test), ==, "{}");
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

static const ClqNodeInfo nameless = {
  CLQ_NODE_INFO,
  .name = "Node",
  .summary = "Has no proper name",
  .outcomes = CLQ_OUTCOMES ("done"),
  .enter = drop_enter,
};

/* What the host refuses of a plugin it refuses here. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_test_node_try_new (&nameless, &error, NULL));
  g_assert_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME);
  g_assert_cmpstr (error->message, ==, "plugin 'test' of this program: feature 1: the node's name is 'Node'; expected small letters, digits and dashes");
}

static void
test_wrong_settings (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_test_node_try_new (&drop_info, &error, "key", "value", NULL));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_UNKNOWN_KEY);
  g_assert_true (g_str_has_prefix (error->message, "[state here] key: unknown key; expected one of: node, wait, "));
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
    case 7:
      clq_test_node_assert_payload (test, "{}");
      break;
    default:
      clq_test_node_free (g_steal_pointer (&test));
      test = clq_test_node_new (&keep_info, NULL);
      clq_test_node_enter (test);
      clq_test_node_cancel (test);
      clq_test_node_assert_released (test);
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
    "*test-test-node.c*1 visits or calls are still held; expected none*",
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
  g_test_add_func ("/colloquy/test-node/search", test_search);
  g_test_add_func ("/colloquy/test-node/origin", test_origin);
  g_test_add_func ("/colloquy/test-node/next-visit", test_next_visit);
  g_test_add_func ("/colloquy/test-node/clock", test_clock);
  g_test_add_func ("/colloquy/test-node/cancel", test_cancel);
  g_test_add_func ("/colloquy/test-node/kept", test_kept);
  g_test_add_func ("/colloquy/test-node/too-large", test_too_large);
  g_test_add_func ("/colloquy/test-node/object", test_object);
  g_test_add_func ("/colloquy/test-node/refused", test_refused);
  g_test_add_func ("/colloquy/test-node/wrong-settings", test_wrong_settings);
  g_test_add_func ("/colloquy/test-node/assertions", test_assertions);
  for (int i = 0; i < 9; i++)
    {
      g_autofree char *path = g_strdup_printf ("/colloquy/test-node/assertions/subprocess/%d", i);

      g_test_add_data_func (path, GINT_TO_POINTER (i), fail_in_subprocess);
    }
  test_add_calls ();
  return g_test_run ();
}
