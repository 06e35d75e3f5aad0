/* The keys of inputs that were taken, with what these brought. */
#pragma once

#include "memory-row.h"

G_BEGIN_DECLS

typedef struct
{
  const MemoryRow *row;
  guint64 seq; /* the newest record of the commit */
  char *key;
  char *result; /* NULL = none */
} MemoryKey;

typedef struct
{
  GHashTable *table; /* of MemoryKey; none while no input had a key */
} MemoryKeys;

void memory_keys_clear (MemoryKeys *self);
void memory_keys_add (MemoryKeys *self, const MemoryRow *row, ClqCommit *commit);
const MemoryKey *memory_keys_find (MemoryKeys *self, const MemoryRow *row, const char *key);

G_END_DECLS
