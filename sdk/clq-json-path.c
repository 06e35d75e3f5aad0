#define G_LOG_DOMAIN "clq-json"

#include "clq-json-private.h"

#include <string.h>

/* Finding and changing what a dotted path leads to. */

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
      gboolean found = iter.object ? clq_json_text_equals (&key, element->start, element->length) : has_index && n == wanted;

      if (found)
        {
          const char *after = clq_json_skip_mark (iter.next, iter.end, ',');

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
  const char *rest = path_start (path);
  ClqJsonSpan span = rest != NULL ? clq_json_root (text, length) : clq_json_span (text, length);
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
  span = clq_json_root (text->str, text->len);
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
