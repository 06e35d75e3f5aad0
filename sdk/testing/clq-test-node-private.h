/* What the files of the node helper share. */
#pragma once

#include "clq-private.h"
#include "clq-test-node.h"
#include "colloquy-host.h"

G_BEGIN_DECLS

/* The plugin of the helper itself, and names of its graphs that no test will want. */
#define TEST_OWN "test-host"
#define TEST_BEGIN "test-begin"
#define TEST_LEAVE "test-leave"
#define TEST_START "test-start"
#define TEST_BEFORE "test-before"
#define TEST_AFTER "test-after"

typedef struct
{
  char *text;
  ClqFailure failure; /* 0: an answer */
  GTimeSpan delay;
} TestReply;

/* Who answers to one name: replies that wait for their turn, then a real agent or tool. */
typedef struct
{
  GQueue replies;            /* TestReply */
  const ClqFeature *feature; /* NULL = only replies */
  gpointer instance;
  ClqToolInfo tool; /* what the host sees if the name can be the kind of a tool */
  char *tool_name;
} TestAnswerer;

/* What the helper's own features have as self. A feature knows nothing but its settings, so they say where the test is. */
typedef struct
{
  gint64 test;
  char *name; /* of an agent; of a modality whatever a setting says */
} TestSelf;

/* The helper's own features. */
typedef struct
{
  char address[24]; /* of the test, as a setting has it */
  ClqSetting settings[3];
  ClqAgentInfo agent;
  ClqModalityInfo modality;
  GArray *modality_rows; /* ClqSetting */
  ClqNodeInfo origin;
  const char *origin_outcomes[2];
} TestFeatures;

typedef enum
{
  TEST_NOT_ENTERED,
  TEST_RUNNING,
  TEST_FINISHED,
  TEST_FAILED,
  TEST_CANCELLED,
} TestEnd;

typedef enum
{
  TEST_TIMER_NONE,
  TEST_TIMER_STAY,     /* `timeout` or `idle` of the state before */
  TEST_TIMER_SCHEDULE, /* `due` */
  TEST_TIMER_DEADLINE, /* a named one */
} TestTimer;

struct _ClqTestNode
{
  ClqHost *host;
  ClqSession *session; /* NULL until the node is entered, and again when the graph has changed */
  guint8 id[16];
  guint64 begin_seq; /* what is behind this record belongs to the visit */
  GError *refusal;   /* of what was sent last */

  /* What the host gets from us. */
  GPtrArray *plugins; /* TestPlugin */
  TestFeatures *features;
  GHashTable *answerers; /* name → TestAnswerer */
  GPtrArray *given;      /* TestReply that calls have taken */

  /* The graph. */
  const ClqNodeInfo *info;
  ClqGraph *graph;
  char *graph_text;
  GString *node_keys; /* lines */
  GHashTable *modality_keys;
  char *state;
  guint retry;
  GTimeSpan timeout;

  /* The session that the node sees. */
  char *data; /* NULL: as it is */
  gboolean has_schedule;
  char *schedule;
  gint64 next_run;
  GPtrArray *journal; /* ClqRecord */
  guint n_written;    /* of the journal, in the session */
  ClqEventKind event_kind;
  char *event_name;
  char *event_payload;
  char *text;

  /* What came of it. */
  TestEnd end;
  gboolean has_result; /* not yet durable */
  gboolean is_fresh;   /* nothing has happened since the visit ended */
  char *outcome;
  char *payload;
  GError *error;
  ClqChange *change;
  guint attempt;
  GString *said;
  GString *pieces;
  GString *progress;
  GString *calls;
  GHashTable *requests; /* key → request */
  ClqExtra *spent;      /* of the whole session before the visit; NULL = nothing */
  GString *answer;      /* what a getter has put together */
};

/* clq-test-node.c */
TestTimer test_node_get_timer (const ClqTestNode *self);
void test_node_load (ClqTestNode *self, GError **error);

/* clq-test-node-run.c */
extern const ClqModalityInfo test_node_modality;
extern const ClqNodeInfo test_node_origin;
void test_node_observe (const ClqNews *news, gpointer user_data);
ClqExtra *test_node_read_extra (ClqTestNode *self);

/* clq-test-node-parts.c */
extern const ClqAgentInfo test_node_agent;
GHashTable *test_settings_new (va_list settings);
ClqTestNode *test_node_of (gpointer self);
TestFeatures *test_features_new (ClqTestNode *test);
void test_features_free (gpointer features);
gboolean test_node_offer (ClqTestNode *self, const char *id, const ClqFeature *feature, GError **error);
void test_plugin_free (gpointer plugin);
void test_answerer_free (gpointer answerer);
void test_reply_free (gpointer reply);

G_END_DECLS
