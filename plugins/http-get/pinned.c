/* pinned: the name of a host for HTTP and TLS, but the address that was checked for the connection. */
#include "http-get.h"

#define HTTP_TYPE_PINNED (http_pinned_get_type ())
G_DECLARE_FINAL_TYPE (HttpPinned, http_pinned, HTTP, PINNED, GNetworkAddress)

/* libsoup takes the name for the certificate from the parent; GSocketClient asks the interface where to connect. */
struct _HttpPinned
{
  GNetworkAddress parent_instance;
  GSocketAddress *address;
};

static GSocketAddressEnumerator *
http_pinned_enumerate (GSocketConnectable *connectable)
{
  /* A socket address enumerates itself. */
  return g_socket_connectable_enumerate (G_SOCKET_CONNECTABLE (HTTP_PINNED (connectable)->address));
}

static void
http_pinned_connectable_init (GSocketConnectableIface *iface)
{
  iface->enumerate = http_pinned_enumerate;
  iface->proxy_enumerate = http_pinned_enumerate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HttpPinned, http_pinned, G_TYPE_NETWORK_ADDRESS, G_IMPLEMENT_INTERFACE (G_TYPE_SOCKET_CONNECTABLE, http_pinned_connectable_init))

static void
http_pinned_finalize (GObject *object)
{
  g_clear_object (&HTTP_PINNED (object)->address);
  G_OBJECT_CLASS (http_pinned_parent_class)->finalize (object);
}

static void
http_pinned_class_init (HttpPinnedClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = http_pinned_finalize;
}

static void
http_pinned_init (HttpPinned *self)
{
}

/* Returns: (transfer full): a place to connect to that never asks a resolver */
GSocketConnectable *
http_pinned_new (const char *host, guint16 port, GInetAddress *address)
{
  HttpPinned *self = g_object_new (HTTP_TYPE_PINNED, "hostname", host, "port", (guint) port, NULL);

  self->address = g_inet_socket_address_new (address, port);
  return G_SOCKET_CONNECTABLE (self);
}
