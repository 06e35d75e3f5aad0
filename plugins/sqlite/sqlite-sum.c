#define G_LOG_DOMAIN "sqlite-sum"

#include "sqlite-sum.h"

#include <string.h>

/*
 * Words of eight bytes are mixed into the state one after the other. Each step can be undone, so two texts of the same
 * length that differ in one word never meet before the end, where half of the state is given away.
 */
#define START G_GUINT64_CONSTANT (0x243f6a8885a308d3)
#define FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

static inline guint64
mix (guint64 state, guint64 word)
{
  state = (state ^ word) * FACTOR;
  return state ^ state >> 32;
}

/**
 * sqlite_sum_init:
 * @self: a sum
 */
void
sqlite_sum_init (SqliteSum *self)
{
  self->state = START;
}

/**
 * sqlite_sum_number:
 * @self: a sum
 * @number: what to add
 */
void
sqlite_sum_number (SqliteSum *self, gint64 number)
{
  self->state = mix (self->state, number);
}

/**
 * sqlite_sum_bytes:
 * @self: a sum
 * @bytes: (nullable) (array length=length): what to add; %NULL is not the same as nothing
 * @length: how many
 */
void
sqlite_sum_bytes (SqliteSum *self, gconstpointer bytes, gsize length)
{
  const guint8 *next = bytes;
  guint64 state = mix (self->state, bytes != NULL ? length + 1 : 0), word;

  for (; length >= sizeof word; length -= sizeof word, next += sizeof word)
    {
      memcpy (&word, next, sizeof word);
      state = mix (state, GUINT64_FROM_LE (word));
    }
  if (length > 0)
    {
      word = 0;
      memcpy (&word, next, length);
      state = mix (state, GUINT64_FROM_LE (word));
    }
  self->state = state;
}

/**
 * sqlite_sum_text:
 * @self: a sum
 * @text: (nullable): what to add
 */
void
sqlite_sum_text (SqliteSum *self, const char *text)
{
  sqlite_sum_bytes (self, text, text != NULL ? strlen (text) : 0);
}

/**
 * sqlite_sum_end:
 * @self: a sum
 *
 * Returns: the checksum; as a signed number it takes four bytes in a row
 */
gint32
sqlite_sum_end (const SqliteSum *self)
{
  return (gint32) (mix (self->state, FACTOR) >> 32);
}
