/* Checksums: every row has one over all that it says, so that damage is found when it is read. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 state;
} SqliteSum;

void sqlite_sum_init (SqliteSum *self);
void sqlite_sum_number (SqliteSum *self, gint64 number);
void sqlite_sum_bytes (SqliteSum *self, gconstpointer bytes, gsize length);
void sqlite_sum_text (SqliteSum *self, const char *text);
gint32 sqlite_sum_end (const SqliteSum *self);

G_END_DECLS
