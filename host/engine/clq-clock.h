/* The one clock: real, or set by hand for tests and simulation. Ids and chance come from here too, so that a run can be repeated. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean manual;
  gint64 now; /* manual only */
  gboolean seeded;
  guint64 seed;
  guint8 pool[256]; /* unused random bytes */
  guint pool_left;
} ClqClock;

void clq_clock_init (ClqClock *self);
void clq_clock_set_manual (ClqClock *self, gint64 now, guint64 seed);
void clq_clock_new_id (ClqClock *self, guint8 id[16]);

static inline gint64
clq_clock_now (const ClqClock *self)
{
  return self->manual ? self->now : g_get_real_time ();
}

G_END_DECLS
