#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

#include "clq-keyfile-private.h"

#define FILE_PREFIX "file:"
#define FOLDER_PREFIX "folder:"

/* Long enough for every prompt and list of words, too short for a file that was not meant. */
#define MAX_FILE (64 * 1024)
#define MAX_FOLDER (256 * 1024)
#define MAX_DEPTH 4

/* ---- texts of files ---- */

/* The file beside the one that names it, else beside the graphs in the folders of graphs. */
static char *
find_text_file (const ClqCompiler *self, const char *path, const char *named_in)
{
  const char *const *folders = self->options->folders;
  g_autofree char *folder = g_path_get_dirname (named_in);
  g_autofree char *beside = g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (folder, path, NULL);

  if (g_file_test (beside, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&beside);
  for (guint i = 0; !g_path_is_absolute (path) && folders != NULL && folders[i] != NULL; i++)
    {
      g_autofree char *other = g_build_filename (folders[i], path, NULL);

      if (g_file_test (other, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&other);
    }
  return NULL;
}

static char *
read_file (ClqCompiler *self, ClqPlace place, const char *name, const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;

  if (!g_file_get_contents (path, &text, &length, &error))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_NOT_FOUND, "%s", error->message);
  else if (length > MAX_FILE)
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "file '%s' has %" G_GSIZE_FORMAT " bytes; expected at most %d", name, length, MAX_FILE);
  else if (!g_utf8_validate (text, (gssize) length, NULL))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "file '%s' is no text in UTF-8", name);
  else
    return g_steal_pointer (&text);
  return NULL;
}

static char *
read_text (ClqCompiler *self, ClqPlace place, const char *path)
{
  g_autofree char *found = find_text_file (self, path, place.key->file);

  if (found != NULL)
    return read_file (self, place, path, found);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_NOT_FOUND, "there is no file '%s'; expected it beside this file, or beside the graphs", path);
  return NULL;
}

/* ---- texts of folders ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names in one order on every machine: a graph is known by its text. Hidden files and what editors leave behind are no texts. */
static GPtrArray *
list_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (name[0] != '.' && !g_str_has_suffix (name, "~"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* Appends the texts of a folder and of those in it, by their paths from the first one; FALSE after a report. */
static gboolean
append_folder (ClqCompiler *self, ClqPlace place, const char *folder, const char *prefix, guint depth, GString *out)
{
  g_autoptr (GPtrArray) names = list_folder (folder);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL), *known = g_strconcat (prefix, name, NULL);
      g_autofree char *inner = g_strconcat (known, "/", NULL), *text = NULL;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (depth < MAX_DEPTH && !append_folder (self, place, path, inner, depth + 1, out))
            return FALSE;
          continue;
        }
      text = read_file (self, place, known, path);
      if (text == NULL)
        return FALSE;
      if (out->len > 1)
        g_string_append_c (out, ',');
      clq_json_append_string (out, known, -1);
      g_string_append_c (out, ':');
      clq_json_append_string (out, text, -1);
    }
  return TRUE;
}

static char *
read_folder (ClqCompiler *self, ClqPlace place, const char *path)
{
  g_autofree char *found = find_text_file (self, path, place.key->file);
  g_autoptr (GString) out = g_string_new ("{");

  if (found == NULL || !g_file_test (found, G_FILE_TEST_IS_DIR))
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_NOT_FOUND, "there is no folder '%s'; expected it beside this file, or beside the graphs", path);
      return NULL;
    }
  if (!append_folder (self, place, found, "", 1, out))
    return NULL;
  g_string_append_c (out, '}');
  if (out->len <= MAX_FOLDER)
    return g_strdup (out->str);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "the texts in folder '%s' have %" G_GSIZE_FORMAT " bytes; expected at most %d", path, out->len, MAX_FOLDER);
  return NULL;
}

/* ---- values of the modality ---- */

static void
report_unknown (ClqCompiler *self, ClqPlace place, const char *name)
{
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, "modality");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    g_ptr_array_add (names, ((ClqKey *) g_ptr_array_index (group->keys, i))->key);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_KEY,
                       "${%s} stands for nothing: [modality] has no key '%s'%s", name, name, hint);
}

/* What `${NAME}` stands for; NULL after a report. */
static char *
find_value (ClqCompiler *self, ClqPlace place, const char *name)
{
  const char *value;

  if (g_str_has_prefix (name, FILE_PREFIX))
    return read_text (self, place, name + strlen (FILE_PREFIX));
  if (g_str_has_prefix (name, FOLDER_PREFIX))
    return read_folder (self, place, name + strlen (FOLDER_PREFIX));
  value = strcmp (place.group->name, "modality") != 0 ? clq_keyfile_get (self->graph->keyfile, "modality", name) : NULL;
  if (value == NULL)
    report_unknown (self, place, name);
  return g_strdup (value);
}

/* ---- all of them ---- */

/* The value with everything replaced; what is put in is not looked at again. NULL after a report. */
static char *
expand (ClqCompiler *self, ClqPlace place)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *rest = place.key->value, *start;

  while ((start = strstr (rest, "${")) != NULL)
    {
      const char *end = strchr (start, '}');
      g_autofree char *name = end != NULL ? g_strndup (start + 2, end - start - 2) : NULL;
      g_autofree char *value = NULL;

      if (name == NULL)
        {
          clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "'${' without its '}'");
          return NULL;
        }
      value = find_value (self, place, name);
      if (value == NULL)
        return NULL;
      g_string_append_len (out, rest, start - rest);
      g_string_append (out, value);
      rest = end + 1;
    }
  g_string_append (out, rest);
  return g_strdup (out->str);
}

static void
expand_group (ClqCompiler *self, ClqGroup *group)
{
  for (guint i = 0; i < group->keys->len; i++)
    {
      const ClqKey *key = g_ptr_array_index (group->keys, i);
      g_autofree char *value = NULL;

      if (strstr (key->value, "${") == NULL || clq_compiler_is_free (key->key))
        continue;
      value = expand (self, (ClqPlace){ group, key });
      if (value != NULL)
        clq_keyfile_put (self->graph->keyfile, group, key->key, value, key->file, key->line);
    }
}

/*
 * Private: puts what `${KEY}`, `${file:PATH}` and `${folder:PATH}` stand for into the values of states and modality. The text of a graph holds
 * it from then on: a session goes on with the words and prompts that it was opened with, whatever becomes of the files.
 */
void
clq_compiler_expand_values (ClqCompiler *self)
{
  GPtrArray *groups = clq_keyfile_get_groups (self->graph->keyfile);

  for (guint i = 0; i < groups->len; i++)
    {
      ClqGroup *group = g_ptr_array_index (groups, i);

      if (strcmp (group->name, "modality") == 0 || g_str_has_prefix (group->name, "state "))
        expand_group (self, group);
    }
}
