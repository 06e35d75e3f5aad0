/* summarization: agents whose history has become long summarise it. */
#include "debate.h"

static gboolean
is_long (const Debate *debate, const DebateHistory *history)
{
  return debate->summarization && history->characters > debate->summary_threshold;
}

/* Whoever has no summary goes on with the whole. */
static void
on_summaries (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  guint agent = 0;

  for (guint i = 0; i < n_calls; i++, agent++)
    {
      const char *summary = clq_call_get_text (calls[i]);

      while (!is_long (sitting->debate, &sitting->histories[agent]))
        agent++; /* nobody was asked for a summary of theirs */

      if (summary == NULL)
        continue; /* the fan-out has warned */
      if (debate_is_blank (summary))
        {
          clq_change_warn (clq_visit_get_change (visit), "%s: the summary is empty; the whole is used", clq_call_get_key (calls[i]));
          continue;
        }
      debate_history_replace (sitting, agent, summary);
      debate_sitting_contribute (sitting, DEBATE_KIND_SUMMARY, clq_call_get_target (calls[i]), NULL, clq_call_get_key (calls[i]));
    }
  debate_history_write (sitting);
  clq_visit_finish (visit, "CONTEXTS_READY");
}

static void
summarize (DebateSitting *sitting)
{
  const Debate *debate = sitting->debate;
  g_autofree char *length = g_strdup_printf ("%" G_GINT64_FORMAT, debate->summary_length);

  for (guint i = 0; i < debate->n_agents; i++)
    {
      const DebateAgent *agent = &debate->members[i];
      g_autofree char *history = NULL;
      const char *values[DEBATE_N_VALUES] = { [DEBATE_MAX_LENGTH] = length };

      if (!is_long (debate, &sitting->histories[i]))
        continue;
      history = debate_history_dup (sitting, i, TRUE);
      values[DEBATE_HISTORY] = history;
      debate_sitting_add (sitting, agent->name, g_strdup_printf ("summary/%" G_GINT64_FORMAT "/%s", sitting->round, agent->name),
                          debate_sitting_dup_request (sitting, DEBATE_ASK_SUMMARY, agent, values));
    }
  debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_summaries);
}

static void
summarization_enter (gpointer self, ClqVisit *visit)
{
  const Debate *debate = debate_of (visit);
  DebateHistory histories[DEBATE_MAX_AGENTS];
  gint64 oldest = DEBATE_NO_ROUND;

  if (debate == NULL)
    {
      debate_fail_modality (visit);
      return;
    }
  debate_history_read (clq_visit_get_view (visit), debate, histories);
  for (guint i = 0; i < debate->n_agents; i++)
    if (is_long (debate, &histories[i]))
      oldest = MIN (oldest, histories[i].from);
  if (oldest == DEBATE_NO_ROUND)
    clq_visit_finish (visit, "CONTEXTS_READY");
  else
    debate_sitting_open (visit, oldest, summarize);
}

const ClqNodeInfo debate_summarization = {
  CLQ_NODE_INFO,
  .name = "summarization",
  .summary = "Lets agents summarise their history if it has become long",
  .outcomes = CLQ_OUTCOMES ("CONTEXTS_READY"),
  .enter = summarization_enter,
};
