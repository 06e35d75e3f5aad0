/* Schemas that are refused, what is said about values that do not fit, and what bounds a check. */
#include <string.h>

#include <colloquy.h>

typedef struct
{
  const char *schema;
  const char *value;
  const char *message; /* NULL = it fits */
} Case;

static ClqSchema *
schema_of (const char *json)
{
  g_autoptr (GError) error = NULL;
  ClqSchema *schema = clq_schema_new (json, &error);

  g_assert_no_error (error);
  return schema;
}

/* ---- schemas ---- */

static const Case refused[] = {
  { "{\"typ\": \"string\"}", NULL, "unknown keyword 'typ'; did you mean 'type'?" },
  { "{\"properties\": {\"url\": {\"minLenght\": 1}}}", NULL, "properties.url: unknown keyword 'minLenght'; did you mean 'minLength'?" },
  { "{\"xyzzy\": 1}", NULL, "unknown keyword 'xyzzy'" },
  { "{\"items\": {\"if\": {}}}", NULL, "items: the keyword 'if' is not supported" },
  { "{\"allOf\": [{}, {\"contains\": {}}]}", NULL, "allOf[1]: the keyword 'contains' is not supported" },
  { "{\"$defs\": {\"a b\": {\"typ\": 1}}}", NULL, "$defs[\"a b\"]: unknown keyword 'typ'; did you mean 'type'?" },
  { "{\"type\": \"strng\"}", NULL, "type: unknown type 'strng'; did you mean 'string'?" },
  { "{\"type\": 3}", NULL, "type: expected the name of a type, found 3" },
  { "{\"type\": []}", NULL, "type: expected at least one type" },
  { "{\"type\": [\"string\", null]}", NULL, "type: expected the name of a type, found null" },
  { "{\"enum\": []}", NULL, "enum: expected at least one value" },
  { "{\"enum\": \"a\"}", NULL, "enum: expected an array of values, found \"a\"" },
  { "{\"minimum\": \"1\"}", NULL, "minimum: expected a number, found \"1\"" },
  { "{\"exclusiveMinimum\": true}", NULL, "exclusiveMinimum: expected a number, found true" },
  { "{\"multipleOf\": 0}", NULL, "multipleOf: expected a number above 0, found 0" },
  { "{\"multipleOf\": 1e-999}", NULL, "multipleOf: expected a number above 0, found 1e-999" },
  { "{\"multipleOf\": 1.0000000000000000001}", NULL, "multipleOf: expected a number of at most 18 digits, found 1.0000000000000000001" },
  { "{\"minLength\": -1}", NULL, "minLength: expected an integer from 0 on, found -1" },
  { "{\"minLength\": 1.5}", NULL, "minLength: expected an integer from 0 on, found 1.5" },
  { "{\"uniqueItems\": 1}", NULL, "uniqueItems: expected true or false, found 1" },
  { "{\"pattern\": \"(\"}", NULL, "pattern: '(' is no regular expression" },
  { "{\"pattern\": \"(*LIMIT_MATCH=9)a\"}", NULL, "pattern: expected a regular expression without directives, found (*LIMIT_MATCH=9)a" },
  { "{\"required\": \"a\"}", NULL, "required: expected an array of names, found \"a\"" },
  { "{\"required\": [1]}", NULL, "required: expected a name, found 1" },
  { "{\"required\": [\"a\", \"a\"]}", NULL, "required: 'a' stands there twice" },
  { "{\"properties\": []}", NULL, "properties: expected an object of schemas, found an array" },
  { "{\"properties\": {\"a\": 1}}", NULL, "properties.a: expected a schema, found 1" },
  { "{\"items\": []}", NULL, "items: expected a schema, found an array" },
  { "{\"anyOf\": []}", NULL, "anyOf: expected at least one schema" },
  { "{\"anyOf\": {}}", NULL, "anyOf: expected an array of schemas, found an object" },
  { "{\"$ref\": 1}", NULL, "$ref: expected a place in this schema such as \"#/$defs/name\", found 1" },
  { "{\"$ref\": \"other.json\"}", NULL, "$ref: expected a place in this schema such as \"#/$defs/name\", found \"other.json\"" },
  { "{\"$ref\": \"#name\"}", NULL, "$ref: expected a place in this schema such as \"#/$defs/name\", found \"#name\"" },
  { "{\"$ref\": \"#/$defs/a\"}", NULL, "$ref: there is no '#/$defs/a' in this schema" },
  { "{\"$ref\": \"#/%\"}", NULL, "$ref: there is no '#/%' in this schema" },
  { "{\"properties\": {\"a\": {\"$ref\": \"#/properties\"}}}", NULL, "#/properties: unknown keyword 'a'" },
  { "{\"$ref\": \"#\"}", NULL, "schemas apply to the same value in a circle, or more than 16 inside each other" },
  { "{\"not\": {\"allOf\": [{\"$ref\": \"#\"}]}}", NULL, "schemas apply to the same value in a circle, or more than 16 inside each other" },
  { "3", NULL, "expected a schema, found 3" },
};

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_schema_new (refused[i].schema, &error));
      g_assert_error (error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_SCHEMA);
      g_assert_cmpstr (error->message, ==, refused[i].message);
    }
}

static void
test_not_json (void)
{
  g_autoptr (ClqSchema) schema = schema_of ("true");
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_schema_new ("{", &error));
  g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_SYNTAX);
  g_clear_error (&error);
  g_assert_false (clq_schema_check (schema, "{\"a\": }", -1, &error));
  g_assert_error (error, CLQ_JSON_ERROR, CLQ_JSON_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "arguments: 1:7: "));
  g_clear_error (&error);
  g_assert_true (clq_schema_check (schema, "{}garbage", 2, &error));
  g_assert_no_error (error);
  g_assert_false (clq_schema_check (schema, "", -1, NULL));
}

static void
test_annotations (void)
{
  g_autoptr (ClqSchema) schema = schema_of ("{\"$schema\": \"s\", \"$id\": \"i\", \"$comment\": \"c\", \"title\": \"t\", \"description\": \"d\","
                                            " \"default\": 1, \"examples\": [2], \"format\": \"date\", \"deprecated\": true}");

  g_assert_true (clq_schema_check (schema, "\"anything\"", -1, NULL));
}

/* ---- values ---- */

#define URL "{\"type\": \"object\", \"required\": [\"url\"], \"additionalProperties\": false," \
            " \"properties\": {\"url\": {\"type\": \"string\"}, \"count\": {\"type\": [\"integer\", \"null\"]}}}"

static const Case values[] = {
  { URL, "{\"url\": \"x\"}", NULL },
  { URL, "{\"url\": 3}", "arguments.url: expected a string, found 3" },
  { URL, "{\"u\\u0072l\": \"x\"}", NULL },
  { URL, "{}", "arguments.url: expected a string, found nothing" },
  { URL, "{\"urll\": \"x\"}", "arguments.urll: unknown property; did you mean 'url'?" },
  { URL, "{\"url\": \"x\", \"count\": 1.5}", "arguments.count: expected null or an integer, found 1.5" },
  { URL, "{\"url\": \"x\", \"count\": 2.0}", NULL },
  { URL, "{\"url\": \"x\", \"count\": {}}", "arguments.count: expected null or an integer, found an object" },
  { URL, "[]", "arguments: expected an object, found an array" },
  { "{\"properties\": {\"a\": {\"items\": {\"properties\": {\"b c\": {\"type\": \"boolean\"}}}}}}", "{\"a\": [{}, {\"b c\": 0}]}",
    "arguments.a[1][\"b c\"]: expected true or false, found 0" },
  { "{\"required\": [\"x\"]}", "{}", "arguments.x: expected a value, found nothing" },
  { "{\"additionalProperties\": false}", "{\"a\": 1}", "arguments.a: unknown property" },
  { "{\"additionalProperties\": {\"type\": \"null\"}}", "{\"a\": 1}", "arguments.a: expected null, found 1" },
  { "{\"properties\": {\"a\": false}}", "{\"a\": 1}", "arguments.a: expected no value here, found 1" },
  { "{\"enum\": [\"celsius\", \"kelvin\"]}", "\"celcius\"", "arguments: expected one of \"celsius\", \"kelvin\", found \"celcius\"; did you mean 'celsius'?" },
  { "{\"enum\": [1, {\"a\": [1, 2]}]}", "{\"a\": [1.0, 2e0]}", NULL },
  { "{\"enum\": [{\"a\": 1, \"b\": 2}]}", "{\"b\": 2, \"a\": 1}", NULL },
  { "{\"enum\": [{\"a\": 1, \"b\": 2}]}", "{\"b\": 2, \"c\": 1}", "arguments: expected an object, found an object" },
  { "{\"const\": 3}", "4", "arguments: expected 3, found 4" },
  { "{\"const\": 1}", "true", "arguments: expected 1, found true" },
  { "{\"const\": \"\\u00e4\"}", "\"ä\"", NULL },
  { "{\"const\": 9007199254740993}", "9007199254740992", "arguments: expected 9007199254740993, found 9007199254740992" },
  { "{\"minimum\": 3}", "2", "arguments: expected at least 3, found 2" },
  { "{\"maximum\": 9223372036854775806}", "9223372036854775807", "arguments: expected at most 9223372036854775806, found 9223372036854775807" },
  { "{\"exclusiveMinimum\": 3}", "3.0", "arguments: expected more than 3, found 3.0" },
  { "{\"exclusiveMaximum\": 3}", "3", "arguments: expected less than 3, found 3" },
  { "{\"multipleOf\": 2}", "3", "arguments: expected a multiple of 2, found 3" },
  { "{\"multipleOf\": 0.01}", "19.99", NULL },
  { "{\"multipleOf\": 0.01}", "19.999", "arguments: expected a multiple of 0.01, found 19.999" },
  { "{\"multipleOf\": 0.3}", "1.2e300", NULL },
  { "{\"multipleOf\": 0.7}", "1e300", "arguments: expected a multiple of 0.7, found 1e300" },
  { "{\"multipleOf\": 1e2}", "-700", NULL },
  { "{\"multipleOf\": 1e-300}", "1e300", NULL },
  { "{\"multipleOf\": 3}", "0.0", NULL },
  { "{\"multipleOf\": 3}", "1000000000000000000000000000000000000000000000000.1e1", "arguments: expected a multiple of 3, found 1000000000000000000000000000000000000000..." },
  { "{\"multipleOf\": 3}", "100000000000000000000000000000000000000000000000002e0", NULL },
  { "{\"minLength\": 2}", "\"\\ud83d\\ude00\"", "arguments: expected at least 2 characters, found 1" },
  { "{\"maxLength\": 1}", "\"äö\"", "arguments: expected at most 1 characters, found 2" },
  { "{\"pattern\": \"^\\\\d+$\"}", "\"12\"", NULL },
  { "{\"pattern\": \"^\\\\d+$\"}", "\"12\\n\"", "arguments: expected text that matches ^\\d+$, found \"12\\n\"" },
  { "{\"pattern\": \"^.$\"}", "\"😀\"", NULL },
  { "{\"minItems\": 1}", "[]", "arguments: expected at least 1 items, found 0" },
  { "{\"maxItems\": 1}", "[1, 2]", "arguments: expected at most 1 items, found 2" },
  { "{\"uniqueItems\": true}", "[1, \"1\", true, 1.0]", "arguments: expected items that differ, found the same at 0 and 3" },
  { "{\"uniqueItems\": true}", "[{\"a\": 1, \"b\": [0]}, {\"b\": [-0.0], \"a\": 1}]", "arguments: expected items that differ, found the same at 0 and 1" },
  { "{\"uniqueItems\": false}", "[1, 1]", NULL },
  { "{\"minProperties\": 1}", "{}", "arguments: expected at least 1 properties, found 0" },
  { "{\"maxProperties\": 0}", "{\"a\": 1}", "arguments: expected at most 0 properties, found 1" },
  { "{\"anyOf\": [{\"type\": \"string\"}, {\"minimum\": 3}]}", "2", "arguments: fits none of 2 alternatives (arguments: expected a string, found 2)" },
  { "{\"oneOf\": [{\"type\": \"integer\"}, {\"type\": \"null\"}, {\"minimum\": 3}]}", "4", "arguments: expected exactly one alternative to fit, found that 1 and 3 do" },
  { "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}", "4", "arguments: fits none of 2 alternatives (arguments: expected a string, found 4)" },
  { "{\"not\": {\"type\": \"null\"}}", "null", "arguments: expected a value that does not fit 'not', found null" },
  { "{\"$defs\": {\"tree\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/tree\"}}}, \"$ref\": \"#/$defs/tree\"}", "[[], [[[]], 7]]",
    "arguments[1][1]: expected an array, found 7" },
  { "{\"definitions\": {\"a/b~c\": {\"type\": \"null\"}}, \"$ref\": \"#/definitions/a~1b~0c\", \"description\": \"d\"}", "1", "arguments: expected null, found 1" },
  { "{\"definitions\": {\"e~1\": {\"type\": \"null\"}}, \"$ref\": \"#/definitions/e~01\"}", "1", "arguments: expected null, found 1" },
  { "{\"type\": \"null\"}", "\"a text that is far too long to be shown as a whole here\"",
    "arguments: expected null, found \"a text that is far too long to be shown...\"" },
};

static void
test_values (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (ClqSchema) schema = schema_of (values[i].schema);
      g_autoptr (GError) error = NULL;
      gboolean fits = clq_schema_check (schema, values[i].value, -1, &error);

      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, values[i].message);
      g_assert_cmpint (fits, ==, values[i].message == NULL);
      g_assert_cmpint (clq_schema_check (schema, values[i].value, -1, NULL), ==, fits);
      if (error != NULL)
        g_assert_error (error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_VALUE);
    }
}

static void
test_name (void)
{
  g_autoptr (ClqSchema) schema = schema_of (URL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_schema_check_value (schema, "", "{\"url\": 1}", -1, &error));
  g_assert_cmpstr (error->message, ==, "url: expected a string, found 1");
  g_clear_error (&error);
  g_assert_false (clq_schema_check_value (schema, "reply", "1", -1, &error));
  g_assert_cmpstr (error->message, ==, "reply: expected an object, found 1");
}

/* ---- bounds ---- */

static void
assert_work (const char *text, const char *value)
{
  g_autoptr (ClqSchema) schema = schema_of (text);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_schema_check (schema, value, -1, &error));
  g_assert_error (error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_WORK);
  g_assert_false (clq_schema_check (schema, value, -1, NULL));
}

/* Each level asks the next one twice, and the value goes down twice for each of its own. */
static void
test_work_branches (void)
{
  g_autoptr (GString) text = g_string_new ("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"items\": {\"oneOf\": [");
  g_autoptr (GString) value = g_string_new (NULL);

  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "%s{\"$ref\": \"#/$defs/a\"}", i > 0 ? ", " : "");
  g_string_append (text, "]}}}}");
  for (guint i = 0; i < 60; i++)
    g_string_append_c (value, '[');
  for (guint i = 0; i < 60; i++)
    g_string_append_c (value, ']');
  assert_work (text->str, value->str);
}

/* What is given up is no proof of the contrary. */
static void
test_work_not (void)
{
  assert_work ("{\"not\": {\"pattern\": \"^(a|aa|aaa)+$\"}}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
  assert_work ("{\"anyOf\": [{\"pattern\": \"^(a|aa|aaa)+$\"}, true]}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
}

/* References that refer to references cost no stack, neither when they are read nor when values are checked. */
static void
test_long_chain (void)
{
  g_autoptr (GString) text = g_string_new ("{\"$defs\": {");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text, "\"d%u\": {\"$ref\": \"#/$defs/d%u\"}, ", i, i + 1);
  g_string_append (text, "\"d2000\": {}}}");
  g_assert_null (clq_schema_new (text->str, &error));
  g_assert_error (error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_SCHEMA);
}

/* As deep as both limits allow at once. */
static void
test_deepest (void)
{
  g_autoptr (GString) text = g_string_new ("{\"$ref\": \"#/$defs/d0\", \"$defs\": {");
  g_autoptr (GString) value = g_string_new (NULL);
  g_autoptr (ClqSchema) schema = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 14; i++)
    g_string_append_printf (text, "\"d%u\": {\"allOf\": [{\"$ref\": \"#/$defs/d%u\"}]}, ", i, i + 2);
  g_string_append (text, "\"d14\": true, \"d15\": {\"items\": {\"$ref\": \"#/$defs/d1\"}}}}");
  schema = schema_of (text->str);
  for (guint i = 0; i < CLQ_JSON_MAX_DEPTH; i++)
    g_string_append_c (value, '[');
  for (guint i = 0; i < CLQ_JSON_MAX_DEPTH; i++)
    g_string_append_c (value, ']');
  g_assert_true (clq_schema_check (schema, value->str, -1, &error));
  g_assert_no_error (error);
}

/* A large value that is looked at once is no problem. */
static void
test_large (void)
{
  g_autoptr (ClqSchema) schema = schema_of ("{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": \"object\", \"properties\": {\"n\": {\"minimum\": 0}}}}");
  g_autoptr (GString) value = g_string_new ("[");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (value, "%s{\"n\": %u}", i > 0 ? ", " : "", i);
  g_string_append_c (value, ']');
  g_assert_true (clq_schema_check (schema, value->str, -1, &error));
  g_assert_no_error (error);
  g_string_truncate (value, value->len - 1);
  g_string_append (value, ", {\"n\": 7.0}]");
  g_assert_false (clq_schema_check (schema, value->str, -1, &error));
  g_assert_cmpstr (error->message, ==, "arguments: expected items that differ, found the same at 7 and 50000");
}

static void
test_references (void)
{
  g_autoptr (ClqSchema) schema = schema_of ("true");
  ClqSchema *same = clq_schema_ref (schema);

  g_assert_true (same == schema);
  clq_schema_unref (same);
  g_assert_true (clq_schema_check (schema, "1", -1, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/schema/refused", test_refused);
  g_test_add_func ("/colloquy/schema/not-json", test_not_json);
  g_test_add_func ("/colloquy/schema/annotations", test_annotations);
  g_test_add_func ("/colloquy/schema/values", test_values);
  g_test_add_func ("/colloquy/schema/name", test_name);
  g_test_add_func ("/colloquy/schema/work-branches", test_work_branches);
  g_test_add_func ("/colloquy/schema/work-not", test_work_not);
  g_test_add_func ("/colloquy/schema/long-chain", test_long_chain);
  g_test_add_func ("/colloquy/schema/deepest", test_deepest);
  g_test_add_func ("/colloquy/schema/large", test_large);
  g_test_add_func ("/colloquy/schema/references", test_references);
  return g_test_run ();
}
