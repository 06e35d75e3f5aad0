/*
 * Durable transitions: the whole way of an action through host, engine and SQLite store, beside a bare loop that writes
 * the same rows to the same tables with the same library and settings. The rounds are interleaved.
 */
#include "bench.h"

#include <glib/gstdio.h>
#include <string.h>

#include "bench-raw.h"

#define N_ONE 2000
#define N_AT_ONCE 64
#define N_BATCHES 200

static char *folder;

/* ---- the whole way ---- */

static double
time_host (const char *path, guint n_sessions, guint64 n_actions)
{
  g_autofree char *place = g_strconcat ("sqlite:", path, NULL);
  BenchChat chat;
  double start;

  bench_chat_init_on (&chat, n_sessions, place);
  bench_chat_open (&chat);
  chat.window = n_sessions;
  bench_chat_run (&chat, 4 * n_sessions);
  start = bench_now ();
  bench_chat_run (&chat, n_actions);
  start = bench_now () - start;
  bench_chat_clear (&chat);
  return start / n_actions;
}

/* ---- the bare loop ---- */

/* What the last action has left. */
static char *
dup_body (const BenchRaw *raw)
{
  sqlite3_stmt *select = bench_raw_prepare (raw->handle, "SELECT body FROM journal ORDER BY number DESC LIMIT 1");
  char *body;

  g_assert_cmpint (sqlite3_step (select), ==, SQLITE_ROW);
  body = g_strdup ((const char *) sqlite3_column_text (select, 0));
  sqlite3_finalize (select);
  return body;
}

/* On what the host has left: its sessions go on. */
static double
time_raw (const char *path, guint64 n_transactions)
{
  BenchRaw raw;
  g_autofree char *body = NULL;
  double start;
  guint n_sessions;

  bench_raw_init (&raw, path);
  body = dup_body (&raw);
  n_sessions = raw.sessions->len;
  start = bench_now ();
  for (guint64 i = 0; i < n_transactions; i++)
    {
      bench_raw_run (raw.begin);
      for (guint j = 0; j < n_sessions; j++)
        {
          BenchRawSession *session = &g_array_index (raw.sessions, BenchRawSession, j);

          bench_raw_append (&raw, session, 1, body);
          bench_raw_move (&raw, session, 1, "STREAMING", "resting");
        }
      bench_raw_run (raw.commit);
    }
  start = bench_now () - start;
  bench_raw_clear (&raw);
  return start / n_transactions / n_sessions;
}

/* ---- both ---- */

int
main (void)
{
  BenchSeries one = { 0 }, raw_one = { 0 }, many = { 0 }, raw_many = { 0 };
  g_autofree char *place = NULL;

  folder = g_dir_make_tmp ("colloquy-bench-XXXXXX", NULL);
  g_assert_nonnull (folder);
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      g_free (place);
      place = bench_new_place (folder, "one.db");
      bench_add (&one, time_host (place, 1, N_ONE));
      bench_add (&raw_one, time_raw (place, N_ONE));
      g_free (place);
      place = bench_new_place (folder, "many.db");
      bench_add (&many, time_host (place, N_AT_ONCE, N_AT_ONCE * N_BATCHES));
      bench_add (&raw_many, time_raw (place, N_BATCHES));
    }
  bench_print_speed ("bare loop, one session", &raw_one);
  bench_print_speed ("host, one session", &one);
  bench_print_speed ("bare loop, batches of 64", &raw_many);
  bench_print_speed ("host, 64 sessions at once", &many);
  bench_goal ("one session / bare loop", bench_median (&raw_one) / bench_median (&one), "x", TRUE, 0.9, 1.0);
  bench_goal ("64 sessions / bare loop with batches of 64", bench_median (&raw_many) / bench_median (&many), "x", TRUE, 0.6, 0.8);
  g_free (bench_new_place (folder, "one.db"));
  g_free (bench_new_place (folder, "many.db"));
  g_remove (folder);
  g_free (folder);
  return 0;
}
