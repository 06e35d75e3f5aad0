#define G_LOG_DOMAIN "sqlite-lock"

#include "sqlite-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <colloquy.h>

struct _SqliteLock
{
  int fd;
};

/* Whoever has the lock wrote its number into the file; 0 if that cannot be read. */
static guint64
read_holder (int fd)
{
  char text[32];
  ssize_t length = pread (fd, text, sizeof text - 1, 0);

  if (length <= 0)
    return 0;
  text[length] = '\0';
  return g_ascii_strtoull (text, NULL, 10);
}

static void
set_busy (GError **error, const char *path, guint64 holder)
{
  if (holder > 0)
    g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_BUSY, "'%s': store is in use by PID %" G_GUINT64_FORMAT, path, holder);
  else
    g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_BUSY, "'%s': store is in use by another process", path);
}

/**
 * sqlite_lock_take:
 * @path: of the database
 * @error: return location
 *
 * Takes the lock beside the database. The file stays when the lock is given back: taking it away would let a third host
 * lock another file of the same name. The lock belongs to the opened file, so it ends with the process, however that
 * ends, and keeps two hosts in one process apart, too.
 *
 * Returns: (transfer full) (nullable): the lock
 */
SqliteLock *
sqlite_lock_take (const char *path, GError **error)
{
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  g_autofree char *holder = g_strdup_printf ("%d\n", getpid ());
  int fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  SqliteLock *self;

  if (fd < 0)
    {
      g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "'%s': %s", name, g_strerror (errno));
      return NULL;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      set_busy (error, path, read_holder (fd));
      close (fd);
      return NULL;
    }
  /* The number is for people only: without it the lock is as good. */
  if (ftruncate (fd, 0) != 0 || pwrite (fd, holder, strlen (holder), 0) < 0)
    g_debug ("'%s': %s", name, g_strerror (errno));
  self = g_new0 (SqliteLock, 1);
  self->fd = fd;
  return self;
}

/**
 * sqlite_lock_free:
 * @self: (transfer full): a lock
 */
void
sqlite_lock_free (SqliteLock *self)
{
  close (self->fd);
  g_free (self);
}
