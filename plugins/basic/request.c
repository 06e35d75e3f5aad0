/* What agents are asked: the text that led to the visit, as one message. */
#include "basic.h"

char *
basic_dup_request (ClqVisit *visit)
{
  const char *heard = clq_visit_get_text (visit);
  ClqPrompt *prompt = clq_prompt_new ();

  clq_prompt_add (prompt, CLQ_ROLE_USER, heard != NULL ? heard : "");
  return clq_prompt_finish (prompt);
}
