#define G_LOG_DOMAIN "clq-live"

#include "clq-engine.h"

#include <string.h>

/* ---- the table of sessions ---- */

#define FIRST_BUCKETS 64

/* Version 7 ids begin with the time; their last bytes tell them apart. */
static inline guint
hash_id (const guint8 id[16])
{
  guint64 word;

  memcpy (&word, id + 8, sizeof word);
  return word * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32;
}

static inline gboolean
has_id (const ClqLive *live, const guint8 id[16])
{
  return memcmp (live->head.id, id, 16) == 0;
}

static void
link_live (ClqEngine *engine, ClqLive *live)
{
  ClqLive **bucket = &engine->sessions[hash_id (live->head.id) & (engine->n_buckets - 1)];

  live->next_alike = *bucket;
  *bucket = live;
}

static void
grow_table (ClqEngine *engine)
{
  ClqLive **old = engine->sessions;
  guint n_old = engine->n_buckets;

  engine->n_buckets = MAX (2 * n_old, FIRST_BUCKETS);
  engine->sessions = g_new0 (ClqLive *, engine->n_buckets);
  for (guint i = 0; i < n_old; i++)
    for (ClqLive *live = old[i], *next; live != NULL; live = next)
      {
        next = live->next_alike;
        link_live (engine, live);
      }
  g_free (old);
}

static void
add_to_table (ClqEngine *engine, ClqLive *live)
{
  if (engine->n_sessions == engine->n_buckets)
    grow_table (engine);
  link_live (engine, live);
  engine->n_sessions++;
}

static void
remove_from_table (ClqEngine *engine, ClqLive *live)
{
  ClqLive **place = &engine->sessions[hash_id (live->head.id) & (engine->n_buckets - 1)];

  while (*place != live)
    place = &(*place)->next_alike;
  *place = live->next_alike;
  engine->n_sessions--;
}

/* What is asked for is soon read as a whole; with many sessions nothing of it is in the caches of the processor. */
static inline void
fetch_ahead (const ClqLive *live)
{
  for (gsize line = 64; line < sizeof *live; line += 64)
    __builtin_prefetch ((const char *) live + line, 1);
}

/* Private: a session in memory, or NULL. */
ClqLive *
clq_live_find (ClqEngine *engine, const guint8 id[16])
{
  ClqLive *live;

  if (engine->n_sessions == 0)
    return NULL;
  live = engine->sessions[hash_id (id) & (engine->n_buckets - 1)];
  while (live != NULL && !has_id (live, id))
    live = live->next_alike;
  if (live != NULL)
    fetch_ahead (live);
  return live;
}

/* Private: the session after @live in no particular order, the first for NULL; NULL at the end. */
ClqLive *
clq_live_next (ClqEngine *engine, ClqLive *live)
{
  guint bucket = 0;

  if (live != NULL && live->next_alike != NULL)
    return live->next_alike;
  if (live != NULL)
    bucket = (hash_id (live->head.id) & (engine->n_buckets - 1)) + 1;
  while (bucket < engine->n_buckets && engine->sessions[bucket] == NULL)
    bucket++;
  return bucket < engine->n_buckets ? engine->sessions[bucket] : NULL;
}

/* ---- life ---- */

static ClqLive *
live_alloc (ClqEngine *engine, ClqGraph *graph)
{
  ClqLive *live = g_malloc0 (sizeof *live + graph->n_states * sizeof *live->visits);

  live->engine = engine;
  live->graph = clq_graph_ref (graph);
  return live;
}

/* Private: a session that nobody has heard of yet. */
ClqLive *
clq_live_new (ClqEngine *engine, ClqGraph *graph, const guint8 id[16])
{
  ClqLive *live = live_alloc (engine, graph);
  ClqHead *head = &live->head;
  gint64 now = clq_clock_now (&engine->clock);

  memcpy (head->id, id, 16);
  head->graph_hash = graph->hash;
  head->graph_name = graph->name;
  head->state = graph->states[graph->initial].name;
  head->visits = live->visits;
  head->n_visits = graph->n_states;
  head->created_at = head->updated_at = head->entered_at = head->input_at = now;
  head->entry = 1;
  head->segment = CLQ_ROOT_SEGMENT;
  head->n_segments = CLQ_ROOT_SEGMENT;
  live->state = graph->initial;
  live->is_new = TRUE;
  add_to_table (engine, live);
  return live;
}

/* Whoever still waits for an answer gets one. */
static void
drop_events (ClqLive *live, ClqEvent *event)
{
  while (event != NULL)
    {
      ClqEvent *next = event->next;
      g_autoptr (GError) error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_FAILED, "the session was closed before '%s' was taken", event->name);

      clq_engine_answer (live, event, NULL, error);
      clq_event_unref (event);
      event = next;
    }
}

static void
free_work (ClqLive *live)
{
  ClqWork *work = live->work;

  clq_run_close (live);
  clq_timers_disarm (&live->engine->timers, &work->stalled);
  if (work->draft != NULL)
    clq_draft_free (live->engine, work->draft);
  drop_events (live, work->first_event);
  drop_events (live, work->first_input);
  g_clear_pointer (&work->intents, g_hash_table_unref);
  clq_live_drop_work (live);
}

/* Private: the session leaves memory. */
void
clq_live_free (ClqLive *live)
{
  live->engine->n_gone++;
  remove_from_table (live->engine, live);
  clq_engine_forget_ready (live->engine, live);
  clq_turns_forget (live);
  clq_sleep_forget (live);
  clq_due_disarm (live->engine, live);
  if (live->work != NULL)
    free_work (live);
  g_clear_pointer (&live->head.data, g_ref_string_release);
  g_clear_pointer (&live->head.extra, clq_extra_unref);
  clq_graph_unref (live->graph);
  g_free (live);
}

/* ---- loading ---- */

typedef struct
{
  ClqEngine *engine;
  ClqHead *head;
  ClqLoadFunc func;
  gpointer user_data;
} Loading;

static void
loading_end (Loading *loading, ClqLive *live, const GError *error)
{
  loading->func (live, error, loading->user_data);
  g_clear_pointer (&loading->head, clq_head_free);
  g_free (loading);
}

static void
go_on (ClqLive *live)
{
  clq_due_arm (live->engine, live);
  clq_engine_rearm (live->engine); /* it may be due, and nothing else wakes the engine */
  if (live->head.extra != NULL && live->head.extra->visit != NULL)
    clq_recover_visit (live);
  else if ((live->head.fired & CLQ_FIRED_LIMIT) != 0)
    clq_limits_raise (live);
}

static void
loading_place (Loading *loading, ClqGraph *graph)
{
  ClqLive *live = clq_live_find (loading->engine, loading->head->id);
  int state = clq_graph_find_state (graph, loading->head->state);

  if (live == NULL && (state < 0 || loading->head->n_visits != graph->n_states))
    {
      g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, "the session is in state '%s', which its graph '%s' does not have",
                                              loading->head->state, graph->name);

      loading_end (loading, NULL, error);
      return;
    }
  if (live == NULL)
    {
      live = live_alloc (loading->engine, graph);
      live->head = *loading->head;
      live->head.visits = memcpy (live->visits, loading->head->visits, graph->n_states * sizeof *live->visits);
      g_free (loading->head->visits);
      g_free (g_steal_pointer (&loading->head));
      live->head.graph_hash = graph->hash;
      live->head.state = graph->states[state].name;
      live->state = state;
      add_to_table (loading->engine, live);
      g_hash_table_add (loading->engine->known_graphs, (gpointer) graph->hash);
      if (!loading->engine->is_passive)
        go_on (live);
    }
  live->pins++; /* whoever asked may take it away */
  loading_end (loading, live, NULL);
  if (--live->pins == 0)
    clq_live_rest (live);
}

static void
on_graph_text (ClqQuery *query, gpointer user_data)
{
  Loading *loading = user_data;
  ClqEngine *engine = loading->engine;
  g_autoptr (ClqGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  engine->n_queries--;
  if (query->error != NULL)
    {
      loading_end (loading, NULL, query->error);
      return;
    }
  if (query->answer == NULL)
    error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, "the store does not have the graph '%s' of the session", loading->head->graph_name);
  else
    graph = engine->host_ops->load_graph (engine->host, loading->head->graph_hash, loading->head->graph_name, query->answer, &error);
  if (graph == NULL)
    loading_end (loading, NULL, error);
  else
    loading_place (loading, graph);
}

static void
loading_find_graph (Loading *loading)
{
  ClqEngine *engine = loading->engine;
  g_autoptr (ClqGraph) graph = engine->host_ops->load_graph (engine->host, loading->head->graph_hash, loading->head->graph_name, NULL, NULL);
  ClqQuery *query;

  if (graph != NULL)
    {
      loading_place (loading, graph);
      return;
    }
  query = clq_query_new (on_graph_text, loading);
  query->text = g_strdup (loading->head->graph_hash);
  engine->n_queries++;
  engine->store->graph (engine->store_self, query);
}

static void
on_head (ClqQuery *query, gpointer user_data)
{
  Loading *loading = user_data;

  loading->engine->n_queries--;
  if (query->error != NULL || query->heads->len == 0)
    {
      loading_end (loading, NULL, query->error);
      return;
    }
  loading->head = g_ptr_array_steal_index (query->heads, 0);
  loading_find_graph (loading);
}

static Loading *
loading_new (ClqEngine *engine, ClqLoadFunc func, gpointer user_data)
{
  Loading *loading = g_new0 (Loading, 1);

  loading->engine = engine;
  loading->func = func;
  loading->user_data = user_data;
  return loading;
}

/* Private: brings a session into memory. @func gets NULL and no error if there is none. */
void
clq_live_load (ClqEngine *engine, const guint8 id[16], ClqLoadFunc func, gpointer user_data)
{
  ClqLive *live = clq_live_find (engine, id);
  Loading *loading;
  ClqQuery *query;

  if (live != NULL)
    {
      func (live, NULL, user_data);
      return;
    }
  loading = loading_new (engine, func, user_data);
  query = clq_query_new (on_head, loading);
  memcpy (query->id, id, 16);
  query->limit = 1;
  engine->n_queries++;
  engine->store->load (engine->store_self, query);
}

/* Private: brings a session into memory, with a head (transfer full) that is still the one in the store. */
void
clq_live_load_head (ClqEngine *engine, ClqHead *head, ClqLoadFunc func, gpointer user_data)
{
  Loading *loading = loading_new (engine, func, user_data);

  loading->head = head;
  loading_find_graph (loading);
}

/* ---- what is possible now ---- */

/* Guards that read the event count as possible. */
static gboolean
could_be_taken (const ClqLive *live, ClqView *view, guint event)
{
  const ClqGraph *graph = live->graph;
  const ClqRule *rules;
  guint n_rules;

  rules = clq_graph_get_rules (graph, live->state, event, &n_rules);
  for (guint i = 0; i < n_rules; i++)
    {
      ClqTruth truth = rules[i].guard == NULL ? CLQ_TRUE : clq_guard_eval (rules[i].guard, view, NULL, graph->modality_self);

      if (truth != CLQ_FALSE && rules[i].target != CLQ_REFUSE)
        return TRUE;
      if (truth == CLQ_TRUE)
        return FALSE;
    }
  return FALSE;
}

/* Private: the actions that are valid now, in the order of the graph. */
char **
clq_live_dup_actions (ClqLive *live)
{
  const ClqGraph *graph = live->graph;
  GPtrArray *actions = g_ptr_array_new ();
  ClqView view;

  clq_view_from_head (&view, &live->head, graph, clq_clock_now (&live->engine->clock));
  for (guint i = 0; i < graph->n_events; i++)
    if (graph->events[i].is_action && could_be_taken (live, &view, i) &&
        ((int) i != graph->engine_events[CLQ_ENGINE_ANSWER] || graph->bare || clq_questions_count_open (view.questions) > 0))
      g_ptr_array_add (actions, g_strdup (graph->events[i].name));
  g_ptr_array_add (actions, NULL);
  return (char **) g_ptr_array_free (actions, FALSE);
}

/* Private: what a caller hears whose action has no rule. */
GError *
clq_live_refusal (ClqLive *live, const char *action)
{
  g_auto (GStrv) actions = clq_live_dup_actions (live);
  g_autofree char *valid = g_strjoinv (", ", actions);

  if (g_strv_contains ((const char *const *) actions, action))
    return g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "action '%s' is refused in state %s: no rule for it holds now; valid: %s",
                        action, live->head.state, valid);
  return g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "Invalid action '%s' for state %s; valid: %s",
                      action, live->head.state, *valid != '\0' ? valid : "none");
}

/* Private: what the session is doing, as people see it. */
ClqStatus
clq_live_get_status (ClqLive *live)
{
  const ClqExtra *extra = live->head.extra;

  if (live->head.status == CLQ_STATUS_RUNNING && extra != NULL && clq_questions_count_open (extra->questions) > 0)
    return CLQ_STATUS_WAITING;
  return live->head.status;
}
