/* The graphs in files/: y_* load, also without nodes and from their own text; n_* fail with exactly what n_*.expected says. */
#include <locale.h>
#include <string.h>

#include <glib/gstdio.h>

#include "clq-graph.h"

#define MIN_GOOD 25
#define MIN_BAD 75

static const char *const graph_folders[] = { "more", NULL };

static ClqRegistry *
make_registry (void)
{
  const char *const folders[] = { g_getenv ("CLQ_PLUGIN_PATH"), FIXTURE_DIR, NULL };

  return clq_registry_new (folders);
}

/* Where plugins are is different on every machine. */
static char *
print_findings (ClqFindings *findings)
{
  g_autofree char *text = clq_findings_print (findings);
  GString *out = g_string_new (text);

  g_string_replace (out, g_getenv ("CLQ_PLUGIN_PATH"), "PLUGINS", 0);
  g_string_replace (out, FIXTURE_DIR, "FIXTURES", 0);
  return g_string_free (out, FALSE);
}

static void
assert_no_errors (ClqFindings *findings)
{
  g_autofree char *text = print_findings (findings);

  if (clq_findings_get_n_errors (findings) > 0)
    g_test_message ("%s", text);
  g_assert_cmpuint (clq_findings_get_n_errors (findings), ==, 0);
}

static void
test_good (gconstpointer data)
{
  const char *file = data;
  g_autoptr (ClqRegistry) registry = make_registry ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  const ClqGraphOptions options = { .registry = registry, .folders = graph_folders };
  const ClqGraphOptions bare = { .folders = graph_folders, .bare = TRUE };
  g_autoptr (ClqGraph) graph = clq_graph_load (file, &options, findings);
  g_autoptr (ClqGraph) again = NULL;
  g_autoptr (ClqGraph) alone = NULL;

  assert_no_errors (findings);
  g_assert_nonnull (graph);
  again = clq_graph_load_text (graph->name, graph->text, &options, findings);
  assert_no_errors (findings);
  g_assert_cmpstr (again->text, ==, graph->text);
  g_assert_true (again->hash == graph->hash);
  g_assert_cmpuint (strlen (graph->hash), ==, 32);
  alone = clq_graph_load (file, &bare, findings);
  assert_no_errors (findings);
  g_assert_nonnull (alone);
  g_assert_cmpuint (alone->bindings->len, ==, 0);
  g_assert_cmpuint (alone->n_states, ==, graph->n_states);
}

static void
test_bad (gconstpointer data)
{
  const char *file = data;
  g_autofree char *stem = g_strndup (file, strlen (file) - strlen (".graph"));
  g_autofree char *expected_file = g_strconcat (stem, ".expected", NULL);
  g_autofree char *expected = NULL;
  g_autofree char *actual = NULL;
  g_autoptr (ClqRegistry) registry = make_registry ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;
  const ClqGraphOptions options = { .registry = registry, .folders = graph_folders };

  g_file_get_contents (expected_file, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (clq_graph_load (file, &options, findings));
  actual = print_findings (findings);
  g_assert_cmpstr (actual, ==, expected);
  g_assert_cmpuint (clq_findings_get_n_errors (findings), >, 0);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
test_corpus (gconstpointer data)
{
  GPtrArray *names = (gpointer) data;
  guint n_good = 0, n_bad = 0, n_expected = 0;

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      n_good += g_str_has_prefix (name, "y_");
      n_bad += g_str_has_prefix (name, "n_") && g_str_has_suffix (name, ".graph");
      n_expected += g_str_has_suffix (name, ".expected");
    }
  g_assert_cmpuint (n_good, >=, MIN_GOOD);
  g_assert_cmpuint (n_bad, >=, MIN_BAD);
  g_assert_cmpuint (n_expected, ==, n_bad);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  /* Findings show the files as they are given, so the folder is where we are. */
  g_assert_cmpint (g_chdir (FILES_DIR), ==, 0);
  dir = g_dir_open (".", 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_test_add_data_func ("/colloquy/graph-files/corpus", names, test_corpus);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = NULL;

      name = g_ptr_array_index (names, i);
      path = g_strconcat ("/colloquy/graph-files/", name, NULL);
      if (g_str_has_suffix (name, ".graph") && g_str_has_prefix (name, "y_"))
        g_test_add_data_func (path, name, test_good);
      else if (g_str_has_suffix (name, ".graph") && g_str_has_prefix (name, "n_"))
        g_test_add_data_func (path, name, test_bad);
    }
  return g_test_run ();
}
