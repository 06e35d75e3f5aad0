/*
 * cost: an action and a message early in a journal and late in it. Under callgrind the instructions of both go to dumps of
 * their own; the bytes that were appended are printed. The clock stands still, so that every run is the same.
 */
#include "bench.h"

#include <valgrind/callgrind.h>

/* Snapshots come every 64 events, so that two of them are in every measurement. */
#define N_MEASURED 128
#define EARLY 10
#define LATE 10000

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

/* A message and a checkpoint in turn. */
static void
act (BenchChat *chat, guint n_actions)
{
  const ClqInput message = { .kind = CLQ_INPUT_MESSAGE, .text = "What is the answer?", .role = CLQ_ROLE_USER };
  const ClqInput checkpoint = { .kind = CLQ_INPUT_ACTION, .name = "checkpoint" };

  for (guint i = 0; i < n_actions; i++)
    {
      clq_host_send (chat->host, chat->ids, i % 2 == 0 ? &message : &checkpoint, on_reply, NULL);
      clq_host_settle (chat->host);
    }
}

static guint64
get_length (BenchChat *chat)
{
  g_autoptr (ClqSession) session = clq_host_get_session (chat->host, chat->ids);

  return clq_session_get_seq (session);
}

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  gsize *bytes = user_data, length;

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    {
      clq_record_get_body (g_ptr_array_index (records, i), &length);
      *bytes += length;
    }
}

/* Lets the journal grow to @length records, then measures. */
static void
measure (BenchChat *chat, const char *name, guint64 length)
{
  gsize bytes = 0;
  guint64 before;

  while ((before = get_length (chat)) < length)
    act (chat, 2);
  CALLGRIND_TOGGLE_COLLECT;
  act (chat, N_MEASURED);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT (name);
  clq_host_read_journal (chat->host, chat->ids, 0, before, 0, on_records, &bytes);
  clq_host_settle (chat->host);
  g_assert_cmpuint (bytes, >, 0);
  g_print ("%s %" G_GUINT64_FORMAT " %" G_GSIZE_FORMAT "\n", name, before, bytes);
}

int
main (void)
{
  BenchChat chat;

  bench_chat_init (&chat, 1);
  clq_host_set_manual_clock (chat.host, G_TIME_SPAN_DAY, 1);
  bench_chat_open (&chat);
  measure (&chat, "early", EARLY);
  measure (&chat, "late", LATE);
  bench_chat_clear (&chat);
  return 0;
}
