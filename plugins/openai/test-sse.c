/* Server-sent events: each stream whole, byte by byte, and cut in two at every place. */
#include "sse.h"

#include <string.h>

#define VECTOR(name, stream, events) \
  { \
    name, stream, sizeof stream - 1, events, sizeof events - 1 \
  }

/* What a stream holds: the data of its events, each with a | behind it. */
static const struct
{
  const char *name;
  const char *stream;
  gsize stream_length;
  const char *events;
  gsize events_length;
} vectors[] = {
  VECTOR ("nothing", "", ""),
  VECTOR ("lf", "data: one\n\ndata: two\n\n", "one|two|"),
  VECTOR ("crlf", "data: one\r\n\r\ndata: two\r\n\r\n", "one|two|"),
  VECTOR ("cr", "data: one\r\rdata: two\r\r", "one|two|"),
  VECTOR ("mixed", "data: a\r\ndata: b\rdata: c\n\rdata: d\r\n\n", "a\nb\nc|d|"),
  VECTOR ("mark", "\xef\xbb\xbf"
                  "data: one\n\n",
          "one|"),
  VECTOR ("no-mark", "\xef\xbb"
                     "data: one\n\ndata: two\n\n",
          "two|"),
  VECTOR ("mark-later", "data: one\n\n\xef\xbb\xbf"
                        "data: two\n\ndata: three\n\n",
          "one|three|"),
  VECTOR ("comments", ": hello\n\n:\n:data: no\ndata: one\n: in between\ndata: two\n\n", "one\ntwo|"),
  VECTOR ("several-lines", "data: a\ndata:\ndata:  b\ndata\n\n", "a\n\n b\n|"),
  VECTOR ("empty-data", "data\n\ndata:\n\ndata\ndata\n\n", "||\n|"),
  VECTOR ("one-space", "data:x\n\ndata: x\n\ndata:  x\n\ndata:\tx\n\n", "x|x| x|\tx|"),
  VECTOR ("other-fields", "event: message\nid: 7\nretry: 100\ndata: one\n\nevent: nothing\n\ndatas: no\n\ndat: no\n\n data: no\n\n", "one|"),
  VECTOR ("colons", "data: a: b: c\n\n", "a: b: c|"),
  VECTOR ("many-empty-lines", "\n\n\r\r\r\n\r\ndata: one\n\n\n\n", "one|"),
  VECTOR ("utf-8", "data: \xc3\xa4\xf0\x9f\x98\x80\n\n", "\xc3\xa4\xf0\x9f\x98\x80|"),
  VECTOR ("nul", "data: a\0b\n\n", "a\0b|"),
  VECTOR ("json", "data: {\"choices\":[]}\n\ndata: [DONE]\n\n", "{\"choices\":[]}|[DONE]|"),
};

static gboolean
note (const char *data, gsize length, gpointer user_data)
{
  GString *out = user_data;

  g_assert_cmpint (data[length], ==, '\0');
  g_string_append_len (out, data, (gssize) length);
  g_string_append_c (out, '|');
  return TRUE;
}

/* Reads a stream in pieces of which the ends are given. */
static GString *
read_cut (const char *stream, gsize length, gsize first, gsize second)
{
  OpenaiSse sse;
  GString *out = g_string_new (NULL);
  const gsize ends[] = { 0, first, second, length };

  openai_sse_init (&sse, 1000);
  for (guint i = 1; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *piece = g_memdup2 (stream + ends[i - 1], ends[i] - ends[i - 1]);

      g_assert_true (openai_sse_feed (&sse, piece, ends[i] - ends[i - 1], note, out));
    }
  openai_sse_clear (&sse);
  return out;
}

static void
test_vectors (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    for (gsize first = 0; first <= vectors[i].stream_length; first++)
      for (gsize second = first; second <= vectors[i].stream_length; second++)
        {
          GString *out = read_cut (vectors[i].stream, vectors[i].stream_length, first, second);

          g_assert_cmpmem (out->str, out->len, vectors[i].events, vectors[i].events_length);
          g_string_free (out, TRUE);
        }
}

static void
test_bytes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      OpenaiSse sse;

      openai_sse_init (&sse, 1000);
      for (gsize at = 0; at < vectors[i].stream_length; at++)
        g_assert_true (openai_sse_feed (&sse, vectors[i].stream + at, 1, note, out));
      openai_sse_clear (&sse);
      g_assert_cmpmem (out->str, out->len, vectors[i].events, vectors[i].events_length);
    }
}

/* A stream that just stops: what has come is given, and only then. */
static void
test_end (void)
{
  static const char *const cases[][2] = {
    { "data: one\n\ndata: two\n", "one|two|" },
    { "data: one\n\ndata: two", "one|two|" },
    { "data: one\ndata: two", "one\ntwo|" },
    { "data: one\n\n", "one|" },
    { "data: one\n\nda", "one|" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      gsize before;
      OpenaiSse sse;

      openai_sse_init (&sse, 1000);
      g_assert_true (openai_sse_feed (&sse, cases[i][0], strlen (cases[i][0]), note, out));
      before = out->len;
      g_assert_cmpint (openai_sse_end (&sse, note, out), ==, out->len > before);
      g_assert_cmpstr (out->str, ==, cases[i][1]);
      openai_sse_clear (&sse);
    }
}

/* The limit holds for one event, with all its lines; not for the stream. */
static void
test_limit (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  OpenaiSse sse;

  openai_sse_init (&sse, 20);
  for (guint i = 0; i < 100; i++)
    g_assert_true (openai_sse_feed (&sse, "data: 0123456789\n\n", 18, note, out));
  g_assert_true (openai_sse_feed (&sse, "data: 01234567890123", 20, note, out));
  g_assert_false (openai_sse_feed (&sse, "4", 1, note, out));
  openai_sse_clear (&sse);

  openai_sse_init (&sse, 20);
  g_assert_true (openai_sse_feed (&sse, "data: 0123\n", 11, note, out));
  g_assert_false (openai_sse_feed (&sse, "data: 01234\n", 12, note, out));
  openai_sse_clear (&sse);

  openai_sse_init (&sse, 20);
  g_assert_false (openai_sse_feed (&sse, ": a comment without an end", 26, note, out));
  openai_sse_clear (&sse);
}

static gboolean
take_one (const char *data, gsize length, gpointer user_data)
{
  note (data, length, user_data);
  return FALSE;
}

static void
test_no_more (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  OpenaiSse sse;

  openai_sse_init (&sse, 1000);
  g_assert_true (openai_sse_feed (&sse, "data: one\n\ndata: two\n\n", 22, take_one, out));
  openai_sse_clear (&sse);
  g_assert_cmpstr (out->str, ==, "one|");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/openai/sse/vectors", test_vectors);
  g_test_add_func ("/colloquy/openai/sse/bytes", test_bytes);
  g_test_add_func ("/colloquy/openai/sse/end", test_end);
  g_test_add_func ("/colloquy/openai/sse/limit", test_limit);
  g_test_add_func ("/colloquy/openai/sse/no-more", test_no_more);
  return g_test_run ();
}
