/* assistant: lets an agent say what the phase of the conversation asks for. */
#include "assistant.h"

static const ClqSetting settings[] = {
  CLQ_STRING (GoalsAssistant, agent, "assistant", "who speaks"),
  CLQ_STRING (GoalsAssistant, system, "", "a template: who the agent is"),
  CLQ_STRING (GoalsAssistant, prompt, "{{summary}}", "a template: what is to be done in this phase"),
  CLQ_INT (GoalsAssistant, history, 30, 1, 1000, "how many messages the agent is shown"),
  CLQ_INT (GoalsAssistant, window, 24000, 100, 100000000, "how many characters of them"),
  CLQ_STRING (GoalsAssistant, classifier, "", "who finds goals and information if the modality says so; the same agent if empty"),
  CLQ_STRING (GoalsAssistant, classify, "{{types}} {{summary}} {{message}}", "a template: how that one is asked"),
  { NULL },
};

static gboolean
check_template (const char *text, const char *const *names, const char *setting, GError **error)
{
  if (clq_template_check (text, names, error))
    return TRUE;
  g_prefix_error (error, "%s: ", setting);
  return FALSE;
}

static gboolean
assistant_init (gpointer self, GError **error)
{
  GoalsAssistant *assistant = self;

  return check_template (assistant->system, goals_prompt_names, "system", error) &&
         check_template (assistant->prompt, goals_prompt_names, "prompt", error) &&
         check_template (assistant->classify, goals_classify_names, "classify", error);
}

/* ---- speaking ---- */

/* What was said goes into the event that follows, and what it asked for. */
static void
finish_said (ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  g_autofree char *field = NULL;
  g_autoptr (GString) payload = g_string_new ("{}");

  if (strcmp (clq_view_get_state (view), "understanding") == 0 && goal.type == CLQ_JSON_OBJECT && !goals_is_last_turn (view))
    field = goals_find_missing (&goal, NULL);
  if (field != NULL)
    goals_set_text (payload, "asked", field);
  clq_visit_finish_with (visit, "said", payload->str);
}

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  const GoalsAssistant *self = user_data;

  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else if (*clq_call_get_text (call) == '\0')
    clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "agent '%s' said nothing", self->agent);
  else
    finish_said (visit);
}

static void
on_history (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  const GoalsAssistant *self = user_data;
  g_autoptr (GError) local = NULL;
  g_autofree char *request = error == NULL ? goals_dup_request (self, clq_visit_get_view (visit), records, n_records, &local) : NULL;

  if (request != NULL)
    clq_visit_call_agent (visit, "speak", self->agent, request, TRUE, on_answer, user_data);
  else
    clq_visit_fail_error (visit, error != NULL ? error : local);
}

static void
speak (const GoalsAssistant *self, ClqVisit *visit)
{
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE, 0, (guint) self->history, on_history, (gpointer) self);
}

/* ---- what is to be done ---- */

/*
 * The assistant's own message led here. It goes on by itself where something is waiting: a plan, the work, the result. A goal
 * that needs nothing has had its answer, so only the way to reviewing is left.
 */
static void
go_on (const GoalsAssistant *self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  const char *phase = clq_view_get_state (view);

  if (strcmp (phase, "planning") == 0 && goal.type == CLQ_JSON_OBJECT && goals_needs_nothing (&goal))
    clq_visit_finish (visit, "answered");
  else if (strcmp (phase, "planning") == 0 || strcmp (phase, "executing") == 0 ||
           (strcmp (phase, "reviewing") == 0 && clq_visit_has_agent (visit, self->agent)))
    speak (self, visit);
  else
    clq_visit_finish (visit, "silent");
}

static void
assistant_enter (gpointer self, ClqVisit *visit)
{
  const ClqEvent *event = clq_visit_get_event (visit);
  const char *name = clq_event_get_name (event);

  if (strcmp (name, "answered") == 0)
    clq_visit_finish (visit, "answered");
  else if (strcmp (name, "message") != 0)
    speak (self, visit);
  else if (clq_event_get_kind (event) == CLQ_EVENT_OUTCOME)
    go_on (self, visit);
  else if (clq_event_get_role (event) != CLQ_ROLE_USER || clq_visit_get_text (visit) == NULL)
    clq_visit_finish (visit, "silent");
  else if (goals_wants_classifier (visit))
    goals_ask_classifier (self, visit);
  else
    speak (self, visit);
}

const ClqNodeInfo goals_assistant = {
  CLQ_NODE_INFO,
  .name = "assistant",
  .summary = "Lets an agent say what the phase of the conversation asks for",
  .outcomes = CLQ_OUTCOMES ("said", "silent", "answered", "detected"),
  .settings = settings,
  .self_size = sizeof (GoalsAssistant),
  .init = assistant_init,
  .enter = assistant_enter,
};
