/* Plugins that are part of the program: added to a registry, checked and found like those of files. */
#include <string.h>

#include "folder.h"

static void
bow_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

typedef struct
{
  gint64 depth;
  char *hat;
} Bow;

static const ClqSetting bow_settings[] = {
  CLQ_INT (Bow, depth, 1, 1, 9, "how deep"),
  CLQ_STRING (Bow, hat, "none", "what is taken off"),
  { NULL },
};

static const ClqNodeInfo bow = {
  CLQ_NODE_INFO,
  .name = "bow",
  .summary = "Bows",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = bow_settings,
  .self_size = sizeof (Bow),
  .enter = bow_enter,
};

/* What CLQ_PLUGIN () makes, for the tests to spoil. */
static ClqPlugin
plugin_for (const char *id, const ClqFeature *const *features)
{
  return (ClqPlugin){
    .magic = CLQ_PLUGIN_MAGIC,
    .abi_major = CLQ_ABI_MAJOR,
    .abi_minor = CLQ_ABI_MINOR,
    .size = sizeof (ClqPlugin),
    .n_features = 1,
    .id = id,
    .version = "1.0",
    .summary = "Manners",
    .features = features,
  };
}

static const ClqFeature *const features[] = { &bow.feature };

static void
assert_add_fails (ClqRegistry *registry, const ClqPlugin *plugin, ClqPluginError code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_registry_add (registry, plugin, &error));
  g_assert_error (error, CLQ_PLUGIN_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_added_found (void)
{
  const ClqPlugin plugin = plugin_for ("manners", features);
  g_autoptr (ClqRegistry) registry = clq_registry_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ids = NULL;
  const ClqPluginEntry *entry;

  g_assert_true (clq_registry_add (registry, &plugin, &error));
  g_assert_no_error (error);
  g_assert_true (clq_registry_find (registry, CLQ_FEATURE_NODE, "manners.bow", &error) == &bow.feature);
  g_assert_null (clq_registry_find (registry, CLQ_FEATURE_NODE, "manners.bwo", &error));
  g_assert_cmpstr (error->message, ==, "kind 'manners.bwo': plugin 'manners' has no node of that name; did you mean 'bow'?");
  entry = clq_registry_open (registry, "manners");
  g_assert_true (entry->plugin == &plugin);
  g_assert_null (entry->path);
  g_assert_no_error (entry->error);
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, 1);
  ids = clq_registry_list_ids (registry);
  g_assert_cmpuint (g_strv_length (ids), ==, 1);
  g_assert_cmpstr (ids[0], ==, "manners");
}

/* It comes before a file of the same name, which is not even looked at, and is named beside the others. */
static void
test_added_beside_files (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *broken = folder_add_bytes (folder, "manners", (const guint8 *) "x", 1);
  g_autofree char *message = g_strdup_printf ("plugin 'maners' not found in %s; did you mean 'manners'?", folder);
  const ClqPlugin plugin = plugin_for ("manners", features);
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_auto (GStrv) ids = NULL;
  g_autofree char *list = NULL;

  g_assert_true (clq_registry_add (registry, &plugin, NULL));
  g_assert_nonnull (clq_registry_find (registry, CLQ_FEATURE_NODE, "manners.bow", NULL));
  assert_works (registry, "good.wave");
  ids = clq_registry_list_ids (registry);
  list = g_strjoinv (" ", ids);
  g_assert_cmpstr (list, ==, "good manners");
  assert_refused (registry, "maners", CLQ_PLUGIN_ERROR_NOT_FOUND, message);
}

static void
test_added_twice (void)
{
  const ClqPlugin plugin = plugin_for ("manners", features);
  g_autoptr (ClqRegistry) registry = clq_registry_new (NULL);
  g_autoptr (ClqRegistry) other = clq_registry_new (NULL);
  const char *message = "plugin 'manners' of this program: there is a plugin 'manners' already; expected it to be added once, before anything asks for it";

  g_assert_true (clq_registry_add (registry, &plugin, NULL));
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_DUPLICATE, message);
  g_assert_nonnull (clq_registry_find (registry, CLQ_FEATURE_NODE, "manners.bow", NULL));

  /* What a registry has said once it does not take back. */
  assert_refused (other, "manners", CLQ_PLUGIN_ERROR_NOT_FOUND, "plugin 'manners' not found: there is no folder to look in");
  assert_add_fails (other, &plugin, CLQ_PLUGIN_ERROR_DUPLICATE, message);
}

/* The checks of a file; a refused plugin leaves nothing behind. */
static void
test_added_refused (void)
{
  static const ClqNodeInfo no_enter = { CLQ_NODE_INFO, .name = "bow", .summary = "Bows" };
  static const ClqFeature *const no_features[] = { &no_enter.feature };
  g_autoptr (ClqRegistry) registry = clq_registry_new (NULL);
  ClqPlugin plugin = plugin_for ("manners", features);

  plugin.magic = 1;
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_MAGIC,
                    "a plugin of this program: clq_plugin begins with 0x00000001, expected 0x716c6331; it was not made with CLQ_PLUGIN ()");
  plugin = plugin_for ("manners", features);
  plugin.abi_major = CLQ_ABI_MAJOR + 1;
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_ABI,
                    "a plugin of this program: built for ABI 2.0, this host has 1.0; rebuild the plugin against this SDK");
  plugin = plugin_for ("Manners!", features);
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_NAME,
                    "a plugin of this program: its id is 'Manners!'; expected a name of small letters, digits and dashes");
  plugin = plugin_for (NULL, features);
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_STRUCT, "plugin '' of this program: the plugin has no id");
  plugin = plugin_for ("manners", no_features);
  assert_add_fails (registry, &plugin, CLQ_PLUGIN_ERROR_STRUCT, "plugin 'manners' of this program: node 'bow': enter is not set");
  g_assert_cmpuint (clq_registry_get_entries (registry)->len, ==, 0);
  plugin = plugin_for ("manners", features);
  g_assert_true (clq_registry_add (registry, &plugin, NULL));
}

/* ---- settings ---- */

static void
assert_filled (const char *key, const char *value, gint64 depth, const char *message)
{
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  Bow *self = clq_instance_begin (&bow.feature, &error);

  g_assert_no_error (error);
  g_hash_table_insert (settings, (gpointer) key, (gpointer) value);
  g_assert_cmpint (clq_instance_fill (&bow.feature, self, settings, &error), ==, message == NULL);
  g_assert_cmpstr (error != NULL ? error->message : NULL, ==, message);
  g_assert_cmpint (self->depth, ==, depth);
  g_assert_cmpstr (self->hat, ==, "none");
  clq_instance_free (&bow.feature, self);
}

static void
test_fill (void)
{
  Bow *self = clq_instance_begin (&bow.feature, NULL);

  assert_filled ("depth", "3", 3, NULL);
  assert_filled ("depth", "10", 1, "node 'bow': depth: 10 is out of range; expected 1 to 9");
  assert_filled ("dept", "3", 1, "node 'bow' has no setting 'dept'; did you mean 'depth'?");
  g_assert_true (clq_instance_fill (&bow.feature, self, NULL, NULL));
  clq_instance_free (&bow.feature, self);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/plugins/added/found", test_added_found);
  g_test_add_func ("/colloquy/plugins/added/beside-files", test_added_beside_files);
  g_test_add_func ("/colloquy/plugins/added/twice", test_added_twice);
  g_test_add_func ("/colloquy/plugins/added/refused", test_added_refused);
  g_test_add_func ("/colloquy/plugins/instance/fill", test_fill);
  return g_test_run ();
}
