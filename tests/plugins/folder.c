#include "folder.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

char *
folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("clq-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
remove_all (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *inner = g_build_filename (path, name, NULL);

          remove_all (inner);
        }
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

void
folder_free (char *folder)
{
  remove_all (folder);
  g_free (folder);
}

/* Reads the file of a fixture. */
GByteArray *
fixture_read (const char *id)
{
  g_autofree char *name = g_strconcat (id, ".so", NULL);
  g_autofree char *path = g_build_filename (FIXTURES, name, NULL);
  g_autoptr (GError) error = NULL;
  char *content = NULL;
  gsize length;

  g_file_get_contents (path, &content, &length, &error);
  g_assert_no_error (error);
  return g_byte_array_new_take ((guint8 *) content, length);
}

/* Writes a plugin and returns its path. */
char *
folder_add_bytes (const char *folder, const char *id, const guint8 *bytes, gsize length)
{
  g_autofree char *name = g_strconcat (id, ".so", NULL);
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents_full (path, (const char *) bytes, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, 0644), ==, 0);
  return path;
}

/* Copies a fixture and returns its path. */
char *
folder_add (const char *folder, const char *id)
{
  g_autoptr (GByteArray) bytes = fixture_read (id);

  return folder_add_bytes (folder, id, bytes->data, bytes->len);
}

ClqRegistry *
registry_for (const char *folder)
{
  const char *const folders[] = { folder, NULL };

  return clq_registry_new (folders);
}

/* The plugin is refused with these words, now and when it is asked for again, and stays listed with them. */
void
assert_refused (ClqRegistry *registry, const char *id, ClqPluginError code, const char *message)
{
  const ClqPluginEntry *entry = clq_registry_open (registry, id);
  g_autofree char *kind = g_strconcat (id, ".wave", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (entry->plugin);
  g_assert_error (entry->error, CLQ_PLUGIN_ERROR, (int) code);
  g_assert_cmpstr (entry->error->message, ==, message);
  g_assert_true (clq_registry_open (registry, id) == entry);
  g_assert_true (g_ptr_array_find (clq_registry_get_entries (registry), entry, NULL));
  if (code == CLQ_PLUGIN_ERROR_NAME && entry->path == NULL)
    return;
  g_assert_null (clq_registry_find (registry, CLQ_FEATURE_NODE, kind, &error));
  g_assert_error (error, CLQ_PLUGIN_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, message);
}

/* A node can be found and made. */
void
assert_works (ClqRegistry *registry, const char *kind)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature = clq_registry_find (registry, CLQ_FEATURE_NODE, kind, &error);
  gpointer instance;

  g_assert_no_error (error);
  g_assert_nonnull (feature);
  instance = clq_instance_begin (feature, &error);
  g_assert_no_error (error);
  g_assert_true (clq_instance_ready (feature, instance, &error));
  g_assert_no_error (error);
  clq_instance_free (feature, instance);
}
