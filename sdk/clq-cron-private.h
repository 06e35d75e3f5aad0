/* What the files of the cron share: the fields as bits, and the zone. Never installed. */
#pragma once

#include "clq-cron.h"

G_BEGIN_DECLS

typedef enum
{
  CRON_MINUTE,
  CRON_HOUR,
  CRON_DAY,
  CRON_MONTH,
  CRON_WEEKDAY,
} CronPart;

#define CRON_N_PARTS 5

/* One field. */
typedef struct
{
  guint64 values; /* bit n: n is allowed; Sunday is 0 */
  gboolean any;   /* written as an asterisk: it restricts nothing */
} CronField;

/* A stretch of time in which the zone keeps one offset; in seconds since 1970. */
typedef struct
{
  gint64 start;
  gint64 end;
  gint64 shown; /* the first minute on the wall clock that it had not shown before */
  int offset;
} CronStretch;

/* So many are remembered: GTimeZone does not tell when a stretch ends, and looking for it takes long. */
#define CRON_N_STRETCHES 16

/* The days of one month that are allowed. */
typedef struct
{
  gint64 first; /* the 1st, in days since 1970 */
  guint length;
  guint32 days;  /* bit n: the day n + 1 */
  gint64 number; /* months since the year 0 */
} CronMonth;

struct _ClqCron
{
  CronField fields[CRON_N_PARTS];
  guint32 by_weekday[7]; /* days of a month whose 1st is that weekday, as the weekdays allow them; bit n: the day n + 1 */
  GTimeZone *zone;       /* NULL = UTC */
  CronStretch stretch;   /* that was looked at last */
  CronStretch known[CRON_N_STRETCHES];
  guint n_known;   /* that were ever found; the oldest are forgotten */
  CronMonth month; /* that was looked at last */
};

gboolean clq_cron_parse (ClqCron *self, const char *expression, GError **error);

G_END_DECLS
