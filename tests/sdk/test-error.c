/* The words by which programs know errors, and the numbers that never change. */
#include <gio/gio.h>

#include <colloquy.h>

static void
test_input_words (void)
{
  static const char *const words[] = { "refused", "unhandled", "busy", "not-found", "not-waiting",
                                       "bad-answer", "bad-input", "limit", "store", "failed" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED + (int) i, "x");

      g_assert_cmpstr (clq_input_error_to_string (error), ==, words[i]);
    }
}

static void
test_input_words_of_others (void)
{
  const struct
  {
    GQuark domain;
    int code;
    const char *word;
  } cases[] = {
    { CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "not-found" },
    { CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "store" },
    { CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE, "store" },
    { CLQ_JSON_ERROR, CLQ_JSON_ERROR_SYNTAX, "bad-input" },
    { CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_SYNTAX, "failed" },
    { CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND, "failed" },
    { G_IO_ERROR, G_IO_ERROR_CANCELLED, "failed" },
    { CLQ_INPUT_ERROR, 0, "failed" },
    { CLQ_INPUT_ERROR, -1, "failed" },
    { CLQ_INPUT_ERROR, 11, "failed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (cases[i].domain, cases[i].code, "x");

      g_assert_cmpstr (clq_input_error_to_string (error), ==, cases[i].word);
    }
}

static void
test_failure_words (void)
{
  static const char *const words[] = { "recoverable", "critical", "user", "auth" };
  ClqFailure failure = CLQ_FAILURE_USER;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_true (clq_failure_from_string (words[i], &failure));
      g_assert_cmpint (failure, ==, CLQ_FAILURE_RECOVERABLE + i);
      g_assert_cmpstr (clq_failure_to_string (failure), ==, words[i]);
    }
  g_assert_false (clq_failure_from_string ("Auth", &failure));
  g_assert_false (clq_failure_from_string ("", &failure));
  g_assert_false (clq_failure_from_string (NULL, &failure));
  g_assert_cmpint (failure, ==, CLQ_FAILURE_AUTH);
}

static void
test_failure_of (void)
{
  const struct
  {
    GQuark domain;
    int code;
    ClqFailure failure;
  } cases[] = {
    { CLQ_FAILURE, CLQ_FAILURE_RECOVERABLE, CLQ_FAILURE_RECOVERABLE },
    { CLQ_FAILURE, CLQ_FAILURE_CRITICAL, CLQ_FAILURE_CRITICAL },
    { CLQ_FAILURE, CLQ_FAILURE_USER, CLQ_FAILURE_USER },
    { CLQ_FAILURE, CLQ_FAILURE_AUTH, CLQ_FAILURE_AUTH },
    { CLQ_FAILURE, 0, CLQ_FAILURE_CRITICAL },
    { CLQ_FAILURE, 5, CLQ_FAILURE_CRITICAL },
    { CLQ_NODE_ERROR, CLQ_NODE_ERROR_TIMED_OUT, CLQ_FAILURE_RECOVERABLE },
    { CLQ_NODE_ERROR, CLQ_NODE_ERROR_UNFINISHED, CLQ_FAILURE_CRITICAL },
    { G_IO_ERROR, G_IO_ERROR_TIMED_OUT, CLQ_FAILURE_RECOVERABLE },
    { G_IO_ERROR, G_IO_ERROR_CANCELLED, CLQ_FAILURE_CRITICAL },
    { CLQ_STORE_ERROR, CLQ_STORE_ERROR_BUSY, CLQ_FAILURE_CRITICAL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (cases[i].domain, cases[i].code, "x");

      g_assert_cmpint (clq_failure_of (error), ==, cases[i].failure);
    }
}

/* Codes are only ever appended: these numbers are in journals and in plugins. */
static void
test_numbers (void)
{
  g_assert_cmpint (CLQ_PLUGIN_ERROR_NOT_FOUND, ==, 1);
  g_assert_cmpint (CLQ_PLUGIN_ERROR_START, ==, 10);
  g_assert_cmpint (CLQ_GRAPH_ERROR_SYNTAX, ==, 1);
  g_assert_cmpint (CLQ_GRAPH_ERROR_UNREACHABLE, ==, 10);
  g_assert_cmpint (CLQ_NODE_ERROR_BUDGET, ==, 5);
  g_assert_cmpint (CLQ_STORE_ERROR_STALE, ==, 5);
  g_assert_cmpint (CLQ_SETTING_ERROR_SECRET, ==, 4);
  g_assert_cmpint (CLQ_INPUT_ERROR_FAILED, ==, 10);
  g_assert_cmpint (CLQ_FAILURE_AUTH, ==, 4);
  g_assert_cmpint (CLQ_JSON_ERROR_ENCODING, ==, 6);
}

static void
test_domains_differ (void)
{
  const GQuark domains[] = { CLQ_PLUGIN_ERROR, CLQ_GRAPH_ERROR, CLQ_NODE_ERROR, CLQ_STORE_ERROR,
                             CLQ_SETTING_ERROR, CLQ_INPUT_ERROR, CLQ_FAILURE, CLQ_JSON_ERROR };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    for (guint j = 0; j < i; j++)
      g_assert_cmpuint (domains[i], !=, domains[j]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/error/input-words", test_input_words);
  g_test_add_func ("/colloquy/error/input-words-of-others", test_input_words_of_others);
  g_test_add_func ("/colloquy/error/failure-words", test_failure_words);
  g_test_add_func ("/colloquy/error/failure-of", test_failure_of);
  g_test_add_func ("/colloquy/error/numbers", test_numbers);
  g_test_add_func ("/colloquy/error/domains-differ", test_domains_differ);
  return g_test_run ();
}
