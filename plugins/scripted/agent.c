/* agent: gives the replies that it was told to give, or those that its rules find. */
#include "scripted.h"

typedef struct
{
  char *replies;
  char *rules;
  char *fallback;
  char *script;
  gboolean stream;
  GTimeSpan piece_delay;
  double price_in;
  double price_out;
  Script known;
} Agent;

static const ClqSetting settings[] = {
  CLQ_JSON (Agent, replies, NULL, "a JSON list: what is replied, each once, in this order"),
  CLQ_JSON (Agent, rules, NULL, "a JSON list of {\"match\": REGULAR EXPRESSION, \"reply\": …}, tried when no reply is left"),
  CLQ_STRING (Agent, fallback, NULL, "what is replied when no rule fits"),
  CLQ_STRING (Agent, script, NULL, "a JSON file with more replies, rules and fallback"),
  CLQ_BOOL (Agent, stream, true, "give a reply word by word"),
  CLQ_DURATION (Agent, piece_delay, "0s", "how long to wait between two words"),
  CLQ_DOUBLE (Agent, price_in, 0, 0, 1e9, "what a million tokens of requests are said to cost"),
  CLQ_DOUBLE (Agent, price_out, 0, 0, 1e9, "what a million tokens of replies are said to cost"),
  { NULL },
};

static gboolean
read_settings (Agent *self, GError **error)
{
  ClqJsonSpan replies = clq_json_span (self->replies, -1);
  ClqJsonSpan rules = clq_json_span (self->rules, -1);

  if (replies.type != CLQ_JSON_NONE && !scripted_script_add_replies (&self->known, &replies, error))
    return FALSE;
  if (rules.type != CLQ_JSON_NONE && !scripted_script_add_rules (&self->known, &rules, error))
    return FALSE;
  return self->script == NULL || scripted_script_add_file (&self->known, self->script, &self->fallback, error);
}

static gboolean
agent_init (gpointer data, GError **error)
{
  Agent *self = data;

  scripted_script_init (&self->known);
  if (read_settings (self, error))
    return TRUE;
  scripted_script_clear (&self->known);
  return FALSE;
}

static void
agent_clear (gpointer data)
{
  Agent *self = data;

  scripted_script_clear (&self->known);
}

/* What the user said or a tool gave last; an empty text if nothing. Requests of a fan-out come unchecked, so they are checked here. */
static char *
dup_heard (const char *request, GError **error)
{
  ClqJsonSpan messages, message, heard = { 0 };
  ClqJsonIter iter;
  char *text;

  if (request != NULL && !clq_json_check (request, -1, NULL, error))
    {
      g_prefix_error (error, "request: ");
      return NULL;
    }
  messages = clq_json_find (request, -1, "messages");
  clq_json_iter_init (&iter, &messages);
  while (clq_json_iter_next (&iter, NULL, &message))
    {
      ClqJsonSpan role = clq_json_find (message.start, (gssize) message.length, "role");

      if (clq_json_span_string_equal (&role, "user") || clq_json_span_string_equal (&role, "tool"))
        heard = clq_json_find (message.start, (gssize) message.length, "text");
    }
  text = clq_json_span_dup_string (&heard);
  return text != NULL ? text : g_strdup ("");
}

static ScriptedReply *
apply_rules (Agent *self, ClqCall *call, GError **error)
{
  g_autofree char *heard = NULL;
  GError *local = NULL;

  if (self->known.rules->len == 0)
    return NULL;
  heard = dup_heard (clq_call_get_request (call), error);
  if (heard == NULL)
    return NULL;
  for (guint i = 0; i < self->known.rules->len; i++)
    {
      ScriptedReply *reply = scripted_rule_apply (g_ptr_array_index (self->known.rules, i), heard, &local);

      if (reply != NULL)
        return reply;
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return NULL;
        }
    }
  return NULL;
}

static gboolean
agent_is_present (gpointer data)
{
  Agent *self = data;

  return !g_queue_is_empty (&self->known.replies) || self->known.rules->len > 0 || self->fallback != NULL;
}

/* Replies are taken when calls start, so a slow one does not change who gets the next. */
static void
agent_complete (gpointer data, ClqCall *call)
{
  Agent *self = data;
  ScriptedReply *reply = g_queue_pop_head (&self->known.replies);
  g_autoptr (GError) error = NULL;

  if (reply == NULL)
    reply = apply_rules (self, call, &error);
  if (reply == NULL && error == NULL && self->fallback != NULL)
    reply = scripted_reply_new (self->fallback);

  if (reply != NULL)
    scripted_speech_begin (call, reply, &(ScriptedManner){ self->stream, self->piece_delay, self->price_in, self->price_out });
  else if (error != NULL)
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "agent '%s': %s", clq_call_get_target (call), error->message);
  else
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "agent '%s' has no reply queued%s", clq_call_get_target (call),
                   self->known.rules->len > 0 ? " and no rule that fits" : "");
}

static gboolean
agent_instruct (gpointer data, const char *json, GError **error)
{
  Agent *self = data;

  return scripted_script_add_instruction (&self->known, json, error);
}

const ClqAgentInfo scripted_agent = {
  CLQ_AGENT_INFO,
  .name = "agent",
  .summary = "Answers without a model, as a script says",
  .settings = settings,
  .self_size = sizeof (Agent),
  .init = agent_init,
  .clear = agent_clear,
  .complete = agent_complete,
  .is_present = agent_is_present,
  .instruct = agent_instruct,
};
