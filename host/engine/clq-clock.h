/* The one clock: real, or set by hand for tests and simulation. Ids and chance come from here too, so that a run can be repeated. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean manual;
  gint64 now;        /* manual only */
  gint64 next;       /* manual only: what the time is when the next event is taken; 0 = it stands still */
  gint64 recent;     /* what a real clock said last */
  guint recent_left; /* how many may still go by that */
  gboolean seeded;
  guint64 seed;
  guint8 pool[256]; /* unused random bytes */
  guint pool_left;
} ClqClock;

void clq_clock_init (ClqClock *self);
void clq_clock_set_manual (ClqClock *self, gint64 now, guint64 seed);
void clq_clock_new_id (ClqClock *self, guint8 id[16]);

/* So many events in a row share one look at the clock, unless something between them can take time. */
#define CLQ_CLOCK_SHARE 8

GSource *clq_clock_watch_new (GMainContext *context, GSourceFunc func, gpointer user_data);

static inline gint64
clq_clock_now (ClqClock *self)
{
  if (self->manual)
    return self->now;
  self->recent_left = CLQ_CLOCK_SHARE;
  return self->recent = g_get_real_time ();
}

/* The time of an event that is taken. With a real clock not before anything that clq_clock_now () has said. */
static inline gint64
clq_clock_recent (ClqClock *self)
{
  if (self->next != 0)
    self->now = self->next;
  if (self->manual || self->recent_left == 0)
    return clq_clock_now (self);
  self->recent_left--;
  return self->recent;
}

/* Some time may have passed. */
static inline void
clq_clock_outdate (ClqClock *self)
{
  self->recent_left = 0;
}

G_END_DECLS
