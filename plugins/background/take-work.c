/* What the worker does, and what it fails at. */
#include "background.h"

/* A cron that has had another time since this one was missed. */
static gboolean
is_missed (const BackgroundStep *step, const char *schedule, gint64 at)
{
  gint64 next = background_schedule_is_cron (schedule) ? background_find_next (step, schedule, at) : 0;

  return next != 0 && next <= step->now;
}

gboolean
background_take_due (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);
  g_autofree char *text = clq_event_dup_string (step->event, "scheduledAt");
  g_autofree char *now = clq_time_print (step->now);
  gint64 at = step->now;
  ClqCron *cron = schedule != NULL && background_schedule_is_cron (schedule) ? background_find_cron (step->self, schedule) : NULL;
  gboolean skip;

  clq_time_parse (text, &at);
  skip = schedule != NULL && step->self->catch_up == BACKGROUND_CATCH_UP_SKIP && is_missed (step, schedule, at);
  clq_change_set_string (step->change, "run.scheduledAt", text != NULL ? text : now);
  clq_change_set_string (step->change, "run.startedAt", now);
  if (skip)
    clq_change_set_bool (step->change, "run.skip", TRUE);
  if (cron != NULL && clq_cron_next (cron, at - 1) == at)
    {
      ClqJsonSpan span = clq_view_find (step->view, "runs");
      g_autofree char *runs = span.type == CLQ_JSON_ARRAY ? g_strndup (span.start, span.length) : NULL;
      g_autofree char *added = background_runs_add (runs, cron, at);

      clq_change_set_json (step->change, "runs", added);
    }
  clq_change_set_reason (step->change, "due at %s", text != NULL ? text : now);
  return TRUE;
}

gboolean
background_take_skipped (const BackgroundStep *step, GError **error)
{
  clq_change_set_reason (step->change, "missed, and missed runs are skipped");
  background_reschedule (step, step->now + step->self->min_delay);
  clq_change_unset (step->change, "run");
  return TRUE;
}

/* ---- failures ---- */

static GTimeSpan
find_backoff (const Background *self, gint64 failures)
{
  GTimeSpan delay = self->backoff;

  for (gint64 i = 1; i < failures && delay < self->max_backoff; i++)
    delay *= 2;
  return MIN (delay, MAX (self->max_backoff, self->backoff));
}

static void
ask_to_retry (const BackgroundStep *step, const char *prompt)
{
  const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .owner = "background", .id = "retry", .prompt = prompt };

  clq_change_clear_questions (step->change);
  clq_change_ask (step->change, &question);
  clq_change_set_bool (step->change, "interrupted", TRUE);
  clq_change_set_reason (step->change, "asked: %s", prompt);
  background_notify (step, "question", prompt);
}

/* Only what the worker fails at counts; a chat that fails has somebody who sees it. */
gboolean
background_take_failure (const BackgroundStep *step, GError **error)
{
  const GError *failure = clq_event_get_error (step->event);
  const char *message = failure != NULL ? failure->message : "unknown";
  gint64 failures = clq_view_get_int (step->view, "failures") + 1;
  GTimeSpan delay = find_backoff (step->self, failures);
  g_autofree char *prompt = NULL;

  if (!background_is_from_worker (step))
    return TRUE;
  clq_change_set_int (step->change, "failures", failures);
  if (failure != NULL && g_error_matches (failure, CLQ_FAILURE, CLQ_FAILURE_AUTH))
    prompt = g_strdup_printf ("The credentials have expired or are missing (%s). Reconnect, then say yes to go on. Shall the work go on?", message);
  else if (failures >= step->self->max_failures)
    prompt = g_strdup_printf ("The work has failed %" G_GINT64_FORMAT " times, last with: %s. Shall it be tried again?", failures, message);
  if (prompt != NULL)
    {
      ask_to_retry (step, prompt);
      background_reschedule (step, 0);
    }
  else if (clq_view_get_schedule (step->view) != NULL)
    {
      clq_change_set_reason (step->change, "attempt %" G_GINT64_FORMAT " failed: %s", failures, message);
      background_set_next_run (step, clq_view_get_bool (step->view, "paused") ? 0 : step->now + delay);
    }
  clq_change_unset (step->change, "run");
  return TRUE;
}
