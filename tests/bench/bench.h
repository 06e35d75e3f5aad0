/* What the benchmarks share: rounds, medians, and a host with chat sessions. */
#pragma once

#include <colloquy-host.h>

G_BEGIN_DECLS

#define BENCH_ROUNDS 7

/* Seconds of some rounds of the same thing. */
typedef struct
{
  double rounds[BENCH_ROUNDS];
  guint n_rounds;
} BenchSeries;

double bench_now (void);
double bench_busy (void);
void bench_add (BenchSeries *self, double seconds);
double bench_median (const BenchSeries *self);
void bench_print_speed (const char *what, const BenchSeries *series);
char *bench_new_place (const char *folder, const char *name);
void bench_goal (const char *what, double value, const char *unit, gboolean at_least, double goal, double aim);

/* Sessions of chat.graph on a host with a store and one observer. */
typedef struct
{
  GMainContext *context;
  ClqHost *host;
  ClqGraph *graph;
  guint8 *ids; /* 16 bytes each */
  guint n_sessions;
  guint window; /* inputs that wait for their answer at the same time */
  guint next;   /* session */
  guint step;   /* action */
  guint64 n_left;
  guint64 n_waiting;
  guint64 n_news;
} BenchChat;

void bench_chat_init (BenchChat *self, guint n_sessions);
void bench_chat_init_on (BenchChat *self, guint n_sessions, const char *store);
void bench_chat_open (BenchChat *self);
void bench_chat_clear (BenchChat *self);
void bench_chat_run (BenchChat *self, guint64 n_actions);

G_END_DECLS
