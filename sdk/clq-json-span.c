#define G_LOG_DOMAIN "clq-json"

#include "clq-json-private.h"

#include <string.h>

/* Values inside a checked text. */

static const ClqJsonSpan no_span = { CLQ_JSON_NONE, NULL, 0 };

static inline const char *
skip_space (const char *p,
            const char *end)
{
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
    p++;
  return p;
}

/* From the opening quote to behind the closing one. */
static const char *
skip_string (const char *start,
             const char *end)
{
  const char *p = start + 1;

  while (p < end && (p = memchr (p, '"', end - p)) != NULL)
    {
      const char *backslash = p;

      while (backslash - 1 > start && backslash[-1] == '\\')
        backslash--;
      p++;
      if ((p - 1 - backslash) % 2 == 0)
        return p;
    }
  return end;
}

/* Brackets pair up in a checked text, so counting them is enough and nothing has to be remembered. */
static const char *
skip_container (const char *p,
                const char *end)
{
  gsize depth = 0;

  while (p < end)
    switch (*p)
      {
      case '"':
        p = skip_string (p, end);
        break;

      case '[':
      case '{':
        depth++;
        p++;
        break;

      case ']':
      case '}':
        p++;
        if (--depth == 0)
          return p;
        break;

      default:
        p++;
        break;
      }
  return end;
}

static const char *
skip_scalar (const char *p,
             const char *end)
{
  while (p < end && (g_ascii_isalnum (*p) || *p == '-' || *p == '+' || *p == '.'))
    p++;
  return p;
}

static ClqJsonSpan
value_at (const char *p,
          const char *end)
{
  ClqJsonSpan span = no_span;
  const char *value_end;

  if (p >= end)
    return no_span;
  if (*p == '"')
    span.type = CLQ_JSON_STRING;
  else if (*p == '{')
    span.type = CLQ_JSON_OBJECT;
  else if (*p == '[')
    span.type = CLQ_JSON_ARRAY;
  else if (*p == 't' || *p == 'f')
    span.type = CLQ_JSON_BOOL;
  else if (*p == 'n')
    span.type = CLQ_JSON_NULL;
  else if (*p == '-' || g_ascii_isdigit (*p))
    span.type = CLQ_JSON_NUMBER;
  else
    return no_span;

  if (span.type == CLQ_JSON_STRING)
    value_end = skip_string (p, end);
  else if (span.type == CLQ_JSON_OBJECT || span.type == CLQ_JSON_ARRAY)
    value_end = skip_container (p, end);
  else
    value_end = skip_scalar (p, end);
  span.start = p;
  span.length = value_end - p;
  return span;
}

/**
 * clq_json_span:
 * @text: (nullable): a checked JSON text
 * @length: its length in bytes, or -1 if it ends in a NUL
 *
 * Finds the value of a text, without the white space around it.
 *
 * Returns: the value; its type is %CLQ_JSON_NONE if the text is empty
 */
ClqJsonSpan
clq_json_span (const char *text,
               gssize length)
{
  const char *end;

  if (text == NULL)
    return no_span;
  end = text + (length < 0 ? strlen (text) : (gsize) length);
  return value_at (skip_space (text, end), end);
}

/*
 * Private: like clq_json_span(), but a container is taken to reach to the end of the text: whoever looks for something inside
 * need not know where it ends.
 */
ClqJsonSpan
clq_json_root (const char *text,
               gssize length)
{
  ClqJsonSpan span = no_span;
  const char *end, *start;

  if (text == NULL)
    return no_span;
  end = text + (length < 0 ? strlen (text) : (gsize) length);
  start = skip_space (text, end);
  if (start == end || (*start != '{' && *start != '['))
    return value_at (start, end);
  while (end > start && (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\t' || end[-1] == '\r'))
    end--;
  span.type = *start == '{' ? CLQ_JSON_OBJECT : CLQ_JSON_ARRAY;
  span.start = start;
  span.length = end - start;
  return span;
}

static guint
read_hex (const char *p)
{
  guint code = 0;

  for (int i = 0; i < 4; i++, p++)
    {
      if (!g_ascii_isxdigit (*p))
        return 0xfffd;
      code = code * 16 + g_ascii_xdigit_value (*p);
    }
  return code;
}

/* Decodes the escape at *pos as UTF-8 into @out, moves *pos behind it and returns the number of bytes. */
static gsize
decode_escape (const char **pos,
               const char *end,
               char out[6])
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  const char *p = *pos + 1;
  const char *letter;
  guint code;

  /* No checked text has an escape that is cut off; the result must never be longer than the escape. */
  if (p >= end || (*p == 'u' && end - p < 5))
    {
      *pos = end;
      return 0;
    }
  if (*p != 'u')
    {
      letter = strchr (letters, *p);
      out[0] = letter != NULL ? meanings[letter - letters] : *p;
      *pos = p + 1;
      return 1;
    }

  code = read_hex (p + 1);
  p += 5;
  if (code >= 0xd800 && code <= 0xdbff && end - p >= 6 && p[0] == '\\' && p[1] == 'u')
    {
      guint low = read_hex (p + 2);

      if (low >= 0xdc00 && low <= 0xdfff)
        {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          p += 6;
        }
    }
  *pos = p;
  /* A checked text has neither of these; a text that was not checked still gives a proper string. */
  if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
    code = 0xfffd;
  return g_unichar_to_utf8 (code, out);
}

/* Sets where the characters between the quotes start and end. */
static gboolean
string_bounds (const ClqJsonSpan *span,
               const char **start,
               const char **end)
{
  if (span == NULL || span->type != CLQ_JSON_STRING || span->length < 2)
    return FALSE;
  *start = span->start + 1;
  *end = span->start + span->length - 1;
  return TRUE;
}

/* Private: whether the text that @span stands for is the given one. */
gboolean
clq_json_text_equals (const ClqJsonSpan *span,
                      const char *string,
                      gsize length)
{
  const char *string_end = string + length;
  const char *p;
  const char *end;

  if (!string_bounds (span, &p, &end))
    return FALSE;
  if ((gsize) (end - p) == length && memcmp (p, string, length) == 0 && memchr (p, '\\', length) == NULL)
    return TRUE;

  /* Escapes only make a string longer, so a shorter one cannot be equal. */
  if ((gsize) (end - p) <= length)
    return FALSE;
  while (p < end)
    {
      char decoded[6] = { *p };
      gsize n = 1;

      if (*p == '\\')
        n = decode_escape (&p, end, decoded);
      else
        p++;
      if ((gsize) (string_end - string) < n || memcmp (string, decoded, n) != 0)
        return FALSE;
      string += n;
    }
  return string == string_end;
}

/**
 * clq_json_span_dup_string:
 * @span: (nullable): a value
 *
 * Reads a string, its escapes resolved.
 *
 * Returns: (transfer full) (nullable): the string, or %NULL if the value is not one
 */
char *
clq_json_span_dup_string (const ClqJsonSpan *span)
{
  const char *p;
  const char *end;
  char *string;
  char *out;

  if (!string_bounds (span, &p, &end))
    return NULL;
  string = g_malloc (end - p + 1);
  out = string;
  while (p < end)
    {
      const char *backslash = memchr (p, '\\', end - p);
      const char *run_end = backslash != NULL ? backslash : end;
      char decoded[6];
      gsize n;

      memcpy (out, p, run_end - p);
      out += run_end - p;
      p = run_end;
      if (p == end)
        break;
      n = decode_escape (&p, end, decoded);
      memcpy (out, decoded, n);
      out += n;
    }
  *out = '\0';
  return string;
}

/**
 * clq_json_span_string_equal:
 * @span: (nullable): a value
 * @string: (nullable): a string
 *
 * Compares a value with a string, without copying it.
 *
 * Returns: %TRUE if the value is a string and has the same characters, however it spells them
 */
gboolean
clq_json_span_string_equal (const ClqJsonSpan *span,
                            const char *string)
{
  return string != NULL && clq_json_text_equals (span, string, strlen (string));
}

/**
 * clq_json_span_get_double:
 * @span: (nullable): a value
 *
 * Reads a number.
 *
 * Returns: the number, 0 if the value is not one
 */
double
clq_json_span_get_double (const ClqJsonSpan *span)
{
  char buffer[64];
  g_autofree char *copy = NULL;

  if (span == NULL || span->type != CLQ_JSON_NUMBER)
    return 0;
  /* The conversion needs an end that the text around the number does not promise. */
  if (span->length >= sizeof buffer)
    {
      copy = g_strndup (span->start, span->length);
      return g_ascii_strtod (copy, NULL);
    }
  memcpy (buffer, span->start, span->length);
  buffer[span->length] = '\0';
  return g_ascii_strtod (buffer, NULL);
}

/**
 * clq_json_span_get_int:
 * @span: (nullable): a value
 *
 * Reads a number as an integer. A fraction is cut off, and a number that does not fit becomes the nearest one that does.
 *
 * Returns: the integer, 0 if the value is not a number
 */
gint64
clq_json_span_get_int (const ClqJsonSpan *span)
{
  gboolean negative;
  gint64 result = 0;
  double number;

  if (span == NULL || span->type != CLQ_JSON_NUMBER)
    return 0;
  negative = span->start[0] == '-';
  for (gsize i = negative; i < span->length; i++)
    {
      char c = span->start[i];

      if (!g_ascii_isdigit (c))
        {
          number = clq_json_span_get_double (span);
          if (number >= 9223372036854775808.0)
            return G_MAXINT64;
          return number <= -9223372036854775808.0 ? G_MININT64 : (gint64) number;
        }
      /* Counting down from zero reaches both ends of the range. */
      if (__builtin_mul_overflow (result, 10, &result) || __builtin_sub_overflow (result, c - '0', &result))
        result = G_MININT64;
    }
  if (negative)
    return result;
  return result == G_MININT64 ? G_MAXINT64 : -result;
}

/**
 * clq_json_span_is_true:
 * @span: (nullable): a value
 *
 * Returns: %TRUE if the value is `true`
 */
gboolean
clq_json_span_is_true (const ClqJsonSpan *span)
{
  return span != NULL && span->type == CLQ_JSON_BOOL && span->start[0] == 't';
}

/**
 * clq_json_iter_init:
 * @iter: (out caller-allocates): the iterator
 * @container: (nullable): an array or object
 *
 * Starts going through an array or object. The text must stay as it is until the end.
 *
 * Returns: %FALSE if @container is neither; the iterator is empty then
 */
gboolean
clq_json_iter_init (ClqJsonIter *iter,
                    const ClqJsonSpan *container)
{
  g_return_val_if_fail (iter != NULL, FALSE);

  iter->next = NULL;
  iter->end = NULL;
  iter->object = FALSE;
  if (container == NULL || (container->type != CLQ_JSON_ARRAY && container->type != CLQ_JSON_OBJECT) || container->length < 2)
    return FALSE;
  iter->next = container->start + 1;
  iter->end = container->start + container->length - 1;
  iter->object = container->type == CLQ_JSON_OBJECT;
  return TRUE;
}

/* Private: skips white space and one mark between children. */
const char *
clq_json_skip_mark (const char *p,
                    const char *end,
                    char mark)
{
  p = skip_space (p, end);
  if (p < end && *p == mark)
    p = skip_space (p + 1, end);
  return p;
}

/**
 * clq_json_iter_next:
 * @iter: the iterator
 * @key: (out) (optional): return location for the key; its type is %CLQ_JSON_NONE in an array
 * @value: (out) (optional): return location for the value
 *
 * Goes to the next element or member.
 *
 * Returns: %FALSE after the last one
 */
gboolean
clq_json_iter_next (ClqJsonIter *iter,
                    ClqJsonSpan *key,
                    ClqJsonSpan *value)
{
  ClqJsonSpan name = no_span;
  ClqJsonSpan found = no_span;
  const char *p;

  g_return_val_if_fail (iter != NULL, FALSE);

  p = clq_json_skip_mark (iter->next, iter->end, ',');
  if (iter->object)
    {
      name = value_at (p, iter->end);
      if (name.type == CLQ_JSON_STRING)
        p = clq_json_skip_mark (name.start + name.length, iter->end, ':');
      else
        p = iter->end;
    }
  found = value_at (p, iter->end);
  if (found.type == CLQ_JSON_NONE)
    {
      name = no_span;
      iter->next = iter->end;
    }
  else
    {
      iter->next = found.start + found.length;
    }
  if (key != NULL)
    *key = name;
  if (value != NULL)
    *value = found;
  return found.type != CLQ_JSON_NONE;
}
