/* One request and what comes back. */
#include "openai.h"

#include <string.h>

#define ROOM (16 * 1024)              /* bytes that are read at once */
#define MAX_REFUSAL (64 * 1024)       /* bytes of a reply that says no */
#define DRAIN_TIME G_TIME_SPAN_SECOND /* what follows a whole answer is read so long, so that the connection can be used again */

typedef enum
{
  BODY_PLAIN,  /* one object */
  BODY_STREAM, /* server-sent events */
  BODY_REFUSAL,
} BodyKind;

/* What a server may need time for, and what is said of one that takes too long. */
typedef enum
{
  WAIT_CONNECTION,
  WAIT_REPLY,
  WAIT_PIECE,
  WAIT_END, /* of what follows a whole answer; nobody cares */
} Wait;

static const char *const late_words[][2] = {
  [WAIT_CONNECTION] = { "did not accept a connection within", "; is the server running?" },
  [WAIT_REPLY] = { "did not begin to answer within", "; a longer first-byte-timeout may help" },
  [WAIT_PIECE] = { "began to answer but did not go on for", "" },
};

/*
 * It lives as long as somebody refers to it: itself until the call is over, and each function that libsoup is to call. The
 * call is let go of at once when it is over or cancelled; what libsoup does then comes to an end on its own.
 */
typedef struct
{
  guint ref_count;
  OpenaiServer *server;
  ClqCall *call; /* NULL = it is over */
  gulong on_cancelled;
  char *request; /* what is to be sent */
  SoupMessage *message;
  GCancellable *network; /* of everything that libsoup does */
  GInputStream *stream;
  GSource *timer;
  Wait wait;          /* what the timer is for */
  GTimeSpan patience; /* of the timer */
  BodyKind kind;
  gsize received;
  GString *body; /* of what is no stream */
  OpenaiSse sse;
  OpenaiAnswer answer;
  char buffer[ROOM];
} Exchange;

static Exchange *
exchange_ref (Exchange *self)
{
  self->ref_count++;
  return self;
}

static void
exchange_unref (Exchange *self)
{
  if (--self->ref_count > 0)
    return;
  g_clear_object (&self->stream);
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);
  g_clear_object (&self->network);
  g_string_free (self->body, TRUE);
  openai_sse_clear (&self->sse);
  openai_answer_clear (&self->answer);
  openai_server_unref (self->server);
  g_free (self->request);
  g_free (self);
}

static void
stop_timer (Exchange *self)
{
  if (self->timer == NULL)
    return;
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

/* Lets go of the call; whatever comes now is for nobody. */
static void
release_call (Exchange *self)
{
  ClqCall *call = g_steal_pointer (&self->call);

  stop_timer (self);
  g_signal_handler_disconnect (clq_call_get_cancellable (call), self->on_cancelled);
  openai_turns_leave (&self->server->turns, call);
  clq_call_unref (call);
  exchange_unref (self);
}

/* The call has ended, well or badly, and nothing more is wanted of the server. */
static void
end (Exchange *self)
{
  g_cancellable_cancel (self->network);
  release_call (self);
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  end (user_data);
}

/* ---- time ---- */

static gboolean
on_late (gpointer user_data)
{
  Exchange *self = user_data;
  g_autofree char *patience = clq_duration_print (self->patience);

  if (self->call == NULL)
    g_cancellable_cancel (self->network);
  else
    {
      clq_call_fail (self->call, CLQ_FAILURE_RECOVERABLE, "%s %s %s%s", self->server->place, late_words[self->wait][0], patience, late_words[self->wait][1]);
      end (self);
    }
  return G_SOURCE_REMOVE;
}

/*
 * From now on the server has so much time, 0 = any, for something to happen. The time is real, whatever the clock of the
 * host is, because so is the network.
 */
static void
expect (Exchange *self, Wait wait)
{
  const GTimeSpan patience[] = {
    [WAIT_CONNECTION] = self->server->connect_timeout,
    [WAIT_REPLY] = self->server->first_byte_timeout,
    [WAIT_PIECE] = self->server->piece_timeout,
    [WAIT_END] = DRAIN_TIME,
  };

  stop_timer (self);
  self->wait = wait;
  self->patience = patience[wait];
  if (self->patience == 0)
    return;
  self->timer = g_timeout_source_new ((guint) MIN (self->patience / G_TIME_SPAN_MILLISECOND, G_MAXINT));
  g_source_set_callback (self->timer, on_late, self, NULL);
  g_source_attach (self->timer, g_main_context_get_thread_default ());
}

/* ---- what comes back ---- */

static void
read_on (Exchange *self);

/* The answer is whole. What the server still sends is read for a moment, so that the connection can be used again. */
static void
give_answer (Exchange *self)
{
  g_autoptr (ClqCall) call = clq_call_ref (self->call);

  release_call (self);
  openai_answer_give (&self->answer, call, self->server);
}

static gboolean
on_event (const char *data, gsize length, gpointer user_data)
{
  Exchange *self = user_data;
  gsize before = self->answer.text->len;
  g_autoptr (GError) error = NULL;

  if (!openai_answer_add (&self->answer, data, length, &error))
    {
      /* What follows a whole answer cannot take it back. */
      if (openai_answer_is_whole (&self->answer))
        return TRUE;
      openai_fail_answer (self->call, self->server, error);
      end (self);
      return FALSE;
    }
  expect (self, WAIT_PIECE);
  if (self->answer.text->len > before)
    clq_call_piece (self->call, self->answer.text->str + before, (gssize) (self->answer.text->len - before));
  return self->call != NULL && !self->answer.is_done;
}

static void
take_bytes (Exchange *self, gsize length)
{
  gsize limit = self->kind == BODY_REFUSAL ? MAX_REFUSAL : self->server->max_reply;

  self->received += length;
  if (self->received > limit && self->kind == BODY_REFUSAL)
    {
      openai_fail_status (self->call, self->server, self->message, "", 0);
      end (self);
    }
  else if (self->received > limit ||
           (self->kind == BODY_STREAM && !openai_sse_feed (&self->sse, self->buffer, length, on_event, self)))
    {
      clq_call_fail (self->call, CLQ_FAILURE_CRITICAL, "the reply of %s is larger than %" G_GSIZE_FORMAT " bytes, the max-reply of agent '%s'",
                     self->server->place, limit, clq_call_get_target (self->call));
      end (self);
    }
  else if (self->kind != BODY_STREAM)
    g_string_append_len (self->body, self->buffer, (gssize) length);
  else if (self->call != NULL && self->answer.is_done)
    {
      if (openai_answer_is_whole (&self->answer))
        give_answer (self);
    }
}

/* No more comes, because the server has ended its reply or, with @error, because the connection is gone. */
static void
take_end (Exchange *self, const GError *error)
{
  g_autoptr (GError) wrong = NULL;

  if (self->kind == BODY_REFUSAL)
    openai_fail_status (self->call, self->server, self->message, self->body->str, self->body->len);
  else if (self->kind == BODY_PLAIN && error == NULL && !openai_answer_add (&self->answer, self->body->str, self->body->len, &wrong))
    openai_fail_answer (self->call, self->server, wrong);
  else if (self->kind == BODY_STREAM && error == NULL && openai_sse_end (&self->sse, on_event, self) && self->call == NULL)
    return;
  else if (openai_answer_is_whole (&self->answer))
    openai_answer_give (&self->answer, self->call, self->server);
  else if (error != NULL)
    openai_fail_network (self->call, self->server, error);
  else
    clq_call_fail (self->call, CLQ_FAILURE_RECOVERABLE, "%s has ended its reply in the middle", self->server->place);
  end (self);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Exchange *self = user_data;
  g_autoptr (GError) error = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (self->call != NULL && length > 0)
    take_bytes (self, (gsize) length);
  else if (self->call != NULL)
    take_end (self, error);
  if (length > 0 && !g_cancellable_is_cancelled (self->network))
    {
      /* Nobody waits for the rest of a whole answer. */
      if (self->call == NULL && self->timer == NULL)
        expect (self, WAIT_END);
      read_on (self);
    }
  else
    stop_timer (self);
  exchange_unref (self);
}

static void
read_on (Exchange *self)
{
  g_input_stream_read_async (self->stream, self->buffer, sizeof self->buffer, G_PRIORITY_DEFAULT, self->network, on_read, exchange_ref (self));
}

/* What the body is; FALSE if it can be no answer. */
static gboolean
find_kind (Exchange *self)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);
  const char *type = soup_message_headers_get_content_type (headers, NULL);
  g_autofree char *shown = NULL;

  if (soup_message_get_status (self->message) != SOUP_STATUS_OK)
    self->kind = BODY_REFUSAL;
  else if (type != NULL && g_ascii_strcasecmp (type, "text/event-stream") == 0)
    self->kind = BODY_STREAM;
  else if (type == NULL || g_ascii_strcasecmp (type, "application/json") == 0 || g_ascii_strcasecmp (type, "text/plain") == 0)
    self->kind = BODY_PLAIN;
  else
    {
      shown = openai_clean_of (self->server, type);
      clq_call_fail (self->call, CLQ_FAILURE_CRITICAL, "%s answers with %s, expected application/json or text/event-stream; check endpoint of agent '%s', it often ends with /v1",
                     self->server->place, shown, clq_call_get_target (self->call));
      return FALSE;
    }
  return TRUE;
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Exchange *self = user_data;
  g_autoptr (GError) error = NULL;

  self->stream = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (self->call != NULL && self->stream == NULL)
    {
      openai_fail_network (self->call, self->server, error);
      end (self);
    }
  else if (self->call != NULL && !find_kind (self))
    end (self);
  else if (self->call != NULL)
    {
      /* What is no stream must be there as a whole in that time, so that sending it byte by byte does not help. */
      if (self->kind != BODY_STREAM)
        expect (self, WAIT_PIECE);
      read_on (self);
    }
  exchange_unref (self);
}

/* ---- sending ---- */

/* libsoup would offer HTTP/2, whose client in Debian 12 has known faults. */
static void
on_network_event (SoupMessage *message, GSocketClientEvent event, GIOStream *connection, gpointer user_data)
{
  static const char *const protocols[] = { "http/1.1", NULL };
  Exchange *self = user_data;

  if (self->call != NULL && event == G_SOCKET_CLIENT_RESOLVING)
    expect (self, WAIT_CONNECTION);
  if (event == G_SOCKET_CLIENT_TLS_HANDSHAKING)
    g_tls_connection_set_advertised_protocols (G_TLS_CONNECTION (connection), protocols);
}

/* There is a connection, and the request is about to be sent. */
static void
on_starting (SoupMessage *message, gpointer user_data)
{
  Exchange *self = user_data;

  if (self->call != NULL)
    expect (self, WAIT_REPLY);
}

static void
add_key (SoupMessage *message, ClqSecret *api_key)
{
  char *value = g_strconcat ("Bearer ", clq_secret_reveal (api_key), NULL);

  soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization", value);
  explicit_bzero (value, strlen (value));
  g_free (value);
}

static void
send_request (gpointer user_data)
{
  Exchange *self = user_data;
  gsize length = strlen (self->request);
  g_autoptr (GBytes) body = g_bytes_new_take (g_steal_pointer (&self->request), length);

  self->message = soup_message_new_from_uri ("POST", self->server->uri);
  /* Only what is said to be idempotent goes over a connection that was kept; one that turns out to be dead before anything came
   * back is then replaced by libsoup. */
  soup_message_set_flags (self->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_DO_NOT_USE_AUTH_CACHE | SOUP_MESSAGE_IDEMPOTENT);
  soup_message_headers_replace (soup_message_get_request_headers (self->message), "Accept", "application/json, text/event-stream");
  if (self->server->api_key != NULL)
    add_key (self->message, self->server->api_key);
  soup_message_set_request_body_from_bytes (self->message, "application/json", body);
  g_signal_connect (self->message, "network-event", G_CALLBACK (on_network_event), self);
  g_signal_connect (self->message, "starting", G_CALLBACK (on_starting), self);
  soup_session_send_async (self->server->session, self->message, G_PRIORITY_DEFAULT, self->network, on_sent, exchange_ref (self));
}

/* Asks @server what @call asks, as soon as it is its turn, and ends the call with what comes back. */
void
openai_exchange_begin (OpenaiServer *server, ClqCall *call)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *request = openai_request_write (server->system_prompt, server->parameters, clq_call_get_request (call), &error);
  Exchange *self;

  if (request == NULL)
    {
      clq_call_fail (call, CLQ_FAILURE_CRITICAL, "agent '%s': %s", clq_call_get_target (call), error->message);
      return;
    }
  self = g_new0 (Exchange, 1);
  self->ref_count = 1;
  self->server = openai_server_ref (server);
  self->call = clq_call_ref (call);
  self->request = g_steal_pointer (&request);
  self->network = g_cancellable_new ();
  self->body = g_string_new (NULL);
  openai_sse_init (&self->sse, server->max_reply);
  openai_answer_init (&self->answer);
  self->on_cancelled = g_signal_connect (clq_call_get_cancellable (call), "cancelled", G_CALLBACK (on_cancelled), self);
  openai_turns_enter (&server->turns, call, send_request, self);
}
