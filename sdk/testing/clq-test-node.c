#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* ---- life ---- */

static void
free_part (gpointer data)
{
  TestPart *part = data;

  test_instance_free (part->feature, part->instance);
  g_free (part);
}

/* Private. */
void
test_reply_free (TestReply *self)
{
  g_free (self->text);
  g_free (self);
}

static void
free_queue (gpointer data)
{
  g_queue_free_full (data, (GDestroyNotify) test_reply_free);
}

static void
free_instance (const ClqFeature *feature, gpointer instance)
{
  test_instance_free (feature, instance);
}

static ClqTestNode *
test_node_new (const ClqNodeInfo *info, va_list settings, GError **error)
{
  gpointer instance = test_instance_new (&info->feature, settings, error);
  ClqTestNode *self;

  if (instance == NULL)
    return NULL;
  self = g_new0 (ClqTestNode, 1);
  self->ref_count = 1;
  self->node = clq_node_new (info->get_type != NULL ? info->get_type () : CLQ_TYPE_NODE, info, instance, free_instance);
  self->parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_part);
  self->replies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_queue);
  self->settings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->journal = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->questions = g_ptr_array_new_with_free_func (g_free);
  self->timers = g_ptr_array_new ();
  self->written = g_string_new (NULL);
  self->pieces = g_string_new (NULL);
  self->progress = g_string_new (NULL);
  self->calls = g_string_new (NULL);
  self->state = g_strdup ("here");
  self->data = g_strdup ("{}");
  self->event_name = g_strdup ("start");
  self->now = G_GINT64_CONSTANT (1767225600000000); /* 2026-01-01T00:00:00Z */
  return self;
}

/**
 * clq_test_node_new:
 * @info: a node
 * @...: its settings: keys and values as they would stand in a graph, up to a %NULL
 *
 * Makes a test of a node. Settings that the node does not take are a failure of the test.
 *
 * Returns: (transfer full): the test
 */
ClqTestNode *
clq_test_node_new (const ClqNodeInfo *info, ...)
{
  g_autoptr (GError) error = NULL;
  ClqTestNode *self;
  va_list settings;

  g_return_val_if_fail (info != NULL, NULL);
  va_start (settings, info);
  self = test_node_new (info, settings, &error);
  va_end (settings);
  g_assert_no_error (error);
  return self;
}

/**
 * clq_test_node_try_new:
 * @info: a node
 * @error: return location
 * @...: its settings, as for clq_test_node_new ()
 *
 * Makes a test of a node whose settings may be wrong.
 *
 * Returns: (transfer full) (nullable): the test
 */
ClqTestNode *
clq_test_node_try_new (const ClqNodeInfo *info, GError **error, ...)
{
  ClqTestNode *self;
  va_list settings;

  g_return_val_if_fail (info != NULL, NULL);
  va_start (settings, error);
  self = test_node_new (info, settings, error);
  va_end (settings);
  return self;
}

/* Private. */
ClqTestNode *
test_node_ref (ClqTestNode *self)
{
  self->ref_count++;
  return self;
}

/* Private. */
void
test_node_unref (ClqTestNode *self)
{
  if (--self->ref_count > 0)
    return;
  g_clear_object (&self->node);
  g_hash_table_unref (self->parts);
  g_hash_table_unref (self->replies);
  g_hash_table_unref (self->settings);
  g_hash_table_unref (self->results);
  g_hash_table_unref (self->requests);
  g_ptr_array_unref (self->journal);
  g_ptr_array_unref (self->questions);
  g_ptr_array_unref (self->timers);
  g_string_free (self->written, TRUE);
  g_string_free (self->pieces, TRUE);
  g_string_free (self->progress, TRUE);
  g_string_free (self->calls, TRUE);
  g_free (self->state);
  g_free (self->data);
  g_free (self->schedule);
  g_free (self->event_name);
  g_free (self->event_payload);
  g_free (self->text);
  g_free (self->outcome);
  g_free (self->payload);
  g_free (self->said);
  g_clear_error (&self->error);
  g_clear_pointer (&self->change, clq_change_free);
  g_free (self);
}

/**
 * clq_test_node_free:
 * @self: (transfer full): a test
 *
 * Cancels what still runs and frees the test.
 */
void
clq_test_node_free (ClqTestNode *self)
{
  clq_test_node_cancel (self);
  test_node_settle (self);
  test_node_unref (self);
}

/* ---- the session ---- */

/**
 * clq_test_node_set_state:
 * @self: a test
 * @state: where the session is; `here` if never set
 */
void
clq_test_node_set_state (ClqTestNode *self, const char *state)
{
  g_return_if_fail (state != NULL);
  g_free (self->state);
  self->state = g_strdup (state);
}

/**
 * clq_test_node_set_data:
 * @self: a test
 * @json: the session's data, a JSON object
 */
void
clq_test_node_set_data (ClqTestNode *self, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  g_return_if_fail (clq_json_span (json, -1).type == CLQ_JSON_OBJECT);
  g_free (self->data);
  self->data = g_strdup (json);
}

/**
 * clq_test_node_set_schedule:
 * @self: a test
 * @json: (nullable): the session's schedule, a JSON object
 * @next_run: when it is due, in microseconds since 1970; 0 = not known
 */
void
clq_test_node_set_schedule (ClqTestNode *self, const char *json, gint64 next_run)
{
  g_return_if_fail (json == NULL || clq_json_check (json, -1, NULL, NULL));
  g_free (self->schedule);
  self->schedule = g_strdup (json);
  self->next_run = next_run;
}

/**
 * clq_test_node_set_text:
 * @self: a test
 * @text: (nullable): what the user says; %NULL = nothing
 *
 * The event that leads to the next visit is the action `message` with this text. Set another event afterwards if the
 * text came with that.
 */
void
clq_test_node_set_text (ClqTestNode *self, const char *text)
{
  clq_test_node_set_event (self, CLQ_EVENT_ACTION, text != NULL ? "message" : "start", NULL);
  g_free (self->text);
  self->text = g_strdup (text);
}

/**
 * clq_test_node_set_event:
 * @self: a test
 * @kind: where it comes from
 * @name: its name
 * @payload: (nullable): a JSON object
 *
 * Sets the event that leads to the next visit; a text that was set stays. Without any it is the action `start`.
 */
void
clq_test_node_set_event (ClqTestNode *self, ClqEventKind kind, const char *name, const char *payload)
{
  g_return_if_fail (name != NULL);
  g_return_if_fail (payload == NULL || clq_json_check (payload, -1, NULL, NULL));
  self->event_kind = kind;
  g_free (self->event_name);
  self->event_name = g_strdup (name);
  g_free (self->event_payload);
  self->event_payload = g_strdup (payload);
}

/**
 * clq_test_node_set_modality_setting:
 * @self: a test
 * @key: a key of the graph's [modality] group
 * @value: its value as written
 */
void
clq_test_node_set_modality_setting (ClqTestNode *self, const char *key, const char *value)
{
  g_return_if_fail (key != NULL && value != NULL);
  g_hash_table_insert (self->settings, g_strdup (key), g_strdup (value));
}

/**
 * clq_test_node_add_record:
 * @self: a test
 * @type: the type of the record
 * @role: who spoke
 * @json: its body
 *
 * Adds the newest record to the journal that the node can read. Records are numbered from 1.
 */
void
clq_test_node_add_record (ClqTestNode *self, ClqRecordType type, ClqRole role, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  g_ptr_array_add (self->journal, clq_record_new (type, self->journal->len + 1, CLQ_ROOT_SEGMENT, role, self->now, json, -1));
}

/**
 * clq_test_node_set_retry:
 * @self: a test
 * @retry: how often a call of a fan-out that fails as recoverable is made again; 0 if never set
 *
 * A visit that fails is made again by clq_test_node_enter () only.
 */
void
clq_test_node_set_retry (ClqTestNode *self, guint retry)
{
  self->retry = retry;
}

/**
 * clq_test_node_set_visit_timeout:
 * @self: a test
 * @timeout: how long a visit may last; 0 = for ever
 */
void
clq_test_node_set_visit_timeout (ClqTestNode *self, GTimeSpan timeout)
{
  self->timeout = timeout;
}
