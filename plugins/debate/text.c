/*
 * Texts as they stand between the quotes of a JSON string. That is how the journal has them and how agents are asked, so what goes
 * from one to the other, often more than once, is never read and written anew.
 */
#include "debate.h"

/* Whether the last two bytes are an escape of white space, and not the end of another escape. */
static gboolean
ends_with_escape (const char *start, gsize length)
{
  gsize n_backslashes = 0;

  if (length < 2 || strchr ("nrtf", start[length - 1]) == NULL)
    return FALSE;
  while (n_backslashes < length - 1 && start[length - 2 - n_backslashes] == '\\')
    n_backslashes++;
  return n_backslashes % 2 == 1;
}

static gsize
find_end (const char *start, gsize length)
{
  for (;;)
    if (length > 0 && start[length - 1] == ' ')
      length--;
    else if (ends_with_escape (start, length))
      length -= 2;
    else
      return length;
}

/* Takes white space off its end. */
void
debate_text_trim (DebateText *self)
{
  self->length = find_end (self->start, self->length);
}

/* Takes white space off the end of a text that is put together. */
void
debate_trim (GString *escaped)
{
  g_string_truncate (escaped, find_end (escaped->str, escaped->len));
}

/* How many characters it says; an escape is one. */
gsize
debate_text_count (const DebateText *self)
{
  gsize n = 0;

  for (const char *p = self->start, *end = p + self->length; p < end; n++)
    if (*p == '\\')
      p += end - p >= 6 && p[1] == 'u' ? 6 : 2;
    else
      p = g_utf8_next_char (p);
  return n;
}

/* What it says. */
char *
debate_text_dup_plain (const DebateText *self)
{
  ClqJsonSpan span = { CLQ_JSON_STRING, self->start - 1, self->length + 2 }; /* with the quotes around it */

  return clq_json_span_dup_string (&span);
}

/* The text as it is, to be put into a prompt. */
char *
debate_text_dup (const DebateText *self)
{
  return self != NULL ? g_strndup (self->start, self->length) : NULL;
}

/* What somebody says, to be put into a prompt. */
char *
debate_escape (const char *text)
{
  GString *out;

  if (text == NULL)
    return NULL;
  out = g_string_new (NULL);
  clq_json_append_escaped (out, text, -1);
  return g_string_free (out, FALSE);
}
