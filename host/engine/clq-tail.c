#define G_LOG_DOMAIN "clq-tail"

#include "clq-engine.h"

/*
 * The newest records of a session that works. Nodes that remember how far they have read get what is new from here, without
 * asking the store; a session that rests has none.
 */
#define MAX_RECORDS 512
#define MAX_SIZE (256 * 1024)

/* Private: from now on what comes behind @newest is kept, because nodes will want it. */
void
clq_tail_begin (ClqTail *self, guint64 newest)
{
  if (self->records != NULL)
    return;
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->after = newest;
}

/* Half of it goes at once, so that few records are moved. */
static void
forget_oldest (ClqTail *self)
{
  guint n = (self->records->len + 1) / 2;

  for (guint i = 0; i < n; i++)
    {
      const ClqRecord *record = g_ptr_array_index (self->records, i);

      self->after = record->seq;
      self->size -= record->length;
    }
  g_ptr_array_remove_range (self->records, 0, n);
}

/* Private: a commit is durable. */
void
clq_tail_add (ClqTail *self, const ClqCommit *commit)
{
  if (self->records == NULL)
    return;
  for (guint i = 0; i < commit->records->len; i++)
    {
      ClqRecord *record = clq_record_ref (&g_array_index (commit->records, ClqRecord, i));

      g_ptr_array_add (self->records, record);
      self->size += record->length;
    }
  while (self->records->len > MAX_RECORDS || self->size > MAX_SIZE)
    forget_oldest (self);
}

/*
 * Private: (transfer full) (nullable): the newest @limit records of @types behind @after and before @before (0 = the end), newest
 * first; NULL if some of them may not be here.
 */
GPtrArray *
clq_tail_read (const ClqTail *self, guint types, guint64 after, guint64 before, guint limit)
{
  g_autoptr (GPtrArray) found = NULL;

  if (self->records == NULL)
    return NULL;
  found = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  for (guint i = self->records->len; i > 0 && found->len < limit; i--)
    {
      ClqRecord *record = g_ptr_array_index (self->records, i - 1);

      if (record->seq <= after)
        break;
      if ((before == 0 || record->seq < before) && (types == 0 || (types & 1u << record->type) != 0))
        g_ptr_array_add (found, clq_record_ref (record));
    }
  return found->len == limit || after >= self->after ? g_steal_pointer (&found) : NULL;
}

/* Private: the session rests, or its conversation is another one now. */
void
clq_tail_clear (ClqTail *self)
{
  g_clear_pointer (&self->records, g_ptr_array_unref);
  self->size = 0;
}
