/* get: asks a listed host for a page. */
#include "http-get.h"

#include <libsoup/soup.h>
#include <string.h>

#define PIECE 16384

typedef struct
{
  char **hosts;
  char **private_hosts;
  gint64 max_size;
  GTimeSpan timeout;
  GPtrArray *rules;
  GPtrArray *private_rules;
} Get;

static const ClqSetting settings[] = {
  CLQ_LIST (Get, hosts, NULL, "who may be asked: NAME, *.NAME or NAME:PORT, separated by ;"),
  CLQ_LIST (Get, private_hosts, NULL, "who may be asked even at a private or local address, written the same way"),
  CLQ_INT (Get, max_size, 262144, 1, 4194304, "how many bytes a page may have"),
  CLQ_DURATION (Get, timeout, "20s", "how long a page may take, from the first step to the last byte"),
  { NULL },
};

/* One page on its way. */
typedef struct
{
  ClqCall *call;
  HttpTarget *target;
  GList *addresses; /* GInetAddress, checked, still to be tried */
  SoupSession *session;
  SoupMessage *message;
  GInputStream *stream;
  GByteArray *body;
  gint64 max_size;
  GTimeSpan timeout;
  GSource *timer;
} Fetch;

static gboolean
get_init (gpointer self, GError **error)
{
  Get *get = self;

  get->rules = http_rules_parse (get->hosts, error);
  if (get->rules == NULL)
    {
      g_prefix_error (error, "hosts: ");
      return FALSE;
    }
  get->private_rules = http_rules_parse (get->private_hosts, error);
  if (get->private_rules == NULL)
    {
      g_prefix_error (error, "private-hosts: ");
      g_clear_pointer (&get->rules, g_ptr_array_unref);
      return FALSE;
    }
  return TRUE;
}

static void
get_clear (gpointer self)
{
  Get *get = self;

  g_ptr_array_unref (get->rules);
  g_ptr_array_unref (get->private_rules);
}

static void
fetch_free (Fetch *fetch)
{
  g_source_destroy (fetch->timer);
  g_source_unref (fetch->timer);
  if (fetch->session != NULL)
    soup_session_abort (fetch->session);
  g_clear_object (&fetch->stream);
  g_clear_object (&fetch->message);
  g_clear_object (&fetch->session);
  g_list_free_full (fetch->addresses, g_object_unref);
  g_byte_array_unref (fetch->body);
  http_target_free (fetch->target);
  clq_call_unref (fetch->call);
  g_free (fetch);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fetch, fetch_free)

/* Ends the call; what failed on the way may work the next time. */
static void
fail (Fetch *fetch, ClqFailure failure, const char *message)
{
  clq_call_fail (fetch->call, failure, "%s: %s", fetch->target->host, message);
}

static gboolean
on_timeout (gpointer user_data)
{
  Fetch *fetch = user_data;
  g_autofree char *timeout = clq_duration_print (fetch->timeout);

  clq_call_fail (fetch->call, CLQ_FAILURE_RECOVERABLE, "%s: the page has not come within %s", fetch->target->host, timeout);
  /* The step that runs ends by itself then and frees the fetch. */
  g_cancellable_cancel (clq_call_get_cancellable (fetch->call));
  return G_SOURCE_REMOVE;
}

/* The time is real, whatever the clock of the host is, because so is the network. A call that waits for the host's clock
 * would not be waited for by a host that settles. */
static void
start_timer (Fetch *fetch)
{
  fetch->timer = g_timeout_source_new ((guint) MIN (fetch->timeout / G_TIME_SPAN_MILLISECOND, G_MAXINT));
  g_source_set_callback (fetch->timer, on_timeout, fetch, NULL);
  g_source_attach (fetch->timer, g_main_context_get_thread_default ());
}

/* ---- the page ---- */

static char *
result_new (Fetch *fetch, const char *type, const char *location, const char *text)
{
  GString *json = g_string_new (NULL);

  g_string_append_printf (json, "{\"status\":%u", soup_message_get_status (fetch->message));
  if (location != NULL)
    {
      g_string_append (json, ",\"location\":");
      clq_json_append_string (json, location, -1);
    }
  if (type != NULL)
    {
      g_string_append (json, ",\"type\":");
      clq_json_append_string (json, type, -1);
    }
  if (text != NULL)
    {
      g_string_append (json, ",\"text\":");
      clq_json_append_string (json, text, -1);
    }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

static void
finish (Fetch *fetch)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (fetch->message);
  g_autoptr (GHashTable) parameters = NULL;
  const char *type = soup_message_headers_get_content_type (headers, &parameters);
  const char *charset = parameters != NULL ? g_hash_table_lookup (parameters, "charset") : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = http_text_convert (type, charset, (const char *) fetch->body->data, fetch->body->len, &error);
  g_autofree char *json = NULL;

  if (text == NULL)
    {
      fail (fetch, CLQ_FAILURE_USER, error->message);
      return;
    }
  json = result_new (fetch, type, NULL, text);
  clq_call_return (fetch->call, json);
}

static void read_piece (Fetch *fetch);

static void
on_piece (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Fetch) fetch = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) piece = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  g_autofree char *limit = NULL;

  if (piece == NULL)
    {
      fail (fetch, CLQ_FAILURE_RECOVERABLE, error->message);
      return;
    }
  if (g_bytes_get_size (piece) == 0)
    {
      finish (fetch);
      return;
    }
  g_byte_array_append (fetch->body, g_bytes_get_data (piece, NULL), (guint) g_bytes_get_size (piece));
  if (fetch->body->len <= fetch->max_size)
    {
      read_piece (g_steal_pointer (&fetch));
      return;
    }
  limit = g_strdup_printf ("the page has more than %" G_GINT64_FORMAT " bytes", fetch->max_size);
  fail (fetch, CLQ_FAILURE_USER, limit);
}

/* Takes the fetch, as all steps do. */
static void
read_piece (Fetch *fetch)
{
  g_input_stream_read_bytes_async (fetch->stream, PIECE, G_PRIORITY_DEFAULT, clq_call_get_cancellable (fetch->call), on_piece, fetch);
}

/* ---- the connection ---- */

static void connect_next (Fetch *fetch);

static gboolean
is_unreachable (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Fetch) fetch = user_data;
  g_autoptr (GError) error = NULL;
  const char *location;
  g_autofree char *json = NULL;

  fetch->stream = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (fetch->stream == NULL)
    {
      if (is_unreachable (error) && fetch->addresses != NULL)
        connect_next (g_steal_pointer (&fetch));
      else
        fail (fetch, CLQ_FAILURE_RECOVERABLE, error->message);
      return;
    }
  location = soup_message_headers_get_one (soup_message_get_response_headers (fetch->message), "Location");
  if (SOUP_STATUS_IS_REDIRECTION (soup_message_get_status (fetch->message)) && location != NULL)
    {
      /* Where it leads is the model's to ask for, and then checked like any other URL. */
      json = result_new (fetch, NULL, location, NULL);
      clq_call_return (fetch->call, json);
      return;
    }
  read_piece (g_steal_pointer (&fetch));
}

/* Tries the next address that was checked. A session serves one page, for it is tied to one address. */
static void
connect_next (Fetch *fetch)
{
  g_autoptr (GInetAddress) address = fetch->addresses->data;
  g_autoptr (GSocketConnectable) pinned = http_pinned_new (fetch->target->host, fetch->target->port, address);

  fetch->addresses = g_list_delete_link (fetch->addresses, fetch->addresses);
  g_clear_object (&fetch->message);
  g_clear_object (&fetch->session);
  fetch->session = soup_session_new_with_options ("remote-connectable", pinned, "proxy-resolver", NULL, "user-agent", "colloquy",
                                                  "max-conns", 1, "timeout", (guint) (fetch->timeout / G_USEC_PER_SEC) + 1, NULL);
  soup_session_remove_feature_by_type (fetch->session, SOUP_TYPE_AUTH_MANAGER);
  soup_session_remove_feature_by_type (fetch->session, SOUP_TYPE_CONTENT_DECODER);
  fetch->message = soup_message_new (SOUP_METHOD_GET, fetch->target->url);
  if (fetch->message == NULL)
    {
      fail (fetch, CLQ_FAILURE_USER, "the URL cannot be asked for");
      fetch_free (fetch);
      return;
    }
  soup_message_add_flags (fetch->message, SOUP_MESSAGE_NO_REDIRECT);
  soup_message_headers_append (soup_message_get_request_headers (fetch->message), "Accept", "text/*, application/json, */*;q=0.1");
  soup_session_send_async (fetch->session, fetch->message, G_PRIORITY_DEFAULT, clq_call_get_cancellable (fetch->call), on_sent, fetch);
}

static void
on_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Fetch) fetch = user_data;
  g_autoptr (GError) error = NULL;

  fetch->addresses = g_resolver_lookup_by_name_finish (G_RESOLVER (source), result, &error);
  if (fetch->addresses == NULL)
    {
      fail (fetch, CLQ_FAILURE_RECOVERABLE, error != NULL ? error->message : "the name has no address");
      return;
    }
  /* All of them must be good: a name that leads to one of ours as well is not what it seems. */
  for (GList *l = fetch->addresses; l != NULL; l = l->next)
    {
      const char *refusal = http_address_refusal (l->data, fetch->target->may_be_private);

      if (refusal != NULL)
        {
          g_autofree char *address = g_inet_address_to_string (l->data);
          g_autofree char *message = g_strdup_printf ("its address %s may not be asked (%s)", address, refusal);

          fail (fetch, CLQ_FAILURE_USER, message);
          return;
        }
    }
  connect_next (g_steal_pointer (&fetch));
}

static void
get_use (gpointer self, ClqCall *call)
{
  Get *get = self;
  g_autofree char *url = clq_json_find_string (clq_call_get_request (call), "url");
  g_autoptr (GError) error = NULL;
  g_autoptr (HttpTarget) target = NULL;
  g_autoptr (GResolver) resolver = NULL;
  Fetch *fetch;

  target = http_target_new (url != NULL ? url : "", get->rules, get->private_rules, &error);
  if (target == NULL)
    {
      clq_call_fail (call, CLQ_FAILURE_USER, "%s", error->message);
      return;
    }
  fetch = g_new0 (Fetch, 1);
  fetch->call = clq_call_ref (call);
  fetch->target = g_steal_pointer (&target);
  fetch->body = g_byte_array_new ();
  fetch->max_size = get->max_size;
  fetch->timeout = get->timeout;
  start_timer (fetch);
  resolver = g_resolver_get_default ();
  g_resolver_lookup_by_name_async (resolver, fetch->target->host, clq_call_get_cancellable (call), on_resolved, fetch);
}

const ClqToolInfo http_get_get = {
  CLQ_TOOL_INFO,
  .name = "get",
  .summary = "Gets a page of a listed host as text",
  .schema = "{\"type\":\"object\",\"required\":[\"url\"],\"additionalProperties\":false,\"properties\":{"
            "\"url\":{\"type\":\"string\",\"maxLength\":2048,\"description\":\"an address that begins with https:// or http://\"}}}",
  .settings = settings,
  .self_size = sizeof (Get),
  .policy = CLQ_TOOL_RETRY,
  .init = get_init,
  .clear = get_clear,
  .use = get_use,
};
