/* The time that the tool tells. */
#include "clock.h"

#include <colloquy-testing.h>

#include "tool-caller.h"

/* What the tool answers at a moment. */
static char *
tell (const char *at, const char *arguments, const char *zone)
{
  g_autoptr (ClqTestNode) test = tool_caller_new ("clock.now", arguments);
  g_autoptr (GError) error = NULL;
  gint64 time;

  g_assert_true (clq_time_parse (at, &time));
  clq_test_node_add_tool (test, "clock.now", &clock_now, &error, zone != NULL ? "timezone" : NULL, zone, NULL);
  g_assert_no_error (error);
  clq_test_node_advance (test, time - clq_test_node_get_now (test));
  return g_strdup (tool_caller_run (test));
}

static const struct
{
  const char *at;
  const char *arguments;
  const char *setting;
  const char *answer;
} cases[] = {
  { "2030-07-01T10:00:00.250Z", "{}", NULL,
    "{\"utc\":\"2030-07-01T10:00:00.250Z\",\"timezone\":\"UTC\",\"local\":\"2030-07-01T10:00:00.250+00:00\",\"weekday\":\"Monday\"}" },
  { "2030-07-01T23:30:00Z", "{\"timezone\":\"Europe/Berlin\"}", NULL,
    "{\"utc\":\"2030-07-01T23:30:00.000Z\",\"timezone\":\"Europe/Berlin\",\"local\":\"2030-07-02T01:30:00.000+02:00\",\"weekday\":\"Tuesday\"}" },
  { "2030-12-01T23:30:00Z", "{}", "America/New_York",
    "{\"utc\":\"2030-12-01T23:30:00.000Z\",\"timezone\":\"America/New_York\",\"local\":\"2030-12-01T18:30:00.000-05:00\",\"weekday\":\"Sunday\"}" },
  { "2030-07-01T10:00:00Z", "{\"timezone\":\"Asia/Kathmandu\"}", "America/New_York",
    "{\"utc\":\"2030-07-01T10:00:00.000Z\",\"timezone\":\"Asia/Kathmandu\",\"local\":\"2030-07-01T15:45:00.000+05:45\",\"weekday\":\"Monday\"}" },
};

static void
test_clock_zones (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *answer = tell (cases[i].at, cases[i].arguments, cases[i].setting);

      g_assert_cmpstr (answer, ==, cases[i].answer);
    }
}

/* No name leads to a file outside the database. */
static void
test_clock_wrong_zones (void)
{
  static const char *const names[] = { "", "Mars/Olympus", "../../etc/passwd", "/usr/share/zoneinfo/Europe/Berlin", ":Europe/Berlin", "Europe/../UTC", "Europe//Berlin", "+02:00", "UTC\n" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *quoted = clq_json_quote (names[i]);
      g_autofree char *arguments = g_strdup_printf ("{\"timezone\":%s}", quoted);
      g_autofree char *expected = g_strdup_printf ("user: unknown time zone '%s'; expected a name such as Europe/Berlin", names[i]);
      g_autofree char *answer = tell ("2030-07-01T10:00:00Z", arguments, NULL);

      g_assert_cmpstr (answer, ==, expected);
    }
}

static void
test_clock_wrong_setting (void)
{
  g_autoptr (ClqTestNode) test = tool_caller_new ("clock.now", "{}");
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_test_node_add_tool (test, "clock.now", &clock_now, &error, "timezone", "Berlin", NULL));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/clock/zones", test_clock_zones);
  g_test_add_func ("/colloquy/clock/wrong-zones", test_clock_wrong_zones);
  g_test_add_func ("/colloquy/clock/wrong-setting", test_clock_wrong_setting);
  return g_test_run ();
}
