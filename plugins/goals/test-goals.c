/* What cannot be said with `colloquy pipe`: lists with mistakes, the headline, what the agent is told. */
#include "assistant.h"

#include <colloquy-testing.h>

static const char goal[] =
    "{\"turnCount\":3,\"understandingTurns\":2,\"currentGoal\":{\"id\":\"goal-1\",\"type\":\"trip\",\"description\":\"Plan a trip\",\"status\":\"active\","
    "\"requiredInfo\":[{\"name\":\"where\",\"description\":\"Where to\",\"status\":\"provided\",\"value\":\"Rome\"},"
    "{\"name\":\"when\",\"description\":\"The date\",\"status\":\"unknown\",\"value\":null}]},\"completedGoals\":[]}";

static const char words[] = "{\"goals\":{\"trip\":{\"begins\":[\"plan\"],\"info\":{\"where\":{},\"when\":{\"question\":\"When?\"}}}}}";

/* ---- lists of words ---- */

static void
test_mistakes (void)
{
  static const struct
  {
    const char *json;
    const char *message;
  } cases[] = {
    { "[]", "modality 'tracker': words is no object" },
    { "{\"signal\":{}}", "modality 'tracker': words: unknown member 'signal'; did you mean 'signals'?" },
    { "{\"signals\":{\"idel\":{}}}", "modality 'tracker': words.signals: unknown member 'idel'; did you mean 'idle'?" },
    { "{\"signals\":{\"idle\":{\"words\":\"bye\"}}}", "modality 'tracker': words.signals.idle.words is no list; expected phrases: [\"never mind\", …]" },
    { "{\"openings\":[1]}", "modality 'tracker': words.openings: 1 is no text; expected phrases" },
    { "{\"openings\":[\"\"]}", "modality 'tracker': words.openings: '' is no phrase; expected words or a regular expression" },
    { "{\"openings\":[\"(*LIMIT_MATCH=9)x\"]}", "modality 'tracker': words.openings: '(*LIMIT_MATCH=9)x' is no phrase; expected words or a regular expression" },
    { "{\"openings\":[\"a(b\"]}", "modality 'tracker': words.openings: 'a(b' is no regular expression: missing terminating )" },
    { "{\"goals\":{\"a.b\":{}}}", "modality 'tracker': words.goals.a.b is no name; expected letters, digits, '_' and '-'" },
    { "{\"goals\":{\"a\":{\"info\":{\"x y\":{}}}}}", "modality 'tracker': words.goals.a.info.x y is no name; expected letters, digits, '_' and '-'" },
    { "{\"goals\":{\"a\":{\"info\":{\"x\":{\"question\":1}}}}}", "modality 'tracker': words.goals.a.info.x.question is no text" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqTestModality) test = clq_test_modality_try_new (&goals_tracker, &error, "words", cases[i].json, NULL);

      g_assert_null (test);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* A phrase that would take for ever is not found, and the conversation goes on. */
static void
test_slow_phrase (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&goals_tracker, "words", "{\"signals\":{\"idle\":{\"words\":[\"(a+)+b\"]}}}", NULL);
  g_autofree char *text = g_strnfill (5000, 'a');
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_test_modality_open (test, &error));
  clq_test_modality_set_state (test, "greeting", 1);
  clq_test_modality_set_text (test, text);
  g_assert_true (clq_test_modality_apply (test, &error));
  g_assert_false (clq_test_modality_check (test, "gives-up"));
  clq_test_modality_set_text (test, "aab");
  g_assert_true (clq_test_modality_apply (test, &error));
  g_assert_true (clq_test_modality_check (test, "gives-up"));
}

static void
test_headline (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&goals_tracker, "words", words, NULL);
  g_autofree char *with = NULL, *without = NULL;

  clq_test_modality_set_state (test, "understanding", 1);
  clq_test_modality_set_data (test, goal);
  with = clq_test_modality_headline (test);
  g_assert_cmpstr (with, ==, "Plan a trip · missing: when");
  clq_test_modality_set_data (test, "{\"currentGoal\":null}");
  without = clq_test_modality_headline (test);
  g_assert_null (without);
}

/* ---- the assistant ---- */

static ClqTestNode *
begin (const char *prompt)
{
  ClqTestNode *test = clq_test_node_new (&goals_assistant, "system", "You are {{phase}}.", "prompt", prompt, "window", "100", NULL);

  clq_test_node_set_modality_setting (test, "words", words);
  clq_test_node_set_state (test, "understanding");
  clq_test_node_set_data (test, goal);
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_USER, "{\"text\":\"first\"}");
  clq_test_node_add_record (test, CLQ_RECORD_MESSAGE, CLQ_ROLE_ASSISTANT, "{\"text\":\"second\"}");
  clq_test_node_set_text (test, "third");
  clq_test_node_reply (test, "assistant", "When?");
  return test;
}

static void
test_prompt (void)
{
  g_autoptr (ClqTestNode) test = begin ("{{goal}}|{{type}}|{{known}}|{{field}}|{{question}}|{{direct}}|{{ready}}|{{last}}|{{message}}");
  g_autoptr (JsonNode) request = NULL, wanted = NULL;

  clq_test_node_enter (test);
  clq_test_node_assert_outcome (test, "said");
  clq_test_node_assert_said (test, "When?");
  clq_test_node_assert_payload (test, "{\"asked\":\"when\"}");
  request = clq_json_parse (clq_test_node_get_request (test, "speak"), -1, NULL);
  wanted = clq_json_parse ("{\"messages\":[{\"role\":\"system\",\"text\":\"You are understanding.\"},{\"role\":\"user\",\"text\":\"first\"},"
                           "{\"role\":\"assistant\",\"text\":\"second\"},{\"role\":\"user\",\"text\":\"third\"},"
                           "{\"role\":\"user\",\"text\":\"Plan a trip|trip|Where to: Rome|The date|When?||||third\"}]}",
                           -1, NULL);
  if (!json_node_equal (request, wanted))
    g_assert_cmpstr (clq_test_node_get_request (test, "speak"), ==, "something else");
}

/* The newest messages that the window has room for, and always the last one. */
static void
test_window (void)
{
  g_autoptr (ClqTestNode) test = begin ("now");
  g_autofree char *text = g_strnfill (99, 'x');
  g_autofree char *first = NULL, *second = NULL;

  clq_test_node_set_text (test, text);
  clq_test_node_enter (test);
  first = clq_json_find_string (clq_test_node_get_request (test, "speak"), "messages.1.text");
  second = clq_json_find_string (clq_test_node_get_request (test, "speak"), "messages.2.text");
  g_assert_cmpstr (first, ==, text);
  g_assert_cmpstr (second, ==, "now");
}

static void
test_bad_template (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqTestNode) test = clq_test_node_try_new (&goals_assistant, &error, "prompt", "one\n{{sumary}}", NULL);

  g_assert_null (test);
  g_assert_nonnull (strstr (error->message, "prompt: line 2: there is nothing to put in the place of {{sumary}}; did you mean 'summary'?"));
}

static void
test_silence (void)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&goals_assistant, NULL);

  clq_test_node_set_state (test, "greeting");
  clq_test_node_set_text (test, "hello");
  clq_test_node_reply (test, "assistant", "");
  clq_test_node_enter (test);
  clq_test_node_assert_failed (test, CLQ_FAILURE_CRITICAL, "agent 'assistant' said nothing");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/goals/words/mistakes", test_mistakes);
  g_test_add_func ("/goals/words/slow", test_slow_phrase);
  g_test_add_func ("/goals/headline", test_headline);
  g_test_add_func ("/goals/assistant/prompt", test_prompt);
  g_test_add_func ("/goals/assistant/window", test_window);
  g_test_add_func ("/goals/assistant/bad-template", test_bad_template);
  g_test_add_func ("/goals/assistant/silence", test_silence);
  return g_test_run ();
}
