#include "term.h"

#include <string.h>

/* ---- safe ---- */

static void
assert_safe (const char *text, const char *expected)
{
  g_autofree char *whole = term_safe_dup (text, -1);
  g_autoptr (GString) pieces = g_string_new (NULL);
  TermSafe safe = { 0 };

  g_assert_cmpstr (whole, ==, expected);
  for (const char *byte = text; *byte != '\0'; byte++)
    term_safe_append (&safe, pieces, byte, 1);
  term_safe_finish (&safe, pieces);
  g_assert_cmpstr (pieces->str, ==, expected);
}

static void
test_safe_text (void)
{
  assert_safe ("", "");
  assert_safe ("plain, ü, 日本語, \t tab\nline", "plain, ü, 日本語, \t tab\nline");
  assert_safe ("e\u0301 \U0001f469\u200d\U0001f4bb", "e\u0301 \U0001f469\u200d\U0001f4bb");
}

static void
test_safe_controls (void)
{
  assert_safe ("a\rb\bc\ad\x7f"
               "e\x01@@f",
               "abcde@@f");
  assert_safe ("one\u2028two\302\205three", "one\ntwo\nthree");
  assert_safe ("\u202egnp.exe\u2066 \ufeff\u00ad\U000e0041", "gnp.exe ");
}

static void
test_safe_sequences (void)
{
  assert_safe ("a\x1b[31mb\x1b[0m", "ab");
  assert_safe ("a\x1b[?1049h\x1b[2J\x1b[10;20Hb", "ab");
  assert_safe ("a\x1b]0;title\ab\x1b]52;c;aGk=\x1b\\c", "abc");
  assert_safe ("a\302\23331mb\302\2350;t\302\234c\302\220q\302\234d", "abcd");
  assert_safe ("a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e", "abcde");
  assert_safe ("a\x1b(0b\x1b#8c\x1b%Gd\x1b"
               "ce\x1b=f",
               "abcdef");
  assert_safe ("a\x1b\x1b[31mb", "ab");
  assert_safe ("a\x1b]0;x\x1b[31mb", "ab");
}

/* What never ends must not swallow everything. */
static void
test_safe_endless (void)
{
  assert_safe ("a\x1b]0;title\nb", "a\nb");
  assert_safe ("a\x1b[31\nb", "a\nb");
  assert_safe ("a\x1b[3é", "aé");
  assert_safe ("a\x1b", "a");
}

static void
test_safe_bytes (void)
{
  assert_safe ("a\xff"
               "b",
               "a\ufffd"
               "b");
  assert_safe ("a\xc3", "a\ufffd");
  assert_safe ("a\xe2\x82"
               "b",
               "a\ufffd\ufffd"
               "b");
  assert_safe ("\xc0\x9b"
               "31m",
               "\ufffd\ufffd"
               "31m");
}

static void
test_safe_marks (void)
{
  g_autoptr (GString) tower = g_string_new ("a");
  g_autofree char *safe = NULL;

  for (guint i = 0; i < 100; i++)
    g_string_append_unichar (tower, 0x0300 + i % 16);
  g_string_append_c (tower, 'b');
  safe = term_safe_dup (tower->str, -1);
  g_assert_cmpint (g_utf8_strlen (safe, -1), ==, 10);
  g_assert_true (g_str_has_suffix (safe, "b"));
}

/* Whatever comes, nothing that a terminal acts on gets through. */
static void
test_safe_random (void)
{
  static const char *const parts[] = { "\x1b", "[", "]", "31", ";", "m", "\a", "\\", "P", "\302\233", "\302\235", "\302\234", "x", "\n", "é", "\xff", "\xe2\x82" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *safe = NULL;

      for (guint j = 0; j < 40; j++)
        g_string_append (text, parts[g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
      safe = term_safe_dup (text->str, -1);
      g_assert_true (g_utf8_validate (safe, -1, NULL));
      for (const char *next = safe; *next != '\0'; next = g_utf8_next_char (next))
        {
          gunichar character = g_utf8_get_char (next);

          g_assert_true (character == '\n' || (character >= 0x20 && (character < 0x7f || character > 0x9f)));
        }
    }
}

/* ---- width ---- */

static void
test_width_characters (void)
{
  g_assert_cmpint (term_width ("abc", -1), ==, 3);
  g_assert_cmpint (term_width ("日本語", -1), ==, 6);
  g_assert_cmpint (term_width ("e\u0301x", -1), ==, 2);
  g_assert_cmpint (term_width ("ｶﾀｶﾅ", -1), ==, 4);
  g_assert_cmpint (term_width ("한국어", -1), ==, 6);
  g_assert_cmpint (term_width ("\U0001f600", -1), ==, 2);
  g_assert_cmpint (term_width ("\x01"
                               "A@bold\x01@@",
                               -1),
                   ==, 4);
  g_assert_cmpint (term_width ("日本語", 3), ==, 2);
}

static void
assert_fit (const char *text, int columns, const char *expected)
{
  g_autofree char *fitting = term_fit (text, columns);

  g_assert_cmpstr (fitting, ==, expected);
  g_assert_cmpint (term_width (fitting, -1), <=, MAX (columns, 0));
}

static void
test_width_fit (void)
{
  assert_fit ("short", 10, "short");
  assert_fit ("exactly", 7, "exactly");
  assert_fit ("too long", 5, "too …");
  assert_fit ("日本語", 5, "日本…");
  assert_fit ("日本語", 4, "日…");
  assert_fit ("x", 0, "");
}

static void
test_width_rows (void)
{
  g_assert_cmpuint (term_rows ("", -1, 2, 10), ==, 0);
  g_assert_cmpuint (term_rows ("1234567", -1, 2, 10), ==, 0);
  g_assert_cmpuint (term_rows ("12345678", -1, 2, 10), ==, 1);
  g_assert_cmpuint (term_rows ("one\ntwo", -1, 2, 10), ==, 1);
  g_assert_cmpuint (term_rows ("日本語日本", -1, 2, 11), ==, 1);
  g_assert_cmpuint (term_rows ("日本語日", -1, 2, 11), ==, 0);
}

/* ---- lines ---- */

/* Lines as people see them, with a sign for each style. */
static char *
show (GPtrArray *lines)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const char *next = g_ptr_array_index (lines, i);

      for (; *next != '\0'; next++)
        if (*next != TERM_MARK)
          g_string_append_c (out, *next);
        else
          {
            g_string_append_printf (out, "<%d%s>", next[1] - '@', next[2] == '@' ? "" : next[2] == '@' + TERM_CYAN ? "c"
                                                                                                                   : "b");
            next += TERM_MARK_LENGTH - 1;
          }
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

/* The same without the styles. */
static char *
show_plain (GPtrArray *lines)
{
  g_autofree char *styled = show (lines);
  g_autoptr (GRegex) mark = g_regex_new ("<[0-9]+[bc]?>", 0, 0, NULL);

  return g_regex_replace_literal (mark, styled, -1, 0, "", 0, NULL);
}

static void
assert_wrap (const char *text, int columns, const char *expected)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = NULL;

  term_wrap (text, columns, "", "", lines);
  shown = show_plain (lines);
  g_assert_cmpstr (shown, ==, expected);
  for (guint i = 0; i < lines->len; i++)
    g_assert_cmpint (term_width (g_ptr_array_index (lines, i), -1), <=, columns);
}

static void
test_wrap (void)
{
  assert_wrap ("", 10, "\n");
  assert_wrap ("one two three four", 10, "one two\nthree four\n");
  assert_wrap ("one two\nthree", 20, "one two\nthree\n");
  assert_wrap ("incomprehensibilities", 10, "incomprehe\nnsibilitie\ns\n");
  assert_wrap ("日本語日本語日本語", 10, "日本語日本\n語日本語\n");
  assert_wrap ("a 日本語日本語", 9, "a 日本語\n日本語\n");
  assert_wrap ("exactly 10", 10, "exactly 10\n");
  assert_wrap ("a  b", 10, "a  b\n");
}

static void
test_wrap_style (void)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = NULL;

  term_wrap ("one \x01"
             "A@two three four\x01@@ five",
             10, "* ", "  ", lines);
  shown = show (lines);
  g_assert_cmpstr (shown, ==, "* <0>one <1>two\n  <1>three\n  <1>four\n  <0>five\n");
}

/* ---- Markdown ---- */

static void
assert_markdown (const char *text, const char *expected)
{
  g_autoptr (GPtrArray) lines = term_markdown (text, -1, 40);
  g_autofree char *shown = show (lines);

  g_assert_cmpstr (shown, ==, expected);
}

static void
assert_drawn (const char *text, int columns, const char *expected)
{
  g_autoptr (GPtrArray) lines = term_markdown (text, -1, columns);
  g_autofree char *shown = show_plain (lines);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_markdown_spans (void)
{
  assert_markdown ("plain", "plain\n");
  assert_markdown ("a **b** c", "a <1>b<0> c\n");
  assert_markdown ("a *b* `c` ~~d~~", "a <4>b<0> <0c>c<0> <16>d\n");
  assert_markdown ("***both***", "<4><5>both\n");
  assert_markdown ("[text](http://x.org)", "<8>text<2> (http://x.org)\n");
  assert_markdown ("<http://x.org>", "<8>http://x.org\n");
  assert_markdown ("![a cat](c.png)", "<0>[image: a cat]\n");
}

static void
test_markdown_blocks (void)
{
  assert_drawn ("# Head\n\ntext\nmore\n\nlast", 40, "Head\n\ntext more\n\nlast\n");
  assert_drawn ("- a\n- b\n  - c\n- d\n\nend", 40, "• a\n• b\n  ◦ c\n• d\n\nend\n");
  assert_drawn ("3. a\n4. b", 40, "3. a\n4. b\n");
  assert_drawn ("- a\n\n- b", 40, "• a\n\n• b\n");
  assert_drawn ("- [ ] a\n- [x] b", 40, "• [ ] a\n• [x] b\n");
  assert_drawn ("> one\n> two\n>\n> three", 40, "│ one two\n│\n│ three\n");
  assert_drawn ("a\n\n---\n\nb", 5, "a\n\n─────\n\nb\n");
  assert_drawn ("- one two three four five", 12, "• one two\n  three four\n  five\n");
  assert_drawn ("- a\n\n  b\n\n      code", 40, "• a\n\n  b\n\n    code\n");
  assert_drawn ("-\n- b", 40, "•\n• b\n");
}

static void
test_markdown_code (void)
{
  assert_drawn ("```c\nint  x;\n\n  y;\n```\nafter", 40, "  int  x;\n\n    y;\n\nafter\n");
  assert_drawn ("```\n**not bold**\n```", 40, "  **not bold**\n");
  assert_drawn ("```\nopen", 40, "  open\n");
  assert_drawn ("```\n0123456789\n```", 10, "  01234567\n  89\n");
}

static void
test_markdown_table (void)
{
  assert_drawn ("| a | b |\n|---|--:|\n| one | 2 |\n| 日本 | 30 |", 40, "a      b\n────  ──\none    2\n日本  30\n");
  assert_drawn ("| a | b |\n|---|---|\n| x | one two three four five |", 14, "a  b\n─  ───────────\nx  one two\n   three four\n   five\n");
}

static void
test_markdown_entities (void)
{
  assert_drawn ("&amp; &lt;b&gt; &#65; &#x263a; &nosuch;", 40, "& <b> A ☺ &nosuch;\n");
  assert_drawn ("a&#27;[31mb&#x9b;31mc&#1;d&#0;e", 40, "a[31mb31mcd\ufffde\n");
  assert_drawn ("<b onclick=x>bold</b> <script>x</script>", 60, "<b onclick=x>bold</b> <script>x</script>\n");
}

/* ---- while it comes ---- */

static const char *const documents[] = {
  "One paragraph with **strong words** and `code` in it.",
  "# Head\n\nText *here*, and ***there***.\n\n- one\n- two **b**\n  - three\n\nEnd.",
  "```c\nint x = 1;\n\nint y;\n```\n\nAfter [a link](http://example.org/path) comes text.",
  "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nThe end",
  "> quote **with\n> strong** words\n\n1. a\n2. b\n\n\n\n日本語のテキスト、とても長い文章です。終わり。",
  "snake_case_words 2 * 3 * 4 and a ` alone, [ too and ~tilde\n\n* * *\n\nx",
  "Setext\n======\n\ntext",
};

static char *
draw_whole (const char *text)
{
  g_autoptr (GPtrArray) lines = term_markdown (text, -1, 39);

  return show_plain (lines);
}

/* What a terminal that knows only what we use shows at the end. */
static char *
run_terminal (const char *bytes)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  GString *out = g_string_new (NULL);
  guint row = 0;

  g_ptr_array_add (rows, g_strdup (""));
  for (const char *next = bytes; *next != '\0'; next++)
    {
      char **line = (char **) &g_ptr_array_index (rows, row);

      if (*next == '\n')
        {
          row++;
          if (row == rows->len)
            g_ptr_array_add (rows, g_strdup (""));
        }
      else if (*next == '\r')
        g_assert_true (next[1] == '\x1b');
      else if (*next == '\x1b')
        {
          guint number = (guint) g_ascii_strtoull (next + 2, NULL, 10);
          char final = next[2 + strspn (next + 2, "0123456789;")];

          if (final == 'A')
            {
              g_assert_cmpuint (number, <=, row);
              row -= number;
            }
          else if (final == 'J')
            {
              g_ptr_array_set_size (rows, (int) row);
              g_ptr_array_add (rows, g_strdup (""));
            }
          else if (final == 'K')
            **line = '\0';
          else
            g_assert_cmpint (final, ==, 'm');
          next += 2 + strspn (next + 2, "0123456789;");
        }
      else
        {
          char *longer = g_strdup_printf ("%s%c", *line, *next);

          g_free (*line);
          *line = longer;
        }
    }
  while (rows->len - 1 > row && *(const char *) g_ptr_array_index (rows, rows->len - 1) == '\0')
    g_ptr_array_set_size (rows, (int) rows->len - 1); /* below the cursor nothing is to be seen */
  for (guint i = 0; i < rows->len; i++)
    g_string_append_printf (out, "%s%s", (const char *) g_ptr_array_index (rows, i), i + 1 < rows->len ? "\n" : "");
  return g_string_free (out, FALSE);
}

/* However a text is cut into pieces, in the end it stands there as if it had come at once. */
static void
test_stream_equals_whole (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    for (gsize piece = 1; piece < 20; piece += 3)
      {
        g_autofree char *expected = draw_whole (documents[i]);
        g_autofree char *screen = NULL;
        TermStream stream;
        Term term;

        term_init (&term, -1, FALSE);
        term.columns = 40;
        term_stream_init (&stream, &term);
        for (gsize at = 0; at < strlen (documents[i]); at += piece)
          term_stream_add (&stream, documents[i] + at, (gssize) MIN (piece, strlen (documents[i]) - at));
        term_stream_end (&stream);
        screen = run_terminal (term.out->str);
        g_assert_cmpstr (screen, ==, expected);
        term_stream_clear (&stream);
        term_clear (&term);
      }
}

/* The same for whatever can be made of these. */
static void
assert_stream_random (const char *const *parts, guint n_parts)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *screen = NULL, *expected = NULL;
      TermStream stream;
      Term term;

      for (guint j = 0; j < 30; j++)
        g_string_append (text, parts[g_rand_int_range (rand, 0, (gint32) n_parts)]);
      term_init (&term, -1, FALSE);
      term.columns = 40;
      term.rows = 100;
      term_stream_init (&stream, &term);
      for (gsize at = 0, piece = 0; at < text->len; at += piece)
        {
          piece = (gsize) g_rand_int_range (rand, 1, 12);
          piece = MIN (piece, text->len - at);
          term_stream_add (&stream, text->str + at, (gssize) piece);
        }
      term_stream_end (&stream);
      screen = run_terminal (term.out->str);
      expected = draw_whole (text->str);
      g_assert_cmpstr (screen, ==, expected);
      term_stream_clear (&stream);
      term_clear (&term);
    }
}

static void
test_stream_random (void)
{
  static const char *const spans[] = { "word ", "**", "*", "_", "`", "\n", "\n\n", "[a](b)", "~~", "日本", "<x>", "&lt;", "# ", "> " };
  static const char *const blocks[] = { "word ", "\n", "\n\n", "- ", "1. ", "> ", "# ", "\n|a|b|\n|---|---|\n", "|1|2|\n", "|", "    ", "---\n" };
  static const char *const code[] = { "word ", "\n", "\n\n", "\n```\n", "\n~~~\n" };

  assert_stream_random (spans, G_N_ELEMENTS (spans));
  assert_stream_random (blocks, G_N_ELEMENTS (blocks));
  assert_stream_random (code, G_N_ELEMENTS (code));
}

/* A paragraph is drawn word by word and never again. */
static void
test_stream_draws_once (void)
{
  static const char *const pieces[] = { "One ", "paragraph ", "with ", "**strong ", "words** ", "and ", "more." };
  TermStream stream;
  Term term;

  term_init (&term, -1, FALSE);
  term_stream_init (&stream, &term);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      gsize before = term.out->len;

      term_stream_add (&stream, pieces[i], -1);
      if (i + 1 < G_N_ELEMENTS (pieces))
        g_assert_cmpuint (term.out->len, >, before);
    }
  term_stream_end (&stream);
  g_assert_null (strchr (term.out->str, '\r'));
  g_assert_nonnull (strstr (term.out->str, "\x1b[0;1m"));
  g_assert_true (term_stream_is_empty (&stream));
  term_stream_clear (&stream);
  term_clear (&term);
}

static void
test_stream_plain (void)
{
  TermStream stream;
  Term term;

  term_init (&term, -1, TRUE);
  term_stream_init (&stream, &term);
  term_stream_add (&stream, "**as it** is\t\x1b[3", -1);
  term_stream_add (&stream, "1m!", -1);
  term_stream_end (&stream);
  g_assert_cmpstr (term.out->str, ==, "**as it** is\t!\n");
  term_stream_clear (&stream);
  term_clear (&term);
}

static void
assert_healed (const char *text, const char *expected)
{
  g_autoptr (GString) markdown = g_string_new (text);

  term_heal (markdown);
  g_assert_cmpstr (markdown->str, ==, expected);
}

static void
test_heal (void)
{
  assert_healed ("some words he", "some words");
  assert_healed ("a **bold ", "a **bold**");
  assert_healed ("a **bold te", "a **bold**");
  assert_healed ("a `code x ", "a `code x`");
  assert_healed ("a [link text ", "a link text");
  assert_healed ("a [link](http://exam", "a");
  assert_healed ("text\n\n- ", "text");
  assert_healed ("| a | b |\n|--", "");
  assert_healed ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 ", "| a | b |\n|---|---|\n| 1 | 2 |");
  assert_healed ("```\ncode x", "```\ncode x");
  assert_healed ("```\ncode\n``", "```\ncode");
  assert_healed ("日本語", "日本語");
}

static void
test_settled (void)
{
  g_assert_cmpuint (term_find_settled ("one\n\ntwo", 8), ==, 5);
  g_assert_cmpuint (term_find_settled ("one\ntwo", 7), ==, 0);
  g_assert_cmpuint (term_find_settled ("- one\n\n- two", 12), ==, 0);
  g_assert_cmpuint (term_find_settled ("- one\n\n  more", 13), ==, 0);
  g_assert_cmpuint (term_find_settled ("```\na\n\nb", 8), ==, 0);
  g_assert_cmpuint (term_find_settled ("```\na\n\nb\n```\n\nx", 15), ==, 14);
}

/* ---- drawing ---- */

static void
test_draw_drops_controls (void)
{
  Term term;

  term_init (&term, -1, FALSE);
  term_draw (&term, "a\x1b[31mb\302\233c\td\x01x", 0);
  g_assert_cmpstr (term.out->str, ==, "a[31mbc    dx");
  term_clear (&term);
}

static void
test_draw_no_colours (void)
{
  Term term;

  term_init (&term, -1, FALSE);
  term.colours = FALSE;
  term_draw (&term, "\x01"
                    "AAred\x01@@",
             0);
  g_assert_cmpstr (term.out->str, ==, "\x1b[0;1mred\x1b[0m");
  term_clear (&term);
}

static void
test_draw_plain (void)
{
  Term term;

  term_init (&term, -1, TRUE);
  term_draw (&term, "\x01"
                    "AAred\x01@@ x",
             0);
  term_say (&term, (TermStyle){ TERM_BOLD, TERM_RED }, "%s", "y\x1b[0m");
  g_assert_cmpstr (term.out->str, ==, "red xy\n");
  term_clear (&term);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/term/safe-text", test_safe_text);
  g_test_add_func ("/colloquy/term/safe-controls", test_safe_controls);
  g_test_add_func ("/colloquy/term/safe-sequences", test_safe_sequences);
  g_test_add_func ("/colloquy/term/safe-endless", test_safe_endless);
  g_test_add_func ("/colloquy/term/safe-bytes", test_safe_bytes);
  g_test_add_func ("/colloquy/term/safe-marks", test_safe_marks);
  g_test_add_func ("/colloquy/term/safe-random", test_safe_random);
  g_test_add_func ("/colloquy/term/width-characters", test_width_characters);
  g_test_add_func ("/colloquy/term/width-fit", test_width_fit);
  g_test_add_func ("/colloquy/term/width-rows", test_width_rows);
  g_test_add_func ("/colloquy/term/wrap", test_wrap);
  g_test_add_func ("/colloquy/term/wrap-style", test_wrap_style);
  g_test_add_func ("/colloquy/term/markdown-spans", test_markdown_spans);
  g_test_add_func ("/colloquy/term/markdown-blocks", test_markdown_blocks);
  g_test_add_func ("/colloquy/term/markdown-code", test_markdown_code);
  g_test_add_func ("/colloquy/term/markdown-table", test_markdown_table);
  g_test_add_func ("/colloquy/term/markdown-entities", test_markdown_entities);
  g_test_add_func ("/colloquy/term/stream-equals-whole", test_stream_equals_whole);
  g_test_add_func ("/colloquy/term/stream-random", test_stream_random);
  g_test_add_func ("/colloquy/term/stream-draws-once", test_stream_draws_once);
  g_test_add_func ("/colloquy/term/stream-plain", test_stream_plain);
  g_test_add_func ("/colloquy/term/heal", test_heal);
  g_test_add_func ("/colloquy/term/settled", test_settled);
  g_test_add_func ("/colloquy/term/draw-drops-controls", test_draw_drops_controls);
  g_test_add_func ("/colloquy/term/draw-no-colours", test_draw_no_colours);
  g_test_add_func ("/colloquy/term/draw-plain", test_draw_plain);
  return g_test_run ();
}
