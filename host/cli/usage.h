/* What agents have used, as a table for people or as JSON. */
#pragma once

#include "cli.h"

G_BEGIN_DECLS

/* One line: a day, an agent or a session. */
typedef struct
{
  char *day;
  char *agent;
  char *session;
  char *graph;
  char *title;
  guint64 calls;
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
} UsageRow;

/* How much of a limit of today is used. */
typedef struct
{
  const char *name;
  char *agent; /* NULL = all together */
  double limit;
  double used;
} UsageLimit;

typedef enum
{
  USAGE_BY_DAY,
  USAGE_BY_AGENT,
  USAGE_BY_SESSION,
} UsageBy;

typedef struct
{
  UsageBy by;
  GPtrArray *rows;   /* UsageRow */
  GPtrArray *limits; /* UsageLimit */
  UsageRow total;
} UsageReport;

void usage_row_free (UsageRow *row);
void usage_limit_free (UsageLimit *limit);
void usage_report_print (const UsageReport *self);
void usage_report_print_json (const UsageReport *self);

G_END_DECLS
