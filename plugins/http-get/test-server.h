/* A server on loopback and a resolver that knows only what the test says. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  GSocketService *service;
  guint16 port;
  guint n_requests;
  char *host;                             /* the Host of the last request */
  GSocketConnection *silent;              /* asked for /silent and never answered */
  void (*on_silent) (gpointer user_data); /* NULL = nobody waits for that */
  gpointer on_silent_data;
} TestServer;

TestServer *test_server_new (void);
void test_server_free (TestServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestServer, test_server_free)

#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GResolver)

/* Every name leads to the first of @answers, the next time to the second and so on; an answer is addresses with commas. */
TestResolver *test_resolver_install (const char *const *answers);
guint test_resolver_get_n_asked (TestResolver *self);

G_END_DECLS
