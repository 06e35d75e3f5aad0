#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "term.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What an agent or a file brings into a line must not reach the terminal as it is. */
static void
put_line (FILE *file, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  g_autofree char *safe = term_safe_dup (text, -1);

  fprintf (file, "%s\n", safe);
}

/* stdout is data, stderr is talk. */
void
cli_tell (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  put_line (stderr, format, arguments);
  va_end (arguments);
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

/* A text or an object as a whole. A terminal shows what is harmless of it, a file or a pipe gets all. */
void
cli_print (const char *text)
{
  g_autofree char *safe = cli_is_terminal (STDOUT_FILENO) ? term_safe_dup (text, -1) : NULL;

  fputs (safe != NULL ? safe : text, stdout);
}

/* A line for people; programs have --json. */
void
cli_print_line (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  put_line (stdout, format, arguments);
  va_end (arguments);
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

/* Whether only text makes sense there: a file, a pipe, a terminal that cannot move its cursor. */
gboolean
cli_is_plain (int fd)
{
  return !cli_is_terminal (fd) || g_strcmp0 (g_getenv ("TERM"), "dumb") == 0;
}

/* One line of stdin; NULL at its end. */
char *
cli_read_line (void)
{
  char *line = NULL;
  size_t size = 0;
  char *copy;

  if (getline (&line, &size, stdin) < 0)
    {
      free (line);
      return NULL;
    }
  copy = g_strdup (line);
  free (line);
  return g_strstrip (copy);
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

/* Reads colloquy.conf; everything that is wrong with it goes to stderr. */
gboolean
cli_configure (ClqHost *host)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *text = NULL;

  if (clq_host_configure (host, findings))
    return TRUE;
  text = clq_findings_print (findings);
  fputs (text, stderr);
  return FALSE;
}
