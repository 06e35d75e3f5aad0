/* What the user does. */
#include "background.h"

#define TITLE_LENGTH 60

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, message);
  return FALSE;
}

static char *
clip (const char *text)
{
  g_autofree char *line = g_strdup (text);

  g_strdelimit (line, "\r\n\t", ' ');
  g_strstrip (line);
  if (g_utf8_strlen (line, -1) > TITLE_LENGTH)
    {
      g_autofree char *start = g_utf8_substring (line, 0, TITLE_LENGTH - 1);

      return g_strconcat (start, "\342\200\246", NULL);
    }
  return g_steal_pointer (&line);
}

gboolean
background_take_message (const BackgroundStep *step, GError **error)
{
  const char *text = clq_event_get_text (step->event);

  if (text == NULL && clq_event_get_payload (step->event) == NULL)
    return TRUE;
  if (text == NULL || strspn (text, " \t\r\n") == strlen (text))
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "message: expected 'text', a text that is not empty");
      return FALSE;
    }
  clq_change_tag_message (step->change, "source", "chat");
  if (clq_view_get_title (step->view) == NULL)
    {
      g_autofree char *title = clip (text);

      clq_change_set_title (step->change, title);
    }
  return TRUE;
}

/* The user was asked whether to try again after failures. */
static void
take_retry (const BackgroundStep *step, gboolean again)
{
  const char *schedule = clq_view_get_schedule (step->view);

  clq_change_set_int (step->change, "failures", 0);
  if (again || schedule == NULL)
    return;
  if (background_schedule_is_cron (schedule))
    background_reschedule (step, 0);
  else
    clq_change_clear_schedule (step->change);
}

/* Work that was interrupted by a question goes on. */
gboolean
background_take_answer (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event), *text = clq_event_get_text (step->event);
  ClqJsonSpan values = payload != NULL ? clq_json_find (payload, -1, "values") : (ClqJsonSpan){ CLQ_JSON_NONE }, key, value;
  gboolean again = TRUE, is_retry = FALSE;
  ClqJsonIter iter;

  if (clq_event_is_message (step->event))
    clq_change_tag_message (step->change, "source", "chat");
  else if (text != NULL)
    background_say (step, CLQ_ROLE_USER, text);
  if (values.type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, &values))
    while (clq_json_iter_next (&iter, &key, &value))
      if (clq_json_span_string_equal (&key, BACKGROUND_RETRY_KEY))
        {
          is_retry = TRUE;
          again = clq_json_span_is_true (&value);
        }
  if (clq_view_get_bool (step->view, "interrupted"))
    {
      clq_change_unset (step->change, "interrupted");
      if (again && clq_view_get_schedule (step->view) != NULL && !clq_view_get_bool (step->view, "paused"))
        background_set_next_run (step, step->now + step->self->min_delay);
    }
  if (is_retry)
    take_retry (step, again);
  clq_change_set_reason (step->change, "the user has answered");
  return TRUE;
}

gboolean
background_take_pause (const BackgroundStep *step, GError **error)
{
  if (clq_view_get_schedule (step->view) == NULL)
    return refuse (error, "nothing is scheduled that could be paused");
  if (clq_view_get_bool (step->view, "paused"))
    return refuse (error, "the work is paused already; resume takes it up again");
  clq_change_set_bool (step->change, "paused", TRUE);
  background_set_next_run (step, 0);
  return TRUE;
}

gboolean
background_take_resume (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);

  if (schedule == NULL || !clq_view_get_bool (step->view, "paused"))
    return refuse (error, "the work is not paused");
  clq_change_unset (step->change, "paused");
  background_set_next_run (step, background_schedule_is_cron (schedule) ? background_find_next (step, schedule, step->now)
                                                                        : MAX (step->now, background_schedule_first (step->self, schedule, step->now)));
  return TRUE;
}

gboolean
background_take_run_now (const BackgroundStep *step, GError **error)
{
  if (clq_view_get_schedule (step->view) == NULL)
    return refuse (error, "nothing is scheduled that could be run");
  background_set_next_run (step, step->now);
  return TRUE;
}

gboolean
background_take_archive (const BackgroundStep *step, GError **error)
{
  clq_change_set_reason (step->change, clq_view_get_schedule (step->view) != NULL ? "archived by the user; what was scheduled is off" : "archived by the user");
  return TRUE;
}
