/* Whose turn it is, if only so many calls may begin in a minute. The minutes are those of the host's clock. */
#include "openai.h"

typedef struct
{
  ClqCall *call;
  OpenaiTurnFunc func;
  gpointer user_data;
} Waiter;

void
openai_turns_init (OpenaiTurns *self, guint per_minute)
{
  self->per_minute = per_minute;
  g_queue_init (&self->waiting);
  self->begun = g_array_new (FALSE, FALSE, sizeof (gint64));
}

void
openai_turns_clear (OpenaiTurns *self)
{
  g_queue_clear_full (&self->waiting, g_free);
  g_clear_pointer (&self->begun, g_array_unref);
}

/* What began more than a minute ago does not count, and neither does what a clock that was set back puts into the future. */
static void
forget (OpenaiTurns *self, gint64 now)
{
  guint n = 0;

  while (n < self->begun->len &&
         (g_array_index (self->begun, gint64, n) + G_TIME_SPAN_MINUTE <= now || g_array_index (self->begun, gint64, n) > now))
    n++;
  g_array_remove_range (self->begun, 0, n);
}

static void
on_time (ClqCall *call, gpointer user_data);

/* Whoever can begin now does; the first of the others waits for the clock. */
static void
go_on (OpenaiTurns *self)
{
  Waiter *first;

  while ((first = g_queue_peek_head (&self->waiting)) != NULL)
    {
      gint64 now = clq_call_get_now (first->call);

      forget (self, now);
      if (self->begun->len >= self->per_minute)
        {
          clq_call_after (first->call, g_array_index (self->begun, gint64, 0) + G_TIME_SPAN_MINUTE - now, on_time, self);
          return;
        }
      g_array_append_val (self->begun, now);
      g_queue_pop_head (&self->waiting);
      first->func (first->user_data);
      g_free (first);
    }
}

static void
on_time (ClqCall *call, gpointer user_data)
{
  go_on (user_data);
}

/* Calls @func when it is the turn of @call, maybe at once. The caller leaves before it lets go of the call. */
void
openai_turns_enter (OpenaiTurns *self, ClqCall *call, OpenaiTurnFunc func, gpointer user_data)
{
  Waiter *waiter;

  if (self->per_minute == 0)
    {
      func (user_data);
      return;
    }
  waiter = g_new (Waiter, 1);
  *waiter = (Waiter){ call, func, user_data };
  g_queue_push_tail (&self->waiting, waiter);
  if (self->waiting.length == 1)
    go_on (self);
}

/* Who waits no more is not waited for. */
void
openai_turns_leave (OpenaiTurns *self, gpointer user_data)
{
  for (GList *link = self->waiting.head; link != NULL; link = link->next)
    if (((Waiter *) link->data)->user_data == user_data)
      {
        gboolean was_first = link->prev == NULL;

        g_free (link->data);
        g_queue_delete_link (&self->waiting, link);
        if (was_first)
          go_on (self);
        return;
      }
}
