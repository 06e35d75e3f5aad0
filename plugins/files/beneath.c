/* Opening below a root, and work on what was opened in a thread. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef char *(*FilesWork) (const FilesJob *job, GError **error);

static int
fail_path (GError **error, const char *path, const char *why)
{
  g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_USER, "'%s' %s", path, why);
  return -1;
}

static int
fail_errno (GError **error, const char *path, int code)
{
  if (code == ELOOP)
    return fail_path (error, path, "is or contains a symbolic link, which is not followed");
  if (code == EXDEV)
    return fail_path (error, path, "leads out of the folder that may be read");
  g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_USER, "'%s': %s", path, g_strerror (code));
  return -1;
}

/* Opens the root itself, once: what is put in its place later is not served. */
gboolean
files_root_open (const char *path, int *fd, GError **error)
{
  *fd = -1;
  if (path == NULL || *path == '\0')
    return TRUE;
  if (!g_path_is_absolute (path))
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "root: expected an absolute path, found '%s'", path);
      return FALSE;
    }
  *fd = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (*fd >= 0)
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "root: '%s': %s", path, g_strerror (errno));
  return FALSE;
}

/* Refuses what the kernel would have to refuse as well. */
static gboolean
check_path (const char *path, GError **error)
{
  g_auto (GStrv) parts = NULL;

  if (*path == '\0')
    return fail_path (error, path, "is empty; expected a path below the root, '.' for the root itself") == 0;
  if (*path == '/')
    return fail_path (error, path, "is absolute; expected a path below the root") == 0;
  if (strlen (path) >= PATH_MAX)
    return fail_path (error, "...", "is too long for a path") == 0;
  parts = g_strsplit (path, "/", -1);
  if (g_strv_contains ((const char *const *) parts, ".."))
    return fail_path (error, path, "contains '..'; expected a path below the root") == 0;
  return TRUE;
}

/* Opens a place without any effect that opening may have: neither does a pipe wait nor a device do anything. */
static int
place_beneath (int root, const char *path)
{
  struct open_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
                          .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS };
  long fd;

  /* The kernel gives up where somebody renames at the same time. */
  for (guint i = 0; i < 16; i++)
    {
      fd = syscall (SYS_openat2, root, path, &how, sizeof how);
      if (fd >= 0 || errno != EAGAIN)
        return (int) fd;
    }
  return -1;
}

/* The same for kernels and sandboxes without openat2: one folder after the other, each held while the next one is opened. */
static int
place_walking (int root, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  int at = fcntl (root, F_DUPFD_CLOEXEC, 0);

  for (guint i = 0; parts[i] != NULL && at >= 0; i++)
    {
      gboolean last = parts[i + 1] == NULL;
      int next, saved;

      if (*parts[i] == '\0' && !last)
        continue;
      /* A path that ends in a slash means a folder. */
      next = openat (at, *parts[i] == '\0' ? "." : parts[i], O_PATH | O_CLOEXEC | O_NOFOLLOW | (last ? 0 : O_DIRECTORY));
      saved = errno;
      close (at);
      errno = saved;
      at = next;
    }
  return at;
}

/* Makes a descriptor to read from out of a place, if it is what is wanted. It stays the same file whatever happens to its name. */
static int
open_place (int place, const char *path, gboolean folder, GError **error)
{
  g_autofree char *own = g_strdup_printf ("/proc/self/fd/%d", place);
  struct stat status;
  int fd;

  if (fstat (place, &status) < 0)
    return fail_errno (error, path, errno);
  if (S_ISLNK (status.st_mode))
    return fail_errno (error, path, ELOOP);
  if (folder && !S_ISDIR (status.st_mode))
    return fail_path (error, path, "is not a folder");
  if (!folder && S_ISDIR (status.st_mode))
    return fail_path (error, path, "is a folder; expected a file");
  if (!folder && !S_ISREG (status.st_mode))
    return fail_path (error, path, "is not a file but a pipe, socket or device");
  fd = open (own, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (folder ? O_DIRECTORY : 0));
  return fd >= 0 ? fd : fail_errno (error, path, errno);
}

/* Takes the place. */
static int
open_checked (int place, const char *path, gboolean folder, GError **error)
{
  int fd;

  if (place < 0)
    return fail_errno (error, path, errno);
  fd = open_place (place, path, folder, error);
  close (place);
  return fd;
}

int
files_open_walking (int root, const char *path, gboolean folder, GError **error)
{
  return check_path (path, error) ? open_checked (place_walking (root, path), path, folder, error) : -1;
}

/* Returns: a descriptor to read from, or -1 */
int
files_open_beneath (int root, const char *path, gboolean folder, GError **error)
{
  int place;

  if (!check_path (path, error))
    return -1;
  place = place_beneath (root, path);
  if (place < 0 && (errno == ENOSYS || errno == EPERM))
    return files_open_walking (root, path, folder, error);
  return open_checked (place, path, folder, error);
}

/* ---- work in a thread ---- */

typedef struct
{
  FilesJob job;
  FilesWork work;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  close (task->job.root);
  g_free (task->job.path);
  g_free (task);
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Task *todo = data;
  GError *error = NULL;
  char *json = todo->work (&todo->job, &error);

  if (json != NULL)
    g_task_return_pointer (task, json, g_free);
  else
    g_task_return_error (task, error);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClqCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_task_propagate_pointer (G_TASK (result), &error);

  if (json != NULL)
    clq_call_return (call, json);
  else
    clq_call_fail (call, error->domain == CLQ_FAILURE ? (ClqFailure) error->code : CLQ_FAILURE_CRITICAL, "%s", error->message);
}

/* Does the work for a call: the disk may be slow, and nothing may hold up the main loop. */
void
files_run (ClqCall *call, int root, gint64 offset, gint64 limit, FilesWork work)
{
  g_autofree char *path = clq_json_find_string (clq_call_get_request (call), "path");
  g_autoptr (GTask) task = NULL;
  Task *todo;
  int copy;

  if (root < 0)
    {
      clq_call_fail (call, CLQ_FAILURE_CRITICAL, "no root is configured; expected root=PATH in the group [tool %s]", clq_call_get_target (call));
      return;
    }
  copy = fcntl (root, F_DUPFD_CLOEXEC, 0);
  if (copy < 0)
    {
      clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "the root: %s", g_strerror (errno));
      return;
    }
  todo = g_new0 (Task, 1);
  todo->job = (FilesJob){ copy, path != NULL ? g_steal_pointer (&path) : g_strdup ("."), offset, limit };
  todo->work = work;
  task = g_task_new (NULL, clq_call_get_cancellable (call), on_done, clq_call_ref (call));
  g_task_set_task_data (task, todo, task_free);
  g_task_run_in_thread (task, run_task);
}
