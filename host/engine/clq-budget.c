#define G_LOG_DOMAIN "clq-budget"

#include "clq-calls.h"

/*
 * Before an agent is asked, what was spent is compared with what may be spent: by the session, of which the graph says
 * how much, and by all sessions of the day. At the limit the call is not made. The node does not hear of it: its visit
 * ends as soon as no other call of it is under way, and raises `limit`.
 *
 * What is under way is not known before it ends. So calls that run at the same time may together pass the limit, each by
 * no more than what it uses itself.
 *
 * What the day has spent is read from the store when the first call asks for it, and counted from then on; calls wait
 * until it is known. A session's own sum is in its head, and in the run until the head has it.
 */

/* One limit: what it is called, what it says and what was used of it. */
typedef struct
{
  const char *name;
  const char *agent; /* NULL = all together */
  gboolean is_cost;
  double limit;
  double used;
} Limit;

static gboolean
is_reached (const Limit *limit)
{
  return limit->limit > 0 && limit->used >= limit->limit;
}

/* ---- what is said ---- */

static void
append_amount (GString *out, const Limit *limit, double amount)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, limit->is_cost ? "%.10g" : "%.0f", amount));
}

/* Which limit, how much it is, how much was used, and what to do. */
static char *
dup_message (const Limit *limit, gboolean is_daily)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (limit->agent != NULL)
    g_string_append_printf (out, "agent '%s': ", limit->agent);
  g_string_append_printf (out, "%s=", limit->name);
  append_amount (out, limit, limit->limit);
  g_string_append (out, " is used up: ");
  append_amount (out, limit, limit->used);
  g_string_append (out, limit->is_cost ? " was spent" : " tokens were used");
  if (is_daily)
    g_string_append_printf (out, " today; it goes on after midnight UTC, or with a higher %s in [%s%s] of colloquy.conf", limit->name,
                            limit->agent != NULL ? "agent " : "budget", limit->agent != NULL ? limit->agent : "");
  else
    g_string_append_printf (out, " by this session; open a new one, or raise %s in [graph]", limit->name);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
dup_payload (const char *name, const char *agent, const char *message)
{
  g_autoptr (GString) out = g_string_new ("{\"limit\":");

  clq_json_append_string (out, name, -1);
  if (agent != NULL)
    {
      g_string_append (out, ",\"agent\":");
      clq_json_append_string (out, agent, -1);
    }
  g_string_append (out, ",\"message\":");
  clq_json_append_string (out, message, -1);
  g_string_append_c (out, '}');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* Private: the payload of the `limit` that a visit ends with; nodes may have limits of their own. */
char *
clq_budget_dup_payload (const ClqRun *run, const GError *error)
{
  return run->refusal != NULL ? g_strdup (run->refusal) : dup_payload ("budget", NULL, error->message);
}

/* ---- the session ---- */

static gboolean
find_session_limit (const ClqGraph *graph, const ClqHead *head, guint64 tokens, double cost, Limit *limit)
{
  guint64 tokens_in, tokens_out;
  double spent;

  clq_head_get_usage (head, &tokens_in, &tokens_out, &spent);
  *limit = (Limit){ .name = "max-tokens", .limit = (double) graph->max_tokens, .used = (double) (tokens_in + tokens_out + tokens) };
  if (is_reached (limit))
    return TRUE;
  *limit = (Limit){ .name = "max-cost", .is_cost = TRUE, .limit = graph->max_cost, .used = spent + cost };
  return is_reached (limit);
}

/* Private: which limit of its graph the session has reached by what is in its head, as the payload of `limit`; NULL if none. */
char *
clq_budget_dup_session_payload (const ClqGraph *graph, const ClqHead *head)
{
  g_autofree char *message = NULL;
  Limit limit;

  if (!find_session_limit (graph, head, 0, 0, &limit))
    return NULL;
  message = dup_message (&limit, FALSE);
  return dup_payload (limit.name, NULL, message);
}

/* ---- the day ---- */

static gboolean
is_limited (const ClqBudget *budget)
{
  return budget->tokens_per_day > 0 || budget->cost_per_day > 0;
}

static ClqAllowance *
find_allowance (ClqEngine *engine, const char *agent)
{
  return engine->spending.agents != NULL ? g_hash_table_lookup (engine->spending.agents, agent) : NULL;
}

static void
forget_sums (ClqSpending *self)
{
  GHashTableIter iter;
  gpointer allowance;

  self->all.tokens = 0;
  self->all.cost = 0;
  if (self->agents == NULL)
    return;
  g_hash_table_iter_init (&iter, self->agents);
  while (g_hash_table_iter_next (&iter, NULL, &allowance))
    {
      ((ClqAllowance *) allowance)->tokens = 0;
      ((ClqAllowance *) allowance)->cost = 0;
    }
}

/* A new day begins with nothing spent. A clock that was set back leads to a day of which the store knows more. */
static void
turn_page (ClqEngine *engine, gint64 now)
{
  ClqSpending *self = &engine->spending;
  guint32 today = (guint32) (now / CLQ_DAY);

  if (today == self->day)
    return;
  if (today < self->day)
    self->is_known = FALSE;
  self->day = today;
  forget_sums (self);
}

static void
add_to (ClqAllowance *allowance, guint64 tokens, double cost)
{
  if (allowance == NULL)
    return;
  allowance->tokens += tokens;
  allowance->cost += cost;
}

static gboolean
find_limit_of (const ClqAllowance *allowance, const char *agent, Limit *limit)
{
  const ClqBudget *budget = &allowance->budget;

  *limit = (Limit){ "tokens-per-day", agent, FALSE, (double) budget->tokens_per_day, (double) allowance->tokens };
  if (is_reached (limit))
    return TRUE;
  *limit = (Limit){ "cost-per-day", agent, TRUE, budget->cost_per_day, allowance->cost };
  return is_reached (limit);
}

static gboolean
find_daily_limit (ClqEngine *engine, const char *agent, Limit *limit)
{
  const ClqAllowance *own = find_allowance (engine, agent);

  return find_limit_of (&engine->spending.all, NULL, limit) || (own != NULL && find_limit_of (own, agent, limit));
}

/* Those who wait for the sums go on, or hear why they cannot. */
static void
wake_up (ClqEngine *engine, const GError *error)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&engine->spending.waiting);

  for (guint i = 0; waiting != NULL && i < waiting->len && !engine->closed; i++)
    {
      RunCall *call = g_ptr_array_index (waiting, i);

      if (call->run == NULL || call->call.over)
        continue;
      if (error != NULL)
        clq_call_fail (&call->call, CLQ_FAILURE_RECOVERABLE, "what was spent today is not known: %s", error->message);
      else
        clq_run_call_start (call);
    }
}

static void
on_sums (ClqQuery *query, gpointer user_data)
{
  ClqEngine *engine = user_data;
  ClqSpending *self = &engine->spending;

  engine->n_queries--;
  self->is_asked = FALSE;
  if (query->error == NULL)
    {
      self->is_known = TRUE;
      for (guint i = 0; i < query->usage->len; i++)
        {
          const ClqUsage *sum = &g_array_index (query->usage, ClqUsage, i);

          if (sum->day != self->day)
            continue;
          add_to (&self->all, sum->tokens_in + sum->tokens_out, sum->cost);
          add_to (find_allowance (engine, sum->agent), sum->tokens_in + sum->tokens_out, sum->cost);
        }
    }
  wake_up (engine, query->error);
}

static void
ask_for_sums (ClqEngine *engine)
{
  ClqSpending *self = &engine->spending;
  ClqQuery *query;

  if (self->is_asked)
    return;
  self->is_asked = TRUE;
  query = clq_query_new (on_sums, engine);
  query->after = self->day - 1;
  query->before = (guint64) self->day + 1;
  engine->n_queries++;
  if (engine->store->usage != NULL)
    engine->store->usage (engine->store_self, query);
  else
    clq_query_done (query, NULL); /* the store keeps no sums: the day begins with the host */
}

/* Whether it is known what the day has spent; otherwise the call waits. */
static gboolean
knows_day (RunCall *call)
{
  ClqEngine *engine = call->engine;
  ClqSpending *self = &engine->spending;

  turn_page (engine, clq_clock_now (&engine->clock));
  if (self->is_known)
    return TRUE;
  if (self->waiting == NULL)
    self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_call_unref);
  g_ptr_array_add (self->waiting, clq_call_ref (&call->call));
  ask_for_sums (engine);
  return FALSE;
}

/* Private: what one agent, or with %NULL all of them together, may spend on one day. */
void
clq_budget_set (ClqEngine *engine, const char *agent, const ClqBudget *budget)
{
  ClqSpending *self = &engine->spending;
  ClqAllowance *allowance = agent != NULL ? find_allowance (engine, agent) : &self->all;

  if (allowance == NULL)
    {
      allowance = g_new0 (ClqAllowance, 1);
      if (self->agents == NULL)
        self->agents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (self->agents, g_strdup (agent), allowance);
    }
  allowance->budget = *budget;
  self->is_limited = self->is_limited || is_limited (budget);
  self->is_known = FALSE; /* an agent that had no limit was not counted */
  forget_sums (self);
}

/* Private. */
ClqBudget
clq_budget_get (ClqEngine *engine, const char *agent)
{
  const ClqAllowance *allowance = agent != NULL ? find_allowance (engine, agent) : &engine->spending.all;

  return allowance != NULL ? allowance->budget : (ClqBudget){ 0 };
}

/* Private. */
void
clq_budget_clear (ClqEngine *engine)
{
  g_clear_pointer (&engine->spending.agents, g_hash_table_unref);
  g_clear_pointer (&engine->spending.waiting, g_ptr_array_unref);
}

/* ---- calls ---- */

/* Private: the call is not made; @payload is what `limit` will be raised with. */
void
clq_budget_refuse (RunCall *call, const char *payload)
{
  ClqRun *run = call->run;
  g_autofree char *message = clq_json_find_string (payload, "message");

  call->call.error = g_error_new_literal (CLQ_NODE_ERROR, CLQ_NODE_ERROR_BUDGET, message != NULL ? message : "");
  call->call.over = TRUE;
  call->is_refused = TRUE;
  if (run->refusal == NULL)
    run->refusal = g_strdup (payload);
  call->call.ops->done (&call->call);
}

static void
refuse (RunCall *call, const Limit *limit, gboolean is_daily)
{
  g_autofree char *message = dup_message (limit, is_daily);
  g_autofree char *payload = dup_payload (limit->name, limit->agent, message);

  clq_budget_refuse (call, payload);
}

/* Private: whether an agent may be asked now. If not, the call has ended or will be started again. */
gboolean
clq_budget_allows (RunCall *call)
{
  const ClqRun *run = call->run;
  Limit limit;

  if (find_session_limit (run->graph, run->visit.view.head, run->tokens, run->cost, &limit))
    {
      refuse (call, &limit, FALSE);
      return FALSE;
    }
  if (!call->engine->spending.is_limited)
    return TRUE;
  if (!knows_day (call))
    return FALSE;
  if (!find_daily_limit (call->engine, call->call.target, &limit))
    return TRUE;
  refuse (call, &limit, TRUE);
  return FALSE;
}

/* Private: an agent has answered. What it has used counts from now on, long before it is written down. */
void
clq_budget_count (RunCall *call)
{
  ClqSpending *self = &call->engine->spending;
  guint64 tokens = call->call.tokens_in + call->call.tokens_out;

  if (call->kind != CALL_AGENT || call->call.error != NULL || call->call.replayed || call->run == NULL)
    return;
  call->run->tokens += tokens;
  call->run->cost += call->call.cost;
  if (!self->is_known)
    return; /* there is no limit, or the store will tell */
  turn_page (call->engine, call->ended_at);
  add_to (&self->all, tokens, call->call.cost);
  add_to (find_allowance (call->engine, call->call.target), tokens, call->call.cost);
}

/* Whether the answer of a call is worth waiting for. Those that wait for people are not: it may take days. */
static gboolean
is_under_way (const RunCall *call)
{
  return call->started_at != 0 && (!call->is_held || call->is_parked) && call->kind != CALL_QUESTION;
}

/* Private: ends a visit that was refused a call, once nothing of it is under way. */
void
clq_budget_end_visit (ClqRun *run)
{
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;

  if (run->refusal == NULL || run->visit.over)
    return;
  for (guint i = 0; run->calls != NULL && i < run->calls->len; i++)
    if (is_under_way (g_ptr_array_index (run->calls, i)))
      return;
  message = clq_json_find_string (run->refusal, "message");
  error = g_error_new_literal (CLQ_NODE_ERROR, CLQ_NODE_ERROR_BUDGET, message);
  clq_visit_fail_error (&run->visit, error);
}

/* ---- what is written down ---- */

/* Private: the commit adds what the answer has cost to the sum of its day. */
void
clq_budget_write (ClqDraft *draft, const RunCall *call)
{
  GArray *all = draft->commit.usage;
  const ClqUsage usage = {
    .day = (guint32) (call->ended_at / CLQ_DAY),
    .agent = call->call.target,
    .calls = 1,
    .tokens_in = call->call.tokens_in,
    .tokens_out = call->call.tokens_out,
    .cost = call->call.cost,
  };

  if (call->kind != CALL_AGENT)
    return;
  if (all == NULL)
    all = draft->commit.usage = g_array_new (FALSE, FALSE, sizeof (ClqUsage));
  g_array_append_val (all, usage);
}
