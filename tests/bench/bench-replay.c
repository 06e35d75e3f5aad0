/*
 * Short sessions run again: how many in a minute, and against running them the first time: bench-replay [SESSIONS [STORE]]
 *
 * STORE is the name of a store's plugin, which gets a file of its own.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "sqlite.h"

#define ACTIONS 4  /* of each session */
#define AT_ONCE 64 /* inputs that wait for the store */

static guint n_equal;

static void
on_report (const ClqReplayReport *report, const GError *error, gpointer user_data)
{
  n_equal += report != NULL && report->is_equal;
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) atoi (argv[1]) : 10000;
  g_autoptr (GError) error = NULL;
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *store = argc > 2 ? g_strdup_printf ("%s:%s/sessions", argv[2], folder) : g_strdup ("memory");
  BenchChat chat;
  ClqReplay *replay;
  double began, first, again;

  began = bench_now ();
  bench_chat_init_on (&chat, n, store);
  chat.window = MIN (AT_ONCE, n);
  bench_chat_open (&chat);
  bench_chat_run (&chat, (guint64) n * ACTIONS);
  first = bench_now () - began;
  replay = clq_replay_new (chat.host, &error);
  if (replay == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  began = bench_now ();
  for (guint i = 0; i < n; i++)
    {
      clq_replay_run (replay, chat.ids + 16 * (gsize) i, on_report, NULL);
      clq_host_settle (chat.host);
    }
  again = bench_now () - began;
  printf ("%u sessions of %d actions: %.2f s the first time, %.2f s again, %u equal\n", n, ACTIONS, first, again, n_equal);
  bench_goal ("10,000 sessions run again", again * 10000 / n, "s", FALSE, 60, 10);
  bench_goal ("against running them the first time", again / first, "times", FALSE, 50, 20);
  clq_replay_free (replay);
  bench_chat_clear (&chat);
  return n_equal == n ? 0 : 1;
}
