/* The parts of the plugin that need no server. */
#include "test-server.h"

#include <string.h>

/* ---- settings ---- */

static void
assert_refused (const char *const *settings, const char *message)
{
  g_autoptr (ClqTestNode) node = clq_test_node_new (&test_asker, NULL);
  g_autofree char *whole = g_strconcat ("agent 'chat': ", message, NULL);
  g_autoptr (GError) error = NULL;
  guint n = g_strv_length ((char **) settings);

  g_assert_false (clq_test_node_add_agent (node, "model", &openai_chat, &error, settings[0], settings[1],
                                           n > 2 ? settings[2] : NULL, n > 2 ? settings[3] : NULL, n > 4 ? settings[4] : NULL, n > 4 ? settings[5] : NULL, NULL));
  g_assert_cmpstr (error->message, ==, whole);
}

static void
test_settings_refused (void)
{
  g_setenv ("CLQ_TEST_KEY", "sk-canary\r\nX-Evil: 1", TRUE);
  assert_refused (SETTINGS ("stream", "true"), "there is no model; expected model=NAME, as the server calls it");
  assert_refused (SETTINGS ("model", "m", "api-key", "env:CLQ_TEST_KEY"), "api-key has a character that no key has; expected one word");
  assert_refused (SETTINGS ("model", "m", "extra", "[1]"), "extra is no JSON object");
  assert_refused (SETTINGS ("model", "m", "extra", "{\"stream\":true}"), "extra has 'stream', which is not for it to say");
  assert_refused (SETTINGS ("model", "m", "system-prompt", "a", "system-prompt-file", "b"),
                  "there is both system-prompt and system-prompt-file; expected one of them");
  assert_refused (SETTINGS ("model", "m", "system-prompt-file", "/nowhere/at/all"),
                  "system-prompt-file: Failed to open file “/nowhere/at/all”: No such file or directory");
  assert_refused (SETTINGS ("model", "m", "temperature", "2.5"), "temperature: 2.5 is out of range; expected 0 to 2");
}

static void
test_endpoints (void)
{
  static const struct
  {
    const char *text;
    gboolean insecure;
    const char *uri; /* NULL: refused */
    const char *place;
  } cases[] = {
    { "https://api.openai.com/v1", FALSE, "https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1" },
    { "https://api.openai.com/v1//", FALSE, "https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1" },
    { "https://x.example/v1/chat/completions", FALSE, "https://x.example/v1/chat/completions", "https://x.example/v1/chat/completions" },
    { "http://localhost:11434/v1", FALSE, "http://localhost:11434/v1/chat/completions", "http://localhost:11434/v1" },
    { "http://127.8.9.1", FALSE, "http://127.8.9.1/chat/completions", "http://127.8.9.1" },
    { "http://[::1]:8080/v1", FALSE, "http://[::1]:8080/v1/chat/completions", "http://[::1]:8080/v1" },
    { "http://192.168.1.5:8080/v1", TRUE, "http://192.168.1.5:8080/v1/chat/completions", "http://192.168.1.5:8080/v1" },
    { "http://192.168.1.5:8080/v1", FALSE, NULL, NULL },
    { "http://localhost.evil.example/v1", FALSE, NULL, NULL },
    { "http://127.0.0.1.evil.example/v1", FALSE, NULL, NULL },
    { "ftp://localhost/v1", TRUE, NULL, NULL },
    { "localhost:11434/v1", TRUE, NULL, NULL },
    { "https://ada:secret@x.example/v1", TRUE, NULL, NULL },
    { "ftp://ada:secret@x.example/v1", TRUE, NULL, NULL },
    { "https://ada:my secret@x.example/v1", TRUE, NULL, NULL },
    { "https://x.example:99999/v1?key=secret", TRUE, NULL, NULL },
    { "https://x.example/v1?key=secret", TRUE, NULL, NULL },
    { "https://x.example/v1#a", TRUE, NULL, NULL },
    { "https:///v1", TRUE, NULL, NULL },
    { "https://x.example\r\nX-Evil: 1/v1", TRUE, NULL, NULL },
    { "https://x.example/v1\nHost: y", TRUE, NULL, NULL },
    { "https://x%0d%0a.example/v1", TRUE, NULL, NULL },
    { "https://\xc3\xa4.example/v1", TRUE, NULL, NULL },
    { "https://x.example:99999/v1", TRUE, NULL, NULL },
    { "", TRUE, NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *place = NULL, *text = NULL;
      g_autoptr (GUri) uri = openai_endpoint_parse (cases[i].text, cases[i].insecure, &place, &error);

      text = uri != NULL ? g_uri_to_string (uri) : NULL;
      g_assert_cmpstr (text, ==, cases[i].uri);
      g_assert_cmpstr (place, ==, cases[i].place);
      g_assert_true ((error != NULL) == (cases[i].uri == NULL));
      g_assert_true (error == NULL || strstr (error->message, "secret") == NULL);
    }
}

/* ---- words ---- */

static void
test_retry_after (void)
{
  gint64 now = 784111770 * G_TIME_SPAN_SECOND; /* seven seconds before the date below */

  g_assert_cmpint (openai_parse_retry_after (NULL, now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("0", now), ==, 0);
  g_assert_cmpint (openai_parse_retry_after ("20", now), ==, 20 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (openai_parse_retry_after ("99999999999999999999999", now), ==, G_TIME_SPAN_HOUR);
  g_assert_cmpint (openai_parse_retry_after ("-1", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("1.5", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("soon", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 06 Nov 1994 08:49:37 GMT", now), ==, 7 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 06 Nov 1993 08:49:37 GMT", now), ==, 0);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 06 Nov 2094 08:49:37 GMT", now), ==, G_TIME_SPAN_HOUR);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 06 ovD 1994 08:49:37 GMT", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 66 Nov 1994 08:49:37 GMT", now), ==, -1);
  g_assert_cmpint (openai_parse_retry_after ("Sun, 06 Nov 1994 08:49:37 GMT+1", now), ==, -1);
}

static void
assert_clean (const char *text, const char *secret, const char *expected)
{
  g_autofree char *clean = openai_clean (text, secret);

  g_assert_cmpstr (clean, ==, expected);
}

static void
test_clean (void)
{
  g_autofree char *much = g_strnfill (1000, 'x'), *clipped = g_strnfill (300, 'x');
  g_autofree char *expected = g_strconcat (clipped, "…", NULL);

  assert_clean ("", NULL, "");
  assert_clean ("  one\n\ttwo \x1b[31mthree\x7f. ", NULL, "one two [31mthree");
  assert_clean ("a\u202eb \xff", NULL, "a b \ufffd");
  assert_clean (much, NULL, expected);
  assert_clean ("your key sk-abcdefgh is bad", "sk-abcdefgh", "your key … is bad");
  assert_clean ("your key 'sk-a****' or ****efgh.", "sk-abcdefgh", "your key … or …");
  assert_clean ("stars **bold** stay", "sk-abcdefgh", "stars **bold** stay");
}

static void
test_estimate (void)
{
  g_assert_cmpuint (openai_estimate_tokens (""), ==, 0);
  g_assert_cmpuint (openai_estimate_tokens ("word"), ==, 1);
  g_assert_cmpuint (openai_estimate_tokens ("words"), ==, 2);
  g_assert_cmpuint (openai_estimate_tokens ("日本語"), ==, 3);
}

/* ---- requests ---- */

static void
assert_writes (const char *system_prompt, const char *request, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *body = openai_request_write (system_prompt, "\"model\":\"m\"", request, &error);

  g_assert_no_error (error);
  g_assert_true (clq_json_check (body, -1, NULL, NULL));
  g_assert_cmpstr (body, ==, expected);
}

static void
test_request (void)
{
  assert_writes (NULL, "{\"messages\":[]}", "{\"messages\":[],\"model\":\"m\"}");
  assert_writes ("Be brief.", "{\"messages\":[{\"role\":\"system\",\"text\":\"You are\\n\\\"Bo\\\".\"},{\"role\":\"user\",\"text\":\"h\\u00e4\"}]}",
                 "{\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\\n\\nYou are\\n\\\"Bo\\\".\"},{\"role\":\"user\",\"content\":\"h\\u00e4\"}],\"model\":\"m\"}");
  /* a system message in the middle stays where it is */
  assert_writes (NULL, "{\"messages\":[{\"role\":\"user\",\"text\":\"a\"},{\"role\":\"system\",\"text\":\"b\"}]}",
                 "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"system\",\"content\":\"b\"}],\"model\":\"m\"}");
}

static void
test_request_tools (void)
{
  assert_writes (NULL,
                 "{\"messages\":[{\"role\":\"assistant\",\"text\":\"\",\"tools\":[{\"id\":\"x1\",\"name\":\"clock.now\",\"arguments\":{\"zone\":\"UTC\"}}]},"
                 "{\"role\":\"tool\",\"id\":\"x1\",\"name\":\"clock.now\",\"text\":\"noon\"}],"
                 "\"tools\":[{\"name\":\"http-get.page\",\"summary\":\"Gets\",\"schema\":{\"type\":\"object\"}},{\"name\":\"a.b\"}]}",
                 "{\"messages\":[{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"x1\",\"type\":\"function\",\"function\":"
                 "{\"name\":\"clock_now\",\"arguments\":\"{\\\"zone\\\":\\\"UTC\\\"}\"}}]},"
                 "{\"role\":\"tool\",\"tool_call_id\":\"x1\",\"content\":\"noon\"}],"
                 "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"http-get_page\",\"description\":\"Gets\",\"parameters\":{\"type\":\"object\"}}},"
                 "{\"type\":\"function\",\"function\":{\"name\":\"a_b\"}}],\"model\":\"m\"}");
}

static void
test_request_refused (void)
{
  static const char *const bad[][2] = {
    { "{\"messages\":[", "request: 1:14: unexpected end of text; expected a value or ']'" },
    { "{}", "the request has no messages" },
    { "[]", "the request has no messages" },
    { "{\"messages\":[{\"role\":\"user\"}]}", "a message of the request is {\"role\":\"user\"}; expected role and text" },
    { "{\"messages\":[{\"role\":\"tool\",\"text\":\"x\"}]}", "a message of the request is {\"role\":\"tool\",\"text\":\"x\"}; expected role and text and id" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (openai_request_write (NULL, "", bad[i][0], &error));
      g_assert_cmpstr (error->message, ==, bad[i][1]);
    }
}

/* ---- answers ---- */

static void
add (OpenaiAnswer *answer, const char *json)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (openai_answer_add (answer, json, strlen (json), &error));
  g_assert_no_error (error);
}

static void
assert_tool (const OpenaiAnswer *answer, guint i, const char *id, const char *name, const char *arguments)
{
  const OpenaiToolCall *tool = g_ptr_array_index (answer->tools, i);

  g_assert_cmpstr (tool->id, ==, id);
  g_assert_cmpstr (tool->name->str, ==, name);
  g_assert_cmpstr (tool->arguments->str, ==, arguments);
}

#define TOOLS(pieces) "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[" pieces "]}}]}"

/* Pieces of several calls, mixed. */
static void
test_tool_calls (void)
{
  OpenaiAnswer answer;

  openai_answer_init (&answer);
  add (&answer, TOOLS ("{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"clock_now\",\"arguments\":\"\"}}"));
  add (&answer, TOOLS ("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"files_read\",\"arguments\":\"{\\\"pa\"}}"));
  add (&answer, TOOLS ("{\"index\":0,\"function\":{\"arguments\":\"{}\"}},{\"index\":1,\"function\":{\"arguments\":\"th\\\":\"}}"));
  g_assert_false (openai_answer_is_whole (&answer));
  add (&answer, TOOLS ("{\"index\":1,\"function\":{\"arguments\":\"\\\"x\\\"}\"}}"));
  add (&answer, "{\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}");
  g_assert_true (openai_answer_is_whole (&answer));
  g_assert_cmpuint (answer.tools->len, ==, 2);
  assert_tool (&answer, 0, "a", "clock_now", "{}");
  assert_tool (&answer, 1, "b", "files_read", "{\"path\":\"x\"}");
  openai_answer_clear (&answer);
}

/* Servers without an index, and with arguments that are an object. */
static void
test_tool_calls_odd (void)
{
  OpenaiAnswer answer;

  openai_answer_init (&answer);
  add (&answer, TOOLS ("{\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"[\"}}"));
  add (&answer, TOOLS ("{\"function\":{\"arguments\":\"1]\"}}"));
  add (&answer, TOOLS ("{\"id\":\"b\",\"function\":{\"name\":\"y\",\"arguments\":{\"k\": 1}}}"));
  assert_tool (&answer, 0, "a", "x", "[1]");
  assert_tool (&answer, 1, "b", "y", "{\"k\": 1}");
  openai_answer_clear (&answer);
}

static void
test_tool_calls_many (void)
{
  OpenaiAnswer answer;
  g_autoptr (GError) error = NULL;
  gboolean is_fine = TRUE;

  openai_answer_init (&answer);
  for (guint i = 0; is_fine && i < 1000; i++)
    {
      g_autofree char *json = g_strdup_printf (TOOLS ("{\"index\":%u,\"function\":{\"name\":\"x\"}}"), i);

      is_fine = openai_answer_add (&answer, json, strlen (json), &error);
    }
  g_assert_error (error, CLQ_FAILURE, CLQ_FAILURE_RECOVERABLE);
  g_assert_cmpuint (answer.tools->len, <, 100);
  openai_answer_clear (&answer);
}

/* Things that are JSON and yet nothing. */
static void
test_answer_odd (void)
{
  static const char *const odd[] = { "null", "[]", "7", "{}", "{\"choices\":7}", "{\"choices\":[null,7,\"x\"]}", "{\"choices\":[{\"delta\":[]}],\"usage\":[]}",
                                     "{\"choices\":[{\"delta\":{\"content\":7,\"tool_calls\":{\"a\":1}}}],\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":\"x\"}}" };
  OpenaiAnswer answer;

  openai_answer_init (&answer);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    add (&answer, odd[i]);
  g_assert_false (openai_answer_is_whole (&answer));
  g_assert_cmpuint (answer.text->len, ==, 0);
  g_assert_cmpuint (answer.tokens_in, ==, 0);
  openai_answer_clear (&answer);
}

void
test_add_parts (void)
{
  g_test_add_func ("/colloquy/openai/settings/refused", test_settings_refused);
  g_test_add_func ("/colloquy/openai/settings/endpoints", test_endpoints);
  g_test_add_func ("/colloquy/openai/words/retry-after", test_retry_after);
  g_test_add_func ("/colloquy/openai/words/clean", test_clean);
  g_test_add_func ("/colloquy/openai/words/estimate", test_estimate);
  g_test_add_func ("/colloquy/openai/request/messages", test_request);
  g_test_add_func ("/colloquy/openai/request/tools", test_request_tools);
  g_test_add_func ("/colloquy/openai/request/refused", test_request_refused);
  g_test_add_func ("/colloquy/openai/answer/tool-calls", test_tool_calls);
  g_test_add_func ("/colloquy/openai/answer/tool-calls-odd", test_tool_calls_odd);
  g_test_add_func ("/colloquy/openai/answer/tool-calls-many", test_tool_calls_many);
  g_test_add_func ("/colloquy/openai/answer/odd", test_answer_odd);
}
