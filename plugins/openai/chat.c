/* chat: a model that is asked over HTTP, the way OpenAI's chat completions are. */
#include "openai.h"

#include <string.h>

typedef struct
{
  char *endpoint;
  gboolean insecure;
  char *model;
  ClqSecret *api_key;
  char *system_prompt;
  char *system_prompt_file;
  gint64 max_tokens;
  double temperature;
  double top_p;
  gint64 seed;
  char **stop;
  gboolean stream;
  char *extra;
  gint64 requests_per_minute;
  double price_in;
  double price_out;
  GTimeSpan connect_timeout;
  GTimeSpan first_byte_timeout;
  GTimeSpan piece_timeout;
  gint64 max_reply;
  OpenaiServer *server;
} Chat;

static const ClqSetting settings[] = {
  CLQ_STRING (Chat, endpoint, "https://api.openai.com/v1", "where the server is, without /chat/completions"),
  CLQ_BOOL (Chat, insecure, false, "allow http:// to another machine"),
  CLQ_STRING (Chat, model, NULL, "the model as the server calls it; required"),
  CLQ_SECRET (Chat, api_key, "the key of the server, if it wants one"),
  CLQ_STRING (Chat, system_prompt, NULL, "what the model is told before anything else"),
  CLQ_STRING (Chat, system_prompt_file, NULL, "a file with the system prompt"),
  CLQ_OPTIONAL_INT (Chat, max_tokens, 1, 10000000, "tokens that a reply may have"),
  CLQ_OPTIONAL_DOUBLE (Chat, temperature, 0, 2, "how much chance there is in a reply"),
  CLQ_OPTIONAL_DOUBLE (Chat, top_p, 0, 1, "how many of the likely words are considered"),
  CLQ_OPTIONAL_INT (Chat, seed, 0, 9007199254740991.0, "where chance begins, for servers that know seeds"),
  CLQ_LIST (Chat, stop, NULL, "texts before which a reply ends"),
  CLQ_BOOL (Chat, stream, true, "get the reply in pieces, as it comes"),
  CLQ_JSON (Chat, extra, NULL, "a JSON object: more members of the request; null takes one away"),
  CLQ_INT (Chat, requests_per_minute, 0, 0, 100000, "how many calls may begin in a minute, the others wait; 0 = any number"),
  CLQ_DOUBLE (Chat, price_in, 0, 0, 1e6, "money for a million tokens of requests"),
  CLQ_DOUBLE (Chat, price_out, 0, 0, 1e6, "money for a million tokens of replies"),
  CLQ_DURATION (Chat, connect_timeout, "10s", "how long connecting may take; 0 = any time"),
  CLQ_DURATION (Chat, first_byte_timeout, "2min", "how long the model may think before it answers; 0 = any time"),
  CLQ_DURATION (Chat, piece_timeout, "30s", "how long the next piece, or the rest of a reply that is not streamed, may take; 0 = any time"),
  CLQ_INT (Chat, max_reply, 16777216, 1024, 1073741824, "bytes that the server may send for one reply"),
  { NULL },
};

/* ---- what calls hold ---- */

OpenaiServer *
openai_server_ref (OpenaiServer *self)
{
  self->ref_count++;
  return self;
}

void
openai_server_unref (OpenaiServer *self)
{
  if (--self->ref_count > 0)
    return;
  g_clear_object (&self->session);
  g_clear_pointer (&self->uri, g_uri_unref);
  g_clear_pointer (&self->api_key, clq_secret_unref);
  openai_turns_clear (&self->turns);
  g_free (self->place);
  g_free (self->model);
  g_free (self->system_prompt);
  g_free (self->parameters);
  g_free (self);
}

/* ---- the members of every request ---- */

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, message);
  return FALSE;
}

/* Begins a member unless `extra` has something to say about it. */
static gboolean
begin (GString *out, const ClqJsonSpan *extra, const char *name)
{
  if (extra->type == CLQ_JSON_OBJECT && clq_json_find (extra->start, (gssize) extra->length, name).type != CLQ_JSON_NONE)
    return FALSE;
  g_string_append_printf (out, "%s\"%s\":", out->len > 0 ? "," : "", name);
  return TRUE;
}

static void
append_stop (GString *out, char **stop)
{
  g_string_append_c (out, '[');
  for (guint i = 0; stop[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      clq_json_append_string (out, stop[i], -1);
    }
  g_string_append_c (out, ']');
}

static void
append_settings (GString *out, const Chat *self, const ClqJsonSpan *extra)
{
  if (begin (out, extra, "model"))
    clq_json_append_string (out, self->model, -1);
  if (self->max_tokens != CLQ_INT_UNSET && begin (out, extra, "max_tokens"))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, self->max_tokens);
  if (self->temperature != CLQ_DOUBLE_UNSET && begin (out, extra, "temperature"))
    clq_json_append_double (out, self->temperature);
  if (self->top_p != CLQ_DOUBLE_UNSET && begin (out, extra, "top_p"))
    clq_json_append_double (out, self->top_p);
  if (self->seed != CLQ_INT_UNSET && begin (out, extra, "seed"))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, self->seed);
  if (self->stop != NULL && self->stop[0] != NULL && begin (out, extra, "stop"))
    append_stop (out, self->stop);
  if (self->stream)
    {
      begin (out, extra, "stream");
      g_string_append (out, "true");
    }
  if (self->stream && begin (out, extra, "stream_options"))
    g_string_append (out, "{\"include_usage\":true}");
}

/* What `extra` adds. Members that are ours in every request are not for it to say. */
static gboolean
append_extra (GString *out, const ClqJsonSpan *extra, GError **error)
{
  static const char *const ours[] = { "messages", "tools", "stream", "n", NULL };
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, extra);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);

      if (g_strv_contains (ours, name))
        {
          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "extra has '%s', which is not for it to say", name);
          return FALSE;
        }
      if (value.type == CLQ_JSON_NULL)
        continue;
      if (out->len > 0)
        g_string_append_c (out, ',');
      g_string_append_len (out, key.start, (gssize) key.length);
      g_string_append_c (out, ':');
      g_string_append_len (out, value.start, (gssize) value.length);
    }
  return TRUE;
}

static char *
write_parameters (const Chat *self, GError **error)
{
  ClqJsonSpan extra = clq_json_span (self->extra, -1);
  g_autoptr (GString) out = g_string_new (NULL);

  if (extra.type != CLQ_JSON_NONE && extra.type != CLQ_JSON_OBJECT)
    {
      refuse (error, "extra is no JSON object");
      return NULL;
    }
  if (!append_extra (out, &extra, error))
    return NULL;
  append_settings (out, self, &extra);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* ---- life ---- */

/* What libsoup would put into a header as it is. */
static gboolean
check_key (ClqSecret *api_key, GError **error)
{
  for (const char *next = api_key != NULL ? clq_secret_reveal (api_key) : ""; *next != '\0'; next++)
    if (!g_ascii_isgraph (*next))
      return refuse (error, "api-key has a character that no key has; expected one word");
  return TRUE;
}

static gboolean
read_system_prompt (const Chat *self, OpenaiServer *server, GError **error)
{
  if (self->system_prompt != NULL && self->system_prompt_file != NULL)
    return refuse (error, "there is both system-prompt and system-prompt-file; expected one of them");
  server->system_prompt = g_strdup (self->system_prompt);
  if (self->system_prompt_file == NULL)
    return TRUE;
  if (!g_file_get_contents (self->system_prompt_file, &server->system_prompt, NULL, error))
    {
      g_prefix_error (error, "system-prompt-file: ");
      return FALSE;
    }
  if (g_utf8_validate (server->system_prompt, -1, NULL))
    return TRUE;
  return refuse (error, "system-prompt-file is no UTF-8 text");
}

static gboolean
fill_server (const Chat *self, OpenaiServer *server, GError **error)
{
  if (self->model == NULL || *self->model == '\0')
    return refuse (error, "there is no model; expected model=NAME, as the server calls it");
  if (!check_key (self->api_key, error) || !read_system_prompt (self, server, error))
    return FALSE;
  server->uri = openai_endpoint_parse (self->endpoint, self->insecure, &server->place, error);
  if (server->uri == NULL)
    return FALSE;
  server->parameters = write_parameters (self, error);
  if (server->parameters == NULL)
    return FALSE;
  server->model = g_strdup (self->model);
  server->api_key = self->api_key != NULL ? clq_secret_ref (self->api_key) : NULL;
  server->price_in = self->price_in;
  server->price_out = self->price_out;
  server->connect_timeout = self->connect_timeout;
  server->first_byte_timeout = self->first_byte_timeout;
  server->piece_timeout = self->piece_timeout;
  server->max_reply = (gsize) self->max_reply;
  server->session = openai_session_get ();
  return TRUE;
}

static gboolean
chat_init (gpointer data, GError **error)
{
  Chat *self = data;
  g_autoptr (OpenaiServer) server = g_new0 (OpenaiServer, 1);

  server->ref_count = 1;
  openai_turns_init (&server->turns, (guint) self->requests_per_minute);
  if (!fill_server (self, server, error))
    return FALSE;
  self->server = g_steal_pointer (&server);
  return TRUE;
}

static void
chat_clear (gpointer data)
{
  Chat *self = data;

  openai_server_unref (self->server);
}

static void
chat_complete (gpointer data, ClqCall *call)
{
  Chat *self = data;

  openai_exchange_begin (self->server, call);
}

static guint64
chat_estimate_tokens (gpointer data, const char *text)
{
  return openai_estimate_tokens (text);
}

const ClqAgentInfo openai_chat = {
  CLQ_AGENT_INFO,
  .name = "chat",
  .summary = "A model behind an HTTP interface like that of OpenAI",
  .settings = settings,
  .self_size = sizeof (Chat),
  .init = chat_init,
  .clear = chat_clear,
  .complete = chat_complete,
  .estimate_tokens = chat_estimate_tokens,
};
