#define G_LOG_DOMAIN "clq-plugin"

#include "clq-private.h"

static const char *const type_names[] = { "?", "node", "modality", "agent", "store", "tool", "service" };

/**
 * clq_feature_type_to_string:
 * @type: a type
 *
 * Returns: (transfer none): its name
 */
const char *
clq_feature_type_to_string (ClqFeatureType type)
{
  return (guint) type < G_N_ELEMENTS (type_names) ? type_names[type] : type_names[0];
}
