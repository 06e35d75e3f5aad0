/* What may be spent on one day. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

/* 0 = any number, any cost. A day is one of UTC, by the host's clock. */
typedef struct
{
  gint64 tokens_per_day; /* asked and answered, together */
  double cost_per_day;   /* in the currency of the agents' prices */
} ClqBudget;

G_END_DECLS
