/*
 * due-driver make STORE N: places N conversations that are due. due-driver check STORE N: each of N conversations must have
 * been run once: one event `due` and one `complete` in its journal, nothing open.
 */
#include <colloquy-host.h>

#include <string.h>

#define PAGE 500

typedef struct
{
  ClqHost *host;
  guint n_sessions;
  guint n_wrong;
  guint n_due;
  guint n_complete;
  guint8 last_id[16];
  gint64 last_time;
  guint n_page;
} Check;

static void
on_placed (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static void
make (ClqHost *host, guint n)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_host_load_graph (host, "background", NULL, FALSE, findings);

  g_assert_nonnull (graph);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *owner = g_strdup_printf ("owner-%u", i % 7);
      guint8 id[16];

      clq_host_new_id (host, id);
      clq_host_place_session (host, graph, id, owner,
                              "{\"state\":\"background\",\"schedule\":{\"type\":\"immediate\"},\"nextRunAt\":\"2026-01-01T00:00:00Z\","
                              "\"data\":{\"state_context\":{\"task\":\"count\"},\"state_step\":null,\"state_data\":{},\"failures\":0}}",
                              on_placed, NULL);
      if (i % PAGE == PAGE - 1)
        clq_host_settle (host);
    }
  clq_host_settle (host);
}

static void
on_journal (GPtrArray *records, const GError *error, gpointer user_data)
{
  Check *check = user_data;
  guint n_due = 0, n_complete = 0;

  g_assert_no_error ((GError *) error);
  for (guint i = 0; i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);
      gsize length;
      const char *body = clq_record_get_body (record, &length);
      ClqJsonSpan event = clq_json_find (body, (gssize) length, "event");

      if (clq_record_get_record_type (record) != CLQ_RECORD_EVENT)
        continue;
      n_due += clq_json_span_string_equal (&event, "due");
      n_complete += clq_json_span_string_equal (&event, "complete");
    }
  check->n_due += n_due;
  check->n_complete += n_complete;
  check->n_wrong += n_due != 1 || n_complete != 1;
}

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Check *check = user_data;

  g_assert_no_error ((GError *) error);
  check->n_page = heads->len;
  for (guint i = 0; i < heads->len; i++)
    {
      const ClqHead *head = g_ptr_array_index (heads, i);

      check->n_sessions++;
      check->n_wrong += strcmp (clq_head_get_state (head), "active") != 0;
      memcpy (check->last_id, clq_head_get_id (head), 16);
      check->last_time = clq_head_get_updated_at (head);
      clq_host_read_journal (check->host, clq_head_get_id (head), 0, 0, 0, on_journal, check);
    }
}

static int
look (ClqHost *host, guint n)
{
  Check check = { .host = host };

  do
    {
      ClqSessionFilter filter = { .limit = PAGE, .after_id = check.n_sessions > 0 ? check.last_id : NULL, .after_time = check.last_time };

      clq_host_list_sessions (host, &filter, on_heads, &check);
      clq_host_settle (host);
    }
  while (check.n_page == PAGE);
  g_print ("%u conversations, %u runs, %u results, %u wrong\n", check.n_sessions, check.n_due, check.n_complete, check.n_wrong);
  return check.n_sessions == n && check.n_wrong == 0 ? 0 : 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (ClqHost) host = clq_host_new (NULL);
  g_autoptr (GError) error = NULL;
  guint n;
  int status = 0;

  g_assert_cmpint (argc, ==, 4);
  n = (guint) g_ascii_strtoull (argv[3], NULL, 10);
  /* Long before anything is due, so that nothing begins here. */
  clq_host_set_manual_clock (host, G_GINT64_CONSTANT (1577836800) * G_USEC_PER_SEC, 1);
  g_assert_true (clq_host_use_store (host, argv[2], &error));
  if (strcmp (argv[1], "make") == 0)
    make (host, n);
  else
    status = look (host, n);
  clq_host_close (host);
  return status;
}
