#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>

static void
print_plugin (const ClqPluginEntry *entry)
{
  const ClqPlugin *plugin = entry->plugin;

  if (plugin == NULL)
    {
      printf ("%-12s refused: %s\n", entry->id, entry->error->message);
      return;
    }
  printf ("%-12s %s, %s\n", plugin->id, plugin->version, plugin->summary);
  for (guint i = 0; i < plugin->n_features; i++)
    {
      const ClqFeature *feature = plugin->features[i];
      g_autofree char *kind = g_strdup_printf ("%s.%s", plugin->id, feature->name);

      printf ("  %-8s %-20s %s\n", clq_feature_type_to_string (feature->type), kind, feature->summary);
    }
}

static void
print_plugin_json (const ClqPluginEntry *entry)
{
  const ClqPlugin *plugin = entry->plugin;
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "id", entry->id);
  cli_json_string (out, "path", entry->path);
  cli_json_bool (out, "ok", plugin != NULL);
  if (plugin == NULL)
    cli_json_string (out, "refused", entry->error->message);
  else
    {
      cli_json_string (out, "version", plugin->version);
      cli_json_string (out, "summary", plugin->summary);
      cli_json_member (out, "features");
      g_string_append_c (out, '[');
      for (guint i = 0; i < plugin->n_features; i++)
        {
          g_autofree char *kind = g_strdup_printf ("%s.%s", plugin->id, plugin->features[i]->name);

          g_string_append (out, i > 0 ? ",{" : "{");
          cli_json_string (out, "kind", kind);
          cli_json_string (out, "type", clq_feature_type_to_string (plugin->features[i]->type));
          cli_json_string (out, "summary", plugin->features[i]->summary);
          g_string_append_c (out, '}');
        }
      g_string_append_c (out, ']');
    }
  g_string_append_c (out, '}');
  puts (out->str);
}

int
cmd_plugins (int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per plugin", NULL },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  g_auto (GStrv) ids = NULL;
  int status;

  if (!cli_parse (cli_find_command ("plugins"), entries, &argc, &argv, 0, 0, &status))
    return status;
  host = clq_host_new (NULL);
  ids = clq_registry_list_ids (clq_host_get_registry (host));
  for (guint i = 0; ids[i] != NULL; i++)
    {
      const ClqPluginEntry *entry = clq_registry_open (clq_host_get_registry (host), ids[i]);

      if (json)
        print_plugin_json (entry);
      else
        print_plugin (entry);
    }
  if (ids[0] == NULL)
    {
      g_autofree char *folders = g_strjoinv (", ", (char **) clq_registry_get_folders (clq_host_get_registry (host)));

      cli_complain ("no plugins in %s; CLQ_PLUGIN_PATH says where to look", folders);
    }
  return CLI_OK;
}
