/* Graphs as pictures and for other programs. */
#pragma once

#include "clq-graph.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_DRAW_MERMAID,
  CLQ_DRAW_DOT,
  CLQ_DRAW_SCXML,
  CLQ_DRAW_PROMELA,
} ClqDrawFormat;

/* A transition that a session has made. */
typedef struct
{
  guint from;
  guint event;
  guint to;
} ClqDrawMove;

/* Where a session is and how it came there; Mermaid and DOT show it. */
typedef struct
{
  int current; /* a state, or -1 */
  const ClqDrawMove *path;
  guint n_moves;
} ClqDrawMarks;

CLQ_API char *clq_graph_draw (const ClqGraph *self, ClqDrawFormat format, const ClqDrawMarks *marks);

/* clq-draw-edges.c: what is drawn as an arrow, in the order of the file; rules of one state come first. */
typedef struct
{
  guint from;
  guint event;
  guint to;
  gboolean is_common; /* of [always] or [otherwise] */
  char *label;        /* event [guard] */
} ClqDrawEdge;

GArray *clq_draw_list_edges (const ClqGraph *graph);
gboolean clq_draw_is_visited (const ClqDrawMarks *marks, guint state);
gboolean clq_draw_is_taken (const ClqDrawMarks *marks, const ClqDrawEdge *edge);

char *clq_draw_mermaid (const ClqGraph *graph, const ClqDrawMarks *marks);
char *clq_draw_dot (const ClqGraph *graph, const ClqDrawMarks *marks);
char *clq_draw_scxml (const ClqGraph *graph);
char *clq_draw_promela (const ClqGraph *graph);

G_END_DECLS
