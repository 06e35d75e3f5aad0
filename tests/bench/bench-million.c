/* Many sessions that rest in SQLite: what the host needs for them, how it starts, how one wakes. */
#include "bench.h"

#include <glib/gstdio.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE 2000
#define WAKES 2000

static double
resident_mb (void)
{
  g_autofree char *text = NULL;
  long pages = 0, resident = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%ld %ld", &pages, &resident);
  return resident * 4096.0 / 1e6;
}

static ClqHost *
open_host (const char *place, ClqGraph **graph)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;
  ClqHost *host = clq_host_new (NULL);

  *graph = clq_host_load_graph (host, BENCH_GRAPH, NULL, FALSE, findings);
  if (*graph == NULL || !clq_host_use_store (host, place, &error))
    g_printerr ("%s\n", error != NULL ? error->message : "the graph does not load");
  return host;
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

static void
fill (ClqHost *host, ClqGraph *graph, guint8 *ids, guint n)
{
  guint n_done = 0;

  for (guint i = 0; i < n; i++)
    {
      clq_host_new_id (host, ids + 16 * (gsize) i);
      clq_host_open_session (host, graph, ids + 16 * (gsize) i, NULL, NULL, NULL, on_reply, &n_done);
      if (i % AT_ONCE == AT_ONCE - 1 || i == n - 1)
        clq_host_settle (host);
    }
}

static double
wake_p99 (ClqHost *host, const guint8 *ids, guint n)
{
  double *times = g_new (double, WAKES);
  g_autoptr (GRand) chance = g_rand_new_with_seed (1);
  double p99;

  for (guint i = 0; i < WAKES; i++)
    {
      const guint8 *id = ids + 16 * (gsize) g_rand_int_range (chance, 0, (gint32) n);
      guint n_done = 0;
      double began = bench_now ();

      clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "configure" }, on_reply, &n_done);
      while (n_done == 0)
        g_main_context_iteration (NULL, TRUE);
      times[i] = bench_now () - began;
    }
  qsort (times, WAKES, sizeof *times, compare_doubles);
  p99 = times[WAKES * 99 / 100];
  g_free (times);
  return p99;
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) atoi (argv[1]) : 1000000;
  g_autofree char *folder = g_dir_make_tmp ("clq-million-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "million.db", NULL);
  g_autofree char *place = g_strconcat ("sqlite:", path, NULL);
  guint8 *ids = g_malloc (16 * (gsize) n);
  ClqGraph *graph;
  ClqHost *host;
  double began, baseline;

  host = open_host (place, &graph);
  baseline = resident_mb ();
  began = bench_now ();
  fill (host, graph, ids, n);
  printf ("%u sessions opened in %.1f s\n", n, bench_now () - began);
  malloc_trim (0);
  bench_goal ("resident memory of the host", resident_mb () - 16.0 * n / 1e6, "MB", FALSE, 200, 100);
  printf ("of that before the first session: %.0f MB\n", baseline - 16.0 * n / 1e6 > 0 ? baseline - 16.0 * n / 1e6 : baseline);
  clq_host_close (host);
  clq_graph_unref (graph);
  g_object_unref (host);

  began = bench_now ();
  host = open_host (place, &graph);
  clq_host_start (host);
  clq_host_settle (host);
  bench_goal ("start on that store", bench_now () - began, "s", FALSE, 2, 0.5);
  bench_goal ("an event of a session that sleeps, 99th percentile", wake_p99 (host, ids, n) * 1000, "ms", FALSE, 5, 2);
  clq_host_close (host);
  clq_graph_unref (graph);
  g_object_unref (host);
  g_free (ids);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *file = g_strconcat (path, (const char *const[]){ "", "-wal", "-shm", ".lock" }[i], NULL);

      g_remove (file);
    }
  g_rmdir (folder);
  return 0;
}
