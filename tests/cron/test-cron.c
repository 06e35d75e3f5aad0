/* Cron expressions: when they run, what is refused and where, what they say in words. */
#include "random-cron.h"

#include <string.h>

#include <colloquy.h>

static gint64
time_of (const char *text)
{
  gint64 time = 0;

  g_assert_true (clq_time_parse (text, &time));
  return time;
}

static void
test_next (void)
{
  static const struct
  {
    const char *expression;
    const char *zone;
    const char *after;
    const char *next[3];
  } cases[] = {
    { "0 9 * * 1-5", "Europe/Berlin", "2026-03-27T12:00:00Z", { "2026-03-30T07:00:00Z", "2026-03-31T07:00:00Z", "2026-04-01T07:00:00Z" } },
    { "*/5 * * * *", NULL, "2026-01-01T00:04:59.999Z", { "2026-01-01T00:05:00Z", "2026-01-01T00:10:00Z", "2026-01-01T00:15:00Z" } },
    { "0 0 29 2 *", NULL, "2096-03-01T00:00:00Z", { "2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z", "2112-02-29T00:00:00Z" } },
    { "0 0 13 * FRI", NULL, "2026-11-08T00:00:00Z", { "2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-27T00:00:00Z" } },
    { "0 0 31 * *", NULL, "2026-01-31T00:00:00Z", { "2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z", "2026-07-31T00:00:00Z" } },
    { "@weekly", NULL, "2026-01-01T00:00:00Z", { "2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z", "2026-01-18T00:00:00Z" } },
    { "0 12 * * 7", NULL, "2026-01-01T00:00:00Z", { "2026-01-04T12:00:00Z", "2026-01-11T12:00:00Z", "2026-01-18T12:00:00Z" } },
    { "0 12 * * fri-sun", NULL, "2026-01-01T00:00:00Z", { "2026-01-02T12:00:00Z", "2026-01-03T12:00:00Z", "2026-01-04T12:00:00Z" } },
    /* The clock jumps from 2:00 to 3:00: once, when it has jumped. */
    { "30 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", { "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z" } },
    { "*/20 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", { "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z", "2026-03-30T00:20:00Z" } },
    { "0 2,3 * * *", "Europe/Berlin", "2026-03-28T03:00:00Z", { "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z", "2026-03-30T01:00:00Z" } },
    { "30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", { "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z" } },
    /* It jumps from 3:00 to 2:00: once, the first time; from whatever moment one looks. */
    { "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", { "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z", "2026-10-27T01:30:00Z" } },
    { "30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", { "2026-10-26T01:30:00Z", "2026-10-27T01:30:00Z", "2026-10-28T01:30:00Z" } },
    { "30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", { "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z" } },
    /* By half an hour only. */
    { "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", { "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z", "2026-10-05T15:15:00Z" } },
    /* A whole day that was not: 30 December 2011. */
    { "0 9 30 12 *", "Pacific/Apia", "2011-01-01T00:00:00Z", { "2011-12-30T10:00:00Z", "2012-12-29T19:00:00Z", "2013-12-29T19:00:00Z" } },
    { "0 * 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", { "2012-12-29T10:00:00Z", "2012-12-29T11:00:00Z", "2012-12-29T12:00:00Z" } },
    /* Clocks that jump at midnight. */
    { "0 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", { "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z", "2026-04-25T21:00:00Z" } },
    { "0 0 1 1 *", NULL, "-0001-01-01T00:00:00Z", { "0002-01-01T00:00:00Z", "0003-01-01T00:00:00Z", "0004-01-01T00:00:00Z" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqCron) cron = clq_cron_new (cases[i].expression, cases[i].zone, &error);
      gint64 time = *cases[i].after == '-' ? G_MININT64 : time_of (cases[i].after);

      g_assert_no_error (error);
      for (guint j = 0; j < G_N_ELEMENTS (cases[i].next); j++)
        {
          g_autofree char *got = clq_time_print (time = clq_cron_next (cron, time)), *want = clq_time_print (time_of (cases[i].next[j]));

          g_assert_cmpstr (got, ==, want);
        }
    }
}

static void
test_end_of_time (void)
{
  static const char *const zones[] = { "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin" };

  for (guint i = 0; i < G_N_ELEMENTS (zones); i++)
    {
      g_autoptr (ClqCron) yearly = clq_cron_new ("@yearly", zones[i], NULL);
      g_autoptr (ClqCron) hourly = clq_cron_new ("@hourly", zones[i], NULL);

      g_assert_cmpint (clq_cron_next (yearly, time_of ("9999-06-01T00:00:00Z")), ==, 0);
      g_assert_cmpint (clq_cron_next (hourly, time_of ("9999-12-31T12:00:00Z")), ==, 0);
      g_assert_cmpint (clq_cron_next (hourly, G_MAXINT64), ==, 0);
      g_assert_cmpint (clq_cron_next (hourly, G_MININT64), <, 0);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *expression;
    const char *message;
  } cases[] = {
    { "", "cron '', position 1: the minute is missing; expected five fields: minute, hour, day of the month, month, day of the week" },
    { "  0 9 * *", "cron '  0 9 * *', position 10: the day of the week is missing; expected five fields: minute, hour, day of the month, month, day of the week" },
    { "0 9 * * * *", "cron '0 9 * * * *', position 11: there are more than five fields; expected the end after the day of the week" },
    { "60 * * * *", "cron '60 * * * *', position 1: the minute 60 is out of range; expected 0 to 59" },
    { "0 24 * * *", "cron '0 24 * * *', position 3: the hour 24 is out of range; expected 0 to 23" },
    { "0 0 0 * *", "cron '0 0 0 * *', position 5: the day of the month 0 is out of range; expected 1 to 31" },
    { "0 0 1 13 *", "cron '0 0 1 13 *', position 7: the month 13 is out of range; expected 1 to 12 or JAN to DEC" },
    { "0 0 * * 8", "cron '0 0 * * 8', position 9: the day of the week 8 is out of range; expected 0 to 7 (0 and 7 are Sunday) or SUN to SAT" },
    { "99999999999999999999 * * * *", "cron '99999999999999999999 * * * *', position 1: the minute 99999999999999999999 is out of range; expected 0 to 59" },
    { "0 9 * * MNO", "cron '0 9 * * MNO', position 9: 'MNO' is no day of the week; did you mean 'MON'?" },
    { "0 9 * * L", "cron '0 9 * * L', position 9: 'L' is no day of the week; expected 0 to 7 (0 and 7 are Sunday) or SUN to SAT" },
    { "0 nine * * *", "cron '0 nine * * *', position 3: 'nine' is no hour; expected 0 to 23" },
    { "0 9 ? * *", "cron '0 9 ? * *', position 5: '?' is no day of the month; expected * or 1 to 31" },
    { "-1 * * * *", "cron '-1 * * * *', position 1: '-' is no minute; expected * or 0 to 59" },
    { "1- * * * *", "cron '1- * * * *', position 3: the minute ends too early; expected 0 to 59" },
    { "1, * * * *", "cron '1, * * * *', position 3: the minute ends too early; expected 0 to 59" },
    { "30-10 * * * *", "cron '30-10 * * * *', position 4: the range ends before it begins; expected a minute not before 30" },
    { "*/0 * * * *", "cron '*/0 * * * *', position 3: the step 0 is out of range; expected 1 to 59" },
    { "*/60 * * * *", "cron '*/60 * * * *', position 3: the step 60 is out of range; expected 1 to 59" },
    { "*/ * * * *", "cron '*/ * * * *', position 3: a step is missing; expected a number from 1 to 59" },
    { "*5 * * * *", "cron '*5 * * * *', position 2: unexpected '5' in the minute; expected a comma or the next field" },
    { "0 \xc3\xa4 * * *", "cron '0 \xc3\xa4 * * *', position 3: '\xc3\xa4' is no hour; expected * or 0 to 23" },
    { "0 9\xc3\xa4 * * *", "cron '0 9\xc3\xa4 * * *', position 4: unexpected '\xc3\xa4' in the hour; expected a comma or the next field" },
    { "0 0 30 2 *", "cron '0 0 30 2 *', position 5: no month that is allowed has such a day; expected a date that exists" },
    { "0 0 31 2,4,JUN,9,11 *", "cron '0 0 31 2,4,JUN,9,11 *', position 5: no month that is allowed has such a day; expected a date that exists" },
    { "@dayly", "cron '@dayly', position 1: '@dayly' is no nickname; did you mean '@daily'?" },
    { "\xff * * * *", "cron: expected UTF-8 text of at most 1024 bytes" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_cron_new (cases[i].expression, NULL, &error));
      g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_zones (void)
{
  static const struct
  {
    const char *zone;
    const char *message;
  } cases[] = {
    { "europe/berlin", "'europe/berlin' is no time zone; did you mean 'Europe/Berlin'?" },
    { "Europe/Berlinn", "'Europe/Berlinn' is no time zone; did you mean 'Europe/Berlin'?" },
    { "/etc/passwd", "'/etc/passwd' is no time zone; expected a name like UTC or Europe/Berlin" },
    { "Europe/../UTC", "'Europe/../UTC' is no time zone; expected a name like UTC or Europe/Berlin" },
    { "", "'' is no time zone; expected a name like UTC or Europe/Berlin" },
    { "UTC+3:00,M1.1.1", "'UTC+3:00,M1.1.1' is no time zone; expected a name like UTC or Europe/Berlin" },
  };
  g_autoptr (ClqCron) utc = clq_cron_new ("@daily", "UTC", NULL);

  g_assert_nonnull (utc);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_cron_new ("@daily", cases[i].zone, &error));
      g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_text (void)
{
  static const char *const cases[][2] = {
    { "0 9 * * 1-5", "weekdays at 9:00" },
    { "0 9 * * *", "every day at 9:00" },
    { "*/5 * * * *", "every 5 minutes" },
    { "* * * * *", "every minute" },
    { "0 * * * *", "every hour" },
    { "5 * * * *", "every hour at minute 5" },
    { "0 */2 * * *", "every 2 hours" },
    { "15 */6 * * *", "every 6 hours at minute 15" },
    { "0 9,17 * * *", "every day at 9:00 and 17:00" },
    { "0,30 9 * * SAT,SUN", "weekends at 9:00 and 9:30" },
    { "0 8-18 * * 1-5", "weekdays, every hour from 8:00 to 18:00" },
    { "*/15 9-17 * * 1-5", "weekdays, every 15 minutes from 9:00 to 17:59" },
    { "*/7 * * * *", "at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour" },
    { "* 9 * * *", "every minute from 9:00 to 9:59" },
    { "@monthly", "on the 1st of every month at 0:00" },
    { "@yearly", "on 1 January at 0:00" },
    { "0 0 1,15 * *", "on the 1st and 15th of every month at 0:00" },
    { "0 0 2-4,11-13,22,23 6-8 *", "on the 2nd to 4th, 11th to 13th, 22nd and 23rd of June to August at 0:00" },
    { "0 9 * * MON", "Mondays at 9:00" },
    { "0 9 * 1,7 MON,WED", "Mondays and Wednesdays in January and July at 9:00" },
    { "0 9 * 12 *", "every day in December at 9:00" },
    { "*/10 * * 12 *", "every day in December, every 10 minutes" },
    { "0 0 13 * 5", "on the 13th and on Fridays at 0:00" },
    { "0 0 13 6 5", "on the 13th and on Fridays in June at 0:00" },
    { "3 0-5,20-23 * * *", "every hour from 0:03 to 5:03 and from 20:03 to 23:03" },
    { "0 22-23,0-5,12 * * 1-5", "weekdays, every hour from 0:00 to 5:00, at 12:00 and from 22:00 to 23:00" },
    { "23 0-20/2 * * *", "every 2 hours from 0:23 to 20:23" },
    { "0 1-23/2 * * *", "every 2 hours from 1:00 to 23:00" },
    { "0 */12 * * *", "every day at 0:00 and 12:00" },
    { "0 0,12 1 */2 *", "on the 1st of January, March, May, July, September and November at 0:00 and 12:00" },
    { "0 1,2,4,6,9,13,20 * * *", "every day at 1:00, 2:00, 4:00, 6:00, 9:00, 13:00 and 20:00" },
    { "*/15 8-20/4 * * *", "every 15 minutes in the hours 8, 12, 16 and 20" },
    { "0 9 */2 * *", "on odd days of every month at 9:00" },
    { "0 9 2-30/2 * *", "on even days of every month at 9:00" },
    { "0 9 31 * *", "on the 31st of every month that has one at 9:00" },
    { "0 9 28 * *", "on the 28th of every month at 9:00" },
    { "0 0 * 6-8 *", "every day from June to August at 0:00" },
    { "0 9 * 1-3,10-12 MON", "Mondays in January to March and October to December at 9:00" },
    { "0 0 29 2 *", "on 29 February at 0:00" },
    { "0 10 * * 2-4", "Tuesdays to Thursdays at 10:00" },
    { "0 23 * * SUN-THU", "Sundays to Thursdays at 23:00" },
    { "0 9 * * 0-6", "every day at 9:00" },
    { "0-29/10 * * * *", "at minutes 0, 10 and 20 of every hour" },
    { "*/20 * * * 1-5", "weekdays, every 20 minutes" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ClqCron) cron = clq_cron_new (cases[i][0], NULL, NULL);
      g_autofree char *text = clq_cron_describe (cron);

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

/* Who reads the text knows when it runs: two crons with the same text run at the same times. */
static void
test_text_is_whole (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260101);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) clq_cron_free);
  guint n_same = 0;

  for (guint i = 0; i < 20000; i++)
    {
      RandomCron model;
      ClqCron *cron, *other;
      char *text;
      gint64 time = time_of ("2026-01-01T00:00:00Z");

      random_cron_make (&model, rand);
      cron = clq_cron_new (model.text, NULL, NULL);
      text = clq_cron_describe (cron);
      other = g_hash_table_lookup (seen, text);
      n_same += other != NULL;
      for (guint j = 0; other != NULL && j < 100; j++, time = clq_cron_next (cron, time))
        g_assert_cmpint (clq_cron_next (cron, time), ==, clq_cron_next (other, time));
      g_hash_table_replace (seen, text, cron);
    }
  g_assert_cmpuint (n_same, >, 100);
}

/* Texts that are nearly right, and any bytes, are refused or read, and nothing worse. */
static void
test_hostile (void)
{
  static const char pool[] = "0123456789*/-,, \t@?LW#MONJAN\xc3\xa4";
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint n_read = 0;

  for (guint i = 0; i < 50000; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqCron) cron = NULL;
      RandomCron model;

      random_cron_make (&model, rand);
      for (int n = g_rand_int_range (rand, 1, 4); n > 0; n--)
        model.text[g_rand_int_range (rand, 0, strlen (model.text))] = pool[g_rand_int_range (rand, 0, sizeof pool - 1)];
      cron = clq_cron_new (model.text, NULL, &error);
      g_assert_true ((cron != NULL) != (error != NULL));
      if (cron == NULL)
        continue;
      n_read++;
      g_assert_cmpint (clq_cron_next (cron, time_of ("2026-01-01T00:00:00Z")), >, time_of ("2026-01-01T00:00:00Z"));
    }
  g_assert_cmpuint (n_read, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/cron/next", test_next);
  g_test_add_func ("/colloquy/cron/end-of-time", test_end_of_time);
  g_test_add_func ("/colloquy/cron/refused", test_refused);
  g_test_add_func ("/colloquy/cron/zones", test_zones);
  g_test_add_func ("/colloquy/cron/text", test_text);
  g_test_add_func ("/colloquy/cron/text-is-whole", test_text_is_whole);
  g_test_add_func ("/colloquy/cron/hostile", test_hostile);
  return g_test_run ();
}
