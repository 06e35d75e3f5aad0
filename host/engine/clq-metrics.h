/* What is measured of a graph, over all its sessions. */
#pragma once

#include "clq-engine.h"

G_BEGIN_DECLS

/* One transition of some session. */
typedef struct
{
  guint8 id[16];
  guint64 seq;
  gint64 at;
  const char *from;  /* interned */
  const char *event; /* interned */
  gint64 ms;         /* in `from` */
  guint64 counts;    /* bits of the metrics whose condition held */
  guint8 is_late;    /* nothing has moved yet: the stay has become too long */
  guint8 was_late;   /* and has come to its end */
} ClqMove;

/* clq-moves.c */
typedef void (*ClqMovesFunc) (GArray *moves, const GError *error, gpointer user_data);
void clq_moves_read (ClqEngine *engine, ClqGraph *graph, guint limit, ClqMovesFunc func, gpointer user_data);

/* clq-metrics.c */
guint clq_metrics_get_limit (const ClqGraph *graph);
char *clq_metrics_dup_report (const ClqGraph *graph, const GArray *moves);

G_END_DECLS
