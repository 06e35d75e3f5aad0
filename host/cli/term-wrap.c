#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <string.h>

/* A line in the making, and the last place where it could be broken. */
typedef struct
{
  GPtrArray *lines;
  const char *next_indent;
  int columns;
  GString *line;
  int column;
  TermStyle style;
  gsize break_at; /* 0 = nowhere */
  TermStyle break_style;
} Wrap;

static void
begin_line (Wrap *self, const char *indent)
{
  self->line = g_string_new (indent);
  self->column = term_width (indent, -1);
  self->break_at = 0;
  if (self->style.attributes != 0 || self->style.colour != TERM_DEFAULT || *indent != '\0')
    term_mark (self->line, self->style);
}

/* Spaces at the end of a line are nothing; marks behind them neither. */
static void
end_line (Wrap *self)
{
  GString *line = self->line;

  for (;;)
    if (line->len >= TERM_MARK_LENGTH && line->str[line->len - TERM_MARK_LENGTH] == TERM_MARK)
      g_string_truncate (line, line->len - TERM_MARK_LENGTH);
    else if (line->len > 0 && line->str[line->len - 1] == ' ')
      g_string_truncate (line, line->len - 1);
    else
      break;
  g_ptr_array_add (self->lines, g_string_free (g_steal_pointer (&self->line), FALSE));
}

/* The line is full: what stands behind the last break begins the next one. */
static void
break_line (Wrap *self)
{
  g_autofree char *rest = NULL;
  TermStyle style = self->style;

  if (self->break_at > 0)
    {
      rest = g_strdup (self->line->str + self->break_at);
      g_string_truncate (self->line, self->break_at);
      self->style = self->break_style;
    }
  end_line (self);
  begin_line (self, self->next_indent);
  self->style = style;
  if (rest == NULL)
    return;
  g_string_append (self->line, rest);
  self->column += term_width (rest, -1);
}

static void
allow_break (Wrap *self)
{
  self->break_at = self->line->len;
  self->break_style = self->style;
}

static void
take_character (Wrap *self, const char *text, gsize length)
{
  int width = term_char_width (g_utf8_get_char (text));

  if (*text == ' ')
    {
      if (self->column < self->columns)
        {
          g_string_append_c (self->line, ' ');
          self->column++;
        }
      allow_break (self);
      return;
    }
  if (width == 2)
    allow_break (self);
  if (self->column + width > self->columns)
    break_line (self);
  g_string_append_len (self->line, text, (gssize) length);
  self->column += width;
  if (width == 2)
    allow_break (self);
}

/**
 * term_wrap:
 * @marked: a marked text; its line ends stay
 * @columns: how many there are
 * @first_indent: marked text before the first line
 * @next_indent: marked text before the others
 * @lines: gets the lines
 *
 * Breaks text between words, and between characters that take two columns.
 */
void
term_wrap (const char *marked, int columns, const char *first_indent, const char *next_indent, GPtrArray *lines)
{
  Wrap self = { .lines = lines, .next_indent = next_indent };

  /* A deep indent leaves room for a word at least. */
  self.columns = MAX (columns, term_width (next_indent, -1) + 8);
  begin_line (&self, first_indent);
  while (*marked != '\0')
    {
      gsize length = *marked == TERM_MARK ? TERM_MARK_LENGTH : (gsize) g_utf8_skip[*(const guchar *) marked];

      if (*marked == TERM_MARK)
        {
          g_string_append_len (self.line, marked, TERM_MARK_LENGTH);
          self.style = (TermStyle){ (guint8) (marked[1] - '@'), (guint8) (marked[2] - '@') };
        }
      else if (*marked == '\n')
        {
          end_line (&self);
          begin_line (&self, next_indent);
        }
      else if (*marked == '\t')
        for (guint i = 0; i < 4; i++)
          take_character (&self, " ", 1);
      else
        take_character (&self, marked, length);
      marked += length;
    }
  end_line (&self);
}

/**
 * term_split:
 * @marked: a marked text, of which each line keeps its spaces
 * @columns: how many there are
 * @indent: marked text before each line
 * @lines: gets the lines
 *
 * Breaks code: only where a line is full.
 */
void
term_split (const char *marked, int columns, const char *indent, GPtrArray *lines)
{
  Wrap self = { .lines = lines, .next_indent = indent };

  self.columns = MAX (columns, term_width (indent, -1) + 8);
  begin_line (&self, indent);
  for (; *marked != '\0'; marked += *marked == TERM_MARK ? TERM_MARK_LENGTH : g_utf8_skip[*(const guchar *) marked])
    {
      gboolean is_tab = *marked == '\t';
      int width = is_tab ? 4 : term_char_width (g_utf8_get_char (marked));

      if (*marked == TERM_MARK)
        {
          g_string_append_len (self.line, marked, TERM_MARK_LENGTH);
          self.style = (TermStyle){ (guint8) (marked[1] - '@'), (guint8) (marked[2] - '@') };
          continue;
        }
      if (*marked == '\n' || self.column + width > self.columns)
        {
          end_line (&self);
          begin_line (&self, indent);
        }
      if (*marked == '\n')
        continue;
      if (is_tab)
        g_string_append (self.line, "    ");
      else
        g_string_append_len (self.line, marked, g_utf8_skip[*(const guchar *) marked]);
      self.column += width;
    }
  end_line (&self);
}
