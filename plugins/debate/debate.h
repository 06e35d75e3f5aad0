/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include <string.h>

G_BEGIN_DECLS

extern const ClqModalityInfo debate_debate;
extern const ClqNodeInfo debate_initialization;
extern const ClqNodeInfo debate_clarification;
extern const ClqNodeInfo debate_round_manager;
extern const ClqNodeInfo debate_summarization;
extern const ClqNodeInfo debate_proposal;
extern const ClqNodeInfo debate_critique;
extern const ClqNodeInfo debate_refinement;
extern const ClqNodeInfo debate_evaluation;
extern const ClqNodeInfo debate_synthesis;

#define DEBATE_MIN_AGENTS 2
#define DEBATE_MAX_AGENTS 8

/* The event of the deadline that ends a round. */
#define DEBATE_ROUND_TIMEOUT "ROUND_TIMEOUT"

/* ---- modality.c ---- */

/* What agents are asked, each in its own file of the folder of prompts. */
typedef enum
{
  DEBATE_ASK_QUESTIONS,
  DEBATE_ASK_SUMMARY,
  DEBATE_ASK_PROPOSAL,
  DEBATE_ASK_CRITIQUE,
  DEBATE_ASK_REFINEMENT,
  DEBATE_ASK_CONVERGENCE,
  DEBATE_ASK_QUALITY,
  DEBATE_ASK_DIGEST,
  DEBATE_ASK_SYNTHESIS,
  DEBATE_ASK_REPAIR,
  DEBATE_N_ASKS,
} DebateAsk;

typedef struct
{
  char *name;
  char *role;
  char *system; /* what the agent is told of its role, as it stands in JSON */
} DebateAgent;

/* The order is that of the choices of terminationCondition.type. */
typedef enum
{
  DEBATE_FIXED,
  DEBATE_CONVERGENCE,
  DEBATE_QUALITY,
} DebateTermination;

/* The settings of the modality, and what is made of them. Its nodes read it, too. */
typedef struct
{
  char **agents;
  char *judge;
  gint64 rounds;
  int termination;
  double threshold;
  gboolean interactiveClarifications;
  gint64 clarificationsMaxIterations;
  gint64 clarificationsMaxPerAgent;
  gboolean summarization;
  gint64 summary_threshold;
  gint64 summary_length;
  gint64 judge_threshold;
  gint64 max_parallel;
  GTimeSpan round_timeout;
  char *prompts;
  DebateAgent *members; /* the agents, and behind them the judge */
  guint n_agents;
  ClqTemplate *asks[DEBATE_N_ASKS];
} Debate;

static inline const DebateAgent *
debate_get_judge (const Debate *self)
{
  return &self->members[self->n_agents];
}

const Debate *debate_of (ClqVisit *visit);
void debate_fail_modality (ClqVisit *visit);

/* ---- prompts.c ---- */

/* What can be put into a prompt, as it stands in JSON; one that a prompt does not know is left out. */
typedef enum
{
  DEBATE_AGENT,
  DEBATE_ROLE,
  DEBATE_ROUND,
  DEBATE_ROUNDS,
  DEBATE_PROBLEM,
  DEBATE_CONTEXT,
  DEBATE_CLARIFICATIONS,
  DEBATE_HISTORY,
  DEBATE_AUTHOR,
  DEBATE_PROPOSAL,
  DEBATE_PROPOSALS,
  DEBATE_CRITIQUES,
  DEBATE_NOTES,
  DEBATE_ROUNDS_SO_FAR,
  DEBATE_SUMMARY,
  DEBATE_MAX_QUESTIONS,
  DEBATE_MAX_LENGTH,
  DEBATE_MISTAKE,
  DEBATE_N_VALUES,
} DebateValue;

gboolean debate_prompts_load (Debate *self, GError **error);
void debate_prompts_clear (Debate *self);
void debate_prompts_expand (const Debate *self, DebateAsk ask, const char *const *values, GString *out);

/* ---- text.c: texts as they stand in JSON ---- */

/* Between the quotes of a JSON string; somebody else has it. */
typedef struct
{
  const char *start;
  gsize length;
} DebateText;

void debate_text_trim (DebateText *self);
gsize debate_text_count (const DebateText *self);
char *debate_text_dup_plain (const DebateText *self);
char *debate_text_dup (const DebateText *self);
char *debate_escape (const char *text);
void debate_trim (GString *escaped);

/* ---- brief.c: what the debate is about ---- */

typedef struct
{
  char *problem;
  char *context;
  GString *clarifications; /* questions and answers, for people and agents */
} DebateBrief;

gboolean debate_brief_check (const char *text, GError **error);
char *debate_brief_dup_problem (const char *text);
void debate_brief_add (DebateBrief *self, const ClqRecord *record);
void debate_brief_clear (DebateBrief *self);
gboolean debate_is_blank (const char *text);
char *debate_clip (const char *text, gsize n_characters);

/* ---- minutes.c: what was said so far ---- */

/* A record of the journal: who contributed what, and which call holds the text. Other nodes may have kinds of their own. */
typedef struct _DebateContribution DebateContribution;
struct _DebateContribution
{
  const char *kind;
  gint64 round;
  const char *agent;
  const char *target; /* (nullable) whose proposal it is about */
  const char *call;   /* (nullable) the key of the call that holds the text */
  ClqRecord *record;  /* which has the text; NULL until it is found */
  DebateText text;
  DebateContribution *twin; /* while it is read: has its text from the same call */
};

#define DEBATE_KIND_PROPOSAL "proposal"
#define DEBATE_KIND_CRITIQUE "critique"
#define DEBATE_KIND_REFINEMENT "refinement"
#define DEBATE_KIND_SUMMARY "summary"

typedef struct
{
  GPtrArray *contributions; /* DebateContribution, the oldest first */
  GHashTable *index;        /* the same, to be found by what they are */
  GHashTable *calls;        /* key of a call → the newest DebateContribution that has its text from it */
  GStringChunk *names;      /* what contributions are known by */
  gint64 from_round;        /* older ones are not there */
  guint64 newest;           /* the record up to which the journal was read; 0 = it was not */
} DebateMinutes;

/* What the journal adds to minutes, while it is read. */
typedef struct
{
  GPtrArray *found;    /* DebateContribution, the newest first */
  GHashTable *waiting; /* key of a call → DebateContribution that needs its text */
  gboolean has_older;  /* one that is not wanted was met */
} DebateReading;

void debate_minutes_init (DebateMinutes *self, gint64 from_round);
void debate_minutes_clear (DebateMinutes *self);
void debate_minutes_want (DebateMinutes *self, gint64 round);
gboolean debate_minutes_take (DebateMinutes *self, DebateReading *reading, guint64 newest);
const DebateText *debate_minutes_find (const DebateMinutes *self, const char *kind, gint64 round, const char *agent, const char *target);
void debate_reading_init (DebateReading *self);
void debate_reading_clear (DebateReading *self);
void debate_reading_add (DebateReading *self, DebateMinutes *known, ClqRecord *record);
gboolean debate_reading_is_complete (const DebateReading *self);
gboolean debate_is_own_kind (const char *kind);

/* ---- dossier.c: what is known of a debate ---- */

/* A memo of the session: each visit reads only what is new. */
typedef struct
{
  DebateBrief brief;
  char *problem; /* the brief as prompts have it */
  char *context;
  char *clarifications;
  guint64 brief_record; /* where it stands; 0 = it was not read */
  guint brief_count;
  DebateMinutes minutes;
} DebateDossier;

typedef void (*DebateDossierFunc) (gpointer user_data);

DebateDossier *debate_dossier_open (ClqVisit *visit);
void debate_dossier_close (DebateDossier *self);
void debate_dossier_read (DebateDossier *self, ClqVisit *visit, guint64 brief_record, guint brief_count, gint64 from_round, DebateDossierFunc func, gpointer user_data);

/* How much an agent remembers. */
typedef struct
{
  gint64 from;       /* the first round that is told whole; before it there is a summary */
  gint64 characters; /* how long that is */
} DebateHistory;

void debate_history_read (ClqView *view, const Debate *debate, DebateHistory *histories);

/* ---- sitting.c: a visit of one of the nodes ---- */

typedef struct _DebateSitting DebateSitting;
typedef void (*DebateSittingFunc) (DebateSitting *sitting);

/* It hangs on the visit's cancellable and goes with it, however the visit ends. */
struct _DebateSitting
{
  ClqVisit *visit; /* not a reference */
  const Debate *debate;
  gint64 round;
  char round_text[24];
  char rounds_text[24];
  DebateHistory histories[DEBATE_MAX_AGENTS];
  DebateDossier *dossier;
  DebateSittingFunc func;
  GArray *requests;
  GPtrArray *texts; /* what the requests point to */
  GString *prompt;  /* the one that is written */
  guint n_calls;
  gpointer own; /* of the node */
  GDestroyNotify free_own;
};

#define DEBATE_NO_ROUND G_MAXINT64
#define DEBATE_REMEMBERED 0 /* from the first round of which somebody is told */

void debate_sitting_open (ClqVisit *visit, gint64 from_round, DebateSittingFunc func);
void debate_sitting_open_at (ClqVisit *visit, guint64 record, guint count, DebateSittingFunc func);
void debate_sitting_fill (const DebateSitting *self, const DebateAgent *agent, const char **values);
char *debate_sitting_dup_request (const DebateSitting *self, DebateAsk ask, const DebateAgent *agent, const char **values);
char *debate_sitting_dup_repair (const DebateSitting *self, const char *request, const char *answer, const char *mistake);
void debate_sitting_add (DebateSitting *self, const char *agent, char *key, char *request);
void debate_sitting_ask (DebateSitting *self, ClqJoin join, ClqJoinFunc func);
void debate_contribute (ClqChange *change, gint64 round, const char *kind, const char *agent, const char *target, const char *call);
void debate_sitting_contribute (DebateSitting *self, const char *kind, const char *agent, const char *target, const char *call);
void debate_sitting_take (DebateSitting *self, const char *kind, ClqCall *const *calls, guint n_calls);
void debate_sitting_count_calls (DebateSitting *self, guint n);

/* ---- history.c: what an agent remembers ---- */

gint64 debate_history_get_oldest (const DebateSitting *self);
void debate_history_grow (DebateSitting *self, guint agent, const char *text);
void debate_history_replace (DebateSitting *self, guint agent, const char *summary);
void debate_history_write (DebateSitting *self);
char *debate_history_dup (const DebateSitting *self, guint agent, gboolean with_latest);
char *debate_dup_critiques (const DebateSitting *self, gint64 round, const char *target);
char *debate_dup_round (const DebateSitting *self, gint64 round);
char *debate_dup_latest (const DebateSitting *self);
char *debate_dup_notes (const DebateSitting *self, gint64 round);

/* ---- verdict.c: what is read of structured answers ---- */

gboolean debate_read_confidence (const char *answer, double *confidence, char **mistake);
GPtrArray *debate_read_questions (const char *answer, char **mistake);

typedef struct
{
  char *id; /* NULL = none given */
  char *text;
} DebateQuestion;

void debate_question_free (gpointer question);

/* ---- report.c ---- */

char *debate_report (gpointer self, ClqView *view, ClqRecord *const *records, guint n_records);

G_END_DECLS
