#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* Private: sets a timer, whether it was armed or not. */
void
test_node_arm (ClqTestNode *self, TestTimer *timer, GTimeSpan delay, TestTimerRank rank, void (*fire) (TestTimer *timer))
{
  test_node_disarm (self, timer);
  timer->at = self->now + MAX (delay, 0);
  timer->rank = rank;
  timer->order = self->timer_order++;
  timer->fire = fire;
  timer->is_armed = TRUE;
  g_ptr_array_add (self->timers, timer);
}

/* Private: takes a timer out; does nothing if it is not armed. */
void
test_node_disarm (ClqTestNode *self, TestTimer *timer)
{
  if (!timer->is_armed)
    return;
  timer->is_armed = FALSE;
  g_ptr_array_remove_fast (self->timers, timer);
}

static gboolean
is_earlier (const TestTimer *a, const TestTimer *b)
{
  if (a->at != b->at)
    return a->at < b->at;
  if (a->rank != b->rank)
    return a->rank < b->rank;
  return a->order < b->order;
}

static TestTimer *
peek (ClqTestNode *self)
{
  TestTimer *first = NULL;

  for (guint i = 0; i < self->timers->len; i++)
    {
      TestTimer *timer = g_ptr_array_index (self->timers, i);

      if (first == NULL || is_earlier (timer, first))
        first = timer;
    }
  return first;
}

/* Private: something to be done when whoever runs now has returned; @func takes @data. */
void
test_node_queue (ClqTestNode *self, TestItemFunc func, gpointer data)
{
  TestItem *item = g_new (TestItem, 1);

  item->func = func;
  item->data = data;
  g_queue_push_tail (&self->items, item);
}

static gboolean
fire_due (ClqTestNode *self, gint64 until)
{
  TestTimer *next = peek (self);

  if (next == NULL || next->at > until)
    return FALSE;
  self->now = MAX (self->now, next->at);
  test_node_disarm (self, next);
  next->fire (next);
  return TRUE;
}

static void
work (ClqTestNode *self)
{
  while (!g_queue_is_empty (&self->items))
    {
      g_autofree TestItem *item = g_queue_pop_head (&self->items);

      item->func (item->data);
    }
}

/* Private: goes on until nothing can happen without the clock. As in a host with a manual clock, timers wait for advance (). */
void
test_node_settle (ClqTestNode *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  do
    work (self);
  while (g_main_context_iteration (context, FALSE) || !g_queue_is_empty (&self->items));
}

/**
 * clq_test_node_advance:
 * @self: a test
 * @by: how far the clock moves
 *
 * Moves the clock. What is due on the way happens in its order, each at its time.
 */
void
clq_test_node_advance (ClqTestNode *self, GTimeSpan by)
{
  gint64 until = self->now + by;

  g_return_if_fail (by >= 0);
  test_node_settle (self);
  while (fire_due (self, until))
    test_node_settle (self);
  self->now = until;
}

/**
 * clq_test_node_wait:
 * @self: a test
 *
 * Waits for something that neither the clock nor a queued reply brings, such as a file that the node reads: runs the
 * main context of the thread until the visit is over.
 */
void
clq_test_node_wait (ClqTestNode *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  test_node_settle (self);
  while (self->end == TEST_RUNNING)
    {
      g_main_context_iteration (context, TRUE);
      test_node_settle (self);
    }
}

/**
 * clq_test_node_get_now:
 * @self: a test
 *
 * Returns: what the clock shows, in microseconds since 1970
 */
gint64
clq_test_node_get_now (ClqTestNode *self)
{
  return self->now;
}
