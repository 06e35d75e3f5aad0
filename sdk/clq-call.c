#define G_LOG_DOMAIN "clq-call"

#include "clq-private.h"

#include <string.h>

/**
 * clq_call_ref:
 * @self: a call
 *
 * Returns: (transfer full): @self
 */
ClqCall *
clq_call_ref (ClqCall *self)
{
  self->ref_count++;
  return self;
}

/**
 * clq_call_unref:
 * @self: (transfer full): a call
 *
 * Drops a reference. A call that nobody holds any more and that has no end fails by itself.
 */
void
clq_call_unref (ClqCall *self)
{
  g_return_if_fail (self->ref_count > 0);
  if (--self->ref_count > 0)
    return;
  self->ops->dispose (self);
}

/**
 * clq_call_get_key:
 * @self: a call
 *
 * Returns: (transfer none): the name of the call within its visit, the same in every attempt
 */
const char *
clq_call_get_key (ClqCall *self)
{
  return self->key;
}

/**
 * clq_call_get_target:
 * @self: a call
 *
 * Returns: (transfer none): the agent or tool
 */
const char *
clq_call_get_target (ClqCall *self)
{
  return self->target;
}

/**
 * clq_call_get_request:
 * @self: a call
 *
 * Returns: (transfer none): what is asked, a JSON object
 */
const char *
clq_call_get_request (ClqCall *self)
{
  return self->request;
}

/**
 * clq_call_get_idempotency_key:
 * @self: a call
 *
 * Returns: (transfer none): a key that is the same in every attempt, for servers that know such keys
 */
const char *
clq_call_get_idempotency_key (ClqCall *self)
{
  return self->idempotency_key;
}

/**
 * clq_call_get_cancellable:
 * @self: a call
 *
 * Returns: (transfer none): cancelled when nobody wants the answer any more
 */
GCancellable *
clq_call_get_cancellable (ClqCall *self)
{
  if (self->cancellable == NULL)
    self->cancellable = g_cancellable_new ();
  return self->cancellable;
}

/**
 * clq_call_get_now:
 * @self: a call
 *
 * Returns: the host's time, in microseconds since 1970
 */
gint64
clq_call_get_now (ClqCall *self)
{
  return self->ops->now (self);
}

/**
 * clq_call_after:
 * @self: a call
 * @delay: microseconds on the host's clock
 * @func: what to do then; it is not called if the call ends before
 * @user_data: for @func
 */
void
clq_call_after (ClqCall *self, GTimeSpan delay, ClqCallTimerFunc func, gpointer user_data)
{
  g_return_if_fail (func != NULL);
  if (!self->over)
    self->ops->after (self, delay, func, user_data);
}

/**
 * clq_call_piece:
 * @self: a call
 * @text: a piece of the answer
 * @length: bytes, or -1
 *
 * Streams a piece. The whole answer is still given to clq_call_return ().
 */
void
clq_call_piece (ClqCall *self, const char *text, gssize length)
{
  g_return_if_fail (text != NULL);
  if (!self->over)
    self->ops->piece (self, text, length >= 0 ? (gsize) length : strlen (text));
}

/**
 * clq_call_usage:
 * @self: a call
 * @tokens_in: tokens of the request
 * @tokens_out: tokens of the answer
 * @cost: money
 */
void
clq_call_usage (ClqCall *self, guint64 tokens_in, guint64 tokens_out, double cost)
{
  self->tokens_in = tokens_in;
  self->tokens_out = tokens_out;
  self->cost = cost;
}

/**
 * clq_call_want_tool:
 * @self: a call of an agent
 * @id: (nullable): how the agent calls this use of the tool; %NULL if it has no name for it
 * @name: the tool, as it stands in the request's `tools`
 * @arguments: what it is to be used with; what is no JSON is taken as a text, which no tool accepts
 *
 * Says that the agent needs a tool before it can answer. Any number may be asked for before clq_call_return (); the agent
 * is then asked again, with what the tools gave.
 */
void
clq_call_want_tool (ClqCall *self, const char *id, const char *name, const char *arguments)
{
  g_autofree char *number = NULL;

  g_return_if_fail (name != NULL && arguments != NULL);
  if (self->over)
    return;
  if (self->wants == NULL)
    self->wants = g_string_new ("[");
  else
    g_string_append_c (self->wants, ',');
  if (id == NULL)
    id = number = g_strdup_printf ("%" G_GSIZE_FORMAT, self->wants->len);
  g_string_append (self->wants, "{\"id\":");
  clq_json_append_string (self->wants, id, -1);
  g_string_append (self->wants, ",\"name\":");
  clq_json_append_string (self->wants, name, -1);
  g_string_append (self->wants, ",\"arguments\":");
  if (clq_json_check (arguments, -1, NULL, NULL))
    g_string_append (self->wants, arguments);
  else
    clq_json_append_string (self->wants, arguments, -1);
  g_string_append_c (self->wants, '}');
}

/**
 * clq_call_set_retry_after:
 * @self: a call that is about to fail as recoverable
 * @delay: how long the other side wants to be left alone, in microseconds
 *
 * The next attempt is made after the graph's `backoff` or after @delay, whichever is later.
 */
void
clq_call_set_retry_after (ClqCall *self, GTimeSpan delay)
{
  self->retry_after = CLAMP (delay, 0, G_TIME_SPAN_HOUR);
}

/**
 * clq_call_return:
 * @self: a call
 * @text: the whole answer
 *
 * Ends the call. After a cancellation it does nothing.
 */
void
clq_call_return (ClqCall *self, const char *text)
{
  g_return_if_fail (text != NULL);
  if (self->over)
    return;
  self->over = TRUE;
  self->text = g_utf8_make_valid (text, -1);
  self->ops->done (self);
}

/**
 * clq_call_fail:
 * @self: a call
 * @failure: what kind of failure
 * @format: why, for people
 * @...: arguments
 *
 * Ends the call. After a cancellation it does nothing.
 */
void
clq_call_fail (ClqCall *self, ClqFailure failure, const char *format, ...)
{
  va_list arguments;

  if (self->over)
    return;
  self->over = TRUE;
  va_start (arguments, format);
  self->error = g_error_new_valist (CLQ_FAILURE, failure, format, arguments);
  va_end (arguments);
  self->ops->done (self);
}

/**
 * clq_call_get_text:
 * @self: a call that has ended
 *
 * Returns: (transfer none) (nullable): the answer
 */
const char *
clq_call_get_text (ClqCall *self)
{
  return self->text;
}

/**
 * clq_call_get_usage:
 * @self: a call that has ended
 * @tokens_in: (out): tokens of the request; 0 = the agent did not say
 * @tokens_out: (out): tokens of the answer; 0 = the agent did not say
 */
void
clq_call_get_usage (ClqCall *self, guint64 *tokens_in, guint64 *tokens_out)
{
  *tokens_in = self->earlier_in + self->tokens_in;
  *tokens_out = self->earlier_out + self->tokens_out;
}

/**
 * clq_call_get_error:
 * @self: a call that has ended
 *
 * Returns: (transfer none) (nullable): why there is no answer
 */
const GError *
clq_call_get_error (ClqCall *self)
{
  return self->error;
}

/**
 * clq_call_is_replayed:
 * @self: a call that has ended
 *
 * Returns: whether the answer was recorded in an earlier attempt
 */
gboolean
clq_call_is_replayed (ClqCall *self)
{
  return self->replayed;
}
