/*
 * A disk that fails and a power that goes out: a layer over SQLite's own access to files, for the whole process.
 *
 * It counts calls and lets some of them fail. And it remembers what every file was when it was last synced and what was
 * written since then, so that it can say what may be left of the files if the power fails now.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on SQLite uses it. */
void fault_vfs_install (void);

typedef enum
{
  FAULT_FULL, /* writing fails: no room */
  FAULT_IO,   /* anything fails */
  FAULT_SYNC, /* syncing fails */
  FAULT_ROOM, /* writing to a write-ahead journal fails behind its n-th byte */
} FaultKind;

/* Lets the n-th call fail, from 1 on, and if @lasting all that come after it. */
void fault_vfs_arm (FaultKind kind, guint n, gboolean lasting);

/* All is well again. Returns whether anything has failed. */
gboolean fault_vfs_disarm (void);

/* Called from any thread before something changes on the disk. */
typedef void (*FaultFunc) (gpointer user_data);

/* Begins to remember, before there are any files; forgets what was. */
void fault_vfs_watch (FaultFunc func, gpointer user_data);
void fault_vfs_unwatch (void);

/* What may be left of a file: whether it is there, and its bytes. @random decides what of the unsynced writes is. */
GBytes *fault_vfs_make_image (const char *path, GRand *random);

G_END_DECLS
