/* A plugin folder of a test's own, with copies of the fixtures: only so can the test say who may write to them. */
#pragma once

#include "clq-registry.h"

G_BEGIN_DECLS

char *folder_new (void);
void folder_free (char *folder);
char *folder_add (const char *folder, const char *id);
char *folder_add_bytes (const char *folder, const char *id, const guint8 *bytes, gsize length);
GByteArray *fixture_read (const char *id);

ClqRegistry *registry_for (const char *folder);
void assert_refused (ClqRegistry *registry, const char *id, ClqPluginError code, const char *message);
void assert_works (ClqRegistry *registry, const char *kind);

typedef char Folder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Folder, folder_free)

G_END_DECLS
