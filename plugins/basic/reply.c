/* reply: an agent answers what was heard. */
#include "basic.h"

typedef struct
{
  char *agent;
  gboolean optional;
} Reply;

static const ClqSetting settings[] = {
  CLQ_STRING (Reply, agent, "assistant", "who answers"),
  CLQ_BOOL (Reply, optional, false, "stay silent if there is no such agent"),
  { NULL },
};

/* What the agent said was said by the visit while it came. */
static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else
    clq_visit_finish (visit, "replied");
}

static void
reply_enter (gpointer self, ClqVisit *visit)
{
  Reply *reply = self;
  g_autofree char *request = NULL;

  if (reply->optional && !clq_visit_has_agent (visit, reply->agent))
    {
      clq_visit_finish (visit, "silent");
      return;
    }
  request = basic_dup_request (visit);
  clq_visit_call_agent (visit, "reply", reply->agent, request, TRUE, on_answer, NULL);
}

const ClqNodeInfo basic_reply = {
  CLQ_NODE_INFO,
  .name = "reply",
  .summary = "Lets an agent answer what was heard",
  .outcomes = CLQ_OUTCOMES ("replied", "silent"),
  .settings = settings,
  .self_size = sizeof (Reply),
  .enter = reply_enter,
};
