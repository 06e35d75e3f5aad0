#define G_LOG_DOMAIN "clq-keys"

#include "clq-engine.h"

#include <string.h>

/*
 * An input with an idempotency key is taken once. Whether it was is known to the store alone, so that it also holds
 * after a restart; the session takes nothing else while the store is asked.
 */
typedef struct
{
  ClqEngine *engine;
  ClqLive *live;
  ClqEvent *event;
} Asking;

static void
on_key (ClqQuery *query, gpointer user_data)
{
  Asking *self = user_data;
  ClqLive *live = self->live;
  g_autoptr (ClqEvent) event = self->event;
  g_autoptr (GError) error = NULL;

  self->engine->n_queries--;
  live->work->holds--;
  g_free (self);
  if (query->error != NULL)
    {
      error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_STORE, "nothing was changed: %s", query->error->message);
      clq_engine_answer (live, event, NULL, error);
    }
  else if (query->key_seq > 0)
    clq_engine_answer (live, event, query->result, NULL);
  else
    {
      event->is_new_key = TRUE;
      clq_engine_return_input (live, g_steal_pointer (&event));
    }
  clq_engine_make_ready (live->engine, live);
}

/* Private: whether the store has to be asked first. If so, it is asked, and the event comes back when it is new. */
gboolean
clq_keys_must_ask (ClqLive *live, ClqEvent *event)
{
  ClqEngine *engine = live->engine;
  Asking *self;
  ClqQuery *query;

  if (event->key == NULL || event->is_new_key || live->is_new || event->visit != 0)
    return FALSE;
  self = g_new (Asking, 1);
  *self = (Asking){ engine, live, event };
  live->work->holds++;
  query = clq_query_new (on_key, self);
  memcpy (query->id, live->head.id, 16);
  query->key = g_strdup (event->key);
  engine->n_queries++;
  engine->store->load (engine->store_self, query);
  return TRUE;
}
