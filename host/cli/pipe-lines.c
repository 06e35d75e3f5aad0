#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib-unix.h>

/* Reads lines without holding up the main loop. A line that is too long is skipped to its end and told as an error. */
struct _PipeLines
{
  int fd;
  guint source;
  gsize limit;
  GString *line;
  gboolean skipping;
  PipeLineFunc func;
  gpointer user_data;
};

static void
tell_line (PipeLines *self)
{
  g_autoptr (GError) error = NULL;

  if (self->skipping)
    error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "the line is longer than %" G_GSIZE_FORMAT " bytes", self->limit);
  self->func (self->line->str, self->line->len, error, self->user_data);
  g_string_truncate (self->line, 0);
  self->skipping = FALSE;
}

static void
add_bytes (PipeLines *self, const char *bytes, gsize length)
{
  if (self->skipping)
    return;
  if (self->line->len + length > self->limit)
    {
      g_string_truncate (self->line, 0);
      self->skipping = TRUE;
      return;
    }
  g_string_append_len (self->line, bytes, length);
}

static void
take_bytes (PipeLines *self, const char *bytes, gsize length)
{
  const char *end = bytes + length;

  while (bytes < end)
    {
      const char *newline = memchr (bytes, '\n', end - bytes);

      add_bytes (self, bytes, (newline != NULL ? newline : end) - bytes);
      if (newline == NULL)
        return;
      tell_line (self);
      bytes = newline + 1;
    }
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  PipeLines *self = user_data;
  char buffer[65536];
  gssize n = read (fd, buffer, sizeof buffer);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n > 0)
    {
      take_bytes (self, buffer, n);
      return G_SOURCE_CONTINUE;
    }
  if (self->line->len > 0 || self->skipping)
    tell_line (self);
  self->source = 0;
  self->func (NULL, 0, NULL, self->user_data);
  return G_SOURCE_REMOVE;
}

PipeLines *
pipe_lines_new (int fd, gsize limit, PipeLineFunc func, gpointer user_data)
{
  PipeLines *self = g_new0 (PipeLines, 1);

  self->fd = fd;
  self->limit = limit;
  self->line = g_string_new (NULL);
  self->func = func;
  self->user_data = user_data;
  self->source = g_unix_fd_add (fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, self);
  return self;
}

void
pipe_lines_free (PipeLines *self)
{
  if (self->source != 0)
    g_source_remove (self->source);
  g_string_free (self->line, TRUE);
  g_free (self);
}
