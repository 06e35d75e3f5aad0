/* Questions: written, brought into order, and answered. */
#include <string.h>

#include <colloquy.h>

static void
assert_json (const char *text)
{
  g_autoptr (GError) error = NULL;

  clq_json_check (text, -1, NULL, &error);
  g_assert_no_error (error);
}

static void
test_types (void)
{
  static const char *const names[] = { "confirmation", "choice", "input" };
  ClqQuestionType type = CLQ_QUESTION_CHOICE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (clq_question_type_from_string (names[i], &type));
      g_assert_cmpstr (clq_question_type_to_string (type), ==, names[i]);
    }
  g_assert_false (clq_question_type_from_string ("Choice", &type));
  g_assert_false (clq_question_type_from_string (NULL, &type));
  g_assert_cmpint (type, ==, CLQ_QUESTION_INPUT);
}

static void
test_append (void)
{
  static const char *const options[] = { "red", "\"blue\"", NULL };
  static const char *const none[] = { NULL };
  const ClqQuestion whole = { CLQ_QUESTION_CHOICE, "task", "colour", "Which\n\"one\"?", options };
  const ClqQuestion least = { .type = CLQ_QUESTION_INPUT, .prompt = "Name?", .options = none };
  g_autoptr (GString) out = g_string_new (NULL);

  clq_question_append_json (&whole, out);
  assert_json (out->str);
  g_assert_cmpstr (out->str, ==,
                   "{\"key\":\"task/colour\",\"owner\":\"task\",\"id\":\"colour\",\"type\":\"choice\","
                   "\"prompt\":\"Which\\n\\\"one\\\"?\",\"options\":[\"red\",\"\\\"blue\\\"\"]}");
  g_string_truncate (out, 0);
  clq_question_append_json (&least, out);
  assert_json (out->str);
  g_assert_cmpstr (out->str, ==,
                   "{\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"input\",\"prompt\":\"Name?\"}");
}

static void
test_normalise (void)
{
  static const struct
  {
    const char *question;
    const char *id;
    const char *whole;
  } cases[] = {
    { "{\"prompt\":\"Name?\"}", NULL,
      "{\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"input\",\"prompt\":\"Name?\"}" },
    { "{\"prompt\":\"Name?\"}", "name",
      "{\"key\":\"session/name\",\"owner\":\"session\",\"id\":\"name\",\"type\":\"input\",\"prompt\":\"Name?\"}" },
    { " { \"owner\" : \"a\", \"id\" : \"b\", \"type\" : \"confirmation\", \"prompt\" : \"Sure?\", \"more\" : 1 } ", "name",
      "{\"key\":\"a/b\",\"owner\":\"a\",\"id\":\"b\",\"type\":\"confirmation\",\"prompt\":\"Sure?\"}" },
    { "{\"type\":\"choice\",\"prompt\":\"How many?\",\"options\":[1,\"two\",3.5,true]}", NULL,
      "{\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"choice\",\"prompt\":\"How many?\","
      "\"options\":[\"1\",\"two\",\"3.5\",\"true\"]}" },
    { "{\"type\":\"input\",\"prompt\":\"Name?\",\"options\":null}", NULL,
      "{\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"input\",\"prompt\":\"Name?\"}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *whole = clq_question_normalise (cases[i].question, cases[i].id, &error);
      g_autofree char *again = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (whole, ==, cases[i].whole);
      again = clq_question_normalise (whole, "other", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (again, ==, whole);
    }
}

static void
test_normalise_wrong (void)
{
  static const struct
  {
    const char *question;
    const char *message;
  } cases[] = {
    { "\"Name?\"", "question: expected an object with type, prompt and options" },
    { "[]", "question: expected an object with type, prompt and options" },
    { "", "question: expected an object with type, prompt and options" },
    { "{}", "question: expected a prompt" },
    { "{\"prompt\":\"\"}", "question: expected a prompt" },
    { "{\"prompt\":5}", "question: expected a prompt" },
    { "{\"type\":\"chioce\",\"prompt\":\"?\"}", "question: 'chioce' is no type; did you mean 'choice'?" },
    { "{\"type\":\"x\",\"prompt\":\"?\"}", "question: 'x' is no type; expected one of: confirmation, choice, input" },
    { "{\"type\":7,\"prompt\":\"?\"}", "question: '7' is no type; expected one of: confirmation, choice, input" },
    { "{\"type\":\"choice\",\"prompt\":\"?\"}", "question: a choice needs options" },
    { "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":[]}", "question: a choice needs options" },
    { "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":\"a, b\"}", "question: options: expected a list of texts" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_question_normalise (cases[i].question, NULL, &error));
      g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
assert_fits (const char *question, const char *answer, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fitted = clq_question_fit_answer (question, answer, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (fitted, ==, expected);
  assert_json (fitted);
}

static void
assert_does_not_fit (const char *question, const char *answer, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_question_fit_answer (question, answer, &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_confirmation (void)
{
  static const char *const question = "{\"type\":\"confirmation\",\"prompt\":\"Sure?\"}";
  static const char *const yes[] = { "true", " true ", "\"yes\"", "\"Yes\"", "\"YES!\"", "\" y \"", "\"ok.\"", "\"sure\"", "\"true\"", "\"Ja\"" };
  static const char *const no[] = { "false", "\"no\"", "\"No.\"", "\"N\"", "\"false\"", "\"nein\"" };
  static const char *const neither[] = { "\"\"", "\"maybe\"", "\"yes and no\"", "\"!\"", "1", "0", "null", "[true]", "{\"yes\":true}", "" };

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    assert_fits (question, yes[i], "true");
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    assert_fits (question, no[i], "false");
  for (guint i = 0; i < G_N_ELEMENTS (neither); i++)
    assert_does_not_fit (question, neither[i], "expected yes or no");
}

static void
test_choice (void)
{
  static const char *const question = "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":[\"red\",\"Dark Blue\",\"gr\xc3\xbcn\"]}";

  assert_fits (question, "\"red\"", "\"red\"");
  assert_fits (question, "\" RED \"", "\"red\"");
  assert_fits (question, "\"dark blue\"", "\"Dark Blue\"");
  assert_fits (question, "\"GR\xc3\x9cN\"", "\"gr\xc3\xbcn\"");
  assert_fits (question, "\"gr\\u00fcn\"", "\"gr\xc3\xbcn\"");
  assert_fits (question, "1", "\"red\"");
  assert_fits (question, "\" 2 \"", "\"Dark Blue\"");
  assert_fits (question, "\"3\"", "\"gr\xc3\xbcn\"");
}

static void
test_choice_wrong (void)
{
  static const char *const question = "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":[\"red\",\"blue\"]}";
  static const struct
  {
    const char *answer;
    const char *shown;
  } cases[] = {
    { "\"green\"", "green" },
    { "\"\"", "" },
    { "\"red blue\"", "red blue" },
    { "0", "0" },
    { "3", "3" },
    { "-1", "-1" },
    { "1.0", "1.0" },
    { "\"1st\"", "1st" },
    { "\"-18446744073709551615\"", "-18446744073709551615" },
    { "\"18446744073709551617\"", "18446744073709551617" },
    { "true", "true" },
    { "null", "null" },
    { "[\"red\"]", "[\"red\"]" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *message = g_strdup_printf (
          "'%s' is none of the options; expected one of: red, blue (or a number from 1 to 2)", cases[i].shown);

      assert_does_not_fit (question, cases[i].answer, message);
    }
}

/* The text of an option comes before its number, and its own spelling before another. */
static void
test_choice_unclear (void)
{
  static const char *const numbers = "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":[\"3\",\"2\",\"1\"]}";
  static const char *const spellings = "{\"type\":\"choice\",\"prompt\":\"?\",\"options\":[\"Polish\",\"polish\",\" padded \"]}";

  assert_fits (numbers, "1", "\"1\"");
  assert_fits (numbers, "\"3\"", "\"3\"");
  assert_fits (spellings, "\"Polish\"", "\"Polish\"");
  assert_fits (spellings, "\"polish\"", "\"polish\"");
  assert_fits (spellings, "\"POLISH\"", "\"Polish\"");
  assert_fits (spellings, "\"padded\"", "\" padded \"");
}

static void
test_input (void)
{
  static const char *const question = "{\"type\":\"input\",\"prompt\":\"Name?\"}";
  static const char *const refused[] = { "\"\"", "\" \\n\\t\"", "null", "true", "[]", "{}", "" };

  assert_fits (question, "\"Ann\"", "\"Ann\"");
  assert_fits (question, " \" Ann \\u00e9 \" ", "\" Ann \\u00e9 \"");
  assert_fits (question, "42", "\"42\"");
  assert_fits (question, "-1.5e3", "\"-1.5e3\"");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_does_not_fit (question, refused[i], "expected a text that is not empty");
}

/* A question without a type is one for a text. */
static void
test_no_type (void)
{
  assert_fits ("{\"prompt\":\"Name?\"}", "\"yes\"", "\"yes\"");
  assert_does_not_fit ("{}", "false", "expected a text that is not empty");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/question/types", test_types);
  g_test_add_func ("/colloquy/question/append", test_append);
  g_test_add_func ("/colloquy/question/normalise", test_normalise);
  g_test_add_func ("/colloquy/question/normalise-wrong", test_normalise_wrong);
  g_test_add_func ("/colloquy/question/confirmation", test_confirmation);
  g_test_add_func ("/colloquy/question/choice", test_choice);
  g_test_add_func ("/colloquy/question/choice-wrong", test_choice_wrong);
  g_test_add_func ("/colloquy/question/choice-unclear", test_choice_unclear);
  g_test_add_func ("/colloquy/question/input", test_input);
  g_test_add_func ("/colloquy/question/no-type", test_no_type);
  return g_test_run ();
}
