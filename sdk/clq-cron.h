/*
 * A cron expression in a time zone: when it runs next, and what it says in words.
 *
 * Five fields: minute, hour, day of the month, month, day of the week. A cron belongs to one thread at a time.
 */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef struct _ClqCron ClqCron;

CLQ_API ClqCron *clq_cron_new (const char *expression, const char *zone, GError **error);
CLQ_API void clq_cron_free (ClqCron *self);
CLQ_API gint64 clq_cron_next (ClqCron *self, gint64 after);
CLQ_API char *clq_cron_describe (const ClqCron *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqCron, clq_cron_free)

G_END_DECLS
