/* A graph is loaded or refused with a reason, with its nodes and without. */
#include "clq-graph.h"
#include "fuzz.h"

extern const ClqPlugin clq_plugin;

/* Names of graphs are interned, and GLib lets go of the old one when the table of such names grows: it can be read without a lock. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:g_intern_string\nleak:g_quark_from_string\nleak:g_quark_from_static_string\nleak:call_init\n";
}

static void
load (const char *text, const ClqGraphOptions *options)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_graph_load_text ("fuzz", text, options, findings);

  g_assert (graph != NULL || clq_findings_get_all (findings)->len > 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const nowhere[] = { NULL };
  static ClqRegistry *registry;
  g_autofree char *text = fuzz_dup (data, size);

  if (registry == NULL)
    {
      registry = clq_registry_new (nowhere);
      g_assert (clq_registry_add (registry, &clq_plugin, NULL));
    }
  load (text, &(ClqGraphOptions){ .folders = nowhere, .bare = TRUE });
  load (text, &(ClqGraphOptions){ .folders = nowhere, .registry = registry });
  return 0;
}
