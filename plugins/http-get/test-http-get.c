/* Pages, and all that is no page of a listed host. */
#include "http-get.h"

#include <string.h>

#include <colloquy-testing.h>

#include "test-server.h"
#include "tool-caller.h"

/* ---- URLs ---- */

#define HOSTS "example.org;*.example.net;api.example.com:8443;93.184.216.34;[2606:2800:220:1::1];2606:2800:220:1::2"
#define PRIVATE "localhost:8080;127.0.0.1:9000;[::1]:9000"

static const struct
{
  const char *url;
  const char *sent; /* NULL = it is refused */
} urls[] = {
  /* What is listed. */
  { "http://example.org", "http://example.org/" },
  { "https://example.org/a?b=c#d", "https://example.org/a?b=c" },
  { "HTTPS://EXAMPLE.ORG/A", "https://example.org/A" },
  { "http://example.org:443/", "http://example.org:443/" },
  { "https://example.org:443/", "https://example.org/" },
  { "https://a.example.net/", "https://a.example.net/" },
  { "https://a.b.example.net/", "https://a.b.example.net/" },
  { "https://api.example.com:8443/x", "https://api.example.com:8443/x" },
  { "http://93.184.216.34/", "http://93.184.216.34/" },
  { "http://[2606:2800:220:1::1]/", "http://[2606:2800:220:1::1]/" },
  { "http://[2606:2800:220:1::2]/", "http://[2606:2800:220:1::2]/" },
  { "http://localhost:8080/", "http://localhost:8080/" },
  { "http://[::1]:9000/", "http://[::1]:9000/" },
  { "http://example.org/%0d%0aHost:%20x", "http://example.org/%0D%0AHost:%20x" },

  /* Other hosts, and those that only look like listed ones. */
  { "http://example.com/", NULL },
  { "http://notexample.org/", NULL },
  { "http://example.org.evil.com/", NULL },
  { "http://evil.com/example.org", NULL },
  { "http://evil.com?example.org", NULL },
  { "http://evil.com#example.org", NULL },
  { "http://example.net/", NULL },
  { "http://evilexample.net/", NULL },
  { "http://example.org./", NULL },
  { "http://.example.org/", NULL },
  { "http://.example.net/", NULL },
  { "http://a..example.net/", NULL },
  { "http://-.example.net/", NULL },
  { "http://%65xample.org/", NULL },
  { "http://exаmple.org/", NULL },  /* a Cyrillic letter */
  { "http://ｅxample.org/", NULL }, /* a fullwidth letter */
  { "http://example。org/", NULL }, /* an ideographic full stop */

  /* Ports. */
  { "http://example.org:8080/", NULL },
  { "http://example.org:22/", NULL },
  { "http://example.org:0/", NULL },
  { "http://example.org:65536/", NULL },
  { "http://example.org:-80/", NULL },
  { "http://example.org:80:80/", NULL },
  { "https://api.example.com/", NULL },
  { "http://localhost/", NULL },
  { "http://localhost:8081/", NULL },

  /* Schemes. */
  { "", NULL },
  { "example.org", NULL },
  { "//example.org/", NULL },
  { "ftp://example.org/", NULL },
  { "file:///etc/passwd", NULL },
  { "file://example.org/etc/passwd", NULL },
  { "gopher://example.org/", NULL },
  { "data:text/plain,hello", NULL },
  { "javascript:alert(1)", NULL },
  { "resource:///org", NULL },
  { "http:/example.org/", NULL },
  { "http:example.org/", NULL },
  { "http:///example.org/", NULL },

  /* Users, and characters that programs read differently. */
  { "http://user@example.org/", NULL },
  { "http://user:password@example.org/", NULL },
  { "http://example.org@evil.com/", NULL },
  { "http://example.org:80@evil.com/", NULL },
  { "http://evil.com@example.org/", NULL },
  { "http://evil.com\\@example.org/", NULL },
  { "http://example.org\\@evil.com/", NULL },
  { "http://example.org\\.evil.com/", NULL },
  { "http://example.org\t.evil.com/", NULL },
  { "http://example.org\n/", NULL },
  { "http://example.org/\r\nHost: evil.com", NULL },
  { "http://example.org/ HTTP/1.1", NULL },
  { " http://example.org/", NULL },
  { "http://example.org /", NULL },
  { "http://[example.org]/", NULL },
  { "http://[::1]@example.org/", NULL },

  /* This machine in all its spellings. */
  { "http://127.0.0.1/", NULL },
  { "http://127.0.0.1:80/", NULL },
  { "http://127.1:9000/", NULL },
  { "http://127.0.1:9000/", NULL },
  { "http://2130706433:9000/", NULL },
  { "http://0x7f000001:9000/", NULL },
  { "http://0x7f.0.0.1:9000/", NULL },
  { "http://0x7f.1:9000/", NULL },
  { "http://017700000001:9000/", NULL },
  { "http://0177.0.0.1:9000/", NULL },
  { "http://127.000.000.001:9000/", NULL },
  { "http://127.0.0.1.:9000/", NULL },
  { "http://0/", NULL },
  { "http://0.0.0.0/", NULL },
  { "http://①②⑦.0.0.1:9000/", NULL },
  { "http://[::]/", NULL },
  { "http://[0:0:0:0:0:0:0:1]:9000/", NULL },
  { "http://[::0001]:9000/", NULL },
  { "http://[::ffff:127.0.0.1]:9000/", NULL },
  { "http://[::ffff:7f00:1]:9000/", NULL },
  { "http://[::1%25lo]:9000/", NULL },
  { "http://[::1%lo]:9000/", NULL },
  { "http://[fe80::1%25eth0]/", NULL },
  { "http://[::1]:9000:80/", NULL },
  { "http://::1:9000/", NULL },
  { "http://169.254.169.254/latest/meta-data/", NULL },
  { "http://[fd00:ec2::254]/latest/meta-data/", NULL },
  { "http://metadata.google.internal/", NULL },
};

static GPtrArray *
rules_of (const char *list)
{
  g_auto (GStrv) entries = g_strsplit (list, ";", -1);
  g_autoptr (GError) error = NULL;
  GPtrArray *rules = http_rules_parse (*list != '\0' ? entries : NULL, &error);

  g_assert_no_error (error);
  return rules;
}

static void
test_http_get_urls (void)
{
  g_autoptr (GPtrArray) hosts = rules_of (HOSTS);
  g_autoptr (GPtrArray) private_hosts = rules_of (PRIVATE);

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HttpTarget) target = http_target_new (urls[i].url, hosts, private_hosts, &error);

      g_test_message ("%s: %s", urls[i].url, error != NULL ? error->message : target->url);
      g_assert_cmpstr (target != NULL ? target->url : NULL, ==, urls[i].sent);
      if (target == NULL)
        g_assert_error (error, CLQ_FAILURE, CLQ_FAILURE_USER);
    }
}

/* Even who lists everything under its odd name does not get there. */
static void
test_http_get_wrong_rules (void)
{
  static const char *const entries[] = { "", "*", "*.", "*.*", "*example.org", "a.*.org", "http://example.org", "example.org/", "example.org:", "example.org:0", "example.org:65536", "example.org:http", "2130706433", "127.1", "0x7f.1", "0177.0.0.1", "[::1", "[::1]x", "[::1]:", "::ffff:7f00:1", "exa mple.org", "example.org.", "user@example.org", "*.127.0.0.1", "fe80::1%eth0" };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      char *list[] = { (char *) entries[i], NULL };
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", entries[i]);
      g_assert_null (http_rules_parse (list, &error));
      g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
    }
}

/* ---- addresses ---- */

static const struct
{
  const char *address;
  const char *refusal;         /* NULL = anybody may be asked there */
  const char *private_refusal; /* the same for a host that is listed as private */
} addresses[] = {
  { "93.184.216.34", NULL, NULL },
  { "8.8.8.8", NULL, NULL },
  { "172.15.255.255", NULL, NULL },
  { "172.32.0.1", NULL, NULL },
  { "2606:2800:220:1::1", NULL, NULL },
  { "2a00:1450:4001::1", NULL, NULL },
  { "0.0.0.0", "no address", "no address" },
  { "0.1.2.3", "no address", "no address" },
  { "10.0.0.1", "private", NULL },
  { "10.255.255.255", "private", NULL },
  { "100.64.0.1", "private", NULL },
  { "127.0.0.1", "this machine", NULL },
  { "127.255.255.254", "this machine", NULL },
  { "169.254.1.1", "link-local", NULL },
  { "172.16.0.1", "private", NULL },
  { "172.31.255.255", "private", NULL },
  { "192.168.1.1", "private", NULL },
  { "192.0.0.8", "reserved", "reserved" },
  { "192.0.2.1", "reserved", "reserved" },
  { "198.18.0.1", "reserved", "reserved" },
  { "198.51.100.7", "reserved", "reserved" },
  { "203.0.113.7", "reserved", "reserved" },
  { "224.0.0.1", "multicast", "multicast" },
  { "239.255.255.250", "multicast", "multicast" },
  { "240.0.0.1", "reserved", "reserved" },
  { "255.255.255.255", "reserved", "reserved" },
  { "169.254.169.254", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "169.254.170.2", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "100.100.100.200", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "168.63.129.16", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "fd00:ec2::254", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "::", "no address", "no address" },
  { "::1", "this machine", NULL },
  { "::ffff:127.0.0.1", "this machine", "this machine" },
  { "::ffff:10.0.0.1", "private", "private" },
  { "::ffff:169.254.169.254", "the metadata service of a cloud", "the metadata service of a cloud" },
  { "::ffff:8.8.8.8", "an IPv4 address in disguise", "an IPv4 address in disguise" },
  { "::ffff:0:127.0.0.1", "this machine", "this machine" },
  { "::127.0.0.1", "this machine", "this machine" },
  { "64:ff9b::127.0.0.1", "this machine", "this machine" },
  { "64:ff9b::8.8.8.8", "an IPv4 address in disguise", "an IPv4 address in disguise" },
  { "64:ff9b:1::1", "reserved", "reserved" },
  { "100::1", "reserved", "reserved" },
  { "2001::1", "reserved", "reserved" },
  { "2001:db8::1", "reserved", "reserved" },
  { "2002:7f00:1::", "reserved", "reserved" },
  { "fc00::1", "private", NULL },
  { "fd12:3456::1", "private", NULL },
  { "fe80::1", "link-local", NULL },
  { "fec0::1", "private", NULL },
  { "ff02::1", "multicast", "multicast" },
};

static void
test_http_get_addresses (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (GInetAddress) address = g_inet_address_new_from_string (addresses[i].address);

      g_test_message ("%s", addresses[i].address);
      g_assert_cmpstr (http_address_refusal (address, FALSE), ==, addresses[i].refusal);
      g_assert_cmpstr (http_address_refusal (address, TRUE), ==, addresses[i].private_refusal);
    }
}

/* ---- pages ---- */

typedef struct
{
  TestServer *server;
  TestResolver *resolver;
  const char *const *answers;
} Web;

/* A web in which every name leads to the answers, one after the other. */
static Web *
web_new (const char *const *answers)
{
  Web *web = g_new0 (Web, 1);

  web->server = test_server_new ();
  web->resolver = test_resolver_install (answers);
  return web;
}

static void
web_free (Web *web)
{
  test_server_free (web->server);
  g_object_unref (web->resolver);
  g_free (web);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Web, web_free)

static ClqTestNode *
caller_new (Web *web, const char *list, const char *path, const char *key, const char *value)
{
  g_autofree char *arguments = g_strdup_printf ("{\"url\":\"http://web.test:%u%s\"}", web->server->port, path);
  g_autofree char *host = g_strdup_printf ("web.test:%u", web->server->port);
  ClqTestNode *test = tool_caller_new ("http-get.get", arguments);
  g_autoptr (GError) error = NULL;

  clq_test_node_add_tool (test, "http-get.get", &http_get_get, &error, list, host, key, value, NULL);
  g_assert_no_error (error);
  return test;
}

static char *
get_page (Web *web, const char *list, const char *path, const char *key, const char *value)
{
  g_autoptr (ClqTestNode) test = caller_new (web, list, path, key, value);
  char *answer = g_strdup (tool_caller_run (test));

  clq_test_node_assert_released (test);
  return answer;
}

static const char *const here[] = { "127.0.0.1", NULL };

static void
test_http_get_pages (void)
{
  static const struct
  {
    const char *path;
    const char *answer;
  } pages[] = {
    { "", "{\"status\":200,\"type\":\"text/plain\",\"text\":\"root\"}" },
    { "/page", "{\"status\":200,\"type\":\"text/html\",\"text\":\"<p>grüße</p>\"}" },
    { "/json", "{\"status\":200,\"type\":\"application/json\",\"text\":\"{\\\"a\\\":1}\"}" },
    { "/latin", "{\"status\":200,\"type\":\"text/plain\",\"text\":\"grün\"}" },
    { "/missing", "{\"status\":404,\"type\":\"text/plain\",\"text\":\"not there\"}" },
    { "/broken", "{\"status\":503,\"type\":\"text/plain\",\"text\":\"later\"}" },
    { "/empty", "{\"status\":204,\"type\":\"text/plain\",\"text\":\"\"}" },
    { "/image", "user: web.test: expected text, found the type image/png" },
    { "/lies", "user: web.test: expected text, found what is not UTF-8" },
    { "/charset", "user: web.test: expected text, found the encoding utf-7" },
  };

  g_autoptr (Web) web = web_new (here);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *answer = get_page (web, "private-hosts", pages[i].path, NULL, NULL);

      g_assert_cmpstr (answer, ==, pages[i].answer);
    }
  g_assert_cmpuint (web->server->n_requests, ==, G_N_ELEMENTS (pages));
}

static void
test_http_get_size (void)
{
  g_autoptr (Web) web = web_new (here);
  g_autofree char *refused = get_page (web, "private-hosts", "/big", "max-size", "99999");
  g_autofree char *taken = get_page (web, "private-hosts", "/big", "max-size", "100000");

  g_assert_cmpstr (refused, ==, "user: web.test: the page has more than 99999 bytes");
  g_assert_cmpuint (strlen (taken), >, 100000);
}

/* A redirect is told, not followed. */
static void
test_http_get_redirect (void)
{
  g_autoptr (Web) web = web_new (here);
  g_autofree char *answer = get_page (web, "private-hosts", "/redirect", NULL, NULL);
  g_autofree char *expected = g_strdup_printf ("{\"status\":302,\"location\":\"http://127.0.0.1:%u/\"}", web->server->port);

  g_assert_cmpstr (answer, ==, expected);
  g_assert_cmpuint (web->server->n_requests, ==, 1);
}

/* The name is looked up once, and the address that was checked is the one that is used; the host stays the name. */
static void
test_http_get_pinned (void)
{
  static const char *const answers[] = { "127.0.0.1", "127.0.0.99", NULL };
  g_autoptr (Web) web = web_new (answers);
  g_autofree char *answer = get_page (web, "private-hosts", "/page", NULL, NULL);
  g_autofree char *host = g_strdup_printf ("web.test:%u", web->server->port);

  g_assert_true (g_str_has_prefix (answer, "{\"status\":200"));
  g_assert_cmpuint (test_resolver_get_n_asked (web->resolver), ==, 1);
  g_assert_cmpstr (web->server->host, ==, host);
}

/* Names that lead to this machine, at once or besides a good address, reach nobody. */
static void
test_http_get_rebinding (void)
{
  static const struct
  {
    const char *const answers[2];
    const char *list;
    const char *answer;
  } cases[] = {
    { { "127.0.0.1" }, "hosts", "user: web.test: its address 127.0.0.1 may not be asked (this machine)" },
    { { "8.8.8.8,127.0.0.1" }, "hosts", "user: web.test: its address 127.0.0.1 may not be asked (this machine)" },
    { { "::1" }, "hosts", "user: web.test: its address ::1 may not be asked (this machine)" },
    { { "::ffff:127.0.0.1" }, "hosts", "user: web.test: its address ::ffff:127.0.0.1 may not be asked (this machine)" },
    { { "0.0.0.0" }, "private-hosts", "user: web.test: its address 0.0.0.0 may not be asked (no address)" },
    { { "::ffff:127.0.0.1" }, "private-hosts", "user: web.test: its address ::ffff:127.0.0.1 may not be asked (this machine)" },
    { { "169.254.169.254" }, "private-hosts", "user: web.test: its address 169.254.169.254 may not be asked (the metadata service of a cloud)" },
    { { "127.0.0.1,fd00:ec2::254" }, "private-hosts", "user: web.test: its address fd00:ec2::254 may not be asked (the metadata service of a cloud)" },
    { { "" }, "private-hosts", "recoverable: web.test: no such name" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Web) web = web_new (cases[i].answers);
      g_autofree char *answer = get_page (web, cases[i].list, "/page", NULL, NULL);

      g_assert_cmpstr (answer, ==, cases[i].answer);
      g_assert_cmpuint (web->server->n_requests, ==, 0);
    }
}

/* An address where nobody is at home is followed by the next one. */
static void
test_http_get_next_address (void)
{
  static const char *const answers[] = { "127.0.0.77,127.0.0.1", NULL };
  static const char *const nobody[] = { "127.0.0.77", NULL };
  g_autoptr (Web) web = web_new (answers);
  g_autofree char *answer = get_page (web, "private-hosts", "/page", NULL, NULL);
  g_autoptr (Web) empty = web_new (nobody);
  g_autofree char *refused = get_page (empty, "private-hosts", "/page", NULL, NULL);

  g_assert_true (g_str_has_prefix (answer, "{\"status\":200"));
  g_assert_true (g_str_has_prefix (refused, "recoverable: web.test: "));
}

/* A server that says nothing costs no more than the time that is allowed; a host that settles waits so long. */
static void
test_http_get_timeout (void)
{
  g_autoptr (Web) web = web_new (here);
  g_autoptr (ClqTestNode) test = caller_new (web, "private-hosts", "/silent", "timeout", "50ms");

  clq_test_node_enter (test);
  clq_test_node_assert_said (test, "recoverable: web.test: the page has not come within 50ms");
}

static void
cancel (gpointer user_data)
{
  clq_test_node_cancel (user_data);
}

static void
test_http_get_cancel (void)
{
  g_autoptr (Web) web = web_new (here);
  g_autoptr (ClqTestNode) test = caller_new (web, "private-hosts", "/silent", NULL, NULL);

  web->server->on_silent = cancel;
  web->server->on_silent_data = test;
  clq_test_node_enter (test);
  clq_test_node_wait (test);
}

static void
test_http_get_not_listed (void)
{
  g_autoptr (ClqTestNode) test = tool_caller_new ("http-get.get", "{\"url\":\"https://example.org/\"}");
  g_autoptr (GError) error = NULL;

  clq_test_node_add_tool (test, "http-get.get", &http_get_get, &error, NULL);
  g_assert_no_error (error);
  g_assert_cmpstr (tool_caller_run (test), ==, "user: 'example.org' port 443 is not among the hosts that may be asked");
}

static void
test_http_get_wrong_setting (void)
{
  static const char *const keys[] = { "hosts", "private-hosts" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (ClqTestNode) test = tool_caller_new ("http-get.get", "{}");
      g_autofree char *start = g_strdup_printf ("tool 'get': %s: 'http://example.org' is no host; ", keys[i]);
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_test_node_add_tool (test, "http-get.get", &http_get_get, &error, keys[i], "http://example.org", NULL));
      g_assert_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE);
      g_assert_true (g_str_has_prefix (error->message, start));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/http-get/urls", test_http_get_urls);
  g_test_add_func ("/colloquy/http-get/wrong-rules", test_http_get_wrong_rules);
  g_test_add_func ("/colloquy/http-get/addresses", test_http_get_addresses);
  g_test_add_func ("/colloquy/http-get/pages", test_http_get_pages);
  g_test_add_func ("/colloquy/http-get/size", test_http_get_size);
  g_test_add_func ("/colloquy/http-get/redirect", test_http_get_redirect);
  g_test_add_func ("/colloquy/http-get/pinned", test_http_get_pinned);
  g_test_add_func ("/colloquy/http-get/rebinding", test_http_get_rebinding);
  g_test_add_func ("/colloquy/http-get/next-address", test_http_get_next_address);
  g_test_add_func ("/colloquy/http-get/timeout", test_http_get_timeout);
  g_test_add_func ("/colloquy/http-get/cancel", test_http_get_cancel);
  g_test_add_func ("/colloquy/http-get/not-listed", test_http_get_not_listed);
  g_test_add_func ("/colloquy/http-get/wrong-setting", test_http_get_wrong_setting);
  return g_test_run ();
}
