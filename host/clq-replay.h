/*
 * Running a stored conversation again, from its journal alone: what came from outside is sent again, agents and tools are
 * not asked but answer what they answered then, and the clock says what it said. Nodes, modality and graph do their work
 * anew. What they write is compared with what was written, record by record.
 */
#pragma once

#include "clq-host.h"

G_BEGIN_DECLS

typedef struct _ClqReplay ClqReplay;

/* What a replay found. All texts live until the function that gets it returns. */
typedef struct
{
  const guint8 *id;
  const char *graph; /* the name of what it ran on */
  gboolean is_equal;
  guint64 n_records; /* how many are equal */
  /* the first difference */
  guint64 seq;        /* of the record; 0 = all records are equal, but not where they lead */
  const char *state;  /* where the session was */
  gint64 at;          /* when */
  const char *past;   /* the record as it was, a JSON object; NULL = there was none */
  const char *now;    /* the record as it is now, a JSON object; NULL = there is none */
  const char *reason; /* what probably changed, for people */
} ClqReplayReport;

typedef void (*ClqReplayFunc) (const ClqReplayReport *report, const GError *error, gpointer user_data);

CLQ_API ClqReplay *clq_replay_new (ClqHost *past, GError **error);
CLQ_API void clq_replay_free (ClqReplay *self);
CLQ_API ClqHost *clq_replay_get_host (ClqReplay *self);
CLQ_API void clq_replay_set_graph (ClqReplay *self, ClqGraph *graph);
CLQ_API void clq_replay_run (ClqReplay *self, const guint8 id[16], ClqReplayFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqReplay, clq_replay_free)

G_END_DECLS
