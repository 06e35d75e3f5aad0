/* Agents that help if they are there. */
#include "task.h"

/* Whether there is such an agent; then it is asked. */
gboolean
task_ask (ClqVisit *visit, const char *key, const char *agent, const char *prompt, const char *content, ClqCallFunc func, gpointer user_data)
{
  g_autofree char *request = NULL;
  ClqPrompt *messages;

  if (!clq_visit_has_agent (visit, agent))
    return FALSE;
  messages = clq_prompt_new ();
  clq_prompt_add (messages, CLQ_ROLE_SYSTEM, prompt);
  clq_prompt_add (messages, CLQ_ROLE_USER, content);
  request = clq_prompt_finish (messages);
  clq_visit_call_agent (visit, key, agent, request, FALSE, func, user_data);
  return TRUE;
}
