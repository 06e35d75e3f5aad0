/* Reading and listing below a root, and all the ways out of it that do not work. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <colloquy-testing.h>
#include <glib/gstdio.h>

#include "tool-caller.h"

#define SECRET "the secret of the folder outside"

/* A folder with root/ and, beside it, what nobody may read. */
typedef struct
{
  char *base;
  char *root;
  int fd;
} Tree;

static char *
at (Tree *tree, const char *path)
{
  return g_build_filename (tree->base, path, NULL);
}

static void
write_file (Tree *tree, const char *path, const char *text, gssize length)
{
  g_autofree char *name = at (tree, path);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (name, text, length, &error);
  g_assert_no_error (error);
}

static void
make_folder (Tree *tree, const char *path)
{
  g_autofree char *name = at (tree, path);

  g_assert_cmpint (g_mkdir (name, 0700), ==, 0);
}

static void
make_link (Tree *tree, const char *target, const char *path)
{
  g_autofree char *name = at (tree, path);

  g_assert_cmpint (symlink (target, name), ==, 0);
}

static void
make_odd_files (Tree *tree)
{
  g_autofree char *pipe_name = at (tree, "root/pipe");
  g_autofree char *socket_name = at (tree, "root/socket");
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  g_assert_cmpint (mkfifo (pipe_name, 0600), ==, 0);
  g_assert_cmpuint (strlen (socket_name), <, sizeof address.sun_path);
  strcpy (address.sun_path, socket_name);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  close (fd);
}

static Tree *
tree_new (void)
{
  Tree *tree = g_new0 (Tree, 1);
  g_autofree char *secret = NULL;
  g_autoptr (GError) error = NULL;

  tree->base = g_dir_make_tmp ("clq-files-XXXXXX", &error);
  g_assert_no_error (error);
  tree->root = at (tree, "root");
  make_folder (tree, "root");
  make_folder (tree, "root/sub");
  make_folder (tree, "outside");
  make_folder (tree, "root-too");
  write_file (tree, "root/a.txt", "first line\nsecond line\n", -1);
  write_file (tree, "root/sub/b.txt", "grüße 😀", -1);
  write_file (tree, "root/binary", "a\0b", 3);
  write_file (tree, "root/latin", "gr\374n", -1);
  write_file (tree, "root/empty", "", 0);
  write_file (tree, "outside/secret", SECRET, -1);
  write_file (tree, "root-too/secret", SECRET, -1);
  secret = at (tree, "outside/secret");
  make_link (tree, secret, "root/absolute-link");
  make_link (tree, "../outside/secret", "root/relative-link");
  make_link (tree, "../outside", "root/folder-link");
  make_link (tree, "..", "root/parent-link");
  make_link (tree, "/", "root/slash-link");
  make_link (tree, "a.txt", "root/inner-link");
  make_link (tree, "loop", "root/loop");
  make_link (tree, "/proc/self/root", "root/magic-link");
  make_link (tree, "relative-link", "root/link-to-link");
  make_link (tree, "/dev/null", "root/device-link");
  make_link (tree, "/dev/stdin", "root/stdin-link");
  make_odd_files (tree);
  g_assert_true (files_root_open (tree->root, &tree->fd, &error));
  return tree;
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_all (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
tree_free (Tree *tree)
{
  close (tree->fd);
  remove_all (tree->base);
  g_free (tree->base);
  g_free (tree->root);
  g_free (tree);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tree, tree_free)

/* What a tool answers. */
static char *
use (Tree *tree, const char *kind, const ClqToolInfo *info, const char *arguments, const char *key, const char *value)
{
  g_autoptr (ClqTestNode) test = tool_caller_new (kind, arguments);
  g_autoptr (GError) error = NULL;
  char *answer;

  if (tree != NULL)
    clq_test_node_add_tool (test, kind, info, &error, "root", tree->root, key, value, NULL);
  else
    clq_test_node_add_tool (test, kind, info, &error, NULL);
  g_assert_no_error (error);
  answer = g_strdup (tool_caller_run (test));
  clq_test_node_assert_released (test);
  return answer;
}

static void
assert_read (Tree *tree, const char *arguments, const char *max_size, const char *expected)
{
  g_autofree char *answer = use (tree, "files.read", &files_read, arguments, max_size != NULL ? "max-size" : NULL, max_size);

  g_assert_cmpstr (answer, ==, expected);
}

/* ---- reading ---- */

static void
test_files_read (void)
{
  g_autoptr (Tree) tree = tree_new ();

  assert_read (tree, "{\"path\":\"a.txt\"}", NULL, "{\"path\":\"a.txt\",\"size\":23,\"offset\":0,\"text\":\"first line\\nsecond line\\n\"}");
  assert_read (tree, "{\"path\":\"./sub//b.txt\"}", NULL, "{\"path\":\"./sub//b.txt\",\"size\":12,\"offset\":0,\"text\":\"grüße 😀\"}");
  assert_read (tree, "{\"path\":\"empty\"}", NULL, "{\"path\":\"empty\",\"size\":0,\"offset\":0,\"text\":\"\"}");
  assert_read (tree, "{\"path\":\"a.txt\",\"offset\":11}", NULL, "{\"path\":\"a.txt\",\"size\":23,\"offset\":11,\"text\":\"second line\\n\"}");
  assert_read (tree, "{\"path\":\"a.txt\",\"offset\":6,\"limit\":4}", NULL, "{\"path\":\"a.txt\",\"size\":23,\"offset\":6,\"text\":\"line\",\"next\":10}");
  assert_read (tree, "{\"path\":\"a.txt\",\"offset\":99}", NULL, "{\"path\":\"a.txt\",\"size\":23,\"offset\":99,\"text\":\"\"}");
  assert_read (tree, "{\"path\":\"a.txt\",\"offset\":9223372036854775807,\"limit\":9223372036854775807}", NULL,
               "{\"path\":\"a.txt\",\"size\":23,\"offset\":9223372036854710271,\"text\":\"\"}");
  assert_read (tree, "{\"path\":\"a.txt\",\"limit\":100}", "5", "{\"path\":\"a.txt\",\"size\":23,\"offset\":0,\"text\":\"first\",\"next\":5}");
}

/* A piece never has half a character. */
static void
test_files_characters (void)
{
  g_autoptr (Tree) tree = tree_new ();

  assert_read (tree, "{\"path\":\"sub/b.txt\",\"limit\":3}", NULL, "{\"path\":\"sub/b.txt\",\"size\":12,\"offset\":0,\"text\":\"gr\",\"next\":2}");
  assert_read (tree, "{\"path\":\"sub/b.txt\",\"offset\":3,\"limit\":3}", NULL, "{\"path\":\"sub/b.txt\",\"size\":12,\"offset\":4,\"text\":\"ß\",\"next\":6}");
  assert_read (tree, "{\"path\":\"sub/b.txt\",\"offset\":8,\"limit\":3}", NULL, "user: 'sub/b.txt': the limit is less than one character");
  assert_read (tree, "{\"path\":\"binary\"}", NULL, "user: 'binary' is not text; expected UTF-8");
  assert_read (tree, "{\"path\":\"latin\"}", NULL, "user: 'latin' is not text; expected UTF-8");
}

static void
test_files_list (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *sub = use (tree, "files.list", &files_list, "{\"path\":\"sub/\"}", NULL, NULL);
  g_autofree char *whole = use (tree, "files.list", &files_list, "{}", NULL, NULL);
  g_autofree char *part = use (tree, "files.list", &files_list, "{\"path\":\".\"}", "max-entries", "2");
  g_autofree char *file = use (tree, "files.list", &files_list, "{\"path\":\"a.txt\"}", NULL, NULL);

  g_assert_cmpstr (sub, ==, "{\"path\":\"sub/\",\"entries\":[{\"name\":\"b.txt\",\"type\":\"file\",\"size\":12}]}");
  g_assert_true (g_str_has_prefix (whole, "{\"path\":\".\",\"entries\":[{\"name\":\"a.txt\",\"type\":\"file\",\"size\":23},{\"name\":\"absolute-link\",\"type\":\"link\"},"));
  g_assert_nonnull (strstr (whole, "{\"name\":\"pipe\",\"type\":\"other\"}"));
  g_assert_nonnull (strstr (whole, "{\"name\":\"sub\",\"type\":\"folder\"}"));
  g_assert_null (strstr (whole, "secret"));
  g_assert_true (g_str_has_suffix (part, "],\"more\":true}"));
  g_assert_cmpstr (file, ==, "user: 'a.txt' is not a folder");
}

static void
test_files_no_root (void)
{
  g_autofree char *read_answer = use (NULL, "files.read", &files_read, "{\"path\":\"etc/passwd\"}", NULL, NULL);
  g_autofree char *list_answer = use (NULL, "files.list", &files_list, "{}", NULL, NULL);

  g_assert_cmpstr (read_answer, ==, "critical: no root is configured; expected root=PATH in the group [tool files.read]");
  g_assert_cmpstr (list_answer, ==, "critical: no root is configured; expected root=PATH in the group [tool files.list]");
}

static void
test_files_wrong_root (void)
{
  static const char *const roots[] = { "relative", "/no/such/folder", "/etc/passwd" };

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    {
      g_autoptr (ClqTestNode) test = tool_caller_new ("files.read", "{}");
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_test_node_add_tool (test, "files.read", &files_read, &error, "root", roots[i], NULL));
      g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, "root: "));
    }
}

/* ---- ways out ---- */

#define UP10 "../../../../../../../../../../"

static const char *const escapes[] = {
  "",
  "/",
  "//",
  "/etc/passwd",
  "//etc/passwd",
  "..",
  "../",
  "../outside/secret",
  "../root-too/secret",
  "../root/a.txt",
  "sub/..",
  "sub/../a.txt",
  "sub/../../outside/secret",
  "./../outside/secret",
  ".//..//outside/secret",
  UP10 "etc/passwd",
  "sub/" UP10 "etc/passwd",
  "absolute-link",
  "relative-link",
  "link-to-link",
  "inner-link",
  "loop",
  "folder-link",
  "folder-link/",
  "folder-link/secret",
  "folder-link/../outside/secret",
  "parent-link/outside/secret",
  "parent-link/root/a.txt",
  "slash-link/etc/passwd",
  "magic-link/etc/passwd",
  "device-link",
  "stdin-link",
  "pipe",
  "socket",
  "sub",
  "sub/",
  ".",
  "a.txt/",
  "a.txt/.",
  "a.txt/..",
  "a.txt/../../outside/secret",
  "nothing",
  "nothing/../../outside/secret",
  "~",
  "~root/.profile",
  "$HOME/.profile",
  "%2e%2e/outside/secret",
  "..%2foutside%2fsecret",
  "..\\outside\\secret",
  "\342\200\245/outside/secret",             /* two dot leader */
  "\357\274\216\357\274\216/outside/secret", /* fullwidth full stops */
  "file:///etc/passwd",
  "/proc/self/fd/0",
  "/proc/self/root/etc/passwd",
  "/dev/null",
  "... /../../outside/secret",
};

static void
test_files_escapes (void)
{
  g_autoptr (Tree) tree = tree_new ();

  g_assert_cmpuint (G_N_ELEMENTS (escapes), >=, 50);
  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    {
      g_autoptr (GError) beneath = NULL;
      g_autoptr (GError) walking = NULL;
      g_autofree char *quoted = clq_json_quote (escapes[i]);
      g_autofree char *arguments = g_strdup_printf ("{\"path\":%s}", quoted);
      g_autofree char *answer = use (tree, "files.read", &files_read, arguments, NULL, NULL);

      g_test_message ("%s: %s", escapes[i], answer);
      g_assert_true (g_str_has_prefix (answer, "user: "));
      g_assert_cmpint (files_open_beneath (tree->fd, escapes[i], FALSE, &beneath), ==, -1);
      g_assert_cmpint (files_open_walking (tree->fd, escapes[i], FALSE, &walking), ==, -1);
      g_assert_error (beneath, CLQ_FAILURE, CLQ_FAILURE_USER);
      g_assert_error (walking, CLQ_FAILURE, CLQ_FAILURE_USER);
    }
}

/* Folders that are links are not listed either, whichever way they are opened. */
static void
test_files_list_escapes (void)
{
  static const char *const paths[] = { "/", "..", "sub/../..", "folder-link", "folder-link/", "folder-link/.", "parent-link", "parent-link/outside", "slash-link", "slash-link/etc", "magic-link/etc", "pipe", "loop/" };
  g_autoptr (Tree) tree = tree_new ();

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", paths[i]);
      g_autofree char *answer = use (tree, "files.list", &files_list, arguments, NULL, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_str_has_prefix (answer, "user: "));
      g_assert_cmpint (files_open_walking (tree->fd, paths[i], TRUE, &error), ==, -1);
      g_assert_error (error, CLQ_FAILURE, CLQ_FAILURE_USER);
    }
}

/* Both ways to open find the same files. */
static void
test_files_walking (void)
{
  static const char *const paths[] = { "a.txt", "./a.txt", "sub/b.txt", "sub//b.txt", "./sub/./b.txt" };
  g_autoptr (Tree) tree = tree_new ();

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      int one = files_open_beneath (tree->fd, paths[i], FALSE, NULL), other = files_open_walking (tree->fd, paths[i], FALSE, NULL);
      struct stat one_status, other_status;

      g_assert_cmpint (fstat (one, &one_status), ==, 0);
      g_assert_cmpint (fstat (other, &other_status), ==, 0);
      g_assert_cmpuint (one_status.st_ino, ==, other_status.st_ino);
      close (one);
      close (other);
    }
}

/* The root stays what it was when it was configured. */
static void
test_files_root_replaced (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *moved = at (tree, "moved");
  int fd;

  g_assert_cmpint (g_rename (tree->root, moved), ==, 0);
  make_link (tree, "outside", "root");
  g_assert_cmpint (files_open_beneath (tree->fd, "secret", FALSE, NULL), ==, -1);
  fd = files_open_beneath (tree->fd, "a.txt", FALSE, NULL);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

/* ---- races ---- */

typedef struct
{
  char *inside;
  char *link;
  int over; /* atomic */
} Swapper;

static gpointer
swap (gpointer data)
{
  Swapper *swapper = data;

  while (!g_atomic_int_get (&swapper->over))
    renameat2 (AT_FDCWD, swapper->inside, AT_FDCWD, swapper->link, RENAME_EXCHANGE);
  return NULL;
}

/* A folder and a link to the outside change places all the time; what is opened is never outside. */
static void
test_files_race (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *inside = at (tree, "root/sub");
  g_autofree char *link = at (tree, "root/folder-link");
  Swapper swapper = { inside, link, 0 };
  GThread *thread;
  struct stat secret;
  g_autofree char *path = at (tree, "outside/secret");
  guint n_opened = 0;

  write_file (tree, "root/sub/secret", "harmless", -1);
  g_assert_cmpint (stat (path, &secret), ==, 0);
  thread = g_thread_new ("swapper", swap, &swapper);
  for (guint i = 0; i < 20000; i++)
    {
      int fd = i % 2 == 0 ? files_open_beneath (tree->fd, "sub/secret", FALSE, NULL) : files_open_walking (tree->fd, "sub/secret", FALSE, NULL);
      struct stat status;

      if (fd < 0)
        continue;
      n_opened++;
      g_assert_cmpint (fstat (fd, &status), ==, 0);
      g_assert_cmpuint (status.st_ino, !=, secret.st_ino);
      close (fd);
    }
  g_atomic_int_set (&swapper.over, 1);
  g_thread_join (thread);
  g_test_message ("opened %u of 20000 times", n_opened);
}

/* A call that nobody waits for any more leaves nothing behind. */
static void
test_files_cancel (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (ClqTestNode) test = tool_caller_new ("files.read", "{\"path\":\"a.txt\"}");
  g_autoptr (GError) error = NULL;

  clq_test_node_add_tool (test, "files.read", &files_read, &error, "root", tree->root, NULL);
  g_assert_no_error (error);
  clq_test_node_enter (test);
  clq_test_node_cancel (test);
  clq_test_node_wait (test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/files/read", test_files_read);
  g_test_add_func ("/colloquy/files/characters", test_files_characters);
  g_test_add_func ("/colloquy/files/list", test_files_list);
  g_test_add_func ("/colloquy/files/no-root", test_files_no_root);
  g_test_add_func ("/colloquy/files/wrong-root", test_files_wrong_root);
  g_test_add_func ("/colloquy/files/escapes", test_files_escapes);
  g_test_add_func ("/colloquy/files/list-escapes", test_files_list_escapes);
  g_test_add_func ("/colloquy/files/walking", test_files_walking);
  g_test_add_func ("/colloquy/files/root-replaced", test_files_root_replaced);
  g_test_add_func ("/colloquy/files/race", test_files_race);
  g_test_add_func ("/colloquy/files/cancel", test_files_cancel);
  return g_test_run ();
}
