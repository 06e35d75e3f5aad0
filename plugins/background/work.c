/* work: lets the agent do what was scheduled. */
#include "background.h"

/* What the agent is told when it is time; its own words are recognised by scripts. */
#define TASK "Work on: {{#if task}}{{task}}{{/if}}"

static const ClqSetting settings[] = {
  BACKGROUND_NODE_SETTINGS (
      "You do scheduled work while nobody looks. It is {{now}}.{{#if step}} Step: {{step}}.{{/if}}{{#if state}} State: {{state}}.{{/if}} Answer with one "
      "JSON object. Done for this time: {\"complete\":{\"message\":\"what the user reads\"}}. More to do: {\"continue\":{\"state\":{},\"step\":\"...\"}}. "
      "To ask: {\"needs_input\":{\"type\":\"confirmation\",\"prompt\":\"...\"}}; also type choice with options, or input."),
  { NULL },
};

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  g_auto (BackgroundResult) result = { NULL };

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  background_result_read (&result, clq_call_get_text (call), TRUE, "UTC");
  clq_visit_finish_with (visit, result.word, result.payload);
}

static void
work_enter (gpointer self, ClqVisit *visit)
{
  if (clq_view_get_bool (clq_visit_get_view (visit), "run.skip"))
    clq_visit_finish (visit, "skipped");
  else
    background_ask (self, visit);
}

static gboolean
work_init (gpointer self, GError **error)
{
  BackgroundNode *node = self;

  node->last = TASK;
  node->func = on_answer;
  return background_node_check (node, error);
}

const ClqNodeInfo background_work = {
  CLQ_NODE_INFO,
  .name = "work",
  .summary = "Lets the agent do what was scheduled: it may be done, go on later or ask something",
  .outcomes = CLQ_OUTCOMES ("needs_input", "complete", "continue", "skipped"),
  .settings = settings,
  .self_size = sizeof (BackgroundNode),
  .init = work_init,
  .enter = work_enter,
};
