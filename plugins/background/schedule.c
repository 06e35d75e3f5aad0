/* Schedules: {"type":"cron","cronExpression":…,"timezone":…}, {"type":"scheduled","runAt":…}, {"type":"immediate"}. */
#include "background.h"

#define MAX_CRONS 256

static const char *const types[] = { "cron", "scheduled", "immediate", NULL };

static gboolean
complain (GError **error, const char *what)
{
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "schedule: %s", what);
  return FALSE;
}

/* Agents know both spellings. */
static char *
find_either (const char *json, const char *name, const char *other)
{
  char *value = clq_json_find_string (json, name);

  return value != NULL ? value : clq_json_find_string (json, other);
}

static char *
normalise_cron (const char *expression, const char *zone, GError **error)
{
  g_autoptr (ClqCron) cron = clq_cron_new (expression, zone, error);
  g_autoptr (GString) out = g_string_new ("{\"type\":\"cron\",\"cronExpression\":");

  if (cron == NULL)
    {
      g_prefix_error (error, "schedule: ");
      return NULL;
    }
  clq_json_append_string (out, expression, -1);
  if (zone != NULL)
    {
      g_string_append (out, ",\"timezone\":");
      clq_json_append_string (out, zone, -1);
    }
  g_string_append_c (out, '}');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
normalise_time (const char *text, GError **error)
{
  g_autofree char *time = NULL, *what = NULL;
  gint64 at;

  if (!clq_time_parse (text, &at) || at <= 0)
    {
      what = g_strdup_printf ("runAt: '%s' is no time; expected one like 2026-12-31T10:00:00Z", text);
      complain (error, what);
      return NULL;
    }
  time = clq_time_print (at);
  return g_strdup_printf ("{\"type\":\"scheduled\",\"runAt\":\"%s\"}", time);
}

/**
 * background_schedule_normalise:
 * @json: a schedule as an agent writes it
 * @timezone: the zone of crons that name none
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the schedule as it is stored, or %NULL if it cannot be kept
 */
char *
background_schedule_normalise (const char *json, const char *timezone, GError **error)
{
  g_autofree char *expression = find_either (json, "cronExpression", "cron_expression");
  g_autofree char *at = find_either (json, "runAt", "run_at");
  g_autofree char *zone = find_either (json, "timezone", "tz");
  g_autofree char *type = find_either (json, "type", "schedule_type");

  if (type == NULL || !g_strv_contains (types, type))
    {
      g_autofree char *hint = type != NULL && expression == NULL && at == NULL ? clq_did_you_mean (type, types) : NULL;

      if (hint != NULL)
        {
          g_autofree char *what = g_strdup_printf ("'%s' is no type%s", type, hint);

          complain (error, what);
          return NULL;
        }
      g_free (type);
      type = g_strdup (expression != NULL ? "cron" : at != NULL ? "scheduled"
                                                                : "");
    }
  if (zone == NULL && strcmp (timezone, "UTC") != 0)
    zone = g_strdup (timezone);
  if (strcmp (type, "cron") == 0 && expression != NULL)
    return normalise_cron (expression, zone, error);
  if (strcmp (type, "scheduled") == 0 && at != NULL)
    return normalise_time (at, error);
  if (strcmp (type, "immediate") == 0)
    return g_strdup ("{\"type\":\"immediate\"}");
  complain (error, "expected type cron with cronExpression, scheduled with runAt, or immediate");
  return NULL;
}

gboolean
background_schedule_is_cron (const char *schedule)
{
  ClqJsonSpan type = clq_json_find (schedule, -1, "type");

  return clq_json_span_string_equal (&type, "cron");
}

/**
 * background_find_cron:
 * @self: the modality
 * @schedule: a cron schedule
 *
 * Reading a zone is slow, so crons are kept.
 *
 * Returns: (transfer none) (nullable): the cron; %NULL if there is none, or if its zone has gone since it was set
 */
ClqCron *
background_find_cron (Background *self, const char *schedule)
{
  g_autofree char *expression = clq_json_find_string (schedule, "cronExpression");
  g_autofree char *zone = clq_json_find_string (schedule, "timezone");
  g_autofree char *key = g_strconcat (expression != NULL ? expression : "", "\n", zone, NULL);
  ClqCron *cron = self->crons != NULL ? g_hash_table_lookup (self->crons, key) : NULL;

  if (cron != NULL || expression == NULL)
    return cron;
  cron = clq_cron_new (expression, zone, NULL);
  if (cron == NULL)
    return NULL;
  if (self->crons == NULL)
    self->crons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) clq_cron_free);
  if (g_hash_table_size (self->crons) >= MAX_CRONS)
    g_hash_table_remove_all (self->crons);
  g_hash_table_insert (self->crons, g_steal_pointer (&key), cron);
  return cron;
}

/* When a schedule that was set at @now is due for the first time. */
gint64
background_schedule_first (Background *self, const char *schedule, gint64 now)
{
  g_autofree char *at = clq_json_find_string (schedule, "runAt");
  ClqCron *cron;
  gint64 time = now;

  if (!background_schedule_is_cron (schedule))
    return at != NULL && clq_time_parse (at, &time) ? time : now;
  cron = background_find_cron (self, schedule);
  return cron != NULL ? clq_cron_next (cron, now) : 0;
}

/* The schedule for people. */
char *
background_schedule_describe (Background *self, const char *schedule)
{
  g_autofree char *zone = clq_json_find_string (schedule, "timezone");
  g_autofree char *at = clq_json_find_string (schedule, "runAt");
  g_autofree char *text = NULL;
  ClqCron *cron;

  if (!background_schedule_is_cron (schedule))
    return at != NULL ? g_strdup_printf ("once at %s", at) : g_strdup ("as soon as possible");
  cron = background_find_cron (self, schedule);
  if (cron == NULL)
    return g_strdup ("at times that cannot be read");
  text = clq_cron_describe (cron);
  return zone != NULL ? g_strdup_printf ("%s (%s)", text, zone) : g_steal_pointer (&text);
}

/* A time for people, by the clock that the schedule goes by. */
char *
background_schedule_print_time (const char *schedule, gint64 time)
{
  g_autofree char *name = clq_json_find_string (schedule, "timezone");
  g_autoptr (GTimeZone) zone = name != NULL ? g_time_zone_new_identifier (name) : NULL;
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL && zone != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  if (utc == NULL)
    return clq_time_print (time);
  return g_date_time_format (local != NULL ? local : utc, time / G_USEC_PER_SEC % 60 == 0 ? "%Y-%m-%d %H:%M %Z" : "%Y-%m-%d %H:%M:%S %Z");
}
