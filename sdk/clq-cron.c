#define G_LOG_DOMAIN "clq-cron"

#include "clq-private.h"

#include "clq-cron-private.h"

#include <string.h>

/*
 * A cron is looked at on the wall clock of its zone, in minutes, and brought back to time: in each stretch of one offset
 * the wall clock runs evenly; between two stretches it jumps. Where it jumps forward, times do not exist; where it jumps
 * back, they come twice. If the hour is an asterisk the cron follows the wall clock as it runs. Otherwise each time on
 * the wall clock counts once: at its first coming or, if it never comes, when the clock has jumped over it.
 */
#define MINUTE 60
#define DAY_MINUTES 1440
#define DAY_SECONDS 86400
#define FIRST_TIME G_GINT64_CONSTANT (-62135596800) /* year 1 */
#define LAST_TIME G_GINT64_CONSTANT (253402214400)  /* the last day of 9999, so that every zone can show it */
#define NEVER G_MAXINT64

static inline gint64
floor_div (gint64 a, gint64 b)
{
  return a / b - (a % b < 0);
}

/* ---- the zone ---- */

static int
find_index (const ClqCron *self, gint64 time)
{
  return g_time_zone_find_interval (self->zone, G_TIME_TYPE_UNIVERSAL, time);
}

/* The first second after @low that is in another interval; NEVER if none is. GTimeZone does not tell, so it is searched for. */
static gint64
find_change (const ClqCron *self, gint64 low, int index)
{
  gint64 step = 32 * DAY_SECONDS, high = low;

  while (find_index (self, high) == index)
    {
      if (high >= LAST_TIME)
        return NEVER;
      low = high;
      high = MIN (high + step, LAST_TIME);
      step *= 2;
    }
  while (high - low > 1)
    {
      gint64 middle = low + (high - low) / 2;

      if (find_index (self, middle) == index)
        low = middle;
      else
        high = middle;
    }
  return high;
}

/* The first second of the interval that @high is in. */
static gint64
find_start (const ClqCron *self, gint64 high, int index)
{
  gint64 step = 32 * DAY_SECONDS, low = high;

  while (find_index (self, low) == index)
    {
      if (low <= FIRST_TIME)
        return FIRST_TIME;
      high = low;
      low = MAX (low - step, FIRST_TIME);
      step *= 2;
    }
  while (high - low > 1)
    {
      gint64 middle = low + (high - low) / 2;

      if (find_index (self, middle) == index)
        high = middle;
      else
        low = middle;
    }
  return high;
}

/* What the wall clock shows at the beginning of the stretch, or what it had shown just before if that was later. */
static gint64
find_shown (const ClqCron *self, const CronStretch *stretch, int index)
{
  int offset = stretch->offset;

  if (stretch->start > FIRST_TIME && index > 0)
    offset = MAX (offset, g_time_zone_get_offset (self->zone, index - 1));
  return floor_div (stretch->start + offset + MINUTE - 1, MINUTE);
}

static gboolean
has_time (const CronStretch *stretch, gint64 time)
{
  return time >= stretch->start && time < stretch->end;
}

static CronStretch
find_stretch (const ClqCron *self, gint64 time)
{
  CronStretch stretch = { .start = FIRST_TIME, .end = NEVER, .shown = G_MININT64 };
  int index;

  if (self->zone == NULL)
    return stretch;
  index = find_index (self, time);
  stretch.offset = g_time_zone_get_offset (self->zone, index);
  stretch.start = time == self->stretch.end ? time : find_start (self, time, index);
  stretch.end = find_change (self, time, index);
  stretch.shown = find_shown (self, &stretch, index);
  return stretch;
}

/* Looks at the stretch with @time; looking at one that is known costs next to nothing. */
static void
go_to (ClqCron *self, gint64 time)
{
  if (has_time (&self->stretch, time))
    return;
  for (guint i = 0; i < MIN (self->n_known, CRON_N_STRETCHES); i++)
    if (has_time (&self->known[i], time))
      {
        self->stretch = self->known[i];
        return;
      }
  self->stretch = find_stretch (self, time);
  self->known[self->n_known++ % CRON_N_STRETCHES] = self->stretch;
}

/* ---- days ---- */

/* Days since 1970 of the first of a month, which is counted from the year 0. */
static gint64
first_day (gint64 month)
{
  gint64 year = floor_div (month - 2, 12); /* years begin in March, so that the leap day is the last */
  gint64 m = month - 2 - year * 12;

  return year * 365 + floor_div (year, 4) - floor_div (year, 100) + floor_div (year, 400) + (153 * m + 2) / 5 - 719468;
}

/* The month with a day, counted from the year 0. */
static gint64
month_of (gint64 day)
{
  gint64 z = day + 719468, era = floor_div (z, 146097);
  gint64 doe = z - era * 146097;
  gint64 yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  gint64 doy = doe - (365 * yoe + yoe / 4 - yoe / 100);

  return (yoe + era * 400) * 12 + (5 * doy + 2) / 153 + 2;
}

/* Looks at a month: which of its days are allowed. If both day fields are restricted either will do. */
static void
look_at_month (ClqCron *self, gint64 number)
{
  CronMonth *month = &self->month;
  const CronField *days = &self->fields[CRON_DAY], *weekdays = &self->fields[CRON_WEEKDAY];
  guint32 by_day = (guint32) (days->values >> 1), by_weekday;

  month->number = number;
  month->first = first_day (number);
  month->length = (guint) (first_day (number + 1) - month->first);
  by_weekday = self->by_weekday[((month->first + 4) % 7 + 7) % 7];
  month->days = !days->any && !weekdays->any ? by_day | by_weekday : by_day & by_weekday;
  month->days &= (guint32) ((G_GUINT64_CONSTANT (1) << month->length) - 1);
  if ((self->fields[CRON_MONTH].values >> (number % 12 + 1) & 1) == 0)
    month->days = 0;
}

/* The first day from @day on that is allowed; in days since 1970. */
static gint64
next_day (ClqCron *self, gint64 day)
{
  CronMonth *month = &self->month;

  if (day < month->first || day >= month->first + month->length)
    look_at_month (self, month_of (day));
  while (month->days >> (day - month->first) == 0)
    {
      look_at_month (self, month->number + 1);
      day = month->first;
      if (day > LAST_TIME / DAY_SECONDS)
        return NEVER;
    }
  return day + __builtin_ctz (month->days >> (day - month->first));
}

/* ---- the wall clock ---- */

/* The first minute of a day from @minute on that is allowed; DAY_MINUTES if none is. */
static int
next_minute (const ClqCron *self, int minute)
{
  guint64 hours = self->fields[CRON_HOUR].values, minutes = self->fields[CRON_MINUTE].values;
  int hour = minute / 60;
  guint64 rest = minutes >> (minute % 60);

  if ((hours >> hour & 1) != 0 && rest != 0)
    return minute + __builtin_ctzll (rest);
  hours >>= hour + 1;
  return hours != 0 ? (hour + 1 + __builtin_ctzll (hours)) * 60 + __builtin_ctzll (minutes) : DAY_MINUTES;
}

/* The first minute on the wall clock from @wall on that is allowed; in minutes since 1970. */
static gint64
next_wall (ClqCron *self, gint64 wall)
{
  gint64 day = floor_div (wall, DAY_MINUTES), found = next_day (self, day);
  int minute = found == day ? next_minute (self, (int) (wall - day * DAY_MINUTES)) : next_minute (self, 0);

  if (minute == DAY_MINUTES)
    {
      found = next_day (self, day + 1);
      minute = next_minute (self, 0);
    }
  return found == NEVER ? NEVER : found * DAY_MINUTES + minute;
}

/**
 * clq_cron_next:
 * @self: a cron
 * @after: a time, in microseconds since 1970
 *
 * When the cron runs next. A time that the zone's clock jumps over counts when it has jumped, one that comes twice counts
 * once; but if the hour is an asterisk the cron follows the wall clock.
 *
 * Returns: the first time after @after, in microseconds since 1970; 0 if there is none before the year 10000
 */
gint64
clq_cron_next (ClqCron *self, gint64 after)
{
  gint64 time = floor_div (after, G_USEC_PER_SEC), wall;
  gboolean follows = self->fields[CRON_HOUR].any;
  const CronStretch *stretch = &self->stretch;

  if (time >= LAST_TIME)
    return 0;
  time = MAX (time, FIRST_TIME + DAY_SECONDS);
  go_to (self, time);
  wall = floor_div (time + stretch->offset, MINUTE) + 1;
  if (!follows)
    wall = MAX (wall, stretch->shown);
  wall = next_wall (self, wall);
  while (wall != NEVER && wall * MINUTE - stretch->offset >= stretch->end)
    {
      go_to (self, stretch->end);
      if (follows)
        wall = next_wall (self, floor_div (stretch->start + stretch->offset + MINUTE - 1, MINUTE));
      else if (wall * MINUTE < stretch->start + stretch->offset)
        return stretch->start * G_USEC_PER_SEC; /* jumped over */
    }
  return wall == NEVER ? 0 : (wall * MINUTE - stretch->offset) * G_USEC_PER_SEC;
}

/* ---- life ---- */

static char **
read_zone_names (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/usr/share/zoneinfo/zone.tab", &text, NULL, NULL))
    return g_new0 (char *, 1);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = *lines[i] != '#' ? g_strsplit (lines[i], "\t", -1) : NULL;

      if (columns != NULL && g_strv_length (columns) >= 3)
        g_ptr_array_add (names, g_strdup (columns[2]));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static gboolean
set_zone (ClqCron *self, const char *name, GError **error)
{
  g_auto (GStrv) names = NULL;
  g_autofree char *hint = NULL;

  if (name == NULL || g_ascii_strcasecmp (name, "UTC") == 0)
    return TRUE;
  /* GTimeZone also reads rules and paths; a schedule names a zone. */
  if (g_ascii_isalpha (*name) && strlen (name) < 64 && strspn (name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_+-") == strlen (name))
    self->zone = g_time_zone_new_identifier (name);
  if (self->zone != NULL)
    return TRUE;
  names = read_zone_names ();
  hint = g_utf8_validate (name, -1, NULL) ? clq_did_you_mean (name, (const char *const *) names) : g_strdup ("");
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "'%s' is no time zone%s", name,
               *hint != '\0' ? hint : "; expected a name like UTC or Europe/Berlin");
  return FALSE;
}

static void
spread_weekdays (ClqCron *self)
{
  for (guint first = 0; first < 7; first++)
    for (guint day = 0; day < 31; day++)
      if ((self->fields[CRON_WEEKDAY].values >> ((first + day) % 7) & 1) != 0)
        self->by_weekday[first] |= 1u << day;
}

/**
 * clq_cron_new:
 * @expression: five fields, or a nickname like `@daily`
 * @zone: (nullable): the name of a time zone, `Europe/Berlin`; %NULL = UTC
 * @error: return location
 *
 * Reads a cron expression. Fields are lists of values, ranges and `*`, with steps; months and weekdays may be names.
 * Dates that never come are refused.
 *
 * Returns: (transfer full) (nullable): a cron, or %NULL with the position and what was expected there
 */
ClqCron *
clq_cron_new (const char *expression, const char *zone, GError **error)
{
  g_autoptr (ClqCron) self = g_new0 (ClqCron, 1);

  g_return_val_if_fail (expression != NULL, NULL);
  if (!clq_cron_parse (self, expression, error) || !set_zone (self, zone, error))
    return NULL;
  spread_weekdays (self);
  self->stretch = (CronStretch){ .start = G_MAXINT64, .end = G_MININT64 };
  return g_steal_pointer (&self);
}

/**
 * clq_cron_free:
 * @self: (transfer full) (nullable): a cron
 */
void
clq_cron_free (ClqCron *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->zone, g_time_zone_unref);
  g_free (self);
}
