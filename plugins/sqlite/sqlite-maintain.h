/* What is done for the store as a whole, each in a thread with a connection of its own. */
#pragma once

#include "sqlite-reader.h"

G_BEGIN_DECLS

/* Jobs; job->data is the path of the database. */
void sqlite_maintain_stats (SqliteJob *job, gpointer nothing);
void sqlite_maintain_check (SqliteJob *job, gpointer nothing);
void sqlite_maintain_backup (SqliteJob *job, gpointer nothing);

char *sqlite_check (SqliteReader *reader);

G_END_DECLS
