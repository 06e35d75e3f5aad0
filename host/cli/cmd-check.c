#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>

static void
print_findings (ClqFindings *findings)
{
  GPtrArray *all = clq_findings_get_all (findings);

  for (guint i = 0; i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      printf ("%s:", finding->file);
      if (finding->line > 0)
        printf ("%u:", finding->line);
      printf (" %s%s\n", finding->level == CLQ_FINDING_NOTE ? "note: " : "", finding->message);
    }
}

static void
print_findings_json (const char *name, const ClqGraph *graph, ClqFindings *findings)
{
  GPtrArray *all = clq_findings_get_all (findings);
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "graph", name);
  cli_json_bool (out, "ok", graph != NULL);
  cli_json_member (out, "findings");
  g_string_append_c (out, '[');
  for (guint i = 0; i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      g_string_append (out, i > 0 ? ",{" : "{");
      cli_json_string (out, "level", finding->level == CLQ_FINDING_NOTE ? "note" : "error");
      cli_json_string (out, "file", finding->file);
      cli_json_number (out, "line", finding->line);
      cli_json_string (out, "message", finding->message);
      g_string_append_c (out, '}');
    }
  g_string_append (out, "]}");
  puts (out->str);
}

static gboolean
check (ClqHost *host, const char *name, gboolean json)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_host_load_graph (host, name, NULL, FALSE, findings);

  if (json)
    print_findings_json (name, graph, findings);
  else
    print_findings (findings);
  if (graph == NULL)
    return FALSE;
  if (!json)
    printf ("%s: ok, %u states, %u rules\n", name, graph->n_states, graph->first_rule[graph->n_states * graph->n_events]);
  return TRUE;
}

int
cmd_check (int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per graph", NULL },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  int status;
  guint n_bad = 0;

  if (!cli_parse (cli_find_command ("check"), entries, &argc, &argv, 1, G_MAXINT, &status))
    return status;
  host = clq_host_new (NULL);
  for (int i = 1; i < argc; i++)
    n_bad += !check (host, argv[i], json);
  return n_bad > 0 ? CLI_FAILURE : CLI_OK;
}
