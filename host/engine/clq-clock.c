#define G_LOG_DOMAIN "clq-clock"

#include "clq-clock.h"

#include <string.h>
#include <sys/random.h>

/* Private: a real clock. */
void
clq_clock_init (ClqClock *self)
{
  memset (self, 0, sizeof *self);
}

/* Private: from now on time stands still until somebody moves it, and ids follow from @seed. */
void
clq_clock_set_manual (ClqClock *self, gint64 now, guint64 seed)
{
  self->manual = TRUE;
  self->now = now;
  self->seeded = TRUE;
  self->seed = seed;
}

/* SplitMix64: enough to tell ids apart in a repeatable run. */
static guint64
next_seeded (ClqClock *self)
{
  guint64 z = (self->seed += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void
fill (ClqClock *self, guint8 *bytes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (self->seeded)
        {
          if (i % 8 == 0)
            {
              guint64 word = next_seeded (self);

              memcpy (bytes + i, &word, MIN (8, n - i));
            }
          continue;
        }
      if (self->pool_left == 0)
        {
          while (getrandom (self->pool, sizeof self->pool, 0) != sizeof self->pool)
            continue;
          self->pool_left = sizeof self->pool;
        }
      bytes[i] = self->pool[--self->pool_left];
    }
}

/* Private: a UUIDv7: sorted by time, the rest by chance. */
void
clq_clock_new_id (ClqClock *self, guint8 id[16])
{
  guint64 ms = (guint64) clq_clock_now (self) / 1000;

  fill (self, id, 16);
  for (guint i = 0; i < 6; i++)
    id[i] = ms >> (40 - 8 * i);
  id[6] = 0x70 | (id[6] & 0x0f);
  id[8] = 0x80 | (id[8] & 0x3f);
}
