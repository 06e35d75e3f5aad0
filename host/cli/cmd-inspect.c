#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

/* ---- for people ---- */

static void
print_settings (const ClqFeature *feature)
{
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    {
      g_autofree char *key = clq_setting_dup_key (setting);
      g_autofree char *range = clq_setting_dup_range (setting);

      printf ("  %-20s %s%s%s", key, clq_setting_type_to_string (setting->type), range != NULL ? ", " : "", range != NULL ? range : "");
      if (setting->standard != NULL)
        printf (", default %s", *setting->standard != '\0' ? setting->standard : "empty");
      printf ("\n  %-20s %s\n", "", setting->help);
    }
}

static void
print_list (const char *title, const char *const *items)
{
  g_autofree char *joined = NULL;

  if (items == NULL || items[0] == NULL)
    return;
  joined = g_strjoinv (", ", (char **) items);
  printf ("%s: %s\n", title, joined);
}

static void
print_modality (const ClqModalityInfo *info)
{
  const char *each = (const char *) info->predicates;

  print_list ("fields", info->fields);
  print_list ("actions", info->actions);
  if (each == NULL || ((const ClqPredicate *) each)->name == NULL)
    return;
  puts ("predicates:");
  for (; ((const ClqPredicate *) each)->name != NULL; each += info->predicate_size)
    printf ("  %-20s %s\n", ((const ClqPredicate *) each)->name, ((const ClqPredicate *) each)->summary);
}

static void
print_feature (const ClqPlugin *plugin, const ClqFeature *feature)
{
  printf ("%s.%s, %s of plugin %s %s\n%s\n", plugin->id, feature->name, clq_feature_type_to_string (feature->type),
          plugin->id, plugin->version, feature->summary);
  if (feature->type == CLQ_FEATURE_NODE)
    print_list ("outcomes", ((const ClqNodeInfo *) feature)->outcomes);
  else if (feature->type == CLQ_FEATURE_MODALITY)
    print_modality ((const ClqModalityInfo *) feature);
  else if (feature->type == CLQ_FEATURE_TOOL)
    printf ("arguments: %s\n", ((const ClqToolInfo *) feature)->schema);
  else if (feature->type == CLQ_FEATURE_STORE)
    printf ("durability: %s\n", ((const ClqStoreInfo *) feature)->durability);
  if (feature->settings != NULL && feature->settings->name != NULL)
    {
      puts ("settings:");
      print_settings (feature);
    }
  if (feature->type == CLQ_FEATURE_NODE && ((const ClqNodeInfo *) feature)->example != NULL)
    printf ("example:\n%s\n", ((const ClqNodeInfo *) feature)->example);
}

/* ---- for programs ---- */

static void
append_settings (GString *out, const ClqFeature *feature)
{
  const ClqSetting *setting = NULL;
  gboolean first = TRUE;

  cli_json_member (out, "settings");
  g_string_append_c (out, '[');
  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    {
      g_autofree char *key = clq_setting_dup_key (setting);
      g_autofree char *range = clq_setting_dup_range (setting);

      g_string_append (out, first ? "{" : ",{");
      first = FALSE;
      cli_json_string (out, "key", key);
      cli_json_string (out, "type", clq_setting_type_to_string (setting->type));
      cli_json_string (out, "default", setting->standard);
      cli_json_string (out, "range", range);
      cli_json_string (out, "help", setting->help);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
append_names (GString *out, const char *name, const char *const *items)
{
  g_autoptr (GPtrArray) quoted = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  for (guint i = 0; items != NULL && items[i] != NULL; i++)
    g_ptr_array_add (quoted, clq_json_quote (items[i]));
  list = cli_json_list (quoted);
  cli_json_raw (out, name, list);
}

static void
append_predicates (GString *out, const ClqModalityInfo *info)
{
  const char *each = (const char *) info->predicates;

  cli_json_member (out, "predicates");
  g_string_append_c (out, '[');
  for (; each != NULL && ((const ClqPredicate *) each)->name != NULL; each += info->predicate_size)
    {
      g_string_append (out, each != (const char *) info->predicates ? ",{" : "{");
      cli_json_string (out, "name", ((const ClqPredicate *) each)->name);
      cli_json_string (out, "summary", ((const ClqPredicate *) each)->summary);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
print_feature_json (const ClqPlugin *plugin, const ClqFeature *feature)
{
  g_autoptr (GString) out = g_string_new ("{");
  g_autofree char *kind = g_strdup_printf ("%s.%s", plugin->id, feature->name);

  cli_json_string (out, "kind", kind);
  cli_json_string (out, "type", clq_feature_type_to_string (feature->type));
  cli_json_string (out, "version", plugin->version);
  cli_json_string (out, "summary", feature->summary);
  if (feature->type == CLQ_FEATURE_NODE)
    append_names (out, "outcomes", ((const ClqNodeInfo *) feature)->outcomes);
  if (feature->type == CLQ_FEATURE_MODALITY)
    {
      append_names (out, "fields", ((const ClqModalityInfo *) feature)->fields);
      append_names (out, "actions", ((const ClqModalityInfo *) feature)->actions);
      append_predicates (out, (const ClqModalityInfo *) feature);
    }
  if (feature->type == CLQ_FEATURE_TOOL)
    cli_json_raw (out, "arguments", ((const ClqToolInfo *) feature)->schema);
  append_settings (out, feature);
  g_string_append_c (out, '}');
  puts (out->str);
}

/* ---- finding ---- */

/* All features of a plugin, or the one that KIND names. */
static int
inspect (ClqRegistry *registry, const char *kind, gboolean json)
{
  g_auto (GStrv) parts = g_strsplit (kind, ".", 2);
  const ClqPluginEntry *entry = clq_registry_open (registry, parts[0] != NULL ? parts[0] : "");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  guint n_found = 0;

  if (entry->plugin == NULL)
    {
      cli_complain ("%s", entry->error->message);
      return g_error_matches (entry->error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND) ? CLI_NOT_FOUND : CLI_FAILURE;
    }
  for (guint i = 0; i < entry->plugin->n_features; i++)
    {
      const ClqFeature *feature = entry->plugin->features[i];

      g_ptr_array_add (names, (gpointer) feature->name);
      if (parts[1] != NULL && strcmp (parts[1], feature->name) != 0)
        continue;
      if (json)
        print_feature_json (entry->plugin, feature);
      else
        {
          if (n_found > 0)
            puts ("");
          print_feature (entry->plugin, feature);
        }
      n_found++;
    }
  if (n_found > 0)
    return CLI_OK;
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (parts[1], (const char *const *) names->pdata);
  cli_complain ("plugin '%s' has nothing named '%s'%s", parts[0], parts[1], hint);
  return CLI_NOT_FOUND;
}

int
cmd_inspect (int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "JSON instead of text", NULL },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  int status;

  if (!cli_parse (cli_find_command ("inspect"), entries, &argc, &argv, 1, 1, &status))
    return status;
  host = clq_host_new (NULL);
  return inspect (clq_host_get_registry (host), argv[1], json);
}
