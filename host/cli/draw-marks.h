/* Where a stored session is and how it came there. */
#pragma once

#include "clq-draw.h"
#include "clq-session.h"

G_BEGIN_DECLS

typedef struct
{
  ClqDrawMarks marks;
  const ClqGraph *graph;
  GArray *path; /* ClqDrawMove */
  GError *error;
} DrawMarks;

gboolean draw_marks_read (DrawMarks *self, ClqHost *host, const ClqGraph *graph, const guint8 id[16], GError **error);
void draw_marks_clear (DrawMarks *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DrawMarks, draw_marks_clear)

G_END_DECLS
