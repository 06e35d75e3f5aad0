/* Journals at rest: records one after another as bytes, in blocks that can be found by the number of a record. */
#pragma once

#include "memory-row.h"

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

gint64 memory_journal_encode (MemoryRow *row, ClqCommit *commit, GByteArray *out);
gboolean memory_journal_read (const MemoryRow *row, const MemoryPage *page, guint32 tip, ClqQuery *query);
ClqRecord *memory_journal_find (const MemoryRow *row, guint64 seq);

G_END_DECLS
