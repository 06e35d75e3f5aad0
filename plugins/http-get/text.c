/* text: what a server sent, if it is text. */
#include "http-get.h"

#include <string.h>

static gboolean
is_text_type (const char *type)
{
  static const char *const others[] = { "application/json", "application/xml", "application/javascript", "application/x-ndjson", "application/yaml", "application/x-yaml", NULL };
  g_autofree char *lower = g_ascii_strdown (type, -1);

  return g_str_has_prefix (lower, "text/") || g_str_has_suffix (lower, "+json") || g_str_has_suffix (lower, "+xml") ||
         g_strv_contains (others, lower);
}

/* The encodings that the web still has; no other name reaches the converter. */
static const char *
known_charset (const char *charset)
{
  static const char *const latin[] = { "iso-8859-1", "latin1", "windows-1252", "cp1252", NULL };
  g_autofree char *lower = charset != NULL ? g_ascii_strdown (charset, -1) : NULL;

  if (lower == NULL || strcmp (lower, "utf-8") == 0 || strcmp (lower, "utf8") == 0 || strcmp (lower, "us-ascii") == 0)
    return "UTF-8";
  if (g_strv_contains (latin, lower))
    return "WINDOWS-1252";
  return strcmp (lower, "iso-8859-15") == 0 ? "ISO-8859-15" : NULL;
}

static char *
fail (GError **error, const char *what, const char *found)
{
  g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_USER, "expected text, found %s%s", what, found);
  return NULL;
}

/* Returns: (transfer full): the text, or NULL if it is none */
char *
http_text_convert (const char *type, const char *charset, const char *body, gsize length, GError **error)
{
  const char *from = known_charset (charset);
  char *text;

  if (length == 0)
    return g_strdup ("");
  if (type != NULL && !is_text_type (type))
    return fail (error, "the type ", type);
  if (from == NULL)
    return fail (error, "the encoding ", charset);
  if (memchr (body, '\0', length) != NULL)
    return fail (error, "binary data", "");
  if (strcmp (from, "UTF-8") == 0)
    return g_utf8_validate_len (body, length, NULL) ? g_strndup (body, length) : fail (error, "what is not UTF-8", "");
  text = g_convert (body, (gssize) length, "UTF-8", from, NULL, NULL, NULL);
  return text != NULL ? text : fail (error, "what is not ", charset);
}
