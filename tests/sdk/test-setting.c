/* Settings: every type read, printed and refused, from one table. */
#include <string.h>

#include <colloquy.h>

typedef struct
{
  char *word;
  gint64 max_words;
  gint64 any_number;
  double ratio;
  double any_ratio;
  gboolean loud;
  GTimeSpan length;
  int mood;
  char **names;
  char *shape;
  ClqSecret *api_key;
  char *maxUnderstandingTurns;
  char *nothing;
  gint64 maybe_number;
  double maybe_ratio;
} Values;

static const ClqSetting settings[] = {
  CLQ_STRING (Values, word, "hello", "what to say"),
  CLQ_INT (Values, max_words, 10, 1, 1000, "how many"),
  CLQ_INT (Values, any_number, -5, 0, 0, "any number"),
  CLQ_DOUBLE (Values, ratio, 0.1, 0, 1, "how much"),
  CLQ_DOUBLE (Values, any_ratio, 1e22, 0, 0, "any number"),
  CLQ_BOOL (Values, loud, true, "whether to shout"),
  CLQ_DURATION (Values, length, "90s", "how long"),
  CLQ_ENUM (Values, mood, "loud", CLQ_CHOICES ("calm", "loud", "very-loud"), "how"),
  CLQ_LIST (Values, names, "ann; bob", "who"),
  CLQ_JSON (Values, shape, "{\"a\": 1}", "what"),
  CLQ_SECRET (Values, api_key, "the key"),
  CLQ_STRING (Values, maxUnderstandingTurns, NULL, "a name that is not ours"),
  CLQ_STRING (Values, nothing, NULL, "no default"),
  CLQ_OPTIONAL_INT (Values, maybe_number, -10, 10, "a number or none"),
  CLQ_OPTIONAL_DOUBLE (Values, maybe_ratio, 0, 2, "a number or none"),
  { NULL },
};

static void
values_clear (Values *self)
{
  clq_settings_clear (settings, sizeof (ClqSetting), self);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Values, values_clear)

static const ClqSetting *
find (const char *key)
{
  const ClqSetting *setting = clq_settings_find (settings, sizeof (ClqSetting), key);

  g_assert_nonnull (setting);
  return setting;
}

static void
set_defaults (Values *values)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_settings_set_defaults (settings, sizeof (ClqSetting), values, &error));
  g_assert_no_error (error);
}

static void
assert_prints (const Values *values, const char *key, const char *expected)
{
  g_autofree char *printed = clq_setting_print (find (key), values);

  g_assert_cmpstr (printed, ==, expected);
}

static void
assert_reads (Values *values, const char *key, const char *text, const char *printed)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_setting_parse (find (key), text, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (clq_setting_parse (find (key), text, values, &error));
  g_assert_no_error (error);
  assert_prints (values, key, printed);
}

/* A refused value says so in these words, and the old one stays. */
static void
assert_refuses (Values *values, const char *key, const char *text, ClqSettingError code, const char *message)
{
  g_autofree char *before = clq_setting_print (find (key), values);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_setting_parse (find (key), text, NULL, NULL));
  g_assert_false (clq_setting_parse (find (key), text, values, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
  assert_prints (values, key, before);
}

static void
test_defaults (void)
{
  g_auto (Values) values = { 0 };

  set_defaults (&values);
  g_assert_cmpstr (values.word, ==, "hello");
  g_assert_cmpint (values.max_words, ==, 10);
  g_assert_cmpint (values.any_number, ==, -5);
  g_assert_cmpfloat (values.ratio, ==, 0.1);
  g_assert_cmpfloat (values.any_ratio, ==, 1e22);
  g_assert_true (values.loud);
  g_assert_cmpint (values.length, ==, 90 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (values.mood, ==, 1);
  g_assert_cmpuint (g_strv_length (values.names), ==, 2);
  g_assert_cmpstr (values.names[1], ==, "bob");
  g_assert_cmpstr (values.shape, ==, "{\"a\": 1}");
  g_assert_null (values.api_key);
  g_assert_null (values.nothing);

  /* Once more over what is there: nothing leaks, nothing changes. */
  set_defaults (&values);
  g_assert_cmpstr (values.word, ==, "hello");
}

static void
test_bad_default (void)
{
  static const ClqSetting table[] = {
    { "max_words", CLQ_SETTING_INT, G_STRUCT_OFFSET (Values, max_words), "few", 0, 0, NULL, "how many" },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  Values values = { 0 };

  g_assert_false (clq_settings_set_defaults (table, sizeof (ClqSetting), &values, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "default of 'max-words': 'few' is no whole number");
}

static void
test_string (void)
{
  g_auto (Values) values = { 0 };

  assert_prints (&values, "word", NULL);
  assert_reads (&values, "word", "good morning", "good morning");
  assert_reads (&values, "word", "", "");
  assert_reads (&values, "word", " \xc3\xa9; \"x\" ", " \xc3\xa9; \"x\" ");
  /* The old text may be the new one. */
  g_assert_true (clq_setting_parse (find ("maxUnderstandingTurns"), values.word, &values, NULL));
  g_assert_cmpstr (values.maxUnderstandingTurns, ==, values.word);
}

static void
test_int (void)
{
  g_auto (Values) values = { 0 };

  set_defaults (&values);
  assert_reads (&values, "max-words", "1", "1");
  assert_reads (&values, "max-words", "1000", "1000");
  assert_reads (&values, "max-words", "007", "7");
  assert_reads (&values, "max-words", "+7", "7");
  assert_refuses (&values, "max-words", "0", CLQ_SETTING_ERROR_RANGE, "0 is out of range; expected 1 to 1000");
  assert_refuses (&values, "max-words", "-1", CLQ_SETTING_ERROR_RANGE, "-1 is out of range; expected 1 to 1000");
  assert_refuses (&values, "max-words", "1001", CLQ_SETTING_ERROR_RANGE, "1001 is out of range; expected 1 to 1000");
  assert_refuses (&values, "max-words", "99999999999999999999", CLQ_SETTING_ERROR_RANGE,
                  "99999999999999999999 is out of range; expected 1 to 1000");
  assert_refuses (&values, "max-words", "", CLQ_SETTING_ERROR_VALUE, "'' is no whole number");
  assert_refuses (&values, "max-words", "ten", CLQ_SETTING_ERROR_VALUE, "'ten' is no whole number");
  assert_refuses (&values, "max-words", "1.5", CLQ_SETTING_ERROR_VALUE, "'1.5' is no whole number");
  assert_refuses (&values, "max-words", "1e3", CLQ_SETTING_ERROR_VALUE, "'1e3' is no whole number");
  assert_refuses (&values, "max-words", "0x10", CLQ_SETTING_ERROR_VALUE, "'0x10' is no whole number");
  assert_refuses (&values, "max-words", "1 000", CLQ_SETTING_ERROR_VALUE, "'1 000' is no whole number");
  assert_refuses (&values, "max-words", " 1", CLQ_SETTING_ERROR_VALUE, "' 1' is no whole number");
  assert_refuses (&values, "max-words", "1 ", CLQ_SETTING_ERROR_VALUE, "'1 ' is no whole number");

  assert_reads (&values, "any-number", "9223372036854775807", "9223372036854775807");
  assert_reads (&values, "any-number", "-9223372036854775808", "-9223372036854775808");
  assert_refuses (&values, "any-number", "9223372036854775808", CLQ_SETTING_ERROR_RANGE,
                  "9223372036854775808 is out of range; expected -9223372036854775808 to 9223372036854775807");
}

static void
test_double (void)
{
  g_auto (Values) values = { 0 };

  set_defaults (&values);
  assert_prints (&values, "ratio", "0.1");
  assert_prints (&values, "any-ratio", "1e+22");
  assert_reads (&values, "ratio", "0", "0");
  assert_reads (&values, "ratio", "1", "1");
  assert_reads (&values, "ratio", ".25", "0.25");
  assert_reads (&values, "ratio", "1e-3", "0.001");
  assert_reads (&values, "any-ratio", "-2.5", "-2.5");
  assert_reads (&values, "any-ratio", "1e300", "1e+300");
  assert_refuses (&values, "ratio", "1.01", CLQ_SETTING_ERROR_RANGE, "1.01 is out of range; expected 0 to 1");
  assert_refuses (&values, "ratio", "-0.5", CLQ_SETTING_ERROR_RANGE, "-0.5 is out of range; expected 0 to 1");
  assert_refuses (&values, "ratio", "1e999", CLQ_SETTING_ERROR_RANGE, "1e999 is out of range; expected 0 to 1");
  assert_refuses (&values, "any-ratio", "1e999", CLQ_SETTING_ERROR_RANGE, "1e999 is out of range; expected a number below 1.8e308");
  assert_refuses (&values, "ratio", "half", CLQ_SETTING_ERROR_VALUE, "'half' is no number");
  assert_refuses (&values, "ratio", "0,5", CLQ_SETTING_ERROR_VALUE, "'0,5' is no number");
  assert_refuses (&values, "ratio", "", CLQ_SETTING_ERROR_VALUE, "'' is no number");
  assert_refuses (&values, "ratio", "nan", CLQ_SETTING_ERROR_VALUE, "'nan' is no number");
  assert_refuses (&values, "any-ratio", "inf", CLQ_SETTING_ERROR_VALUE, "'inf' is no number");
  assert_refuses (&values, "any-ratio", "-Infinity", CLQ_SETTING_ERROR_VALUE, "'-Infinity' is no number");
  assert_refuses (&values, "any-ratio", "0x10", CLQ_SETTING_ERROR_VALUE, "'0x10' is no number");
  assert_refuses (&values, "ratio", " 1", CLQ_SETTING_ERROR_VALUE, "' 1' is no number");
  assert_refuses (&values, "ratio", "1 ", CLQ_SETTING_ERROR_VALUE, "'1 ' is no number");
}

static void
test_bool (void)
{
  g_auto (Values) values = { 0 };

  assert_reads (&values, "loud", "true", "true");
  assert_reads (&values, "loud", "False", "false");
  assert_reads (&values, "loud", "TRUE", "true");
  assert_refuses (&values, "loud", "yes", CLQ_SETTING_ERROR_VALUE, "'yes' is no boolean; expected true or false");
  assert_refuses (&values, "loud", "1", CLQ_SETTING_ERROR_VALUE, "'1' is no boolean; expected true or false");
  assert_refuses (&values, "loud", "", CLQ_SETTING_ERROR_VALUE, "'' is no boolean; expected true or false");
}

static void
test_duration (void)
{
  g_auto (Values) values = { 0 };

  assert_reads (&values, "length", "0", "0");
  assert_reads (&values, "length", "250ms", "250ms");
  assert_reads (&values, "length", "3600s", "1h");
  assert_refuses (&values, "length", "5", CLQ_SETTING_ERROR_VALUE, "'5' is no duration; expected a number with ms, s, min, h or d");
  assert_refuses (&values, "length", "-5s", CLQ_SETTING_ERROR_VALUE, "'-5s' is no duration; expected a number with ms, s, min, h or d");
  assert_refuses (&values, "length", "5 minutes", CLQ_SETTING_ERROR_VALUE,
                  "'5 minutes' is no duration; expected a number with ms, s, min, h or d");
}

static void
test_enum (void)
{
  g_auto (Values) values = { 0 };

  assert_prints (&values, "mood", "calm");
  assert_reads (&values, "mood", "very-loud", "very-loud");
  g_assert_cmpint (values.mood, ==, 2);
  assert_refuses (&values, "mood", "Loud", CLQ_SETTING_ERROR_VALUE, "'Loud' is no choice; did you mean 'loud'?");
  assert_refuses (&values, "mood", "clam", CLQ_SETTING_ERROR_VALUE, "'clam' is no choice; did you mean 'calm'?");
  assert_refuses (&values, "mood", "", CLQ_SETTING_ERROR_VALUE, "'' is no choice; expected one of: calm, loud, very-loud");
  assert_refuses (&values, "mood", "2", CLQ_SETTING_ERROR_VALUE, "'2' is no choice; expected one of: calm, loud, very-loud");
}

static void
test_list (void)
{
  g_auto (Values) values = { 0 };

  assert_prints (&values, "names", NULL);
  assert_reads (&values, "names", "ann;bob", "ann;bob");
  assert_reads (&values, "names", " ann ; bob ;", "ann;bob");
  assert_reads (&values, "names", "one two", "one two");
  assert_reads (&values, "names", "a\\;b;c", "a\\;b;c");
  g_assert_cmpstr (values.names[0], ==, "a;b");
  assert_reads (&values, "names", ";;", "");
  assert_reads (&values, "names", "", "");
  g_assert_nonnull (values.names);
  g_assert_null (values.names[0]);
}

static void
test_json (void)
{
  g_auto (Values) values = { 0 };
  g_autoptr (GError) error = NULL;

  assert_reads (&values, "shape", "[1, {\"a\": null}]", "[1, {\"a\": null}]");
  assert_reads (&values, "shape", "\"text\"", "\"text\"");
  g_assert_false (clq_setting_parse (find ("shape"), "{a: 1}", &values, &error));
  g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "1:2: "));
  assert_prints (&values, "shape", "\"text\"");
}

/* A secret is neither printed nor repeated in a message, wherever it is put. */
static void
test_secret (void)
{
  g_auto (Values) values = { 0 };
  g_autofree char *range = clq_setting_dup_range (find ("api-key"));
  ClqSecret *first;

  assert_prints (&values, "api-key", "(not set)");
  g_setenv ("CLQ_TEST_KEY", "hunter2", TRUE);
  assert_reads (&values, "api-key", "env:CLQ_TEST_KEY", "(set)");
  g_assert_cmpstr (clq_secret_reveal (values.api_key), ==, "hunter2");
  first = values.api_key;
  assert_refuses (&values, "api-key", "hunter2", CLQ_SETTING_ERROR_VALUE,
                  "a secret is not written into the file; expected env:NAME, file:PATH or secret:NAME");
  assert_refuses (&values, "api-key", "env:CLQ_TEST_NO_KEY", CLQ_SETTING_ERROR_SECRET,
                  "the environment has no variable 'CLQ_TEST_NO_KEY', or it is empty");
  g_assert_true (values.api_key == first);
  g_assert_cmpstr (range, ==, "env:NAME|file:PATH|secret:NAME");
  g_unsetenv ("CLQ_TEST_KEY");
}

static void
test_unknown_type (void)
{
  static const ClqSetting odd = { "odd", CLQ_SETTING_FILE + 1, 0, NULL, 0, 0, NULL, "odd" };
  g_autoptr (GError) error = NULL;
  Values values = { 0 };
  g_autofree char *printed = clq_setting_print (&odd, &values);

  g_assert_false (clq_setting_parse (&odd, "x", &values, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "the table has an unknown type 11");
  g_assert_null (printed);
}

static void
test_keys (void)
{
  g_auto (GStrv) keys = clq_settings_dup_keys (settings, sizeof (ClqSetting));
  g_auto (GStrv) none = clq_settings_dup_keys (NULL, sizeof (ClqSetting));
  g_autofree char *all = g_strjoinv (" ", keys);

  g_assert_cmpstr (all, ==,
                   "word max-words any-number ratio any-ratio loud length mood names shape api-key maxUnderstandingTurns nothing maybe-number maybe-ratio");
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  for (guint i = 0; keys[i] != NULL; i++)
    g_assert_true (find (keys[i]) == &settings[i]);
  g_assert_true (find ("max_words") == &settings[1]);
  g_assert_null (clq_settings_find (settings, sizeof (ClqSetting), "max"));
  g_assert_null (clq_settings_find (settings, sizeof (ClqSetting), "max-words-"));
  g_assert_null (clq_settings_find (settings, sizeof (ClqSetting), "Word"));
  g_assert_null (clq_settings_find (settings, sizeof (ClqSetting), ""));
  g_assert_null (clq_settings_find (NULL, sizeof (ClqSetting), "word"));
}

/* Rows of a plugin from another SDK may be longer; their size travels along. */
static void
test_longer_rows (void)
{
  typedef struct
  {
    ClqSetting row;
    const char *more;
  } Longer;
  static const Longer table[] = {
    { CLQ_STRING (Values, word, "hi", "what to say"), "more" },
    { CLQ_INT (Values, max_words, 3, 1, 10, "how many"), "more" },
    { { NULL }, NULL },
  };
  g_auto (GStrv) keys = clq_settings_dup_keys (&table[0].row, sizeof (Longer));
  g_auto (Values) values = { 0 };

  g_assert_cmpuint (g_strv_length (keys), ==, 2);
  g_assert_true (clq_settings_find (&table[0].row, sizeof (Longer), "max-words") == &table[1].row);
  g_assert_true (clq_settings_set_defaults (&table[0].row, sizeof (Longer), &values, NULL));
  g_assert_cmpstr (values.word, ==, "hi");
  g_assert_cmpint (values.max_words, ==, 3);
}

static void
test_ranges (void)
{
  static const struct
  {
    const char *key;
    const char *range;
  } cases[] = {
    { "word", NULL },
    { "max-words", "1..1000" },
    { "any-number", NULL },
    { "ratio", "0..1" },
    { "loud", NULL },
    { "length", NULL },
    { "mood", "calm|loud|very-loud" },
    { "names", NULL },
    { "shape", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *range = clq_setting_dup_range (find (cases[i].key));

      g_assert_cmpstr (range, ==, cases[i].range);
    }
}

static void
test_type_names (void)
{
  static const char *const names[] = { "string", "int", "double", "bool", "duration", "enum", "list", "json", "secret", "file" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (clq_setting_type_to_string (CLQ_SETTING_STRING + i), ==, names[i]);
}

/* 0 is a value like any other. */
static void
test_optional_numbers (void)
{
  g_auto (Values) values = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *number = NULL, *ratio = NULL;

  set_defaults (&values);
  g_assert_true (values.maybe_number == CLQ_INT_UNSET);
  g_assert_true (values.maybe_ratio == CLQ_DOUBLE_UNSET);
  g_assert_null (clq_setting_print (find ("maybe-number"), &values));
  g_assert_null (clq_setting_print (find ("maybe-ratio"), &values));

  g_assert_true (clq_setting_parse (find ("maybe-number"), "0", &values, &error));
  g_assert_true (clq_setting_parse (find ("maybe-ratio"), "0", &values, &error));
  g_assert_no_error (error);
  g_assert_cmpint (values.maybe_number, ==, 0);
  g_assert_cmpfloat (values.maybe_ratio, ==, 0);
  number = clq_setting_print (find ("maybe-number"), &values);
  ratio = clq_setting_print (find ("maybe-ratio"), &values);
  g_assert_cmpstr (number, ==, "0");
  g_assert_cmpstr (ratio, ==, "0");
  g_assert_false (clq_setting_parse (find ("maybe-ratio"), "2.5", &values, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_RANGE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/setting/defaults", test_defaults);
  g_test_add_func ("/colloquy/setting/bad-default", test_bad_default);
  g_test_add_func ("/colloquy/setting/string", test_string);
  g_test_add_func ("/colloquy/setting/int", test_int);
  g_test_add_func ("/colloquy/setting/double", test_double);
  g_test_add_func ("/colloquy/setting/bool", test_bool);
  g_test_add_func ("/colloquy/setting/duration", test_duration);
  g_test_add_func ("/colloquy/setting/enum", test_enum);
  g_test_add_func ("/colloquy/setting/list", test_list);
  g_test_add_func ("/colloquy/setting/json", test_json);
  g_test_add_func ("/colloquy/setting/secret", test_secret);
  g_test_add_func ("/colloquy/setting/unknown-type", test_unknown_type);
  g_test_add_func ("/colloquy/setting/keys", test_keys);
  g_test_add_func ("/colloquy/setting/longer-rows", test_longer_rows);
  g_test_add_func ("/colloquy/setting/optional-numbers", test_optional_numbers);
  g_test_add_func ("/colloquy/setting/ranges", test_ranges);
  g_test_add_func ("/colloquy/setting/type-names", test_type_names);
  return g_test_run ();
}
