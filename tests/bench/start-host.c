/* start-host FOLDER GRAPH PLUGIN...: a host that loads a graph with the plugins of a folder. */
#include <colloquy-host.h>

int
main (int argc, char **argv)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqHost) host = clq_host_new (NULL);
  const char *const folders[] = { argv[1], NULL };
  g_autoptr (ClqGraph) graph = NULL;

  clq_host_set_plugin_folders (host, folders);
  graph = clq_host_load_graph (host, argv[2], NULL, FALSE, findings);
  return graph == NULL;
}
