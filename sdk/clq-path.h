/* The path through a journal: which stretch of which segment leads from the root to a segment. For stores and the host. */
#pragma once

#include "clq-store.h"

G_BEGIN_DECLS

#define CLQ_ROOT_SEGMENT 1

/* Records of one segment that are on the path: those with after_seq < seq <= until_seq. */
typedef struct
{
  guint32 segment;
  guint64 after_seq;
  guint64 until_seq; /* G_MAXUINT64 for the tip */
} ClqPathRange;

CLQ_API gboolean clq_path_build (const ClqSegment *segments, guint n_segments, guint32 tip, GArray *ranges);

G_END_DECLS
