/* bench-start HOST BARE ARGS...: how long a program with a host takes to start, beside one that only opens the same files. */
#include "bench.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds until @program with our own arguments from @args on has ended. */
static double
time_start (char *program, char **args)
{
  char *first = args[0];
  gint64 start;
  pid_t child;
  int status;

  args[0] = program;
  start = g_get_monotonic_time ();
  g_assert_cmpint (posix_spawn (&child, program, NULL, NULL, args, environ), ==, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  start = g_get_monotonic_time () - start;
  args[0] = first;
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  return start / 1e3;
}

int
main (int argc, char **argv)
{
  BenchSeries host = { 0 }, bare = { 0 };

  g_assert_cmpint (argc, >, 5);
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      BenchSeries hosts = { 0 }, bares = { 0 };

      for (guint j = 0; j < BENCH_ROUNDS; j++)
        {
          bench_add (&hosts, time_start (argv[1], argv + 2));
          bench_add (&bares, time_start (argv[2], argv + 2));
        }
      bench_add (&host, bench_median (&hosts));
      bench_add (&bare, bench_median (&bares));
    }
  g_print ("%-52s %10.2f ms\n", "start of a bare program", bench_median (&bare));
  g_print ("%-52s %10.2f ms\n", "start of a host with the same plugins and a graph", bench_median (&host));
  bench_goal ("host / bare", bench_median (&host) / bench_median (&bare), "x", FALSE, 1.5, 1.2);
  return 0;
}
