/* Two branches meet: what one has that the other has not, and since when. */
#pragma once

#include "clq-engine.h"

G_BEGIN_DECLS

typedef struct
{
  ClqEngine *engine;
  const guint8 *id; /* of the session */
  GArray *news;     /* ClqPathRange, what is seen there and not here, in the order of there */
  GArray *all;      /* ClqPathRange, all that is seen there */
  GArray *own;      /* ClqPathRange, what is seen here and not there */
  GArray *since;    /* ClqPathRange, what is seen here since both parted */
  ClqPlace there;
  ClqPlace parted; /* where their paths part */
  ClqPlace base;   /* the last place that both know: where they parted, or where one was merged into the other since */
} ClqMeeting;

typedef void (*ClqMeetingFunc) (ClqMeeting *meeting, const GError *error, gpointer user_data);
typedef void (*ClqStretchesFunc) (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data);

void clq_meeting_prepare (ClqEngine *engine, ClqLive *live, const char *mark, ClqMeetingFunc func, gpointer user_data);
void clq_meeting_free (ClqMeeting *self);
void clq_stretches_read (ClqMeeting *meeting, const GArray *ranges, guint types, ClqStretchesFunc func, gpointer user_data);

G_END_DECLS
