/*
 * Due conversations dispatched per second: the worker on the SQLite store, beside a bare loop that claims and completes the same
 * sessions in batches of 100, on a copy of the same file with the same library and settings. The rounds are interleaved.
 *
 * The worker claims, loads each session, writes the event `due` to its journal, lets a node count and writes its result: two
 * transactions for each session, shared by those that are under way. The loop does what any claim does that loses nothing and
 * starts nothing twice: one transaction marks 100 due rows as taken, with a row for each occurrence; one more notes that they
 * are done, with a row for each result. It loads and runs nothing. Beside it runs a loop that keeps no rows: who ran what and when
 * is not known afterwards.
 */
#include "bench.h"

#include <glib/gstdio.h>
#include <string.h>

#include "bench-raw.h"

#define N_DUE 5000
#define BATCH 100
#define LEASE (60 * G_TIME_SPAN_SECOND)
#define LONG_AGO (G_GINT64_CONSTANT (1577836800) * G_USEC_PER_SEC)

static char *folder;

/* ---- what is due ---- */

static void
on_placed (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static ClqGraph *
load_graph (ClqHost *host)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  ClqGraph *graph = clq_host_load_graph (host, BENCH_DUE_GRAPH, NULL, FALSE, findings);

  g_assert_nonnull (graph);
  return graph;
}

static ClqHost *
open_host (GMainContext *context, const char *path)
{
  g_autofree char *place = g_strconcat ("sqlite:", path, NULL);
  g_autoptr (GError) error = NULL;
  ClqHost *host = clq_host_new (context);

  clq_host_use_store (host, place, &error);
  g_assert_no_error (error);
  return host;
}

/* Long before any of them is due, so that nothing begins here. */
static void
make_due (const char *path)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (ClqHost) host = open_host (context, path);
  g_autoptr (ClqGraph) graph = NULL;

  clq_host_set_manual_clock (host, LONG_AGO, 1);
  graph = load_graph (host);
  for (guint i = 0; i < N_DUE; i++)
    {
      g_autofree char *owner = g_strdup_printf ("owner-%u", i % 7);
      guint8 id[16];

      clq_host_new_id (host, id);
      clq_host_place_session (host, graph, id, owner,
                              "{\"state\":\"waiting\",\"schedule\":{\"type\":\"immediate\"},\"nextRunAt\":\"2026-01-01T00:00:00Z\"}",
                              on_placed, NULL);
    }
  clq_host_settle (host);
  clq_host_close (host);
}

/* ---- the worker ---- */

typedef struct
{
  guint n_due;
  guint n_done;
} Seen;

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Seen *seen = user_data;

  if (news->type != CLQ_NEWS_TAKEN)
    return;
  seen->n_due += strcmp (news->event, "due") == 0;
  seen->n_done += strcmp (news->event, "counted") == 0;
}

static double
time_worker (const char *path)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (ClqHost) host = open_host (context, path);
  g_autoptr (ClqGraph) graph = load_graph (host);
  Seen seen = { 0 };
  double start;

  clq_host_set_max_concurrent (host, BATCH);
  clq_host_observe (host, on_news, &seen);
  start = bench_now ();
  clq_host_start (host);
  while (seen.n_done < N_DUE)
    g_main_context_iteration (context, TRUE);
  start = bench_now () - start;
  g_assert_cmpuint (seen.n_due, ==, N_DUE);
  clq_host_close (host);
  return start / N_DUE;
}

/* ---- the bare loop ---- */

typedef struct
{
  gint64 number;
  gint64 seq;
  gint64 last;
} Claimed;

typedef struct
{
  sqlite3 *handle;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  sqlite3_stmt *claim;
  sqlite3_stmt *occur;
  sqlite3_stmt *complete;
  gboolean keeps_rows;
} Raw;

static void
raw_init (Raw *self, const char *path, gboolean keeps_rows)
{
  self->keeps_rows = keeps_rows;
  self->handle = bench_raw_open (path);
  self->begin = bench_raw_prepare (self->handle, "BEGIN IMMEDIATE");
  self->commit = bench_raw_prepare (self->handle, "COMMIT");
  self->claim = bench_raw_prepare (self->handle, "UPDATE session SET wake_at = ?1, seq = seq + 1, status = 'running', updated_at = ?2 WHERE number IN"
                                                 " (SELECT number FROM session INDEXED BY session_due WHERE wake_at > 0 AND wake_at <= ?2 ORDER BY wake_at, id LIMIT ?3)"
                                                 " RETURNING number, seq, last");
  self->occur = bench_raw_prepare (self->handle, "INSERT INTO journal (session, seq, segment, type, role, at, previous, checksum, body)"
                                                 " VALUES (?1, ?2, 1, 1, 0, ?3, ?4, 0, ?5)");
  self->complete = bench_raw_prepare (self->handle, "UPDATE session SET wake_at = 0, seq = ?2, last = ?3, status = 'resting', updated_at = ?4"
                                                    " WHERE number = ?1 AND seq = ?2 - 1");
}

static void
raw_clear (Raw *self)
{
  sqlite3_finalize (self->begin);
  sqlite3_finalize (self->commit);
  sqlite3_finalize (self->claim);
  sqlite3_finalize (self->occur);
  sqlite3_finalize (self->complete);
  g_assert_cmpint (sqlite3_close (self->handle), ==, SQLITE_OK);
}

static void
raw_write (Raw *self, Claimed *claimed, gint64 seq, const char *body)
{
  if (!self->keeps_rows)
    return;
  sqlite3_bind_int64 (self->occur, 1, claimed->number);
  sqlite3_bind_int64 (self->occur, 2, seq);
  sqlite3_bind_int64 (self->occur, 3, g_get_real_time ());
  sqlite3_bind_int64 (self->occur, 4, claimed->last);
  sqlite3_bind_text (self->occur, 5, body, -1, SQLITE_STATIC);
  bench_raw_run (self->occur);
  claimed->last = sqlite3_last_insert_rowid (self->handle);
}

/* Returns how many were due. */
static guint
raw_claim (Raw *self, Claimed claimed[BATCH])
{
  gint64 now = g_get_real_time ();
  guint n = 0;

  bench_raw_run (self->begin);
  sqlite3_bind_int64 (self->claim, 1, now + LEASE);
  sqlite3_bind_int64 (self->claim, 2, now);
  sqlite3_bind_int (self->claim, 3, BATCH);
  while (sqlite3_step (self->claim) == SQLITE_ROW)
    claimed[n++] = (Claimed){ sqlite3_column_int64 (self->claim, 0), sqlite3_column_int64 (self->claim, 1), sqlite3_column_int64 (self->claim, 2) };
  sqlite3_reset (self->claim);
  for (guint i = 0; i < n; i++)
    raw_write (self, &claimed[i], claimed[i].seq, "{\"event\":\"due\",\"scheduledAt\":\"2026-01-01T00:00:00.000Z\"}");
  bench_raw_run (self->commit);
  return n;
}

static void
raw_complete (Raw *self, Claimed claimed[BATCH], guint n)
{
  bench_raw_run (self->begin);
  for (guint i = 0; i < n; i++)
    {
      raw_write (self, &claimed[i], claimed[i].seq + 1, "{\"event\":\"counted\",\"data\":{\"count\":1}}");
      sqlite3_bind_int64 (self->complete, 1, claimed[i].number);
      sqlite3_bind_int64 (self->complete, 2, claimed[i].seq + 1);
      sqlite3_bind_int64 (self->complete, 3, claimed[i].last);
      sqlite3_bind_int64 (self->complete, 4, g_get_real_time ());
      bench_raw_run (self->complete);
      g_assert_cmpint (sqlite3_changes (self->handle), ==, 1);
    }
  bench_raw_run (self->commit);
}

static double
time_raw (const char *path, gboolean keeps_rows)
{
  Claimed claimed[BATCH];
  guint n, n_done = 0;
  double start;
  Raw raw;

  raw_init (&raw, path, keeps_rows);
  start = bench_now ();
  while ((n = raw_claim (&raw, claimed)) > 0)
    {
      raw_complete (&raw, claimed, n);
      n_done += n;
    }
  start = bench_now () - start;
  g_assert_cmpuint (n_done, ==, N_DUE);
  raw_clear (&raw);
  return start / N_DUE;
}

/* ---- both ---- */

static void
copy (const char *from, const char *to)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &text, &length, &error));
  g_assert_true (g_file_set_contents (to, text, length, &error));
}

int
main (void)
{
  BenchSeries raw = { 0 }, rowless = { 0 }, worker = { 0 };
  g_autofree char *due = NULL;

  folder = g_dir_make_tmp ("colloquy-bench-XXXXXX", NULL);
  g_assert_nonnull (folder);
  due = bench_new_place (folder, "due.db");
  make_due (due);
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      g_autofree char *a = bench_new_place (folder, "worker.db"), *b = bench_new_place (folder, "raw.db");
      g_autofree char *c = bench_new_place (folder, "rowless.db");

      copy (due, a);
      copy (due, b);
      copy (due, c);
      bench_add (&worker, time_worker (a));
      bench_add (&raw, time_raw (b, TRUE));
      bench_add (&rowless, time_raw (c, FALSE));
    }
  bench_print_speed ("bare loop: claim and complete in batches of 100", &raw);
  bench_print_speed ("bare loop without rows of runs", &rowless);
  bench_print_speed ("worker: due conversations begun and ended", &worker);
  bench_goal ("worker / bare loop", bench_median (&raw) / bench_median (&worker), "x", TRUE, 0.5, 1.0);
  bench_goal ("worker / bare loop without rows of runs", bench_median (&rowless) / bench_median (&worker), "x", TRUE, 0.5, 1.0);
  g_free (bench_new_place (folder, "due.db"));
  g_free (bench_new_place (folder, "rowless.db"));
  g_free (bench_new_place (folder, "worker.db"));
  g_free (bench_new_place (folder, "raw.db"));
  g_remove (folder);
  g_free (folder);
  return 0;
}
