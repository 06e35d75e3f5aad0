/* What is known of a file on a disk that may lose its power: what it was when it was last synced, and what came after that. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GByteArray *synced; /* what the disk surely has */
  GArray *changes;    /* since then */
  gboolean exists;
  gboolean was_synced; /* so its name is on the disk */
  gboolean may_return; /* it was deleted, but the folder was not synced */
} FaultTrack;

FaultTrack *fault_track_new (void);
void fault_track_free (FaultTrack *self);

/* A new file of the same name. */
void fault_track_reset (FaultTrack *self);

/* A write or, without bytes, a new size. */
void fault_track_add (FaultTrack *self, gint64 offset, gconstpointer bytes, gsize length);
void fault_track_sync (FaultTrack *self);

/* What may be left: each change since the last sync is there, is not there, or is torn. NULL: the file is not there. */
GBytes *fault_track_make_image (const FaultTrack *self, GRand *random);

G_END_DECLS
