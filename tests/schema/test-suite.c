/* The cases of the public JSON schema test suite, as Debian packages it. */
#include <string.h>

#include <colloquy.h>

/* What the suite has and we have not. Everything else must agree. Each row is itself checked: a group that is listed as a whole
 * must be refused, a case that is listed must disagree. */
static const struct
{
  const char *file;
  const char *group;  /* NULL = all of them */
  const char *test;   /* NULL = the schema is refused */
  const char *reason; /* part of the refusal, or why we differ */
} exceptions[] = {
  { "additionalItems.json", NULL, NULL, "" },
  { "contains.json", NULL, NULL, "the keyword 'contains' is not supported" },
  { "dependencies.json", NULL, NULL, "the keyword 'dependencies' is not supported" },
  { "if-then-else.json", NULL, NULL, "is not supported" },
  { "patternProperties.json", NULL, NULL, "the keyword 'patternProperties' is not supported" },
  { "propertyNames.json", NULL, NULL, "the keyword 'propertyNames' is not supported" },
  { "refRemote.json", NULL, NULL, "" },
  { "definitions.json", NULL, NULL, "expected a place in this schema" },
  { "additionalProperties.json", "additionalProperties being false does not allow other properties", NULL, "the keyword 'patternProperties' is not supported" },
  { "additionalProperties.json", "non-ASCII pattern with additionalProperties", NULL, "the keyword 'patternProperties' is not supported" },
  { "properties.json", "properties, patternProperties, additionalProperties interaction", NULL, "the keyword 'patternProperties' is not supported" },
  { "items.json", "an array of schemas for items", NULL, "items: expected a schema, found an array" },
  { "items.json", "items with boolean schemas", NULL, "items: expected a schema, found an array" },
  { "ref.json", "relative pointer ref to array", NULL, "items: expected a schema, found an array" },
  { "ref.json", "escaped pointer ref", NULL, "unknown keyword 'tilda~field'" },
  { "ref.json", "remote ref, containing refs itself", NULL, "expected a place in this schema" },
  { "ref.json", "Recursive references between schemas", NULL, "expected a place in this schema" },
  { "ref.json", "ref overrides any sibling keywords", "ref valid, maxItems ignored", "since draft 2019-09 the keywords beside $ref count" },
};
static gboolean used[G_N_ELEMENTS (exceptions)];

static guint n_agreed;
static guint n_listed;

/* Groups without an exception among all that the two drafts have; a suite that is empty or moved must not pass. */
#define MIN_AGREED 500

static int
find_exception (const char *file, const char *group, const char *test)
{
  for (guint i = 0; i < G_N_ELEMENTS (exceptions); i++)
    if (strcmp (exceptions[i].file, file) == 0 && (exceptions[i].group == NULL || strcmp (exceptions[i].group, group) == 0) &&
        g_strcmp0 (exceptions[i].test, test) == 0)
      {
        used[i] = TRUE;
        return (int) i;
      }
  return -1;
}

static char *
text_of (const ClqJsonSpan *object, const char *path)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, path);

  g_assert_cmpint (span.type, !=, CLQ_JSON_NONE);
  return g_strndup (span.start, span.length);
}

static char *
string_of (const ClqJsonSpan *object, const char *path)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, path);

  return clq_json_span_dup_string (&span);
}

static void
run_case (ClqSchema *schema, const char *file, const char *group, const ClqJsonSpan *test)
{
  g_autofree char *name = string_of (test, "description");
  ClqJsonSpan data = clq_json_find (test->start, (gssize) test->length, "data");
  g_autofree char *valid = text_of (test, "valid");
  g_autoptr (GError) error = NULL;
  gboolean fits = clq_schema_check (schema, data.start, (gssize) data.length, &error);
  gboolean agrees = fits == (strcmp (valid, "true") == 0);

  if (find_exception (file, group, name) >= 0)
    {
      n_listed++;
      g_assert_false (agrees);
      return;
    }
  if (!agrees)
    g_error ("%s: %s: %s: expected %s, found %s", file, group, name, valid, fits ? "that it fits" : error->message);
  if (!fits)
    g_assert_true (g_str_has_prefix (error->message, "arguments"));
  n_agreed++;
}

static void
run_group (const char *file, const ClqJsonSpan *group)
{
  g_autofree char *name = string_of (group, "description");
  g_autofree char *text = text_of (group, "schema");
  ClqJsonSpan tests = clq_json_find (group->start, (gssize) group->length, "tests");
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqSchema) schema = clq_schema_new (text, &error);
  int exception = schema == NULL ? find_exception (file, name, NULL) : -1;
  ClqJsonIter iter;
  ClqJsonSpan test;

  if (schema == NULL && exception < 0)
    g_error ("%s: %s: %s", file, name, error->message);
  if (schema == NULL)
    g_assert_nonnull (strstr (error->message, exceptions[exception].reason));
  g_assert_true (clq_json_iter_init (&iter, &tests));
  while (clq_json_iter_next (&iter, NULL, &test))
    if (schema != NULL)
      run_case (schema, file, name, &test);
    else
      n_listed++;
}

static void
run_draft (gconstpointer data)
{
  const char *folder = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  const char *file;

  g_assert_no_error (error);
  while ((file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *text = NULL;
      ClqJsonSpan groups, group;
      ClqJsonIter iter;

      if (!g_str_has_suffix (file, ".json"))
        continue;
      g_file_get_contents (path, &text, NULL, &error);
      g_assert_no_error (error);
      clq_json_check (text, -1, NULL, &error);
      g_assert_no_error (error);
      groups = clq_json_span (text, -1);
      g_assert_true (clq_json_iter_init (&iter, &groups));
      while (clq_json_iter_next (&iter, NULL, &group))
        run_group (file, &group);
    }
}

static void
test_complete (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (exceptions); i++)
    if (!used[i])
      g_error ("the exception for '%s' is not needed", exceptions[i].file);
  g_test_message ("%u cases agree, %u are listed", n_agreed, n_listed);
  g_assert_cmpuint (n_agreed, >, MIN_AGREED);
}

int
main (int argc, char **argv)
{
  g_autofree char *draft6 = NULL;
  g_autofree char *draft7 = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  draft6 = g_build_filename (argv[1], "draft6", NULL);
  draft7 = g_build_filename (argv[1], "draft7", NULL);
  g_test_add_data_func ("/colloquy/schema-suite/draft6", draft6, run_draft);
  g_test_add_data_func ("/colloquy/schema-suite/draft7", draft7, run_draft);
  g_test_add_func ("/colloquy/schema-suite/complete", test_complete);
  return g_test_run ();
}
