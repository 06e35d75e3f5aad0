#define G_LOG_DOMAIN "clq-plugins"

#include "clq-registry.h"

#include <string.h>
#include <unistd.h>

#include "clq-loader.h"
#include "clq-plugin-check.h"

struct _ClqRegistry
{
  char **folders;
  GPtrArray *entries; /* ClqPluginEntry, in the order in which they were asked for or added */
  GHashTable *by_id;  /* borrows from entries */
};

static void
entry_free (ClqPluginEntry *entry)
{
  g_free (entry->id);
  g_free (entry->path);
  g_clear_error (&entry->error);
  g_free (entry);
}

/**
 * clq_registry_new:
 * @folders: (array zero-terminated=1): absolute paths of the folders with plugins, the first one first
 *
 * Makes a registry. It looks at nothing until it is asked for a plugin. A relative folder is not followed: asking for a
 * plugin that is in none of the folders before it fails.
 *
 * Returns: (transfer full): the registry
 */
ClqRegistry *
clq_registry_new (const char *const *folders)
{
  ClqRegistry *self = g_new0 (ClqRegistry, 1);
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; folders != NULL && folders[i] != NULL; i++)
    if (g_path_is_absolute (folders[i]))
      g_ptr_array_add (kept, g_canonicalize_filename (folders[i], "/"));
    else if (*folders[i] != '\0')
      g_ptr_array_add (kept, g_strdup (folders[i]));
  g_ptr_array_add (kept, NULL);
  self->folders = (char **) g_ptr_array_free (kept, FALSE);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/**
 * clq_registry_free:
 * @self: (nullable) (transfer full): a registry
 *
 * Forgets the plugins. They stay in the process: features that were found remain valid.
 */
void
clq_registry_free (ClqRegistry *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_strfreev (self->folders);
  g_free (self);
}

/**
 * clq_registry_get_folders:
 * @self: a registry
 *
 * Returns: (transfer none) (array zero-terminated=1): where plugins are looked for
 */
const char *const *
clq_registry_get_folders (ClqRegistry *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return (const char *const *) self->folders;
}

/**
 * clq_registry_get_entries:
 * @self: a registry
 *
 * Returns: (transfer none) (element-type ClqPluginEntry): all plugins that were added or asked for so far, refused ones too
 */
GPtrArray *
clq_registry_get_entries (ClqRegistry *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->entries;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
list_folder (const char *folder, GPtrArray *ids)
{
  g_autoptr (GDir) dir = g_path_is_absolute (folder) ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *id = NULL;

      if (!g_str_has_suffix (name, ".so"))
        continue;
      id = g_strndup (name, strlen (name) - strlen (".so"));
      if (clq_name_is_valid (id) && !g_ptr_array_find_with_equal_func (ids, id, g_str_equal, NULL))
        g_ptr_array_add (ids, g_steal_pointer (&id));
    }
}

static void
list_added (ClqRegistry *self, GPtrArray *ids)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const ClqPluginEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->plugin != NULL && entry->path == NULL)
        g_ptr_array_add (ids, g_strdup (entry->id));
    }
}

/**
 * clq_registry_list_ids:
 * @self: a registry
 *
 * Lists the plugins that were added, and all others by the names of their files. None of them is opened.
 *
 * Returns: (transfer full) (array zero-terminated=1): ids, sorted
 */
char **
clq_registry_list_ids (ClqRegistry *self)
{
  GPtrArray *ids;

  g_return_val_if_fail (self != NULL, NULL);
  ids = g_ptr_array_new ();
  list_added (self, ids);
  for (guint i = 0; self->folders[i] != NULL; i++)
    list_folder (self->folders[i], ids);
  g_ptr_array_sort (ids, compare_names);
  g_ptr_array_add (ids, NULL);
  return (char **) g_ptr_array_free (ids, FALSE);
}

static void
not_found (ClqRegistry *self, const char *id, GError **error)
{
  g_autofree char *folders = g_strjoinv (", ", self->folders);
  g_auto (GStrv) ids = clq_registry_list_ids (self);
  g_autofree char *hint = clq_did_you_mean (id, (const char *const *) ids);

  if (*folders == '\0')
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND, "plugin '%s' not found: there is no folder to look in", id);
  else
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND, "plugin '%s' not found in %s%s", id, folders, hint);
}

static void
entry_load (ClqRegistry *self, ClqPluginEntry *entry)
{
  const ClqPlugin *plugin;
  gsize room;
  int fd;

  if (!clq_name_is_valid (entry->id))
    {
      g_set_error (&entry->error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME,
                   "plugin '%s': expected a name of small letters, digits and dashes", entry->id);
      return;
    }
  fd = clq_loader_find ((const char *const *) self->folders, entry->id, &entry->path, &entry->error);
  if (fd < 0)
    {
      if (entry->error == NULL)
        not_found (self, entry->id, &entry->error);
      return;
    }
  plugin = clq_loader_open (fd, entry->path, &room, &entry->error);
  if (plugin != NULL && clq_plugin_check (plugin, room, entry->id, entry->path, &entry->error))
    entry->plugin = plugin;
}

static void
remember (ClqRegistry *self, ClqPluginEntry *entry)
{
  g_ptr_array_add (self->entries, entry);
  g_hash_table_insert (self->by_id, entry->id, entry);
}

/* What the name of a file would have had to be. */
static gboolean
check_id (const ClqPlugin *plugin, GError **error)
{
  if (plugin->id == NULL || clq_name_is_valid (plugin->id))
    return TRUE;
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME,
               "a plugin of this program: its id is '%s'; expected a name of small letters, digits and dashes", plugin->id);
  return FALSE;
}

/**
 * clq_registry_add:
 * @self: a registry
 * @plugin: a plugin that is part of the program and stays as long as the registry
 * @error: return location
 *
 * Adds a plugin that has no file: `&clq_plugin` of a source that is linked in, which has another name if it was compiled
 * with `-Dclq_plugin=NAME`, or one that the program has put together. It goes through the same checks as one of a file and
 * is found like it; a file of the same id is not looked for. Nobody may have asked for the plugin before. One that is
 * refused is forgotten.
 *
 * Returns: whether the plugin can be used
 */
gboolean
clq_registry_add (ClqRegistry *self, const ClqPlugin *plugin, GError **error)
{
  g_autofree char *place = NULL;
  ClqPluginEntry *entry;

  g_return_val_if_fail (self != NULL && plugin != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  /* Before this nothing can be known about the id. */
  if (!clq_plugin_check_abi (plugin, G_MAXSIZE, "a plugin of this program", error) || !check_id (plugin, error))
    return FALSE;
  place = g_strdup_printf ("plugin '%s' of this program", plugin->id != NULL ? plugin->id : "");
  if (!clq_plugin_check (plugin, G_MAXSIZE, plugin->id, place, error))
    return FALSE;
  if (g_hash_table_contains (self->by_id, plugin->id))
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_DUPLICATE,
                   "%s: there is a plugin '%s' already; expected it to be added once, before anything asks for it", place, plugin->id);
      return FALSE;
    }
  entry = g_new0 (ClqPluginEntry, 1);
  entry->id = g_strdup (plugin->id);
  entry->plugin = plugin;
  remember (self, entry);
  return TRUE;
}

/**
 * clq_registry_open:
 * @self: a registry
 * @id: the id of a plugin
 *
 * Opens a plugin, or says again what came of it when it was added or first asked for.
 *
 * Returns: (transfer none): the plugin, with an error if it was refused
 */
const ClqPluginEntry *
clq_registry_open (ClqRegistry *self, const char *id)
{
  ClqPluginEntry *entry;

  g_return_val_if_fail (self != NULL && id != NULL, NULL);
  entry = g_hash_table_lookup (self->by_id, id);
  if (entry != NULL)
    return entry;
  entry = g_new0 (ClqPluginEntry, 1);
  entry->id = g_strdup (id);
  entry_load (self, entry);
  remember (self, entry);
  return entry;
}

static const ClqFeature *
find_feature (const ClqPlugin *plugin, ClqFeatureType type, const char *name)
{
  for (guint i = 0; i < plugin->n_features; i++)
    if (plugin->features[i]->type == type && strcmp (plugin->features[i]->name, name) == 0)
      return plugin->features[i];
  return NULL;
}

static void
no_feature (const ClqPlugin *plugin, ClqFeatureType type, const char *kind, const char *name, GError **error)
{
  const char *word = clq_feature_type_to_string (type);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < plugin->n_features; i++)
    {
      const ClqFeature *feature = plugin->features[i];

      if (feature->type == type)
        g_ptr_array_add (names, (gpointer) feature->name);
      else if (strcmp (feature->name, name) == 0)
        {
          g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND,
                       "kind '%s': plugin '%s' has no %s of that name, but a %s",
                       kind, plugin->id, word, clq_feature_type_to_string (feature->type));
          return;
        }
    }
  if (names->len == 0)
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND, "kind '%s': plugin '%s' has no %s at all", kind, plugin->id, word);
      return;
    }
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND, "kind '%s': plugin '%s' has no %s of that name%s",
               kind, plugin->id, word, hint);
}

/**
 * clq_registry_find:
 * @self: a registry
 * @type: what is wanted
 * @kind: `PLUGIN.NAME`
 * @error: return location
 *
 * Finds a feature and opens its plugin if need be.
 *
 * Returns: (transfer none): the feature, which is valid for the rest of the process (an added one: as long as its plugin), or %NULL
 */
const ClqFeature *
clq_registry_find (ClqRegistry *self, ClqFeatureType type, const char *kind, GError **error)
{
  const ClqPluginEntry *entry;
  const ClqFeature *feature;
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (self != NULL && kind != NULL, NULL);
  g_return_val_if_fail (type >= CLQ_FEATURE_NODE && type <= CLQ_FEATURE_SERVICE, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);
  parts = g_strsplit (kind, ".", -1);
  if (g_strv_length (parts) != 2 || !clq_name_is_valid (parts[0]) || !clq_name_is_valid (parts[1]))
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME, "kind '%s': expected PLUGIN.NAME", kind);
      return NULL;
    }
  entry = clq_registry_open (self, parts[0]);
  if (entry->plugin == NULL)
    {
      g_propagate_error (error, g_error_copy (entry->error));
      return NULL;
    }
  feature = find_feature (entry->plugin, type, parts[1]);
  if (feature == NULL)
    no_feature (entry->plugin, type, kind, parts[1], error);
  return feature;
}
