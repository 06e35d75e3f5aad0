/* What the agent is asked: who it is, what was said, where the conversation stands and what is to be done now. */
#include "assistant.h"

const char *const goals_prompt_names[GOALS_N_PARTS + 1] = {
  [GOALS_PART_PHASE] = "phase",
  [GOALS_PART_SUMMARY] = "summary",
  [GOALS_PART_GOAL] = "goal",
  [GOALS_PART_TYPE] = "type",
  [GOALS_PART_KNOWN] = "known",
  [GOALS_PART_FIELD] = "field",
  [GOALS_PART_QUESTION] = "question",
  [GOALS_PART_DIRECT] = "direct",
  [GOALS_PART_READY] = "ready",
  [GOALS_PART_LAST] = "last",
  [GOALS_PART_MESSAGE] = "message",
};

typedef struct
{
  char *values[GOALS_N_PARTS + 1];
} Parts;

static void
parts_clear (Parts *self)
{
  for (guint i = 0; i < GOALS_N_PARTS; i++)
    g_free (self->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* What stands in the lists of words for a field; NULL if nothing does. */
static char *
find_question (ClqView *view, const char *type, const char *field)
{
  static const char *const keys[] = { "words", "more-words" };
  g_autofree char *path = g_strdup_printf ("goals.%s.info.%s.question", type, field);
  char *question = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (keys) && question == NULL; i++)
    {
      const char *json = clq_view_get_setting (view, keys[i]);

      question = json != NULL ? clq_json_find_string (json, path) : NULL;
    }
  return question;
}

/* What is known of the goal, one line each. */
static char *
dup_known (const ClqJsonSpan *goal)
{
  GString *out = g_string_new (NULL);
  ClqJsonSpan list = clq_json_find (goal->start, (gssize) goal->length, "requiredInfo"), info;
  ClqJsonIter iter;

  if (list.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &list))
    while (clq_json_iter_next (&iter, NULL, &info))
      {
        ClqJsonSpan name = clq_json_find (info.start, (gssize) info.length, "description");
        ClqJsonSpan value = clq_json_find (info.start, (gssize) info.length, "value");
        g_autofree char *left = name.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&name) : NULL;
        g_autofree char *right = value.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&value) : NULL;

        if (left != NULL && right != NULL)
          g_string_append_printf (out, "%s%s: %s", out->len > 0 ? "\n" : "", left, right);
      }
  return g_string_free (out, FALSE);
}

/* Whether the next message ends understanding, whatever is missing: there is no use in asking any more. */
gboolean
goals_is_last_turn (ClqView *view)
{
  const char *max = clq_view_get_setting (view, "maxUnderstandingTurns");

  return strcmp (clq_view_get_state (view), "understanding") == 0 &&
         clq_view_get_int (view, "understandingTurns") >= (max != NULL ? g_ascii_strtoll (max, NULL, 10) : GOALS_MAX_TURNS);
}

/* With a part that there is not, `{{#if}}` leaves out what is said about it. */
static void
collect_parts (ClqView *view, const char *message, Parts *parts)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  gboolean has_goal = goal.type == CLQ_JSON_OBJECT, is_last = goals_is_last_turn (view);
  g_autofree char *description = NULL;
  g_autofree char *field = has_goal ? goals_find_missing (&goal, &description) : NULL;
  char *type = has_goal ? clq_view_dup_string (view, "currentGoal.type") : NULL;

  parts->values[GOALS_PART_PHASE] = g_strdup (clq_view_get_state (view));
  parts->values[GOALS_PART_SUMMARY] = goals_dup_summary (view);
  parts->values[GOALS_PART_GOAL] = has_goal ? clq_view_dup_string (view, "currentGoal.description") : NULL;
  parts->values[GOALS_PART_TYPE] = type;
  parts->values[GOALS_PART_KNOWN] = has_goal ? dup_known (&goal) : NULL;
  parts->values[GOALS_PART_LAST] = is_last ? g_strdup (description) : NULL;
  parts->values[GOALS_PART_FIELD] = is_last ? NULL : g_steal_pointer (&description);
  parts->values[GOALS_PART_QUESTION] = field != NULL && !is_last && type != NULL ? find_question (view, type, field) : NULL;
  parts->values[GOALS_PART_DIRECT] = g_strdup (has_goal && goals_needs_nothing (&goal) ? "yes" : NULL);
  parts->values[GOALS_PART_READY] = g_strdup (has_goal && field == NULL && !goals_needs_nothing (&goal) ? "yes" : NULL);
  parts->values[GOALS_PART_MESSAGE] = g_strdup (message);
}

static char *
dup_text (const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, (gssize) length, "text");

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

/* How many of the newest records the window has room for; the last message of the user is found on the way. */
static guint
fit_window (const GoalsAssistant *self, ClqRecord *const *records, guint n_records, char **message)
{
  gint64 size = 0;
  guint n_shown = 0;

  for (guint i = 0; i < n_records; i++)
    {
      g_autofree char *text = dup_text (records[i]);

      size += text != NULL ? g_utf8_strlen (text, -1) : 0;
      if (size <= self->window || i == 0)
        n_shown = i + 1;
      if (*message == NULL && clq_record_get_role (records[i]) == CLQ_ROLE_USER)
        *message = g_steal_pointer (&text);
    }
  return n_shown;
}

/*
 * The request, from the newest records on. The instruction comes last, as if the user gave it: a model that was the last to
 * speak would not know that it is to go on.
 */
char *
goals_dup_request (const GoalsAssistant *self, ClqView *view, ClqRecord *const *records, guint n_records, GError **error)
{
  g_autoptr (ClqPrompt) prompt = clq_prompt_new ();
  g_autofree char *message = NULL, *system = NULL, *instruction = NULL;
  guint n_shown = fit_window (self, records, n_records, &message);
  g_auto (Parts) parts = { 0 };

  collect_parts (view, message, &parts);
  system = clq_template_expand (self->system, goals_prompt_names, (const char *const *) parts.values, error);
  if (system == NULL)
    return NULL;
  instruction = clq_template_expand (self->prompt, goals_prompt_names, (const char *const *) parts.values, error);
  if (instruction == NULL)
    return NULL;
  if (*system != '\0')
    clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, system);
  for (guint i = n_shown; i > 0; i--)
    {
      g_autofree char *text = dup_text (records[i - 1]);

      if (text != NULL && *text != '\0')
        clq_prompt_add (prompt, clq_record_get_role (records[i - 1]), text);
    }
  clq_prompt_add (prompt, CLQ_ROLE_USER, instruction);
  return clq_prompt_finish (g_steal_pointer (&prompt));
}
