/* Every fixture in bad/: which words refuse it, whether code of it ran, and that the host goes on with the rest. */
#include <string.h>

#include "folder.h"

typedef struct
{
  const char *id;
  ClqPluginError code;
  const char *message; /* SIZE stands for size */
  gsize size;
} BadPlugin;

#define REBUILD "; rebuild the plugin against this SDK"
#define WORD ": expected a name of letters, digits, - and _ that begins with a letter"

/* What is wrong with the file as such, or with the numbers at the beginning of clq_plugin. */
static const BadPlugin unloaded[] = {
  { "no-symbol", CLQ_PLUGIN_ERROR_NO_SYMBOL, "no symbol 'clq_plugin'; expected CLQ_PLUGIN () in one of its sources" },
  { "symbol-elsewhere", CLQ_PLUGIN_ERROR_NO_SYMBOL, "no symbol 'clq_plugin'; expected CLQ_PLUGIN () in one of its sources" },
  { "bad-magic", CLQ_PLUGIN_ERROR_MAGIC,
    "clq_plugin begins with 0x12345678, expected 0x716c6331; it was not made with CLQ_PLUGIN ()" },
  { "not-filled", CLQ_PLUGIN_ERROR_MAGIC,
    "clq_plugin begins with 0x00000000, expected 0x716c6331; it was not made with CLQ_PLUGIN ()" },
  { "other-major", CLQ_PLUGIN_ERROR_ABI, "built for ABI 2.0, this host has 1.0" REBUILD },
  { "older-major", CLQ_PLUGIN_ERROR_ABI, "built for ABI 0.7, this host has 1.0" REBUILD },
  { "newer-minor", CLQ_PLUGIN_ERROR_ABI,
    "built for ABI 1.1, this host has 1.0; use a newer host or rebuild the plugin against this SDK" },
  { "short-struct", CLQ_PLUGIN_ERROR_STRUCT, "clq_plugin has SIZE-8 bytes, expected SIZE" REBUILD, sizeof (ClqPlugin) },
  { "long-struct", CLQ_PLUGIN_ERROR_STRUCT, "clq_plugin has SIZE+8 bytes, expected SIZE" REBUILD, sizeof (ClqPlugin) },
  { "short-symbol", CLQ_PLUGIN_ERROR_STRUCT, "clq_plugin has 8 bytes, expected SIZE" REBUILD, sizeof (ClqPlugin) },
  { "cut-symbol", CLQ_PLUGIN_ERROR_STRUCT, "clq_plugin says that it has SIZE bytes, but it has 16" REBUILD, sizeof (ClqPlugin) },
  { "undefined-symbol", CLQ_PLUGIN_ERROR_OPEN, "cannot be loaded: undefined symbol: clq_test_nobody_has_this" },
  { "missing-library", CLQ_PLUGIN_ERROR_OPEN,
    "cannot be loaded: libclq-test-nowhere.so: cannot open shared object file: No such file or directory" },
};

/* What is wrong with the plugin as a whole. */
static const BadPlugin identities[] = {
  { "wrong-name", CLQ_PLUGIN_ERROR_NAME,
    "the plugin's id is 'right-name', expected 'wrong-name'; rename the file to right-name.so or change the id" },
  { "no-id", CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no id" },
  { "no-version", CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no version" },
  { "no-summary", CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no summary" },
  { "no-features", CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no feature" },
  { "zero-features", CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no feature" },
};

static const BadPlugin features[] = {
  { "null-feature", CLQ_PLUGIN_ERROR_STRUCT, "feature 2: is NULL; expected the feature of an info struct" },
  { "no-type", CLQ_PLUGIN_ERROR_STRUCT,
    "feature 1: unknown type 0; expected a struct that begins with CLQ_NODE_INFO or the like" },
  { "unknown-type", CLQ_PLUGIN_ERROR_STRUCT,
    "feature 1: unknown type 7; expected a struct that begins with CLQ_NODE_INFO or the like" },
  { "short-feature", CLQ_PLUGIN_ERROR_STRUCT, "feature 1: the node has SIZE-8 bytes, expected SIZE" REBUILD, sizeof (ClqNodeInfo) },
  { "long-feature", CLQ_PLUGIN_ERROR_STRUCT, "feature 1: the node has SIZE+8 bytes, expected SIZE" REBUILD, sizeof (ClqNodeInfo) },
  { "short-setting", CLQ_PLUGIN_ERROR_STRUCT,
    "feature 1: a setting of the node has SIZE-8 bytes, expected SIZE" REBUILD, sizeof (ClqSetting) },
  { "bad-feature-name", CLQ_PLUGIN_ERROR_NAME,
    "feature 1: the node's name is 'Wave.Back'; expected small letters, digits and dashes" },
  { "no-feature-name", CLQ_PLUGIN_ERROR_NAME, "feature 1: the node's name is ''; expected small letters, digits and dashes" },
  { "no-feature-summary", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': summary is not set" },
  { "duplicate-name", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave': the plugin has another node of that name" },
  { "no-enter", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': enter is not set" },
  { "no-outcomes", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': outcomes is not set" },
  { "empty-outcomes", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': outcomes is not set" },
  { "bad-outcome", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': outcome 'not done'" WORD },
  { "empty-outcome", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': outcome ''" WORD },
  { "duplicate-outcome", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave': outcome 'done' stands there twice" },
  { "no-test", CLQ_PLUGIN_ERROR_STRUCT, "modality 'wave': test of predicate 'calm' is not set" },
  { "bad-predicate", CLQ_PLUGIN_ERROR_STRUCT, "modality 'wave': predicate 'is calm?'" WORD },
  { "duplicate-predicate", CLQ_PLUGIN_ERROR_DUPLICATE, "modality 'wave': predicate 'calm' stands there twice" },
  { "short-predicate", CLQ_PLUGIN_ERROR_STRUCT,
    "modality 'wave': a predicate has SIZE-8 bytes, expected SIZE" REBUILD, sizeof (ClqPredicate) },
  { "bad-field", CLQ_PLUGIN_ERROR_STRUCT, "modality 'wave': field 'a.b'" WORD },
  { "duplicate-action", CLQ_PLUGIN_ERROR_DUPLICATE, "modality 'wave': action 'note' stands there twice" },
  { "no-use", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': use is not set" },
  { "no-schema", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': schema is not set" },
  { "broken-schema", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': schema: 1:10: unexpected 'object'; expected a value" },
  { "list-schema", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': schema: expected a schema, found an array" },
  { "unknown-keyword", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': schema: properties.hand: unknown keyword 'typ'; did you mean 'type'?" },
  { "bad-policy", CLQ_PLUGIN_ERROR_STRUCT, "tool 'wave': unknown policy 3; expected CLQ_TOOL_ASK, CLQ_TOOL_RETRY or CLQ_TOOL_FAIL" },
  { "no-commit", CLQ_PLUGIN_ERROR_STRUCT, "store 'wave': commit is not set" },
  { "no-complete", CLQ_PLUGIN_ERROR_STRUCT, "agent 'wave': complete is not set" },
  { "no-stop", CLQ_PLUGIN_ERROR_STRUCT, "service 'wave': stop is not set" },
};

static const BadPlugin settings[] = {
  { "bad-setting-name", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'how many'" WORD },
  { "duplicate-setting", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave': setting 'max-words' stands there twice" },
  { "unknown-setting-type", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': unknown type 11" },
  { "offset-outside", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': its member ends at byte 16, but self_size is 8" },
  { "offset-odd", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': a member of type int cannot be at offset 4" },
  { "no-help", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': help is not set" },
  { "no-choices", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'mood': choices is not set" },
  { "duplicate-choice", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave': setting 'mood': choice 'calm' stands there twice" },
  { "unknown-choice", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'mood': default: 'clam' is no choice; did you mean 'calm'?" },
  { "empty-range", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': the range 10..1 is empty" },
  { "bad-default", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': default: 'many' is no whole number" },
  { "default-out-of-range", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'words': default: 11 is out of range; expected 0 to 10" },
  { "bad-duration", CLQ_PLUGIN_ERROR_STRUCT,
    "node 'wave': setting 'length': default: '5' is no duration; expected a number with ms, s, min, h or d" },
  { "bad-json", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': setting 'shape': default: 1:6: unexpected '}'; expected a value" },
};

static const BadPlugin types[] = {
  { "no-type-name", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': type_name of get_type is not set" },
  { "taken-gtype", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave': type 'GObject' is already registered by this process" },
  { "two-types", CLQ_PLUGIN_ERROR_DUPLICATE, "node 'wave-back': node 'wave' has a type 'TestTwo' too, with another get_type" },
  { "null-type", CLQ_PLUGIN_ERROR_NAME, "node 'wave': get_type gives no type, expected 'TestNull'" },
  { "other-type-name", CLQ_PLUGIN_ERROR_NAME, "node 'wave': get_type gives 'TestOther', but type_name is 'TestAnother'" },
  { "no-node-type", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': type 'TestObject' is no subclass of ClqNode" },
  { "abstract-type", CLQ_PLUGIN_ERROR_STRUCT, "node 'wave': type 'TestAbstract' is abstract" },
  { "type-without-enter", CLQ_PLUGIN_ERROR_STRUCT,
    "node 'wave': enter is not set, neither in the class of 'TestIdle' nor in the struct" },
};

static void
replace_number (GString *text, const char *word, gsize number)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GSIZE_FORMAT, number);

  g_string_replace (text, word, digits, 0);
}

static char *
dup_message (const BadPlugin *bad, const char *path)
{
  GString *text = g_string_new (bad->message);

  replace_number (text, "SIZE-8", bad->size - 8);
  replace_number (text, "SIZE+8", bad->size + 8);
  replace_number (text, "SIZE", bad->size);
  g_string_prepend (text, ": ");
  g_string_prepend (text, path);
  return g_string_free (text, FALSE);
}

static void
refuse_one (const BadPlugin *bad, gboolean loaded)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, bad->id);
  g_autofree char *good = folder_add (folder, "good");
  g_autofree char *message = dup_message (bad, path);
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_auto (GStrv) ids = clq_registry_list_ids (registry);

  g_unsetenv ("CLQ_TEST_CONSTRUCTOR");
  g_unsetenv ("CLQ_TEST_GET_TYPE");
  assert_refused (registry, bad->id, bad->code, message);
  g_assert_cmpstr (g_getenv ("CLQ_TEST_CONSTRUCTOR"), ==, loaded ? "ran" : NULL);
  g_assert_null (g_getenv ("CLQ_TEST_GET_TYPE"));
  g_assert_cmpstr (clq_registry_open (registry, bad->id)->path, ==, path);
  assert_works (registry, "good.wave");
  g_assert_true (g_strv_contains ((const char *const *) ids, bad->id));
}

static void
test_refused_unloaded (gconstpointer data)
{
  refuse_one (data, FALSE);
}

static void
test_refused_loaded (gconstpointer data)
{
  refuse_one (data, TRUE);
}

static void
add_all (const BadPlugin *table, guint n, GTestDataFunc func)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/colloquy/plugins/bad/", table[i].id, NULL);

      g_test_add_data_func (path, &table[i], func);
    }
}

/* The name of a type is known before get_type is called, which would hang. */
static void
test_same_gtype (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *first = folder_add (folder, "good-gtype");
  g_autofree char *second = folder_add (folder, "same-gtype");
  g_autofree char *message = g_strdup_printf ("%s: node 'wave': type 'TestSame' is already registered by %s", second, first);
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_autoptr (ClqRegistry) another = registry_for (folder);

  assert_works (registry, "good-gtype.wave");
  assert_refused (registry, "same-gtype", CLQ_PLUGIN_ERROR_DUPLICATE, message);
  assert_works (registry, "good-gtype.wave");

  /* A second host in the process finds the same plugin and gets the same answers. */
  assert_refused (another, "same-gtype", CLQ_PLUGIN_ERROR_DUPLICATE, message);
  assert_works (another, "good-gtype.wave");
}

/* What was wrong with a type is so for the rest of the process: nobody calls its get_type again, which could hang. */
static void
test_bad_gtype_again (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "null-type");
  g_autofree char *said = NULL;

  for (int i = 0; i < 3; i++)
    {
      g_autoptr (ClqRegistry) registry = registry_for (folder);
      const ClqPluginEntry *entry = clq_registry_open (registry, "null-type");

      g_assert_nonnull (entry->error);
      g_assert_true (g_str_has_prefix (entry->error->message, path));
      if (said != NULL)
        g_assert_cmpstr (entry->error->message, ==, said);
      g_free (said);
      said = g_strdup (entry->error->message);
    }
}

/* All of them in one folder, one host. */
static void
test_all_together (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *good = folder_add (folder, "good");
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  const struct
  {
    const BadPlugin *table;
    guint n;
  } tables[] = {
    { unloaded, G_N_ELEMENTS (unloaded) },
    { identities, G_N_ELEMENTS (identities) },
    { features, G_N_ELEMENTS (features) },
    { settings, G_N_ELEMENTS (settings) },
  };
  guint n_refused = 0;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (guint j = 0; j < tables[i].n; j++)
      {
        const BadPlugin *bad = &tables[i].table[j];
        g_autofree char *path = folder_add (folder, bad->id);
        g_autofree char *message = dup_message (bad, path);

        assert_refused (registry, bad->id, bad->code, message);
        n_refused++;
      }
  g_assert_cmpuint (n_refused, >=, 26);
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, n_refused);
  assert_works (registry, "good.wave");
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, n_refused + 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_all (unloaded, G_N_ELEMENTS (unloaded), test_refused_unloaded);
  add_all (identities, G_N_ELEMENTS (identities), test_refused_loaded);
  add_all (features, G_N_ELEMENTS (features), test_refused_loaded);
  add_all (settings, G_N_ELEMENTS (settings), test_refused_loaded);
  add_all (types, G_N_ELEMENTS (types), test_refused_loaded);
  g_test_add_func ("/colloquy/plugins/bad/same-gtype", test_same_gtype);
  g_test_add_func ("/colloquy/plugins/bad/gtype-again", test_bad_gtype_again);
  g_test_add_func ("/colloquy/plugins/bad/all-together", test_all_together);
  return g_test_run ();
}
