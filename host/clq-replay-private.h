/* What the files of a replay share. */
#pragma once

#include "clq-host-private.h"
#include "clq-replay.h"

G_BEGIN_DECLS

/* The first thing that is not as it was. */
typedef struct
{
  gboolean is_there;
  guint64 seq;
  gint64 at;
  char *state;
  char *past;
  char *now;
  char *reason;
} Difference;

struct _ClqReplay
{
  ClqRehearsal rehearsal; /* first: the engine of the stage knows no more of us */
  ClqHost *past;
  ClqHost *stage;
  GMainContext *context; /* of the stage */
  ClqGraph *other;       /* instead of the graph that the session ran on; NULL = that one */

  /* the session that is run again */
  guint8 id[16];
  ClqGraph *graph;
  ClqHead *head; /* how it ended */
  GArray *segments;
  GArray *marks;
  GPtrArray *mark_names;
  GPtrArray *records; /* a stretch of the past */
  guint next;         /* the first of them that is not equal yet */
  gboolean at_end;    /* no more can be read */
  gboolean is_over;
  guint64 n_equal;
  guint n_commits;

  char *refusal;
  Difference difference;
  ClqReplayFunc func;
  gpointer user_data;
};

/* clq-replay-past.c */
const ClqRecord *clq_replay_peek (const ClqReplay *self, guint ahead);
gboolean clq_replay_is_input (const ClqRecord *record);
gboolean clq_replay_is_loss (const ClqRecord *record);
gboolean clq_replay_is_alert (const ClqRecord *record);
char *clq_replay_dup_refusal (const ClqRecord *record);
gboolean clq_replay_answer_calls (ClqReplay *self, ClqLive *live);
void clq_replay_answer_late_calls (const ClqReplay *self, ClqRun *run, guint n_records);
gboolean clq_replay_was_absent (const ClqReplay *self, guint64 visit, const char *agent);
char *clq_replay_dup_member (const ClqRecord *record, const char *name);

/* clq-replay-input.c */
void clq_replay_send (ClqReplay *self, const ClqRecord *record, ClqReplyFunc func, gpointer user_data);

/* clq-replay-compare.c */
gboolean clq_replay_is_equal (const ClqRecord *past, const ClqRecord *now);
void clq_replay_differs (ClqReplay *self, const ClqRecord *past, const ClqRecord *now);
void clq_replay_nothing_comes (ClqReplay *self, const ClqRecord *past);
void clq_replay_compare_ends (ClqReplay *self);
void clq_difference_clear (Difference *self);

G_END_DECLS
