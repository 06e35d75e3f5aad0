#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

#include <string.h>

/* ---- the modality of the test: sees every event with what it writes ---- */

static void
write_data (ClqTestNode *self, ClqView *view, ClqChange *change)
{
  ClqJsonSpan old = clq_json_span (clq_view_get_data (view), -1), new = clq_json_span (self->data, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &old);
  while (clq_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);

      clq_change_unset (change, name);
    }
  clq_json_iter_init (&iter, &new);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *json = g_strndup (value.start, value.length);

      clq_change_set_json (change, name, json);
    }
}

/* The session becomes what the test says. */
static void
write_session (ClqTestNode *self, ClqView *view, ClqChange *change)
{
  static const ClqQuestion question = { .type = CLQ_QUESTION_INPUT, .prompt = "?" };
  gint64 now = clq_view_get_now (view);

  clq_change_clear_questions (change);
  if (self->data != NULL)
    write_data (self, view, change);
  if (test_node_get_timer (self) == TEST_TIMER_SCHEDULE)
    clq_change_set_schedule (change, self->schedule != NULL ? self->schedule : "{}", now);
  else if (self->has_schedule && self->schedule != NULL)
    clq_change_set_schedule (change, self->schedule, self->next_run);
  else if (self->has_schedule)
    clq_change_clear_schedule (change);
  if (test_node_get_timer (self) == TEST_TIMER_DEADLINE)
    clq_change_set_deadline (change, self->event_name, now);
  if (self->event_kind == CLQ_EVENT_ACTION && g_str_equal (self->event_name, "answer"))
    clq_change_ask (change, &question);
  for (guint i = self->n_written; i < self->journal->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (self->journal, i);

      clq_change_append (change, clq_record_get_record_type (record), clq_record_get_role (record), clq_record_get_body (record, NULL));
    }
}

static void
forget_attempt (ClqTestNode *self)
{
  g_string_truncate (self->said, 0);
  g_string_truncate (self->pieces, 0);
  g_string_truncate (self->progress, 0);
}

/* What the visit ends with. It counts when it is durable. */
static void
note_result (ClqTestNode *self, const ClqEvent *event, const ClqChange *change)
{
  const GError *error = clq_event_get_error (event);
  const char *said = error != NULL ? clq_event_get_partial (event) : clq_event_get_text (event);

  self->has_result = TRUE;
  g_free (self->outcome);
  self->outcome = error == NULL ? g_strdup (clq_event_get_name (event)) : NULL;
  g_free (self->payload);
  self->payload = g_strdup (clq_event_get_payload (event));
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
  if (said == NULL)
    g_string_truncate (self->pieces, 0);
  g_string_assign (self->said, said != NULL ? said : "");
  clq_change_reset (self->change);
  clq_change_extend (self->change, change);
}

static gboolean
session_apply (gpointer data, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  ClqTestNode *self = test_node_of (data);

  if (g_str_equal (clq_event_get_name (event), TEST_BEGIN))
    write_session (self, view, change);
  else if (clq_event_get_kind (event) != CLQ_EVENT_OUTCOME)
    return TRUE;
  else if (g_str_equal (clq_view_get_state (view), TEST_BEFORE))
    forget_attempt (self);
  else
    note_result (self, event, change);
  return TRUE;
}

const ClqModalityInfo test_node_modality = {
  CLQ_MODALITY_INFO,
  .name = "session",
  .summary = "Sees what a node writes",
  .self_size = sizeof (TestSelf),
  .apply = session_apply,
};

static void
origin_enter (gpointer data, ClqVisit *visit)
{
  ClqTestNode *self = test_node_of (data);

  if (self->text != NULL)
    clq_visit_say_text (visit, self->text, -1);
  clq_visit_finish_with (visit, self->event_name, self->event_payload);
}

const ClqNodeInfo test_node_origin = {
  CLQ_NODE_INFO,
  .name = "origin",
  .summary = "Ends as the test says",
  .self_size = sizeof (TestSelf),
  .enter = origin_enter,
};

/* ---- what the host tells ---- */

static void
note_piece (ClqTestNode *self, const char *text)
{
  if (self->pieces->len > 0)
    g_string_append_c (self->pieces, '|');
  g_string_append (self->pieces, text);
  g_string_append (self->said, text);
}

static void
note_progress (ClqTestNode *self, const ClqNews *news)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.2f", news->fraction);
  g_string_append_printf (self->progress, "%s %s\n", number, news->text);
}

static void
note_taken (ClqTestNode *self)
{
  self->is_fresh = self->has_result;
  if (self->has_result)
    self->end = self->error != NULL ? TEST_FAILED : TEST_FINISHED;
  self->has_result = FALSE;
}

/* The session has come to an end that no rule foresees, for example because its data has become too large. */
static void
note_broken (ClqTestNode *self, const ClqNews *news)
{
  if (self->end != TEST_RUNNING && !self->is_fresh)
    return;
  self->end = TEST_FAILED;
  g_clear_pointer (&self->outcome, g_free);
  g_clear_error (&self->error);
  self->error = g_error_new (CLQ_NODE_ERROR, CLQ_NODE_ERROR_FAILED, "the session has failed: %s", news->error);
}

/* Private: something has happened. */
void
test_node_observe (const ClqNews *news, gpointer user_data)
{
  ClqTestNode *self = user_data;

  if (memcmp (news->id, self->id, sizeof self->id) != 0)
    return;
  if ((news->type == CLQ_NEWS_PIECE || news->type == CLQ_NEWS_PROGRESS) && news->attempt != self->attempt)
    {
      forget_attempt (self);
      self->attempt = news->attempt;
    }
  if (news->type == CLQ_NEWS_PIECE)
    note_piece (self, news->text);
  else if (news->type == CLQ_NEWS_PROGRESS)
    note_progress (self, news);
  else if (news->type == CLQ_NEWS_TAKEN)
    note_taken (self);
  else if (news->type == CLQ_NEWS_FAILED)
    note_broken (self, news);
}

static void
on_tree (const ClqTree *tree, const GError *error, gpointer user_data)
{
  ClqExtra **extra = user_data;

  *extra = tree != NULL && tree->head->extra != NULL ? clq_extra_ref (tree->head->extra) : NULL;
}

/* Private: (transfer full) (nullable): what the session has spent, among others. */
ClqExtra *
test_node_read_extra (ClqTestNode *self)
{
  ClqExtra *extra = NULL;

  clq_host_read_tree (self->host, self->id, on_tree, &extra);
  clq_host_settle (self->host);
  return extra;
}

/* ---- what happens ---- */

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  ClqTestNode *self = user_data;

  self->refusal = reply->error != NULL ? g_error_copy (reply->error) : NULL;
}

/* What the host has against it is in self->refusal. */
static void
send (ClqTestNode *self, ClqInputKind kind, const char *name, const char *payload, const char *text)
{
  ClqInput input = { .kind = kind, .name = name, .payload = payload, .text = text };

  input.role = text != NULL ? CLQ_ROLE_USER : CLQ_ROLE_NONE;
  g_clear_error (&self->refusal);
  clq_host_send (self->host, self->id, &input, on_reply, self);
  clq_host_settle (self->host);
}

static void
send_action (ClqTestNode *self, const char *name)
{
  send (self, CLQ_INPUT_ACTION, name, NULL, NULL);
  g_assert_no_error (self->refusal);
}

static void
open_session (ClqTestNode *self)
{
  clq_host_new_id (self->host, self->id);
  clq_host_open_session (self->host, self->graph, self->id, NULL, NULL, NULL, on_reply, self);
  clq_host_settle (self->host);
  g_assert_no_error (self->refusal);
  self->session = clq_host_get_session (self->host, self->id);
}

/* What an earlier visit left. */
static void
forget_visit (ClqTestNode *self)
{
  forget_attempt (self);
  g_clear_pointer (&self->outcome, g_free);
  g_clear_pointer (&self->payload, g_free);
  g_clear_error (&self->error);
  clq_change_reset (self->change);
  g_string_truncate (self->calls, 0);
  g_hash_table_remove_all (self->requests);
  g_clear_pointer (&self->spent, clq_extra_unref);
  self->spent = test_node_read_extra (self);
  self->begin_seq = clq_session_get_seq (self->session);
  self->attempt = 1;
  self->end = TEST_RUNNING;
}

static void
raise_event (ClqTestNode *self)
{
  gboolean is_answer = g_str_equal (self->event_name, "answer");
  g_autofree char *quoted = self->text != NULL ? clq_json_quote (self->text) : NULL;
  g_autofree char *value = is_answer && quoted != NULL ? g_strdup_printf ("{\"value\":%s}", quoted) : NULL;

  if (self->event_kind == CLQ_EVENT_TIMER)
    clq_host_advance (self->host, test_node_get_timer (self) == TEST_TIMER_STAY ? G_TIME_SPAN_MILLISECOND : 0);
  else if (self->event_kind == CLQ_EVENT_ACTION)
    send (self, CLQ_INPUT_ACTION, self->event_name, self->event_payload != NULL ? self->event_payload : value, is_answer ? NULL : self->text);
  g_assert_no_error (self->refusal);
}

/**
 * clq_test_node_enter:
 * @self: a test
 *
 * Lets the event lead to a visit, and runs until that has ended or nothing can happen without the clock; real agents and
 * tools that wait for something else are waited for. The visit sees the data that the last one left. What the test has
 * said of the state or of the event since then makes another graph, with another instance of the node and another session,
 * which begins with the same data.
 */
void
clq_test_node_enter (ClqTestNode *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (self->end != TEST_RUNNING);
  test_node_load (self, &error);
  g_assert_no_error (error);
  if (self->session == NULL)
    open_session (self);
  forget_visit (self);
  send_action (self, TEST_BEGIN);
  g_clear_pointer (&self->data, g_free);
  self->has_schedule = FALSE;
  self->n_written = self->journal->len;
  raise_event (self);
}

/**
 * clq_test_node_cancel:
 * @self: a test
 *
 * Cancels the running visit, by an action that leads away from its state.
 */
void
clq_test_node_cancel (ClqTestNode *self)
{
  if (self->end != TEST_RUNNING)
    return;
  send_action (self, TEST_LEAVE);
  self->end = TEST_CANCELLED;
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
  g_autofree char *questions = NULL;
  g_autoptr (GString) payload = g_string_new ("{\"values\":{");
  g_autofree char *name = NULL;
  ClqJsonSpan list, question;
  ClqJsonIter iter;

  g_return_val_if_fail (self->session != NULL && key != NULL, FALSE);
  g_return_val_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL), FALSE);
  questions = clq_session_dup_questions (self->session);
  list = clq_json_span (questions, -1);
  clq_json_iter_init (&iter, &list);
  while (name == NULL && clq_json_iter_next (&iter, NULL, &question))
    {
      ClqJsonSpan call = clq_json_find (question.start, (gssize) question.length, "call");
      ClqJsonSpan own = clq_json_find (question.start, (gssize) question.length, "key");

      if (clq_json_span_string_equal (&call, key))
        name = clq_json_span_dup_string (&own);
    }
  clq_json_append_string (payload, name != NULL ? name : key, -1);
  g_string_append_printf (payload, ":%s}}", json);
  send (self, CLQ_INPUT_ANSWER, NULL, payload->str, NULL);
  if (self->refusal == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->refusal));
  return FALSE;
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
  clq_host_advance (self->host, by);
}

/**
 * clq_test_node_wait:
 * @self: a test
 *
 * Waits for something that neither the clock nor a call brings, such as a file that the node reads: runs the main context
 * of the thread until the visit is over.
 */
void
clq_test_node_wait (ClqTestNode *self)
{
  clq_host_settle (self->host);
  while (self->end == TEST_RUNNING)
    {
      g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
      clq_host_settle (self->host);
    }
}
