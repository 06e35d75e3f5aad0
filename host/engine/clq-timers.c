#define G_LOG_DOMAIN "clq-timers"

#include "clq-timers.h"

/* Private. */
void
clq_timers_init (ClqTimers *self)
{
  self->heap = g_ptr_array_new ();
  self->order = 0;
}

/* Private. */
void
clq_timers_clear (ClqTimers *self)
{
  g_clear_pointer (&self->heap, g_ptr_array_unref);
}

static inline ClqTimer *
at (const ClqTimers *self, guint index)
{
  return g_ptr_array_index (self->heap, index);
}

static inline gboolean
earlier (const ClqTimer *a, const ClqTimer *b)
{
  if (a->at != b->at)
    return a->at < b->at;
  if (a->rank != b->rank)
    return a->rank < b->rank;
  return a->order < b->order;
}

static inline void
place (ClqTimers *self, guint index, ClqTimer *timer)
{
  g_ptr_array_index (self->heap, index) = timer;
  timer->index = index + 1;
}

static void
rise (ClqTimers *self, guint index, ClqTimer *timer)
{
  while (index > 0)
    {
      guint parent = (index - 1) / 2;

      if (!earlier (timer, at (self, parent)))
        break;
      place (self, index, at (self, parent));
      index = parent;
    }
  place (self, index, timer);
}

static void
sink (ClqTimers *self, guint index, ClqTimer *timer)
{
  for (;;)
    {
      guint child = 2 * index + 1;

      if (child >= self->heap->len)
        break;
      if (child + 1 < self->heap->len && earlier (at (self, child + 1), at (self, child)))
        child++;
      if (!earlier (at (self, child), timer))
        break;
      place (self, index, at (self, child));
      index = child;
    }
  place (self, index, timer);
}

/* Private: takes a timer out; does nothing if it is not armed. */
void
clq_timers_disarm (ClqTimers *self, ClqTimer *timer)
{
  guint index;
  ClqTimer *last;

  if (timer->index == 0)
    return;
  index = timer->index - 1;
  timer->index = 0;
  last = at (self, self->heap->len - 1);
  g_ptr_array_set_size (self->heap, self->heap->len - 1);
  if (last == timer)
    return;
  if (index > 0 && earlier (last, at (self, (index - 1) / 2)))
    rise (self, index, last);
  else
    sink (self, index, last);
}

/* Private: sets a timer, whether it was armed or not. */
void
clq_timers_arm (ClqTimers *self, ClqTimer *timer, gint64 when, ClqTimerRank rank, ClqTimerFunc fire)
{
  if (timer->index != 0 && timer->at == when && timer->rank == rank)
    return;
  clq_timers_disarm (self, timer);
  timer->at = when;
  timer->rank = rank;
  timer->order = self->order++;
  timer->fire = fire;
  g_ptr_array_add (self->heap, timer);
  rise (self, self->heap->len - 1, timer);
}

/* Private: the next timer, or NULL. */
ClqTimer *
clq_timers_peek (const ClqTimers *self)
{
  return self->heap->len > 0 ? at (self, 0) : NULL;
}
