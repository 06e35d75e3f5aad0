/* Server-sent events, read as they come: bytes in, the data of whole events out. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One event; @data is followed by a NUL that does not count. Returns FALSE if no more are wanted. */
typedef gboolean (*OpenaiSseFunc) (const char *data, gsize length, gpointer user_data);

typedef struct
{
  GString *line;   /* what has come of the line that is not over yet */
  GString *data;   /* the data of the event that is not over yet */
  gsize max_event; /* bytes of one event, all its lines together */
  gsize size;      /* bytes of the event so far */
  guint n_data;    /* its data lines */
  guint n_mark;    /* bytes of a byte order mark that have come; 3 = the stream has begun */
  gboolean skip_lf;
} OpenaiSse;

void openai_sse_init (OpenaiSse *self, gsize max_event);
void openai_sse_clear (OpenaiSse *self);
gboolean openai_sse_feed (OpenaiSse *self, const char *bytes, gsize length, OpenaiSseFunc func, gpointer user_data);
gboolean openai_sse_end (OpenaiSse *self, OpenaiSseFunc func, gpointer user_data);

G_END_DECLS
