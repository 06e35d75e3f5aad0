#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* ---- life ---- */

static TestCall *
call_of (ClqCall *call)
{
  return (TestCall *) call;
}

/* Private: the visit and the call need each other no more. */
void
test_call_leave (TestCall *self)
{
  TestVisit *visit = g_steal_pointer (&self->visit);

  if (visit == NULL)
    return;
  g_ptr_array_remove_fast (visit->calls, self);
  clq_visit_unref (&visit->visit);
  if (self->kind == TEST_CALL_QUESTION)
    clq_call_unref (&self->call);
}

static void
disarm (TestCall *self)
{
  if (!self->timer.is_armed)
    return;
  test_node_disarm (self->test, &self->timer);
  clq_call_unref (&self->call);
}

static void
call_dispose (ClqCall *call)
{
  TestCall *self = call_of (call);

  if (!call->over && self->visit != NULL)
    {
      /* Whoever should have answered has let go of it. */
      call->ref_count = 1;
      clq_call_fail (call, CLQ_FAILURE_CRITICAL, "'%s' dropped the call '%s' without an answer", call->target, call->key);
      clq_call_unref (call);
      return;
    }
  g_free (call->key);
  g_free (call->target);
  g_free (call->request);
  g_free (call->idempotency_key);
  g_free (call->text);
  g_clear_error (&call->error);
  g_clear_object (&call->cancellable);
  g_clear_pointer (&self->reply, test_reply_free);
  g_free (self->question);
  self->test->n_held--;
  test_node_unref (self->test);
  g_free (self);
}

/* ---- delivering ---- */

/* What was not streamed is said now. */
static void
say_rest (TestCall *self)
{
  if (self->stream && !self->streamed && self->call.text != NULL)
    clq_visit_say_text (&self->visit->visit, self->call.text, -1);
}

static void
note_answer (TestCall *self)
{
  ClqTestNode *test = self->test;

  if (self->call.error != NULL || self->call.replayed || !self->visit->is_wanted)
    return;
  g_hash_table_insert (test->results, g_strdup (self->call.key), g_strdup (self->call.text));
  test->tokens_in += self->call.tokens_in;
  test->tokens_out += self->call.tokens_out;
  test->cost += self->call.cost;
}

/* The visit gets what came back. */
static void
deliver (gpointer data)
{
  TestCall *self = data;
  TestVisit *visit = self->visit;

  if (visit != NULL)
    {
      clq_visit_ref (&visit->visit);
      say_rest (self);
      note_answer (self);
      if (self->group != NULL)
        test_fan_out_deliver (self);
      else
        {
          if (!visit->visit.over)
            self->func (&visit->visit, &self->call, self->user_data);
          test_call_leave (self);
        }
      clq_visit_unref (&visit->visit);
    }
  clq_call_unref (&self->call);
}

/* ---- the side that answers ---- */

static void
on_timer (TestTimer *timer)
{
  TestCall *self = (TestCall *) ((char *) timer - G_STRUCT_OFFSET (TestCall, timer));

  if (!self->call.over && self->visit != NULL)
    self->after (&self->call, self->after_data);
  clq_call_unref (&self->call);
}

static void
call_after (ClqCall *call, GTimeSpan delay, ClqCallTimerFunc func, gpointer user_data)
{
  TestCall *self = call_of (call);

  disarm (self);
  self->after = func;
  self->after_data = user_data;
  clq_call_ref (call);
  test_node_arm (self->test, &self->timer, delay, TEST_TIMER_ANSWER, on_timer);
}

static void
call_piece (ClqCall *call, const char *text, gsize length)
{
  TestCall *self = call_of (call);

  if (!self->stream || self->visit == NULL)
    return;
  self->streamed = TRUE;
  clq_visit_say_text (&self->visit->visit, text, (gssize) length);
}

static void
call_done (ClqCall *call)
{
  TestCall *self = call_of (call);

  disarm (self);
  if (self->visit != NULL && self->visit->is_wanted)
    test_node_queue (self->test, deliver, clq_call_ref (call));
}

static gint64
call_now (ClqCall *call)
{
  return call_of (call)->test->now;
}

static const ClqCallOps call_ops = { call_after, call_piece, call_done, call_now, call_dispose };

/* ---- starting ---- */

/* Private: a call of a visit, not yet started. */
TestCall *
test_call_new (TestVisit *visit, TestCallKind kind, const char *key, const char *target, const char *request)
{
  TestCall *self = g_new0 (TestCall, 1);

  self->call.ops = &call_ops;
  self->call.ref_count = 1;
  self->call.key = g_strdup (key);
  self->call.target = g_strdup (target);
  self->call.request = g_strdup (request);
  self->call.idempotency_key = g_strdup_printf ("%s/%s", clq_visit_get_idempotency_key (&visit->visit), key);
  self->kind = kind;
  self->attempt = 1;
  self->test = test_node_ref (visit->test);
  self->test->n_held++;
  self->visit = (TestVisit *) clq_visit_ref (&visit->visit);
  if (visit->calls == NULL)
    visit->calls = g_ptr_array_new ();
  g_ptr_array_add (visit->calls, self);
  if (kind == TEST_CALL_QUESTION)
    clq_call_ref (&self->call); /* people hold nothing: it stays until it leaves its visit */
  return self;
}

static void
give_reply (ClqCall *call, gpointer user_data)
{
  TestReply *reply = user_data;

  if (reply->failure != 0)
    clq_call_fail (call, reply->failure, "%s", reply->text);
  else
    clq_call_return (call, reply->text);
}

static gboolean
play_reply (TestCall *self)
{
  GQueue *replies = g_hash_table_lookup (self->test->replies, self->call.target);

  if (replies == NULL || g_queue_is_empty (replies))
    return FALSE;
  g_clear_pointer (&self->reply, test_reply_free);
  self->reply = g_queue_pop_head (replies);
  if (self->reply->delay > 0)
    clq_call_after (&self->call, self->reply->delay, give_reply, self->reply);
  else
    give_reply (&self->call, self->reply);
  return TRUE;
}

static void
start_after_intent (gpointer data)
{
  TestCall *self = data;

  if (self->visit != NULL && self->visit->is_wanted)
    test_call_start (self);
  clq_call_unref (&self->call);
}

/* What it is about to do outside would be written down first, so a tool with effects does not start at once. */
static void
use_tool (TestCall *self, const TestPart *part)
{
  const ClqToolInfo *info = (const ClqToolInfo *) part->feature;

  if (info->has_effects && !self->has_intent)
    {
      self->has_intent = TRUE;
      test_node_queue (self->test, start_after_intent, clq_call_ref (&self->call));
    }
  else
    info->use (part->instance, &self->call);
}

static void
ask (TestCall *self)
{
  const char *word = self->kind == TEST_CALL_TOOL ? "tool" : "agent";
  const TestPart *part = g_hash_table_lookup (self->test->parts, self->call.target);

  if (!self->has_intent)
    {
      g_string_append_printf (self->test->calls, "%s %s\n", self->call.key, self->call.target);
      g_hash_table_insert (self->test->requests, g_strdup (self->call.key), g_strdup (self->call.request));
    }
  if (play_reply (self))
    return;
  if (part != NULL && part->feature->type == CLQ_FEATURE_TOOL && self->kind == TEST_CALL_TOOL)
    use_tool (self, part);
  else if (part != NULL && part->feature->type == CLQ_FEATURE_AGENT && self->kind == TEST_CALL_AGENT)
    ((const ClqAgentInfo *) part->feature)->complete (part->instance, &self->call);
  else
    clq_call_fail (&self->call, CLQ_FAILURE_CRITICAL, "%s '%s' has no reply queued", word, self->call.target);
}

static gboolean
replay (TestCall *self)
{
  const char *known = g_hash_table_lookup (self->test->results, self->call.key);

  if (known == NULL)
    return FALSE;
  self->call.replayed = TRUE;
  clq_call_return (&self->call, known);
  return TRUE;
}

/* Private: makes the call, unless it has an answer from before. */
void
test_call_start (TestCall *self)
{
  clq_call_ref (&self->call);
  if (!replay (self))
    {
      if (self->kind == TEST_CALL_QUESTION)
        g_ptr_array_add (self->test->questions, g_strdup (self->question));
      else
        ask (self);
    }
  clq_call_unref (&self->call);
}

static void
on_retry_due (ClqCall *call, gpointer user_data)
{
  TestCall *self = call_of (call);

  self->attempt++;
  test_call_start (self);
}

/* The first wait is a second, each one after it twice as long, up to a minute: the graph's defaults. */
static void
wait_for_retry (gpointer data)
{
  TestCall *self = data;
  GTimeSpan delay = G_TIME_SPAN_SECOND;

  for (guint i = 1; i < self->attempt && delay < G_TIME_SPAN_MINUTE; i++)
    delay *= 2;
  if (self->visit != NULL && self->visit->is_wanted)
    {
      g_clear_error (&self->call.error);
      self->call.over = FALSE;
      clq_call_after (&self->call, MIN (delay, G_TIME_SPAN_MINUTE), on_retry_due, NULL);
    }
  clq_call_unref (&self->call);
}

/* Private: a call of a fan-out has failed and is tried again. */
void
test_call_retry (TestCall *self)
{
  test_node_queue (self->test, wait_for_retry, clq_call_ref (&self->call));
}

/* Private: nobody waits for the visit's calls any more. */
void
test_visit_cancel_calls (TestVisit *self)
{
  while (self->calls != NULL && self->calls->len > 0)
    {
      TestCall *call = g_ptr_array_index (self->calls, self->calls->len - 1);

      clq_call_ref (&call->call);
      call->call.over = TRUE;
      disarm (call);
      if (call->call.cancellable != NULL)
        g_cancellable_cancel (call->call.cancellable);
      if (call->group != NULL)
        test_fan_out_cancel (call);
      test_call_leave (call);
      clq_call_unref (&call->call);
    }
}

/**
 * clq_test_node_answer:
 * @self: a test
 * @key: the key that the node gave to clq_visit_ask ()
 * @json: the answer of a person, as JSON
 * @error: return location
 *
 * Answers a question of the running visit. An answer that does not fit changes nothing.
 *
 * Returns: whether it fits
 */
gboolean
clq_test_node_answer (ClqTestNode *self, const char *key, const char *json, GError **error)
{
  GPtrArray *calls = self->visit != NULL ? self->visit->calls : NULL;

  g_return_val_if_fail (key != NULL && json != NULL && clq_json_check (json, -1, NULL, NULL), FALSE);
  for (guint i = 0; calls != NULL && i < calls->len; i++)
    {
      TestCall *call = g_ptr_array_index (calls, i);
      g_autofree char *answer = NULL;

      if (call->kind != TEST_CALL_QUESTION || call->call.over || g_strcmp0 (call->call.key, key) != 0)
        continue;
      answer = clq_question_fit_answer (call->question, json, error);
      if (answer == NULL)
        return FALSE;
      clq_call_return (&call->call, answer);
      test_node_settle (self);
      return TRUE;
    }
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_WAITING, "no question of the visit waits with the key '%s'", key);
  return FALSE;
}
