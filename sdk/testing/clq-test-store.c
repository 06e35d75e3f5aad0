#define G_LOG_DOMAIN "clq-test-store"

#include "clq-test-store-private.h"

/* Private: lets the store work until it has something to say. */
gboolean
test_store_iterate (TestStore *self)
{
  return g_main_context_iteration (self->context, TRUE);
}

static void
on_batch_done (ClqBatch *batch)
{
  GThread **thread = batch->owner;

  *thread = g_thread_self ();
}

/* Private: announces those of @commits from @first on and before @end, if the store wants to know. */
void
test_store_stage (TestStore *self, GPtrArray *commits, guint first, guint end)
{
  for (guint i = first; self->info->stage != NULL && i < end; i++)
    self->info->stage (self->instance, g_ptr_array_index (commits, i));
}

/* Private: writes @commits as one batch, the first of which may have been staged; those that fail have an error then. */
void
test_store_commit_staged (TestStore *self, GPtrArray *commits)
{
  GThread *thread = NULL;
  ClqBatch batch = { .commits = commits, .done = on_batch_done, .owner = &thread };

  self->info->commit (self->instance, &batch);
  while (thread == NULL)
    test_store_iterate (self);
  g_assert_true (batch.finished);
  g_assert_true (thread == self->thread);
}

/* Private: the same, with none, some or all of @commits staged: that must make no difference. */
void
test_store_commit (TestStore *self, GPtrArray *commits)
{
  test_store_stage (self, commits, 0, self->n_batches++ % (commits->len + 1));
  test_store_commit_staged (self, commits);
}

/* Private: writes one commit, which must succeed, and frees it. */
void
test_store_write (TestStore *self, ClqCommit *commit)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func ((GDestroyNotify) test_commit_free);

  g_ptr_array_add (commits, commit);
  test_store_commit (self, commits);
  g_assert_no_error (commit->error);
}

static void
close_store (TestStore *self)
{
  self->config->close (self->instance, self->config->user_data);
  /* What the store left to be done on our thread must not need the store any more. */
  while (g_main_context_iteration (self->context, FALSE))
    ;
}

/* Private: closes the store and opens it again, if it can keep anything that long. */
gboolean
test_store_reopen (TestStore *self)
{
  if (self->config->reopen == NULL)
    return FALSE;
  close_store (self);
  self->instance = self->config->reopen (&self->info, self->config->user_data);
  return TRUE;
}

static void
set_up (TestStore *self, gconstpointer config)
{
  self->config = config;
  self->thread = g_thread_self ();
  self->context = g_main_context_new ();
  g_main_context_push_thread_default (self->context);
  self->instance = self->config->open (&self->info, self->config->user_data);
  g_assert_nonnull (self->info);
}

static void
tear_down (TestStore *self, gconstpointer config)
{
  close_store (self);
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
}

static void
add_cases (const char *path, const ClqTestStore *config, const TestCase *cases)
{
  for (; cases->name != NULL; cases++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%s", path, cases->name);

      g_test_add (name, TestStore, config, set_up, cases->func, tear_down);
    }
}

/**
 * clq_test_store_add:
 * @path: where the cases go, such as `/mine/store`
 * @store: how to get at the store; must stay where it is until the tests have run
 *
 * Adds the contract of stores to the tests of this program, one case per promise. A case for something that the store
 * does not offer is skipped; so is what must outlive closing, if there is no `reopen`.
 */
void
clq_test_store_add (const char *path, const ClqTestStore *store)
{
  g_return_if_fail (path != NULL && path[0] == '/');
  g_return_if_fail (store != NULL && store->size >= sizeof *store);
  g_return_if_fail (store->open != NULL && store->close != NULL);

  add_cases (path, store, test_load_cases);
  add_cases (path, store, test_commit_cases);
  add_cases (path, store, test_stage_cases);
  add_cases (path, store, test_journal_cases);
  add_cases (path, store, test_list_cases);
  add_cases (path, store, test_claim_cases);
  add_cases (path, store, test_search_cases);
  add_cases (path, store, test_key_cases);
  add_cases (path, store, test_care_cases);
  add_cases (path, store, test_usage_cases);
}
