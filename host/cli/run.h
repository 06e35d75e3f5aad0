/* What commands show of a session while it runs. Private to the program. */
#pragma once

#include "cli.h"
#include "term.h"

G_BEGIN_DECLS

/* ---- run-live.c ---- */

/* Who has answered how much, on a terminal drawn anew whenever something happens, else told line by line. */
typedef struct
{
  Term term;
  gboolean is_quiet;
  ClqHost *host;
  const guint8 *id;
  double fraction;   /* of what the node is doing; below 0 = unknown */
  GPtrArray *agents; /* LiveAgent, in the order in which they were asked first */
  GHashTable *ended; /* key of a call of this visit → how it has ended */
  guint n_rows;      /* on the screen */
  guint tick;
  gboolean is_held; /* something is being said where it would stand */
} RunLive;

void run_live_init (RunLive *self, ClqHost *host, const guint8 *id, gboolean is_quiet);
void run_live_clear (RunLive *self);
void run_live_take (RunLive *self, const ClqNews *news);
void run_live_hide (RunLive *self);
void run_live_sum_up (RunLive *self);

/* ---- run-view.c ---- */

/* All that people see of a session that runs. */
typedef struct
{
  Term term;
  TermStream stream;
  gboolean streams;     /* what is said is printed while it comes, else when it is whole */
  gboolean is_speaking; /* a piece was printed of what is being said */
  GString *heard;       /* these pieces */
  gboolean is_kept;     /* the session is there when the program is not */
  guint interrupt;
  RunLive live;
} RunView;

void run_view_init (RunView *self, ClqHost *host, const guint8 *id, gboolean is_quiet, gboolean streams);
void run_view_clear (RunView *self);
void run_view_take (RunView *self, const ClqNews *news);
void run_view_pause (RunView *self);
void run_view_begin (RunView *self, gboolean is_kept);
void run_view_rest (RunView *self);
void run_view_sum_up (RunView *self);

/* ---- run-questions.c ---- */

gboolean run_ask_questions (ClqHost *host, const guint8 id[16]);
void run_tell_questions (ClqSession *session);

/* ---- run-input.c ---- */

gboolean run_read_input (const char *text, const char *file, const char *context, char **input, GError **error);
int run_write_report (ClqSession *session, ClqHost *host, const char *file);

G_END_DECLS
