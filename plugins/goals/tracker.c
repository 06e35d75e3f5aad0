/* The modality: what each message makes of the goals of a conversation. Where it leads is decided by guards in the graph. */
#include "goals.h"

typedef enum
{
  DETECT_RULES,
  DETECT_AGENT,
  DETECT_BOTH,
} Detect;

typedef struct
{
  char *words;
  char *more_words;
  gint64 maxUnderstandingTurns;
  gint64 idleThresholdMinutes;
  int detect;
  GoalsLexicon lexicon;
} Tracker;

static const ClqSetting settings[] = {
  CLQ_JSON (Tracker, words, "{}", "what words mean, and which types of goals there are"),
  CLQ_JSON (Tracker, more_words, "{}", "the same, added to it: another language, other types of goals"),
  CLQ_INT (Tracker, maxUnderstandingTurns, 3, 1, 1000, "how many messages there may be in understanding before there is a plan"),
  CLQ_INT (Tracker, idleThresholdMinutes, 10, 1, 100000, "after how many minutes without a message of the user the goal is let go"),
  CLQ_ENUM (Tracker, detect, "rules", CLQ_CHOICES ("rules", "agent", "both"), "who finds goals and information: words, an agent, or words and then an agent"),
  { NULL },
};

/* One event on its way through the modality. */
typedef struct
{
  Tracker *tracker;
  ClqView *view;
  const ClqEvent *event;
  ClqChange *change;
  GString *signals; /* what was heard, {NAME: words} */
  GString *goal;    /* the current goal as it becomes; NULL = none */
  gboolean is_changed;
} Step;

/* ---- opening ---- */

static gboolean
tracker_init (gpointer self, GError **error)
{
  Tracker *tracker = self;

  goals_lexicon_init (&tracker->lexicon);
  if (goals_lexicon_read (&tracker->lexicon, tracker->words, "words", error) &&
      goals_lexicon_read (&tracker->lexicon, tracker->more_words, "more-words", error) &&
      goals_lexicon_compile (&tracker->lexicon, error))
    return TRUE;
  goals_lexicon_clear (&tracker->lexicon);
  return FALSE;
}

static void
tracker_clear (gpointer self)
{
  goals_lexicon_clear (&((Tracker *) self)->lexicon);
}

static gboolean
tracker_open (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  clq_change_set_string (change, "phase", clq_view_get_state (view));
  clq_change_set_json (change, "currentGoal", "null");
  clq_change_set_json (change, "completedGoals", "[]");
  clq_change_set_int (change, "turnCount", 0);
  clq_change_set_json (change, "lastUserMessageAt", "null");
  return TRUE;
}

/* ---- goals ---- */

static void
set_signal (Step *step, const char *name, const char *words)
{
  g_autofree char *quoted = clq_json_quote (words);

  clq_json_set (step->signals, name, quoted);
}

static void
replace_goal (Step *step, const GoalsFound *found)
{
  gint64 number = clq_view_get_int (step->view, "goalCount") + 1;
  g_autofree char *goal = goals_new_goal (found, number, clq_view_get_now (step->view));

  if (step->goal != NULL)
    goals_finish_goal (step->view, step->goal->str, "abandoned", "superseded", step->change);
  else
    step->goal = g_string_new (NULL);
  g_string_assign (step->goal, goal);
  step->is_changed = TRUE;
  set_signal (step, "goal", found->description);
  clq_change_set_int (step->change, "goalCount", number);
  clq_change_set_int (step->change, "understandingTurns", 1);
  if (clq_view_get_title (step->view) == NULL)
    clq_change_set_title (step->change, found->description);
}

static gboolean
may_find_goals (const Step *step)
{
  static const char *const phases[] = { "greeting", "idle", "completed", "understanding", NULL };

  return g_strv_contains (phases, clq_view_get_state (step->view));
}

/* A goal that is stated, and what the message says about the goal. */
static void
hear_goal (Step *step, const GoalsText *text)
{
  const GoalsLexicon *lexicon = &step->tracker->lexicon;
  g_autofree char *type_name = NULL;
  const GoalsType *type;
  GoalsFound found = { 0 };

  if (may_find_goals (step) && goals_find_goal (lexicon, text, step->goal != NULL, &found))
    replace_goal (step, &found);
  g_free (found.description);
  type_name = step->goal != NULL ? clq_json_find_string (step->goal->str, "type") : NULL;
  type = type_name != NULL ? goals_lexicon_find_type (lexicon, type_name) : NULL;
  if (type != NULL && goals_fill_goal (step->goal, type, found.start != NULL ? found.start : text->text))
    step->is_changed = TRUE;
}

/* ---- messages ---- */

static void
hear_signals (Step *step, const GoalsText *text, GoalsSignalKind first, GoalsSignalKind last)
{
  for (guint kind = first; kind <= last; kind++)
    {
      g_autofree char *words = goals_find_signal (&step->tracker->lexicon, text, kind);

      if (words != NULL)
        set_signal (step, goals_signal_traits[kind].name, words);
    }
}

static void
hear_user (Step *step, const char *message)
{
  g_autofree char *now = clq_time_print (clq_view_get_now (step->view));
  g_auto (GoalsText) text = { 0 };

  goals_text_init (&text, message);
  clq_change_set_string (step->change, "lastUserMessageAt", now);
  hear_signals (step, &text, GOALS_IDLE, GOALS_CHANGE);
  if (step->tracker->detect != DETECT_AGENT && clq_json_find (step->signals->str, -1, "idle").type == CLQ_JSON_NONE)
    hear_goal (step, &text);
}

/* Who knows what the assistant asked for says so; else it is what stands in the list of questions. */
static void
hear_question (Step *step, const char *message)
{
  g_autofree char *name = clq_event_dup_string (step->event, "asked");
  g_autofree char *type_name = step->goal != NULL ? clq_json_find_string (step->goal->str, "type") : NULL;
  const GoalsType *type = type_name != NULL ? goals_lexicon_find_type (&step->tracker->lexicon, type_name) : NULL;

  if (type == NULL)
    return;
  if (name != NULL && goals_mark_asked (step->goal, name))
    step->is_changed = TRUE;
  for (guint i = 0; i < type->fields->len; i++)
    {
      const GoalsField *field = g_ptr_array_index (type->fields, i);

      if (field->question != NULL && strstr (message, field->question) != NULL && goals_mark_asked (step->goal, field->name))
        step->is_changed = TRUE;
    }
}

static void
hear_assistant (Step *step, const char *message)
{
  g_autoptr (GPtrArray) artifacts = goals_find_artifacts (message);
  g_auto (GoalsText) text = { 0 };

  goals_text_init (&text, message);
  hear_signals (step, &text, GOALS_START, GOALS_DONE);
  hear_question (step, message);
  if (artifacts->len > 0)
    {
      const GoalsArtifact *artifact = g_ptr_array_index (artifacts, 0);

      set_signal (step, "artifact", artifact->title != NULL ? artifact->title : artifact->type != NULL ? artifact->type
                                                                                                       : "artifact");
      goals_keep_artifacts (step->view, message, step->change);
    }
}

static void
take_message (Step *step)
{
  const char *text = clq_event_get_text (step->event);
  ClqRole role = clq_event_get_role (step->event);

  if (text == NULL || (role != CLQ_ROLE_USER && role != CLQ_ROLE_ASSISTANT))
    return;
  clq_change_set_int (step->change, "turnCount", clq_view_get_int (step->view, "turnCount") + 1);
  if (strcmp (clq_view_get_state (step->view), "understanding") == 0)
    clq_change_set_int (step->change, "understandingTurns", clq_view_get_int (step->view, "understandingTurns") + 1);
  if (role == CLQ_ROLE_USER)
    hear_user (step, text);
  else
    hear_assistant (step, text);
}

/* What was said before the assistant was interrupted was said. */
static void
take_partial (Step *step)
{
  const char *partial = clq_event_get_partial (step->event);

  if (partial == NULL || *partial == '\0')
    return;
  clq_change_say (step->change, CLQ_ROLE_ASSISTANT, partial);
  clq_change_set_int (step->change, "turnCount", clq_view_get_int (step->view, "turnCount") + 1);
}

/* ---- what an agent has found ---- */

/* Fields that the goal has no place for are left out. */
static void
take_fields (Step *step, const ClqJsonSpan *fields)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (step->goal == NULL || fields->type != CLQ_JSON_OBJECT)
    return;
  clq_json_iter_init (&iter, fields);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *text = value.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&value) : NULL;
      g_autofree char *line = text != NULL ? goals_clip (text, -1, GOALS_MAX_VALUE) : NULL;

      if (line != NULL && *line != '\0' && goals_set_value (step->goal, name, line))
        step->is_changed = TRUE;
    }
}

/* Its answer, or, if it had none that can be used, what the words say. */
static void
take_detected (Step *step)
{
  const char *payload = clq_event_get_payload (step->event);
  g_autofree char *type_name = clq_event_dup_string (step->event, "goal");
  g_autofree char *description = clq_event_dup_string (step->event, "description");
  g_autofree char *unread = clq_event_dup_string (step->event, "unread");
  GoalsFound found = { .type = type_name != NULL ? goals_lexicon_find_type (&step->tracker->lexicon, type_name) : NULL };
  ClqJsonSpan fields;

  if (unread != NULL)
    {
      g_auto (GoalsText) text = { 0 };

      goals_text_init (&text, unread);
      hear_goal (step, &text);
      return;
    }
  if (found.type != NULL && description != NULL && may_find_goals (step))
    {
      found.description = goals_clip (description, -1, GOALS_MAX_DESCRIPTION);
      replace_goal (step, &found);
      g_free (found.description);
    }
  fields = payload != NULL ? clq_json_find (payload, -1, "fields") : (ClqJsonSpan){ 0 };
  take_fields (step, &fields);
}

static gboolean
tracker_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  g_autoptr (GString) signals = g_string_new ("{}");
  g_autofree char *phase = clq_view_dup_string (view, "phase");
  Step step = { .tracker = self, .view = view, .event = event, .change = change, .signals = signals };

  if (goal.type == CLQ_JSON_OBJECT)
    step.goal = g_string_new_len (goal.start, (gssize) goal.length);
  if (strcmp (clq_event_get_name (event), "message") == 0)
    take_message (&step);
  else if (strcmp (clq_event_get_name (event), "detected") == 0)
    take_detected (&step);
  else
    take_partial (&step);
  if (g_strcmp0 (phase, clq_view_get_state (view)) != 0)
    clq_change_set_string (change, "phase", clq_view_get_state (view)); /* the session was put there */
  clq_change_set_json (change, "signals", signals->str);
  if (step.is_changed)
    clq_change_set_json (change, "currentGoal", step.goal->str);
  if (step.goal != NULL)
    g_string_free (step.goal, TRUE);
  return TRUE;
}

/* ---- arriving ---- */

static void
tracker_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  g_autofree char *json = goal.type == CLQ_JSON_OBJECT ? g_strndup (goal.start, goal.length) : NULL;
  g_autofree char *reason = goals_dup_reason (view, event, from, to);

  clq_change_set_string (change, "phase", to);
  clq_change_set_reason (change, "%s", reason);
  if (strcmp (to, "understanding") == 0 && strcmp (from, to) != 0)
    clq_change_set_int (change, "understandingTurns", 1);
  if (json == NULL || (strcmp (to, "completed") != 0 && strcmp (to, "idle") != 0))
    return;
  goals_finish_goal (view, json, strcmp (to, "completed") == 0 ? "completed" : "abandoned", reason, change);
  clq_change_set_json (change, "currentGoal", "null");
}

/* ---- predicates ---- */

static gboolean
has_signal (ClqView *view, const char *name)
{
  g_autofree char *path = g_strconcat ("signals.", name, NULL);

  return clq_view_has (view, path);
}

static gboolean
is_by_user (const ClqEvent *event)
{
  return event != NULL && clq_event_get_role (event) == CLQ_ROLE_USER;
}

static gboolean
test_from_user (gpointer self, ClqView *view, const ClqEvent *event)
{
  return is_by_user (event);
}

static gboolean
test_gives_up (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "idle");
}

static gboolean
test_new_goal (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "goal");
}

static gboolean
test_go_ahead (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "go-ahead") && !has_signal (view, "reservation");
}

static gboolean
test_approves (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "approval") && !has_signal (view, "reservation");
}

static gboolean
test_all_info (gpointer self, ClqView *view, const ClqEvent *event)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");

  return goals_is_known (&goal);
}

static gboolean
test_too_many_turns (gpointer self, ClqView *view, const ClqEvent *event)
{
  return clq_view_get_int (view, "understandingTurns") > ((Tracker *) self)->maxUnderstandingTurns;
}

static gboolean
test_starts (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "start");
}

static gboolean
test_artifact (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "artifact");
}

static gboolean
test_done (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "done");
}

static gboolean
test_wants_change (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "change") || (has_signal (view, "reservation") && has_signal (view, "satisfaction"));
}

static gboolean
test_satisfied (gpointer self, ClqView *view, const ClqEvent *event)
{
  return has_signal (view, "satisfaction");
}

static const ClqPredicate predicates[] = {
  { "from-user", "the message is one of the user", test_from_user, FALSE },
  { "gives-up", "the user leaves, or lets the goal go: never mind, bye", test_gives_up, FALSE },
  { "states-goal", "the user states a goal", test_new_goal, FALSE },
  { "says-go-ahead", "the user wants the work to begin: go ahead", test_go_ahead, FALSE },
  { "approves", "the user agrees: sounds good", test_approves, FALSE },
  { "has-all-info", "there is a goal, and all that it needs is known", test_all_info, TRUE },
  { "too-many-turns", "there were more messages in understanding than maxUnderstandingTurns", test_too_many_turns, TRUE },
  { "starts-work", "the assistant begins: I'll create", test_starts, FALSE },
  { "makes-artifact", "the message of the assistant holds an artifact", test_artifact, FALSE },
  { "says-done", "the assistant has finished: done", test_done, FALSE },
  { "wants-change", "the user wants the result to be different", test_wants_change, FALSE },
  { "satisfied", "the user likes the result: perfect", test_satisfied, FALSE },
  { NULL },
};

/* ---- the rest ---- */

static char *
tracker_describe (gpointer self, ClqView *view)
{
  return goals_dup_summary (view);
}

/* The goal and what is missing; the phase is the state. */
static char *
tracker_headline (gpointer self, ClqView *view)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  g_autofree char *description = goal.type == CLQ_JSON_OBJECT ? clq_view_dup_string (view, "currentGoal.description") : NULL;
  g_autofree char *missing = goal.type == CLQ_JSON_OBJECT ? goals_dup_missing (&goal) : NULL;

  if (description == NULL)
    return NULL;
  return missing != NULL ? g_strdup_printf ("%s · missing: %s", description, missing) : g_steal_pointer (&description);
}

const ClqModalityInfo goals_tracker = {
  CLQ_MODALITY_INFO,
  .name = "tracker",
  .summary = "Follows goals through a conversation: what is wanted, what is missing, what was done",
  .settings = settings,
  .self_size = sizeof (Tracker),
  .init = tracker_init,
  .clear = tracker_clear,
  .predicates = predicates,
  .fields = (const char *const[]){ "phase", "currentGoal", "completedGoals", "olderGoals", "goalCount", "turnCount", "understandingTurns", "lastUserMessageAt", "signals", "artifacts", NULL },
  .open = tracker_open,
  .apply = tracker_apply,
  .arrive = tracker_arrive,
  .describe = tracker_describe,
  .headline = tracker_headline,
};
