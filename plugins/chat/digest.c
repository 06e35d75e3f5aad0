/* digest: the agent writes down what the conversation came to. */
#include "chat.h"

#define INSTRUCTION "Write down what this conversation came to, as JSON: {\"title\":\"…\",\"summary\":\"…\",\"decisions\":[\"…\"]}"
#define MAX_DECISIONS 4096

/* JSON if it is, in a fence or not; any other text is the summary. */
static void
keep (ClqChange *change, const char *text)
{
  g_autofree char *json = clq_json_extract (text, CLQ_JSON_OBJECT);
  g_autofree char *title = NULL, *summary = NULL;
  ClqJsonSpan decisions = { 0 };

  if (json != NULL)
    {
      title = clq_json_find_string (json, "title");
      summary = clq_json_find_string (json, "summary");
      decisions = clq_json_find (json, -1, "decisions");
    }
  if (title != NULL)
    {
      g_autofree char *clipped = chat_clip (title, 100);

      clq_change_set_string (change, "digest.title", clipped);
    }
  if (decisions.type == CLQ_JSON_ARRAY && decisions.length <= MAX_DECISIONS)
    {
      g_autofree char *list = chat_dup_span (&decisions, NULL);

      clq_change_set_json (change, "digest.decisions", list);
    }
  if (summary != NULL || json == NULL)
    {
      g_autofree char *clipped = chat_clip (summary != NULL ? summary : text, CHAT_MAX_SUMMARY / 4);

      clq_change_set_string (change, "digest.summary", clipped);
    }
}

/* A conversation may end without its digest. */
static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  ClqChange *change = clq_visit_get_change (visit);

  if (clq_call_get_error (call) != NULL)
    {
      clq_change_warn (change, "no digest: %s", clq_call_get_error (call)->message);
      clq_visit_finish (visit, "silent");
      return;
    }
  keep (change, clq_call_get_text (call));
  clq_change_set_int (change, "digest.pending", 0);
  clq_visit_finish (visit, "digested");
}

static void
ask (ChatContext *context)
{
  guint64 instruction = chat_context_count (context, INSTRUCTION);
  g_autofree char *request = NULL;

  if (context->entries->len == 0 || instruction >= context->window)
    {
      clq_visit_finish (context->visit, "silent");
      return;
    }
  chat_context_slide (context, context->window - instruction);
  if (chat_context_count_shown (context) + instruction > context->window)
    {
      clq_visit_finish (context->visit, "silent");
      return;
    }
  request = chat_context_dup_request (context, context->entries->len, FALSE, INSTRUCTION);
  clq_visit_call_agent (context->visit, "digest", context->agent, request, FALSE, on_answer, context);
}

static void
digest_enter (gpointer self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  g_autofree char *agent = clq_view_dup_string (view, "agent");

  if (clq_view_get_int (view, "digest.pending") == 0 || agent == NULL || !clq_visit_has_agent (visit, agent))
    clq_visit_finish (visit, "silent");
  else
    chat_context_read (visit, ask);
}

const ClqNodeInfo chat_digest = {
  CLQ_NODE_INFO,
  .name = "digest",
  .summary = "Lets the agent write down what the conversation came to; silent if there is nothing new or nobody to ask",
  .outcomes = CLQ_OUTCOMES ("digested", "silent"),
  .enter = digest_enter,
};
