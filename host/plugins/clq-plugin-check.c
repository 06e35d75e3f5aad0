#define G_LOG_DOMAIN "clq-plugins"

#include "clq-plugin-check.h"

#include <string.h>

/*
 * A struct has the size that it had in the minor it was built for. As long as there is one minor, that is its size now; the
 * one who adds another writes down the old sizes, here and in clq-feature-check.c.
 */
G_STATIC_ASSERT (CLQ_ABI_MINOR == 0);

#define REBUILD "rebuild the plugin against this SDK"

static gboolean
check_description (const ClqPlugin *plugin, gsize room, GError **error)
{
  /* All minors of all majors begin with these members. */
  const gsize head = G_STRUCT_OFFSET (ClqPlugin, n_features);

  if (room < head)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT,
                 "clq_plugin has %" G_GSIZE_FORMAT " bytes, expected %" G_GSIZE_FORMAT "; " REBUILD, room, sizeof (ClqPlugin));
  else if (plugin->magic != CLQ_PLUGIN_MAGIC)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_MAGIC,
                 "clq_plugin begins with 0x%08x, expected 0x%08x; it was not made with CLQ_PLUGIN ()", plugin->magic, CLQ_PLUGIN_MAGIC);
  else if (plugin->abi_major != CLQ_ABI_MAJOR)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_ABI,
                 "built for ABI %u.%u, this host has %d.%d; " REBUILD,
                 plugin->abi_major, plugin->abi_minor, CLQ_ABI_MAJOR, CLQ_ABI_MINOR);
  else if (plugin->abi_minor > CLQ_ABI_MINOR)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_ABI,
                 "built for ABI %u.%u, this host has %d.%d; use a newer host or " REBUILD,
                 plugin->abi_major, plugin->abi_minor, CLQ_ABI_MAJOR, CLQ_ABI_MINOR);
  else if (plugin->size != sizeof (ClqPlugin))
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT,
                 "clq_plugin has %u bytes, expected %" G_GSIZE_FORMAT "; " REBUILD, plugin->size, sizeof (ClqPlugin));
  else if (plugin->size > room)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT,
                 "clq_plugin says that it has %u bytes, but it has %" G_GSIZE_FORMAT "; " REBUILD, plugin->size, room);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_identity (const ClqPlugin *plugin, const char *id, GError **error)
{
  const char *missing = NULL;

  if (plugin->id != NULL && strcmp (plugin->id, id) != 0)
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME,
                   "the plugin's id is '%s', expected '%s'; rename the file to %s.so or change the id", plugin->id, id, plugin->id);
      return FALSE;
    }
  if (plugin->id == NULL)
    missing = "id";
  else if (plugin->version == NULL)
    missing = "version";
  else if (plugin->summary == NULL)
    missing = "summary";
  else if (plugin->n_features == 0 || plugin->features == NULL)
    missing = "feature";
  if (missing == NULL)
    return TRUE;
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT, "the plugin has no %s", missing);
  return FALSE;
}

/* Two nodes may share a type, but not only the name of one. */
static gboolean
check_types_free (const ClqPlugin *plugin, guint index, GError **error)
{
  const ClqNodeInfo *node = (const ClqNodeInfo *) plugin->features[index];

  if (node->type != CLQ_FEATURE_NODE || node->get_type == NULL)
    return TRUE;
  for (guint i = 0; i < index; i++)
    {
      const ClqNodeInfo *other = (const ClqNodeInfo *) plugin->features[i];

      if (other->type != CLQ_FEATURE_NODE || other->get_type == NULL || other->get_type == node->get_type ||
          strcmp (other->type_name, node->type_name) != 0)
        continue;
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_DUPLICATE,
                   "node '%s': node '%s' has a type '%s' too, with another get_type", node->name, other->name, node->type_name);
      return FALSE;
    }
  return clq_node_check_type (node, error);
}

static gboolean
check_names_free (const ClqPlugin *plugin, guint index, GError **error)
{
  const ClqFeature *feature = plugin->features[index];

  for (guint i = 0; i < index; i++)
    if (plugin->features[i]->type == feature->type && strcmp (plugin->features[i]->name, feature->name) == 0)
      {
        g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_DUPLICATE,
                     "%s '%s': the plugin has another %s of that name",
                     clq_feature_type_to_string (feature->type), feature->name, clq_feature_type_to_string (feature->type));
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_features (const ClqPlugin *plugin, const char *path, GError **error)
{
  for (guint i = 0; i < plugin->n_features; i++)
    if (!clq_feature_check (plugin->features[i], i + 1, error) || !check_names_free (plugin, i, error) ||
        !check_types_free (plugin, i, error))
      return FALSE;
  /* Nothing of the plugin has been called so far; get_type is the first. */
  for (guint i = 0; i < plugin->n_features; i++)
    if (plugin->features[i]->type == CLQ_FEATURE_NODE &&
        !clq_node_claim_type ((const ClqNodeInfo *) plugin->features[i], path, error))
      return FALSE;
  return TRUE;
}

/**
 * clq_plugin_check_abi:
 * @plugin: what the symbol `clq_plugin` stands for; its pointers need not be right
 * @room: how many bytes there are
 * @path: the file
 * @error: return location
 *
 * Checks, in this order: magic, ABI major, ABI minor, size.
 *
 * Returns: whether the plugin was built for this host
 */
gboolean
clq_plugin_check_abi (const ClqPlugin *plugin, gsize room, const char *path, GError **error)
{
  if (check_description (plugin, room, error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}

/**
 * clq_plugin_check:
 * @plugin: what the symbol `clq_plugin` stands for
 * @room: how many bytes there are
 * @id: the id that the file's name promises
 * @path: the file
 * @error: return location
 *
 * Checks, in this order: magic, ABI major, ABI minor, size, id, then each feature, then the types of nodes that are
 * GObjects. Only the last step calls a function of the plugin.
 *
 * Returns: whether the plugin can be used
 */
gboolean
clq_plugin_check (const ClqPlugin *plugin, gsize room, const char *id, const char *path, GError **error)
{
  if (!clq_plugin_check_abi (plugin, room, path, error))
    return FALSE;
  if (check_identity (plugin, id, error) && check_features (plugin, path, error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}
