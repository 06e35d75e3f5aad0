#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

/* What a node may do with a visit. */

static ClqTestNode *
test_of (ClqVisit *visit)
{
  return ((TestVisit *) visit)->test;
}

static void
visit_say (ClqVisit *visit, const char *text, gsize length)
{
  GString *pieces = test_of (visit)->pieces;

  if (pieces->len > 0)
    g_string_append_c (pieces, '|');
  g_string_append_len (pieces, text, (gssize) length);
}

static void
visit_progress (ClqVisit *visit, double fraction, const char *text)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.2f", fraction);
  g_string_append_printf (test_of (visit)->progress, "%s %s\n", number, text);
}

/* ---- waiting ---- */

/* A timer of the node; it holds the visit. */
typedef struct
{
  TestTimer timer;
  TestVisit *visit;
  ClqVisitFunc func;
  gpointer user_data;
} TestWait;

static void
on_wait_over (TestTimer *timer)
{
  TestWait *wait = (TestWait *) timer;
  TestVisit *visit = wait->visit;

  g_ptr_array_remove_fast (visit->waits, wait);
  if (!visit->visit.over)
    wait->func (&visit->visit, wait->user_data);
  clq_visit_unref (&visit->visit);
  g_free (wait);
}

/* Private: the node waits for nothing any more. */
void
test_visit_cancel_waits (TestVisit *self)
{
  while (self->waits != NULL && self->waits->len > 0)
    {
      TestWait *wait = g_ptr_array_steal_index_fast (self->waits, self->waits->len - 1);

      test_node_disarm (self->test, &wait->timer);
      g_free (wait);
      clq_visit_unref (&self->visit);
    }
}

static void
visit_after (ClqVisit *visit, GTimeSpan delay, ClqVisitFunc func, gpointer user_data)
{
  TestVisit *self = (TestVisit *) visit;
  TestWait *wait = g_new0 (TestWait, 1);

  wait->visit = (TestVisit *) clq_visit_ref (visit);
  wait->func = func;
  wait->user_data = user_data;
  if (self->waits == NULL)
    self->waits = g_ptr_array_new ();
  g_ptr_array_add (self->waits, wait);
  test_node_arm (self->test, &wait->timer, delay, TEST_TIMER_ANSWER, on_wait_over);
}

/* ---- reading ---- */

typedef struct
{
  ClqVisit *visit;
  guint types;
  guint64 before;
  guint limit;
  ClqJournalFunc func;
  gpointer user_data;
} Reading;

static void
read_now (gpointer data)
{
  g_autofree Reading *reading = data;
  GPtrArray *journal = test_of (reading->visit)->journal;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = journal->len; i > 0 && found->len < reading->limit; i--)
    {
      ClqRecord *record = g_ptr_array_index (journal, i - 1);

      if ((reading->types == 0 || (reading->types & 1u << record->type) != 0) && (reading->before == 0 || record->seq < reading->before))
        g_ptr_array_add (found, record);
    }
  if (!reading->visit->over)
    reading->func (reading->visit, (ClqRecord *const *) found->pdata, found->len, NULL, reading->user_data);
  clq_visit_unref (reading->visit);
}

static void
visit_read_journal (ClqVisit *visit, guint types, guint64 before, guint limit, ClqJournalFunc func, gpointer user_data)
{
  Reading *reading = g_new (Reading, 1);

  *reading = (Reading){ clq_visit_ref (visit), types, before, limit, func, user_data };
  test_node_queue (test_of (visit), read_now, reading);
}

/* ---- calling ---- */

static gboolean
visit_has_agent (ClqVisit *visit, const char *agent)
{
  ClqTestNode *test = test_of (visit);
  GQueue *replies = g_hash_table_lookup (test->replies, agent);
  const TestPart *part = g_hash_table_lookup (test->parts, agent);
  const ClqAgentInfo *info;

  if (replies != NULL && !g_queue_is_empty (replies))
    return TRUE;
  if (part == NULL || part->feature->type != CLQ_FEATURE_AGENT)
    return FALSE;
  info = (const ClqAgentInfo *) part->feature;
  return info->is_present == NULL || info->is_present (part->instance);
}

static void
visit_call (ClqVisit *visit, gboolean tool, const char *key, const char *target, const char *request, gboolean stream, ClqCallFunc func, gpointer user_data)
{
  TestCall *call = test_call_new ((TestVisit *) visit, tool ? TEST_CALL_TOOL : TEST_CALL_AGENT, key, target, request);

  call->stream = stream;
  call->func = func;
  call->user_data = user_data;
  test_call_start (call);
  clq_call_unref (&call->call);
}

static void
visit_ask (ClqVisit *visit, const char *key, const ClqQuestion *question, ClqCallFunc func, gpointer user_data)
{
  TestCall *call = test_call_new ((TestVisit *) visit, TEST_CALL_QUESTION, key, "person", NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *quoted = clq_json_quote (key);
  ClqQuestion whole = *question;

  if (whole.id == NULL)
    whole.id = key;
  clq_question_append_json (&whole, json);
  clq_json_set (json, "call", quoted);
  call->question = g_strdup (json->str);
  call->func = func;
  call->user_data = user_data;
  test_call_start (call);
  clq_call_unref (&call->call);
}

static void
visit_reject (ClqVisit *visit, const char *key, const char *why)
{
  ClqTestNode *test = test_of (visit);

  g_hash_table_remove (test->results, key);
  g_string_append_printf (test->calls, "%s rejected: %s\n", key, why);
}

const ClqVisitOps test_visit_ops = {
  visit_say,
  visit_progress,
  visit_after,
  visit_read_journal,
  visit_has_agent,
  visit_call,
  visit_ask,
  visit_reject,
  test_fan_out,
  test_visit_fail,
  test_visit_dispose,
};
