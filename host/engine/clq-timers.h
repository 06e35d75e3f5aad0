/* Timers in a binary heap. A timer lives in its owner; nothing is allocated for it. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

typedef struct _ClqTimer ClqTimer;
typedef void (*ClqTimerFunc) (ClqTimer *timer);

/* At the same instant, answers come before deadlines. */
typedef enum
{
  CLQ_TIMER_ANSWER,
  CLQ_TIMER_DEADLINE,
} ClqTimerRank;

struct _ClqTimer
{
  gint64 at;
  guint64 order;
  ClqTimerFunc fire;
  guint32 index; /* place in the heap + 1; 0 = not armed */
  guint32 rank;
};

typedef struct
{
  GPtrArray *heap;
  guint64 order;
} ClqTimers;

void clq_timers_init (ClqTimers *self);
void clq_timers_clear (ClqTimers *self);
void clq_timers_arm (ClqTimers *self, ClqTimer *timer, gint64 at, ClqTimerRank rank, ClqTimerFunc fire);
void clq_timers_disarm (ClqTimers *self, ClqTimer *timer);
ClqTimer *clq_timers_peek (const ClqTimers *self);

G_END_DECLS
