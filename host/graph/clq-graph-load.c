#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

#include "clq-keyfile-private.h"

#define SUFFIX ".graph"

/* ---- finding files ---- */

static gboolean
is_path (const char *name_or_path)
{
  return strchr (name_or_path, '/') != NULL || g_str_has_suffix (name_or_path, SUFFIX);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
list_folder (const char *folder, gboolean with_suffix, GPtrArray *names)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, with_suffix ? g_strdup (name) : g_strndup (name, strlen (name) - strlen (SUFFIX)));
}

static char *
hint_for (const char *name, GPtrArray *names)
{
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return clq_did_you_mean (name, (const char *const *) names->pdata);
}

static char *
find_path (const char *path, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  g_autofree char *hint = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_strdup (path);
  folder = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  list_folder (folder, TRUE, names);
  hint = hint_for (name, names);
  g_set_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_NOT_FOUND, "file '%s' not found%s", path, hint);
  return NULL;
}

/**
 * clq_graph_find_file:
 * @name_or_path: a name, or a path, which has a slash or ends with `.graph`
 * @folders: (nullable) (array zero-terminated=1): where names are looked up, the first one first
 * @error: return location
 *
 * Finds the file of a graph: for a name it is FOLDER/NAME.graph.
 *
 * Returns: (transfer full) (nullable): the path, or %NULL with @error set
 */
char *
clq_graph_find_file (const char *name_or_path, const char *const *folders, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *hint = NULL;
  g_autofree char *all = NULL;

  g_return_val_if_fail (name_or_path != NULL, NULL);

  if (is_path (name_or_path))
    return find_path (name_or_path, error);
  for (guint i = 0; folders != NULL && folders[i] != NULL; i++)
    {
      g_autofree char *file = g_strconcat (name_or_path, SUFFIX, NULL);
      g_autofree char *path = *folders[i] != '\0' ? g_build_filename (folders[i], file, NULL) : g_strdup (file);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
      list_folder (*folders[i] != '\0' ? folders[i] : ".", FALSE, names);
    }
  hint = hint_for (name_or_path, names);
  all = folders != NULL && folders[0] != NULL ? g_strjoinv (", ", (char **) folders) : g_strdup ("no folder at all");
  g_set_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_NOT_FOUND, "graph '%s' not found in %s%s", name_or_path, all, hint);
  return NULL;
}

/* ---- reading files ---- */

static gboolean
has_finding (ClqCompiler *self, int code)
{
  GPtrArray *all = clq_findings_get_all (self->findings);

  for (guint i = 0; i < all->len; i++)
    if (((ClqFinding *) g_ptr_array_index (all, i))->code == code)
      return TRUE;
  return FALSE;
}

/* Not every finding of the reader hides what comes later: of a double key the first one counts. */
static gboolean
is_readable (ClqCompiler *self)
{
  return !self->lacks_base && !has_finding (self, CLQ_GRAPH_ERROR_SYNTAX) &&
         !has_finding (self, CLQ_GRAPH_ERROR_NOT_FOUND) && !has_finding (self, CLQ_GRAPH_ERROR_FORMAT);
}

static char *
name_of_file (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_has_suffix (name, SUFFIX))
    name[strlen (name) - strlen (SUFFIX)] = '\0';
  return g_steal_pointer (&name);
}

/* What each file must say of itself, also one that is extended. */
static void
check_header (ClqCompiler *self, const ClqKeyfile *keyfile, const char *file, gboolean is_file)
{
  const ClqGroup *group = clq_keyfile_find_group (keyfile, "graph");
  ClqPlace format = { group, clq_keyfile_find (keyfile, "graph", "format") };
  ClqPlace name = { group, clq_keyfile_find (keyfile, "graph", "name") };
  g_autofree char *expected = is_file ? name_of_file (file) : NULL;

  if (group == NULL)
    {
      clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_FORMAT, file, 0,
                        "there is no [graph]; expected it with format=1, name and initial");
      return;
    }
  if (format.key == NULL)
    clq_compiler_report (self, (ClqPlace){ group, NULL }, CLQ_GRAPH_ERROR_VALUE, "there is no format; expected format=1");
  else if (strcmp (format.key->value, "1") != 0)
    clq_compiler_report (self, format, CLQ_GRAPH_ERROR_FORMAT, "'%s' is no format that this version reads; expected 1", format.key->value);
  if (name.key == NULL)
    clq_compiler_report (self, (ClqPlace){ group, NULL }, CLQ_GRAPH_ERROR_VALUE, "there is no name; expected name=%s",
                         expected != NULL ? expected : "NAME");
  else if (clq_compiler_check_name (self, name, "a graph", name.key->value) && expected != NULL &&
           strcmp (name.key->value, expected) != 0)
    clq_compiler_report (self, name, CLQ_GRAPH_ERROR_VALUE, "'%s' is not the name of the file; expected name=%s", name.key->value, expected);
}

/* The file of the graph that @path extends: first beside it, then where all graphs are. */
static char *
find_base (ClqCompiler *self, const char *path, ClqPlace place)
{
  g_autofree char *beside = strchr (path, '/') != NULL ? g_path_get_dirname (path) : g_strdup ("");
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *found;

  if (!clq_compiler_check_name (self, place, "a graph", place.key->value))
    return NULL;
  g_ptr_array_add (folders, beside);
  for (guint i = 0; self->options->folders != NULL && self->options->folders[i] != NULL; i++)
    g_ptr_array_add (folders, (gpointer) self->options->folders[i]);
  g_ptr_array_add (folders, NULL);
  found = clq_graph_find_file (place.key->value, (const char *const *) folders->pdata, NULL);
  if (found != NULL)
    return found;
  /* In a message the folder where we are needs a name. */
  if (*beside == '\0')
    folders->pdata[0] = (gpointer) ".";
  clq_graph_find_file (place.key->value, (const char *const *) folders->pdata, &error);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_NOT_FOUND, "%s", error->message);
  return NULL;
}

/* The list of @base with what is new in @own behind it. */
static char *
join_lists (const char *base, const char *own)
{
  g_auto (GStrv) old = g_strsplit (base, ";", -1);
  g_auto (GStrv) new = g_strsplit (own, ";", -1);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; old[i] != NULL; i++)
    if (*g_strstrip (old[i]) != '\0')
      g_ptr_array_add (all, old[i]);
  for (guint i = 0; new[i] != NULL; i++)
    if (*g_strstrip (new[i]) != '\0' && !g_strv_contains ((const char *const *) old, new[i]))
      g_ptr_array_add (all, new[i]);
  g_ptr_array_add (all, NULL);
  return g_strjoinv (";", (char **) all->pdata);
}

static void
merge (ClqKeyfile *base, const ClqKeyfile *own)
{
  static const char *const lists[] = { "actions", "deadlines" };
  static const char *const not_inherited[] = { "format", "name", "title", "chat" };
  char *joined[G_N_ELEMENTS (lists)] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const char *old = clq_keyfile_get (base, "graph", lists[i]), *new = clq_keyfile_get (own, "graph", lists[i]);

      joined[i] = old != NULL && new != NULL ? join_lists (old, new) : NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (not_inherited); i++)
    clq_keyfile_unset (base, "graph", not_inherited[i]);
  clq_keyfile_extend (base, own);
  clq_keyfile_unset (base, "graph", "extends");
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const ClqKey *key = clq_keyfile_find (base, "graph", lists[i]);

      if (joined[i] != NULL)
        clq_keyfile_put (base, clq_keyfile_add_group (base, "graph", key->file, key->line), lists[i], joined[i], key->file, key->line);
      g_free (joined[i]);
    }
}

static gboolean
check_cycle (ClqCompiler *self, GPtrArray *chain, const char *path, ClqPlace place)
{
  g_autoptr (GString) way = g_string_new (NULL);
  gboolean again = FALSE;

  for (guint i = 0; i < chain->len; i++)
    {
      const char *other = g_ptr_array_index (chain, i);
      g_autofree char *name = name_of_file (other);

      again = again || strcmp (other, path) == 0;
      if (again)
        g_string_append_printf (way, "%s extends ", name);
    }
  if (again)
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "%s%s; expected no circle", way->str, place.key->value);
  return !again;
}

/* Reads a file and all that it extends. @chain holds the files on the way here. */
static ClqKeyfile *
read_chain (ClqCompiler *self, const char *path, GPtrArray *chain)
{
  g_autoptr (ClqKeyfile) own = clq_keyfile_new ();
  ClqKeyfile *base;
  g_autofree char *base_path = NULL;
  g_autofree char *canonical = NULL;
  ClqPlace extends;

  clq_keyfile_read_file (own, path, self->findings);
  if (!is_readable (self))
    return g_steal_pointer (&own);
  check_header (self, own, path, TRUE);
  extends = (ClqPlace){ clq_keyfile_find_group (own, "graph"), clq_keyfile_find (own, "graph", "extends") };
  if (chain->len == 0 && extends.group != NULL)
    self->line = extends.group->line;
  if (extends.key == NULL)
    return g_steal_pointer (&own);

  g_ptr_array_add (chain, g_canonicalize_filename (path, NULL));
  base_path = find_base (self, path, extends);
  canonical = base_path != NULL ? g_canonicalize_filename (base_path, NULL) : NULL;
  if (base_path == NULL || !check_cycle (self, chain, canonical, extends))
    {
      self->lacks_base = TRUE;
      return g_steal_pointer (&own);
    }
  base = read_chain (self, base_path, chain);
  merge (base, own);
  return base;
}

/* ---- overrides ---- */

static void
apply_override (ClqCompiler *self, const char *text)
{
  static const char origin[] = "--set";
  ClqKeyfile *keyfile = self->graph->keyfile;
  GPtrArray *groups = clq_keyfile_get_groups (keyfile);
  const char *dot = strchr (text, '.'), *equals = strchr (text, '=');
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *group = NULL;
  g_autofree char *hint = NULL;

  if (dot == NULL || equals == NULL || dot > equals || dot == text)
    {
      clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_SYNTAX, origin, 0,
                        "'%s' sets nothing; expected GROUP.KEY=VALUE, for example graph.max-hops=5", text);
      return;
    }
  group = g_strstrip (g_strndup (text, dot - text));
  /* A state of a mistyped name would be a new one, and findings about that would not help. */
  if (g_str_has_prefix (group, "state ") && strcmp (group, "state *") != 0 && clq_keyfile_find_group (keyfile, group) == NULL)
    {
      for (guint i = 0; i < groups->len; i++)
        if (g_str_has_prefix (((ClqGroup *) g_ptr_array_index (groups, i))->name, "state "))
          g_ptr_array_add (names, ((ClqGroup *) g_ptr_array_index (groups, i))->name);
      g_ptr_array_add (names, NULL);
      hint = clq_did_you_mean (group, (const char *const *) names->pdata);
      clq_findings_add (self->findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_UNKNOWN_NODE, origin, 0, "unknown group [%s]%s", group, hint);
      return;
    }
  clq_keyfile_set_line (keyfile, group, dot + 1, origin, self->findings);
}

/* ---- loading ---- */

static void
compiler_clear (ClqCompiler *self)
{
  g_clear_pointer (&self->findings, clq_findings_free);
  g_clear_pointer (&self->ways, clq_ways_free);
  g_clear_pointer (&self->state_groups, g_ptr_array_unref);
  g_clear_pointer (&self->plans, g_array_unref);
  g_clear_pointer (&self->guards, g_hash_table_unref);
  g_strfreev (self->actions);
  g_strfreev (self->deadlines);
  g_free (self->doubtful);
  g_free (self->accepted);
  g_free (self->occurs);
  g_free (self->file);
  g_strfreev (self->folders);
}

/* What a graph names is looked for beside its file, if it has one, and in the configuration folders, which hold those of graphs. */
static char **
dup_file_folders (const char *path, const ClqGraphOptions *options)
{
  GPtrArray *folders = g_ptr_array_new ();

  if (path != NULL)
    g_ptr_array_add (folders, g_path_get_dirname (path));
  for (guint i = 0; options->folders != NULL && options->folders[i] != NULL; i++)
    g_ptr_array_add (folders, g_path_get_dirname (options->folders[i]));
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}

static void
compiler_init (ClqCompiler *self, const char *file, gboolean is_path, const ClqGraphOptions *options)
{
  ClqGraph *graph = g_new0 (ClqGraph, 1);

  g_atomic_ref_count_init (&graph->ref_count);
  graph->bare = options->bare;
  graph->message = -1;
  graph->state_index = g_hash_table_new (g_str_hash, g_str_equal);
  graph->event_index = g_hash_table_new (g_str_hash, g_str_equal);
  graph->aliases = g_hash_table_new (g_str_hash, g_str_equal);
  graph->bindings = g_ptr_array_new_with_free_func (clq_binding_free);
  graph->guards = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_guard_free);
  graph->metrics = g_ptr_array_new_with_free_func (clq_metric_free);
  graph->invariants = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_invariant_free);

  *self = (ClqCompiler){ .graph = graph, .options = options, .file = g_strdup (file) };
  /* Its own list: what the caller's has already is not added again and would not be counted. */
  self->findings = clq_findings_new ();
  self->folders = dup_file_folders (is_path ? file : NULL, options);
  self->state_groups = g_ptr_array_new ();
  self->plans = g_array_new (FALSE, TRUE, sizeof (ClqNodePlan));
  self->guards = g_hash_table_new (g_str_hash, g_str_equal);
}

/* Compiles what was read, hands the findings over and lets the graph go if there are errors. */
static ClqGraph *
finish (ClqCompiler *self, ClqKeyfile *keyfile, gboolean is_file, ClqFindings *findings)
{
  g_autoptr (ClqGraph) graph = self->graph;
  GPtrArray *all;
  gboolean good;

  graph->keyfile = keyfile;
  good = is_readable (self);
  for (guint i = 0; good && self->options->overrides != NULL && self->options->overrides[i] != NULL; i++)
    apply_override (self, self->options->overrides[i]);
  if (good && is_file)
    clq_compiler_expand_values (self);
  if (is_readable (self))
    {
      g_autofree char *hash = NULL;

      graph->text = clq_keyfile_print (keyfile);
      hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, graph->text, -1);
      hash[32] = '\0';
      graph->hash = g_intern_string (hash);
      clq_compiler_run (self);
    }
  all = clq_findings_get_all (self->findings);
  for (guint i = 0; i < all->len; i++)
    clq_findings_add_copy (findings, g_ptr_array_index (all, i));
  good = clq_findings_get_n_errors (self->findings) == 0;
  compiler_clear (self);
  return good ? g_steal_pointer (&graph) : NULL;
}

/**
 * clq_graph_load:
 * @name_or_path: a graph, see clq_graph_find_file ()
 * @options: where things are found
 * @findings: where to say what is wrong, all of it
 *
 * Loads a graph from a file, with what it extends and with the overrides.
 *
 * Returns: (transfer full) (nullable): the graph, or %NULL if there are errors among the findings
 */
ClqGraph *
clq_graph_load (const char *name_or_path, const ClqGraphOptions *options, ClqFindings *findings)
{
  g_autoptr (GPtrArray) chain = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  ClqCompiler compiler;
  ClqKeyfile *keyfile;

  g_return_val_if_fail (name_or_path != NULL && options != NULL && findings != NULL, NULL);
  g_return_val_if_fail (options->bare || options->registry != NULL, NULL);

  path = clq_graph_find_file (name_or_path, options->folders, &error);
  if (path == NULL)
    {
      clq_findings_add (findings, CLQ_FINDING_ERROR, error->code, name_or_path, 0, "%s", error->message);
      return NULL;
    }
  compiler_init (&compiler, path, TRUE, options);
  chain = g_ptr_array_new_with_free_func (g_free);
  keyfile = read_chain (&compiler, path, chain);
  return finish (&compiler, keyfile, TRUE, findings);
}

/**
 * clq_graph_load_text:
 * @name: what stands in place of the file in findings
 * @text: the text of a graph that extends no other, such as the text of a loaded graph
 * @options: where things are found
 * @findings: where to say what is wrong, all of it
 *
 * Loads a graph from a text. The text of a loaded graph gives one of the same hash.
 *
 * Returns: (transfer full) (nullable): the graph, or %NULL if there are errors among the findings
 */
ClqGraph *
clq_graph_load_text (const char *name, const char *text, const ClqGraphOptions *options, ClqFindings *findings)
{
  ClqCompiler compiler;
  ClqKeyfile *keyfile;

  g_return_val_if_fail (name != NULL && text != NULL && options != NULL && findings != NULL, NULL);
  g_return_val_if_fail (options->bare || options->registry != NULL, NULL);

  compiler_init (&compiler, name, FALSE, options);
  keyfile = clq_keyfile_new ();
  clq_keyfile_read_text (keyfile, name, text, -1, compiler.findings);
  if (is_readable (&compiler))
    {
      const ClqGroup *group = clq_keyfile_find_group (keyfile, "graph");

      check_header (&compiler, keyfile, name, FALSE);
      compiler.line = group != NULL ? group->line : 0;
    }
  return finish (&compiler, keyfile, FALSE, findings);
}
