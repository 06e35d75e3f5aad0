#define G_LOG_DOMAIN "clq-schema"

#include "clq-schema-private.h"

#include <math.h>
#include <string.h>

#include "clq-json-private.h"

/* Values of a checked text: numbers, equality, and how messages show them. */

/* Longer values are cut short in messages. */
#define MAX_SHOWN 40

/* In the order of the bits. */
const char *const clq_schema_type_names[] = { "null", "boolean", "integer", "number", "string", "array", "object", NULL };

static gboolean
is_integer_text (const ClqJsonSpan *span)
{
  for (gsize i = 0; i < span->length; i++)
    if (span->start[i] == '.' || span->start[i] == 'e' || span->start[i] == 'E')
      return FALSE;
  return TRUE;
}

/* Private: a number, wide enough for every integer and every double. */
long double
clq_schema_number (const ClqJsonSpan *span)
{
  if (is_integer_text (span))
    return (long double) clq_json_span_get_int (span);
  return (long double) clq_json_span_get_double (span);
}

/* ---- multiples ---- */

/* Reads the exponent of a number; what no double has is cut. */
static gint64
read_exponent (const char *p, const char *end)
{
  gboolean negative = *p == '-';
  gint64 exponent = 0;

  for (p += *p == '-' || *p == '+'; p < end; p++)
    if (exponent < 1000000)
      exponent = exponent * 10 + (*p - '0');
  return negative ? -exponent : exponent;
}

/* Reads a number as digits times a power of ten. The digits come modulo @modulus if that is not 0; the last one is no zero. */
static guint64
read_decimal (const ClqJsonSpan *span, guint64 modulus, gint64 *exponent)
{
  const char *end = span->start + span->length;
  guint64 digits = 0;
  gint64 zeros = 0;
  gboolean behind_point = FALSE;

  *exponent = 0;
  for (const char *p = span->start + (span->start[0] == '-'); p < end; p++)
    {
      if (*p == 'e' || *p == 'E')
        {
          *exponent += read_exponent (p + 1, end);
          break;
        }
      if (*p == '.')
        {
          behind_point = TRUE;
          continue;
        }
      *exponent -= behind_point;
      zeros++;
      if (*p == '0')
        continue;
      for (; zeros > 0; zeros--)
        {
          unsigned __int128 next = (unsigned __int128) digits * 10 + (zeros == 1 ? (guint) (*p - '0') : 0);

          digits = modulus != 0 ? (guint64) (next % modulus) : next > G_MAXUINT64 ? G_MAXUINT64
                                                                                  : (guint64) next;
        }
    }
  *exponent += zeros;
  return digits;
}

/* Private: whether one number is a multiple of the other, which is above 0. Exact, also for fractions such as 0.01. */
gboolean
clq_schema_is_multiple (const ClqJsonSpan *value, const ClqJsonSpan *of)
{
  gint64 exponent, unit_exponent;
  guint64 unit = read_decimal (of, 0, &unit_exponent);
  guint64 rest = read_decimal (value, unit, &exponent);

  if (clq_schema_number (value) == 0)
    return TRUE;
  /* Neither ends in a zero, so a value with more decimal places is no multiple. */
  if (exponent < unit_exponent)
    return FALSE;
  for (gint64 i = exponent; i > unit_exponent && rest != 0; i--)
    rest = (guint64) ((unsigned __int128) rest * 10 % unit);
  return rest == 0;
}

/* ---- types and equality ---- */

/* Private: the types that a value has; a number without a fraction is an integer as well. */
guint
clq_schema_types_of (const ClqJsonSpan *span)
{
  long double number;

  switch (span->type)
    {
    case CLQ_JSON_NULL:
      return SCHEMA_NULL;
    case CLQ_JSON_BOOL:
      return SCHEMA_BOOLEAN;
    case CLQ_JSON_NUMBER:
      number = clq_schema_number (span);
      return truncl (number) == number ? SCHEMA_NUMBER | SCHEMA_INTEGER : SCHEMA_NUMBER;
    case CLQ_JSON_STRING:
      return SCHEMA_STRING;
    case CLQ_JSON_ARRAY:
      return SCHEMA_ARRAY;
    case CLQ_JSON_OBJECT:
      return SCHEMA_OBJECT;
    case CLQ_JSON_NONE:
    default:
      return 0;
    }
}

static gboolean
string_equal (const ClqJsonSpan *a, const ClqJsonSpan *b)
{
  g_autofree char *text = clq_json_span_dup_string (a);

  return clq_json_span_string_equal (b, text);
}

static gboolean
array_equal (const ClqJsonSpan *a, const ClqJsonSpan *b, gint64 *work)
{
  ClqJsonIter in_a, in_b;
  ClqJsonSpan value_a, value_b;
  gboolean more_a, more_b;

  clq_json_iter_init (&in_a, a);
  clq_json_iter_init (&in_b, b);
  do
    {
      more_a = clq_json_iter_next (&in_a, NULL, &value_a);
      more_b = clq_json_iter_next (&in_b, NULL, &value_b);
      if (more_a != more_b || (more_a && !clq_schema_equal (&value_a, &value_b, work)))
        return FALSE;
    }
  while (more_a);
  return TRUE;
}

static guint
count_children (const ClqJsonSpan *span)
{
  ClqJsonIter iter;
  guint n = 0;

  clq_json_iter_init (&iter, span);
  while (clq_json_iter_next (&iter, NULL, NULL))
    n++;
  return n;
}

static gboolean
has_member (const ClqJsonSpan *object, const ClqJsonSpan *key, const ClqJsonSpan *value, gint64 *work)
{
  g_autofree char *name = clq_json_span_dup_string (key);
  gsize length = strlen (name);
  ClqJsonIter iter;
  ClqJsonSpan other_key, other;

  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &other_key, &other))
    {
      (*work)--;
      if (clq_json_text_equals (&other_key, name, length))
        return clq_schema_equal (value, &other, work);
    }
  return FALSE;
}

static gboolean
object_equal (const ClqJsonSpan *a, const ClqJsonSpan *b, gint64 *work)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  if (count_children (a) != count_children (b))
    return FALSE;
  clq_json_iter_init (&iter, a);
  while (clq_json_iter_next (&iter, &key, &value))
    if (*work <= 0 || !has_member (b, &key, &value, work))
      return FALSE;
  return TRUE;
}

/* Private: whether two values are the same, however they are spelled. What it costs is taken off @work; with none left
 * nothing is equal. */
gboolean
clq_schema_equal (const ClqJsonSpan *a, const ClqJsonSpan *b, gint64 *work)
{
  *work -= 1 + (gint64) (MIN (a->length, b->length) / 8);
  if (*work <= 0 || a->type != b->type)
    return FALSE;
  switch (a->type)
    {
    case CLQ_JSON_NULL:
      return TRUE;
    case CLQ_JSON_BOOL:
      return clq_json_span_is_true (a) == clq_json_span_is_true (b);
    case CLQ_JSON_NUMBER:
      return clq_schema_number (a) == clq_schema_number (b);
    case CLQ_JSON_STRING:
      return string_equal (a, b);
    case CLQ_JSON_ARRAY:
      return array_equal (a, b, work);
    case CLQ_JSON_OBJECT:
      return object_equal (a, b, work);
    case CLQ_JSON_NONE:
    default:
      return FALSE;
    }
}

static guint
hash_text (const ClqJsonSpan *span)
{
  g_autofree char *text = clq_json_span_dup_string (span);

  return g_str_hash (text);
}

/* Private: a number that is the same for values that are equal. */
guint
clq_schema_hash (const ClqJsonSpan *span)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;
  double number;
  guint hash = (guint) span->type * 0x9e3779b1u;

  switch (span->type)
    {
    case CLQ_JSON_BOOL:
      return hash + clq_json_span_is_true (span);
    case CLQ_JSON_NUMBER:
      /* Adding 0 makes one zero of the two that there are. */
      number = (double) clq_schema_number (span) + 0.0;
      return hash ^ g_double_hash (&number);
    case CLQ_JSON_STRING:
      return hash ^ hash_text (span);
    case CLQ_JSON_ARRAY:
      clq_json_iter_init (&iter, span);
      while (clq_json_iter_next (&iter, NULL, &value))
        hash = hash * 31 + clq_schema_hash (&value);
      return hash;
    case CLQ_JSON_OBJECT:
      /* A sum, for the order of members means nothing. */
      clq_json_iter_init (&iter, span);
      while (clq_json_iter_next (&iter, &key, &value))
        hash += (hash_text (&key) * 31 + clq_schema_hash (&value)) * 0x85ebca6bu;
      return hash;
    case CLQ_JSON_NONE:
    case CLQ_JSON_NULL:
    default:
      return hash;
    }
}

/* ---- messages ---- */

/* Private: a value as messages show it. */
char *
clq_schema_show (const ClqJsonSpan *span)
{
  gsize length = span->length;

  if (span->type == CLQ_JSON_NONE)
    return g_strdup ("nothing");
  if (span->type == CLQ_JSON_ARRAY)
    return g_strdup ("an array");
  if (span->type == CLQ_JSON_OBJECT)
    return g_strdup ("an object");
  if (length <= MAX_SHOWN)
    return g_strndup (span->start, length);
  for (length = MAX_SHOWN; ((guchar) span->start[length] & 0xc0) == 0x80;)
    length--;
  return g_strdup_printf ("%.*s...%s", (int) length, span->start, span->type == CLQ_JSON_STRING ? "\"" : "");
}

/* Private: types as messages name them, e.g. `a string or null`. */
char *
clq_schema_show_types (guint types)
{
  static const char *const words[] = { "null", "true or false", "an integer", "a number", "a string", "an array", "an object" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((types & 1u << i) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " or " : "", words[i]);
  return g_string_free (text, FALSE);
}

static gboolean
is_plain_key (const char *key)
{
  for (const char *c = key; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-' && *c != '$')
      return FALSE;
  return *key != '\0';
}

/* Private. */
void
clq_schema_path_add (GString *path, const char *key)
{
  if (is_plain_key (key))
    {
      g_string_append_printf (path, "%s%s", path->len > 0 ? "." : "", key);
      return;
    }
  g_string_append_c (path, '[');
  clq_json_append_string (path, key, -1);
  g_string_append_c (path, ']');
}

/* Private. */
void
clq_schema_path_add_index (GString *path, guint index)
{
  g_string_append_printf (path, "[%u]", index);
}
