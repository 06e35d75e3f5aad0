#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* Who answers the node: replies that wait for their turn, and real agents and tools. */

static void
queue_reply (ClqTestNode *self, const char *name, ClqFailure failure, const char *text)
{
  GQueue *replies = g_hash_table_lookup (self->replies, name);
  TestReply *reply = g_new0 (TestReply, 1);

  if (replies == NULL)
    {
      replies = g_queue_new ();
      g_hash_table_insert (self->replies, g_strdup (name), replies);
    }
  reply->text = g_strdup (text);
  reply->failure = failure;
  g_queue_push_tail (replies, reply);
}

/**
 * clq_test_node_reply:
 * @self: a test
 * @name: an agent or the kind of a tool
 * @text: what it answers
 *
 * Queues a reply. Calls take replies in the order in which they start; an agent without any is absent.
 */
void
clq_test_node_reply (ClqTestNode *self, const char *name, const char *text)
{
  g_return_if_fail (name != NULL && text != NULL);
  queue_reply (self, name, 0, text);
}

/**
 * clq_test_node_reply_failure:
 * @self: a test
 * @name: an agent or the kind of a tool
 * @failure: what kind of failure
 * @message: why
 *
 * Queues a failure, like clq_test_node_reply ().
 */
void
clq_test_node_reply_failure (ClqTestNode *self, const char *name, ClqFailure failure, const char *message)
{
  g_return_if_fail (name != NULL && message != NULL);
  g_return_if_fail (failure >= CLQ_FAILURE_RECOVERABLE && failure <= CLQ_FAILURE_AUTH);
  queue_reply (self, name, failure, message);
}

/**
 * clq_test_node_delay_reply:
 * @self: a test
 * @name: an agent or the kind of a tool that has a reply queued
 * @delay: how long it takes
 *
 * The reply or failure that was queued last for @name comes so long after the call has started.
 */
void
clq_test_node_delay_reply (ClqTestNode *self, const char *name, GTimeSpan delay)
{
  GQueue *replies = g_hash_table_lookup (self->replies, name);

  g_return_if_fail (replies != NULL && !g_queue_is_empty (replies) && delay >= 0);
  ((TestReply *) g_queue_peek_tail (replies))->delay = delay;
}

static gboolean
add_part (ClqTestNode *self, const char *name, const ClqFeature *feature, va_list settings, GError **error)
{
  gpointer instance = test_instance_new (feature, settings, error);
  TestPart *part;

  if (instance == NULL)
    return FALSE;
  part = g_new (TestPart, 1);
  part->feature = feature;
  part->instance = instance;
  g_hash_table_replace (self->parts, g_strdup (name), part);
  return TRUE;
}

/**
 * clq_test_node_add_agent:
 * @self: a test
 * @name: how the node calls it
 * @info: what answers
 * @error: return location
 * @...: its settings: keys and values, up to a %NULL
 *
 * Adds a real agent. Replies that are queued for @name come before those of the agent.
 *
 * Returns: whether the agent takes these settings
 */
gboolean
clq_test_node_add_agent (ClqTestNode *self, const char *name, const ClqAgentInfo *info, GError **error, ...)
{
  gboolean ok;
  va_list settings;

  g_return_val_if_fail (name != NULL && info != NULL, FALSE);
  va_start (settings, error);
  ok = add_part (self, name, &info->feature, settings, error);
  va_end (settings);
  return ok;
}

/**
 * clq_test_node_add_tool:
 * @self: a test
 * @kind: how the node calls it
 * @info: a tool
 * @error: return location
 * @...: its settings: keys and values, up to a %NULL
 *
 * Adds a real tool. Replies that are queued for @kind come before those of the tool.
 *
 * Returns: whether the tool takes these settings
 */
gboolean
clq_test_node_add_tool (ClqTestNode *self, const char *kind, const ClqToolInfo *info, GError **error, ...)
{
  gboolean ok;
  va_list settings;

  g_return_val_if_fail (kind != NULL && info != NULL, FALSE);
  va_start (settings, error);
  ok = add_part (self, kind, &info->feature, settings, error);
  va_end (settings);
  return ok;
}

/**
 * clq_test_node_instruct_agent:
 * @self: a test
 * @name: a real agent that takes instructions
 * @json: what it is told
 * @error: return location
 *
 * Returns: whether the agent has understood
 */
gboolean
clq_test_node_instruct_agent (ClqTestNode *self, const char *name, const char *json, GError **error)
{
  const TestPart *part = g_hash_table_lookup (self->parts, name);
  const ClqAgentInfo *info;

  g_return_val_if_fail (part != NULL && part->feature->type == CLQ_FEATURE_AGENT && json != NULL, FALSE);
  info = (const ClqAgentInfo *) part->feature;
  g_return_val_if_fail (info->instruct != NULL, FALSE);
  return info->instruct (part->instance, json, error);
}
