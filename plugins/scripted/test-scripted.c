#include "test-caller.h"

/* ---- replies ---- */

static void
test_replies_in_order (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "9", NULL);

  test_add_judge (test, "replies", "[\"one\", \"tw\\u006f\\n\", {\"verdict\" : \"yes\", \"n\":[1]}, {}, \"\", {\"error\":\"recoverable\",\"message\":\"busy %s\"},"
                                   "{\"message\":\"why\",\"error\":\"critical\"}, {\"error\":\"user\"}, {\"error\":\"auth\",\"message\":\"key\"}]");
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_set (test, "a", "\"one\"");
  clq_test_node_assert_set (test, "b", "\"two\\n\"");
  clq_test_node_assert_set (test, "c", "\"{\\\"verdict\\\" : \\\"yes\\\", \\\"n\\\":[1]}\"");
  clq_test_node_assert_set (test, "d", "\"{}\"");
  clq_test_node_assert_set (test, "e", "\"\"");
  clq_test_node_assert_set (test, "f", "\"recoverable: busy %s\"");
  clq_test_node_assert_set (test, "g", "\"critical: why\"");
  clq_test_node_assert_set (test, "h", "\"user: failed as user, as the script says\"");
  clq_test_node_assert_set (test, "i", "\"auth: key\"");
}

/* Objects that only look like failures or delays are answers. */
static void
test_replies_plain_objects (void)
{
  static const char *const objects[] = {
    "{\"error\":\"no such file\"}",
    "{\"error\":\"Critical\"}",
    "{\"error\":1}",
    "{\"error\":\"critical\",\"message\":\"x\",\"more\":1}",
    "{\"error\":\"critical\",\"after\":1}",
    "{\"message\":\"critical\"}",
    "{\"after\":1}",
    "{\"after\":1,\"reply\":\"x\",\"more\":1}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);
      g_autofree char *list = g_strdup_printf ("[%s]", objects[i]);
      g_autofree char *quoted = clq_json_quote (objects[i]);

      test_add_judge (test, "replies", list);
      clq_test_node_enter (test);
      clq_test_node_assert_set (test, "a", quoted);
    }
}

/* A call takes its reply when it starts: the slow one is the first, though it comes last. */
static void
test_replies_delayed (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "5", NULL);

  test_add_judge (test, "replies", "[{\"after\":2.5,\"reply\":\"slow\"},\"fast\",{\"after\":1,\"reply\":{\"error\":\"auth\"}},"
                                   "{\"reply\":{\"x\":1},\"after\":1.0000005},{\"after\":0,\"reply\":\"now\"}]");
  clq_test_node_enter (test);
  clq_test_node_advance (test, 2499999);
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_outcome (test, "done");
  /* The order of the lines is that of the answers. */
  g_assert_cmpstr (clq_test_node_get_written (test), ==,
                   "set b \"fast\"\n"
                   "set e \"now\"\n"
                   "set c \"auth: failed as auth, as the script says\"\n"
                   "set d \"{\\\"x\\\":1}\"\n"
                   "set a \"slow\"\n");
  clq_test_node_assert_released (test);
}

static void
test_replies_absent (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "2", NULL);

  test_add_judge (test, "replies", "[\"only\"]");
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"only\"");
  clq_test_node_assert_set (test, "b", "\"critical: agent 'judge' has no reply queued\"");
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "");

  clq_test_node_enter (test);
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "-1.00 judge is absent\n");
  clq_test_node_assert_set (test, "a", "\"critical: agent 'judge' has no reply queued\"");
}

static void
test_replies_refused (void)
{
  test_assert_refused ("replies", "{}", "replies is an object; expected a list");
  test_assert_refused ("replies", "[\"x\",3]", "replies[1] is a number; expected a text or an object");
  test_assert_refused ("replies", "[[\"x\"]]", "replies[0] is a list; expected a text or an object");
  test_assert_refused ("replies", "[null]", "replies[0] is null; expected a text or an object");
  test_assert_refused ("replies", "[true]", "replies[0] is a truth value; expected a text or an object");
  test_assert_refused ("replies", "[{\"error\":\"user\",\"message\":5}]", "replies[0].message is a number; expected a text");
  test_assert_refused ("replies", "[{\"after\":\"1\",\"reply\":\"x\"}]", "replies[0].after is \"1\"; expected seconds, from 0 to 1000000000");
  test_assert_refused ("replies", "[{\"after\":-1,\"reply\":\"x\"}]", "replies[0].after is -1; expected seconds, from 0 to 1000000000");
  test_assert_refused ("replies", "[{\"after\":1e300,\"reply\":\"x\"}]", "replies[0].after is 1e300; expected seconds, from 0 to 1000000000");
  test_assert_refused ("replies", "[{\"after\":1,\"reply\":[]}]", "replies[0].reply is a list; expected a text or an object");
  test_assert_refused ("replies", "[{\"after\":1,\"reply\":{\"after\":1,\"reply\":\"x\"}}]",
                       "replies[0].reply is delayed once more; expected a text, an object or a failure");
}

/* ---- instructions ---- */

static void
test_instruct (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "3", NULL);
  g_autoptr (GError) error = NULL;

  test_add_judge (test, "replies", "[\"first\"]");
  g_assert_true (clq_test_node_instruct_agent (test, "judge", "{\"replies\":[\"second\",{\"error\":\"user\",\"message\":\"no\"}]}", &error));
  g_assert_no_error (error);
  g_assert_true (clq_test_node_instruct_agent (test, "judge", "{\"replies\":[]}", &error));
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"first\"");
  clq_test_node_assert_set (test, "b", "\"second\"");
  clq_test_node_assert_set (test, "c", "\"user: no\"");
}

static void
test_instruct_refused (void)
{
  static const char *const bad[][2] = {
    { "{\"replies\":[\"x\"", "instruction: 1:16: unexpected end of text; expected ',' or ']'" },
    { "{\"replies\":[\"\\ud800\"]}", "instruction: 1:14: lone surrogate \\ud800; expected a pair such as \\ud83d\\ude00" },
    { "[\"x\"]", "instruction: expected {\"replies\":[…]}" },
    { "{}", "instruction: expected {\"replies\":[…]}" },
    { "{\"replies\":\"x\"}", "instruction: replies is a text; expected a list" },
    { "{\"replies\":[\"x\",7]}", "instruction: replies[1] is a number; expected a text or an object" },
    { "{\"replies\":[\"x\"],\"reply\":\"y\"}", "instruction: unknown member 'reply'; expected replies" },
  };
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);

  test_add_judge (test, "replies", "[]");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_test_node_instruct_agent (test, "judge", bad[i][0], &error));
      g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
      g_assert_cmpstr (error->message, ==, bad[i][1]);
    }
  /* Nothing of them was queued. */
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"critical: agent 'judge' has no reply queued\"");
}

/* ---- speaking ---- */

static void
assert_pieces (const char *stream, const char *replies, const char *pieces)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "stream", "true", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = clq_json_find_string (replies, "0");

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "stream", stream, "replies", replies, NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "done");
  g_assert_cmpstr (clq_test_node_get_pieces (test), ==, pieces);
  clq_test_node_assert_said (test, *text != '\0' ? text : NULL);
}

static void
test_stream_pieces (void)
{
  assert_pieces ("true", "[\"one two  three\"]", "one |two  |three");
  assert_pieces ("true", "[\" one\\ntwo\\u00a0\"]", " |one\n|two\u00a0");
  assert_pieces ("true", "[\"ein\\u2003zwei\"]", "ein\u2003|zwei");
  assert_pieces ("true", "[\"word\"]", "word");
  assert_pieces ("true", "[\"\"]", "");
  assert_pieces ("false", "[\"one two  three\"]", "one two  three");
}

static void
test_stream_slowly (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "stream", "true", NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "piece-delay", "100ms",
                           "replies", "[{\"after\":1,\"reply\":\"one two three\"}]", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_advance (test, G_TIME_SPAN_SECOND - 1);
  clq_test_node_assert_said (test, NULL);
  clq_test_node_advance (test, 1);
  clq_test_node_assert_said (test, "one ");
  clq_test_node_advance (test, 100 * G_TIME_SPAN_MILLISECOND);
  clq_test_node_assert_said (test, "one two ");
  clq_test_node_assert_running (test);
  clq_test_node_advance (test, 100 * G_TIME_SPAN_MILLISECOND);
  clq_test_node_assert_outcome (test, "done");
  clq_test_node_assert_said (test, "one two three");
}

static void
test_usage (void)
{
  /* 17 characters are 5 tokens, 9 are 3: letters count, not bytes. */
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "request", "{\"messages\":\"äö\"}", NULL);
  guint64 tokens_in, tokens_out;
  double cost;

  test_add_judge (test, "replies", "[\"äöüäöüäöü\"]");
  clq_test_node_enter (test);
  clq_test_node_get_usage (test, &tokens_in, &tokens_out, &cost);
  g_assert_cmpuint (tokens_in, ==, 5);
  g_assert_cmpuint (tokens_out, ==, 3);
  g_assert_cmpfloat (cost, ==, 0);
}

/* Five tokens at 2 and three at 10, of a million each. */
static void
test_price (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "request", "{\"messages\":\"äö\"}", NULL);
  g_autoptr (GError) error = NULL;
  guint64 tokens_in, tokens_out;
  double cost;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "replies", "[\"äöüäöüäöü\"]", "price-in", "2", "price-out", "10", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_get_usage (test, &tokens_in, &tokens_out, &cost);
  g_assert_cmpfloat_with_epsilon (cost, 40e-6, 1e-12);
}

/* ---- going away ---- */

static void
test_cancel (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "stream", "true", NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "piece-delay", "1s",
                           "replies", "[{\"after\":5,\"reply\":\"never heard\"},\"cut short\",\"the third\"]", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_running (test);
  clq_test_node_cancel (test);
  clq_test_node_assert_released (test);
  clq_test_node_advance (test, G_TIME_SPAN_MINUTE);
  clq_test_node_assert_said (test, NULL);

  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "cut ");
  clq_test_node_cancel (test);
  clq_test_node_assert_released (test);
  clq_test_node_advance (test, G_TIME_SPAN_MINUTE);
  clq_test_node_assert_said (test, "cut ");

  /* Replies that nobody waited for are used up. */
  clq_test_node_enter (test);
  clq_test_node_advance (test, G_TIME_SPAN_MINUTE);
  clq_test_node_assert_said (test, "the third");
}

/* What is on its way arrives, though the agent is gone. */
static void
test_replaced (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);

  test_add_judge (test, "replies", "[{\"after\":1,\"reply\":\"the old one\"}]");
  clq_test_node_enter (test);
  test_add_judge (test, "replies", "[\"the new one\"]");
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_set (test, "a", "\"the old one\"");
}

/* The host makes the same call again. */
static void
test_retried (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "fan-out", "true", NULL);

  clq_test_node_set_retry (test, 1);
  test_add_judge (test, "replies", "[{\"after\":1,\"reply\":{\"error\":\"recoverable\",\"message\":\"busy\"}},{\"after\":1,\"reply\":\"better now\"}]");
  clq_test_node_enter (test);
  clq_test_node_advance (test, 3 * G_TIME_SPAN_SECOND);
  clq_test_node_assert_set (test, "a", "\"better now\"");
  g_assert_cmpstr (clq_test_node_get_calls (test), ==, "a judge\na judge\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/scripted/replies/in-order", test_replies_in_order);
  g_test_add_func ("/colloquy/scripted/replies/plain-objects", test_replies_plain_objects);
  g_test_add_func ("/colloquy/scripted/replies/delayed", test_replies_delayed);
  g_test_add_func ("/colloquy/scripted/replies/absent", test_replies_absent);
  g_test_add_func ("/colloquy/scripted/replies/refused", test_replies_refused);
  g_test_add_func ("/colloquy/scripted/instruct/queues", test_instruct);
  g_test_add_func ("/colloquy/scripted/instruct/refused", test_instruct_refused);
  g_test_add_func ("/colloquy/scripted/stream/pieces", test_stream_pieces);
  g_test_add_func ("/colloquy/scripted/stream/slowly", test_stream_slowly);
  g_test_add_func ("/colloquy/scripted/usage", test_usage);
  g_test_add_func ("/colloquy/scripted/price", test_price);
  g_test_add_func ("/colloquy/scripted/cancel", test_cancel);
  g_test_add_func ("/colloquy/scripted/replaced", test_replaced);
  g_test_add_func ("/colloquy/scripted/retried", test_retried);
  test_add_rules ();
  return g_test_run ();
}
