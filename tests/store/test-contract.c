/*
 * The contract suite itself: it takes a store that answers later and from threads, and it finds the faults of stores that
 * break the contract. Each fault is a thin layer over the memory store.
 */
#include <string.h>

#include "clq-private.h"
#include "memory.h"

/* ---- a store over another one ---- */

typedef struct
{
  ClqStoreInfo own;
  const ClqStoreInfo *info; /* of the store below */
  gpointer instance;
  GMainContext *context;
  void (*original_done) (ClqBatch *batch);
  ClqQueryFunc original_func;
  gpointer original_data;
} Layer;

static void
layer_free (Layer *self)
{
  memory_close (self->instance, NULL);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
layer_close (gpointer instance, gpointer user_data)
{
  layer_free (instance);
}

#define LAYER(function) \
  static void \
      layer_##function (gpointer self, ClqQuery *query) \
  { \
    Layer *layer = self; \
\
    layer->info->function (layer->instance, query); \
  }

LAYER (load)
LAYER (journal)
LAYER (list)
LAYER (claim_due)
LAYER (search)
LAYER (graph)

static void
layer_commit (gpointer self, ClqBatch *batch)
{
  Layer *layer = self;

  layer->info->commit (layer->instance, batch);
}

static const ClqStoreInfo layer_info = {
  CLQ_STORE_INFO,
  .commit = layer_commit,
  .load = layer_load,
  .journal = layer_journal,
  .list = layer_list,
  .claim_due = layer_claim_due,
  .search = layer_search,
  .graph = layer_graph,
};

#define OVERRIDE(function) self->own.function = info->function != NULL ? info->function : self->own.function

/* A store that does what @info has its own functions for, and else what the store below it does. */
static gpointer
layer_open (const ClqStoreInfo **own, gpointer user_data)
{
  const ClqStoreInfo *info = user_data;
  Layer *self = g_new0 (Layer, 1);

  self->instance = memory_open (&self->info, NULL);
  self->context = g_main_context_ref_thread_default ();
  self->own = layer_info;
  OVERRIDE (commit);
  OVERRIDE (load);
  OVERRIDE (journal);
  OVERRIDE (list);
  OVERRIDE (claim_due);
  OVERRIDE (search);
  OVERRIDE (graph);
  self->own.stage = info->stage;
  *own = &self->own;
  return self;
}

/* A store with nothing that it need not have. */
static gpointer
least_open (const ClqStoreInfo **own, gpointer user_data)
{
  Layer *self = layer_open (own, user_data);

  self->own.claim_due = NULL;
  self->own.search = NULL;
  return self;
}

/* ---- what outlives closing ---- */

static Layer *kept;

static gpointer
keeping_open (const ClqStoreInfo **own, gpointer user_data)
{
  g_clear_pointer (&kept, layer_free);
  return kept = layer_open (own, user_data);
}

static void
keeping_close (gpointer instance, gpointer user_data)
{
}

static gpointer
keeping_reopen (const ClqStoreInfo **own, gpointer user_data)
{
  return kept;
}

/* ---- answers that come later ---- */

typedef void (*LaterFunc) (gpointer instance, gpointer what);

typedef struct
{
  Layer *layer;
  LaterFunc func;
  gpointer what;
} Later;

static gboolean
on_later (gpointer user_data)
{
  Later *later = user_data;

  later->func (later->layer->instance, later->what);
  return G_SOURCE_REMOVE;
}

/* Stands for the thread of a store: it has nothing to do but to hand the work back. */
static gpointer
run_thread (gpointer user_data)
{
  Later *later = user_data;
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, on_later, later, g_free);
  g_source_attach (source, later->layer->context);
  return NULL;
}

static void
do_later (Layer *layer, LaterFunc func, gpointer what)
{
  Later *later = g_new (Later, 1);

  *later = (Later){ layer, func, what };
  g_thread_join (g_thread_new ("store", run_thread, later));
}

#define DO_LATER(function, Type) \
  static void \
      later_##function (gpointer self, Type *what) \
  { \
    Layer *layer = self; \
\
    do_later (layer, (LaterFunc) (gpointer) layer->info->function, what); \
  }

DO_LATER (commit, ClqBatch)
DO_LATER (load, ClqQuery)
DO_LATER (journal, ClqQuery)
DO_LATER (list, ClqQuery)
DO_LATER (claim_due, ClqQuery)
DO_LATER (search, ClqQuery)
DO_LATER (graph, ClqQuery)

/* It may listen and still take the batch as a whole. */
static void
stage_nothing (gpointer self, ClqCommit *commit)
{
}

static const ClqStoreInfo later_info = {
  CLQ_STORE_INFO,
  .commit = later_commit,
  .load = later_load,
  .journal = later_journal,
  .list = later_list,
  .claim_due = later_claim_due,
  .search = later_search,
  .graph = later_graph,
  .stage = stage_nothing,
};

/* ---- faults ---- */

static Layer *current;

static void
on_done_stale_accepted (ClqBatch *batch)
{
  for (guint i = 0; i < batch->commits->len; i++)
    g_clear_error (&((ClqCommit *) batch->commits->pdata[i])->error);
  current->original_done (batch);
}

static void
on_done_stale_sinks (ClqBatch *batch)
{
  GError *error = NULL;

  for (guint i = 0; i < batch->commits->len && error == NULL; i++)
    error = ((ClqCommit *) batch->commits->pdata[i])->error;
  for (guint i = 0; i < batch->commits->len && error != NULL; i++)
    clq_commit_fail (batch->commits->pdata[i], error);
  current->original_done (batch);
}

static void
commit_with_done (gpointer self, ClqBatch *batch, void (*done) (ClqBatch *batch))
{
  current = self;
  current->original_done = batch->done;
  batch->done = done;
  layer_commit (self, batch);
}

static void
commit_stale_accepted (gpointer self, ClqBatch *batch)
{
  commit_with_done (self, batch, on_done_stale_accepted);
}

static void
commit_stale_sinks (gpointer self, ClqBatch *batch)
{
  commit_with_done (self, batch, on_done_stale_sinks);
}

static void
commit_no_marks (gpointer self, ClqBatch *batch)
{
  for (guint i = 0; i < batch->commits->len; i++)
    g_array_set_size (((ClqCommit *) batch->commits->pdata[i])->marks, 0);
  layer_commit (self, batch);
}

static void
commit_no_keys (gpointer self, ClqBatch *batch)
{
  for (guint i = 0; i < batch->commits->len; i++)
    ((ClqCommit *) batch->commits->pdata[i])->key = NULL;
  layer_commit (self, batch);
}

/* A stale commit still leaves its graph and its context behind. */
static void
commit_not_atomic (gpointer self, ClqBatch *batch)
{
  for (guint i = 0; i < batch->commits->len; i++)
    {
      ClqCommit *commit = batch->commits->pdata[i];

      if (commit->graph_text != NULL)
        {
          commit->head.seq -= commit->expected_seq;
          for (guint j = 0; j < commit->records->len; j++)
            g_array_index (commit->records, ClqRecord, j).seq -= commit->expected_seq;
          commit->expected_seq = 0;
        }
    }
  layer_commit (self, batch);
}

static void
on_unknown_is_error (ClqQuery *query, gpointer user_data)
{
  if (query->heads->len == 0)
    query->error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "no such session");
  current->original_func (query, current->original_data);
}

static void
load_unknown_is_error (gpointer self, ClqQuery *query)
{
  current = self;
  current->original_func = query->func;
  current->original_data = query->user_data;
  query->func = on_unknown_is_error;
  layer_load (self, query);
}

static void
journal_all_segments (gpointer self, ClqQuery *query)
{
  query->segment = 0;
  layer_journal (self, query);
}

static void
journal_own_segment (gpointer self, ClqQuery *query)
{
  query->segment = MIN (query->segment, CLQ_ROOT_SEGMENT);
  layer_journal (self, query);
}

static void
journal_before_included (gpointer self, ClqQuery *query)
{
  if (query->before > 0)
    query->before++;
  layer_journal (self, query);
}

static void
list_all_owners (gpointer self, ClqQuery *query)
{
  if (query->filters != NULL)
    g_hash_table_remove (query->filters, "owner");
  layer_list (self, query);
}

static void
list_unread_too (gpointer self, ClqQuery *query)
{
  if (query->filters != NULL)
    g_hash_table_remove (query->filters, "unread");
  layer_list (self, query);
}

/* Forgets that several are written at the same time. */
static void
list_by_time_only (gpointer self, ClqQuery *query)
{
  memset (query->id, 0, sizeof query->id);
  layer_list (self, query);
}

static void
claim_twice (gpointer self, ClqQuery *query)
{
  query->lease_until = 1;
  layer_claim_due (self, query);
}

static void
claim_for_ever (gpointer self, ClqQuery *query)
{
  query->lease_until = 0;
  layer_claim_due (self, query);
}

static void
search_all_owners (gpointer self, ClqQuery *query)
{
  if (query->filters != NULL)
    g_hash_table_remove (query->filters, "owner");
  layer_search (self, query);
}

static void
on_worst_first (ClqQuery *query, gpointer user_data)
{
  for (guint i = 0, j = query->records->len; i + 1 < j; i++)
    {
      gpointer keep = query->records->pdata[i];

      query->records->pdata[i] = query->records->pdata[--j];
      query->records->pdata[j] = keep;
    }
  current->original_func (query, current->original_data);
}

static void
search_worst_first (gpointer self, ClqQuery *query)
{
  current = self;
  current->original_func = query->func;
  current->original_data = query->user_data;
  query->func = on_worst_first;
  layer_search (self, query);
}

static gpointer
answer_in_thread (gpointer user_data)
{
  ClqQuery *query = user_data;

  clq_query_done (query, NULL);
  return NULL;
}

static void
load_in_thread (gpointer self, ClqQuery *query)
{
  g_thread_join (g_thread_new ("store", answer_in_thread, query));
}

static void
on_staged_done (ClqBatch *batch)
{
}

/* Writes at once what was only announced; the batch that has it then fails. */
static void
stage_at_once (gpointer self, ClqCommit *commit)
{
  Layer *layer = self;
  g_autoptr (GPtrArray) commits = g_ptr_array_new ();
  ClqBatch batch = { .commits = commits, .done = on_staged_done };

  g_ptr_array_add (commits, commit);
  layer->info->commit (layer->instance, &batch);
}

static const struct
{
  const char *name;
  const char *found_by;
  ClqStoreInfo info;
  gboolean forgets; /* all, when it is closed */
} faults[] = {
  { "stale-accepted", "commit/stale", { .commit = commit_stale_accepted } },
  { "stale-accepted", "commit/race", { .commit = commit_stale_accepted } },
  { "stale-sinks", "commit/stale", { .commit = commit_stale_sinks } },
  { "not-atomic", "commit/stale", { .commit = commit_not_atomic } },
  { "no-marks", "load/marks", { .commit = commit_no_marks } },
  { "no-keys", "keys/found", { .commit = commit_no_keys } },
  { "no-keys", "keys/twice", { .commit = commit_no_keys } },
  { "unknown-is-error", "load/unknown", { .load = load_unknown_is_error } },
  { "other-thread", "load/unknown", { .load = load_in_thread } },
  { "all-segments", "journal/trees", { .journal = journal_all_segments } },
  { "all-segments", "journal/unknown", { .journal = journal_all_segments } },
  { "own-segment", "journal/trees", { .journal = journal_own_segment } },
  { "before-included", "journal/long", { .journal = journal_before_included } },
  { "all-owners", "list/filters", { .list = list_all_owners } },
  { "all-owners", "list/nothing", { .list = list_all_owners } },
  { "unread-too", "list/unread", { .list = list_unread_too } },
  { "by-time-only", "list/pages", { .list = list_by_time_only } },
  { "claim-twice", "claim/once", { .claim_due = claim_twice } },
  { "claim-for-ever", "claim/lease", { .claim_due = claim_for_ever } },
  { "all-found", "search/filters", { .search = search_all_owners } },
  { "all-found", "search/limits", { .search = search_all_owners } },
  { "worst-first", "search/ranking", { .search = search_worst_first } },
  { "staged-seen", "stage/unseen", { .stage = stage_at_once } },
  { "staged-seen", "stage/between", { .stage = stage_at_once } },
  { "stale-accepted", "stage/stale", { .commit = commit_stale_accepted, .stage = stage_nothing } },
  { "stale-sinks", "stage/stale", { .commit = commit_stale_sinks, .stage = stage_nothing } },
  { "forgets", "load/equal", .forgets = TRUE },
  { "forgets", "keys/found", .forgets = TRUE },
  { "forgets", "load/marks", .forgets = TRUE },
  { "forgets", "load/segments", .forgets = TRUE },
  { "forgets", "commit/large", .forgets = TRUE },
  { "forgets", "graph/text", .forgets = TRUE },
  { "forgets", "journal/trees", .forgets = TRUE },
  { "forgets", "list/filters", .forgets = TRUE },
  { "forgets", "claim/reopen", .forgets = TRUE },
  { "forgets", "search/ranking", .forgets = TRUE },
};

/* Runs one case on one faulty store in a process of its own, which must fail. */
static void
test_fault (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  g_autofree char *path = g_strdup_printf ("/colloquy/contract/subprocess/%u/%s", number, faults[number].found_by);

  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*clq-test-store:ERROR:*");
}

static void
add_faults (ClqTestStore stores[G_N_ELEMENTS (faults)])
{
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *place = g_strdup_printf ("/colloquy/contract/subprocess/%u", i);
      g_autofree char *name = g_strdup_printf ("/colloquy/contract/finds/%s/%s", faults[i].name, faults[i].found_by);

      stores[i] = (ClqTestStore){ CLQ_TEST_STORE, .user_data = (gpointer) &faults[i].info, .open = layer_open, .close = layer_close };
      stores[i].reopen = faults[i].forgets ? layer_open : NULL;
      clq_test_store_add (place, &stores[i]);
      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_fault);
    }
}

int
main (int argc, char **argv)
{
  const ClqTestStore later = { CLQ_TEST_STORE, .user_data = (gpointer) &later_info, .open = layer_open, .close = layer_close };
  const ClqTestStore least = { CLQ_TEST_STORE, .user_data = (gpointer) &layer_info, .open = least_open, .close = layer_close };
  const ClqTestStore keeping = { CLQ_TEST_STORE, .user_data = (gpointer) &layer_info, .open = keeping_open, .reopen = keeping_reopen, .close = keeping_close };
  ClqTestStore faulty[G_N_ELEMENTS (faults)];
  int status;

  g_test_init (&argc, &argv, NULL);
  clq_test_store_add ("/colloquy/contract/later", &later);
  clq_test_store_add ("/colloquy/contract/least", &least);
  clq_test_store_add ("/colloquy/contract/keeping", &keeping);
  add_faults (faulty);
  status = g_test_run ();
  g_clear_pointer (&kept, layer_free);
  return status;
}
