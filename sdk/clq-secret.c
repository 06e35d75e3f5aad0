#define G_LOG_DOMAIN "clq-secret"

#include "clq-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* A key or a certificate is far shorter. */
#define MAX_FILE (64 * 1024)

/* What read_all () says of a pipe or a device: who waits for one to be written, or reads one that never ends, does not start. */
#define NO_FILE -2

struct _ClqSecret
{
  gatomicrefcount ref_count;
  gsize length;
  char *text;
};

G_DEFINE_BOXED_TYPE (ClqSecret, clq_secret, clq_secret_ref, clq_secret_unref)

static ClqSecret *
secret_take (char *text)
{
  ClqSecret *self = g_new0 (ClqSecret, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->length = strlen (text);
  self->text = text;
  return self;
}

/* Reads until the end or until @text is full; returns -1 and sets errno if that is not possible, or NO_FILE. */
static gssize
read_all (const char *path, char *text, gsize room)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  gsize length = 0;
  gssize n = 1;
  GStatBuf info;
  int saved_errno;

  if (fd < 0)
    return -1;
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      close (fd);
      return NO_FILE;
    }
  while (n != 0 && length < room)
    {
      n = read (fd, text + length, room - length);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        break;
      length += (gsize) n;
    }
  saved_errno = errno;
  close (fd);
  errno = saved_errno;
  return n < 0 ? -1 : (gssize) length;
}

static ClqSecret *
secret_read (const char *path, GError **error)
{
  char *text = g_malloc0 (MAX_FILE + 2);
  gssize length = read_all (path, text, MAX_FILE + 1);
  const char *what = "", *why = "";

  if (length == NO_FILE)
    what = "is no regular file; expected one that holds the secret";
  else if (length < 0)
    {
      what = "cannot be read: ";
      why = g_strerror (errno);
    }
  else if (length > MAX_FILE)
    what = "is too large; expected at most 64 kB";
  else if (strlen (text) != (gsize) length)
    what = "is no text";
  else if (*g_strchomp (text) == '\0')
    what = "is empty";
  else
    {
      ClqSecret *self = secret_take (g_strdup (text));

      explicit_bzero (text, (gsize) length);
      g_free (text);
      return self;
    }
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET, "the secret's file '%s' %s%s", path, what, why);
  explicit_bzero (text, MAX_FILE + 2);
  g_free (text);
  return NULL;
}

/**
 * clq_secret_new_from_reference:
 * @reference: `env:NAME`, `file:PATH` or `secret:NAME`
 * @error: return location
 *
 * Reads a secret from a variable, from a file without the white space at its end, or from the desktop's secret service,
 * whose answer is waited for during a few seconds at most. A secret never stands in a
 * configuration file itself, and messages never repeat what stands there in its place. The error is
 * %CLQ_SETTING_ERROR_VALUE if @reference is none, and %CLQ_SETTING_ERROR_SECRET if there is no secret where it leads.
 *
 * Returns: (transfer full): the secret, or %NULL
 */
ClqSecret *
clq_secret_new_from_reference (const char *reference, GError **error)
{
  if (g_str_has_prefix (reference, "env:"))
    {
      const char *value = g_getenv (reference + 4);

      if (value == NULL || *value == '\0')
        {
          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET,
                       "the environment has no variable '%s', or it is empty", reference + 4);
          return NULL;
        }
      return secret_take (g_strdup (value));
    }
  if (g_str_has_prefix (reference, "file:"))
    return secret_read (reference + 5, error);
  if (g_str_has_prefix (reference, "secret:"))
    {
      char *text = clq_secret_service_lookup (reference + 7, error);

      return text != NULL ? secret_take (text) : NULL;
    }
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE,
               "a secret is not written into the file; expected env:NAME, file:PATH or secret:NAME");
  return NULL;
}

/**
 * clq_secret_ref:
 * @self: a secret
 *
 * Returns: (transfer full): @self
 */
ClqSecret *
clq_secret_ref (ClqSecret *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * clq_secret_unref:
 * @self: (transfer full): a secret
 *
 * Drops a reference; the text is overwritten before it is freed.
 */
void
clq_secret_unref (ClqSecret *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  explicit_bzero (self->text, self->length);
  g_free (self->text);
  g_free (self);
}

/**
 * clq_secret_reveal:
 * @self: a secret
 *
 * Returns: (transfer none): the text, for the one place that needs it
 */
const char *
clq_secret_reveal (ClqSecret *self)
{
  return self->text;
}
