/* read: the text of a file, or a piece of it. */
#include "files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *root;
  gint64 max_size;
  int fd;
} Read;

static const ClqSetting settings[] = {
  CLQ_STRING (Read, root, NULL, "the folder below which files may be read; without it nothing may"),
  CLQ_INT (Read, max_size, 65536, 1, 1048576, "how many bytes one call may return"),
  { NULL },
};

static gboolean
read_init (gpointer self, GError **error)
{
  Read *tool = self;

  return files_root_open (tool->root, &tool->fd, error);
}

static void
read_clear (gpointer self)
{
  Read *tool = self;

  if (tool->fd >= 0)
    close (tool->fd);
}

static char *
fail_job (const FilesJob *job, const char *why, GError **error)
{
  g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_USER, "'%s'%s", job->path, why);
  return NULL;
}

/* Reads up to @size bytes; returns -1 and sets errno if that is not possible. */
static gssize
read_piece (int fd, char *buffer, gsize size, gint64 offset)
{
  gsize length = 0;

  while (length < size)
    {
      gssize n = pread (fd, buffer + length, size - length, offset + (gint64) length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      length += (gsize) n;
    }
  return (gssize) length;
}

static gboolean
is_inside_character (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

/* Cuts off what a piece that starts or ends anywhere has of a character at its ends, at most three bytes each. */
static void
cut_to_characters (const char **start, gsize *length, gboolean at_start, gboolean at_end)
{
  const char *valid_end;

  for (guint i = 0; i < 3 && !at_start && *length > 0 && is_inside_character (**start); i++)
    {
      (*start)++;
      (*length)--;
    }
  if (!at_end && !g_utf8_validate_len (*start, *length, &valid_end) && *length - (gsize) (valid_end - *start) < 4)
    *length = (gsize) (valid_end - *start);
}

static char *
read_file (const FilesJob *job, int fd, GError **error)
{
  g_autofree char *buffer = g_malloc ((gsize) job->limit);
  g_autoptr (GString) json = g_string_new ("{\"path\":");
  const char *start = buffer;
  struct stat status;
  gsize length;
  gssize n = 0;
  gint64 end;

  if (fstat (fd, &status) < 0 ||
      (job->offset < status.st_size && (n = read_piece (fd, buffer, (gsize) job->limit, job->offset)) < 0))
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_RECOVERABLE, "'%s': %s", job->path, g_strerror (errno));
      return NULL;
    }
  length = (gsize) n;
  end = job->offset + n;
  cut_to_characters (&start, &length, job->offset == 0, end >= status.st_size);
  if (!g_utf8_validate_len (start, length, NULL) || memchr (start, '\0', length) != NULL)
    return fail_job (job, " is not text; expected UTF-8", error);
  if (length == 0 && n > 0)
    return fail_job (job, ": the limit is less than one character", error);

  end = job->offset + (start - buffer) + (gint64) length;
  clq_json_append_string (json, job->path, -1);
  g_string_append_printf (json, ",\"size\":%" G_GINT64_FORMAT ",\"offset\":%" G_GINT64_FORMAT ",\"text\":",
                          (gint64) status.st_size, job->offset + (start - buffer));
  clq_json_append_string (json, start, (gssize) length);
  if (end < status.st_size)
    g_string_append_printf (json, ",\"next\":%" G_GINT64_FORMAT, end);
  g_string_append_c (json, '}');
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static char *
read_work (const FilesJob *job, GError **error)
{
  int fd = files_open_beneath (job->root, job->path, FALSE, error);
  char *json;

  if (fd < 0)
    return NULL;
  json = read_file (job, fd, error);
  close (fd);
  return json;
}

static void
read_use (gpointer self, ClqCall *call)
{
  Read *tool = self;
  const char *request = clq_call_get_request (call);
  ClqJsonSpan offset = clq_json_find (request, -1, "offset");
  ClqJsonSpan limit = clq_json_find (request, -1, "limit");
  gint64 from = MAX (clq_json_span_get_int (&offset), 0);
  gint64 count = limit.type == CLQ_JSON_NUMBER ? CLAMP (clq_json_span_get_int (&limit), 1, tool->max_size) : tool->max_size;

  /* The end of the piece must be a number as well. */
  files_run (call, tool->fd, MIN (from, G_MAXINT64 - count), count, read_work);
}

const ClqToolInfo files_read = {
  CLQ_TOOL_INFO,
  .name = "read",
  .summary = "Reads the text of a file, or a piece of it",
  .schema = "{\"type\":\"object\",\"required\":[\"path\"],\"additionalProperties\":false,\"properties\":{"
            "\"path\":{\"type\":\"string\",\"description\":\"the file, relative to the root\"},"
            "\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"the byte to start at; the last result's next to go on\"},"
            "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"how many bytes at most\"}}}",
  .settings = settings,
  .self_size = sizeof (Read),
  .policy = CLQ_TOOL_RETRY,
  .init = read_init,
  .clear = read_clear,
  .use = read_use,
};
