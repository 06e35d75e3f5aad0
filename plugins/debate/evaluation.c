/* evaluation: says whether another round is worth it. */
#include "debate.h"

#define STANDARD_CONFIDENCE 50

/* The round is over, and with it the time that it may take. */
static void
finish (ClqVisit *visit, const char *outcome)
{
  clq_change_clear_deadline (clq_visit_get_change (visit), DEBATE_ROUND_TIMEOUT);
  clq_visit_finish (visit, outcome);
}

static void
decide (DebateSitting *sitting, double confidence)
{
  ClqChange *change = clq_visit_get_change (sitting->visit);
  gboolean is_enough = confidence >= sitting->debate->threshold;

  clq_change_set_double (change, "confidence", confidence);
  clq_change_set_reason (change, "confidence %g, %s is %g", confidence, is_enough ? "enough" : "needed", sitting->debate->threshold);
  finish (sitting->visit, is_enough ? "CONSENSUS_REACHED" : "CONTINUE");
}

static void
on_second_verdict (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  g_autofree char *mistake = NULL;
  double confidence = STANDARD_CONFIDENCE;

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  if (!debate_read_confidence (clq_call_get_text (call), &confidence, &mistake))
    clq_change_warn (clq_visit_get_change (visit), "the judge's confidence cannot be read (%s); taken as %d", mistake, STANDARD_CONFIDENCE);
  decide (sitting, confidence);
}

static void
on_verdict (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  g_autofree char *mistake = NULL, *request = NULL, *key = NULL;
  double confidence;

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  if (debate_read_confidence (clq_call_get_text (call), &confidence, &mistake))
    {
      decide (sitting, confidence);
      return;
    }
  request = debate_sitting_dup_repair (sitting, clq_call_get_request (call), clq_call_get_text (call), mistake);
  key = g_strconcat (clq_call_get_key (call), "/repair", NULL);
  debate_sitting_count_calls (sitting, 1);
  clq_visit_call_agent (visit, key, clq_call_get_target (call), request, FALSE, on_second_verdict, sitting);
}

static void
evaluate (DebateSitting *sitting)
{
  const Debate *debate = sitting->debate;
  g_autofree char *key = g_strdup_printf ("evaluation/%" G_GINT64_FORMAT, sitting->round);
  g_autofree char *proposals = debate_dup_latest (sitting);
  g_autofree char *notes = debate_dup_notes (sitting, sitting->round);
  const char *values[DEBATE_N_VALUES] = { [DEBATE_PROPOSALS] = proposals, [DEBATE_NOTES] = notes };
  g_autofree char *request = debate_sitting_dup_request (sitting, debate->termination == DEBATE_QUALITY ? DEBATE_ASK_QUALITY : DEBATE_ASK_CONVERGENCE,
                                                         debate_get_judge (debate), values);

  debate_sitting_count_calls (sitting, 1);
  clq_visit_call_agent (sitting->visit, key, debate_get_judge (debate)->name, request, FALSE, on_verdict, sitting);
}

static void
evaluation_enter (gpointer self, ClqVisit *visit)
{
  const Debate *debate = debate_of (visit);
  gint64 round = clq_view_get_int (clq_visit_get_view (visit), "round");

  if (debate == NULL || debate->termination != DEBATE_FIXED)
    debate_sitting_open (visit, round, evaluate);
  else
    finish (visit, round < debate->rounds ? "CONTINUE" : "MAX_ROUNDS_REACHED");
}

const ClqNodeInfo debate_evaluation = {
  CLQ_NODE_INFO,
  .name = "evaluation",
  .summary = "Says whether another round is worth it, by the number of rounds or by the judge's confidence",
  .outcomes = CLQ_OUTCOMES ("CONTINUE", "CONSENSUS_REACHED", "MAX_ROUNDS_REACHED"),
  .enter = evaluation_enter,
};
