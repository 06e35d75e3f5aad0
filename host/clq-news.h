/* What the host tells: answers to inputs, and news of sessions. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

/* What the caller of an input gets, once it is durable. */
typedef struct
{
  const guint8 *id;
  const char *result;  /* JSON or NULL */
  const GError *error; /* NULL if the input was taken */
} ClqReply;

typedef void (*ClqReplyFunc) (const ClqReply *reply, gpointer user_data);

/* News of a session, after it is durable (pieces of speech and progress: at once). */
typedef enum
{
  CLQ_NEWS_OPENED,
  CLQ_NEWS_TAKEN, /* an event, with or without a transition */
  CLQ_NEWS_PIECE, /* a piece of what a visit says */
  CLQ_NEWS_SAID,  /* a whole message */
  CLQ_NEWS_PROGRESS,
  CLQ_NEWS_NOTIFIED,
  CLQ_NEWS_WARNED,
  CLQ_NEWS_ALERT,
  CLQ_NEWS_FAILED,
  CLQ_NEWS_ASKED,    /* a visit asks a question and waits for the answer */
  CLQ_NEWS_CALLING,  /* an agent or tool is asked something (at once) */
  CLQ_NEWS_ANSWERED, /* it has answered, or not: then with error (at once) */
} ClqNewsType;

typedef struct
{
  ClqNewsType type;
  const guint8 *id;
  guint64 seq;
  gint64 at;
  const char *from; /* NULL unless a transition */
  const char *event;
  const char *to; /* NULL unless a transition */
  gint64 ms;
  const char *reason;
  const char *actor;
  gboolean milestone;
  const char *error; /* message */
  const char *text;  /* text, or JSON for notifications and alerts */
  ClqRole role;
  double fraction;
  guint64 visit;
  guint attempt;
  gsize offset;
  const char *call;   /* the key of a call */
  const char *target; /* the agent or tool that is called */
  guint64 tokens_in;
  guint64 tokens_out;
} ClqNews;

typedef void (*ClqObserverFunc) (const ClqNews *news, gpointer user_data);

G_END_DECLS
