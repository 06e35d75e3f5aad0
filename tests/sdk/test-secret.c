/* Secrets come from a variable or a file, and leave only by the one function that is meant for it. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include <colloquy.h>

static void
assert_no_secret (const char *reference, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_secret_new_from_reference (reference, &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_variable (void)
{
  g_autoptr (ClqSecret) secret = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("CLQ_TEST_KEY", "hunter2 ", TRUE);
  secret = clq_secret_new_from_reference ("env:CLQ_TEST_KEY", &error);
  g_assert_no_error (error);
  /* It is a copy: the variable may change. */
  g_setenv ("CLQ_TEST_KEY", "", TRUE);
  g_assert_cmpstr (clq_secret_reveal (secret), ==, "hunter2 ");
  assert_no_secret ("env:CLQ_TEST_KEY", "the environment has no variable 'CLQ_TEST_KEY', or it is empty");
  g_unsetenv ("CLQ_TEST_KEY");
  assert_no_secret ("env:CLQ_TEST_KEY", "the environment has no variable 'CLQ_TEST_KEY', or it is empty");
  assert_no_secret ("env:", "the environment has no variable '', or it is empty");
}

static void
test_file (void)
{
  static const struct
  {
    const char *content;
    const char *secret;
  } cases[] = { { "hunter2", "hunter2" }, { "hunter2\n", "hunter2" }, { "hunter2 \r\n\n", "hunter2" }, { " two\nlines\n", " two\nlines" } };
  g_autofree char *path = NULL;
  g_autofree char *reference = NULL;
  int fd = g_file_open_tmp ("clq-test-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  reference = g_strconcat ("file:", path, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ClqSecret) secret = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, cases[i].content, -1, NULL));
      secret = clq_secret_new_from_reference (reference, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (clq_secret_reveal (secret), ==, cases[i].secret);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* An empty key would be sent as one, and half a key as a whole one. */
static void
test_bad_file (void)
{
  g_autofree char *path = NULL;
  g_autofree char *reference = NULL;
  g_autofree char *empty = NULL;
  g_autofree char *binary = NULL;
  g_autofree char *gone = NULL;
  g_autofree char *large = NULL;
  g_autofree char *much = g_strnfill (65537, 'x');
  int fd = g_file_open_tmp ("clq-test-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  reference = g_strconcat ("file:", path, NULL);
  empty = g_strdup_printf ("the secret's file '%s' is empty", path);
  binary = g_strdup_printf ("the secret's file '%s' is no text", path);
  large = g_strdup_printf ("the secret's file '%s' is too large; expected at most 64 kB", path);
  gone = g_strdup_printf ("the secret's file '%s' cannot be read: No such file or directory", path);
  assert_no_secret (reference, empty);
  g_assert_true (g_file_set_contents (path, " \n", -1, NULL));
  assert_no_secret (reference, empty);
  g_assert_true (g_file_set_contents (path, "hunter2\0hunter3", 15, NULL));
  assert_no_secret (reference, binary);
  g_assert_true (g_file_set_contents (path, much, 65537, NULL));
  assert_no_secret (reference, large);
  g_assert_cmpint (g_unlink (path), ==, 0);
  assert_no_secret (reference, gone);
  assert_no_secret ("file:/", "the secret's file '/' is no regular file; expected one that holds the secret");
  assert_no_secret ("file:/dev/zero", "the secret's file '/dev/zero' is no regular file; expected one that holds the secret");
  assert_no_secret ("file:", "the secret's file '' cannot be read: No such file or directory");
}

/* A pipe that nobody writes to keeps nobody waiting. */
static void
test_pipe (void)
{
  g_autofree char *folder = g_dir_make_tmp ("colloquy-secret-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "key", NULL), *reference = g_strconcat ("file:", path, NULL);
  g_autofree char *message = g_strdup_printf ("the secret's file '%s' is no regular file; expected one that holds the secret", path);

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_no_secret (reference, message);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Whoever writes the secret itself by mistake does not find it in a log. */
static void
test_not_a_reference (void)
{
  static const char *const texts[] = { "hunter2", "", "ENV:KEY", "environment:KEY", "$KEY", " env:KEY", "file", "env" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_secret_new_from_reference (texts[i], &error));
      g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, "a secret is not written into the file; expected env:NAME, file:PATH or secret:NAME");
    }
}

static void
test_boxed (void)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (ClqSecret) secret = NULL;
  g_autofree char *shown = NULL;
  ClqSecret *copy;

  g_setenv ("CLQ_TEST_KEY", "hunter2", TRUE);
  secret = clq_secret_new_from_reference ("env:CLQ_TEST_KEY", NULL);
  g_value_init (&value, CLQ_TYPE_SECRET);
  g_value_set_boxed (&value, secret);
  g_assert_true (g_value_get_boxed (&value) == secret);
  shown = g_strdup_value_contents (&value);
  g_assert_null (strstr (shown, "hunter2"));
  g_assert_false (g_value_type_transformable (CLQ_TYPE_SECRET, G_TYPE_STRING));

  copy = clq_secret_ref (secret);
  clq_secret_unref (copy);
  g_assert_cmpstr (clq_secret_reveal (secret), ==, "hunter2");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/secret/variable", test_variable);
  g_test_add_func ("/colloquy/secret/file", test_file);
  g_test_add_func ("/colloquy/secret/bad-file", test_bad_file);
  g_test_add_func ("/colloquy/secret/pipe", test_pipe);
  g_test_add_func ("/colloquy/secret/not-a-reference", test_not_a_reference);
  g_test_add_func ("/colloquy/secret/boxed", test_boxed);
  return g_test_run ();
}
