/* sqlite: sessions in one file. */
#define G_LOG_DOMAIN "sqlite"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "sqlite-lock.h"
#include "sqlite-maintain.h"
#include "sqlite-writer.h"

/* Batches of at most this many commits are waited for a moment. */
#define SMALL_BATCH 16

typedef struct
{
  gboolean read_only;
  gint64 checkpoint;
  char *path;
  SqliteLock *lock;
  SqliteAnswers *answers;
  SqliteWriter *writer;
  SqliteReader *reader;
  SqliteThread *write_thread;
  SqliteThread *read_thread;
} Sqlite;

static const ClqSetting settings[] = {
  CLQ_BOOL (Sqlite, read_only, false, "only look at a store, also at one that another host has open; nothing can be written"),
  CLQ_INT (Sqlite, checkpoint, 512, 1, 1000000, "pages of 16 KB in the write-ahead journal after which they are moved into the database"),
  { NULL },
};

/* ---- opening ---- */

static gboolean
set_error (GError **error, const char *path)
{
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "'%s': %s", path, g_strerror (errno));
  return FALSE;
}

/* Where the user's data are. The folder is made on first use. */
static char *
get_standard_place (gboolean make, GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "colloquy", NULL);

  if (make && g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_error (error, folder);
      return NULL;
    }
  return g_build_filename (folder, "colloquy.db", NULL);
}

/* SQLite would let everybody read what it makes. */
static gboolean
make_file (const char *path, GError **error)
{
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  if (fd < 0)
    return set_error (error, path);
  close (fd);
  return TRUE;
}

static void
sqlite_clear (gpointer self)
{
  Sqlite *sqlite = self;

  g_clear_pointer (&sqlite->read_thread, sqlite_thread_free);
  g_clear_pointer (&sqlite->write_thread, sqlite_thread_free);
  /* The writer goes last: it brings its journal into the database then. */
  g_clear_pointer (&sqlite->reader, sqlite_reader_free);
  g_clear_pointer (&sqlite->writer, sqlite_writer_free);
  g_clear_pointer (&sqlite->answers, sqlite_answers_free);
  g_clear_pointer (&sqlite->lock, sqlite_lock_free);
  g_clear_pointer (&sqlite->path, g_free);
}

static gboolean
open_for_writing (Sqlite *self, GError **error)
{
  self->lock = sqlite_lock_take (self->path, error);
  if (self->lock == NULL || !make_file (self->path, error))
    return FALSE;
  self->writer = sqlite_writer_new (self->path, self->checkpoint, error);
  return self->writer != NULL;
}

static gboolean
sqlite_open (gpointer self, const char *place, GError **error)
{
  Sqlite *sqlite = self;
  g_autofree char *standard = NULL;

  if (place == NULL || *place == '\0')
    {
      standard = get_standard_place (!sqlite->read_only, error);
      if (standard == NULL)
        return FALSE;
      place = standard;
    }
  sqlite->path = g_canonicalize_filename (place, NULL);
  if (!sqlite->read_only && !open_for_writing (sqlite, error))
    return FALSE;
  sqlite->reader = sqlite_reader_new (sqlite->path, error);
  if (sqlite->reader == NULL)
    return FALSE;
  sqlite->answers = sqlite_answers_new ();
  if (!sqlite->read_only)
    sqlite->write_thread = sqlite_thread_new ("sqlite writer", sqlite->answers, sqlite->writer, sqlite_writer_rest);
  sqlite->read_thread = sqlite_thread_new ("sqlite reader", sqlite->answers, sqlite->reader, NULL);
  return TRUE;
}

/* ---- jobs ---- */

static GError *
new_read_only_error (Sqlite *self)
{
  return g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "'%s' was opened read-only, nothing can be written", self->path);
}

static void
sqlite_commit (gpointer self, ClqBatch *batch)
{
  Sqlite *sqlite = self;
  SqliteJob *job;

  if (sqlite->write_thread == NULL)
    {
      g_autoptr (GError) error = new_read_only_error (sqlite);

      clq_batch_fail (batch, error);
      return;
    }
  job = sqlite_job_new (sqlite_writer_write_batch, batch, NULL);
  if (clq_batch_get_n_commits (batch) <= SMALL_BATCH)
    sqlite_thread_push_and_wait (sqlite->write_thread, job);
  else
    sqlite_thread_push (sqlite->write_thread, job);
}

static void
sqlite_stage (gpointer self, ClqCommit *commit)
{
  Sqlite *sqlite = self;
  SqliteJob *job;

  if (sqlite->write_thread == NULL)
    return;
  job = sqlite_job_new (sqlite_writer_stage, NULL, NULL);
  job->data = commit;
  sqlite_thread_push (sqlite->write_thread, job);
}

static void
ask_writer (Sqlite *self, ClqQuery *query, SqliteJobFunc func)
{
  if (self->write_thread == NULL)
    {
      g_autoptr (GError) error = new_read_only_error (self);

      clq_query_done (query, error);
      return;
    }
  sqlite_thread_push (self->write_thread, sqlite_job_new (func, NULL, query));
}

static void
sqlite_claim_due (gpointer self, ClqQuery *query)
{
  ask_writer (self, query, sqlite_writer_claim_due);
}

static void
sqlite_remove (gpointer self, ClqQuery *query)
{
  ask_writer (self, query, sqlite_writer_remove);
}

static void
ask_reader (Sqlite *self, ClqQuery *query, SqliteJobFunc func)
{
  sqlite_thread_push (self->read_thread, sqlite_job_new (func, NULL, query));
}

static void
sqlite_load (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_load);
}

static void
sqlite_journal (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_journal);
}

static void
sqlite_list (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_list);
}

static void
sqlite_search (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_search);
}

static void
sqlite_graph (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_graph);
}

static void
sqlite_usage (gpointer self, ClqQuery *query)
{
  ask_reader (self, query, sqlite_reader_usage);
}

static void
sqlite_maintain (gpointer self, const char *what, ClqQuery *query)
{
  static const char *const names[] = { "stats", "check", "backup", "reindex", NULL };
  static const SqliteJobFunc funcs[] = { sqlite_maintain_stats, sqlite_maintain_check, sqlite_maintain_backup };
  Sqlite *sqlite = self;
  SqliteJob *job;

  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    if (strcmp (what, names[i]) == 0)
      {
        job = sqlite_job_new (funcs[i], NULL, query);
        job->data = sqlite->path;
        sqlite_thread_run_alone (sqlite->answers, job);
        return;
      }
  if (strcmp (what, "reindex") == 0)
    ask_writer (self, query, sqlite_writer_reindex);
  else
    {
      g_autofree char *hint = clq_did_you_mean (what, names);
      g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "the store cannot '%s', expected stats, check, backup or reindex%s", what, hint);

      clq_query_done (query, error);
    }
}

static const ClqStoreInfo store = {
  CLQ_STORE_INFO,
  .name = "store",
  .summary = "Keeps sessions in one file",
  .settings = settings,
  .self_size = sizeof (Sqlite),
  .clear = sqlite_clear,
  .open = sqlite_open,
  .commit = sqlite_commit,
  .load = sqlite_load,
  .journal = sqlite_journal,
  .list = sqlite_list,
  .claim_due = sqlite_claim_due,
  .search = sqlite_search,
  .graph = sqlite_graph,
  .durability = "disk",
  .remove = sqlite_remove,
  .maintain = sqlite_maintain,
  .usage = sqlite_usage,
  .stage = sqlite_stage,
};

CLQ_PLUGIN ("sqlite", "1.0", "A store in one file", &store.feature);
