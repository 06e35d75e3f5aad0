/* now: the time on the host's clock, in UTC and in a zone. */
#include "clock.h"

#include <string.h>

typedef struct
{
  char *timezone;
} Now;

static const ClqSetting settings[] = {
  CLQ_STRING (Now, timezone, "UTC", "the zone where a call names none"),
  { NULL },
};

/* A name of the zone database. GLib would read any file of the machine as a zone. */
#define ZONE "^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$"

static GTimeZone *
find_zone (const char *name, GError **error)
{
  GTimeZone *zone = strlen (name) <= 64 && g_regex_match_simple (ZONE, name, G_REGEX_DOLLAR_ENDONLY, 0) ? g_time_zone_new_identifier (name) : NULL;

  if (zone == NULL)
    g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "unknown time zone '%s'; expected a name such as Europe/Berlin", name);
  return zone;
}

static gboolean
now_init (gpointer self, GError **error)
{
  Now *now = self;
  g_autoptr (GTimeZone) zone = find_zone (now->timezone, error);

  return zone != NULL;
}

/* The zone's time as ISO 8601 with milliseconds, as clq_time_print () writes UTC. */
static char *
print_local (GDateTime *moment)
{
  g_autofree char *time = g_date_time_format (moment, "%Y-%m-%dT%H:%M:%S");
  g_autofree char *offset = g_date_time_format (moment, "%:z");

  return g_strdup_printf ("%s.%03d%s", time, g_date_time_get_microsecond (moment) / 1000, offset);
}

static void
now_use (gpointer self, ClqCall *call)
{
  static const char *const weekdays[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" };
  Now *now = self;
  gint64 time = clq_call_get_now (call);
  g_autofree char *asked = clq_json_find_string (clq_call_get_request (call), "timezone");
  const char *name = asked != NULL ? asked : now->timezone;
  g_autoptr (GError) error = NULL;
  g_autoptr (GTimeZone) zone = find_zone (name, &error);
  g_autoptr (GDateTime) seconds = g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC);
  g_autoptr (GDateTime) utc = seconds != NULL ? g_date_time_add (seconds, time % G_USEC_PER_SEC) : NULL;
  g_autoptr (GDateTime) there = zone != NULL && utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;
  g_autofree char *utc_text = clq_time_print (time);
  g_autofree char *local = NULL;
  g_autofree char *json = NULL;

  if (there == NULL)
    {
      clq_call_fail (call, CLQ_FAILURE_USER, "%s", error != NULL ? error->message : "the clock shows no time");
      return;
    }
  local = print_local (there);
  json = g_strdup_printf ("{\"utc\":\"%s\",\"timezone\":\"%s\",\"local\":\"%s\",\"weekday\":\"%s\"}",
                          utc_text, name, local, weekdays[g_date_time_get_day_of_week (there) - 1]);
  clq_call_return (call, json);
}

const ClqToolInfo clock_now = {
  CLQ_TOOL_INFO,
  .name = "now",
  .summary = "Says what time and which day it is, in UTC and in a time zone",
  .schema = "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
            "\"timezone\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"a name of the IANA database, e.g. Europe/Berlin\"}}}",
  .settings = settings,
  .self_size = sizeof (Now),
  .policy = CLQ_TOOL_RETRY,
  .init = now_init,
  .use = now_use,
};
