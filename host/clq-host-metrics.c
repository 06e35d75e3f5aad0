#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"
#include "clq-metrics.h"

typedef struct
{
  ClqGraph *graph;
  ClqTextFunc func;
  gpointer user_data;
} Reading;

static void
on_moves (GArray *moves, const GError *error, gpointer user_data)
{
  Reading *reading = user_data;
  g_autofree char *report = error == NULL ? clq_metrics_dup_report (reading->graph, moves) : NULL;

  reading->func (report, error, reading->user_data);
  clq_graph_unref (reading->graph);
  g_free (reading);
}

/**
 * clq_host_read_metrics:
 * @self: a host with a store
 * @graph: a graph
 * @func: gets a JSON object: `states`, how long stays were, and `metrics`, the rates that the graph names
 * @user_data: for @func
 *
 * Measures the newest transitions of all sessions of a graph, enough of them for the windows of its metrics.
 */
void
clq_host_read_metrics (ClqHost *self, ClqGraph *graph, ClqTextFunc func, gpointer user_data)
{
  Reading *reading;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && graph != NULL && func != NULL);
  reading = g_new (Reading, 1);
  *reading = (Reading){ clq_graph_ref (graph), func, user_data };
  clq_moves_read (self->engine, graph, clq_metrics_get_limit (graph), on_moves, reading);
}
