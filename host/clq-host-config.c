#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"
#include "clq-keyfile.h"

#include <string.h>

/*
 * colloquy.conf: what the host has that no graph says. Everything that is wrong with the file is found before anything of
 * it counts.
 */
typedef struct
{
  ClqHost *host;
  ClqFindings *findings;
  GHashTable *agents;  /* name → HostPart */
  GHashTable *budgets; /* name of an agent, or nothing for all of them → ClqBudget */
  GHashTable *tools;   /* kind → HostPart */
} Reader;

/* ---- findings ---- */

static void G_GNUC_PRINTF (5, 6)
find (Reader *self, const ClqGroup *group, const ClqKey *key, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (key != NULL)
    clq_findings_add (self->findings, CLQ_FINDING_ERROR, code, key->file, key->line, "[%s] %s: %s", group->name, key->key, message);
  else
    clq_findings_add (self->findings, CLQ_FINDING_ERROR, code, group->file, group->line, "[%s]: %s", group->name, message);
}

static gboolean
is_free (const char *name)
{
  return g_str_has_prefix (name, "x-");
}

/* ---- budgets ---- */

static const ClqSetting budget_settings[] = {
  CLQ_INT (ClqBudget, tokens_per_day, 0, 0, 1e15, "tokens that may be used on one day; 0 = any number"),
  CLQ_DOUBLE (ClqBudget, cost_per_day, 0, 0, 1e12, "what may be spent on one day; 0 = any"),
  { NULL },
};

/* Whether the key is a limit; then it belongs to the budget of @agent. */
static gboolean
read_limit (Reader *self, const ClqGroup *group, const ClqKey *key, const char *agent)
{
  const ClqSetting *setting = clq_settings_find (budget_settings, sizeof (ClqSetting), key->key);
  ClqBudget *budget = g_hash_table_lookup (self->budgets, agent);
  g_autoptr (GError) error = NULL;

  if (setting == NULL)
    return FALSE;
  if (budget == NULL)
    {
      budget = g_new0 (ClqBudget, 1);
      g_hash_table_insert (self->budgets, g_strdup (agent), budget);
    }
  if (!clq_setting_parse (setting, key->value, budget, &error))
    find (self, group, key, CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
  return TRUE;
}

static void
read_budget (Reader *self, const ClqGroup *group, const char *name)
{
  for (guint i = 0; i < group->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (group->keys, i);

      if (!is_free (key->key) && !read_limit (self, group, key, name))
        {
          g_auto (GStrv) keys = clq_settings_dup_keys (budget_settings, sizeof (ClqSetting));
          g_autofree char *hint = clq_did_you_mean (key->key, (const char *const *) keys);

          find (self, group, key, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "there is no such limit%s", hint);
        }
    }
}

/* ---- parts with settings ---- */

/* A value may name files that stand beside the file that it stands in. */
static char *
dup_value (const ClqKey *key)
{
  g_autofree char *here = g_path_get_dirname (key->file);
  g_autoptr (GString) out = g_string_new (key->value);

  g_string_replace (out, "${here}", here, 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* A secret that is not there is no mistake of the file: the part is kept with the reason. */
static void
read_setting (Reader *self, const ClqGroup *group, const ClqKey *key, HostPart *part)
{
  const ClqFeature *feature = part->feature;
  const ClqSetting *setting = clq_settings_find (feature->settings, feature->setting_size, key->key);
  g_autofree char *value = dup_value (key);
  g_autoptr (GError) error = NULL;

  if (setting == NULL)
    {
      g_auto (GStrv) keys = clq_settings_dup_keys (feature->settings, feature->setting_size);
      g_autofree char *hint = clq_did_you_mean (key->key, (const char *const *) keys);

      find (self, group, key, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "'%s' has no such setting%s", part->kind, hint);
      return;
    }
  if (clq_setting_parse (setting, value, part->self, &error))
    return;
  if (!g_error_matches (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET))
    find (self, group, key, CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
  else if (part->problem == NULL)
    part->problem = g_strdup_printf ("%s: %s", key->key, error->message);
}

/*
 * An instance of a feature with the settings that stand in a group; `except`, the key that said which feature it is, is
 * none of them. NULL if something is wrong.
 */
static HostPart *
read_part (Reader *self, const ClqGroup *group, ClqFeatureType type, const char *kind, const ClqKey *except)
{
  guint n_errors = clq_findings_get_n_errors (self->findings);
  g_autoptr (GError) error = NULL;
  g_autoptr (HostPart) part = clq_host_part_begin (self->host, type, kind, &error);

  if (part == NULL)
    {
      find (self, group, except, CLQ_GRAPH_ERROR_UNKNOWN_KIND, "%s", error->message);
      return NULL;
    }
  for (guint i = 0; i < group->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (group->keys, i);

      if (key != except && !is_free (key->key) &&
          (type != CLQ_FEATURE_AGENT || !read_limit (self, group, key, group->name + strlen ("agent "))))
        read_setting (self, group, key, part);
    }
  if (clq_findings_get_n_errors (self->findings) > n_errors)
    return NULL;
  if (part->problem == NULL && !clq_instance_ready (part->feature, part->self, &error))
    {
      find (self, group, NULL, CLQ_GRAPH_ERROR_VALUE, "%s", error->message);
      return NULL;
    }
  return g_steal_pointer (&part);
}

/* ---- groups ---- */

static void
read_agent (Reader *self, const ClqGroup *group, const char *name)
{
  const ClqKey *kind = g_hash_table_lookup (group->index, "kind");
  HostPart *part;

  if (kind == NULL)
    {
      find (self, group, NULL, CLQ_GRAPH_ERROR_VALUE, "the agent has no kind; expected kind=PLUGIN.NAME");
      return;
    }
  part = read_part (self, group, CLQ_FEATURE_AGENT, kind->value, kind);
  if (part != NULL)
    g_hash_table_replace (self->agents, g_strdup (name), part);
}

static void
read_tool (Reader *self, const ClqGroup *group, const char *kind)
{
  HostPart *part = read_part (self, group, CLQ_FEATURE_TOOL, kind, NULL);

  if (part != NULL)
    g_hash_table_replace (self->tools, g_strdup (kind), part);
}

/* What may stand in the file. A group whose form has a second word is followed by a name: `[agent NAME]`. */
static const struct
{
  const char *form;
  void (*read) (Reader *self, const ClqGroup *group, const char *name);
} group_table[] = {
  { "agent NAME", read_agent },
  { "budget", read_budget },
  { "tool KIND", read_tool },
};

/* What follows the first word of a group's name if that is the one of the form; NULL if it is another one. */
static const char *
match_form (const char *form, const char *group)
{
  gsize length = strcspn (form, " ");

  if (strncmp (form, group, length) != 0)
    return NULL;
  if (form[length] == '\0')
    return group[length] == '\0' ? group + length : NULL;
  return group[length] == ' ' && group[length + 1] != '\0' ? group + length + 1 : NULL;
}

static void
read_group (Reader *self, const ClqGroup *group)
{
  g_autoptr (GString) forms = g_string_new (NULL);

  if (is_free (group->name))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (group_table); i++)
    {
      const char *name = match_form (group_table[i].form, group->name);

      if (name != NULL)
        {
          group_table[i].read (self, group, name);
          return;
        }
      g_string_append_printf (forms, "%s[%s]", i > 0 ? ", " : "", group_table[i].form);
    }
  find (self, group, NULL, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "unknown group; expected %s", forms->str);
}

/* ---- the file ---- */

/* It stands beside the folder of graphs. The first one that is there counts. */
static char *
find_file (ClqHost *self)
{
  for (guint i = 0; self->graph_folders[i] != NULL; i++)
    {
      g_autofree char *folder = g_path_get_dirname (self->graph_folders[i]);
      g_autofree char *path = g_build_filename (folder, "colloquy.conf", NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* Moves all parts into a table of the host. */
static void
take_parts (GHashTable *parts, GHashTable *into)
{
  GHashTableIter iter;
  gpointer name, part;

  g_hash_table_iter_init (&iter, parts);
  while (g_hash_table_iter_next (&iter, &name, &part))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_replace (into, name, part);
    }
}

/* From now on the file counts. */
static void
take (Reader *self)
{
  GHashTableIter iter;
  gpointer name, budget;

  take_parts (self->agents, self->host->agents);
  take_parts (self->tools, self->host->tools);
  g_hash_table_iter_init (&iter, self->budgets);
  while (g_hash_table_iter_next (&iter, &name, &budget))
    clq_host_set_budget (self->host, *(const char *) name != '\0' ? name : NULL, budget);
}

/**
 * clq_host_configure_from:
 * @self: a host, before its first session
 * @path: a file such as `colloquy.conf`
 * @findings: gets everything that is wrong with the file
 *
 * Reads agents, tools and budgets from a file. If something is wrong with it nothing of it is taken. An agent whose secret cannot be read is no mistake: it is
 * there, and whoever asks it is told what is missing.
 *
 * Returns: whether there was nothing wrong
 */
gboolean
clq_host_configure_from (ClqHost *self, const char *path, ClqFindings *findings)
{
  g_autoptr (ClqKeyfile) keyfile = clq_keyfile_new ();
  g_autoptr (GHashTable) agents = clq_host_parts_new ();
  g_autoptr (GHashTable) budgets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) tools = clq_host_parts_new ();
  Reader reader = { .host = self, .findings = findings, .agents = agents, .budgets = budgets, .tools = tools };
  GPtrArray *groups;
  guint n_errors;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && path != NULL && findings != NULL, FALSE);
  n_errors = clq_findings_get_n_errors (findings);
  clq_keyfile_read_file (keyfile, path, findings);
  groups = clq_keyfile_get_groups (keyfile);
  for (guint i = 0; i < groups->len; i++)
    read_group (&reader, g_ptr_array_index (groups, i));
  if (clq_findings_get_n_errors (findings) > n_errors)
    return FALSE;
  take (&reader);
  return TRUE;
}

/**
 * clq_host_configure:
 * @self: a host, before its first session
 * @findings: gets everything that is wrong with the file
 *
 * Reads `colloquy.conf`, which stands beside the folders of graphs; of several the first counts, and there need not be
 * one. See clq_host_configure_from().
 *
 * Returns: whether there was nothing wrong
 */
gboolean
clq_host_configure (ClqHost *self, ClqFindings *findings)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (CLQ_IS_HOST (self) && findings != NULL, FALSE);
  path = find_file (self);
  return path == NULL || clq_host_configure_from (self, path, findings);
}
