#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "clq-invariant.h"

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
print_findings_json (const char *what, const char *name, gboolean is_ok, ClqFindings *findings)
{
  GPtrArray *all = clq_findings_get_all (findings);
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, what, name);
  cli_json_bool (out, "ok", is_ok);
  cli_json_member (out, "findings");
  g_string_append_c (out, '[');
  for (guint i = 0; i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      g_string_append (out, i > 0 ? ",{" : "{");
      cli_json_string (out, "level", clq_finding_get_word (finding));
      cli_json_string (out, "file", finding->file);
      cli_json_number (out, "line", finding->line);
      cli_json_string (out, "message", finding->message);
      if (finding->invariant != NULL)
        {
          cli_json_string (out, "invariant", finding->invariant);
          cli_json_raw (out, "counterexample", finding->counterexample);
        }
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
    print_findings_json ("graph", name, graph != NULL, findings);
  else
    print_findings (findings);
  if (graph == NULL)
    return FALSE;
  if (!json)
    printf ("%s: ok, states: %u, rules: %u\n", name, graph->n_states, graph->first_rule[graph->n_states * graph->n_events]);
  return TRUE;
}

/* A file with agents, such as colloquy.conf. The host is its own: the next one may name the same agents. */
static gboolean
check_configuration (const char *path, gboolean json)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqHost) host = clq_host_new (NULL);
  gboolean is_ok = clq_host_configure_from (host, path, findings);

  if (json)
    print_findings_json ("file", path, is_ok, findings);
  else
    print_findings (findings);
  if (is_ok && !json)
    printf ("%s: ok\n", path);
  clq_host_close (host);
  return is_ok;
}

/* ---- counterexamples ---- */

static gboolean
find_invariant (const char *name, const ClqGraph *graph)
{
  for (guint i = 0; graph != NULL && i < graph->invariants->len; i++)
    if (strcmp (((ClqInvariant *) g_ptr_array_index (graph->invariants, i))->key->key, name) == 0)
      return TRUE;
  return FALSE;
}

static int
unknown_invariant (const char *name, const ClqGraph *graph)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < graph->invariants->len; i++)
    g_ptr_array_add (names, ((ClqInvariant *) g_ptr_array_index (graph->invariants, i))->key->key);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  cli_complain ("graph '%s' has no invariant '%s'%s", graph->name, name, names->len > 1 ? hint : "");
  return CLI_NOT_FOUND;
}

static void
print_requests (const char *counterexample)
{
  ClqJsonSpan list = clq_json_span (counterexample, -1), key, request;
  ClqJsonIter iter;
  gboolean is_empty = TRUE;

  clq_json_iter_init (&iter, &list);
  for (; clq_json_iter_next (&iter, &key, &request); is_empty = FALSE)
    printf ("%.*s\n", (int) request.length, request.start);
  /* It is broken before anything happens. */
  if (is_empty)
    puts ("{\"do\":\"show\"}");
}

/* The requests that lead a bare session to where an invariant is broken; nothing if it holds. */
static int
print_counterexample (ClqHost *host, const char *file, const char *name)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_host_load_graph (host, file, NULL, TRUE, findings);
  GPtrArray *all = clq_findings_get_all (findings);
  g_autofree char *text = NULL;

  if (graph == NULL)
    {
      text = clq_findings_print (findings);
      fputs (text, stderr);
      return CLI_FAILURE;
    }
  if (!find_invariant (name, graph))
    return unknown_invariant (name, graph);
  for (guint i = 0; i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      if (finding->invariant == NULL || strcmp (finding->invariant, name) != 0)
        continue;
      cli_complain ("%s:%u: %s", finding->file, finding->line, finding->message);
      print_requests (finding->counterexample);
      return CLI_FAILURE;
    }
  return CLI_OK;
}

int
cmd_check (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autofree char *invariant = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per file", NULL },
    { "counterexample", 0, 0, G_OPTION_ARG_STRING, &invariant, "Only how this invariant is broken, as requests for pipe --bare", "NAME" },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  int status;
  guint n_bad = 0;

  if (!cli_parse (cli_find_command ("check"), entries, &argc, &argv, 1, G_MAXINT, &status))
    return status;
  if (invariant != NULL && argc > 2)
    {
      cli_complain ("check: expected one file with --counterexample; see colloquy check --help");
      return CLI_USAGE;
    }
  host = clq_host_new (NULL);
  if (invariant != NULL)
    return print_counterexample (host, argv[1], invariant);
  for (int i = 1; i < argc; i++)
    n_bad += !(g_str_has_suffix (argv[i], ".conf") ? check_configuration (argv[i], json) : check (host, argv[i], json));
  return n_bad > 0 ? CLI_FAILURE : CLI_OK;
}
