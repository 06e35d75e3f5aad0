#define G_LOG_DOMAIN "clq-text"

#include "clq-private.h"

#include <string.h>

/**
 * clq_id_parse:
 * @text: a UUID as text
 * @id: (out caller-allocates): its 16 bytes
 *
 * Returns: whether @text is a UUID
 */
gboolean
clq_id_parse (const char *text, guint8 id[16])
{
  guint n = 0;

  if (text == NULL || strlen (text) != CLQ_ID_LENGTH)
    return FALSE;
  for (guint i = 0; i < CLQ_ID_LENGTH; i++)
    {
      if (i == 8 || i == 13 || i == 18 || i == 23)
        {
          if (text[i] != '-')
            return FALSE;
          continue;
        }
      if (!g_ascii_isxdigit (text[i]))
        return FALSE;
      if (n % 2 == 0)
        id[n / 2] = g_ascii_xdigit_value (text[i]) << 4;
      else
        id[n / 2] |= g_ascii_xdigit_value (text[i]);
      n++;
    }
  return TRUE;
}

/**
 * clq_id_print:
 * @id: 16 bytes
 * @text: (out caller-allocates): room for 37 characters
 *
 * Writes @id as a UUID.
 */
void
clq_id_print (const guint8 id[16], char text[CLQ_ID_LENGTH + 1])
{
  static const char digits[] = "0123456789abcdef";
  char *out = text;

  for (guint i = 0; i < 16; i++)
    {
      if (i == 4 || i == 6 || i == 8 || i == 10)
        *out++ = '-';
      *out++ = digits[id[i] >> 4];
      *out++ = digits[id[i] & 15];
    }
  *out = '\0';
}

/**
 * clq_name_is_valid:
 * @name: (nullable): a name
 *
 * Whether @name may name a plugin, node, setting or graph: a small letter, then small letters, digits and dashes.
 *
 * Returns: whether it may
 */
gboolean
clq_name_is_valid (const char *name)
{
  if (name == NULL || !g_ascii_islower (name[0]))
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '-')
      return FALSE;
  return TRUE;
}

/* Edit distance with neighbour swaps, case folded; names are short, longer ones are no typing mistakes. */
static guint
distance (const char *a, const char *b)
{
  enum
  {
    MAX = 64
  };
  guint rows[3][MAX + 1];
  gsize n = strlen (a), m = strlen (b);

  if (n > MAX || m > MAX)
    return G_MAXUINT;
  for (guint j = 0; j <= m; j++)
    rows[0][j] = j;
  for (guint i = 1; i <= n; i++)
    {
      guint *now = rows[i % 3], *one = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];

      now[0] = i;
      for (guint j = 1; j <= m; j++)
        {
          char x = g_ascii_tolower (a[i - 1]), y = g_ascii_tolower (b[j - 1]);
          guint best = MIN (one[j] + 1, now[j - 1] + 1);

          best = MIN (best, one[j - 1] + (x != y));
          if (i > 1 && j > 1 && x == g_ascii_tolower (b[j - 2]) && y == g_ascii_tolower (a[i - 2]))
            best = MIN (best, two[j - 2] + 1);
          now[j] = best;
        }
    }
  return rows[n % 3][m];
}

/**
 * clq_nearest:
 * @name: a name that was not found
 * @names: (array zero-terminated=1): the names that exist
 *
 * The name that was most likely meant.
 *
 * Returns: (transfer none) (nullable): one of @names, or %NULL if none is near
 */
const char *
clq_nearest (const char *name, const char *const *names)
{
  const char *best = NULL;
  guint best_distance = MAX (strlen (name) / 3, 2) + 1;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      guint d = distance (name, names[i]);

      if (d < best_distance && d < strlen (name))
        {
          best = names[i];
          best_distance = d;
        }
    }
  return best;
}

/**
 * clq_did_you_mean:
 * @name: a name that was not found
 * @names: (array zero-terminated=1): the names that exist
 *
 * The end of an error message: the nearest name, or all of them if none is near and they are few.
 *
 * Returns: (transfer full): a text that starts with `; ` or is empty
 */
char *
clq_did_you_mean (const char *name, const char *const *names)
{
  const char *nearest = clq_nearest (name, names);
  guint n = names != NULL ? g_strv_length ((char **) names) : 0;
  g_autofree char *all = NULL;

  if (nearest != NULL)
    return g_strdup_printf ("; did you mean '%s'?", nearest);
  if (n == 0 || n > 24)
    return g_strdup ("");
  all = g_strjoinv (", ", (char **) names);
  return g_strdup_printf ("; expected %s%s", n > 1 ? "one of: " : "", all);
}

static const struct
{
  const char *unit;
  GTimeSpan span;
} units[] = {
  { "d", G_TIME_SPAN_DAY },
  { "h", G_TIME_SPAN_HOUR },
  { "min", G_TIME_SPAN_MINUTE },
  { "s", G_TIME_SPAN_SECOND },
  { "ms", G_TIME_SPAN_MILLISECOND },
};

/**
 * clq_duration_parse:
 * @text: a number with a unit: `250ms`, `1.5s`, `2min`, `1h`, `1d`; or `0`
 * @duration: (out): microseconds
 *
 * Returns: whether @text is a duration
 */
gboolean
clq_duration_parse (const char *text, GTimeSpan *duration)
{
  char *end = NULL;
  double number;

  if (text == NULL || !g_ascii_isdigit (text[0]))
    return FALSE;
  if (text[0] == '0' && g_ascii_tolower (text[1]) == 'x')
    return FALSE;
  number = g_ascii_strtod (text, &end);
  if (*end == '\0' && number == 0)
    {
      *duration = 0;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].unit) == 0)
      {
        double span = number * (double) units[i].span;

        if (span > 1e17)
          return FALSE;
        *duration = (GTimeSpan) (span + 0.5);
        return TRUE;
      }
  return FALSE;
}

/**
 * clq_duration_print:
 * @duration: microseconds
 *
 * Returns: (transfer full): the duration in its largest whole unit
 */
char *
clq_duration_print (GTimeSpan duration)
{
  guint64 magnitude = duration < 0 ? -(guint64) duration : (guint64) duration;

  if (duration == 0)
    return g_strdup ("0");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (duration % units[i].span == 0)
      return g_strdup_printf ("%" G_GINT64_FORMAT "%s", duration / units[i].span, units[i].unit);
  /* Not as a double, which a locale may write with a comma. */
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%03dms", duration < 0 ? "-" : "", magnitude / 1000, (int) (magnitude % 1000));
}

/**
 * clq_time_parse:
 * @text: an ISO 8601 time; without a zone it is UTC
 * @time: (out): microseconds since 1970
 *
 * Returns: whether @text is a time
 */
gboolean
clq_time_parse (const char *text, gint64 *time)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) moment = NULL;

  if (text == NULL)
    return FALSE;
  moment = g_date_time_new_from_iso8601 (text, utc);
  if (moment == NULL)
    return FALSE;
  *time = g_date_time_to_unix (moment) * G_USEC_PER_SEC + g_date_time_get_microsecond (moment);
  return TRUE;
}

/**
 * clq_time_print:
 * @time: microseconds since 1970
 *
 * Returns: (transfer full): the time as ISO 8601 in UTC with milliseconds; one before year 1 or after 9999 is cut to these
 */
char *
clq_time_print (gint64 time)
{
  gint64 seconds = time / G_USEC_PER_SEC, rest = time % G_USEC_PER_SEC;
  g_autoptr (GDateTime) moment = NULL;
  int year, month, day;

  if (rest < 0)
    {
      rest += G_USEC_PER_SEC;
      seconds--;
    }
  moment = g_date_time_new_from_unix_utc (seconds);
  if (moment == NULL)
    return g_strdup (time < 0 ? "0001-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z");
  g_date_time_get_ymd (moment, &year, &month, &day);
  return g_strdup_printf ("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month, day,
                          g_date_time_get_hour (moment), g_date_time_get_minute (moment), g_date_time_get_second (moment),
                          (int) (rest / 1000));
}
