#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <stdlib.h>

/* What somebody may want to know about the agents of a host. */

static int
compare_names (const void *a, const void *b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/**
 * clq_host_list_agents:
 * @self: a host
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of its agents, sorted
 */
char **
clq_host_list_agents (ClqHost *self)
{
  g_autofree char **names = NULL;
  guint n_names = 0;

  g_return_val_if_fail (CLQ_IS_HOST (self), NULL);
  names = (char **) g_hash_table_get_keys_as_array (self->agents, &n_names);
  qsort (names, n_names, sizeof *names, compare_names);
  return g_strdupv (names);
}

/* What says where the agent leads: every text, and what is not as it would be anyway. Secrets print as set or not set. */
static void
append_settings (const HostPart *part, GString *out)
{
  const ClqFeature *feature = part->feature;
  gpointer standard = clq_instance_begin (feature, NULL);
  const ClqSetting *setting = NULL;
  gboolean is_first = TRUE;

  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    {
      g_autofree char *key = clq_setting_dup_key (setting);
      g_autofree char *value = clq_setting_print (setting, part->self);
      g_autofree char *usual = standard != NULL ? clq_setting_print (setting, standard) : NULL;

      if (value == NULL || (setting->type != CLQ_SETTING_STRING && g_strcmp0 (value, usual) == 0))
        continue;
      if (!is_first)
        g_string_append_c (out, ',');
      is_first = FALSE;
      clq_json_append_string (out, key, -1);
      g_string_append_c (out, ':');
      clq_json_append_string (out, value, -1);
    }
  clq_instance_free (feature, standard);
}

/**
 * clq_host_describe_agent:
 * @self: a host
 * @name: the name of an agent
 * @error: return location
 *
 * What an agent is: `name`, `kind`, `ready`, `problem` (why it is not ready, or null) and `settings`, an object of texts
 * as they would stand in colloquy.conf, without those that are as usual. A secret is `(set)` there and nothing else.
 *
 * Returns: (transfer full) (nullable): a JSON object, or %NULL if there is no such agent
 */
char *
clq_host_describe_agent (ClqHost *self, const char *name, GError **error)
{
  const HostPart *part;
  GString *out;

  g_return_val_if_fail (CLQ_IS_HOST (self) && name != NULL, NULL);
  part = clq_host_find_agent_part (self, name, error);
  if (part == NULL)
    return NULL;
  out = g_string_new ("{\"name\":");
  clq_json_append_string (out, name, -1);
  g_string_append (out, ",\"kind\":");
  clq_json_append_string (out, part->kind, -1);
  g_string_append_printf (out, ",\"ready\":%s,\"problem\":", part->problem == NULL ? "true" : "false");
  if (part->problem != NULL)
    clq_json_append_string (out, part->problem, -1);
  else
    g_string_append (out, "null");
  g_string_append (out, ",\"settings\":{");
  append_settings (part, out);
  g_string_append (out, "}}");
  return g_string_free (out, FALSE);
}
