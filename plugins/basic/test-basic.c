#include "basic.h"

#include <string.h>

#include <colloquy-testing.h>

static void
test_say_text (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_say, "text", "Goodbye.", NULL);

  clq_test_node_set_text (test, "hello");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "Goodbye.");
}

static void
test_say_again (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_say, NULL);

  clq_test_node_set_text (test, "100 %s");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "100 %s");

  clq_test_node_set_text (test, NULL);
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, NULL);
}

static void
test_ask_input (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_ask, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "asked");
  clq_test_node_assert_asked (test, "What next?");
  clq_test_node_assert_said (test, NULL);
  clq_test_node_assert_wrote (test, "ask {\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"input\",\"prompt\":\"What next?\"}");
}

static void
test_ask_choice (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_ask, "type", "choice", "prompt", "Which?", "options", "red;blue", NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "asked");
  clq_test_node_assert_asked (test, "Which?");
  g_assert_nonnull (strstr (clq_test_node_get_question (test, "Which?"), "\"type\":\"choice\""));
  g_assert_nonnull (strstr (clq_test_node_get_question (test, "Which?"), "\"options\":[\"red\",\"blue\"]"));

  g_assert_null (clq_test_node_try_new (&basic_ask, &error, "type", "choice", NULL));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "[state here] node: node 'ask': type=choice needs options; expected options=ONE;OTHER");
}

static void
test_ask_confirmation (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_ask, "type", "confirmation", "prompt", "Sure?", NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "asked");
  g_assert_nonnull (strstr (clq_test_node_get_question (test, "Sure?"), "\"type\":\"confirmation\""));
}

static void
test_count (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_count, "path", "seen.times", NULL);

  clq_test_node_set_data (test, "{\"seen\":{\"times\":41,\"by\":\"me\"}}");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "counted");
  clq_test_node_assert_set (test, "seen.times", "42");
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "seen.times", "43");
  g_assert_cmpstr (clq_test_node_get_data (test), ==, "{\"seen\":{\"times\":43,\"by\":\"me\"}}");
}

static void
test_count_from_nothing (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_count, NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "count", "1");

  g_assert_null (clq_test_node_try_new (&basic_count, &error, "path", "", NULL));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "[state here] node: node 'count': path is empty; expected a dotted path into the data");
}

static void
test_fail_always (void)
{
  static const struct
  {
    const char *word;
    ClqFailure failure;
  } classes[] = {
    { "recoverable", CLQ_FAILURE_RECOVERABLE },
    { "critical", CLQ_FAILURE_CRITICAL },
    { "user", CLQ_FAILURE_USER },
    { "auth", CLQ_FAILURE_AUTH },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_fail, "class", classes[i].word, "message", "50 % broken", NULL);

      for (guint attempt = 0; attempt < 3; attempt++)
        {
          clq_test_node_enter (test);
          clq_test_node_assert_failed (test, classes[i].failure, "50 % broken");
        }
    }
}

static void
test_fail_twice (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_fail, "times", "2", NULL);

  clq_test_node_set_retry (test, 2);
  clq_test_node_enter (test);
  clq_test_node_advance (test, 3 * G_TIME_SPAN_SECOND - 1);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_outcome (test, "done");

  /* One attempt less is not enough. */
  clq_test_node_set_retry (test, 1);
  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_failed (test, CLQ_FAILURE_RECOVERABLE, "it did not work");
}

static void
test_pause (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_pause, "length", "5s", NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 5 * G_TIME_SPAN_SECOND - 1);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_released (test);
}

static void
test_pause_cancelled (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_pause, NULL);

  clq_test_node_enter (test);
  clq_test_node_cancel (test);
  clq_test_node_assert_released (test);
  clq_test_node_advance (test, G_TIME_SPAN_MINUTE);
  g_assert_null (clq_test_node_get_outcome (test));
}

static void
test_reply (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_reply, NULL);

  clq_test_node_set_text (test, "say \"hi\"");
  clq_test_node_reply (test, "assistant", "Hi!");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "replied");
  clq_test_node_assert_said (test, "Hi!");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "reply assistant\n");
  g_assert_cmpstr (clq_test_node_get_request (test, "reply"), ==, "{\"messages\":[{\"role\":\"user\",\"text\":\"say \\\"hi\\\"\"}]}");
}

static void
test_reply_failure (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_reply, "agent", "judge", NULL);

  clq_test_node_reply_failure (test, "judge", CLQ_FAILURE_AUTH, "no key");
  clq_test_node_reply (test, "judge", "Yes.");
  clq_test_node_delay_reply (test, "judge", 2 * G_TIME_SPAN_SECOND);
  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_AUTH, "no key");
  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 2 * G_TIME_SPAN_SECOND);
  clq_test_node_assert_outcome (test, "replied");
  clq_test_node_assert_said (test, "Yes.");
}

static void
test_reply_optional (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_reply, "optional", "true", NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "silent");
  clq_test_node_assert_said (test, NULL);
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "");

  clq_test_node_reply (test, "assistant", "Here.");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "replied");
}

static void
test_reply_absent (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_reply, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_CRITICAL, "agent 'assistant' has no reply queued");
}

/* The order of what is said is that of the agents, whoever is faster. */
static void
test_panel_order (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_panel, "agents", "ann;bob;cid", "max-parallel", "2", NULL);

  clq_test_node_set_text (test, "who?");
  clq_test_node_reply (test, "ann", "A");
  clq_test_node_delay_reply (test, "ann", 3 * G_TIME_SPAN_SECOND);
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_delay_reply (test, "bob", G_TIME_SPAN_SECOND);
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "panel/ann ann\npanel/bob bob\n");
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "panel/ann ann\npanel/bob bob\npanel/cid cid\n");
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 2 * G_TIME_SPAN_SECOND);
  clq_test_node_assert_outcome (test, "answered");
  clq_test_node_assert_said (test, "ann: A\nbob: B\ncid: C");
  g_assert_nonnull (strstr (clq_test_node_get_request (test, "panel/cid"), "who?"));
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "0.33 panel/bob: answered\n0.67 panel/cid: answered\n1.00 panel/ann: answered\n");
}

static void
test_panel_all (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_panel, "agents", "ann;bob", NULL);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_delay_reply (test, "ann", G_TIME_SPAN_SECOND);
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_USER, "not that");
  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_USER, "not that");
  clq_test_node_assert_released (test);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply (test, "bob", "B");
  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "ann: A\nbob: B");
}

static void
test_panel_settle (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&basic_panel, "agents", "ann;bob;cid", "join", "settle", NULL);

  clq_test_node_reply (test, "ann", "A");
  clq_test_node_reply_failure (test, "bob", CLQ_FAILURE_RECOVERABLE, "busy");
  clq_test_node_reply (test, "cid", "C");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "answered");
  clq_test_node_assert_said (test, "ann: A\ncid: C");
  clq_test_node_assert_wrote (test, "warn panel/bob: busy");
}

static void
test_panel_settings (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_test_node_try_new (&basic_panel, &error, NULL));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "[state here] node: node 'panel': agents is empty; expected agents=ONE;OTHER");
  g_clear_error (&error);
  g_assert_null (clq_test_node_try_new (&basic_panel, &error, "agents", "ann;bob;ann", NULL));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "[state here] node: node 'panel': agents names 'ann' twice");
}

static void
test_notes_keeps (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&basic_notes, NULL);
  g_autofree char *summary = NULL;

  clq_test_modality_set_text (test, "one");
  g_assert_true (clq_test_modality_open (test, NULL));
  g_assert_cmpstr (clq_test_modality_get_written (test), ==, "set notes []\nset count 0\nset notes [\"one\"]\nset count 1\n");
  clq_test_modality_set_text (test, "\"two\"");
  g_assert_true (clq_test_modality_apply (test, NULL));
  g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"notes\":[\"one\",\"\\\"two\\\"\"],\"count\":2}");
  summary = clq_test_modality_describe (test);
  g_assert_cmpstr (summary, ==, "2 of 100 notes");

  /* What nobody says is no note, nor is what an agent says. */
  clq_test_modality_set_event (test, CLQ_EVENT_ACTION, "start", "{}");
  g_assert_true (clq_test_modality_apply (test, NULL));
  g_assert_cmpstr (clq_test_modality_get_written (test), ==, "");
  clq_test_modality_set_event (test, CLQ_EVENT_ACTION, "message", NULL);
  clq_test_modality_set_said (test, CLQ_ROLE_ASSISTANT, "three");
  g_assert_true (clq_test_modality_apply (test, NULL));
  g_assert_cmpstr (clq_test_modality_get_written (test), ==, "");
}

static void
test_notes_full (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&basic_notes, "max-notes", "1", NULL);
  g_autoptr (GError) error = NULL;

  clq_test_modality_set_data (test, "{\"notes\":[\"one\"],\"count\":7}");
  clq_test_modality_set_text (test, "two");
  g_assert_false (clq_test_modality_apply (test, &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED);
  g_assert_cmpstr (error->message, ==, "there is room for 1 notes");
  g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"notes\":[\"one\"],\"count\":7}");
  g_clear_error (&error);
  g_assert_null (clq_test_modality_try_new (&basic_notes, &error, "max-notes", "1001", NULL));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_RANGE);
}

static void
test_notes_predicates (void)
{
  static const struct
  {
    const char *text;
    gboolean mentions;
  } texts[] = { { "Stop!", TRUE }, { "please STOP now", TRUE }, { "my stopwatch", FALSE }, { "non-stop", TRUE }, { "un_stop", FALSE }, { "", FALSE }, { "stöp", FALSE } };
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&basic_notes, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      clq_test_modality_set_text (test, texts[i].text);
      g_assert_cmpint (clq_test_modality_check (test, "mentions-stop"), ==, texts[i].mentions);
    }
  g_assert_false (clq_test_modality_check (test, "has-notes"));
  clq_test_modality_set_data (test, "{\"notes\":[\"\"]}");
  g_assert_true (clq_test_modality_check (test, "has-notes"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/basic/say/text", test_say_text);
  g_test_add_func ("/colloquy/basic/say/again", test_say_again);
  g_test_add_func ("/colloquy/basic/ask/input", test_ask_input);
  g_test_add_func ("/colloquy/basic/ask/choice", test_ask_choice);
  g_test_add_func ("/colloquy/basic/ask/confirmation", test_ask_confirmation);
  g_test_add_func ("/colloquy/basic/count/data", test_count);
  g_test_add_func ("/colloquy/basic/count/from-nothing", test_count_from_nothing);
  g_test_add_func ("/colloquy/basic/fail/always", test_fail_always);
  g_test_add_func ("/colloquy/basic/fail/twice", test_fail_twice);
  g_test_add_func ("/colloquy/basic/pause/over", test_pause);
  g_test_add_func ("/colloquy/basic/pause/cancelled", test_pause_cancelled);
  g_test_add_func ("/colloquy/basic/reply/answer", test_reply);
  g_test_add_func ("/colloquy/basic/reply/failure", test_reply_failure);
  g_test_add_func ("/colloquy/basic/reply/optional", test_reply_optional);
  g_test_add_func ("/colloquy/basic/reply/absent", test_reply_absent);
  g_test_add_func ("/colloquy/basic/panel/order", test_panel_order);
  g_test_add_func ("/colloquy/basic/panel/all", test_panel_all);
  g_test_add_func ("/colloquy/basic/panel/settle", test_panel_settle);
  g_test_add_func ("/colloquy/basic/panel/settings", test_panel_settings);
  g_test_add_func ("/colloquy/basic/notes/keeps", test_notes_keeps);
  g_test_add_func ("/colloquy/basic/notes/full", test_notes_full);
  g_test_add_func ("/colloquy/basic/notes/predicates", test_notes_predicates);
  return g_test_run ();
}
