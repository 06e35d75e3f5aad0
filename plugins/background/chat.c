/* chat: answers the user, and may schedule work or ask something. */
#include "background.h"

static const ClqSetting settings[] = {
  BACKGROUND_NODE_SETTINGS (
      "You talk with a user and can go on working later. It is {{now}}.{{#if schedule}} Scheduled: {{schedule}}, next {{next-run}}.{{/if}}"
      "{{#if task}} Task: {{task}}.{{/if}}{{#if state}} State: {{state}}.{{/if}} Answer with text, or with one JSON object. "
      "To work later: {\"create_schedule\":{\"schedule\":{\"type\":\"cron\",\"cronExpression\":\"0 9 * * 1-5\",\"timezone\":\"Europe/Berlin\"},"
      "\"task\":\"what to do then\"},\"message\":\"what the user reads\"}; instead of cron once: {\"type\":\"scheduled\",\"runAt\":\"2026-12-31T10:00:00Z\"}, "
      "or at once: {\"type\":\"immediate\"}. To ask: {\"needs_input\":{\"type\":\"confirmation\",\"prompt\":\"...\"}}; also type choice with options, "
      "or input. To remember: {\"state_update\":{\"name\":\"value\"},\"message\":\"...\"}."),
  { NULL },
};

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  g_auto (BackgroundResult) result = { NULL };
  const char *zone = clq_view_get_setting (clq_visit_get_view (visit), "timezone");

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  background_result_read (&result, clq_call_get_text (call), FALSE, zone != NULL ? zone : "UTC");
  clq_visit_finish_with (visit, result.word, result.payload);
}

/* A question that the modality has asked, to try again, is no business of the agent. */
static gboolean
is_for_agent (const ClqEvent *event)
{
  g_autofree char *payload = g_strdup (clq_event_get_payload (event));
  ClqJsonSpan values = payload != NULL ? clq_json_find (payload, -1, "values") : (ClqJsonSpan){ CLQ_JSON_NONE }, key, value;
  ClqJsonIter iter;

  if (clq_event_get_text (event) == NULL)
    return FALSE;
  if (values.type != CLQ_JSON_OBJECT || !clq_json_iter_init (&iter, &values))
    return clq_event_get_role (event) != CLQ_ROLE_ASSISTANT && clq_event_get_role (event) != CLQ_ROLE_SYSTEM;
  while (clq_json_iter_next (&iter, &key, &value))
    if (clq_json_span_string_equal (&key, BACKGROUND_RETRY_KEY))
      return FALSE;
  return TRUE;
}

static void
chat_enter (gpointer self, ClqVisit *visit)
{
  if (is_for_agent (clq_visit_get_event (visit)))
    background_ask (self, visit);
  else
    clq_visit_finish_with (visit, "text", "{}");
}

static gboolean
chat_init (gpointer self, GError **error)
{
  BackgroundNode *node = self;

  node->func = on_answer;
  return background_node_check (node, error);
}

const ClqNodeInfo background_chat = {
  CLQ_NODE_INFO,
  .name = "chat",
  .summary = "Lets the agent answer the user; it may schedule work, ask something or remember something",
  .outcomes = CLQ_OUTCOMES ("create_schedule", "needs_input", "state_update", "text"),
  .settings = settings,
  .self_size = sizeof (BackgroundNode),
  .init = chat_init,
  .enter = chat_enter,
};
