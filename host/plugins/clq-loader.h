/* Finds the file of a plugin, makes sure that nobody else can have written it, and hands that very file to the linker. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

int clq_loader_find (const char *const *folders, const char *id, char **path, GError **error);
const ClqPlugin *clq_loader_open (int fd, const char *path, gsize *room, GError **error);

G_END_DECLS
