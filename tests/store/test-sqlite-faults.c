/*
 * The SQLite store when the power fails and when the disk does: nothing that was acknowledged is lost, nothing is
 * acknowledged that is not there, and it goes on by itself when the disk is well again.
 *
 *   test-store-sqlite-faults [--images N] [--every N]
 *
 * checks N states that a power failure may leave, and lets every N-th call fail instead of every one.
 */
#include "faultvfs.h"
#include "sample.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define N_SESSIONS 4

static guint n_images = 200;
static guint every = 1;

/* ---- power ---- */

#define N_STEPS 24

static const char *const endings[] = { "", "-wal", "-journal" };

/* What is left, and what must and may be in it. */
typedef struct
{
  GBytes *files[G_N_ELEMENTS (endings)];
  int n_acknowledged[N_SESSIONS];
  int n_tried[N_SESSIONS];
} Image;

typedef struct
{
  char *names[G_N_ELEMENTS (endings)];
  GRand *random;
  guint countdown;
  guint n_wanted;
  GPtrArray *images;
  int n_acknowledged[N_SESSIONS];
  int n_tried[N_SESSIONS];
} Power;

static void
image_free (gpointer data)
{
  Image *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    g_clear_pointer (&self->files[i], g_bytes_unref);
  g_free (self);
}

/* On the thread that writes: now the power may fail. */
static void
on_change (gpointer user_data)
{
  Power *self = user_data;
  Image *image;

  if (self->images->len >= self->n_wanted || self->countdown-- > 0)
    return;
  self->countdown = g_rand_int_range (self->random, 0, 40);
  image = g_new0 (Image, 1);
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      image->n_acknowledged[i] = g_atomic_int_get (&self->n_acknowledged[i]);
      image->n_tried[i] = g_atomic_int_get (&self->n_tried[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    image->files[i] = fault_vfs_make_image (self->names[i], self->random);
  g_ptr_array_add (self->images, image);
}

/* Writes the next step of some of the sessions as one batch. */
static void
write_some (TestStore *store, Power *self, Sample *samples)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  guint chosen = g_rand_int_range (self->random, 1, 1 << N_SESSIONS);

  for (guint i = 0; i < N_SESSIONS; i++)
    if ((chosen >> i & 1) != 0)
      {
        g_ptr_array_add (commits, sample_next (&samples[i]));
        g_atomic_int_set (&self->n_tried[i], samples[i].n_steps);
      }
  test_store_commit (store, commits);
  for (guint i = 0; i < commits->len; i++)
    g_assert_no_error (((ClqCommit *) commits->pdata[i])->error);
  for (guint i = 0; i < N_SESSIONS; i++)
    g_atomic_int_set (&self->n_acknowledged[i], samples[i].n_steps);
}

static void
run_until_dark (Power *self)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  Sample samples[N_SESSIONS];
  TestStore store;

  for (guint i = 0; i < N_SESSIONS; i++)
    {
      samples[i] = SAMPLE (i + 1);
      self->n_acknowledged[i] = self->n_tried[i] = 0;
    }
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    self->names[i] = g_strconcat (path, endings[i], NULL);
  self->countdown = g_rand_int_range (self->random, 0, 40);
  fault_vfs_watch (on_change, self);
  g_assert_true (sqlite_store_open_with (&store, path, "checkpoint", "8", NULL));
  for (guint i = 0; i < N_STEPS; i++)
    write_some (&store, self, samples);
  sqlite_store_close (&store);
  fault_vfs_unwatch ();
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    g_clear_pointer (&self->names[i], g_free);
}

static void
check_image (const Image *image)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GError) error = NULL;
  TestStore store;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat (path, endings[i], NULL);
      gsize length;
      const char *bytes = image->files[i] != NULL ? g_bytes_get_data (image->files[i], &length) : NULL;

      if (image->files[i] != NULL)
        g_assert_true (g_file_set_contents_full (name, bytes != NULL ? bytes : "", length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    }
  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      int n_steps = sample_read (&store, i + 1, &error);

      g_assert_no_error (error);
      g_assert_cmpint (n_steps, >=, image->n_acknowledged[i]);
      g_assert_cmpint (n_steps, <=, image->n_tried[i]);
    }
  sample_assert_usage (&store, N_SESSIONS);
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

/* Whatever of the unsynced writes reaches the disk, whole, in part or not at all: all that was acknowledged is there. */
static void
test_power (void)
{
  Power power = { .random = g_rand_new_with_seed (g_test_rand_int ()) };
  guint n_checked = 0, n_acknowledged = 0;

  while (n_checked < n_images)
    {
      power.n_wanted = MIN (20, n_images - n_checked);
      power.images = g_ptr_array_new_with_free_func (image_free);
      run_until_dark (&power);
      for (guint i = 0; i < power.images->len; i++)
        {
          const Image *image = power.images->pdata[i];

          check_image (image);
          n_acknowledged += image->n_acknowledged[0] > 0;
        }
      n_checked += power.images->len;
      g_ptr_array_unref (power.images);
    }
  g_rand_free (power.random);
  g_test_message ("%u images", n_checked);
  g_assert_cmpuint (n_acknowledged, >, n_checked / 2);
}

/* ---- disks ---- */

/* How a session is known to be: what was acknowledged, and what was tried last. */
typedef struct
{
  Sample known;
  Sample tried;
} Client;

/* After a failure nobody knows whether the commit counts; then the store is asked. */
static gboolean
client_ask (Client *self, TestStore *store)
{
  g_autoptr (GError) error = NULL;
  int n_steps = sample_read (store, self->known.session, &error);

  if (n_steps < 0)
    {
      g_assert_cmpint (error->domain, ==, CLQ_STORE_ERROR);
      g_assert_cmpint (error->code, !=, CLQ_STORE_ERROR_NOT_FOUND);
      g_assert_cmpstr (error->message, !=, "");
      return FALSE;
    }
  g_assert_cmpint (n_steps, >=, self->known.n_steps);
  g_assert_cmpint (n_steps, <=, self->tried.n_steps);
  if (n_steps == (int) self->tried.n_steps)
    self->known = self->tried;
  return TRUE;
}

/* Sends the next step of each session as one batch. Returns whether all were acknowledged. */
static gboolean
clients_write (Client *clients, TestStore *store)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);
  gboolean all = TRUE;

  for (guint i = 0; i < N_SESSIONS; i++)
    {
      clients[i].tried = clients[i].known;
      g_ptr_array_add (commits, sample_next (&clients[i].tried));
    }
  test_store_commit (store, commits);
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      const ClqCommit *commit = commits->pdata[i];

      if (commit->error == NULL)
        clients[i].known = clients[i].tried;
      else
        {
          g_assert_cmpint (commit->error->domain, ==, CLQ_STORE_ERROR);
          g_assert_cmpstr (commit->error->message, !=, "");
          all = FALSE;
        }
    }
  return all;
}

/* Whether each session is as its client knows it. Clients that could not know learn it. */
static gboolean
clients_ask (Client *clients, TestStore *store)
{
  gboolean all = TRUE;

  for (guint i = 0; i < N_SESSIONS; i++)
    all = client_ask (&clients[i], store) && all;
  return all;
}

/* While the disk fails: everything may fail, but says so. What can be read is right, and without room all can. */
static void
write_in_trouble (Client *clients, TestStore *store, FaultKind kind)
{
  for (guint i = 0; i < 6; i++)
    {
      gboolean is_written = clients_write (clients, store);
      gboolean is_read = clients_ask (clients, store);

      if (kind == FAULT_FULL)
        g_assert_true (is_read);
      if (!is_written && !is_read)
        return;
    }
}

/* One life of a store in which the n-th call fails. Returns whether there was an n-th call. */
static gboolean
live_with (FaultKind kind, guint n, gboolean lasting)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  g_autoptr (GError) error = NULL;
  Client clients[N_SESSIONS];
  gboolean has_failed;
  TestStore store;

  for (guint i = 0; i < N_SESSIONS; i++)
    clients[i] = (Client){ SAMPLE (i + 1), SAMPLE (i + 1) };
  fault_vfs_arm (kind, n, lasting);
  if (sqlite_store_open_with (&store, path, "checkpoint", "8", &error))
    {
      write_in_trouble (clients, &store, kind);
      has_failed = fault_vfs_disarm ();
    }
  else
    {
      g_assert_cmpint (error->domain, ==, CLQ_STORE_ERROR);
      has_failed = fault_vfs_disarm ();
      g_assert_true (has_failed);
      g_clear_error (&error);
      sqlite_store_open (&store, path, FALSE, &error);
      g_assert_no_error (error);
    }
  /* The cause is gone. */
  g_assert_true (clients_ask (clients, &store));
  for (guint i = 0; i < 3; i++)
    g_assert_true (clients_write (clients, &store));
  g_assert_true (clients_ask (clients, &store));
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
  sqlite_store_open (&store, path, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (clients_ask (clients, &store));
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
  return has_failed;
}

static const struct
{
  const char *name;
  FaultKind kind;
  gboolean lasting;
} troubles[] = {
  { "full", FAULT_FULL, FALSE },
  { "full-for-long", FAULT_FULL, TRUE },
  { "io", FAULT_IO, FALSE },
  { "io-for-long", FAULT_IO, TRUE },
  { "sync", FAULT_SYNC, FALSE },
  { "sync-for-long", FAULT_SYNC, TRUE },
};

/* Every call in turn, until a whole life has passed without a failure. */
static void
test_trouble (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data), n = 1;

  while (live_with (troubles[number].kind, n, troubles[number].lasting))
    n += every;
  g_test_message ("%u calls", n - 1);
  g_assert_cmpuint (n, >, 10);
}

/* A disk on which the write-ahead journal cannot grow is no reason to refuse work as long as there is room elsewhere. */
static void
test_room (void)
{
  g_autoptr (SqliteFolder) folder = sqlite_folder_new ();
  g_autofree char *path = g_build_filename (folder, "store.db", NULL);
  Client clients[N_SESSIONS];
  TestStore store;

  for (guint i = 0; i < N_SESSIONS; i++)
    clients[i] = (Client){ SAMPLE (i + 1), SAMPLE (i + 1) };
  g_assert_true (sqlite_store_open_with (&store, path, "checkpoint", "1000000", NULL));
  fault_vfs_arm (FAULT_ROOM, 1000000, TRUE);
  for (guint i = 0; i < 100; i++)
    g_assert_true (clients_write (clients, &store));
  g_assert_true (fault_vfs_disarm ());
  g_assert_true (clients_ask (clients, &store));
  sqlite_store_assert_whole (&store);
  sqlite_store_close (&store);
}

static void
take_option (int *argc, char **argv, const char *name, guint *value)
{
  for (int i = 1; i + 1 < *argc; i++)
    if (strcmp (argv[i], name) == 0)
      {
        *value = MAX (1, atoi (argv[i + 1]));
        memmove (argv + i, argv + i + 2, (*argc - i - 1) * sizeof *argv);
        *argc -= 2;
        return;
      }
}

int
main (int argc, char **argv)
{
  take_option (&argc, argv, "--images", &n_images);
  take_option (&argc, argv, "--every", &every);
  fault_vfs_install ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/sqlite/power", test_power);
  g_test_add_func ("/colloquy/sqlite/room", test_room);
  for (guint i = 0; i < G_N_ELEMENTS (troubles); i++)
    {
      g_autofree char *name = g_strdup_printf ("/colloquy/sqlite/trouble/%s", troubles[i].name);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_trouble);
    }
  return g_test_run ();
}
