#include "test-caller.h"

#include <string.h>

#include <glib/gstdio.h>

/* ---- rules ---- */

static void
assert_rule (const char *rules, const char *request, const char *answer)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "request", request, NULL);
  g_autofree char *quoted = clq_json_quote (answer);

  test_add_judge (test, "rules", rules);
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "3", NULL);
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "rules", "[{\"match\":\"x\",\"reply\":\"rule\"}]", "fallback", "\\1 {}", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"\\\\1 {}\"");

  /* Alone it makes the agent present, too. */
  test_add_judge (test, "fallback", "anything");
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"anything\"");
  g_assert_cmpstr (clq_test_node_get_progress (test), ==, "");
}

/* A pattern that tries too long gives up, and neither the rules after it nor the fallback are said by accident. */
static void
test_rules_limit (void)
{
  const char *rules = "[{\"match\":\"^(a+)+$\",\"reply\":\"x\"},{\"match\":\"\",\"reply\":\"y\"}]";
  const char *request = HEARD ("\"aaaaaaaaaaaaaaaaaaaab\"");
  const char *message = "critical: agent 'judge': the pattern '^(a+)+$' gave up: backtracking limit reached";
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "request", request, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *quoted = clq_json_quote (message);

  assert_rule (rules, request, message);
  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "rules", rules, "fallback", "z", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", quoted);
  test_assert_refused ("rules", "[{\"match\":\"(*UTF)(*LIMIT_MATCH=9999999)a\",\"reply\":\"x\"}]",
                       "rules[0].match '(*UTF)(*LIMIT_MATCH=9999999)a' sets a limit; expected a pattern without one");
}

static void
test_rules_refused (void)
{
  const char *no_rule = "rules[0] is no rule; expected {\"match\": REGULAR EXPRESSION, \"reply\": …}";

  test_assert_refused ("rules", "\"x\"", "rules is a text; expected a list");
  test_assert_refused ("rules", "[\"x\"]", no_rule);
  test_assert_refused ("rules", "[[1]]", no_rule);
  test_assert_refused ("rules", "[{\"match\":\"x\"}]", no_rule);
  test_assert_refused ("rules", "[{\"match\":5,\"reply\":\"x\"}]", no_rule);
  test_assert_refused ("rules", "[{\"match\":\"x\",\"reply\":\"x\"},{\"match\":\"x\",\"replay\":\"x\"}]", "rules[1] has an unknown member 'replay'; did you mean 'reply'?");
  test_assert_refused ("rules", "[{\"match\":\"a(\",\"reply\":\"x\"}]", "rules[0].match 'a(' is no regular expression: missing terminating )");
  test_assert_refused ("rules", "[{\"match\":\"x\",\"reply\":[]}]", "rules[0].reply is a list; expected a text or an object");
  test_assert_refused ("rules", "[{\"match\":\"x\",\"reply\":\"C:\\\\dir\"}]",
                       "rules[0].reply 'C:\\dir': unknown escape sequence; expected \\1 for the first group and \\\\ for a backslash");
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
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, "calls", "3", NULL);
  g_autoptr (ClqTestNode) other = clq_test_node_new (&test_caller, "request", "{}", "calls", "2", NULL);
  g_autoptr (GError) error = NULL;

  /* What the settings say comes first. */
  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", path, "replies", "[\"first\"]",
                           "rules", "[{\"match\":\"h.l\",\"reply\":\"rule\"}]", NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_assert_set (test, "a", "\"first\"");
  clq_test_node_assert_set (test, "b", "\"second\"");
  clq_test_node_assert_set (test, "c", "\"rule\"");

  test_add_judge (other, "script", path);
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
    { "{\"replies\":[\"x\"],}", "1:18: unexpected '}'; expected a key in double quotes" },
    { "{\"replies\":[\"x\"]} {}", "1:19: unexpected '{'; expected the end of the text" },
    { "[]", "there is a list; expected an object with replies, rules or fallback" },
    { "{\"rule\":[]}", "unknown member 'rule'; did you mean 'rules'?" },
    { "{\"replies\":[\"x\"],\"rules\":[{}]}", "rules[0] is no rule; expected {\"match\": REGULAR EXPRESSION, \"reply\": …}" },
    { "{\"fallback\":1}", "fallback is a number; expected a text" },
  };
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = write_script (bad[i][0]);
      g_autofree char *message = g_strdup_printf ("agent 'agent': script '%s': %s", path, bad[i][1]);

      g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", path, NULL));
      g_assert_cmpstr (error->message, ==, message);
      g_clear_error (&error);
      g_unlink (path);
    }
  g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, "script", "no-such-file.json", NULL));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_true (g_str_has_prefix (error->message, "agent 'agent': script: "));
  g_assert_nonnull (strstr (error->message, "no-such-file.json"));
}

/* Adds the tests of this file. */
void
test_add_rules (void)
{
  g_test_add_func ("/colloquy/scripted/rules/match", test_rules_match);
  g_test_add_func ("/colloquy/scripted/rules/last-message", test_rules_last_message);
  g_test_add_func ("/colloquy/scripted/rules/forms", test_rules_forms);
  g_test_add_func ("/colloquy/scripted/rules/order", test_rules_order);
  g_test_add_func ("/colloquy/scripted/rules/fallback", test_rules_fallback);
  g_test_add_func ("/colloquy/scripted/rules/limit", test_rules_limit);
  g_test_add_func ("/colloquy/scripted/rules/refused", test_rules_refused);
  g_test_add_func ("/colloquy/scripted/script/file", test_script);
  g_test_add_func ("/colloquy/scripted/script/refused", test_script_refused);
}
