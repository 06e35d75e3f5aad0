#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

#include <string.h>

/* ---- commits ---- */

/* Private: the id of a session, a UUIDv7. Sessions with larger numbers have larger ids. */
void
test_id (guint session, guint8 id[16])
{
  guint64 milliseconds = TEST_EPOCH / 1000 + session;
  guint mixed = session * 2654435761u;

  for (guint i = 0; i < 6; i++)
    id[i] = milliseconds >> (40 - 8 * i);
  for (guint i = 6; i < 16; i++)
    id[i] = mixed >> (i * 3 % 24);
  id[6] = 0x70 | (id[6] & 0x0f);
  id[8] = 0x80 | (id[8] & 0x3f);
}

/* Private: a commit with a small head and, as yet, no records. */
ClqCommit *
test_commit_new (guint session, guint64 expected_seq)
{
  ClqCommit *self = g_new0 (ClqCommit, 1);
  ClqHead *head = &self->head;

  self->expected_seq = expected_seq;
  self->records = g_array_new (FALSE, FALSE, sizeof (ClqRecord));
  self->text = g_string_new (NULL);
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  self->mark_names = g_ptr_array_new_with_free_func (g_free);
  self->marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  test_id (session, head->id);
  head->seq = expected_seq;
  head->graph_hash = g_intern_static_string ("0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0");
  head->graph_name = g_intern_static_string ("plain");
  head->state = g_intern_static_string ("listening");
  head->created_at = TEST_EPOCH + session * 1000;
  head->updated_at = head->entered_at = head->input_at = head->created_at + expected_seq;
  head->segment = CLQ_ROOT_SEGMENT;
  head->n_segments = 1;
  head->n_visits = 3;
  head->visits = g_new0 (guint32, head->n_visits);
  head->visits[0] = 1;
  return self;
}

/* Private: a commit with one record that continues a session; @seq is the number of its newest record, before and after. */
ClqCommit *
test_commit_next (guint session, guint64 *seq)
{
  ClqCommit *self = test_commit_new (session, *seq);

  test_commit_add_record (self, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, self->head.updated_at, "{\"event\":\"go\"}");
  *seq = self->head.seq;
  return self;
}

/* Private: what most heads do not have, made on demand. */
ClqExtra *
test_commit_extra (ClqCommit *self)
{
  return clq_extra_writable (&self->head.extra);
}

/* Private. */
void
test_commit_set_data (ClqCommit *self, const char *data)
{
  g_clear_pointer (&self->head.data, g_ref_string_release);
  self->head.data = data != NULL ? g_ref_string_new (data) : NULL;
}

/* Private: appends a record to the segment that the head is on. As in real commits, its body is not terminated. */
void
test_commit_add_record (ClqCommit *self, ClqRecordType type, ClqRole role, gint64 at, const char *body)
{
  ClqRecord record = {
    .seq = ++self->head.seq,
    .at = at,
    .segment = self->head.segment,
    .length = strlen (body),
    .type = type,
    .role = role,
  };
  gsize offset = 0;

  g_array_append_val (self->records, record);
  g_string_append (self->text, body);
  /* The text may have moved. */
  for (guint i = 0; i < self->records->len; i++)
    {
      ClqRecord *placed = &g_array_index (self->records, ClqRecord, i);

      placed->body = self->text->str + offset;
      offset += placed->length;
    }
}

/* Private: opens a segment and goes on there. */
void
test_commit_add_segment (ClqCommit *self, guint32 segment, guint32 parent, guint64 parent_seq)
{
  ClqSegment added = { segment, parent, parent_seq };

  g_array_append_val (self->segments, added);
  self->head.segment = segment;
  self->head.n_segments = MAX (self->head.n_segments, segment);
}

/* Private: names a place; @seq 0 takes the name away. */
void
test_commit_add_mark (ClqCommit *self, const char *name, guint32 segment, guint64 seq)
{
  ClqMark mark = { g_strdup (name), segment, seq };

  g_ptr_array_add (self->mark_names, (gpointer) mark.name);
  g_array_append_val (self->marks, mark);
}

/* Private: @usage, its name included, must live as long as the commit. */
void
test_commit_add_usage (ClqCommit *self, const ClqUsage *usage)
{
  if (self->usage == NULL)
    self->usage = g_array_new (FALSE, FALSE, sizeof (ClqUsage));
  g_array_append_val (self->usage, *usage);
}

/* Private. */
void
test_commit_free (ClqCommit *self)
{
  g_clear_pointer (&self->head.data, g_ref_string_release);
  clq_extra_unref (self->head.extra);
  g_free (self->head.visits);
  g_array_unref (self->records);
  g_string_free (self->text, TRUE);
  g_array_unref (self->segments);
  g_ptr_array_unref (self->mark_names);
  g_array_unref (self->marks);
  g_clear_pointer (&self->usage, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* ---- queries ---- */

static void
on_answer (ClqQuery *query, gpointer user_data)
{
  TestAnswer *answer = user_data;

  g_assert_false (answer->is_done);
  answer->heads = g_ptr_array_ref (query->heads);
  answer->records = g_ptr_array_ref (query->records);
  answer->relevance = g_array_ref (query->relevance);
  answer->hit_ids = g_byte_array_ref (query->hit_ids);
  answer->segments = g_array_ref (query->segments);
  answer->mark_names = g_ptr_array_ref (query->mark_names);
  answer->marks = g_array_ref (query->marks);
  answer->usage = g_array_ref (query->usage);
  answer->text = g_steal_pointer (&query->answer);
  answer->result = g_steal_pointer (&query->result);
  answer->key_seq = query->key_seq;
  answer->next_due = query->next_due;
  answer->error = g_steal_pointer (&query->error);
  answer->is_done = TRUE;
  answer->thread = g_thread_self ();
}

/* Private: a query for a session, 0 = none; its answer goes to @answer. */
ClqQuery *
test_query_new (guint session, TestAnswer **answer)
{
  ClqQuery *query;

  *answer = g_new0 (TestAnswer, 1);
  query = clq_query_new (on_answer, *answer);
  if (session > 0)
    test_id (session, query->id);
  return query;
}

/* Private: asks and waits for @answer. */
void
test_store_ask (TestStore *self, TestQueryFunc func, ClqQuery *query, TestAnswer *answer)
{
  func (self->instance, query);
  while (!answer->is_done)
    test_store_iterate (self);
  g_assert_true (answer->thread == self->thread);
}

/* Private: the answer to a load. */
TestAnswer *
test_store_load (TestStore *self, guint session)
{
  TestAnswer *answer;
  ClqQuery *query = test_query_new (session, &answer);

  test_store_ask (self, self->info->load, query, answer);
  return answer;
}

/* Private. */
void
test_answer_free (TestAnswer *self)
{
  g_clear_pointer (&self->heads, g_ptr_array_unref);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->relevance, g_array_unref);
  g_clear_pointer (&self->hit_ids, g_byte_array_unref);
  g_clear_pointer (&self->segments, g_array_unref);
  g_clear_pointer (&self->mark_names, g_ptr_array_unref);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->usage, g_array_unref);
  g_clear_error (&self->error);
  g_free (self->text);
  g_free (self->result);
  g_free (self);
}

/* ---- what is expected ---- */

static void
assert_extras_equal (const ClqExtra *a, const ClqExtra *b)
{
  g_assert_cmpstr (a->owner, ==, b->owner);
  g_assert_cmpstr (a->title, ==, b->title);
  g_assert_cmpstr (a->schedule, ==, b->schedule);
  g_assert_cmpstr (a->questions, ==, b->questions);
  g_assert_cmpstr (a->deadlines, ==, b->deadlines);
  g_assert_cmpstr (a->visit, ==, b->visit);
  g_assert_cmpstr (a->error, ==, b->error);
  g_assert_cmpint (a->next_run, ==, b->next_run);
  g_assert_cmpint (a->retry_at, ==, b->retry_at);
  g_assert_cmpuint (a->tokens_in, ==, b->tokens_in);
  g_assert_cmpuint (a->tokens_out, ==, b->tokens_out);
  g_assert_cmpfloat (a->cost, ==, b->cost);
}

static void
assert_counters_equal (const ClqHead *a, const ClqHead *b)
{
  g_assert_cmpuint (a->entry, ==, b->entry);
  g_assert_cmpuint (a->segment, ==, b->segment);
  g_assert_cmpuint (a->n_segments, ==, b->n_segments);
  g_assert_cmpuint (a->hops, ==, b->hops);
  g_assert_cmpuint (a->turns_here, ==, b->turns_here);
  g_assert_cmpuint (a->since_snapshot, ==, b->since_snapshot);
  g_assert_cmpuint (a->status, ==, b->status);
  g_assert_cmpuint (a->fired, ==, b->fired);
  g_assert_cmpmem (a->visits, a->n_visits * sizeof (guint32), b->visits, b->n_visits * sizeof (guint32));
}

/* Private. */
void
test_assert_heads_equal (const ClqHead *a, const ClqHead *b)
{
  g_assert_cmpmem (a->id, sizeof a->id, b->id, sizeof b->id);
  g_assert_cmpuint (a->seq, ==, b->seq);
  g_assert_cmpstr (a->graph_hash, ==, b->graph_hash);
  g_assert_cmpstr (a->graph_name, ==, b->graph_name);
  g_assert_cmpstr (a->state, ==, b->state);
  g_assert_cmpstr (a->data, ==, b->data);
  g_assert_cmpint (a->created_at, ==, b->created_at);
  g_assert_cmpint (a->updated_at, ==, b->updated_at);
  g_assert_cmpint (a->entered_at, ==, b->entered_at);
  g_assert_cmpint (a->input_at, ==, b->input_at);
  g_assert_cmpint (a->wake_at, ==, b->wake_at);
  assert_counters_equal (a, b);
  g_assert_cmpint (a->extra == NULL, ==, b->extra == NULL);
  if (a->extra != NULL)
    assert_extras_equal (a->extra, b->extra);
}

/* Private. */
void
test_assert_records_equal (const ClqRecord *a, const ClqRecord *b)
{
  g_assert_cmpuint (a->seq, ==, b->seq);
  g_assert_cmpuint (a->segment, ==, b->segment);
  g_assert_cmpint (a->at, ==, b->at);
  g_assert_cmpint (a->type, ==, b->type);
  g_assert_cmpint (a->role, ==, b->role);
  g_assert_cmpmem (a->body, a->length, b->body, b->length);
}

/* Private. */
void
test_assert_is_session (const guint8 *id, guint session)
{
  guint8 expected[16];

  test_id (session, expected);
  g_assert_cmpmem (id, 16, expected, 16);
}

/* Private: the session is there, with this head. */
void
test_assert_loads (TestStore *store, guint session, const ClqHead *head)
{
  g_autoptr (TestAnswer) answer = test_store_load (store, session);

  g_assert_no_error (answer->error);
  g_assert_cmpuint (answer->heads->len, ==, 1);
  test_assert_heads_equal (answer->heads->pdata[0], head);
}
