#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <string.h>

/**
 * term_stream_init:
 * @self: a text that will come in pieces
 * @term: where it is drawn
 */
void
term_stream_init (TermStream *self, Term *term)
{
  *self = (TermStream){ .term = term };
  self->open = g_string_new (NULL);
  self->shown = g_ptr_array_new_with_free_func (g_free);
}

/**
 * term_stream_clear:
 * @self: a text
 */
void
term_stream_clear (TermStream *self)
{
  g_string_free (g_steal_pointer (&self->open), TRUE);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
}

/**
 * term_stream_is_empty:
 * @self: a text
 *
 * Returns: whether nothing of it is on the screen
 */
gboolean
term_stream_is_empty (const TermStream *self)
{
  return !self->is_drawn;
}

static const char *
line_at (const GPtrArray *lines, guint index)
{
  return g_ptr_array_index (lines, index);
}

/* Begins the line with this number of the open part; the cursor is at the end of the line before. */
static void
begin_line (TermStream *self, guint index)
{
  if (index > 0)
    term_newline (self->term);
  else if (self->is_drawn)
    {
      term_newline (self->term);
      term_newline (self->term);
    }
  self->is_drawn = TRUE;
}

/* Brings the screen from the lines that are shown to @lines: draws only what is different, in one go. */
static void
show (TermStream *self, GPtrArray *lines)
{
  Term *term = self->term;
  guint n_shown = self->shown->len, same = 0;

  if (lines->len == 0)
    return;
  while (same < n_shown && same < lines->len && strcmp (line_at (self->shown, same), line_at (lines, same)) == 0)
    same++;
  if (same == n_shown - 1 && n_shown > 0 && same < lines->len && g_str_has_prefix (line_at (lines, same), line_at (self->shown, same)))
    {
      term_draw (term, line_at (lines, same), strlen (line_at (self->shown, same)));
      same++;
    }
  else if (same < n_shown)
    {
      /* What has left the window at the top cannot be drawn again. */
      same = MIN (same, lines->len - 1);
      if (n_shown - same > (guint) term->rows - 1)
        same = MIN (n_shown - ((guint) term->rows - 1), lines->len - 1);
      term_erase_up (term, n_shown - 1 - same);
      term_draw (term, line_at (lines, same), 0);
      same++;
    }
  for (; same < lines->len; same++)
    {
      begin_line (self, same);
      term_draw (term, line_at (lines, same), 0);
    }
  g_ptr_array_unref (self->shown);
  self->shown = g_ptr_array_ref (lines);
}

static void
show_markdown (TermStream *self, const char *text, gssize length)
{
  g_autoptr (GPtrArray) lines = term_markdown (text, length, self->columns);

  show (self, lines);
}

static void
settle (TermStream *self, gsize length)
{
  show_markdown (self, self->open->str, (gssize) length);
  g_string_erase (self->open, 0, (gssize) length);
  g_ptr_array_unref (self->shown);
  self->shown = g_ptr_array_new_with_free_func (g_free);
}

static void
draw_plain (TermStream *self)
{
  if (self->open->len == 0)
    return;
  term_draw (self->term, self->open->str, 0);
  self->is_drawn = TRUE;
  self->line_is_open = self->open->str[self->open->len - 1] != '\n';
  g_string_truncate (self->open, 0);
}

/**
 * term_stream_add:
 * @self: a text
 * @text: its next piece
 * @length: the length of that, or -1
 *
 * Draws what can be drawn of it.
 */
void
term_stream_add (TermStream *self, const char *text, gssize length)
{
  g_autoptr (GString) healed = NULL;
  gsize settled;

  term_safe_append (&self->safe, self->open, text, length);
  if (self->term->is_plain)
    {
      draw_plain (self);
      return;
    }
  /* A block keeps the width with which it was begun: its lines are where they are. */
  if (self->shown->len == 0)
    self->columns = term_text_columns (self->term);
  settled = term_find_settled (self->open->str, self->open->len);
  if (settled > 0)
    settle (self, settled);
  healed = g_string_new (self->open->str);
  term_heal (healed);
  show_markdown (self, healed->str, (gssize) healed->len);
}

/**
 * term_stream_end:
 * @self: a text
 *
 * Says that the text is complete: draws the rest. The next text may follow then.
 */
void
term_stream_end (TermStream *self)
{
  term_safe_finish (&self->safe, self->open);
  if (self->term->is_plain)
    {
      draw_plain (self);
      if (self->line_is_open)
        term_newline (self->term);
    }
  else
    {
      if (self->shown->len == 0)
        self->columns = term_text_columns (self->term);
      settle (self, self->open->len);
      if (self->is_drawn)
        term_newline (self->term);
    }
  self->is_drawn = self->line_is_open = FALSE;
}
