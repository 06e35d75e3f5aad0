/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include <string.h>

G_BEGIN_DECLS

extern const ClqModalityInfo goals_tracker;
extern const ClqNodeInfo goals_assistant;

/* Longer texts belong into records, not into the data. In characters. */
#define GOALS_MAX_DESCRIPTION 120
#define GOALS_MAX_VALUE 120
#define GOALS_MAX_FIELDS 12

/* The default of maxUnderstandingTurns. */
#define GOALS_MAX_TURNS 3

/* ---- phrases.c: a list of phrases as one regular expression ---- */

typedef enum
{
  GOALS_ANYWHERE, /* whole words of a text */
  GOALS_AT_START, /* the first words of a text */
  GOALS_AT_END,   /* the last words of a text */
} GoalsWhere;

typedef struct
{
  GoalsWhere where;
  GString *pattern; /* NULL = no phrase at all */
  GRegex *regex;
} GoalsPhrases;

gboolean goals_phrases_add (GoalsPhrases *self, const ClqJsonSpan *list, const char *place, GError **error);
gboolean goals_phrases_compile (GoalsPhrases *self, GError **error);
void goals_phrases_clear (GoalsPhrases *self);
gboolean goals_phrases_find (const GoalsPhrases *self, const char *text, gsize length, gsize *start, gsize *end);

/* ---- lexicon.c: all that words mean ---- */

typedef enum
{
  GOALS_IDLE,         /* the user leaves, or lets the goal go */
  GOALS_GO_AHEAD,     /* the user wants the work to begin */
  GOALS_APPROVAL,     /* the user agrees */
  GOALS_RESERVATION,  /* but */
  GOALS_SATISFACTION, /* the user likes the result */
  GOALS_CHANGE,       /* the user wants the result to be different */
  GOALS_START,        /* the assistant begins to work */
  GOALS_DONE,         /* the assistant has finished */
  GOALS_N_SIGNALS,
} GoalsSignalKind;

typedef struct
{
  const char *name;
  gboolean counts_in_questions; /* "Could you change it?" wants a change, "Shall I start?" does not start */
  gboolean asking_voids_it;     /* nobody begins who ends with a question */
} GoalsSignalTrait;

extern const GoalsSignalTrait goals_signal_traits[GOALS_N_SIGNALS];

typedef struct
{
  GoalsPhrases words;  /* anywhere in a clause */
  GoalsPhrases begins; /* at the start of a clause, behind openings and requests */
  GoalsPhrases unless; /* before the words: they do not count */
} GoalsSignal;

typedef struct
{
  char *name;
  GoalsPhrases words;
} GoalsValue;

typedef struct
{
  char *name;
  char *description;
  char *question;
  GPtrArray *values;  /* GoalsValue: what a word stands for */
  GoalsPhrases words; /* the words themselves are the value */
} GoalsField;

typedef struct
{
  char *name;
  GoalsPhrases begins; /* a sentence that begins so states a goal */
  GoalsPhrases wishes; /* the same, as long as there is no goal */
  GPtrArray *fields;   /* GoalsField */
} GoalsType;

typedef struct
{
  GoalsSignal signals[GOALS_N_SIGNALS];
  GoalsPhrases negations; /* what they stand before does not count */
  GoalsPhrases openings;  /* "Hello", "well", "thanks": what a sentence may begin with */
  GoalsPhrases requests;  /* "Can you", "I want to": what stands before what is wanted */
  GoalsPhrases pronouns;  /* "it": what is wanted is not new */
  GoalsPhrases asides;    /* "How are you", "What do you mean": no goal, whatever it looks like */
  GPtrArray *types;       /* GoalsType */
} GoalsLexicon;

void goals_lexicon_init (GoalsLexicon *self);
void goals_lexicon_clear (GoalsLexicon *self);
gboolean goals_lexicon_read (GoalsLexicon *self, const char *json, const char *place, GError **error);
gboolean goals_lexicon_compile (GoalsLexicon *self, GError **error);
const GoalsType *goals_lexicon_find_type (const GoalsLexicon *self, const char *name);

/* ---- clauses.c: a message, cut up ---- */

typedef struct
{
  const char *start;
  gsize length;
  const char *sentence_end; /* of the sentence it belongs to, without its mark */
  gboolean is_first;        /* of its sentence */
  gboolean asks;            /* its sentence ends with a question mark */
} GoalsClause;

typedef struct
{
  char *text;
  GArray *clauses; /* GoalsClause */
} GoalsText;

void goals_text_init (GoalsText *self, const char *text);
void goals_text_clear (GoalsText *self);
gboolean goals_text_ends_asking (const GoalsText *self);
char *goals_clip (const char *text, gssize length, glong n_characters);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GoalsText, goals_text_clear)

/* ---- meaning.c: what a message means ---- */

typedef struct
{
  const GoalsType *type;
  char *description;
  const char *start; /* in the message: what stands before it only asks */
} GoalsFound;

char *goals_find_signal (const GoalsLexicon *lexicon, const GoalsText *text, GoalsSignalKind kind);
gboolean goals_find_goal (const GoalsLexicon *lexicon, const GoalsText *text, gboolean has_goal, GoalsFound *found);
char *goals_find_value (const GoalsField *field, const char *text);

/* ---- goal.c: goals in the data ---- */

gboolean goals_has_goal (ClqView *view);
void goals_set_text (GString *json, const char *path, const char *text);
char *goals_new_goal (const GoalsFound *found, gint64 number, gint64 now);
gboolean goals_fill_goal (GString *goal, const GoalsType *type, const char *text);
gboolean goals_set_value (GString *goal, const char *name, const char *value);
gboolean goals_mark_asked (GString *goal, const char *name);
gboolean goals_is_known (const ClqJsonSpan *goal);
gboolean goals_needs_nothing (const ClqJsonSpan *goal);
char *goals_dup_missing (const ClqJsonSpan *goal);
char *goals_find_missing (const ClqJsonSpan *goal, char **description);
void goals_finish_goal (ClqView *view, const char *goal, const char *status, const char *reason, ClqChange *change);

/* ---- artifact.c: results inside a message ---- */

typedef struct
{
  char *type;
  char *title;
  char *text;
} GoalsArtifact;

GPtrArray *goals_find_artifacts (const char *text); /* GoalsArtifact */
void goals_keep_artifacts (ClqView *view, const char *text, ClqChange *change);

/* ---- summary.c ---- */

char *goals_dup_summary (ClqView *view);

/* ---- reasons.c ---- */

char *goals_dup_reason (ClqView *view, const ClqEvent *event, const char *from, const char *to);

G_END_DECLS
