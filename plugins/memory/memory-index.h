/* The search: for each word the records that hold it, so that looking for words does not read the journals. */
#pragma once

#include "memory-row.h"

G_BEGIN_DECLS

typedef struct
{
  GHashTable *words; /* word → Postings */
  GArray *documents;
  guint64 n_words;
} MemoryIndex;

typedef struct
{
  MemoryRow *row;
  guint64 seq;
  double relevance; /* BM25, as a part of what the words can score at all */
  guint document;   /* later records have larger numbers */
} MemoryHit;

void memory_index_init (MemoryIndex *self);
void memory_index_clear (MemoryIndex *self);
void memory_index_add (MemoryIndex *self, MemoryRow *row, const ClqRecord *record);
GArray *memory_index_search (MemoryIndex *self, const char *text);

G_END_DECLS
