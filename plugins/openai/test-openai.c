/* Conversations with a server that is right. */
#include "test-server.h"

#include <string.h>

#define PLAIN "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Good day.\"},\"finish_reason\":\"stop\"}]," \
              "\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":4}}"

static void
assert_asked (Talk *talk, const char *json)
{
  g_autoptr (JsonNode) got = NULL, expected = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *a = NULL, *b = NULL;

  got = clq_json_parse (talk->server->body->str, -1, &error);
  g_assert_no_error (error);
  expected = clq_json_parse (json, -1, &error);
  g_assert_no_error (error);
  a = clq_json_print (got);
  b = clq_json_print (expected);
  if (!json_node_equal (got, expected))
    g_assert_cmpstr (a, ==, b);
}

/* ---- replies ---- */

static void
test_plain (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("stream", "false", "price-in", "2", "price-out", "10"));
  guint64 tokens_in, tokens_out;
  double cost;

  test_server_reply_json (talk->server, OK, PLAIN);
  talk_assert_text (talk, "Good day.");
  g_assert_true (g_str_has_prefix (talk->server->head->str, "POST /v1/chat/completions HTTP/1.1\r\n"));
  g_assert_nonnull (strstr (talk->server->head->str, "Content-Type: application/json\r\n"));
  g_assert_null (strstr (talk->server->head->str, "Authorization"));
  g_assert_null (strstr (talk->server->head->str, "Accept-Encoding"));
  assert_asked (talk, "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}");
  clq_test_node_get_usage (talk->node, &tokens_in, &tokens_out, &cost);
  g_assert_cmpuint (tokens_in, ==, 11);
  g_assert_cmpuint (tokens_out, ==, 4);
  g_assert_cmpfloat_with_epsilon (cost, 62e-6, 1e-12);
}

static void
test_stream (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);
  guint64 tokens_in, tokens_out;
  double cost;

  test_server_reply_events (talk->server, TEST_KEEP,
                            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}],\"usage\":null}\n\n"
                            ": still there\n\n" DELTA ("Good ") DELTA ("da\\u00ff") DELTA (".") STOP
                            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n" DONE);
  talk_assert_text (talk, "Good da\u00ff.");
  g_assert_cmpstr (clq_test_node_get_pieces (talk->node), ==, "Good |da\u00ff|.");
  assert_asked (talk, "{\"model\":\"tiny\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}");
  clq_test_node_get_usage (talk->node, &tokens_in, &tokens_out, &cost);
  g_assert_cmpuint (tokens_in, ==, 7);
  g_assert_cmpuint (tokens_out, ==, 3);
}

/* Servers that do not do as they are told, but can be understood. */
static void
test_tolerance (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  /* no stream though one was asked for */
  test_server_reply_json (talk->server, OK, PLAIN);
  talk_assert_text (talk, "Good day.");
  /* no [DONE], and the connection is closed */
  test_server_reply_events (talk->server, TEST_CLOSE, DELTA ("one") STOP);
  talk_assert_text (talk, "one");
  /* no empty line behind the last event */
  test_server_reply_events (talk->server, TEST_CLOSE, DELTA ("two") "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}");
  talk_assert_text (talk, "two");
  /* [DONE] without a reason */
  test_server_reply_events (talk->server, TEST_CLOSE, DELTA ("three") DONE);
  talk_assert_text (talk, "three");
  /* whole, and then never closed */
  test_server_reply_events (talk->server, TEST_HOLD, DELTA ("four") STOP DONE);
  talk_assert_text (talk, "four");
  /* other choices, parts, no usage */
  test_server_reply_json (talk->server, OK, "{\"choices\":[{\"index\":1,\"message\":{\"content\":\"no\"}},{\"index\":0,\"finish_reason\":\"length\","
                                            "\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"five\"},{\"type\":\"image\"}]}}]}");
  talk_assert_text (talk, "five");
}

/* A reply of nothing is a reply, if the server says that it is whole. */
static void
test_empty (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  test_server_reply_events (talk->server, TEST_KEEP, STOP DONE);
  talk_assert_text (talk, NULL);
}

static void
test_connection_is_kept (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  for (guint i = 0; i < 5; i++)
    {
      test_server_reply_events (talk->server, TEST_KEEP, DELTA ("hi") STOP DONE);
      talk_assert_text (talk, "hi");
    }
  g_assert_cmpuint (talk->server->n_requests, ==, 5);
  g_assert_cmpuint (talk->server->n_opened, ==, 1);
}

/* ---- what is sent ---- */

static void
test_parameters (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("temperature", "0", "seed", "0", "stop", "END;\\;", "extra", "{\"user\":\"ada\",\"stream_options\":null}"));

  test_server_reply_events (talk->server, TEST_KEEP, STOP DONE);
  talk_assert_text (talk, NULL);
  assert_asked (talk, "{\"model\":\"tiny\",\"stream\":true,\"temperature\":0,\"seed\":0,\"stop\":[\"END\",\";\"],\"user\":\"ada\","
                      "\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}");
}

static void
test_more_parameters (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("stream", "false", "max-tokens", "500", "top-p", "0.25", "system-prompt", "Be brief."));

  test_server_reply_json (talk->server, OK, PLAIN);
  talk_assert_text (talk, "Good day.");
  assert_asked (talk, "{\"model\":\"tiny\",\"max_tokens\":500,\"top_p\":0.25,"
                      "\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":\"hello\"}]}");
}

static void
test_system_prompt_file (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "clq-openai-XXXXXX", NULL);
  g_autoptr (Talk) talk = NULL;
  int fd = g_mkstemp (path);

  g_assert_cmpint (write (fd, "Be kind.", 8), ==, 8);
  close (fd);
  talk = talk_new (SETTINGS ("stream", "false", "system-prompt-file", path, "extra", "{\"max_completion_tokens\":9,\"model\":\"other\"}"));
  g_assert_cmpint (unlink (path), ==, 0);
  test_server_reply_json (talk->server, OK, PLAIN);
  talk_assert_text (talk, "Good day.");
  assert_asked (talk, "{\"model\":\"other\",\"max_completion_tokens\":9,"
                      "\"messages\":[{\"role\":\"system\",\"content\":\"Be kind.\"},{\"role\":\"user\",\"content\":\"hello\"}]}");
}

static void
test_key (void)
{
  g_autoptr (Talk) talk = NULL;

  g_setenv ("CLQ_TEST_KEY", "sk-canary-1234567890", TRUE);
  talk = talk_new (SETTINGS ("api-key", "env:CLQ_TEST_KEY"));
  test_server_reply_events (talk->server, TEST_KEEP, STOP DONE);
  talk_assert_text (talk, NULL);
  g_assert_nonnull (strstr (talk->server->head->str, "Authorization: Bearer sk-canary-1234567890\r\n"));
}

/* libsoup would offer HTTP/2 in the first words of a safe connection. */
static void
test_only_http_1 (void)
{
#if defined(__SANITIZE_ADDRESS__)
  /* The library behind safe connections makes the leak checker itself fail. */
  g_test_skip ("not with the leak checker");
  return;
#endif
  g_autoptr (TestServer) server = test_server_new ();
  g_autoptr (ClqTestNode) node = clq_test_node_new (&test_asker, NULL);
  g_autofree char *endpoint = g_strdup_printf ("https://127.0.0.1:%u/v1", server->port);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (node, "model", &openai_chat, &error, "endpoint", endpoint, "model", "tiny", NULL);
  g_assert_no_error (error);
  test_server_reply (server, TEST_CLOSE, "HTTP/1.1 400 what\r\n\r\n", -1);
  clq_test_node_enter (node);
  g_assert_nonnull (clq_test_node_get_error (node));
  g_assert_cmpuint (server->head->len, >, 0);
  g_assert_nonnull (memmem (server->head->str, server->head->len, "http/1.1", 8));
  g_assert_null (memmem (server->head->str, server->head->len, "\x02h2", 3));
}

/* ---- whose turn it is ---- */

static void
test_requests_per_minute (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("requests-per-minute", "2", "calls", "5"));

  for (guint i = 0; i < 5; i++)
    test_server_reply_events (talk->server, TEST_KEEP, STOP DONE);
  clq_test_node_enter (talk->node);
  g_assert_cmpuint (talk->server->n_requests, ==, 2);
  clq_test_node_advance (talk->node, G_TIME_SPAN_MINUTE - 1);
  g_assert_cmpuint (talk->server->n_requests, ==, 2);
  clq_test_node_advance (talk->node, 1);
  g_assert_cmpuint (talk->server->n_requests, ==, 4);
  clq_test_node_assert_running (talk->node);
  clq_test_node_advance (talk->node, G_TIME_SPAN_MINUTE);
  clq_test_node_assert_outcome (talk->node, "done");
}

/* Who has left is not waited for, and nobody is asked for them. */
static void
test_turns_cancelled (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("requests-per-minute", "1", "calls", "3"));

  test_server_reply_events (talk->server, TEST_KEEP, STOP DONE);
  clq_test_node_enter (talk->node);
  clq_test_node_assert_running (talk->node);
  clq_test_node_cancel (talk->node);
  clq_test_node_assert_released (talk->node);
  clq_test_node_advance (talk->node, G_TIME_SPAN_HOUR);
  g_assert_cmpuint (talk->server->n_requests, ==, 1);
}

/* ---- going away ---- */

static void
cancel (gpointer user_data)
{
  clq_test_node_cancel (user_data);
}

/* @events: what has come before; NULL = not even a header */
static void
assert_cancelled (const char *events, const char *said)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("first-byte-timeout", "0", "piece-timeout", "0"));

  if (events != NULL)
    test_server_reply_events (talk->server, TEST_HOLD, events);
  talk->server->on_request = cancel;
  talk->server->on_request_data = talk->node;
  clq_test_node_enter (talk->node);
  clq_test_node_assert_released (talk->node);
  g_assert_cmpstr (clq_test_node_get_outcome (talk->node), ==, NULL);
  test_server_await_closed (talk->server, 1);
}

static void
test_cancel (void)
{
  assert_cancelled (NULL, NULL);
  assert_cancelled (DELTA ("one"), "one");
}

/* What is on its way arrives, though the agent is gone. */
static void
replace (gpointer user_data)
{
  Talk *talk = user_data;
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (talk->node, "model", &openai_chat, &error, "model", "other", NULL);
  g_assert_no_error (error);
}

static void
test_replaced (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  talk->server->on_request = replace;
  talk->server->on_request_data = talk;
  test_server_reply_events (talk->server, TEST_KEEP, DELTA ("the old one") STOP DONE);
  talk_assert_text (talk, "the old one");
}

/* ---- hosts ---- */

static gpointer
run_elsewhere (gpointer user_data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  SoupSession **session = user_data;

  g_main_context_push_thread_default (context);
  {
    g_autoptr (Talk) talk = talk_new (NULL);
    g_autoptr (SoupSession) own = openai_session_get (), same = openai_session_get ();

    test_server_reply_events (talk->server, TEST_KEEP, DELTA ("elsewhere") STOP DONE);
    talk_assert_text (talk, "elsewhere");
    g_assert_true (own == same);
    g_assert_true (own != *session);
  }
  g_main_context_pop_thread_default (context);
  return NULL;
}

/* Agents of one host share their connections, those of another have their own. */
static void
test_sessions (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);
  g_autoptr (SoupSession) session = openai_session_get ();
  g_autoptr (SoupSession) same = openai_session_get ();

  g_assert_true (session == same);
  g_assert_false (soup_session_has_feature (session, SOUP_TYPE_AUTH_MANAGER));
  g_assert_false (soup_session_has_feature (session, SOUP_TYPE_COOKIE_JAR));
  g_assert_false (soup_session_has_feature (session, SOUP_TYPE_CONTENT_SNIFFER));
  g_thread_join (g_thread_new ("elsewhere", run_elsewhere, &session));
  test_server_reply_events (talk->server, TEST_KEEP, DELTA ("here") STOP DONE);
  talk_assert_text (talk, "here");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/openai/plain", test_plain);
  g_test_add_func ("/colloquy/openai/stream", test_stream);
  g_test_add_func ("/colloquy/openai/tolerance", test_tolerance);
  g_test_add_func ("/colloquy/openai/empty", test_empty);
  g_test_add_func ("/colloquy/openai/connection-is-kept", test_connection_is_kept);
  g_test_add_func ("/colloquy/openai/parameters", test_parameters);
  g_test_add_func ("/colloquy/openai/more-parameters", test_more_parameters);
  g_test_add_func ("/colloquy/openai/system-prompt-file", test_system_prompt_file);
  g_test_add_func ("/colloquy/openai/key", test_key);
  g_test_add_func ("/colloquy/openai/only-http-1", test_only_http_1);
  g_test_add_func ("/colloquy/openai/requests-per-minute", test_requests_per_minute);
  g_test_add_func ("/colloquy/openai/turns-cancelled", test_turns_cancelled);
  g_test_add_func ("/colloquy/openai/cancel", test_cancel);
  g_test_add_func ("/colloquy/openai/replaced", test_replaced);
  g_test_add_func ("/colloquy/openai/sessions", test_sessions);
  test_add_bad ();
  test_add_parts ();
  return g_test_run ();
}
