/* What passes the check can be walked, found in, edited and parsed; what stands in a text is valid itself. */
#include "clq-json.h"
#include "fuzz.h"

static void
walk (const ClqJsonSpan *span, guint depth)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  g_assert (depth <= CLQ_JSON_MAX_DEPTH);
  if (span->type == CLQ_JSON_STRING)
    {
      g_autofree char *text = clq_json_span_dup_string (span);

      g_assert (g_utf8_validate (text, -1, NULL) && clq_json_span_string_equal (span, text));
    }
  if ((span->type != CLQ_JSON_ARRAY && span->type != CLQ_JSON_OBJECT) || !clq_json_iter_init (&iter, span))
    return;
  while (clq_json_iter_next (&iter, &key, &value))
    walk (&value, depth + 1);
}

/* What stands in a text is valid, of that type, and stands there. */
static void
extract (const char *text, ClqJsonType type)
{
  g_autofree char *found = clq_json_extract (text, type);

  g_assert (found == NULL || (clq_json_check (found, -1, NULL, NULL) && clq_json_span (found, -1).type == type && strstr (text, found) != NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size);
  gboolean is_valid = clq_json_check (text, (gssize) size, NULL, NULL);

  if (is_valid)
    {
      ClqJsonSpan root = clq_json_span (text, (gssize) size);
      g_autoptr (JsonNode) node = clq_json_parse (text, (gssize) size, NULL);
      g_autoptr (GString) copy = g_string_new_len (text, (gssize) size);

      walk (&root, 0);
      g_assert (root.type == CLQ_JSON_NONE || node != NULL);
      if (root.type == CLQ_JSON_OBJECT && clq_json_set (copy, "new.member", "[1]"))
        g_assert (clq_json_check (copy->str, (gssize) copy->len, NULL, NULL) || copy->len > CLQ_JSON_MAX_SIZE);
    }
  extract (text, CLQ_JSON_OBJECT);
  extract (text, CLQ_JSON_ARRAY);
  return 0;
}
