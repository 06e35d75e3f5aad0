/* Small text services that host and plugins share: names, nearest names, times, durations. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

#define CLQ_ID_LENGTH 36

CLQ_API gboolean clq_id_parse (const char *text, guint8 id[16]);
CLQ_API void clq_id_print (const guint8 id[16], char text[CLQ_ID_LENGTH + 1]);

CLQ_API gboolean clq_name_is_valid (const char *name);
CLQ_API const char *clq_nearest (const char *name, const char *const *names);
CLQ_API char *clq_did_you_mean (const char *name, const char *const *names);

CLQ_API gboolean clq_duration_parse (const char *text, GTimeSpan *duration);
CLQ_API char *clq_duration_print (GTimeSpan duration);
CLQ_API gboolean clq_time_parse (const char *text, gint64 *time);
CLQ_API char *clq_time_print (gint64 time);

G_END_DECLS
