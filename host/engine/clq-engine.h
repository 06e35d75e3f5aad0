/*
 * The engine: takes events, one at a time per session, through rules to one commit each, and enters nodes when the
 * commit is durable. Everything here runs on the thread of one main context.
 *
 *   clq-engine.c   dispatcher: ready sessions, timers
 *   clq-batches.c  commits on their way to the store and back
 *   clq-busy.c     which event is next, what waits while a visit runs
 *   clq-take.c     what one event does: modality, rules, purposes
 *   clq-keys.c     inputs that must be taken once
 *   clq-limits.c   when a session has done enough
 *   clq-budget.c   when agents have cost enough
 *   clq-settled.c  what follows when a commit is durable
 *   clq-sleep.c    sessions that rest leave memory and come back
 *   clq-recover.c  open visits of sessions that were loaded
 *   clq-draft.c    the commit that an event becomes; clq-draft-write.c its records and head
 *   clq-openings.c how records of events begin
 *   clq-runs.c     visits: enter, end, retry, cancel
 *   clq-visit-ops.c  what a node may do with a visit
 *   clq-searches.c  what a visit looks for in what was kept
 *   clq-calls.c    what a visit asks of agents, tools and people
 *   clq-tool-calls.c  using a tool: whether it may be used, and how
 *   clq-tool-rounds.c  agents that ask for tools before they answer
 *   clq-fan-out.c  several calls at once
 *   clq-call-records.c  what is written down of calls
 *   clq-call-news.c  what is told of calls
 *   clq-answers.c  pending questions
 *   clq-rewind.c   going back in the journal
 *   clq-past.c     the data of an earlier moment
 *   clq-meeting.c  what two branches have in common
 *   clq-stretches.c  records of several stretches of the journal
 *   clq-include.c  other branches become part of a conversation
 *   clq-compare.c  what a modality sees of another branch
 *   clq-conversation.c  the conversation as it is seen
 *   clq-tail.c     the newest records of a session that works
 *   clq-metrics.c  rates and stays, and when they raise an alert; clq-moves.c reads what they are made of
 *   clq-due.c      what a session waits for on the clock
 *   clq-turns.c    how many scheduled runs there are at once
 *   clq-put.c      placing a session somewhere, for tests and imports
 *   clq-rehearse.c answers to the calls of a past that is run again
 *   clq-live.c     sessions in memory: open, load, drop; valid actions
 */
#pragma once

#include "clq-budget.h"
#include "clq-clock.h"
#include "clq-graph.h"
#include "clq-news.h"
#include "clq-timers.h"

G_BEGIN_DECLS

typedef struct _ClqEngine ClqEngine;
typedef struct _ClqLive ClqLive;
typedef struct _ClqWork ClqWork;
typedef struct _ClqDraft ClqDraft;
typedef struct _ClqRun ClqRun;

#define CLQ_NO_RULE (-3)

/* What an event is for, beside its kind. */
typedef enum
{
  CLQ_PURPOSE_EVENT,   /* goes through the rules */
  CLQ_PURPOSE_OPEN,    /* the first of a session */
  CLQ_PURPOSE_PUT,     /* places the session somewhere */
  CLQ_PURPOSE_ANSWER,  /* answers to pending questions */
  CLQ_PURPOSE_FAILURE, /* a visit failed: retry, fallback or failed */
  CLQ_PURPOSE_REENTER, /* a retry is due */
  CLQ_PURPOSE_RECORD,  /* something a visit wants recorded: a call, an intent, a question */
  CLQ_PURPOSE_DELIVER, /* an answer goes to its visit; nothing is written */
  CLQ_PURPOSE_RESUME,  /* a visit that was lost with its host is entered again */
  CLQ_PURPOSE_CANCEL,  /* somebody does not want the result of the open visit */
  CLQ_PURPOSE_READ,    /* the owner has read notifications */
  CLQ_PURPOSE_ALERT,   /* a stay has become longer than it should; only this is written */
} ClqPurpose;

/* What a commit for CLQ_PURPOSE_RECORD holds. */
typedef enum
{
  CLQ_RECORD_NOTHING,
  CLQ_RECORD_ANSWERS,   /* answers of agents and tools */
  CLQ_RECORD_INTENT,    /* a tool is about to change something outside */
  CLQ_RECORD_QUESTION,  /* a person is asked */
  CLQ_RECORD_RETRY,     /* one call of a fan-out is tried again */
  CLQ_RECORD_REJECTION, /* an answer is of no use */
} ClqRecordPurpose;

/* A session's one timer. */
typedef struct
{
  ClqTimer timer;
  ClqLive *live;
  gint64 after; /* what was due until then waits for the visit to end */
} ClqWake;

#define CLQ_MAX_TURNS 5

typedef enum
{
  CLQ_TURN_NONE,
  CLQ_TURN_WAITS,
  CLQ_TURN_HAS,
} ClqTurn;

/* Whose scheduled runs are next. */
typedef struct
{
  guint max; /* 0 = any number */
  guint n;   /* sessions that have their turn */
  GHashTable *owners;
  GQueue next; /* of the owners */
} ClqTurns;

/* A session in memory. */
struct _ClqLive
{
  ClqHead head;        /* its visits are our own */
  ClqLive *next_alike; /* in the table of sessions */
  ClqEngine *engine;
  ClqGraph *graph;
  ClqWork *work; /* NULL while nothing is going on */
  union          /* a session is ready or rests */
  {
    ClqLive *next_ready;
    ClqLive *older;
  };
  ClqLive *newer; /* among those that rest */
  ClqWake *wake;  /* NULL if it waits for nothing on the clock */
  guint16 state;
  guint8 is_ready;
  guint8 is_resting;
  guint16 pins;  /* who looks at it; it stays in memory */
  guint8 is_new; /* nothing of it is durable yet */
  guint8 turn;   /* ClqTurn */
  guint32 visits[];
};

/* The newest records, all of them since one. */
typedef struct
{
  GPtrArray *records; /* ClqRecord, the oldest first; NULL = none are kept */
  guint64 after;      /* the record before them */
  gsize size;
} ClqTail;

/* What a session needs only while something is going on. */
struct _ClqWork
{
  ClqEvent *first_event; /* outcomes, timers, records */
  ClqEvent *last_event;
  ClqEvent *first_input; /* from outside */
  ClqEvent *last_input;
  ClqDraft *draft;     /* the commit in flight */
  ClqRun *run;         /* the visit that is running; not a reference */
  guint64 serial;      /* of the run whose result is wanted; 0 = none */
  GHashTable *results; /* key of a call → its recorded text, for the open visit */
  GData *memos;        /* what visits have left for later ones */
  ClqTail tail;
  GHashTable *intents; /* keys of tools that were begun and have not come back; NULL if none */
  ClqEvent *origin;    /* the event that led to the open visit */
  guint64 visit_id;
  guint attempt;
  ClqBinding *binding;  /* of the open visit */
  gboolean inputs_seen; /* no new input since the visit looked at them */
  gboolean must_enter;  /* the open visit waits until the inputs were looked at */
  guint holds;          /* something is read first; no event is taken meanwhile */
  ClqLive *owner;
  ClqTimer stalled; /* the store failed; try again */
  guint stalls;
  ClqWork *next_spare;
};

/* A visit while it runs. The node and its calls hold references; the session only knows where it is. */
struct _ClqRun
{
  ClqVisit visit;
  ClqEngine *engine;
  ClqLive *live; /* NULL once the result is not wanted any more */
  ClqGraph *graph;
  ClqHead *head; /* the session as it was on entry; NULL until the visit outlives enter () */
  guint64 serial;
  ClqTimer limit; /* visit-timeout */
  GTimeSpan allowed;
  GPtrArray *calls;      /* RunCall, not yet delivered; NULL if there were none */
  GPtrArray *waits;      /* RunWait, timers of the node; NULL if there were none */
  GPtrArray *unrecorded; /* ClqCall, answers that are in no commit yet; references */
  GPtrArray *absent;     /* names of agents that the node looked for and did not find, in no commit yet; NULL if there were none */
  gboolean was_retried;  /* its calls were tried again; the visit is not */
  GTimeSpan retry_after; /* a call failed and wants to be left alone for so long */
  guint64 tokens;        /* that its agents have used */
  double cost;
  char *refusal; /* JSON: which limit kept it from asking an agent; NULL = none */
};

/* One commit in the making. Pooled. */
struct _ClqDraft
{
  ClqCommit commit; /* first, so that an array of drafts is one of commits */
  ClqDraft *next_spare;
  ClqLive *live;
  ClqEvent *event;
  ClqChange *change;
  GString *data; /* new data; used if data_changed */
  gboolean data_changed;
  ClqView view;
  guint16 to;
  gboolean is_transition;
  gboolean is_retry;   /* in the history, but nothing moves */
  gboolean is_refusal; /* an outcome that was not wanted; only its visit is closed */
  gboolean owns_data;
  int visits_of;     /* state whose counter was raised; -1 = none */
  ClqBinding *enter; /* node to enter when durable */
  gboolean closes_visit;
  int limit; /* raise `limit` when durable: a ClqLimit, -1 = none */
  gboolean failed_session;
  gint64 now;
  const char *reason;
  const char *result;
  char *include;       /* body of an include record */
  char *comparison;    /* JSON: what another branch has */
  char *visit_answers; /* JSON: answers that belong to calls of the running visit */
  gint64 moved_ms;
  gboolean was_late; /* what was left had raised an alert */
  guint64 counts;    /* bits of the metrics with a condition for which the event counts */
};

/* How the records of an event begin. */
typedef struct
{
  const char *from;
  const char *event;
  const char *to;
  const char *text; /* interned */
  gsize length;
} ClqOpening;

/* What may be spent on one day, and what was. */
typedef struct
{
  ClqBudget budget;
  guint64 tokens;
  double cost;
} ClqAllowance;

typedef struct
{
  ClqAllowance all;
  GHashTable *agents;  /* name → ClqAllowance; NULL if none has limits of its own */
  GPtrArray *waiting;  /* ClqCall, until it is known what was spent before; references */
  guint32 day;         /* of the sums */
  gboolean is_limited; /* there is any limit; otherwise nothing is counted */
  gboolean is_known;
  gboolean is_asked;
} ClqSpending;

/* Called once per event, for what is common to all engines of a host. */
typedef struct
{
  gpointer (*find_agent) (gpointer host, const char *name, const ClqAgentInfo **info, GError **error);
  gpointer (*find_tool) (gpointer host, const char *kind, const ClqToolInfo **info, GError **error);
  gboolean (*check_arguments) (gpointer host, const char *kind, const char *arguments, GError **error);
  ClqGraph *(*load_graph) (gpointer host, const char *hash, const char *name, const char *text, GError **error);
} ClqEngineHost;

/*
 * A past that is run again. Agents and tools are not asked: calls wait until somebody answers them with what was
 * recorded, and commits are looked at before they are written.
 */
typedef struct _ClqRehearsal ClqRehearsal;
struct _ClqRehearsal
{
  gboolean (*has_agent) (const ClqRehearsal *self, guint64 visit, const char *agent);
  gboolean (*check) (ClqRehearsal *self, const ClqCommit *commit); /* FALSE: it is not written */
  void (*end_visit) (ClqRehearsal *self, ClqRun *run);             /* what came too late for it is to come now */
  gboolean holds_results;                                          /* what comes from nodes and timers waits */
};

struct _ClqEngine
{
  GMainContext *context;
  GSource *source;
  GSource *clock_watch; /* NULL if the system cannot tell */
  ClqClock clock;
  ClqTimers timers;
  ClqLive **sessions; /* those in memory, by the hash of their id */
  guint n_sessions;
  guint n_buckets; /* a power of two */
  ClqLive *first_ready;
  ClqLive *last_ready;
  ClqLive *oldest; /* resting sessions, the one that rests longest first */
  ClqLive *newest;
  guint n_resting;
  guint max_live;     /* how many resting sessions stay in memory */
  ClqTimer sleepers;  /* when one of those that are not in memory is due */
  GPtrArray *staged;  /* ClqDraft, the next batch */
  guint n_told;       /* how many of them, the first ones, the store knows of */
  GPtrArray *durable; /* ClqDraft, to be settled */
  guint n_settled;    /* how many of them were, the first ones */
  ClqBatch batch;
  GPtrArray *flight; /* ClqDraft of the batch in flight */
  gboolean in_flight;
  gboolean dispatching;
  gboolean is_armed; /* the main loop will run us at once */
  ClqDraft *spare_draft;
  ClqEvent *spare_event;
  guint n_spare_events;
  struct
  {
    const ClqGraph *graph;
    int index;
  } hints[64]; /* by the address of a name: which event it was last time */
  const ClqStoreInfo *store;
  gpointer store_self;
  GHashTable *known_graphs;   /* hashes that the store has */
  const char *known_graph;    /* the one of them that was asked for last */
  GHashTable *reading_graphs; /* hashes of graphs whose nodes read journals */
  ClqWork *spare_work;
  guint n_spare_work;
  ClqOpening openings[256];
  const char *text_opening; /* interned: how messages begin */
  const ClqEngineHost *host_ops;
  gpointer host;
  GArray *observers;
  guint64 serial;
  GQueue later;       /* Later, what comes when nobody is on the stack */
  guint n_queries;    /* of the store, not yet answered */
  guint64 n_gone;     /* sessions that have left memory */
  guint n_busy_calls; /* calls that wait for something else than the clock */
  guint n_runs;       /* visits that somebody holds */
  guint n_calls;      /* calls that somebody holds */
  gboolean store_fault;
  gboolean search_fault;
  GHashTable *agent_faults;
  ClqSpending spending;
  ClqRehearsal *rehearsal; /* NULL: what happens happens for the first time */
  gboolean is_passive;     /* sessions that are loaded are only looked at */
  GHashTable *meters;      /* graph → what is measured of it; NULL if nothing is */
  gboolean closed;
  gboolean is_gone; /* only visits and calls that somebody holds are left */
  ClqTurns turns;
  GSource *poll; /* NULL unless the store is asked every now and then */
};

/* clq-engine.c */
ClqEngine *clq_engine_new (GMainContext *context, const ClqEngineHost *host_ops, gpointer host);
void clq_engine_free (ClqEngine *self);
void clq_engine_let_go (ClqEngine *self, guint *n_held);
void clq_engine_set_store (ClqEngine *self, const ClqStoreInfo *info, gpointer instance);
void clq_engine_observe (ClqEngine *self, ClqObserverFunc func, gpointer user_data);
void clq_engine_unobserve (ClqEngine *self, ClqObserverFunc func, gpointer user_data);
void clq_engine_tell (ClqEngine *self, const ClqNews *news);
void clq_engine_make_ready (ClqEngine *self, ClqLive *live);
void clq_engine_forget_ready (ClqEngine *self, ClqLive *live);
void clq_engine_queue_event (ClqLive *live, ClqEvent *event);
void clq_engine_queue_input (ClqLive *live, ClqEvent *event);
void clq_engine_return_input (ClqLive *live, ClqEvent *event);
void clq_engine_rearm (ClqEngine *self);
void clq_engine_settle (ClqEngine *self);
void clq_engine_later (ClqEngine *self, void (*func) (gpointer user_data), gpointer user_data);
gboolean clq_engine_is_quiet (ClqEngine *self);
void clq_engine_advance (ClqEngine *self, GTimeSpan by);
void clq_engine_set_store_fault (ClqEngine *self, gboolean on);
ClqEvent *clq_engine_new_event (ClqEngine *self);
void clq_engine_drop_event (ClqEngine *self, ClqEvent *event);
int clq_engine_find_event (ClqEngine *self, const ClqGraph *graph, const char *name);
ClqWork *clq_live_work (ClqLive *live);
void clq_live_drop_work (ClqLive *live);
void clq_live_rest (ClqLive *live);
void clq_engine_answer (ClqLive *live, ClqEvent *event, const char *result, const GError *error);

/* clq-batches.c */
void clq_batches_init (ClqEngine *self);
void clq_batches_clear (ClqEngine *self);
void clq_batches_stage (ClqEngine *self, ClqDraft *draft);
gboolean clq_batches_have_room (const ClqEngine *self);
void clq_batches_flush (ClqEngine *self);
void clq_batches_settle_next (ClqEngine *self);

/* clq-busy.c */
void clq_engine_take_next (ClqEngine *self, ClqLive *live);

/* clq-tail.c */
void clq_tail_begin (ClqTail *self, guint64 newest);
void clq_tail_add (ClqTail *self, const ClqCommit *commit);
GPtrArray *clq_tail_read (const ClqTail *self, guint types, guint64 after, guint64 before, guint limit);
void clq_tail_clear (ClqTail *self);

/* clq-settled.c */
void clq_engine_settle_draft (ClqEngine *self, ClqDraft *draft);

/* clq-keys.c */
gboolean clq_keys_must_ask (ClqLive *live, ClqEvent *event);

/* clq-limits.c */
gboolean clq_limits_are_reached (ClqDraft *draft);
char *clq_limits_dup_payload (const ClqLive *live, const ClqHead *head);
void clq_limits_note (ClqDraft *draft);
void clq_limits_raise (ClqLive *live);

/* clq-budget.c */
char *clq_budget_dup_session_payload (const ClqGraph *graph, const ClqHead *head);
char *clq_budget_dup_payload (const ClqRun *run, const GError *error);
void clq_budget_end_visit (ClqRun *run);
void clq_budget_set (ClqEngine *engine, const char *agent, const ClqBudget *budget);
ClqBudget clq_budget_get (ClqEngine *engine, const char *agent);
void clq_budget_clear (ClqEngine *engine);

/* clq-turns.c */
void clq_turns_init (ClqTurns *self);
void clq_turns_clear (ClqTurns *self);
gboolean clq_turns_take (ClqLive *live);
void clq_turns_leave (ClqLive *live);
void clq_turns_forget (ClqLive *live);
void clq_turns_set_max (ClqEngine *engine, guint max);

/* clq-sleep.c */
void clq_engine_set_poll (ClqEngine *engine, GTimeSpan interval);
void clq_sleep_note (ClqLive *live);
void clq_sleep_forget (ClqLive *live);
void clq_sleep_expect (ClqEngine *engine, gint64 at);
void clq_live_pin (ClqLive *live);
void clq_live_unpin (ClqLive *live);
void clq_engine_start (ClqEngine *engine);

/* clq-recover.c */
void clq_recover_visit (ClqLive *live);
gboolean clq_recover_take (ClqDraft *draft);

/* clq-take.c */
void clq_take (ClqEngine *self, ClqLive *live, ClqEvent *event);
gboolean clq_take_propose (ClqDraft *draft, GError **error);
gboolean clq_take_is_stale (const ClqLive *live, const ClqEvent *event);
void clq_take_read_message (ClqLive *live, ClqEvent *event);
void clq_engine_decide (ClqEngine *self, ClqDraft *draft, const GError *error);
GTimeSpan clq_engine_backoff (const ClqLive *live, guint attempt);
int clq_choice_find (const ClqLive *live, const ClqEvent *event, GError **error); /* clq-choice.c */
int clq_engine_choose (ClqLive *live, ClqView *view, int event_index, const ClqEvent *event);

/* clq-draft.c, clq-draft-write.c */
#define CLQ_SNAPSHOT_EVERY 64 /* commits */
#define CLQ_USUAL_RECORDS 8   /* for which a draft has room from the start */
ClqDraft *clq_draft_new (ClqEngine *engine, ClqLive *live, ClqEvent *event);
void clq_draft_free (ClqEngine *engine, ClqDraft *draft);
void clq_draft_destroy (ClqDraft *draft);
void clq_draft_apply (ClqDraft *draft, const ClqChange *change, guint from);
ClqExtra *clq_draft_extra (ClqDraft *draft);
void clq_draft_refresh_view (ClqDraft *draft);
void clq_draft_jump (ClqDraft *draft, guint32 segment, guint64 seq);
void clq_draft_branch_off (ClqDraft *draft, guint32 segment, guint64 seq);
void clq_draft_write (ClqDraft *draft);
void clq_draft_add_record (ClqDraft *draft, ClqRecordType type, ClqRole role, const char *body, gsize length);
GString *clq_draft_begin_record (ClqDraft *draft, ClqRecordType type, ClqRole role, const char *opening, gsize length);
void clq_draft_end_record (ClqDraft *draft);
gboolean clq_draft_is_too_large (ClqDraft *draft);
void clq_view_from_head (ClqView *view, const ClqHead *head, const ClqGraph *graph, gint64 now);

/* clq-openings.c */
const ClqOpening *clq_openings_find (ClqEngine *engine, const char *from, const char *event, const char *to);

/* clq-conversation.c */

/* Where a conversation goes on: after a record, and after what is included there. */
typedef struct
{
  guint32 segment;
  guint64 seq;
  char *include; /* body of an include record; NULL = nothing */
} ClqPlace;

typedef void (*ClqConversationFunc) (GPtrArray *records, const GError *error, gpointer user_data);
typedef void (*ClqPlaceFunc) (const ClqPlace *place, guint n_found, const GError *error, gpointer user_data);
void clq_conversation_read (ClqEngine *engine, const guint8 id[16], guint32 segment, guint types, guint64 after, guint64 before, guint limit, ClqConversationFunc func, gpointer user_data);
void clq_conversation_find_back (ClqEngine *engine, const guint8 id[16], guint32 segment, guint n_messages, ClqPlaceFunc func, gpointer user_data);

/* clq-past.c */
typedef void (*ClqPastFunc) (const char *data, const GError *error, gpointer user_data);
void clq_past_read (ClqEngine *engine, const guint8 id[16], guint32 segment, guint64 seq, ClqPastFunc func, gpointer user_data);

/* clq-rewind.c */
gboolean clq_rewind_is_needed (const ClqDraft *draft);
guint clq_rewind_first_op (const ClqChange *change);
void clq_rewind_start (ClqEngine *engine, ClqDraft *draft);
const ClqMark *clq_query_find_mark (const ClqQuery *query, const char *name);
GError *clq_rewind_no_mark (const ClqQuery *query, const char *name);

/* clq-include.c */
gboolean clq_include_is_needed (const ClqDraft *draft);
void clq_include_start (ClqEngine *engine, ClqDraft *draft);
void clq_include_read (const ClqRecord *record, GArray *ranges);
gboolean clq_include_read_place (const ClqRecord *record, ClqPlace *place);
char *clq_include_print (const ClqPlace *place, const GArray *ranges);

/* clq-compare.c */
gboolean clq_compare_is_needed (const ClqDraft *draft);
void clq_compare_start (ClqEngine *engine, ClqDraft *draft);

/* clq-runs.c */
void clq_run_enter (ClqEngine *engine, ClqLive *live, gint64 now);
void clq_run_cancel (ClqLive *live);
void clq_run_hand_over (ClqLive *live, ClqEvent *event);
void clq_run_connect (ClqGraph *graph);
void clq_run_close (ClqLive *live);

void clq_run_fail (ClqVisit *visit, const GError *error);
void clq_run_dispose (ClqVisit *visit);
void clq_run_set_timeout (ClqVisit *visit, GTimeSpan timeout);

/* clq-visit-ops.c */
extern const ClqVisitOps clq_run_ops;
void clq_run_cancel_waits (ClqRun *run);

/* clq-searches.c */
void clq_run_search (ClqVisit *visit, const char *text, guint limit, ClqSearchFunc func, gpointer user_data);

/* clq-calls.c */
void clq_run_cancel_calls (ClqRun *run);
void clq_run_keep_answers (ClqRun *run);
void clq_run_record_answers (ClqRun *run);
void clq_work_forget_result (ClqWork *work, const char *key);
void clq_work_note_result (ClqWork *work, const char *key, const char *text);
void clq_work_note_intent (ClqWork *work, const char *key); /* clq-tool-calls.c */
void clq_call_deliver (ClqEngine *engine, ClqLive *live, ClqEvent *event);
void clq_call_answers (ClqLive *live, const char *answers);

/* clq-call-records.c */
void clq_call_take (ClqEngine *engine, ClqDraft *draft);
void clq_call_count (ClqDraft *draft);
void clq_call_write (ClqDraft *draft);
void clq_call_settled (ClqEngine *engine, ClqLive *live, ClqEvent *event);

/* clq-rehearse.c */

/* What a call came to. */
typedef struct
{
  guint64 visit;
  const char *key;
  const char *text;  /* NULL if it failed */
  const char *error; /* NULL if it did not */
  ClqFailure failure;
  GTimeSpan retry_after;
  const char *heard; /* what was streamed, if that was not the text */
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
} ClqPastCall;

gboolean clq_rehearse_call (ClqLive *live, const ClqPastCall *past);
gboolean clq_rehearse_late_call (ClqRun *run, const ClqPastCall *past);
gboolean clq_rehearse_refusal (ClqLive *live, const char *refusal);
void clq_rehearse_speech (ClqLive *live, const char *said);
char *clq_rehearse_dup_waiting (const ClqLive *live);
gboolean clq_rehearse_fire (ClqEngine *engine, ClqLive *live, gint64 until, gboolean input_is_next);
gboolean clq_rehearse_fire_wait (ClqEngine *engine, ClqLive *live, gint64 before);
void clq_rehearse_loss (ClqEngine *engine, const guint8 id[16]);
/* clq-metrics.c */
void clq_metrics_note (ClqEngine *engine, const ClqDraft *draft, const char *from);
void clq_metrics_note_late (ClqEngine *engine, const ClqDraft *draft);
guint64 clq_metrics_find_counts (ClqDraft *draft);

/* clq-due.c */
typedef enum
{
  CLQ_DUE_NOTHING,
  CLQ_DUE_RETRY,
  CLQ_DUE_DEADLINE,
  CLQ_DUE_TIMEOUT,
  CLQ_DUE_IDLE,
  CLQ_DUE_RUN,
  CLQ_DUE_ALERT,
} ClqDueKind;

typedef struct
{
  ClqDueKind kind;
  gint64 at;
  const char *name; /* of a deadline; interned */
} ClqDue;

ClqDue clq_due_find (const ClqHead *head, const ClqGraph *graph, guint state, gboolean visiting, gint64 after);
void clq_due_arm (ClqEngine *engine, ClqLive *live);
void clq_due_disarm (ClqEngine *engine, ClqLive *live);
void clq_due_raise (ClqLive *live);
void clq_due_raise_alert (ClqLive *live);
gint64 clq_due_alert_at (const ClqHead *head, const ClqState *place);
void clq_due_postpone (ClqLive *live);
void clq_due_catch_up (ClqEngine *engine, ClqLive *live);
void clq_due_claim (ClqDraft *draft);

/* clq-put.c */
gboolean clq_put_take (ClqDraft *draft, GError **error);

/* clq-answers.c */
gboolean clq_answers_take (ClqDraft *draft, GError **error);
guint clq_questions_count_open (const char *questions);
void clq_questions_merge (char **questions, const char *question);
char *clq_questions_dup_open (const char *questions);
void clq_questions_tidy (char **questions, gboolean visit_is_over);

/* clq-live.c */
ClqLive *clq_live_new (ClqEngine *engine, ClqGraph *graph, const guint8 id[16]);
void clq_live_free (ClqLive *live);
ClqLive *clq_live_find (ClqEngine *engine, const guint8 id[16]);
ClqLive *clq_live_next (ClqEngine *engine, ClqLive *live);
typedef void (*ClqLoadFunc) (ClqLive *live, const GError *error, gpointer user_data);
void clq_live_load (ClqEngine *engine, const guint8 id[16], ClqLoadFunc func, gpointer user_data);
void clq_live_load_head (ClqEngine *engine, ClqHead *head, ClqLoadFunc func, gpointer user_data);
char **clq_live_dup_actions (ClqLive *live);
GError *clq_live_refusal (ClqLive *live, const char *action);
ClqStatus clq_live_get_status (ClqLive *live);

G_END_DECLS
