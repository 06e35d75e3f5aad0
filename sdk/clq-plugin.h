/*
 * What a plugin exports: one constant, `clq_plugin`, that describes it. Nothing of a plugin runs before magic, ABI,
 * sizes, names and required fields of that constant have been checked.
 */
#pragma once

#include "clq-setting.h"

G_BEGIN_DECLS

#define CLQ_PLUGIN_MAGIC 0x716c6331u /* "1clq" in a dump */
#define CLQ_ABI_MAJOR 1
#define CLQ_ABI_MINOR 0

typedef enum
{
  CLQ_FEATURE_NODE = 1,
  CLQ_FEATURE_MODALITY,
  CLQ_FEATURE_AGENT,
  CLQ_FEATURE_STORE,
  CLQ_FEATURE_TOOL,
  CLQ_FEATURE_SERVICE,
} ClqFeatureType;

/* What all features have in common. Every info struct begins with these members. */
#define CLQ_FEATURE_MEMBERS \
  guint32 size; /* of the whole info struct, as the plugin was compiled */ \
  guint32 type; /* ClqFeatureType */ \
  guint32 setting_size; \
  guint32 self_size; /* bytes of the instance, zeroed and filled from the settings */ \
  const char *name; \
  const char *summary; \
  const ClqSetting *settings; \
  gboolean (*init) (gpointer self, GError * *error); /* after the settings are filled */ \
  void (*clear) (gpointer self);                     /* before the settings are freed */

typedef struct
{
  CLQ_FEATURE_MEMBERS
} ClqFeature;

#define CLQ_FEATURE_HEAD \
  union \
  { \
    ClqFeature feature; \
    struct \
    { \
      CLQ_FEATURE_MEMBERS \
    }; \
  };

#define CLQ_FEATURE_INIT(Info, feature_type) \
  .size = sizeof (Info), .type = feature_type, .setting_size = sizeof (ClqSetting)

typedef struct
{
  guint32 magic;
  guint16 abi_major;
  guint16 abi_minor;
  guint32 size;
  guint32 n_features;
  const char *id;
  const char *version;
  const char *summary;
  const ClqFeature *const *features;
} ClqPlugin;

CLQ_API const ClqPlugin clq_plugin;

#define CLQ_PLUGIN(plugin_id, plugin_version, plugin_summary, ...) \
  static const ClqFeature *const clq_plugin_features[] = { __VA_ARGS__ }; \
  const ClqPlugin clq_plugin = { \
    .magic = CLQ_PLUGIN_MAGIC, \
    .abi_major = CLQ_ABI_MAJOR, \
    .abi_minor = CLQ_ABI_MINOR, \
    .size = sizeof (ClqPlugin), \
    .n_features = G_N_ELEMENTS (clq_plugin_features), \
    .id = plugin_id, \
    .version = plugin_version, \
    .summary = plugin_summary, \
    .features = clq_plugin_features, \
  }

CLQ_API const char *clq_feature_type_to_string (ClqFeatureType type);

G_END_DECLS
