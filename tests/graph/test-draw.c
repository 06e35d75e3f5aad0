/* Drawings: exactly those of drawings/, with and without a session that is somewhere. */
#include <locale.h>

#include <glib/gstdio.h>

#include "clq-draw.h"
#include "fixture.h"

static ClqGraph *
load (Fixture *fixture)
{
  ClqGraph *graph = clq_graph_load ("desk.graph", &fixture->options, fixture->findings);

  g_assert_nonnull (graph);
  return graph;
}

static void
assert_drawing (const ClqGraph *graph, ClqDrawFormat format, const ClqDrawMarks *marks, const char *file)
{
  g_autofree char *actual = clq_graph_draw (graph, format, marks);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (file, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (actual, ==, expected);
}

static void
test_plain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture);

  assert_drawing (graph, CLQ_DRAW_MERMAID, NULL, "desk.mermaid");
  assert_drawing (graph, CLQ_DRAW_DOT, NULL, "desk.dot");
  assert_drawing (graph, CLQ_DRAW_SCXML, NULL, "desk.scxml");
}

/* A session that has gone from in-tray to end and back, and stays there; only the arrows it went are thick. */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture);
  const guint tray = (guint) fixture_find_state (graph, "in-tray"), end = (guint) fixture_find_state (graph, "end");
  const ClqDrawMove path[] = {
    { tray, (guint) fixture_find_event (graph, "take"), end },
    { end, (guint) fixture_find_event (graph, "go_on"), tray },
  };
  const ClqDrawMarks marks = { (int) tray, path, G_N_ELEMENTS (path) };

  assert_drawing (graph, CLQ_DRAW_MERMAID, &marks, "desk-session.mermaid");
  assert_drawing (graph, CLQ_DRAW_DOT, &marks, "desk-session.dot");
}

static void
test_opened (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ClqGraph) graph = load (fixture);
  const ClqDrawMarks marks = { -1, NULL, 0 };
  g_autofree char *plain = clq_graph_draw (graph, CLQ_DRAW_DOT, NULL);
  g_autofree char *marked = clq_graph_draw (graph, CLQ_DRAW_DOT, &marks);

  g_assert_cmpstr (marked, ==, plain);
}

static void
add (const char *path, void (*func) (Fixture *fixture, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, fixture_set_up, func, fixture_tear_down);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (g_chdir (FILES_DIR "/../drawings"), ==, 0);
  add ("/colloquy/draw/plain", test_plain);
  add ("/colloquy/draw/session", test_session);
  add ("/colloquy/draw/opened", test_opened);
  return g_test_run ();
}
