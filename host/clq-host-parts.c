#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

/* ---- instances ---- */

/* Private: an instance of a feature whose settings are still those of its table. */
HostPart *
clq_host_part_begin (ClqHost *self, ClqFeatureType type, const char *kind, GError **error)
{
  const ClqFeature *feature = clq_registry_find (self->registry, type, kind, error);
  gpointer instance = feature != NULL ? clq_instance_begin (feature, error) : NULL;
  HostPart *part;

  if (instance == NULL)
    return NULL;
  part = g_new0 (HostPart, 1);
  part->feature = feature;
  part->self = instance;
  part->kind = g_strdup (kind);
  return part;
}

/* Private: an instance of a feature, with its settings. */
HostPart *
clq_host_part_new (ClqHost *self, ClqFeatureType type, const char *kind, GHashTable *settings, GError **error)
{
  g_autoptr (HostPart) part = clq_host_part_begin (self, type, kind, error);

  if (part == NULL || !clq_instance_fill (part->feature, part->self, settings, error) || !clq_instance_ready (part->feature, part->self, error))
    return NULL;
  return g_steal_pointer (&part);
}

/* Private. */
void
clq_host_part_free (HostPart *part)
{
  clq_instance_free (part->feature, part->self);
  g_clear_pointer (&part->schema, clq_schema_unref);
  g_free (part->kind);
  g_free (part->problem);
  g_free (part);
}

/* Private: name → HostPart. */
GHashTable *
clq_host_parts_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) clq_host_part_free);
}

/* ---- agents and tools ---- */

/**
 * clq_host_add_agent:
 * @self: a host
 * @name: how graphs call it
 * @kind: what answers, e.g. `scripted.agent`
 * @settings: (nullable) (element-type utf8 utf8): its settings
 * @error: return location
 *
 * Returns: whether there is such an agent now
 */
gboolean
clq_host_add_agent (ClqHost *self, const char *name, const char *kind, GHashTable *settings, GError **error)
{
  HostPart *part;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && name != NULL && kind != NULL, FALSE);
  part = clq_host_part_new (self, CLQ_FEATURE_AGENT, kind, settings, error);
  if (part == NULL)
    {
      g_prefix_error (error, "agent '%s': ", name);
      return FALSE;
    }
  g_hash_table_replace (self->agents, g_strdup (name), part);
  return TRUE;
}

/**
 * clq_host_set_standard_agent:
 * @self: a host
 * @kind: (nullable): what answers where a graph names an agent that nobody added; %NULL = nobody
 * @settings: (nullable) (element-type utf8 utf8): its settings
 */
void
clq_host_set_standard_agent (ClqHost *self, const char *kind, GHashTable *settings)
{
  g_return_if_fail (CLQ_IS_HOST (self));
  g_free (self->standard_agent);
  self->standard_agent = g_strdup (kind);
  g_clear_pointer (&self->standard_settings, g_hash_table_unref);
  self->standard_settings = settings != NULL ? g_hash_table_ref (settings) : NULL;
}

/* Private: an agent that was added, or configured; NULL sets the error. */
HostPart *
clq_host_find_agent_part (ClqHost *self, const char *name, GError **error)
{
  HostPart *part = g_hash_table_lookup (self->agents, name);
  g_auto (GStrv) names = part == NULL ? clq_host_list_agents (self) : NULL;
  g_autofree char *hint = part == NULL ? clq_did_you_mean (name, (const char *const *) names) : NULL;

  if (part == NULL)
    g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no agent '%s'%s", name, hint);
  return part;
}

static gpointer
find_agent (gpointer host, const char *name, const ClqAgentInfo **info, GError **error)
{
  ClqHost *self = host;
  HostPart *part;

  if (self->standard_agent != NULL && !g_hash_table_contains (self->agents, name) &&
      !clq_host_add_agent (self, name, self->standard_agent, self->standard_settings, error))
    return NULL;
  part = clq_host_find_agent_part (self, name, error);
  if (part == NULL)
    return NULL;
  if (part->problem != NULL)
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_AUTH, "agent '%s': %s", name, part->problem);
      return NULL;
    }
  *info = (const ClqAgentInfo *) part->feature;
  return part->self;
}

/**
 * clq_host_instruct_agent:
 * @self: a host
 * @name: an agent
 * @json: what it is told outside any call, e.g. the replies it is to give
 * @error: return location
 *
 * Returns: whether the agent has understood
 */
gboolean
clq_host_instruct_agent (ClqHost *self, const char *name, const char *json, GError **error)
{
  const ClqAgentInfo *info = NULL;
  gpointer agent;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && name != NULL && json != NULL, FALSE);
  agent = find_agent (self, name, &info, error);
  if (agent == NULL)
    return FALSE;
  if (info->instruct == NULL)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "agent '%s' takes no instructions; expected a scripted one", name);
      return FALSE;
    }
  return info->instruct (agent, json, error);
}

/**
 * clq_host_configure_tool:
 * @self: a host
 * @kind: a tool, e.g. `files.read`
 * @settings: (nullable) (element-type utf8 utf8): its settings
 * @error: return location
 *
 * Says how a tool is set up, before anything runs. A tool that nobody has configured has its default settings.
 *
 * Returns: whether there is such a tool and it takes these settings
 */
gboolean
clq_host_configure_tool (ClqHost *self, const char *kind, GHashTable *settings, GError **error)
{
  HostPart *part;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && kind != NULL, FALSE);
  part = clq_host_part_new (self, CLQ_FEATURE_TOOL, kind, settings, error);
  if (part == NULL)
    {
      g_prefix_error (error, "tool '%s': ", kind);
      return FALSE;
    }
  g_hash_table_replace (self->tools, g_strdup (kind), part);
  return TRUE;
}

static gpointer
find_tool (gpointer host, const char *kind, const ClqToolInfo **info, GError **error)
{
  ClqHost *self = host;
  HostPart *part = g_hash_table_lookup (self->tools, kind);

  if (part == NULL)
    {
      part = clq_host_part_new (self, CLQ_FEATURE_TOOL, kind, NULL, error);
      if (part == NULL)
        return NULL;
      g_hash_table_insert (self->tools, g_strdup (kind), part);
    }
  if (part->problem != NULL)
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_AUTH, "tool '%s': %s", kind, part->problem);
      return NULL;
    }
  *info = (const ClqToolInfo *) part->feature;
  return part->self;
}

/* What does not fit never reaches the tool. */
static gboolean
check_arguments (gpointer host, const char *kind, const char *arguments, GError **error)
{
  ClqHost *self = host;
  HostPart *part = g_hash_table_lookup (self->tools, kind);

  g_return_val_if_fail (part != NULL, FALSE);
  if (part->schema == NULL)
    part->schema = clq_schema_new (((const ClqToolInfo *) part->feature)->schema, error);
  return part->schema != NULL && clq_schema_check (part->schema, arguments, -1, error);
}

/* ---- graphs ---- */

static ClqGraph *
adopt_graph (ClqHost *self, ClqGraph *graph)
{
  ClqGraph *known;

  if (graph == NULL)
    return NULL;
  known = graph->bare ? NULL : g_hash_table_lookup (self->graphs, graph->hash);
  if (known != NULL)
    {
      clq_graph_unref (graph);
      return clq_graph_ref (known);
    }
  clq_run_connect (graph);
  if (!graph->bare)
    g_hash_table_insert (self->graphs, (gpointer) graph->hash, clq_graph_ref (graph));
  return graph;
}

/**
 * clq_host_load_graph:
 * @self: a host
 * @name_or_path: a graph's name, looked up in the folders, or a path
 * @overrides: (nullable) (array zero-terminated=1): `GROUP.KEY=VALUE` to be changed
 * @bare: whether to leave nodes and modality out
 * @findings: gets everything that is wrong
 *
 * Returns: (transfer full) (nullable): the graph, ready to run
 */
ClqGraph *
clq_host_load_graph (ClqHost *self, const char *name_or_path, const char *const *overrides, gboolean bare, ClqFindings *findings)
{
  ClqGraphOptions options = { .folders = (const char *const *) self->graph_folders, .overrides = overrides, .bare = bare };

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, NULL);
  options.registry = self->registry;
  return adopt_graph (self, clq_graph_load (name_or_path, &options, findings));
}

/**
 * clq_host_load_graph_text:
 * @self: a host
 * @name: what stands in place of the file in findings
 * @text: the text of a graph that extends no other
 * @findings: gets everything that is wrong
 *
 * Loads a graph that is in no file, such as one of the program's own resources.
 *
 * Returns: (transfer full) (nullable): the graph, ready to run
 */
ClqGraph *
clq_host_load_graph_text (ClqHost *self, const char *name, const char *text, ClqFindings *findings)
{
  ClqGraphOptions options = { .folders = (const char *const *) self->graph_folders };

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && name != NULL && text != NULL, NULL);
  options.registry = self->registry;
  return adopt_graph (self, clq_graph_load_text (name, text, &options, findings));
}

static ClqGraph *
load_graph (gpointer host, const char *hash, const char *name, const char *text, GError **error)
{
  ClqHost *self = host;
  ClqGraph *known = g_hash_table_lookup (self->graphs, hash);
  ClqGraphOptions options = { .registry = self->registry, .folders = (const char *const *) self->graph_folders };
  g_autoptr (ClqFindings) findings = NULL;
  ClqGraph *graph;

  if (known != NULL)
    return clq_graph_ref (known);
  if (text == NULL)
    return NULL;
  findings = clq_findings_new ();
  graph = clq_graph_load_text (name, text, &options, findings);
  if (graph == NULL)
    g_propagate_error (error, clq_findings_to_error (findings));
  return adopt_graph (self, graph);
}

const ClqEngineHost clq_host_engine_ops = { find_agent, find_tool, check_arguments, load_graph };
