/* round-manager: begins the next round, or says that there is none. */
#include "debate.h"

static void
begin_round (ClqVisit *visit, const Debate *debate, gint64 round)
{
  ClqChange *change = clq_visit_get_change (visit);

  clq_change_set_int (change, "round", round);
  clq_change_set_reason (change, "round %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, round, debate->rounds);
  if (debate->round_timeout > 0)
    clq_change_set_deadline (change, DEBATE_ROUND_TIMEOUT, clq_view_get_now (clq_visit_get_view (visit)) + debate->round_timeout);
  clq_visit_finish (visit, "BEGIN_ROUND");
}

static void
round_manager_enter (gpointer self, ClqVisit *visit)
{
  const Debate *debate = debate_of (visit);
  gint64 round = clq_view_get_int (clq_visit_get_view (visit), "round");

  if (debate == NULL)
    debate_fail_modality (visit);
  else if (round < debate->rounds)
    begin_round (visit, debate, round + 1);
  else
    {
      clq_change_clear_deadline (clq_visit_get_change (visit), DEBATE_ROUND_TIMEOUT);
      clq_change_set_reason (clq_visit_get_change (visit), "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " rounds are over", round, debate->rounds);
      clq_visit_finish (visit, "MAX_ROUNDS_REACHED");
    }
}

const ClqNodeInfo debate_round_manager = {
  CLQ_NODE_INFO,
  .name = "round-manager",
  .summary = "Begins the next round, or says that there is none",
  .outcomes = CLQ_OUTCOMES ("BEGIN_ROUND", "MAX_ROUNDS_REACHED"),
  .enter = round_manager_enter,
};
