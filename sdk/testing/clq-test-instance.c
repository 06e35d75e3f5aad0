#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

static gboolean
fill (const ClqFeature *feature, gpointer instance, va_list settings, GError **error)
{
  for (const char *key = va_arg (settings, const char *); key != NULL; key = va_arg (settings, const char *))
    {
      const char *value = va_arg (settings, const char *);
      const ClqSetting *setting = clq_settings_find (feature->settings, feature->setting_size, key);

      if (setting == NULL)
        {
          g_auto (GStrv) keys = clq_settings_dup_keys (feature->settings, feature->setting_size);
          g_autofree char *hint = clq_did_you_mean (key, (const char *const *) keys);

          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "%s '%s' has no setting '%s'%s",
                       clq_feature_type_to_string (feature->type), feature->name, key, hint);
          return FALSE;
        }
      if (!clq_setting_parse (setting, value, instance, error))
        {
          g_prefix_error (error, "%s: ", key);
          return FALSE;
        }
    }
  return TRUE;
}

/* Private: an instance of a feature; @settings are keys and values up to a NULL. */
gpointer
test_instance_new (const ClqFeature *feature, va_list settings, GError **error)
{
  gpointer instance = g_malloc0 (MAX (feature->self_size, 1));

  if (clq_settings_set_defaults (feature->settings, feature->setting_size, instance, error) &&
      fill (feature, instance, settings, error) &&
      (feature->init == NULL || feature->init (instance, error)))
    return instance;
  /* What is not ready is not cleared, only its settings are. */
  clq_settings_clear (feature->settings, feature->setting_size, instance);
  g_free (instance);
  return NULL;
}

/* Private. */
void
test_instance_free (const ClqFeature *feature, gpointer instance)
{
  if (feature->clear != NULL)
    feature->clear (instance);
  clq_settings_clear (feature->settings, feature->setting_size, instance);
  g_free (instance);
}
