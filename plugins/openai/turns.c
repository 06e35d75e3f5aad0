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

/* Whoever can begin now does. */
static void
begin_calls (OpenaiTurns *self, gint64 now)
{
  forget (self, now);
  while (self->waiting.length > 0 && self->begun->len < self->per_minute)
    {
      g_autofree Waiter *waiter = g_queue_pop_head (&self->waiting);

      g_array_append_val (self->begun, now);
      waiter->func (waiter->user_data);
    }
}

static GList *
find_waiter (OpenaiTurns *self, const ClqCall *call)
{
  GList *link = self->waiting.head;

  while (link != NULL && ((Waiter *) link->data)->call != call)
    link = link->next;
  return link;
}

/*
 * Everybody who waits looks at the clock when the next call may begin. All do so at the same instant, and whoever is first
 * in the queue is then let go first.
 */
static void
on_time (ClqCall *call, gpointer user_data)
{
  OpenaiTurns *self = user_data;
  gint64 now = clq_call_get_now (call);

  begin_calls (self, now);
  if (find_waiter (self, call) != NULL)
    clq_call_after (call, g_array_index (self->begun, gint64, 0) + G_TIME_SPAN_MINUTE - now, on_time, self);
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
  on_time (call, self);
}

/* Who waits no more is not waited for. */
void
openai_turns_leave (OpenaiTurns *self, ClqCall *call)
{
  GList *link = find_waiter (self, call);

  if (link == NULL)
    return;
  g_free (link->data);
  g_queue_delete_link (&self->waiting, link);
}
