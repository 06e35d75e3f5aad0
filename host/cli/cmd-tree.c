#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "term.h"

#include <unistd.h>

typedef struct
{
  Term term;
  int status;
} TreeCommand;

static void
on_lines (GPtrArray *lines, const GError *error, gpointer user_data)
{
  TreeCommand *command = user_data;

  if (error != NULL)
    {
      command->status = cli_fail (error);
      return;
    }
  for (guint i = 0; i < lines->len; i++)
    term_draw_line (&command->term, g_ptr_array_index (lines, i));
  command->status = term_flush (&command->term) ? CLI_OK : CLI_FAILURE;
}

static int
draw_tree (ClqHost *host, const guint8 id[16], const char *store)
{
  TreeCommand command = { .status = CLI_FAILURE };
  g_autoptr (GError) error = NULL;

  if (!cli_view_store (host, store, &error))
    return cli_fail (error);
  term_init (&command.term, STDOUT_FILENO, !cli_is_terminal (STDOUT_FILENO));
  cli_tree_draw (host, id, cli_is_terminal (STDOUT_FILENO) ? term_text_columns (&command.term) : 100, on_lines, &command);
  clq_host_settle (host);
  term_clear (&command.term);
  return command.status;
}

int
cmd_tree (int argc, char **argv)
{
  g_autofree char *store = NULL;
  g_autoptr (ClqHost) host = NULL;
  guint8 id[16];
  int status;

  if (!cli_parse_session ("tree", &argc, &argv, 1, &store, id, &status))
    return status;
  host = clq_host_new (NULL);
  status = draw_tree (host, id, store);
  clq_host_close (host);
  return status;
}
