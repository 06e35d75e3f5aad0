/* Ids, names, nearest names, durations and times. */
#include <locale.h>
#include <string.h>

#include <colloquy.h>

#define SEED 20240229

static void
test_id (void)
{
  static const guint8 bytes[16] = { 0x01, 0x8f, 0x00, 0x0a, 0xff, 0x7e, 0x70, 0x01, 0x80, 0xab, 0xcd, 0xef, 0x12, 0x34, 0x56, 0x78 };
  char text[CLQ_ID_LENGTH + 1];
  guint8 id[16];

  clq_id_print (bytes, text);
  g_assert_cmpstr (text, ==, "018f000a-ff7e-7001-80ab-cdef12345678");
  g_assert_true (clq_id_parse (text, id));
  g_assert_cmpmem (id, sizeof id, bytes, sizeof bytes);
  g_assert_true (clq_id_parse ("018F000A-FF7E-7001-80AB-CDEF12345678", id));
  g_assert_cmpmem (id, sizeof id, bytes, sizeof bytes);
}

static void
test_id_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 1000; i++)
    {
      guint8 bytes[16], id[16];
      char text[CLQ_ID_LENGTH + 1];

      for (guint j = 0; j < sizeof bytes; j++)
        bytes[j] = (guint8) g_rand_int (rand);
      clq_id_print (bytes, text);
      g_assert_true (g_uuid_string_is_valid (text));
      g_assert_true (clq_id_parse (text, id));
      g_assert_cmpmem (id, sizeof id, bytes, sizeof bytes);
    }
}

static void
test_id_wrong (void)
{
  static const char *const texts[] = {
    "",
    "018f000a",
    "018f000a-ff7e-7001-80ab-cdef1234567",
    "018f000a-ff7e-7001-80ab-cdef123456789",
    "018f000a-ff7e-7001-80ab-cdef1234567g",
    "018f000aff7e-7001-80ab-cdef12345678-",
    "018f000a_ff7e_7001_80ab_cdef12345678",
    "{18f000a-ff7e-7001-80ab-cdef1234567}",
    " 18f000a-ff7e-7001-80ab-cdef12345678",
    "018f000a-ff7e-7001-80ab--def12345678",
  };
  guint8 id[16];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (clq_id_parse (texts[i], id));
  g_assert_false (clq_id_parse (NULL, id));
}

static void
test_names (void)
{
  static const char *const good[] = { "a", "max-hops", "openai", "a1", "a-", "a--b", "x2-3" };
  static const char *const bad[] = { "", "A", "1a", "-a", "a_b", "a.b", "a b", "maxHops", "caf\xc3\xa9", "a\n", "../a" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (clq_name_is_valid (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (clq_name_is_valid (bad[i]));
  g_assert_false (clq_name_is_valid (NULL));
}

static void
test_nearest (void)
{
  static const char *const names[] = { "message", "answer", "pause", "resume", "archive", "QUESTIONS_PENDING", NULL };
  static const struct
  {
    const char *name;
    const char *nearest;
  } cases[] = {
    { "mesage", "message" },
    { "messsage", "message" },
    { "emssage", "message" },
    { "Message", "message" },
    { "anwser", "answer" },
    { "puase", "pause" },
    { "resume", "resume" },
    { "archived", "archive" },
    { "questions_pending", "QUESTIONS_PENDING" },
    { "QUESTION_PENDING", "QUESTIONS_PENDING" },
    { "fork", NULL },
    { "", NULL },
    { "x", NULL },
    { "me", NULL },
  };
  g_autofree char *long_name = g_strnfill (100, 'm');

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (clq_nearest (cases[i].name, names), ==, cases[i].nearest);
  g_assert_null (clq_nearest (long_name, names));
  g_assert_null (clq_nearest ("message", NULL));
}

/* The first of two that are equally near, and the nearer one wherever it stands. */
static void
test_nearest_of_several (void)
{
  static const char *const names[] = { "start", "stare", "stop", NULL };

  g_assert_cmpstr (clq_nearest ("star", names), ==, "start");
  g_assert_cmpstr (clq_nearest ("starf", names), ==, "start");
  g_assert_cmpstr (clq_nearest ("store", names), ==, "stare");
  g_assert_cmpstr (clq_nearest ("stopp", names), ==, "stop");
}

static void
test_did_you_mean (void)
{
  static const char *const names[] = { "pause", "resume", NULL };
  static const char *const one[] = { "pause", NULL };
  static const char *const none[] = { NULL };
  const char *many[26] = { NULL };
  g_autofree char *near = clq_did_you_mean ("puase", names);
  g_autofree char *far = clq_did_you_mean ("fork", names);
  g_autofree char *far_from_one = clq_did_you_mean ("fork", one);
  g_autofree char *empty = clq_did_you_mean ("fork", none);
  g_autofree char *null = clq_did_you_mean ("fork", NULL);
  g_autofree char *too_many = NULL;

  for (guint i = 0; i < 25; i++)
    many[i] = "something-else";
  too_many = clq_did_you_mean ("fork", many);
  g_assert_cmpstr (near, ==, "; did you mean 'pause'?");
  g_assert_cmpstr (far, ==, "; expected one of: pause, resume");
  g_assert_cmpstr (far_from_one, ==, "; expected pause");
  g_assert_cmpstr (empty, ==, "");
  g_assert_cmpstr (null, ==, "");
  g_assert_cmpstr (too_many, ==, "");
}

static void
test_duration (void)
{
  static const struct
  {
    const char *text;
    GTimeSpan span;
    const char *printed;
  } cases[] = {
    { "0", 0, "0" },
    { "0.0", 0, "0" },
    { "0s", 0, "0" },
    { "250ms", 250000, "250ms" },
    { "5s", 5 * G_TIME_SPAN_SECOND, "5s" },
    { "1.5s", 1500000, "1500ms" },
    { "2min", 2 * G_TIME_SPAN_MINUTE, "2min" },
    { "120s", 2 * G_TIME_SPAN_MINUTE, "2min" },
    { "90s", 90 * G_TIME_SPAN_SECOND, "90s" },
    { "1h", G_TIME_SPAN_HOUR, "1h" },
    { "24h", G_TIME_SPAN_DAY, "1d" },
    { "1d", G_TIME_SPAN_DAY, "1d" },
    { "365d", 365 * G_TIME_SPAN_DAY, "365d" },
    { "0.001ms", 1, "0.001ms" },
    { "1.234ms", 1234, "1.234ms" },
    { "1.0005s", 1000500, "1000.500ms" },
    { "0.1s", 100000, "100ms" },
    { "0.3s", 300000, "300ms" },
    { "1e3ms", G_TIME_SPAN_SECOND, "1s" },
    { "1000000d", 1000000 * G_TIME_SPAN_DAY, "1000000d" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *printed = NULL;
      GTimeSpan span = -1, again = -1;

      g_assert_true (clq_duration_parse (cases[i].text, &span));
      g_assert_cmpint (span, ==, cases[i].span);
      printed = clq_duration_print (span);
      g_assert_cmpstr (printed, ==, cases[i].printed);
      g_assert_true (clq_duration_parse (printed, &again));
      g_assert_cmpint (again, ==, span);
    }
}

static void
test_duration_wrong (void)
{
  static const char *const texts[] = {
    "",
    " ",
    "5",
    "1.5",
    "s",
    "min",
    "-1s",
    "+1s",
    " 1s",
    "1s ",
    "1 s",
    "1S",
    "1m",
    "1sec",
    "1minute",
    "1h30min",
    "1w",
    "1y",
    "0x10s",
    "0X1s",
    "infs",
    "nans",
    "1e999s",
    "99999999999999999999d",
    "1e17s",
    "2000000d",
    "1..5s",
    "1,5s",
    ".5s",
    "1s1",
    "\xd9\xa1s",
  };
  GTimeSpan span = 77;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (clq_duration_parse (texts[i], &span));
  g_assert_false (clq_duration_parse (NULL, &span));
  g_assert_cmpint (span, ==, 77);
}

static void
test_duration_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 5000; i++)
    {
      /* Up to a hundred years; beyond, a fraction of a millisecond is more than a double can tell. */
      GTimeSpan span = ((gint64) g_rand_int (rand) << 20 | (g_rand_int (rand) & 0xfffff)) >> g_rand_int_range (rand, 1, 50);
      g_autofree char *printed = clq_duration_print (span);
      GTimeSpan again = -1;

      g_assert_true (clq_duration_parse (printed, &again));
      g_assert_cmpint (again, ==, span);
    }
}

/* A duration that is negative is printed for people; nothing reads one. */
static void
test_duration_negative (void)
{
  g_autofree char *whole = clq_duration_print (-2 * G_TIME_SPAN_SECOND);
  g_autofree char *part = clq_duration_print (-1234);
  g_autofree char *least = clq_duration_print (G_MININT64);

  g_assert_cmpstr (whole, ==, "-2s");
  g_assert_cmpstr (part, ==, "-1.234ms");
  g_assert_cmpstr (least, ==, "-9223372036854775.808ms");
}

static void
test_comma_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));
  g_autofree char *printed = NULL;
  GTimeSpan span = 0;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("no locale with a decimal comma");
      return;
    }
  printed = clq_duration_print (1234);
  g_assert_true (clq_duration_parse ("1.5s", &span));
  setlocale (LC_NUMERIC, before);
  g_assert_cmpstr (printed, ==, "1.234ms");
  g_assert_cmpint (span, ==, 1500000);
}

/* Days since 1970 by counting years and months. */
static gint64
count_days (int year, int month, int day)
{
  static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  gint64 days = day - 1;

  for (int y = 1970; y < year; y++)
    days += 365 + (y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
  for (int y = year; y < 1970; y++)
    days -= 365 + (y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
  for (int m = 1; m < month; m++)
    days += lengths[m - 1] + (m == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
  return days;
}

static void
test_time (void)
{
  static const struct
  {
    const char *text;
    gint64 time;
    const char *printed;
  } cases[] = {
    { "1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z" },
    { "1970-01-01T00:00:00.001Z", 1000, "1970-01-01T00:00:00.001Z" },
    { "1970-01-01T00:00:00.000001Z", 1, "1970-01-01T00:00:00.000Z" },
    { "1969-12-31T23:59:59.999Z", -1000, "1969-12-31T23:59:59.999Z" },
    { "1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999Z" },
    { "2024-02-29T12:00:00Z", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "2024-02-29T12:00:00", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "2024-02-29 12:00:00Z", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "20240229T120000Z", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "2024-060T12:00:00Z", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "2024-W09-4T12:00:00Z", 1709208000000000, "2024-02-29T12:00:00.000Z" },
    { "2024-02-29T12:00:00+05:30", 1709188200000000, "2024-02-29T06:30:00.000Z" },
    { "2024-02-29T00:00:00+14:00", 1709114400000000, "2024-02-28T10:00:00.000Z" },
    { "2024-02-29T23:00:00-12:00", 1709290800000000, "2024-03-01T11:00:00.000Z" },
    { "2024-02-29T12:00:00,25Z", 1709208000250000, "2024-02-29T12:00:00.250Z" },
    { "2000-02-29T00:00:00Z", 951782400000000, "2000-02-29T00:00:00.000Z" },
    { "2038-01-19T03:14:08Z", 2147483648000000, "2038-01-19T03:14:08.000Z" },
    { "0001-01-01T00:00:00Z", -62135596800000000, "0001-01-01T00:00:00.000Z" },
    { "9999-12-31T23:59:59.999Z", 253402300799999000, "9999-12-31T23:59:59.999Z" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *printed = NULL;
      gint64 time = 77;

      g_assert_true (clq_time_parse (cases[i].text, &time));
      g_assert_cmpint (time, ==, cases[i].time);
      printed = clq_time_print (time);
      g_assert_cmpstr (printed, ==, cases[i].printed);
    }
}

static void
test_time_wrong (void)
{
  static const char *const texts[] = {
    "",
    "now",
    "2024-02-29",
    "12:00:00Z",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2024-02-30T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-00-01T00:00:00Z",
    "2024-01-00T00:00:00Z",
    "2023-366T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T12:60:00Z",
    "2024-01-01T12:00:00Zulu",
    "2024-01-01T12:00:00.Z",
    "2024-01-01T12:00:00.1e1Z",
    "2024-01-01T12:00:00 Z ",
    " 2024-01-01T12:00:00Z",
    "2024-1-1T12:00:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "-2024-01-01T00:00:00Z",
    "1709208000",
  };
  gint64 time = 77;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (clq_time_parse (texts[i], &time));
  g_assert_false (clq_time_parse (NULL, &time));
  g_assert_cmpint (time, ==, 77);
}

/* Every first and last day of a month in four centuries, leap years and not. */
static void
test_time_calendar (void)
{
  for (int year = 1800; year <= 2200; year++)
    for (int month = 1; month <= 12; month++)
      {
        gint64 first = count_days (year, month, 1);
        gint64 next = month < 12 ? count_days (year, month + 1, 1) : count_days (year + 1, 1, 1);
        g_autofree char *text = g_strdup_printf ("%04d-%02d-01T00:00:00.000Z", year, month);
        g_autofree char *last = g_strdup_printf ("%04d-%02d-%02dT23:59:59.999Z", year, month, (int) (next - first));
        g_autofree char *printed = clq_time_print (first * G_TIME_SPAN_DAY);
        g_autofree char *printed_last = clq_time_print (next * G_TIME_SPAN_DAY - 1);
        gint64 time = 0;

        g_assert_cmpstr (printed, ==, text);
        g_assert_cmpstr (printed_last, ==, last);
        g_assert_true (clq_time_parse (text, &time));
        g_assert_cmpint (time, ==, first * G_TIME_SPAN_DAY);
      }
}

/* No millisecond is lost on the way to a text and back. */
static void
test_time_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);

  for (int i = 0; i < 20000; i++)
    {
      gint64 milliseconds = (gint64) (g_rand_double_range (rand, -62135596800.0, 253402300799.0) * 1000);
      g_autofree char *printed = clq_time_print (milliseconds * 1000);
      gint64 time = 0;

      g_assert_true (clq_time_parse (printed, &time));
      g_assert_cmpint (time, ==, milliseconds * 1000);
    }
}

static void
test_time_ends (void)
{
  g_autofree char *late = clq_time_print (G_MAXINT64);
  g_autofree char *early = clq_time_print (G_MININT64);

  g_assert_cmpstr (late, ==, "9999-12-31T23:59:59.999Z");
  g_assert_cmpstr (early, ==, "0001-01-01T00:00:00.000Z");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/text/id", test_id);
  g_test_add_func ("/colloquy/text/id-random", test_id_random);
  g_test_add_func ("/colloquy/text/id-wrong", test_id_wrong);
  g_test_add_func ("/colloquy/text/names", test_names);
  g_test_add_func ("/colloquy/text/nearest", test_nearest);
  g_test_add_func ("/colloquy/text/nearest-of-several", test_nearest_of_several);
  g_test_add_func ("/colloquy/text/did-you-mean", test_did_you_mean);
  g_test_add_func ("/colloquy/text/duration", test_duration);
  g_test_add_func ("/colloquy/text/duration-wrong", test_duration_wrong);
  g_test_add_func ("/colloquy/text/duration-random", test_duration_random);
  g_test_add_func ("/colloquy/text/duration-negative", test_duration_negative);
  g_test_add_func ("/colloquy/text/comma-locale", test_comma_locale);
  g_test_add_func ("/colloquy/text/time", test_time);
  g_test_add_func ("/colloquy/text/time-wrong", test_time_wrong);
  g_test_add_func ("/colloquy/text/time-calendar", test_time_calendar);
  g_test_add_func ("/colloquy/text/time-random", test_time_random);
  g_test_add_func ("/colloquy/text/time-ends", test_time_ends);
  return g_test_run ();
}
