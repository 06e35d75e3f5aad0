#include "faulttrack.h"

#include <string.h>

/* What a disk writes as a whole. */
#define SECTOR 512

/* A write or, without bytes, a new size. */
typedef struct
{
  gint64 offset;
  GBytes *bytes;
} Change;

static void
change_clear (gpointer data)
{
  g_clear_pointer (&((Change *) data)->bytes, g_bytes_unref);
}

void
fault_track_free (FaultTrack *self)
{
  g_byte_array_unref (self->synced);
  g_array_unref (self->changes);
  g_free (self);
}

FaultTrack *
fault_track_new (void)
{
  FaultTrack *self = g_new0 (FaultTrack, 1);

  self->synced = g_byte_array_new ();
  self->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_array_set_clear_func (self->changes, change_clear);
  return self;
}

static void
set_size (GByteArray *bytes, gsize size)
{
  gsize old = bytes->len;

  g_byte_array_set_size (bytes, size);
  if (size > old)
    memset (bytes->data + old, 0, size - old);
}

static void
put_bytes (GByteArray *file, gint64 offset, const guint8 *bytes, gsize length)
{
  if (file->len < offset + length)
    set_size (file, offset + length);
  memcpy (file->data + offset, bytes, length);
}

static void
apply (GByteArray *file, const Change *change)
{
  gsize length;
  const guint8 *bytes;

  if (change->bytes == NULL)
    {
      set_size (file, change->offset);
      return;
    }
  bytes = g_bytes_get_data (change->bytes, &length);
  put_bytes (file, change->offset, bytes, length);
}

/* Some sectors have reached the disk and some have not. */
static void
apply_torn (GByteArray *file, const Change *change, GRand *random)
{
  gsize length, next;
  const guint8 *bytes;

  if (change->bytes == NULL)
    return;
  bytes = g_bytes_get_data (change->bytes, &length);
  for (gsize done = 0; done < length; done = next)
    {
      next = MIN (length, ((change->offset + done) / SECTOR + 1) * SECTOR - change->offset);
      if (g_rand_boolean (random))
        put_bytes (file, change->offset + done, bytes + done, next - done);
    }
}

void
fault_track_reset (FaultTrack *self)
{
  g_byte_array_set_size (self->synced, 0);
  g_array_set_size (self->changes, 0);
  self->was_synced = self->may_return = FALSE;
}

void
fault_track_add (FaultTrack *self, gint64 offset, gconstpointer bytes, gsize length)
{
  Change change = { offset, bytes != NULL ? g_bytes_new (bytes, length) : NULL };

  g_array_append_val (self->changes, change);
}

void
fault_track_sync (FaultTrack *self)
{
  for (guint i = 0; i < self->changes->len; i++)
    apply (self->synced, &g_array_index (self->changes, Change, i));
  g_array_set_size (self->changes, 0);
  self->was_synced = TRUE;
}

GBytes *
fault_track_make_image (const FaultTrack *self, GRand *random)
{
  g_autoptr (GByteArray) file = NULL;

  if (!self->exists && (!self->may_return || g_rand_boolean (random)))
    return NULL;
  if (self->exists && !self->was_synced && g_rand_int_range (random, 0, 4) == 0)
    return NULL;
  file = g_byte_array_new ();
  g_byte_array_append (file, self->synced->data, self->synced->len);
  for (guint i = 0; i < self->changes->len; i++)
    {
      const Change *change = &g_array_index (self->changes, Change, i);
      int fate = g_rand_int_range (random, 0, 3);

      if (fate == 0)
        apply (file, change);
      else if (fate == 1)
        apply_torn (file, change, random);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&file));
}
