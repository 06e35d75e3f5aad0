/* However a stream is cut into pieces, the events are the same. The first byte says how it is cut. */
#include "sse.h"
#include "fuzz.h"

static gboolean
on_event (const char *data, gsize length, gpointer user_data)
{
  g_assert (data[length] == '\0');
  g_string_append_len (user_data, data, (gssize) length);
  g_string_append_c (user_data, '\0');
  return TRUE;
}

static gboolean
feed (const char *bytes, size_t size, size_t step, GString *out)
{
  OpenaiSse sse;
  gboolean fits = TRUE;

  openai_sse_init (&sse, 256);
  for (size_t i = 0; fits && i < size; i += step)
    {
      g_autofree char *piece = g_memdup2 (bytes + i, MIN (step, size - i)); /* nothing behind it may be read */

      fits = openai_sse_feed (&sse, piece, MIN (step, size - i), on_event, out);
    }
  fits = fits && openai_sse_end (&sse, on_event, out);
  openai_sse_clear (&sse);
  return fits;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GString) whole = g_string_new (NULL), pieces = g_string_new (NULL);
  size_t step = size > 0 ? data[0] % 16 + 1 : 1;

  if (size < 2)
    return 0;
  g_assert (feed ((const char *) data + 1, size - 1, size - 1, whole) == feed ((const char *) data + 1, size - 1, step, pieces));
  g_assert (whole->len == pieces->len && memcmp (whole->str, pieces->str, whole->len) == 0);
  return 0;
}
