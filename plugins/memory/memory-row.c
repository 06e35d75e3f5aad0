#define G_LOG_DOMAIN "memory-row"

#include "memory-row.h"

#include <string.h>

/* Blocks double until they hold this many rows: few sessions waste little, many need few blocks. */
#define FIRST_BLOCK 16
#define BLOCK_LIMIT 1024
#define N_SMALL_BLOCKS 6 /* those before the limit is reached */
#define N_SMALL_ROWS (BLOCK_LIMIT - FIRST_BLOCK)

/* The table of ids doubles when it is fuller than four fifths. */
#define FIRST_TABLE 64

static guint
hash_id (const guint8 *id)
{
  guint64 a, b;

  memcpy (&a, id, sizeof a);
  memcpy (&b, id + sizeof a, sizeof b);
  a = (a ^ (b * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15))) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return (guint) (a >> 32);
}

/**
 * memory_rows_init:
 * @self: zeroed memory
 */
void
memory_rows_init (MemoryRows *self)
{
  self->table_size = FIRST_TABLE;
  self->table = g_new0 (guint32, self->table_size);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
}

static void
more_free (MemoryMore *more)
{
  for (guint i = 0; i < more->n_blocks; i++)
    g_free (more->blocks[i]);
  for (guint i = 0; i < more->n_marks; i++)
    g_free ((char *) more->marks[i].name);
  g_free (more->blocks);
  g_free (more->segments);
  g_free (more->marks);
  g_free (more);
}

/**
 * memory_rows_clear:
 * @self: rows, or zeroed memory
 *
 * Frees all rows and what they own.
 */
void
memory_rows_clear (MemoryRows *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    {
      MemoryRow *row = memory_rows_get (self, i);

      g_free (row->block);
      g_clear_pointer (&row->more, more_free);
    }
  self->n_rows = 0;
  g_clear_pointer (&self->table, g_free);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
}

/* Where row @index is: its block, the place in it and how many the block holds. */
static inline guint
locate (guint index, guint *place, guint *size)
{
  guint block;

  if (G_LIKELY (index >= N_SMALL_ROWS))
    {
      index -= N_SMALL_ROWS;
      *place = index % BLOCK_LIMIT;
      *size = BLOCK_LIMIT;
      return N_SMALL_BLOCKS + index / BLOCK_LIMIT;
    }
  block = g_bit_storage (index / FIRST_BLOCK + 1) - 1;
  *size = FIRST_BLOCK << block;
  *place = index + FIRST_BLOCK - *size;
  return block;
}

static inline MemoryRow *
get_row (MemoryRows *self, guint index)
{
  guint place, size, block = locate (index, &place, &size);

  return (MemoryRow *) g_ptr_array_index (self->blocks, block) + place;
}

/**
 * memory_rows_get:
 * @self: rows
 * @index: less than the number of rows
 *
 * Returns: (transfer none): a row, in the order in which they came
 */
MemoryRow *
memory_rows_get (MemoryRows *self, guint index)
{
  return get_row (self, index);
}

/* The place of @id in the table, or the free one where it belongs. */
static guint
find_place (MemoryRows *self, const guint8 *id)
{
  guint mask = self->table_size - 1, place = hash_id (id) & mask;

  while (self->table[place] != 0 && memcmp (get_row (self, self->table[place] - 1)->id, id, 16) != 0)
    place = (place + 1) & mask;
  return place;
}

static void
grow_table (MemoryRows *self)
{
  g_free (self->table);
  self->table_size *= 2;
  self->table = g_new0 (guint32, self->table_size);
  for (guint i = 0; i < self->n_rows; i++)
    self->table[find_place (self, memory_rows_get (self, i)->id)] = i + 1;
}

/**
 * memory_rows_find:
 * @self: rows
 * @id: 16 bytes
 *
 * Returns: (transfer none) (nullable): the row of a session
 */
MemoryRow *
memory_rows_find (MemoryRows *self, const guint8 *id)
{
  guint32 number = self->table[find_place (self, id)];

  return number != 0 ? get_row (self, number - 1) : NULL;
}

/**
 * memory_rows_add:
 * @self: rows
 * @id: 16 bytes that no row has
 *
 * Returns: (transfer none): a new row
 */
MemoryRow *
memory_rows_add (MemoryRows *self, const guint8 *id)
{
  guint place, size, block = locate (self->n_rows, &place, &size);
  MemoryRow *row;

  if (self->n_rows >= self->table_size / 5 * 4)
    grow_table (self);
  if (block == self->blocks->len)
    g_ptr_array_add (self->blocks, g_new0 (MemoryRow, size));
  row = (MemoryRow *) g_ptr_array_index (self->blocks, block) + place;
  memcpy (row->id, id, sizeof row->id);
  self->table[find_place (self, id)] = ++self->n_rows;
  return row;
}

/* The room that is taken for @length bytes: what malloc would waste anyway, or up to an eighth. */
static inline gsize
room_for (gsize length)
{
  gsize step = length <= 256 ? 16 : (gsize) 1 << (g_bit_storage (length - 1) - 4);

  return (length + 8 + step - 1) / step * step - 8;
}

/**
 * memory_row_get_more:
 * @self: a row
 *
 * Returns: (transfer none): what only few rows have; made on demand
 */
MemoryMore *
memory_row_get_more (MemoryRow *self)
{
  if (self->more == NULL)
    self->more = g_new0 (MemoryMore, 1);
  return self->more;
}

/**
 * memory_row_write:
 * @self: a row
 * @base_at: the time of the first record in the newest block
 * @records: records to append to that block
 * @records_length: their bytes
 * @head: the packed head that follows them
 * @head_length: its bytes
 *
 * A block does not remember its room: that follows from its length.
 */
void
memory_row_write (MemoryRow *self, gint64 base_at, const guint8 *records, gsize records_length, const guint8 *head, gsize head_length)
{
  MemoryBlock *block = self->block;
  gsize used = block != NULL ? block->used : 0;
  gsize room = room_for (sizeof *block + used + records_length + head_length);

  if (block == NULL || room != room_for (sizeof *block + used + block->head_length))
    block = self->block = g_realloc (block, room);
  memcpy (block->bytes + used, records, records_length);
  memcpy (block->bytes + used + records_length, head, head_length);
  block->base_at = base_at;
  block->used = used + records_length;
  block->head_length = head_length;
}

/**
 * memory_row_close_block:
 * @self: a row with a block
 *
 * Puts the newest block to the older ones. The head is gone, so memory_row_write() has to follow.
 */
void
memory_row_close_block (MemoryRow *self)
{
  MemoryMore *more = memory_row_get_more (self);
  MemoryBlock *block = g_steal_pointer (&self->block);

  block->head_length = 0;
  block = g_realloc (block, sizeof *block + block->used);
  MEMORY_GROW (more->blocks, more->n_blocks);
  more->blocks[more->n_blocks++] = block;
}

/* The place of the first segment whose number is not smaller. */
static guint
segment_place (const MemoryMore *more, guint32 segment)
{
  guint low = 0, high = more->n_segments;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (more->segments[middle].base.segment < segment)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * memory_row_find_segment:
 * @self: a row
 * @segment: a number
 *
 * Returns: (transfer none) (nullable): that segment, if the session has more than its root
 */
MemorySegment *
memory_row_find_segment (const MemoryRow *self, guint32 segment)
{
  guint place;

  if (self->more == NULL || self->more->n_segments == 0)
    return NULL;
  place = segment - CLQ_ROOT_SEGMENT;
  if (place >= self->more->n_segments || self->more->segments[place].base.segment != segment)
    place = segment_place (self->more, segment);
  if (place >= self->more->n_segments || self->more->segments[place].base.segment != segment)
    return NULL;
  return &self->more->segments[place];
}

static void
insert_segment (MemoryMore *more, const MemorySegment *segment)
{
  guint place = segment_place (more, segment->base.segment);

  MEMORY_GROW (more->segments, more->n_segments);
  memmove (more->segments + place + 1, more->segments + place, (more->n_segments - place) * sizeof *segment);
  more->segments[place] = *segment;
  more->n_segments++;
}

/**
 * memory_row_add_segment:
 * @self: a row
 * @segment: a segment that it does not have
 */
void
memory_row_add_segment (MemoryRow *self, const ClqSegment *segment)
{
  MemoryMore *more = memory_row_get_more (self);

  /* Until now there was only the root, so all records are its own. */
  if (more->n_segments == 0)
    insert_segment (more, &(MemorySegment){ { CLQ_ROOT_SEGMENT, 0, 0 }, self->seq > 0, self->seq });
  insert_segment (more, &(MemorySegment){ *segment, 0, 0 });
}

/* The place of the first mark whose name is not smaller. */
static guint
mark_place (const MemoryMore *more, const char *name)
{
  guint low = 0, high = more->n_marks;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (strcmp (more->marks[middle].name, name) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
remove_mark (MemoryMore *more, guint place)
{
  g_free ((char *) more->marks[place].name);
  more->n_marks--;
  memmove (more->marks + place, more->marks + place + 1, (more->n_marks - place) * sizeof *more->marks);
}

/**
 * memory_row_set_mark:
 * @self: a row
 * @mark: a name and its place; 0 takes the name away
 */
void
memory_row_set_mark (MemoryRow *self, const ClqMark *mark)
{
  MemoryMore *more = memory_row_get_more (self);
  guint place = mark_place (more, mark->name);
  gboolean known = place < more->n_marks && strcmp (more->marks[place].name, mark->name) == 0;

  if (mark->seq == 0)
    {
      if (known)
        remove_mark (more, place);
      return;
    }
  if (!known)
    {
      MEMORY_GROW (more->marks, more->n_marks);
      memmove (more->marks + place + 1, more->marks + place, (more->n_marks - place) * sizeof *more->marks);
      more->marks[place].name = g_strdup (mark->name);
      more->n_marks++;
    }
  more->marks[place].segment = mark->segment;
  more->marks[place].seq = mark->seq;
}
