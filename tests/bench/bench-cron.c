/*
 * Next runs of crons per second: bench-cron NODE CRONER.mjs FOLDER. Ours in UTC and in a zone, beside a tight loop over bit masks that
 * knows no zones, and beside croner in UTC. All see the same expressions and the same times, and must have the same runs.
 *
 * Each is asked in two ways: for the run after the last one, as a scheduler does, and for the run after a time anywhere in three years.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define N_NEXT 20000
#define START G_GINT64_CONSTANT (1767225600) /* 2026 */
#define SPAN (3 * 365 * 86400)

static const char *const expressions[] = {
  "*/5 * * * *",
  "0 * * * *",
  "0 9 * * 1-5",
  "30 8,12,18 * * *",
  "*/15 9-17 * * 1-5",
  "0 0 1 * *",
  "15 3 * * 0",
  "0 12 13 * 5",
  "0 6 1,15 1-6 *",
  "59 23 31 12 *",
};

/* Where the @i-th question begins if it does not go on from the last run. */
static gint64
anywhere (guint i)
{
  return START + (gint64) i * 1000003 % SPAN;
}

/* ---- the tight loop ---- */

typedef struct
{
  guint64 minutes;
  guint32 hours;
  guint32 days;
  guint32 months;
  guint32 weekdays;
  gboolean either; /* of the two fields of days */
} Masks;

/* The benchmark reads only what its expressions have. */
static guint64
read_mask (const char *text, int low, int high)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint64 mask = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *end;
      int first = *parts[i] == '*' ? low : (int) strtol (parts[i], &end, 10), last = *parts[i] == '*' ? high : first, step = 1;

      if (*parts[i] == '*')
        end = parts[i] + 1;
      if (*end == '-')
        last = (int) strtol (end + 1, &end, 10);
      if (*end == '/')
        step = (int) strtol (end + 1, &end, 10);
      for (int value = first; value <= last; value += step)
        mask |= G_GUINT64_CONSTANT (1) << value;
    }
  return mask;
}

static Masks
read_masks (const char *expression)
{
  g_auto (GStrv) fields = g_strsplit (expression, " ", -1);

  return (Masks){ read_mask (fields[0], 0, 59), read_mask (fields[1], 0, 23), read_mask (fields[2], 1, 31), read_mask (fields[3], 1, 12),
                  read_mask (fields[4], 0, 6), *fields[2] != '*' && *fields[4] != '*' };
}

static inline int
month_length (gint64 year, int month)
{
  if (month == 2)
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static inline gboolean
tight_allows (const Masks *self, int day, int weekday)
{
  gboolean by_day = self->days >> day & 1, by_weekday = self->weekdays >> weekday & 1;

  return self->either ? by_day || by_weekday : by_day && by_weekday;
}

/* The minute of the day from @minute on, or -1. */
static inline int
tight_minute (const Masks *self, int minute)
{
  int hour = minute / 60;
  guint64 minutes = self->minutes >> (minute % 60);
  guint32 hours;

  if ((self->hours >> hour & 1) != 0 && minutes != 0)
    return minute + __builtin_ctzll (minutes);
  hours = self->hours & ~((2u << hour) - 1);
  return hours != 0 ? __builtin_ctz (hours) * 60 + __builtin_ctzll (self->minutes) : -1;
}

static gint64
tight_next (const Masks *self, gint64 time)
{
  gint64 wall = time / 60 + 1, date = wall / 1440, z = date + 719468, era = z / 146097, doe = z - era * 146097;
  gint64 yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  int mp = (int) ((5 * doy + 2) / 153), day = (int) (doy - (153 * mp + 2) / 5 + 1), month = mp < 10 ? mp + 3 : mp - 9;
  gint64 year = yoe + era * 400 + (month <= 2);
  int minute = (int) (wall % 1440), length = month_length (year, month);

  for (;;)
    {
      if ((self->months >> month & 1) != 0 && tight_allows (self, day, (int) ((date + 4) % 7)))
        {
          int found = tight_minute (self, minute);

          if (found >= 0)
            return (date * 1440 + found) * 60;
        }
      minute = 0;
      if ((self->months >> month & 1) == 0)
        date += length - day, day = length;
      date++;
      if (++day <= length)
        continue;
      day = 1;
      if (++month > 12)
        month = 1, year++;
      length = month_length (year, month);
    }
}

/* ---- all ---- */

typedef gint64 (*NextFunc) (gpointer self, gint64 time); /* in seconds */

static gint64
next_tight (gpointer self, gint64 time)
{
  return tight_next (self, time);
}

static gint64
next_ours (gpointer self, gint64 time)
{
  return clq_cron_next (self, time * G_USEC_PER_SEC) / G_USEC_PER_SEC;
}

/* Seconds per run; @sum gets the sum of all runs, counted from the start. */
static double
time_next (NextFunc next, gpointer self, gboolean follow, gint64 *sum)
{
  double start = bench_busy ();
  gint64 time = START;

  for (guint i = 0; i < N_NEXT; i++)
    {
      time = next (self, follow ? time : anywhere (i));
      *sum += time - START;
      if (time > START + SPAN)
        time = START;
    }
  return (bench_busy () - start) / N_NEXT;
}

typedef struct
{
  BenchSeries tight;
  BenchSeries utc;
  BenchSeries zone;
} Times;

static void
measure (Times *times, gboolean follow, gint64 *sum)
{
  double tight = 0, utc = 0, zone = 0;
  gint64 ours = 0, ignored = 0;

  *sum = 0;
  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
    {
      Masks masks = read_masks (expressions[i]);
      g_autoptr (ClqCron) cron = clq_cron_new (expressions[i], NULL, NULL);
      g_autoptr (ClqCron) local = clq_cron_new (expressions[i], "Europe/Berlin", NULL);

      tight += time_next (next_tight, &masks, follow, sum);
      utc += time_next (next_ours, cron, follow, &ours);
      zone += time_next (next_ours, local, follow, &ignored);
    }
  g_assert_cmpint (ours, ==, *sum);
  bench_add (&times->tight, tight / G_N_ELEMENTS (expressions));
  bench_add (&times->utc, utc / G_N_ELEMENTS (expressions));
  bench_add (&times->zone, zone / G_N_ELEMENTS (expressions));
}

/* croner warms up and says how long it takes for a run, in nanoseconds; its runs must be the same. 0 if it is not there. */
static double
time_croner (char **argv, gboolean follow, gint64 sum)
{
  g_autofree char *joined = g_strjoinv ("\n", (char **) expressions), *output = NULL;
  const char *command[] = { argv[1], argv[2], argv[3], joined, follow ? "follow" : "anywhere", NULL };
  g_auto (GStrv) words = NULL;

  if (!g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL, NULL))
    return 0;
  words = g_strsplit (g_strchomp (output), " ", 2);
  if (g_strv_length (words) != 2)
    return 0;
  g_assert_cmpint (g_ascii_strtoll (words[1], NULL, 10), ==, sum);
  return g_ascii_strtod (words[0], NULL) / 1e9;
}

static void
print_speed (const char *what, double seconds)
{
  g_print ("%-52s %10.0f per second, %8.1f ns\n", what, 1 / seconds, seconds * 1e9);
}

static void
compare (char **argv, gboolean follow)
{
  Times times = { 0 };
  double tight, utc, croner;
  gint64 sum = 0;

  for (guint i = 0; i < BENCH_ROUNDS; i++)
    measure (&times, follow, &sum);
  tight = bench_median (&times.tight);
  utc = bench_median (&times.utc);
  croner = argv[1] != NULL ? time_croner (argv, follow, sum) : 0;
  g_print ("%s\n", follow ? "the run after the last one" : "the run after a time anywhere in three years");
  print_speed ("tight loop without zones", tight);
  print_speed ("UTC", utc);
  print_speed ("Europe/Berlin", bench_median (&times.zone));
  if (croner > 0)
    print_speed ("croner, UTC", croner);
  bench_goal ("UTC / tight loop", tight / utc, "x", TRUE, 0.25, 0.5);
  bench_goal ("Europe/Berlin / tight loop without zones", tight / bench_median (&times.zone), "x", TRUE, 0.25, 0.5);
  if (croner > 0)
    bench_goal ("UTC / croner", croner / utc, "x", TRUE, 20, 100);
  else
    g_print ("NOT COMPARED: croner is not there; the test cron-compare installs it\n");
}

int
main (int argc, char **argv)
{
  compare (argv, TRUE);
  compare (argv, FALSE);
  return 0;
}
