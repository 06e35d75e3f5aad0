#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>

#define MAX_RUNS 100000

typedef struct
{
  int n_runs;
  char *zone;
  char *from;
  gboolean json;
} Options;

static void
print_json (ClqCron *cron, const char *text, gint64 time, int n_runs)
{
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_member (out, "next");
  g_string_append_c (out, '[');
  for (int i = 0; i < n_runs && (time = clq_cron_next (cron, time)) != 0; i++)
    {
      g_autofree char *moment = clq_time_print (time);

      g_string_append (out, i > 0 ? "," : "");
      clq_json_append_string (out, moment, -1);
    }
  g_string_append_c (out, ']');
  cli_json_string (out, "text", text);
  g_string_append_c (out, '}');
  puts (out->str);
}

/* People want to see their own clock, and which of two equal times is meant. */
static void
print_run (gint64 time, GTimeZone *zone)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = g_date_time_to_timezone (utc, zone);
  g_autofree char *text = g_date_time_format (local, "%a %Y-%m-%d %H:%M %Z (%:z)");

  puts (text);
}

static int
show (ClqCron *cron, const Options *options, gint64 time)
{
  g_autofree char *text = clq_cron_describe (cron);
  g_autoptr (GTimeZone) zone = options->zone != NULL ? g_time_zone_new_identifier (options->zone) : g_time_zone_new_utc ();

  if (options->json)
    {
      print_json (cron, text, time, options->n_runs);
      return CLI_OK;
    }
  puts (text);
  for (int i = 0; i < options->n_runs && (time = clq_cron_next (cron, time)) != 0; i++)
    print_run (time, zone);
  return CLI_OK;
}

int
cmd_cron (int argc, char **argv)
{
  Options options = { .n_runs = 5 };
  g_autofree char *zone_option = NULL, *from_option = NULL;
  const GOptionEntry entries[] = {
    { "next", 0, 0, G_OPTION_ARG_INT, &options.n_runs, "How many runs to show (5)", "N" },
    { "tz", 0, 0, G_OPTION_ARG_STRING, &options.zone, "The time zone, for example Europe/Berlin (UTC)", "ZONE" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options.from, "Show runs after this time (now)", "TIME" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "One JSON object: next, text", NULL },
    { NULL },
  };
  g_autoptr (ClqCron) cron = NULL;
  g_autoptr (GError) error = NULL;
  gint64 time = g_get_real_time ();
  gboolean ok;
  int status;

  ok = cli_parse (cli_find_command ("cron"), entries, &argc, &argv, 1, G_MAXINT, &status);
  zone_option = options.zone;
  from_option = options.from;
  if (!ok)
    return status;
  if (argc > 2)
    {
      /* Without quotes the shell makes names of files of the asterisks. */
      cli_complain ("cron: found %d arguments; expected one expression, in quotes: \"0 9 * * 1-5\"", argc - 1);
      return CLI_USAGE;
    }
  if (from_option != NULL && !clq_time_parse (from_option, &time))
    {
      cli_complain ("--from: '%s' is no time; expected one like 2026-03-29T00:00:00Z", from_option);
      return CLI_USAGE;
    }
  if (options.n_runs < 0 || options.n_runs > MAX_RUNS)
    {
      cli_complain ("--next: %d is out of range; expected 0 to %d", options.n_runs, MAX_RUNS);
      return CLI_USAGE;
    }
  cron = clq_cron_new (argv[1], zone_option, &error);
  if (cron != NULL)
    return show (cron, &options, time);
  cli_complain ("%s", error->message);
  return CLI_USAGE;
}
