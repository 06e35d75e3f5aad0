/* The host as an application embeds it. */
#include "clq-host-private.h"

#include <malloc.h>
#include <string.h>

#include "probe/probe.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

/* ---- helpers ---- */

static char *
graph_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, name, NULL);
}

static ClqHost *
new_host (const char *store)
{
  g_autoptr (GError) error = NULL;
  ClqHost *host = clq_host_new (NULL);

  g_assert_true (clq_host_use_store (host, store, &error));
  g_assert_no_error (error);
  return host;
}

static ClqGraph *
load (ClqHost *host, const char *name, const char *override)
{
  g_autofree char *path = graph_path (name);
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  const char *const overrides[] = { override, NULL };
  ClqGraph *graph = clq_host_load_graph (host, path, overrides, FALSE, findings);
  g_autofree char *text = clq_findings_print (findings);

  if (graph == NULL)
    g_test_message ("%s", text);
  g_assert_nonnull (graph);
  return graph;
}

static void
open_session (ClqHost *host, ClqGraph *graph, guint8 id[16])
{
  clq_host_new_id (host, id);
  clq_host_open_session (host, graph, id, "ada", NULL, NULL, NULL, NULL);
  clq_host_settle (host);
}

static void
send_action (ClqHost *host, const guint8 id[16], const char *name)
{
  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = name }, NULL, NULL);
}

static void
send_text (ClqHost *host, const guint8 id[16], const char *text)
{
  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = text }, NULL, NULL);
}

/* ---- life ---- */

static void
test_host_hundred_times (void)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (ClqHost) host = new_host ("memory");
      g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
      guint8 id[16];

      open_session (host, graph, id);
      send_text (host, id, "hello");
      clq_host_settle (host);
      if (i % 2 == 0)
        send_text (host, id, "nobody will hear this");
    }
}

static void
test_host_dispose_three_times (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  guint8 id[16];

  open_session (host, graph, id);
  for (guint i = 0; i < 3; i++)
    g_object_run_dispose (G_OBJECT (host));
  clq_host_close (host);
}

static void
on_late_reply (const ClqReply *reply, gpointer user_data)
{
  GError **error = user_data;

  *error = g_error_copy (reply->error);
}

/* Whoever waits for an answer gets one, also when the host goes away. */
static void
test_host_close_answers (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  g_autoptr (GError) error = NULL;
  guint8 id[16];

  open_session (host, graph, id);
  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_late_reply, &error);
  clq_host_close (host);
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_FAILED);
}

static void
test_host_two_in_one_process (void)
{
  g_autoptr (ClqHost) one = new_host ("memory");
  g_autoptr (ClqHost) other = new_host ("memory");
  g_autoptr (ClqGraph) graph_one = load (one, "talk.graph", NULL);
  g_autoptr (ClqGraph) graph_other = load (other, "talk.graph", NULL);
  guint8 id[16];

  g_assert_true (graph_one != graph_other);
  open_session (one, graph_one, id);
  clq_host_open_session (other, graph_other, id, NULL, NULL, NULL, NULL, NULL);
  clq_host_settle (other);
  send_action (one, id, "move");
  clq_host_settle (one);
  {
    g_autoptr (ClqSession) session_one = clq_host_get_session (one, id);
    g_autoptr (ClqSession) session_other = clq_host_get_session (other, id);

    g_assert_cmpstr (clq_session_get_state (session_one), ==, "there");
    g_assert_cmpstr (clq_session_get_state (session_other), ==, "here");
  }
  clq_host_close (one);
  send_action (other, id, "move");
  clq_host_settle (other);
  {
    g_autoptr (ClqSession) session = clq_host_get_session (other, id);

    g_assert_cmpstr (clq_session_get_state (session), ==, "there");
  }
}

static void
test_host_handle_outlives_host (void)
{
  ClqHost *host = new_host ("memory");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  g_autoptr (ClqSession) session = NULL;
  guint8 id[16];

  open_session (host, graph, id);
  session = clq_host_get_session (host, id);
  clq_host_close (host);
  g_object_unref (host);
  g_assert_null (clq_session_get_state (session));
  g_assert_cmpstr (clq_session_get_data (session), ==, "{}");
}

/* ---- news ---- */

static void
on_news (gpointer object, ClqNews *news, gpointer user_data)
{
  GString *log = user_data;

  g_string_append_printf (log, "%s%d:%s", log->len > 0 ? " " : "", news->type, news->to != NULL ? news->to : news->text != NULL ? news->text
                                                                                                                                : "-");
}

static void
test_host_signals (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  g_autoptr (GString) all = g_string_new (NULL), said = g_string_new (NULL), own = g_string_new (NULL);
  g_autoptr (ClqSession) session = NULL;
  guint8 id[16], other[16];

  g_signal_connect (host, "news", G_CALLBACK (on_news), all);
  g_signal_connect (host, "news::said", G_CALLBACK (on_news), said);
  open_session (host, graph, id);
  open_session (host, graph, other);
  session = clq_host_get_session (host, id);
  g_signal_connect (session, "news::taken", G_CALLBACK (on_news), own);
  send_text (host, id, "hi");
  send_action (host, other, "move");
  clq_host_settle (host);
  g_assert_cmpstr (said->str, ==, "3:hi");
  g_assert_cmpstr (own->str, ==, "1:- 1:-");
  g_assert_nonnull (strstr (all->str, "1:there"));
  g_assert_nonnull (strstr (all->str, "2:hi"));
}

/* A stay that becomes too long is told once, as an alert and as a notification. */
static void
test_host_alert_signals (void)
{
  static const char text[] = "[graph]\nformat=1\nname=slow\ninitial=here\nactions=go\n[state here]\nalert=5s\n[state there]\n"
                             "[transitions]\nhere.go=there\nthere.go=here\n";
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_host_load_graph_text (host, "slow", text, findings);
  g_autoptr (GString) alerts = g_string_new (NULL), notifications = g_string_new (NULL);
  guint8 id[16];

  g_assert_nonnull (graph);
  clq_host_set_manual_clock (host, G_TIME_SPAN_DAY, 1);
  g_signal_connect (host, "news::alert", G_CALLBACK (on_news), alerts);
  g_signal_connect (host, "news::notified", G_CALLBACK (on_news), notifications);
  open_session (host, graph, id);
  clq_host_advance (host, 5 * G_TIME_SPAN_SECOND);
  g_assert_cmpstr (alerts->str, ==, "");
  clq_host_advance (host, G_TIME_SPAN_HOUR);
  send_action (host, id, "go");
  clq_host_settle (host);
  g_assert_nonnull (strstr (alerts->str, "\"state\":\"here\""));
  g_assert_null (strchr (strchr (alerts->str, '{') + 1, '{'));
  g_assert_nonnull (strstr (notifications->str, "{\"type\":\"alert\","));
}

/* News come only when they are durable; answers too. */
static void
on_reply_count (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
  (*(guint *) user_data)++;
}

static void
test_host_answers_after_the_commit (void)
{
  g_autoptr (ClqHost) host = new_host ("probe:later");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  guint n_replies = 0;
  guint8 id[16];

  open_session (host, graph, id);
  g_signal_connect (host, "news", G_CALLBACK (on_news), log);
  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_reply_count, &n_replies);
  while (((ProbeStore *) host->store_self)->in_flight == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_replies, ==, 0);
  g_assert_cmpstr (log->str, ==, "");
  clq_host_settle (host);
  g_assert_cmpuint (n_replies, ==, 1);
  g_assert_cmpstr (log->str, ==, "1:there");
}

/* What comes while a batch is in flight is the next batch. */
static void
test_host_group_commit (void)
{
  enum
  {
    N = 200
  };
  g_autoptr (ClqHost) host = new_host ("probe:later");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  ProbeStore *store = host->store_self;
  guint8 ids[N][16];
  guint n_replies = 0, n_batches;

  for (guint i = 0; i < N; i++)
    open_session (host, graph, ids[i]);
  n_batches = store->n_batches;
  for (guint i = 0; i < N; i++)
    for (guint j = 0; j < 3; j++)
      clq_host_send (host, ids[i], &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_reply_count, &n_replies);
  clq_host_settle (host);
  g_assert_cmpuint (n_replies, ==, 3 * N);
  g_assert_cmpuint (store->n_batches - n_batches, ==, 3); /* one event of a session is in flight at a time */
  g_assert_cmpuint (store->largest, ==, N);
  g_assert_cmpuint (store->most_in_flight, ==, 1);
}

/* ---- loops ---- */

static gint64
session_int (ClqHost *host, const guint8 id[16], const char *path)
{
  g_autoptr (ClqSession) session = clq_host_get_session (host, id);
  ClqJsonSpan span = clq_json_find (clq_session_get_data (session), -1, path);

  return clq_json_span_get_int (&span);
}

static void
note_stack (const ClqNews *news, gpointer user_data)
{
  gsize *samples = user_data;

  if (samples[0]++ == 1000)
    samples[1] = mallinfo2 ().uordblks;
}

static void
test_host_million_events (void)
{
  g_autoptr (ClqHost) host = new_host ("probe");
  g_autoptr (ClqGraph) graph = load (host, "loop.graph", SANITIZED ? "transitions.looping.counted=looping if n < 50000 ; done" : NULL);
  gsize samples[2] = { 0, 0 };
  gint64 first_stack;
  guint8 id[16];

  open_session (host, graph, id);
  send_action (host, id, "go");
  while (session_int (host, id, "n") == 0)
    g_main_context_iteration (NULL, TRUE);
  first_stack = session_int (host, id, "stack");
  clq_host_observe (host, note_stack, samples);
  clq_host_settle (host);
  g_assert_cmpint (session_int (host, id, "n"), ==, SANITIZED ? 50000 : 1000000);
  g_assert_cmpint (ABS (session_int (host, id, "stack") - first_stack), <, 65536);
  if (!SANITIZED)
    g_assert_cmpuint (mallinfo2 ().uordblks, <=, samples[1] + 4096);
}

/* A session that loops does not keep the main loop from others. */
static gboolean
on_idle (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_host_loop_is_shared (void)
{
  g_autoptr (ClqHost) host = new_host ("probe");
  g_autoptr (ClqGraph) graph = load (host, "loop.graph", NULL);
  gboolean came = FALSE;
  guint8 id[16];

  open_session (host, graph, id);
  send_action (host, id, "go");
  g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, &came, NULL);
  while (!came)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (session_int (host, id, "n"), <, 1000000);
  send_action (host, id, "stop"); /* overtakes */
  clq_host_settle (host);
  {
    g_autoptr (ClqSession) session = clq_host_get_session (host, id);

    g_assert_cmpstr (clq_session_get_state (session), ==, "start");
    g_assert_cmpstr (clq_session_get_status (session), ==, "resting");
  }
}

/* ---- sleep ---- */

static void
count_timeouts (const ClqNews *news, gpointer user_data)
{
  if (g_strcmp0 (news->event, "timeout") == 0)
    (*(guint *) user_data)++;
}

/* Sessions beyond the limit leave memory; their deadlines and their next events find them all the same. */
static void
test_host_sleep (void)
{
  enum
  {
    N = 1000
  };
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqGraph) graph = NULL;
  guint8 ids[N][16];
  guint n_timeouts = 0, n_replies = 0;

  clq_host_set_manual_clock (host, G_TIME_SPAN_DAY, 1);
  clq_host_set_max_live (host, 10);
  graph = load (host, "sleep.graph", NULL);
  clq_host_observe (host, count_timeouts, &n_timeouts);
  for (guint i = 0; i < N; i++)
    open_session (host, graph, ids[i]);
  g_assert_cmpuint (host->engine->n_sessions, ==, 10);
  for (guint i = 0; i < N; i += 2)
    clq_host_send (host, ids[i], &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_reply_count, &n_replies);
  clq_host_settle (host);
  g_assert_cmpuint (n_replies, ==, N / 2);
  g_assert_cmpuint (host->engine->n_sessions, ==, 10);
  clq_host_advance (host, G_TIME_SPAN_HOUR - 1);
  g_assert_cmpuint (n_timeouts, ==, 0);
  clq_host_advance (host, 1);
  g_assert_cmpuint (n_timeouts, ==, N / 2);
  clq_host_advance (host, G_TIME_SPAN_DAY);
  g_assert_cmpuint (n_timeouts, ==, N);
}

/* ---- somebody else ---- */

static void
nobody_waits (ClqBatch *batch)
{
}

/* Writes to the session behind the host's back, as another host might. */
static void
write_behind (ClqHost *host, const guint8 id[16], const char *state)
{
  ClqHead *head = clq_head_copy (&clq_live_find (host->engine, id)->head);
  g_autoptr (GArray) records = g_array_new (FALSE, TRUE, sizeof (ClqRecord));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, 1);
  g_autoptr (GPtrArray) commits = g_ptr_array_new ();
  const char *body = "{\"event\":\"other\"}";
  ClqRecord record = { .seq = head->seq + 1, .at = 1, .segment = 1, .length = strlen (body), .type = CLQ_RECORD_EVENT, .body = body };
  ClqCommit commit = { .expected_seq = head->seq, .head = *head, .records = records, .segments = none, .marks = none };
  ClqBatch batch = { .commits = commits, .done = nobody_waits };

  g_array_append_val (records, record);
  commit.head.seq++;
  commit.head.state = g_intern_string (state);
  g_ptr_array_add (commits, &commit);
  host->store->commit (host->store_self, &batch);
  g_assert_no_error (commit.error);
  clq_head_free (head);
}

static void
on_any_reply (const ClqReply *reply, gpointer user_data)
{
  GError **error = user_data;

  g_clear_error (error);
  if (reply->error != NULL)
    *error = g_error_copy (reply->error);
}

/* A session that has gone on elsewhere is read again; what was sent in between can be sent again. */
static void
test_host_stale (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqGraph) graph = load (host, "talk.graph", NULL);
  g_autoptr (ClqSession) session = NULL;
  g_autoptr (GError) error = NULL;
  guint8 id[16];

  open_session (host, graph, id);
  session = clq_host_get_session (host, id);
  write_behind (host, id, "there");
  clq_session_send (session, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_any_reply, &error);
  clq_host_settle (host);
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_STORE);
  g_assert_cmpstr (clq_session_get_state (session), ==, "there");
  clq_session_send (session, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_any_reply, &error);
  clq_host_settle (host);
  g_assert_no_error (error);
  g_assert_cmpstr (clq_session_get_state (session), ==, "here");
}

/* ---- refusals ---- */

static void
on_error (const ClqReply *reply, gpointer user_data)
{
  GError **error = user_data;

  g_clear_error (error);
  if (reply->error != NULL)
    *error = g_error_copy (reply->error);
}

static void
test_host_unknown_session (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (GError) error = NULL;
  const guint8 id[16] = { 1 };

  clq_host_send (host, id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = "move" }, on_error, &error);
  clq_host_settle (host);
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "there is no session 01000000-0000-0000-0000-000000000000");
}

static void
test_host_unknown_store (void)
{
  g_autoptr (ClqHost) host = clq_host_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_host_use_store (host, "memroy", &error));
  g_assert_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "did you mean 'memory'?"));
}

static gboolean
configure (ClqHost *host, const char *kind, const char *key, const char *value, GError **error)
{
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (settings, (gpointer) key, (gpointer) value);
  return clq_host_configure_tool (host, kind, settings, error);
}

/* What a tool that calls would get has been set to; NULL if it was not configured. */
static char *
setting_of (ClqHost *host, const char *kind, const char *key)
{
  HostPart *part = g_hash_table_lookup (host->tools, kind);

  return part != NULL ? clq_setting_print (clq_settings_find (part->feature->settings, part->feature->setting_size, key), part->self) : NULL;
}

/* What calls get is the tool as it was configured last, in this host and no other. */
static void
test_host_configure_tool (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqHost) other = new_host ("memory");
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_assert_true (configure (host, "clock.now", "timezone", "Europe/Berlin", &error));
  first = setting_of (host, "clock.now", "timezone");
  g_assert_cmpstr (first, ==, "Europe/Berlin");
  g_assert_true (configure (host, "clock.now", "timezone", "Asia/Tokyo", &error));
  second = setting_of (host, "clock.now", "timezone");
  g_assert_cmpstr (second, ==, "Asia/Tokyo");
  g_assert_null (setting_of (other, "clock.now", "timezone"));
  g_assert_no_error (error);
}

static void
test_host_configure_tool_wrongly (void)
{
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (GError) error = NULL;

  g_assert_false (configure (host, "clock.now", "timezon", "UTC", &error));
  g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN);
  g_assert_true (g_str_has_prefix (error->message, "tool 'clock.now': "));
  g_assert_nonnull (strstr (error->message, "did you mean 'timezone'?"));
  g_clear_error (&error);
  g_assert_false (configure (host, "clock.now", "timezone", "Mars", &error));
  g_assert_cmpstr (error->message, ==, "tool 'clock.now': tool 'now': unknown time zone 'Mars'; expected a name such as Europe/Berlin");
  g_clear_error (&error);
  g_assert_false (configure (host, "clock.then", "timezone", "UTC", &error));
  g_assert_true (g_str_has_prefix (error->message, "tool 'clock.then': "));
  g_assert_null (setting_of (host, "clock.now", "timezone"));
}

/* ---- calls that are tried again ---- */

static void
note_said (const ClqNews *news, gpointer user_data)
{
  if (news->type == CLQ_NEWS_SAID)
    g_string_append (user_data, news->text);
}

/* What an agent asked for before it failed is nothing that it asks for when it is tried again. */
static void
test_host_wish_of_a_failed_call (void)
{
  static const char text[] = "[graph]\nformat=1\nname=fickle\ninitial=asking\nactions=again\n"
                             "[state asking]\nnode=basic.panel\nagents=a\ntools=probe.stamp\nretry=1\nbackoff=1s\n"
                             "[state over]\nfinal=true\n"
                             "[transitions]\nasking.answered=over\nasking.failed=over\nasking.again=asking\n";
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (ClqGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  guint8 id[16];

  clq_host_set_manual_clock (host, G_TIME_SPAN_DAY, 1);
  graph = clq_host_load_graph_text (host, "fickle", text, findings);
  g_assert_nonnull (graph);
  g_assert_true (clq_host_add_agent (host, "a", "probe.fickle", NULL, &error));
  clq_host_observe (host, note_said, said);
  open_session (host, graph, id);
  clq_host_advance (host, G_TIME_SPAN_SECOND);
  g_assert_cmpstr (said->str, ==, "a: thought 2");
  clq_host_close (host);
}

/* A tool whose secret is missing fails as one that may not be used, like an agent. */
static void
test_host_tool_without_its_secret (void)
{
  static const char text[] = "[graph]\nformat=1\nname=locked\ninitial=using\nactions=again\n"
                             "[state using]\nnode=probe.use\n[state locked]\n[state over]\n"
                             "[transitions]\nusing.done=over\nusing.failed=locked if event.class == \"auth\" ; over\n"
                             "locked.again=using\nover.again=using\n";
  g_autoptr (ClqHost) host = new_host ("memory");
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (ClqGraph) graph = clq_host_load_graph_text (host, "locked", text, findings);
  g_autoptr (ClqSession) session = NULL;
  g_autoptr (GError) error = NULL;
  HostPart *part;
  guint8 id[16];

  g_assert_nonnull (graph);
  g_assert_true (clq_host_configure_tool (host, "probe.stamp", NULL, &error));
  part = g_hash_table_lookup (host->tools, "probe.stamp");
  part->problem = g_strdup ("api-key: the environment has no variable 'STAMP_KEY', or it is empty");
  open_session (host, graph, id);
  session = clq_host_get_session (host, id);
  g_assert_cmpstr (clq_session_get_state (session), ==, "locked");
  clq_host_close (host);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/host/hundred-times", test_host_hundred_times);
  g_test_add_func ("/colloquy/host/dispose-three-times", test_host_dispose_three_times);
  g_test_add_func ("/colloquy/host/close-answers", test_host_close_answers);
  g_test_add_func ("/colloquy/host/two-in-one-process", test_host_two_in_one_process);
  g_test_add_func ("/colloquy/host/handle-outlives-host", test_host_handle_outlives_host);
  g_test_add_func ("/colloquy/host/signals", test_host_signals);
  g_test_add_func ("/colloquy/host/alert-signals", test_host_alert_signals);
  g_test_add_func ("/colloquy/host/answers-after-the-commit", test_host_answers_after_the_commit);
  g_test_add_func ("/colloquy/host/group-commit", test_host_group_commit);
  g_test_add_func ("/colloquy/host/million-events", test_host_million_events);
  g_test_add_func ("/colloquy/host/loop-is-shared", test_host_loop_is_shared);
  g_test_add_func ("/colloquy/host/sleep", test_host_sleep);
  g_test_add_func ("/colloquy/host/stale", test_host_stale);
  g_test_add_func ("/colloquy/host/unknown-session", test_host_unknown_session);
  g_test_add_func ("/colloquy/host/unknown-store", test_host_unknown_store);
  g_test_add_func ("/colloquy/host/wish-of-a-failed-call", test_host_wish_of_a_failed_call);
  g_test_add_func ("/colloquy/host/tool-without-its-secret", test_host_tool_without_its_secret);
  g_test_add_func ("/colloquy/host/configure-tool", test_host_configure_tool);
  g_test_add_func ("/colloquy/host/configure-tool-wrongly", test_host_configure_tool_wrongly);
  return g_test_run ();
}
