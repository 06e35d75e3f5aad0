#define G_LOG_DOMAIN "colloquy"

#include "usage.h"

#include <string.h>

#define PAGE 200

typedef struct
{
  ClqHost *host;
  UsageReport report;
  guint32 first_day;
  guint32 today;
  guint n_sessions;  /* how many are shown */
  GHashTable *spent; /* agent → UsageRow, of today */
  UsageRow spent_today;
  ClqSessionFilter filter;
  guint8 last_id[16];
  gboolean is_over;
  GError *error;
} Usage;

/* ---- adding up ---- */

static void
add (UsageRow *row, const ClqUsage *usage)
{
  row->calls += usage->calls;
  row->tokens_in += usage->tokens_in;
  row->tokens_out += usage->tokens_out;
  row->cost += usage->cost;
}

static char *
dup_day (guint32 day)
{
  g_autofree char *time = clq_time_print ((gint64) day * CLQ_DAY);

  return g_strndup (time, strlen ("2026-01-01"));
}

/* The row of a day or an agent. */
static UsageRow *
find_row (Usage *self, const ClqUsage *usage)
{
  g_autofree char *day = self->report.by == USAGE_BY_DAY ? dup_day (usage->day) : NULL;
  UsageRow *row;

  for (guint i = 0; i < self->report.rows->len; i++)
    {
      row = g_ptr_array_index (self->report.rows, i);
      if (day != NULL ? strcmp (row->day, day) == 0 : strcmp (row->agent, usage->agent) == 0)
        return row;
    }
  row = g_new0 (UsageRow, 1);
  row->day = g_steal_pointer (&day);
  row->agent = g_strdup (usage->agent);
  g_ptr_array_add (self->report.rows, row);
  return row;
}

static void
add_today (Usage *self, const ClqUsage *usage)
{
  UsageRow *row = g_hash_table_lookup (self->spent, usage->agent);

  if (row == NULL)
    {
      row = g_new0 (UsageRow, 1);
      row->agent = g_strdup (usage->agent);
      g_hash_table_insert (self->spent, row->agent, row);
    }
  add (row, usage);
  add (&self->spent_today, usage);
}

static void
on_sums (const ClqUsage *sums, guint n_sums, const GError *error, gpointer user_data)
{
  Usage *self = user_data;

  if (error != NULL)
    {
      self->error = g_error_copy (error);
      return;
    }
  for (guint i = 0; i < n_sums; i++)
    {
      if (sums[i].day == self->today)
        add_today (self, &sums[i]);
      if (self->report.by == USAGE_BY_SESSION)
        continue;
      add (find_row (self, &sums[i]), &sums[i]);
      add (&self->report.total, &sums[i]);
    }
}

/* ---- sessions ---- */

/* The dearest first; where nothing has a price, the longest. */
static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const UsageRow *one = *(UsageRow *const *) a, *other = *(UsageRow *const *) b;
  guint64 tokens = one->tokens_in + one->tokens_out, other_tokens = other->tokens_in + other->tokens_out;

  if (one->cost != other->cost)
    return one->cost > other->cost ? -1 : 1;
  return tokens != other_tokens ? (tokens > other_tokens ? -1 : 1) : 0;
}

static void
add_head (Usage *self, const ClqHead *head)
{
  ClqUsage usage = { 0 };
  char id[CLQ_ID_LENGTH + 1];
  UsageRow *row;

  clq_head_get_usage (head, &usage.tokens_in, &usage.tokens_out, &usage.cost);
  if (usage.tokens_in + usage.tokens_out == 0 && usage.cost == 0)
    return;
  clq_id_print (clq_head_get_id (head), id);
  row = g_new0 (UsageRow, 1);
  row->session = g_strdup (id);
  row->graph = g_strdup (clq_head_get_graph_name (head));
  row->title = g_strdup (clq_head_get_title (head));
  add (row, &usage);
  add (&self->report.total, &usage);
  g_ptr_array_add (self->report.rows, row);
}

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Usage *self = user_data;

  if (error != NULL)
    self->error = g_error_copy (error);
  self->is_over = error != NULL || heads->len < PAGE;
  for (guint i = 0; error == NULL && i < heads->len && !self->is_over; i++)
    self->is_over = clq_head_get_updated_at (g_ptr_array_index (heads, i)) < (gint64) self->first_day * CLQ_DAY;
  for (guint i = 0; error == NULL && i < heads->len; i++)
    {
      const ClqHead *head = g_ptr_array_index (heads, i);

      if (clq_head_get_updated_at (head) < (gint64) self->first_day * CLQ_DAY)
        break;
      add_head (self, head);
      memcpy (self->last_id, clq_head_get_id (head), 16);
      self->filter.after_id = self->last_id;
      self->filter.after_time = clq_head_get_updated_at (head);
    }
  /* Only the dearest are of interest, however many there are. */
  g_ptr_array_sort (self->report.rows, compare_rows);
  if (self->report.rows->len > self->n_sessions)
    g_ptr_array_set_size (self->report.rows, (int) self->n_sessions);
}

static void
read_sessions (Usage *self)
{
  self->filter.limit = PAGE;
  while (!self->is_over && self->error == NULL)
    {
      clq_host_list_sessions (self->host, &self->filter, on_heads, self);
      clq_host_settle (self->host);
    }
}

/* ---- limits ---- */

static void
add_limits (Usage *self, const char *agent, const UsageRow *spent)
{
  ClqBudget budget = clq_host_get_budget (self->host, agent);
  const UsageLimit limits[] = {
    { "tokens-per-day", NULL, (double) budget.tokens_per_day, (double) (spent->tokens_in + spent->tokens_out) },
    { "cost-per-day", NULL, budget.cost_per_day, spent->cost },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (limits[i].limit > 0)
      {
        UsageLimit *limit = g_memdup2 (&limits[i], sizeof limits[i]);

        limit->agent = g_strdup (agent);
        g_ptr_array_add (self->report.limits, limit);
      }
}

static void
find_limits (Usage *self)
{
  static const UsageRow nothing;
  g_auto (GStrv) agents = clq_host_dup_limited_agents (self->host);

  add_limits (self, NULL, &self->spent_today);
  for (guint i = 0; agents[i] != NULL; i++)
    {
      const UsageRow *spent = g_hash_table_lookup (self->spent, agents[i]);

      add_limits (self, agents[i], spent != NULL ? spent : &nothing);
    }
}

/* ---- the command ---- */

static gboolean
parse_by (const char *word, UsageBy *by)
{
  static const char *const words[] = { "day", "agent", "session", NULL };

  for (guint i = 0; word != NULL && words[i] != NULL; i++)
    if (strcmp (word, words[i]) == 0)
      {
        *by = (UsageBy) i;
        return TRUE;
      }
  if (word != NULL)
    {
      g_autofree char *hint = clq_did_you_mean (word, words);

      cli_complain ("usage: --by %s: expected day, agent or session%s", word, hint);
    }
  return word == NULL;
}

static int
report (Usage *self, const char *store, gboolean json)
{
  g_autoptr (GError) error = NULL;

  if (!cli_view_store (self->host, store, &error))
    return cli_fail (error);
  if (!cli_configure (self->host))
    return CLI_FAILURE;
  clq_host_read_usage (self->host, self->first_day, self->today, on_sums, self);
  clq_host_settle (self->host);
  if (self->report.by == USAGE_BY_SESSION)
    read_sessions (self);
  if (self->error != NULL)
    return cli_fail (self->error);
  find_limits (self);
  if (json)
    usage_report_print_json (&self->report);
  else
    usage_report_print (&self->report);
  return CLI_OK;
}

int
cmd_usage (int argc, char **argv)
{
  g_autofree char *store = NULL, *by = NULL;
  int days = 30, limit = 20, status;
  gboolean json = FALSE;
  Usage self = { NULL };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where sessions are kept (default: sqlite)", "sqlite:PATH" },
    { "days", 0, 0, G_OPTION_ARG_INT, &days, "Of how many days, today included (default: 30)", "N" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &by, "What a line is for (default: day)", "day|agent|session" },
    { "limit", 'n', 0, G_OPTION_ARG_INT, &limit, "How many sessions, the dearest first (default: 20; 0 = all)", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per line, the total and the limits last", NULL },
    { NULL },
  };

  if (!cli_parse (cli_find_command ("usage"), entries, &argc, &argv, 0, 0, &status))
    return status;
  if (!parse_by (by, &self.report.by))
    return CLI_USAGE;
  if (days < 1 || days > 36500)
    {
      cli_complain ("usage: --days %d: expected 1 to 36500", days);
      return CLI_USAGE;
    }
  self.host = clq_host_new (NULL);
  self.today = (guint32) (clq_host_get_now (self.host) / CLQ_DAY);
  self.first_day = MAX (self.today, (guint32) days) - (guint32) days + 1;
  self.n_sessions = limit > 0 ? (guint) limit : G_MAXINT;
  self.spent = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) usage_row_free);
  self.report.rows = g_ptr_array_new_with_free_func ((GDestroyNotify) usage_row_free);
  self.report.limits = g_ptr_array_new_with_free_func ((GDestroyNotify) usage_limit_free);
  self.report.total = (UsageRow){ .day = (char *) "total", .agent = (char *) "total", .session = (char *) "total" };
  status = report (&self, store, json);
  clq_host_close (self.host);
  g_object_unref (self.host);
  g_hash_table_unref (self.spent);
  g_ptr_array_unref (self.report.rows);
  g_ptr_array_unref (self.report.limits);
  g_clear_error (&self.error);
  return status;
}
