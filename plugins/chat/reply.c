/* reply: the agent answers the newest message. */
#include "chat.h"

static void
keep_context (const ChatContext *context, ClqChange *change)
{
  const ChatEntry *oldest = g_ptr_array_index (context->entries, context->first);

  clq_change_set_int (change, "context.tokens", (gint64) chat_context_count_shown (context));
  clq_change_set_int (change, "context.fresh", oldest->age);
  if (context->summary_changed && context->summary != NULL)
    clq_change_set_string (change, "context.summary", context->summary);
  else if (context->summary_changed)
    clq_change_unset (change, "context.summary");
}

/* What the agent said was said by the visit while it came. */
static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  ChatContext *context = user_data;
  const char *text = clq_call_get_text (call);
  g_autoptr (GString) payload = g_string_new (NULL);

  if (clq_call_get_error (call) != NULL)
    {
      clq_visit_fail_error (visit, clq_call_get_error (call));
      return;
    }
  if (*text == '\0')
    {
      clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "agent '%s' said nothing", context->agent);
      return;
    }
  chat_context_spend (context, call);
  keep_context (context, clq_visit_get_change (visit));
  chat_add_number (payload, "tokensIn", (gint64) context->tokens_in);
  chat_add_number (payload, "tokensOut", (gint64) context->tokens_out);
  chat_add_number (payload, "size", (gint64) chat_context_count (context, text));
  g_string_append_c (payload, '}');
  clq_visit_finish_with (visit, "replied", payload->str);
}

static void
ask (ChatContext *context)
{
  g_autofree char *request = chat_context_dup_request (context, context->entries->len, TRUE, NULL);

  clq_visit_call_agent (context->visit, "reply", context->agent, request, TRUE, on_answer, context);
}

static void
fit (ChatContext *context)
{
  chat_context_fit (context, ask);
}

/* Only what the user says is replied to. */
static void
reply_enter (gpointer self, ClqVisit *visit)
{
  double seconds = clq_view_get_double (clq_visit_get_view (visit), "turnTimeout");

  if (clq_visit_get_text (visit) == NULL || clq_event_get_role (clq_visit_get_event (visit)) != CLQ_ROLE_USER)
    {
      clq_visit_finish (visit, "silent");
      return;
    }
  if (seconds > 0)
    clq_visit_set_timeout (visit, (GTimeSpan) (seconds * G_TIME_SPAN_SECOND));
  chat_context_read (visit, fit);
}

const ClqNodeInfo chat_reply = {
  CLQ_NODE_INFO,
  .name = "reply",
  .summary = "Lets the agent reply to the newest message, with as much of the conversation as its window holds",
  .outcomes = CLQ_OUTCOMES ("replied", "silent"),
  .enter = reply_enter,
};
