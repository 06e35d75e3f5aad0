#define G_LOG_DOMAIN "clq-replay"

#include "clq-replay-private.h"

#include <string.h>

/*
 * The past is read in pages from its host. A second host, the stage, has a store in memory, a clock that is set by hand
 * and nothing of the outside; the session is opened there under its own id. Before each record that was written then,
 * the stage does by itself whatever it can; if that does not come to the record, what was outside is brought in: the
 * answer of a call, an input, the next timer, the end of a host.
 */
#define PAGE 4096
#define AHEAD 2048                    /* so much of the past must be known while the stage runs; a commit of more records cannot be compared */
#define LATE (1 * G_TIME_SPAN_SECOND) /* a node or timer of then may have come so long after it could */

/* ---- what the engine of the stage asks ---- */

static gboolean
is_starving (const ClqReplay *self)
{
  return !self->at_end && self->records->len - self->next < AHEAD;
}

/* The time of what comes next, and whether it comes from outside: an input, or the end of a host that took a result with it. */
static void
look_ahead (ClqReplay *self)
{
  const ClqRecord *next = clq_replay_peek (self, 0);
  ClqClock *clock = &self->stage->engine->clock;

  clock->next = next != NULL ? next->at : 0;
  if (next == NULL)
    self->rehearsal.holds_results = !self->at_end || self->head->status == CLQ_STATUS_RUNNING;
  else
    self->rehearsal.holds_results = is_starving (self) || clq_replay_is_loss (next) || clq_replay_is_alert (next) || (clq_replay_is_input (next) && next->at - clock->now < LATE);
}

static gboolean
has_agent (const ClqRehearsal *rehearsal, guint64 visit, const char *agent)
{
  return !clq_replay_was_absent ((const ClqReplay *) rehearsal, visit, agent);
}

static void
end_visit (ClqRehearsal *rehearsal, ClqRun *run)
{
  clq_replay_answer_late_calls ((const ClqReplay *) rehearsal, run, AHEAD);
}

static gboolean
check (ClqRehearsal *rehearsal, const ClqCommit *commit)
{
  ClqReplay *self = (ClqReplay *) rehearsal;

  if (self->is_over)
    return FALSE;
  for (guint i = 0; i < commit->records->len; i++)
    {
      const ClqRecord *now = &g_array_index (commit->records, ClqRecord, i), *past = clq_replay_peek (self, i);

      if (past == NULL || !clq_replay_is_equal (past, now))
        {
          self->n_equal += i;
          clq_replay_differs (self, past, now);
          return FALSE;
        }
    }
  self->next += commit->records->len;
  self->n_equal += commit->records->len;
  self->n_commits++;
  look_ahead (self);
  return TRUE;
}

/* ---- the way of one session ---- */

/* Lets the stage do what it can. TRUE: something was written, or it is over. */
static gboolean
settle (ClqReplay *self)
{
  guint n_commits = self->n_commits;

  clq_host_settle (self->stage);
  return self->is_over || self->n_commits != n_commits;
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  ClqReplay *self = user_data;

  if (reply->error != NULL && !self->is_over && self->refusal == NULL)
    self->refusal = g_strdup (reply->error->message);
}

static gboolean
answer_calls (ClqReplay *self, ClqLive *live)
{
  while (live != NULL && clq_replay_answer_calls (self, live))
    if (settle (self))
      return TRUE;
  return FALSE;
}

/* A visit that was ended from outside had said so much. */
static void
say_partial (ClqReplay *self, ClqLive *live, const ClqRecord *next)
{
  g_autofree char *partial = next->type == CLQ_RECORD_EVENT ? clq_replay_dup_member (next, "partial") : NULL;

  if (live != NULL && partial != NULL)
    clq_rehearse_speech (live, partial);
}

/* Timers fire in order, each at its own time. TRUE: something was written. */
static gboolean
pass_time (ClqReplay *self, ClqLive *live, gint64 until, gboolean input_is_next)
{
  ClqEngine *engine = self->stage->engine;

  while (live != NULL && clq_rehearse_fire (engine, live, until, input_is_next))
    if (settle (self) || (!input_is_next && answer_calls (self, live)))
      return TRUE;
  return FALSE;
}

/* A node's own timers come before the answer that it waits for. TRUE: something was written. */
static gboolean
pass_waits (ClqReplay *self, ClqLive *live, gint64 before)
{
  while (live != NULL && clq_rehearse_fire_wait (self->stage->engine, live, before))
    if (settle (self))
      return TRUE;
  return FALSE;
}

static gboolean
send_next (ClqReplay *self, ClqLive *live, const ClqRecord *next)
{
  if (pass_time (self, live, next->at - LATE, self->other == NULL))
    return TRUE;
  self->rehearsal.holds_results = TRUE;
  if (pass_time (self, live, next->at, TRUE))
    return TRUE;
  say_partial (self, live, next);
  self->stage->engine->clock.now = next->at;
  g_clear_pointer (&self->refusal, g_free);
  clq_replay_send (self, next, on_reply, self);
  return settle (self);
}

static gboolean
refuse_calls (ClqReplay *self, ClqLive *live, const ClqRecord *next)
{
  g_autofree char *refusal = clq_replay_dup_refusal (next);

  return live != NULL && refusal != NULL && clq_rehearse_refusal (live, refusal) && settle (self);
}

static gboolean
lose_host (ClqReplay *self, const ClqRecord *next)
{
  if (!clq_replay_is_loss (next))
    return FALSE;
  self->stage->engine->clock.now = next->at;
  self->rehearsal.holds_results = FALSE; /* what was held is lost */
  clq_rehearse_loss (self->stage->engine, self->id);
  return settle (self);
}

/* How long a stay is too long is measured, and has no part in what the session does: it is written when it was. */
static gboolean
raise_alert (ClqReplay *self, ClqLive *live, const ClqRecord *next)
{
  if (live == NULL)
    return FALSE;
  if (pass_waits (self, live, clq_due_alert_at (&live->head, &live->graph->states[live->state])))
    return TRUE;
  self->stage->engine->clock.now = next->at;
  clq_due_raise_alert (live);
  return settle (self);
}

/* Brings the stage to the next record of the past. */
static void
go_further (ClqReplay *self)
{
  const ClqRecord *next;
  ClqLive *live;

  if (settle (self))
    return;
  next = clq_replay_peek (self, 0);
  if (next == NULL)
    {
      self->is_over = TRUE;
      return;
    }
  live = clq_live_find (self->stage->engine, self->id);
  if (clq_replay_is_alert (next))
    {
      if (!raise_alert (self, live, next))
        clq_replay_nothing_comes (self, next);
      return;
    }
  if (clq_replay_is_input (next))
    {
      if (!send_next (self, live, next))
        clq_replay_nothing_comes (self, next);
      return;
    }
  if (pass_waits (self, live, next->at) || answer_calls (self, live) || refuse_calls (self, live, next))
    return;
  say_partial (self, live, next);
  if (!pass_time (self, live, next->at, FALSE) && !lose_host (self, next))
    clq_replay_nothing_comes (self, next);
}

/* ---- the end of one session ---- */

/* Nothing of the session stays; the next one finds an empty store. */
static void
clear_stage (ClqReplay *self)
{
  ClqEngine *engine = self->stage->engine;
  ClqLive *live = clq_live_find (engine, self->id);

  if (live != NULL)
    clq_live_free (live);
  clq_host_settle (self->stage);
  if (self->stage->store != NULL)
    clq_instance_free (&self->stage->store->feature, g_steal_pointer (&self->stage->store_self));
  self->stage->store = NULL;
  g_hash_table_remove_all (engine->known_graphs);
  engine->known_graph = NULL;
  engine->clock.next = 0;
}

static void
clear_session (ClqReplay *self)
{
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_clear_pointer (&self->head, clq_head_free);
  g_clear_pointer (&self->segments, g_array_unref);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->mark_names, g_ptr_array_unref);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->refusal, g_free);
  clq_difference_clear (&self->difference);
}

static void
end (ClqReplay *self, const GError *error)
{
  const Difference *difference = &self->difference;
  ClqReplayReport report = {
    .id = self->id,
    .graph = self->graph != NULL ? self->graph->name : NULL,
    .is_equal = !difference->is_there,
    .n_records = self->n_equal,
    .seq = difference->seq,
    .state = difference->state,
    .at = difference->at,
    .past = difference->past,
    .now = difference->now,
    .reason = difference->reason,
  };
  ClqReplayFunc func = g_steal_pointer (&self->func);

  clear_stage (self);
  func (error == NULL ? &report : NULL, error, self->user_data);
  if (self->func == NULL)
    clear_session (self);
}

/* ---- reading the past ---- */

static void read_page (ClqReplay *self);

static void
go_on (ClqReplay *self)
{
  g_main_context_push_thread_default (self->context);
  while (!self->is_over && !is_starving (self))
    go_further (self);
  if (self->is_over && !self->difference.is_there && self->other == NULL && self->head->status != CLQ_STATUS_RUNNING)
    clq_replay_compare_ends (self);
  g_main_context_pop_thread_default (self->context);
  if (self->is_over)
    end (self, NULL);
  else
    read_page (self);
}

static void
on_page (GPtrArray *records, const GError *error, gpointer user_data)
{
  ClqReplay *self = user_data;
  ClqLive *live;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  if (self->next > 0)
    g_ptr_array_remove_range (self->records, 0, self->next);
  self->next = 0;
  for (guint i = 0; i < records->len; i++)
    g_ptr_array_add (self->records, clq_record_ref (g_ptr_array_index (records, i)));
  self->at_end = records->len < PAGE;
  look_ahead (self);
  live = clq_live_find (self->stage->engine, self->id);
  if (live != NULL && live->work != NULL)
    clq_engine_make_ready (self->stage->engine, live);
  go_on (self);
}

static void
read_page (ClqReplay *self)
{
  guint64 after = self->n_equal + (self->records->len - self->next);

  clq_host_read_journal (self->past, self->id, 0, after, PAGE, on_page, self);
}

static void
take_graph (ClqReplay *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  self->graph = self->other != NULL ? clq_graph_ref (self->other)
                                    : clq_host_engine_ops.load_graph (self->stage, self->head->graph_hash, self->head->graph_name, text, &error);
  if (self->graph == NULL && error == NULL)
    error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, "the store does not have the graph '%s' of the session", self->head->graph_name);
  if (self->graph == NULL || !clq_host_use_store (self->stage, "memory", &error))
    end (self, error);
  else
    read_page (self);
}

static void
on_graph (ClqQuery *query, gpointer user_data)
{
  ClqReplay *self = user_data;

  self->past->engine->n_queries--;
  if (query->error != NULL)
    end (self, query->error);
  else
    take_graph (self, query->answer);
}

static void
keep_tree (ClqReplay *self, const ClqTree *tree)
{
  self->head = clq_head_copy (tree->head);
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  self->marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  self->mark_names = g_ptr_array_new_with_free_func (g_free);
  if (tree->n_segments > 0)
    g_array_append_vals (self->segments, tree->segments, tree->n_segments);
  for (guint i = 0; i < tree->n_marks; i++)
    {
      ClqMark mark = tree->marks[i];

      mark.name = g_strdup (mark.name);
      g_ptr_array_add (self->mark_names, (gpointer) mark.name);
      g_array_append_val (self->marks, mark);
    }
}

static void
on_tree (const ClqTree *tree, const GError *error, gpointer user_data)
{
  ClqReplay *self = user_data;
  ClqQuery *query;

  if (tree == NULL)
    {
      g_autoptr (GError) missing = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no such session");

      end (self, error != NULL ? error : missing);
      return;
    }
  keep_tree (self, tree);
  if (self->other != NULL || g_hash_table_contains (self->stage->graphs, self->head->graph_hash))
    {
      take_graph (self, NULL);
      return;
    }
  query = clq_query_new (on_graph, self);
  query->text = g_strdup (self->head->graph_hash);
  self->past->engine->n_queries++;
  self->past->store->graph (self->past->store_self, query);
}

/* ---- for applications ---- */

/**
 * clq_replay_new:
 * @past: a host with a store; nothing of its sessions runs by being replayed
 * @error: return location
 *
 * Makes a second host, with the plugins and graphs of today, where sessions of @past can be run again one after the other.
 *
 * Returns: (transfer full) (nullable): what runs them
 */
ClqReplay *
clq_replay_new (ClqHost *past, GError **error)
{
  g_autoptr (ClqReplay) self = g_new0 (ClqReplay, 1);

  g_return_val_if_fail (CLQ_IS_HOST (past) && past->engine != NULL && past->store != NULL, NULL);
  self->past = g_object_ref (past);
  self->context = g_main_context_new ();
  self->stage = clq_host_new (self->context);
  clq_host_set_plugin_folders (self->stage, clq_registry_get_folders (past->registry));
  clq_host_set_graph_folders (self->stage, (const char *const *) past->graph_folders);
  clq_host_set_manual_clock (self->stage, 0, 0);
  self->rehearsal.has_agent = has_agent;
  self->rehearsal.check = check;
  self->rehearsal.end_visit = end_visit;
  self->stage->engine->rehearsal = &self->rehearsal;
  if (!clq_host_use_store (self->stage, "memory", error))
    return NULL;
  clear_stage (self);
  return g_steal_pointer (&self);
}

/**
 * clq_replay_free:
 * @self: (transfer full): what runs sessions again; nothing is being run
 */
void
clq_replay_free (ClqReplay *self)
{
  g_return_if_fail (self != NULL && self->func == NULL);
  clear_session (self);
  g_clear_pointer (&self->other, clq_graph_unref);
  clq_host_close (self->stage);
  g_object_unref (self->stage);
  g_object_unref (self->past);
  g_main_context_unref (self->context);
  g_free (self);
}

/**
 * clq_replay_get_host:
 * @self: what runs sessions again
 *
 * Returns: (transfer none): the second host, for loading graphs and for agents that can say how long a text is
 */
ClqHost *
clq_replay_get_host (ClqReplay *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->stage;
}

/**
 * clq_replay_set_graph:
 * @self: what runs sessions again
 * @graph: (nullable): a graph that clq_replay_get_host () has loaded, to be used instead of the one that a session ran on
 */
void
clq_replay_set_graph (ClqReplay *self, ClqGraph *graph)
{
  g_return_if_fail (self != NULL && self->func == NULL);
  g_clear_pointer (&self->other, clq_graph_unref);
  self->other = graph != NULL ? clq_graph_ref (graph) : NULL;
}

/**
 * clq_replay_run:
 * @self: what runs sessions again; it runs one at a time
 * @id: a session of the past
 * @func: gets the first difference, or hears that there is none
 * @user_data: for @func
 *
 * The session is read page by page; between pages the main loop goes on.
 */
void
clq_replay_run (ClqReplay *self, const guint8 id[16], ClqReplayFunc func, gpointer user_data)
{
  g_return_if_fail (self != NULL && self->func == NULL && func != NULL);
  clear_session (self);
  memcpy (self->id, id, 16);
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->next = 0;
  self->n_equal = 0;
  self->at_end = FALSE;
  self->is_over = FALSE;
  self->func = func;
  self->user_data = user_data;
  clq_host_read_tree (self->past, id, on_tree, self);
}
