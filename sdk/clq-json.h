/* JSON from outside is checked before json-glib sees it, and JSON at rest is read and edited as text. */
#pragma once

#include "clq-types.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define CLQ_JSON_MAX_SIZE (16 * 1024 * 1024)
#define CLQ_JSON_MAX_DEPTH 64

typedef enum
{
  CLQ_JSON_ERROR_SYNTAX = 1,
  CLQ_JSON_ERROR_DEPTH,
  CLQ_JSON_ERROR_SIZE,
  CLQ_JSON_ERROR_DUPLICATE,
  CLQ_JSON_ERROR_NUMBER,
  CLQ_JSON_ERROR_ENCODING,
} ClqJsonError;

#define CLQ_JSON_ERROR (clq_json_error_quark ())
CLQ_API GQuark clq_json_error_quark (void);

/* 0 in either field means the default above. */
typedef struct
{
  gsize max_size;
  guint max_depth;
} ClqJsonLimits;

typedef enum
{
  CLQ_JSON_NONE, /* nothing there */
  CLQ_JSON_NULL,
  CLQ_JSON_BOOL,
  CLQ_JSON_NUMBER,
  CLQ_JSON_STRING,
  CLQ_JSON_ARRAY,
  CLQ_JSON_OBJECT,
} ClqJsonType;

/* A value inside a checked text: where it starts, how long it is. */
typedef struct
{
  ClqJsonType type;
  const char *start;
  gsize length;
} ClqJsonSpan;

CLQ_API gboolean clq_json_check (const char *text, gssize length, const ClqJsonLimits *limits, GError **error);
CLQ_API JsonNode *clq_json_parse (const char *text, gssize length, GError **error);
CLQ_API char *clq_json_print (JsonNode *node);

CLQ_API ClqJsonSpan clq_json_span (const char *text, gssize length);
CLQ_API ClqJsonSpan clq_json_find (const char *text, gssize length, const char *path);
CLQ_API char *clq_json_span_dup_string (const ClqJsonSpan *span);
CLQ_API gboolean clq_json_span_string_equal (const ClqJsonSpan *span, const char *string);
CLQ_API double clq_json_span_get_double (const ClqJsonSpan *span);
CLQ_API gint64 clq_json_span_get_int (const ClqJsonSpan *span);
CLQ_API gboolean clq_json_span_is_true (const ClqJsonSpan *span);

CLQ_API char *clq_json_find_string (const char *text, const char *path);
CLQ_API char *clq_json_extract (const char *text, ClqJsonType type);

typedef struct
{
  const char *next;
  const char *end;
  gboolean object;
} ClqJsonIter;
CLQ_API gboolean clq_json_iter_init (ClqJsonIter *iter, const ClqJsonSpan *container);
CLQ_API gboolean clq_json_iter_next (ClqJsonIter *iter, ClqJsonSpan *key, ClqJsonSpan *value);

CLQ_API gboolean clq_json_set (GString *text, const char *path, const char *value);
CLQ_API gboolean clq_json_unset (GString *text, const char *path);

CLQ_API void clq_json_append_string (GString *out, const char *string, gssize length);
CLQ_API void clq_json_append_escaped (GString *out, const char *string, gssize length);
CLQ_API void clq_json_append_int (GString *out, gint64 number);
CLQ_API void clq_json_append_double (GString *out, double number);
CLQ_API void clq_json_append_name (GString *out, const char *name);
CLQ_API char *clq_json_quote (const char *string);

G_END_DECLS
