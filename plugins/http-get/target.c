/* target: an address as a model writes it, and the list of what it may be. */
#include "http-get.h"

#include <string.h>

#define MAX_URL 2048

static gboolean
fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (CLQ_FAILURE, CLQ_FAILURE_USER, format, args);
  va_end (args);
  return FALSE;
}

/* ---- hosts ---- */

static gboolean
is_label (const char *start, gsize length)
{
  if (length == 0 || length > 63 || start[0] == '-' || start[length - 1] == '-')
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_islower (start[i]) && !g_ascii_isdigit (start[i]) && start[i] != '-' && start[i] != '_')
      return FALSE;
  return TRUE;
}

/* Some programs read 2130706433, 127.1, 0x7f.1 or 0177.0.0.1 as an address; no name of a host ends like that. */
static gboolean
looks_like_number (const char *label)
{
  gboolean hex = label[0] == '0' && label[1] == 'x';

  for (label += hex ? 2 : 0; *label != '\0'; label++)
    if (hex ? !g_ascii_isxdigit (*label) : !g_ascii_isdigit (*label))
      return FALSE;
  return TRUE;
}

static gboolean
is_name (const char *host)
{
  g_auto (GStrv) labels = g_strsplit (host, ".", -1);
  guint n = g_strv_length (labels);
  const char *last;

  if (n == 0 || strlen (host) > 253)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!is_label (labels[i], strlen (labels[i])))
      return FALSE;
  last = labels[n - 1];
  return !looks_like_number (last);
}

/* Addresses are only known in the one way that GLib writes them, so that two spellings are never two hosts. */
static gboolean
is_address (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);
  g_autofree char *text = address != NULL ? g_inet_address_to_string (address) : NULL;

  return g_strcmp0 (text, host) == 0;
}

static gboolean
is_host (const char *host)
{
  return is_address (host) || is_name (host);
}

static gboolean
read_port (const char *text, guint16 *port)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, 65535, &number, NULL))
    return FALSE;
  *port = (guint16) number;
  return TRUE;
}

/* ---- rules ---- */

void
http_rule_free (HttpRule *rule)
{
  g_free (rule->host);
  g_free (rule);
}

/* Takes HOST, HOST:PORT, *.HOST, ADDRESS, [ADDRESS] and [ADDRESS]:PORT apart. */
static gboolean
split_entry (const char *entry, char **host, guint16 *port)
{
  const char *bracket = entry[0] == '[' ? strchr (entry, ']') : NULL;
  const char *colon = bracket != NULL ? bracket + 1 : strrchr (entry, ':');

  *port = 0;
  if (bracket != NULL)
    *host = g_strndup (entry + 1, (gsize) (bracket - entry - 1));
  else if (colon == NULL || strchr (entry, ':') != colon)
    *host = g_strdup (entry);
  else
    *host = g_strndup (entry, (gsize) (colon - entry));
  if (bracket != NULL ? *colon == '\0' : strlen (*host) == strlen (entry))
    return TRUE;
  return *colon == ':' && read_port (colon + 1, port);
}

static HttpRule *
rule_new (const char *entry)
{
  g_autofree char *lower = g_ascii_strdown (entry, -1);
  gboolean wildcard = g_str_has_prefix (lower, "*.");
  g_autofree char *host = NULL;
  HttpRule *rule;
  guint16 port;

  if (!split_entry (lower + (wildcard ? 2 : 0), &host, &port) || (wildcard ? !is_name (host) : !is_host (host)))
    return NULL;
  rule = g_new0 (HttpRule, 1);
  rule->host = g_steal_pointer (&host);
  rule->wildcard = wildcard;
  rule->port = port;
  return rule;
}

/* Returns: (element-type HttpRule): one rule for each entry, or NULL */
GPtrArray *
http_rules_parse (char **entries, GError **error)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) http_rule_free);

  for (guint i = 0; entries != NULL && entries[i] != NULL; i++)
    {
      HttpRule *rule = rule_new (entries[i]);

      if (rule == NULL)
        {
          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE,
                       "'%s' is no host; expected a name, *.NAME or an address, with :PORT if it is not 80 or 443", entries[i]);
          return NULL;
        }
      g_ptr_array_add (rules, rule);
    }
  return g_steal_pointer (&rules);
}

static gboolean
rule_fits (const HttpRule *rule, const char *host, guint16 port)
{
  gsize length = strlen (host), tail = strlen (rule->host);

  if (rule->port != 0 ? port != rule->port : port != 80 && port != 443)
    return FALSE;
  if (!rule->wildcard)
    return strcmp (host, rule->host) == 0;
  return length > tail + 1 && host[length - tail - 1] == '.' && strcmp (host + length - tail, rule->host) == 0;
}

static gboolean
is_listed (GPtrArray *rules, const char *host, guint16 port)
{
  for (guint i = 0; i < rules->len; i++)
    if (rule_fits (g_ptr_array_index (rules, i), host, port))
      return TRUE;
  return FALSE;
}

/* ---- targets ---- */

void
http_target_free (HttpTarget *target)
{
  g_free (target->url);
  g_free (target->host);
  g_free (target);
}

/* What two programs may read differently is not read at all. */
static gboolean
check_characters (const char *url, GError **error)
{
  if (strlen (url) > MAX_URL)
    return fail (error, "the URL is longer than %d bytes", MAX_URL);
  for (const char *c = url; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c) || strchr ("\\\"<>^`{|}", *c) != NULL)
      return fail (error, "the URL has a character that must be written as %%XX, at %d", (int) (c - url) + 1);
  return TRUE;
}

/* The host is taken as it stands there: GUri would resolve %XX in it. */
static gboolean
has_encoded_host (const char *url)
{
  const char *authority = strstr (url, "://");

  return authority != NULL && memchr (authority + 3, '%', strcspn (authority + 3, "/?#")) != NULL;
}

static GUri *
parse_url (const char *url, GError **error)
{
  g_autoptr (GUri) uri = NULL;
  const char *scheme;

  if (!check_characters (url, error))
    return NULL;
  uri = g_uri_parse (url, G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD, NULL);
  scheme = uri != NULL ? g_uri_get_scheme (uri) : NULL;
  if (scheme == NULL || (g_ascii_strcasecmp (scheme, "http") != 0 && g_ascii_strcasecmp (scheme, "https") != 0))
    fail (error, "expected a URL that begins with https:// or http://, found '%s'", url);
  else if (g_uri_get_userinfo (uri) != NULL)
    fail (error, "expected a URL without a user or password before the host");
  else if (has_encoded_host (url))
    fail (error, "expected a URL without %%XX in the host, found '%s'", url);
  else if (g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    fail (error, "expected a URL with a host, found '%s'", url);
  else
    return g_steal_pointer (&uri);
  return NULL;
}

/* Returns: (transfer full): where to go, or NULL if the URL is no good or not listed */
HttpTarget *
http_target_new (const char *url, GPtrArray *hosts, GPtrArray *private_hosts, GError **error)
{
  g_autoptr (GUri) uri = parse_url (url, error);
  g_autofree char *host = uri != NULL ? g_ascii_strdown (g_uri_get_host (uri), -1) : NULL;
  const char *path;
  gboolean may_be_private, secure;
  HttpTarget *target;
  g_autofree char *text = NULL;
  int port;

  if (uri == NULL)
    return NULL;
  secure = g_ascii_strcasecmp (g_uri_get_scheme (uri), "https") == 0;
  port = g_uri_get_port (uri) >= 0 ? g_uri_get_port (uri) : secure ? 443
                                                                   : 80;
  if (!is_host (host) || port == 0)
    {
      fail (error, "'%s' port %d is not the name of a host and a port", host, port);
      return NULL;
    }
  may_be_private = is_listed (private_hosts, host, (guint16) port);
  if (!may_be_private && !is_listed (hosts, host, (guint16) port))
    {
      fail (error, "'%s' port %d is not among the hosts that may be asked", host, port);
      return NULL;
    }
  path = g_uri_get_path (uri);
  text = g_uri_join (G_URI_FLAGS_ENCODED, secure ? "https" : "http", NULL, host, port == (secure ? 443 : 80) ? -1 : port,
                     *path != '\0' ? path : "/", g_uri_get_query (uri), NULL);
  target = g_new0 (HttpTarget, 1);
  target->url = g_steal_pointer (&text);
  target->host = g_steal_pointer (&host);
  target->port = (guint16) port;
  target->may_be_private = may_be_private;
  return target;
}
