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

typedef struct
{
  guint8 id[16];
  gint64 number;
  gint64 seq;
  gint64 last;
} Session;

typedef struct
{
  sqlite3 *handle;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  sqlite3_stmt *insert;
  sqlite3_stmt *update;
  GArray *sessions;
  gint64 next_record;
  char *body; /* as the host writes them */
  GBytes *head;
} Raw;

/* The tables, sessions and texts that the host has left in @path. */
static void
raw_init (Raw *self, const char *path)
{
  sqlite3_stmt *select;

  memset (self, 0, sizeof *self);
  self->handle = bench_raw_open (path);
  self->sessions = g_array_new (FALSE, TRUE, sizeof (Session));
  select = bench_raw_prepare (self->handle, "SELECT id, session.number, session.seq, last, head, body FROM session JOIN journal ON journal.number = session.last ORDER BY session.number");
  while (sqlite3_step (select) == SQLITE_ROW)
    {
      Session session = { .number = sqlite3_column_int64 (select, 1), .seq = sqlite3_column_int64 (select, 2), .last = sqlite3_column_int64 (select, 3) };

      memcpy (session.id, sqlite3_column_blob (select, 0), sizeof session.id);
      g_array_append_val (self->sessions, session);
      if (self->body != NULL)
        continue;
      self->head = g_bytes_new (sqlite3_column_blob (select, 4), sqlite3_column_bytes (select, 4));
      self->body = g_strdup ((const char *) sqlite3_column_text (select, 5));
    }
  sqlite3_finalize (select);
  select = bench_raw_prepare (self->handle, "SELECT max(number) + 1 FROM journal");
  g_assert_cmpint (sqlite3_step (select), ==, SQLITE_ROW);
  self->next_record = sqlite3_column_int64 (select, 0);
  sqlite3_finalize (select);
  self->begin = bench_raw_prepare (self->handle, "BEGIN IMMEDIATE");
  self->commit = bench_raw_prepare (self->handle, "COMMIT");
  self->insert = bench_raw_prepare (self->handle, "INSERT INTO journal (number, session, seq, segment, type, role, at, previous, checksum, body)"
                                                  " VALUES (?1, ?2, ?3, 1, 1, 0, ?4, ?5, ?6, ?7)");
  self->update = bench_raw_prepare (self->handle, "UPDATE session SET seq = ?3, last = ?4, state = ?5, status = ?6, updated_at = ?7, wake_at = 0, checksum = ?8, head = ?9"
                                                  " WHERE id = ?1 AND seq = ?2");
}

static void
raw_clear (Raw *self)
{
  sqlite3_finalize (self->begin);
  sqlite3_finalize (self->commit);
  sqlite3_finalize (self->insert);
  sqlite3_finalize (self->update);
  g_assert_cmpint (sqlite3_close (self->handle), ==, SQLITE_OK);
  g_array_unref (self->sessions);
  g_bytes_unref (self->head);
  g_free (self->body);
}

static void
raw_transition (Raw *self, Session *session)
{
  gint64 now = g_get_real_time ();
  gsize length;
  gconstpointer head = g_bytes_get_data (self->head, &length);

  sqlite3_bind_int64 (self->insert, 1, self->next_record);
  sqlite3_bind_int64 (self->insert, 2, session->number);
  sqlite3_bind_int64 (self->insert, 3, session->seq + 1);
  sqlite3_bind_int64 (self->insert, 4, now);
  sqlite3_bind_int64 (self->insert, 5, session->last);
  sqlite3_bind_int (self->insert, 6, (int) (now * 2654435761u));
  sqlite3_bind_text (self->insert, 7, self->body, -1, SQLITE_STATIC);
  bench_raw_run (self->insert);
  sqlite3_bind_blob (self->update, 1, session->id, sizeof session->id, SQLITE_STATIC);
  sqlite3_bind_int64 (self->update, 2, session->seq);
  sqlite3_bind_int64 (self->update, 3, session->seq + 1);
  sqlite3_bind_int64 (self->update, 4, self->next_record);
  sqlite3_bind_text (self->update, 5, "STREAMING", -1, SQLITE_STATIC);
  sqlite3_bind_text (self->update, 6, "resting", -1, SQLITE_STATIC);
  sqlite3_bind_int64 (self->update, 7, now);
  sqlite3_bind_int (self->update, 8, (int) (now * 2246822519u));
  sqlite3_bind_blob (self->update, 9, head, length, SQLITE_STATIC);
  bench_raw_run (self->update);
  g_assert_cmpint (sqlite3_changes (self->handle), ==, 1);
  session->seq++;
  session->last = self->next_record++;
}

/* On what the host has left: its sessions go on. */
static double
time_raw (const char *path, guint64 n_transactions)
{
  Raw raw;
  double start;
  guint n_sessions;

  raw_init (&raw, path);
  n_sessions = raw.sessions->len;
  start = bench_now ();
  for (guint64 i = 0; i < n_transactions; i++)
    {
      bench_raw_run (raw.begin);
      for (guint j = 0; j < n_sessions; j++)
        raw_transition (&raw, &g_array_index (raw.sessions, Session, j));
      bench_raw_run (raw.commit);
    }
  start = bench_now () - start;
  raw_clear (&raw);
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
