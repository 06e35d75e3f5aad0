/* Where a server is. What stands in the setting is checked letter by letter before libsoup sees any of it. */
#include "openai.h"

#include <string.h>

#define PATH "/chat/completions"

/* What stands before an @ or behind a ? may be a secret: such an address is not repeated. */
static gboolean
refuse (GError **error, const char *text, const char *why)
{
  gboolean shown = strpbrk (text, "@?#") == NULL;

  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "endpoint%s%s%s %s", shown ? " '" : "", shown ? text : "", shown ? "'" : "", why);
  return FALSE;
}

/* Letters that stand in an address as they are. */
static gboolean
has_only_address_letters (const char *text)
{
  return *text != '\0' && strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/[]@%?#=&+,;!$'()*") == strlen (text);
}

static gboolean
is_host (const char *host)
{
  if (strchr (host, ':') != NULL)
    return g_hostname_is_ip_address (host);
  return *host != '\0' && strspn (host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == strlen (host);
}

static gboolean
is_loopback (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return address != NULL ? g_inet_address_get_is_loopback (address) : g_ascii_strcasecmp (host, "localhost") == 0;
}

static gboolean
check (GUri *uri, const char *text, gboolean insecure, GError **error)
{
  const char *scheme = g_uri_get_scheme (uri), *host = g_uri_get_host (uri);

  if (strcmp (scheme, "http") != 0 && strcmp (scheme, "https") != 0)
    return refuse (error, text, "is neither http:// nor https://");
  if (g_uri_get_userinfo (uri) != NULL)
    return refuse (error, text, "holds a name or password; expected those in api-key");
  if (g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    return refuse (error, text, "has a part behind ? or #; expected something like http://localhost:11434/v1");
  if (host == NULL || !is_host (host))
    return refuse (error, text, "has no host that could be one");
  if (strcmp (scheme, "http") == 0 && !insecure && !is_loopback (host))
    return refuse (error, text, "is read by everybody on the way; expected https://, or insecure=true if that is meant");
  return TRUE;
}

/*
 * Reads the setting `endpoint`.
 *
 * Returns: (transfer full): where completions are asked for; @place is the endpoint without a slash at its end
 */
GUri *
openai_endpoint_parse (const char *text, gboolean insecure, char **place, GError **error)
{
  g_autoptr (GUri) base = NULL;
  g_autofree char *whole = NULL, *trimmed = g_strdup (text);

  if (!has_only_address_letters (text))
    {
      refuse (error, text, "is no address; expected something like http://localhost:11434/v1");
      return NULL;
    }
  base = g_uri_parse (text, G_URI_FLAGS_ENCODED, NULL);
  if (base == NULL)
    {
      refuse (error, text, "is no address; expected something like http://localhost:11434/v1");
      return NULL;
    }
  if (!check (base, text, insecure, error))
    return NULL;
  while (g_str_has_suffix (trimmed, "/"))
    trimmed[strlen (trimmed) - 1] = '\0';
  whole = g_strconcat (trimmed, g_str_has_suffix (trimmed, PATH) ? "" : PATH, NULL);
  *place = g_steal_pointer (&trimmed);
  return g_uri_parse (whole, SOUP_HTTP_URI_FLAGS, error);
}
