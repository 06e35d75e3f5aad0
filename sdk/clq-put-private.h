/* Writing texts in small pieces. Never installed. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* As g_string_append_len (), without a call while there is room. */
static inline void
clq_put (GString *out, const char *text, gsize length)
{
  if (G_UNLIKELY (out->len + length >= out->allocated_len))
    {
      g_string_append_len (out, text, (gssize) length);
      return;
    }
  memcpy (out->str + out->len, text, length);
  out->len += length;
  out->str[out->len] = '\0';
}

static inline void
clq_put_text (GString *out, const char *text)
{
  clq_put (out, text, strlen (text));
}

/* Makes room for a long text at once, so that what is there is not moved again and again while it grows. */
static inline void
clq_put_reserve (GString *out, gsize length)
{
  gsize before = out->len;

  g_string_set_size (out, before + length);
  g_string_truncate (out, before);
}

G_END_DECLS
