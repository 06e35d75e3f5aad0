/* What the files of the plugin http-get share. */
#pragma once

#include <colloquy.h>
#include <gio/gio.h>

G_BEGIN_DECLS

extern const ClqToolInfo http_get_get;

/* target.c: which addresses of the web may be asked for. */
typedef struct
{
  char *host;        /* lower case, without the brackets of an IPv6 address */
  gboolean wildcard; /* any name that ends in .host */
  guint16 port;      /* 0 = 80 and 443 */
} HttpRule;

typedef struct
{
  char *url;  /* as it is sent: without user and fragment */
  char *host; /* lower case */
  guint16 port;
  gboolean may_be_private;
} HttpTarget;

void http_rule_free (HttpRule *rule);
GPtrArray *http_rules_parse (char **entries, GError **error);
HttpTarget *http_target_new (const char *url, GPtrArray *hosts, GPtrArray *private_hosts, GError **error);
void http_target_free (HttpTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HttpTarget, http_target_free)

/* address.c: which of the machines that a name leads to. */
const char *http_address_refusal (GInetAddress *address, gboolean may_be_private);

/* pinned.c: a name that leads to one machine, whatever a resolver says later. */
GSocketConnectable *http_pinned_new (const char *host, guint16 port, GInetAddress *address);

/* text.c: what was sent, as text. */
char *http_text_convert (const char *type, const char *charset, const char *body, gsize length, GError **error);

G_END_DECLS
