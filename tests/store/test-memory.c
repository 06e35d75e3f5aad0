/* The memory store: the contract of stores, and what only this one promises. */
#include <malloc.h>
#include <string.h>

#include "clq-private.h"
#include "memory.h"

/* ---- a commit as the engine makes it ---- */

typedef struct
{
  ClqCommit commit;
  guint32 visits[8];
  GPtrArray *commits;
  ClqBatch batch;
} Writer;

static void
on_done (ClqBatch *batch)
{
}

static void
writer_init (Writer *self)
{
  ClqHead *head = &self->commit.head;

  memset (self, 0, sizeof *self);
  self->commit.records = g_array_new (FALSE, FALSE, sizeof (ClqRecord));
  self->commit.segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  self->commit.marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  head->graph_hash = g_intern_static_string ("0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0");
  head->graph_name = g_intern_static_string ("chat");
  head->state = g_intern_static_string ("listening");
  head->entry = head->segment = head->n_segments = 1;
  head->n_visits = G_N_ELEMENTS (self->visits);
  head->visits = self->visits;
  self->commits = g_ptr_array_new ();
  g_ptr_array_add (self->commits, &self->commit);
  self->batch = (ClqBatch){ .commits = self->commits, .done = on_done };
}

static void
writer_clear (Writer *self)
{
  g_array_unref (self->commit.records);
  g_array_unref (self->commit.segments);
  g_array_unref (self->commit.marks);
  g_ptr_array_unref (self->commits);
  g_clear_pointer (&self->commit.head.data, g_ref_string_release);
}

static void
writer_add (Writer *self, ClqRecordType type, const char *body)
{
  ClqRecord record = { .seq = ++self->commit.head.seq, .at = self->commit.head.updated_at, .segment = 1, .length = strlen (body), .type = type, .body = body };

  g_array_append_val (self->commit.records, record);
}

/* Begins the next commit of a session, or the first if @seq is 0. */
static void
writer_begin (Writer *self, guint session, guint64 seq)
{
  ClqHead *head = &self->commit.head;
  guint64 milliseconds = G_GUINT64_CONSTANT (1760000000000) + session;

  g_array_set_size (self->commit.records, 0);
  for (guint i = 0; i < 6; i++)
    head->id[i] = milliseconds >> (40 - 8 * i);
  for (guint i = 6; i < 16; i++)
    head->id[i] = session * 2654435761u >> i;
  self->commit.expected_seq = head->seq = seq;
  head->created_at = milliseconds * 1000;
  head->updated_at = head->entered_at = head->input_at = head->created_at + 1500000 * seq;
}

static void
writer_commit (Writer *self, const ClqStoreInfo *info, gpointer store)
{
  self->batch.finished = FALSE;
  info->commit (store, &self->batch);
  g_assert_true (self->batch.finished);
  g_assert_no_error (self->commit.error);
}

static gsize
count_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* Under checkers that bring their own allocator nothing can be counted. */
static gboolean
can_count (void)
{
  gsize before = count_bytes ();
  g_autofree char *block = g_malloc (1024 * 1024);

  memset (block, 1, 1024);
  if (count_bytes () > before)
    return TRUE;
  g_test_skip ("the allocator does not say how much is in use");
  return FALSE;
}

/* ---- what it costs ---- */

/* A hundred thousand sessions at rest, with an event and a message each. */
static void
test_resting (void)
{
  const guint n_sessions = 100000;
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  gsize before, each;
  Writer writer;

  writer_init (&writer);
  before = count_bytes ();
  for (guint i = 0; i < n_sessions; i++)
    {
      writer_begin (&writer, i, 0);
      writer_add (&writer, CLQ_RECORD_EVENT, "{\"event\":\"open\"}");
      writer_add (&writer, CLQ_RECORD_MESSAGE, "{\"text\":\"hello\"}");
      writer_commit (&writer, info, store);
    }
  each = (count_bytes () - before) / n_sessions;
  writer_clear (&writer);
  memory_close (store, NULL);
  if (!can_count ())
    return;
  g_test_message ("%" G_GSIZE_FORMAT " bytes for each", each);
  g_assert_cmpuint (each, >, 0);
  g_assert_cmpuint (each, <=, 200);
}

/* Turn 10,000 of a session costs what turn 100 does. */
static void
test_growth (void)
{
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  gsize start, early, late;
  Writer writer;

  writer_init (&writer);
  start = early = count_bytes ();
  for (guint turn = 0; turn < 10000; turn++)
    {
      writer_begin (&writer, 1, turn * 2);
      writer_add (&writer, CLQ_RECORD_EVENT, "{\"event\":\"message\",\"actor\":\"user\"}");
      writer_add (&writer, CLQ_RECORD_MESSAGE, "{\"text\":\"to be or not to be, that is the question\"}");
      writer_commit (&writer, info, store);
      if (turn == 99)
        early = count_bytes ();
    }
  early = (early - start) / 100;
  late = (count_bytes () - start) / 10000;
  writer_clear (&writer);
  memory_close (store, NULL);
  if (!can_count ())
    return;
  g_test_message ("%" G_GSIZE_FORMAT " bytes per turn at first, %" G_GSIZE_FORMAT " at the end", early, late);
  g_assert_cmpuint (late * 10, <=, early * 12);
  g_assert_cmpuint (late, <, 150);
}

/* ---- what it keeps once ---- */

/* As the host does: the body begins with a text that many have. */
static void
writer_add_opened (Writer *self, ClqRecordType type, const char *opening, const char *body)
{
  ClqRecord *record;

  g_assert_true (g_str_has_prefix (body, opening));
  writer_add (self, type, body);
  record = &g_array_index (self->commit.records, ClqRecord, self->commit.records->len - 1);
  record->opening = g_intern_string (opening);
  record->opening_length = strlen (opening);
}

static void
on_bodies (ClqQuery *query, gpointer user_data)
{
  GString *bodies = user_data;

  g_assert_no_error (query->error);
  for (guint i = 0; i < query->records->len; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (query->records->pdata[i], &length);

      g_assert_cmpuint (strlen (body), ==, length);
      g_string_append_printf (bodies, "%s ", body);
    }
}

static void
assert_journal (const ClqStoreInfo *info, gpointer store, const guint8 id[16], gboolean newest_first, const char *expected)
{
  g_autoptr (GString) bodies = g_string_new (NULL);
  ClqQuery *query = clq_query_new (on_bodies, bodies);

  memcpy (query->id, id, sizeof query->id);
  query->newest_first = newest_first;
  info->journal (store, query);
  g_assert_cmpstr (bodies->str, ==, expected);
}

/* Records that begin alike are read as they were written, also one that is nothing but such a beginning. */
static void
test_openings (void)
{
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  Writer writer;

  writer_init (&writer);
  writer_begin (&writer, 1, 0);
  writer_add_opened (&writer, CLQ_RECORD_EVENT, "{\"event\":\"open\"", "{\"event\":\"open\"}");
  writer_add_opened (&writer, CLQ_RECORD_MESSAGE, "{\"text\":", "{\"text\":\"a\"}");
  writer_commit (&writer, info, store);
  writer_begin (&writer, 1, 2);
  writer_add_opened (&writer, CLQ_RECORD_CONTEXT, "{\"text\":", "{\"text\":\"needle\"}");
  writer_add_opened (&writer, CLQ_RECORD_EVENT, "{}", "{}");
  writer_add (&writer, CLQ_RECORD_EVENT, "{\"event\":\"open\"}");
  writer_commit (&writer, info, store);
  assert_journal (info, store, writer.commit.head.id, FALSE, "{\"event\":\"open\"} {\"text\":\"a\"} {\"text\":\"needle\"} {} {\"event\":\"open\"} ");
  assert_journal (info, store, writer.commit.head.id, TRUE, "{\"event\":\"open\"} {} {\"text\":\"needle\"} {\"text\":\"a\"} {\"event\":\"open\"} ");
  writer_clear (&writer);
  memory_close (store, NULL);
}

/* The common part of records takes no memory. */
static void
test_openings_growth (void)
{
  const char *opening = "{\"from\":\"a state with a long name\",\"event\":\"something-happens\",\"to\":\"another state\",\"ms\":";
  g_autofree char *body = g_strconcat (opening, "12}", NULL);
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  gsize before, each;
  Writer writer;

  writer_init (&writer);
  before = count_bytes ();
  for (guint i = 0; i < 10000; i++)
    {
      writer_begin (&writer, 1, i);
      writer_add_opened (&writer, CLQ_RECORD_EVENT, opening, body);
      writer_commit (&writer, info, store);
    }
  each = (count_bytes () - before) / 10000;
  writer_clear (&writer);
  memory_close (store, NULL);
  if (!can_count ())
    return;
  g_test_message ("%" G_GSIZE_FORMAT " bytes for each", each);
  g_assert_cmpuint (each, >, 0);
  g_assert_cmpuint (each, <, 20);
}

/* ---- what it refuses ---- */

static void
test_place (void)
{
  g_autoptr (GError) error = NULL;
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);

  g_assert_cmpstr (info->durability, ==, "memory");
  g_assert_true (info->open (store, "", NULL));
  g_assert_false (info->open (store, "some/file", &error));
  g_assert_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "memory: place 'some/file': expected none, because nothing is kept outside the host");
  memory_close (store, NULL);
}

static void
assert_refused (Writer *writer, const ClqStoreInfo *info, gpointer store, ClqStoreError code, const char *message)
{
  writer->batch.finished = FALSE;
  info->commit (store, &writer->batch);
  g_assert_true (writer->batch.finished);
  g_assert_error (writer->commit.error, CLQ_STORE_ERROR, (int) code);
  g_assert_cmpstr (writer->commit.error->message, ==, message);
  g_clear_error (&writer->commit.error);
}

/* Commits that would damage a journal are told from those that come too late. */
static void
test_refused (void)
{
  const ClqSegment root = { CLQ_ROOT_SEGMENT, 0, 0 }, second = { 2, 1, 1 };
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  Writer writer;

  writer_init (&writer);
  writer_begin (&writer, 0, 0);
  assert_refused (&writer, info, store, CLQ_STORE_ERROR_CORRUPT, "session 0199c82c-c000-0000-0000-000000000000: a commit has no records, expected at least one");
  writer_add (&writer, CLQ_RECORD_EVENT, "{}");
  writer.commit.head.seq = 5;
  assert_refused (&writer, info, store, CLQ_STORE_ERROR_CORRUPT, "session 0199c82c-c000-0000-0000-000000000000: the head names record 5, expected 1");
  writer.commit.head.seq = 1;
  g_array_append_val (writer.commit.segments, root);
  assert_refused (&writer, info, store, CLQ_STORE_ERROR_CORRUPT, "session 0199c82c-c000-0000-0000-000000000000: segment 1 is there already, expected a new one");
  g_array_index (writer.commit.segments, ClqSegment, 0) = second;
  writer_commit (&writer, info, store);
  assert_refused (&writer, info, store, CLQ_STORE_ERROR_STALE, "session 0199c82c-c000-0000-0000-000000000000: its newest record is 1, expected 0");
  writer_begin (&writer, 0, 1);
  writer_add (&writer, CLQ_RECORD_EVENT, "{}");
  assert_refused (&writer, info, store, CLQ_STORE_ERROR_CORRUPT, "session 0199c82c-c000-0000-0000-000000000000: segment 2 is there already, expected a new one");
  writer_clear (&writer);
  memory_close (store, NULL);
}

/* ---- how it ranks ---- */

static void
on_found (ClqQuery *query, gpointer user_data)
{
  GString *found = user_data;

  for (guint i = 0; i < query->records->len; i++)
    g_string_append_printf (found, "%" G_GUINT64_FORMAT " ", clq_record_get_seq (query->records->pdata[i]));
  for (guint i = 0; i < query->relevance->len; i++)
    g_assert_cmpfloat (g_array_index (query->relevance, double, i), <, 1);
}

static void
assert_finds (const ClqStoreInfo *info, gpointer store, const char *text, const char *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);
  ClqQuery *query = clq_query_new (on_found, found);

  query->text = g_strdup (text);
  info->search (store, query);
  g_assert_cmpstr (found->str, ==, expected);
}

/* BM25: rare words count more than common ones, short texts more than long ones; of equals the newest comes first. */
static void
test_ranking (void)
{
  const ClqStoreInfo *info;
  gpointer store = memory_open (&info, NULL);
  Writer writer;

  writer_init (&writer);
  writer_begin (&writer, 1, 0);
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the parser reads the file\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the parser reads the socket and a cache keeps what it has read for the next time\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the cache is cleared\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the parser is fast\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the weather is fine and so is everything else\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "{\"text\":\"the cache is cleared\"}");
  writer_add (&writer, CLQ_RECORD_CONTEXT, "no JSON: parser");
  writer_commit (&writer, info, store);
  assert_finds (info, store, "weather parser file", "1 5 4 2 ");
  assert_finds (info, store, "cache", "6 3 2 ");
  assert_finds (info, store, "cache cache CACHE", "6 3 2 ");
  writer_clear (&writer);
  memory_close (store, NULL);
}

int
main (int argc, char **argv)
{
  static const ClqTestStore store = { CLQ_TEST_STORE, .open = memory_open, .close = memory_close };

  g_test_init (&argc, &argv, NULL);
  clq_test_store_add ("/colloquy/memory/contract", &store);
  g_test_add_func ("/colloquy/memory/resting", test_resting);
  g_test_add_func ("/colloquy/memory/growth", test_growth);
  g_test_add_func ("/colloquy/memory/openings", test_openings);
  g_test_add_func ("/colloquy/memory/openings-growth", test_openings_growth);
  g_test_add_func ("/colloquy/memory/place", test_place);
  g_test_add_func ("/colloquy/memory/refused", test_refused);
  g_test_add_func ("/colloquy/memory/ranking", test_ranking);
  return g_test_run ();
}
