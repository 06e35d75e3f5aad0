#include "bench.h"

#include <glib/gstdio.h>

#include <time.h>

/* What a conversation does over and over. Each of these is a transition. */
static const char *const actions[] = { "message", "checkpoint", "fork", "cancel_fork" };

double
bench_now (void)
{
  return g_get_monotonic_time () / 1e6;
}

/* For what waits for nothing: the time of the processor counts, whatever else the machine does. */
double
bench_busy (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

void
bench_add (BenchSeries *self, double seconds)
{
  guint place = self->n_rounds;

  g_assert_cmpuint (self->n_rounds, <, BENCH_ROUNDS);
  for (; place > 0 && self->rounds[place - 1] > seconds; place--)
    self->rounds[place] = self->rounds[place - 1];
  self->rounds[place] = seconds;
  self->n_rounds++;
}

double
bench_median (const BenchSeries *self)
{
  return self->rounds[self->n_rounds / 2];
}

/* For what takes microseconds. */
void
bench_print_speed (const char *what, const BenchSeries *series)
{
  double median = bench_median (series);

  g_print ("%-52s %10.0f per second, %8.2f us (%.2f to %.2f)\n", what, 1 / median, median * 1e6, series->rounds[0] * 1e6,
           series->rounds[series->n_rounds - 1] * 1e6);
}

/* Nothing is asserted: a loaded machine says nothing about the code. */
void
bench_goal (const char *what, double value, const char *unit, gboolean at_least, double goal, double aim)
{
  gboolean good = at_least ? value >= goal : value <= goal;
  gboolean aimed = at_least ? value >= aim : value <= aim;

  g_print ("%-52s %10.2f %-6s goal %s %g, aim %g: %s\n", what, value, unit, at_least ? ">=" : "<=", goal, aim,
           aimed ? "aim reached" : good ? "goal reached"
                                        : "missed");
}

/* The path of a database that is not there, or not any more. */
char *
bench_new_place (const char *folder, const char *name)
{
  static const char *const endings[] = { "", "-wal", "-shm", ".lock" };
  char *path = g_build_filename (folder, name, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *file = g_strconcat (path, endings[i], NULL);

      g_remove (file);
    }
  return path;
}

/* ---- chat ---- */

static void send_next (BenchChat *self);

static void
on_news (const ClqNews *news, gpointer user_data)
{
  BenchChat *self = user_data;

  self->n_news++;
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  BenchChat *self = user_data;

  g_assert_no_error (reply->error);
  self->n_waiting--;
  if (self->n_left > 0)
    send_next (self);
}

/* All sessions take the first action, then all the second: they never move in step with the store's order alone. */
static void
send_next (BenchChat *self)
{
  ClqInput input = { .kind = CLQ_INPUT_ACTION, .name = actions[self->step % G_N_ELEMENTS (actions)] };
  const guint8 *id = self->ids + 16 * self->next;

  if (++self->next == self->n_sessions)
    {
      self->next = 0;
      self->step++;
    }
  self->n_left--;
  self->n_waiting++;
  clq_host_send (self->host, id, &input, on_reply, self);
}

/* Sends @n_actions. The answer of each is awaited before the session, or the next one, gets another. */
void
bench_chat_run (BenchChat *self, guint64 n_actions)
{
  self->n_left = n_actions;
  for (guint i = 0; i < self->window && self->n_left > 0; i++)
    send_next (self);
  while (self->n_waiting > 0)
    g_main_context_iteration (self->context, TRUE);
}

static void
on_opened (const ClqReply *reply, gpointer user_data)
{
  BenchChat *self = user_data;

  g_assert_no_error (reply->error);
  self->n_waiting--;
}

/* Opens all sessions; each takes the action `start`. Nothing goes on afterwards. */
void
bench_chat_open (BenchChat *self)
{
  const ClqInput start = { .kind = CLQ_INPUT_ACTION, .name = "start" };

  for (guint i = 0; i < self->n_sessions; i++)
    {
      guint8 *id = self->ids + 16 * i;

      self->n_waiting += 2;
      clq_host_new_id (self->host, id);
      clq_host_open_session (self->host, self->graph, id, NULL, NULL, NULL, on_opened, self);
      clq_host_send (self->host, id, &start, on_opened, self);
      while (self->n_waiting > 0)
        g_main_context_iteration (self->context, TRUE);
    }
}

void
bench_chat_init (BenchChat *self, guint n_sessions)
{
  bench_chat_init_on (self, n_sessions, "memory");
}

/* A host with everything but the sessions. */
void
bench_chat_init_on (BenchChat *self, guint n_sessions, const char *store)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  *self = (BenchChat){ .n_sessions = n_sessions, .window = 1 };
  self->context = g_main_context_new ();
  self->host = clq_host_new (self->context);
  clq_host_use_store (self->host, store, &error);
  g_assert_no_error (error);
  self->graph = clq_host_load_graph (self->host, BENCH_GRAPH, NULL, FALSE, findings);
  error = clq_findings_to_error (findings);
  g_assert_no_error (error);
  clq_host_observe (self->host, on_news, self);
  self->ids = g_malloc0_n (n_sessions, 16);
}

void
bench_chat_clear (BenchChat *self)
{
  clq_host_close (self->host);
  clq_graph_unref (self->graph);
  g_object_unref (self->host);
  g_main_context_unref (self->context);
  g_free (self->ids);
}
