/* Everything that is checked about a plugin's description before any function of the plugin is called. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

gboolean clq_plugin_check (const ClqPlugin *plugin, gsize room, const char *id, const char *path, GError **error);
gboolean clq_plugin_check_abi (const ClqPlugin *plugin, gsize room, const char *path, GError **error);
gboolean clq_feature_check (const ClqFeature *feature, guint number, GError **error);
gboolean clq_node_check_type (const ClqNodeInfo *info, GError **error);
gboolean clq_node_claim_type (const ClqNodeInfo *info, const char *path, GError **error);

G_END_DECLS
