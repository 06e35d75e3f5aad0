#include "test-server.h"

#include <string.h>

/* ---- the server ---- */

static void
answer (SoupServerMessage *message, guint status, const char *type, const char *body, gsize length)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, body, length);
}

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

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  TestServer *self = data;
  g_autofree char *big = NULL;
  g_autofree char *away = NULL;

  self->n_requests++;
  g_free (self->host);
  self->host = g_strdup (soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Host"));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (strcmp (path, pages[i].path) == 0)
      {
        answer (message, pages[i].status, pages[i].type, pages[i].body, strlen (pages[i].body));
        return;
      }
  if (strcmp (path, "/big") == 0)
    {
      big = g_strnfill (100000, 'x');
      answer (message, 200, "text/plain", big, 100000);
    }
  else if (strcmp (path, "/redirect") == 0)
    {
      away = g_strdup_printf ("http://127.0.0.1:%u/", self->port);
      soup_message_headers_append (soup_server_message_get_response_headers (message), "Location", away);
      answer (message, 302, "text/plain", "away", 4);
    }
  else
    {
      g_assert_cmpstr (path, ==, "/silent");
      self->silent = g_object_ref (message);
      soup_server_message_pause (message);
    }
}

TestServer *
test_server_new (void)
{
  TestServer *self = g_new0 (TestServer, 1);
  g_autoptr (GError) error = NULL;
  GSList *uris;

  self->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (self->server);
  self->port = (guint16) g_uri_get_port (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return self;
}

void
test_server_free (TestServer *self)
{
  soup_server_disconnect (self->server);
  g_clear_object (&self->silent);
  g_object_unref (self->server);
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
