/* Journals at rest: records one after another as bytes, in blocks that can be found by the number of a record. */
#pragma once

#include "memory-row.h"
#include "memory-texts.h"

G_BEGIN_DECLS

/* Which records are asked for. */
typedef struct
{
  guint64 after;
  guint64 before; /* 0 = no bound */
  guint types;    /* 0 = all */
  guint limit;    /* 0 = all */
  gboolean newest_first;
} MemoryPage;

/* The records of a commit as bytes. */
typedef struct
{
  gint64 base_at; /* the time of the first record in the block to which they are to be written */
  gsize length;
  guint types; /* bits 1 << ClqRecordType */
} MemoryPiece;

MemoryPiece memory_journal_encode (MemoryRow *row, MemoryTexts *texts, ClqCommit *commit, GByteArray *out);
gboolean memory_journal_read (const MemoryRow *row, const MemoryTexts *texts, const MemoryPage *page, guint32 tip, ClqQuery *query);
ClqRecord *memory_journal_find (const MemoryRow *row, const MemoryTexts *texts, guint64 seq);

G_END_DECLS
