/* The registry opens plugins by the name of a kind, checks them before any of their code runs, and remembers all of them. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _ClqRegistry ClqRegistry;

/* A plugin that was asked for or added. Refused ones stay, with the reason. */
typedef struct
{
  char *id;
  char *path;              /* NULL if no file was found, or if it is part of the program */
  const ClqPlugin *plugin; /* NULL if refused */
  GError *error;           /* NULL if accepted */
} ClqPluginEntry;

CLQ_API ClqRegistry *clq_registry_new (const char *const *folders);
CLQ_API void clq_registry_free (ClqRegistry *self);
CLQ_API const char *const *clq_registry_get_folders (ClqRegistry *self);
CLQ_API gboolean clq_registry_add (ClqRegistry *self, const ClqPlugin *plugin, GError **error);
CLQ_API const ClqPluginEntry *clq_registry_open (ClqRegistry *self, const char *id);
CLQ_API GPtrArray *clq_registry_get_entries (ClqRegistry *self);
CLQ_API char **clq_registry_list_ids (ClqRegistry *self);
CLQ_API const ClqFeature *clq_registry_find (ClqRegistry *self, ClqFeatureType type, const char *kind, GError **error);

/* An instance of a feature: zeroed memory of its size, settings, then its own init. */
CLQ_API gpointer clq_instance_begin (const ClqFeature *feature, GError **error);
CLQ_API gboolean clq_instance_fill (const ClqFeature *feature, gpointer instance, GHashTable *settings, GError **error);
CLQ_API gboolean clq_instance_find_files (const ClqFeature *feature, gpointer instance, const char *const *folders, GError **error);
CLQ_API gboolean clq_instance_ready (const ClqFeature *feature, gpointer instance, GError **error);
CLQ_API void clq_instance_free (const ClqFeature *feature, gpointer instance);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqRegistry, clq_registry_free)

G_END_DECLS
