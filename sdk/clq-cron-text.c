#define G_LOG_DOMAIN "clq-cron"

#include "clq-cron-private.h"

/* So many times of a day are listed; more of them are told by hours and minutes. */
#define MAX_TIMES 6
#define SHORTEST_MONTH 28
#define ODD_DAYS G_GUINT64_CONSTANT (0xaaaaaaaa)
#define EVEN_DAYS G_GUINT64_CONSTANT (0x55555554)

static const char *const months[] = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" };
static const char *const weekdays[] = { "Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays" };

static const guint64 all_values[CRON_N_PARTS] = { (G_GUINT64_CONSTANT (1) << 60) - 1, (1 << 24) - 1, 0xfffffffe, 0x1ffe, 0x7f };

typedef void (*PrintFunc) (GString *out, int value);

static void
print_number (GString *out, int value)
{
  g_string_append_printf (out, "%d", value);
}

static void
print_ordinal (GString *out, int value)
{
  const char *ending = value / 10 == 1 ? "th" : value % 10 == 1 ? "st"
                                            : value % 10 == 2   ? "nd"
                                            : value % 10 == 3   ? "rd"
                                                                : "th";

  g_string_append_printf (out, "%d%s", value, ending);
}

static void
print_month (GString *out, int value)
{
  g_string_append (out, months[value - 1]);
}

static void
print_weekday (GString *out, int value)
{
  g_string_append (out, weekdays[value]);
}

static gboolean
has (guint64 values, int value)
{
  return value < 64 && (values >> value & 1) != 0;
}

static int
count (guint64 values)
{
  return __builtin_popcountll (values);
}

/* The last value of the run that begins with @value. */
static int
end_of_run (guint64 values, int value)
{
  while (has (values, value + 1))
    value++;
  return value;
}

/* The same, and takes the run away. */
static int
take_run (guint64 *values, int value)
{
  int last = end_of_run (*values, value);

  for (int gone = value; gone <= last; gone++)
    *values &= ~(G_GUINT64_CONSTANT (1) << gone);
  return last;
}

static int
last_value (guint64 values)
{
  return 63 - __builtin_clzll (values);
}

/* n if each of the values is n larger than the one before; else 0. */
static int
find_distance (guint64 values)
{
  int first = __builtin_ctzll (values), n = count (values), step = n > 1 ? (last_value (values) - first) / (n - 1) : 0;

  for (int i = 0; i < n; i++)
    if (!has (values, first + i * step))
      return 0;
  return step;
}

static void
append_separator (GString *out, gsize start, gboolean is_last)
{
  if (out->len > start)
    g_string_append (out, is_last ? " and " : ", ");
}

/* "1, 2 and 5 to 9": a run of three and more is told by its ends. */
static void
append_values (GString *out, guint64 values, PrintFunc print)
{
  gsize start = out->len;

  for (int value = 0; value < 64 && values != 0; value++)
    {
      int last;

      if (!has (values, value))
        continue;
      last = end_of_run (values, value);
      if (last < value + 2)
        last = value;
      values &= ~((G_GUINT64_CONSTANT (2) << last) - 1);
      append_separator (out, start, values == 0);
      print (out, value);
      if (last > value)
        {
          g_string_append (out, " to ");
          print (out, last);
        }
      value = last;
    }
}

/* n if the values are every n-th of a field that begins with 0, without a shorter step at its end; else 0. */
static int
find_step (const CronField *field, int length)
{
  for (int step = 2; step <= length / 2; step++)
    {
      guint64 values = 0;

      for (int value = 0; value < length; value += step)
        values |= G_GUINT64_CONSTANT (1) << value;
      if (length % step == 0 && values == field->values)
        return step;
    }
  return 0;
}

/* ---- the time of the day ---- */

static void
append_times (GString *out, guint64 hours, guint64 minutes)
{
  int left = count (hours) * count (minutes);
  gsize start;

  g_string_append (out, "at ");
  start = out->len;
  for (int hour = 0; hour < 24; hour++)
    for (int minute = 0; minute < 60; minute++)
      if (has (hours, hour) && has (minutes, minute))
        {
          append_separator (out, start, --left == 0);
          g_string_append_printf (out, "%d:%02d", hour, minute);
        }
}

static void
append_minutes (GString *out, const CronField *minutes)
{
  int step = find_step (minutes, 60);

  if (minutes->values == all_values[CRON_MINUTE])
    g_string_append (out, "every minute");
  else if (step > 0)
    g_string_append_printf (out, "every %d minutes", step);
  else
    {
      g_string_append (out, count (minutes->values) > 1 ? "at minutes " : "at minute ");
      append_values (out, minutes->values, print_number);
    }
}

/* Ranges of hours by the clock, "from 9:00 to 17:59"; hours that stand alone by their numbers. */
static void
append_hours (GString *out, guint64 hours)
{
  gsize start;

  if ((hours & hours >> 1) == 0 && count (hours) > 1)
    {
      g_string_append (out, " in the hours ");
      append_values (out, hours, print_number);
      return;
    }
  g_string_append (out, " from ");
  start = out->len;
  while (hours != 0)
    {
      int first = __builtin_ctzll (hours), last = take_run (&hours, first);

      append_separator (out, start, hours == 0);
      g_string_append_printf (out, "%d:00 to %d:59", first, last);
    }
}

/* "every hour from 8:30 to 18:30 and at 21:30": the same minute of many hours. */
static void
append_hourly (GString *out, guint64 hours, int minute)
{
  int first = __builtin_ctzll (hours), step = find_distance (hours);
  gsize start;

  if (step > 1)
    {
      g_string_append_printf (out, "every %d hours from %d:%02d to %d:%02d", step, first, minute, last_value (hours), minute);
      return;
    }
  g_string_append (out, "every hour ");
  start = out->len;
  while (hours != 0)
    {
      int last;

      first = __builtin_ctzll (hours);
      last = take_run (&hours, first);
      append_separator (out, start, hours == 0);
      if (last == first)
        g_string_append_printf (out, "at %d:%02d", first, minute);
      else
        g_string_append_printf (out, "from %d:%02d to %d:%02d", first, minute, last, minute);
    }
}

/* Whether something is gained by not listing them. */
static gboolean
is_regular (guint64 hours)
{
  return find_distance (hours) > 0 || (hours & hours >> 1 & hours >> 2) != 0;
}

static void
append_time (GString *out, const ClqCron *self)
{
  const CronField *minutes = &self->fields[CRON_MINUTE], *hours = &self->fields[CRON_HOUR];
  gboolean all_hours = hours->values == all_values[CRON_HOUR], single = count (minutes->values) == 1;
  int minute = __builtin_ctzll (minutes->values), step = find_step (hours, 24);

  if (single && (all_hours || (step > 0 && step < 12)))
    {
      g_string_append (out, all_hours ? "every hour" : "every ");
      if (!all_hours)
        g_string_append_printf (out, "%d hours", step);
      if (minute > 0)
        g_string_append_printf (out, " at minute %d", minute);
    }
  else if (single && count (hours->values) > MAX_TIMES && is_regular (hours->values))
    append_hourly (out, hours->values, minute);
  else if (single || count (minutes->values) * count (hours->values) <= MAX_TIMES)
    append_times (out, hours->values, minutes->values);
  else
    {
      append_minutes (out, minutes);
      if (!all_hours)
        append_hours (out, hours->values);
      else if (minutes->values != all_values[CRON_MINUTE] && find_step (minutes, 60) == 0)
        g_string_append (out, " of every hour");
    }
}

/* ---- days ---- */

static void
append_weekdays (GString *out, guint64 values)
{
  if (values == 0x3e)
    g_string_append (out, "weekdays");
  else if (values == 0x41)
    g_string_append (out, "weekends");
  else
    append_values (out, values, print_weekday);
}

static void
append_months (GString *out, guint64 values)
{
  gboolean is_run = count (values) > 2 && find_distance (values) == 1;

  g_string_append (out, is_run ? " from " : " in ");
  append_values (out, values, print_month);
}

/* With its months, if there are no weekdays that share them. */
static void
append_days (GString *out, const ClqCron *self, gboolean with_months)
{
  guint64 days = self->fields[CRON_DAY].values, in = self->fields[CRON_MONTH].values;

  g_string_append (out, "on ");
  if (with_months && count (days) == 1 && count (in) == 1)
    {
      g_string_append_printf (out, "%d %s", __builtin_ctzll (days), months[__builtin_ctzll (in) - 1]);
      return;
    }
  if (days == ODD_DAYS || days == EVEN_DAYS)
    g_string_append (out, days == ODD_DAYS ? "odd days" : "even days");
  else
    {
      g_string_append (out, "the ");
      append_values (out, days, print_ordinal);
    }
  if (!with_months)
    return;
  g_string_append (out, " of ");
  if (in != all_values[CRON_MONTH])
    append_values (out, in, print_month);
  else
    g_string_append (out, count (days) == 1 && last_value (days) > SHORTEST_MONTH ? "every month that has one" : "every month");
}

/**
 * clq_cron_describe:
 * @self: a cron
 *
 * The schedule in words, `weekdays at 9:00`. The zone is not told.
 *
 * Returns: (transfer full): a text
 */
char *
clq_cron_describe (const ClqCron *self)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const CronField *days = &self->fields[CRON_DAY], *weekday = &self->fields[CRON_WEEKDAY];
  gboolean either = !days->any && !weekday->any;
  gboolean by_day = either || days->values != all_values[CRON_DAY];
  gboolean by_weekday = either || weekday->values != all_values[CRON_WEEKDAY];
  gboolean by_month = self->fields[CRON_MONTH].values != all_values[CRON_MONTH];
  gboolean by_hour = self->fields[CRON_HOUR].values != all_values[CRON_HOUR];
  g_autoptr (GString) time = g_string_new (NULL);

  append_time (time, self);
  if (by_day)
    append_days (out, self, !by_weekday);
  if (by_weekday)
    {
      g_string_append (out, by_day ? " and on " : "");
      append_weekdays (out, weekday->values);
    }
  if (!by_day && !by_weekday && (by_month || (by_hour && time->str[0] == 'a')))
    g_string_append (out, "every day");
  if (by_month && (!by_day || by_weekday))
    append_months (out, self->fields[CRON_MONTH].values);
  if (out->len > 0)
    g_string_append (out, time->str[0] == 'e' ? ", " : " ");
  g_string_append (out, time->str);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
