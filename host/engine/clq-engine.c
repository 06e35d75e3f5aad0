#define G_LOG_DOMAIN "clq-engine"

#include "clq-engine.h"

#include <string.h>

/* Events taken in one pass of the main loop before others get their turn. */
#define BUDGET 4096

/* What sessions that have come to rest leave for the next ones. */
#define MAX_SPARE_WORK 64
#define MAX_SPARE_EVENTS 256

/* Resting sessions that stay in memory, unless the application says otherwise. */
#define MAX_LIVE 20000

typedef struct
{
  GSource source;
  ClqEngine *engine;
} EngineSource;

typedef struct
{
  ClqObserverFunc func;
  gpointer user_data;
} Observer;

typedef struct
{
  void (*func) (gpointer user_data);
  gpointer user_data;
} Later;

/* ---- what is going on ---- */

static gboolean
has_work (const ClqEngine *self)
{
  return self->first_ready != NULL || self->later.length > 0 || self->durable->len > 0 || (self->staged->len > 0 && !self->in_flight);
}

/* Private: tells the main loop when we want to run next. */
void
clq_engine_rearm (ClqEngine *self)
{
  const ClqTimer *next;

  if (self->dispatching || self->source == NULL)
    return;
  if (has_work (self))
    {
      if (!self->is_armed)
        g_source_set_ready_time (self->source, 0);
      self->is_armed = TRUE;
      return;
    }
  self->is_armed = FALSE;
  next = clq_timers_peek (&self->timers);
  if (next == NULL || self->clock.manual)
    g_source_set_ready_time (self->source, -1);
  else
    g_source_set_ready_time (self->source, g_get_monotonic_time () + MAX (next->at - g_get_real_time (), 0));
}

/* Private: the session has something to do. */
void
clq_engine_make_ready (ClqEngine *self, ClqLive *live)
{
  if (live->is_ready)
    return;
  clq_sleep_forget (live);
  live->is_ready = TRUE;
  live->next_ready = NULL;
  if (self->last_ready != NULL)
    self->last_ready->next_ready = live;
  else
    self->first_ready = live;
  self->last_ready = live;
  clq_engine_rearm (self);
}

/* Private: the session goes away. */
void
clq_engine_forget_ready (ClqEngine *self, ClqLive *live)
{
  ClqLive *before = NULL;

  if (!live->is_ready)
    return;
  for (ClqLive *each = self->first_ready; each != live; each = each->next_ready)
    before = each;
  if (before != NULL)
    before->next_ready = live->next_ready;
  else
    self->first_ready = live->next_ready;
  if (self->last_ready == live)
    self->last_ready = before;
  live->is_ready = FALSE;
}

static ClqLive *
next_ready (ClqEngine *self)
{
  ClqLive *live = self->first_ready;

  self->first_ready = live->next_ready;
  if (self->first_ready == NULL)
    self->last_ready = NULL;
  live->next_ready = NULL;
  live->is_ready = FALSE;
  return live;
}

/* Private: where the session keeps what goes on. */
ClqWork *
clq_live_work (ClqLive *live)
{
  ClqEngine *engine = live->engine;

  if (live->work != NULL)
    return live->work;
  live->work = engine->spare_work;
  if (live->work == NULL)
    return live->work = g_new0 (ClqWork, 1);
  engine->spare_work = live->work->next_spare;
  engine->n_spare_work--;
  live->work->next_spare = NULL;
  return live->work;
}

/* Private: the session has nothing to do any more. Everything in its work was let go. */
void
clq_live_drop_work (ClqLive *live)
{
  ClqEngine *engine = live->engine;
  ClqWork *work = g_steal_pointer (&live->work);

  g_datalist_clear (&work->memos);
  clq_tail_clear (&work->tail);
  if (engine->n_spare_work >= MAX_SPARE_WORK)
    {
      g_free (work);
      return;
    }
  memset (work, 0, sizeof *work);
  work->next_spare = engine->spare_work;
  engine->spare_work = work;
  engine->n_spare_work++;
}

/* Private: gives the memory back that a resting session does not need. */
void
clq_live_rest (ClqLive *live)
{
  ClqWork *work = live->work;

  if (work == NULL)
    clq_sleep_note (live);
  if (work == NULL || work->first_event != NULL || work->first_input != NULL || work->draft != NULL ||
      work->run != NULL || work->origin != NULL || work->holds > 0 || work->stalled.index != 0)
    return;
  g_clear_pointer (&work->results, g_hash_table_unref);
  clq_live_drop_work (live);
  clq_turns_leave (live);
  clq_sleep_note (live);
}

/* Private: an action without a name. */
ClqEvent *
clq_engine_new_event (ClqEngine *self)
{
  ClqEvent *event = self->spare_event;

  if (event == NULL)
    return clq_event_new (CLQ_EVENT_ACTION, NULL);
  self->spare_event = event->next;
  self->n_spare_events--;
  event->next = NULL;
  return event;
}

/* Private: the event has had its turn; if nobody else holds it, it serves again. */
void
clq_engine_drop_event (ClqEngine *self, ClqEvent *event)
{
  if (event->ref_count > 1 || self->n_spare_events >= MAX_SPARE_EVENTS)
    {
      clq_event_unref (event);
      return;
    }
  clq_event_reset (event);
  event->next = self->spare_event;
  self->spare_event = event;
  self->n_spare_events++;
}

/* Private: the index of an event, or -1. Whoever sends has the same few names in the same places. */
int
clq_engine_find_event (ClqEngine *self, const ClqGraph *graph, const char *name)
{
  guint place = (GPOINTER_TO_SIZE (name) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32) % G_N_ELEMENTS (self->hints);
  int index = self->hints[place].index;

  if (self->hints[place].graph == graph && index < (int) graph->n_events && strcmp (graph->event_names[index], name) == 0)
    return index;
  index = clq_graph_find_event (graph, name);
  if (index >= 0)
    {
      self->hints[place].graph = graph;
      self->hints[place].index = index;
    }
  return index;
}

static void
append (ClqEvent **first, ClqEvent **last, ClqEvent *event)
{
  event->next = NULL;
  if (*last != NULL)
    (*last)->next = event;
  else
    *first = event;
  *last = event;
}

/* Private: an outcome, a timer or a record. */
void
clq_engine_queue_event (ClqLive *live, ClqEvent *event)
{
  ClqWork *work = clq_live_work (live);

  append (&work->first_event, &work->last_event, event);
  clq_engine_make_ready (live->engine, live);
}

/* Private: something from outside. A session that was away may have missed a deadline: its event comes before the input. */
void
clq_engine_queue_input (ClqLive *live, ClqEvent *event)
{
  ClqWork *work = clq_live_work (live);

  clq_due_catch_up (live->engine, live);
  append (&work->first_input, &work->last_input, event);
  work->inputs_seen = FALSE;
  clq_engine_make_ready (live->engine, live);
}

/* Private: an input that was taken from the queue and has to wait after all. */
void
clq_engine_return_input (ClqLive *live, ClqEvent *event)
{
  ClqWork *work = live->work;

  event->next = work->first_input;
  work->first_input = event;
  if (work->last_input == NULL)
    work->last_input = event;
  work->inputs_seen = FALSE;
}

/* Private: gives the caller of an input its answer. */
void
clq_engine_answer (ClqLive *live, ClqEvent *event, const char *result, const GError *error)
{
  ClqReplyFunc func = (ClqReplyFunc) event->func;

  if (func == NULL)
    return;
  event->func = NULL;
  func (&(ClqReply){ .id = live->head.id, .result = result, .error = error }, event->user_data);
}

/* ---- observers ---- */

/* Private. */
void
clq_engine_observe (ClqEngine *self, ClqObserverFunc func, gpointer user_data)
{
  Observer observer = { func, user_data };

  g_array_append_val (self->observers, observer);
}

/* Private. */
void
clq_engine_unobserve (ClqEngine *self, ClqObserverFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->observers->len; i++)
    {
      Observer *observer = &g_array_index (self->observers, Observer, i);

      if (observer->func == func && observer->user_data == user_data)
        {
          g_array_remove_index (self->observers, i);
          return;
        }
    }
}

/* Private. */
void
clq_engine_tell (ClqEngine *self, const ClqNews *news)
{
  for (guint i = 0; i < self->observers->len; i++)
    {
      const Observer *observer = &g_array_index (self->observers, Observer, i);

      observer->func (news, observer->user_data);
    }
}

/* ---- the dispatcher ---- */

/* Private: calls back from the dispatcher. Like a query of the store it counts as something that is going on. */
void
clq_engine_later (ClqEngine *self, void (*func) (gpointer user_data), gpointer user_data)
{
  Later *later = g_slice_new (Later);

  *later = (Later){ func, user_data };
  self->n_queries++;
  g_queue_push_tail (&self->later, later);
  clq_engine_rearm (self);
}

/* Returns: whether there was something. */
static gboolean
run_later (ClqEngine *self)
{
  Later *later = g_queue_pop_head (&self->later);

  if (later == NULL)
    return FALSE;
  self->n_queries--;
  later->func (later->user_data);
  g_slice_free (Later, later);
  return TRUE;
}

/* Takes what is ready, but only one while others that are durable wait to go on: then they come in turn. Returns the rest of the budget. */
static guint
take_ready (ClqEngine *self, guint budget)
{
  while (budget > 0 && self->first_ready != NULL && clq_batches_have_room (self))
    {
      clq_engine_take_next (self, next_ready (self));
      budget--;
      if (self->durable->len > 0)
        break;
    }
  return budget;
}

/*
 * Takes events until nothing is ready or the budget is used up. What is durable goes on before the next batch is handed over: sessions
 * that move at the same pace then write together, and the disk is asked once for all of them. Each goes on until it has staged its next
 * commit, so that the store can write that one while the others do the same.
 */
static guint
run_ready (ClqEngine *self, guint budget)
{
  while (budget > 0 && has_work (self))
    {
      clq_batches_settle_next (self);
      while (budget > 0 && run_later (self))
        budget--;
      budget = take_ready (self, budget);
      if ((self->durable->len == 0 && self->later.length == 0) || !clq_batches_have_room (self))
        clq_batches_flush (self);
    }
  return budget;
}

/* Fires the next timer if it is due. What it causes is done before the one after it fires. */
static gboolean
fire_next (ClqEngine *self, gint64 now)
{
  ClqTimer *timer = clq_timers_peek (&self->timers);

  if (timer == NULL || timer->at > now)
    return FALSE;
  clq_timers_disarm (&self->timers, timer);
  timer->fire (timer);
  return TRUE;
}

static gboolean
engine_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  ClqEngine *self = ((EngineSource *) source)->engine;
  guint budget = BUDGET;

  if (self->dispatching)
    return G_SOURCE_CONTINUE;
  self->is_armed = FALSE;
  self->dispatching = TRUE;
  clq_clock_outdate (&self->clock);
  do
    budget = run_ready (self, budget);
  while (budget > 0 && !self->clock.manual && fire_next (self, clq_clock_now (&self->clock)));
  self->dispatching = FALSE;
  clq_engine_rearm (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs engine_source_funcs = { NULL, NULL, engine_dispatch, NULL, NULL, NULL };

/* Whether a visit waits for something that is neither a call nor the clock. */
static gboolean
has_silent_run (ClqEngine *self)
{
  if (self->clock.manual || self->n_runs == 0)
    return FALSE;
  for (ClqLive *live = clq_live_next (self, NULL); live != NULL; live = clq_live_next (self, live))
    {
      const ClqRun *run = live->work != NULL ? live->work->run : NULL;

      if (run != NULL && !run->visit.over && (run->calls == NULL || run->calls->len == 0) && (run->waits == NULL || run->waits->len == 0))
        return TRUE;
    }
  return FALSE;
}

static void
run_quiet (ClqEngine *self)
{
  self->dispatching = TRUE;
  clq_clock_outdate (&self->clock);
  while (has_work (self))
    run_ready (self, BUDGET);
  self->dispatching = FALSE;
}

/* Private: runs until nothing can happen without input or the clock. */
void
clq_engine_settle (ClqEngine *self)
{
  for (;;)
    {
      run_quiet (self);
      if (g_main_context_iteration (self->context, FALSE) || has_work (self))
        continue;
      if (!self->in_flight && self->n_queries == 0 && self->n_busy_calls == 0 && !has_silent_run (self))
        break;
      g_main_context_iteration (self->context, TRUE);
    }
  clq_engine_rearm (self);
}

/* Private: whether nothing is due, no scheduled run is going on or waits for its turn, and the store is not asked anything. */
gboolean
clq_engine_is_quiet (ClqEngine *self)
{
  const ClqTimer *next = clq_timers_peek (&self->timers);

  return !has_work (self) && !self->in_flight && self->n_queries == 0 && self->n_busy_calls == 0 && self->turns.n == 0 &&
         g_queue_is_empty (&self->turns.next) && (next == NULL || next->at > clq_clock_now (&self->clock));
}

/* Private: moves the manual clock; timers fire in order, each at its own time. */
void
clq_engine_advance (ClqEngine *self, GTimeSpan by)
{
  gint64 until = self->clock.now + by;

  clq_engine_settle (self);
  for (ClqTimer *next = clq_timers_peek (&self->timers); next != NULL && next->at <= until;
       next = clq_timers_peek (&self->timers))
    {
      self->clock.now = MAX (self->clock.now, next->at);
      fire_next (self, self->clock.now);
      clq_engine_settle (self);
    }
  self->clock.now = until;
}

/* Private: makes the store unavailable, or available again. */
void
clq_engine_set_store_fault (ClqEngine *self, gboolean on)
{
  self->store_fault = on;
  if (on)
    return;
  for (ClqLive *live = clq_live_next (self, NULL); live != NULL; live = clq_live_next (self, live))
    if (live->work != NULL && live->work->stalled.index != 0)
      {
        clq_timers_disarm (&self->timers, &live->work->stalled);
        clq_engine_make_ready (self, live);
      }
}

/* ---- life ---- */

static gboolean
on_clock_set (gpointer user_data)
{
  clq_engine_rearm (user_data);
  return G_SOURCE_CONTINUE;
}

/* Private. */
ClqEngine *
clq_engine_new (GMainContext *context, const ClqEngineHost *host_ops, gpointer host)
{
  ClqEngine *self = g_new0 (ClqEngine, 1);

  self->context = g_main_context_ref (context);
  self->host_ops = host_ops;
  self->host = host;
  self->max_live = MAX_LIVE;
  clq_clock_init (&self->clock);
  clq_timers_init (&self->timers);
  clq_turns_init (&self->turns);
  clq_batches_init (self);
  self->known_graphs = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->reading_graphs = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->text_opening = g_intern_static_string ("{\"text\":");
  self->agent_faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->observers = g_array_new (FALSE, FALSE, sizeof (Observer));
  self->source = g_source_new (&engine_source_funcs, sizeof (EngineSource));
  ((EngineSource *) self->source)->engine = self;
  g_source_set_static_name (self->source, "colloquy engine");
  g_source_set_can_recurse (self->source, FALSE);
  g_source_attach (self->source, context);
  self->clock_watch = clq_clock_watch_new (context, on_clock_set, self);
  return self;
}

/* Private. */
void
clq_engine_set_store (ClqEngine *self, const ClqStoreInfo *info, gpointer instance)
{
  self->store = info;
  self->store_self = instance;
}

static void
free_spares (ClqEngine *self)
{
  for (ClqWork *work = self->spare_work, *next; work != NULL; work = next)
    {
      next = work->next_spare;
      g_free (work);
    }
  for (ClqEvent *event = self->spare_event, *next; event != NULL; event = next)
    {
      next = event->next;
      clq_event_unref (event);
    }
  for (ClqDraft *draft = self->spare_draft, *next; draft != NULL; draft = next)
    {
      next = draft->next_spare;
      clq_draft_destroy (draft);
    }
}

/* Private: cancels what runs, then frees everything. What is durable stays durable. */
void
clq_engine_free (ClqEngine *self)
{
  g_autoptr (GPtrArray) sessions = g_ptr_array_new ();

  self->closed = TRUE;
  self->dispatching = TRUE;
  self->max_live = G_MAXUINT;
  while (self->in_flight || self->n_queries > 0 || self->n_told > 0)
    if (self->n_told > 0 && !self->in_flight)
      clq_batches_flush (self);
    else if (!run_later (self))
      g_main_context_iteration (self->context, TRUE);
  for (ClqLive *live = clq_live_next (self, NULL); live != NULL; live = clq_live_next (self, live))
    g_ptr_array_add (sessions, live);
  for (guint i = 0; i < sessions->len; i++)
    clq_live_free (g_ptr_array_index (sessions, i));
  free_spares (self);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  if (self->clock_watch != NULL)
    {
      g_source_destroy (self->clock_watch);
      g_source_unref (self->clock_watch);
    }
  g_free (self->sessions);
  g_hash_table_unref (self->known_graphs);
  g_hash_table_unref (self->reading_graphs);
  g_hash_table_unref (self->agent_faults);
  g_clear_pointer (&self->meters, g_hash_table_unref);
  clq_budget_clear (self);
  clq_batches_clear (self);
  g_array_unref (self->observers);
  clq_timers_clear (&self->timers);
  clq_turns_clear (&self->turns);
  clq_engine_set_poll (self, 0);
  g_main_context_unref (self->context);
  self->is_gone = TRUE;
  if (self->n_runs + self->n_calls == 0)
    g_free (self);
}

/* Private: a visit or a call is gone, one of @n_held. Nodes and agents may hold some longer than there is a host. */
void
clq_engine_let_go (ClqEngine *self, guint *n_held)
{
  (*n_held)--;
  if (self->is_gone && self->n_runs + self->n_calls == 0)
    g_free (self);
}
