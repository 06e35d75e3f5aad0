#define G_LOG_DOMAIN "clq-store"

#include "clq-private.h"

/**
 * clq_batch_get_n_commits:
 * @self: a batch
 *
 * Returns: how many commits it holds, each of another session
 */
guint
clq_batch_get_n_commits (ClqBatch *self)
{
  return self->commits->len;
}

/**
 * clq_batch_get_commit:
 * @self: a batch
 * @index: which
 *
 * Returns: (transfer none): a commit
 */
ClqCommit *
clq_batch_get_commit (ClqBatch *self, guint index)
{
  g_return_val_if_fail (index < self->commits->len, NULL);
  return g_ptr_array_index (self->commits, index);
}

/**
 * clq_batch_done:
 * @self: a batch
 *
 * Says that every commit that was not failed is durable. The batch is gone afterwards.
 */
void
clq_batch_done (ClqBatch *self)
{
  g_return_if_fail (!self->finished);
  self->finished = TRUE;
  self->done (self);
}

/**
 * clq_batch_fail:
 * @self: a batch
 * @error: why
 *
 * Fails all commits of the batch: nothing of it was written. The batch is gone afterwards.
 */
void
clq_batch_fail (ClqBatch *self, const GError *error)
{
  for (guint i = 0; i < self->commits->len; i++)
    clq_commit_fail (g_ptr_array_index (self->commits, i), error);
  clq_batch_done (self);
}

/**
 * clq_commit_get_id:
 * @self: a commit
 *
 * Returns: (transfer none): the session, 16 bytes
 */
const guint8 *
clq_commit_get_id (ClqCommit *self)
{
  return self->head.id;
}

/**
 * clq_commit_get_expected_seq:
 * @self: a commit
 *
 * Returns: the newest record that the store must have; 0 = the session must not exist
 */
guint64
clq_commit_get_expected_seq (ClqCommit *self)
{
  return self->expected_seq;
}

/**
 * clq_commit_get_head:
 * @self: a commit
 *
 * Returns: (transfer none): the head to be written
 */
const ClqHead *
clq_commit_get_head (ClqCommit *self)
{
  return &self->head;
}

/**
 * clq_commit_get_n_records:
 * @self: a commit
 *
 * Returns: how many records to append
 */
guint
clq_commit_get_n_records (ClqCommit *self)
{
  return self->records->len;
}

/**
 * clq_commit_get_record:
 * @self: a commit
 * @index: which
 *
 * Returns: (transfer none): a record; it lives as long as the batch
 */
const ClqRecord *
clq_commit_get_record (ClqCommit *self, guint index)
{
  g_return_val_if_fail (index < self->records->len, NULL);
  return &g_array_index (self->records, ClqRecord, index);
}

/**
 * clq_commit_get_n_segments:
 * @self: a commit
 *
 * Returns: how many segments begin with it
 */
guint
clq_commit_get_n_segments (ClqCommit *self)
{
  return self->segments->len;
}

/**
 * clq_commit_get_segment:
 * @self: a commit
 * @index: which
 *
 * Returns: (transfer none): a segment
 */
const ClqSegment *
clq_commit_get_segment (ClqCommit *self, guint index)
{
  g_return_val_if_fail (index < self->segments->len, NULL);
  return &g_array_index (self->segments, ClqSegment, index);
}

/**
 * clq_commit_get_n_marks:
 * @self: a commit
 *
 * Returns: how many names it sets or takes away
 */
guint
clq_commit_get_n_marks (ClqCommit *self)
{
  return self->marks->len;
}

/**
 * clq_commit_get_mark:
 * @self: a commit
 * @index: which
 *
 * Returns: (transfer none): a name and its place
 */
const ClqMark *
clq_commit_get_mark (ClqCommit *self, guint index)
{
  g_return_val_if_fail (index < self->marks->len, NULL);
  return &g_array_index (self->marks, ClqMark, index);
}

/**
 * clq_commit_get_graph_text:
 * @self: a commit
 *
 * Returns: (transfer none) (nullable): the text of the graph, if the store may not have it yet
 */
const char *
clq_commit_get_graph_text (ClqCommit *self)
{
  return self->graph_text;
}

/**
 * clq_commit_get_key:
 * @self: a commit
 *
 * Returns: (transfer none) (nullable): the idempotency key of the input behind it
 */
const char *
clq_commit_get_key (ClqCommit *self)
{
  return self->key;
}

/**
 * clq_commit_get_result:
 * @self: a commit
 *
 * Returns: (transfer none) (nullable): what the input with the key is answered, now and whenever it comes again
 */
const char *
clq_commit_get_result (ClqCommit *self)
{
  return self->result;
}

/**
 * clq_commit_get_n_usage:
 * @self: a commit
 *
 * Returns: how many sums it adds to
 */
guint
clq_commit_get_n_usage (ClqCommit *self)
{
  return self->usage != NULL ? self->usage->len : 0;
}

/**
 * clq_commit_get_usage:
 * @self: a commit
 * @index: which
 *
 * Returns: (transfer none): what an agent has used, to be added to the sum of its day
 */
const ClqUsage *
clq_commit_get_usage (ClqCommit *self, guint index)
{
  g_return_val_if_fail (index < clq_commit_get_n_usage (self), NULL);
  return &g_array_index (self->usage, ClqUsage, index);
}

/**
 * clq_commit_fail:
 * @self: a commit
 * @error: why
 *
 * Says that this one commit was not written. The others of the batch are not touched.
 */
void
clq_commit_fail (ClqCommit *self, const GError *error)
{
  g_return_if_fail (error != NULL);
  if (self->error == NULL)
    self->error = g_error_copy (error);
}
