/* Many debates at once, with agents that answer late and in no order: each comes to what it would come to alone. */
#include <colloquy-host.h>

#include <malloc.h>
#include <string.h>

#define N_DEBATES 200
#define ROUNDS "2"
#define CALLS 22 /* 3 proposals, 2 * (6 critiques and 3 refinements), a solution */

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
} Hall;

static void
add_agents (ClqHost *host, const char *slowness)
{
  static const char *const names[] = { "architect", "performance", "security", "judge" };
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;

  g_hash_table_insert (settings, (gpointer) "slowness", (gpointer) slowness);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      clq_host_add_agent (host, names[i], "ledger.agent", settings, &error);
      g_assert_no_error (error);
    }
}

static void
hall_open (Hall *self, const char *slowness)
{
  const char *const overrides[] = { "modality.rounds=" ROUNDS, NULL };
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  self->host = clq_host_new (NULL);
  clq_host_set_manual_clock (self->host, 0, 1);
  self->graph = clq_host_load_graph (self->host, "debate", overrides, FALSE, findings);
  error = clq_findings_to_error (findings);
  g_assert_no_error (error);
  clq_host_use_store (self->host, "memory", &error);
  g_assert_no_error (error);
  add_agents (self->host, slowness);
}

static void
hall_close (Hall *self)
{
  clq_host_close (self->host);
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_clear_object (&self->host);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static void
begin (Hall *self, guint number, guint8 id[16])
{
  g_autofree char *problem = g_strdup_printf ("Problem %u", number);

  clq_host_new_id (self->host, id);
  clq_host_open_session (self->host, self->graph, id, NULL, problem, NULL, on_reply, NULL);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* All calls by name with their answers: the whole debate. */
static void
on_calls (GPtrArray *records, const GError *error, gpointer user_data)
{
  char **whole = user_data;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (g_ptr_array_index (records, i), &length);
      ClqJsonSpan key = clq_json_find (body, (gssize) length, "key"), text = clq_json_find (body, (gssize) length, "text");

      g_ptr_array_add (lines, g_strdup_printf ("%.*s %.*s", (int) key.length, key.start, (int) text.length, text.start != NULL ? text.start : ""));
    }
  g_assert_cmpuint (lines->len, ==, CALLS);
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  *whole = g_strjoinv ("\n", (char **) lines->pdata);
}

static char *
dup_whole (Hall *self, const guint8 id[16])
{
  g_autoptr (ClqSession) session = NULL;
  g_autofree char *solution = NULL, *calls = NULL;

  clq_host_read_journal (self->host, id, 1u << CLQ_RECORD_CALL, 0, 0, on_calls, &calls);
  clq_host_settle (self->host);
  session = clq_host_get_session (self->host, id);
  g_assert_cmpstr (clq_session_get_state (session), ==, "Complete");
  solution = clq_json_find_string (clq_session_get_data (session), "result.solution");
  return g_strconcat (calls, "\n", solution, NULL);
}

static void
test_many_alike (void)
{
  Hall alone = { NULL }, many = { NULL };
  guint8 ids[N_DEBATES][16], id[16];

  hall_open (&alone, "0");
  hall_open (&many, "90s");
  for (guint i = 0; i < N_DEBATES; i++)
    begin (&many, i, ids[i]);
  clq_host_settle (many.host);
  clq_host_advance (many.host, 20 * G_TIME_SPAN_MINUTE);
  for (guint i = 0; i < N_DEBATES; i++)
    {
      g_autofree char *wanted = NULL, *got = NULL;

      begin (&alone, i, id);
      clq_host_settle (alone.host);
      wanted = dup_whole (&alone, id);
      got = dup_whole (&many, ids[i]);
      g_assert_cmpstr (got, ==, wanted);
    }
  g_assert_cmpuint (clq_host_count_held (many.host), ==, 0);
  hall_close (&many);
  hall_close (&alone);
}

/* What many debates at once leave behind does not grow with how many there were before. */
static void
test_many_memory (void)
{
  gsize used[3];

  for (guint i = 0; i < G_N_ELEMENTS (used); i++)
    {
      Hall hall = { NULL };
      guint8 id[16];

      hall_open (&hall, "90s");
      for (guint j = 0; j < N_DEBATES; j++)
        begin (&hall, j, id);
      clq_host_settle (hall.host);
      clq_host_advance (hall.host, 20 * G_TIME_SPAN_MINUTE);
      g_assert_cmpuint (clq_host_count_held (hall.host), ==, 0);
      hall_close (&hall);
      used[i] = mallinfo2 ().uordblks;
    }
  g_test_message ("%zu, %zu, %zu bytes", used[0], used[1], used[2]);
  g_assert_cmpuint (used[2], <, used[1] + 64 * 1024);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/debate/many-alike", test_many_alike);
  g_test_add_func ("/colloquy/debate/many-memory", test_many_memory);
  return g_test_run ();
}
