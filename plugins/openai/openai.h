/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include "sse.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

extern const ClqAgentInfo openai_chat;

/* How many calls may begin in a minute. Who comes too early waits, first in first out. */
typedef struct
{
  guint per_minute; /* 0 = any number */
  GQueue waiting;   /* Waiter */
  GArray *begun;    /* gint64: when the calls of the last minute began */
} OpenaiTurns;

typedef void (*OpenaiTurnFunc) (gpointer user_data);

void openai_turns_init (OpenaiTurns *self, guint per_minute);
void openai_turns_clear (OpenaiTurns *self);
void openai_turns_enter (OpenaiTurns *self, ClqCall *call, OpenaiTurnFunc func, gpointer user_data);
void openai_turns_leave (OpenaiTurns *self, ClqCall *call);

/* What calls need to know of their agent. They hold it, so that the agent may go while they are under way. */
typedef struct
{
  guint ref_count;
  SoupSession *session;
  GUri *uri;          /* where completions are asked for */
  char *place;        /* the endpoint, for messages */
  ClqSecret *api_key; /* NULL = none */
  char *model;
  char *system_prompt; /* NULL = none */
  char *parameters;    /* the members of every request, without the braces */
  double price_in;
  double price_out;
  GTimeSpan connect_timeout;
  GTimeSpan first_byte_timeout;
  GTimeSpan piece_timeout;
  gsize max_reply;
  OpenaiTurns turns;
} OpenaiServer;

OpenaiServer *openai_server_ref (OpenaiServer *self);
void openai_server_unref (OpenaiServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OpenaiServer, openai_server_unref)

/* endpoint.c */
GUri *openai_endpoint_parse (const char *text, gboolean insecure, char **place, GError **error);

/* session.c */
SoupSession *openai_session_get (void);

/* request.c */
char *openai_request_write (const char *system_prompt, const char *parameters, const char *request, GError **error);

/* What a model has answered so far. */
typedef struct
{
  GString *text;
  GString *refusal;
  GPtrArray *tools; /* OpenaiToolCall */
  char *finish;     /* why the model stopped; NULL = not yet */
  gboolean is_done; /* the server said so */
  gboolean has_usage;
  guint64 tokens_in;
  guint64 tokens_out;
} OpenaiAnswer;

typedef struct
{
  gint64 index;
  char *id;
  GString *name;
  GString *arguments;
} OpenaiToolCall;

void openai_answer_init (OpenaiAnswer *self);
void openai_answer_clear (OpenaiAnswer *self);
gboolean openai_answer_add (OpenaiAnswer *self, const char *json, gsize length, GError **error);
gboolean openai_answer_is_whole (const OpenaiAnswer *self);
void openai_answer_give (OpenaiAnswer *self, ClqCall *call, const OpenaiServer *server);

/* failure.c */
void openai_fail_status (ClqCall *call, const OpenaiServer *server, SoupMessage *message, const char *body, gsize length);
void openai_fail_network (ClqCall *call, const OpenaiServer *server, const GError *error);
void openai_fail_answer (ClqCall *call, const OpenaiServer *server, const GError *error);

/* words.c */
GTimeSpan openai_parse_retry_after (const char *value, gint64 now);
char *openai_clean (const char *text, const char *secret);
char *openai_clean_of (const OpenaiServer *server, const char *text);
guint64 openai_estimate_tokens (const char *text);

/* exchange.c */
void openai_exchange_begin (OpenaiServer *server, ClqCall *call);

G_END_DECLS
