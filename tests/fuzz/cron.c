/* A cron that was read says what it means and runs later and later; one that was not says where and why. */
#include "clq-cron.h"
#include "fuzz.h"

#define N_RUNS 20
#define START (G_GINT64_CONSTANT (1774656000) * G_USEC_PER_SEC) /* the day before clocks are set */

static const char *const zones[] = { NULL, "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca" };

/* A zone that is in use need not be read again. */
static void
keep_zones (void)
{
  static ClqCron *kept[G_N_ELEMENTS (zones)];

  for (guint i = 0; i < G_N_ELEMENTS (zones) && kept[G_N_ELEMENTS (zones) - 1] == NULL; i++)
    kept[i] = clq_cron_new ("@daily", zones[i], NULL);
}

/* The first byte chooses the zone, the rest is the expression. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size), *words = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqCron) cron = NULL;

  if (size == 0)
    return 0;
  keep_zones ();
  cron = clq_cron_new (text + 1, zones[data[0] % G_N_ELEMENTS (zones)], &error);
  g_assert ((cron != NULL) == (error == NULL));
  if (cron == NULL)
    {
      g_assert (*error->message != '\0' && g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  words = clq_cron_describe (cron);
  g_assert (g_utf8_validate (words, -1, NULL) && *words != '\0');
  for (gint64 i = 0, time = START, next; i < N_RUNS && (next = clq_cron_next (cron, time)) != 0; i++, time = next)
    {
      g_assert (next > time && next % G_USEC_PER_SEC == 0);
      g_assert (clq_cron_next (cron, next - 1) == next);
    }
  return 0;
}
