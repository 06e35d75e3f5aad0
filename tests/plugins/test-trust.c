/* Whose files are loaded: nobody but root and the user of the host may have had a say in what runs in it. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clq-loader.h"
#include "folder.h"

#define SOMEBODY 65534

static void
assert_forbidden (ClqRegistry *registry, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The plugin "good" is refused with these words. */
static void
assert_forbidden (ClqRegistry *registry, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  assert_refused (registry, "good", CLQ_PLUGIN_ERROR_PERMISSION, message);
}

static void
link_to (const char *target, const char *path)
{
  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
test_file_writable (void)
{
  static const struct
  {
    int mode;
    const char *who;
  } cases[] = { { 0664, "its group" }, { 0620, "its group" }, { 0646, "everybody" }, { 0666, "everybody" }, { 0777, "everybody" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Folder) folder = folder_new ();
      g_autofree char *path = folder_add (folder, "good");
      g_autofree char *other = folder_add (folder, "start-fails");
      g_autoptr (ClqRegistry) registry = registry_for (folder);

      g_assert_cmpint (g_chmod (path, cases[i].mode), ==, 0);
      assert_forbidden (registry, "%s: writable by %s; expected only by its owner: chmod go-w %s", path, cases[i].who, path);
      assert_works (registry, "start-fails.doubt");
    }
}

static void
test_file_modes (void)
{
  static const int modes[] = { 0600, 0644, 0755, 0555, 04755 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (Folder) folder = folder_new ();
      g_autofree char *path = folder_add (folder, "good");
      g_autoptr (ClqRegistry) registry = registry_for (folder);

      g_assert_cmpint (g_chmod (path, modes[i]), ==, 0);
      assert_works (registry, "good.wave");
    }
}

/* The sticky bit keeps others from taking away a file, but not from bringing one. */
static void
test_folder_writable (void)
{
  static const struct
  {
    int mode;
    const char *who;
  } cases[] = { { 0770, "its group" }, { 0707, "everybody" }, { 0777, "everybody" }, { 01777, "everybody" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Folder) folder = folder_new ();
      g_autofree char *path = folder_add (folder, "good");
      g_autoptr (ClqRegistry) registry = registry_for (folder);

      g_assert_cmpint (g_chmod (folder, cases[i].mode), ==, 0);
      assert_forbidden (registry, "%s: %s: writable by %s; expected only by its owner: chmod go-w %s", path, folder, cases[i].who, folder);
    }
}

static void
test_other_owner (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_autoptr (ClqRegistry) another = registry_for (folder);

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give files away");
      return;
    }
  g_assert_cmpint (chown (path, SOMEBODY, SOMEBODY), ==, 0);
  assert_forbidden (registry, "%s: owned by user %d; expected root or the user of this host, 0", path, SOMEBODY);
  g_assert_cmpint (chown (path, 0, 0), ==, 0);
  g_assert_cmpint (chown (folder, SOMEBODY, SOMEBODY), ==, 0);
  assert_forbidden (another, "%s: %s: owned by user %d; expected root or the user of this host, 0", path, folder, SOMEBODY);
  g_assert_cmpint (chown (folder, 0, 0), ==, 0);
}

/* An ordinary user may load what root has installed and what is the user's own, but nothing of a third one. */
static void
test_ordinary_user (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *of_root = folder_add (folder, "good");
  g_autofree char *own = folder_add (folder, "start-fails");
  g_autofree char *of_other = folder_add (folder, "wrong-name");
  g_autofree char *message = g_strdup_printf ("%s: owned by user 1; expected root or the user of this host, %d", of_other, SOMEBODY);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become somebody else");
      return;
    }
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  g_assert_cmpint (chown (own, SOMEBODY, SOMEBODY), ==, 0);
  g_assert_cmpint (chown (of_other, 1, 1), ==, 0);
  g_assert_cmpint (seteuid (SOMEBODY), ==, 0);
  assert_works (registry, "good.wave");
  assert_works (registry, "start-fails.doubt");
  assert_refused (registry, "wrong-name", CLQ_PLUGIN_ERROR_PERMISSION, message);
  g_assert_cmpint (seteuid (0), ==, 0);
}

static void
test_relative_folder (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  const char *const after[] = { folder, "plugins", NULL };
  const char *const before[] = { "plugins", folder, NULL };
  const char *const empty[] = { "", folder, NULL };
  g_autoptr (ClqRegistry) found = clq_registry_new (after);
  g_autoptr (ClqRegistry) not_found = clq_registry_new (before);
  g_autoptr (ClqRegistry) skipped = clq_registry_new (empty);

  assert_works (found, "good.wave");
  assert_refused (found, "start-fails", CLQ_PLUGIN_ERROR_PERMISSION, "plugin folder 'plugins': expected an absolute path");
  assert_forbidden (not_found, "plugin folder 'plugins': expected an absolute path");
  assert_works (skipped, "good.wave");
}

/* Links are good as long as everything on the way is. */
static void
test_link_good (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) elsewhere = folder_new ();
  g_autofree char *target = folder_add (elsewhere, "good");
  g_autofree char *versioned = g_build_filename (elsewhere, "good.so.1", NULL);
  g_autofree char *path = g_build_filename (folder, "good.so", NULL);
  g_autofree char *link_of_folder = g_build_filename (elsewhere, "plugins", NULL);
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  g_autoptr (ClqRegistry) through = registry_for (link_of_folder);

  g_assert_cmpint (g_rename (target, versioned), ==, 0);
  link_to ("good.so.1", target);
  link_to (target, path);
  link_to (folder, link_of_folder);
  assert_works (registry, "good.wave");
  g_assert_cmpstr (clq_registry_open (registry, "good")->path, ==, path);
  assert_works (through, "good.wave");
}

static void
test_link_to_writable (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) elsewhere = folder_new ();
  g_autofree char *target = folder_add (elsewhere, "good");
  g_autofree char *path = g_build_filename (folder, "good.so", NULL);
  g_autoptr (ClqRegistry) file = registry_for (folder);
  g_autoptr (ClqRegistry) place = registry_for (folder);

  link_to (target, path);
  g_assert_cmpint (g_chmod (target, 0666), ==, 0);
  assert_forbidden (file, "%s: %s: writable by everybody; expected only by its owner: chmod go-w %s", path, target, target);
  g_assert_cmpint (g_chmod (target, 0644), ==, 0);
  g_assert_cmpint (g_chmod (elsewhere, 0777), ==, 0);
  assert_forbidden (place, "%s: %s: writable by everybody; expected only by its owner: chmod go-w %s", path, elsewhere, elsewhere);
}

/* A link that somebody else could turn elsewhere is as bad as a file that somebody else could write. */
static void
test_link_through_writable (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) between = folder_new ();
  g_autoptr (Folder) elsewhere = folder_new ();
  g_autofree char *target = folder_add (elsewhere, "good");
  g_autofree char *middle = g_build_filename (between, "good.so", NULL);
  g_autofree char *path = g_build_filename (folder, "good.so", NULL);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  link_to (target, middle);
  link_to (middle, path);
  g_assert_cmpint (g_chmod (between, 0777), ==, 0);
  assert_forbidden (registry, "%s: %s: writable by everybody; expected only by its owner: chmod go-w %s", path, between, between);
}

static void
test_link_of_folder_to_writable (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autoptr (Folder) elsewhere = folder_new ();
  g_autofree char *target = folder_add (elsewhere, "good");
  g_autofree char *plugins = g_build_filename (folder, "plugins", NULL);
  g_autoptr (ClqRegistry) registry = registry_for (plugins);

  link_to (elsewhere, plugins);
  g_assert_cmpint (g_chmod (elsewhere, 0770), ==, 0);
  assert_forbidden (registry, "%s/good.so: %s: writable by its group; expected only by its owner: chmod go-w %s", plugins, plugins, plugins);
}

static void
test_link_to_nothing (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *file = g_build_filename (folder, "file.so", NULL);
  g_autofree char *place = g_build_filename (folder, "place.so", NULL);
  g_autofree char *no_file = g_strdup_printf ("%s: %s/gone.so: cannot be opened: No such file or directory", file, folder);
  g_autofree char *no_place = g_strdup_printf ("%s: %s/gone: cannot be opened: No such file or directory", place, folder);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  link_to ("gone.so", file);
  link_to ("gone/gone.so", place);
  assert_refused (registry, "file", CLQ_PLUGIN_ERROR_OPEN, no_file);
  assert_refused (registry, "place", CLQ_PLUGIN_ERROR_OPEN, no_place);
}

static void
test_link_chain (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *target = folder_add (folder, "good");
  g_autofree char *last = g_build_filename (folder, "link0", NULL);
  g_autofree char *too_long = g_build_filename (folder, "chain.so", NULL);
  g_autoptr (ClqRegistry) registry = registry_for (folder);
  const ClqPluginEntry *entry;

  g_assert_cmpint (g_rename (target, last), ==, 0);
  for (int i = 1; i <= 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/link%d", folder, i);
      g_autofree char *next = g_strdup_printf ("link%d", i - 1);

      link_to (next, name);
    }
  link_to ("link9", target);
  link_to ("link40", too_long);
  assert_works (registry, "good.wave");
  entry = clq_registry_open (registry, "chain");
  g_assert_error (entry->error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_OPEN);
  g_assert_true (g_str_has_suffix (entry->error->message, "cannot be opened: Too many levels of symbolic links"));
}

/* The first folder that has the file decides, even if it may not be used: a second copy is not a way around. */
static void
test_first_folder_decides (void)
{
  g_autoptr (Folder) first = folder_new ();
  g_autoptr (Folder) second = folder_new ();
  g_autofree char *bad = folder_add (first, "good");
  g_autofree char *good = folder_add (second, "good");
  g_autofree char *other = folder_add (second, "start-fails");
  const char *const folders[] = { first, second, NULL };
  g_autoptr (ClqRegistry) registry = clq_registry_new (folders);

  g_assert_cmpint (g_chmod (bad, 0666), ==, 0);
  assert_forbidden (registry, "%s: writable by everybody; expected only by its owner: chmod go-w %s", bad, bad);
  assert_works (registry, "start-fails.doubt");
}

/* The file that was checked is the file that is loaded. */
static void
test_replaced_after_check (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *evil = folder_add (folder, "start-fails");
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;
  const char *const folders[] = { folder, NULL };
  const ClqPlugin *plugin;
  gsize room = 0;
  int fd = clq_loader_find (folders, "good", &found, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpint (g_rename (evil, path), ==, 0);
  plugin = clq_loader_open (fd, path, &room, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plugin->id, ==, "good");
  g_assert_cmpuint (room, ==, sizeof (ClqPlugin));
}

/* The linker knows a plugin by a name with the number of a descriptor in it, and such a number is used again. */
static void
test_descriptor_used_again (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *one = folder_add (folder, "good");
  g_autofree char *other = folder_add (folder, "start-fails");
  g_autoptr (ClqRegistry) first = registry_for (folder);

  assert_works (first, "good.wave");
  for (int i = 0; i < 20; i++)
    {
      g_autoptr (ClqRegistry) registry = registry_for (folder);

      assert_works (registry, "good.wave");
      assert_works (registry, "start-fails.doubt");
      g_assert_true (clq_registry_open (registry, "good")->plugin == clq_registry_open (first, "good")->plugin);
      g_assert_cmpstr (clq_registry_open (registry, "start-fails")->plugin->id, ==, "start-fails");
    }
}

/* Opened again and again, a plugin costs one descriptor and a refused one none. */
static void
test_descriptors_stay (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *good = folder_add (folder, "good");
  g_autofree char *bad = folder_add (folder, "bad-magic");
  g_autofree char *worse = folder_add_bytes (folder, "worse", (const guint8 *) "text", 4);
  int before = -1;

  for (int i = 0; i < 20; i++)
    {
      g_autoptr (ClqRegistry) registry = registry_for (folder);
      int next;

      assert_works (registry, "good.wave");
      g_assert_nonnull (clq_registry_open (registry, "bad-magic")->error);
      g_assert_nonnull (clq_registry_open (registry, "worse")->error);
      next = dup (0);
      g_assert_cmpint (next, >=, 0);
      close (next);
      g_assert_true (before < 0 || next == before);
      before = next;
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/plugins/trust/file-writable", test_file_writable);
  g_test_add_func ("/colloquy/plugins/trust/file-modes", test_file_modes);
  g_test_add_func ("/colloquy/plugins/trust/folder-writable", test_folder_writable);
  g_test_add_func ("/colloquy/plugins/trust/other-owner", test_other_owner);
  g_test_add_func ("/colloquy/plugins/trust/ordinary-user", test_ordinary_user);
  g_test_add_func ("/colloquy/plugins/trust/relative-folder", test_relative_folder);
  g_test_add_func ("/colloquy/plugins/trust/link-good", test_link_good);
  g_test_add_func ("/colloquy/plugins/trust/link-to-writable", test_link_to_writable);
  g_test_add_func ("/colloquy/plugins/trust/link-through-writable", test_link_through_writable);
  g_test_add_func ("/colloquy/plugins/trust/link-of-folder-to-writable", test_link_of_folder_to_writable);
  g_test_add_func ("/colloquy/plugins/trust/link-to-nothing", test_link_to_nothing);
  g_test_add_func ("/colloquy/plugins/trust/link-chain", test_link_chain);
  g_test_add_func ("/colloquy/plugins/trust/first-folder-decides", test_first_folder_decides);
  g_test_add_func ("/colloquy/plugins/trust/replaced-after-check", test_replaced_after_check);
  g_test_add_func ("/colloquy/plugins/trust/descriptor-used-again", test_descriptor_used_again);
  g_test_add_func ("/colloquy/plugins/trust/descriptors-stay", test_descriptors_stay);
  return g_test_run ();
}
