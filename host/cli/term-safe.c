#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <string.h>

/* More combining characters than any script needs on one letter; the rest would grow over the lines above. */
#define MAX_MARKS 8

/* Where in a control sequence the text is. What a terminal would swallow as part of one is swallowed here. */
typedef enum
{
  STATE_TEXT,
  STATE_ESCAPE,        /* after ESC */
  STATE_INTERMEDIATE,  /* after ESC and a character that needs one more */
  STATE_CSI,           /* parameters of a control sequence */
  STATE_STRING,        /* an operating system command and its like: up to its end or the end of the line */
  STATE_STRING_ESCAPE, /* in one, after ESC */
} State;

/* What stands for a sequence of its own in the C1 set. */
static State
state_after_c1 (gunichar character)
{
  switch (character)
    {
    case 0x9B:
      return STATE_CSI;
    case 0x90:
    case 0x98:
    case 0x9D:
    case 0x9E:
    case 0x9F:
      return STATE_STRING;
    default:
      return STATE_TEXT;
    }
}

static State
state_after_escape (gunichar character)
{
  if (character == '[')
    return STATE_CSI;
  if (character == ']' || character == 'P' || character == 'X' || character == '^' || character == '_')
    return STATE_STRING;
  return character >= 0x20 && character <= 0x2F ? STATE_INTERMEDIATE : STATE_TEXT;
}

/* Characters that change how others are shown: order of writing, annotations, tags, marks of byte order. */
static gboolean
is_invisible_control (gunichar character)
{
  return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069) ||
         (character >= 0xFFF9 && character <= 0xFFFB) || (character >= 0xE0000 && character <= 0xE007F) ||
         character == 0xFEFF || character == 0x00AD;
}

static gboolean
is_line_end (gunichar character)
{
  return character == '\n' || character == 0x85 || character == 0x2028 || character == 0x2029;
}

static void
append_text (TermSafe *self, GString *out, gunichar character)
{
  if (is_invisible_control (character))
    return;
  if (term_char_width (character) > 0)
    self->n_marks = 0;
  else if (++self->n_marks > MAX_MARKS)
    {
      self->n_marks = MAX_MARKS;
      return;
    }
  g_string_append_unichar (out, character);
}

/* A character outside any sequence. */
static void
take_text (TermSafe *self, GString *out, gunichar character)
{
  if (character == 0x1B)
    self->state = STATE_ESCAPE;
  else if (is_line_end (character) || character == '\t')
    {
      self->n_marks = 0;
      g_string_append_c (out, character == '\t' ? '\t' : '\n');
    }
  else if (character >= 0x80 && character <= 0x9F)
    self->state = state_after_c1 (character);
  else if (character >= 0x20 && character != 0x7F)
    append_text (self, out, character);
}

/* The sequence ends without being one: what came after its beginning is text again. */
static void
give_up (TermSafe *self, GString *out, gunichar character)
{
  self->state = STATE_TEXT;
  take_text (self, out, character);
}

static void
take (TermSafe *self, GString *out, gunichar character)
{
  switch ((State) self->state)
    {
    case STATE_ESCAPE:
      if (character >= 0x20 && character <= 0x7E)
        self->state = state_after_escape (character);
      else
        give_up (self, out, character);
      break;
    case STATE_INTERMEDIATE:
      if (character >= 0x30 && character <= 0x7E)
        self->state = STATE_TEXT;
      else if (character < 0x20 || character > 0x2F)
        give_up (self, out, character);
      break;
    case STATE_CSI:
      if (character >= 0x40 && character <= 0x7E)
        self->state = STATE_TEXT;
      else if (character == 0x1B || character > 0x7E || is_line_end (character))
        give_up (self, out, character);
      break;
    case STATE_STRING:
      if (character == 0x07 || character == 0x9C || character == 0x18 || character == 0x1A)
        self->state = STATE_TEXT;
      else if (character == 0x1B)
        self->state = STATE_STRING_ESCAPE;
      else if (is_line_end (character))
        give_up (self, out, character);
      break;
    case STATE_STRING_ESCAPE:
      if (character == '\\')
        self->state = STATE_TEXT;
      else
        {
          self->state = STATE_ESCAPE;
          take (self, out, character);
        }
      break;
    case STATE_TEXT:
    default:
      take_text (self, out, character);
      break;
    }
}

/* Takes the character that begins at @text; returns how many bytes it has, 0 if the rest of it has not come yet. */
static gsize
take_one (TermSafe *self, GString *out, const char *text, gsize length)
{
  gunichar character = g_utf8_get_char_validated (text, (gssize) length);

  if (*text == '\0')
    return 1;
  if (character == (gunichar) -2 && length < 4)
    return 0;
  if (character == (gunichar) -1 || character == (gunichar) -2)
    {
      take (self, out, 0xFFFD);
      return 1;
    }
  take (self, out, character);
  return (gsize) g_utf8_skip[*(const guchar *) text];
}

/* A character of which a part came with the piece before. */
static gsize
complete_character (TermSafe *self, GString *out, const char *text, gsize length)
{
  gsize used = 0;

  while (self->n_bytes > 0 && used < length)
    {
      gsize taken;

      self->bytes[self->n_bytes++] = text[used++];
      taken = take_one (self, out, self->bytes, self->n_bytes);
      if (taken == 0)
        continue;
      self->n_bytes -= taken;
      memmove (self->bytes, self->bytes + taken, self->n_bytes);
      while (self->n_bytes > 0 && (taken = take_one (self, out, self->bytes, self->n_bytes)) > 0)
        {
          self->n_bytes -= taken;
          memmove (self->bytes, self->bytes + taken, self->n_bytes);
        }
    }
  return used;
}

/**
 * term_safe_append:
 * @self: where the text is
 * @out: gets what is harmless
 * @text: a piece of a text from outside
 * @length: its length, or -1
 *
 * Leaves out control characters and the sequences they begin, also if a sequence is cut into several pieces. New lines
 * and tabs stay. Bytes that are no UTF-8 become U+FFFD.
 */
void
term_safe_append (TermSafe *self, GString *out, const char *text, gssize length)
{
  gsize rest = length < 0 ? strlen (text) : (gsize) length;
  gsize used = complete_character (self, out, text, rest);

  text += used;
  rest -= used;
  while (rest > 0)
    {
      used = take_one (self, out, text, rest);
      if (used == 0)
        {
          memcpy (self->bytes, text, rest);
          self->n_bytes = rest;
          return;
        }
      text += used;
      rest -= used;
    }
}

/**
 * term_safe_finish:
 * @self: where the text is
 * @out: gets what is harmless
 *
 * Says that nothing more comes.
 */
void
term_safe_finish (TermSafe *self, GString *out)
{
  if (self->n_bytes > 0)
    take (self, out, 0xFFFD);
  *self = (TermSafe){ 0 };
}

/**
 * term_safe_dup:
 * @text: a text from outside
 * @length: its length, or -1
 *
 * Returns: (transfer full): what is harmless of it
 */
char *
term_safe_dup (const char *text, gssize length)
{
  TermSafe safe = { 0 };
  GString *out = g_string_new (NULL);

  term_safe_append (&safe, out, text, length);
  term_safe_finish (&safe, out);
  return g_string_free (out, FALSE);
}
