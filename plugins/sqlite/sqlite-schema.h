/* The tables, and how those of older versions become those of this one. */
#pragma once

#include "sqlite-db.h"

G_BEGIN_DECLS

/* What the table of unread notifications must hold, by the journal; a body that is damaged has read nothing. */
#define SQLITE_UNREAD_BY_JOURNAL \
  "SELECT session, seq FROM journal WHERE type = 9 AND CASE WHEN json_valid(body) THEN json_type(body, '$.read') END IS NOT 'array'" \
  " EXCEPT SELECT journal.session, one.value FROM journal," \
  " json_each(CASE WHEN json_valid(journal.body) THEN journal.body ELSE '{}' END, '$.read') AS one WHERE journal.type = 9"

gboolean sqlite_schema_bring (SqliteDb *db, GError **error);
gboolean sqlite_schema_check (SqliteDb *db, GError **error);

G_END_DECLS
