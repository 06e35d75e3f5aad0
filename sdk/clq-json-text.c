#define G_LOG_DOMAIN "clq-json"

#include "clq-json.h"

#include <math.h>
#include <string.h>

/* From here on a double does not tell every integer from its neighbours. */
#define EXACT_INTEGERS 9007199254740992.0

static const ClqJsonSpan no_span = { CLQ_JSON_NONE, NULL, 0 };

/* One element of a path, its escapes resolved. */
typedef struct
{
  const char *start;
  gsize length;
  char *unescaped; /* set if start points to it */
} PathElement;

/* A child of a container, or where it would be. */
typedef struct
{
  ClqJsonSpan key;
  ClqJsonSpan value;   /* CLQ_JSON_NONE if there is no such child */
  const char *before;  /* the end of the child before it, NULL if it is the first */
  const char *after;   /* the start of the child after it, NULL if it is the last */
  const char *last;    /* if there is no such child: the end of the last one, NULL if there is none */
  gboolean may_append; /* if there is no such child: whether it can be added */
} Child;

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

static gboolean
string_equals (const ClqJsonSpan *span,
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
  return string != NULL && string_equals (span, string, strlen (string));
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

/* Skips white space and one mark between children. */
static const char *
skip_mark (const char *p,
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

  p = skip_mark (iter->next, iter->end, ',');
  if (iter->object)
    {
      name = value_at (p, iter->end);
      if (name.type == CLQ_JSON_STRING)
        p = skip_mark (name.start + name.length, iter->end, ':');
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

static void
path_element_clear (PathElement *self)
{
  g_free (self->unescaped);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PathElement, path_element_clear)

/* Takes the first element off the path; *path becomes NULL after the last one. */
static void
path_take (const char **path,
           PathElement *element)
{
  const char *p = *path;
  gboolean escaped = FALSE;

  path_element_clear (element);
  element->unescaped = NULL;
  element->start = p;
  for (; *p != '\0' && *p != '.'; p++)
    if (*p == '\\' && p[1] != '\0')
      {
        escaped = TRUE;
        p++;
      }
  element->length = p - element->start;
  *path = *p == '.' ? p + 1 : NULL;

  if (escaped)
    {
      GString *plain = g_string_sized_new (element->length);

      for (const char *q = element->start; q < p; q++)
        {
          if (*q == '\\' && q + 1 < p)
            q++;
          g_string_append_c (plain, *q);
        }
      element->length = plain->len;
      element->unescaped = g_string_free (plain, FALSE);
      element->start = element->unescaped;
    }
}

static const char *
path_start (const char *path)
{
  return path == NULL || *path == '\0' ? NULL : path;
}

/* Reads an array index: decimal digits without a sign or leading zeros. */
static gboolean
path_index (const PathElement *element,
            gsize *index)
{
  gsize value = 0;

  if (element->length == 0 || element->length > 9 || (element->length > 1 && element->start[0] == '0'))
    return FALSE;
  for (gsize i = 0; i < element->length; i++)
    {
      if (!g_ascii_isdigit (element->start[i]))
        return FALSE;
      value = value * 10 + (element->start[i] - '0');
    }
  *index = value;
  return TRUE;
}

/* Finds the child that the element names; returns FALSE if the value has no children and cannot get any. */
static gboolean
find_child (const ClqJsonSpan *container,
            const PathElement *element,
            Child *child)
{
  ClqJsonIter iter;
  ClqJsonSpan key;
  ClqJsonSpan value;
  gsize wanted = 0;
  gsize n = 0;
  gboolean has_index = path_index (element, &wanted);

  memset (child, 0, sizeof *child);
  if (!clq_json_iter_init (&iter, container))
    return FALSE;
  while (clq_json_iter_next (&iter, &key, &value))
    {
      gboolean found = iter.object ? string_equals (&key, element->start, element->length) : has_index && n == wanted;

      if (found)
        {
          const char *after = skip_mark (iter.next, iter.end, ',');

          child->key = key;
          child->value = value;
          child->before = child->last;
          child->after = after < iter.end ? after : NULL;
          return TRUE;
        }
      child->last = value.start + value.length;
      n++;
    }
  child->may_append = iter.object || (has_index && wanted == n) || (element->length == 1 && element->start[0] == '-');
  return TRUE;
}

/**
 * clq_json_find:
 * @text: (nullable): a checked JSON text
 * @length: its length in bytes, or -1 if it ends in a NUL
 * @path: (nullable): keys and array indexes with dots between them
 *
 * Finds a value inside a text, for example `choices.0.message.content`.
 *
 * An element of the path is a key where the value is an object and an index, counted from 0, where it is an array. A
 * backslash takes the character after it as it is, so that a key may hold a dot. %NULL or an empty path is the whole
 * value.
 *
 * Returns: the value; its type is %CLQ_JSON_NONE if there is none
 */
ClqJsonSpan
clq_json_find (const char *text,
               gssize length,
               const char *path)
{
  ClqJsonSpan span = clq_json_span (text, length);
  const char *rest = path_start (path);
  g_auto (PathElement) element = { 0 };
  Child child;

  while (rest != NULL && span.type != CLQ_JSON_NONE)
    {
      path_take (&rest, &element);
      find_child (&span, &element, &child);
      span = child.value;
    }
  return span;
}

/**
 * clq_json_find_string:
 * @text: (nullable): a checked JSON text that ends in a NUL
 * @path: (nullable): as for [func@Clq.json_find]
 *
 * Finds a string inside a text.
 *
 * Returns: (transfer full) (nullable): the string, or %NULL if there is none or it is something else
 */
char *
clq_json_find_string (const char *text,
                      const char *path)
{
  ClqJsonSpan span = clq_json_find (text, -1, path);

  return clq_json_span_dup_string (&span);
}

/* Puts @piece into the place of @length bytes, moving the rest of the text once. */
static void
splice (GString *text,
        gsize start,
        gsize length,
        const char *piece,
        gsize piece_length)
{
  gsize tail = text->len - start - length;

  if (piece_length > length)
    g_string_set_size (text, text->len + piece_length - length);
  memmove (text->str + start + piece_length, text->str + start + length, tail);
  if (piece_length > 0)
    memcpy (text->str + start, piece, piece_length);
  g_string_set_size (text, start + piece_length + tail);
}

/* Writes a new child: its key if the container is an object, then objects for the elements left over, then the value. */
static GString *
build_child (const ClqJsonSpan *container,
             const PathElement *element,
             const char *rest,
             gboolean first,
             const ClqJsonSpan *value)
{
  GString *piece = g_string_sized_new (value->length + 32);
  g_auto (PathElement) inner = { 0 };
  gsize n_open = 0;

  if (!first)
    g_string_append_c (piece, ',');
  if (container->type == CLQ_JSON_OBJECT)
    {
      clq_json_append_string (piece, element->start, element->length);
      g_string_append_c (piece, ':');
    }
  for (; rest != NULL; n_open++)
    {
      path_take (&rest, &inner);
      g_string_append_c (piece, '{');
      clq_json_append_string (piece, inner.start, inner.length);
      g_string_append_c (piece, ':');
    }
  g_string_append_len (piece, value->start, value->length);
  for (; n_open > 0; n_open--)
    g_string_append_c (piece, '}');
  return piece;
}

static void
add_child (GString *text,
           const ClqJsonSpan *container,
           const Child *child,
           const PathElement *element,
           const char *rest,
           const ClqJsonSpan *value)
{
  g_autoptr (GString) piece = build_child (container, element, rest, child->last == NULL, value);
  const char *where = child->last != NULL ? child->last : container->start + 1;

  splice (text, where - text->str, 0, piece->str, piece->len);
}

/**
 * clq_json_set:
 * @text: a checked JSON text, normally an object
 * @path: (nullable): as for [func@Clq.json_find]; in an array, `-` is the place behind the last element
 * @value: the new value, a checked JSON text
 *
 * Replaces a value inside a text, or adds it. Everything else in the text stays as it is spelled.
 *
 * Objects that are missing on the way are created; a missing element of the path always becomes a key, even if it looks
 * like an index. An array takes the index behind its last element, or `-`, to append. %NULL or an empty path replaces the
 * whole value.
 *
 * Returns: %FALSE, with nothing changed, if the path leads through a value that is neither an object nor an array or to
 *   an index that an array does not have, or if one of the texts is empty
 */
gboolean
clq_json_set (GString *text,
              const char *path,
              const char *value)
{
  const char *rest = path_start (path);
  g_auto (PathElement) element = { 0 };
  g_autofree char *copy = NULL;
  ClqJsonSpan new_value;
  ClqJsonSpan span;
  Child child;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  /* A value that lies in the text itself would move while it is copied. */
  if (value >= text->str && value <= text->str + text->len)
    value = copy = g_strdup (value);
  new_value = clq_json_span (value, -1);
  span = clq_json_span (text->str, text->len);
  if (new_value.type == CLQ_JSON_NONE || span.type == CLQ_JSON_NONE)
    return FALSE;

  while (rest != NULL)
    {
      path_take (&rest, &element);
      if (!find_child (&span, &element, &child))
        return FALSE;
      if (child.value.type == CLQ_JSON_NONE)
        {
          if (child.may_append)
            add_child (text, &span, &child, &element, rest, &new_value);
          return child.may_append;
        }
      span = child.value;
    }
  splice (text, span.start - text->str, span.length, new_value.start, new_value.length);
  return TRUE;
}

/**
 * clq_json_unset:
 * @text: a checked JSON text
 * @path: as for [func@Clq.json_find]
 *
 * Removes a member of an object, or an element of an array, together with its comma.
 *
 * Returns: %FALSE, with nothing changed, if there is no such value; the whole value cannot be removed
 */
gboolean
clq_json_unset (GString *text,
                const char *path)
{
  const char *rest = path_start (path);
  g_auto (PathElement) element = { 0 };
  ClqJsonSpan container;
  ClqJsonSpan span;
  Child child;
  const char *start;
  const char *end;

  g_return_val_if_fail (text != NULL, FALSE);

  if (rest == NULL)
    return FALSE;
  span = clq_json_span (text->str, text->len);
  while (rest != NULL)
    {
      path_take (&rest, &element);
      container = span;
      find_child (&container, &element, &child);
      if (child.value.type == CLQ_JSON_NONE)
        return FALSE;
      span = child.value;
    }

  /* The comma before it goes too, or the one behind it if it is the first; an only child leaves nothing at all. */
  start = child.key.type != CLQ_JSON_NONE ? child.key.start : child.value.start;
  end = child.value.start + child.value.length;
  if (child.before != NULL)
    {
      start = child.before;
    }
  else if (child.after != NULL)
    {
      end = child.after;
    }
  else
    {
      start = container.start + 1;
      end = container.start + container.length - 1;
    }
  splice (text, start - text->str, end - start, NULL, 0);
  return TRUE;
}

static inline gboolean
is_plain (char c)
{
  return (guchar) c >= 0x20 && (guchar) c < 0x80 && c != '"' && c != '\\';
}

static void
append_escaped (GString *out,
                char c)
{
  switch (c)
    {
    case '"':
      g_string_append (out, "\\\"");
      break;

    case '\\':
      g_string_append (out, "\\\\");
      break;

    case '\b':
      g_string_append (out, "\\b");
      break;

    case '\f':
      g_string_append (out, "\\f");
      break;

    case '\n':
      g_string_append (out, "\\n");
      break;

    case '\r':
      g_string_append (out, "\\r");
      break;

    case '\t':
      g_string_append (out, "\\t");
      break;

    default:
      /* What is left are control characters, and what no checked text may hold: U+0000 and bytes that are not UTF-8. */
      if (c > 0 && c < 0x20)
        g_string_append_printf (out, "\\u%04x", (guint) c);
      else
        g_string_append (out, "\xef\xbf\xbd");
      break;
    }
}

/**
 * clq_json_append_string:
 * @out: where to write
 * @string: (nullable): a string, or %NULL to write `null`
 * @length: its length in bytes, or -1 if it ends in a NUL
 *
 * Writes a string as JSON, with its quotes.
 *
 * The result always passes [func@Clq.json_check]: bytes that are not UTF-8, and U+0000, are replaced by U+FFFD.
 */
void
clq_json_append_string (GString *out,
                        const char *string,
                        gssize length)
{
  const char *p = string;
  const char *run = string;
  const char *end;

  g_return_if_fail (out != NULL);

  if (string == NULL)
    {
      g_string_append (out, "null");
      return;
    }
  end = string + (length < 0 ? strlen (string) : (gsize) length);
  g_string_append_c (out, '"');
  while (p < end)
    {
      gunichar c;

      while (p < end && is_plain (*p))
        p++;
      if (p == end)
        break;
      if ((guchar) *p >= 0x80)
        {
          c = g_utf8_get_char_validated (p, end - p);
          if (c != (gunichar) -1 && c != (gunichar) -2)
            {
              p = g_utf8_next_char (p);
              continue;
            }
        }
      g_string_append_len (out, run, p - run);
      append_escaped (out, *p);
      run = ++p;
    }
  g_string_append_len (out, run, p - run);
  g_string_append_c (out, '"');
}

/**
 * clq_json_append_double:
 * @out: where to write
 * @number: a number
 *
 * Writes a number as JSON, with as few digits as reading it back needs, in any locale.
 *
 * Integers below 2^53 are written without a fraction, except for `-0.0`; what is not finite becomes `null`.
 */
void
clq_json_append_double (GString *out,
                        double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  /* Numbers next to zero have fewer digits than the fifteen which every other one keeps. */
  int digits = fabs (number) < 1e-300 ? 1 : 15;

  g_return_if_fail (out != NULL);

  if (!isfinite (number))
    {
      g_string_append (out, "null");
      return;
    }
  if (number == 0 && signbit (number))
    {
      g_string_append (out, "-0.0");
      return;
    }
  if (fabs (number) < EXACT_INTEGERS && number == (double) (gint64) number)
    {
      g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) number);
      return;
    }
  for (; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, number);
      if (g_ascii_strtod (buffer, NULL) == number)
        break;
    }
  g_string_append (out, buffer);
  /* A big number keeps the look of a double, so that nobody takes its last digits for exact. */
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (out, ".0");
}

/**
 * clq_json_quote:
 * @string: (nullable): a string
 *
 * Writes a string as JSON; see [func@Clq.json_append_string].
 *
 * Returns: (transfer full): the text
 */
char *
clq_json_quote (const char *string)
{
  GString *out = g_string_new (NULL);

  clq_json_append_string (out, string, -1);
  return g_string_free (out, FALSE);
}
