#define G_LOG_DOMAIN "clq-schema"

#include "clq-schema-private.h"

#include <string.h>

/* References: where they lead, and that following them ends. */

/* One step of a pointer; ~1 is a slash and ~0 a tilde. */
static ClqJsonSpan
step_into (const ClqJsonSpan *span, const char *token)
{
  g_auto (GStrv) tildes = g_strsplit (token, "~1", -1);
  g_autofree char *slashes = g_strjoinv ("/", tildes);
  g_auto (GStrv) parts = g_strsplit (slashes, "~0", -1);
  g_autofree char *name = g_strjoinv ("~", parts);
  ClqJsonIter iter;
  ClqJsonSpan key, value = { CLQ_JSON_NONE, NULL, 0 };
  guint64 index = 0;

  clq_json_iter_init (&iter, span);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *number = iter.object ? NULL : g_strdup_printf ("%" G_GUINT64_FORMAT, index++);

      if (iter.object ? clq_json_span_string_equal (&key, name) : strcmp (number, name) == 0)
        break;
    }
  return value;
}

/* Private: what a pointer such as #/$defs/name leads to, in the checked text of a schema. */
ClqJsonSpan
clq_schema_resolve (const char *text, const char *pointer)
{
  g_autofree char *plain = g_uri_unescape_string (pointer, NULL);
  g_auto (GStrv) tokens = NULL;
  ClqJsonSpan span = clq_json_span (text, -1);

  if (plain == NULL || !g_utf8_validate (plain, -1, NULL))
    return (ClqJsonSpan){ CLQ_JSON_NONE, NULL, 0 };
  tokens = g_strsplit (plain, "/", -1);
  for (guint i = 1; i < g_strv_length (tokens) && span.type != CLQ_JSON_NONE; i++)
    span = step_into (&span, tokens[i]);
  return span;
}

static gboolean measure (SchemaNode *node, guint depth);

static gboolean
measure_list (SchemaNode *node, const GPtrArray *list, guint depth)
{
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      SchemaNode *inner = g_ptr_array_index (list, i);

      if (!measure (inner, depth))
        return FALSE;
      node->nesting = MAX (node->nesting, inner->nesting + 1);
    }
  return TRUE;
}

/* Finds out how many schemas apply to one value inside each other. One that applies to the same value as itself never ends. */
static gboolean
measure (SchemaNode *node, guint depth)
{
  SchemaNode *single[] = { node->negated, node->target };

  if (node->open || depth > SCHEMA_MAX_NESTING)
    return FALSE;
  if (node->nesting > 0)
    return TRUE;
  node->open = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    if (single[i] != NULL)
      {
        if (!measure (single[i], depth + 1))
          return FALSE;
        node->nesting = MAX (node->nesting, single[i]->nesting + 1);
      }
  if (!measure_list (node, node->all_of, depth + 1) || !measure_list (node, node->any_of, depth + 1) ||
      !measure_list (node, node->one_of, depth + 1))
    return FALSE;
  node->nesting = MAX (node->nesting, 1);
  node->open = FALSE;
  return node->nesting <= SCHEMA_MAX_NESTING;
}

/* Private: whether every check of a value comes to an end, without going too deep. */
gboolean
clq_schema_nests_little (ClqSchema *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (!measure (g_ptr_array_index (self->nodes, i), 0))
      return FALSE;
  return TRUE;
}
