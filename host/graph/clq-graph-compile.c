#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

typedef struct
{
  char *format;
  char *name;
  char *title;
  char *chat;
  char *modality;
  char *initial;
  char **actions;
  char **deadlines;
  char *extends;
  gint64 max_hops;
  gint64 max_tokens;
  double max_cost;
} GraphValues;

static const ClqSetting graph_settings[] = {
  CLQ_STRING (GraphValues, format, NULL, "the version of the format: 1"),
  CLQ_STRING (GraphValues, name, NULL, "the name of the file without .graph"),
  CLQ_STRING (GraphValues, title, NULL, "a name for people"),
  CLQ_STRING (GraphValues, chat, NULL, "the graph that `colloquy chat` takes instead"),
  CLQ_STRING (GraphValues, modality, NULL, "the kind of conversation, PLUGIN.NAME"),
  CLQ_STRING (GraphValues, initial, NULL, "the state in which a session begins"),
  CLQ_LIST (GraphValues, actions, NULL, "events that come from outside"),
  CLQ_LIST (GraphValues, deadlines, NULL, "events that named deadlines raise"),
  CLQ_STRING (GraphValues, extends, NULL, "the graph to which this one adds"),
  CLQ_INT (GraphValues, max_hops, 1000, 0, 1e9, "steps since the last input before `limit` is raised; 0 = any number"),
  CLQ_INT (GraphValues, max_tokens, 0, 0, 1e15, "tokens of a session before `limit` is raised; 0 = any number"),
  CLQ_DOUBLE (GraphValues, max_cost, 0, 0, 1e12, "cost of a session before `limit` is raised; 0 = any"),
  { NULL },
};

static void
add_finding (ClqCompiler *self, ClqFindingLevel level, ClqPlace place, int code, const char *message)
{
  if (place.key != NULL)
    clq_findings_add (self->findings, level, code, place.key->file, place.key->line, "[%s] %s: %s", place.group->name, place.key->key, message);
  else if (place.group != NULL)
    clq_findings_add (self->findings, level, code, place.group->file, place.group->line, "[%s]: %s", place.group->name, message);
  else
    clq_findings_add (self->findings, level, code, self->file, self->line, "%s", message);
}

/* Private: an error at a place; the message begins with the group and key. */
void
clq_compiler_report (ClqCompiler *self, ClqPlace place, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add_finding (self, CLQ_FINDING_ERROR, place, code, message);
}

/* Private: the same about what the graph does rather than what it says; bare, it can still be looked at. */
void
clq_compiler_criticise (ClqCompiler *self, ClqPlace place, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add_finding (self, clq_compiler_level (self), place, code, message);
}

/* Private: whether a key or group belongs to somebody else. */
gboolean
clq_compiler_is_free (const char *name)
{
  return g_str_has_prefix (name, "x-");
}

/* Private: whether a name may be that of a state, event, graph or metric; complains if not. */
gboolean
clq_compiler_check_name (ClqCompiler *self, ClqPlace place, const char *what, const char *name)
{
  gboolean good = g_ascii_isalpha (name[0]) || name[0] == '_';

  for (const char *c = name; good && *c != '\0'; c++)
    good = g_ascii_isalnum (*c) || *c == '_' || *c == '-';
  if (!good)
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE,
                         "'%s' is no name of %s; expected a letter or '_', then letters, digits, '_' and '-'", name, what);
  else if (clq_compiler_is_free (name))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE,
                         "'%s' is no name of %s; what starts with 'x-' is not read", name, what);
  else
    return TRUE;
  return FALSE;
}

/* Private: the row of a key. Unlike those of plugins, the keys of a graph have one spelling. */
const ClqSetting *
clq_compiler_find_setting (const ClqSetting *table, const char *key)
{
  return strchr (key, '_') == NULL ? clq_settings_find (table, sizeof (ClqSetting), key) : NULL;
}

/* Private: an error with the nearest name of a table and of @more. */
void
clq_compiler_unknown_key (ClqCompiler *self, ClqPlace place, const ClqSetting *table, GPtrArray *more)
{
  g_auto (GStrv) keys = clq_settings_dup_keys (table, sizeof (ClqSetting));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; keys[i] != NULL; i++)
    g_ptr_array_add (names, keys[i]);
  for (guint i = 0; more != NULL && i < more->len; i++)
    g_ptr_array_add (names, g_ptr_array_index (more, i));
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (place.key->key, (const char *const *) names->pdata);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "unknown key%s", hint);
}

/* Private: reads one value by its row. */
void
clq_compiler_parse (ClqCompiler *self, ClqPlace place, const ClqSetting *setting, gpointer values)
{
  g_autoptr (GError) error = NULL;

  if (!clq_setting_parse (setting, place.key->value, values, &error))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
}

/* Private: an instance has its settings: files that they name are looked for, then it is ready. */
gboolean
clq_compiler_ready (ClqCompiler *self, const ClqFeature *feature, gpointer instance, GError **error)
{
  return clq_instance_find_files (feature, instance, (const char *const *) self->folders, error) &&
         clq_instance_ready (feature, instance, error);
}

/* Private: reads all keys of a group by a table. */
void
clq_compiler_read_group (ClqCompiler *self, const ClqGroup *group, const ClqSetting *table, gpointer values)
{
  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };
      const ClqSetting *setting = clq_compiler_find_setting (table, place.key->key);

      if (setting != NULL)
        clq_compiler_parse (self, place, setting, values);
      else if (!clq_compiler_is_free (place.key->key))
        clq_compiler_unknown_key (self, place, table, NULL);
    }
}

/* ---- groups ---- */

static const char *const groups[] = {
  "graph", "modality", "events", "always", "transitions", "otherwise", "invariants", NULL
};

/* Names of groups that have the name of something behind the first word. */
static const char *const named_groups[] = { "state", "metric" };

static void
unknown_group (ClqCompiler *self, const ClqGroup *group)
{
  const char *space = strchr (group->name, ' ');
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *hint = NULL;

  for (guint i = 0; groups[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (groups[i]));
  for (guint i = 0; i < G_N_ELEMENTS (named_groups); i++)
    g_ptr_array_add (names, g_strconcat (named_groups[i], space != NULL ? space : " NAME", NULL));
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (group->name, (const char *const *) names->pdata);
  clq_compiler_report (self, (ClqPlace){ group, NULL }, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "unknown group%s", hint);
}

static gboolean
is_named_group (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (named_groups); i++)
    {
      gsize length = strlen (named_groups[i]);

      if (strncmp (name, named_groups[i], length) == 0 && (name[length] == ' ' || name[length] == '\0'))
        return TRUE;
    }
  return FALSE;
}

static void
check_groups (ClqCompiler *self)
{
  GPtrArray *all = clq_keyfile_get_groups (self->graph->keyfile);

  for (guint i = 0; i < all->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (all, i);

      if (!g_strv_contains (groups, group->name) && !is_named_group (group->name) && !clq_compiler_is_free (group->name))
        unknown_group (self, group);
    }
}

/* ---- [graph] and [modality] ---- */

static void
check_names (ClqCompiler *self, const char *key, char **names)
{
  ClqPlace place = { clq_keyfile_find_group (self->graph->keyfile, "graph"), clq_keyfile_find (self->graph->keyfile, "graph", key) };

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      clq_compiler_check_name (self, place, "an event", names[i]);
      for (guint j = 0; j < i; j++)
        if (strcmp (names[i], names[j]) == 0)
          clq_compiler_report (self, place, CLQ_GRAPH_ERROR_DUPLICATE, "'%s' stands there twice; expected it once", names[i]);
    }
}

static void
read_graph (ClqCompiler *self)
{
  ClqGraph *graph = self->graph;
  const ClqGroup *group = clq_keyfile_find_group (graph->keyfile, "graph");
  const ClqKey *extends = clq_keyfile_find (graph->keyfile, "graph", "extends");
  GraphValues values = { 0 };

  clq_settings_set_defaults (graph_settings, sizeof (ClqSetting), &values, NULL);
  clq_compiler_read_group (self, group, graph_settings, &values);
  /* What a file extends is part of the keyfile by now, and the key is gone. */
  if (extends != NULL)
    clq_compiler_report (self, (ClqPlace){ group, extends }, CLQ_GRAPH_ERROR_VALUE, "only a file can extend another graph");
  check_names (self, "actions", values.actions);
  check_names (self, "deadlines", values.deadlines);
  graph->name = g_intern_string (values.name != NULL ? values.name : "");
  graph->title = g_steal_pointer (&values.title);
  graph->chat = g_steal_pointer (&values.chat);
  graph->max_hops = (guint) values.max_hops;
  graph->max_tokens = (guint64) values.max_tokens;
  graph->max_cost = values.max_cost;
  self->actions = g_steal_pointer (&values.actions);
  self->deadlines = g_steal_pointer (&values.deadlines);
  clq_settings_clear (graph_settings, sizeof (ClqSetting), &values);
}

static void
read_initial (ClqCompiler *self)
{
  ClqPlace place = { clq_keyfile_find_group (self->graph->keyfile, "graph"), clq_keyfile_find (self->graph->keyfile, "graph", "initial") };
  int initial;

  if (place.key == NULL)
    {
      clq_compiler_report (self, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_FORMAT, "[graph]: there is no initial; expected initial=STATE");
      self->lacks_rules = TRUE;
      return;
    }
  initial = clq_compiler_find_state (self, place, place.key->value);
  if (initial < 0)
    self->lacks_rules = TRUE;
  self->graph->initial = MAX (initial, 0);
}

static void
read_modality_settings (ClqCompiler *self, const ClqGroup *group, const ClqFeature *feature, gpointer instance)
{
  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };
      const ClqSetting *setting = clq_settings_find (feature->settings, feature->setting_size, place.key->key);
      g_auto (GStrv) keys = NULL;
      g_autofree char *hint = NULL;

      if (setting != NULL)
        clq_compiler_parse (self, place, setting, instance);
      if (setting != NULL || clq_compiler_is_free (place.key->key))
        continue;
      keys = clq_settings_dup_keys (feature->settings, feature->setting_size);
      hint = clq_did_you_mean (place.key->key, (const char *const *) keys);
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "unknown setting of %s%s",
                           clq_keyfile_get (self->graph->keyfile, "graph", "modality"), hint);
    }
}

/* Where a graph is wrong that extends another one: what it adds itself, because the other one is right by itself. */
static ClqPlace
find_added (ClqPlace place, const ClqGroup *settings)
{
  for (guint i = 0; settings != NULL && i < settings->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (settings->keys, i);

      if (strcmp (key->file, place.key->file) != 0)
        return (ClqPlace){ settings, key };
    }
  return place;
}

static void
make_modality (ClqCompiler *self)
{
  ClqGraph *graph = self->graph;
  ClqPlace place = { clq_keyfile_find_group (graph->keyfile, "graph"), clq_keyfile_find (graph->keyfile, "graph", "modality") };
  const ClqGroup *settings = clq_keyfile_find_group (graph->keyfile, "modality");
  const ClqFeature *feature;
  g_autoptr (GError) error = NULL;
  guint n_errors;

  if (graph->bare)
    return;
  if (place.key == NULL)
    {
      if (settings != NULL)
        clq_compiler_report (self, (ClqPlace){ settings, NULL }, CLQ_GRAPH_ERROR_UNKNOWN_KEY,
                             "the graph has no modality; expected modality=PLUGIN.NAME in [graph]");
      return;
    }
  feature = clq_registry_find (self->options->registry, CLQ_FEATURE_MODALITY, place.key->value, &error);
  if (feature == NULL)
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KIND, "%s", error->message);
      self->lacks_modality = TRUE;
      return;
    }
  graph->modality = (const ClqModalityInfo *) feature;
  graph->modality_self = clq_instance_begin (feature, &error);
  n_errors = clq_findings_get_n_errors (self->findings);
  if (graph->modality_self != NULL)
    read_modality_settings (self, settings, feature, graph->modality_self);
  /* One that lacks a setting may not start for that reason. */
  if (n_errors != clq_findings_get_n_errors (self->findings))
    return;
  if (graph->modality_self == NULL || !clq_compiler_ready (self, feature, graph->modality_self, &error))
    clq_compiler_report (self, find_added (place, settings), CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
}

/* Private: makes the graph of its keyfile. What is wrong is in the findings. */
void
clq_compiler_run (ClqCompiler *self)
{
  check_groups (self);
  read_graph (self);
  clq_compiler_read_states (self);
  if (self->graph->n_states == 0)
    return;
  read_initial (self);
  make_modality (self);
  clq_compiler_plan_nodes (self);
  clq_compiler_read_events (self);
  if (self->graph->n_events == 0)
    return;
  clq_compiler_read_rules (self);
  self->ways = clq_ways_new (self->graph);
  clq_compiler_make_nodes (self);
  clq_compiler_read_metrics (self);
  clq_compiler_check (self);
  clq_compiler_prove (self);
}
