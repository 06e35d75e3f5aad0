/* A JSON schema says what a value must look like. Only what is listed in the documentation is understood; the rest is refused. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_SCHEMA_ERROR_SCHEMA = 1, /* the schema itself is wrong */
  CLQ_SCHEMA_ERROR_VALUE,      /* the value does not fit */
  CLQ_SCHEMA_ERROR_WORK,       /* to find out takes too long */
} ClqSchemaError;

#define CLQ_SCHEMA_ERROR (clq_schema_error_quark ())
CLQ_API GQuark clq_schema_error_quark (void);

typedef struct _ClqSchema ClqSchema;

#define CLQ_TYPE_SCHEMA (clq_schema_get_type ())
CLQ_API GType clq_schema_get_type (void);
CLQ_API ClqSchema *clq_schema_new (const char *json, GError **error);
CLQ_API ClqSchema *clq_schema_ref (ClqSchema *self);
CLQ_API void clq_schema_unref (ClqSchema *self);

CLQ_API gboolean clq_schema_check (ClqSchema *self, const char *json, gssize length, GError **error);
CLQ_API gboolean clq_schema_check_value (ClqSchema *self, const char *name, const char *json, gssize length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqSchema, clq_schema_unref)

G_END_DECLS
