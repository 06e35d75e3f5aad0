/* What compiling a schema and checking a value share. */
#pragma once

#include "clq-json.h"
#include "clq-schema.h"

G_BEGIN_DECLS

/* How many schemas may apply to the same value inside each other. With the depth of JSON it bounds the stack of a check. */
#define SCHEMA_MAX_NESTING 16

/* Bits of SchemaNode.types. */
enum
{
  SCHEMA_NULL = 1 << 0,
  SCHEMA_BOOLEAN = 1 << 1,
  SCHEMA_INTEGER = 1 << 2,
  SCHEMA_NUMBER = 1 << 3,
  SCHEMA_STRING = 1 << 4,
  SCHEMA_ARRAY = 1 << 5,
  SCHEMA_OBJECT = 1 << 6,
};

typedef struct _SchemaNode SchemaNode;

typedef struct
{
  SchemaNode *node; /* NULL if the name is only required */
  guint required;   /* 1 + its place among the required names, or 0 */
} SchemaProperty;

/* Spans lie in the text of the schema; those that are not given have the type CLQ_JSON_NONE. Counts that are not given are -1. */
struct _SchemaNode
{
  gboolean never; /* the schema false */
  guint types;    /* 0 = any */
  ClqJsonSpan enumeration;
  ClqJsonSpan constant;

  ClqJsonSpan minimum;
  ClqJsonSpan maximum;
  ClqJsonSpan exclusive_minimum;
  ClqJsonSpan exclusive_maximum;
  ClqJsonSpan multiple_of;

  gint64 min_length;
  gint64 max_length;
  GRegex *pattern;
  char *pattern_text;

  gint64 min_items;
  gint64 max_items;
  gboolean unique_items;
  SchemaNode *items;

  gint64 min_properties;
  gint64 max_properties;
  GHashTable *properties; /* name → SchemaProperty */
  GPtrArray *names;       /* those with a schema, in their order, without an end mark */
  GPtrArray *required;    /* names */
  SchemaNode *additional;

  GPtrArray *all_of;
  GPtrArray *any_of;
  GPtrArray *one_of;
  SchemaNode *negated;
  SchemaNode *target; /* of $ref */

  guint nesting; /* how many schemas are inside each other from here on; 0 = not known yet */
  gboolean open; /* its nesting is being found out */
};

struct _ClqSchema
{
  gatomicrefcount ref_count;
  char *text;
  GPtrArray *nodes;
  SchemaNode *root;
};

/* clq-schema-compile.c */
gboolean clq_schema_compile (ClqSchema *self, GError **error);
void clq_schema_node_free (SchemaNode *node);

/* clq-schema-refs.c */
ClqJsonSpan clq_schema_resolve (const char *text, const char *pointer);
gboolean clq_schema_nests_little (ClqSchema *self);

/* clq-schema-check.c */
gboolean clq_schema_check_span (ClqSchema *self, const char *name, const ClqJsonSpan *value, GError **error);

/* clq-schema-value.c */
long double clq_schema_number (const ClqJsonSpan *span);
gboolean clq_schema_is_multiple (const ClqJsonSpan *value, const ClqJsonSpan *of);
guint clq_schema_types_of (const ClqJsonSpan *span);
gboolean clq_schema_equal (const ClqJsonSpan *a, const ClqJsonSpan *b, gint64 *work);
guint clq_schema_hash (const ClqJsonSpan *span);
char *clq_schema_show (const ClqJsonSpan *span);
char *clq_schema_show_types (guint types);
void clq_schema_path_add (GString *path, const char *key);
void clq_schema_path_add_index (GString *path, guint index);

extern const char *const clq_schema_type_names[];

G_END_DECLS
