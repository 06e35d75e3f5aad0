#define G_LOG_DOMAIN "clq-plugins"

#include "clq-plugin-check.h"

#include <string.h>

/* Who has the name of a type. It lives as long as the type, which is as long as the process. */
typedef struct
{
  GType (*get_type) (void);
  GType type; /* what get_type gave */
  const char *path;
} Claim;

/* A class that leaves enter as it is would call that of the struct. */
static gboolean
can_enter (const ClqNodeInfo *info, GType type)
{
  ClqNodeClass *klass, *base;
  gboolean overridden;

  if (info->enter != NULL)
    return TRUE;
  klass = g_type_class_ref (type);
  base = g_type_class_ref (CLQ_TYPE_NODE);
  overridden = klass->enter != NULL && klass->enter != base->enter;
  g_type_class_unref (base);
  g_type_class_unref (klass);
  return overridden;
}

static gboolean
check_type (const ClqNodeInfo *info, GType type, GError **error)
{
  const char *name = type != G_TYPE_INVALID ? g_type_name (type) : NULL;

  if (name == NULL)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME, "node '%s': get_type gives no type, expected '%s'",
                 info->name, info->type_name);
  else if (strcmp (name, info->type_name) != 0)
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME, "node '%s': get_type gives '%s', but type_name is '%s'",
                 info->name, name, info->type_name);
  else if (!g_type_is_a (type, CLQ_TYPE_NODE))
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT, "node '%s': type '%s' is no subclass of %s",
                 info->name, name, g_type_name (CLQ_TYPE_NODE));
  else if (G_TYPE_IS_ABSTRACT (type))
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT, "node '%s': type '%s' is abstract", info->name, name);
  else if (!can_enter (info, type))
    g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT, "node '%s': enter is not set, neither in the class of '%s' nor in the struct",
                 info->name, name);
  else
    return TRUE;
  return FALSE;
}

static GQuark
get_quark (const ClqNodeInfo *info)
{
  g_autofree char *key = g_strconcat ("clq-claim-", info->type_name, NULL);

  return g_quark_from_string (key);
}

/**
 * clq_node_check_type:
 * @info: a node
 * @error: return location
 *
 * Checks that nobody else has the name of a node's GType. Calls nothing of the plugin.
 *
 * Returns: whether clq_node_claim_type() may be called; %TRUE for a node without a type
 */
gboolean
clq_node_check_type (const ClqNodeInfo *info, GError **error)
{
  const Claim *claim;

  if (info->get_type == NULL)
    return TRUE;
  claim = g_type_get_qdata (CLQ_TYPE_NODE, get_quark (info));
  if (claim != NULL ? claim->get_type == info->get_type : g_type_from_name (info->type_name) == 0)
    return TRUE;
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_DUPLICATE, "node '%s': type '%s' is already registered by %s",
               info->name, info->type_name, claim != NULL ? claim->path : "this process");
  return FALSE;
}

/**
 * clq_node_claim_type:
 * @info: a node
 * @path: its plugin's file
 * @error: return location
 *
 * Registers the GType of a node that has one. GLib cannot register a name twice: the second get_type would hang, and so
 * would a second call of one that failed. So every name is claimed before its get_type is called, and that happens once
 * in a process. Types belong to the process and not to a registry, so the claims hang on #ClqNode's own type.
 *
 * Returns: whether the type can be used; %TRUE for a node without one
 */
gboolean
clq_node_claim_type (const ClqNodeInfo *info, const char *path, GError **error)
{
  GQuark quark;
  Claim *claim;

  if (info->get_type == NULL)
    return TRUE;
  if (!clq_node_check_type (info, error))
    return FALSE;
  quark = get_quark (info);
  claim = g_type_get_qdata (CLQ_TYPE_NODE, quark);
  if (claim == NULL)
    {
      claim = g_new0 (Claim, 1);
      claim->get_type = info->get_type;
      claim->path = g_intern_string (path);
      g_type_set_qdata (CLQ_TYPE_NODE, quark, claim);
      claim->type = info->get_type ();
    }
  return check_type (info, claim->type, error);
}
