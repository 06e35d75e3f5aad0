/*
 * TAP: properties N. Random crons in random zones, mostly around the moments at which clocks are set, against a walk that
 * looks at every minute with the C library's clock: N next runs must be exactly those of the walk, so that they increase, match
 * the fields, and none is left out.
 */
#include "random-cron.h"

#include <stdlib.h>
#include <time.h>

#include <colloquy.h>

#define MINUTE 60
#define WINDOW (3 * 1440) /* minutes */
#define BEFORE 1500       /* minutes that are looked at first, to know what the clock has shown */
#define LOOKS 60          /* at random moments of a window */

static const char *const zones[] = {
  "UTC",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Havana",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "Pacific/Apia",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Tehran",
  "Asia/Gaza",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Antarctica/Troll",
};

/* Minutes on the wall clock, which only the fields know, are counted as if all days had 24 hours. */
typedef struct
{
  struct tm tm;
  gint64 wall;
} Moment;

static Moment
look (gint64 minute)
{
  time_t time = minute * MINUTE;
  Moment moment;

  localtime_r (&time, &moment.tm);
  moment.wall = (time + moment.tm.tm_gmtoff) / MINUTE;
  return moment;
}

static gboolean
matches (const RandomCron *cron, const struct tm *tm)
{
  return cron->allowed[0][tm->tm_min] && cron->allowed[1][tm->tm_hour] &&
         random_cron_allows_day (cron, tm->tm_mday, tm->tm_mon + 1, tm->tm_wday);
}

/* Whether a time from @first up to @end, which the clock did not show, matches. */
static gboolean
matches_skipped (const RandomCron *cron, gint64 first, gint64 end)
{
  for (gint64 wall = first; wall < end; wall++)
    {
      time_t time = wall * MINUTE;
      struct tm tm;

      gmtime_r (&time, &tm);
      if (matches (cron, &tm))
        return TRUE;
    }
  return FALSE;
}

/* The runs of a window, as the walk sees them; in minutes since 1970. */
static void
walk (const RandomCron *cron, gint64 start, GArray *runs)
{
  gint64 shown = look (start - BEFORE - 1).wall; /* the latest time that the clock has shown */

  for (gint64 minute = start - BEFORE; minute < start + WINDOW; minute++)
    {
      Moment moment = look (minute);
      gboolean runs_now = matches (cron, &moment.tm);

      if (!cron->any[1])
        runs_now = (runs_now && moment.wall > shown) || matches_skipped (cron, shown + 1, moment.wall);
      shown = MAX (shown, moment.wall);
      if (runs_now && minute >= start)
        g_array_append_val (runs, minute);
    }
}

/* A minute at which the zone's clock is set between 1975 and 2037, or any. */
static gint64
find_moment (GRand *rand)
{
  gint64 minute = g_rand_int_range (rand, 1975, 2037) * G_GINT64_CONSTANT (525949) - 1970 * G_GINT64_CONSTANT (525949);

  minute += g_rand_int_range (rand, 0, 525949);
  if (g_rand_int_range (rand, 0, 4) == 0)
    return minute;
  for (int i = 0; i < 400; i++, minute += 1440)
    {
      long before = look (minute).tm.tm_gmtoff;

      if (look (minute + 1440).tm.tm_gmtoff != before)
        break;
    }
  return minute - g_rand_int_range (rand, 0, 1440);
}

/* What comes after @after, in microseconds, must be the run with that index, or nothing in the window. */
static gint64
check_next (const RandomCron *model, ClqCron *cron, const char *zone, gint64 after, const GArray *runs, guint index, gint64 end)
{
  gint64 next = clq_cron_next (cron, after);
  gint64 wanted = (index < runs->len ? g_array_index (runs, gint64, index) : end) * MINUTE * G_USEC_PER_SEC;
  g_autofree char *got = NULL, *want = NULL, *from = NULL;

  if (index < runs->len ? next == wanted : next >= wanted)
    return next;
  got = clq_time_print (next);
  want = clq_time_print (wanted);
  from = clq_time_print (after);
  g_print ("not ok 1 - '%s' in %s after %s: %s, expected %s%s\n", model->text, zone, from, got, index < runs->len ? "" : "not before ", want);
  exit (1);
}

/* One after the other, and then from anywhere. */
static guint64
check_window (const RandomCron *model, ClqCron *cron, const char *zone, gint64 start, GRand *rand)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 time = (start * MINUTE - 1) * G_USEC_PER_SEC + 999999;

  walk (model, start, runs);
  for (guint i = 0; i <= runs->len; i++)
    time = check_next (model, cron, zone, time, runs, i, start + WINDOW);
  for (guint i = 0; i < LOOKS; i++)
    {
      gint64 second = start * MINUTE + g_rand_int_range (rand, 0, WINDOW * MINUTE);
      guint index = 0;

      while (index < runs->len && g_array_index (runs, gint64, index) * MINUTE <= second)
        index++;
      check_next (model, cron, zone, second * G_USEC_PER_SEC, runs, index, start + WINDOW);
    }
  return runs->len + LOOKS;
}

int
main (int argc, char **argv)
{
  guint64 wanted = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 20000, checked = 0;
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260329);
  guint n_windows = 0;

  g_print ("1..1\n");
  while (checked < wanted)
    {
      const char *zone = zones[g_rand_int_range (rand, 0, G_N_ELEMENTS (zones))];

      g_setenv ("TZ", zone, TRUE);
      tzset ();
      for (int i = 0; i < 8; i++, n_windows++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (ClqCron) cron = NULL;
          RandomCron model;

          random_cron_make (&model, rand);
          cron = clq_cron_new (model.text, zone, &error);
          g_assert_no_error (error);
          checked += check_window (&model, cron, zone, find_moment (rand), rand);
        }
    }
  g_print ("ok 1 - %" G_GUINT64_FORMAT " next runs in %u windows are those of the walk\n", checked, n_windows);
  return 0;
}
