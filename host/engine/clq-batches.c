#define G_LOG_DOMAIN "clq-batches"

#include "clq-engine.h"

/*
 * Commits on their way: what is staged is the next batch, one batch is in flight, and what the store has answered for is durable
 * and waits to be settled.
 */

/* Commits in one batch. More gain nothing on a disk and no longer fit into the caches of the processor. */
#define BATCH 256

static void
on_batch_done (ClqBatch *batch)
{
  ClqEngine *self = batch->owner;
  GPtrArray *settled = self->flight;

  self->in_flight = FALSE;
  if (self->durable->len == 0)
    {
      self->flight = self->durable;
      self->durable = settled;
    }
  else
    {
      for (guint i = 0; i < settled->len; i++)
        g_ptr_array_add (self->durable, g_ptr_array_index (settled, i));
      g_ptr_array_set_size (settled, 0);
    }
  clq_engine_rearm (self);
}

/* Private. */
void
clq_batches_init (ClqEngine *self)
{
  self->staged = g_ptr_array_new ();
  self->durable = g_ptr_array_new ();
  self->flight = g_ptr_array_new ();
  self->batch.done = on_batch_done;
  self->batch.owner = self;
}

/* Private: what was staged and not handed over never was. */
void
clq_batches_clear (ClqEngine *self)
{
  g_ptr_array_unref (self->staged);
  g_ptr_array_unref (self->durable);
  g_ptr_array_unref (self->flight);
}

/* ---- to the store ---- */

/* The store may begin to write what is staged while more is made. What is staged alone is handed over as soon. */
static void
tell_store (ClqEngine *self)
{
  if (self->store->stage == NULL || self->store_fault || self->rehearsal != NULL || self->staged->len < 2)
    return;
  for (; self->n_told < self->staged->len; self->n_told++)
    self->store->stage (self->store_self, g_ptr_array_index (self->staged, self->n_told));
}

/* Private: the draft goes into the next batch. */
void
clq_batches_stage (ClqEngine *self, ClqDraft *draft)
{
  draft->live->work->draft = draft;
  g_ptr_array_add (self->staged, draft);
  tell_store (self);
}

/* Private: whether more can be staged. */
gboolean
clq_batches_have_room (const ClqEngine *self)
{
  return self->staged->len < BATCH || self->in_flight;
}

static gboolean
passes_rehearsal (ClqEngine *self)
{
  ClqRehearsal *rehearsal = self->rehearsal;

  for (guint i = 0; rehearsal != NULL && i < self->flight->len; i++)
    if (!rehearsal->check (rehearsal, g_ptr_array_index (self->flight, i)))
      return FALSE;
  return TRUE;
}

/* Private: hands what has gathered to the store. While a batch is in flight nothing happens: the next one gathers. */
void
clq_batches_flush (ClqEngine *self)
{
  gboolean is_kept_back = self->store_fault && self->n_told == 0; /* what the store knows of is handed over */
  GPtrArray *gathered;

  if (self->in_flight || self->staged->len == 0)
    return;
  gathered = self->staged;
  self->staged = self->flight;
  self->flight = gathered;
  self->batch.commits = gathered; /* a draft begins with its commit */
  self->batch.finished = FALSE;
  self->in_flight = TRUE;
  self->n_told = 0;
  if (is_kept_back || !passes_rehearsal (self))
    {
      g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "the store is not available");

      clq_batch_fail (&self->batch, error);
      return;
    }
  self->store->commit (self->store_self, &self->batch);
}

/* ---- and back ---- */

/* Private: one session whose commit the store has answered for goes on. */
void
clq_batches_settle_next (ClqEngine *self)
{
  ClqDraft *draft;

  if (self->durable->len == 0)
    return;
  draft = g_ptr_array_index (self->durable, self->n_settled++);
  if (self->n_settled == self->durable->len)
    self->n_settled = self->durable->len = 0; /* it holds no references: nothing is to be freed */
  clq_engine_settle_draft (self, draft);
}
