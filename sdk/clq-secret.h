/* A secret has no way to become text by accident: only clq_secret_reveal () shows it. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef struct _ClqSecret ClqSecret;

#define CLQ_TYPE_SECRET (clq_secret_get_type ())
CLQ_API GType clq_secret_get_type (void);
CLQ_API ClqSecret *clq_secret_new_from_reference (const char *reference, GError **error);
CLQ_API ClqSecret *clq_secret_ref (ClqSecret *self);
CLQ_API void clq_secret_unref (ClqSecret *self);
CLQ_API const char *clq_secret_reveal (ClqSecret *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqSecret, clq_secret_unref)

G_END_DECLS
