/* What the files of the node helper share. */
#pragma once

#include "clq-private.h"
#include "clq-test-node.h"

G_BEGIN_DECLS

typedef struct _TestVisit TestVisit;
typedef struct _TestCall TestCall;
typedef struct _TestFanOut TestFanOut;
typedef struct _TestTimer TestTimer;

/* ---- parts: instances of features ---- */

typedef struct
{
  const ClqFeature *feature;
  gpointer instance;
} TestPart;

gpointer test_instance_new (const ClqFeature *feature, va_list settings, GError **error);
void test_instance_free (const ClqFeature *feature, gpointer instance);

/* ---- time and order ---- */

/* At the same instant, answers come before deadlines. */
typedef enum
{
  TEST_TIMER_ANSWER,
  TEST_TIMER_DEADLINE,
} TestTimerRank;

struct _TestTimer
{
  gint64 at;
  TestTimerRank rank;
  guint64 order;
  gboolean is_armed;
  void (*fire) (TestTimer *timer);
};

typedef void (*TestItemFunc) (gpointer data);

/* Something to be done when the node has returned. */
typedef struct
{
  TestItemFunc func; /* takes data */
  gpointer data;
} TestItem;

/* ---- the test ---- */

typedef struct
{
  char *text;
  ClqFailure failure; /* 0: an answer */
  GTimeSpan delay;
} TestReply;

typedef enum
{
  TEST_NOT_ENTERED,
  TEST_RUNNING,
  TEST_FINISHED,
  TEST_FAILED,
  TEST_CANCELLED,
} TestEnd;

/* Visits and calls hold a reference, so whoever keeps one too long finds a test that still stands. */
struct _ClqTestNode
{
  int ref_count;
  ClqNode *node;
  GHashTable *parts;    /* name → TestPart: real agents and tools */
  GHashTable *replies;  /* name → GQueue of TestReply */
  GHashTable *settings; /* of the modality */
  GPtrArray *journal;   /* ClqRecord, oldest first */

  char *state;
  char *data;
  char *schedule;
  gint64 next_run;
  ClqEventKind event_kind;
  char *event_name;
  char *event_payload;
  char *text;
  guint retry;
  GTimeSpan timeout;

  gint64 now;
  guint64 timer_order;
  GPtrArray *timers; /* TestTimer, armed */
  GQueue items;      /* TestItem */

  TestVisit *visit; /* whose result is wanted; not a reference */
  guint64 visit_id;
  guint attempt;
  GHashTable *results; /* key of a call → its text, for this visit */
  guint n_held;        /* visits and calls that somebody holds */

  TestEnd end;
  char *outcome;
  char *payload;
  char *said;
  GError *error;
  ClqChange *change;
  GString *written;
  GString *pieces;
  GString *progress;
  GString *calls;
  GHashTable *requests;
  GPtrArray *questions; /* JSON */
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
};

/* A visit while it runs. */
struct _TestVisit
{
  ClqVisit visit;
  ClqTestNode *test;
  gboolean is_wanted; /* its result is */
  ClqHead head;
  char *state;
  char *data;
  char *schedule;
  const char *state_names[2];
  guint32 n_entered;
  TestTimer limit;
  GPtrArray *calls; /* TestCall, not yet delivered; not references */
  GPtrArray *waits; /* timers of the node */
};

typedef enum
{
  TEST_CALL_AGENT,
  TEST_CALL_TOOL,
  TEST_CALL_QUESTION,
} TestCallKind;

/* A call holds its visit until its answer is delivered or the visit is cancelled. The side that answers holds the call. */
struct _TestCall
{
  ClqCall call;
  ClqTestNode *test;
  TestVisit *visit; /* a reference; NULL once delivered or cancelled */
  TestCallKind kind;
  ClqCallFunc func;
  gpointer user_data;
  TestFanOut *group; /* NULL if it stands alone */
  guint index;       /* in the group */
  gboolean is_kept;  /* the group has a reference */
  guint attempt;
  char *question;   /* JSON */
  TestReply *reply; /* that was queued for it */
  TestTimer timer;  /* of the side that answers, or until the next attempt */
  ClqCallTimerFunc after;
  gpointer after_data;
  gboolean stream;
  gboolean streamed;
  gboolean has_intent;
};

/* clq-test-node.c */
ClqTestNode *test_node_ref (ClqTestNode *self);
void test_node_unref (ClqTestNode *self);
void test_reply_free (TestReply *self);

/* clq-test-node-clock.c */
void test_node_arm (ClqTestNode *self, TestTimer *timer, GTimeSpan delay, TestTimerRank rank, void (*fire) (TestTimer *timer));
void test_node_disarm (ClqTestNode *self, TestTimer *timer);
void test_node_queue (ClqTestNode *self, TestItemFunc func, gpointer data);
void test_node_settle (ClqTestNode *self);

/* clq-test-node-visit.c */
extern const ClqVisitOps test_visit_ops;
void test_visit_cancel_waits (TestVisit *self);

/* clq-test-node-run.c */
void test_visit_fail (ClqVisit *visit, const GError *error);
void test_visit_dispose (ClqVisit *visit);

/* clq-test-node-calls.c */
TestCall *test_call_new (TestVisit *visit, TestCallKind kind, const char *key, const char *target, const char *request);
void test_call_start (TestCall *self);
void test_call_leave (TestCall *self);
void test_call_retry (TestCall *self);
void test_visit_cancel_calls (TestVisit *self);

/* clq-test-node-fan-out.c */
void test_fan_out (ClqVisit *visit, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data);
void test_fan_out_deliver (TestCall *call);
void test_fan_out_cancel (TestCall *call);

/* clq-test-node-change.c */
void test_change_print (const ClqChange *change, GString *out);
void test_change_apply (ClqChange *change, char **data);

G_END_DECLS
