/* The registry: what is found by the name of a kind, what is said if nothing is, and instances of what was found. */
#include <glib/gstdio.h>
#include <string.h>

#include "folder.h"

static void
assert_not_found (ClqRegistry *registry, ClqFeatureType type, const char *kind, ClqPluginError code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_registry_find (registry, type, kind, &error));
  g_assert_error (error, CLQ_PLUGIN_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_kinds (void)
{
  static const char *const kinds[] = { "", "good", "good.", ".wave", "good.wave.back", "Good.wave", "good.Wave", "../good.wave",
                                       "good/..wave", "good .wave", "1good.wave", "good.-wave", "good..wave" };
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *message = g_strdup_printf ("kind '%s': expected PLUGIN.NAME", kinds[i]);

      assert_not_found (registry, CLQ_FEATURE_NODE, kinds[i], CLQ_PLUGIN_ERROR_NAME, message);
    }
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, 0);
  assert_works (registry, "good.wave");
}

/* An id becomes a part of a path, so it may not lead anywhere else. */
static void
test_ids (void)
{
  static const char *const ids[] = { "", ".", "..", "../good", "a/b", "/etc/passwd", "Good", "good.so", "a b", "-a", "\xc3\xa9" };
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *message = g_strdup_printf ("plugin '%s': expected a name of small letters, digits and dashes", ids[i]);

      assert_refused (registry, ids[i], CLQ_PLUGIN_ERROR_NAME, message);
      g_assert_null (clq_registry_open (registry, ids[i])->path);
    }
}

static void
test_unknown_plugin (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) second = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *other = folder_add (second, "start-fails");
  g_autofree char *one = g_strdup_printf ("plugin 'goood' not found in %s, %s; did you mean 'good'?", folder, second);
  g_autofree char *two = g_strdup_printf ("plugin 'something-else' not found in %s, %s; expected one of: good, start-fails", folder, second);
  g_autofree char *three = g_strdup_printf ("plugin 'good' not found in %s/gone", folder);
  g_autofree char *gone = g_build_filename (folder, "gone", NULL);
  const char *const folders[] = { folder, second, NULL };
  const char *const none[] = { NULL };
  g_autoptr (ClqRegistry) registry = clq_registry_new (folders);
  g_autoptr (ClqRegistry) nowhere = registry_for (gone);
  g_autoptr (ClqRegistry) empty = clq_registry_new (none);
  g_autoptr (ClqRegistry) null = clq_registry_new (NULL);

  assert_refused (registry, "goood", CLQ_PLUGIN_ERROR_NOT_FOUND, one);
  assert_refused (registry, "something-else", CLQ_PLUGIN_ERROR_NOT_FOUND, two);
  assert_refused (nowhere, "good", CLQ_PLUGIN_ERROR_NOT_FOUND, three);
  assert_refused (empty, "good", CLQ_PLUGIN_ERROR_NOT_FOUND, "plugin 'good' not found: there is no folder to look in");
  assert_refused (null, "good", CLQ_PLUGIN_ERROR_NOT_FOUND, "plugin 'good' not found: there is no folder to look in");
  assert_works (registry, "good.wave");
}

static void
test_unknown_feature (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *other = folder_add (folder, "start-fails");
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  assert_not_found (registry, CLQ_FEATURE_NODE, "good.waev", CLQ_PLUGIN_ERROR_NOT_FOUND,
                    "kind 'good.waev': plugin 'good' has no node of that name; did you mean 'wave'?");
  assert_not_found (registry, CLQ_FEATURE_NODE, "start-fails.bow", CLQ_PLUGIN_ERROR_NOT_FOUND,
                    "kind 'start-fails.bow': plugin 'start-fails' has no node of that name; expected one of: silent, reason, doubt");
  assert_not_found (registry, CLQ_FEATURE_STORE, "good.wave", CLQ_PLUGIN_ERROR_NOT_FOUND,
                    "kind 'good.wave': plugin 'good' has no store of that name, but a node");
  assert_not_found (registry, CLQ_FEATURE_STORE, "good.disk", CLQ_PLUGIN_ERROR_NOT_FOUND,
                    "kind 'good.disk': plugin 'good' has no store at all");
}

static void
test_list (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) second = folder_new ();
  g_autofree char *one = folder_add (folder, "start-fails");
  g_autofree char *two = folder_add (folder, "good");
  g_autofree char *again = folder_add (second, "good");
  g_autofree char *bad = folder_add_bytes (second, "broken", (const guint8 *) "x", 1);
  g_autofree char *no_name = folder_add_bytes (second, "No_Name", (const guint8 *) "x", 1);
  g_autofree char *library = g_build_filename (second, "libother.so.1", NULL);
  const char *const folders[] = { folder, second, "relative", NULL };
  g_autoptr (ClqRegistry) registry = clq_registry_new (folders);
  g_auto (GStrv) ids = NULL;
  g_autofree char *list = NULL;

  g_assert_true (g_file_set_contents (library, "x", 1, NULL));
  ids = clq_registry_list_ids (registry);
  list = g_strjoinv (" ", ids);
  g_assert_cmpstr (list, ==, "broken good start-fails");
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, 0);
  g_assert_cmpstr (clq_registry_get_folders (registry)[0], ==, folder);
  g_assert_cmpuint (g_strv_length ((char **) clq_registry_get_folders (registry)), ==, 3);
}

/* Folders are written in many ways; messages show one. */
static void
test_folder_spelling (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *odd = g_strdup_printf ("%s/./x/..//", folder);
  g_autoptr (ClqRegistry) registry = registry_for (odd);

  g_assert_cmpstr (clq_registry_get_folders (registry)[0], ==, folder);
  assert_works (registry, "good.wave");
  g_assert_cmpstr (clq_registry_open (registry, "good")->path, ==, path);
}

/* Two hosts in one process share the code of a plugin and nothing else. */
static void
test_two_registries (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autoptr (ClqRegistry) first = registry_for (folder);
  const ClqFeature *feature = clq_registry_find (first, CLQ_FEATURE_NODE, "good.wave", NULL);

  g_assert_nonnull (feature);
  for (int i = 0; i < 100; i++)
    {
      g_autoptr (ClqRegistry) registry = registry_for (folder);

      g_assert_true (clq_registry_find (registry, CLQ_FEATURE_NODE, "good.wave", NULL) == feature);
      g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, 1);
    }
  g_clear_pointer (&first, clq_registry_free);
  g_assert_cmpstr (feature->name, ==, "wave");
  clq_registry_free (NULL);
}

/* A plugin stays as it was when it was first asked for, whatever happens to its file. */
static void
test_file_comes_and_goes (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *missing = g_strdup_printf ("plugin 'start-fails' not found in %s; expected good", folder);
  g_autofree char *late = NULL;
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  assert_works (registry, "good.wave");
  assert_refused (registry, "start-fails", CLQ_PLUGIN_ERROR_NOT_FOUND, missing);
  g_assert_cmpint (g_remove (path), ==, 0);
  late = folder_add (folder, "start-fails");
  assert_works (registry, "good.wave");
  assert_refused (registry, "start-fails", CLQ_PLUGIN_ERROR_NOT_FOUND, missing);
}

static const ClqFeature *
find_starter (ClqRegistry *registry, const char *kind)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = clq_registry_find (registry, CLQ_FEATURE_NODE, kind, &error);

  g_assert_no_error (error);
  g_unsetenv ("CLQ_TEST_CLEAR");
  return feature;
}

static void
test_start_fails (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "start-fails");
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = find_starter (registry, "start-fails.silent");
  gpointer instance = clq_instance_begin (feature, &error);

  g_assert_no_error (error);
  g_assert_false (clq_instance_ready (feature, instance, &error));
  g_assert_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_START);
  g_assert_cmpstr (error->message, ==, "node 'silent': init failed and did not say why");
  clq_instance_free (feature, instance);
  g_assert_null (g_getenv ("CLQ_TEST_CLEAR"));
  g_clear_error (&error);

  feature = find_starter (registry, "start-fails.reason");
  instance = clq_instance_begin (feature, &error);
  g_assert_true (clq_setting_parse (feature->settings, "shut up", instance, &error));
  g_assert_false (clq_instance_ready (feature, instance, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "node 'reason': 'shut up' is no greeting");
  clq_instance_free (feature, instance);
  g_assert_null (g_getenv ("CLQ_TEST_CLEAR"));
}

/* What init returns counts, not what it says; clear comes before the settings are gone. */
static void
test_start_succeeds (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "start-fails");
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = find_starter (registry, "start-fails.doubt");
  gpointer instance = clq_instance_begin (feature, &error);

  g_assert_true (clq_instance_ready (feature, instance, &error));
  g_assert_no_error (error);
  clq_instance_free (feature, instance);
  g_assert_cmpstr (g_getenv ("CLQ_TEST_CLEAR"), ==, "hello");

  /* An instance that was begun and never made ready is not cleared. */
  g_unsetenv ("CLQ_TEST_CLEAR");
  instance = clq_instance_begin (feature, &error);
  clq_instance_free (feature, instance);
  g_assert_null (g_getenv ("CLQ_TEST_CLEAR"));
  clq_instance_free (feature, NULL);
}

static void
test_instance_memory (void)
{
  static const ClqSetting settings[] = {
    { "max_words", CLQ_SETTING_INT, 0, "few", 0, 0, NULL, "how many" },
    { NULL },
  };
  static const ClqNodeInfo wrong = {
    CLQ_NODE_INFO,
    .name = "wrong",
    .self_size = 8,
    .settings = settings,
  };
  static const ClqNodeInfo small = { CLQ_NODE_INFO, .name = "small", .self_size = 100 };
  g_autoptr (GError) error = NULL;
  guint8 *bytes = clq_instance_begin (&small.feature, &error);

  g_assert_no_error (error);
  g_assert_cmpuint ((gsize) bytes % 16, ==, 0);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (bytes[i], ==, 0);
  clq_instance_free (&small.feature, bytes);

  g_assert_null (clq_instance_begin (&wrong.feature, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "node 'wrong': default of 'max-words': 'few' is no whole number");
  g_clear_error (&error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/plugins/registry/kinds", test_kinds);
  g_test_add_func ("/colloquy/plugins/registry/ids", test_ids);
  g_test_add_func ("/colloquy/plugins/registry/unknown-plugin", test_unknown_plugin);
  g_test_add_func ("/colloquy/plugins/registry/unknown-feature", test_unknown_feature);
  g_test_add_func ("/colloquy/plugins/registry/list", test_list);
  g_test_add_func ("/colloquy/plugins/registry/folder-spelling", test_folder_spelling);
  g_test_add_func ("/colloquy/plugins/registry/two-registries", test_two_registries);
  g_test_add_func ("/colloquy/plugins/registry/file-comes-and-goes", test_file_comes_and_goes);
  g_test_add_func ("/colloquy/plugins/registry/start-fails", test_start_fails);
  g_test_add_func ("/colloquy/plugins/registry/start-succeeds", test_start_succeeds);
  g_test_add_func ("/colloquy/plugins/registry/instance-memory", test_instance_memory);
  return g_test_run ();
}
