#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

/**
 * clq_host_set_budget:
 * @self: a host
 * @agent: (nullable): an agent; %NULL is all of them together
 * @budget: what may be spent on one day
 *
 * When that is spent, no agent is asked any more until the next day begins, midnight UTC by the host's clock: the visit
 * that wants to ask ends and raises `limit`. What was spent today, also by earlier hosts on the same store, is read before
 * the first agent is asked. Best set before the first session.
 */
void
clq_host_set_budget (ClqHost *self, const char *agent, const ClqBudget *budget)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && budget != NULL);
  clq_budget_set (self->engine, agent, budget);
}

/**
 * clq_host_get_budget:
 * @self: a host
 * @agent: (nullable): an agent; %NULL is all of them together
 *
 * Returns: what may be spent on one day
 */
ClqBudget
clq_host_get_budget (ClqHost *self, const char *agent)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, ((ClqBudget){ 0 }));
  return clq_budget_get (self->engine, agent);
}

/**
 * clq_host_dup_limited_agents:
 * @self: a host
 *
 * Returns: (transfer full) (array zero-terminated=1): the agents that have a budget of their own, by name
 */
char **
clq_host_dup_limited_agents (ClqHost *self)
{
  GHashTable *agents;
  GList *names;
  GStrvBuilder *builder;
  char **list;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, NULL);
  agents = self->engine->spending.agents;
  names = agents != NULL ? g_list_sort (g_hash_table_get_keys (agents), (GCompareFunc) strcmp) : NULL;
  builder = g_strv_builder_new ();
  for (GList *name = names; name != NULL; name = name->next)
    g_strv_builder_add (builder, name->data);
  list = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  g_list_free (names);
  return list;
}

typedef struct
{
  ClqEngine *engine;
  ClqUsageFunc func;
  gpointer user_data;
} Reading;

static void
on_sums (ClqQuery *query, gpointer user_data)
{
  g_autofree Reading *reading = user_data;

  reading->engine->n_queries--;
  reading->func ((const ClqUsage *) (gpointer) query->usage->data, query->usage->len, query->error, reading->user_data);
}

/**
 * clq_host_read_usage:
 * @self: a host with a store
 * @first_day: a day of UTC, counted from 1970-01-01
 * @last_day: a day that is not before it
 * @func: gets what agents have used, one sum per day and agent, in this order; valid during the call
 * @user_data: for @func
 */
void
clq_host_read_usage (ClqHost *self, guint32 first_day, guint32 last_day, ClqUsageFunc func, gpointer user_data)
{
  Reading *reading;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  g_return_if_fail (first_day > 0 && first_day <= last_day);
  if (self->store->usage == NULL)
    {
      g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "this store does not add up what agents use");

      func (NULL, 0, error, user_data);
      return;
    }
  reading = g_new (Reading, 1);
  *reading = (Reading){ self->engine, func, user_data };
  query = clq_query_new (on_sums, reading);
  query->after = first_day - 1;
  query->before = (guint64) last_day + 1;
  self->engine->n_queries++;
  self->store->usage (self->store_self, query);
}
