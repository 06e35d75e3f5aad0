#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#include "draw-marks.h"

static const struct
{
  const char *name;
  ClqDrawFormat format;
  gboolean by_dot; /* Graphviz makes the picture */
} formats[] = {
  { "mermaid", CLQ_DRAW_MERMAID, FALSE },
  { "dot", CLQ_DRAW_DOT, FALSE },
  { "svg", CLQ_DRAW_DOT, TRUE },
  { "scxml", CLQ_DRAW_SCXML, FALSE },
  { "promela", CLQ_DRAW_PROMELA, FALSE },
};

static int
find_format (const char *name)
{
  const char *names[G_N_ELEMENTS (formats) + 1] = { NULL };
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      if (strcmp (formats[i].name, name) == 0)
        return (int) i;
      names[i] = formats[i].name;
    }
  hint = clq_did_you_mean (name, names);
  cli_complain ("draw: there is no format '%s'%s", name, hint);
  return -1;
}

/* What `dot -Tsvg` makes of a drawing. */
static char *
make_svg (const char *drawing)
{
  g_autoptr (GSubprocess) dot = NULL;
  g_autofree char *program = g_find_program_in_path ("dot");
  g_autofree char *svg = NULL;
  g_autofree char *talk = NULL;
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    {
      cli_complain ("draw: --format=svg needs Graphviz: 'dot' is not in PATH; install graphviz, or use --format=dot");
      return NULL;
    }
  dot = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error,
                          program, "-Tsvg", NULL);
  if (dot == NULL || !g_subprocess_communicate_utf8 (dot, drawing, NULL, &svg, &talk, &error))
    cli_complain ("draw: %s: %s", program, error->message);
  else if (!g_subprocess_get_successful (dot))
    cli_complain ("draw: %s failed: %s", program, g_strchomp (talk));
  else
    return g_steal_pointer (&svg);
  return NULL;
}

static int
read_marks (DrawMarks *marks, ClqHost *host, const ClqGraph *graph, const char *session, const char *store)
{
  g_autoptr (GError) error = NULL;
  guint8 id[16];

  if (!clq_id_parse (session, id))
    {
      cli_complain ("draw: --session=%s is no id; see colloquy sessions", session);
      return CLI_USAGE;
    }
  if (!cli_view_store (host, store, &error) || !draw_marks_read (marks, host, graph, id, &error))
    return cli_fail (error);
  return CLI_OK;
}

int
cmd_draw (int argc, char **argv)
{
  g_autofree char *name = NULL, *session = NULL, *store = NULL;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &name, "How (default: mermaid)", "mermaid|dot|svg|scxml|promela" },
    { "session", 0, 0, G_OPTION_ARG_STRING, &session, "Mark where this session is and the way it took (mermaid, dot, svg)", "ID" },
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the session is kept (default: sqlite)", "sqlite:PATH" },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  g_autoptr (ClqGraph) graph = NULL;
  g_autofree char *drawing = NULL;
  g_autofree char *svg = NULL;
  g_auto (DrawMarks) marks = { .graph = NULL };
  int status, format;

  if (!cli_parse (cli_find_command ("draw"), entries, &argc, &argv, 1, 1, &status))
    return status;
  format = find_format (name != NULL ? name : formats[0].name);
  if (format < 0)
    return CLI_USAGE;
  host = clq_host_new (NULL);
  /* Drawing is for looking: neither nodes nor kept promises are needed. */
  graph = cli_load_graph (host, argv[1], NULL, TRUE);
  if (graph == NULL)
    return CLI_FAILURE;
  if (session != NULL)
    {
      status = read_marks (&marks, host, graph, session, store);
      if (status != CLI_OK)
        return status;
    }
  drawing = clq_graph_draw (graph, formats[format].format, session != NULL ? &marks.marks : NULL);
  svg = formats[format].by_dot ? make_svg (drawing) : NULL;
  if (formats[format].by_dot && svg == NULL)
    return CLI_FAILURE;
  fputs (svg != NULL ? svg : drawing, stdout);
  return fflush (stdout) == 0 ? CLI_OK : CLI_FAILURE;
}
