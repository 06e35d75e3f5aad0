#include "memory-usage.h"

#include <string.h>

static int
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const ClqUsage *one = a, *other = b;

  if (one->day != other->day)
    return one->day < other->day ? -1 : 1;
  return strcmp (one->agent, other->agent);
}

static void
free_sum (gpointer sum)
{
  g_free ((char *) ((ClqUsage *) sum)->agent);
  g_free (sum);
}

/**
 * memory_usage_clear:
 * @self: sums
 */
void
memory_usage_clear (MemoryUsage *self)
{
  g_clear_pointer (&self->sums, g_tree_unref);
}

/**
 * memory_usage_add:
 * @self: sums
 * @usage: what is to be added to the sum of its day and agent
 */
void
memory_usage_add (MemoryUsage *self, const ClqUsage *usage)
{
  ClqUsage *sum;

  if (self->sums == NULL)
    self->sums = g_tree_new_full (compare, NULL, free_sum, NULL);
  sum = g_tree_lookup (self->sums, usage);
  if (sum == NULL)
    {
      sum = g_memdup2 (usage, sizeof *usage);
      sum->agent = g_strdup (usage->agent);
      g_tree_insert (self->sums, sum, sum);
      return;
    }
  sum->calls += usage->calls;
  sum->tokens_in += usage->tokens_in;
  sum->tokens_out += usage->tokens_out;
  sum->cost += usage->cost;
}

/**
 * memory_usage_read:
 * @self: sums
 * @query: gets those of the days that it asks for
 */
void
memory_usage_read (const MemoryUsage *self, ClqQuery *query)
{
  guint64 after = clq_query_get_after (query), before = clq_query_get_before (query);
  const ClqUsage first = { .day = (guint32) MIN (after + 1, G_MAXUINT32), .agent = "" };

  if (self->sums == NULL || (before > 0 && before <= after + 1))
    return;
  for (GTreeNode *node = g_tree_lower_bound (self->sums, &first); node != NULL; node = g_tree_node_next (node))
    {
      const ClqUsage *sum = g_tree_node_value (node);

      if (before > 0 && sum->day >= before)
        return;
      clq_query_add_usage (query, sum);
    }
}
