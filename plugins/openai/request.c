/* What a server is asked: the request of a call as the interface has it. */
#include "openai.h"

static ClqJsonSpan
find (const ClqJsonSpan *object, const char *path)
{
  return clq_json_find (object->start, (gssize) object->length, path);
}

static void
append_raw (GString *out, const ClqJsonSpan *value)
{
  g_string_append_len (out, value->start, (gssize) value->length);
}

/* A name as functions may have it: kinds have one dot and no underscore, functions the other way round. */
static void
append_name (GString *out, const ClqJsonSpan *kind)
{
  g_autofree char *name = clq_json_span_dup_string (kind);

  clq_json_append_string (out, name != NULL ? g_strdelimit (name, ".", '_') : "", -1);
}

static void
append_tool_calls (GString *out, const ClqJsonSpan *tools)
{
  ClqJsonIter iter;
  ClqJsonSpan tool;
  guint n = 0;

  clq_json_iter_init (&iter, tools);
  while (clq_json_iter_next (&iter, NULL, &tool))
    {
      ClqJsonSpan id = find (&tool, "id"), name = find (&tool, "name"), arguments = find (&tool, "arguments");

      g_string_append (out, n++ == 0 ? ",\"tool_calls\":[{\"id\":" : ",{\"id\":");
      append_raw (out, &id);
      g_string_append (out, ",\"type\":\"function\",\"function\":{\"name\":");
      append_name (out, &name);
      g_string_append (out, ",\"arguments\":");
      if (arguments.type == CLQ_JSON_NONE)
        g_string_append (out, "\"{}\"");
      else
        clq_json_append_string (out, arguments.start, (gssize) arguments.length);
      g_string_append (out, "}}");
    }
  if (n > 0)
    g_string_append_c (out, ']');
}

static gboolean
append_message (GString *out, const ClqJsonSpan *message, GError **error)
{
  ClqJsonSpan role = find (message, "role"), text = find (message, "text"), tools = find (message, "tools"), id = find (message, "id");
  gboolean is_tool = clq_json_span_string_equal (&role, "tool");

  if (role.type != CLQ_JSON_STRING || (text.type != CLQ_JSON_STRING && tools.type != CLQ_JSON_ARRAY) || (is_tool && id.type != CLQ_JSON_STRING))
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "a message of the request is %.*s; expected role and text%s",
                   (int) MIN (message->length, 80), message->start, is_tool ? " and id" : "");
      return FALSE;
    }
  if (out->str[out->len - 1] != '[')
    g_string_append_c (out, ',');
  g_string_append (out, "{\"role\":");
  append_raw (out, &role);
  if (is_tool)
    {
      g_string_append (out, ",\"tool_call_id\":");
      append_raw (out, &id);
    }
  g_string_append (out, ",\"content\":");
  if (text.type == CLQ_JSON_STRING)
    append_raw (out, &text);
  else
    g_string_append (out, "null");
  append_tool_calls (out, &tools);
  g_string_append_c (out, '}');
  return TRUE;
}

/* Some servers take one system message only, and only as the first: those at the beginning become one. */
static void
append_system (GString *out, const char *system_prompt, ClqJsonIter *iter)
{
  g_autoptr (GString) text = g_string_new (system_prompt);
  ClqJsonIter ahead = *iter;
  ClqJsonSpan message;

  while (clq_json_iter_next (&ahead, NULL, &message))
    {
      ClqJsonSpan role = find (&message, "role"), said = find (&message, "text");
      g_autofree char *more = clq_json_span_dup_string (&said);

      if (!clq_json_span_string_equal (&role, "system") || more == NULL)
        break;
      if (text->len > 0)
        g_string_append (text, "\n\n");
      g_string_append (text, more);
      *iter = ahead;
    }
  if (text->len == 0)
    return;
  g_string_append (out, "{\"role\":\"system\",\"content\":");
  clq_json_append_string (out, text->str, (gssize) text->len);
  g_string_append_c (out, '}');
}

static void
append_tools (GString *out, const ClqJsonSpan *tools)
{
  ClqJsonIter iter;
  ClqJsonSpan tool;
  guint n = 0;

  clq_json_iter_init (&iter, tools);
  while (clq_json_iter_next (&iter, NULL, &tool))
    {
      ClqJsonSpan name = find (&tool, "name"), summary = find (&tool, "summary"), schema = find (&tool, "schema");

      g_string_append (out, n++ == 0 ? ",\"tools\":[" : ",");
      g_string_append (out, "{\"type\":\"function\",\"function\":{\"name\":");
      append_name (out, &name);
      if (summary.type == CLQ_JSON_STRING)
        {
          g_string_append (out, ",\"description\":");
          append_raw (out, &summary);
        }
      if (schema.type == CLQ_JSON_OBJECT)
        {
          g_string_append (out, ",\"parameters\":");
          append_raw (out, &schema);
        }
      g_string_append (out, "}}");
    }
  if (n > 0)
    g_string_append_c (out, ']');
}

/*
 * Writes the body of a request.
 *
 * @system_prompt: (nullable): what the model is told before anything else
 * @parameters: the other members, without the braces
 * @request: what the call asks
 */
char *
openai_request_write (const char *system_prompt, const char *parameters, const char *request, GError **error)
{
  g_autoptr (GString) out = NULL;
  ClqJsonSpan messages, tools, message;
  ClqJsonIter iter;

  if (!clq_json_check (request, -1, NULL, error))
    {
      g_prefix_error (error, "request: ");
      return NULL;
    }
  messages = clq_json_find (request, -1, "messages");
  if (messages.type != CLQ_JSON_ARRAY)
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "the request has no messages");
      return NULL;
    }
  out = g_string_new ("{\"messages\":[");
  clq_json_iter_init (&iter, &messages);
  append_system (out, system_prompt, &iter);
  while (clq_json_iter_next (&iter, NULL, &message))
    if (!append_message (out, &message, error))
      return NULL;
  g_string_append_c (out, ']');
  tools = clq_json_find (request, -1, "tools");
  append_tools (out, &tools);
  if (*parameters != '\0')
    g_string_append_c (out, ',');
  g_string_append (out, parameters);
  g_string_append_c (out, '}');
  return g_string_free (g_steal_pointer (&out), FALSE);
}
