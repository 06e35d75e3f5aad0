/* critique: every agent criticises the proposals of all others. */
#include "debate.h"

/* Critiques that failed are left out; the fan-out has warned. */
static void
on_critiques (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  const Debate *debate = sitting->debate;
  guint next = 0;

  for (guint i = 0; i < debate->n_agents; i++)
    for (guint j = 0; j < debate->n_agents; j++)
      {
        ClqCall *call = i != j ? calls[next++] : NULL;

        if (call == NULL || clq_call_get_text (call) == NULL)
          continue;
        debate_sitting_contribute (sitting, DEBATE_KIND_CRITIQUE, debate->members[i].name, debate->members[j].name, clq_call_get_key (call));
        debate_history_grow (sitting, j, clq_call_get_text (call));
      }
  debate_history_write (sitting);
  clq_visit_finish (visit, "CRITIQUES_COMPLETE");
}

static void
criticise (DebateSitting *sitting)
{
  const Debate *debate = sitting->debate;
  char *proposals[DEBATE_MAX_AGENTS];

  for (guint i = 0; i < debate->n_agents; i++)
    proposals[i] = debate_text_dup (debate_minutes_find (&sitting->dossier->minutes, DEBATE_KIND_PROPOSAL, sitting->round, debate->members[i].name, NULL));
  for (guint i = 0; i < debate->n_agents; i++)
    {
      const DebateAgent *critic = &debate->members[i];
      g_autofree char *history = debate_history_dup (sitting, i, TRUE);

      for (guint j = 0; j < debate->n_agents; j++)
        {
          const char *author = debate->members[j].name;
          const char *values[DEBATE_N_VALUES] = {
            [DEBATE_HISTORY] = history,
            [DEBATE_AUTHOR] = author,
            [DEBATE_PROPOSAL] = proposals[j],
          };

          if (i != j)
            debate_sitting_add (sitting, critic->name, g_strconcat ("critique/", sitting->round_text, "/", critic->name, "/", author, NULL),
                                debate_sitting_dup_request (sitting, DEBATE_ASK_CRITIQUE, critic, values));
        }
    }
  for (guint i = 0; i < debate->n_agents; i++)
    g_free (proposals[i]);
  debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_critiques);
}

static void
critique_enter (gpointer self, ClqVisit *visit)
{
  debate_sitting_open (visit, DEBATE_REMEMBERED, criticise);
}

const ClqNodeInfo debate_critique = {
  CLQ_NODE_INFO,
  .name = "critique",
  .summary = "Every agent criticises the proposals of all others",
  .outcomes = CLQ_OUTCOMES ("CRITIQUES_COMPLETE"),
  .enter = critique_enter,
};
