/* What one event may do to a conversation: say something, tell the owner, move the next run. */
#include "background.h"

/* ---- telling ---- */

/* Whether the event comes from a run, not from a chat. */
gboolean
background_is_from_worker (const BackgroundStep *step)
{
  return clq_view_has (step->view, "run");
}

static const char *
get_source (const BackgroundStep *step)
{
  return background_is_from_worker (step) ? "worker" : "chat";
}

static void
add_member (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "%s\"%s\":", out->len > 1 ? "," : "", name);
  clq_json_append_string (out, text, -1);
}

void
background_say (const BackgroundStep *step, ClqRole role, const char *text)
{
  g_autoptr (GString) body = g_string_new ("{");

  add_member (body, "text", text);
  add_member (body, "source", get_source (step));
  g_string_append_c (body, '}');
  clq_change_append (step->change, CLQ_RECORD_MESSAGE, role, body->str);
}

/* Who is not looking is told; who chats is looking. */
void
background_notify (const BackgroundStep *step, const char *type, const char *text)
{
  g_autoptr (GString) json = g_string_new ("{");

  add_member (json, "type", type);
  add_member (json, "text", text);
  if (clq_view_get_title (step->view) != NULL)
    add_member (json, "title", clq_view_get_title (step->view));
  g_string_append_c (json, '}');
  clq_change_notify (step->change, json->str);
}

/* ---- the next run ---- */

/* After a run of a cron, or when it is taken up again. */
gint64
background_find_next (const BackgroundStep *step, const char *schedule, gint64 after)
{
  ClqJsonSpan span = clq_view_find (step->view, "runs");
  g_autofree char *runs = span.type == CLQ_JSON_ARRAY ? g_strndup (span.start, span.length) : NULL;
  ClqCron *cron = background_find_cron (step->self, schedule);

  return cron != NULL ? background_runs_next (runs, cron, after) : 0;
}

/* The time at which the run that is over was to be; now if none is. */
static gint64
get_scheduled_at (const BackgroundStep *step)
{
  g_autofree char *text = clq_view_dup_string (step->view, "run.scheduledAt");
  gint64 time = step->now;

  clq_time_parse (text, &time);
  return time;
}

/* A cron goes on with its next time, which may have passed if all are to be caught up; anything else with @otherwise. */
void
background_reschedule (const BackgroundStep *step, gint64 otherwise)
{
  const char *schedule = clq_view_get_schedule (step->view);
  gboolean all = step->self->catch_up == BACKGROUND_CATCH_UP_ALL && background_is_from_worker (step);
  gint64 after = all ? MIN (get_scheduled_at (step), step->now) : step->now;

  if (schedule == NULL)
    return;
  if (clq_view_get_bool (step->view, "paused"))
    otherwise = 0;
  else if (background_schedule_is_cron (schedule))
    otherwise = background_find_next (step, schedule, after);
  clq_change_set_schedule (step->change, schedule, otherwise);
}

void
background_set_next_run (const BackgroundStep *step, gint64 time)
{
  clq_change_set_schedule (step->change, clq_view_get_schedule (step->view), time);
}
