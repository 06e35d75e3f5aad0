#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* ---- plugins that have no file ---- */

typedef struct
{
  ClqPlugin plugin;
  GPtrArray *features; /* const ClqFeature */
  char *id;
} TestPlugin;

/* Private. */
void
test_plugin_free (gpointer plugin)
{
  TestPlugin *self = plugin;

  g_ptr_array_unref (self->features);
  g_free (self->id);
  g_free (self);
}

static TestPlugin *
find_plugin (ClqTestNode *self, const char *id)
{
  for (guint i = 0; i < self->plugins->len; i++)
    if (g_str_equal (((TestPlugin *) g_ptr_array_index (self->plugins, i))->id, id))
      return g_ptr_array_index (self->plugins, i);
  return NULL;
}

/* Private: the host finds @feature in the plugin @id from now on. The first feature of a plugin is checked by the host. */
gboolean
test_node_offer (ClqTestNode *self, const char *id, const ClqFeature *feature, GError **error)
{
  TestPlugin *plugin = find_plugin (self, id);
  gboolean is_new = plugin == NULL;

  if (is_new)
    {
      plugin = g_new0 (TestPlugin, 1);
      plugin->id = g_strdup (id);
      plugin->features = g_ptr_array_new ();
      plugin->plugin = (ClqPlugin){ .magic = CLQ_PLUGIN_MAGIC, .abi_major = CLQ_ABI_MAJOR, .abi_minor = CLQ_ABI_MINOR, .size = sizeof (ClqPlugin), .id = plugin->id, .version = "1.0", .summary = "Part of a test" };
      g_ptr_array_add (self->plugins, plugin);
    }
  g_ptr_array_add (plugin->features, (gpointer) feature);
  plugin->plugin.features = (const ClqFeature *const *) plugin->features->pdata;
  plugin->plugin.n_features = plugin->features->len;
  return !is_new || clq_registry_add (clq_host_get_registry (self->host), &plugin->plugin, error);
}

/* Private: a store, agents, a modality that notes what comes and a node that ends as it is told, all for @test. */
TestFeatures *
test_features_new (ClqTestNode *test)
{
  TestFeatures *self = g_new0 (TestFeatures, 1);

  g_snprintf (self->address, sizeof self->address, "%" G_GSIZE_FORMAT, GPOINTER_TO_SIZE (test));
  self->settings[0] = (ClqSetting){ "test", CLQ_SETTING_INT, CLQ_MEMBER (TestSelf, test, gint64), self->address, 0, 0, NULL, "where the test is" };
  self->settings[1] = (ClqSetting) CLQ_STRING (TestSelf, name, NULL, "its name");
  self->modality_rows = g_array_new (TRUE, TRUE, sizeof (ClqSetting));
  g_array_append_val (self->modality_rows, self->settings[0]);
  self->agent = test_node_agent;
  self->agent.settings = self->settings;
  self->modality = test_node_modality;
  self->modality.settings = (const ClqSetting *) (gpointer) self->modality_rows->data;
  self->origin = test_node_origin;
  self->origin.settings = self->settings;
  self->origin.outcomes = self->origin_outcomes;
  return self;
}

/* Private. */
void
test_features_free (gpointer features)
{
  g_array_unref (((TestFeatures *) features)->modality_rows);
  g_free (features);
}

/* Private: the test that an instance of one of our features belongs to. */
ClqTestNode *
test_node_of (gpointer self)
{
  return GSIZE_TO_POINTER ((gsize) ((TestSelf *) self)->test);
}

/* ---- answering ---- */

/* Private. */
void
test_reply_free (gpointer reply)
{
  TestReply *self = reply;

  g_free (self->text);
  g_free (self);
}

static void
clear_feature (TestAnswerer *self)
{
  if (self->feature != NULL)
    clq_instance_free (g_steal_pointer (&self->feature), self->instance);
}

/* Private. */
void
test_answerer_free (gpointer answerer)
{
  TestAnswerer *self = answerer;

  g_queue_clear_full (&self->replies, test_reply_free);
  clear_feature (self);
  g_free (self->tool_name);
  g_free (self);
}

static void
give_reply (ClqCall *call, gpointer user_data)
{
  const TestReply *reply = user_data;

  if (reply->failure != 0)
    clq_call_fail (call, reply->failure, "%s", reply->text);
  else
    clq_call_return (call, reply->text);
}

static void
answer (ClqTestNode *self, ClqFeatureType type, ClqCall *call)
{
  const char *target = clq_call_get_target (call);
  TestAnswerer *answerer = g_hash_table_lookup (self->answerers, target);
  TestReply *reply = answerer != NULL ? g_queue_pop_head (&answerer->replies) : NULL;

  g_string_append_printf (self->calls, "%s %s\n", clq_call_get_key (call), target);
  g_hash_table_insert (self->requests, g_strdup (clq_call_get_key (call)), g_strdup (clq_call_get_request (call)));
  if (reply != NULL)
    {
      g_ptr_array_add (self->given, reply);
      if (reply->delay > 0)
        clq_call_after (call, reply->delay, give_reply, reply);
      else
        give_reply (call, reply);
    }
  else if (answerer == NULL || answerer->feature == NULL || answerer->feature->type != type)
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "%s '%s' has no reply queued", clq_feature_type_to_string (type), target);
  else if (type == CLQ_FEATURE_AGENT)
    ((const ClqAgentInfo *) answerer->feature)->complete (answerer->instance, call);
  else
    ((const ClqToolInfo *) answerer->feature)->use (answerer->instance, call);
}

static void
agent_complete (gpointer self, ClqCall *call)
{
  answer (test_node_of (self), CLQ_FEATURE_AGENT, call);
}

static void
tool_use (gpointer self, ClqCall *call)
{
  answer (test_node_of (self), CLQ_FEATURE_TOOL, call);
}

/* Agents that the test has not named have no name here either. */
static const TestAnswerer *
answerer_of (gpointer self)
{
  const char *name = ((TestSelf *) self)->name;

  return name != NULL ? g_hash_table_lookup (test_node_of (self)->answerers, name) : NULL;
}

static const ClqAgentInfo *
real_agent (const TestAnswerer *answerer)
{
  return answerer != NULL && answerer->feature != NULL && answerer->feature->type == CLQ_FEATURE_AGENT ? (const ClqAgentInfo *) answerer->feature : NULL;
}

static gboolean
agent_is_present (gpointer self)
{
  const TestAnswerer *answerer = answerer_of (self);
  const ClqAgentInfo *real = real_agent (answerer);

  return (answerer != NULL && answerer->replies.length > 0) ||
         (real != NULL && (real->is_present == NULL || real->is_present (answerer->instance)));
}

static gboolean
agent_instruct (gpointer self, const char *json, GError **error)
{
  const TestAnswerer *answerer = answerer_of (self);
  const ClqAgentInfo *real = real_agent (answerer);

  if (real != NULL && real->instruct != NULL)
    return real->instruct (answerer->instance, json, error);
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "the agent takes no instructions; expected a real one that does");
  return FALSE;
}

static guint64
agent_estimate_tokens (gpointer self, const char *text)
{
  const TestAnswerer *answerer = answerer_of (self);
  const ClqAgentInfo *real = real_agent (answerer);

  return real != NULL && real->estimate_tokens != NULL ? real->estimate_tokens (answerer->instance, text) : 0;
}

const ClqAgentInfo test_node_agent = {
  CLQ_AGENT_INFO,
  .name = "agent",
  .summary = "Answers what was queued, then lets a real agent answer",
  .self_size = sizeof (TestSelf),
  .complete = agent_complete,
  .is_present = agent_is_present,
  .instruct = agent_instruct,
  .estimate_tokens = agent_estimate_tokens,
};

static const ClqToolInfo test_tool = {
  CLQ_TOOL_INFO,
  .summary = "Answers what was queued, then lets a real tool answer",
  .schema = "{}",
  .self_size = sizeof (TestSelf),
  .use = tool_use,
};

/* ---- who answers ---- */

/* The name becomes known to the host: as an agent, and if it looks like a kind, as a tool as well. */
static TestAnswerer *
get_answerer (ClqTestNode *self, const char *name)
{
  TestAnswerer *answerer = g_hash_table_lookup (self->answerers, name);
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) kind = g_strsplit (name, ".", -1);
  g_autoptr (GError) error = NULL;

  if (answerer != NULL)
    return answerer;
  answerer = g_new0 (TestAnswerer, 1);
  g_hash_table_insert (self->answerers, g_strdup (name), answerer);
  g_hash_table_insert (settings, (gpointer) "name", (gpointer) name);
  clq_host_add_agent (self->host, name, TEST_OWN ".agent", settings, &error);
  g_assert_no_error (error);
  if (g_strv_length (kind) != 2 || !clq_name_is_valid (kind[0]) || !clq_name_is_valid (kind[1]))
    return answerer;
  answerer->tool_name = g_strdup (kind[1]);
  answerer->tool = test_tool;
  answerer->tool.name = answerer->tool_name;
  answerer->tool.settings = self->features->settings;
  test_node_offer (self, kind[0], &answerer->tool.feature, &error);
  g_assert_no_error (error);
  return answerer;
}

static void
queue_reply (ClqTestNode *self, const char *name, ClqFailure failure, const char *text)
{
  TestReply *reply = g_new0 (TestReply, 1);

  reply->text = g_strdup (text);
  reply->failure = failure;
  g_queue_push_tail (&get_answerer (self, name)->replies, reply);
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
  TestAnswerer *answerer = g_hash_table_lookup (self->answerers, name);

  g_return_if_fail (answerer != NULL && answerer->replies.length > 0 && delay >= 0);
  ((TestReply *) g_queue_peek_tail (&answerer->replies))->delay = delay;
}

/* Private: keys and values, up to a NULL. */
GHashTable *
test_settings_new (va_list settings)
{
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (const char *key = va_arg (settings, const char *); key != NULL; key = va_arg (settings, const char *))
    g_hash_table_insert (table, (gpointer) key, (gpointer) va_arg (settings, const char *));
  return table;
}

/* A real agent or tool: the host checks it like one of a plugin. */
static gboolean
add_feature (ClqTestNode *self, const char *name, const ClqFeature *feature, va_list arguments, GError **error)
{
  g_autoptr (GHashTable) settings = test_settings_new (arguments);
  g_autofree char *id = g_strdup_printf ("test-part-%u", self->plugins->len);
  gpointer instance = test_node_offer (self, id, feature, error) ? clq_instance_begin (feature, error) : NULL;
  TestAnswerer *answerer;

  if (instance == NULL)
    return FALSE;
  if (!clq_instance_fill (feature, instance, settings, error) || !clq_instance_ready (feature, instance, error))
    {
      clq_instance_free (feature, instance);
      return FALSE;
    }
  answerer = get_answerer (self, name);
  clear_feature (answerer);
  answerer->feature = feature;
  answerer->instance = instance;
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
  ok = add_feature (self, name, &info->feature, settings, error);
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
  TestAnswerer *answerer;
  gboolean ok;
  va_list settings;

  g_return_val_if_fail (kind != NULL && info != NULL, FALSE);
  va_start (settings, error);
  ok = add_feature (self, kind, &info->feature, settings, error);
  va_end (settings);
  answerer = ok ? g_hash_table_lookup (self->answerers, kind) : NULL;
  if (answerer != NULL)
    {
      answerer->tool.has_effects = info->has_effects;
      answerer->tool.policy = info->policy;
    }
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
  g_return_val_if_fail (name != NULL && json != NULL, FALSE);
  return clq_host_instruct_agent (self->host, name, json, error);
}
