/* A server that is wrong in every way. Whatever it does, the call ends, with a class and in words. */
#include "test-server.h"

#include <string.h>

#define QUICK "first-byte-timeout", "150ms", "piece-timeout", "150ms"

/* ---- statuses ---- */

static void
assert_status (const char *key, const char *head, const char *body, ClqFailure failure, const char *message)
{
  g_autoptr (Talk) talk = talk_new (key != NULL ? SETTINGS ("api-key", key) : NULL);

  test_server_reply_json (talk->server, head, body);
  talk_assert_failure (talk, failure, message);
}

#define SAYS(text) "{\"error\":{\"message\":\"" text "\",\"type\":\"some\",\"code\":null}}"
#define HERE "http://127.0.0.1:PORT/v1"

static void
test_statuses (void)
{
  g_setenv ("CLQ_TEST_KEY", "sk-canary-1234567890", TRUE);
  assert_status (NULL, "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\n", SAYS ("Who are you?"), CLQ_FAILURE_AUTH,
                 HERE " asks for a key; set api-key of agent 'model': Who are you?");
  assert_status ("env:CLQ_TEST_KEY", "HTTP/1.1 401 No\r\n", SAYS ("Incorrect API key provided: sk-c*********7890. See sk-canary-1234567890."), CLQ_FAILURE_AUTH,
                 HERE " does not accept the key; check api-key of agent 'model': Incorrect API key provided: … See …");
  assert_status ("env:CLQ_TEST_KEY", "HTTP/1.1 403 No\r\n", "{\"detail\":\"not\\u001b[31m in\\nyour country\"}", CLQ_FAILURE_AUTH,
                 HERE " does not allow this; check what the api-key of agent 'model' may do: not [31m in your country");
  assert_status (NULL, "HTTP/1.1 404 No\r\n", SAYS ("The model `tiny` does not exist."), CLQ_FAILURE_CRITICAL,
                 HERE " knows no model 'tiny' or has no chat there; check model and endpoint of agent 'model': The model `tiny` does not exist");
  assert_status (NULL, "HTTP/1.1 400 No\r\n", "{\"error\":\"too long\"}", CLQ_FAILURE_USER, HERE " does not take the request, status 400: too long");
  assert_status (NULL, "HTTP/1.1 429 No\r\n", SAYS ("slow down"), CLQ_FAILURE_RECOVERABLE, HERE " gets too many requests: slow down");
  assert_status (NULL, "HTTP/1.1 429 No\r\n", "{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}", CLQ_FAILURE_CRITICAL,
                 HERE " has no credit left for agent 'model': pay");
  assert_status (NULL, "HTTP/1.1 408 No\r\n", "", CLQ_FAILURE_RECOVERABLE, HERE " does not take the request, status 408");
  assert_status (NULL, "HTTP/1.1 500 No\r\n", "<html>oops", CLQ_FAILURE_RECOVERABLE, HERE " has a problem of its own, status 500");
  assert_status (NULL, "HTTP/1.1 503 No\r\nRetry-After: never\r\n", "", CLQ_FAILURE_RECOVERABLE, HERE " has a problem of its own, status 503");
  assert_status (NULL, "HTTP/1.1 204 No\r\n", "", CLQ_FAILURE_CRITICAL, HERE " does not take the request, status 204");
}

/* A redirect could carry the key to anybody. */
static void
test_redirect (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);
  g_autoptr (TestServer) other = test_server_new ();
  g_autofree char *head = g_strdup_printf ("HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:%u/v1\r\n", other->port);
  g_autofree char *message = g_strdup_printf (HERE " wants to send the request on to 'http://127.0.0.1:%u/v1', which is not done; check endpoint of agent 'model'", other->port);

  test_server_reply_json (talk->server, head, "");
  talk_assert_failure (talk, CLQ_FAILURE_CRITICAL, message);
  g_assert_cmpuint (other->n_opened, ==, 0);
}

static void
test_large_refusal (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);
  g_autofree char *much = g_strnfill (1000000, ' ');

  test_server_reply_json (talk->server, "HTTP/1.1 500 No\r\n", much);
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " has a problem of its own, status 500");
  test_server_await_closed (talk->server, 1);
}

/* ---- no connection ---- */

static void
test_refused (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  g_socket_service_stop (talk->server->service);
  g_socket_listener_close (G_SOCKET_LISTENER (talk->server->service));
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, "nobody answers at " HERE "; is the server of agent 'model' running?");
}

static void
test_closed_at_once (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  for (guint i = 0; i < 3; i++)
    test_server_reply (talk->server, TEST_CLOSE, "", 0);
  clq_test_node_enter (talk->node);
  clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
}

/* ---- time ---- */

static void
test_stall_before_headers (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " did not begin to answer within 150ms; a longer first-byte-timeout may help");
  test_server_await_closed (talk->server, 1);
}

static void
test_stall_before_events (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

  test_server_reply_events (talk->server, TEST_HOLD, ": nothing yet\n\n");
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " did not begin to answer within 150ms; a longer first-byte-timeout may help");
  test_server_await_closed (talk->server, 1);
}

static void
test_stall_in_stream (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

  test_server_reply_events (talk->server, TEST_HOLD, DELTA ("one"));
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " began to answer but did not go on for 150ms");
  test_server_await_closed (talk->server, 1);
}

static void
test_stall_in_body (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

  test_server_reply (talk->server, TEST_HOLD, OK JSON "Content-Length: 100\r\n\r\n{\"choices\":", -1);
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " began to answer but did not go on for 150ms");
}

static void
test_stall_in_refusal (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

  test_server_reply (talk->server, TEST_HOLD, "HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\n{", -1);
  talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " began to answer but did not go on for 150ms");
}

/* A byte now and then is no answer, wherever it belongs to. */
static void
test_drip (void)
{
  static const char *const replies[] = {
    OK JSON "Content-Length: 1000\r\n\r\n{\"choices\":[]}",
    OK EVENTS "Connection: close\r\n\r\n" DELTA ("one") DELTA ("two") STOP DONE,
  };

  for (guint i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autoptr (Talk) talk = talk_new (SETTINGS (QUICK));

      test_server_reply (talk->server, TEST_DRIP, replies[i], -1);
      talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " did not begin to answer within 150ms; a longer first-byte-timeout may help");
    }
}

static void
test_drip_in_body (void)
{
  static const char *const heads[] = { OK JSON "Content-Length: 1000\r\n\r\n", "HTTP/1.1 400 No\r\nContent-Length: 1000\r\n\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autoptr (Talk) talk = talk_new (SETTINGS ("piece-timeout", "150ms"));

      test_server_reply (talk->server, TEST_DRIP, heads[i], -1);
      talk_assert_failure (talk, CLQ_FAILURE_RECOVERABLE, HERE " began to answer but did not go on for 150ms");
    }
}

/* ---- what is no answer ---- */

static void
assert_bad_events (const char *events, ClqFailure failure, const char *message)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  test_server_reply_events (talk->server, TEST_CLOSE, events);
  talk_assert_failure (talk, failure, message);
}

/* Partial text is never taken for a whole reply. */
static void
test_truncated (void)
{
  static const char whole[] = DELTA ("one") DELTA ("two") STOP;

  assert_bad_events (DELTA ("one"), CLQ_FAILURE_RECOVERABLE, HERE " has ended its reply in the middle");
  assert_bad_events ("", CLQ_FAILURE_RECOVERABLE, HERE " has ended its reply in the middle");
  assert_bad_events (DONE, CLQ_FAILURE_RECOVERABLE, HERE " has ended its reply in the middle");
  for (gsize length = 1; length < sizeof whole - 3; length++)
    {
      g_autofree char *part = g_strndup (whole, length);
      g_autoptr (Talk) talk = talk_new (NULL);

      test_server_reply_events (talk->server, TEST_CLOSE, part);
      clq_test_node_enter (talk->node);
      clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
    }
}

static void
test_truncated_chunk (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  test_server_reply (talk->server, TEST_CLOSE, OK EVENTS "Transfer-Encoding: chunked\r\n\r\n1000\r\n" DELTA ("one"), -1);
  clq_test_node_enter (talk->node);
  clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
}

static void
test_wrong_length (void)
{
  static const char *const heads[] = { "Content-Length: 999\r\n\r\n", "Content-Length: 30\r\n\r\n", "Content-Length: -1\r\n\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autoptr (Talk) talk = talk_new (NULL);
      g_autofree char *reply = g_strconcat (OK JSON, heads[i], "{\"choices\":[{\"message\":{\"content\":\"all of it\"}", NULL);

      test_server_reply (talk->server, TEST_CLOSE, reply, -1);
      clq_test_node_enter (talk->node);
      clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
    }
}

static void
test_garbage (void)
{
  static const char *const garbage[] = { "", "{", "{\"choices\":[}", "not json", "\xff\xfe", "{\"a\":1,\"a\":2}", "[[[[", "{\"choices\":[{\"message\":{\"content\":\"x\\ud800\"}}]}" };

  for (guint i = 0; i < G_N_ELEMENTS (garbage); i++)
    {
      g_autoptr (Talk) talk = talk_new (NULL);

      test_server_reply_json (talk->server, OK, garbage[i]);
      clq_test_node_enter (talk->node);
      clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
    }
  assert_bad_events (DELTA ("one") "data: {\"choices\n\n", CLQ_FAILURE_RECOVERABLE, HERE " has sent what is no JSON: 1:10: unexpected end of text; expected a closing quote");
}

static void
test_no_http (void)
{
  static const char *const replies[] = { "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\r\n\r\n\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autoptr (Talk) talk = talk_new (NULL);

      test_server_reply (talk->server, TEST_CLOSE, replies[i], -1);
      clq_test_node_enter (talk->node);
      clq_test_node_assert_failed (talk->node, CLQ_FAILURE_RECOVERABLE, NULL);
    }
}

static void
test_wrong_type (void)
{
  g_autoptr (Talk) talk = talk_new (NULL);

  test_server_reply (talk->server, TEST_KEEP, OK "Content-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", -1);
  talk_assert_failure (talk, CLQ_FAILURE_CRITICAL,
                       HERE " answers with text/html, expected application/json or text/event-stream; check endpoint of agent 'model', it often ends with /v1");
}

static void
test_errors_inside (void)
{
  assert_bad_events (DELTA ("one") "data: {\"error\":{\"message\":\"overloaded\"}}\n\n", CLQ_FAILURE_RECOVERABLE,
                     HERE ": the server reports an error: overloaded");
  assert_bad_events ("data: {\"error\":{\"message\":\"bad key\",\"code\":401}}\n\n", CLQ_FAILURE_AUTH, HERE ": the server reports an error: bad key");
  assert_bad_events ("data: {\"error\":{\"message\":\"bad words\",\"code\":400}}\n\n", CLQ_FAILURE_USER, HERE ": the server reports an error: bad words");
  assert_status (NULL, OK, SAYS ("nobody there"), CLQ_FAILURE_RECOVERABLE, HERE ": the server reports an error: nobody there");
}

static void
test_stop_reasons (void)
{
  assert_bad_events ("data: {\"choices\":[{\"delta\":{\"content\":\"one\"},\"finish_reason\":\"\"}]}\n\n", CLQ_FAILURE_RECOVERABLE,
                     HERE " has ended its reply in the middle");
  assert_bad_events (DELTA ("one") "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n", CLQ_FAILURE_USER,
                     "the content filter of " HERE " has stopped the reply of agent 'model'");
  assert_bad_events ("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n", CLQ_FAILURE_USER,
                     "agent 'model' had no tokens left to say anything; a larger max-tokens may help");
  assert_bad_events ("data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}\n\n", CLQ_FAILURE_USER,
                     "agent 'model' refuses to answer: I will not");
  assert_bad_events ("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"a\",\"arguments\":\"{\\\"\"}}]},\"finish_reason\":\"length\"}]}\n\n",
                     CLQ_FAILURE_USER, "the reply of agent 'model' ended in the middle of a tool call; a larger max-tokens may help");
  assert_bad_events ("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"a\",\"arguments\":\"{\\\"\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
                     CLQ_FAILURE_RECOVERABLE, "agent 'model' wants a tool with arguments that are no JSON: 1:3: unexpected end of text; expected a closing quote");
}

/* ---- too much ---- */

static void
test_large (void)
{
  g_autofree char *much = g_strnfill (50 * 1024 * 1024, 'x');
  g_autofree char *announced = g_strdup_printf (OK JSON "Content-Length: %d\r\n\r\n", 50 * 1024 * 1024);
  g_autofree char *events = g_strconcat (OK EVENTS "\r\ndata: ", much, NULL);
  g_autofree char *plain = g_strconcat (OK JSON "\r\n", much, NULL);
  const char *const replies[] = { events, plain };

  for (guint i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autoptr (Talk) talk = talk_new (NULL);

      test_server_reply (talk->server, TEST_CLOSE, replies[i], -1);
      talk_assert_failure (talk, CLQ_FAILURE_CRITICAL, "the reply of " HERE " is larger than 16777216 bytes, the max-reply of agent 'model'");
      test_server_await_closed (talk->server, 1);
    }
}

static void
test_max_reply (void)
{
  g_autoptr (Talk) talk = talk_new (SETTINGS ("max-reply", "1024"));
  g_autofree char *fits = g_strnfill (900, 'x'), *much = g_strnfill (1025, 'x');
  g_autofree char *reply = g_strdup_printf ("{\"choices\":[{\"message\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}", fits);

  test_server_reply_json (talk->server, OK, reply);
  talk_assert_text (talk, fits);
  test_server_reply_json (talk->server, OK, much);
  talk_assert_failure (talk, CLQ_FAILURE_CRITICAL, "the reply of " HERE " is larger than 1024 bytes, the max-reply of agent 'model'");
}

void
test_add_bad (void)
{
  g_test_add_func ("/colloquy/openai/bad/statuses", test_statuses);
  g_test_add_func ("/colloquy/openai/bad/redirect", test_redirect);
  g_test_add_func ("/colloquy/openai/bad/large-refusal", test_large_refusal);
  g_test_add_func ("/colloquy/openai/bad/refused", test_refused);
  g_test_add_func ("/colloquy/openai/bad/closed-at-once", test_closed_at_once);
  g_test_add_func ("/colloquy/openai/bad/stall-before-headers", test_stall_before_headers);
  g_test_add_func ("/colloquy/openai/bad/stall-before-events", test_stall_before_events);
  g_test_add_func ("/colloquy/openai/bad/stall-in-stream", test_stall_in_stream);
  g_test_add_func ("/colloquy/openai/bad/stall-in-body", test_stall_in_body);
  g_test_add_func ("/colloquy/openai/bad/stall-in-refusal", test_stall_in_refusal);
  g_test_add_func ("/colloquy/openai/bad/drip", test_drip);
  g_test_add_func ("/colloquy/openai/bad/drip-in-body", test_drip_in_body);
  g_test_add_func ("/colloquy/openai/bad/truncated", test_truncated);
  g_test_add_func ("/colloquy/openai/bad/truncated-chunk", test_truncated_chunk);
  g_test_add_func ("/colloquy/openai/bad/wrong-length", test_wrong_length);
  g_test_add_func ("/colloquy/openai/bad/garbage", test_garbage);
  g_test_add_func ("/colloquy/openai/bad/no-http", test_no_http);
  g_test_add_func ("/colloquy/openai/bad/wrong-type", test_wrong_type);
  g_test_add_func ("/colloquy/openai/bad/errors-inside", test_errors_inside);
  g_test_add_func ("/colloquy/openai/bad/stop-reasons", test_stop_reasons);
  g_test_add_func ("/colloquy/openai/bad/large", test_large);
  g_test_add_func ("/colloquy/openai/bad/max-reply", test_max_reply);
}
