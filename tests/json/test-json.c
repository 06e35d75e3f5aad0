/* The JSON check against the files in corpus/, and the text functions against json-glib. */
#include <locale.h>
#include <string.h>

#include <colloquy.h>

#define MIN_FILES 300
#define SEED 20240229

static GString *
repeat (const char *piece,
        gsize times)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < times; i++)
    g_string_append (text, piece);
  return text;
}

/* A copy without anything behind it, so that a sanitizer sees every read past the end. */
static char *
exact_copy (const char *text,
            gsize length)
{
  char *copy = g_malloc (MAX (length, 1));

  memcpy (copy, text, length);
  return copy;
}

static void
assert_accepted (const char *text,
                 gssize length)
{
  g_autoptr (GError) error = NULL;

  clq_json_check (text, length, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_refused (const char *text,
                gssize length,
                const ClqJsonLimits *limits,
                ClqJsonError code,
                const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_json_check (text, length, limits, &error));
  g_assert_error (error, CLQ_JSON_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

/* The corpus: one case per file. */

typedef struct
{
  char *path;
  char *expected; /* NULL if the file must be accepted */
} CorpusFile;

static void
corpus_file_free (gpointer data)
{
  CorpusFile *self = data;

  g_free (self->path);
  g_free (self->expected);
  g_free (self);
}

static void
test_corpus_refused (gconstpointer data)
{
  const CorpusFile *file = data;
  g_autofree char *content = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (file->path, &content, &length, NULL));
  text = exact_copy (content, length);
  g_assert_false (clq_json_check (text, length, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == CLQ_JSON_ERROR);
  g_assert_cmpstr (error->message, ==, file->expected);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));

  node = clq_json_parse (text, length, NULL);
  g_assert_null (node);
}

static void
test_corpus_accepted (gconstpointer data)
{
  const CorpusFile *file = data;
  g_autofree char *content = NULL;
  g_autofree char *text = NULL;
  g_autofree char *printed = NULL;
  g_autofree char *again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) reread = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (file->path, &content, &length, NULL));
  text = exact_copy (content, length);
  assert_accepted (text, length);

  node = clq_json_parse (text, length, &error);
  g_assert_no_error (error);
  g_assert_nonnull (node);
  printed = clq_json_print (node);
  assert_accepted (printed, -1);
  reread = clq_json_parse (printed, -1, &error);
  g_assert_no_error (error);
  again = clq_json_print (reread);
  g_assert_cmpstr (printed, ==, again);
}

/* Reads lines of the form: name, tab, message. */
static GHashTable *
read_expectations (void)
{
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_assert_true (g_file_get_contents (CORPUS_DIR "/expected.txt", &content, NULL, NULL));
  lines = g_strsplit (content, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      char *tab = strchr (lines[i], '\t');

      if (tab == NULL)
        continue;
      g_hash_table_insert (table, g_strndup (lines[i], tab - lines[i]), g_strdup (tab + 1));
    }
  return table;
}

static guint n_corpus_files;
static GPtrArray *corpus_problems;

static void
test_corpus_complete (void)
{
  g_assert_cmpuint (n_corpus_files, >=, MIN_FILES);
  for (guint i = 0; i < corpus_problems->len; i++)
    g_test_message ("%s", (const char *) g_ptr_array_index (corpus_problems, i));
  g_assert_cmpuint (corpus_problems->len, ==, 0);
}

static void
add_corpus_file (const char *name,
                 GHashTable *expectations)
{
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (".json"));
  g_autofree char *test_path = g_strdup_printf ("/colloquy/json/corpus/%s", stem);
  g_autofree char *expected = NULL;
  gboolean must_fail = g_str_has_prefix (name, "n_");
  CorpusFile *file;

  /* Taken out, so that what is left at the end has no file. */
  expected = g_strdup (g_hash_table_lookup (expectations, name));
  g_hash_table_remove (expectations, name);
  if (!must_fail && !g_str_has_prefix (name, "y_"))
    {
      g_ptr_array_add (corpus_problems, g_strdup_printf ("%s: neither y_ nor n_", name));
      return;
    }
  if (must_fail != (expected != NULL))
    {
      g_ptr_array_add (corpus_problems, g_strdup_printf ("%s: %s", name, must_fail ? "no expectation" : "has an expectation"));
      return;
    }
  file = g_new0 (CorpusFile, 1);
  file->path = g_build_filename (CORPUS_DIR, name, NULL);
  file->expected = g_steal_pointer (&expected);
  n_corpus_files++;
  g_test_add_data_func_full (test_path, file, must_fail ? test_corpus_refused : test_corpus_accepted, corpus_file_free);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_corpus (void)
{
  g_autoptr (GHashTable) expectations = read_expectations ();
  g_autoptr (GDir) dir = g_dir_open (CORPUS_DIR, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer key;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add_corpus_file (g_ptr_array_index (names, i), expectations);

  g_hash_table_iter_init (&iter, expectations);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (corpus_problems, g_strdup_printf ("%s: expected, but there is no such file", (const char *) key));
  g_test_add_func ("/colloquy/json/corpus-complete", test_corpus_complete);
}

/* The check: what is too big for a file. */

static void
test_check_nesting (void)
{
  static const char *const pieces[] = { "[", "{\"a\":", "[{\"a\":", " [\n" };
  g_autoptr (GString) closed = repeat ("[", 100000);
  g_autoptr (GString) closing = repeat ("]", 100000);

  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) text = repeat (pieces[i], 100000);
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_json_check (text->str, text->len, NULL, &error));
      g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_DEPTH);
    }
  g_string_append (closed, closing->str);
  assert_refused (closed->str, closed->len, NULL, CLQ_JSON_ERROR_DEPTH, "1:65: nesting too deep; expected at most 64 levels");
}

static void
test_check_depth_limit (void)
{
  g_autoptr (GString) text = repeat ("[", 512);
  g_autoptr (GString) closing = repeat ("]", 512);
  g_autoptr (GError) error = NULL;
  ClqJsonLimits limits = { 0, 512 };

  g_string_append (text, closing->str);
  clq_json_check (text->str, -1, &limits, &error);
  g_assert_no_error (error);

  limits.max_depth = 100000;
  clq_json_check (text->str, -1, &limits, &error);
  g_assert_no_error (error);
  g_string_prepend_c (text, '[');
  g_string_append_c (text, ']');
  assert_refused (text->str, -1, &limits, CLQ_JSON_ERROR_DEPTH, "1:513: nesting too deep; expected at most 512 levels");

  limits.max_depth = 1;
  g_assert_true (clq_json_check ("[1]", -1, &limits, NULL));
  assert_refused ("[[]]", -1, &limits, CLQ_JSON_ERROR_DEPTH, "1:2: nesting too deep; expected at most 1 levels");
}

static void
test_check_size_limit (void)
{
  g_autofree char *one = g_strdup (" ");
  g_autofree char *big = g_malloc (50 * 1024 * 1024 + 1);
  ClqJsonLimits limits = { 8, 0 };

  /* Only one byte is there: reading the text would be noticed. */
  assert_refused (one, 50 * 1024 * 1024, NULL, CLQ_JSON_ERROR_SIZE, "1:1: the text is too long; expected at most 16777216 bytes");

  memset (big, ' ', 50 * 1024 * 1024);
  big[50 * 1024 * 1024] = '\0';
  assert_refused (big, -1, NULL, CLQ_JSON_ERROR_SIZE, "1:1: the text is too long; expected at most 16777216 bytes");

  g_assert_true (clq_json_check ("[1,2,34]", -1, &limits, NULL));
  assert_refused ("[1,2,345]", -1, &limits, CLQ_JSON_ERROR_SIZE, "1:1: the text is too long; expected at most 8 bytes");
  assert_refused ("[1,2,345]", 9, &limits, CLQ_JSON_ERROR_SIZE, "1:1: the text is too long; expected at most 8 bytes");
}

static void
test_check_largest (void)
{
  g_autofree char *text = g_malloc (CLQ_JSON_MAX_SIZE);

  memset (text, 'x', CLQ_JSON_MAX_SIZE);
  text[0] = text[CLQ_JSON_MAX_SIZE - 1] = '"';
  assert_accepted (text, CLQ_JSON_MAX_SIZE);
}

static GString *
object_with_keys (guint n_keys,
                  const char *format)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < n_keys; i++)
    g_string_append_printf (text, "%s\"%s%u\":%u", i > 0 ? "," : "", format, i, i);
  g_string_append_c (text, '}');
  return text;
}

static void
test_check_many_keys (void)
{
  g_autoptr (GString) text = object_with_keys (100000, "key");
  g_autoptr (GString) escaped = object_with_keys (20000, "\\u006b");
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  assert_accepted (text->str, text->len);
  assert_accepted (escaped->str, escaped->len);

  g_string_truncate (text, text->len - 1);
  g_string_append (text, ",\"\\u006bey0\":0}");
  g_assert_false (clq_json_check (text->str, text->len, NULL, &error));
  g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_DUPLICATE);
  g_assert_true (g_str_has_suffix (error->message, ": duplicate key \"\\u006bey0\"; expected each key once"));

  /* Comparing every pair would take minutes. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
}

static void
test_check_keys_of_each_size (void)
{
  for (guint n = 1; n < 300; n++)
    {
      g_autoptr (GString) text = object_with_keys (n, "k");
      g_autoptr (GError) error = NULL;

      assert_accepted (text->str, text->len);
      g_string_truncate (text, text->len - 1);
      g_string_append_printf (text, ",\"k%u\":1}", n / 2);
      g_assert_false (clq_json_check (text->str, text->len, NULL, &error));
      g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_DUPLICATE);
    }
}

/* Big objects inside big objects: the keys of the outer one must be found again behind the inner one. */
static void
test_check_keys_nested (void)
{
  g_autoptr (GString) inner = object_with_keys (200, "k");
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, "\"k%u\":%s,", i, inner->str);
  g_string_append (text, "\"last\":0}");
  assert_accepted (text->str, text->len);
  g_string_truncate (text, text->len - strlen ("\"last\":0}"));
  g_string_append (text, "\"k3\":0}");
  g_assert_false (clq_json_check (text->str, text->len, NULL, &error));
  g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_DUPLICATE);
}

static void
test_check_codes (void)
{
  assert_refused ("", -1, NULL, CLQ_JSON_ERROR_SYNTAX, "1:1: unexpected end of text; expected a value");
  assert_refused (NULL, 0, NULL, CLQ_JSON_ERROR_SYNTAX, "1:1: unexpected end of text; expected a value");
  assert_refused ("{\n  \"a\": 1,\n  \"b\": \"x\", ,\n}", -1, NULL, CLQ_JSON_ERROR_SYNTAX,
                  "3:13: unexpected ','; expected a key in double quotes");
  assert_refused ("[1e999]", -1, NULL, CLQ_JSON_ERROR_NUMBER,
                  "1:2: number 1e999 is out of range; expected a number between -1.8e308 and 1.8e308");
  assert_refused ("[\"\\udead\"]", -1, NULL, CLQ_JSON_ERROR_ENCODING,
                  "1:3: lone surrogate \\udead; expected a pair such as \\ud83d\\ude00");
  assert_refused ("[\"\\u0000\"]", -1, NULL, CLQ_JSON_ERROR_ENCODING, "1:3: U+0000 in a string; expected any other character");
  assert_refused ("\xef\xbb\xbf[]", -1, NULL, CLQ_JSON_ERROR_ENCODING, "1:1: unexpected byte order mark; expected a value");
  assert_refused ("[\"\xff\"]", -1, NULL, CLQ_JSON_ERROR_ENCODING, "1:3: byte 0xff is not UTF-8; expected UTF-8 text");
  assert_refused ("{\"a\":1,\"a\":2}", -1, NULL, CLQ_JSON_ERROR_DUPLICATE, "1:8: duplicate key \"a\"; expected each key once");
  /* An explicit length ends the text, whatever comes after it. */
  assert_accepted ("[1]garbage", 3);
  g_assert_false (clq_json_check ("[1]", 2, NULL, NULL));
}

/* Every one of the 65536 codes of one \u escape, and every single byte inside a string. */
static void
test_check_every_code (void)
{
  for (guint code = 0; code < 0x10000; code++)
    {
      char text[16];
      gboolean expected = code != 0 && !(code >= 0xd800 && code <= 0xdfff);

      g_snprintf (text, sizeof text, "\"\\u%04x\"", code);
      g_assert_cmpint (clq_json_check (text, 8, NULL, NULL), ==, expected);
    }
  for (guint byte = 0; byte < 256; byte++)
    {
      char text[3] = { '"', (char) byte, '"' };
      gboolean expected = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';

      g_assert_cmpint (clq_json_check (text, 3, NULL, NULL), ==, expected);
    }
}

/* Every sequence of two bytes and the edges of longer ones must be judged as GLib does it. */
static void
test_check_utf8 (void)
{
  static const guchar bytes[] = { 0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
                                  0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff };
  gsize n = G_N_ELEMENTS (bytes);

  for (gsize i = 0; i < n * n * n * n; i++)
    {
      char text[6] = { '"', (char) bytes[i % n], (char) bytes[i / n % n], (char) bytes[i / n / n % n], (char) bytes[i / n / n / n], '"' };

      g_assert_cmpint (clq_json_check (text, 6, NULL, NULL), ==, g_utf8_validate (text + 1, 4, NULL));
    }
}

/* Reading. */

static void
test_find (void)
{
  static const char *const text = " {\"a\": {\"b.c\": [10, {\"x\\u0079\": \"deep\"}, [ ]], \"\": 1}, \"0\": \"zero\","
                                  " \"w\\\\\": true, \"é\": null, \"-\": -1.5e1} ";
  ClqJsonSpan span;
  g_autofree char *deep = clq_json_find_string (text, "a.b\\.c.1.xy");

  g_assert_cmpstr (deep, ==, "deep");
  g_assert_cmpint (clq_json_find (text, -1, "a.b\\.c.0").type, ==, CLQ_JSON_NUMBER);
  g_assert_cmpint (clq_json_find (text, -1, "a.b\\.c.2").type, ==, CLQ_JSON_ARRAY);
  g_assert_cmpint (clq_json_find (text, -1, "a.").type, ==, CLQ_JSON_NUMBER);
  g_assert_cmpint (clq_json_find (text, -1, "0").type, ==, CLQ_JSON_STRING);
  g_assert_cmpint (clq_json_find (text, -1, "w\\\\").type, ==, CLQ_JSON_BOOL);
  g_assert_cmpint (clq_json_find (text, -1, "é").type, ==, CLQ_JSON_NULL);
  g_assert_cmpint (clq_json_find (text, -1, "-").type, ==, CLQ_JSON_NUMBER);
  g_assert_cmpint (clq_json_find (text, -1, "").type, ==, CLQ_JSON_OBJECT);

  span = clq_json_find (text, -1, NULL);
  g_assert_cmpint (span.type, ==, CLQ_JSON_OBJECT);
  g_assert_true (span.start == text + 1);
  g_assert_cmpuint (span.length, ==, strlen (text) - 2);
  span = clq_json_find (text, -1, "a.b\\.c.2");
  g_assert_cmpmem (span.start, span.length, "[ ]", 3);
}

static void
test_find_missing (void)
{
  static const char *const text = "{\"a\":{\"b\":[1,2]},\"s\":\"x\",\"n\":null}";
  static const char *const paths[] = { "b", "a.c", "a.b.2", "a.b.-", "a.b.-1", "a.b.01", "a.b.+1", "a.b.x", "a.b.", "a.b.0.0",
                                       "s.0", "n.a", ".", "a..b", ".a", "a.b.99999999999999999999", "a\\.b", "A", " a" };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      ClqJsonSpan span = clq_json_find (text, -1, paths[i]);

      g_assert_cmpint (span.type, ==, CLQ_JSON_NONE);
      g_assert_null (span.start);
      g_assert_cmpuint (span.length, ==, 0);
      g_assert_null (clq_json_find_string (text, paths[i]));
    }
  g_assert_null (clq_json_find_string (text, "a"));
  g_assert_null (clq_json_find_string (text, "n"));
  g_assert_null (clq_json_find_string (NULL, "n"));
  g_assert_cmpint (clq_json_find (NULL, -1, "a").type, ==, CLQ_JSON_NONE);
  g_assert_cmpint (clq_json_find ("", -1, "a").type, ==, CLQ_JSON_NONE);
  g_assert_cmpint (clq_json_span ("  \n", -1).type, ==, CLQ_JSON_NONE);
}

static void
test_find_within_length (void)
{
  g_autofree char *text = exact_copy ("{\"a\":12}", 8);
  ClqJsonSpan span = clq_json_find (text, 8, "a");

  g_assert_cmpint (clq_json_span_get_int (&span), ==, 12);
  g_assert_cmpfloat (clq_json_span_get_double (&span), ==, 12);
}

static gint64
int_of (const char *text)
{
  ClqJsonSpan span = clq_json_span (text, -1);

  return clq_json_span_get_int (&span);
}

static double
double_of (const char *text)
{
  ClqJsonSpan span = clq_json_span (text, -1);

  return clq_json_span_get_double (&span);
}

static void
test_span_numbers (void)
{
  g_assert_cmpint (int_of ("0"), ==, 0);
  g_assert_cmpint (int_of ("-0"), ==, 0);
  g_assert_cmpint (int_of ("9223372036854775807"), ==, G_MAXINT64);
  g_assert_cmpint (int_of ("-9223372036854775808"), ==, G_MININT64);
  g_assert_cmpint (int_of ("9007199254740993"), ==, G_GINT64_CONSTANT (9007199254740993));
  g_assert_cmpint (int_of ("1.9"), ==, 1);
  g_assert_cmpint (int_of ("-1.9"), ==, -1);
  g_assert_cmpint (int_of ("1e3"), ==, 1000);
  g_assert_cmpint (int_of ("1e300"), ==, G_MAXINT64);
  g_assert_cmpint (int_of ("-1e300"), ==, G_MININT64);
  g_assert_cmpint (int_of ("9223372036854775808.0"), ==, G_MAXINT64);
  g_assert_cmpint (int_of ("1e-5"), ==, 0);
  /* Not checked texts, but nothing must break. */
  g_assert_cmpint (int_of ("9223372036854775808"), ==, G_MAXINT64);
  g_assert_cmpint (int_of ("-99999999999999999999999"), ==, G_MININT64);
  g_assert_cmpint (int_of ("1e999"), ==, G_MAXINT64);

  g_assert_cmpfloat (double_of ("0.1"), ==, 0.1);
  g_assert_cmpfloat (double_of ("-2.5e-3"), ==, -0.0025);
  g_assert_cmpfloat (double_of ("1.7976931348623157e308"), ==, G_MAXDOUBLE);
  g_assert_cmpfloat (double_of ("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"), ==, G_PI);
}

static void
test_span_wrong_type (void)
{
  static const char *const texts[] = { "null", "true", "\"1\"", "[1]", "{\"a\":1}", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_cmpint (int_of (texts[i]), ==, 0);
      g_assert_cmpfloat (double_of (texts[i]), ==, 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      ClqJsonSpan span = clq_json_span (texts[i], -1);
      ClqJsonIter iter;

      g_assert_cmpint (clq_json_span_is_true (&span), ==, span.type == CLQ_JSON_BOOL);
      g_assert_cmpint (clq_json_span_string_equal (&span, "1"), ==, span.type == CLQ_JSON_STRING);
      g_assert_cmpint (clq_json_iter_init (&iter, &span), ==, span.type == CLQ_JSON_ARRAY || span.type == CLQ_JSON_OBJECT);
      if (span.type != CLQ_JSON_STRING)
        g_assert_null (clq_json_span_dup_string (&span));
    }
  g_assert_null (clq_json_span_dup_string (NULL));
  g_assert_false (clq_json_span_string_equal (NULL, ""));
  g_assert_false (clq_json_span_is_true (NULL));
  g_assert_cmpint (clq_json_span_get_int (NULL), ==, 0);
  g_assert_cmpfloat (clq_json_span_get_double (NULL), ==, 0);
}

static void
test_span_strings (void)
{
  static const char *const pairs[][2] = {
    { "\"\"", "" },
    { "\"plain\"", "plain" },
    { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t" },
    { "\"\\u0041\\u00e9\\u20ac\"", "Aé€" },
    { "\"x\\uD83D\\ude00y\"", "x😀y" },
    { "\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf" },
    { "\"\\\\u0041\"", "\\u0041" },
    { "\"\\\\\"", "\\" },
    { "\"日本\"", "日本" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      ClqJsonSpan span = clq_json_span (pairs[i][0], -1);
      g_autofree char *string = clq_json_span_dup_string (&span);

      g_assert_cmpstr (string, ==, pairs[i][1]);
      for (gsize j = 0; j < G_N_ELEMENTS (pairs); j++)
        g_assert_cmpint (clq_json_span_string_equal (&span, pairs[j][1]), ==, i == j);
      g_assert_false (clq_json_span_string_equal (&span, NULL));
    }
}

static void
test_iter (void)
{
  ClqJsonSpan root = clq_json_span ("{ \"a\" : [1, [2, \"]\"] ,{}] , \"b\":\"},\" }", -1);
  ClqJsonSpan key;
  ClqJsonSpan value;
  ClqJsonIter iter;
  ClqJsonIter items;
  guint n = 0;

  g_assert_true (clq_json_iter_init (&iter, &root));
  g_assert_true (clq_json_iter_next (&iter, &key, &value));
  g_assert_true (clq_json_span_string_equal (&key, "a"));
  g_assert_true (clq_json_iter_init (&items, &value));
  for (; clq_json_iter_next (&items, &key, &value); n++)
    g_assert_cmpint (key.type, ==, CLQ_JSON_NONE);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (value.type, ==, CLQ_JSON_NONE);
  g_assert_false (clq_json_iter_next (&items, NULL, NULL));

  g_assert_true (clq_json_iter_next (&iter, &key, &value));
  g_assert_true (clq_json_span_string_equal (&key, "b"));
  g_assert_true (clq_json_span_string_equal (&value, "},"));
  g_assert_false (clq_json_iter_next (&iter, &key, &value));
  g_assert_cmpint (key.type, ==, CLQ_JSON_NONE);

  root = clq_json_span ("[ ]", -1);
  g_assert_true (clq_json_iter_init (&iter, &root));
  g_assert_false (clq_json_iter_next (&iter, NULL, NULL));
  root = clq_json_span ("7", -1);
  g_assert_false (clq_json_iter_init (&iter, &root));
  g_assert_false (clq_json_iter_next (&iter, NULL, NULL));
}

/* Editing. */

typedef struct
{
  const char *text;
  const char *path;
  const char *value;  /* NULL to unset */
  const char *result; /* NULL if nothing may change */
} Edit;

static const Edit edits[] = {
  { "{}", "a", "1", "{\"a\":1}" },
  { "{ }", "a", "1", "{\"a\":1 }" },
  { "{\"a\":1}", "a", " [2] ", "{\"a\":[2]}" },
  { "{\"a\": 1, \"b\": 2}", "a", "\"x\"", "{\"a\": \"x\", \"b\": 2}" },
  { "{\n  \"a\": 1\n}\n", "b", "2", "{\n  \"a\": 1,\"b\":2\n}\n" },
  { "{}", "a.b.c", "true", "{\"a\":{\"b\":{\"c\":true}}}" },
  { "{\"a\":{}}", "a.b.c", "1", "{\"a\":{\"b\":{\"c\":1}}}" },
  { "{}", "a.0", "1", "{\"a\":{\"0\":1}}" },
  { "{}", "a\\.b", "1", "{\"a.b\":1}" },
  { "{}", "a\\\\.b", "1", "{\"a\\\\\":{\"b\":1}}" },
  { "{}", "say \"hi\"", "1", "{\"say \\\"hi\\\"\":1}" },
  { "{}", ".", "1", "{\"\":{\"\":1}}" },
  { "{\"\\u0061\":1}", "a", "2", "{\"\\u0061\":2}" },
  { "{\"-\":1}", "-", "2", "{\"-\":2}" },
  { "{\"a\":[]}", "a.0", "1", "{\"a\":[1]}" },
  { "{\"a\":[]}", "a.-", "1", "{\"a\":[1]}" },
  { "{\"a\":[1]}", "a.1", "2", "{\"a\":[1,2]}" },
  { "{\"a\":[1]}", "a.-", "2", "{\"a\":[1,2]}" },
  { "{\"a\":[1]}", "a.-.b", "2", "{\"a\":[1,{\"b\":2}]}" },
  { "{\"a\":[1,{\"b\":2}]}", "a.1.b", "3", "{\"a\":[1,{\"b\":3}]}" },
  { "[1,2]", "0", "null", "[null,2]" },
  { " {\"a\":1} ", "", "[]", " [] " },
  { "{\"a\":1}", NULL, "{}", "{}" },
  { "{\"a\":[1]}", "a.2", "2", NULL },
  { "{\"a\":[1]}", "a.b", "2", NULL },
  { "{\"a\":[1]}", "a.01", "2", NULL },
  { "{\"a\":[1]}", "a.-1", "2", NULL },
  { "{\"a\":[1]}", "a.", "2", NULL },
  { "{\"a\":1}", "a.b", "2", NULL },
  { "{\"a\":null}", "a.b", "2", NULL },
  { "{\"a\":\"x\"}", "a.0", "2", NULL },
  { "{\"a\":[1]}", "a.0.b.c", "2", NULL },
  { "{\"a\":1}", "b", " ", NULL },
  { "", "a", "1", NULL },
  { "{\"a\":1}", "a", NULL, "{}" },
  { "{ \"a\": 1 }", "a", NULL, "{}" },
  { "{\"a\":1,\"b\":2,\"c\":3}", "a", NULL, "{\"b\":2,\"c\":3}" },
  { "{\"a\":1,\"b\":2,\"c\":3}", "b", NULL, "{\"a\":1,\"c\":3}" },
  { "{\"a\":1,\"b\":2,\"c\":3}", "c", NULL, "{\"a\":1,\"b\":2}" },
  { "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", NULL, "{\n  \"b\": 2\n}" },
  { "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", NULL, "{\n  \"a\": 1\n}" },
  { "{\"a\":[1,2,3]}", "a.1", NULL, "{\"a\":[1,3]}" },
  { "[1, 2]", "0", NULL, "[2]" },
  { "[{\"a.b\":{\"c\":1}}]", "0.a\\.b.c", NULL, "[{\"a.b\":{}}]" },
  { "{\"a\":1}", "b", NULL, NULL },
  { "{\"a\":1}", "", NULL, NULL },
  { "{\"a\":1}", NULL, NULL, NULL },
  { "{\"a\":[1]}", "a.1", NULL, NULL },
  { "{\"a\":[1]}", "a.-", NULL, NULL },
  { "{\"a\":1}", "a.b", NULL, NULL },
};

static void
test_edit (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      const Edit *edit = &edits[i];
      g_autoptr (GString) text = g_string_new (edit->text);
      gboolean done;

      g_test_message ("%s at %s", edit->text, edit->path);
      if (edit->value != NULL)
        done = clq_json_set (text, edit->path, edit->value);
      else
        done = clq_json_unset (text, edit->path);
      g_assert_cmpint (done, ==, edit->result != NULL);
      g_assert_cmpstr (text->str, ==, edit->result != NULL ? edit->result : edit->text);
      g_assert_cmpuint (text->len, ==, strlen (text->str));
    }
}

static void
test_edit_value_inside_text (void)
{
  g_autoptr (GString) text = g_string_new ("{\"b\":1,\"a\":[2]}");

  g_assert_true (clq_json_set (text, "b", strchr (text->str, '[')));
  g_assert_cmpstr (text->str, ==, "{\"b\":[2],\"a\":[2]}");
  g_assert_true (clq_json_set (text, "a.0", text->str));
  g_assert_cmpstr (text->str, ==, "{\"b\":[2],\"a\":[{\"b\":[2],\"a\":[2]}]}");
}

/* Deep text must not use the call stack. */
static void
test_edit_deep (void)
{
  g_autoptr (GString) text = repeat ("[", 200000);
  g_autoptr (GString) closing = repeat ("]", 200000);
  g_autoptr (GString) path = repeat ("a.", 100000);
  g_autoptr (GString) object = g_string_new ("{}");

  g_string_append (text, closing->str);
  g_assert_cmpuint (clq_json_span (text->str, -1).length, ==, 400000);
  g_assert_true (clq_json_set (text, "0.0.0", "1"));
  g_assert_cmpstr (text->str, ==, "[[[1]]]");

  g_assert_true (clq_json_set (object, path->str, "1"));
  g_assert_true (clq_json_unset (object, "a.a"));
  g_assert_cmpstr (object->str, ==, "{\"a\":{}}");
}

/* Writing. */

static void
test_append_string (void)
{
  g_autoptr (GString) out = g_string_new ("x");
  g_autofree char *none = clq_json_quote (NULL);
  g_autofree char *quoted = clq_json_quote ("a\"b\\c/d\b\f\n\r\t\x01\x1f\x7f é€😀");

  g_assert_cmpstr (none, ==, "null");
  g_assert_cmpstr (quoted, ==, "\"a\\\"b\\\\c/d\\b\\f\\n\\r\\t\\u0001\\u001f\x7f é€😀\"");
  clq_json_append_string (out, "abcdef", 3);
  clq_json_append_string (out, "", -1);
  clq_json_append_string (out, "a\0z", 3);
  clq_json_append_string (out, "é", 1);
  g_assert_cmpstr (out->str, ==, "x\"abc\"\"\"\"a\xef\xbf\xbdz\"\"\xef\xbf\xbd\"");
}

static void
test_append_members (void)
{
  g_autoptr (GString) out = g_string_new ("{");

  clq_json_append_name (out, "low");
  clq_json_append_int (out, G_MININT64);
  clq_json_append_name (out, "high");
  clq_json_append_int (out, G_MAXINT64);
  clq_json_append_name (out, "none");
  clq_json_append_int (out, 0);
  clq_json_append_name (out, "inner");
  g_string_append_c (out, '{');
  clq_json_append_name (out, "text");
  g_string_append_c (out, '"');
  clq_json_append_escaped (out, "a\"b\nc", -1);
  g_string_append (out, "\"}}");
  g_assert_cmpstr (out->str, ==, "{\"low\":-9223372036854775808,\"high\":9223372036854775807,\"none\":0,\"inner\":{\"text\":\"a\\\"b\\nc\"}}");
  g_assert_true (clq_json_check (out->str, -1, NULL, NULL));
}

static void
test_append_string_any_bytes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 20000; i++)
    {
      gsize length = g_rand_int_range (rand, 0, 24);
      g_autofree char *bytes = g_malloc (length + 1);
      g_autofree char *string = NULL;
      g_autofree char *valid = NULL;
      g_autoptr (GString) out = g_string_new (NULL);
      ClqJsonSpan span;

      for (gsize j = 0; j < length; j++)
        bytes[j] = g_rand_int_range (rand, 0, 3) > 0 ? g_rand_int_range (rand, 0, 256) : g_rand_int_range (rand, 0x1c, 0x5f);
      clq_json_append_string (out, bytes, length);
      assert_accepted (out->str, out->len);

      /* GLib's own repair keeps NUL bytes out of reach, so they are put in by hand. */
      span = clq_json_span (out->str, out->len);
      string = clq_json_span_dup_string (&span);
      for (gsize j = 0; j < length; j++)
        if (bytes[j] == '\0')
          bytes[j] = '\xff';
      valid = g_utf8_make_valid (bytes, length);
      g_assert_cmpstr (string, ==, valid);
    }
}

static void
assert_double (double number,
               const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  clq_json_append_double (out, number);
  g_assert_cmpstr (out->str, ==, expected);
  assert_accepted (out->str, -1);
}

static void
check_doubles (void)
{
  volatile double zero = 0;

  assert_double (0, "0");
  assert_double (-0.0, "-0.0");
  assert_double (1, "1");
  assert_double (-12345, "-12345");
  assert_double (0.1, "0.1");
  assert_double (0.1 + 0.2, "0.30000000000000004");
  assert_double (1.0 / 3, "0.3333333333333333");
  assert_double (1e6, "1000000");
  assert_double (1e15, "1000000000000000");
  assert_double (9007199254740991.0, "9007199254740991");
  assert_double (9007199254740992.0, "9007199254740992.0");
  assert_double (9223372036854775808.0, "9.223372036854776e+18");
  assert_double (1e20, "1e+20");
  assert_double (1e-7, "1e-07");
  assert_double (G_MAXDOUBLE, "1.7976931348623157e+308");
  assert_double (5e-324, "5e-324");
  assert_double (1 / zero, "null");
  assert_double (-1 / zero, "null");
  assert_double (zero / zero, "null");
  g_assert_cmpfloat (double_of ("1.5"), ==, 1.5);
  g_assert_cmpint (int_of ("2.5"), ==, 2);
}

static void
test_append_double (void)
{
  check_doubles ();
}

static void
test_append_double_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 100000; i++)
    {
      guint64 bits = ((guint64) g_rand_int (rand) << 32) | g_rand_int (rand);
      double number;
      g_autoptr (GString) out = g_string_new (NULL);

      memcpy (&number, &bits, sizeof number);
      if (i % 3 == 0)
        number = (double) (gint64) (bits >> (bits % 60));
      clq_json_append_double (out, number);
      assert_accepted (out->str, out->len);
      if (g_strcmp0 (out->str, "null") != 0)
        g_assert_cmpfloat (double_of (out->str), ==, number);
    }
}

static void
test_comma_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("no locale with a decimal comma");
      return;
    }
  check_doubles ();
  setlocale (LC_NUMERIC, before);
}

static void
test_print (void)
{
  static const char *const text = "{\"b\":[1,-0.5,true,null,\"\\u0001é\"],\"a\":{},\"c\":[[]]}";
  g_autoptr (JsonNode) node = clq_json_parse (text, -1, NULL);
  g_autofree char *printed = clq_json_print (node);
  g_autoptr (JsonNode) odd = json_node_new (JSON_NODE_ARRAY);
  g_autoptr (JsonArray) array = json_array_new ();
  g_autofree char *odd_printed = NULL;
  volatile double zero = 0;

  g_assert_cmpstr (printed, ==, text);

  json_array_add_double_element (array, 1 / zero);
  json_array_add_double_element (array, 2);
  json_array_add_string_element (array, "\xff");
  json_node_set_array (odd, array);
  odd_printed = clq_json_print (odd);
  g_assert_cmpstr (odd_printed, ==, "[null,2,\"\xef\xbf\xbd\"]");
}

/* Properties of random documents. */

static const char *const some_keys[] = { "a", "b", "c", "0", "1", "-", "x.y", "back\\slash", "é", "", "quote\"", "long key with words" };

static void
random_space (GRand *rand,
              GString *out)
{
  static const char spaces[] = " \n\t\r";

  while (g_rand_int_range (rand, 0, 5) == 0)
    g_string_append_c (out, spaces[g_rand_int_range (rand, 0, 4)]);
}

/* Spells some characters as escapes, so that texts differ and values do not. */
static void
random_spelling (GRand *rand,
                 GString *out,
                 const char *string)
{
  g_string_append_c (out, '"');
  for (const char *p = string; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_rand_int_range (rand, 0, 6) == 0 && c < 0x10000)
        g_string_append_printf (out, g_rand_boolean (rand) ? "\\u%04x" : "\\u%04X", c);
      else if (c >= 0x10000 && g_rand_boolean (rand))
        g_string_append_printf (out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
      else if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (c < 0x20)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_unichar (out, c);
    }
  g_string_append_c (out, '"');
}

static void
random_string (GRand *rand,
               GString *out)
{
  g_autoptr (GString) string = g_string_new (NULL);
  int length = g_rand_int_range (rand, 0, 20);

  for (int i = 0; i < length; i++)
    {
      static const gunichar tops[] = { 0x20, 0x7f, 0x7f, 0x7f, 0x800, 0xd800, 0x10ffff };
      gunichar c = g_rand_int_range (rand, 1, tops[g_rand_int_range (rand, 0, G_N_ELEMENTS (tops))]);

      g_string_append_unichar (string, c >= 0xd800 && c <= 0xdfff ? 'x' : c);
    }
  random_spelling (rand, out, string->str);
}

static void
random_number (GRand *rand,
               GString *out)
{
  static const char *const numbers[] = { "0", "-0", "0.0", "-0.0", "1e5", "1E+5", "2.5e-7", "0e0", "9223372036854775807",
                                         "-9223372036854775808", "1.7976931348623157e308", "5e-324", "123456789.125" };

  switch (g_rand_int_range (rand, 0, 4))
    {
    case 0:
      g_string_append (out, numbers[g_rand_int_range (rand, 0, G_N_ELEMENTS (numbers))]);
      break;

    case 1:
      clq_json_append_double (out, (g_rand_double (rand) - 0.5) * 1e10);
      break;

    default:
      g_string_append_printf (out, "%d", g_rand_int_range (rand, -1000, 1000));
      break;
    }
}

static void
random_value (GRand *rand,
              GString *out,
              int depth)
{
  static const char *const words[] = { "true", "false", "null" };
  int kind = g_rand_int_range (rand, 0, depth > 0 ? 7 : 3);
  guint used = 0;
  int n;

  if (kind == 0)
    {
      g_string_append (out, words[g_rand_int_range (rand, 0, 3)]);
      return;
    }
  if (kind == 1)
    {
      random_number (rand, out);
      return;
    }
  if (kind == 2)
    {
      random_string (rand, out);
      return;
    }

  n = g_rand_int_range (rand, 0, 6);
  g_string_append_c (out, kind < 5 ? '[' : '{');
  random_space (rand, out);
  for (int i = 0; i < n; i++)
    {
      guint key = g_rand_int_range (rand, 0, G_N_ELEMENTS (some_keys));

      if (kind >= 5)
        {
          while ((used & (1u << key)) != 0)
            key = (key + 1) % G_N_ELEMENTS (some_keys);
          used |= 1u << key;
        }
      if (i > 0)
        g_string_append_c (out, ',');
      random_space (rand, out);
      if (kind >= 5)
        {
          random_spelling (rand, out, some_keys[key]);
          random_space (rand, out);
          g_string_append_c (out, ':');
          random_space (rand, out);
        }
      random_value (rand, out, depth - 1);
      random_space (rand, out);
    }
  g_string_append_c (out, kind < 5 ? ']' : '}');
}

static GString *
random_document (GRand *rand)
{
  GString *out = g_string_new (NULL);

  random_space (rand, out);
  random_value (rand, out, 5);
  random_space (rand, out);
  return out;
}

/* Prints a text from what our own reader sees in it. */
static void
render (GString *out,
        const ClqJsonSpan *span)
{
  g_autofree char *string = clq_json_span_dup_string (span);
  ClqJsonSpan key;
  ClqJsonSpan value;
  ClqJsonIter iter;
  gboolean started = FALSE;

  if (span->type == CLQ_JSON_STRING)
    {
      clq_json_append_string (out, string, -1);
    }
  else if (span->type == CLQ_JSON_NUMBER)
    {
      g_autofree char *number = g_strndup (span->start, span->length);

      if (strpbrk (number, ".eE") != NULL)
        clq_json_append_double (out, clq_json_span_get_double (span));
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT, clq_json_span_get_int (span));
    }
  else if (clq_json_iter_init (&iter, span))
    {
      g_string_append_c (out, iter.object ? '{' : '[');
      while (clq_json_iter_next (&iter, &key, &value))
        {
          if (started)
            g_string_append_c (out, ',');
          started = TRUE;
          if (key.type != CLQ_JSON_NONE)
            {
              render (out, &key);
              g_string_append_c (out, ':');
            }
          render (out, &value);
        }
      g_string_append_c (out, iter.object ? '}' : ']');
    }
  else
    {
      g_string_append_len (out, span->start, span->length);
    }
}

/* Our reader and json-glib must see the same in an accepted text. */
static void
assert_same_reading (const char *text,
                     gsize length)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) rendered = g_string_new (NULL);
  g_autofree char *printed = NULL;
  ClqJsonSpan span = clq_json_span (text, length);

  json_parser_load_from_data (parser, text, length, &error);
  g_assert_no_error (error);
  g_assert_nonnull (json_parser_get_root (parser));
  printed = clq_json_print (json_parser_get_root (parser));
  assert_accepted (printed, -1);
  render (rendered, &span);
  g_assert_cmpstr (rendered->str, ==, printed);
}

static void
test_random_accepted (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 5000; i++)
    {
      g_autoptr (GString) text = random_document (rand);
      g_autofree char *copy = exact_copy (text->str, text->len);

      assert_accepted (copy, text->len);
      assert_same_reading (copy, text->len);
    }
}

static void
mutate (GRand *rand,
        GString *text)
{
  static const char *const pieces[] = { "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "\\udc00", "0", "-", ".", "e",
                                        "null", "\xc3", "\xed\xa0\x80", "\xf0\x9f", " ", "\n", "\t", "1e9", "\\u0000", "true" };
  int n = g_rand_int_range (rand, 1, 4);

  for (int i = 0; i < n; i++)
    {
      gsize at = g_rand_int_range (rand, 0, text->len + 1);
      gsize count = g_rand_int_range (rand, 0, 4);

      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          if (at < text->len)
            text->str[at] = (char) g_rand_int_range (rand, 0, 256);
          break;

        case 1:
          g_string_erase (text, at, MIN (text->len - at, count));
          break;

        case 2:
          g_string_insert (text, at, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
          break;

        case 3:
          if (at < text->len)
            text->str[at] ^= (char) (1 << g_rand_int_range (rand, 0, 8));
          break;

        default:
          if (g_rand_int_range (rand, 0, 4) == 0)
            g_string_truncate (text, at);
          break;
        }
    }
}

static void
test_random_mutations (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED + 1);
  guint n_accepted = 0;
  guint n_refused = 0;

  for (int i = 0; i < 30000; i++)
    {
      g_autoptr (GString) text = random_document (rand);
      g_autoptr (GError) error = NULL;
      g_autoptr (GString) rendered = g_string_new (NULL);
      g_autofree char *copy = NULL;
      ClqJsonSpan span;

      mutate (rand, text);
      copy = exact_copy (text->str, text->len);
      if (clq_json_check (copy, text->len, NULL, &error))
        {
          n_accepted++;
          assert_same_reading (copy, text->len);
          continue;
        }
      n_refused++;
      g_assert_nonnull (error);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_nonnull (strstr (error->message, "; expected "));
      /* Reading it anyway gives nonsense, but nothing worse. */
      span = clq_json_span (copy, text->len);
      render (rendered, &span);
      clq_json_set (text, "a.0", "1");
      clq_json_unset (text, "0");
    }
  g_assert_cmpuint (n_accepted, >, 1000);
  g_assert_cmpuint (n_refused, >, 1000);
}

/* The same edits, done on a tree. */

static gboolean
parse_index (const char *element,
             guint length,
             gboolean append,
             guint *index)
{
  g_autofree char *canonical = NULL;

  if (append && g_str_equal (element, "-"))
    {
      *index = length;
      return TRUE;
    }
  *index = (guint) g_ascii_strtoull (element, NULL, 10);
  canonical = g_strdup_printf ("%u", *index);
  return g_str_equal (canonical, element) && (*index < length || (append && *index == length));
}

static JsonNode *
tree_new_child (char **path,
                JsonNode *value)
{
  JsonNode *node;
  JsonObject *object;

  if (path[0] == NULL)
    return json_node_copy (value);
  object = json_object_new ();
  json_object_set_member (object, path[0], tree_new_child (path + 1, value));
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, object);
  return node;
}

static gboolean tree_set (JsonNode **node, char **path, JsonNode *value);

static gboolean
tree_set_element (JsonNode **node,
                  char **path,
                  JsonNode *value)
{
  JsonArray *array = json_node_get_array (*node);
  guint length = json_array_get_length (array);
  JsonArray *edited;
  JsonNode *child;
  guint index;

  if (!parse_index (path[0], length, TRUE, &index))
    return FALSE;
  if (index == length)
    {
      json_array_add_element (array, tree_new_child (path + 1, value));
      return TRUE;
    }
  child = json_array_dup_element (array, index);
  if (!tree_set (&child, path + 1, value))
    {
      json_node_unref (child);
      return FALSE;
    }
  edited = json_array_new ();
  for (guint i = 0; i < length; i++)
    json_array_add_element (edited, i == index ? child : json_array_dup_element (array, i));
  json_node_take_array (*node, edited);
  return TRUE;
}

static gboolean
tree_set (JsonNode **node,
          char **path,
          JsonNode *value)
{
  JsonObject *object;
  JsonNode *child;

  if (path[0] == NULL)
    {
      json_node_unref (*node);
      *node = json_node_copy (value);
      return TRUE;
    }
  if (JSON_NODE_HOLDS_ARRAY (*node))
    return tree_set_element (node, path, value);
  if (!JSON_NODE_HOLDS_OBJECT (*node))
    return FALSE;

  object = json_node_get_object (*node);
  if (!json_object_has_member (object, path[0]))
    {
      json_object_set_member (object, path[0], tree_new_child (path + 1, value));
      return TRUE;
    }
  child = json_object_dup_member (object, path[0]);
  if (!tree_set (&child, path + 1, value))
    {
      json_node_unref (child);
      return FALSE;
    }
  json_object_set_member (object, path[0], child);
  return TRUE;
}

static JsonNode *
tree_find (JsonNode *node,
           char **path)
{
  for (; path[0] != NULL && node != NULL; path++)
    {
      guint index;

      if (JSON_NODE_HOLDS_OBJECT (node))
        node = json_object_get_member (json_node_get_object (node), path[0]);
      else if (JSON_NODE_HOLDS_ARRAY (node) && parse_index (path[0], json_array_get_length (json_node_get_array (node)), FALSE, &index))
        node = json_array_get_element (json_node_get_array (node), index);
      else
        node = NULL;
    }
  return node;
}

static gboolean
tree_unset (JsonNode *root,
            char **path)
{
  guint length = g_strv_length (path);
  g_autofree char *last = NULL;
  JsonNode *container;
  guint index;

  if (length == 0 || tree_find (root, path) == NULL)
    return FALSE;
  last = g_steal_pointer (&path[length - 1]);
  container = tree_find (root, path);
  if (JSON_NODE_HOLDS_OBJECT (container))
    {
      json_object_remove_member (json_node_get_object (container), last);
      return TRUE;
    }
  parse_index (last, json_array_get_length (json_node_get_array (container)), FALSE, &index);
  json_array_remove_element (json_node_get_array (container), index);
  return TRUE;
}

/* Mostly follows what is there, and now and then leaves it. */
static char **
random_path (GRand *rand,
             JsonNode *node)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  int length = g_rand_int_range (rand, 0, 6);

  for (int i = 0; i < length; i++)
    {
      const char *key = some_keys[g_rand_int_range (rand, 0, G_N_ELEMENTS (some_keys))];
      g_autofree char *element = NULL;
      char *so_far[2] = { NULL, NULL };

      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node) && g_rand_int_range (rand, 0, 8) > 0)
        {
          g_autoptr (GList) members = json_object_get_members (json_node_get_object (node));

          if (members != NULL)
            key = g_list_nth_data (members, g_rand_int_range (rand, 0, g_list_length (members)));
        }
      else if (node != NULL && JSON_NODE_HOLDS_ARRAY (node) && g_rand_int_range (rand, 0, 8) > 0)
        {
          guint n = json_array_get_length (json_node_get_array (node));

          element = g_strdup_printf ("%d", g_rand_int_range (rand, 0, n + 2));
          key = element;
        }
      g_strv_builder_add (builder, key);
      so_far[0] = (char *) key;
      node = node != NULL ? tree_find (node, so_far) : NULL;
    }
  return g_strv_builder_end (builder);
}

static char *
join_path (char **elements)
{
  GString *path = g_string_new (NULL);

  for (gsize i = 0; elements[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (path, '.');
      for (const char *p = elements[i]; *p != '\0'; p++)
        {
          if (*p == '.' || *p == '\\')
            g_string_append_c (path, '\\');
          g_string_append_c (path, *p);
        }
    }
  return g_string_free (path, FALSE);
}

static void
assert_same_tree (GString *text,
                  JsonNode *tree)
{
  static const ClqJsonLimits limits = { 0, 512 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) rendered = g_string_new (NULL);
  g_autofree char *printed = clq_json_print (tree);
  ClqJsonSpan span = clq_json_span (text->str, text->len);

  clq_json_check (text->str, text->len, &limits, &error);
  g_assert_no_error (error);
  render (rendered, &span);
  g_assert_cmpstr (rendered->str, ==, printed);
}

static void
assert_same_find (GString *text,
                  const char *path,
                  JsonNode *expected)
{
  ClqJsonSpan span = clq_json_find (text->str, text->len, path);
  g_autoptr (GString) rendered = g_string_new (NULL);
  g_autofree char *printed = NULL;

  g_assert_cmpint (span.type != CLQ_JSON_NONE, ==, expected != NULL);
  if (expected == NULL)
    return;
  printed = clq_json_print (expected);
  render (rendered, &span);
  g_assert_cmpstr (rendered->str, ==, printed);
}

static void
random_edit (GRand *rand,
             GString *text,
             JsonNode **tree)
{
  g_auto (GStrv) elements = random_path (rand, *tree);
  g_autofree char *path = NULL;
  g_autofree char *before = g_strdup (text->str);
  g_autoptr (GString) value = g_string_new (NULL);
  gboolean done;
  gboolean expected;

  /* One empty key alone cannot be told from the empty path. */
  if (elements[0] != NULL && elements[1] == NULL && *elements[0] == '\0')
    return;
  path = join_path (elements);
  assert_same_find (text, path, tree_find (*tree, elements));
  if (g_rand_int_range (rand, 0, 3) > 0)
    {
      g_autoptr (JsonNode) node = NULL;

      random_value (rand, value, 2);
      node = clq_json_parse (value->str, -1, NULL);
      done = clq_json_set (text, path, value->str);
      expected = tree_set (tree, elements, node);
    }
  else
    {
      done = clq_json_unset (text, path);
      expected = tree_unset (*tree, elements);
    }
  g_assert_cmpint (done, ==, expected);
  if (!done)
    g_assert_cmpstr (text->str, ==, before);
  assert_same_tree (text, *tree);
}

static void
test_random_edits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED + 2);

  for (int i = 0; i < 1000; i++)
    {
      g_autoptr (GString) text = random_document (rand);
      g_autoptr (JsonNode) tree = clq_json_parse (text->str, text->len, NULL);

      g_assert_nonnull (tree);
      for (int j = 0; j < 12; j++)
        random_edit (rand, text, &tree);
    }
}

int
main (int argc,
      char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  corpus_problems = g_ptr_array_new_with_free_func (g_free);
  add_corpus ();
  g_test_add_func ("/colloquy/json/check/nesting", test_check_nesting);
  g_test_add_func ("/colloquy/json/check/depth-limit", test_check_depth_limit);
  g_test_add_func ("/colloquy/json/check/size-limit", test_check_size_limit);
  g_test_add_func ("/colloquy/json/check/largest", test_check_largest);
  g_test_add_func ("/colloquy/json/check/many-keys", test_check_many_keys);
  g_test_add_func ("/colloquy/json/check/keys-of-each-size", test_check_keys_of_each_size);
  g_test_add_func ("/colloquy/json/check/keys-nested", test_check_keys_nested);
  g_test_add_func ("/colloquy/json/check/codes", test_check_codes);
  g_test_add_func ("/colloquy/json/check/every-code", test_check_every_code);
  g_test_add_func ("/colloquy/json/check/utf8", test_check_utf8);
  g_test_add_func ("/colloquy/json/find/found", test_find);
  g_test_add_func ("/colloquy/json/find/missing", test_find_missing);
  g_test_add_func ("/colloquy/json/find/within-length", test_find_within_length);
  g_test_add_func ("/colloquy/json/span/numbers", test_span_numbers);
  g_test_add_func ("/colloquy/json/span/strings", test_span_strings);
  g_test_add_func ("/colloquy/json/span/wrong-type", test_span_wrong_type);
  g_test_add_func ("/colloquy/json/iter", test_iter);
  g_test_add_func ("/colloquy/json/edit/table", test_edit);
  g_test_add_func ("/colloquy/json/edit/value-inside-text", test_edit_value_inside_text);
  g_test_add_func ("/colloquy/json/edit/deep", test_edit_deep);
  g_test_add_func ("/colloquy/json/append/string", test_append_string);
  g_test_add_func ("/colloquy/json/append/members", test_append_members);
  g_test_add_func ("/colloquy/json/append/any-bytes", test_append_string_any_bytes);
  g_test_add_func ("/colloquy/json/append/double", test_append_double);
  g_test_add_func ("/colloquy/json/append/double-random", test_append_double_random);
  g_test_add_func ("/colloquy/json/append/comma-locale", test_comma_locale);
  g_test_add_func ("/colloquy/json/print", test_print);
  g_test_add_func ("/colloquy/json/random/accepted", test_random_accepted);
  g_test_add_func ("/colloquy/json/random/mutations", test_random_mutations);
  g_test_add_func ("/colloquy/json/random/edits", test_random_edits);
  result = g_test_run ();
  g_ptr_array_unref (corpus_problems);
  return result;
}
