/* refinement: every agent refines its proposal, with the critiques of the others before it. */
#include "debate.h"

static void
on_refinements (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  debate_sitting_take (user_data, DEBATE_KIND_REFINEMENT, calls, n_calls);
  clq_visit_finish (visit, "REFINEMENTS_COMPLETE");
}

static void
refine (DebateSitting *sitting)
{
  for (guint i = 0; i < sitting->debate->n_agents; i++)
    {
      const DebateAgent *agent = &sitting->debate->members[i];
      g_autofree char *history = debate_history_dup (sitting, i, FALSE);
      g_autofree char *critiques = debate_dup_critiques (sitting, sitting->round, agent->name);
      g_autofree char *proposal = debate_text_dup (debate_minutes_find (&sitting->dossier->minutes, DEBATE_KIND_PROPOSAL, sitting->round, agent->name, NULL));
      const char *values[DEBATE_N_VALUES] = {
        [DEBATE_HISTORY] = history,
        [DEBATE_CRITIQUES] = critiques,
        [DEBATE_PROPOSAL] = proposal,
      };

      debate_sitting_add (sitting, agent->name, g_strconcat ("refinement/", sitting->round_text, "/", agent->name, NULL),
                          debate_sitting_dup_request (sitting, DEBATE_ASK_REFINEMENT, agent, values));
    }
  debate_sitting_ask (sitting, CLQ_JOIN_ALL, on_refinements);
}

static void
refinement_enter (gpointer self, ClqVisit *visit)
{
  debate_sitting_open (visit, DEBATE_REMEMBERED, refine);
}

const ClqNodeInfo debate_refinement = {
  CLQ_NODE_INFO,
  .name = "refinement",
  .summary = "Every agent refines its proposal, with the critiques of the others before it",
  .outcomes = CLQ_OUTCOMES ("REFINEMENTS_COMPLETE"),
  .enter = refinement_enter,
};
