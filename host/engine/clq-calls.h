/* What a visit asks of agents, tools and people. Private to the engine. */
#pragma once

#include "clq-engine.h"

G_BEGIN_DECLS

typedef struct _FanOut FanOut;
typedef struct _ToolRound ToolRound;
typedef struct _RunCall RunCall;

typedef enum
{
  CALL_AGENT,
  CALL_TOOL,
  CALL_QUESTION,
} CallKind;

/*
 * A call and the visit that made it. The visit knows its calls without holding them; a call holds its visit until its
 * answer is delivered or the visit is cancelled. The side that answers holds the call.
 */
struct _RunCall
{
  ClqCall call;
  ClqEngine *engine;
  ClqRun *run; /* a reference; NULL once delivered or cancelled */
  CallKind kind;
  ClqCallFunc func;
  gpointer user_data;
  FanOut *group;    /* NULL if it stands alone */
  guint index;      /* in the group, or in the round */
  gboolean is_kept; /* the group has a reference */
  guint attempt;
  guint64 visit_id;
  char *question; /* JSON */
  gint64 started_at;
  gint64 ended_at;
  ClqTimer timer; /* of the side that answers, or until the next attempt */
  ClqCallTimerFunc after;
  gpointer after_data;
  gboolean stream;
  gboolean streamed;
  gsize streamed_from; /* where in what the visit has said */
  char *heard;         /* what was streamed, if that is not the answer; NULL = nothing */
  gboolean busy;
  gboolean has_intent;
  gboolean is_confirmed; /* tools: a person has decided */
  gboolean is_parked;    /* nobody was asked; the answer comes from the past */
  gboolean is_held;      /* a reference that goes when the call leaves its visit */
  RunCall *asked_by;     /* tools: the call of the agent that wants it; NULL = the node does. Not a reference */
  ToolRound *round;      /* agents: the tools that it waits for; NULL = none */
  guint n_rounds;        /* agents: how often they had what they asked for */
  GString *rounds;       /* agents: these rounds as messages, JSON; NULL = none */
  char *base;            /* agents: the request without tools and rounds; NULL = as it is */
  gboolean is_refused;   /* it was not made: a limit is reached */
  gboolean is_late;      /* the answer came when the visit was about to be over */
};

/* clq-calls.c */
RunCall *clq_run_call_new (ClqRun *run, CallKind kind, const char *key, const char *target, const char *request);
void clq_run_call_start (RunCall *self);
void clq_run_call_restart (RunCall *self);
void clq_run_call_forget (RunCall *self);
void clq_run_call_hold (RunCall *self);
void clq_run_call_wait (RunCall *self);
void clq_run_call_say (RunCall *self, const char *text, gssize length);
void clq_run_call_note_answer (RunCall *self);
void clq_run_call_note_failure (RunCall *self);
gboolean clq_run_call_park (RunCall *self);
void clq_run_call_leave (RunCall *self);
ClqEvent *clq_run_call_event (RunCall *self, ClqPurpose purpose, ClqRecordPurpose record);

/* clq-tool-calls.c */
void clq_tool_call_use (RunCall *self);

/* clq-tool-rounds.c */
void clq_tool_rounds_write_request (RunCall *self);
gboolean clq_tool_rounds_note (RunCall *self);
gboolean clq_tool_rounds_take (RunCall *self);
gboolean clq_tool_rounds_resume (RunCall *self);
void clq_tool_rounds_take_failure (RunCall *tool);
void clq_tool_rounds_clear (RunCall *self);

/* clq-call-news.c */
void clq_call_tell (const RunCall *self, ClqNewsType type);

/* clq-budget.c */
gboolean clq_budget_allows (RunCall *call);
void clq_budget_refuse (RunCall *call, const char *payload);
void clq_budget_count (RunCall *call);
void clq_budget_write (ClqDraft *draft, const RunCall *call);

/* clq-fan-out.c */
void clq_fan_out (ClqVisit *visit, const ClqRequest *requests, guint n_requests, ClqJoin join, guint max_parallel, ClqJoinFunc func, gpointer user_data);
void clq_fan_out_deliver (RunCall *call);
void clq_fan_out_cancel (RunCall *call);

G_END_DECLS
