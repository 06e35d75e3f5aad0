/* Random cron expressions, together with what they allow, which is not read from the text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char text[512];
  gboolean allowed[5][64]; /* minute, hour, day, month, weekday (0 = Sunday) */
  gboolean any[5];
} RandomCron;

void random_cron_make (RandomCron *self, GRand *rand);
gboolean random_cron_allows_day (const RandomCron *self, int day, int month, int weekday);

G_END_DECLS
