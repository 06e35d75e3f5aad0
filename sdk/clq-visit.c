#define G_LOG_DOMAIN "clq-visit"

#include "clq-private.h"

#include <string.h>

/**
 * clq_visit_ref:
 * @self: a visit
 *
 * Returns: (transfer full): @self
 */
ClqVisit *
clq_visit_ref (ClqVisit *self)
{
  self->ref_count++;
  return self;
}

/**
 * clq_visit_unref:
 * @self: (transfer full): a visit
 *
 * Drops a reference. A visit that nobody holds any more and that has no end fails by itself.
 */
void
clq_visit_unref (ClqVisit *self)
{
  g_return_if_fail (self->ref_count > 0);
  if (self->ref_count == 1 && !self->over)
    {
      g_autoptr (GError) error = g_error_new (CLQ_NODE_ERROR, CLQ_NODE_ERROR_UNFINISHED,
                                              "the node dropped its visit without finish or fail");

      self->over = TRUE;
      self->ops->fail (self, error);
    }
  if (--self->ref_count == 0)
    self->ops->dispose (self);
}

/**
 * clq_visit_get_view:
 * @self: a visit
 *
 * Returns: (transfer none): the session as it was when the node was entered
 */
ClqView *
clq_visit_get_view (ClqVisit *self)
{
  return &self->view;
}

/**
 * clq_visit_get_event:
 * @self: a visit
 *
 * Returns: (transfer none): the event that led here
 */
const ClqEvent *
clq_visit_get_event (ClqVisit *self)
{
  return self->event;
}

/**
 * clq_visit_get_text:
 * @self: a visit
 *
 * Returns: (transfer none) (nullable): the text of the event that led here
 */
const char *
clq_visit_get_text (ClqVisit *self)
{
  return clq_event_get_text (self->event);
}

/**
 * clq_visit_get_attempt:
 * @self: a visit
 *
 * Returns: which attempt this is, from 1
 */
guint
clq_visit_get_attempt (ClqVisit *self)
{
  return self->attempt;
}

/**
 * clq_visit_get_idempotency_key:
 * @self: a visit
 *
 * Returns: (transfer none): a key that is the same in every attempt
 */
const char *
clq_visit_get_idempotency_key (ClqVisit *self)
{
  if (self->key == NULL)
    self->key = g_strdup_printf ("%s/%" G_GUINT64_FORMAT, clq_view_get_id (&self->view), self->id);
  return self->key;
}

/**
 * clq_visit_get_cancellable:
 * @self: a visit
 *
 * Returns: (transfer none): cancelled when the result is not wanted any more
 */
GCancellable *
clq_visit_get_cancellable (ClqVisit *self)
{
  if (self->cancellable == NULL)
    self->cancellable = g_cancellable_new ();
  return self->cancellable;
}

/**
 * clq_visit_is_over:
 * @self: a visit
 *
 * Returns: whether it was finished, failed or cancelled
 */
gboolean
clq_visit_is_over (ClqVisit *self)
{
  return self->over;
}

/**
 * clq_visit_get_change:
 * @self: a visit
 *
 * Returns: (transfer none): what will be written with the outcome
 */
ClqChange *
clq_visit_get_change (ClqVisit *self)
{
  if (self->change == NULL)
    self->change = clq_change_new ();
  return self->change;
}

/**
 * clq_visit_say_text:
 * @self: a visit
 * @text: a piece of what the node says
 * @length: bytes, or -1
 *
 * Pieces reach services at once; together they become one message when the visit finishes.
 */
void
clq_visit_say_text (ClqVisit *self, const char *text, gssize length)
{
  gsize size = length >= 0 ? (gsize) length : strlen (text);

  if (self->over || size == 0)
    return;
  if (self->said == NULL)
    self->said = g_string_sized_new (size + 16);
  self->ops->say (self, text, size);
  g_string_append_len (self->said, text, size);
}

/**
 * clq_visit_say:
 * @self: a visit
 * @format: what to say
 * @...: arguments
 *
 * Says something, like clq_visit_say_text ().
 */
void
clq_visit_say (ClqVisit *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  clq_visit_say_text (self, text, -1);
}

/**
 * clq_visit_get_said:
 * @self: a visit
 *
 * Returns: (nullable) (transfer none): what the visit has said so far, valid until it says more; %NULL if nothing
 */
const char *
clq_visit_get_said (ClqVisit *self)
{
  return self->said != NULL ? self->said->str : NULL;
}

/**
 * clq_visit_progress:
 * @self: a visit
 * @fraction: 0 to 1, or below 0 if unknown
 * @format: what the node is doing, for people
 * @...: arguments
 */
void
clq_visit_progress (ClqVisit *self, double fraction, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  if (self->over)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->ops->progress (self, fraction, text);
}

/**
 * clq_visit_after:
 * @self: a visit
 * @delay: microseconds on the host's clock
 * @func: what to do then; it is not called if the visit is over before
 * @user_data: for @func
 */
void
clq_visit_after (ClqVisit *self, GTimeSpan delay, ClqVisitFunc func, gpointer user_data)
{
  g_return_if_fail (func != NULL);
  if (!self->over)
    self->ops->after (self, delay, func, user_data);
}

/**
 * clq_visit_set_timeout:
 * @self: a visit
 * @timeout: microseconds from now on; 0 = any time
 *
 * Says how long the visit may still take, instead of the state's visit-timeout. A visit that takes longer fails with
 * %CLQ_NODE_ERROR_TIMED_OUT; what it has said so far is the partial text of the event.
 */
void
clq_visit_set_timeout (ClqVisit *self, GTimeSpan timeout)
{
  g_return_if_fail (timeout >= 0);
  if (!self->over)
    self->ops->set_timeout (self, timeout);
}

/**
 * clq_visit_read_journal:
 * @self: a visit
 * @types: bits `1 << ClqRecordType`; 0 = all
 * @before: only records before this one; 0 = from the newest
 * @limit: how many at the most
 * @func: gets the records, newest first
 * @user_data: for @func
 *
 * Reads the conversation as it is seen from here. The answer never comes from inside this call.
 */
void
clq_visit_read_journal (ClqVisit *self, guint types, guint64 before, guint limit, ClqJournalFunc func, gpointer user_data)
{
  g_return_if_fail (func != NULL);
  if (!self->over)
    self->ops->read_journal (self, types, 0, before, limit, func, user_data);
}

/**
 * clq_visit_read_since:
 * @self: a visit
 * @types: bits `1 << ClqRecordType`; 0 = all
 * @after: only records after this one
 * @func: gets the records, newest first
 * @user_data: for @func
 *
 * Reads what is new in the conversation for a node that remembers how far it had read, see clq_visit_get_memo(). That is
 * quick: while a session works the host has its newest records at hand. The answer never comes from inside this call.
 */
void
clq_visit_read_since (ClqVisit *self, guint types, guint64 after, ClqJournalFunc func, gpointer user_data)
{
  g_return_if_fail (func != NULL);
  if (!self->over)
    self->ops->read_journal (self, types, after, 0, G_MAXUINT, func, user_data);
}

/**
 * clq_visit_search:
 * @self: a visit
 * @text: words
 * @limit: how many hits at the most
 * @func: gets the hits, the best first, valid during the call; or an error if nothing can be searched now
 * @user_data: for @func
 *
 * Looks for context records that hold at least one of the words, in all sessions of the same graph that belong to the same
 * owner. What this visit writes is not there yet. The answer never comes from inside this call.
 */
void
clq_visit_search (ClqVisit *self, const char *text, guint limit, ClqSearchFunc func, gpointer user_data)
{
  g_return_if_fail (text != NULL && func != NULL);
  if (!self->over)
    self->ops->search (self, text, limit, func, user_data);
}

/**
 * clq_visit_get_memo:
 * @self: a visit
 * @name: a name; it begins with the id of the plugin
 *
 * What a visit of the same session has left behind with clq_visit_set_memo(). A memo saves work and nothing else: it is in memory,
 * and gone when the session rests, goes back in its journal or changes its branch, or when the host ends. So it may only hold what can be made again from the journal.
 *
 * Returns: (transfer none) (nullable): the memo
 */
gpointer
clq_visit_get_memo (ClqVisit *self, const char *name)
{
  GData **memos = self->ops->memos (self);

  g_return_val_if_fail (name != NULL, NULL);
  return memos != NULL ? g_datalist_get_data (memos, name) : NULL;
}

/**
 * clq_visit_set_memo:
 * @self: a visit
 * @name: a name; it begins with the id of the plugin
 * @memo: (nullable) (transfer full): what later visits of the session may find; %NULL takes it away
 * @destroy: (nullable): frees @memo
 *
 * Leaves something for later visits of the session, see clq_visit_get_memo().
 */
void
clq_visit_set_memo (ClqVisit *self, const char *name, gpointer memo, GDestroyNotify destroy)
{
  GData **memos = self->ops->memos (self);

  g_return_if_fail (name != NULL);
  if (memos != NULL)
    g_datalist_set_data_full (memos, name, memo, destroy);
  else if (memo != NULL && destroy != NULL)
    destroy (memo);
}

/**
 * clq_visit_has_agent:
 * @self: a visit
 * @agent: a name
 *
 * Returns: whether somebody of that name would answer
 */
gboolean
clq_visit_has_agent (ClqVisit *self, const char *agent)
{
  return self->ops->has_agent (self, agent);
}

/**
 * clq_visit_estimate_tokens:
 * @self: a visit
 * @agent: the name of an agent
 * @text: a text
 *
 * How many tokens a text is: the agent's own estimate, else its characters divided by 4, rounded up.
 *
 * Returns: a number of tokens
 */
guint64
clq_visit_estimate_tokens (ClqVisit *self, const char *agent, const char *text)
{
  g_return_val_if_fail (agent != NULL && text != NULL, 0);
  if (self->ops->estimate_tokens != NULL)
    {
      guint64 tokens = self->ops->estimate_tokens (self, agent, text);

      if (tokens > 0)
        return tokens;
    }
  return ((guint64) g_utf8_strlen (text, -1) + 3) / 4;
}

/**
 * clq_visit_call_agent:
 * @self: a visit
 * @key: the name of the call within the visit, the same in every attempt
 * @agent: who is asked
 * @request: what is asked, a JSON object
 * @stream: say the pieces of the answer as they come
 * @func: gets the call when it has ended
 * @user_data: for @func
 *
 * Asks an agent. A call that has an answer from an earlier attempt is not made again.
 */
void
clq_visit_call_agent (ClqVisit *self, const char *key, const char *agent, const char *request, gboolean stream, ClqCallFunc func, gpointer user_data)
{
  g_return_if_fail (key != NULL && agent != NULL && func != NULL);
  g_return_if_fail (request != NULL && clq_json_check (request, -1, NULL, NULL));
  if (!self->over)
    self->ops->call (self, FALSE, key, agent, request, stream, func, user_data);
}

/**
 * clq_visit_call_tool:
 * @self: a visit
 * @key: the name of the call within the visit, the same in every attempt
 * @tool: the kind of the tool
 * @arguments: a JSON object
 * @func: gets the call when it has ended
 * @user_data: for @func
 *
 * Uses a tool. A call that has a result from an earlier attempt is not made again.
 */
void
clq_visit_call_tool (ClqVisit *self, const char *key, const char *tool, const char *arguments, ClqCallFunc func, gpointer user_data)
{
  g_return_if_fail (key != NULL && tool != NULL && func != NULL);
  g_return_if_fail (arguments != NULL && clq_json_check (arguments, -1, NULL, NULL));
  if (!self->over)
    self->ops->call (self, TRUE, key, tool, arguments, FALSE, func, user_data);
}

/**
 * clq_visit_ask:
 * @self: a visit
 * @key: the name of the call within the visit, the same in every attempt
 * @question: what to ask a person
 * @func: gets the call; its text is the answer, as JSON
 * @user_data: for @func
 *
 * Asks a person and goes on with the visit when the answer has come.
 */
void
clq_visit_ask (ClqVisit *self, const char *key, const ClqQuestion *question, ClqCallFunc func, gpointer user_data)
{
  g_return_if_fail (key != NULL && func != NULL && question != NULL && question->prompt != NULL);
  if (!self->over)
    self->ops->ask (self, key, question, func, user_data);
}

/**
 * clq_visit_reject_call:
 * @self: a visit
 * @key: a call that has an answer
 * @why: what is wrong with the answer
 *
 * Says that the answer is of no use: the next call with @key is made anew.
 */
void
clq_visit_reject_call (ClqVisit *self, const char *key, const char *why)
{
  g_return_if_fail (key != NULL && why != NULL);
  if (!self->over)
    self->ops->reject (self, key, why);
}

/**
 * clq_visit_fan_out:
 * @self: a visit
 * @requests: (array length=n_requests): what to ask whom
 * @n_requests: how many, at least one
 * @join: what a failure means
 * @max_parallel: how many at once; 0 = all
 * @func: gets the calls in the order of @requests
 * @user_data: for @func
 *
 * Asks several agents at once. A call that fails as recoverable is tried again by itself, as the state's retry says.
 */
void
clq_visit_fan_out (ClqVisit *self, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data)
{
  g_return_if_fail (func != NULL && requests != NULL && n_requests > 0);
  for (guint i = 0; i < n_requests; i++)
    {
      g_return_if_fail (requests[i].key != NULL && requests[i].agent != NULL);
      g_return_if_fail (requests[i].request != NULL && clq_json_check (requests[i].request, -1, NULL, NULL));
    }
  if (!self->over)
    self->ops->fan_out (self, requests, n_requests, join, max_parallel, func, user_data);
}

/* The node's signal tells the graph, and the graph's handler queues the event: nothing is entered from here. */
static void
end_with_outcome (ClqVisit *self, const char *outcome)
{
  const char *const *declared = clq_node_get_info (self->node)->outcomes;

  for (guint i = 0; declared != NULL && declared[i] != NULL; i++)
    if (strcmp (declared[i], outcome) == 0)
      {
        g_signal_emit (self->node, clq_node_get_outcome_signal (), g_quark_try_string (outcome), self);
        return;
      }
  g_autofree char *hint = clq_did_you_mean (outcome, declared);
  g_autoptr (GError) error = g_error_new (CLQ_NODE_ERROR, CLQ_NODE_ERROR_OUTCOME,
                                          "node '%s' finished with an outcome that it does not declare: '%s'%s",
                                          clq_node_get_info (self->node)->name, outcome, hint);
  self->ops->fail (self, error);
}

/**
 * clq_visit_finish:
 * @self: a visit
 * @outcome: one of the node's declared outcomes
 *
 * Ends the visit. Whatever comes after the end is ignored.
 */
void
clq_visit_finish (ClqVisit *self, const char *outcome)
{
  clq_visit_finish_with (self, outcome, NULL);
}

/**
 * clq_visit_finish_with:
 * @self: a visit
 * @outcome: one of the node's declared outcomes
 * @payload: (nullable): a JSON object that guards and the modality can read
 *
 * Ends the visit. Whatever comes after the end is ignored.
 */
void
clq_visit_finish_with (ClqVisit *self, const char *outcome, const char *payload)
{
  g_return_if_fail (outcome != NULL);
  g_return_if_fail (payload == NULL || clq_json_check (payload, -1, NULL, NULL));
  if (self->over)
    return;
  self->over = TRUE;
  self->payload = g_strdup (payload);
  end_with_outcome (self, outcome);
}

/**
 * clq_visit_fail:
 * @self: a visit
 * @failure: what kind of failure
 * @format: why, for people
 * @...: arguments
 *
 * Ends the visit. Whatever comes after the end is ignored.
 */
void
clq_visit_fail (ClqVisit *self, ClqFailure failure, const char *format, ...)
{
  g_autoptr (GError) error = NULL;
  va_list arguments;

  if (self->over)
    return;
  va_start (arguments, format);
  error = g_error_new_valist (CLQ_FAILURE, failure, format, arguments);
  va_end (arguments);
  clq_visit_fail_error (self, error);
}

/**
 * clq_visit_fail_error:
 * @self: a visit
 * @error: why; clq_failure_of () says what kind of failure it is
 *
 * Ends the visit. Whatever comes after the end is ignored.
 */
void
clq_visit_fail_error (ClqVisit *self, const GError *error)
{
  g_return_if_fail (error != NULL);
  if (self->over)
    return;
  self->over = TRUE;
  self->ops->fail (self, error);
}
