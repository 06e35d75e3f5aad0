/* The worker on a clock that is set by hand: exact numbers of runs, turns, owners, clocks that jump. */
#include "worker.h"

#include <glib/gstdio.h>

#include <string.h>

#define DONE "[{\"match\":\".\",\"reply\":{\"complete\":{}}}]"
#define SLOW "[{\"match\":\".\",\"reply\":{\"after\":60,\"reply\":{\"complete\":{}}}}]"
#define DAY (24 * G_TIME_SPAN_HOUR)

static gint64
time_of (const char *text)
{
  gint64 time = 0;

  g_assert_true (clq_time_parse (text, &time));
  return time;
}

static void
assert_no_run_twice (const Worker *worker)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, worker->runs);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (GPOINTER_TO_INT (value) != 1)
      g_error ("%s: %d times", (const char *) key, GPOINTER_TO_INT (value));
}

/* A thousand schedules for a day: every run, and no other. */
static void
test_day (void)
{
  static const char *const expressions[] = { "*/10 * * * *", "7 * * * *", "0 */3 * * *", "30 6,18 * * *", "0 9 * * *" };
  static const guint per_day[] = { 144, 24, 8, 2, 1 };
  Worker worker;
  guint64 expected = 0;

  worker_init (&worker, "memory", time_of ("2026-03-01T00:00:30Z"), DONE, NULL);
  for (guint i = 0; i < 1000; i++)
    {
      guint which = i % G_N_ELEMENTS (expressions);
      g_autofree char *schedule = g_strdup_printf ("{\"type\":\"cron\",\"cronExpression\":\"%s\"}", expressions[which]);
      g_autoptr (ClqCron) cron = clq_cron_new (expressions[which], NULL, NULL);
      g_autofree char *first = clq_time_print (clq_cron_next (cron, time_of ("2026-03-01T00:00:30Z")));

      worker_place (&worker, NULL, schedule, first);
      expected += per_day[which];
    }
  clq_host_settle (worker.host);
  clq_host_advance (worker.host, DAY);
  g_assert_cmpuint (worker.n_due, ==, expected);
  g_assert_cmpuint (worker.n_complete, ==, expected);
  g_assert_cmpuint (g_hash_table_size (worker.runs), ==, expected);
  assert_no_run_twice (&worker);
  worker_clear (&worker);
}

/* Never more than allowed at once, and all of them in the end. */
static void
test_turns (void)
{
  Worker worker;

  worker_init (&worker, "memory", time_of ("2026-03-01T00:00:00Z"), SLOW, NULL);
  for (guint i = 0; i < 23; i++)
    worker_place (&worker, NULL, "{\"type\":\"immediate\"}", "2026-03-01T00:00:01Z");
  clq_host_settle (worker.host);
  clq_host_advance (worker.host, 30 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (worker.n_due, ==, 5);
  clq_host_advance (worker.host, 60 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (worker.n_due, ==, 10);
  g_assert_cmpuint (worker.n_complete, ==, 5);
  clq_host_set_max_concurrent (worker.host, 7);
  clq_host_settle (worker.host);
  g_assert_cmpuint (worker.n_due, ==, 12);
  clq_host_set_max_concurrent (worker.host, 0);
  clq_host_advance (worker.host, 300 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (worker.n_complete, ==, 23);
  assert_no_run_twice (&worker);
  worker_clear (&worker);
}

/* Who has a hundred conversations does not keep out who has two. */
static void
test_owners (void)
{
  Worker worker;

  worker_init (&worker, "memory", time_of ("2026-03-01T00:00:00Z"), SLOW, NULL);
  clq_host_set_max_concurrent (worker.host, 1);
  for (guint i = 0; i < 100; i++)
    worker_place (&worker, "a", "{\"type\":\"immediate\"}", "2026-03-01T00:00:01Z");
  for (guint i = 0; i < 2; i++)
    worker_place (&worker, "b", "{\"type\":\"immediate\"}", "2026-03-01T00:00:02Z");
  clq_host_settle (worker.host);
  clq_host_advance (worker.host, 6 * 60 * G_TIME_SPAN_SECOND);
  g_assert_true (g_str_has_prefix (worker.order->str, "aabab"));
  worker_clear (&worker);
}

/* A store in a folder of its own, which forget_store () removes. */
static char *
new_store (void)
{
  g_autofree char *folder = g_dir_make_tmp ("colloquy-worker-XXXXXX", NULL);

  return g_strdup_printf ("sqlite:%s/store.db", folder);
}

static void
forget_store (char *store)
{
  const char *path = store + strlen ("sqlite:");
  g_autofree char *lock = g_strconcat (path, ".lock", NULL), *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_remove (lock);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (store);
}

/* Most sessions are not in memory when they are due: they are claimed in the store, while others come and go. */
static void
test_asleep (void)
{
  char *store = new_store ();
  Worker worker;

  worker_init (&worker, store, time_of ("2026-03-01T00:00:30Z"), DONE, NULL);
  clq_host_set_max_live (worker.host, 8);
  for (guint i = 0; i < 300; i++)
    worker_place (&worker, NULL, "{\"type\":\"cron\",\"cronExpression\":\"* * * * *\"}", "2026-03-01T00:01:00Z");
  clq_host_settle (worker.host);
  clq_host_advance (worker.host, 5 * G_TIME_SPAN_MINUTE);
  g_assert_cmpuint (worker.n_due, ==, 5 * 300);
  g_assert_cmpuint (worker.n_complete, ==, 5 * 300);
  assert_no_run_twice (&worker);
  worker_clear (&worker);
  forget_store (store);
}

static void
on_done (ClqHost *host, const ClqNews *news, gint64 *done_at)
{
  if (strcmp (news->event, "complete") == 0)
    *done_at = news->at;
}

/* A host that has not even read the graph yet runs what it claims before the claim ends, not when it claims again. */
static void
test_stranger (void)
{
  char *store = new_store ();
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (ClqHost) host = clq_host_new (NULL);
  gint64 done_at = 0, start = g_get_real_time ();
  Worker worker;

  worker_init (&worker, store, time_of ("2026-03-01T00:00:00Z"), DONE, NULL);
  worker_place (&worker, NULL, "{\"type\":\"immediate\"}", "2026-03-01T00:00:01Z");
  clq_host_settle (worker.host);
  worker_clear (&worker);
  g_assert_true (clq_host_use_store (host, store, NULL));
  g_hash_table_insert (settings, (gpointer) "rules", (gpointer) DONE);
  g_assert_true (clq_host_add_agent (host, "assistant", "scripted.agent", settings, NULL));
  g_signal_connect (host, "news::taken", G_CALLBACK (on_done), &done_at);
  clq_host_start (host);
  while (done_at == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (done_at, <, start + G_TIME_SPAN_MINUTE);
  clq_host_close (host);
  forget_store (store);
}

/* A run that takes longer than everything else is not started again. */
static void
test_long_run (void)
{
  Worker worker;

  worker_init (&worker, "memory", time_of ("2026-03-01T00:00:00Z"), "[{\"match\":\".\",\"reply\":{\"after\":250,\"reply\":{\"complete\":{}}}}]", NULL);
  worker_place (&worker, NULL, "{\"type\":\"cron\",\"cronExpression\":\"* * * * *\"}", "2026-03-01T00:01:00Z");
  clq_host_settle (worker.host);
  clq_host_start (worker.host);
  clq_host_advance (worker.host, 309 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (worker.n_due, ==, 1);
  clq_host_advance (worker.host, 60 * G_TIME_SPAN_SECOND);
  g_assert_cmpuint (worker.n_due, ==, 2);
  g_assert_cmpuint (worker.most_open, ==, 1);
  assert_no_run_twice (&worker);
  worker_clear (&worker);
}

/* Nor is it by a poll that comes again and again while it runs. */
static void
test_polled_run (void)
{
  Worker worker;
  guint n_turns = 0;

  worker_init (&worker, "memory", 0, "[{\"match\":\".\",\"reply\":{\"after\":0.2,\"reply\":{\"complete\":{}}}}]", NULL);
  worker_place (&worker, NULL, "{\"type\":\"immediate\"}", "2026-03-01T00:01:00Z");
  clq_host_set_poll (worker.host, G_TIME_SPAN_MILLISECOND);
  clq_host_start (worker.host);
  for (; worker.n_complete == 0; n_turns++)
    g_main_context_iteration (worker.context, TRUE);
  g_assert_cmpuint (n_turns, >, 10);
  g_assert_cmpuint (worker.n_due, ==, 1);
  assert_no_run_twice (&worker);
  worker_clear (&worker);
}

/* The clock jumps; every scheduled time is run at most once, and missed ones as the policy says. */
static void
test_jump (gconstpointer data)
{
  const char *catch_up = data;
  static const gint64 jumps[] = { 1, 59, 3600, 86400, 40 * 86400, 3650 * G_GINT64_CONSTANT (86400) };
  g_autofree char *set = g_strdup_printf ("modality.catch-up=%s", catch_up);
  const char *overrides[] = { set, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++)
    {
      gint64 start = time_of ("2026-03-01T00:00:30Z"), jump = jumps[i];
      Worker worker;
      guint64 before;

      if (strcmp (catch_up, "all") == 0 && jump > 100 * 86400)
        continue; /* ten years of hours, one after the other */
      worker_init (&worker, "memory", start, DONE, overrides);
      worker_place (&worker, NULL, "{\"type\":\"cron\",\"cronExpression\":\"0 * * * *\"}", "2026-03-01T01:00:00Z");
      clq_host_settle (worker.host);
      clq_host_advance (worker.host, 3 * G_TIME_SPAN_HOUR);
      g_assert_cmpuint (worker.n_complete, ==, 3);
      /* Forward: a clock that is set runs no timer on its way. */
      clq_host_set_manual_clock (worker.host, clq_host_get_now (worker.host) + jump * G_TIME_SPAN_SECOND, 1);
      clq_host_advance (worker.host, 0);
      if (strcmp (catch_up, "once") == 0)
        g_assert_cmpuint (worker.n_complete, ==, 3 + (jump >= 3570));
      else if (strcmp (catch_up, "all") == 0)
        g_assert_cmpuint (worker.n_complete, ==, 3 + (guint64) (jump + 30) / 3600);
      /* Back again: what has run does not run again. */
      before = worker.n_complete;
      clq_host_set_manual_clock (worker.host, start, 1);
      clq_host_advance (worker.host, 3 * G_TIME_SPAN_HOUR);
      g_assert_cmpuint (worker.n_complete, ==, before);
      assert_no_run_twice (&worker);
      worker_clear (&worker);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/worker/day", test_day);
  g_test_add_func ("/colloquy/worker/turns", test_turns);
  g_test_add_func ("/colloquy/worker/owners", test_owners);
  g_test_add_func ("/colloquy/worker/asleep", test_asleep);
  g_test_add_func ("/colloquy/worker/stranger", test_stranger);
  g_test_add_func ("/colloquy/worker/long-run", test_long_run);
  g_test_add_func ("/colloquy/worker/polled-run", test_polled_run);
  g_test_add_data_func ("/colloquy/worker/jump/once", "once", test_jump);
  g_test_add_data_func ("/colloquy/worker/jump/skip", "skip", test_jump);
  g_test_add_data_func ("/colloquy/worker/jump/all", "all", test_jump);
  return g_test_run ();
}
