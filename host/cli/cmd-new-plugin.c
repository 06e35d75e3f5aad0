#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static const char *const types[] = { "node", "modality", "agent", "store", "tool", "service", NULL };

typedef struct
{
  const char *folder;
  const char *id;
  const char *type;
  char *function; /* the id as part of a C function */
  char *class;    /* the id as a C type */
} Plan;

/* ---- texts ---- */

static void
plan_names (Plan *plan)
{
  GString *class = g_string_new (NULL);
  gboolean upper = TRUE;

  plan->function = g_strdelimit (g_strdup (plan->id), "-", '_');
  for (const char *next = plan->id; *next != '\0'; next++)
    {
      if (*next != '-')
        g_string_append_c (class, upper ? g_ascii_toupper (*next) : *next);
      upper = *next == '-';
    }
  plan->class = g_string_free (class, FALSE);
}

/* What stands in the templates between two @. */
static char *
fill_in (const Plan *plan, const char *text)
{
  const char *const words[][2] = {
    { "@id_@", plan->function },
    { "@id@", plan->id },
    { "@Id@", plan->class },
    { "@type@", plan->type },
    { "@package@", strcmp (plan->type, "service") == 0 ? "colloquy-host-1" : "colloquy-1" },
  };
  GString *out = g_string_new (text);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_replace (out, words[i][0], words[i][1], 0);
  return g_string_free (out, FALSE);
}

static char *
dup_template (const Plan *plan, const char *name)
{
  g_autofree char *path = g_strconcat ("/colloquy/template/", name, ".in", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  return bytes != NULL ? fill_in (plan, g_bytes_get_data (bytes, NULL)) : NULL;
}

/* ---- files ---- */

static gboolean
write_file (const Plan *plan, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (plan->folder, name, NULL);

  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  printf ("%s\n", path);
  return TRUE;
}

/* A file that the type has a template for; the others have none. */
static gboolean
write_own (const Plan *plan, const char *template_end, const char *name_before, const char *name_end, GError **error)
{
  g_autofree char *template = g_strconcat (plan->type, template_end, NULL);
  g_autofree char *name = g_strconcat (name_before, plan->id, name_end, NULL);
  g_autofree char *text = dup_template (plan, template);

  return text == NULL || write_file (plan, name, text, error);
}

static gboolean
write_build (const Plan *plan, GError **error)
{
  gboolean has_test = strcmp (plan->type, "node") == 0 || strcmp (plan->type, "store") == 0;
  g_autofree char *start = dup_template (plan, "meson.build");
  g_autofree char *end = dup_template (plan, has_test ? "test.build" : "check.build");
  g_autofree char *whole = g_strconcat (start, end, NULL);

  return write_file (plan, "meson.build", whole, error);
}

static gboolean
write_all (const Plan *plan, GError **error)
{
  g_autofree char *readme = dup_template (plan, "README.md");

  return write_own (plan, ".c", "", ".c", error) && write_own (plan, ".h", "", ".h", error) &&
         write_own (plan, "-test.c", "test-", ".c", error) && write_own (plan, ".graph", "", ".graph", error) &&
         write_build (plan, error) && write_file (plan, "README.md", readme, error);
}

static int
make_folder (const Plan *plan)
{
  g_autoptr (GError) error = NULL;

  if (g_mkdir (plan->folder, 0755) != 0)
    {
      cli_complain ("new-plugin: %s: %s", plan->folder, errno == EEXIST ? "is there already; expected a name that is free" : g_strerror (errno));
      return CLI_FAILURE;
    }
  if (!write_all (plan, &error))
    return cli_fail (error);
  fprintf (stderr, "\nNext:\n  cd %s\n  meson setup build && meson test -C build\n  CLQ_PLUGIN_PATH=$PWD/build colloquy inspect %s\n", plan->folder, plan->id);
  return CLI_OK;
}

int
cmd_new_plugin (int argc, char **argv)
{
  g_autofree char *type = NULL;
  const GOptionEntry entries[] = {
    { "type", 't', 0, G_OPTION_ARG_STRING, &type, "What it is to offer (default: node)", "node|modality|agent|store|tool|service" },
    { NULL },
  };
  Plan plan = { NULL };
  int status;

  if (!cli_parse (cli_find_command ("new-plugin"), entries, &argc, &argv, 1, 1, &status))
    return status;
  plan.id = plan.folder = argv[1];
  plan.type = type != NULL ? type : "node";
  if (!clq_name_is_valid (plan.id))
    {
      cli_complain ("new-plugin: '%s': expected a name of small letters, digits and dashes", plan.id);
      return CLI_USAGE;
    }
  if (!g_strv_contains (types, plan.type))
    {
      g_autofree char *hint = clq_did_you_mean (plan.type, types);

      cli_complain ("new-plugin: '%s' is no type%s", plan.type, hint);
      return CLI_USAGE;
    }
  plan_names (&plan);
  status = make_folder (&plan);
  g_free (plan.function);
  g_free (plan.class);
  return status;
}
