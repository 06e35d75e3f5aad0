/* Instances of the SQLite store on files of their own, with the commits and queries of the contract suite. */
#pragma once

#include "clq-registry.h"
#include "clq-test-store-private.h"

G_BEGIN_DECLS

/* A folder for one test; what is in it is taken away with it. */
char *sqlite_folder_new (void);
void sqlite_folder_free (char *folder);

/* Opens a store. On failure the error is set and there is nothing to close. */
gboolean sqlite_store_open (TestStore *self, const char *path, gboolean read_only, GError **error);
gboolean sqlite_store_open_with (TestStore *self, const char *path, const char *key, const char *value, GError **error);
void sqlite_store_close (TestStore *self);

/* Runs statements behind the back of the store. */
void sqlite_run_sql (const char *path, const char *sql);

/* Asks the store to look after itself. */
TestAnswer *sqlite_store_maintain (TestStore *self, const char *what, const char *text);
gboolean sqlite_store_is_whole (TestStore *self);
void sqlite_store_assert_whole (TestStore *self);

/* For clq_test_store_add (). */
gpointer sqlite_contract_open (const ClqStoreInfo **info, gpointer user_data);
gpointer sqlite_contract_reopen (const ClqStoreInfo **info, gpointer user_data);
void sqlite_contract_close (gpointer instance, gpointer user_data);
void sqlite_contract_damage (const guint8 id[16], gpointer user_data);
void sqlite_contract_end (void);

typedef char SqliteFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SqliteFolder, sqlite_folder_free)

G_END_DECLS
