/* A binary heap of times at which rows are due. A row knows where it is, so its time can be changed or taken out. */
#pragma once

#include "memory-row.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 time;
  MemoryRow *row; /* its heap_slot is the place in the heap, from 1 on; a row is in one heap at a time */
} MemoryHeapEntry;

typedef struct
{
  MemoryHeapEntry *entries;
  guint n_entries;
  guint room;
} MemoryHeap;

void memory_heap_clear (MemoryHeap *self);
void memory_heap_set (MemoryHeap *self, MemoryRow *row, gint64 time);
void memory_heap_remove (MemoryHeap *self, MemoryRow *row);
gint64 memory_heap_get_first (const MemoryHeap *self);
MemoryRow *memory_heap_take_due (MemoryHeap *self, gint64 now);

G_END_DECLS
