#define G_LOG_DOMAIN "clq-clock"

#include "clq-clock.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/*
 * Tells when somebody sets the wall clock, or it jumps over a sleep of the machine: deadlines are wall times, but the
 * main loop waits on monotonic time. The kernel breaks off a timer that never ends when that happens.
 */
#define NEVER (sizeof (time_t) > 4 ? (time_t) G_MAXINT64 : (time_t) G_MAXINT32)

static gboolean
arm (int fd)
{
  const struct itimerspec when = { .it_value.tv_sec = NEVER };

  return timerfd_settime (fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL) == 0;
}

typedef struct
{
  int fd;
  GSourceFunc func;
  gpointer user_data;
} Watch;

static void
watch_free (gpointer data)
{
  close (((Watch *) data)->fd);
  g_free (data);
}

static gboolean
on_timer (int fd, GIOCondition condition, gpointer user_data)
{
  Watch *watch = user_data;
  guint64 n;

  if (read (fd, &n, sizeof n) < 0 && errno == EAGAIN)
    return G_SOURCE_CONTINUE;
  if (!arm (fd))
    return G_SOURCE_REMOVE;
  watch->func (watch->user_data);
  return G_SOURCE_CONTINUE;
}

/* Private: calls @func on @context whenever the wall clock was set. NULL if the system cannot tell. */
GSource *
clq_clock_watch_new (GMainContext *context, GSourceFunc func, gpointer user_data)
{
  int fd = timerfd_create (CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  GSource *source;
  Watch *watch;

  if (fd < 0 || !arm (fd))
    {
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  watch = g_new (Watch, 1);
  *watch = (Watch){ fd, func, user_data };
  source = g_unix_fd_source_new (fd, G_IO_IN);
  g_source_set_static_name (source, "colloquy clock");
  g_source_set_callback (source, G_SOURCE_FUNC (on_timer), watch, watch_free);
  g_source_attach (source, context);
  return source;
}
