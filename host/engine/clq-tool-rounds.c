#define G_LOG_DOMAIN "clq-tools"

#include "clq-calls.h"

#include <string.h>

/*
 * An agent that needs tools before it can answer. Each time it asks is a round: what it asked for is written down under
 * KEY/tools-N, each tool is a call KEY/tools-N/I, and with what they gave the agent is asked again. The node that made the
 * call KEY sees none of this, only the answer. After a crash the rounds are taken from the records and go on where they were.
 */
#define MAX_TOOLS 64 /* in one round */

struct _ToolRound
{
  char *said;
  char *wants; /* JSON: [{id, name, arguments}, …] */
  char **results;
  guint n_tools;
  guint n_open;
};

static void
round_free (ToolRound *round)
{
  for (guint i = 0; i < round->n_tools; i++)
    g_free (round->results[i]);
  g_free (round->results);
  g_free (round->said);
  g_free (round->wants);
  g_free (round);
}

/* Private: the call is gone. */
void
clq_tool_rounds_clear (RunCall *self)
{
  g_clear_pointer (&self->round, round_free);
  g_clear_pointer (&self->base, g_free);
  if (self->rounds != NULL)
    g_string_free (g_steal_pointer (&self->rounds), TRUE);
}

static char *
dup_round_key (const RunCall *self)
{
  return g_strdup_printf ("%s/tools-%u", self->call.key, self->n_rounds + 1);
}

/* ---- what the agent is asked ---- */

/* Private: the request gets what the state has of tools, and what they gave so far. */
void
clq_tool_rounds_write_request (RunCall *self)
{
  const ClqState *place = &self->run->graph->states[self->run->live->state];
  g_autoptr (GString) out = NULL;
  ClqJsonSpan messages;
  const char *end;

  if (place->tools_text == NULL && self->rounds == NULL)
    return;
  if (self->base == NULL)
    self->base = g_strdup (self->call.request);
  messages = clq_json_find (self->base, -1, "messages");
  end = strrchr (self->base, '}');
  if (messages.type != CLQ_JSON_ARRAY || end == NULL)
    return; /* it is asked in its own way */
  out = g_string_new_len (self->base, messages.start + messages.length - 1 - self->base);
  if (self->rounds != NULL)
    g_string_append (out, self->rounds->str + (out->str[out->len - 1] == '['));
  g_string_append_len (out, messages.start + messages.length - 1, end - (messages.start + messages.length - 1));
  if (place->tools_text != NULL)
    g_string_append_printf (out, ",\"tools\":%s", place->tools_text);
  g_string_append_c (out, '}');
  g_free (self->call.request);
  self->call.request = g_string_free (g_steal_pointer (&out), FALSE);
}

static void
append_text (GString *out, const char *member, const char *text)
{
  g_string_append_printf (out, ",\"%s\":", member);
  clq_json_append_string (out, text, -1);
}

/* The round becomes messages, so that the agent remembers what it asked for. */
static void
remember_round (RunCall *self)
{
  const ToolRound *round = self->round;
  ClqJsonSpan wants = clq_json_span (round->wants, -1), want;
  ClqJsonIter iter;

  if (self->rounds == NULL)
    self->rounds = g_string_new (NULL);
  g_string_append (self->rounds, ",{\"role\":\"assistant\"");
  append_text (self->rounds, "text", round->said);
  g_string_append_printf (self->rounds, ",\"tools\":%s}", round->wants);
  clq_json_iter_init (&iter, &wants);
  for (guint i = 0; clq_json_iter_next (&iter, NULL, &want); i++)
    {
      ClqJsonSpan id = clq_json_find (want.start, (gssize) want.length, "id");
      ClqJsonSpan name = clq_json_find (want.start, (gssize) want.length, "name");

      g_string_append_printf (self->rounds, ",{\"role\":\"tool\",\"id\":%.*s,\"name\":%.*s",
                              (int) id.length, id.start, (int) name.length, name.start);
      append_text (self->rounds, "text", round->results[i]);
      g_string_append_c (self->rounds, '}');
    }
}

/* ---- the tools ---- */

static void
ask_on (RunCall *self)
{
  remember_round (self);
  g_clear_pointer (&self->round, round_free);
  self->n_rounds++;
  clq_run_call_forget (self);
  clq_run_call_restart (self);
}

static void
on_tool (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  RunCall *self = user_data;

  self->round->results[((RunCall *) call)->index] = g_strdup (clq_call_get_text (call));
  if (--self->round->n_open == 0)
    ask_on (self);
}

/* Private: a tool that fails gives its reason to the agent that asked for it. */
void
clq_tool_rounds_take_failure (RunCall *tool)
{
  ClqCall *call = &tool->call;
  g_autofree char *message = clq_json_quote (call->error->message);

  call->text = g_strconcat ("{\"error\":", message, "}", NULL);
  g_clear_error (&call->error);
}

static void
start_tool (RunCall *self, guint index, const ClqJsonSpan *want)
{
  ClqJsonSpan name = clq_json_find (want->start, (gssize) want->length, "name");
  ClqJsonSpan arguments = clq_json_find (want->start, (gssize) want->length, "arguments");
  g_autofree char *round_key = dup_round_key (self);
  g_autofree char *key = g_strdup_printf ("%s/%u", round_key, index);
  g_autofree char *target = clq_json_span_dup_string (&name);
  g_autofree char *request = g_strndup (arguments.start, arguments.length);
  RunCall *tool = clq_run_call_new (self->run, CALL_TOOL, key, target, request);

  tool->func = on_tool;
  tool->user_data = self;
  tool->asked_by = self;
  tool->index = index;
  clq_visit_progress (&self->run->visit, 0, "%s uses %s", self->call.target, target);
  clq_run_call_start (tool);
  clq_call_unref (&tool->call);
}

/* Nothing of this comes back before the engine takes its next event. */
static void
begin_round (RunCall *self, const char *said, const ClqJsonSpan *wants)
{
  ToolRound *round = self->round = g_new0 (ToolRound, 1);
  ClqJsonSpan copy, want;
  ClqJsonIter iter;
  guint index = 0;

  round->said = g_strdup (said);
  round->wants = g_strndup (wants->start, wants->length);
  copy = clq_json_span (round->wants, -1);
  clq_json_iter_init (&iter, &copy);
  while (clq_json_iter_next (&iter, NULL, &want))
    round->n_tools++;
  round->n_open = round->n_tools;
  round->results = g_new0 (char *, round->n_tools);
  clq_run_call_hold (self);
  clq_json_iter_init (&iter, &copy);
  while (clq_json_iter_next (&iter, NULL, &want))
    start_tool (self, index++, &want);
}

/* ---- rounds ---- */

/* What the agent has used for the round goes with its record, and with no other. */
static void
write_down (RunCall *self, const char *text)
{
  ClqCall *call = &self->call;
  g_autofree char *key = dup_round_key (self);
  RunCall *note = clq_run_call_new (self->run, CALL_AGENT, key, self->call.target, NULL);

  note->call.over = TRUE;
  note->call.text = g_strdup (text);
  clq_call_usage (&note->call, call->tokens_in, call->tokens_out, call->cost);
  call->earlier_in += call->tokens_in;
  call->earlier_out += call->tokens_out;
  clq_call_usage (call, 0, 0, 0);
  note->started_at = self->started_at;
  note->ended_at = self->ended_at;
  note->is_late = self->is_late;
  clq_run_call_note_answer (note);
  clq_run_call_leave (note);
  clq_call_unref (&note->call);
}

/* Why the agent does not get what it wants: it wants too much; NULL if it does not. */
static GError *
check_amount (const RunCall *self, const ClqJsonSpan *wants)
{
  const ClqState *place = &self->run->graph->states[self->run->live->state];
  ClqJsonIter iter;
  guint n = 0;

  clq_json_iter_init (&iter, wants);
  while (clq_json_iter_next (&iter, NULL, NULL))
    n++;
  if (n > MAX_TOOLS)
    return g_error_new (CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "agent '%s' asked for %u tools at once; expected at most %d", self->call.target, n, MAX_TOOLS);
  if (self->n_rounds >= place->max_tool_rounds)
    return g_error_new (CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "agent '%s' asked for tools more than max-tool-rounds=%u times without an answer",
                        self->call.target, place->max_tool_rounds);
  return NULL;
}

/*
 * Private: whether the agent's answer asks for tools; then that is written down as a result of its own, so that it is not
 * asked for again after a crash.
 */
gboolean
clq_tool_rounds_note (RunCall *self)
{
  g_autoptr (GString) text = NULL;

  if (self->kind != CALL_AGENT || self->call.wants == NULL || self->call.error != NULL)
    return FALSE;
  g_string_append_c (self->call.wants, ']');
  text = g_string_new ("{\"text\":");
  clq_json_append_string (text, self->call.text, -1);
  g_string_append_printf (text, ",\"tools\":%s}", self->call.wants->str);
  write_down (self, text->str);
  return TRUE;
}

/* Private: whether the agent's answer asks for tools; then they are on their way, and the answer is none yet. */
gboolean
clq_tool_rounds_take (RunCall *self)
{
  ClqJsonSpan wants;

  if (!clq_tool_rounds_note (self))
    return FALSE;
  wants = clq_json_span (self->call.wants->str, -1);
  self->call.error = check_amount (self, &wants);
  if (self->call.error == NULL)
    begin_round (self, self->call.text, &wants);
  else
    g_clear_pointer (&self->call.text, g_free);
  return self->call.error == NULL;
}

/* Private: whether the next round is known from an attempt that was lost; then it goes on. What was too much is asked for anew. */
gboolean
clq_tool_rounds_resume (RunCall *self)
{
  const ClqWork *work = self->run->live->work;
  g_autofree char *key = work->results != NULL ? dup_round_key (self) : NULL;
  const char *known = key != NULL ? g_hash_table_lookup (work->results, key) : NULL;
  g_autofree char *said = known != NULL ? clq_json_find_string (known, "text") : NULL;
  ClqJsonSpan wants = known != NULL ? clq_json_find (known, -1, "tools") : (ClqJsonSpan){ 0 };
  g_autoptr (GError) error = NULL;

  if (said == NULL || wants.type != CLQ_JSON_ARRAY)
    return FALSE;
  error = check_amount (self, &wants);
  if (error != NULL)
    return FALSE;
  if (self->stream)
    clq_run_call_say (self, said, -1);
  self->call.over = TRUE;
  begin_round (self, said, &wants);
  return TRUE;
}
