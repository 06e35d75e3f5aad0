#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

#include <string.h>

/* The store of plugins/memory, linked in under a name of its own. */
CLQ_API const ClqPlugin clq_test_memory_plugin;

/* ---- the graph ---- */

/* A value that the reader of graphs gives back as it is. */
static void
append_value (GString *out, const char *value)
{
  static const char meanings[] = "\n\t\r\\";
  static const char letters[] = "ntr\\";

  for (const char *c = value; *c != '\0'; c++)
    {
      const char *special = strchr (meanings, *c);

      if (special != NULL)
        g_string_append_printf (out, "\\%c", letters[special - meanings]);
      else if (*c == ' ' && (c == value || c[1] == '\0'))
        g_string_append (out, "\\s");
      else
        g_string_append_c (out, *c);
    }
  g_string_append_c (out, '\n');
}

/* Private: what makes the event come, if it is a timer. */
TestTimer
test_node_get_timer (const ClqTestNode *self)
{
  if (self->event_kind != CLQ_EVENT_TIMER)
    return TEST_TIMER_NONE;
  if (g_str_equal (self->event_name, "timeout") || g_str_equal (self->event_name, "idle"))
    return TEST_TIMER_STAY;
  return g_str_equal (self->event_name, "due") ? TEST_TIMER_SCHEDULE : TEST_TIMER_DEADLINE;
}

static void
print_head (ClqTestNode *self, GString *out)
{
  const char *name = self->event_name;

  g_string_append (out, "[graph]\nformat=1\nname=test\ninitial=" TEST_START "\nmodality=" TEST_OWN ".session\n"
                        "actions=" TEST_BEGIN ";" TEST_LEAVE ";start;message");
  if (self->event_kind == CLQ_EVENT_ACTION && !g_str_equal (name, "start") && !g_str_equal (name, "message"))
    g_string_append_printf (out, ";%s", name);
  if (test_node_get_timer (self) == TEST_TIMER_DEADLINE)
    g_string_append_printf (out, "\ndeadlines=%s", name);
  g_string_append (out, g_hash_table_size (self->modality_keys) > 0 ? "\n\n[modality]\n" : "\n");
  for (guint i = 1; i < self->features->modality_rows->len; i++)
    {
      const char *key = g_array_index (self->features->modality_rows, ClqSetting, i).name;

      g_string_append_printf (out, "%s=", key);
      append_value (out, g_hash_table_lookup (self->modality_keys, key));
    }
}

static void
print_rules (ClqTestNode *self, GString *out)
{
  gboolean is_outcome = self->event_kind == CLQ_EVENT_OUTCOME;
  const char *const *outcomes = self->info->outcomes;

  g_string_append_printf (out, "\n[always]\n" TEST_BEGIN "=%s\n\n[transitions]\n", is_outcome ? TEST_BEFORE : TEST_START);
  g_string_append_printf (out, TEST_START ".start=%s\n" TEST_START ".message=%s\n", self->state, self->state);
  if (is_outcome || !(g_str_equal (self->event_name, "start") || g_str_equal (self->event_name, "message")))
    g_string_append_printf (out, "%s.%s=%s\n", is_outcome ? TEST_BEFORE : TEST_START, self->event_name, self->state);
  g_string_append_printf (out, "%s." TEST_LEAVE "=" TEST_AFTER "\n%s.failed=" TEST_AFTER "\n", self->state, self->state);
  for (guint i = 0; outcomes != NULL && outcomes[i] != NULL; i++)
    if (!g_str_equal (outcomes[i], "failed"))
      g_string_append_printf (out, "%s.%s=" TEST_AFTER "\n", self->state, outcomes[i]);
}

/* From the start the event leads to the node; wherever that ends, the session rests. */
static char *
print_graph (ClqTestNode *self)
{
  GString *out = g_string_new (NULL);
  g_autofree char *timeout = clq_duration_print (self->timeout);

  print_head (self, out);
  g_string_append (out, "\n[state " TEST_START "]\n");
  if (test_node_get_timer (self) == TEST_TIMER_STAY)
    g_string_append_printf (out, "%s=1ms\n", self->event_name);
  if (self->event_kind == CLQ_EVENT_OUTCOME)
    g_string_append (out, "\n[state " TEST_BEFORE "]\nnode=" TEST_OWN ".origin\n");
  g_string_append_printf (out, "\n[state %s]\nnode=test.%s\nretry=%u\nvisit-timeout=%s\n%s\n[state " TEST_AFTER "]\n",
                          self->state, self->info->name, self->retry, timeout, self->node_keys->str);
  print_rules (self, out);
  return g_string_free (out, FALSE);
}

/* A session stays on its graph, so another graph means another session, with the same data. */
static void
leave_session (ClqTestNode *self)
{
  if (self->session == NULL)
    return;
  if (self->data == NULL)
    self->data = g_strdup (clq_session_get_data (self->session));
  self->has_schedule = self->has_schedule || self->schedule != NULL;
  self->n_written = 0;
  g_clear_pointer (&self->spent, clq_extra_unref);
  g_clear_object (&self->session);
}

/* What the host has found. The test knows neither the file nor its lines. */
static GError *
findings_error (ClqFindings *findings)
{
  GError *error = clq_findings_to_error (findings);
  GPtrArray *all = clq_findings_get_all (findings);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      if (finding->level == CLQ_FINDING_ERROR)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", finding->message);
    }
  g_free (error->message);
  error->message = g_strdup (text->str);
  return error;
}

/* Private: the graph as the test wants it now. */
void
test_node_load (ClqTestNode *self, GError **error)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *text = print_graph (self);
  ClqGraph *graph;

  if (g_strcmp0 (text, self->graph_text) == 0)
    return;
  self->features->origin_outcomes[0] = g_intern_string (self->event_name);
  graph = clq_host_load_graph_text (self->host, "test", text, findings);
  if (graph == NULL)
    {
      g_propagate_error (error, findings_error (findings));
      return;
    }
  leave_session (self);
  g_clear_pointer (&self->graph, clq_graph_unref);
  self->graph = graph;
  g_free (self->graph_text);
  self->graph_text = g_steal_pointer (&text);
}

/* ---- life ---- */

static gboolean
offer_features (ClqTestNode *self, GError **error)
{
  TestFeatures *own = self->features;

  return test_node_offer (self, "test", &self->info->feature, error) &&
         test_node_offer (self, TEST_OWN, clq_test_memory_plugin.features[0], error) &&
         test_node_offer (self, TEST_OWN, &own->agent.feature, error) &&
         test_node_offer (self, TEST_OWN, &own->modality.feature, error) &&
         test_node_offer (self, TEST_OWN, &own->origin.feature, error) &&
         clq_host_use_store (self->host, TEST_OWN, error);
}

static ClqTestNode *
test_node_alloc (const ClqNodeInfo *info)
{
  static const char *const no_folders[] = { NULL };
  ClqTestNode *self = g_new0 (ClqTestNode, 1);

  self->info = info;
  self->host = clq_host_new (NULL);
  clq_host_set_plugin_folders (self->host, no_folders);
  clq_host_set_manual_clock (self->host, G_GINT64_CONSTANT (1767225600000000), 1); /* 2026-01-01T00:00:00Z */
  clq_host_set_standard_agent (self->host, TEST_OWN ".agent", NULL);
  clq_host_observe (self->host, test_node_observe, self);
  self->features = test_features_new (self);
  self->plugins = g_ptr_array_new_with_free_func (test_plugin_free);
  self->answerers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, test_answerer_free);
  self->given = g_ptr_array_new_with_free_func (test_reply_free);
  self->modality_keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->journal = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->node_keys = g_string_new (NULL);
  self->said = g_string_new (NULL);
  self->pieces = g_string_new (NULL);
  self->progress = g_string_new (NULL);
  self->calls = g_string_new (NULL);
  self->answer = g_string_new (NULL);
  self->change = clq_change_new ();
  self->state = g_strdup ("here");
  self->event_name = g_strdup ("start");
  return self;
}

static ClqTestNode *
test_node_new (const ClqNodeInfo *info, va_list settings, GError **error)
{
  g_autoptr (ClqTestNode) self = test_node_alloc (info);
  GError *local = NULL;

  for (const char *key = va_arg (settings, const char *); key != NULL; key = va_arg (settings, const char *))
    {
      g_string_append_printf (self->node_keys, "%s=", key);
      append_value (self->node_keys, va_arg (settings, const char *));
    }
  if (offer_features (self, &local))
    test_node_load (self, &local);
  if (local == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, local);
  return NULL;
}

/**
 * clq_test_node_new:
 * @info: a node
 * @...: its settings: keys and values, up to a %NULL
 *
 * Makes a test of a node: a host with a graph of one state that has this node. What the host says against the node or
 * its settings is a failure of the test.
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
 * @error: return location; what is wrong with a plugin, or all findings about the graph
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

static void
free_results (ClqTestNode *self)
{
  GString *texts[] = { self->node_keys, self->said, self->pieces, self->progress, self->calls, self->answer };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_free (texts[i], TRUE);
  g_free (self->outcome);
  g_free (self->payload);
  g_clear_error (&self->error);
  g_clear_error (&self->refusal);
  g_clear_pointer (&self->spent, clq_extra_unref);
  clq_change_free (self->change);
  g_hash_table_unref (self->requests);
  g_ptr_array_unref (self->given);
}

/**
 * clq_test_node_free:
 * @self: (transfer full): a test
 *
 * Cancels what still runs and frees the test with its host.
 */
void
clq_test_node_free (ClqTestNode *self)
{
  gboolean is_held;

  clq_test_node_cancel (self);
  is_held = clq_host_count_held (self->host) > 0;
  g_clear_object (&self->session);
  clq_host_unobserve (self->host, test_node_observe, self);
  clq_host_close (self->host);
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_object_unref (self->host);
  g_hash_table_unref (self->answerers);
  g_ptr_array_unref (self->plugins);
  /* Who still holds a visit holds a graph as well, which needs our features: then they stay. */
  if (is_held)
    g_dataset_set_data (self->features, "clq-test-node", self->features);
  else
    test_features_free (self->features);
  g_hash_table_unref (self->modality_keys);
  g_ptr_array_unref (self->journal);
  g_free (self->graph_text);
  g_free (self->state);
  g_free (self->data);
  g_free (self->schedule);
  g_free (self->event_name);
  g_free (self->event_payload);
  g_free (self->text);
  free_results (self);
  g_free (self);
}

/* ---- the session ---- */

/**
 * clq_test_node_set_state:
 * @self: a test
 * @state: where the node runs; `here` if never set
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
  self->has_schedule = TRUE;
}

/**
 * clq_test_node_set_text:
 * @self: a test
 * @text: (nullable): what the user says; %NULL = nothing
 *
 * The event that leads to the next visit is the action `message` with this text, or `start` without any. Set another
 * event afterwards if the text came with that.
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
 * @kind: where the event comes from
 * @name: its name
 * @payload: (nullable): its payload, as JSON; timers have none
 *
 * Says what leads to the next visit; the action `start` if never set. An outcome comes from a node before this one,
 * which says the text if there is one. A timer is a deadline of that name, `due`, `timeout` or `idle`; the last two take
 * a millisecond. The action `answer` answers a question; its payload is `{"value": ANSWER}`, or the text is the answer.
 */
void
clq_test_node_set_event (ClqTestNode *self, ClqEventKind kind, const char *name, const char *payload)
{
  g_return_if_fail (name != NULL && (payload == NULL || clq_json_check (payload, -1, NULL, NULL)));
  g_return_if_fail (kind != CLQ_EVENT_TIMER || payload == NULL);
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
 * @value: its value
 */
void
clq_test_node_set_modality_setting (ClqTestNode *self, const char *key, const char *value)
{
  g_return_if_fail (key != NULL && value != NULL);
  if (!g_hash_table_contains (self->modality_keys, key))
    {
      ClqSetting row = { g_intern_string (key), CLQ_SETTING_STRING, CLQ_MEMBER (TestSelf, name, char *), NULL, 0, 0, NULL, "of the test" };

      g_array_append_val (self->features->modality_rows, row);
      self->features->modality.settings = (const ClqSetting *) (gpointer) self->features->modality_rows->data;
    }
  g_hash_table_insert (self->modality_keys, g_strdup (key), g_strdup (value));
}

/**
 * clq_test_node_add_record:
 * @self: a test
 * @type: the type of the record
 * @role: who spoke
 * @json: its body
 *
 * Adds a record to the journal. It stands before the event that leads to the next visit, behind all that was there.
 */
void
clq_test_node_add_record (ClqTestNode *self, ClqRecordType type, ClqRole role, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  g_ptr_array_add (self->journal, clq_record_new (type, self->journal->len + 1, CLQ_ROOT_SEGMENT, role, clq_host_get_now (self->host), json, -1));
}

/**
 * clq_test_node_set_retry:
 * @self: a test
 * @retry: how often a visit, or a call of a fan-out, that fails as recoverable is made again; 0 if never set
 *
 * The first time is a second later, then two seconds, and so on.
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
