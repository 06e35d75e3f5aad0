/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include <string.h>

G_BEGIN_DECLS

extern const ClqModalityInfo task_task;
extern const ClqNodeInfo task_receive;
extern const ClqNodeInfo task_search;
extern const ClqNodeInfo task_execute;
extern const ClqNodeInfo task_update;
extern const ClqNodeInfo task_review;
extern const ClqNodeInfo task_idle;

/* The settings of the modality. */
typedef struct
{
  gint64 max_length;
  gint64 significant;
  double weight;
  double forget_below;
  double decay;
  gint64 max_patterns;
  GTimeSpan store_again;
} Task;

/* One event on its way through the modality. */
typedef struct
{
  Task *task;
  ClqView *view;
  const ClqEvent *event;
  ClqChange *change;
  guint n_queued; /* entries in this step */
} TaskStep;

#define TASK_PREVIEW 500 /* characters of a result */
#define TASK_MAX_TERMS 24
#define TASK_SIGNIFICANT 3 /* the default */

/* words.c */
#define TASK_STOP_WORDS \
  "the;a;an;and;or;of;to;in;on;at;by;for;from;with;without;into;it;its;this;that;these;those;is;are;be;was;were;do;does;did;has;have;" \
  "i;we;you;he;she;they;me;us;my;our;your;can;could;would;should;will;please;some;any;all;more;so;as;if;then;not;no;but;about;" \
  "what;why;how;when;where;who;which;write;implement;add;create;build;fix;make;generate;explain;show;list;find;tell;compare;describe;" \
  "summarise;summarize;refactor;rename;restructure;simplify;extract;reorganise;reorganize;optimise;optimize;change;update;improve;" \
  "something;anything;stuff;thing;things;better;nice;nicely;good;help;just;again;now;there;here"

char *task_words_normalise (const char *text);
const char *task_words_find (const char *normal, const char *const *phrases);
gboolean task_words_have (const char *normal, const char *word);
char **task_words_dup_terms (const char *text, const char *const *stop_words, guint limit);
char *task_clip (const char *text, glong n_characters);

/* json.c */
char *task_end (JsonBuilder *builder);
JsonBuilder *task_begin (const char *type, const char *request_id);
void task_add_string (JsonBuilder *builder, const char *name, const char *value);
void task_add_int (JsonBuilder *builder, const char *name, gint64 value);
void task_add_double (JsonBuilder *builder, const char *name, double value);
void task_add_bool (JsonBuilder *builder, const char *name, gboolean value);
void task_add_json (JsonBuilder *builder, const char *name, const ClqJsonSpan *value, const char *otherwise);
void task_add_strings (JsonBuilder *builder, const char *name, const char *const *values);
char *task_print_strings (const char *const *values);
ClqJsonSpan task_find_payload (const TaskStep *step, const char *path);
char **task_dup_strings (const ClqJsonSpan *list);
char *task_dup_member (const ClqRecord *record, const char *path);

/* ask.c */
gboolean task_ask (ClqVisit *visit, const char *key, const char *agent, const char *prompt, const char *content, ClqCallFunc func, gpointer user_data);

/* stages.c: the records of the stages */
char *task_dup_request_id (ClqView *view, gint64 number);
void task_note_request (TaskStep *step);
void task_note_search (TaskStep *step);
void task_note_execution (TaskStep *step);
void task_note_review (TaskStep *step, const char *decision, const char *feedback);
void task_note_abort (TaskStep *step, const char *reason);
void task_note_error (TaskStep *step, const char *class, const char *message);

/* queue.c: what the context manager is to keep */
typedef void (*TaskQueueFunc) (ClqVisit *visit, gpointer user_data);
void task_queue_add (TaskStep *step, const char *entry);
gint64 task_queue_get_length (ClqView *view);
void task_queue_drain (ClqVisit *visit, const char *request_id, const char *patterns, TaskQueueFunc func, gpointer user_data);

/* patterns.c */
void task_patterns_learn (TaskStep *step, const char *names_path, gboolean success);
void task_patterns_discover (TaskStep *step, gboolean success);
void task_patterns_adopt (TaskStep *step);
void task_patterns_age (TaskStep *step);
char *task_patterns_dup_applied (ClqView *view, const char *known, const char *type, const char *normal);
gint64 task_patterns_get_significant (ClqView *view);

/* related.c: what a search has found, by request */
typedef struct
{
  char *request_id;
  char *content;
  char *type;
  char *output;
  char *decision;
  char *error;
  gboolean success;
  double relevance;
} TaskRelated;

typedef struct
{
  GPtrArray *related;  /* TaskRelated, by relevance once sorted */
  GPtrArray *patterns; /* JSON of pattern entries, the newest of each name */
  char *own_id;
} TaskFindings;

TaskFindings *task_findings_new (const char *own_id);
void task_findings_free (gpointer findings);
void task_findings_add (TaskFindings *self, const ClqHit *hits, guint n_hits, gboolean counts);
void task_findings_sort (TaskFindings *self, guint limit, double least);
char *task_findings_dup_summary (const TaskFindings *self);
char *task_findings_dup_counts (const TaskFindings *self, const char *type, const char *const *terms, gint64 significant);

G_END_DECLS
