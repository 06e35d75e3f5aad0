#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "term.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* stdout is data, stderr is talk. What an agent or a file brings into a message must not reach the terminal as it is. */
void
cli_tell (const char *format, ...)
{
  g_autofree char *text = NULL, *safe = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  safe = term_safe_dup (text, -1);
  fprintf (stderr, "%s\n", safe);
}

void
cli_complain (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  cli_tell ("colloquy: %s", text);
}

/* The exit status for an error. */
int
cli_status_of (const GError *error)
{
  const char *word = clq_input_error_to_string (error);

  if (strcmp (word, "not-found") == 0)
    return CLI_NOT_FOUND;
  if (strcmp (word, "refused") == 0 || strcmp (word, "busy") == 0)
    return CLI_REFUSED;
  return CLI_FAILURE;
}

/* Says what went wrong; the exit status says what kind of thing it was. */
int
cli_fail (const GError *error)
{
  cli_complain ("%s", error->message);
  return cli_status_of (error);
}

gboolean
cli_is_terminal (int fd)
{
  return isatty (fd) == 1;
}

/* Reads the options of a subcommand; argv[0] is its name. FALSE ends the program with *status. */
gboolean
cli_parse (const CliCommand *command, const GOptionEntry *entries, int *argc, char ***argv, int min, int max, int *status)
{
  g_autoptr (GOptionContext) context = g_option_context_new (command->arguments);
  g_autoptr (GError) error = NULL;

  g_autofree char *program = g_strdup_printf ("colloquy %s", command->name);

  g_set_prgname (program);
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->details);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_help_enabled (context, FALSE);
  for (int i = 1; i < *argc; i++)
    if (strcmp ((*argv)[i], "--help") == 0 || strcmp ((*argv)[i], "-h") == 0)
      {
        g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

        printf ("%s", help);
        *status = CLI_OK;
        return FALSE;
      }
  *status = CLI_USAGE;
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      cli_complain ("%s: %s; see colloquy %s --help", command->name, error->message, command->name);
      return FALSE;
    }
  if (*argc > 1 && strcmp ((*argv)[1], "--") == 0)
    {
      memmove (*argv + 1, *argv + 2, (*argc - 1) * sizeof (char *));
      (*argc)--;
    }
  if (*argc - 1 >= min && *argc - 1 <= max)
    {
      *status = CLI_OK;
      return TRUE;
    }
  cli_complain ("%s: expected %s; see colloquy %s --help", command->name, command->arguments, command->name);
  return FALSE;
}

/* Loads a graph; everything that is wrong with it goes to stderr, also what a bare graph is forgiven. */
ClqGraph *
cli_load_graph (ClqHost *host, const char *name, char **overrides, gboolean bare)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  ClqGraph *graph = clq_host_load_graph (host, name, (const char *const *) overrides, bare, findings);
  GPtrArray *all = clq_findings_get_all (findings);
  g_autofree char *text = graph == NULL ? clq_findings_print (findings) : NULL;

  if (text != NULL)
    fputs (text, stderr);
  for (guint i = 0; graph != NULL && i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      if (finding->level == CLQ_FINDING_WARNING)
        cli_complain ("%s:%u: %s", finding->file, finding->line, finding->message);
    }
  return graph;
}

/* ---- colloquy.conf ---- */

/* A value may name files that stand beside the file that it stands in. */
static char *
dup_value (const ClqGroup *group, const char *value)
{
  g_autofree char *here = g_path_get_dirname (group->file);
  g_autoptr (GString) out = g_string_new (value);

  g_string_replace (out, "${here}", here, 0);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
configure_agent (ClqHost *host, const ClqGroup *group, GError **error)
{
  const char *name = group->name + strlen ("agent ");
  const ClqKey *kind = g_hash_table_lookup (group->index, "kind");
  g_autoptr (GHashTable) settings = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  if (kind == NULL)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s:%u: agent '%s' has no kind; expected kind=PLUGIN.NAME", group->file, group->line, name);
      return FALSE;
    }
  for (guint i = 0; i < group->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (group->keys, i);

      if (key != kind && !g_str_has_prefix (key->key, "x-"))
        g_hash_table_insert (settings, key->key, dup_value (group, key->value));
    }
  if (clq_host_add_agent (host, name, kind->value, settings, error))
    return TRUE;
  g_prefix_error (error, "%s:%u: ", group->file, group->line);
  return FALSE;
}

/* Adds the agents of colloquy.conf, which stands beside the folder of graphs. The first file that is there counts. */
gboolean
cli_configure_agents (ClqHost *host, GError **error)
{
  const char *const *folders = clq_host_get_graph_folders (host);
  g_autoptr (ClqKeyfile) keyfile = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  GPtrArray *groups;

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *config = g_path_get_dirname (folders[i]);
      g_autofree char *path = g_build_filename (config, "colloquy.conf", NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      if (!clq_keyfile_read_file (keyfile, path, findings))
        {
          g_propagate_error (error, clq_findings_to_error (findings));
          return FALSE;
        }
      break;
    }
  groups = clq_keyfile_get_groups (keyfile);
  for (guint i = 0; i < groups->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (groups, i);

      if (g_str_has_prefix (group->name, "agent ") && !configure_agent (host, group, error))
        return FALSE;
    }
  return TRUE;
}
