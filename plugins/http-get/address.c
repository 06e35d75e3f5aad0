/* address: which machines a name may lead to. */
#include "http-get.h"

#include <string.h>

typedef enum
{
  RANGE_NEVER,   /* no page is there for anybody */
  RANGE_PRIVATE, /* only for hosts that are listed as private */
  RANGE_PUBLIC,
  RANGE_CARRIES4, /* an IPv4 address is its end; that one decides, and even a good one is refused */
} RangeKind;

/* The first range that holds an address decides. */
static const struct
{
  const char *mask;
  RangeKind kind;
  const char *what;
} ranges[] = {
  /* Machines in clouds ask these for their keys. */
  { "169.254.169.254", RANGE_NEVER, "the metadata service of a cloud" },
  { "169.254.170.2", RANGE_NEVER, "the metadata service of a cloud" },
  { "169.254.170.23", RANGE_NEVER, "the metadata service of a cloud" },
  { "100.100.100.200", RANGE_NEVER, "the metadata service of a cloud" },
  { "192.0.0.192", RANGE_NEVER, "the metadata service of a cloud" },
  { "168.63.129.16", RANGE_NEVER, "the metadata service of a cloud" },
  { "fd00:ec2::254", RANGE_NEVER, "the metadata service of a cloud" },
  { "fd00:ec2::23", RANGE_NEVER, "the metadata service of a cloud" },
  { "fd20:ce::254", RANGE_NEVER, "the metadata service of a cloud" },

  { "0.0.0.0/8", RANGE_NEVER, "no address" },
  { "10.0.0.0/8", RANGE_PRIVATE, "private" },
  { "100.64.0.0/10", RANGE_PRIVATE, "private" },
  { "127.0.0.0/8", RANGE_PRIVATE, "this machine" },
  { "169.254.0.0/16", RANGE_PRIVATE, "link-local" },
  { "172.16.0.0/12", RANGE_PRIVATE, "private" },
  { "192.0.0.0/24", RANGE_NEVER, "reserved" },
  { "192.0.2.0/24", RANGE_NEVER, "reserved" },
  { "192.88.99.0/24", RANGE_NEVER, "reserved" },
  { "192.168.0.0/16", RANGE_PRIVATE, "private" },
  { "198.18.0.0/15", RANGE_NEVER, "reserved" },
  { "198.51.100.0/24", RANGE_NEVER, "reserved" },
  { "203.0.113.0/24", RANGE_NEVER, "reserved" },
  { "224.0.0.0/4", RANGE_NEVER, "multicast" },
  { "240.0.0.0/4", RANGE_NEVER, "reserved" },

  { "::", RANGE_NEVER, "no address" },
  { "::1", RANGE_PRIVATE, "this machine" },
  { "::ffff:0.0.0.0/96", RANGE_CARRIES4, "an IPv4 address in disguise" },
  { "::ffff:0:0:0/96", RANGE_CARRIES4, "an IPv4 address in disguise" },
  { "::/96", RANGE_CARRIES4, "an IPv4 address in disguise" },
  { "64:ff9b::/96", RANGE_CARRIES4, "an IPv4 address in disguise" },
  { "fc00::/7", RANGE_PRIVATE, "private" },
  { "fe80::/10", RANGE_PRIVATE, "link-local" },
  { "fec0::/10", RANGE_PRIVATE, "private" },
  { "ff00::/8", RANGE_NEVER, "multicast" },
  { "2001::/23", RANGE_NEVER, "reserved" },
  { "2001:db8::/32", RANGE_NEVER, "reserved" },
  { "2002::/16", RANGE_NEVER, "reserved" },
  { "3fff::/20", RANGE_NEVER, "reserved" },
  /* Of IPv6 only this is given to machines at all. */
  { "2000::/3", RANGE_PUBLIC, NULL },
  { "::/0", RANGE_NEVER, "reserved" },
};

/* Whether an address is in the range of a row. The masks are constants of this file. */
static gboolean
is_in (GInetAddress *address, const char *mask)
{
  g_autoptr (GInetAddressMask) range = g_inet_address_mask_new_from_string (mask, NULL);

  g_assert (range != NULL);
  return g_inet_address_get_family (address) == g_inet_address_mask_get_family (range) && g_inet_address_mask_matches (range, address);
}

/* An IPv4 address that comes as the end of an IPv6 one is refused for what it is, and where it is a good one for its disguise. */
static const char *
refusal_of_carried (GInetAddress *address, const char *what)
{
  g_autoptr (GInetAddress) inner = g_inet_address_new_from_bytes (g_inet_address_to_bytes (address) + 12, G_SOCKET_FAMILY_IPV4);
  const char *refusal = http_address_refusal (inner, FALSE);

  return refusal != NULL ? refusal : what;
}

/* Returns: (nullable): what the address is, if no page may be asked for there */
const char *
http_address_refusal (GInetAddress *address, gboolean may_be_private)
{
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (is_in (address, ranges[i].mask))
      {
        if (ranges[i].kind == RANGE_CARRIES4)
          return refusal_of_carried (address, ranges[i].what);
        if (ranges[i].kind == RANGE_PUBLIC || (ranges[i].kind == RANGE_PRIVATE && may_be_private))
          return NULL;
        return ranges[i].what;
      }
  return NULL;
}
