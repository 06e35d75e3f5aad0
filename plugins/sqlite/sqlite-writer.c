#define G_LOG_DOMAIN "sqlite-writer"

#include "sqlite-writer.h"

#include <string.h>

#include "sqlite-schema.h"

static const char *const texts[N_WRITER_STATEMENTS] = {
  [WRITER_BEGIN] = "BEGIN IMMEDIATE",
  [WRITER_COMMIT] = "COMMIT",
  [WRITER_ROLLBACK] = "ROLLBACK",
  [WRITER_SAVE] = "SAVEPOINT one",
  [WRITER_UNSAVE] = "ROLLBACK TO one",
  [WRITER_KEEP] = "RELEASE one",
  [WRITER_FIND] = "SELECT number, seq, last, segments, marks FROM session WHERE id = ?1",
  [WRITER_INSERT_SESSION] =
      "INSERT INTO session (number, id, seq, last, segments, marks, graph, state, status, owner, title, created_at, updated_at,"
      " wake_at, checksum, head) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
  [WRITER_UPDATE_SESSION] =
      "UPDATE session SET seq = ?3, last = ?4, segments = ?5, marks = ?6, graph = ?7, state = ?8, status = ?9, owner = ?10,"
      " title = ?11, created_at = ?12, updated_at = ?13, wake_at = ?14, checksum = ?15, head = ?16 WHERE number = ?1",
  [WRITER_INSERT_RECORD] = "INSERT INTO journal (" SQLITE_RECORD_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
  [WRITER_INSERT_SEEK] = "INSERT INTO seek (session, seq, record) VALUES (?1, ?2, ?3)",
  [WRITER_INSERT_WORDS] = NULL,
  [WRITER_FIND_SEGMENT] = "SELECT 1 FROM segment WHERE session = ?1 AND segment = ?2",
  [WRITER_INSERT_SEGMENT] =
      "INSERT INTO segment (session, segment, parent, parent_seq, opened_seq, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  [WRITER_UPDATE_MARK] = "UPDATE mark SET segment = ?3, seq = ?4, checksum = ?5 WHERE session = ?1 AND name = ?2",
  [WRITER_INSERT_MARK] = "INSERT INTO mark (session, name, segment, seq, checksum) VALUES (?1, ?2, ?3, ?4, ?5)",
  [WRITER_DELETE_MARK] = "DELETE FROM mark WHERE session = ?1 AND name = ?2",
  [WRITER_INSERT_INPUT] = "INSERT INTO input (session, key, seq, result, checksum) VALUES (?1, ?2, ?3, ?4, ?5)",
  [WRITER_FIND_GRAPH] = "SELECT number FROM graph WHERE hash = ?1 AND name = ?2",
  [WRITER_INSERT_GRAPH] = "INSERT INTO graph (hash, name) VALUES (?1, ?2)",
  [WRITER_INSERT_GRAPH_TEXT] = "INSERT OR IGNORE INTO graph_text (hash, checksum, text) VALUES (?1, ?2, ?3)",
  [WRITER_FIND_USAGE] = "SELECT " SQLITE_USAGE_COLUMNS " FROM usage WHERE day = ?1 AND agent = ?2",
  [WRITER_SET_USAGE] = "INSERT OR REPLACE INTO usage (" SQLITE_USAGE_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
  [WRITER_INSERT_UNREAD] = "INSERT INTO unread (session, seq) VALUES (?1, ?2)",
  [WRITER_DELETE_UNREAD] = "DELETE FROM unread WHERE session = ?1 AND seq = ?2",
  [WRITER_DUE] = "SELECT number, wake_at FROM session INDEXED BY session_due WHERE wake_at > 0 ORDER BY wake_at, id",
  [WRITER_SESSION] = "SELECT " SQLITE_SESSION_COLUMNS " FROM " SQLITE_SESSION_TABLES " WHERE session.number = ?1",
};

/* ---- life ---- */

static int
on_frames (gpointer user_data, sqlite3 *handle, const char *name, int n_frames)
{
  SqliteWriter *self = user_data;

  self->n_frames = n_frames;
  return SQLITE_OK;
}

static void
forget_all (SqliteWriter *self)
{
  memset (self->seats, 0, sizeof self->seats);
  g_hash_table_remove_all (self->graphs);
  self->next_session = 0;
}

/* An index that is so damaged that it cannot be used is no reason to refuse all the rest. */
static gboolean
prepare_index (SqliteWriter *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  self->db.statements[WRITER_INSERT_WORDS] = sqlite_db_prepare_one (&self->db, "INSERT INTO words (rowid, text) VALUES (?1, ?2)", &local);
  self->has_index = local == NULL;
  if (local == NULL || (self->db.code & 0xff) == SQLITE_CORRUPT)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
open_connection (SqliteWriter *self, GError **error)
{
  forget_all (self);
  self->n_frames = self->n_tried = 0;
  if (sqlite_db_open (&self->db, self->path, TRUE, error) && sqlite_schema_bring (&self->db, error) &&
      sqlite_db_prepare (&self->db, texts, N_WRITER_STATEMENTS, error) && prepare_index (self, error))
    {
      sqlite3_wal_hook (self->db.handle, on_frames, self);
      return TRUE;
    }
  sqlite_db_close (&self->db);
  return FALSE;
}

/**
 * sqlite_writer_new:
 * @path: a file, which nobody else writes to
 * @checkpoint: pages in the write-ahead journal after which they are moved into the database
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the writer, connected
 */
SqliteWriter *
sqlite_writer_new (const char *path, guint checkpoint, GError **error)
{
  SqliteWriter *self = g_new0 (SqliteWriter, 1);

  self->path = g_strdup (path);
  self->checkpoint = checkpoint;
  self->graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->claims = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->written = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->usage = g_array_new (FALSE, FALSE, sizeof (ClqUsage));
  self->head = g_byte_array_new ();
  self->words = g_string_new (NULL);
  if (open_connection (self, error))
    return self;
  sqlite_writer_free (self);
  return NULL;
}

/**
 * sqlite_writer_free:
 * @self: (transfer full): a writer
 */
void
sqlite_writer_free (SqliteWriter *self)
{
  sqlite_db_close (&self->db);
  g_hash_table_unref (self->graphs);
  g_hash_table_unref (self->claims);
  g_array_unref (self->written);
  g_array_unref (self->usage);
  g_byte_array_unref (self->head);
  g_string_free (self->words, TRUE);
  g_free (self->path);
  g_free (self);
}

/* ---- transactions ---- */

/* Somebody may have written to the database with other tools; then we know nothing by heart any more. */
static gboolean
refresh (SqliteWriter *self, GError **error)
{
  guint version = 0;

  sqlite3_file_control (self->db.handle, "main", SQLITE_FCNTL_DATA_VERSION, &version);
  if (self->next_session != 0 && version == self->data_version)
    return TRUE;
  forget_all (self);
  if (!sqlite_db_get_number (&self->db, "SELECT coalesce(max(number), 0) FROM journal", &self->next_record, error) ||
      !sqlite_db_get_number (&self->db, "SELECT coalesce(max(number), 0) FROM session", &self->next_session, error))
    {
      self->next_session = 0;
      return FALSE;
    }
  self->next_record++;
  self->next_session++;
  return TRUE;
}

/* What was written of the next batch must not be seen, nor stand in the way: it is written again when the batch comes. */
static void
unstage (SqliteWriter *self)
{
  sqlite_writer_roll_back (self);
  self->stages_nothing = TRUE;
}

/**
 * sqlite_writer_connect:
 * @self: a writer
 * @error: return location
 *
 * Makes sure that there is a connection. After a failure of the disk it is made anew: what it has in memory may not be
 * what is on the disk. The reader's connection stays open meanwhile, so SQLite still knows which part of its journal is
 * good and does not take up again what has failed.
 *
 * Returns: whether there is one
 */
gboolean
sqlite_writer_connect (SqliteWriter *self, GError **error)
{
  if (self->n_staged > 0)
    unstage (self);
  if (self->db.is_broken)
    sqlite_db_close (&self->db);
  return self->db.handle != NULL || open_connection (self, error);
}

/**
 * sqlite_writer_begin:
 * @self: a writer
 * @error: return location
 *
 * Begins a transaction.
 *
 * Returns: whether it is possible to write
 */
gboolean
sqlite_writer_begin (SqliteWriter *self, GError **error)
{
  if (!sqlite_writer_connect (self, error))
    return FALSE;
  g_array_set_size (self->written, 0);
  g_array_set_size (self->usage, 0);
  if (!sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_BEGIN), error))
    return FALSE;
  if (refresh (self, error))
    return TRUE;
  sqlite_writer_roll_back (self);
  return FALSE;
}

/**
 * sqlite_writer_commit:
 * @self: a writer in a transaction
 * @error: return location
 *
 * Returns: whether all that was written is on the disk; otherwise nothing of it counts
 */
gboolean
sqlite_writer_commit (SqliteWriter *self, GError **error)
{
  if (!sqlite_usage_flush (self, error) || !sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_COMMIT), error))
    {
      sqlite_writer_roll_back (self);
      return FALSE;
    }
  self->n_staged = 0;
  sqlite3_file_control (self->db.handle, "main", SQLITE_FCNTL_DATA_VERSION, &self->data_version);
  for (guint i = 0; i < self->written->len && g_hash_table_size (self->claims) > 0; i++)
    g_hash_table_remove (self->claims, &g_array_index (self->written, gint64, i));
  return TRUE;
}

/**
 * sqlite_writer_roll_back:
 * @self: a writer; SQLite may have ended the transaction by itself
 */
void
sqlite_writer_roll_back (SqliteWriter *self)
{
  if (self->db.handle != NULL && !sqlite3_get_autocommit (self->db.handle) && !sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_ROLLBACK), NULL))
    self->db.is_broken = TRUE;
  self->n_staged = 0;
  forget_all (self);
}

/**
 * sqlite_writer_rest:
 * @self: a writer that has answered
 *
 * Moves pages from the write-ahead journal into the database if there are many. If that fails nothing is lost: they stay
 * where they are, and it is tried again.
 */
void
sqlite_writer_rest (gpointer self)
{
  SqliteWriter *writer = self;
  int code;

  if (writer->db.handle == NULL || writer->db.is_broken || writer->n_staged > 0)
    return;
  if (writer->n_frames < writer->n_tried)
    writer->n_tried = 0;
  if (writer->n_frames < writer->n_tried + writer->checkpoint)
    return;
  writer->n_tried = writer->n_frames;
  code = sqlite3_wal_checkpoint_v2 (writer->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  if ((code & 0xff) == SQLITE_IOERR)
    writer->db.is_broken = TRUE;
}

/* ---- batches ---- */

/* The commit gets a savepoint, so that its failure is its own. */
static gboolean
write_apart (SqliteWriter *self, ClqCommit *commit, GError **error)
{
  g_autoptr (GError) own = NULL;

  if (!sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_SAVE), error))
    return FALSE;
  if (sqlite_write (self, commit, &own) == WRITE_FAILED || !sqlite_usage_flush (self, &own))
    {
      g_array_set_size (self->usage, 0);
      sqlite_seat_forget (self, clq_commit_get_id (commit));
      g_hash_table_remove_all (self->graphs);
      if (!sqlite_is_personal (self->db.code))
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      clq_commit_fail (commit, own);
      if (!sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_UNSAVE), error))
        return FALSE;
    }
  return sqlite_db_run (&self->db, sqlite_writer_get (self, WRITER_KEEP), error);
}

typedef enum
{
  BATCH_DONE,
  BATCH_FAILED,
  BATCH_AGAIN, /* one commit has spoilt it for all: each is to have a savepoint */
} BatchResult;

static BatchResult
write_all (SqliteWriter *self, ClqBatch *batch, gboolean apart, GError **error)
{
  guint n_commits = clq_batch_get_n_commits (batch), n_staged = self->n_staged;

  if (n_staged == 0 && !sqlite_writer_begin (self, error))
    return BATCH_FAILED;
  for (guint i = n_staged; i < n_commits; i++)
    {
      ClqCommit *commit = clq_batch_get_commit (batch, i);
      gboolean is_personal;

      if (apart ? write_apart (self, commit, error) : sqlite_write (self, commit, error) != WRITE_FAILED)
        continue;
      is_personal = sqlite_is_personal (self->db.code);
      sqlite_writer_roll_back (self);
      return is_personal && !apart ? BATCH_AGAIN : BATCH_FAILED;
    }
  return sqlite_writer_commit (self, error) ? BATCH_DONE : BATCH_FAILED;
}

/* Without room for more, what stands in the write-ahead journal is moved into the database; then it begins anew. */
static gboolean
make_room (SqliteWriter *self)
{
  int n_frames = 0, n_moved = 0;

  if ((self->db.code & 0xff) != SQLITE_FULL || self->db.handle == NULL || self->db.is_broken)
    return FALSE;
  return sqlite3_wal_checkpoint_v2 (self->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, &n_frames, &n_moved) == SQLITE_OK &&
         n_frames > 0 && n_moved == n_frames;
}

/**
 * sqlite_writer_stage:
 * @job: a job with a commit of a batch that will come
 * @self: the writer
 *
 * Begins the transaction of the batch, or goes on with it. Whatever goes wrong is left to the batch.
 */
void
sqlite_writer_stage (SqliteJob *job, gpointer self)
{
  SqliteWriter *writer = self;
  WriteResult result;

  if (writer->announced == NULL)
    writer->announced = job->data;
  if (writer->n_staged == 0 && !writer->stages_nothing)
    writer->stages_nothing = !sqlite_writer_begin (writer, NULL);
  if (writer->stages_nothing)
    return;
  writer->is_staging = TRUE;
  result = sqlite_write (writer, job->data, NULL);
  writer->is_staging = FALSE;
  if (result == WRITE_DONE)
    writer->n_staged++;
  else
    unstage (writer);
}

/* Whether the batch is the one that is announced, or none is. Another one must not become part of its transaction. */
static gboolean
is_expected (SqliteWriter *self, ClqBatch *batch)
{
  if (self->announced == NULL || (clq_batch_get_n_commits (batch) > 0 && clq_batch_get_commit (batch, 0) == self->announced))
    return TRUE;
  if (self->n_staged > 0)
    unstage (self);
  return FALSE;
}

/**
 * sqlite_writer_write_batch:
 * @job: a job with a batch
 * @self: the writer
 *
 * Writes a batch as one transaction. Savepoints cost a copy of every page that is touched, so they are used only when a
 * first attempt has shown that they are needed.
 */
void
sqlite_writer_write_batch (SqliteJob *job, gpointer self)
{
  SqliteWriter *writer = self;
  gboolean ends_staging = is_expected (writer, job->batch);
  g_autoptr (GError) error = NULL;
  BatchResult result = write_all (writer, job->batch, FALSE, &error);

  if (result == BATCH_AGAIN)
    {
      g_clear_error (&error);
      result = write_all (writer, job->batch, TRUE, &error);
    }
  if (result == BATCH_FAILED && make_room (writer))
    {
      g_clear_error (&error);
      result = write_all (writer, job->batch, TRUE, &error);
    }
  if (result != BATCH_DONE)
    job->error = g_steal_pointer (&error);
  if (!ends_staging)
    return;
  writer->announced = NULL;
  writer->stages_nothing = FALSE;
}
