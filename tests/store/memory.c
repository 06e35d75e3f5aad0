#include "memory.h"

static ClqRegistry *registry;

/* Private: the test's registry, which looks where the environment says. */
static const ClqFeature *
find_store (void)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature;

  if (registry == NULL)
    {
      const char *const folders[] = { g_getenv ("CLQ_PLUGIN_PATH"), NULL };

      g_assert_nonnull (folders[0]);
      registry = clq_registry_new (folders);
    }
  feature = clq_registry_find (registry, CLQ_FEATURE_STORE, "memory.store", &error);
  g_assert_no_error (error);
  return feature;
}

gpointer
memory_open (const ClqStoreInfo **info, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = find_store ();
  gpointer instance = clq_instance_begin (feature, &error);

  g_assert_no_error (error);
  clq_instance_ready (feature, instance, &error);
  g_assert_no_error (error);
  *info = (const ClqStoreInfo *) feature;
  (*info)->open (instance, NULL, &error);
  g_assert_no_error (error);
  return instance;
}

void
memory_close (gpointer instance, gpointer user_data)
{
  clq_instance_free (find_store (), instance);
  g_clear_pointer (&registry, clq_registry_free);
}
