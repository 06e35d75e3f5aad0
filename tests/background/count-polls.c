/*
 * Preloaded into a program: each time that its main loop waits, a byte goes to the file COUNT_POLLS. Who loops without an end
 * writes more of them than can be explained.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__ ((visibility ("default"))) int
poll (struct pollfd *fds, nfds_t n, int timeout)
{
  static int (*next) (struct pollfd *, nfds_t, int);
  static int fd = -1;

  if (next == NULL)
    {
      const char *path = getenv ("COUNT_POLLS");

      next = (int (*) (struct pollfd *, nfds_t, int)) dlsym (RTLD_NEXT, "poll");
      fd = path != NULL ? open (path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    }
  if (gettid () == getpid () && write (fd, ".", 1) < 0)
    fd = -1; /* nobody counts any more, or there is no room left for so many */
  return next (fds, n, timeout);
}
