#include "sqlite.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

/* ---- folders ---- */

/* In memory if possible: that the disk is waited for is shown by the tests with faults, not by waiting for it. */
char *
sqlite_folder_new (void)
{
  const char *const places[] = { "/dev/shm", g_get_tmp_dir () };
  char *folder = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (places) && folder == NULL; i++)
    {
      char *name = g_build_filename (places[i], "colloquy-sqlite-XXXXXX", NULL);

      folder = g_mkdtemp (name);
      if (folder == NULL)
        g_free (name);
    }
  g_assert_nonnull (folder);
  return folder;
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_all (inner);
    }
  g_remove (path);
}

void
sqlite_folder_free (char *folder)
{
  remove_all (folder);
  g_free (folder);
}

void
sqlite_run_sql (const char *path, const char *sql)
{
  char *message = NULL;
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  sqlite3_exec (handle, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  g_assert_cmpint (sqlite3_close (handle), ==, SQLITE_OK);
}

/* ---- stores ---- */

static ClqRegistry *registry;
static guint n_open;

static const ClqFeature *
find_store (void)
{
  g_autoptr (GError) error = NULL;
  const ClqFeature *feature;

  if (registry == NULL)
    {
      const char *const folders[] = { g_getenv ("CLQ_PLUGIN_PATH"), NULL };

      g_assert_nonnull (folders[0]);
      registry = clq_registry_new (folders);
    }
  feature = clq_registry_find (registry, CLQ_FEATURE_STORE, "sqlite.store", &error);
  g_assert_no_error (error);
  return feature;
}

static void
free_instance (gpointer instance)
{
  clq_instance_free (find_store (), instance);
  n_open--;
  if (n_open == 0)
    g_clear_pointer (&registry, clq_registry_free);
}

/* With one setting, if @key is not NULL. */
static gpointer
new_instance (const char *path, const char *key, const char *value, const ClqStoreInfo **info, GError **error)
{
  const ClqFeature *feature = find_store ();
  gpointer instance = clq_instance_begin (feature, NULL);

  g_assert_nonnull (instance);
  if (key != NULL)
    g_assert_true (clq_setting_parse (clq_settings_find (feature->settings, feature->setting_size, key), value, instance, NULL));
  g_assert_true (clq_instance_ready (feature, instance, NULL));
  n_open++;
  *info = (const ClqStoreInfo *) feature;
  if ((*info)->open (instance, path, error))
    return instance;
  free_instance (instance);
  return NULL;
}

gboolean
sqlite_store_open_with (TestStore *self, const char *path, const char *key, const char *value, GError **error)
{
  *self = (TestStore){ .context = g_main_context_new (), .thread = g_thread_self () };
  g_main_context_push_thread_default (self->context);
  self->instance = new_instance (path, key, value, &self->info, error);
  if (self->instance == NULL)
    {
      g_main_context_pop_thread_default (self->context);
      g_clear_pointer (&self->context, g_main_context_unref);
    }
  return self->instance != NULL;
}

gboolean
sqlite_store_open (TestStore *self, const char *path, gboolean read_only, GError **error)
{
  return sqlite_store_open_with (self, path, read_only ? "read-only" : NULL, "true", error);
}

void
sqlite_store_close (TestStore *self)
{
  free_instance (self->instance);
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
}

gboolean
test_store_iterate (TestStore *self)
{
  return g_main_context_iteration (self->context, TRUE);
}

static void
on_batch_done (ClqBatch *batch)
{
  gboolean *is_done = batch->owner;

  *is_done = TRUE;
}

void
test_store_commit (TestStore *self, GPtrArray *commits)
{
  gboolean is_done = FALSE;
  ClqBatch batch = { .commits = commits, .done = on_batch_done, .owner = &is_done };
  guint n_staged = self->n_batches++ % (commits->len + 1);

  for (guint i = 0; i < n_staged; i++)
    self->info->stage (self->instance, g_ptr_array_index (commits, i));
  self->info->commit (self->instance, &batch);
  while (!is_done)
    test_store_iterate (self);
}

void
test_store_write (TestStore *self, ClqCommit *commit)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

  g_ptr_array_add (commits, commit);
  test_store_commit (self, commits);
  g_assert_no_error (commit->error);
}

TestAnswer *
sqlite_store_maintain (TestStore *self, const char *what, const char *text)
{
  TestAnswer *answer;
  ClqQuery *query = test_query_new (0, &answer);

  query->text = g_strdup (text);
  self->info->maintain (self->instance, what, query);
  while (!answer->is_done)
    test_store_iterate (self);
  return answer;
}

/* What the store finds wrong with itself, or NULL. */
static char *
find_problem (TestStore *self)
{
  g_autoptr (TestAnswer) answer = sqlite_store_maintain (self, "check", NULL);
  ClqJsonSpan ok;

  if (answer->error != NULL)
    return g_strdup (answer->error->message);
  ok = clq_json_find (answer->text, -1, "ok");
  return clq_json_span_is_true (&ok) ? NULL : g_strdup (answer->text);
}

gboolean
sqlite_store_is_whole (TestStore *self)
{
  g_autofree char *problem = find_problem (self);

  return problem == NULL;
}

void
sqlite_store_assert_whole (TestStore *self)
{
  g_autofree char *problem = find_problem (self);

  g_assert_cmpstr (problem, ==, NULL);
}

/* ---- the contract ---- */

static char *contract_folder;

gpointer
sqlite_contract_reopen (const ClqStoreInfo **info, gpointer user_data)
{
  g_autofree char *path = g_build_filename (contract_folder, "store.db", NULL);
  g_autoptr (GError) error = NULL;
  gpointer instance = new_instance (path, NULL, NULL, info, &error);

  g_assert_no_error (error);
  return instance;
}

gpointer
sqlite_contract_open (const ClqStoreInfo **info, gpointer user_data)
{
  sqlite_contract_end ();
  contract_folder = sqlite_folder_new ();
  return sqlite_contract_reopen (info, user_data);
}

void
sqlite_contract_close (gpointer instance, gpointer user_data)
{
  free_instance (instance);
}

void
sqlite_contract_damage (const guint8 id[16], gpointer user_data)
{
  g_autofree char *path = g_build_filename (contract_folder, "store.db", NULL);
  g_autoptr (GString) sql = g_string_new ("UPDATE journal SET body = body || ' ' WHERE seq = 1 AND session = (SELECT number FROM session WHERE id = x'");

  for (guint i = 0; i < 16; i++)
    g_string_append_printf (sql, "%02x", id[i]);
  g_string_append (sql, "')");
  sqlite_run_sql (path, sql->str);
}

void
sqlite_contract_end (void)
{
  g_clear_pointer (&contract_folder, sqlite_folder_free);
}
