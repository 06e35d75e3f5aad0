#include "test-server.h"

#include <string.h>

/* ---- the server ---- */

static const struct
{
  const char *path;
  guint status;
  const char *type;
  const char *body;
} pages[] = {
  { "/", 200, "text/plain", "root" },
  { "/page", 200, "text/html; charset=utf-8", "<p>grüße</p>" },
  { "/json", 200, "application/json", "{\"a\":1}" },
  { "/latin", 200, "text/plain; charset=ISO-8859-1", "gr\374n" },
  { "/image", 200, "image/png", "\211PNG" },
  { "/lies", 200, "text/plain", "gr\374n" },
  { "/charset", 200, "text/plain; charset=utf-7", "text" },
  { "/missing", 404, "text/plain", "not there" },
  { "/broken", 503, "text/plain", "later" },
  { "/empty", 204, "text/plain", "" },
};

/* A connection, until its request is answered. */
typedef struct
{
  TestServer *server;
  GSocketConnection *connection;
  GDataInputStream *input;
  char *path;
} Peer;

static void
peer_free (Peer *peer)
{
  g_object_unref (peer->input);
  g_object_unref (peer->connection);
  g_free (peer->path);
  g_free (peer);
}

static void
answer (Peer *peer, guint status, const char *type, const char *more, const char *body)
{
  g_autofree char *text = g_strdup_printf ("HTTP/1.1 %u Fine\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n%s",
                                           status, type, strlen (body), more, body);

  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (peer->connection)), text, strlen (text), NULL, NULL, NULL);
  g_io_stream_close (G_IO_STREAM (peer->connection), NULL, NULL);
}

static void
answer_path (Peer *peer, const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (strcmp (path, pages[i].path) == 0)
      {
        answer (peer, pages[i].status, pages[i].type, "", pages[i].body);
        return;
      }
  if (strcmp (path, "/big") == 0)
    {
      g_autofree char *big = g_strnfill (100000, 'x');

      answer (peer, 200, "text/plain", "", big);
    }
  else if (strcmp (path, "/redirect") == 0)
    {
      g_autofree char *away = g_strdup_printf ("Location: http://127.0.0.1:%u/\r\n", peer->server->port);

      answer (peer, 302, "text/plain", away, "away");
    }
  else
    {
      g_assert_cmpstr (path, ==, "/silent");
      g_set_object (&peer->server->silent, peer->connection);
      if (peer->server->on_silent != NULL)
        peer->server->on_silent (peer->server->on_silent_data);
    }
}

static void
on_line (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Peer *peer = user_data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (object), result, NULL, NULL);

  if (line == NULL) /* the client has gone */
    {
      peer_free (peer);
      return;
    }
  if (*line == '\0')
    {
      peer->server->n_requests++;
      answer_path (peer, peer->path);
      peer_free (peer);
      return;
    }
  if (peer->path == NULL)
    peer->path = g_strndup (line + strlen ("GET "), strcspn (line + strlen ("GET "), " "));
  else if (g_str_has_prefix (line, "Host: "))
    {
      g_free (peer->server->host);
      peer->server->host = g_strdup (line + strlen ("Host: "));
    }
  g_data_input_stream_read_line_async (peer->input, G_PRIORITY_DEFAULT, NULL, on_line, peer);
}

static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  Peer *peer = g_new0 (Peer, 1);

  peer->server = user_data;
  peer->connection = g_object_ref (connection);
  peer->input = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  g_data_input_stream_set_newline_type (peer->input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  g_data_input_stream_read_line_async (peer->input, G_PRIORITY_DEFAULT, NULL, on_line, peer);
  return TRUE;
}

TestServer *
test_server_new (void)
{
  TestServer *self = g_new0 (TestServer, 1);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) place = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GError) error = NULL;

  self->service = g_socket_service_new ();
  g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), place, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &bound, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  g_signal_connect (self->service, "incoming", G_CALLBACK (on_incoming), self);
  return self;
}

void
test_server_free (TestServer *self)
{
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_clear_object (&self->silent);
  g_object_unref (self->service);
  g_free (self->host);
  g_free (self);
}

/* ---- the resolver ---- */

struct _TestResolver
{
  GResolver parent_instance;
  const char *const *answers;
  guint n_asked;
};

G_DEFINE_FINAL_TYPE (TestResolver, test_resolver, G_TYPE_RESOLVER)

static void
lookup_async (GResolver *resolver, const char *name, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  TestResolver *self = TEST_RESOLVER (resolver);
  guint last = g_strv_length ((char **) self->answers) - 1;
  g_auto (GStrv) texts = g_strsplit (self->answers[MIN (self->n_asked, last)], ",", -1);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GList *addresses = NULL;

  self->n_asked++;
  for (guint i = 0; texts[i] != NULL; i++)
    {
      GInetAddress *address = g_inet_address_new_from_string (texts[i]);

      g_assert_nonnull (address);
      addresses = g_list_append (addresses, address);
    }
  if (addresses != NULL)
    g_task_return_pointer (task, addresses, (GDestroyNotify) g_resolver_free_addresses);
  else
    g_task_return_new_error (task, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "no such name");
}

static GList *
lookup_finish (GResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_resolver_class_init (TestResolverClass *klass)
{
  GResolverClass *resolver_class = G_RESOLVER_CLASS (klass);

  resolver_class->lookup_by_name_async = lookup_async;
  resolver_class->lookup_by_name_finish = lookup_finish;
}

static void
test_resolver_init (TestResolver *self)
{
}

TestResolver *
test_resolver_install (const char *const *answers)
{
  TestResolver *self = g_object_new (TEST_TYPE_RESOLVER, NULL);

  self->answers = answers;
  g_resolver_set_default (G_RESOLVER (self));
  return self;
}

guint
test_resolver_get_n_asked (TestResolver *self)
{
  return self->n_asked;
}
