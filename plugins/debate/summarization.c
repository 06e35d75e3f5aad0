/* summarization: agents whose history has become long summarise it. */
#include "debate.h"

static gboolean
is_long (ClqView *view, const Debate *debate, const DebateAgent *agent)
{
  return debate->summarization && debate_history_get_characters (view, agent->name) > debate->summary_threshold;
}

/* Whoever has no summary goes on with the whole. */
static void
on_summaries (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;

  for (guint i = 0; i < n_calls; i++)
    {
      const char *agent = clq_call_get_target (calls[i]), *summary = clq_call_get_text (calls[i]);

      if (summary == NULL)
        continue; /* the fan-out has warned */
      if (debate_is_blank (summary))
        {
          clq_change_warn (clq_visit_get_change (visit), "%s: the summary is empty; the whole is used", clq_call_get_key (calls[i]));
          continue;
        }
      debate_history_replace (sitting, agent, summary);
      debate_sitting_contribute (sitting, DEBATE_KIND_SUMMARY, agent, NULL, clq_call_get_key (calls[i]));
    }
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

      if (!is_long (clq_visit_get_view (sitting->visit), debate, agent))
        continue;
      history = debate_history_dup (sitting, agent->name, TRUE);
      values[DEBATE_HISTORY] = history;
      debate_sitting_add (sitting, agent->name, g_strdup_printf ("summary/%" G_GINT64_FORMAT "/%s", sitting->round, agent->name),
                          debate_sitting_dup_request (sitting, DEBATE_ASK_SUMMARY, agent, values));
    }
  debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_summaries);
}

static void
summarization_enter (gpointer self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  const Debate *debate = debate_of (visit);
  gint64 oldest = DEBATE_NO_ROUND;

  if (debate == NULL)
    {
      debate_fail_modality (visit);
      return;
    }
  for (guint i = 0; i < debate->n_agents; i++)
    if (is_long (view, debate, &debate->members[i]))
      oldest = MIN (oldest, debate_history_get_from (view, debate->members[i].name));
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
