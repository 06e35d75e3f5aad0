#define G_LOG_DOMAIN "clq-store"

#include "clq-private.h"

#include <string.h>

static void
clear_usage (gpointer usage)
{
  g_free ((char *) ((ClqUsage *) usage)->agent);
}

/* Private: a question to a store; @func gets it back with the answer. */
ClqQuery *
clq_query_new (ClqQueryFunc func, gpointer user_data)
{
  ClqQuery *self = g_new0 (ClqQuery, 1);

  self->heads = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_head_free);
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_record_unref);
  self->relevance = g_array_new (FALSE, FALSE, sizeof (double));
  self->hit_ids = g_byte_array_new ();
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  self->mark_names = g_ptr_array_new_with_free_func (g_free);
  self->marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  self->usage = g_array_new (FALSE, FALSE, sizeof (ClqUsage));
  g_array_set_clear_func (self->usage, clear_usage);
  self->func = func;
  self->user_data = user_data;
  return self;
}

/* Private. */
void
clq_query_free (ClqQuery *self)
{
  g_ptr_array_unref (self->heads);
  g_ptr_array_unref (self->records);
  g_array_unref (self->relevance);
  g_byte_array_unref (self->hit_ids);
  g_array_unref (self->segments);
  g_ptr_array_unref (self->mark_names);
  g_array_unref (self->marks);
  g_array_unref (self->usage);
  g_clear_pointer (&self->filters, g_hash_table_unref);
  g_clear_error (&self->error);
  g_free (self->text);
  g_free (self->key);
  g_free (self->answer);
  g_free (self->result);
  g_free (self);
}

/* Private. */
void
clq_query_set_filter (ClqQuery *self, const char *name, const char *value)
{
  if (self->filters == NULL)
    self->filters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->filters, g_strdup (name), g_strdup (value));
}

/**
 * clq_query_get_id:
 * @self: a query
 *
 * Returns: (transfer none): the session that is asked for, 16 bytes
 */
const guint8 *
clq_query_get_id (ClqQuery *self)
{
  return self->id;
}

/**
 * clq_query_has_id:
 * @self: a query
 *
 * Returns: whether clq_query_get_id() names a session; always so for loads and journals
 */
gboolean
clq_query_has_id (ClqQuery *self)
{
  static const guint8 none[16];

  return memcmp (self->id, none, sizeof none) != 0;
}

/**
 * clq_query_get_limit:
 * @self: a query
 *
 * Returns: how many answers at the most; 0 = all
 */
guint
clq_query_get_limit (ClqQuery *self)
{
  return self->limit;
}

/**
 * clq_query_get_after:
 * @self: a query
 *
 * Returns: only records with a larger number; for lists a time, for usage a day
 */
guint64
clq_query_get_after (ClqQuery *self)
{
  return self->after;
}

/**
 * clq_query_get_before:
 * @self: a query
 *
 * Returns: only records with a smaller number; for lists a time, for usage a day; 0 = no bound
 */
guint64
clq_query_get_before (ClqQuery *self)
{
  return self->before;
}

/**
 * clq_query_get_types:
 * @self: a query
 *
 * Returns: bits `1 << ClqRecordType`; 0 = all
 */
guint
clq_query_get_types (ClqQuery *self)
{
  return self->types;
}

/**
 * clq_query_get_newest_first:
 * @self: a query
 *
 * Returns: whether the answer starts at the end
 */
gboolean
clq_query_get_newest_first (ClqQuery *self)
{
  return self->newest_first;
}

/**
 * clq_query_get_segment:
 * @self: a query
 *
 * Returns: the segment at the tip of the path that is asked for; 0 = all records, whatever their segment
 */
guint32
clq_query_get_segment (ClqQuery *self)
{
  return self->segment;
}

/**
 * clq_query_get_text:
 * @self: a query
 *
 * Returns: (transfer none) (nullable): what is looked for: words, or a graph's hash
 */
const char *
clq_query_get_text (ClqQuery *self)
{
  return self->text;
}

/**
 * clq_query_get_key:
 * @self: a load
 *
 * Returns: (transfer none) (nullable): the idempotency key of an input that may have been taken before
 */
const char *
clq_query_get_key (ClqQuery *self)
{
  return self->key;
}

/**
 * clq_query_get_filter:
 * @self: a query
 * @name: `graph`, `state`, `status` or `owner`
 *
 * Returns: (transfer none) (nullable): the value that an answer must have
 */
const char *
clq_query_get_filter (ClqQuery *self, const char *name)
{
  return self->filters != NULL ? g_hash_table_lookup (self->filters, name) : NULL;
}

/**
 * clq_query_get_now:
 * @self: a query
 *
 * Returns: the host's time, in microseconds since 1970
 */
gint64
clq_query_get_now (ClqQuery *self)
{
  return self->now;
}

/**
 * clq_query_get_lease_until:
 * @self: a query
 *
 * Returns: when claims end by themselves, in microseconds since 1970; 0 = never
 */
gint64
clq_query_get_lease_until (ClqQuery *self)
{
  return self->lease_until;
}

/**
 * clq_query_add_head:
 * @self: a query
 * @head: (transfer full): an answer
 */
void
clq_query_add_head (ClqQuery *self, ClqHead *head)
{
  g_ptr_array_add (self->heads, head);
}

/**
 * clq_query_add_record:
 * @self: a query
 * @record: (transfer full): an answer; one that comes from outside the process was checked with clq_json_check()
 */
void
clq_query_add_record (ClqQuery *self, ClqRecord *record)
{
  g_ptr_array_add (self->records, record);
}

/**
 * clq_query_add_hit:
 * @self: a search
 * @id: the session of the record, 16 bytes
 * @record: (transfer full): an answer, as for clq_query_add_record()
 * @relevance: how well it fits, more than 0 and up to 1; not more than that of the hit before. It must not depend on how many
 *   records there are: below 0.05 is what shares only words that are everywhere, 0.3 and more what has all that was looked for
 */
void
clq_query_add_hit (ClqQuery *self, const guint8 id[16], ClqRecord *record, double relevance)
{
  g_ptr_array_add (self->records, record);
  g_byte_array_append (self->hit_ids, id, 16);
  g_array_append_val (self->relevance, relevance);
}

/**
 * clq_query_add_segment:
 * @self: a query
 * @segment: a segment of the session that was asked for
 */
void
clq_query_add_segment (ClqQuery *self, const ClqSegment *segment)
{
  g_array_append_val (self->segments, *segment);
}

/**
 * clq_query_add_mark:
 * @self: a query
 * @mark: a name in the session that was asked for
 */
void
clq_query_add_mark (ClqQuery *self, const ClqMark *mark)
{
  ClqMark copy = *mark;

  copy.name = g_strdup (mark->name);
  g_ptr_array_add (self->mark_names, (gpointer) copy.name);
  g_array_append_val (self->marks, copy);
}

/**
 * clq_query_add_usage:
 * @self: a query
 * @usage: what an agent has used on one day
 */
void
clq_query_add_usage (ClqQuery *self, const ClqUsage *usage)
{
  ClqUsage copy = *usage;

  copy.agent = g_strdup (usage->agent);
  g_array_append_val (self->usage, copy);
}

/**
 * clq_query_take_text:
 * @self: a query
 * @text: (transfer full): the text that was asked for
 */
void
clq_query_take_text (ClqQuery *self, char *text)
{
  g_free (self->answer);
  self->answer = text;
}

/**
 * clq_query_take_result:
 * @self: a load with a key
 * @seq: the newest record of the commit that had the key
 * @result: (transfer full) (nullable): clq_commit_get_result() of that commit
 *
 * Says that the input with the key was taken before.
 */
void
clq_query_take_result (ClqQuery *self, guint64 seq, char *result)
{
  g_free (self->result);
  self->result = result;
  self->key_seq = seq;
}

/**
 * clq_query_set_next_due:
 * @self: a query for what is due
 * @time: when asking again can give something, if nothing is written until then: the first time in any head that is not
 *   claimed or end of a claim; 0 = never
 *
 * Saves the host from asking in vain.
 */
void
clq_query_set_next_due (ClqQuery *self, gint64 time)
{
  self->next_due = time;
}

/**
 * clq_query_done:
 * @self: (transfer full): a query
 * @error: (nullable): why there is no answer; a session that does not exist is no error
 *
 * Gives the answer. The query is gone afterwards.
 */
void
clq_query_done (ClqQuery *self, const GError *error)
{
  g_return_if_fail (!self->finished);
  self->finished = TRUE;
  if (error != NULL)
    self->error = g_error_copy (error);
  self->func (self, self->user_data);
  clq_query_free (self);
}
