#define G_LOG_DOMAIN "clq-schema"

#include "clq-schema-private.h"

G_DEFINE_BOXED_TYPE (ClqSchema, clq_schema, clq_schema_ref, clq_schema_unref)

/**
 * clq_schema_error_quark:
 *
 * Returns: the domain of the errors of schemas
 */
GQuark
clq_schema_error_quark (void)
{
  return g_quark_from_static_string ("clq-schema-error-quark");
}

/**
 * clq_schema_new:
 * @json: a schema
 * @error: return location
 *
 * Reads a JSON schema. It is refused if it says anything that is not understood, with the place and the nearest keyword;
 * only annotations such as `title`, `description` and `format` are passed over.
 *
 * Returns: (transfer full) (nullable): the schema
 */
ClqSchema *
clq_schema_new (const char *json, GError **error)
{
  g_autoptr (ClqSchema) self = NULL;

  g_return_val_if_fail (json != NULL, NULL);
  if (!clq_json_check (json, -1, NULL, error))
    return NULL;
  self = g_new0 (ClqSchema, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_strdup (json);
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_schema_node_free);
  return clq_schema_compile (self, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * clq_schema_ref:
 * @self: a schema
 *
 * Returns: (transfer full): @self
 */
ClqSchema *
clq_schema_ref (ClqSchema *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * clq_schema_unref:
 * @self: (transfer full): a schema
 */
void
clq_schema_unref (ClqSchema *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->nodes);
  g_free (self->text);
  g_free (self);
}

/**
 * clq_schema_check_value:
 * @self: a schema
 * @name: what messages call the value, may be empty
 * @json: a JSON text from anywhere
 * @length: its length in bytes, or -1 if it ends in a NUL
 * @error: return location
 *
 * Checks a text: that it is JSON, within the limits of [func@Clq.json_check], and that its value fits the schema. Schemas that
 * multiply the work and patterns that never end are given up with an error.
 *
 * Returns: whether the value fits
 */
gboolean
clq_schema_check_value (ClqSchema *self, const char *name, const char *json, gssize length, GError **error)
{
  ClqJsonSpan value;

  g_return_val_if_fail (self != NULL && name != NULL && json != NULL, FALSE);
  if (!clq_json_check (json, length, NULL, error))
    {
      g_prefix_error (error, "%s%s", name, *name != '\0' ? ": " : "");
      return FALSE;
    }
  value = clq_json_span (json, length);
  return clq_schema_check_span (self, name, &value, error);
}

/**
 * clq_schema_check:
 * @self: the schema of a tool
 * @json: the arguments for it, from anywhere
 * @length: their length in bytes, or -1 if they end in a NUL
 * @error: return location
 *
 * Checks the arguments for a tool: [method@Clq.Schema.check_value] under the name `arguments`, for messages such as
 * `arguments.url: expected a string, found 3`.
 *
 * Returns: whether they fit
 */
gboolean
clq_schema_check (ClqSchema *self, const char *json, gssize length, GError **error)
{
  return clq_schema_check_value (self, "arguments", json, length, error);
}
