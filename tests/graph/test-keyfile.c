/* Keyfiles: what is read, where it stands, and that a printed one reads back. */
#include <locale.h>
#include <string.h>

#include "clq-keyfile.h"

static ClqKeyfile *
read_text (const char *text)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  ClqKeyfile *keyfile = clq_keyfile_new ();

  g_assert_true (clq_keyfile_read_text (keyfile, "file", text, -1, findings));
  g_assert_cmpuint (clq_findings_get_n_errors (findings), ==, 0);
  return keyfile;
}

static void
assert_findings (ClqFindings *findings, const char *expected)
{
  g_autofree char *actual = clq_findings_print (findings);

  g_assert_cmpstr (actual, ==, expected);
}

static void
test_places (void)
{
  g_autoptr (ClqKeyfile) keyfile = read_text ("# comment\n\n[one  two]\na = b c \n\n[empty]\n[last]\nx.y-z_1==\n");
  const ClqKey *key = clq_keyfile_find (keyfile, "one two", "a");

  g_assert_cmpstr (key->value, ==, "b c");
  g_assert_cmpstr (key->file, ==, "file");
  g_assert_cmpuint (key->line, ==, 4);
  g_assert_cmpuint (clq_keyfile_find_group (keyfile, "one two")->line, ==, 3);
  g_assert_cmpuint (clq_keyfile_get_groups (keyfile)->len, ==, 3);
  g_assert_cmpuint (clq_keyfile_find_group (keyfile, "empty")->keys->len, ==, 0);
  g_assert_cmpstr (clq_keyfile_get (keyfile, "last", "x.y-z_1"), ==, "=");
  g_assert_null (clq_keyfile_get (keyfile, "last", "a"));
  g_assert_null (clq_keyfile_get (keyfile, "none", "a"));
}

static void
test_escapes (void)
{
  g_autoptr (ClqKeyfile) keyfile = read_text ("[g]\na=\\sx\\s\nb=1\\n2\\t3\\r4\\\\5\nc=x\\;y\\\"z\nd=\n");

  g_assert_cmpstr (clq_keyfile_get (keyfile, "g", "a"), ==, " x ");
  g_assert_cmpstr (clq_keyfile_get (keyfile, "g", "b"), ==, "1\n2\t3\r4\\5");
  /* These mean something to lists and guards. */
  g_assert_cmpstr (clq_keyfile_get (keyfile, "g", "c"), ==, "x\\;y\\\"z");
  g_assert_cmpstr (clq_keyfile_get (keyfile, "g", "d"), ==, "");
}

static void
test_print (void)
{
  static const char text[] = "[g]\na=\\sx  y\\s\nb=1\\n2\\t3\\r4\\\\5\nc=x\\\\;y\\\\\"z\nd=\n\n[empty]\n\n[last]\ne=\\s\nf=\xc3\xa4\n";
  g_autoptr (ClqKeyfile) keyfile = read_text (text);
  g_autofree char *once = clq_keyfile_print (keyfile);
  g_autoptr (ClqKeyfile) again = read_text (once);
  g_autofree char *twice = clq_keyfile_print (again);

  g_assert_cmpstr (once, ==, text);
  g_assert_cmpstr (twice, ==, once);
}

static void
test_extend (void)
{
  g_autoptr (ClqKeyfile) base = read_text ("[a]\none=1\ntwo=2\n[b]\nx=y\n");
  g_autoptr (ClqKeyfile) addition = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *text = NULL;

  g_assert_true (clq_keyfile_read_text (addition, "other", "[c]\nnew=1\n[a]\n\nthree=3\none=11\n", -1, findings));
  clq_keyfile_extend (base, addition);
  g_clear_pointer (&addition, clq_keyfile_free);
  text = clq_keyfile_print (base);
  g_assert_cmpstr (text, ==, "[a]\none=11\ntwo=2\nthree=3\n\n[b]\nx=y\n\n[c]\nnew=1\n");
  g_assert_cmpstr (clq_keyfile_find (base, "a", "one")->file, ==, "other");
  g_assert_cmpuint (clq_keyfile_find (base, "a", "one")->line, ==, 6);
  g_assert_cmpstr (clq_keyfile_find (base, "a", "two")->file, ==, "file");
}

static void
test_set (void)
{
  g_autoptr (ClqKeyfile) keyfile = read_text ("[a]\none=1\ntwo=2\n");
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *text = NULL;

  clq_keyfile_set (keyfile, "a", "one", " raw\\", "here");
  g_assert_true (clq_keyfile_set_line (keyfile, "b", "x = \\s1", "--set", findings));
  clq_keyfile_unset (keyfile, "a", "two");
  clq_keyfile_unset (keyfile, "a", "two");
  clq_keyfile_unset (keyfile, "none", "two");
  g_assert_false (clq_keyfile_set_line (keyfile, "b", "no equals", "--set", findings));
  g_assert_false (clq_keyfile_set_line (keyfile, "b", "a=\\q", "--set", findings));
  text = clq_keyfile_print (keyfile);
  g_assert_cmpstr (text, ==, "[a]\none=\\sraw\\\\\n\n[b]\nx=\\s1\n");
  g_assert_cmpstr (clq_keyfile_find (keyfile, "a", "one")->file, ==, "here");
  g_assert_cmpuint (clq_keyfile_find (keyfile, "b", "x")->line, ==, 0);
  assert_findings (findings, "--set: [b]: 'no equals' has no '='; expected KEY=VALUE, [GROUP] or # comment\n"
                             "--set: [b] a: '\\q' is no escape; expected \\s, \\n, \\t, \\r, \\\\, \\; or \\\"\n");
}

static void
test_duplicates (void)
{
  g_autoptr (ClqKeyfile) keyfile = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();

  g_assert_false (clq_keyfile_read_text (keyfile, "file", "[a]\nk=1\n[b]\n[a]\nk=2\nl=3\n", -1, findings));
  g_assert_cmpstr (clq_keyfile_get (keyfile, "a", "k"), ==, "1");
  g_assert_cmpstr (clq_keyfile_get (keyfile, "a", "l"), ==, "3");
  assert_findings (findings, "file:4: [a]: the group stands here again; expected it once, as in line 1\n"
                             "file:5: [a] k: the key stands here again; expected it once, as in line 2\n");
}

static void
test_length (void)
{
  g_autoptr (ClqKeyfile) keyfile = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *large = g_strnfill (1024 * 1024 + 1, '#');

  /* Only so much of the text counts, and it needs no line break at its end. */
  g_assert_true (clq_keyfile_read_text (keyfile, "file", "[a]\nk=12", 7, findings));
  g_assert_cmpstr (clq_keyfile_get (keyfile, "a", "k"), ==, "1");
  g_assert_true (clq_keyfile_read_text (keyfile, "file", large, 1024 * 1024, findings));
  g_assert_false (clq_keyfile_read_text (keyfile, "file", large, -1, findings));
  assert_findings (findings, "file: the file is too large; expected at most 1048576 bytes\n");
}

static void
test_file (void)
{
  g_autoptr (ClqKeyfile) keyfile = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autofree char *path = g_build_filename (FILES_DIR, "y_minimal.graph", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_keyfile_read_file (keyfile, path, findings));
  g_assert_cmpstr (clq_keyfile_find (keyfile, "graph", "name")->file, ==, path);
  g_assert_false (clq_keyfile_read_file (keyfile, "no-such-file", findings));
  assert_findings (findings, "no-such-file: the file cannot be read: No such file or directory\n");
  error = clq_findings_to_error (findings);
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_NOT_FOUND);
}

static void
test_findings (void)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();

  clq_findings_add (findings, CLQ_FINDING_NOTE, 1, "b", 2, "a note");
  g_assert_null (clq_findings_to_error (findings));
  clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_VALUE, "b", 1, "two\nlines");
  clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_SYNTAX, "a", 10, "later");
  clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_SYNTAX, "a", 9, "%s", "earlier");
  clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_SYNTAX, "a", 9, "earlier");
  g_assert_cmpuint (clq_findings_get_n_errors (findings), ==, 3);
  assert_findings (findings, "a:9: earlier\na:10: later\nb:1: two\\nlines\nb:2: note: a note\n");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/keyfile/places", test_places);
  g_test_add_func ("/colloquy/keyfile/escapes", test_escapes);
  g_test_add_func ("/colloquy/keyfile/print", test_print);
  g_test_add_func ("/colloquy/keyfile/extend", test_extend);
  g_test_add_func ("/colloquy/keyfile/set", test_set);
  g_test_add_func ("/colloquy/keyfile/duplicates", test_duplicates);
  g_test_add_func ("/colloquy/keyfile/length", test_length);
  g_test_add_func ("/colloquy/keyfile/file", test_file);
  g_test_add_func ("/colloquy/keyfile/findings", test_findings);
  return g_test_run ();
}
