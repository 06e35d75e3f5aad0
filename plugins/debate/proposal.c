/* proposal: every agent proposes a solution; in later rounds its refinement is its proposal. */
#include "debate.h"

static void
on_proposals (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  debate_sitting_take (user_data, DEBATE_KIND_PROPOSAL, calls, n_calls);
  clq_visit_finish (visit, "PROPOSALS_COMPLETE");
}

static void
propose (DebateSitting *sitting)
{
  for (guint i = 0; i < sitting->debate->n_agents; i++)
    {
      const DebateAgent *agent = &sitting->debate->members[i];
      const char *values[DEBATE_N_VALUES] = { NULL };

      debate_sitting_add (sitting, agent->name, g_strconcat ("proposal/", sitting->round_text, "/", agent->name, NULL),
                          debate_sitting_dup_request (sitting, DEBATE_ASK_PROPOSAL, agent, values));
    }
  debate_sitting_ask (sitting, CLQ_JOIN_ALL, on_proposals);
}

/* The texts stay where they are: in the calls of the round before. */
static void
carry_over (ClqVisit *visit, const Debate *debate, gint64 round)
{
  for (guint i = 0; i < debate->n_agents; i++)
    {
      const char *agent = debate->members[i].name;
      g_autofree char *call = g_strdup_printf ("refinement/%" G_GINT64_FORMAT "/%s", round - 1, agent);

      debate_contribute (clq_visit_get_change (visit), round, DEBATE_KIND_PROPOSAL, agent, NULL, call);
    }
  clq_visit_finish (visit, "PROPOSALS_COMPLETE");
}

static void
proposal_enter (gpointer self, ClqVisit *visit)
{
  const Debate *debate = debate_of (visit);
  gint64 round = clq_view_get_int (clq_visit_get_view (visit), "round");

  if (debate != NULL && round > 1)
    carry_over (visit, debate, round);
  else
    debate_sitting_open (visit, DEBATE_NO_ROUND, propose);
}

const ClqNodeInfo debate_proposal = {
  CLQ_NODE_INFO,
  .name = "proposal",
  .summary = "Every agent proposes a solution; in later rounds its refinement is its proposal",
  .outcomes = CLQ_OUTCOMES ("PROPOSALS_COMPLETE"),
  .enter = proposal_enter,
};
