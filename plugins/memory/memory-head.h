/* Heads at rest: packed, with the texts that many sessions share beside them. */
#pragma once

#include "memory-row.h"

G_BEGIN_DECLS

/* What sessions in the same state of the same graph share. */
typedef struct
{
  const char *graph_hash; /* all of these are interned or constant */
  const char *graph;
  const char *state;
  const char *status;
  guint32 index;
} MemoryShape;

#define MEMORY_RECENT_SHAPES 64

typedef struct
{
  GPtrArray *shapes;
  GHashTable *by_texts;
  const MemoryShape *recent[MEMORY_RECENT_SHAPES];
  GPtrArray *owners;    /* by the number that a row has; 0 is nobody */
  GHashTable *by_owner; /* text → number */
} MemoryHeads;

void memory_heads_init (MemoryHeads *self);
void memory_heads_clear (MemoryHeads *self);
const MemoryShape *memory_heads_get_shape (MemoryHeads *self, guint32 index);
guint32 memory_heads_find_owner (MemoryHeads *self, const char *owner);

void memory_head_encode (MemoryHeads *heads, MemoryRow *row, const ClqHead *head, GByteArray *out);
ClqHead *memory_head_read (MemoryHeads *heads, const MemoryRow *row, GError **error);

G_END_DECLS
