/* Turns: a user message and its reply. */
#include "chat.h"

#define TITLE_LENGTH 60
#define CLOSING_LENGTH 200

/* Whether the agent is about to reply. */
gboolean
chat_turn_is_open (ClqView *view)
{
  return clq_view_get_bool (view, "turn.open");
}

static void
count_entry (const ChatStep *step)
{
  clq_change_set_int (step->change, "context.entries", clq_view_get_int (step->view, "context.entries") + 1);
  clq_change_set_int (step->change, "context.fresh", clq_view_get_int (step->view, "context.fresh") + 1);
}

/* ---- messages ---- */

static void
open_turn (const ChatStep *step, const char *text)
{
  g_autoptr (GString) turn = g_string_new (NULL);
  g_autofree char *now = clq_time_print (clq_view_get_now (step->view));
  gint64 number = clq_view_get_int (step->view, "turnCount") + 1;

  chat_add_number (turn, "number", number);
  chat_add_text (turn, "startedAt", now);
  chat_add_number (turn, "contextBefore", clq_view_get_int (step->view, "context.tokens"));
  chat_add_number (turn, "tokensIn", clq_view_get_int (step->view, "context.tokens") + chat_estimate_tokens (text));
  chat_add_json (turn, "open", "true}");
  clq_change_set_json (step->change, "turn", turn->str);
  if (clq_view_get_title (step->view) == NULL)
    {
      g_autofree char *title = chat_clip (text, TITLE_LENGTH);

      clq_change_set_title (step->change, title);
    }
}

/* System messages are never left out of what the agent sees, so they are kept where they are found at once. */
static gboolean
add_system_message (const ChatStep *step, const char *text, GError **error)
{
  ClqJsonSpan known = clq_view_find (step->view, "context.system");
  g_autofree char *quoted = clq_json_quote (text);
  g_autofree char *list = chat_dup_joined (&known, quoted);

  if (strlen (list) > CHAT_MAX_PROMPT)
    return chat_refuse (error, CLQ_INPUT_ERROR_LIMIT, "system messages are never left out; together they may have %d bytes", CHAT_MAX_PROMPT);
  clq_change_set_json (step->change, "context.system", list);
  return TRUE;
}

static gboolean
is_blank (const char *text)
{
  while (g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return *text == '\0';
}

/* Without a text it is only a step of the machine. */
gboolean
chat_take_message (const ChatStep *step, GError **error)
{
  const char *text = clq_event_get_text (step->event);
  gint64 max_turns = clq_view_get_int (step->view, "maxTurns");

  if (text == NULL && clq_event_get_payload (step->event) == NULL)
    return TRUE;
  if (text == NULL || is_blank (text))
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "message: expected 'text', a text that is not empty");
  if (clq_event_get_role (step->event) == CLQ_ROLE_SYSTEM && !add_system_message (step, text, error))
    return FALSE;
  if (clq_event_get_role (step->event) == CLQ_ROLE_USER)
    {
      if (max_turns > 0 && clq_view_get_int (step->view, "turnCount") >= max_turns)
        return chat_refuse (error, CLQ_INPUT_ERROR_REFUSED, "the conversation has had its %" G_GINT64_FORMAT " turns (maxTurns); expected rewind, fork or stop", max_turns);
      open_turn (step, text);
      chat_note_results (step, text, clq_view_get_int (step->view, "turnCount") + 1);
    }
  count_entry (step);
  return TRUE;
}

gboolean
chat_take_context (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "text", NULL };
  g_autofree char *text = NULL;
  g_autoptr (GString) body = g_string_new (NULL);

  if (clq_event_get_payload (step->event) == NULL)
    return TRUE;
  if (!chat_expect (step, members, error) || !chat_get_text (step, "text", &text, error))
    return FALSE;
  if (text == NULL || is_blank (text))
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "inject_context: expected 'text', a text that is not empty");
  chat_add_text (body, "text", text);
  g_string_append_c (body, '}');
  clq_change_append (step->change, CLQ_RECORD_CONTEXT, CLQ_ROLE_NONE, body->str);
  count_entry (step);
  chat_set_result_turn (step->change, clq_view_get_int (step->view, "turnCount"));
  return TRUE;
}

/* ---- ends of turns ---- */

typedef struct
{
  const char *text;
  gint64 tokens_in;
  gint64 tokens_out;
  gint64 size; /* of the reply in the context, in tokens */
  gboolean cut_off;
} Reply;

static gint64
get_latency (const ChatStep *step)
{
  g_autofree char *started = clq_view_dup_string (step->view, "turn.startedAt");
  gint64 at;

  if (started == NULL || !clq_time_parse (started, &at))
    return 0;
  return MAX (clq_view_get_now (step->view) - at, 0) / 1000;
}

static void
set_metrics (const ChatStep *step, const Reply *reply, gint64 tokens)
{
  ClqView *view = step->view;
  ClqChange *change = step->change;
  gint64 turns = clq_view_get_int (view, "metrics.turns") + 1;
  gint64 latency = clq_view_get_int (view, "metrics.latency") + get_latency (step);
  gint64 window = MAX (clq_view_get_int (view, "context.window"), 1);

  clq_change_set_int (change, "metrics.turns", turns);
  clq_change_set_int (change, "metrics.tokensIn", clq_view_get_int (view, "metrics.tokensIn") + reply->tokens_in);
  clq_change_set_int (change, "metrics.tokensOut", clq_view_get_int (view, "metrics.tokensOut") + reply->tokens_out);
  clq_change_set_int (change, "metrics.latency", latency);
  clq_change_set_int (change, "metrics.averageLatency", latency / turns);
  clq_change_set_double (change, "metrics.contextUse", (double) (tokens * 1000 / window) / 1000);
}

static void
close_turn (const ChatStep *step, const Reply *reply)
{
  ClqView *view = step->view;
  g_autoptr (GString) turn = g_string_new (NULL);
  g_autofree char *started = clq_view_dup_string (view, "turn.startedAt");
  g_autofree char *now = clq_time_print (clq_view_get_now (view));
  g_autofree char *closing = chat_clip (reply->text, CLOSING_LENGTH);
  gint64 number = clq_view_get_int (view, "turn.number");
  gint64 window = clq_view_get_int (view, "context.window");
  gint64 tokens = MIN (clq_view_get_int (view, "context.tokens") + reply->size, window);

  chat_add_number (turn, "number", number);
  chat_add_text (turn, "startedAt", started);
  chat_add_text (turn, "endedAt", now);
  chat_add_number (turn, "tokensIn", reply->tokens_in);
  chat_add_number (turn, "tokensOut", reply->tokens_out);
  chat_add_number (turn, "contextBefore", clq_view_get_int (view, "turn.contextBefore"));
  chat_add_number (turn, "contextAfter", tokens);
  if (reply->cut_off)
    chat_add_json (turn, "cutOff", "true");
  g_string_append_c (turn, '}');
  clq_change_set_json (step->change, "turn", turn->str);
  clq_change_set_int (step->change, "turnCount", number);
  clq_change_set_int (step->change, "context.tokens", tokens);
  clq_change_set_string (step->change, "closing", closing);
  count_entry (step);
  set_metrics (step, reply, tokens);
  chat_note_results (step, reply->text, number);
}

/* The node has said what the agent replied. */
void
chat_take_reply (const ChatStep *step)
{
  ClqJsonSpan in = chat_find (step, "tokensIn"), out = chat_find (step, "tokensOut"), size = chat_find (step, "size");
  const Reply reply = {
    .text = clq_event_get_text (step->event),
    .tokens_in = clq_json_span_get_int (&in),
    .tokens_out = clq_json_span_get_int (&out),
    .size = clq_json_span_get_int (&size),
  };

  close_turn (step, &reply);
}

/* The turn ends with what came so far. */
static void
close_early (const ChatStep *step, const char *text)
{
  g_autoptr (GString) body = g_string_new (NULL);
  const Reply reply = {
    .text = text,
    .tokens_in = clq_view_get_int (step->view, "turn.tokensIn"),
    .tokens_out = chat_estimate_tokens (text),
    .size = clq_view_get_int (step->view, "turn.tokensIn") - clq_view_get_int (step->view, "context.tokens") + chat_estimate_tokens (text),
    .cut_off = TRUE,
  };

  chat_add_text (body, "text", text);
  chat_add_json (body, "cutOff", "true}");
  clq_change_append (step->change, CLQ_RECORD_MESSAGE, CLQ_ROLE_ASSISTANT, body->str);
  close_turn (step, &reply);
}

/* Something else ends the turn: what was said counts, a turn of which nothing was said never was. */
void
chat_cut_turn (const ChatStep *step)
{
  const char *partial = clq_event_get_partial (step->event);

  if (partial != NULL && *partial != '\0')
    close_early (step, partial);
  else
    clq_change_go_back (step->change, 1);
}

/* An agent that fails leaves no half turn; one that is too slow is cut off. */
void
chat_take_failure (const ChatStep *step)
{
  const GError *error = clq_event_get_error (step->event);
  const char *partial = clq_event_get_partial (step->event);
  gint64 number = clq_view_get_int (step->view, "turn.number");

  if (g_error_matches (error, CLQ_NODE_ERROR, CLQ_NODE_ERROR_TIMED_OUT))
    {
      clq_change_warn (step->change, "the reply of turn %" G_GINT64_FORMAT " took longer than %gs and was cut off", number,
                       clq_view_get_double (step->view, "turnTimeout"));
      close_early (step, partial != NULL ? partial : "");
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    chat_cut_turn (step);
  else
    {
      clq_change_warn (step->change, "turn %" G_GINT64_FORMAT " was not taken: %s", number, error->message);
      clq_change_go_back (step->change, 1);
    }
}
