#define G_LOG_DOMAIN "clq-schema"

#include "clq-schema-private.h"

#include <string.h>

#include "clq-text.h"

/* Longer patterns are no patterns for an argument. */
#define MAX_PATTERN 4096

/* A match that needs more steps or memory is given up, so that no text can hold up the host. */
#define PATTERN_LIMITS "(*LIMIT_MATCH=20000)(*LIMIT_DEPTH=2000)(*LIMIT_HEAP=4096)"

/* A $ref that is looked up when the schemas around it are read: chains of them must not cost stack. */
typedef struct
{
  SchemaNode *node;
  ClqJsonSpan pointer;
  char *path;
} Reference;

typedef struct
{
  ClqSchema *schema;
  GHashTable *by_place; /* position in the text → SchemaNode */
  GQueue references;    /* of Reference, still to be looked up */
  GString *path;
  GError **error;
} Compiler;

typedef struct _Keyword Keyword;
struct _Keyword
{
  const char *name;
  gboolean (*read) (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value); /* NULL = it says nothing about values */
  gsize offset;                                                                                          /* of the member that it fills */
};

static SchemaNode *read_schema (Compiler *self, const ClqJsonSpan *span);

static gboolean
fail (Compiler *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Compiler *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_SCHEMA, "%s%s%s", self->path->str, self->path->len > 0 ? ": " : "", message);
  return FALSE;
}

static gboolean
fail_expected (Compiler *self, const char *expected, const ClqJsonSpan *found)
{
  g_autofree char *shown = clq_schema_show (found);

  return fail (self, "expected %s, found %s", expected, shown);
}

static void
reference_free (Reference *reference)
{
  g_free (reference->path);
  g_free (reference);
}

static void
compiler_clear (Compiler *self)
{
  g_hash_table_unref (self->by_place);
  g_queue_clear_full (&self->references, (GDestroyNotify) reference_free);
  g_string_free (self->path, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compiler, compiler_clear)

/* Private. */
void
clq_schema_node_free (SchemaNode *node)
{
  g_clear_pointer (&node->pattern, g_regex_unref);
  g_clear_pointer (&node->properties, g_hash_table_unref);
  g_clear_pointer (&node->names, g_ptr_array_unref);
  g_clear_pointer (&node->required, g_ptr_array_unref);
  g_clear_pointer (&node->all_of, g_ptr_array_unref);
  g_clear_pointer (&node->any_of, g_ptr_array_unref);
  g_clear_pointer (&node->one_of, g_ptr_array_unref);
  g_free (node->pattern_text);
  g_free (node);
}

/* ---- one function per form of a keyword's value ---- */

static gboolean
read_one_type (Compiler *self, SchemaNode *node, const ClqJsonSpan *value)
{
  g_autofree char *name = clq_json_span_dup_string (value);
  g_autofree char *hint = NULL;

  if (name == NULL)
    return fail_expected (self, "the name of a type", value);
  for (guint i = 0; clq_schema_type_names[i] != NULL; i++)
    if (strcmp (name, clq_schema_type_names[i]) == 0)
      {
        node->types |= 1u << i;
        return TRUE;
      }
  hint = clq_did_you_mean (name, clq_schema_type_names);
  return fail (self, "unknown type '%s'%s", name, hint);
}

static gboolean
read_type (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  ClqJsonIter iter;
  ClqJsonSpan name;

  if (!clq_json_iter_init (&iter, value) || iter.object)
    return read_one_type (self, node, value);
  while (clq_json_iter_next (&iter, NULL, &name))
    if (!read_one_type (self, node, &name))
      return FALSE;
  return node->types != 0 || fail (self, "expected at least one type");
}

static gboolean
read_value (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  G_STRUCT_MEMBER (ClqJsonSpan, node, keyword->offset) = *value;
  return TRUE;
}

static gboolean
read_enum (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  ClqJsonIter iter;

  if (value->type != CLQ_JSON_ARRAY)
    return fail_expected (self, "an array of values", value);
  clq_json_iter_init (&iter, value);
  if (!clq_json_iter_next (&iter, NULL, NULL))
    return fail (self, "expected at least one value");
  return read_value (self, node, keyword, value);
}

static gboolean
read_number (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  return value->type == CLQ_JSON_NUMBER ? read_value (self, node, keyword, value) : fail_expected (self, "a number", value);
}

static gboolean
read_multiple (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  guint digits = 0;

  if (value->type != CLQ_JSON_NUMBER || clq_schema_number (value) <= 0)
    return fail_expected (self, "a number above 0", value);
  for (gsize i = 0; i < value->length && value->start[i] != 'e' && value->start[i] != 'E'; i++)
    digits += g_ascii_isdigit (value->start[i]);
  if (digits > 18)
    return fail_expected (self, "a number of at most 18 digits", value);
  return read_value (self, node, keyword, value);
}

static gboolean
read_count (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  if ((clq_schema_types_of (value) & SCHEMA_INTEGER) == 0 || clq_schema_number (value) < 0)
    return fail_expected (self, "an integer from 0 on", value);
  G_STRUCT_MEMBER (gint64, node, keyword->offset) = clq_json_span_get_int (value);
  return TRUE;
}

static gboolean
read_bool (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  if (value->type != CLQ_JSON_BOOL)
    return fail_expected (self, "true or false", value);
  G_STRUCT_MEMBER (gboolean, node, keyword->offset) = clq_json_span_is_true (value);
  return TRUE;
}

/* As in the regular expressions of JSON schema, $ is the very end. */
static gboolean
read_pattern (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  g_autofree char *limited = NULL;
  g_autoptr (GError) local = NULL;

  if (value->type != CLQ_JSON_STRING)
    return fail_expected (self, "a regular expression", value);
  if (value->length > MAX_PATTERN)
    return fail (self, "expected a regular expression of at most %d bytes", MAX_PATTERN);
  node->pattern_text = clq_json_span_dup_string (value);
  if (g_str_has_prefix (node->pattern_text, "(*"))
    return fail (self, "expected a regular expression without directives, found %s", node->pattern_text);
  limited = g_strconcat (PATTERN_LIMITS, node->pattern_text, NULL);
  node->pattern = g_regex_new (limited, G_REGEX_DOLLAR_ENDONLY, 0, &local);
  return node->pattern != NULL || fail (self, "'%s' is no regular expression", node->pattern_text);
}

static gboolean
read_one (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  SchemaNode *inner = read_schema (self, value);

  G_STRUCT_MEMBER (SchemaNode *, node, keyword->offset) = inner;
  return inner != NULL;
}

static gboolean
read_several (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  GPtrArray *list = g_ptr_array_new ();
  gsize length = self->path->len;
  ClqJsonIter iter;
  ClqJsonSpan item;

  G_STRUCT_MEMBER (GPtrArray *, node, keyword->offset) = list;
  if (value->type != CLQ_JSON_ARRAY)
    return fail_expected (self, "an array of schemas", value);
  clq_json_iter_init (&iter, value);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      SchemaNode *inner;

      clq_schema_path_add_index (self->path, list->len);
      inner = read_schema (self, &item);
      if (inner == NULL)
        return FALSE;
      g_ptr_array_add (list, inner);
      g_string_truncate (self->path, length);
    }
  return list->len > 0 || fail (self, "expected at least one schema");
}

static SchemaProperty *
add_property (SchemaNode *node, const char *name)
{
  SchemaProperty *property;

  if (node->properties == NULL)
    node->properties = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  property = g_hash_table_lookup (node->properties, name);
  if (property == NULL)
    {
      property = g_new0 (SchemaProperty, 1);
      g_hash_table_insert (node->properties, g_strdup (name), property);
    }
  return property;
}

/* Reads an object of schemas. Where @node is given its properties are meant; otherwise definitions, which are only read to be checked. */
static gboolean
read_named (Compiler *self, SchemaNode *node, const ClqJsonSpan *value)
{
  gsize length = self->path->len;
  ClqJsonIter iter;
  ClqJsonSpan key, item;

  if (value->type != CLQ_JSON_OBJECT)
    return fail_expected (self, "an object of schemas", value);
  clq_json_iter_init (&iter, value);
  while (clq_json_iter_next (&iter, &key, &item))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      SchemaNode *inner;

      clq_schema_path_add (self->path, name);
      inner = read_schema (self, &item);
      if (inner == NULL)
        return FALSE;
      if (node != NULL)
        {
          add_property (node, name)->node = inner;
          g_ptr_array_add (node->names, g_steal_pointer (&name));
        }
      g_string_truncate (self->path, length);
    }
  return TRUE;
}

static gboolean
read_properties (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  node->names = g_ptr_array_new_with_free_func (g_free);
  return read_named (self, node, value);
}

static gboolean
read_definitions (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  return read_named (self, NULL, value);
}

static gboolean
read_required (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  ClqJsonIter iter;
  ClqJsonSpan item;

  node->required = g_ptr_array_new_with_free_func (g_free);
  if (value->type != CLQ_JSON_ARRAY)
    return fail_expected (self, "an array of names", value);
  clq_json_iter_init (&iter, value);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *name = clq_json_span_dup_string (&item);
      SchemaProperty *property;

      if (name == NULL)
        return fail_expected (self, "a name", &item);
      property = add_property (node, name);
      if (property->required != 0)
        return fail (self, "'%s' stands there twice", name);
      g_ptr_array_add (node->required, g_steal_pointer (&name));
      property->required = node->required->len;
    }
  return TRUE;
}

static gboolean
read_reference (Compiler *self, SchemaNode *node, const Keyword *keyword, const ClqJsonSpan *value)
{
  Reference *reference;

  if (value->type != CLQ_JSON_STRING)
    return fail_expected (self, "a place in this schema such as \"#/$defs/name\"", value);
  reference = g_new (Reference, 1);
  reference->node = node;
  reference->pointer = *value;
  reference->path = g_strdup (self->path->str);
  g_queue_push_tail (&self->references, reference);
  return TRUE;
}

/* ---- schemas ---- */

#define MEMBER(member) G_STRUCT_OFFSET (SchemaNode, member)

static const Keyword keywords[] = {
  { "type", read_type },
  { "enum", read_enum, MEMBER (enumeration) },
  { "const", read_value, MEMBER (constant) },
  { "minimum", read_number, MEMBER (minimum) },
  { "maximum", read_number, MEMBER (maximum) },
  { "exclusiveMinimum", read_number, MEMBER (exclusive_minimum) },
  { "exclusiveMaximum", read_number, MEMBER (exclusive_maximum) },
  { "multipleOf", read_multiple, MEMBER (multiple_of) },
  { "minLength", read_count, MEMBER (min_length) },
  { "maxLength", read_count, MEMBER (max_length) },
  { "pattern", read_pattern },
  { "items", read_one, MEMBER (items) },
  { "minItems", read_count, MEMBER (min_items) },
  { "maxItems", read_count, MEMBER (max_items) },
  { "uniqueItems", read_bool, MEMBER (unique_items) },
  { "properties", read_properties },
  { "required", read_required },
  { "additionalProperties", read_one, MEMBER (additional) },
  { "minProperties", read_count, MEMBER (min_properties) },
  { "maxProperties", read_count, MEMBER (max_properties) },
  { "allOf", read_several, MEMBER (all_of) },
  { "anyOf", read_several, MEMBER (any_of) },
  { "oneOf", read_several, MEMBER (one_of) },
  { "not", read_one, MEMBER (negated) },
  { "$ref", read_reference },
  { "definitions", read_definitions },
  { "$defs", read_definitions },
  { "title" },
  { "description" },
  { "default" },
  { "examples" },
  { "format" },
  { "deprecated" },
  { "readOnly" },
  { "writeOnly" },
  { "$comment" },
  { "$schema" },
  { "$id" },
};

/* What other validators know: to say that it is unknown would send people looking for a typing mistake. */
static const char *const unsupported[] = {
  "patternProperties", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas",
  "unevaluatedProperties", "unevaluatedItems", "prefixItems", "additionalItems", "contains", "minContains", "maxContains",
  "if", "then", "else", "contentEncoding", "contentMediaType", "contentSchema",
  "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary",
  NULL
};

static gboolean
fail_keyword (Compiler *self, const char *name)
{
  const char *names[G_N_ELEMENTS (keywords) + 1] = { NULL };
  const char *nearest;
  g_autofree char *hint = NULL;

  if (g_strv_contains (unsupported, name))
    return fail (self, "the keyword '%s' is not supported", name);
  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    names[i] = keywords[i].name;
  nearest = clq_nearest (name, names);
  hint = nearest != NULL ? g_strdup_printf ("; did you mean '%s'?", nearest) : g_strdup ("");
  return fail (self, "unknown keyword '%s'%s", name, hint);
}

static gboolean
read_keyword (Compiler *self, SchemaNode *node, const char *name, const ClqJsonSpan *value)
{
  gsize length = self->path->len;

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strcmp (name, keywords[i].name) == 0)
      {
        clq_schema_path_add (self->path, name);
        if (keywords[i].read != NULL && !keywords[i].read (self, node, &keywords[i], value))
          return FALSE;
        g_string_truncate (self->path, length);
        return TRUE;
      }
  return fail_keyword (self, name);
}

/* The schema at a place of the text. It is read once, so that several references share it and it may refer to itself. */
static SchemaNode *
read_schema (Compiler *self, const ClqJsonSpan *span)
{
  SchemaNode *node = g_hash_table_lookup (self->by_place, span->start);
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  if (node != NULL)
    return node;
  if (span->type != CLQ_JSON_OBJECT && span->type != CLQ_JSON_BOOL)
    {
      fail_expected (self, "a schema", span);
      return NULL;
    }
  node = g_new0 (SchemaNode, 1);
  node->min_length = node->max_length = node->min_items = node->max_items = node->min_properties = node->max_properties = -1;
  node->never = span->type == CLQ_JSON_BOOL && !clq_json_span_is_true (span);
  g_ptr_array_add (self->schema->nodes, node);
  g_hash_table_insert (self->by_place, (gpointer) span->start, node);
  clq_json_iter_init (&iter, span);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);

      if (!read_keyword (self, node, name, &value))
        return NULL;
    }
  return node;
}

/* ---- the whole ---- */

static gboolean
follow (Compiler *self, const Reference *reference)
{
  g_autofree char *pointer = clq_json_span_dup_string (&reference->pointer);
  ClqJsonSpan span;

  g_string_assign (self->path, reference->path);
  if (pointer[0] != '#' || (pointer[1] != '\0' && pointer[1] != '/'))
    return fail (self, "expected a place in this schema such as \"#/$defs/name\", found \"%s\"", pointer);
  span = clq_schema_resolve (self->schema->text, pointer);
  if (span.type == CLQ_JSON_NONE)
    return fail (self, "there is no '%s' in this schema", pointer);
  g_string_assign (self->path, pointer);
  reference->node->target = read_schema (self, &span);
  return reference->node->target != NULL;
}

/* Private: reads the checked text of a schema into its nodes. */
gboolean
clq_schema_compile (ClqSchema *self, GError **error)
{
  g_auto (Compiler) compiler = { self, g_hash_table_new (NULL, NULL), G_QUEUE_INIT, g_string_new (NULL), error };
  ClqJsonSpan span = clq_json_span (self->text, -1);

  self->root = read_schema (&compiler, &span);
  if (self->root == NULL)
    return FALSE;
  while (!g_queue_is_empty (&compiler.references))
    {
      Reference *reference = g_queue_pop_head (&compiler.references);
      gboolean found = follow (&compiler, reference);

      reference_free (reference);
      if (!found)
        return FALSE;
    }
  g_string_truncate (compiler.path, 0);
  return clq_schema_nests_little (self) ||
         fail (&compiler, "schemas apply to the same value in a circle, or more than %d inside each other", SCHEMA_MAX_NESTING);
}
