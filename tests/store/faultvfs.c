#include "faultvfs.h"

#include <sqlite3.h>
#include <string.h>

#include "faulttrack.h"

static GMutex lock;
static GHashTable *tracks; /* path → FaultTrack; NULL = nothing is remembered */
static FaultFunc watcher;
static gpointer watcher_data;
static sqlite3_vfs *below;

/* ---- what is remembered ---- */

/* SQLite syncs the folder with a new file: what was deleted there is gone. */
static void
note_sync (FaultTrack *track)
{
  GHashTableIter iter;
  gpointer other;

  if (!track->was_synced)
    {
      g_hash_table_iter_init (&iter, tracks);
      while (g_hash_table_iter_next (&iter, NULL, &other))
        ((FaultTrack *) other)->may_return = FALSE;
    }
  fault_track_sync (track);
}

GBytes *
fault_vfs_make_image (const char *path, GRand *random)
{
  const FaultTrack *track = tracks != NULL ? g_hash_table_lookup (tracks, path) : NULL;

  return track != NULL ? fault_track_make_image (track, random) : NULL;
}

void
fault_vfs_watch (FaultFunc func, gpointer user_data)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&tracks, g_hash_table_unref);
  tracks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) fault_track_free);
  watcher = func;
  watcher_data = user_data;
  g_mutex_unlock (&lock);
}

void
fault_vfs_unwatch (void)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&tracks, g_hash_table_unref);
  watcher = NULL;
  g_mutex_unlock (&lock);
}

/* ---- what fails ---- */

typedef enum
{
  CALL_OPEN,
  CALL_READ,
  CALL_WRITE,
  CALL_SYNC,
  CALL_DELETE,
  CALL_SHARE,
} Call;

static const int io_codes[] = {
  [CALL_OPEN] = SQLITE_CANTOPEN,
  [CALL_READ] = SQLITE_IOERR_READ,
  [CALL_WRITE] = SQLITE_IOERR_WRITE,
  [CALL_SYNC] = SQLITE_IOERR_FSYNC,
  [CALL_DELETE] = SQLITE_IOERR_DELETE,
  [CALL_SHARE] = SQLITE_IOERR_SHMMAP,
};

static struct
{
  gboolean is_armed;
  FaultKind kind;
  gboolean lasting;
  guint n;
  guint count;
  gboolean has_failed;
} fault;

void
fault_vfs_arm (FaultKind kind, guint n, gboolean lasting)
{
  g_mutex_lock (&lock);
  memset (&fault, 0, sizeof fault);
  fault.is_armed = TRUE;
  fault.kind = kind;
  fault.n = n;
  fault.lasting = lasting;
  g_mutex_unlock (&lock);
}

gboolean
fault_vfs_disarm (void)
{
  gboolean has_failed;

  g_mutex_lock (&lock);
  has_failed = fault.has_failed;
  fault.is_armed = FALSE;
  g_mutex_unlock (&lock);
  return has_failed;
}

static gboolean
is_concerned (Call call)
{
  switch (fault.kind)
    {
    case FAULT_FULL:
      return call == CALL_WRITE;
    case FAULT_SYNC:
      return call == CALL_SYNC;
    case FAULT_ROOM:
      return FALSE;
    default:
      return TRUE;
    }
}

/* With the lock held. */
static int
count_call (Call call)
{
  if (!fault.is_armed || !is_concerned (call))
    return SQLITE_OK;
  fault.count++;
  if (fault.count < fault.n || (fault.count > fault.n && !fault.lasting))
    return SQLITE_OK;
  fault.has_failed = TRUE;
  return fault.kind == FAULT_FULL ? SQLITE_FULL : io_codes[call];
}

/* ---- files ---- */

typedef struct
{
  sqlite3_file base;
  char *path; /* NULL = a temporary one */
  sqlite3_file *file;
} FaultFile;

static FaultFile *
get_file (sqlite3_file *file)
{
  return (FaultFile *) file;
}

/* With the lock held. */
static FaultTrack *
find_track (const char *path)
{
  FaultTrack *track;

  if (tracks == NULL || path == NULL)
    return NULL;
  track = g_hash_table_lookup (tracks, path);
  if (track == NULL)
    {
      track = fault_track_new ();
      g_hash_table_insert (tracks, g_strdup (path), track);
    }
  return track;
}

/* Something is to be changed: counts the call, tells the watcher, and remembers. */
static int
begin_change (FaultFile *self, Call call, gint64 offset, gconstpointer bytes, gsize length)
{
  FaultTrack *track;
  int code;

  g_mutex_lock (&lock);
  code = count_call (call);
  if (fault.is_armed && fault.kind == FAULT_ROOM && self->path != NULL && g_str_has_suffix (self->path, "-wal") && offset + length > fault.n)
    code = SQLITE_FULL;
  fault.has_failed = fault.has_failed || code != SQLITE_OK;
  track = find_track (self->path);
  if (code == SQLITE_OK && track != NULL)
    {
      if (watcher != NULL)
        watcher (watcher_data);
      if (call == CALL_SYNC)
        note_sync (track);
      else
        fault_track_add (track, offset, bytes, length);
    }
  g_mutex_unlock (&lock);
  return code;
}

static int
begin_other (Call call)
{
  int code;

  g_mutex_lock (&lock);
  code = count_call (call);
  g_mutex_unlock (&lock);
  return code;
}

static int
file_close (sqlite3_file *file)
{
  FaultFile *self = get_file (file);
  int code = self->file->pMethods->xClose (self->file);

  g_free (self->path);
  return code;
}

static int
file_read (sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset)
{
  FaultFile *self = get_file (file);
  int code = begin_other (CALL_READ);

  return code != SQLITE_OK ? code : self->file->pMethods->xRead (self->file, bytes, length, offset);
}

static int
file_write (sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset)
{
  FaultFile *self = get_file (file);
  int code = begin_change (self, CALL_WRITE, offset, bytes, length);

  return code != SQLITE_OK ? code : self->file->pMethods->xWrite (self->file, bytes, length, offset);
}

static int
file_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  FaultFile *self = get_file (file);
  int code = begin_change (self, CALL_WRITE, size, NULL, 0);

  return code != SQLITE_OK ? code : self->file->pMethods->xTruncate (self->file, size);
}

/* The power does not fail here really, so nothing need be waited for. */
static int
file_sync (sqlite3_file *file, int flags)
{
  return begin_change (get_file (file), CALL_SYNC, 0, NULL, 0);
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xFileSize (self->file, size);
}

static int
file_lock (sqlite3_file *file, int level)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xLock (self->file, level);
}

static int
file_unlock (sqlite3_file *file, int level)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xUnlock (self->file, level);
}

static int
file_check_lock (sqlite3_file *file, int *is_locked)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xCheckReservedLock (self->file, is_locked);
}

static int
file_control (sqlite3_file *file, int operation, void *argument)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xFileControl (self->file, operation, argument);
}

static int
file_sector_size (sqlite3_file *file)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xSectorSize (self->file);
}

static int
file_device (sqlite3_file *file)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xDeviceCharacteristics (self->file);
}

static int
file_share (sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
  FaultFile *self = get_file (file);
  int code = begin_other (CALL_SHARE);

  return code != SQLITE_OK ? code : self->file->pMethods->xShmMap (self->file, page, size, extend, memory);
}

static int
file_share_lock (sqlite3_file *file, int offset, int n, int flags)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xShmLock (self->file, offset, n, flags);
}

static void
file_share_barrier (sqlite3_file *file)
{
  FaultFile *self = get_file (file);

  self->file->pMethods->xShmBarrier (self->file);
}

static int
file_unshare (sqlite3_file *file, int delete_too)
{
  FaultFile *self = get_file (file);

  return self->file->pMethods->xShmUnmap (self->file, delete_too);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_device,
  .xShmMap = file_share,
  .xShmLock = file_share_lock,
  .xShmBarrier = file_share_barrier,
  .xShmUnmap = file_unshare,
};

/* ---- the layer ---- */

/* A file that was deleted and is made again is a new one. */
static void
note_open (const char *path, gboolean is_new)
{
  FaultTrack *track;

  g_mutex_lock (&lock);
  track = find_track (path);
  if (track != NULL && is_new)
    fault_track_reset (track);
  if (track != NULL)
    track->exists = TRUE;
  g_mutex_unlock (&lock);
}

static int
vfs_open (sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out)
{
  FaultFile *self = get_file (file);
  int code = begin_other (CALL_OPEN), is_there = TRUE;

  memset (self, 0, sizeof *self);
  if (code != SQLITE_OK)
    return code;
  if (path != NULL)
    below->xAccess (below, path, SQLITE_ACCESS_EXISTS, &is_there);
  self->file = (sqlite3_file *) (self + 1);
  code = below->xOpen (below, path, self->file, flags, flags_out);
  if (code != SQLITE_OK)
    return code;
  self->path = g_strdup (path);
  self->base.pMethods = &methods;
  note_open (path, !is_there);
  return SQLITE_OK;
}

static int
vfs_delete (sqlite3_vfs *vfs, const char *path, int sync_folder)
{
  FaultTrack *track;
  int code;

  g_mutex_lock (&lock);
  code = count_call (CALL_DELETE);
  track = code == SQLITE_OK ? find_track (path) : NULL;
  if (track != NULL && track->exists)
    {
      if (watcher != NULL)
        watcher (watcher_data);
      track->exists = FALSE;
      track->may_return = track->was_synced && !sync_folder;
      track->was_synced = FALSE;
    }
  g_mutex_unlock (&lock);
  return code != SQLITE_OK ? code : below->xDelete (below, path, FALSE);
}

static int
vfs_access (sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
  return below->xAccess (below, path, flags, result);
}

static int
vfs_full_path (sqlite3_vfs *vfs, const char *path, int length, char *out)
{
  return below->xFullPathname (below, path, length, out);
}

static int
vfs_random (sqlite3_vfs *vfs, int length, char *out)
{
  return below->xRandomness (below, length, out);
}

static int
vfs_sleep (sqlite3_vfs *vfs, int microseconds)
{
  return below->xSleep (below, microseconds);
}

static int
vfs_time (sqlite3_vfs *vfs, sqlite3_int64 *time)
{
  return below->xCurrentTimeInt64 (below, time);
}

static int
vfs_last_error (sqlite3_vfs *vfs, int length, char *out)
{
  return below->xGetLastError (below, length, out);
}

void
fault_vfs_install (void)
{
  static sqlite3_vfs vfs = {
    .iVersion = 2,
    .zName = "fault",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_path,
    .xRandomness = vfs_random,
    .xSleep = vfs_sleep,
    .xCurrentTimeInt64 = vfs_time,
    .xGetLastError = vfs_last_error,
  };

  below = sqlite3_vfs_find (NULL);
  g_assert_nonnull (below);
  vfs.szOsFile = sizeof (FaultFile) + below->szOsFile;
  vfs.mxPathname = below->mxPathname;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, TRUE), ==, SQLITE_OK);
}
