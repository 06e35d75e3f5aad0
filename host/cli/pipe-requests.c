#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <math.h>
#include <string.h>

/* A request as it came: checked JSON. */
typedef struct
{
  Pipe *pipe;
  const char *text;
  gsize length;
  GError **error;
} Request;

typedef struct
{
  const char *name;
  gboolean opens; /* the session, if it is not open yet */
  gboolean (*run) (Request *request);
  const char *const *members;
} RequestType;

/* ---- reading members ---- */

static ClqJsonSpan
find (const Request *request, const char *name)
{
  return clq_json_find (request->text, request->length, name);
}

static gboolean
bad_input (const Request *request, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
bad_input (const Request *request, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  *request->error = g_error_new_valist (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
get_string (const Request *request, const char *name, gboolean required, char **value)
{
  ClqJsonSpan span = find (request, name);

  *value = NULL;
  if (span.type == CLQ_JSON_STRING)
    *value = clq_json_span_dup_string (&span);
  else if (span.type > CLQ_JSON_NULL)
    return bad_input (request, "'%s': expected a text", name);
  if (required && *value == NULL)
    return bad_input (request, "expected '%s', a text", name);
  return TRUE;
}

static gboolean
get_object (const Request *request, const char *name, char **value)
{
  ClqJsonSpan span = find (request, name);

  *value = NULL;
  if (span.type == CLQ_JSON_OBJECT)
    *value = g_strndup (span.start, span.length);
  else if (span.type > CLQ_JSON_NULL)
    return bad_input (request, "'%s': expected an object", name);
  return TRUE;
}

/* ---- sending ---- */

typedef struct
{
  gboolean is_there;
  gboolean is_late; /* nobody waits for it any more */
  char *result;
  GError *error;
} Answer;

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Answer *answer = user_data;

  if (answer->is_late)
    {
      g_free (answer);
      return;
    }
  answer->is_there = TRUE;
  answer->result = g_strdup (reply->result);
  if (reply->error != NULL)
    answer->error = g_error_copy (reply->error);
}

/* Whoever sent the request gets its answer here, or hears that it waits behind what is running. */
static gboolean
finish (Request *request, Answer *answer)
{
  Pipe *pipe = request->pipe;

  clq_host_settle (pipe->host);
  if (pipe->session == NULL)
    pipe->session = clq_host_get_session (pipe->host, pipe->id);
  if (answer->error != NULL)
    {
      g_propagate_error (request->error, g_steal_pointer (&answer->error));
      return FALSE;
    }
  g_free (pipe->result);
  pipe->result = g_steal_pointer (&answer->result);
  return TRUE;
}

/* An input that waits behind what is running gets its answer later than its line. */
static gboolean
send (Request *request, const ClqInput *input)
{
  Answer *answer = g_new0 (Answer, 1);
  gboolean taken;

  clq_session_send (request->pipe->session, input, on_reply, answer);
  taken = finish (request, answer);
  if (answer->is_there)
    g_free (answer);
  else
    answer->is_late = TRUE;
  return taken;
}

static gboolean
run_input (Request *request, ClqInput *input)
{
  g_autofree char *actor = NULL, *key = NULL;

  if (!get_string (request, "actor", FALSE, &actor) || !get_string (request, "key", FALSE, &key))
    return FALSE;
  input->actor = actor;
  input->key = key;
  return send (request, input);
}

/* ---- requests ---- */

static gboolean
open_session (Request *request, const char *input, const char *key)
{
  Pipe *pipe = request->pipe;
  Answer answer = { 0 };

  clq_host_open_session (pipe->host, pipe->graph, pipe->id, NULL, input, key, on_reply, &answer);
  return finish (request, &answer);
}

static gboolean
run_open (Request *request)
{
  g_autofree char *input = NULL, *key = NULL;

  if (!get_string (request, "input", FALSE, &input) || !get_string (request, "key", FALSE, &key))
    return FALSE;
  if (request->pipe->session != NULL)
    return bad_input (request, "the session is open already; expected another request");
  return open_session (request, input, key);
}

static gboolean
run_named (Request *request, ClqInputKind kind)
{
  g_autofree char *name = NULL, *payload = NULL, *to = NULL;
  ClqInput input = { .kind = kind };

  if (!get_string (request, "name", TRUE, &name) || !get_object (request, "payload", &payload) || !get_string (request, "to", FALSE, &to))
    return FALSE;
  input.name = name;
  input.to = to;
  input.payload = payload;
  return run_input (request, &input);
}

static gboolean
run_action (Request *request)
{
  return run_named (request, CLQ_INPUT_ACTION);
}

static gboolean
run_event (Request *request)
{
  return run_named (request, CLQ_INPUT_EVENT);
}

static gboolean
run_message (Request *request)
{
  g_autofree char *role = NULL, *text = NULL;
  ClqInput input = { .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER };

  if (!get_string (request, "role", FALSE, &role) || !get_string (request, "text", TRUE, &text))
    return FALSE;
  if (role != NULL && (!clq_role_from_string (role, &input.role) || input.role == CLQ_ROLE_NONE))
    return bad_input (request, "'role': '%s' is nobody; expected user, assistant or system", role);
  input.text = text;
  return run_input (request, &input);
}

static gboolean
run_answer (Request *request)
{
  ClqJsonSpan value = find (request, "value"), values = find (request, "values");
  g_autofree char *payload = NULL;
  ClqInput input = { .kind = CLQ_INPUT_ANSWER };

  if (values.type != CLQ_JSON_NONE && (values.type != CLQ_JSON_OBJECT || value.type != CLQ_JSON_NONE))
    return bad_input (request, "expected either 'value' or 'values', an object of OWNER/ID and answer");
  if (values.type == CLQ_JSON_NONE && value.type == CLQ_JSON_NONE)
    return bad_input (request, "expected 'value', or 'values', an object of OWNER/ID and answer");
  payload = values.type == CLQ_JSON_OBJECT ? g_strdup_printf ("{\"values\":%.*s}", (int) values.length, values.start)
                                           : g_strdup_printf ("{\"value\":%.*s}", (int) value.length, value.start);
  input.payload = payload;
  return run_input (request, &input);
}

static gboolean
run_cancel (Request *request)
{
  ClqInput input = { .kind = CLQ_INPUT_CANCEL };

  return run_input (request, &input);
}

static gboolean
run_script (Request *request)
{
  ClqJsonSpan replies = find (request, "replies");
  g_autofree char *agent = NULL, *instruction = NULL;

  if (!get_string (request, "agent", TRUE, &agent))
    return FALSE;
  if (replies.type != CLQ_JSON_ARRAY)
    return bad_input (request, "expected 'replies', a list");
  instruction = g_strdup_printf ("{\"replies\":%.*s}", (int) replies.length, replies.start);
  return clq_host_instruct_agent (request->pipe->host, agent, instruction, request->error);
}

static const char *const put_members[] = { "state", "data", "question", "schedule", "nextRunAt", "counters", NULL };

static gboolean
run_put (Request *request)
{
  Pipe *pipe = request->pipe;
  g_autoptr (GString) payload = g_string_new ("{");
  Answer answer = { 0 };

  for (guint i = 0; put_members[i] != NULL; i++)
    {
      ClqJsonSpan span = find (request, put_members[i]);

      if (span.type == CLQ_JSON_NONE)
        continue;
      cli_json_member (payload, put_members[i]);
      g_string_append_len (payload, span.start, span.length);
    }
  g_string_append_c (payload, '}');
  if (pipe->session != NULL)
    return send (request, &(ClqInput){ .kind = CLQ_INPUT_PUT, .payload = payload->str });
  clq_host_place_session (pipe->host, pipe->graph, pipe->id, NULL, payload->str, on_reply, &answer);
  return finish (request, &answer);
}

static gboolean
run_advance (Request *request)
{
  ClqJsonSpan span = find (request, "seconds");
  double seconds = span.type == CLQ_JSON_NUMBER ? clq_json_span_get_double (&span) : -1;

  if (!request->pipe->is_manual)
    return bad_input (request, "the clock is real; advance needs --clock=manual");
  if (!(seconds >= 0 && seconds <= 1e10))
    return bad_input (request, "expected 'seconds', a number from 0 to 10000000000");
  clq_host_advance (request->pipe->host, (GTimeSpan) llround (seconds * G_TIME_SPAN_SECOND));
  return TRUE;
}

static gboolean
run_fault (Request *request)
{
  ClqJsonSpan on = find (request, "on");
  g_autofree char *what = NULL;

  if (!get_string (request, "what", TRUE, &what))
    return FALSE;
  if (on.type != CLQ_JSON_BOOL && on.type != CLQ_JSON_NONE)
    return bad_input (request, "'on': expected true or false");
  return clq_host_set_fault (request->pipe->host, what, on.type == CLQ_JSON_NONE || clq_json_span_is_true (&on), request->error);
}

static gboolean
run_show (Request *request)
{
  return TRUE;
}

static gboolean
take_result (Request *request, char *result)
{
  g_free (request->pipe->result);
  request->pipe->result = result;
  return result != NULL;
}

static gboolean
run_summary (Request *request)
{
  g_autofree char *text = clq_session_dup_summary (request->pipe->session);

  return take_result (request, clq_json_quote (text));
}

static gboolean
run_history (Request *request)
{
  return take_result (request, pipe_dup_history (request->pipe, request->error));
}

static gboolean
run_journal (Request *request)
{
  return take_result (request, pipe_dup_journal (request->pipe, request->error));
}

static gboolean
run_calls (Request *request)
{
  return take_result (request, pipe_dup_calls (request->pipe, request->error));
}

static gboolean
run_metrics (Request *request)
{
  return take_result (request, pipe_dup_metrics (request->pipe, request->error));
}

#define MEMBERS(...) ((const char *const[]){ "do", __VA_ARGS__, NULL })
#define NO_MEMBERS ((const char *const[]){ "do", NULL })

static const RequestType types[] = {
  { "open", FALSE, run_open, MEMBERS ("input", "key") },
  { "action", TRUE, run_action, MEMBERS ("name", "payload", "key", "actor") },
  { "message", TRUE, run_message, MEMBERS ("role", "text", "key", "actor") },
  { "answer", TRUE, run_answer, MEMBERS ("value", "values", "key", "actor") },
  { "cancel", TRUE, run_cancel, MEMBERS ("key", "actor") },
  { "event", TRUE, run_event, MEMBERS ("name", "payload", "to", "key", "actor") },
  { "script", FALSE, run_script, MEMBERS ("agent", "replies") },
  { "put", FALSE, run_put, MEMBERS ("state", "data", "question", "schedule", "nextRunAt", "counters") },
  { "advance", TRUE, run_advance, MEMBERS ("seconds") },
  { "fault", FALSE, run_fault, MEMBERS ("what", "on") },
  { "show", TRUE, run_show, NO_MEMBERS },
  { "history", TRUE, run_history, NO_MEMBERS },
  { "journal", TRUE, run_journal, NO_MEMBERS },
  { "summary", TRUE, run_summary, NO_MEMBERS },
  { "calls", TRUE, run_calls, NO_MEMBERS },
  { "metrics", TRUE, run_metrics, NO_MEMBERS },
};

/* ---- one line ---- */

static const RequestType *
find_type (Request *request)
{
  const char *names[G_N_ELEMENTS (types) + 1] = { NULL };
  g_autofree char *name = NULL, *hint = NULL;

  if (!get_string (request, "do", TRUE, &name))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      names[i] = types[i].name;
      if (strcmp (types[i].name, name) == 0)
        return &types[i];
    }
  hint = clq_did_you_mean (name, names);
  bad_input (request, "there is no request '%s'%s", name, hint);
  return NULL;
}

/* A member that nobody reads is a mistake of the one who wrote it. */
static gboolean
check_members (Request *request, const RequestType *type)
{
  ClqJsonSpan root = clq_json_span (request->text, request->length), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *hint = NULL;

      if (g_strv_contains (type->members, name) || g_str_has_prefix (name, "x-"))
        continue;
      hint = clq_did_you_mean (name, type->members);
      return bad_input (request, "request '%s' has no member '%s'%s", type->name, name, hint);
    }
  return TRUE;
}

/* Runs one request until nothing can happen without input or the clock. */
void
pipe_run_line (Pipe *self, const char *line, gsize length, GError **error)
{
  Request request = { self, line, length, error };
  const RequestType *type;

  if (!clq_json_check (line, length, NULL, error))
    return;
  if (clq_json_span (line, length).type != CLQ_JSON_OBJECT)
    {
      bad_input (&request, "expected an object with 'do', for example {\"do\":\"show\"}");
      return;
    }
  type = find_type (&request);
  if (type == NULL || !check_members (&request, type))
    return;
  if (type->opens && self->session == NULL && !open_session (&request, NULL, NULL))
    return;
  g_clear_pointer (&self->result, g_free);
  type->run (&request);
  clq_host_settle (self->host);
}
