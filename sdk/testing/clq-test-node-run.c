#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

#include <string.h>

/* ---- how a visit ends ---- */

/* What the visit still waits for is of no use. */
static void
close_visit (gpointer data)
{
  TestVisit *self = data;

  self->is_wanted = FALSE;
  if (self->visit.cancellable != NULL)
    g_cancellable_cancel (self->visit.cancellable);
  test_visit_cancel_calls (self);
  test_visit_cancel_waits (self);
  clq_visit_unref (&self->visit);
}

/* The first end counts; the rest of the visit is put away when the node has returned. */
static void
end (TestVisit *self, TestEnd how)
{
  ClqTestNode *test = self->test;

  test_node_disarm (test, &self->limit);
  test->visit = NULL;
  test->end = how;
  g_free (test->said);
  test->said = self->visit.said != NULL ? g_strdup (self->visit.said->str) : NULL;
  test_node_queue (test, close_visit, clq_visit_ref (&self->visit));
}

static void
note_questions (ClqTestNode *self)
{
  for (guint i = 0; i < clq_change_get_n_ops (self->change); i++)
    {
      const ClqOp *op = clq_change_get_op (self->change, i);

      if (op->type == CLQ_OP_ASK)
        g_ptr_array_add (self->questions, g_strdup (clq_change_get_string (self->change, op->value)));
    }
}

/* What is connected to `outcome::NAME`; @user_data is the name. */
static void
on_outcome (ClqNode *node, gpointer visit, gpointer user_data)
{
  TestVisit *self = visit;
  ClqTestNode *test = self->test;

  if (self->visit.ops != &test_visit_ops || !self->is_wanted)
    return;
  test->outcome = g_strdup (user_data);
  test->payload = g_steal_pointer (&self->visit.payload);
  test->change = g_steal_pointer (&self->visit.change);
  if (test->change != NULL)
    {
      note_questions (test);
      test_change_apply (test->change, &test->data);
      test_change_print (test->change, test->written);
    }
  end (self, TEST_FINISHED);
}

/* Private: the visit has failed; entering again is the next attempt. */
void
test_visit_fail (ClqVisit *visit, const GError *error)
{
  TestVisit *self = (TestVisit *) visit;

  if (!self->is_wanted)
    return;
  self->test->error = g_error_copy (error);
  end (self, TEST_FAILED);
}

static void
on_limit (TestTimer *timer)
{
  TestVisit *self = (TestVisit *) ((char *) timer - G_STRUCT_OFFSET (TestVisit, limit));
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;

  if (self->visit.over)
    return;
  after = clq_duration_print (self->test->timeout);
  error = g_error_new (CLQ_NODE_ERROR, CLQ_NODE_ERROR_TIMED_OUT, "node '%s' did not finish within visit-timeout=%s",
                       clq_node_get_info (self->visit.node)->name, after);
  clq_visit_fail_error (&self->visit, error);
}

/* ---- life ---- */

/* Private: the last reference is gone. */
void
test_visit_dispose (ClqVisit *visit)
{
  TestVisit *self = (TestVisit *) visit;

  test_node_disarm (self->test, &self->limit);
  if (self->test->visit == self)
    self->test->visit = NULL;
  g_clear_pointer (&visit->event, clq_event_unref);
  g_clear_pointer (&visit->change, clq_change_free);
  if (visit->said != NULL)
    g_string_free (visit->said, TRUE);
  g_clear_object (&visit->cancellable);
  g_clear_pointer (&self->calls, g_ptr_array_unref);
  g_clear_pointer (&self->waits, g_ptr_array_unref);
  g_free (visit->key);
  g_free (visit->payload);
  g_object_unref (visit->node);
  g_free (self->state);
  g_free (self->data);
  g_free (self->schedule);
  self->test->n_held--;
  test_node_unref (self->test);
  g_free (self);
}

static ClqEvent *
event_new (ClqTestNode *self)
{
  ClqEvent *event = clq_event_new (self->event_kind, NULL);

  event->owned_name = g_strdup (self->event_name);
  event->name = event->owned_name;
  event->payload = g_strdup (self->event_payload);
  event->text = g_strdup (self->text);
  event->role = self->text != NULL ? CLQ_ROLE_USER : CLQ_ROLE_NONE;
  event->is_message = self->text != NULL;
  return event;
}

static const char *
get_setting (ClqView *view, const char *key)
{
  ClqTestNode *self = view->graph;

  return g_hash_table_lookup (self->settings, key);
}

/* What the node sees stays as it was on entry. */
static void
fill_view (TestVisit *self)
{
  ClqTestNode *test = self->test;
  ClqView *view = &self->visit.view;

  self->state = g_strdup (test->state);
  self->data = g_strdup (test->data);
  self->schedule = g_strdup (test->schedule);
  self->state_names[0] = self->state;
  self->n_entered = (guint32) test->visit_id;
  self->head.id[6] = 0x70;
  self->head.id[8] = 0x80;
  self->head.id[15] = 1;
  self->head.graph_name = "test";
  self->head.state = self->state;
  self->head.visits = &self->n_entered;
  self->head.n_visits = 1;
  self->head.created_at = self->head.updated_at = self->head.entered_at = self->head.input_at = test->now;
  view->head = &self->head;
  view->data = self->data;
  view->state = self->state;
  view->schedule = self->schedule;
  view->next_run = test->next_run;
  view->now = test->now;
  view->turns_here = test->text != NULL ? 1 : 0;
  view->state_names = self->state_names;
  view->setting = get_setting;
  view->graph = test;
}

static TestVisit *
visit_new (ClqTestNode *test)
{
  TestVisit *self = g_new0 (TestVisit, 1);

  self->visit.ops = &test_visit_ops;
  self->visit.ref_count = 1;
  self->visit.attempt = test->attempt;
  self->visit.id = test->visit_id;
  self->visit.node = g_object_ref (test->node);
  self->visit.event = event_new (test);
  self->test = test_node_ref (test);
  self->is_wanted = TRUE;
  test->n_held++;
  fill_view (self);
  return self;
}

/* What an earlier visit or attempt left; calls and what they brought belong to all attempts of a visit. */
static void
forget (ClqTestNode *self, gboolean is_new)
{
  g_clear_pointer (&self->outcome, g_free);
  g_clear_pointer (&self->payload, g_free);
  g_clear_pointer (&self->said, g_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->change, clq_change_free);
  g_string_truncate (self->written, 0);
  g_string_truncate (self->pieces, 0);
  g_string_truncate (self->progress, 0);
  g_ptr_array_set_size (self->questions, 0);
  if (!is_new)
    return;
  g_string_truncate (self->calls, 0);
  g_hash_table_remove_all (self->results);
  g_hash_table_remove_all (self->requests);
  self->tokens_in = self->tokens_out = 0;
  self->cost = 0;
}

static void
connect_outcomes (ClqTestNode *self)
{
  const char *const *outcomes = clq_node_get_info (self->node)->outcomes;

  for (guint i = 0; outcomes != NULL && outcomes[i] != NULL; i++)
    {
      GClosure *closure = g_cclosure_new (G_CALLBACK (on_outcome), (gpointer) outcomes[i], NULL);

      g_signal_connect_closure_by_id (self->node, clq_node_get_outcome_signal (), g_quark_from_string (outcomes[i]), closure, FALSE);
    }
}

/**
 * clq_test_node_enter:
 * @self: a test
 *
 * Runs the node for a visit, until it has ended or nothing can happen without the clock. After a failure this is the
 * next attempt of the same visit, in which calls that have an answer are not made again; otherwise it is a new visit,
 * which sees the data that the last one left.
 */
void
clq_test_node_enter (ClqTestNode *self)
{
  gboolean is_new = self->end != TEST_FAILED;
  TestVisit *visit;

  g_return_if_fail (self->end != TEST_RUNNING);
  if (self->end == TEST_NOT_ENTERED)
    connect_outcomes (self);
  forget (self, is_new);
  self->visit_id += is_new;
  self->attempt = is_new ? 1 : self->attempt + 1;
  self->end = TEST_RUNNING;
  visit = visit_new (self);
  self->visit = visit;
  if (self->timeout > 0)
    test_node_arm (self, &visit->limit, self->timeout, TEST_TIMER_DEADLINE, on_limit);
  clq_node_enter (visit->visit.node, &visit->visit);
  clq_visit_unref (&visit->visit);
  test_node_settle (self);
}

/**
 * clq_test_node_cancel:
 * @self: a test
 *
 * Cancels the running visit, as an action does that leads away from its state.
 */
void
clq_test_node_cancel (ClqTestNode *self)
{
  TestVisit *visit = self->visit;

  if (visit == NULL)
    return;
  visit->visit.over = TRUE;
  end (visit, TEST_CANCELLED);
  test_node_settle (self);
}
