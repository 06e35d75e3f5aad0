/* memory: sessions that last as long as the host. */
#include "memory.h"

#include "memory-journal.h"

static gboolean
memory_init (gpointer self, GError **error)
{
  Memory *memory = self;

  memory_rows_init (&memory->rows);
  memory_heads_init (&memory->heads);
  memory_texts_init (&memory->texts);
  memory_index_init (&memory->index);
  memory->unread = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  memory->graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  memory->records = g_byte_array_new ();
  memory->head = g_byte_array_new ();
  return TRUE;
}

static void
memory_clear (gpointer self)
{
  Memory *memory = self;

  memory_rows_clear (&memory->rows);
  memory_heads_clear (&memory->heads);
  memory_texts_clear (&memory->texts);
  memory_index_clear (&memory->index);
  memory_keys_clear (&memory->keys);
  memory_usage_clear (&memory->usage);
  memory_heap_clear (&memory->due);
  memory_heap_clear (&memory->leases);
  g_clear_pointer (&memory->unread, g_hash_table_unref);
  g_clear_pointer (&memory->graphs, g_hash_table_unref);
  g_clear_pointer (&memory->records, g_byte_array_unref);
  g_clear_pointer (&memory->head, g_byte_array_unref);
}

static gboolean
memory_open (gpointer self, const char *place, GError **error)
{
  if (place == NULL || *place == '\0')
    return TRUE;
  g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "memory: place '%s': expected none, because nothing is kept outside the host", place);
  return FALSE;
}

/* ---- commits ---- */

static GError *
commit_error (ClqCommit *commit, ClqStoreError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static GError *
commit_error (ClqCommit *commit, ClqStoreError code, const char *format, ...)
{
  char id[CLQ_ID_LENGTH + 1];
  GError *error;
  va_list args;

  clq_id_print (clq_commit_get_id (commit), id);
  va_start (args, format);
  error = g_error_new_valist (CLQ_STORE_ERROR, code, format, args);
  va_end (args);
  g_prefix_error (&error, "session %s: ", id);
  return error;
}

/* Everything that can be wrong with a commit is found here, before anything is written. */
static GError *
check (Memory *self, const MemoryRow *row, ClqCommit *commit)
{
  guint64 expected = clq_commit_get_expected_seq (commit), seq = row != NULL ? row->seq : 0;
  guint64 given = clq_head_get_seq (clq_commit_get_head (commit));
  guint n_records = clq_commit_get_n_records (commit);

  if (seq != expected)
    return commit_error (commit, CLQ_STORE_ERROR_STALE, "its newest record is %" G_GUINT64_FORMAT ", expected %" G_GUINT64_FORMAT, seq, expected);
  if (n_records == 0)
    return commit_error (commit, CLQ_STORE_ERROR_CORRUPT, "a commit has no records, expected at least one");
  if (given != expected + n_records)
    return commit_error (commit, CLQ_STORE_ERROR_CORRUPT, "the head names record %" G_GUINT64_FORMAT ", expected %" G_GUINT64_FORMAT, given, expected + n_records);
  for (guint i = 0; i < clq_commit_get_n_segments (commit); i++)
    {
      guint32 segment = clq_commit_get_segment (commit, i)->segment;

      if (segment == CLQ_ROOT_SEGMENT || (row != NULL && memory_row_find_segment (row, segment) != NULL))
        return commit_error (commit, CLQ_STORE_ERROR_CORRUPT, "segment %u is there already, expected a new one", segment);
    }
  if (memory_keys_find (&self->keys, row, clq_commit_get_key (commit)) != NULL)
    return commit_error (commit, CLQ_STORE_ERROR_STALE, "an input with the key '%s' was taken before", clq_commit_get_key (commit));
  return NULL;
}

/* A commit ends a claim. */
static void
set_wake (Memory *self, MemoryRow *row, gint64 wake_at)
{
  if (row->is_leased)
    {
      memory_heap_remove (&self->leases, row);
      row->is_leased = FALSE;
    }
  if (wake_at > 0)
    memory_heap_set (&self->due, row, wake_at);
  else if (row->heap_slot != 0)
    memory_heap_remove (&self->due, row);
}

static void
index_contexts (Memory *self, MemoryRow *row, ClqCommit *commit)
{
  for (guint i = 0; i < clq_commit_get_n_records (commit); i++)
    {
      const ClqRecord *record = clq_commit_get_record (commit, i);

      if (clq_record_get_record_type (record) == CLQ_RECORD_CONTEXT)
        memory_index_add (&self->index, row, record);
    }
}

static void
note_read (Memory *self, MemoryRow *row, const GArray *read)
{
  GArray *unread = g_hash_table_lookup (self->unread, row);

  for (guint i = 0; unread != NULL && i < read->len; i++)
    for (guint j = 0; j < unread->len; j++)
      if (g_array_index (unread, guint64, j) == g_array_index (read, guint64, i))
        g_array_remove_index (unread, j--);
  if (unread != NULL && unread->len == 0)
    g_hash_table_remove (self->unread, row);
}

static void
note_notifications (Memory *self, MemoryRow *row, ClqCommit *commit)
{
  for (guint i = 0; i < clq_commit_get_n_records (commit); i++)
    {
      const ClqRecord *record = clq_commit_get_record (commit, i);
      guint64 seq = clq_record_get_seq (record);
      g_autoptr (GArray) read = NULL;
      GArray *unread;

      if (clq_record_get_record_type (record) != CLQ_RECORD_NOTIFICATION)
        continue;
      read = clq_record_dup_read (record);
      if (read != NULL)
        {
          note_read (self, row, read);
          continue;
        }
      unread = g_hash_table_lookup (self->unread, row);
      if (unread == NULL)
        {
          unread = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (self->unread, row, unread);
        }
      g_array_append_val (unread, seq);
    }
}

static void
keep_graph (Memory *self, const char *hash, const char *text)
{
  if (!g_hash_table_contains (self->graphs, hash))
    g_hash_table_insert (self->graphs, g_strdup (hash), g_strdup (text));
}

static void
write_commit (Memory *self, ClqCommit *commit)
{
  const ClqHead *head = clq_commit_get_head (commit);
  const guint8 *id = clq_commit_get_id (commit);
  const char *graph_text = clq_commit_get_graph_text (commit);
  MemoryRow *row = memory_rows_find (&self->rows, id);
  g_autoptr (GError) error = check (self, row, commit);
  MemoryPiece piece;

  if (error != NULL)
    {
      clq_commit_fail (commit, error);
      return;
    }
  if (row == NULL)
    row = memory_rows_add (&self->rows, id);
  for (guint i = 0; i < clq_commit_get_n_segments (commit); i++)
    memory_row_add_segment (row, clq_commit_get_segment (commit, i));
  for (guint i = 0; i < clq_commit_get_n_marks (commit); i++)
    memory_row_set_mark (row, clq_commit_get_mark (commit, i));
  piece = memory_journal_encode (row, &self->texts, commit, self->records);
  self->head->len = 0;
  memory_head_encode (&self->heads, row, head, self->head);
  memory_row_write (row, piece.base_at, self->records->data, piece.length, self->head->data, self->head->len);
  set_wake (self, row, clq_head_get_wake_at (head));
  if ((piece.types & 1u << CLQ_RECORD_CONTEXT) != 0)
    index_contexts (self, row, commit);
  if ((piece.types & 1u << CLQ_RECORD_NOTIFICATION) != 0)
    note_notifications (self, row, commit);
  if (clq_commit_get_key (commit) != NULL)
    memory_keys_add (&self->keys, row, commit);
  for (guint i = 0; i < clq_commit_get_n_usage (commit); i++)
    memory_usage_add (&self->usage, clq_commit_get_usage (commit, i));
  if (graph_text != NULL)
    keep_graph (self, clq_head_get_graph_hash (head), graph_text);
}

static void
memory_commit (gpointer self, ClqBatch *batch)
{
  guint n_commits = clq_batch_get_n_commits (batch);

  for (guint i = 0; i < n_commits; i++)
    write_commit (self, clq_batch_get_commit (batch, i));
  clq_batch_done (batch);
}

/* ---- queries ---- */

static void
memory_load (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  const MemoryRow *row = memory_rows_find (&memory->rows, clq_query_get_id (query));
  const MemoryKey *key = memory_keys_find (&memory->keys, row, clq_query_get_key (query));
  g_autoptr (GError) error = NULL;
  ClqHead *head;

  if (row == NULL)
    {
      clq_query_done (query, NULL);
      return;
    }
  if (key != NULL)
    clq_query_take_result (query, key->seq, g_strdup (key->result));
  head = memory_head_read (&memory->heads, row, &error);
  if (head != NULL)
    clq_query_add_head (query, head);
  for (guint i = 1; row->more != NULL && i < row->more->n_segments; i++)
    clq_query_add_segment (query, &row->more->segments[i].base);
  for (guint i = 0; row->more != NULL && i < row->more->n_marks; i++)
    clq_query_add_mark (query, &row->more->marks[i]);
  clq_query_done (query, error);
}

static void
memory_journal (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  const MemoryRow *row = memory_rows_find (&memory->rows, clq_query_get_id (query));
  guint32 segment = clq_query_get_segment (query);
  g_autoptr (GError) error = NULL;
  const MemoryPage page = {
    .after = clq_query_get_after (query),
    .before = clq_query_get_before (query),
    .types = clq_query_get_types (query),
    .limit = clq_query_get_limit (query),
    .newest_first = clq_query_get_newest_first (query),
  };

  if (row != NULL && !memory_journal_read (row, &memory->texts, &page, segment, query))
    {
      char id[CLQ_ID_LENGTH + 1];

      clq_id_print (row->id, id);
      error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "session %s: there is no segment %u", id, segment);
    }
  clq_query_done (query, error);
}

/* Claims that have ended by themselves: their sessions are due again, at the time they were. */
static void
end_leases (Memory *self, gint64 now)
{
  MemoryRow *row;

  while ((row = memory_heap_take_due (&self->leases, now)) != NULL)
    {
      g_autoptr (ClqHead) head = memory_head_read (&self->heads, row, NULL);

      row->is_leased = FALSE;
      if (head != NULL)
        memory_heap_set (&self->due, row, clq_head_get_wake_at (head));
    }
}

static gint64
get_next_due (const Memory *self)
{
  gint64 due = memory_heap_get_first (&self->due), lease = memory_heap_get_first (&self->leases);

  return due == 0 || (lease != 0 && lease < due) ? lease : due;
}

static void
memory_claim_due (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  gint64 now = clq_query_get_now (query), lease_until = clq_query_get_lease_until (query);
  guint limit = clq_query_get_limit (query);
  g_autoptr (GError) error = NULL;
  MemoryRow *row;

  end_leases (memory, now);
  for (guint i = 0; (limit == 0 || i < limit) && error == NULL; i++)
    {
      ClqHead *head;

      row = memory_heap_take_due (&memory->due, now);
      if (row == NULL)
        break;
      head = memory_head_read (&memory->heads, row, &error);
      if (head != NULL)
        clq_query_add_head (query, head);
      row->is_leased = lease_until > 0;
      if (row->is_leased)
        memory_heap_set (&memory->leases, row, lease_until);
    }
  clq_query_set_next_due (query, get_next_due (memory));
  clq_query_done (query, error);
}

static void
memory_search (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  const char *text = clq_query_get_text (query);
  const guint8 *id = clq_query_has_id (query) ? clq_query_get_id (query) : NULL;
  const MemoryRow *only = id != NULL ? memory_rows_find (&memory->rows, id) : NULL;
  guint limit = clq_query_get_limit (query), n_found = 0;
  g_autoptr (GArray) hits = memory_index_search (&memory->index, text != NULL ? text : "");
  g_auto (MemoryFilter) filter = { NULL };

  memory_filter_init (&filter, memory, query);
  for (guint i = 0; i < hits->len && (limit == 0 || n_found < limit); i++)
    {
      const MemoryHit *hit = &g_array_index (hits, MemoryHit, i);

      if ((id != NULL && hit->row != only) || !memory_filter_match (&filter, hit->row))
        continue;
      clq_query_add_hit (query, hit->row->id, memory_journal_find (hit->row, &memory->texts, hit->seq), hit->relevance);
      n_found++;
    }
  clq_query_done (query, NULL);
}

static void
memory_graph (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  const char *hash = clq_query_get_text (query);
  const char *text = hash != NULL ? g_hash_table_lookup (memory->graphs, hash) : NULL;

  if (text != NULL)
    clq_query_take_text (query, g_strdup (text));
  clq_query_done (query, NULL);
}

static void
memory_usage (gpointer self, ClqQuery *query)
{
  Memory *memory = self;

  memory_usage_read (&memory->usage, query);
  clq_query_done (query, NULL);
}

static const ClqStoreInfo store = {
  CLQ_STORE_INFO,
  .name = "store",
  .summary = "Keeps sessions as long as the host runs",
  .self_size = sizeof (Memory),
  .init = memory_init,
  .clear = memory_clear,
  .open = memory_open,
  .commit = memory_commit,
  .load = memory_load,
  .journal = memory_journal,
  .list = memory_list,
  .claim_due = memory_claim_due,
  .search = memory_search,
  .graph = memory_graph,
  .durability = "memory",
  .usage = memory_usage,
};

CLQ_PLUGIN ("memory", "1.0", "A store that lasts as long as the host", &store.feature);
