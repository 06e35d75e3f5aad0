/* Guards compare data and that is all: total, without loops and effects, compiled once. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

typedef struct _ClqGuard ClqGuard;

typedef enum
{
  CLQ_FALSE,
  CLQ_TRUE,
  CLQ_MAYBE, /* depends on what is not known yet */
} ClqTruth;

/* What names a guard may use. Any member may be NULL: then nothing is known and nothing is checked. */
typedef struct
{
  const char *const *states;
  const char *const *fields;
  const ClqModalityInfo *modality;
} ClqGuardNames;

CLQ_API ClqGuard *clq_guard_parse (const char *text, const ClqGuardNames *names, GError **error);
CLQ_API void clq_guard_free (ClqGuard *self);
CLQ_API const char *clq_guard_get_text (const ClqGuard *self);
CLQ_API gboolean clq_guard_reads_event (const ClqGuard *self);
CLQ_API ClqTruth clq_guard_eval (const ClqGuard *self, ClqView *view, const ClqEvent *event, gpointer modality);
CLQ_API ClqTruth clq_guard_eval_in_state (const ClqGuard *self, const char *state);
CLQ_API gboolean clq_guard_counts (const ClqGuard *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqGuard, clq_guard_free)

G_END_DECLS
