/* What agents may cost: per session, per day, over all sessions and hosts. */
#include "clq-host-private.h"

#include <glib/gstdio.h>
#include <string.h>

#define NOON (G_GINT64_CONSTANT (20000) * CLQ_DAY + CLQ_DAY / 2)

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  char *error; /* JSON: why the last session has stopped */
} Fixture;

/* A host whose agent answers with 10 tokens, each million of which costs 100000; its request has 12. */
static void
start (Fixture *self, const char *store, gint64 now, const ClqBudget *budget, const char *agent)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;

  *self = (Fixture){ .host = clq_host_new (NULL) };
  clq_host_set_manual_clock (self->host, now, (guint64) now);
  g_assert_true (clq_host_use_store (self->host, store, &error));
  g_hash_table_insert (settings, (gpointer) "fallback", (gpointer) "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd");
  g_hash_table_insert (settings, (gpointer) "price-out", (gpointer) "100000");
  clq_host_set_standard_agent (self->host, "scripted.agent", settings);
  if (budget != NULL)
    clq_host_set_budget (self->host, agent, budget);
  self->graph = clq_host_load_graph (self->host, "reply", NULL, FALSE, findings);
  g_assert_nonnull (self->graph);
}

static void
stop (Fixture *self)
{
  clq_host_close (self->host);
  g_clear_pointer (&self->graph, clq_graph_unref);
  g_clear_object (&self->host);
  g_clear_pointer (&self->error, g_free);
}

/* A new session asks the agent once. Returns whether it was answered. */
static gboolean
ask (Fixture *self)
{
  guint8 id[16];
  const ClqLive *live;

  clq_host_new_id (self->host, id);
  clq_host_open_session (self->host, self->graph, id, NULL, "hello", NULL, NULL, NULL);
  clq_host_settle (self->host);
  live = clq_live_find (self->host->engine, id);
  g_assert_nonnull (live);
  g_clear_pointer (&self->error, g_free);
  if (live->head.status != CLQ_STATUS_FAILED)
    return TRUE;
  self->error = g_strdup (live->head.extra->error);
  return FALSE;
}

static void
on_sums (const ClqUsage *sums, guint n_sums, const GError *error, gpointer user_data)
{
  ClqUsage *all = user_data;

  g_assert_no_error (error);
  for (guint i = 0; i < n_sums; i++)
    {
      all->calls += sums[i].calls;
      all->tokens_in += sums[i].tokens_in;
      all->tokens_out += sums[i].tokens_out;
      all->cost += sums[i].cost;
    }
}

static void
assert_sums (Fixture *self, guint32 day, guint calls)
{
  ClqUsage all = { 0 };

  clq_host_read_usage (self->host, day, day, on_sums, &all);
  clq_host_settle (self->host);
  g_assert_cmpuint (all.calls, ==, calls);
  g_assert_cmpuint (all.tokens_out, ==, 10 * calls);
  g_assert_cmpfloat_with_epsilon (all.cost, calls, 1e-9);
}

/* ---- days ---- */

/* What one session has used is missing to the next. */
static void
test_sessions (void)
{
  const ClqBudget budget = { .tokens_per_day = 30 };
  Fixture self;

  start (&self, "memory", NOON, &budget, NULL);
  g_assert_true (ask (&self));
  g_assert_true (ask (&self));
  g_assert_false (ask (&self));
  g_assert_cmpstr (self.error, ==,
                   "{\"code\":\"limit\",\"message\":\"tokens-per-day=30 is used up: 44 tokens were used today; "
                   "it goes on after midnight UTC, or with a higher tokens-per-day in [budget] of colloquy.conf\"}");
  assert_sums (&self, NOON / CLQ_DAY, 2);
  stop (&self);
}

static void
test_cost (void)
{
  const ClqBudget budget = { .cost_per_day = 2.5 };
  Fixture self;

  start (&self, "memory", NOON, &budget, NULL);
  for (guint i = 0; i < 3; i++)
    g_assert_true (ask (&self));
  g_assert_false (ask (&self));
  g_assert_nonnull (strstr (self.error, "cost-per-day=2.5 is used up: 3 was spent today"));
  stop (&self);
}

/* An agent of which nothing is left does not keep others from being asked. */
static void
test_agents (void)
{
  const ClqBudget budget = { .cost_per_day = 1 };
  Fixture self;

  start (&self, "memory", NOON, &budget, "somebody else");
  for (guint i = 0; i < 3; i++)
    g_assert_true (ask (&self));
  clq_host_set_budget (self.host, "assistant", &budget);
  g_assert_false (ask (&self));
  g_assert_nonnull (strstr (self.error, "agent 'assistant': cost-per-day=1 is used up: 3 was spent today"));
  g_assert_nonnull (strstr (self.error, "in [agent assistant] of colloquy.conf"));
  stop (&self);
}

/* A new day begins at midnight UTC, by the host's clock. */
static void
test_midnight (void)
{
  const ClqBudget budget = { .tokens_per_day = 1 };
  Fixture self;

  start (&self, "memory", NOON, &budget, NULL);
  g_assert_true (ask (&self));
  g_assert_false (ask (&self));
  clq_host_advance (self.host, CLQ_DAY / 2 - 1);
  g_assert_false (ask (&self));
  clq_host_advance (self.host, 1);
  g_assert_true (ask (&self));
  g_assert_false (ask (&self));
  assert_sums (&self, NOON / CLQ_DAY, 1);
  assert_sums (&self, NOON / CLQ_DAY + 1, 1);
  stop (&self);
}

/* Another host on the same store knows what the first has spent before it asks anybody. */
static void
test_restart (void)
{
  const ClqBudget budget = { .tokens_per_day = 30 };
  g_autofree char *folder = g_dir_make_tmp ("clq-budget-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "store.db", NULL), *place = g_strconcat ("sqlite:", path, NULL);
  g_autofree char *lock = g_strconcat (path, ".lock", NULL);
  Fixture self;

  for (guint i = 0; i < 2; i++)
    {
      start (&self, place, NOON + i, &budget, NULL);
      g_assert_true (ask (&self));
      stop (&self);
    }
  start (&self, place, NOON + 2, &budget, NULL);
  g_assert_false (ask (&self));
  assert_sums (&self, NOON / CLQ_DAY, 2);
  stop (&self);
  start (&self, place, NOON + CLQ_DAY, &budget, NULL);
  g_assert_true (ask (&self));
  stop (&self);
  g_remove (path);
  g_remove (lock);
  g_rmdir (folder);
}

/* ---- when it is not known ---- */

static void
fail_usage (gpointer self, ClqQuery *query)
{
  g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_FAILED, "no sums today");

  clq_query_done (query, error);
}

/* As long as it is not known what was spent, nothing is spent; later it may be. */
static void
test_unknown (void)
{
  const ClqBudget budget = { .tokens_per_day = 30 };
  ClqStoreInfo broken;
  const ClqStoreInfo *whole;
  Fixture self;

  start (&self, "memory", NOON, &budget, NULL);
  whole = self.host->store;
  broken = *whole;
  broken.usage = fail_usage;
  clq_engine_set_store (self.host->engine, &broken, self.host->store_self);
  g_assert_false (ask (&self));
  g_assert_nonnull (strstr (self.error, "what was spent today is not known: no sums today"));
  broken.usage = NULL;
  g_assert_true (ask (&self));
  stop (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/budget/sessions", test_sessions);
  g_test_add_func ("/colloquy/budget/cost", test_cost);
  g_test_add_func ("/colloquy/budget/agents", test_agents);
  g_test_add_func ("/colloquy/budget/midnight", test_midnight);
  g_test_add_func ("/colloquy/budget/restart", test_restart);
  g_test_add_func ("/colloquy/budget/unknown", test_unknown);
  return g_test_run ();
}
