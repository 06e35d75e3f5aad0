/* What an agent has said, in the chat or at work. */
#include "background.h"

static char *
merge (ClqView *view, const char *path, const ClqJsonSpan *update)
{
  ClqJsonSpan known = clq_view_find (view, path);
  g_autoptr (JsonNode) old = known.type == CLQ_JSON_OBJECT ? clq_json_parse (known.start, (gssize) known.length, NULL) : NULL;
  g_autoptr (JsonNode) new = clq_json_parse (update->start, (gssize) update->length, NULL);
  JsonObject *into;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (old == NULL)
    old = json_node_init_object (json_node_alloc (), json_object_new ());
  into = json_node_get_object (old);
  json_object_iter_init (&iter, json_node_get_object (new));
  while (json_object_iter_next (&iter, &name, &value))
    if (JSON_NODE_HOLDS_NULL (value))
      json_object_remove_member (into, name);
    else
      json_object_set_member (into, name, json_node_copy (value));
  return clq_json_print (old);
}

/* What every result may have: a text for the user, and what is to be remembered. */
static void
take_common (const BackgroundStep *step)
{
  const char *payload = clq_event_get_payload (step->event);
  g_autofree char *text = clq_event_dup_string (step->event, "text");
  g_autofree char *task = clq_event_dup_string (step->event, "task");
  g_autofree char *next = clq_event_dup_string (step->event, "step");
  g_autofree char *problem = clq_event_dup_string (step->event, "problem");
  ClqJsonSpan state = payload != NULL ? clq_json_find (payload, -1, "state") : (ClqJsonSpan){ CLQ_JSON_NONE };

  if (text != NULL && *text != '\0')
    background_say (step, CLQ_ROLE_ASSISTANT, text);
  if (task != NULL)
    clq_change_set_string (step->change, "state_context.task", task);
  if (next != NULL)
    clq_change_set_string (step->change, "state_step", next);
  if (state.type == CLQ_JSON_OBJECT)
    {
      g_autofree char *merged = merge (step->view, "state_data", &state);

      clq_change_set_json (step->change, "state_data", merged);
    }
  if (problem != NULL)
    clq_change_warn (step->change, "the agent's answer is taken as text: %s", problem);
}

gboolean
background_take_create_schedule (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan span = payload != NULL ? clq_json_find (payload, -1, "schedule") : (ClqJsonSpan){ CLQ_JSON_NONE };
  g_autofree char *schedule = NULL, *text = NULL, *said = NULL;

  if (span.type != CLQ_JSON_OBJECT)
    return TRUE;
  schedule = g_strndup (span.start, span.length);
  text = background_schedule_describe (step->self, schedule);
  clq_change_set_schedule (step->change, schedule, background_schedule_first (step->self, schedule, step->now));
  clq_change_set_int (step->change, "failures", 0);
  clq_change_unset (step->change, "runs");
  clq_change_unset (step->change, "paused");
  clq_change_unset (step->change, "interrupted");
  take_common (step);
  said = clq_event_dup_string (step->event, "text");
  if (said == NULL)
    {
      g_autofree char *confirmation = g_strdup_printf ("Scheduled: %s.", text);

      background_say (step, CLQ_ROLE_ASSISTANT, confirmation);
    }
  clq_change_set_reason (step->change, "scheduled: %s", text);
  return TRUE;
}

/* A run that asks is over; the work goes on when there is an answer. */
gboolean
background_take_needs_input (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan span = payload != NULL ? clq_json_find (payload, -1, "question") : (ClqJsonSpan){ CLQ_JSON_NONE };
  g_autofree char *question = NULL, *prompt = NULL;

  if (span.type != CLQ_JSON_OBJECT)
    return TRUE;
  question = g_strndup (span.start, span.length);
  prompt = clq_json_find_string (question, "prompt");
  clq_change_clear_questions (step->change);
  if (!clq_change_ask_json (step->change, question, error))
    return FALSE;
  take_common (step);
  clq_change_set_reason (step->change, "asked: %s", prompt);
  if (!background_is_from_worker (step))
    return TRUE;
  clq_change_set_int (step->change, "failures", 0);
  clq_change_set_bool (step->change, "interrupted", TRUE);
  background_reschedule (step, 0);
  clq_change_unset (step->change, "run");
  background_notify (step, "question", prompt);
  return TRUE;
}

gboolean
background_take_complete (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);
  g_autofree char *text = clq_event_dup_string (step->event, "text");

  take_common (step);
  clq_change_set_int (step->change, "failures", 0);
  background_notify (step, "result", text != NULL ? text : "The work is done.");
  clq_change_set_reason (step->change, "the work is done");
  if (schedule != NULL && background_schedule_is_cron (schedule))
    background_reschedule (step, 0);
  else
    {
      clq_change_clear_schedule (step->change);
      clq_change_unset (step->change, "paused");
    }
  clq_change_unset (step->change, "run");
  return TRUE;
}

gboolean
background_take_continue (const BackgroundStep *step, GError **error)
{
  g_autofree char *text = clq_event_dup_string (step->event, "text");
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan plain = payload != NULL ? clq_json_find (payload, -1, "plain") : (ClqJsonSpan){ CLQ_JSON_NONE };

  take_common (step);
  clq_change_set_int (step->change, "failures", 0);
  if (clq_json_span_is_true (&plain) && text != NULL)
    background_notify (step, "result", text);
  clq_change_set_reason (step->change, "the work goes on");
  background_reschedule (step, step->now + step->self->min_delay);
  clq_change_unset (step->change, "run");
  return TRUE;
}

gboolean
background_take_text (const BackgroundStep *step, GError **error)
{
  take_common (step);
  return TRUE;
}
