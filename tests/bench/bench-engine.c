/*
 * What the engine costs, beside what a table and a GObject signal cost on the same machine at the same time. The rounds
 * of all are interleaved, so that a machine that changes its pace changes it for all.
 */
#include "bench.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define N_ACTIONS 400000
#define N_MANY 10000
#define N_RESTING 100000
#define N_EMISSIONS 2000000
#define N_STEPS 50000000

/* ---- a GObject signal ---- */

#define BENCH_TYPE_EMITTER (bench_emitter_get_type ())
G_DECLARE_FINAL_TYPE (BenchEmitter, bench_emitter, BENCH, EMITTER, GObject)

struct _BenchEmitter
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (BenchEmitter, bench_emitter, G_TYPE_OBJECT)

static guint outcome_signal;

static void
bench_emitter_class_init (BenchEmitterClass *klass)
{
  outcome_signal = g_signal_new ("outcome", BENCH_TYPE_EMITTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 g_cclosure_marshal_VOID__POINTER, G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_set_va_marshaller (outcome_signal, BENCH_TYPE_EMITTER, g_cclosure_marshal_VOID__POINTERv);
}

static void
bench_emitter_init (BenchEmitter *self)
{
}

static void
on_outcome (BenchEmitter *emitter, gpointer visit, gpointer user_data)
{
  guint64 *count = user_data;

  (*count)++;
}

static double
time_signal (void)
{
  g_autoptr (BenchEmitter) emitter = g_object_new (BENCH_TYPE_EMITTER, NULL);
  guint64 count = 0;
  double start;

  g_signal_connect (emitter, "outcome", G_CALLBACK (on_outcome), &count);
  start = bench_busy ();
  for (guint i = 0; i < N_EMISSIONS; i++)
    g_signal_emit (emitter, outcome_signal, 0, &count);
  start = bench_busy () - start;
  g_assert_cmpuint (count, ==, N_EMISSIONS);
  return start / N_EMISSIONS;
}

/* ---- a table ---- */

#define N_STATES 6
#define N_EVENTS 17

typedef struct
{
  guint8 from;
  guint8 event;
  guint8 to;
} Step;

/* The least that can be done: look the target up, write down what was done. */
static double
time_table (void)
{
  static gint8 next[N_STATES][N_EVENTS];
  static Step history[4096];
  static const guint8 events[] = { 2, 5, 3, 9 };
  volatile guint8 *source = (volatile guint8 *) events;
  guint8 state = 1;
  double start;

  memset (next, -1, sizeof next);
  next[1][2] = next[1][5] = next[2][9] = 1;
  next[1][3] = 2;
  start = bench_busy ();
  for (guint i = 0; i < N_STEPS; i++)
    {
      guint8 event = source[i % G_N_ELEMENTS (events)];
      gint8 target = next[state][event];

      g_assert (target >= 0);
      history[i % G_N_ELEMENTS (history)] = (Step){ state, event, target };
      state = target;
    }
  start = bench_busy () - start;
  g_assert_cmpint (history[1].event, ==, 5);
  return start / N_STEPS;
}

/* ---- the engine ---- */

static double
time_engine (guint n_sessions, guint window)
{
  BenchChat chat;
  double start;

  bench_chat_init (&chat, n_sessions);
  bench_chat_open (&chat);
  chat.window = window;
  bench_chat_run (&chat, 4 * n_sessions);
  chat.n_news = 0;
  start = bench_busy ();
  bench_chat_run (&chat, N_ACTIONS);
  start = bench_busy () - start;
  g_assert_cmpuint (chat.n_news, ==, N_ACTIONS);
  bench_chat_clear (&chat);
  return start / N_ACTIONS;
}

static void
print_speed (const char *what, const BenchSeries *series)
{
  double median = bench_median (series);

  g_print ("%-52s %10.0f per second, %8.1f ns (%.1f to %.1f)\n", what, 1 / median, median * 1e9, series->rounds[0] * 1e9,
           series->rounds[series->n_rounds - 1] * 1e9);
}

/* A round of the engine beside a round of emissions: what one is of the other, and how long the engine took. */
static void
compare_engine (guint n_sessions, guint window, BenchSeries *seconds, BenchSeries *ratio, BenchSeries *signal)
{
  double emission = time_signal (), action = time_engine (n_sessions, window);

  bench_add (seconds, action);
  bench_add (ratio, emission / action);
  if (signal != NULL)
    bench_add (signal, emission);
}

static void
bench_speed (void)
{
  BenchSeries one = { 0 }, many = { 0 }, batch = { 0 }, signal = { 0 }, table = { 0 };
  BenchSeries one_ratio = { 0 }, many_ratio = { 0 }, batch_ratio = { 0 };

  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      bench_add (&table, time_table ());
      compare_engine (1, 1, &one, &one_ratio, &signal);
      compare_engine (N_MANY, 1, &many, &many_ratio, NULL);
      compare_engine (N_MANY, N_MANY, &batch, &batch_ratio, NULL);
    }
  print_speed ("table step with history", &table);
  print_speed ("signal emission, one handler", &signal);
  print_speed ("action, one session", &one);
  print_speed ("action, 10,000 sessions in turn", &many);
  print_speed ("action, 10,000 sessions at once", &batch);
  bench_goal ("one session / signal emission", bench_median (&one_ratio), "x", TRUE, 0.12, 0.5);
  bench_goal ("10,000 sessions in turn / signal emission", bench_median (&many_ratio), "x", TRUE, 0.08, 0.3);
  bench_goal ("10,000 sessions at once / signal emission", bench_median (&batch_ratio), "x", TRUE, 0.08, 0.3);
  g_print ("%-52s %10.4f x\n", "one session / table step", bench_median (&table) / bench_median (&one));
  g_print ("%-52s %10.4f x\n", "10,000 sessions in turn / table step", bench_median (&table) / bench_median (&many));
}

/* ---- memory ---- */

static gsize
count_allocated (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

static gsize
count_resident (void)
{
  gsize pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  if (file == NULL || fscanf (file, "%*s %" G_GSIZE_FORMAT, &pages) != 1)
    pages = 0;
  if (file != NULL)
    fclose (file);
  return pages * sysconf (_SC_PAGESIZE);
}

/* Sessions that were opened and have taken one action; nothing goes on. The store keeps all, the host @max_live of them. */
static void
measure_memory (const char *what, guint max_live)
{
  g_autofree char *allocated_line = g_strdup_printf ("memory per resting session, %s, allocated", what);
  g_autofree char *resident_line = g_strdup_printf ("memory per resting session, %s, resident", what);
  gsize allocated, resident;
  BenchChat chat;

  bench_chat_init (&chat, N_RESTING);
  if (max_live > 0)
    clq_host_set_max_live (chat.host, max_live);
  memset (chat.ids, 1, 16 * N_RESTING); /* it is ours, so it must not count */
  allocated = count_allocated ();
  resident = count_resident ();
  bench_chat_open (&chat);
  allocated = count_allocated () - allocated;
  resident = count_resident () - resident;
  bench_goal (allocated_line, (double) allocated / N_RESTING, "bytes", FALSE, 400, 160);
  bench_goal (resident_line, (double) resident / N_RESTING, "bytes", FALSE, 400, 160);
  bench_chat_clear (&chat);
  malloc_trim (0);
}

static void
bench_memory (void)
{
  measure_memory ("all in memory", N_RESTING);
  measure_memory ("as shipped", 0);
}

/* ---- long journals ---- */

#define N_LENGTHS 50
#define N_AT_LENGTH 50

/* Seconds for an action in sessions whose journals have @length records. */
static double
time_length (guint length)
{
  double sum = 0;

  for (guint i = 0; i < N_LENGTHS; i++)
    {
      BenchChat chat;
      double start;

      bench_chat_init (&chat, 1);
      bench_chat_open (&chat);
      bench_chat_run (&chat, length - 2);
      start = bench_busy ();
      bench_chat_run (&chat, N_AT_LENGTH);
      sum += bench_busy () - start;
      bench_chat_clear (&chat);
    }
  return sum / N_LENGTHS / N_AT_LENGTH;
}

static void
bench_length (void)
{
  BenchSeries early = { 0 }, late = { 0 }, ratio = { 0 };

  for (guint i = 0; i < BENCH_ROUNDS; i++)
    {
      double first = time_length (10), second = time_length (10000);

      bench_add (&early, first);
      bench_add (&late, second);
      bench_add (&ratio, second / first);
    }
  print_speed ("action at journal length 10", &early);
  print_speed ("action at journal length 10,000", &late);
  bench_goal ("length 10,000 / length 10", bench_median (&ratio), "x", FALSE, 1.2, 1.0);
}

int
main (void)
{
  bench_memory ();
  bench_speed ();
  bench_length ();
  return 0;
}
