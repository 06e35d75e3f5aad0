/* SQLite without a host, as the store sets it up. */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

sqlite3 *bench_raw_open (const char *path);
sqlite3_stmt *bench_raw_prepare (sqlite3 *handle, const char *sql);
void bench_raw_run (sqlite3_stmt *statement);

G_END_DECLS
