#define G_LOG_DOMAIN "clq-plugins"

#include <stddef.h>

#include "clq-registry.h"

/* What stands before the memory that a feature sees as its own. */
typedef struct
{
  gboolean ready; /* init has succeeded, so clear is due */
  _Alignas(max_align_t) char self[];
} Instance;

static Instance *
get_instance (gpointer self)
{
  return (Instance *) ((char *) self - offsetof (Instance, self));
}

/**
 * clq_instance_begin:
 * @feature: a feature that clq_registry_find() gave
 * @error: return location
 *
 * Makes the memory of an instance: zeroed, with the defaults of the settings. The caller then reads its own values into
 * it with clq_instance_fill() or clq_setting_parse() and calls clq_instance_ready().
 *
 * Returns: (transfer full): the instance, for clq_instance_free(), or %NULL
 */
gpointer
clq_instance_begin (const ClqFeature *feature, GError **error)
{
  Instance *instance;

  g_return_val_if_fail (feature != NULL, NULL);
  instance = g_try_malloc0 (sizeof (Instance) + MAX (feature->self_size, 1));
  if (instance == NULL)
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_START, "%s '%s': no memory for %u bytes",
                   clq_feature_type_to_string (feature->type), feature->name, feature->self_size);
      return NULL;
    }
  if (clq_settings_set_defaults (feature->settings, feature->setting_size, instance->self, error))
    return instance->self;
  g_prefix_error (error, "%s '%s': ", clq_feature_type_to_string (feature->type), feature->name);
  clq_instance_free (feature, instance->self);
  return NULL;
}

/**
 * clq_instance_fill:
 * @feature: the feature
 * @instance: what clq_instance_begin() gave
 * @settings: (nullable) (element-type utf8 utf8): keys and values as they stand in a file
 * @error: return location
 *
 * Reads settings into an instance that is not ready yet.
 *
 * Returns: whether the feature takes them
 */
gboolean
clq_instance_fill (const ClqFeature *feature, gpointer instance, GHashTable *settings, GError **error)
{
  GHashTableIter iter;
  gpointer key, value;

  g_return_val_if_fail (feature != NULL && instance != NULL, FALSE);
  if (settings == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, settings);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const ClqSetting *setting = clq_settings_find (feature->settings, feature->setting_size, key);

      if (setting == NULL)
        {
          g_auto (GStrv) keys = clq_settings_dup_keys (feature->settings, feature->setting_size);
          g_autofree char *hint = clq_did_you_mean (key, (const char *const *) keys);

          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "%s '%s' has no setting '%s'%s",
                       clq_feature_type_to_string (feature->type), feature->name, (const char *) key, hint);
          return FALSE;
        }
      if (!clq_setting_parse (setting, value, instance, error))
        {
          g_prefix_error (error, "%s '%s': %s: ", clq_feature_type_to_string (feature->type), feature->name, (const char *) key);
          return FALSE;
        }
    }
  return TRUE;
}

/* The file in the first folder that has it. */
static char *
find_file (const char *name, const char *const *folders, GError **error)
{
  g_autofree char *all = NULL;

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folders[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_canonicalize_filename (path, NULL);
    }
  all = g_strjoinv (", ", (char **) folders);
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "there is no '%s' in %s", name, *all != '\0' ? all : "no folder at all");
  return NULL;
}

/**
 * clq_instance_find_files:
 * @feature: the feature
 * @instance: what clq_instance_begin() gave, with its settings filled
 * @folders: (array zero-terminated=1): where to look, the first one first
 * @error: return location
 *
 * Makes absolute paths of settings that name files; an absolute one stays as it is.
 *
 * Returns: whether all are there
 */
gboolean
clq_instance_find_files (const ClqFeature *feature, gpointer instance, const char *const *folders, GError **error)
{
  const char *const root[] = { "/", NULL };
  const ClqSetting *setting = NULL;

  g_return_val_if_fail (feature != NULL && instance != NULL && folders != NULL, FALSE);
  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    {
      char **place = G_STRUCT_MEMBER_P (instance, setting->offset), *path;

      if (setting->type != CLQ_SETTING_FILE || *place == NULL || **place == '\0')
        continue;
      path = find_file (*place, g_path_is_absolute (*place) ? root : folders, error);
      if (path == NULL)
        {
          g_autofree char *key = clq_setting_dup_key (setting);

          g_prefix_error (error, "%s '%s': %s: ", clq_feature_type_to_string (feature->type), feature->name, key);
          return FALSE;
        }
      g_free (*place);
      *place = path;
    }
  return TRUE;
}

/**
 * clq_instance_ready:
 * @feature: the feature
 * @instance: what clq_instance_begin() gave, with its settings filled
 * @error: return location
 *
 * Lets the feature initialise the instance. On error the instance can only be freed.
 *
 * Returns: whether it can be used
 */
gboolean
clq_instance_ready (const ClqFeature *feature, gpointer instance, GError **error)
{
  const char *type;
  GError *local = NULL;

  g_return_val_if_fail (feature != NULL && instance != NULL, FALSE);
  g_return_val_if_fail (!get_instance (instance)->ready, FALSE);
  if (feature->init == NULL || feature->init (instance, &local))
    {
      g_clear_error (&local);
      get_instance (instance)->ready = TRUE;
      return TRUE;
    }
  type = clq_feature_type_to_string (feature->type);
  if (local == NULL)
    g_set_error (&local, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_START, "init failed and did not say why");
  g_propagate_prefixed_error (error, local, "%s '%s': ", type, feature->name);
  return FALSE;
}

/**
 * clq_instance_free:
 * @feature: the feature
 * @instance: (nullable) (transfer full): an instance, ready or not
 *
 * Lets the feature clear the instance if it was ready, then frees settings and memory.
 */
void
clq_instance_free (const ClqFeature *feature, gpointer instance)
{
  g_return_if_fail (feature != NULL);
  if (instance == NULL)
    return;
  if (get_instance (instance)->ready && feature->clear != NULL)
    feature->clear (instance);
  clq_settings_clear (feature->settings, feature->setting_size, instance);
  g_free (get_instance (instance));
}
