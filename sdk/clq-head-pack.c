#define G_LOG_DOMAIN "clq-head"

#include "clq-private.h"

#include <string.h>

/*
 * A packed head is: format, then numbers as LEB128, texts as length + 1 and bytes (0 = none), in the order of
 * clq_head_pack (). Times are told by their distance from each other, so that most take a byte or two: a session's id
 * begins with the millisecond in which it was made. Format 1 may grow at its end; readers pass over what they do not know.
 */
#define HEAD_FORMAT 1
#define MAX_NUMBER 10  /* bytes */
#define MAX_NUMBERS 32 /* numbers in a packed head, beside the visits */
#define MAX_USUAL 1024 /* bytes of a head that is packed without asking for memory */

/* The time in a UUIDv7, in microseconds; of any other id some number. */
static guint64
get_id_time (const guint8 id[16])
{
  guint64 bytes;

  memcpy (&bytes, id, sizeof bytes);
  return (GUINT64_FROM_BE (bytes) >> 16) * 1000;
}

static inline guint8 *
put_number (guint8 *out, guint64 number)
{
  for (; G_UNLIKELY (number >= 0x80); number >>= 7)
    *out++ = 0x80 | (number & 0x7f);
  *out++ = number;
  return out;
}

static guint8 *
put_text (guint8 *out, const char *text, gsize length)
{
  out = put_number (out, text != NULL ? length + 1 : 0);
  if (length > 0)
    memcpy (out, text, length);
  return out + length;
}

/* The texts of an extra, in the order in which they are packed. */
#define N_TEXTS 7

static void
get_texts (const ClqExtra *extra, const char *texts[N_TEXTS])
{
  texts[0] = extra->owner;
  texts[1] = extra->title;
  texts[2] = extra->schedule;
  texts[3] = extra->questions;
  texts[4] = extra->deadlines;
  texts[5] = extra->visit;
  texts[6] = extra->error;
}

static guint8 *
put_extra (guint8 *out, const ClqExtra *extra, const gsize lengths[N_TEXTS])
{
  const char *texts[N_TEXTS];
  guint64 cost_bits;

  get_texts (extra, texts);
  for (guint i = 0; i < N_TEXTS; i++)
    out = put_text (out, texts[i], lengths[i]);
  memcpy (&cost_bits, &extra->cost, sizeof cost_bits);
  out = put_number (out, extra->next_run);
  out = put_number (out, extra->retry_at);
  out = put_number (out, extra->tokens_in);
  out = put_number (out, extra->tokens_out);
  return put_number (out, cost_bits);
}

static guint8 *
put_times (guint8 *out, const ClqHead *self)
{
  guint64 since_id = self->created_at - get_id_time (self->id);

  out = put_number (out, since_id << 1 ^ ((gint64) since_id < 0 ? G_MAXUINT64 : 0));
  out = put_number (out, (guint64) self->updated_at - self->created_at);
  out = put_number (out, (guint64) self->updated_at - self->entered_at);
  out = put_number (out, (guint64) self->updated_at - self->input_at);
  return put_number (out, self->wake_at);
}

static guint8 *
put_counters (guint8 *out, const ClqHead *self)
{
  out = put_number (out, self->entry);
  out = put_number (out, self->segment);
  out = put_number (out, self->n_segments);
  out = put_number (out, self->hops);
  out = put_number (out, self->turns_here);
  out = put_number (out, self->since_snapshot);
  out = put_number (out, self->status);
  out = put_number (out, self->fired);
  out = put_number (out, self->n_visits);
  for (guint i = 0; i < self->n_visits; i++)
    out = put_number (out, self->visits[i]);
  return out;
}

/**
 * clq_head_pack:
 * @self: a head
 * @out: where to append the bytes
 *
 * Writes @self as bytes, for stores: all of it but id, seq, graph hash, graph name and state. Those a store keeps beside
 * the bytes, where it can look for them, and gives them back to clq_head_unpack().
 */
void
clq_head_pack (const ClqHead *self, GByteArray *out)
{
  gsize data_length = self->data != NULL ? g_ref_string_length (self->data) : 0;
  gsize lengths[N_TEXTS] = { 0 }, room = MAX_NUMBERS * MAX_NUMBER + self->n_visits * MAX_NUMBER + data_length;
  g_autofree guint8 *large = NULL;
  guint8 usual[MAX_USUAL], *start, *next;

  if (self->extra != NULL)
    {
      const char *texts[N_TEXTS];

      get_texts (self->extra, texts);
      for (guint i = 0; i < N_TEXTS; i++)
        room += lengths[i] = texts[i] != NULL ? strlen (texts[i]) : 0;
    }
  if (room > sizeof usual)
    large = g_malloc (room);
  start = large != NULL ? large : usual;
  next = put_number (start, HEAD_FORMAT);
  next = put_text (next, self->data, data_length);
  next = put_times (next, self);
  next = put_counters (next, self);
  next = put_number (next, self->extra != NULL);
  if (self->extra != NULL)
    next = put_extra (next, self->extra, lengths);
  g_byte_array_append (out, start, next - start);
}

typedef struct
{
  const guint8 *next;
  const guint8 *end;
  gboolean broken;
} Reader;

static guint64
take_number (Reader *reader)
{
  guint64 number = 0;

  for (guint shift = 0; shift < 70; shift += 7)
    {
      guint8 byte;

      if (reader->next >= reader->end)
        break;
      byte = *reader->next++;
      number |= (guint64) (byte & 0x7f) << MIN (shift, 63);
      if ((byte & 0x80) == 0)
        return number;
    }
  reader->broken = TRUE;
  return 0;
}

static char *
take_text (Reader *reader)
{
  guint64 length = take_number (reader);
  char *text;

  if (reader->broken || length == 0)
    return NULL;
  length--;
  if (length > (guint64) (reader->end - reader->next) || !g_utf8_validate_len ((const char *) reader->next, length, NULL))
    {
      reader->broken = TRUE;
      return NULL;
    }
  text = g_strndup ((const char *) reader->next, length);
  reader->next += length;
  return text;
}

/* A text that the host will read as JSON. */
static char *
take_json (Reader *reader)
{
  char *text = take_text (reader);

  if (text != NULL && !clq_json_check (text, -1, NULL, NULL))
    reader->broken = TRUE;
  return text;
}

static ClqExtra *
take_extra (Reader *reader)
{
  ClqExtra *extra;
  guint64 cost_bits;

  if (take_number (reader) == 0)
    return NULL;
  extra = clq_extra_new ();
  extra->owner = take_text (reader);
  extra->title = take_text (reader);
  extra->schedule = take_json (reader);
  extra->questions = take_json (reader);
  extra->deadlines = take_json (reader);
  extra->visit = take_json (reader);
  extra->error = take_json (reader);
  extra->next_run = take_number (reader);
  extra->retry_at = take_number (reader);
  extra->tokens_in = take_number (reader);
  extra->tokens_out = take_number (reader);
  cost_bits = take_number (reader);
  memcpy (&extra->cost, &cost_bits, sizeof cost_bits);
  return extra;
}

static void
take_times (ClqHead *self, Reader *reader)
{
  guint64 since_id = take_number (reader);

  since_id = since_id >> 1 ^ ((since_id & 1) != 0 ? G_MAXUINT64 : 0);
  self->created_at = get_id_time (self->id) + since_id;
  self->updated_at = self->created_at + take_number (reader);
  self->entered_at = self->updated_at - take_number (reader);
  self->input_at = self->updated_at - take_number (reader);
  self->wake_at = take_number (reader);
}

static void
take_counters (ClqHead *self, Reader *reader)
{
  guint64 status, n_visits;

  self->entry = take_number (reader);
  self->segment = take_number (reader);
  self->n_segments = take_number (reader);
  self->hops = take_number (reader);
  self->turns_here = take_number (reader);
  self->since_snapshot = take_number (reader);
  status = take_number (reader);
  self->fired = take_number (reader);
  n_visits = take_number (reader);
  if (status > CLQ_STATUS_FAILED || n_visits > G_MAXUINT16 || n_visits > (guint64) (reader->end - reader->next))
    {
      reader->broken = TRUE;
      status = n_visits = 0;
    }
  self->status = status;
  self->n_visits = n_visits;
  self->visits = g_new0 (guint32, MAX (self->n_visits, 1));
  for (guint i = 0; i < self->n_visits; i++)
    self->visits[i] = take_number (reader);
}

/**
 * clq_head_unpack:
 * @id: the session, 16 bytes
 * @seq: the number of its newest record
 * @graph_hash: the hash of the graph's text
 * @graph_name: the graph's name
 * @state: where the session is
 * @bytes: (array length=length): what clq_head_pack() wrote
 * @length: bytes
 * @error: return location
 *
 * Bytes that were damaged are found or give another head, but do no harm.
 *
 * Returns: (transfer full) (nullable): the head
 */
ClqHead *
clq_head_unpack (const guint8 id[16], guint64 seq, const char *graph_hash, const char *graph_name, const char *state, const guint8 *bytes, gsize length, GError **error)
{
  Reader reader = { bytes, bytes + length, FALSE };
  g_autoptr (ClqHead) self = NULL;
  g_autofree char *data = NULL;

  g_return_val_if_fail (id != NULL && graph_hash != NULL && graph_name != NULL && state != NULL, NULL);
  if (take_number (&reader) != HEAD_FORMAT || reader.broken)
    {
      g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, "the head of a session has an unknown format");
      return NULL;
    }
  self = g_new0 (ClqHead, 1);
  memcpy (self->id, id, sizeof self->id);
  self->seq = seq;
  self->graph_hash = g_intern_string (graph_hash);
  self->graph_name = g_intern_string (graph_name);
  self->state = g_intern_string (state);
  data = take_json (&reader);
  self->data = data != NULL ? g_ref_string_new (data) : NULL;
  take_times (self, &reader);
  take_counters (self, &reader);
  self->extra = take_extra (&reader);
  if (reader.broken)
    {
      g_set_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT, "the head of a session is damaged");
      return NULL;
    }
  return g_steal_pointer (&self);
}
