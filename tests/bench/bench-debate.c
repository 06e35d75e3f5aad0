/*
 * Debates of three instant agents and three rounds, beside a bare loop that makes the same calls through GTask, with the same requests,
 * and beside a bare loop that writes the same rows to the same tables. The rounds are interleaved.
 */
#include "bench.h"

#include <glib/gstdio.h>
#include <string.h>

#include "bench-raw.h"

#define N_DEBATES 100
#define N_DURABLE 100
#define AT_ONCE 10
#define N_WARM_UP 1
#define ANSWER "This is what an agent that answers at once would say: short, and always the same."

static const char *const names[] = { "architect", "performance", "security", "judge" };

/* ---- the host ---- */

typedef struct
{
  GMainContext *context;
  ClqHost *host;
  ClqGraph *graph;
  guint n_begun;
  guint n_done;
  guint n_wanted;
  guint64 n_tokens; /* of all requests */
} Hall;

static void
on_opened (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static void
begin (Hall *self)
{
  guint8 id[16];

  self->n_begun++;
  clq_host_new_id (self->host, id);
  clq_host_open_session (self->host, self->graph, id, NULL, "Where should we keep sessions?", NULL, on_opened, NULL);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Hall *self = user_data;

  self->n_tokens += news->tokens_in;
  if (news->type != CLQ_NEWS_TAKEN || g_strcmp0 (news->to, "Complete") != 0)
    return;
  self->n_done++;
  if (self->n_begun < self->n_wanted)
    begin (self);
}

static void
hall_init (Hall *self, const char *place)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof *self);
  self->context = g_main_context_new ();
  self->host = clq_host_new (self->context);
  self->graph = clq_host_load_graph (self->host, "debate", NULL, FALSE, findings);
  g_assert_nonnull (self->graph);
  g_assert_true (clq_host_use_store (self->host, place, &error));
  g_hash_table_insert (settings, (gpointer) "fallback", (gpointer) ANSWER);
  g_hash_table_insert (settings, (gpointer) "stream", (gpointer) "false");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (clq_host_add_agent (self->host, names[i], "scripted.agent", settings, &error));
  clq_host_observe (self->host, on_news, self);
}

static void
hall_clear (Hall *self)
{
  clq_host_close (self->host);
  clq_graph_unref (self->graph);
  g_object_unref (self->host);
  g_main_context_unref (self->context);
}

/* Seconds per debate. */
static double
time_debates (const char *place, guint n_debates, guint at_once, double (*clock) (void), guint64 *n_tokens)
{
  Hall hall;
  double start;

  hall_init (&hall, place);
  hall.n_wanted = n_debates;
  start = clock ();
  for (guint i = 0; i < MIN (at_once, n_debates); i++)
    begin (&hall);
  while (hall.n_done < n_debates)
    g_main_context_iteration (hall.context, TRUE);
  start = clock () - start;
  *n_tokens = hall.n_tokens / n_debates;
  hall_clear (&hall);
  return start / n_debates;
}

/* ---- the same calls through GTask ---- */

/*
 * One debate as a program without an engine would do it: phases of calls, texts in memory, every request written anew. The texts are
 * as long as those of a real debate; both numbers of tokens are printed.
 */
static const struct
{
  guint n_calls;
  guint length;
} phases[] = { { 3, 150 }, { 6, 350 }, { 3, 500 }, { 6, 750 }, { 3, 900 }, { 6, 1150 }, { 3, 1300 }, { 1, 3600 } };

typedef struct
{
  GMainContext *context;
  char *texts[32];
  guint n_texts;
  guint n_open;
  guint64 n_tokens;
} Bare;

static const char *role = "You are an expert in a debate. You care about structure: clear responsibilities, simple interfaces, what is hard to change later, "
                          "and what the team can maintain. Name trade-offs, and prefer the simplest design that meets the requirements. Be concrete and brief.";

static char *
dup_request (const Bare *self, guint length)
{
  g_autoptr (GString) text = g_string_new ("# Problem\n\nWhere should we keep sessions?\n");
  ClqPrompt *prompt = clq_prompt_new ();

  for (guint i = 0; text->len < length; i++)
    g_string_append_printf (text, "\n### Part %u\n%s\n", i, self->n_texts > 0 ? self->texts[i % self->n_texts] : ANSWER);
  clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, role);
  clq_prompt_add (prompt, CLQ_ROLE_USER, text->str);
  return clq_prompt_finish (prompt);
}

/* The agent counts tokens, as the scripted one does. */
static gboolean
on_agent (gpointer user_data)
{
  GTask *made = user_data;

  ((Bare *) g_task_get_source_tag (made))->n_tokens += (guint64) g_utf8_strlen (g_task_get_task_data (made), -1) / 4;
  g_task_return_pointer (made, g_strdup (ANSWER), g_free);
  return G_SOURCE_REMOVE;
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Bare *self = user_data;

  self->texts[self->n_texts++] = g_task_propagate_pointer (G_TASK (result), NULL);
  self->n_open--;
}

static void
call (Bare *self, guint length)
{
  g_autoptr (GTask) made = g_task_new (NULL, NULL, on_answer, self);
  g_autoptr (GSource) source = g_idle_source_new ();

  g_task_set_source_tag (made, self);
  g_task_set_task_data (made, dup_request (self, length), g_free);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_agent, g_object_ref (made), g_object_unref);
  g_source_attach (source, self->context);
  self->n_open++;
}

/* Returns: tokens of all requests. */
static guint64
run_bare (GMainContext *context)
{
  Bare self = { .context = context };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      for (guint j = 0; j < phases[i].n_calls; j++)
        call (&self, phases[i].length);
      while (self.n_open > 0)
        g_main_context_iteration (context, TRUE);
    }
  g_assert_cmpuint (self.n_texts, ==, 31);
  for (guint i = 0; i < self.n_texts; i++)
    g_free (self.texts[i]);
  return self.n_tokens;
}

static double
time_bare (guint n_debates, guint64 *n_tokens)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  double start;

  g_main_context_push_thread_default (context);
  start = bench_busy ();
  for (guint i = 0; i < n_debates; i++)
    *n_tokens = run_bare (context);
  start = bench_busy () - start;
  g_main_context_pop_thread_default (context);
  return start / n_debates;
}

/* ---- the same transactions ---- */

/* What a debate has written: the rows of one record after the other, and which of them end a commit. */
typedef struct
{
  int type;
  char *body;
  gboolean is_last;
} Row;

static void
clear_row (gpointer row)
{
  g_free (((Row *) row)->body);
}

/* The rows of the first debate; what it wrote at one time was one commit. */
static GArray *
read_rows (const BenchRaw *raw)
{
  sqlite3_stmt *select = bench_raw_prepare (raw->handle, "SELECT type, body, at FROM journal WHERE session = 1 ORDER BY number");
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
  gint64 before = 0;

  g_array_set_clear_func (rows, clear_row);
  while (sqlite3_step (select) == SQLITE_ROW)
    {
      Row row = { sqlite3_column_int (select, 0), g_strdup ((const char *) sqlite3_column_text (select, 1)), TRUE };

      if (rows->len > 0)
        g_array_index (rows, Row, rows->len - 1).is_last = before != sqlite3_column_int64 (select, 2);
      before = sqlite3_column_int64 (select, 2);
      g_array_append_val (rows, row);
    }
  sqlite3_finalize (select);
  return rows;
}

/* The next commit of a session; returns where the one after it begins. */
static guint
write_commit (BenchRaw *raw, BenchRawSession *session, const GArray *rows, guint first)
{
  guint next = first;

  do
    bench_raw_append (raw, session, g_array_index (rows, Row, next).type, g_array_index (rows, Row, next).body);
  while (!g_array_index (rows, Row, next++).is_last);
  bench_raw_move (raw, session, next - first, "Critique", next < rows->len ? "running" : "done");
  return next;
}

/*
 * The raw batch loop: what debates have written is written once more to the same tables, as many commits in one transaction as debates
 * were held at once.
 */
static double
time_raw (const char *path, guint n_debates, guint at_once, guint *n_commits)
{
  BenchRaw raw;
  g_autoptr (GArray) rows = NULL;
  double start;

  bench_raw_init (&raw, path);
  rows = read_rows (&raw);
  g_assert_cmpuint (raw.sessions->len, ==, n_debates);
  *n_commits = 0;
  start = bench_now ();
  for (guint i = 0; i < n_debates; i += at_once)
    for (guint first = 0, next = 0; first < rows->len; first = next, (*n_commits)++)
      {
        bench_raw_run (raw.begin);
        for (guint j = i; j < i + at_once; j++)
          next = write_commit (&raw, &g_array_index (raw.sessions, BenchRawSession, j), rows, first);
        bench_raw_run (raw.commit);
      }
  start = bench_now () - start;
  *n_commits = *n_commits * at_once / n_debates;
  bench_raw_clear (&raw);
  return start / n_debates;
}

static void
print_speed (const char *what, const BenchSeries *series)
{
  double median = bench_median (series);

  g_print ("%-52s %10.1f debates per second, %8.1f us\n", what, 1 / median, median * 1e6);
}

/* The host and the bare loop beside it. What slows the machine down for a while slows both, so each round has its own ratio. */
typedef struct
{
  BenchSeries host;
  BenchSeries bare;
  BenchSeries ratio;
} Pair;

static void
add_pair (Pair *self, double host, double bare)
{
  bench_add (&self->host, host);
  bench_add (&self->bare, bare);
  bench_add (&self->ratio, bare / host);
}

static void
print_ratio (const char *what, const Pair *pair)
{
  bench_goal (what, bench_median (&pair->ratio), "x", TRUE, 0.5, 0.8);
}

int
main (int argc, char **argv)
{
  static const guint at_once[] = { 1, AT_ONCE };
  Pair memory = { 0 }, durable[2] = { 0 };
  guint64 tokens = 0, bare_tokens = 0;
  guint n_commits = 0;
  g_autofree char *folder = g_dir_make_tmp ("colloquy-bench-XXXXXX", NULL);

  if (argc > 1) /* for a profiler: only the bare loop, or only this store */
    {
      if (strcmp (argv[1], "bare") == 0)
        time_bare (N_DEBATES, &bare_tokens);
      else
        time_debates (argv[1], N_DEBATES, AT_ONCE, bench_now, &tokens);
      return 0;
    }
  for (guint i = 0; i < N_WARM_UP + BENCH_ROUNDS; i++)
    {
      double host = time_debates ("memory", N_DEBATES, AT_ONCE, bench_busy, &tokens);
      double bare = time_bare (N_DEBATES, &bare_tokens);

      if (i >= N_WARM_UP)
        add_pair (&memory, host, bare);
    }
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    for (guint j = 0; j < G_N_ELEMENTS (at_once); j++)
      {
        g_autofree char *path = bench_new_place (folder, "debate.db");
        g_autofree char *place = g_strconcat ("sqlite:", path, NULL);
        double host = time_debates (place, N_DURABLE, at_once[j], bench_now, &tokens);

        add_pair (&durable[j], host, time_raw (path, N_DURABLE, at_once[j], &n_commits));
      }
  g_print ("tokens in the requests of a debate: %" G_GUINT64_FORMAT ", in the bare loop %" G_GUINT64_FORMAT "; commits: %u\n", tokens, bare_tokens, n_commits);
  print_speed ("bare loop through GTask", &memory.bare);
  print_speed ("host, in memory", &memory.host);
  print_speed ("bare loop of transactions, one debate after the other", &durable[0].bare);
  print_speed ("host, on SQLite, one after the other", &durable[0].host);
  print_speed ("bare loop of transactions, ten debates at once", &durable[1].bare);
  print_speed ("host, on SQLite, ten at once", &durable[1].host);
  print_ratio ("in memory / bare loop through GTask", &memory);
  print_ratio ("one after the other on SQLite / bare loop", &durable[0]);
  print_ratio ("ten at once on SQLite / bare loop", &durable[1]);
  g_free (bench_new_place (folder, "debate.db"));
  g_remove (folder);
  return 0;
}
