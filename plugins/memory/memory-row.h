/* Rows: what is kept of a session. They are found by id, never move and are never taken away. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _MemoryRow MemoryRow;

/*
 * A stretch of the journal. The newest one of a session is followed by the packed head: a commit writes new records over
 * the old head and the new head behind them.
 */
typedef struct
{
  gint64 base_at;      /* of the first record */
  guint32 used;        /* bytes of the journal */
  guint32 head_length; /* 0 in older stretches, which do not change any more */
  guint8 bytes[];
} MemoryBlock;

typedef struct
{
  ClqSegment base;
  guint64 first_seq; /* of its own records; 0 = none yet */
  guint64 last_seq;
} MemorySegment;

/* What most sessions do not have. */
typedef struct
{
  MemoryBlock **blocks;    /* all but the newest, oldest first */
  MemorySegment *segments; /* by number, the root first; none while there is only the root */
  ClqMark *marks;          /* by name; the names are ours */
  guint32 n_blocks;
  guint32 n_segments;
  guint32 n_marks;
} MemoryMore;

/* Every session costs this much, so the order of the members leaves no holes. */
struct _MemoryRow
{
  guint8 id[16];
  guint64 seq;
  gint64 updated_at;
  MemoryBlock *block;
  MemoryMore *more;
  guint32 shape;
  guint32 owner;     /* 0 = none */
  guint32 heap_slot; /* 0 = in no heap */
  guint8 is_leased;  /* it is in the heap of leases, not in that of due times */
};

typedef struct
{
  guint32 *table; /* the number of a row + 1; 0 = free */
  guint table_size;
  GPtrArray *blocks;
  guint n_rows;
} MemoryRows;

void memory_rows_init (MemoryRows *self);
void memory_rows_clear (MemoryRows *self);
MemoryRow *memory_rows_find (MemoryRows *self, const guint8 *id);
MemoryRow *memory_rows_add (MemoryRows *self, const guint8 *id);
MemoryRow *memory_rows_get (MemoryRows *self, guint index);

void memory_row_write (MemoryRow *self, gint64 base_at, const guint8 *records, gsize records_length, const guint8 *head, gsize head_length);
void memory_row_close_block (MemoryRow *self);
MemoryMore *memory_row_get_more (MemoryRow *self);
MemorySegment *memory_row_find_segment (const MemoryRow *self, guint32 segment);
void memory_row_add_segment (MemoryRow *self, const ClqSegment *segment);
void memory_row_set_mark (MemoryRow *self, const ClqMark *mark);

/* Arrays that remember no capacity: they double whenever their length is a power of two. */
#define MEMORY_GROW(array, n) \
  (((n) & ((n) -1)) == 0 ? (void) ((array) = g_realloc_n ((array), (n) == 0 ? 1 : 2 * (gsize) (n), sizeof *(array))) : (void) 0)

G_END_DECLS
