#define G_LOG_DOMAIN "clq-sleep"

#include "clq-engine.h"

#include <string.h>

/*
 * Sessions that rest need no memory. Beyond `max_live` of them the one that has rested longest is dropped; it comes back
 * with its next event. One timer stands for the deadlines of all that sleep: the store knows which of them are due.
 */
#define CLAIM_AT_ONCE 256
#define LEASE (60 * G_TIME_SPAN_SECOND)

/* ---- going to sleep ---- */

/* Private: the session has something to do or is going away. */
void
clq_sleep_forget (ClqLive *live)
{
  ClqEngine *engine = live->engine;

  if (!live->is_resting)
    return;
  live->is_resting = FALSE;
  engine->n_resting--;
  if (live->older != NULL)
    live->older->newer = live->newer;
  else
    engine->oldest = live->newer;
  if (live->newer != NULL)
    live->newer->older = live->older;
  else
    engine->newest = live->older;
}

static void
drop (ClqLive *live)
{
  ClqEngine *engine = live->engine;

  clq_sleep_expect (engine, live->head.wake_at);
  clq_live_free (live);
}

/* It was woken and its timer has its turn next. */
static gboolean
is_due (const ClqLive *live)
{
  return live->wake != NULL && live->wake->timer.index != 0 && live->wake->timer.at <= clq_clock_now (&live->engine->clock);
}

/* Private: nothing is going on in the session; it may leave memory. */
void
clq_sleep_note (ClqLive *live)
{
  ClqEngine *engine = live->engine;

  if (live->is_resting || live->is_ready || live->is_new || live->work != NULL || live->pins > 0 || is_due (live))
    return;
  live->is_resting = TRUE;
  live->newer = NULL;
  live->older = engine->newest;
  if (engine->newest != NULL)
    engine->newest->newer = live;
  else
    engine->oldest = live;
  engine->newest = live;
  engine->n_resting++;
  while (engine->n_resting > engine->max_live)
    drop (engine->oldest);
}

/* Private: somebody looks at the session; it stays. */
void
clq_live_pin (ClqLive *live)
{
  live->pins++;
  clq_sleep_forget (live);
}

/* Private. */
void
clq_live_unpin (ClqLive *live)
{
  live->pins--;
  clq_sleep_note (live);
}

/* ---- waking ---- */

static void on_sleepers (ClqTimer *timer);

/* Private: something that sleeps is due at @at; 0 = nothing. */
void
clq_sleep_expect (ClqEngine *engine, gint64 at)
{
  if (at <= 0 || (engine->sleepers.index != 0 && engine->sleepers.at <= at))
    return;
  clq_timers_arm (&engine->timers, &engine->sleepers, at, CLQ_TIMER_DEADLINE, on_sleepers);
  clq_engine_rearm (engine);
}

/* A session that came back does the rest by itself: its own timer is due, its open visit is entered. */
static void
on_loaded (ClqLive *live, const GError *error, gpointer user_data)
{
  if (error != NULL)
    g_warning ("a session could not be woken: %s", error->message);
}

static void
load_all (ClqEngine *engine, const GPtrArray *heads)
{
  for (guint i = 0; i < heads->len; i++)
    clq_live_load (engine, clq_head_get_id (g_ptr_array_index (heads, i)), on_loaded, NULL);
}

/* Asking the store what is due. */
typedef struct
{
  ClqEngine *engine;
  guint64 n_gone; /* sessions that had left memory when it was asked */
} Claim;

static void claim (ClqEngine *engine);

/* A head that was claimed is the newest one, unless its session has been in memory meanwhile and has gone again. */
static void
load_claimed (const Claim *self, GPtrArray *heads)
{
  gsize n_heads;
  g_autofree gpointer *list = g_ptr_array_steal (heads, &n_heads);

  for (gsize i = 0; i < n_heads; i++)
    {
      g_autoptr (ClqHead) head = list[i];

      if (self->engine->n_gone == self->n_gone)
        clq_live_load_head (self->engine, g_steal_pointer (&head), on_loaded, NULL);
      else
        clq_live_load (self->engine, clq_head_get_id (head), on_loaded, NULL);
    }
}

static void
on_claimed (ClqQuery *query, gpointer user_data)
{
  g_autofree Claim *self = user_data;
  ClqEngine *engine = self->engine;
  gboolean is_full = query->heads->len == CLAIM_AT_ONCE;

  engine->n_queries--;
  if (engine->closed)
    return;
  load_claimed (self, query->heads);
  if (query->error != NULL)
    clq_sleep_expect (engine, clq_clock_now (&engine->clock) + LEASE);
  else if (is_full)
    claim (engine);
  else
    clq_sleep_expect (engine, query->next_due);
}

static void
claim (ClqEngine *engine)
{
  ClqQuery *query;
  Claim *self;

  if (engine->store->claim_due == NULL)
    return;
  self = g_new (Claim, 1);
  *self = (Claim){ engine, engine->n_gone };
  query = clq_query_new (on_claimed, self);
  query->now = clq_clock_now (&engine->clock);
  query->lease_until = query->now + LEASE;
  query->limit = CLAIM_AT_ONCE;
  engine->n_queries++;
  engine->store->claim_due (engine->store_self, query);
}

static void
on_sleepers (ClqTimer *timer)
{
  claim ((ClqEngine *) ((char *) timer - G_STRUCT_OFFSET (ClqEngine, sleepers)));
}

/* ---- after a start ---- */

static void find_running (ClqEngine *engine, const ClqHead *last);

static void
on_running (ClqQuery *query, gpointer user_data)
{
  ClqEngine *engine = user_data;

  engine->n_queries--;
  if (engine->closed)
    return;
  if (query->error != NULL)
    g_warning ("open visits could not be looked for: %s", query->error->message);
  load_all (engine, query->heads);
  if (query->heads->len == CLAIM_AT_ONCE)
    find_running (engine, g_ptr_array_index (query->heads, CLAIM_AT_ONCE - 1));
}

static void
find_running (ClqEngine *engine, const ClqHead *last)
{
  ClqQuery *query = clq_query_new (on_running, engine);

  clq_query_set_filter (query, "status", "running");
  query->limit = CLAIM_AT_ONCE;
  if (last != NULL)
    {
      memcpy (query->id, clq_head_get_id (last), 16);
      query->after = clq_head_get_updated_at (last);
    }
  engine->n_queries++;
  engine->store->list (engine->store_self, query);
}

/* Private: what was due while nobody ran comes first, then the visits that were open. */
void
clq_engine_start (ClqEngine *engine)
{
  claim (engine);
  find_running (engine, NULL);
}

/* ---- the safety net ---- */

static gboolean
on_poll (gpointer user_data)
{
  ClqEngine *engine = user_data;

  if (engine->n_queries == 0)
    claim (engine);
  clq_engine_rearm (engine); /* sessions in memory have timers, and the wall clock may have been set without a word */
  return G_SOURCE_CONTINUE;
}

/* Private: asks the store so often for what is due, whatever the wall clock shows; 0 = only when something is expected. */
void
clq_engine_set_poll (ClqEngine *engine, GTimeSpan interval)
{
  if (engine->poll != NULL)
    {
      g_source_destroy (engine->poll);
      g_clear_pointer (&engine->poll, g_source_unref);
    }
  if (interval <= 0)
    return;
  engine->poll = g_timeout_source_new ((guint) CLAMP (interval / 1000, 1, G_MAXINT));
  g_source_set_static_name (engine->poll, "colloquy poll");
  g_source_set_callback (engine->poll, on_poll, engine, NULL);
  g_source_attach (engine->poll, engine->context);
}
