/* What a model answers, put together from what its server sends: one object, or many in a stream. */
#include "openai.h"

#include <string.h>

#define MAX_TOOL_CALLS 64

static void
free_tool_call (gpointer data)
{
  OpenaiToolCall *self = data;

  g_free (self->id);
  g_string_free (self->name, TRUE);
  g_string_free (self->arguments, TRUE);
  g_free (self);
}

void
openai_answer_init (OpenaiAnswer *self)
{
  *self = (OpenaiAnswer){ 0 };
  self->text = g_string_new (NULL);
  self->refusal = g_string_new (NULL);
  self->tools = g_ptr_array_new_with_free_func (free_tool_call);
}

void
openai_answer_clear (OpenaiAnswer *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->refusal, TRUE);
  g_ptr_array_unref (self->tools);
  g_free (self->finish);
}

static ClqJsonSpan
find (const ClqJsonSpan *object, const char *path)
{
  return clq_json_find (object->start, (gssize) object->length, path);
}

static void
append_text (GString *out, const ClqJsonSpan *value)
{
  g_autofree char *text = clq_json_span_dup_string (value);

  if (text != NULL)
    g_string_append (out, text);
}

/* A text, or a list of parts of which some are text. */
static void
append_content (GString *out, const ClqJsonSpan *content)
{
  ClqJsonIter iter;
  ClqJsonSpan part;

  append_text (out, content);
  if (content->type != CLQ_JSON_ARRAY)
    return;
  clq_json_iter_init (&iter, content);
  while (clq_json_iter_next (&iter, NULL, &part))
    {
      ClqJsonSpan text = find (&part, "text");

      append_text (out, &text);
    }
}

/* ---- tool calls ---- */

static OpenaiToolCall *
find_tool_call (OpenaiAnswer *self, gint64 index)
{
  for (guint i = 0; i < self->tools->len; i++)
    {
      OpenaiToolCall *tool = g_ptr_array_index (self->tools, i);

      if (tool->index == index)
        return tool;
    }
  return NULL;
}

static OpenaiToolCall *
add_tool_call (OpenaiAnswer *self, gint64 index)
{
  OpenaiToolCall *tool = g_new0 (OpenaiToolCall, 1);

  tool->index = index;
  tool->name = g_string_new (NULL);
  tool->arguments = g_string_new (NULL);
  g_ptr_array_add (self->tools, tool);
  return tool;
}

/* The call that a piece belongs to. Servers exist that give no index: then one with an id is a new call. */
static OpenaiToolCall *
get_tool_call (OpenaiAnswer *self, const ClqJsonSpan *index, const ClqJsonSpan *id)
{
  guint n = self->tools->len;
  OpenaiToolCall *tool;

  if (index->type == CLQ_JSON_NUMBER)
    {
      tool = find_tool_call (self, clq_json_span_get_int (index));
      return tool != NULL ? tool : add_tool_call (self, clq_json_span_get_int (index));
    }
  if (n > 0 && id->type != CLQ_JSON_STRING)
    return g_ptr_array_index (self->tools, n - 1);
  return add_tool_call (self, n);
}

static gboolean
add_tool_pieces (OpenaiAnswer *self, const ClqJsonSpan *list, GError **error)
{
  ClqJsonIter iter;
  ClqJsonSpan piece;

  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &piece))
    {
      ClqJsonSpan index = find (&piece, "index"), id = find (&piece, "id");
      ClqJsonSpan name = find (&piece, "function.name"), arguments = find (&piece, "function.arguments");
      OpenaiToolCall *tool = get_tool_call (self, &index, &id);

      if (self->tools->len > MAX_TOOL_CALLS)
        {
          g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_RECOVERABLE, "the model wants more than %d tools at once", MAX_TOOL_CALLS);
          return FALSE;
        }
      if (tool->id == NULL)
        tool->id = clq_json_span_dup_string (&id);
      append_text (tool->name, &name);
      if (arguments.type == CLQ_JSON_OBJECT)
        g_string_append_len (tool->arguments, arguments.start, (gssize) arguments.length);
      else
        append_text (tool->arguments, &arguments);
    }
  return TRUE;
}

/* ---- what comes ---- */

/* `{"error":{"message":…,"code":…}}`, also in the middle of a stream; a code that is a status says what kind of failure it is. */
static GError *
read_error (const ClqJsonSpan *error)
{
  ClqJsonSpan message = find (error, "message"), code = find (error, "code");
  g_autofree char *text = clq_json_span_dup_string (error->type == CLQ_JSON_STRING ? error : &message);
  gint64 status = code.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&code) : 0;
  ClqFailure failure = CLQ_FAILURE_RECOVERABLE;

  if (status == 401 || status == 403)
    failure = CLQ_FAILURE_AUTH;
  else if (status >= 400 && status < 500 && status != 408 && status != 429)
    failure = CLQ_FAILURE_USER;
  return g_error_new (CLQ_FAILURE, (int) failure, "the server reports an error: %s", text != NULL ? text : "it does not say which");
}

static gboolean
add_choice (OpenaiAnswer *self, const ClqJsonSpan *choice, GError **error)
{
  ClqJsonSpan delta = find (choice, "delta"), message = find (choice, "message"), finish = find (choice, "finish_reason");
  const ClqJsonSpan *said = delta.type == CLQ_JSON_OBJECT ? &delta : &message;
  ClqJsonSpan content = find (said, "content"), refusal = find (said, "refusal"), tools = find (said, "tool_calls");

  append_content (self->text, &content);
  append_text (self->refusal, &refusal);
  /* Servers exist that put an empty reason into every piece. */
  if (finish.type == CLQ_JSON_STRING && !clq_json_span_string_equal (&finish, ""))
    {
      g_free (self->finish);
      self->finish = clq_json_span_dup_string (&finish);
    }
  return add_tool_pieces (self, &tools, error);
}

static void
add_usage (OpenaiAnswer *self, const ClqJsonSpan *usage)
{
  ClqJsonSpan in = find (usage, "prompt_tokens"), out = find (usage, "completion_tokens");

  if (usage->type != CLQ_JSON_OBJECT)
    return;
  self->has_usage = TRUE;
  self->tokens_in = (guint64) MAX (clq_json_span_get_int (&in), 0);
  self->tokens_out = (guint64) MAX (clq_json_span_get_int (&out), 0);
}

/* Takes a whole reply or an event of a stream. Errors are a #ClqFailure of the server, or say why this is no JSON. */
gboolean
openai_answer_add (OpenaiAnswer *self, const char *json, gsize length, GError **error)
{
  ClqJsonSpan root, failure, choices, usage, choice;
  ClqJsonIter iter;

  if (length == strlen ("[DONE]") && memcmp (json, "[DONE]", length) == 0)
    {
      self->is_done = TRUE;
      return TRUE;
    }
  if (!clq_json_check (json, (gssize) length, NULL, error))
    return FALSE;
  root = clq_json_span (json, (gssize) length);
  failure = find (&root, "error");
  if (failure.type == CLQ_JSON_OBJECT || failure.type == CLQ_JSON_STRING)
    {
      g_propagate_error (error, read_error (&failure));
      return FALSE;
    }
  choices = find (&root, "choices");
  clq_json_iter_init (&iter, &choices);
  while (clq_json_iter_next (&iter, NULL, &choice))
    {
      ClqJsonSpan index = find (&choice, "index");

      if (clq_json_span_get_int (&index) == 0 && !add_choice (self, &choice, error))
        return FALSE;
    }
  usage = find (&root, "usage");
  add_usage (self, &usage);
  return TRUE;
}

/* Whether the server has said that nothing is missing. A connection that ends says nothing. */
gboolean
openai_answer_is_whole (const OpenaiAnswer *self)
{
  return self->finish != NULL || (self->is_done && (self->text->len > 0 || self->tools->len > 0));
}

/* ---- what becomes of it ---- */

static gboolean
stopped_by (const OpenaiAnswer *self, const char *reason)
{
  return g_strcmp0 (self->finish, reason) == 0;
}

static void
give_usage (OpenaiAnswer *self, ClqCall *call, const OpenaiServer *server)
{
  if (!self->has_usage)
    {
      self->tokens_in = openai_estimate_tokens (clq_call_get_request (call));
      self->tokens_out = openai_estimate_tokens (self->text->str);
    }
  clq_call_usage (call, self->tokens_in, self->tokens_out,
                  ((double) self->tokens_in * server->price_in + (double) self->tokens_out * server->price_out) / 1e6);
}

/* Arguments that are no JSON are the model's mistake: asked again it may do better. */
static gboolean
check_tools (OpenaiAnswer *self, ClqCall *call)
{
  for (guint i = 0; i < self->tools->len; i++)
    {
      OpenaiToolCall *tool = g_ptr_array_index (self->tools, i);
      g_autoptr (GError) error = NULL;

      if (tool->arguments->len == 0)
        g_string_assign (tool->arguments, "{}");
      if (clq_json_check (tool->arguments->str, (gssize) tool->arguments->len, NULL, &error))
        continue;
      if (stopped_by (self, "length"))
        clq_call_fail (call, CLQ_FAILURE_USER, "the reply of agent '%s' ended in the middle of a tool call; a larger max-tokens may help", clq_call_get_target (call));
      else
        clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "agent '%s' wants a tool with arguments that are no JSON: %s", clq_call_get_target (call), error->message);
      return FALSE;
    }
  return TRUE;
}

static void
want_tools (OpenaiAnswer *self, ClqCall *call)
{
  for (guint i = 0; i < self->tools->len; i++)
    {
      OpenaiToolCall *tool = g_ptr_array_index (self->tools, i);
      g_autofree char *made_up = g_strdup_printf ("call-%u", i);

      clq_call_want_tool (call, tool->id != NULL ? tool->id : made_up, g_strdelimit (tool->name->str, "_", '.'), tool->arguments->str);
    }
}

/* Ends the call with an answer that is whole. */
void
openai_answer_give (OpenaiAnswer *self, ClqCall *call, const OpenaiServer *server)
{
  const char *name = clq_call_get_target (call);

  give_usage (self, call, server);
  if (self->refusal->len > 0)
    {
      g_autofree char *why = openai_clean_of (server, self->refusal->str);

      clq_call_fail (call, CLQ_FAILURE_USER, "agent '%s' refuses to answer: %s", name, why);
    }
  else if (stopped_by (self, "content_filter"))
    clq_call_fail (call, CLQ_FAILURE_USER, "the content filter of %s has stopped the reply of agent '%s'", server->place, name);
  else if (stopped_by (self, "length") && self->text->len == 0 && self->tools->len == 0)
    clq_call_fail (call, CLQ_FAILURE_USER, "agent '%s' had no tokens left to say anything; a larger max-tokens may help", name);
  else if (check_tools (self, call))
    {
      if (stopped_by (self, "length"))
        g_info ("the reply of agent '%s' ends where max-tokens or the model's context do", name);
      want_tools (self, call);
      clq_call_return (call, self->text->str);
    }
}
