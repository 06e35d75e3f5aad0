/* Two texts, one line for the schema and the rest for the value: both are refused or checked in bounded time. */
#include "clq-schema.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size);
  char *value = strchr (text, '\n');
  g_autoptr (ClqSchema) schema = NULL;
  g_autoptr (GError) error = NULL;

  if (value != NULL)
    *value++ = '\0';
  schema = clq_schema_new (text, &error);
  g_assert ((schema == NULL) == (error != NULL));
  if (schema == NULL || value == NULL)
    return 0;
  if (!clq_schema_check (schema, value, -1, &error))
    g_assert (error != NULL && error->message != NULL);
  return 0;
}
