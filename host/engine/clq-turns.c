#define G_LOG_DOMAIN "clq-turns"

#include "clq-engine.h"

/*
 * Runs that a schedule has started take turns: at most `max` sessions are at it at once, and owners with many of them wait
 * no less than owners with one. A session has its turn from the event `due` until nothing is going on in it any more.
 */
typedef struct
{
  const char *owner; /* interned */
  GQueue waiting;    /* ClqLive */
} Owner;

static void
free_owner (gpointer data)
{
  Owner *owner = data;

  g_queue_clear (&owner->waiting);
  g_free (owner);
}

/* Private. */
void
clq_turns_init (ClqTurns *self)
{
  self->max = CLQ_MAX_TURNS;
  self->owners = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, free_owner);
  g_queue_init (&self->next);
}

/* Private. */
void
clq_turns_clear (ClqTurns *self)
{
  g_queue_clear (&self->next);
  g_clear_pointer (&self->owners, g_hash_table_unref);
}

static const char *
get_owner (const ClqLive *live)
{
  const ClqExtra *extra = live->head.extra;

  return g_intern_string (extra != NULL && extra->owner != NULL ? extra->owner : "");
}

/* At the end of its owner's queue; an owner who had none waits behind all others. */
static void
queue (ClqTurns *self, ClqLive *live)
{
  const char *name = get_owner (live);
  Owner *owner = g_hash_table_lookup (self->owners, name);

  if (owner == NULL)
    {
      owner = g_new0 (Owner, 1);
      owner->owner = name;
      g_queue_init (&owner->waiting);
      g_hash_table_insert (self->owners, (gpointer) name, owner);
    }
  if (g_queue_is_empty (&owner->waiting))
    g_queue_push_tail (&self->next, owner);
  g_queue_push_tail (&owner->waiting, live);
  live->turn = CLQ_TURN_WAITS;
  clq_live_pin (live);
}

/* Private: whether a session that is due may run now; if not, it is called when it may. */
gboolean
clq_turns_take (ClqLive *live)
{
  ClqTurns *self = &live->engine->turns;

  if (live->turn == CLQ_TURN_HAS)
    return TRUE;
  if (live->turn == CLQ_TURN_NONE && (self->max == 0 || self->n < self->max))
    {
      live->turn = CLQ_TURN_HAS;
      self->n++;
      return TRUE;
    }
  if (live->turn == CLQ_TURN_NONE)
    queue (self, live);
  return FALSE;
}

/* The first session of the owner whose turn it is. */
static ClqLive *
pop (ClqTurns *self)
{
  Owner *owner = g_queue_pop_head (&self->next);
  ClqLive *live = g_queue_pop_head (&owner->waiting);

  if (g_queue_is_empty (&owner->waiting))
    g_hash_table_remove (self->owners, owner->owner);
  else
    g_queue_push_tail (&self->next, owner);
  live->turn = CLQ_TURN_NONE;
  return live;
}

/* It may not be due any more when its turn comes. */
static void
call_next (ClqEngine *engine)
{
  ClqTurns *self = &engine->turns;

  while (!engine->closed && !g_queue_is_empty (&self->next) && (self->max == 0 || self->n < self->max))
    {
      ClqLive *live = pop (self);

      live->pins--;
      clq_due_raise (live);
      clq_sleep_note (live);
    }
}

/* Private: nothing is going on in the session any more. */
void
clq_turns_leave (ClqLive *live)
{
  if (live->turn != CLQ_TURN_HAS)
    return;
  live->turn = CLQ_TURN_NONE;
  live->engine->turns.n--;
  call_next (live->engine);
}

/* Private: the session leaves memory. */
void
clq_turns_forget (ClqLive *live)
{
  ClqTurns *self = &live->engine->turns;
  Owner *owner = live->turn == CLQ_TURN_WAITS ? g_hash_table_lookup (self->owners, get_owner (live)) : NULL;

  if (owner != NULL)
    {
      live->turn = CLQ_TURN_NONE;
      g_queue_remove (&owner->waiting, live);
      if (g_queue_is_empty (&owner->waiting))
        {
          g_queue_remove (&self->next, owner);
          g_hash_table_remove (self->owners, owner->owner);
        }
    }
  clq_turns_leave (live);
}

/* Private: how many may run at once; 0 = any number. */
void
clq_turns_set_max (ClqEngine *engine, guint max)
{
  engine->turns.max = max;
  call_next (engine);
}
