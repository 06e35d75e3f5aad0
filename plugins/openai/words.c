/* Words from outside: what servers say in headers and in messages, and how long texts are. */
#include "openai.h"

#include <stdio.h>
#include <string.h>

#define MAX_MESSAGE 300 /* characters of a server's message that are repeated */
#define MAX_WAIT G_TIME_SPAN_HOUR

/* `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers may send; libsoup's own reader has known faults. */
static gint64
parse_date (const char *value)
{
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  char month[4];
  int day, year, hour, minute, second, end = 0;
  const char *found;
  g_autoptr (GDateTime) date = NULL;

  if (sscanf (value, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &day, month, &year, &hour, &minute, &second, &end) != 6 ||
      end == 0 || value[end] != '\0')
    return -1;
  found = strstr (months, month);
  if (found == NULL || (found - months) % 3 != 0)
    return -1;
  date = g_date_time_new_utc (year, (int) (found - months) / 3 + 1, day, hour, minute, second);
  return date != NULL ? g_date_time_to_unix (date) * G_TIME_SPAN_SECOND : -1;
}

/* The header Retry-After, in seconds or as a date. Returns: how long to wait from @now on, an hour at most; -1 = it says nothing */
GTimeSpan
openai_parse_retry_after (const char *value, gint64 now)
{
  gint64 date;
  guint64 seconds;

  if (value == NULL)
    return -1;
  if (g_ascii_string_to_unsigned (value, 10, 0, MAX_WAIT / G_TIME_SPAN_SECOND, &seconds, NULL))
    return (GTimeSpan) seconds * G_TIME_SPAN_SECOND;
  if (*value != '\0' && strspn (value, "0123456789") == strlen (value))
    return MAX_WAIT;
  date = parse_date (value);
  return date < 0 ? -1 : CLAMP (date - now, 0, MAX_WAIT);
}

/* Servers like to repeat the key that they refuse, with stars for some of its letters. */
static gboolean
shows_secret (const char *word, const char *secret)
{
  gsize length = strlen (secret);
  gsize shown = MIN (length, 4);

  if (strstr (word, secret) != NULL)
    return TRUE;
  return strchr (word, '*') != NULL &&
         (strncmp (word + strspn (word, "'\"`("), secret, shown) == 0 || strstr (word, secret + length - shown) != NULL);
}

static gboolean
is_blank (gunichar letter)
{
  return g_unichar_isspace (letter) || g_unichar_iscntrl (letter) || g_unichar_type (letter) == G_UNICODE_FORMAT;
}

/*
 * A text from outside as part of a message: one line, without control characters, not too long, and without words that
 * show @secret (nullable).
 */
char *
openai_clean (const char *text, const char *secret)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);
  const char *next = valid;

  while (*next != '\0' && g_utf8_strlen (out->str, -1) < MAX_MESSAGE)
    {
      const char *start;
      g_autofree char *word = NULL;

      while (*next != '\0' && is_blank (g_utf8_get_char (next)))
        next = g_utf8_next_char (next);
      start = next;
      while (*next != '\0' && !is_blank (g_utf8_get_char (next)))
        next = g_utf8_next_char (next);
      if (next == start)
        break;
      word = g_strndup (start, (gsize) (next - start));
      if (out->len > 0)
        g_string_append_c (out, ' ');
      g_string_append (out, secret != NULL && shows_secret (word, secret) ? "…" : word);
    }
  if (g_utf8_strlen (out->str, -1) > MAX_MESSAGE || *next != '\0')
    {
      g_string_truncate (out, (gsize) (g_utf8_offset_to_pointer (out->str, MIN (g_utf8_strlen (out->str, -1), MAX_MESSAGE)) - out->str));
      g_string_append (out, "…");
    }
  while (out->len > 0 && strchr (". ", out->str[out->len - 1]) != NULL)
    g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}

/* The same for what a server has said: whatever part of its answer it is, the key may be in it. */
char *
openai_clean_of (const OpenaiServer *server, const char *text)
{
  return openai_clean (text, server->api_key != NULL ? clq_secret_reveal (server->api_key) : NULL);
}

/* Four letters of English are about a token, other scripts need more: rather too many than too few. */
guint64
openai_estimate_tokens (const char *text)
{
  guint64 ascii = 0, other = 0;

  for (const char *next = text; *next != '\0'; next++)
    if ((*next & 0x80) == 0)
      ascii++;
    else if ((*next & 0xc0) == 0xc0)
      other++;
  return (ascii + 3) / 4 + other;
}
