/* configure: agent, system prompt, context and limits, before the conversation starts. */
#include "chat.h"

#define MIN_WINDOW 16
#define MAX_WINDOW 100000000
#define MAX_TIMEOUT 86400.0

static const char *const strategies[] = { "sliding", "summarize", "forget", NULL };

/* The first data of a conversation. */
void
chat_open_data (const Chat *chat, ClqChange *change)
{
  clq_change_set_int (change, "turnCount", 0);
  clq_change_set_string (change, "branch", "main");
  clq_change_set_json (change, "branches", "{\"main\":{\"turn\":0,\"turns\":0}}");
  clq_change_set_json (change, "checkpoints", "{}");
  clq_change_set_json (change, "conflicts", "[]");
  clq_change_set_string (change, "agent", chat->agent);
  clq_change_set_string (change, "systemPrompt", chat->system_prompt);
  clq_change_set_int (change, "maxTurns", chat->max_turns);
  clq_change_set_double (change, "turnTimeout", (double) chat->turn_timeout / G_TIME_SPAN_SECOND);
  clq_change_set_string (change, "context.strategy", strategies[chat->context_strategy]);
  clq_change_set_int (change, "context.window", chat->context_window);
  clq_change_set_double (change, "context.threshold", chat->context_threshold);
  clq_change_set_int (change, "context.tokens", 0);
  clq_change_set_int (change, "context.entries", 0);
  clq_change_set_int (change, "context.fresh", 0);
  clq_change_set_json (change, "metrics", "{\"turns\":0,\"tokensIn\":0,\"tokensOut\":0,\"latency\":0,\"averageLatency\":0,\"contextUse\":0}");
}

static gboolean
bad_value (const char *what, const char *expected, GError **error)
{
  return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "configure: %s: expected %s", what, expected);
}

/* A whole number; -1 if there is none. */
static gboolean
get_number (const ChatStep *step, const char *member, gint64 min, gint64 max, const char *expected, gint64 *number, GError **error)
{
  ClqJsonSpan span = chat_find (step, member);
  double value = clq_json_span_get_double (&span);

  *number = -1;
  if (span.type <= CLQ_JSON_NULL)
    return TRUE;
  if (span.type != CLQ_JSON_NUMBER || value < (double) min || value > (double) max || value != (double) (gint64) value)
    return bad_value (member, expected, error);
  *number = (gint64) value;
  return TRUE;
}

static gboolean
set_texts (const ChatStep *step, GError **error)
{
  g_autofree char *agent = NULL, *prompt = NULL;

  if (!chat_get_text (step, "agent", &agent, error) || !chat_get_text (step, "systemPrompt", &prompt, error))
    return FALSE;
  if (agent != NULL && *agent == '\0')
    return bad_value ("agent", "the name of an agent", error);
  if (prompt != NULL && strlen (prompt) > CHAT_MAX_PROMPT)
    return bad_value ("systemPrompt", "at most " G_STRINGIFY (CHAT_MAX_PROMPT) " bytes", error);
  if (agent != NULL)
    clq_change_set_string (step->change, "agent", agent);
  if (prompt != NULL)
    clq_change_set_string (step->change, "systemPrompt", prompt);
  return TRUE;
}

static gboolean
set_strategy (const ChatStep *step, GError **error)
{
  ClqJsonSpan context = chat_find (step, "context");
  g_autofree char *strategy = NULL;
  g_auto (GStrv) keys = chat_dup_keys (&context);
  static const char *const members[] = { "strategy", "window", "threshold", NULL };

  if (context.type > CLQ_JSON_NULL && context.type != CLQ_JSON_OBJECT)
    return bad_value ("context", "an object", error);
  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_strv_contains (members, keys[i]))
      {
        g_autofree char *hint = clq_did_you_mean (keys[i], members);

        return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "configure: context: unknown member '%s'%s", keys[i], hint);
      }
  if (!chat_get_text (step, "context.strategy", &strategy, error))
    return FALSE;
  if (strategy == NULL)
    return TRUE;
  if (!g_strv_contains (strategies, strategy))
    {
      g_autofree char *hint = clq_did_you_mean (strategy, strategies);

      return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "configure: context.strategy: unknown strategy '%s'%s", strategy, hint);
    }
  clq_change_set_string (step->change, "context.strategy", strategy);
  return TRUE;
}

/* 0.8 and 80 are the same. */
static gboolean
set_threshold (const ChatStep *step, GError **error)
{
  ClqJsonSpan span = chat_find (step, "context.threshold");
  double threshold = clq_json_span_get_double (&span);

  if (span.type <= CLQ_JSON_NULL)
    return TRUE;
  if (threshold > 1)
    threshold /= 100;
  if (span.type != CLQ_JSON_NUMBER || threshold <= 0 || threshold > 1)
    return bad_value ("context.threshold", "a part of the window, more than 0 and at most 1, or a percentage", error);
  clq_change_set_double (step->change, "context.threshold", threshold);
  return TRUE;
}

/* Seconds, or a duration as in a graph. */
static gboolean
set_timeout (const ChatStep *step, GError **error)
{
  ClqJsonSpan span = chat_find (step, "turnTimeout");
  g_autofree char *text = span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
  double seconds = clq_json_span_get_double (&span);
  GTimeSpan duration = 0;

  if (span.type <= CLQ_JSON_NULL)
    return TRUE;
  if (text != NULL && clq_duration_parse (text, &duration))
    seconds = (double) duration / G_TIME_SPAN_SECOND;
  if ((span.type != CLQ_JSON_NUMBER && duration == 0) || seconds < 0.001 || seconds > MAX_TIMEOUT)
    return bad_value ("turnTimeout", "seconds, at most a day, or a duration like 2min", error);
  clq_change_set_double (step->change, "turnTimeout", seconds);
  return TRUE;
}

gboolean
chat_configure (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "agent", "systemPrompt", "context", "maxTurns", "turnTimeout", NULL };
  gint64 window, turns;

  if (!chat_expect (step, members, error) || !set_texts (step, error) || !set_strategy (step, error) ||
      !set_threshold (step, error) || !set_timeout (step, error) ||
      !get_number (step, "context.window", MIN_WINDOW, MAX_WINDOW, "tokens, at least " G_STRINGIFY (MIN_WINDOW), &window, error) ||
      !get_number (step, "maxTurns", 0, G_MAXINT32, "a number of turns; 0 = any", &turns, error))
    return FALSE;
  if (window >= 0)
    clq_change_set_int (step->change, "context.window", window);
  if (turns >= 0)
    clq_change_set_int (step->change, "maxTurns", turns);
  return TRUE;
}
