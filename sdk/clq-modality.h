/*
 * A modality is the kind of conversation: what input means, what the data is, what each event changes. Its functions
 * are pure: session, event and clock in, change out, no I/O.
 */
#pragma once

#include "clq-change.h"
#include "clq-event.h"
#include "clq-plugin.h"
#include "clq-view.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  const char *summary;
  gboolean (*test) (gpointer self, ClqView *view, const ClqEvent *event);
  gboolean ignores_event; /* the answer depends on the session alone */
} ClqPredicate;

typedef struct
{
  CLQ_FEATURE_HEAD
  guint32 predicate_size;
  const ClqPredicate *predicates; /* ends with a NULL name */
  const char *const *fields;      /* (optional) top-level names of the data; guards may read no others */
  const char *const *actions;     /* (optional) actions with a payload this modality understands */
  gboolean (*open) (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error);
  gboolean (*apply) (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error);
  void (*arrive) (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change);
  char *(*describe) (gpointer self, ClqView *view);
  char *(*report) (gpointer self, ClqView *view, ClqRecord *const *records, guint n_records); /* (optional) the whole conversation for people, Markdown; oldest record first */
  char *(*headline) (gpointer self, ClqView *view);                                           /* (optional) where it stands, in a few words for one line; NULL = nothing to say */
} ClqModalityInfo;

#define CLQ_MODALITY_INFO \
  CLQ_FEATURE_INIT (ClqModalityInfo, CLQ_FEATURE_MODALITY), .predicate_size = sizeof (ClqPredicate)

CLQ_API gpointer clq_view_get_modality (ClqView *self, const ClqModalityInfo *info);

G_END_DECLS
