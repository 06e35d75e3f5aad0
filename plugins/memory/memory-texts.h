/* Texts that many records begin with, each kept once. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct
{
  const char *text; /* interned */
  gsize length;
} MemoryText;

#define MEMORY_RECENT_TEXTS 64

typedef struct
{
  GArray *texts;       /* MemoryText, by number; 0 is no text */
  GHashTable *numbers; /* address of a text → number */
  struct
  {
    const char *text;
    guint32 number;
  } recent[MEMORY_RECENT_TEXTS];
} MemoryTexts;

void memory_texts_init (MemoryTexts *self);
void memory_texts_clear (MemoryTexts *self);
guint32 memory_texts_add (MemoryTexts *self, const char *text, gsize length);

static inline const MemoryText *
memory_texts_get (const MemoryTexts *self, guint32 number)
{
  return &g_array_index (self->texts, MemoryText, number);
}

G_END_DECLS
