#define G_LOG_DOMAIN "memory-journal"

#include "memory-journal.h"

#include <string.h>

/*
 * A record is a byte of flags, what the flags say is there, the length of the body and whether a shared text comes before
 * it, the number of that text, the body. Numbers are LEB128; what may go down is zigzag. A record is told by its
 * difference to the one before, its time by that to the first of its block. The first of a block has none before it, so
 * every block can be read by itself.
 *
 * A commit does not look at the bytes of older ones: its first record names time and segment in any case.
 */
#define BLOCK_LIMIT 8192
/* More than put_entry () writes: flags and 7 numbers. */
#define ENTRY_SIZE 80

enum
{
  TYPE_MASK = 0x07, /* 0: type and role follow as numbers */
  ROLE_SHIFT = 3,
  ROLE_MASK = 0x03,
  OTHER_SEQ = 0x20, /* not the one after the one before */
  OTHER_SEGMENT = 0x40,
  OTHER_TIME = 0x80,
};

typedef struct
{
  guint64 seq;
  gint64 at;
  guint32 segment;
  guint type;
  guint role;
  guint32 opening; /* the shared text that comes before the body; 0 = none */
  const char *body;
  gsize length;
} Entry;

/* What stands for the time and segment before when they are not known. */
#define UNKNOWN_AT G_MININT64
#define UNKNOWN_SEGMENT 0

static Entry
before_first (gint64 base_at)
{
  return (Entry){ .segment = CLQ_ROOT_SEGMENT, .at = base_at };
}

static inline guint8 *
put_number (guint8 *out, guint64 number)
{
  for (; number >= 0x80; number >>= 7)
    *out++ = 0x80 | (number & 0x7f);
  *out++ = number;
  return out;
}

static const guint8 *
take_number (const guint8 *in, guint64 *number)
{
  guint shift = 0;

  *number = 0;
  for (; (*in & 0x80) != 0; in++, shift += 7)
    *number |= (guint64) (*in & 0x7f) << shift;
  *number |= (guint64) *in << shift;
  return in + 1;
}

static guint64
zigzag (gint64 number)
{
  return ((guint64) number << 1) ^ (number < 0 ? G_MAXUINT64 : 0);
}

static gint64
unzigzag (guint64 number)
{
  return (gint64) ((number >> 1) ^ ((number & 1) != 0 ? G_MAXUINT64 : 0));
}

/* All of a record but its body; at the most ENTRY_SIZE bytes. */
static guint8 *
put_entry (guint8 *out, const Entry *entry, const Entry *previous, gint64 base_at)
{
  guint8 *flags = out++;

  *flags = 0;
  if (entry->type > 0 && entry->type <= TYPE_MASK && entry->role <= ROLE_MASK)
    *flags = entry->type | entry->role << ROLE_SHIFT;
  else
    out = put_number (put_number (out, entry->type), entry->role);
  if (entry->seq != previous->seq + 1)
    {
      *flags |= OTHER_SEQ;
      out = put_number (out, entry->seq - previous->seq);
    }
  if (entry->segment != previous->segment)
    {
      *flags |= OTHER_SEGMENT;
      out = put_number (out, entry->segment);
    }
  if (entry->at != previous->at)
    {
      *flags |= OTHER_TIME;
      out = put_number (out, zigzag ((gint64) ((guint64) entry->at - (guint64) base_at)));
    }
  out = put_number (out, entry->length << 1 | (entry->opening != 0));
  return entry->opening != 0 ? put_number (out, entry->opening) : out;
}

/* Turns @entry from the record before into the one at @in. */
static const guint8 *
take_entry (const guint8 *in, Entry *entry, gint64 base_at)
{
  guint8 flags = *in++;
  guint64 number;

  entry->type = flags & TYPE_MASK;
  entry->role = flags >> ROLE_SHIFT & ROLE_MASK;
  if (entry->type == 0)
    {
      in = take_number (in, &number);
      entry->type = number;
      in = take_number (in, &number);
      entry->role = number;
    }
  number = 1;
  if ((flags & OTHER_SEQ) != 0)
    in = take_number (in, &number);
  entry->seq += number;
  if ((flags & OTHER_SEGMENT) != 0)
    {
      in = take_number (in, &number);
      entry->segment = number;
    }
  if ((flags & OTHER_TIME) != 0)
    {
      in = take_number (in, &number);
      entry->at = (gint64) ((guint64) base_at + (guint64) unzigzag (number));
    }
  in = take_number (in, &number);
  entry->length = number >> 1;
  entry->opening = 0;
  if ((number & 1) != 0)
    {
      in = take_number (in, &number);
      entry->opening = number;
    }
  entry->body = (const char *) in;
  return in + entry->length;
}

static void
note_segment (MemoryRow *row, guint32 number, guint64 seq)
{
  MemorySegment *segment = memory_row_find_segment (row, number);

  if (segment == NULL)
    return;
  if (segment->first_seq == 0)
    segment->first_seq = seq;
  segment->last_seq = seq;
}

static Entry
entry_from_record (const ClqRecord *record, MemoryTexts *texts)
{
  Entry entry = {
    .seq = clq_record_get_seq (record),
    .at = clq_record_get_at (record),
    .segment = clq_record_get_segment (record),
    .type = clq_record_get_record_type (record),
    .role = clq_record_get_role (record),
  };
  gsize shared;
  const char *opening = clq_record_get_opening (record, &shared);

  entry.body = clq_record_get_body (record, &entry.length);
  if (opening != NULL)
    {
      entry.opening = memory_texts_add (texts, opening, shared);
      entry.body += shared;
      entry.length -= shared;
    }
  return entry;
}

/* What the first of new records follows. */
static Entry
last_of (const MemoryRow *row, gint64 base_at)
{
  gboolean has_segments = row->more != NULL && row->more->n_segments > 0;

  if (row->block == NULL)
    return before_first (base_at);
  return (Entry){ .seq = row->seq, .at = UNKNOWN_AT, .segment = has_segments ? UNKNOWN_SEGMENT : CLQ_ROOT_SEGMENT };
}

static MemoryPiece
encode_records (const MemoryRow *row, MemoryTexts *texts, ClqCommit *commit, GByteArray *out)
{
  guint n_records = clq_commit_get_n_records (commit);
  MemoryPiece piece = { .base_at = row->block != NULL ? row->block->base_at : clq_record_get_at (clq_commit_get_record (commit, 0)) };
  Entry previous = last_of (row, piece.base_at);

  for (guint i = 0; i < n_records; i++)
    {
      Entry entry = entry_from_record (clq_commit_get_record (commit, i), texts);
      guint8 *end;

      if (piece.length + ENTRY_SIZE + entry.length > out->len)
        g_byte_array_set_size (out, piece.length + ENTRY_SIZE + entry.length);
      end = put_entry (out->data + piece.length, &entry, &previous, piece.base_at);
      memcpy (end, entry.body, entry.length);
      piece.length = end + entry.length - out->data;
      piece.types |= 1u << entry.type;
      previous = entry;
    }
  return piece;
}

static void
note_segments (MemoryRow *row, ClqCommit *commit)
{
  guint n_records = clq_commit_get_n_records (commit);

  for (guint i = 0; i < n_records; i++)
    {
      const ClqRecord *record = clq_commit_get_record (commit, i);

      note_segment (row, clq_record_get_segment (record), clq_record_get_seq (record));
    }
}

/**
 * memory_journal_encode:
 * @row: the row of a session
 * @texts: texts that records share
 * @commit: a commit whose records, at least one, follow those of the session
 * @out: where to write the bytes of the records, for memory_row_write(); it only grows
 *
 * Returns: what was written
 */
MemoryPiece
memory_journal_encode (MemoryRow *row, MemoryTexts *texts, ClqCommit *commit, GByteArray *out)
{
  MemoryPiece piece = encode_records (row, texts, commit, out);

  if (row->block != NULL && row->block->used + piece.length > BLOCK_LIMIT)
    {
      memory_row_close_block (row);
      piece = encode_records (row, texts, commit, out);
    }
  if (row->more != NULL && row->more->n_segments > 0)
    note_segments (row, commit);
  return piece;
}

static guint
count_blocks (const MemoryRow *row)
{
  return (row->more != NULL ? row->more->n_blocks : 0) + (row->block != NULL);
}

static const MemoryBlock *
get_block (const MemoryRow *row, guint index)
{
  return row->more != NULL && index < row->more->n_blocks ? row->more->blocks[index] : row->block;
}

/* A walk over the records of one block. */
typedef struct
{
  const MemoryBlock *block;
  const guint8 *next;
  Entry entry;
} BlockIter;

static void
block_iter_init (BlockIter *self, const MemoryBlock *block)
{
  self->block = block;
  self->next = block->bytes;
  self->entry = before_first (block->base_at);
}

static gboolean
block_iter_next (BlockIter *self)
{
  if (self->next >= self->block->bytes + self->block->used)
    return FALSE;
  self->next = take_entry (self->next, &self->entry, self->block->base_at);
  return TRUE;
}

/* The block that holds record @seq, if any does: the last one that begins not after it. */
static guint
find_block (const MemoryRow *row, guint64 seq)
{
  guint low = 0, high = count_blocks (row);

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      BlockIter iter;

      block_iter_init (&iter, get_block (row, middle));
      if (block_iter_next (&iter) && iter.entry.seq <= seq)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static ClqRecord *
entry_to_record (const Entry *entry, const MemoryTexts *texts)
{
  const MemoryText *opening = memory_texts_get (texts, entry->opening);
  g_autofree char *whole = NULL;

  if (opening->length == 0)
    return clq_record_new (entry->type, entry->seq, entry->segment, entry->role, entry->at, entry->body, entry->length);
  whole = g_malloc (opening->length + entry->length);
  memcpy (whole, opening->text, opening->length);
  memcpy (whole + opening->length, entry->body, entry->length);
  return clq_record_new (entry->type, entry->seq, entry->segment, entry->role, entry->at, whole, opening->length + entry->length);
}

/* A walk over a stretch of the journal, until enough was found. */
typedef struct
{
  const MemoryPage *page;
  const MemoryTexts *texts;
  ClqQuery *query;
  ClqPathRange range; /* segment 0 = any */
  guint n_found;
} Walk;

static gboolean
walk_is_full (const Walk *walk)
{
  return walk->page->limit > 0 && walk->n_found >= walk->page->limit;
}

static gboolean
walk_wants (const Walk *walk, const Entry *entry)
{
  return entry->seq > walk->range.after_seq && entry->seq <= walk->range.until_seq &&
         (walk->range.segment == 0 || walk->range.segment == entry->segment) &&
         (walk->page->types == 0 || (walk->page->types & 1u << entry->type) != 0);
}

static void
walk_take (Walk *walk, const Entry *entry)
{
  clq_query_add_record (walk->query, entry_to_record (entry, walk->texts));
  walk->n_found++;
}

static void
walk_forward (Walk *walk, const MemoryRow *row)
{
  guint n_blocks = count_blocks (row);

  for (guint i = find_block (row, walk->range.after_seq + 1); i < n_blocks; i++)
    {
      BlockIter iter;

      block_iter_init (&iter, get_block (row, i));
      while (block_iter_next (&iter))
        {
          if (iter.entry.seq > walk->range.until_seq || walk_is_full (walk))
            return;
          if (walk_wants (walk, &iter.entry))
            walk_take (walk, &iter.entry);
        }
    }
}

/* Blocks are read from their start, so what is wanted of one is collected before it is given backwards. */
static void
walk_backward (Walk *walk, const MemoryRow *row)
{
  g_autoptr (GArray) wanted = g_array_sized_new (FALSE, FALSE, sizeof (Entry), 64);

  for (guint i = find_block (row, walk->range.until_seq) + 1; i-- > 0;)
    {
      gboolean is_first = FALSE;
      BlockIter iter;

      g_array_set_size (wanted, 0);
      block_iter_init (&iter, get_block (row, i));
      while (block_iter_next (&iter) && iter.entry.seq <= walk->range.until_seq)
        {
          is_first = is_first || iter.entry.seq <= walk->range.after_seq;
          if (walk_wants (walk, &iter.entry))
            g_array_append_val (wanted, iter.entry);
        }
      for (guint j = wanted->len; j-- > 0 && !walk_is_full (walk);)
        walk_take (walk, &g_array_index (wanted, Entry, j));
      if (is_first || walk_is_full (walk))
        return;
    }
}

/* Narrows a range of the path to where the segment has records, and to what is asked for. */
static gboolean
walk_set_range (Walk *walk, const MemoryRow *row, const ClqPathRange *range)
{
  const MemorySegment *segment = memory_row_find_segment (row, range->segment);

  walk->range = *range;
  if (segment != NULL)
    {
      if (segment->first_seq == 0)
        return FALSE;
      walk->range.after_seq = MAX (walk->range.after_seq, segment->first_seq - 1);
      walk->range.until_seq = MIN (walk->range.until_seq, segment->last_seq);
    }
  walk->range.after_seq = MAX (walk->range.after_seq, walk->page->after);
  if (walk->page->before > 0)
    walk->range.until_seq = MIN (walk->range.until_seq, walk->page->before - 1);
  return walk->range.after_seq < walk->range.until_seq;
}

static gboolean
build_path (const MemoryRow *row, guint32 tip, GArray *path)
{
  g_autoptr (GArray) segments = NULL;

  if (tip == 0)
    {
      g_array_append_val (path, ((ClqPathRange){ 0, 0, G_MAXUINT64 }));
      return TRUE;
    }
  segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  for (guint i = 1; row->more != NULL && i < row->more->n_segments; i++)
    g_array_append_val (segments, row->more->segments[i].base);
  return clq_path_build ((const ClqSegment *) (gpointer) segments->data, segments->len, tip, path);
}

/**
 * memory_journal_read:
 * @row: the row of a session
 * @texts: texts that records share
 * @page: which records
 * @tip: only those on the path to this segment; 0 = all
 * @query: where they go
 *
 * Returns: whether the session has the segment @tip
 */
gboolean
memory_journal_read (const MemoryRow *row, const MemoryTexts *texts, const MemoryPage *page, guint32 tip, ClqQuery *query)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (ClqPathRange));
  Walk walk = { .page = page, .texts = texts, .query = query };

  if (!build_path (row, tip, path))
    return FALSE;
  for (guint i = 0; i < path->len && !walk_is_full (&walk); i++)
    {
      guint place = page->newest_first ? path->len - 1 - i : i;

      if (!walk_set_range (&walk, row, &g_array_index (path, ClqPathRange, place)))
        continue;
      if (page->newest_first)
        walk_backward (&walk, row);
      else
        walk_forward (&walk, row);
    }
  return TRUE;
}

/**
 * memory_journal_find:
 * @row: the row of a session
 * @texts: texts that records share
 * @seq: the number of a record
 *
 * Returns: (transfer full) (nullable): that record
 */
ClqRecord *
memory_journal_find (const MemoryRow *row, const MemoryTexts *texts, guint64 seq)
{
  BlockIter iter;

  block_iter_init (&iter, get_block (row, find_block (row, seq)));
  while (block_iter_next (&iter))
    if (iter.entry.seq == seq)
      return entry_to_record (&iter.entry, texts);
  return NULL;
}
