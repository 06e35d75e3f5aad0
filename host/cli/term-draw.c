#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Longer lines are hard to read, however wide the window is. */
#define MAX_TEXT_COLUMNS 100

#define FIRST_CODE '@'

/**
 * term_init:
 * @self: a terminal
 * @fd: where it is; -1 for one that only remembers what was drawn
 * @is_plain: whether it gets text only
 */
void
term_init (Term *self, int fd, gboolean is_plain)
{
  const char *no_color = g_getenv ("NO_COLOR");

  *self = (Term){ .fd = fd, .is_plain = is_plain, .columns = 80, .rows = 24 };
  self->colours = no_color == NULL || *no_color == '\0';
  self->out = g_string_new (NULL);
  term_measure (self);
}

/**
 * term_clear:
 * @self: a terminal
 */
void
term_clear (Term *self)
{
  g_string_free (g_steal_pointer (&self->out), TRUE);
}

/**
 * term_measure:
 * @self: a terminal
 *
 * Asks how large the window is.
 */
void
term_measure (Term *self)
{
  struct winsize size;

  if (self->fd < 0 || ioctl (self->fd, TIOCGWINSZ, &size) != 0)
    return;
  if (size.ws_col > 0)
    self->columns = size.ws_col;
  if (size.ws_row > 0)
    self->rows = size.ws_row;
}

/**
 * term_text_columns:
 * @self: a terminal
 *
 * Returns: how wide text is set; the last column stays free, as terminals do not agree on what happens behind it
 */
int
term_text_columns (const Term *self)
{
  return CLAMP (self->columns - 1, 8, MAX_TEXT_COLUMNS);
}

/**
 * term_mark:
 * @out: a marked text
 * @style: how it goes on
 */
void
term_mark (GString *out, TermStyle style)
{
  g_string_append_c (out, TERM_MARK);
  g_string_append_c (out, (char) (FIRST_CODE + style.attributes));
  g_string_append_c (out, (char) (FIRST_CODE + style.colour));
}

static void
set_style (Term *self, TermStyle style)
{
  static const char *const codes[] = { "1", "2", "3", "4", "9" };

  if (self->is_plain)
    return;
  g_string_append (self->out, "\x1b[0");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (style.attributes & (1 << i))
      g_string_append_printf (self->out, ";%s", codes[i]);
  if (self->colours && style.colour != TERM_DEFAULT)
    g_string_append_printf (self->out, ";%d", 30 + style.colour);
  g_string_append_c (self->out, 'm');
}

static TermStyle
read_mark (const char *mark)
{
  return (TermStyle){ (guint8) (mark[1] - FIRST_CODE), (guint8) (mark[2] - FIRST_CODE) };
}

static gboolean
is_mark (const char *text)
{
  return text[0] == TERM_MARK && text[1] >= FIRST_CODE && text[2] >= FIRST_CODE;
}

/**
 * term_draw:
 * @self: a terminal
 * @marked: a marked text
 * @from: the byte where to begin; what was before it is there already
 *
 * Draws text; everything that reaches the terminal goes through here. Control characters do not, but new lines and, on
 * what is no terminal, tabs.
 */
void
term_draw (Term *self, const char *marked, gsize from)
{
  TermStyle style = { 0, TERM_DEFAULT }, current = { 0, TERM_DEFAULT };
  const char *begin = marked + from;
  const char *next = marked;

  while (*next != '\0')
    {
      gunichar character;

      if (is_mark (next))
        {
          style = read_mark (next);
          next += TERM_MARK_LENGTH;
          continue;
        }
      character = g_utf8_get_char (next);
      if (next >= begin)
        {
          if (style.attributes != current.attributes || style.colour != current.colour)
            set_style (self, style);
          current = style;
          if (character >= 0xA0 || (character >= 0x20 && character < 0x7F) || character == '\n' || (character == '\t' && self->is_plain))
            g_string_append_unichar (self->out, character);
          else if (character == '\t')
            g_string_append (self->out, "    ");
        }
      next = g_utf8_next_char (next);
    }
  if (current.attributes != 0 || current.colour != TERM_DEFAULT)
    set_style (self, (TermStyle){ 0, TERM_DEFAULT });
}

/**
 * term_draw_line:
 * @self: a terminal
 * @marked: a marked text
 *
 * Draws a whole line.
 */
void
term_draw_line (Term *self, const char *marked)
{
  term_draw (self, marked, 0);
  term_newline (self);
}

/**
 * term_newline:
 * @self: a terminal
 */
void
term_newline (Term *self)
{
  g_string_append_c (self->out, '\n');
}

/**
 * term_erase_up:
 * @self: a terminal that is not plain
 * @rows: how many rows above that of the cursor
 *
 * Erases these rows and everything below; the cursor is at the beginning of the first of them then.
 */
void
term_erase_up (Term *self, guint rows)
{
  /* From below, row by row: a window that is erased as a whole is kept by some terminals, to be scrolled back to. */
  g_string_append (self->out, "\r\x1b[J");
  for (guint i = 0; i < rows; i++)
    g_string_append (self->out, "\x1b[1A\x1b[K");
}

/**
 * term_erase_line:
 * @self: a terminal that is not plain
 */
void
term_erase_line (Term *self)
{
  g_string_append (self->out, "\r\x1b[K");
}

/**
 * term_flush:
 * @self: a terminal
 *
 * Writes what was drawn, in one piece if the terminal takes it.
 *
 * Returns: whether somebody still reads
 */
gboolean
term_flush (Term *self)
{
  gboolean is_read = TRUE;
  gsize done = 0;

  if (self->fd < 0)
    return TRUE;
  while (is_read && done < self->out->len)
    {
      gssize written = write (self->fd, self->out->str + done, self->out->len - done);

      if (written >= 0)
        done += (gsize) written;
      else if (errno == EAGAIN)
        g_poll (&(GPollFD){ self->fd, G_IO_OUT, 0 }, 1, -1);
      else
        is_read = errno == EINTR;
    }
  g_string_truncate (self->out, 0);
  return is_read;
}

/**
 * term_say:
 * @self: a terminal
 * @style: how
 * @format: what; anything may be in it
 * @...: for @format
 *
 * Draws lines that the program itself says, wrapped.
 */
void
term_say (Term *self, TermStyle style, const char *format, ...)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) marked = g_string_new (NULL);
  g_autofree char *text = NULL, *safe = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  safe = term_safe_dup (text, -1);
  term_mark (marked, style);
  g_string_append (marked, safe);
  if (self->is_plain)
    {
      term_draw_line (self, marked->str);
      return;
    }
  term_wrap (marked->str, term_text_columns (self), "", "", lines);
  for (guint i = 0; i < lines->len; i++)
    term_draw_line (self, g_ptr_array_index (lines, i));
}
