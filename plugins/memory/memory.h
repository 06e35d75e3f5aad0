/* The store as a whole. */
#pragma once

#include "memory-head.h"
#include "memory-heap.h"
#include "memory-index.h"
#include "memory-keys.h"
#include "memory-texts.h"
#include "memory-usage.h"

G_BEGIN_DECLS

typedef struct
{
  MemoryRows rows;
  MemoryHeads heads;
  MemoryTexts texts;
  MemoryIndex index;
  MemoryKeys keys;
  MemoryHeap due;    /* by wake_at: sessions that are not claimed */
  MemoryHeap leases; /* by the end of the claim: sessions that are */
  MemoryUsage usage;
  GHashTable *unread;  /* row → numbers of its notifications that were not read */
  GHashTable *graphs;  /* hash → text */
  GByteArray *records; /* room for those of one commit */
  GByteArray *head;    /* room for a packed one */
} Memory;

/* Which sessions are asked for. */
typedef struct
{
  guint8 *shapes;     /* by index: whether it matches; NULL = all do */
  guint32 owner;      /* 0 = anybody */
  GHashTable *unread; /* only rows in it; NULL = all */
  gboolean is_hopeless;
} MemoryFilter;

void memory_filter_init (MemoryFilter *self, Memory *memory, ClqQuery *query);
void memory_filter_clear (MemoryFilter *self);
gboolean memory_filter_match (const MemoryFilter *self, const MemoryRow *row);

void memory_list (gpointer self, ClqQuery *query);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemoryFilter, memory_filter_clear)

G_END_DECLS
