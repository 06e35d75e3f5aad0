/* The tables, and how those of older versions become those of this one. */
#pragma once

#include "sqlite-db.h"

G_BEGIN_DECLS

gboolean sqlite_schema_bring (SqliteDb *db, GError **error);
gboolean sqlite_schema_check (SqliteDb *db, GError **error);

G_END_DECLS
