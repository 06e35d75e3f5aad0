/* Sessions whose host stopped in the middle of a visit. */
#include "clq-host-private.h"

#include <string.h>

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  GString *log; /* events that were taken */
} Fixture;

/* Asks for both tools at once, then answers. */
static const char script[] = "{\"replies\":[{\"use\":[{\"tool\":\"probe.stuck\"},{\"tool\":\"probe.stamp\"}]},\"I have done what I could.\"]}";

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Fixture *fixture = user_data;

  if (news->type == CLQ_NEWS_TAKEN)
    g_string_append_printf (fixture->log, "%s%s", fixture->log->len > 0 ? " " : "", news->event);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "recover.graph", NULL);
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  fixture->host = clq_host_new (NULL);
  clq_host_set_manual_clock (fixture->host, G_TIME_SPAN_DAY, 1);
  g_assert_true (clq_host_use_store (fixture->host, "memory", &error));
  fixture->graph = clq_host_load_graph (fixture->host, path, NULL, FALSE, findings);
  g_assert_nonnull (fixture->graph);
  fixture->log = g_string_new (NULL);
  clq_host_observe (fixture->host, on_news, fixture);
  clq_host_set_standard_agent (fixture->host, "scripted.agent", NULL);
  if (strcmp (data, "talk") == 0)
    g_assert_true (clq_host_instruct_agent (fixture->host, "assistant", script, &error));
  clq_host_new_id (fixture->host, fixture->id);
  clq_host_open_session (fixture->host, fixture->graph, fixture->id, NULL, NULL, NULL, NULL, NULL);
  clq_host_send (fixture->host, fixture->id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = data }, NULL, NULL);
  clq_host_settle (fixture->host);
  g_string_truncate (fixture->log, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  clq_host_close (fixture->host);
  clq_graph_unref (fixture->graph);
  g_object_unref (fixture->host);
  g_string_free (fixture->log, TRUE);
}

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  g_assert_nonnull (session);
}

/* What a crash leaves is what the store has; time goes on meanwhile. */
static void
crash_and_return (Fixture *fixture, GTimeSpan down)
{
  clq_live_free (clq_live_find (fixture->host->engine, fixture->id));
  fixture->host->engine->clock.now += down;
  clq_host_find_session (fixture->host, fixture->id, on_session, NULL);
  clq_host_settle (fixture->host);
  clq_host_advance (fixture->host, 0);
}

static void
assert_state (Fixture *fixture, const char *state, const char *status)
{
  g_autoptr (ClqSession) session = clq_host_get_session (fixture->host, fixture->id);

  g_assert_cmpstr (clq_session_get_state (session), ==, state);
  g_assert_cmpstr (clq_session_get_status (session), ==, status);
}

static void
test_third_loss_fails (Fixture *fixture, gconstpointer data)
{
  crash_and_return (fixture, 0);
  assert_state (fixture, "hanging", "running");
  g_assert_cmpuint (clq_live_find (fixture->host->engine, fixture->id)->work->attempt, ==, 2);
  crash_and_return (fixture, 0);
  assert_state (fixture, "hanging", "running");
  g_assert_cmpstr (fixture->log->str, ==, "resume resume");
  crash_and_return (fixture, 0);
  assert_state (fixture, "missed", "resting");
  g_assert_cmpstr (fixture->log->str, ==, "resume resume failed");
}

/* A deadline that has passed leads away before the visit is entered again. */
static void
test_deadline_first (Fixture *fixture, gconstpointer data)
{
  crash_and_return (fixture, 2 * G_TIME_SPAN_HOUR);
  assert_state (fixture, "missed", "resting");
  g_assert_cmpstr (fixture->log->str, ==, "timeout");
}

static void
answer (Fixture *fixture, const char *payload)
{
  clq_host_send (fixture->host, fixture->id, &(ClqInput){ .kind = CLQ_INPUT_ANSWER, .payload = payload }, NULL, NULL);
  clq_host_settle (fixture->host);
}

/* Nobody knows whether a tool that was begun has done its work: a person decides. */
static void
test_tool_asks (Fixture *fixture, gconstpointer data)
{
  assert_state (fixture, "using", "running");
  crash_and_return (fixture, 0);
  assert_state (fixture, "using", "waiting");
  answer (fixture, "{\"value\":false}");
  assert_state (fixture, "missed", "resting");
}

static void
test_tool_is_used_again (Fixture *fixture, gconstpointer data)
{
  crash_and_return (fixture, 0);
  assert_state (fixture, "using", "waiting");
  answer (fixture, "{\"value\":true}");
  assert_state (fixture, "using", "running"); /* it sticks again */
  crash_and_return (fixture, 0);
  assert_state (fixture, "using", "waiting"); /* nobody has agreed to a third time */
  answer (fixture, "{\"value\":false}");
  assert_state (fixture, "missed", "resting");
}

/* What an agent has asked for is not asked for again, and goes on where it was. */
static void
test_tool_rounds_go_on (Fixture *fixture, gconstpointer data)
{
  assert_state (fixture, "talking", "waiting"); /* may probe.stamp be used? */
  answer (fixture, "{\"value\":true}");
  assert_state (fixture, "talking", "running"); /* probe.stuck is */
  crash_and_return (fixture, 0);
  assert_state (fixture, "talking", "waiting"); /* has probe.stuck done its work? */
  answer (fixture, "{\"value\":false}");
  assert_state (fixture, "idle", "resting");
  g_assert_cmpstr (fixture->log->str, ==, "answer resume answer replied");
}

static void
test_tool_rounds_confirm_after (Fixture *fixture, gconstpointer data)
{
  crash_and_return (fixture, 0);
  assert_state (fixture, "talking", "waiting");
  answer (fixture, "{\"values\":{\"tool/reply/tools-1/0/again\":\"no\",\"tool/reply/tools-1/1/confirm\":\"no\"}}");
  assert_state (fixture, "idle", "resting");
}

/* The store gives up right behind the commit that reaches a limit, so that what follows from it is never written. */
static void
on_limit_reached (const ClqNews *news, gpointer user_data)
{
  Fixture *fixture = user_data;
  const ClqLive *live = clq_live_find (fixture->host->engine, fixture->id);

  on_news (news, user_data);
  if (news->type == CLQ_NEWS_TAKEN && live != NULL && (live->head.fired & CLQ_FIRED_LIMIT) != 0)
    fixture->host->engine->store_fault = TRUE;
}

static void
set_up_limits (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "pipe", "graphs", "limits.graph", NULL);
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *long_text = g_strnfill (300, 'a'), *replies = g_strdup_printf ("{\"replies\":[\"%s\",\"%s\"]}", long_text, long_text);

  fixture->host = clq_host_new (NULL);
  clq_host_set_manual_clock (fixture->host, G_TIME_SPAN_DAY, 1);
  g_assert_true (clq_host_use_store (fixture->host, "memory", &error));
  fixture->graph = clq_host_load_graph (fixture->host, path, NULL, FALSE, findings);
  g_assert_nonnull (fixture->graph);
  fixture->log = g_string_new (NULL);
  clq_host_observe (fixture->host, on_limit_reached, fixture);
  clq_host_set_standard_agent (fixture->host, "scripted.agent", NULL);
  g_assert_true (clq_host_instruct_agent (fixture->host, "assistant", replies, &error));
  clq_host_new_id (fixture->host, fixture->id);
  clq_host_open_session (fixture->host, fixture->graph, fixture->id, NULL, NULL, NULL, NULL, NULL);
  clq_host_settle (fixture->host);
}

/* A limit that was reached right before the end of the host is raised when the session comes back, once. */
static void
test_limit (Fixture *fixture, gconstpointer data)
{
  ClqEngine *engine = fixture->host->engine;

  for (guint i = 0; i < 3 && !engine->store_fault; i++)
    {
      clq_host_send (fixture->host, fixture->id, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = data }, NULL, NULL);
      clq_host_settle (fixture->host);
    }
  g_assert_true (engine->store_fault);
  g_assert_null (strstr (fixture->log->str, "limit"));
  clq_live_free (clq_live_find (engine, fixture->id));
  engine->store_fault = FALSE;
  clq_host_start (fixture->host);
  clq_host_settle (fixture->host);
  assert_state (fixture, "stopped", "resting");
  g_assert_true (g_str_has_suffix (fixture->log->str, " limit"));
  g_string_truncate (fixture->log, 0);
  crash_and_return (fixture, 0);
  clq_host_start (fixture->host);
  clq_host_settle (fixture->host);
  assert_state (fixture, "stopped", "resting");
  g_assert_cmpstr (fixture->log->str, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/colloquy/recover/third-loss-fails", Fixture, "hang", set_up, test_third_loss_fails, tear_down);
  g_test_add ("/colloquy/recover/deadline-first", Fixture, "late", set_up, test_deadline_first, tear_down);
  g_test_add ("/colloquy/recover/tool-asks", Fixture, "use", set_up, test_tool_asks, tear_down);
  g_test_add ("/colloquy/recover/tool-is-used-again", Fixture, "use", set_up, test_tool_is_used_again, tear_down);
  g_test_add ("/colloquy/recover/tool-rounds/go-on", Fixture, "talk", set_up, test_tool_rounds_go_on, tear_down);
  g_test_add ("/colloquy/recover/tool-rounds/confirm-after", Fixture, "talk", set_up, test_tool_rounds_confirm_after, tear_down);
  g_test_add ("/colloquy/recover/limit/visits", Fixture, "visit", set_up_limits, test_limit, tear_down);
  g_test_add ("/colloquy/recover/limit/hops", Fixture, "loop", set_up_limits, test_limit, tear_down);
  g_test_add ("/colloquy/recover/limit/tokens", Fixture, "spend", set_up_limits, test_limit, tear_down);
  return g_test_run ();
}
