/* The lock file: one host at a time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _SqliteLock SqliteLock;

SqliteLock *sqlite_lock_take (const char *path, GError **error);
void sqlite_lock_free (SqliteLock *self);

G_END_DECLS
