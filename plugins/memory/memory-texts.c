#define G_LOG_DOMAIN "memory-texts"

#include "memory-texts.h"

/**
 * memory_texts_init:
 * @self: zeroed memory
 */
void
memory_texts_init (MemoryTexts *self)
{
  self->texts = g_array_new (FALSE, TRUE, sizeof (MemoryText));
  g_array_set_size (self->texts, 1);
  self->numbers = g_hash_table_new (NULL, NULL);
}

/**
 * memory_texts_clear:
 * @self: texts, or zeroed memory
 */
void
memory_texts_clear (MemoryTexts *self)
{
  g_clear_pointer (&self->texts, g_array_unref);
  g_clear_pointer (&self->numbers, g_hash_table_unref);
}

static guint32
find_number (MemoryTexts *self, const char *text, gsize length)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, text));
  MemoryText added = { text, length };

  if (number != 0)
    return number;
  number = self->texts->len;
  g_array_append_val (self->texts, added);
  g_hash_table_insert (self->numbers, (gpointer) text, GUINT_TO_POINTER (number));
  return number;
}

/**
 * memory_texts_add:
 * @self: texts
 * @text: an interned text
 * @length: its bytes
 *
 * Returns: the number that stands for it, never 0
 */
guint32
memory_texts_add (MemoryTexts *self, const char *text, gsize length)
{
  guint place = (GPOINTER_TO_SIZE (text) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32) % MEMORY_RECENT_TEXTS;

  if (self->recent[place].text != text)
    {
      self->recent[place].number = find_number (self, text, length);
      self->recent[place].text = text;
    }
  return self->recent[place].number;
}
