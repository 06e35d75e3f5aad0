#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <string.h>

/* A longer word is shown before it has ended. */
#define MAX_HELD_BACK 40

/* ---- lines ---- */

static const char *
end_of_line (const char *line, const char *end)
{
  const char *newline = memchr (line, '\n', (gsize) (end - line));

  return newline != NULL ? newline : end;
}

static const char *
skip_space (const char *text, const char *end)
{
  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  return text;
}

static gsize
run_length (const char *text, const char *end)
{
  gsize length = 0;

  while (text + length < end && text[length] == *text)
    length++;
  return length;
}

/* Code between fences. */
typedef struct
{
  char character; /* 0 = outside */
  gsize length;
  gsize indent;
  gboolean in_list; /* an item stands before: what is indented may belong to it */
} Fence;

static gboolean
begins_item (const char *text, const char *end)
{
  gsize digits = 0;

  while (text + digits < end && g_ascii_isdigit (text[digits]))
    digits++;
  text += digits;
  return text + 1 < end && (digits > 0 ? *text == '.' || *text == ')' : *text == '-' || *text == '*' || *text == '+') && text[1] == ' ';
}

/* Code that is indented further than a fence may be has no fences. */
static void
pass_fence (Fence *fence, const char *line, const char *end)
{
  const char *text = skip_space (line, end);
  gsize length = text < end && (*text == '`' || *text == '~') ? run_length (text, end) : 0;
  gsize indent = (gsize) (text - line);

  if (fence->character == 0 && begins_item (text, end))
    fence->in_list = TRUE;
  if (length < 3)
    return;
  if (fence->character != 0)
    {
      if (*text == fence->character && length >= fence->length && indent < fence->indent + 4 && skip_space (text + length, end) == end)
        fence->character = 0;
      return;
    }
  if ((indent >= 4 && !fence->in_list) || (*text == '`' && memchr (text + length, '`', (gsize) (end - text) - length) != NULL))
    return;
  fence->character = *text;
  fence->length = length;
  fence->indent = indent;
}

/* Whether a line may go on with what was before the empty line above it. */
static gboolean
may_continue (const char *line, const char *end)
{
  const char *text = line;

  if (*text == ' ' || *text == '\t')
    return TRUE;
  while (text < end && g_ascii_isdigit (*text))
    text++;
  if (text > line)
    return text == end || ((*text == '.' || *text == ')') && (text + 1 == end || text[1] == ' '));
  if (strchr ("-*+", *line) != NULL)
    return line + 1 == end || line[1] == ' ' || line[1] == '\t';
  return FALSE;
}

/**
 * term_find_settled:
 * @markdown: Markdown of which more will come
 * @length: its length
 *
 * Returns: how much of it is drawn in the same way whatever comes: up to the last block that begins at the margin
 */
gsize
term_find_settled (const char *markdown, gsize length)
{
  const char *end = markdown + length;
  gboolean is_after_gap = FALSE;
  Fence fence = { 0 };
  gsize settled = 0;

  for (const char *line = markdown; line < end;)
    {
      const char *line_end = end_of_line (line, end);
      gboolean is_empty = skip_space (line, line_end) == line_end;

      if (fence.character == 0 && is_after_gap && !is_empty && !may_continue (line, line_end))
        settled = (gsize) (line - markdown);
      pass_fence (&fence, line, line_end);
      is_after_gap = is_empty;
      line = line_end + 1;
    }
  return settled;
}

/* ---- what is cut off at the end ---- */

static const char *
start_of_last_line (const GString *text)
{
  const char *newline = strrchr (text->str, '\n');

  return newline != NULL ? newline + 1 : text->str;
}

static const char *
start_of_last_paragraph (const GString *text)
{
  const char *gap = g_strrstr (text->str, "\n\n");

  return gap != NULL ? gap + 2 : text->str;
}

static void
cut_at (GString *text, const char *place)
{
  g_string_truncate (text, (gsize) (place - text->str));
}

static gboolean
is_in_fence (const GString *text)
{
  const char *end = text->str + text->len;
  Fence fence = { 0 };

  for (const char *line = text->str; line < end; line = end_of_line (line, end) + 1)
    pass_fence (&fence, line, end_of_line (line, end));
  return fence.character != 0;
}

/* A line that may become the end of the code is not code. */
static void
heal_code (GString *text)
{
  const char *line = start_of_last_line (text);
  const char *end = text->str + text->len;
  const char *sign = skip_space (line, end);

  if (sign < end && (*sign == '`' || *sign == '~') && sign + run_length (sign, end) == end && line > text->str)
    cut_at (text, line - 1);
}

static void
hold_back_word (GString *text)
{
  const char *end = text->str + text->len;
  const char *start = end;

  while (start > text->str && !g_ascii_isspace (start[-1]))
    start--;
  if (end - start > MAX_HELD_BACK)
    return;
  for (const char *next = start; next < end; next = g_utf8_next_char (next))
    if (term_char_width (g_utf8_get_char (next)) == 2)
      return;
  cut_at (text, start);
}

/* A table is drawn once its head is complete, and then row by row. */
static void
hold_back_row (GString *text)
{
  const char *paragraph = start_of_last_paragraph (text);
  const char *newline;

  if (*paragraph != '|')
    return;
  newline = strchr (paragraph, '\n');
  if (newline == NULL || strchr (newline + 1, '\n') == NULL)
    cut_at (text, paragraph);
  else if (*start_of_last_line (text) == '|')
    cut_at (text, start_of_last_line (text));
}

/* Signs at the beginning of a line mean nothing yet. */
static void
hold_back_signs (GString *text)
{
  const char *line = start_of_last_line (text);
  gsize signs = strspn (line, " \t#>*+-=_~`0123456789.)");

  if (line[signs] == '\0' && signs > 0)
    cut_at (text, line);
  while (text->len > 0 && g_ascii_isspace (text->str[text->len - 1]))
    g_string_truncate (text, text->len - 1);
}

/* ---- what is closed at the end ---- */

typedef struct
{
  char character;
  guint8 length;
  gsize at;
} Opener;

typedef struct
{
  GArray *openers;
  gssize bracket; /* of a link that has not ended; -1 = none */
  gssize target;  /* where its address begins; -1 = not yet */
  gsize code;     /* how many backticks are open */
  gsize code_at;
} Scan;

static void
scan_emphasis (Scan *scan, const char *text, gsize at, gsize length)
{
  gboolean after_space = at == 0 || g_ascii_isspace (text[at - 1]);
  char next = text[at + length];
  Opener opener = { text[at], (guint8) MIN (length, 3), at };

  if (!after_space && scan->openers->len > 0)
    {
      const Opener *last = &g_array_index (scan->openers, Opener, scan->openers->len - 1);

      if (last->character == opener.character && last->length == opener.length)
        {
          g_array_set_size (scan->openers, scan->openers->len - 1);
          return;
        }
    }
  if (next == '\0' || g_ascii_isspace (next) || (text[at] == '~' && length < 2) || (text[at] == '_' && at > 0 && g_ascii_isalnum (text[at - 1])))
    {
      /* At the very end it may become one; otherwise it is just a character. */
      if (next != '\0')
        return;
    }
  g_array_append_val (scan->openers, opener);
}

static gsize
scan_code (Scan *scan, const char *text, gsize at, gsize length)
{
  for (const char *next = text + at + length; (next = strchr (next, '`')) != NULL;)
    {
      gsize closing = run_length (next, text + strlen (text));

      if (closing == length)
        return (gsize) (next - text) + closing;
      next += closing;
    }
  scan->code = length;
  scan->code_at = at;
  return strlen (text);
}

static void
scan_bracket (Scan *scan, const char *text, gsize at)
{
  if (text[at] == '[' && scan->bracket < 0)
    scan->bracket = (gssize) at;
  else if (text[at] == ']' && scan->bracket >= 0 && (text[at + 1] == '(' || text[at + 1] == '\0'))
    scan->target = (gssize) at;
  else if (text[at] == ']' || (text[at] == ')' && scan->target >= 0))
    scan->bracket = scan->target = -1;
}

static void
scan_inline (Scan *scan, const char *text)
{
  gsize end = strlen (text);

  for (gsize at = 0; at < end;)
    {
      gsize length = strchr ("*_~`", text[at]) != NULL ? run_length (text + at, text + end) : 1;

      if (text[at] == '\\')
        at++;
      else if (text[at] == '`')
        {
          at = scan_code (scan, text, at, length);
          continue;
        }
      else if (scan->target >= 0 && text[at] != ')')
        length = 1; /* part of an address */
      else if (strchr ("*_~", text[at]) != NULL)
        scan_emphasis (scan, text, at, length);
      else
        scan_bracket (scan, text, at);
      at += length;
    }
}

/* The text of a link is shown before its address has come. */
static void
close_link (const Scan *scan, GString *text, gsize start)
{
  gsize bracket = start + (gsize) scan->bracket;

  if (scan->bracket < 0)
    return;
  if (scan->target >= 0)
    g_string_truncate (text, start + (gsize) scan->target);
  if (bracket > 0 && text->str[bracket - 1] == '!')
    g_string_erase (text, (gssize) bracket - 1, 2);
  else
    g_string_erase (text, (gssize) bracket, 1);
}

static void
close_spans (GString *text)
{
  gsize start = (gsize) (start_of_last_paragraph (text) - text->str);
  g_autoptr (GArray) openers = g_array_new (FALSE, FALSE, sizeof (Opener));
  Scan scan = { .openers = openers, .bracket = -1, .target = -1 };

  scan_inline (&scan, text->str + start);
  if (scan.code > 0 && start + scan.code_at + scan.code == text->len)
    g_string_truncate (text, start + scan.code_at);
  else
    for (gsize i = 0; i < scan.code; i++)
      g_string_append_c (text, '`');
  if (scan.target < 0 || scan.bracket < 0)
    for (guint i = openers->len; i > 0; i--)
      {
        const Opener *opener = &g_array_index (openers, Opener, i - 1);

        if (start + opener->at + opener->length >= text->len)
          g_string_truncate (text, start + opener->at);
        else
          for (guint j = 0; j < opener->length; j++)
            g_string_append_c (text, opener->character);
      }
  close_link (&scan, text, start);
}

/**
 * term_heal:
 * @markdown: Markdown of which more will come
 *
 * Makes of it what can be drawn now: leaves out what is not complete enough to be shown, closes what is open. So what is
 * drawn seldom has to change when more comes.
 */
void
term_heal (GString *markdown)
{
  if (is_in_fence (markdown))
    {
      heal_code (markdown);
      return;
    }
  hold_back_word (markdown);
  hold_back_row (markdown);
  hold_back_signs (markdown);
  close_spans (markdown);
}
