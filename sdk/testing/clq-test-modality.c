#define G_LOG_DOMAIN "clq-test-modality"

#include "clq-test-modality.h"

#include "clq-registry.h"
#include "clq-test-change.h"

struct _ClqTestModality
{
  const ClqModalityInfo *info;
  const ClqFeature *features[1];
  ClqPlugin plugin;
  ClqRegistry *registry;
  gpointer instance;
  GHashTable *settings; /* as they were given */

  ClqHead head;
  ClqView view;
  char *state;
  const char *state_names[2];
  guint32 visits;
  GString *data;
  char *schedule;
  char *questions;
  ClqEvent *event;

  ClqChange *change;
  GString *written;
};

/* ---- life ---- */

static const char *
get_setting (ClqView *view, const char *key)
{
  return g_hash_table_lookup (((ClqTestModality *) view->graph)->settings, key);
}

/* The host checks it like the modality of a plugin. */
static gboolean
begin (ClqTestModality *self, GError **error)
{
  const ClqFeature *feature = &self->info->feature;

  self->features[0] = feature;
  self->plugin = (ClqPlugin){
    .magic = CLQ_PLUGIN_MAGIC,
    .abi_major = CLQ_ABI_MAJOR,
    .abi_minor = CLQ_ABI_MINOR,
    .size = sizeof (ClqPlugin),
    .n_features = 1,
    .id = "test",
    .version = "1.0",
    .summary = "A test",
    .features = self->features,
  };
  if (!clq_registry_add (self->registry, &self->plugin, error))
    return FALSE;
  self->instance = clq_instance_begin (feature, error);
  return self->instance != NULL && clq_instance_fill (feature, self->instance, self->settings, error) &&
         clq_instance_ready (feature, self->instance, error);
}

static ClqTestModality *
test_modality_new (const ClqModalityInfo *info, va_list settings, GError **error)
{
  g_autoptr (ClqTestModality) self = g_new0 (ClqTestModality, 1);

  self->info = info;
  self->registry = clq_registry_new (NULL);
  self->settings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->data = g_string_new ("{}");
  self->written = g_string_new (NULL);
  self->change = clq_change_new ();
  for (const char *key = va_arg (settings, const char *); key != NULL; key = va_arg (settings, const char *))
    g_hash_table_insert (self->settings, g_strdup (key), g_strdup (va_arg (settings, const char *)));
  self->head.graph_name = "test";
  self->head.visits = &self->visits;
  self->head.n_visits = 1;
  self->head.id[6] = 0x70;
  self->head.id[8] = 0x80;
  self->view.head = &self->head;
  self->view.state_names = self->state_names;
  self->view.setting = get_setting;
  self->view.graph = self;
  clq_test_modality_set_state (self, "here", 1);
  clq_test_modality_set_now (self, G_GINT64_CONSTANT (1767225600000000)); /* 2026-01-01T00:00:00Z */
  clq_test_modality_set_text (self, NULL);
  return begin (self, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * clq_test_modality_new:
 * @info: a modality
 * @...: its settings: keys and values, up to a %NULL
 *
 * Makes a test of a modality. What the host says against it or its settings is a failure of the test.
 *
 * Returns: (transfer full): the test
 */
ClqTestModality *
clq_test_modality_new (const ClqModalityInfo *info, ...)
{
  g_autoptr (GError) error = NULL;
  ClqTestModality *self;
  va_list settings;

  g_return_val_if_fail (info != NULL, NULL);
  va_start (settings, info);
  self = test_modality_new (info, settings, &error);
  va_end (settings);
  g_assert_no_error (error);
  return self;
}

/**
 * clq_test_modality_try_new:
 * @info: a modality
 * @error: return location
 * @...: its settings, as for clq_test_modality_new ()
 *
 * Makes a test of a modality whose settings may be wrong.
 *
 * Returns: (transfer full) (nullable): the test
 */
ClqTestModality *
clq_test_modality_try_new (const ClqModalityInfo *info, GError **error, ...)
{
  ClqTestModality *self;
  va_list settings;

  g_return_val_if_fail (info != NULL, NULL);
  va_start (settings, error);
  self = test_modality_new (info, settings, error);
  va_end (settings);
  return self;
}

/**
 * clq_test_modality_free:
 * @self: (transfer full): a test
 */
void
clq_test_modality_free (ClqTestModality *self)
{
  clq_instance_free (&self->info->feature, self->instance);
  clq_registry_free (self->registry);
  g_hash_table_unref (self->settings);
  g_free (self->state);
  g_string_free (self->data, TRUE);
  g_free (self->schedule);
  g_free (self->questions);
  g_clear_pointer (&self->event, clq_event_unref);
  clq_change_free (self->change);
  g_string_free (self->written, TRUE);
  g_free (self);
}

/* ---- the session and the event ---- */

/**
 * clq_test_modality_set_state:
 * @self: a test
 * @state: where the session is; `here` if never set
 * @visits: how often it was there
 */
void
clq_test_modality_set_state (ClqTestModality *self, const char *state, guint visits)
{
  g_return_if_fail (state != NULL);
  g_free (self->state);
  self->state = g_strdup (state);
  self->state_names[0] = self->state;
  self->head.state = self->state;
  self->visits = visits;
}

/**
 * clq_test_modality_set_data:
 * @self: a test
 * @json: the session's data, a JSON object
 */
void
clq_test_modality_set_data (ClqTestModality *self, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  g_return_if_fail (clq_json_span (json, -1).type == CLQ_JSON_OBJECT);
  g_string_assign (self->data, json);
}

/**
 * clq_test_modality_set_schedule:
 * @self: a test
 * @json: (nullable): the session's schedule, a JSON object
 * @next_run: when it is due, in microseconds since 1970; 0 = not known
 */
void
clq_test_modality_set_schedule (ClqTestModality *self, const char *json, gint64 next_run)
{
  g_return_if_fail (json == NULL || clq_json_check (json, -1, NULL, NULL));
  g_free (self->schedule);
  self->schedule = g_strdup (json);
  self->view.next_run = next_run;
}

/**
 * clq_test_modality_set_questions:
 * @self: a test
 * @json: (nullable): the questions that are open, a JSON array
 */
void
clq_test_modality_set_questions (ClqTestModality *self, const char *json)
{
  g_return_if_fail (json == NULL || clq_json_check (json, -1, NULL, NULL));
  g_free (self->questions);
  self->questions = g_strdup (json);
}

/**
 * clq_test_modality_set_now:
 * @self: a test
 * @now: what the clock shows, in microseconds since 1970; the beginning of 2026 if never set
 */
void
clq_test_modality_set_now (ClqTestModality *self, gint64 now)
{
  self->view.now = now;
}

/**
 * clq_test_modality_set_text:
 * @self: a test
 * @text: (nullable): what the user says; %NULL = nothing
 *
 * The next event is the action `message` with this text, or `start` without any.
 */
void
clq_test_modality_set_text (ClqTestModality *self, const char *text)
{
  clq_test_modality_set_event (self, CLQ_EVENT_ACTION, text != NULL ? "message" : "start", NULL);
  if (text != NULL)
    clq_test_modality_set_said (self, CLQ_ROLE_USER, text);
}

/**
 * clq_test_modality_set_event:
 * @self: a test
 * @kind: where the event comes from
 * @name: its name
 * @payload: (nullable): its payload, as JSON
 *
 * Says what happens next. Nothing of the event before is left.
 */
void
clq_test_modality_set_event (ClqTestModality *self, ClqEventKind kind, const char *name, const char *payload)
{
  g_return_if_fail (name != NULL && (payload == NULL || clq_json_check (payload, -1, NULL, NULL)));
  g_clear_pointer (&self->event, clq_event_unref);
  self->event = clq_event_new (kind, g_intern_string (name));
  self->event->payload = g_strdup (payload);
}

/**
 * clq_test_modality_set_said:
 * @self: a test
 * @role: who speaks
 * @text: what was said with the event that was set
 */
void
clq_test_modality_set_said (ClqTestModality *self, ClqRole role, const char *text)
{
  g_return_if_fail (text != NULL);
  g_free (self->event->text);
  self->event->text = g_strdup (text);
  self->event->role = role;
  self->event->is_message = g_str_equal (self->event->name, "message");
}

/**
 * clq_test_modality_set_error:
 * @self: a test
 * @error: why the visit has failed whose end the event is
 * @partial: (nullable): what it had said until then
 */
void
clq_test_modality_set_error (ClqTestModality *self, const GError *error, const char *partial)
{
  g_return_if_fail (error != NULL);
  g_clear_error (&self->event->error);
  self->event->error = g_error_copy (error);
  g_free (self->event->partial);
  self->event->partial = g_strdup (partial);
}

/* ---- what happens ---- */

static ClqView *
get_view (ClqTestModality *self)
{
  ClqView *view = &self->view;

  view->state = self->state;
  view->data = self->data->str;
  view->schedule = self->schedule;
  view->questions = self->questions;
  view->turns_here = self->event->is_message ? 1 : 0;
  return view;
}

/* What was written becomes the data that the next function sees. */
static void
take (ClqTestModality *self)
{
  for (guint i = 0; i < clq_change_get_n_ops (self->change); i++)
    {
      const ClqOp *op = clq_change_get_op (self->change, i);
      const char *path = clq_change_get_string (self->change, op->name);

      if (op->type == CLQ_OP_UNSET)
        clq_json_unset (self->data, path);
      else if (op->type == CLQ_OP_SET)
        g_assert_true (clq_json_set (self->data, path, clq_change_get_string (self->change, op->value)));
    }
  g_string_truncate (self->written, 0);
  test_change_print (self->change, self->written);
}

static gboolean
propose (ClqTestModality *self, gboolean (*func) (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error), GError **error)
{
  gboolean ok;

  clq_change_reset (self->change);
  ok = func == NULL || func (self->instance, get_view (self), self->event, self->change, error);
  if (!ok)
    clq_change_reset (self->change);
  take (self);
  return ok;
}

/**
 * clq_test_modality_open:
 * @self: a test
 * @error: return location
 *
 * The session begins, with the text of the event as the first input.
 *
 * Returns: whether the modality takes that
 */
gboolean
clq_test_modality_open (ClqTestModality *self, GError **error)
{
  return propose (self, self->info->open, error);
}

/**
 * clq_test_modality_apply:
 * @self: a test
 * @error: return location
 *
 * The event happens.
 *
 * Returns: whether the modality takes it; nothing is written if not
 */
gboolean
clq_test_modality_apply (ClqTestModality *self, GError **error)
{
  return propose (self, self->info->apply, error);
}

/**
 * clq_test_modality_arrive:
 * @self: a test
 * @to: a state
 *
 * The event leads to a state, in which the session is from now on.
 */
void
clq_test_modality_arrive (ClqTestModality *self, const char *to)
{
  g_return_if_fail (to != NULL);
  clq_change_reset (self->change);
  if (self->info->arrive != NULL)
    self->info->arrive (self->instance, get_view (self), self->event, self->state, to, self->change);
  take (self);
  clq_test_modality_set_state (self, to, 1);
}

/**
 * clq_test_modality_check:
 * @self: a test
 * @predicate: the name of one that the modality has
 *
 * Returns: whether it holds for the session and the event
 */
gboolean
clq_test_modality_check (ClqTestModality *self, const char *predicate)
{
  g_autofree char *message = NULL;

  for (const ClqPredicate *each = self->info->predicates; each != NULL && each->name != NULL; each++)
    if (g_str_equal (each->name, predicate))
      return each->test (self->instance, get_view (self), each->ignores_event ? NULL : self->event);
  message = g_strdup_printf ("modality '%s' has no predicate '%s'", self->info->name, predicate);
  g_assertion_message (G_LOG_DOMAIN, __FILE__, __LINE__, G_STRFUNC, message);
  return FALSE;
}

/**
 * clq_test_modality_describe:
 * @self: a test
 *
 * Returns: (transfer full) (nullable): what the modality says of the session
 */
char *
clq_test_modality_describe (ClqTestModality *self)
{
  return self->info->describe != NULL ? self->info->describe (self->instance, get_view (self)) : NULL;
}

/**
 * clq_test_modality_headline:
 * @self: a test
 *
 * Returns: (transfer full) (nullable): what the modality says of the session in one line
 */
char *
clq_test_modality_headline (ClqTestModality *self)
{
  return self->info->headline != NULL ? self->info->headline (self->instance, get_view (self)) : NULL;
}

/**
 * clq_test_modality_get_written:
 * @self: a test
 *
 * Returns: (transfer none): what the last function wrote, as in clq_test_node_get_written ()
 */
const char *
clq_test_modality_get_written (ClqTestModality *self)
{
  return self->written->str;
}

/**
 * clq_test_modality_get_data:
 * @self: a test
 *
 * Returns: (transfer none): the session's data, with all that was written
 */
const char *
clq_test_modality_get_data (ClqTestModality *self)
{
  return self->data->str;
}
