/* debate: several agents propose, criticise and refine until a judge sees consensus or the rounds are used up. */
#include "debate.h"

CLQ_PLUGIN ("debate", "1.0", "Agents that debate a problem until a judge has a solution", &debate_debate.feature, &debate_initialization.feature, &debate_clarification.feature, &debate_round_manager.feature, &debate_summarization.feature, &debate_proposal.feature, &debate_critique.feature, &debate_refinement.feature, &debate_evaluation.feature, &debate_synthesis.feature);
