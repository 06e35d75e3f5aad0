#define G_LOG_DOMAIN "memory-heap"

#include "memory-heap.h"

#include <string.h>

/**
 * memory_heap_clear:
 * @self: a heap, or zeroed memory
 */
void
memory_heap_clear (MemoryHeap *self)
{
  g_clear_pointer (&self->entries, g_free);
  self->n_entries = self->room = 0;
}

/* At the same time the id decides, so that the order does not depend on what was in the heap before. */
static gboolean
is_before (const MemoryHeapEntry *a, const MemoryHeapEntry *b)
{
  return a->time < b->time || (a->time == b->time && memcmp (a->row->id, b->row->id, sizeof a->row->id) < 0);
}

static void
put (MemoryHeap *self, guint place, MemoryHeapEntry entry)
{
  self->entries[place] = entry;
  entry.row->heap_slot = place + 1;
}

static void
move_up (MemoryHeap *self, guint place, MemoryHeapEntry entry)
{
  while (place > 0 && is_before (&entry, &self->entries[(place - 1) / 2]))
    {
      put (self, place, self->entries[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
  put (self, place, entry);
}

static void
move_down (MemoryHeap *self, guint place, MemoryHeapEntry entry)
{
  for (guint child = 2 * place + 1; child < self->n_entries; child = 2 * place + 1)
    {
      if (child + 1 < self->n_entries && is_before (&self->entries[child + 1], &self->entries[child]))
        child++;
      if (!is_before (&self->entries[child], &entry))
        break;
      put (self, place, self->entries[child]);
      place = child;
    }
  put (self, place, entry);
}

static void
settle (MemoryHeap *self, guint place, MemoryHeapEntry entry)
{
  if (place > 0 && is_before (&entry, &self->entries[(place - 1) / 2]))
    move_up (self, place, entry);
  else
    move_down (self, place, entry);
}

/**
 * memory_heap_set:
 * @self: a heap
 * @row: a row that is in this heap or in none
 * @time: when it is due
 */
void
memory_heap_set (MemoryHeap *self, MemoryRow *row, gint64 time)
{
  MemoryHeapEntry entry = { time, row };

  if (row->heap_slot != 0)
    {
      if (self->entries[row->heap_slot - 1].time != time)
        settle (self, row->heap_slot - 1, entry);
      return;
    }
  if (self->n_entries == self->room)
    {
      self->room = MAX (2 * self->room, 16);
      self->entries = g_renew (MemoryHeapEntry, self->entries, self->room);
    }
  move_up (self, self->n_entries++, entry);
}

/**
 * memory_heap_remove:
 * @self: a heap
 * @row: a row that is in this heap or in none
 */
void
memory_heap_remove (MemoryHeap *self, MemoryRow *row)
{
  guint place = row->heap_slot - 1;
  MemoryHeapEntry last;

  if (row->heap_slot == 0)
    return;
  last = self->entries[--self->n_entries];
  row->heap_slot = 0;
  if (place < self->n_entries)
    settle (self, place, last);
}

/**
 * memory_heap_get_first:
 * @self: a heap
 *
 * Returns: the earliest time; 0 = the heap is empty
 */
gint64
memory_heap_get_first (const MemoryHeap *self)
{
  return self->n_entries > 0 ? self->entries[0].time : 0;
}

/**
 * memory_heap_take_due:
 * @self: a heap
 * @now: a time
 *
 * Takes out the first row if its time is not after @now.
 *
 * Returns: (transfer none) (nullable): that row
 */
MemoryRow *
memory_heap_take_due (MemoryHeap *self, gint64 now)
{
  MemoryRow *row;

  if (self->n_entries == 0 || self->entries[0].time > now)
    return NULL;
  row = self->entries[0].row;
  memory_heap_remove (self, row);
  return row;
}
