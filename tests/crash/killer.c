/* Preloaded into a process: kills it at the n-th step, CLQ_KILL_AT=n. A step is just before or just after a call that changes something outside. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile long kill_at = -1;
static volatile long n_calls;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *value = getenv ("CLQ_KILL_AT");

  kill_at = value != NULL ? atol (value) : -1;
}

static void
count (void)
{
  if (kill_at >= 0 && __atomic_add_fetch (&n_calls, 1, __ATOMIC_RELAXED) == kill_at)
    kill (getpid (), SIGKILL);
}

#define WRAP(Result, name, parameters, arguments) \
  Result name parameters; \
  Result name parameters \
  { \
    static Result (*real) parameters; \
    Result result; \
\
    if (real == NULL) \
      real = (Result (*) parameters) dlsym (RTLD_NEXT, #name); \
    count (); \
    result = real arguments; \
    count (); \
    return result; \
  }

WRAP (ssize_t, write, (int fd, const void *data, size_t n), (fd, data, n))
WRAP (ssize_t, pwrite, (int fd, const void *data, size_t n, off_t at), (fd, data, n, at))
WRAP (ssize_t, pwrite64, (int fd, const void *data, size_t n, off64_t at), (fd, data, n, at))
WRAP (ssize_t, writev, (int fd, const struct iovec *parts, int n), (fd, parts, n))
WRAP (int, fsync, (int fd), (fd))
WRAP (int, fdatasync, (int fd), (fd))
WRAP (int, ftruncate, (int fd, off_t length), (fd, length))
WRAP (int, ftruncate64, (int fd, off64_t length), (fd, length))
WRAP (int, rename, (const char *from, const char *to), (from, to))
WRAP (int, unlink, (const char *path), (path))
