/* A server that does what it is told, mostly wrong, and a node that asks the agent `model` which is behind it. */
#pragma once

#include "openai.h"

#include <colloquy-testing.h>

G_BEGIN_DECLS

/* What happens when a reply is sent. */
typedef enum
{
  TEST_CLOSE, /* the connection is closed */
  TEST_KEEP,  /* the next request may come */
  TEST_HOLD,  /* nothing, for ever */
  TEST_DRIP,  /* it is not sent as a whole but byte by byte */
} TestManner;

typedef void (*TestRequestFunc) (gpointer user_data);

typedef struct
{
  GSocketService *service;
  guint16 port;
  GQueue replies; /* TestReply */
  GString *head;  /* of the last request */
  GString *body;  /* of the last request */
  guint n_opened; /* connections */
  guint n_closed; /* connections that the client has closed */
  guint n_requests;
  GPtrArray *peers;
  TestRequestFunc on_request; /* called in an idle moment after each request */
  gpointer on_request_data;
} TestServer;

TestServer *test_server_new (void);
void test_server_free (TestServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestServer, test_server_free)
void test_server_reply (TestServer *self, TestManner manner, const char *bytes, gssize length);
void test_server_reply_json (TestServer *self, const char *head, const char *json);
void test_server_reply_events (TestServer *self, TestManner manner, const char *events);
void test_server_await_closed (TestServer *self, guint n);

/* An agent behind the server, and a node that asks it. */
typedef struct
{
  TestServer *server;
  ClqTestNode *node;
} Talk;

extern const ClqNodeInfo test_asker;

Talk *talk_new (const char *const *settings);
void talk_free (Talk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)
void talk_assert_text (Talk *self, const char *text);
void talk_assert_failure (Talk *self, ClqFailure failure, const char *message);

#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define OK "HTTP/1.1 200 OK\r\n"
#define JSON "Content-Type: application/json\r\n"
#define EVENTS "Content-Type: text/event-stream\r\n"
#define DELTA(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define STOP "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define DONE "data: [DONE]\n\n"

void test_add_parts (void);
void test_add_bad (void);

G_END_DECLS
