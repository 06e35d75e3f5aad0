/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include <string.h>

G_BEGIN_DECLS

extern const ClqModalityInfo background_conversation;
extern const ClqNodeInfo background_chat;
extern const ClqNodeInfo background_work;

typedef enum
{
  BACKGROUND_CATCH_UP_ONCE,
  BACKGROUND_CATCH_UP_SKIP,
  BACKGROUND_CATCH_UP_ALL,
} BackgroundCatchUp;

/* The modality's settings, and the crons that were looked at last. */
typedef struct
{
  gint64 max_failures;
  GTimeSpan min_delay;
  GTimeSpan backoff;
  GTimeSpan max_backoff;
  int catch_up; /* BackgroundCatchUp */
  char *timezone;
  GHashTable *crons; /* expression and zone → ClqCron */
} Background;

/* One event on its way through the modality. */
typedef struct
{
  Background *self;
  ClqView *view;
  const ClqEvent *event;
  ClqChange *change;
  gint64 now;
} BackgroundStep;

#define BACKGROUND_RETRY_KEY "background/retry"

/* step.c: what one event may do */
gboolean background_is_from_worker (const BackgroundStep *step);
void background_say (const BackgroundStep *step, ClqRole role, const char *text);
void background_notify (const BackgroundStep *step, const char *type, const char *text);
gint64 background_find_next (const BackgroundStep *step, const char *schedule, gint64 after);
void background_reschedule (const BackgroundStep *step, gint64 otherwise);
void background_set_next_run (const BackgroundStep *step, gint64 time);

/* take-user.c, take-work.c, take-result.c: what each event does */
gboolean background_take_message (const BackgroundStep *step, GError **error);
gboolean background_take_answer (const BackgroundStep *step, GError **error);
gboolean background_take_pause (const BackgroundStep *step, GError **error);
gboolean background_take_resume (const BackgroundStep *step, GError **error);
gboolean background_take_run_now (const BackgroundStep *step, GError **error);
gboolean background_take_archive (const BackgroundStep *step, GError **error);
gboolean background_take_due (const BackgroundStep *step, GError **error);
gboolean background_take_skipped (const BackgroundStep *step, GError **error);
gboolean background_take_create_schedule (const BackgroundStep *step, GError **error);
gboolean background_take_needs_input (const BackgroundStep *step, GError **error);
gboolean background_take_complete (const BackgroundStep *step, GError **error);
gboolean background_take_continue (const BackgroundStep *step, GError **error);
gboolean background_take_text (const BackgroundStep *step, GError **error);
gboolean background_take_failure (const BackgroundStep *step, GError **error);

/* schedule.c */
char *background_schedule_normalise (const char *json, const char *timezone, GError **error);
gboolean background_schedule_is_cron (const char *schedule);
gint64 background_schedule_first (Background *self, const char *schedule, gint64 now);
ClqCron *background_find_cron (Background *self, const char *schedule);
char *background_schedule_describe (Background *self, const char *schedule);
char *background_schedule_print_time (const char *schedule, gint64 time);

/* runs.c: which runs of a cron there were */
gboolean background_runs_have (const char *runs, gint64 time);
char *background_runs_add (const char *runs, ClqCron *cron, gint64 time);
gint64 background_runs_next (const char *runs, ClqCron *cron, gint64 after);

/* result.c: what an agent means */
typedef struct
{
  const char *word; /* the outcome */
  char *payload;    /* of the outcome: text, schedule, question, state, step, task, plain, problem */
} BackgroundResult;

void background_result_read (BackgroundResult *self, const char *text, gboolean is_worker, const char *timezone);
void background_result_clear (BackgroundResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BackgroundResult, background_result_clear)

/* prompt.c: what an agent is asked */
typedef struct
{
  char *agent;
  char *prompt;
  gint64 history;
  const char *last; /* what comes after the conversation; NULL = nothing */
  ClqCallFunc func; /* gets the answer, and the node */
} BackgroundNode;

#define BACKGROUND_NODE_SETTINGS(Prompt) \
  CLQ_STRING (BackgroundNode, agent, "assistant", "who is asked"), \
      CLQ_STRING (BackgroundNode, prompt, Prompt, "what the agent is told first; now, schedule, next-run, task, step and state are filled in"), \
      CLQ_INT (BackgroundNode, history, 40, 0, 10000, "how many messages of the conversation the agent is shown at most")

gboolean background_node_check (const BackgroundNode *self, GError **error);
void background_ask (BackgroundNode *self, ClqVisit *visit);

G_END_DECLS
