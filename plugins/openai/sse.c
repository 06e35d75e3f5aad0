#include "sse.h"

#include <string.h>

#define MARK "\xef\xbb\xbf"
#define BEGUN 3

void
openai_sse_init (OpenaiSse *self, gsize max_event)
{
  *self = (OpenaiSse){ .max_event = max_event };
  self->line = g_string_new (NULL);
  self->data = g_string_new (NULL);
}

void
openai_sse_clear (OpenaiSse *self)
{
  if (self->line == NULL)
    return;
  g_string_free (g_steal_pointer (&self->line), TRUE);
  g_string_free (g_steal_pointer (&self->data), TRUE);
}

/* An empty line ends an event; one without data is none. */
static gboolean
end_event (OpenaiSse *self, OpenaiSseFunc func, gpointer user_data)
{
  gboolean go_on = self->n_data == 0 || func (self->data->str, self->data->len, user_data);

  g_string_truncate (self->data, 0);
  self->n_data = 0;
  self->size = 0;
  return go_on;
}

/* `data: TEXT`. Other fields and comments say nothing that we need. */
static void
read_field (OpenaiSse *self)
{
  const char *line = self->line->str;
  gsize length = self->line->len;

  if (length < 4 || memcmp (line, "data", 4) != 0 || (length > 4 && line[4] != ':'))
    return;
  line += MIN (length, 5);
  length -= MIN (length, 5);
  if (length > 0 && *line == ' ')
    line++, length--;
  if (self->n_data++ > 0)
    g_string_append_c (self->data, '\n');
  g_string_append_len (self->data, line, (gssize) length);
}

static gboolean
end_line (OpenaiSse *self, OpenaiSseFunc func, gpointer user_data)
{
  if (self->line->len == 0)
    return end_event (self, func, user_data);
  read_field (self);
  g_string_truncate (self->line, 0);
  return TRUE;
}

/* A byte order mark at the very beginning is left out; what only looked like one is part of the first line. */
static gsize
skip_mark (OpenaiSse *self, const char *bytes, gsize length)
{
  gsize used = 0;

  while (used < length && self->n_mark < BEGUN && bytes[used] == MARK[self->n_mark])
    self->n_mark++, used++;
  if (used < length && self->n_mark < BEGUN)
    {
      g_string_append_len (self->line, MARK, self->n_mark);
      self->n_mark = BEGUN;
    }
  return used;
}

static gsize
find_end_of_line (const char *bytes, gsize length)
{
  gsize at = 0;

  while (at < length && bytes[at] != '\n' && bytes[at] != '\r')
    at++;
  return at;
}

/*
 * Takes the next bytes and gives every event that they complete to @func, until that wants no more. Lines end with LF, CR
 * or both, and bytes may be cut anywhere. Returns FALSE if an event is larger than it may be.
 */
gboolean
openai_sse_feed (OpenaiSse *self, const char *bytes, gsize length, OpenaiSseFunc func, gpointer user_data)
{
  gsize at = skip_mark (self, bytes, length);

  while (at < length)
    {
      gsize used;

      if (self->skip_lf && bytes[at] == '\n')
        at++;
      self->skip_lf = FALSE;
      used = find_end_of_line (bytes + at, length - at);
      self->size += used;
      if (self->size > self->max_event)
        return FALSE;
      g_string_append_len (self->line, bytes + at, (gssize) used);
      at += used;
      if (at == length)
        break;
      self->skip_lf = bytes[at++] == '\r';
      if (!end_line (self, func, user_data))
        return TRUE;
    }
  return TRUE;
}

/*
 * The stream is over. Servers exist that leave out the empty line behind the last event, or even the end of its line, so
 * what has come is given as an event; whether its data are whole is for @func to find out. Returns whether there was one.
 */
gboolean
openai_sse_end (OpenaiSse *self, OpenaiSseFunc func, gpointer user_data)
{
  gboolean had_data;

  if (self->line->len > 0)
    end_line (self, func, user_data);
  had_data = self->n_data > 0;
  end_event (self, func, user_data);
  return had_data;
}
