#define G_LOG_DOMAIN "clq-json"

#include "clq-json.h"

#include <math.h>

#include "clq-put-private.h"

/* From here on a double does not tell every integer from its neighbours. */
#define EXACT_INTEGERS 9007199254740992.0

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
 * clq_json_append_escaped:
 * @out: where to write
 * @string: a string
 * @length: its length in bytes, or -1 if it ends in a NUL
 *
 * Writes a string as it stands between the quotes of a JSON string. Texts in this form can be put together without looking at
 * them again.
 */
void
clq_json_append_escaped (GString *out,
                         const char *string,
                         gssize length)
{
  const char *p = string;
  const char *run = string;
  const char *end;

  g_return_if_fail (out != NULL && string != NULL);

  end = string + (length < 0 ? strlen (string) : (gsize) length);
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
      clq_put (out, run, p - run);
      append_escaped (out, *p);
      run = ++p;
    }
  clq_put (out, run, p - run);
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
  g_return_if_fail (out != NULL);

  if (string == NULL)
    {
      g_string_append (out, "null");
      return;
    }
  g_string_append_c (out, '"');
  clq_json_append_escaped (out, string, length);
  g_string_append_c (out, '"');
}

/**
 * clq_json_append_int:
 * @out: a text
 * @number: a number
 *
 * Appends a number.
 */
void
clq_json_append_int (GString *out,
                     gint64 number)
{
  char text[24];
  char *digit = text + sizeof text;
  guint64 rest = number < 0 ? -(guint64) number : (guint64) number;

  g_return_if_fail (out != NULL);

  do
    *--digit = '0' + rest % 10;
  while ((rest /= 10) != 0);
  if (number < 0)
    *--digit = '-';
  clq_put (out, digit, text + sizeof text - digit);
}

/**
 * clq_json_append_name:
 * @out: a text that ends in an object which is not closed yet
 * @name: the name of a member, of letters that need no escape
 *
 * Begins a member of the object: a comma if it is not the first, the name and a colon. The value is to follow.
 */
void
clq_json_append_name (GString *out,
                      const char *name)
{
  gsize length;
  char *place;

  g_return_if_fail (out != NULL && out->len > 0 && name != NULL);

  if (out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  length = strlen (name);
  g_string_set_size (out, out->len + length + strlen ("\"\":"));
  place = out->str + out->len - length - strlen ("\"\":");
  *place++ = '"';
  memcpy (place, name, length);
  memcpy (place + length, "\":", strlen ("\":"));
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
      clq_json_append_int (out, (gint64) number);
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
