#include "test-server.h"

#include <string.h>

#define DRIP_MS 20

/* ---- the server ---- */

typedef struct
{
  TestManner manner;
  GBytes *bytes;
} TestReply;

typedef struct
{
  TestServer *server;
  GSocketConnection *connection;
  GCancellable *cancellable;
  GString *in;
  TestReply *reply;
  gsize sent;
  gboolean is_held;
  char buffer[4096];
} Peer;

static void
free_reply (gpointer data)
{
  TestReply *self = data;

  g_bytes_unref (self->bytes);
  g_free (self);
}

static void
drop_peer (Peer *self)
{
  TestServer *server = self->server;

  if (server != NULL)
    g_ptr_array_remove_fast (server->peers, self);
  g_io_stream_close (G_IO_STREAM (self->connection), NULL, NULL);
  g_object_unref (self->connection);
  g_object_unref (self->cancellable);
  g_string_free (self->in, TRUE);
  g_clear_pointer (&self->reply, free_reply);
  g_free (self);
}

static void
read_on (Peer *self);
static void
send_on (Peer *self);

static gboolean
on_drop (gpointer user_data)
{
  Peer *self = user_data;

  if (self->server == NULL)
    drop_peer (self);
  else
    send_on (self);
  return G_SOURCE_REMOVE;
}

/* The next byte comes later, but long before any time is up that counts from the last one. */
static void
drip (Peer *self)
{
  g_autoptr (GSource) source = g_timeout_source_new (DRIP_MS);

  g_source_set_callback (source, on_drop, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
on_sent (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  Peer *self = user_data;
  gssize length = g_output_stream_write_finish (G_OUTPUT_STREAM (stream), result, NULL);

  if (length < 0 || self->server == NULL)
    {
      if (self->server != NULL)
        self->server->n_closed++;
      drop_peer (self);
      return;
    }
  self->sent += (gsize) length;
  if (self->sent < g_bytes_get_size (self->reply->bytes) && self->reply->manner == TEST_DRIP)
    drip (self);
  else if (self->sent < g_bytes_get_size (self->reply->bytes))
    send_on (self);
  else if (self->reply->manner == TEST_CLOSE)
    drop_peer (self);
  else
    {
      self->is_held = self->reply->manner != TEST_KEEP;
      g_clear_pointer (&self->reply, free_reply);
      read_on (self);
    }
}

static void
send_on (Peer *self)
{
  gsize size;
  const char *bytes = g_bytes_get_data (self->reply->bytes, &size);
  gsize length = self->reply->manner == TEST_DRIP ? 1 : size - self->sent;

  g_output_stream_write_async (g_io_stream_get_output_stream (G_IO_STREAM (self->connection)), bytes + self->sent, length, G_PRIORITY_DEFAULT,
                               self->cancellable, on_sent, self);
}

static void
send_first (Peer *self)
{
  self->reply = g_queue_pop_head (&self->server->replies);
  self->sent = 0;
  if (self->reply == NULL || g_bytes_get_size (self->reply->bytes) == 0)
    {
      gboolean is_over = self->reply != NULL && self->reply->manner == TEST_CLOSE;

      g_clear_pointer (&self->reply, free_reply);
      self->is_held = TRUE;
      if (is_over)
        drop_peer (self);
      else
        read_on (self);
    }
  else
    send_on (self);
}

static gboolean
on_idle (gpointer user_data)
{
  TestServer *self = user_data;

  self->on_request (self->on_request_data);
  return G_SOURCE_REMOVE;
}

static void
idle (GSourceFunc func, gpointer user_data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, func, user_data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

/* Whether what has come is a whole request; a TLS client says hello instead. */
static gboolean
take_request (Peer *self)
{
  const char *end = strstr (self->in->str, "\r\n\r\n");
  const char *length = g_strstr_len (self->in->str, -1, "Content-Length: ");
  TestServer *server = self->server;
  gsize head, body;

  if (self->in->len > 0 && self->in->str[0] == 0x16)
    {
      g_string_truncate (server->head, 0);
      g_string_append_len (server->head, self->in->str, (gssize) self->in->len);
      return TRUE;
    }
  if (end == NULL || length == NULL)
    return FALSE;
  head = (gsize) (end - self->in->str) + 4;
  body = (gsize) g_ascii_strtoull (length + 16, NULL, 10);
  if (self->in->len < head + body)
    return FALSE;
  g_string_truncate (server->head, 0);
  g_string_append_len (server->head, self->in->str, (gssize) head);
  g_string_truncate (server->body, 0);
  g_string_append_len (server->body, self->in->str + head, (gssize) body);
  g_string_erase (self->in, 0, (gssize) (head + body));
  server->n_requests++;
  if (server->on_request != NULL)
    idle (on_idle, server);
  return TRUE;
}

static void
on_read (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  Peer *self = user_data;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (stream), result, NULL);

  if (length <= 0 || self->server == NULL)
    {
      if (self->server != NULL)
        self->server->n_closed++;
      drop_peer (self);
      return;
    }
  g_string_append_len (self->in, self->buffer, length);
  if (!self->is_held && take_request (self))
    send_first (self);
  else
    read_on (self);
}

static void
read_on (Peer *self)
{
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (self->connection)), self->buffer, sizeof self->buffer, G_PRIORITY_DEFAULT,
                             self->cancellable, on_read, self);
}

static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  Peer *peer = g_new0 (Peer, 1);

  peer->server = user_data;
  peer->connection = g_object_ref (connection);
  peer->cancellable = g_cancellable_new ();
  peer->in = g_string_new (NULL);
  peer->server->n_opened++;
  g_ptr_array_add (peer->server->peers, peer);
  read_on (peer);
  return TRUE;
}

/* A server on a port of its own that knows no reply yet: who asks then waits for ever. */
TestServer *
test_server_new (void)
{
  TestServer *self = g_new0 (TestServer, 1);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, 0), effective = NULL;
  g_autoptr (GError) error = NULL;

  self->service = g_socket_service_new ();
  self->head = g_string_new (NULL);
  self->body = g_string_new (NULL);
  self->peers = g_ptr_array_new ();
  g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &effective, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));
  g_signal_connect (self->service, "incoming", G_CALLBACK (on_incoming), self);
  return self;
}

void
test_server_free (TestServer *self)
{
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_object_unref (self->service);
  for (guint i = 0; i < self->peers->len; i++)
    {
      Peer *peer = g_ptr_array_index (self->peers, i);

      peer->server = NULL;
      g_cancellable_cancel (peer->cancellable);
    }
  /* What was cancelled comes back once more. */
  while (g_main_context_iteration (g_main_context_get_thread_default (), FALSE))
    continue;
  g_ptr_array_unref (self->peers);
  g_queue_clear_full (&self->replies, free_reply);
  g_string_free (self->head, TRUE);
  g_string_free (self->body, TRUE);
  g_free (self);
}

/* ---- what it says ---- */

void
test_server_reply (TestServer *self, TestManner manner, const char *bytes, gssize length)
{
  TestReply *reply = g_new (TestReply, 1);

  reply->manner = manner;
  reply->bytes = g_bytes_new (bytes, length >= 0 ? (gsize) length : strlen (bytes));
  g_queue_push_tail (&self->replies, reply);
}

/* A reply with its length, after which the connection can be used again. @head: status and other headers */
void
test_server_reply_json (TestServer *self, const char *head, const char *json)
{
  g_autofree char *whole = g_strdup_printf ("%s" JSON "Content-Length: %zu\r\n\r\n%s", head, strlen (json), json);

  test_server_reply (self, TEST_KEEP, whole, -1);
}

/* Events, as chunks unless the connection is closed behind them. */
void
test_server_reply_events (TestServer *self, TestManner manner, const char *events)
{
  g_autofree char *chunked = g_strdup_printf (OK EVENTS "Transfer-Encoding: chunked\r\n\r\n%zx\r\n%s\r\n%s", strlen (events), events,
                                              manner == TEST_KEEP ? "0\r\n\r\n" : "");
  g_autofree char *open = g_strconcat (OK EVENTS "Connection: close\r\n\r\n", events, NULL);

  test_server_reply (self, manner, manner == TEST_CLOSE || manner == TEST_DRIP ? open : chunked, -1);
}

/* Waits until the client has closed so many connections. */
void
test_server_await_closed (TestServer *self, guint n)
{
  while (self->n_closed < n)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
}

/* ---- who asks ---- */

typedef struct
{
  gint64 calls;
  char *request;
  guint n_open;
} Asker;

static const ClqSetting asker_settings[] = {
  CLQ_INT (Asker, calls, 1, 1, 9, "how many calls, all at once"),
  CLQ_STRING (Asker, request, "{\"messages\":[{\"role\":\"user\",\"text\":\"hello\"}]}", "what is asked"),
  { NULL },
};

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Asker *self = user_data;

  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else if (--self->n_open == 0)
    clq_visit_finish_with (visit, "done", NULL);
}

static void
asker_enter (gpointer data, ClqVisit *visit)
{
  static const char *const keys[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
  Asker *self = data;

  self->n_open = (guint) self->calls;
  for (guint i = 0; i < self->calls; i++)
    clq_visit_call_agent (visit, keys[i], "model", self->request, TRUE, on_answer, self);
}

const ClqNodeInfo test_asker = {
  CLQ_NODE_INFO,
  .name = "asker",
  .summary = "Asks the agent model",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = asker_settings,
  .self_size = sizeof (Asker),
  .enter = asker_enter,
};

/* @settings: (nullable): up to four keys and values for the agent; `calls` and `request` are for the node */
Talk *
talk_new (const char *const *settings)
{
  Talk *self = g_new0 (Talk, 1);
  const char *const none[] = { NULL };
  const char *more[9] = { NULL }, *calls = "1", *request = "{\"messages\":[{\"role\":\"user\",\"text\":\"hello\"}]}";
  g_autofree char *endpoint = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (const char *const *next = settings != NULL ? settings : none; *next != NULL; next += 2)
    if (g_str_equal (next[0], "calls"))
      calls = next[1];
    else if (g_str_equal (next[0], "request"))
      request = next[1];
    else
      {
        g_assert_cmpuint (n, <, 8);
        more[n++] = next[0];
        more[n++] = next[1];
      }
  self->server = test_server_new ();
  self->node = clq_test_node_new (&test_asker, "calls", calls, "request", request, NULL);
  endpoint = g_strdup_printf ("http://127.0.0.1:%u/v1/", self->server->port);
  clq_test_node_add_agent (self->node, "model", &openai_chat, &error, "endpoint", endpoint, "model", "tiny",
                           more[0], more[1], more[2], more[3], more[4], more[5], more[6], more[7], NULL);
  g_assert_no_error (error);
  return self;
}

void
talk_free (Talk *self)
{
  clq_test_node_free (self->node);
  test_server_free (self->server);
  g_free (self);
}

/* Asks, and gets this. */
void
talk_assert_text (Talk *self, const char *text)
{
  clq_test_node_enter (self->node);
  clq_test_node_assert_outcome (self->node, "done");
  clq_test_node_assert_said (self->node, text);
}

/* Asks, and fails like this; PORT in the message is the server's. */
void
talk_assert_failure (Talk *self, ClqFailure failure, const char *message)
{
  g_autofree char *port = g_strdup_printf ("%u", self->server->port);
  g_autoptr (GString) whole = g_string_new (message);

  g_string_replace (whole, "PORT", port, 0);
  clq_test_node_enter (self->node);
  clq_test_node_assert_failed (self->node, failure, whole->str);
}
