/* What the reader of keyfiles needs of the keyfile. */
#pragma once

#include "clq-keyfile.h"

G_BEGIN_DECLS

const char *clq_keyfile_own_file (ClqKeyfile *self, const char *file);
ClqGroup *clq_keyfile_add_group (ClqKeyfile *self, const char *name, const char *file, guint line);
void clq_keyfile_put (ClqKeyfile *self, ClqGroup *group, const char *name, const char *value, const char *file, guint line);

G_END_DECLS
