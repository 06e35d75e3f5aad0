#include "scripted.h"

#include <string.h>

#include <glib/gstdio.h>

#include <colloquy-testing.h>

#define HEARD(text) "{\"messages\":[{\"role\":\"user\",\"text\":" text "}]}"

/* ---- a node that asks the agent "judge", once or several times at once, and writes down what comes back ---- */

typedef struct
{
  gint64 calls;
  char *request;
  gboolean stream;
  gboolean fan_out;
  guint n_open;
} Caller;

static const ClqSetting caller_settings[] = {
  CLQ_INT (Caller, calls, 1, 1, 9, "how many calls"),
  CLQ_STRING (Caller, request, HEARD ("\"hello\""), "what is asked"),
  CLQ_BOOL (Caller, stream, false, "say the answers"),
  CLQ_BOOL (Caller, fan_out, false, "ask all at once with one callback"),
  { NULL },
};

static void
note (ClqVisit *visit, ClqCall *call)
{
  const GError *error = clq_call_get_error (call);
  g_autofree char *failure = error != NULL ? g_strdup_printf ("%s: %s", clq_failure_to_string (clq_failure_of (error)), error->message) : NULL;

  clq_change_set_string (clq_visit_get_change (visit), clq_call_get_key (call), error != NULL ? failure : clq_call_get_text (call));
}

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Caller *self = user_data;

  note (visit, call);
  if (--self->n_open == 0)
    clq_visit_finish (visit, "done");
}

static void
on_answers (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  for (guint i = 0; i < n_calls; i++)
    note (visit, calls[i]);
  clq_visit_finish (visit, "done");
}

static void
caller_enter (gpointer data, ClqVisit *visit)
{
  static const char *const keys[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
  Caller *self = data;
  ClqRequest requests[G_N_ELEMENTS (keys)];

  if (!clq_visit_has_agent (visit, "judge"))
    clq_visit_progress (visit, -1, "judge is absent");
  self->n_open = (guint) self->calls;
  for (guint i = 0; i < self->calls; i++)
    {
      requests[i] = (ClqRequest){ keys[i], "judge", self->request };
      if (!self->fan_out)
        clq_visit_call_agent (visit, keys[i], "judge", self->request, self->stream, on_answer, self);
    }
  if (self->fan_out)
    clq_visit_fan_out (visit, requests, (guint) self->calls, CLQ_JOIN_SETTLE, 9, on_answers, NULL);
}

static const ClqNodeInfo caller = {
  CLQ_NODE_INFO,
  .name = "caller",
  .summary = "Asks the agent judge",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = caller_settings,
  .self_size = sizeof (Caller),
  .enter = caller_enter,
};

static void
add_judge (ClqTestNode *test, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, key, value, NULL);
  g_assert_no_error (error);
}

static void
assert_refused (const char *key, const char *value, const char *message)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, key, value, NULL));
  g_assert_cmpstr (error->message, ==, message);
}

/* ---- replies ---- */

static void
test_replies_in_order (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "9", NULL);

  add_judge (test, "replies", "[\"one\", \"tw\\u006f\\n\", {\"verdict\" : \"yes\", \"n\":[1]}, {}, \"\", {\"error\":\"recoverable\",\"message\":\"busy %s\"},"
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
      g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);
      g_autofree char *list = g_strdup_printf ("[%s]", objects[i]);
      g_autofree char *quoted = clq_json_quote (objects[i]);

      add_judge (test, "replies", list);
      clq_test_node_enter (test);
      clq_test_node_assert_set (test, "a", quoted);
    }
}

/* A call takes its reply when it starts: the slow one is the first, though it comes last. */
static void
test_replies_delayed (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "5", NULL);

  add_judge (test, "replies", "[{\"after\":2.5,\"reply\":\"slow\"},\"fast\",{\"after\":1,\"reply\":{\"error\":\"auth\"}},"
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "2", NULL);

  add_judge (test, "replies", "[\"only\"]");
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
  assert_refused ("replies", "{}", "replies is an object; expected a list");
  assert_refused ("replies", "[\"x\",3]", "replies[1] is a number; expected a text or an object");
  assert_refused ("replies", "[[\"x\"]]", "replies[0] is a list; expected a text or an object");
  assert_refused ("replies", "[null]", "replies[0] is null; expected a text or an object");
  assert_refused ("replies", "[true]", "replies[0] is a truth value; expected a text or an object");
  assert_refused ("replies", "[{\"error\":\"user\",\"message\":5}]", "replies[0].message is a number; expected a text");
  assert_refused ("replies", "[{\"after\":\"1\",\"reply\":\"x\"}]", "replies[0].after is \"1\"; expected seconds, from 0 to 1000000000");
  assert_refused ("replies", "[{\"after\":-1,\"reply\":\"x\"}]", "replies[0].after is -1; expected seconds, from 0 to 1000000000");
  assert_refused ("replies", "[{\"after\":1e300,\"reply\":\"x\"}]", "replies[0].after is 1e300; expected seconds, from 0 to 1000000000");
  assert_refused ("replies", "[{\"after\":1,\"reply\":[]}]", "replies[0].reply is a list; expected a text or an object");
  assert_refused ("replies", "[{\"after\":1,\"reply\":{\"after\":1,\"reply\":\"x\"}}]",
                  "replies[0].reply is delayed once more; expected a text, an object or a failure");
}

/* ---- instructions ---- */

static void
test_instruct (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "3", NULL);
  g_autoptr (GError) error = NULL;

  add_judge (test, "replies", "[\"first\"]");
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
    { "{\"replies\":[\"x\"", "instruction: 1:16: " },
    { "{\"replies\":[\"\\ud800\"]}", "instruction: 1:13: " },
    { "[\"x\"]", "instruction: expected {\"replies\":[…]}" },
    { "{}", "instruction: expected {\"replies\":[…]}" },
    { "{\"replies\":\"x\"}", "instruction: replies is a text; expected a list" },
    { "{\"replies\":[\"x\",7]}", "instruction: replies[1] is a number; expected a text or an object" },
    { "{\"replies\":[\"x\"],\"reply\":\"y\"}", "instruction: unknown member 'reply'; expected replies" },
  };
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);

  add_judge (test, "replies", "[]");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_test_node_instruct_agent (test, "judge", bad[i][0], &error));
      g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
      if (g_str_has_suffix (bad[i][1], ": "))
        g_assert_true (g_str_has_prefix (error->message, bad[i][1]));
      else
        g_assert_cmpstr (error->message, ==, bad[i][1]);
    }
  /* Nothing of them was queued. */
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"critical: agent 'judge' has no reply queued\"");
}

/* ---- rules ---- */

static void
assert_rule (const char *rules, const char *request, const char *answer)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "request", request, NULL);
  g_autofree char *quoted = clq_json_quote (answer);

  add_judge (test, "rules", rules);
  clq_test_node_enter (test);
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "");
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_set (test, "a", quoted);
}

static void
test_rules_match (void)
{
  const char *rules = "[{\"match\":\"^is (.+) (right|wrong)\",\"reply\":\"\\\\1 is \\\\2\"},"
                      "{\"match\":\"stra(ß|ss)e\",\"reply\":\"street\"},"
                      "{\"match\":\"^\\\\w+$\",\"reply\":\"one word\"},"
                      "{\"match\":\"(?<who>x)\\\\.\",\"reply\":\"\\\\g<who> and a \\\\\\\\\"}]";
  const char *none = "critical: agent 'judge' has no reply queued and no rule that fits";

  assert_rule (rules, HEARD ("\"is 2 right\""), "2 is right");
  assert_rule (rules, HEARD ("\"IS Jörg WRONG or not\""), "Jörg is WRONG");
  assert_rule (rules, HEARD ("\"in der STRASSE dort\""), "street");
  assert_rule (rules, HEARD ("\"Größe\""), "one word");
  assert_rule (rules, HEARD ("\"an x. here\""), "x and a \\");
  assert_rule (rules, HEARD ("\"nothing fits\""), none);
  assert_rule (rules, HEARD ("\"\""), none);
}

/* The last message of the user counts, whatever else is said. */
static void
test_rules_last_message (void)
{
  const char *rules = "[{\"match\":\"^$\",\"reply\":\"empty\"},{\"match\":\"(.*)\",\"reply\":\"heard \\\\1\"}]";

  assert_rule (rules, "{\"messages\":[{\"role\":\"user\",\"text\":\"one\"},{\"role\":\"user\",\"text\":\"two\"},{\"role\":\"assistant\",\"text\":\"three\"}]}", "heard two");
  assert_rule (rules, "{\"messages\":[{\"text\":\"four\",\"role\":\"user\"}],\"format\":\"json\"}", "heard four");
  assert_rule (rules, "{\"messages\":[{\"role\":\"system\",\"text\":\"five\"}]}", "empty");
  assert_rule (rules, "{\"messages\":[]}", "empty");
  assert_rule (rules, "{}", "empty");
  assert_rule (rules, "[]", "empty");
}

static void
test_rules_forms (void)
{
  const char *rules = "[{\"match\":\"object\",\"reply\":{\"path\":\"a\\\\1\"}},"
                      "{\"match\":\"failure\",\"reply\":{\"error\":\"auth\",\"message\":\"\\\\1\"}},"
                      "{\"match\":\"(\\\\d+) slow\",\"reply\":{\"after\":1,\"reply\":\"\\\\1 at last\"}},"
                      "{\"match\":\"slow\",\"reply\":{\"after\":1,\"reply\":{\"error\":\"user\",\"message\":\"late\"}}}]";

  assert_rule (rules, HEARD ("\"an object\""), "{\"path\":\"a\\\\1\"}");
  assert_rule (rules, HEARD ("\"a failure\""), "auth: \\1");
  assert_rule (rules, HEARD ("\"12 slow\""), "12 at last");
  assert_rule (rules, HEARD ("\"too slow\""), "user: late");
}

/* Queued replies come first; a rule is not used up; a fallback is said when nothing fits. */
static void
test_rules_order (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "3", NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "replies", "[\"queued\"]", "rules", "[{\"match\":\"L+\",\"reply\":\"rule\"}]",
                           "fallback", "else", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"queued\"");
  clq_test_node_assert_set (test, "b", "\"rule\"");
  clq_test_node_assert_set (test, "c", "\"rule\"");
}

static void
test_rules_fallback (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "rules", "[{\"match\":\"x\",\"reply\":\"rule\"}]", "fallback", "\\1 {}", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"\\\\1 {}\"");

  /* Alone it makes the agent present, too. */
  add_judge (test, "fallback", "anything");
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"anything\"");
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "");
}

/* A pattern that would try for years gives up, and the rules after it are not reached by accident. */
static void
test_rules_limit (void)
{
  assert_rule ("[{\"match\":\"^(a+)+$\",\"reply\":\"x\"},{\"match\":\"\",\"reply\":\"y\"}]",
               HEARD ("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\""),
               "critical: agent 'judge': the pattern '^(a+)+$' gave up: backtracking limit reached");
  assert_refused ("rules", "[{\"match\":\"(*UTF)(*LIMIT_MATCH=9999999)a\",\"reply\":\"x\"}]",
                  "rules[0].match '(*UTF)(*LIMIT_MATCH=9999999)a' sets a limit; expected a pattern without one");
}

static void
test_rules_refused (void)
{
  const char *no_rule = "rules[0] is no rule; expected {\"match\": REGULAR EXPRESSION, \"reply\": …}";

  assert_refused ("rules", "\"x\"", "rules is a text; expected a list");
  assert_refused ("rules", "[\"x\"]", no_rule);
  assert_refused ("rules", "[[1]]", no_rule);
  assert_refused ("rules", "[{\"match\":\"x\"}]", no_rule);
  assert_refused ("rules", "[{\"match\":5,\"reply\":\"x\"}]", no_rule);
  assert_refused ("rules", "[{\"match\":\"x\",\"reply\":\"x\"},{\"match\":\"x\",\"replay\":\"x\"}]", "rules[1] has an unknown member 'replay'; did you mean 'reply'?");
  assert_refused ("rules", "[{\"match\":\"a(\",\"reply\":\"x\"}]", "rules[0].match 'a(' is no regular expression: missing terminating )");
  assert_refused ("rules", "[{\"match\":\"x\",\"reply\":[]}]", "rules[0].reply is a list; expected a text or an object");
  assert_refused ("rules", "[{\"match\":\"x\",\"reply\":\"C:\\\\dir\"}]",
                  "rules[0].reply 'C:\\dir': unknown escape sequence; expected \\1 for the first group and \\\\ for a backslash");
}

/* A fan-out does not check what it is given. */
static void
test_rules_bad_request (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "fan-out", "true", "request", "{\"messages\":", NULL);
  g_autofree char *found = NULL;

  add_judge (test, "rules", "[{\"match\":\"\",\"reply\":\"x\"}]");
  clq_test_node_enter (test);
  found = clq_json_find_string (clq_test_node_get_data (test), "a");
  g_assert_true (g_str_has_prefix (found, "critical: agent 'judge': request: 1:"));
}

/* ---- files ---- */

static char *
write_script (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int file = g_file_open_tmp ("clq-script-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_assert_true (g_close (file, &error));
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  return path;
}

static void
test_script (void)
{
  g_autofree char *path = write_script ("{\"fallback\":\"of the file\",\"rules\":[{\"match\":\"hello\",\"reply\":\"rule of the file\"}],\n\"replies\":[\"second\"]}\n");
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "calls", "3", NULL);
  g_autoptr (ClqTestNode) other = clq_test_node_new (&caller, "request", "{}", "calls", "2", NULL);
  g_autoptr (GError) error = NULL;

  /* What the settings say comes first. */
  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", path, "replies", "[\"first\"]",
                           "rules", "[{\"match\":\"h.l\",\"reply\":\"rule\"}]", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"first\"");
  clq_test_node_assert_set (test, "b", "\"second\"");
  clq_test_node_assert_set (test, "c", "\"rule\"");

  add_judge (other, "script", path);
  clq_test_node_enter (other);
  clq_test_node_assert_set (other, "b", "\"of the file\"");
  clq_test_node_add_agent (other, "judge", &scripted_agent, &error, "script", path, "fallback", "of the settings", NULL);
  clq_test_node_enter (other);
  clq_test_node_assert_set (other, "b", "\"of the settings\"");
  g_unlink (path);
}

static void
test_script_refused (void)
{
  static const char *const bad[][2] = {
    { "{\"replies\":[\"x\"],}", "1:18: " },
    { "{\"replies\":[\"x\"]} {}", "1:19: " },
    { "[]", "there is a list; expected an object with replies, rules or fallback" },
    { "{\"rule\":[]}", "unknown member 'rule'; did you mean 'rules'?" },
    { "{\"replies\":[\"x\"],\"rules\":[{}]}", "rules[0] is no rule; expected {\"match\": REGULAR EXPRESSION, \"reply\": …}" },
    { "{\"fallback\":1}", "fallback is a number; expected a text" },
  };
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = write_script (bad[i][0]);
      g_autofree char *message = g_strdup_printf ("script '%s': %s", path, bad[i][1]);

      g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", path, NULL));
      if (g_str_has_suffix (message, ": "))
        g_assert_true (g_str_has_prefix (error->message, message));
      else
        g_assert_cmpstr (error->message, ==, message);
      g_clear_error (&error);
      g_unlink (path);
    }
  g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", "no-such-file.json", NULL));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_true (g_str_has_prefix (error->message, "script: "));
  g_assert_nonnull (strstr (error->message, "no-such-file.json"));
}

/* ---- speaking ---- */

static void
assert_pieces (const char *stream, const char *replies, const char *pieces)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "stream", "true", NULL);
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "stream", "true", NULL);
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "request", "{\"messages\":\"äö\"}", NULL);
  guint64 tokens_in, tokens_out;
  double cost;

  add_judge (test, "replies", "[\"äöüäöüäöü\"]");
  clq_test_node_enter (test);
  clq_test_node_get_usage (test, &tokens_in, &tokens_out, &cost);
  g_assert_cmpuint (tokens_in, ==, 5);
  g_assert_cmpuint (tokens_out, ==, 3);
  g_assert_cmpfloat (cost, ==, 0);
}

/* ---- going away ---- */

static void
test_cancel (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "stream", "true", NULL);
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, NULL);

  add_judge (test, "replies", "[{\"after\":1,\"reply\":\"the old one\"}]");
  clq_test_node_enter (test);
  add_judge (test, "replies", "[\"the new one\"]");
  clq_test_node_advance (test, G_TIME_SPAN_SECOND);
  clq_test_node_assert_set (test, "a", "\"the old one\"");
}

/* The host makes the same call again. */
static void
test_retried (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&caller, "fan-out", "true", NULL);

  clq_test_node_set_retry (test, 1);
  add_judge (test, "replies", "[{\"after\":1,\"reply\":{\"error\":\"recoverable\",\"message\":\"busy\"}},{\"after\":1,\"reply\":\"better now\"}]");
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
  g_test_add_func ("/colloquy/scripted/rules/match", test_rules_match);
  g_test_add_func ("/colloquy/scripted/rules/last-message", test_rules_last_message);
  g_test_add_func ("/colloquy/scripted/rules/forms", test_rules_forms);
  g_test_add_func ("/colloquy/scripted/rules/order", test_rules_order);
  g_test_add_func ("/colloquy/scripted/rules/fallback", test_rules_fallback);
  g_test_add_func ("/colloquy/scripted/rules/limit", test_rules_limit);
  g_test_add_func ("/colloquy/scripted/rules/refused", test_rules_refused);
  g_test_add_func ("/colloquy/scripted/rules/bad-request", test_rules_bad_request);
  g_test_add_func ("/colloquy/scripted/script/file", test_script);
  g_test_add_func ("/colloquy/scripted/script/refused", test_script_refused);
  g_test_add_func ("/colloquy/scripted/stream/pieces", test_stream_pieces);
  g_test_add_func ("/colloquy/scripted/stream/slowly", test_stream_slowly);
  g_test_add_func ("/colloquy/scripted/usage", test_usage);
  g_test_add_func ("/colloquy/scripted/cancel", test_cancel);
  g_test_add_func ("/colloquy/scripted/replaced", test_replaced);
  g_test_add_func ("/colloquy/scripted/retried", test_retried);
  return g_test_run ();
}
