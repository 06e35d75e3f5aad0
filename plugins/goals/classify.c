/* An agent says which goal a message states and what it tells about it. */
#include "assistant.h"

const char *const goals_classify_names[] = { "types", "summary", "message", NULL };

static gboolean
is_detect (ClqView *view, const char *how)
{
  return g_strcmp0 (clq_view_get_setting (view, "detect"), how) == 0;
}

/* Where goals are found, and where something is missing. Who leaves is not asked what for. */
gboolean
goals_wants_classifier (ClqVisit *visit)
{
  static const char *const phases[] = { "greeting", "understanding", "completed", NULL };
  ClqView *view = clq_visit_get_view (visit);
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  const char *phase = clq_view_get_state (view);

  if ((!is_detect (view, "agent") && !is_detect (view, "both")) || clq_view_has (view, "signals.idle"))
    return FALSE;
  return g_strv_contains (phases, phase) ||
         (strcmp (phase, "planning") == 0 && goal.type == CLQ_JSON_OBJECT && !goals_is_known (&goal));
}

/* ---- types of goals, from the lists of words ---- */

typedef gboolean (*TypeFunc) (const ClqJsonSpan *name, const ClqJsonSpan *type, gpointer user_data);

/* Until @func says that it has seen enough; whether it has. */
static gboolean
each_type (ClqView *view, TypeFunc func, gpointer user_data)
{
  static const char *const lists[] = { "words", "more-words" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const char *json = clq_view_get_setting (view, lists[i]);
      ClqJsonSpan types = json != NULL ? clq_json_find (json, -1, "goals") : (ClqJsonSpan){ 0 }, key, value;
      ClqJsonIter iter;

      if (types.type != CLQ_JSON_OBJECT)
        continue;
      clq_json_iter_init (&iter, &types);
      while (clq_json_iter_next (&iter, &key, &value))
        if (func (&key, &value, user_data))
          return TRUE;
    }
  return FALSE;
}

static gboolean
is_same (const ClqJsonSpan *name, const ClqJsonSpan *type, gpointer user_data)
{
  return clq_json_span_string_equal (name, user_data);
}

/* The description of a field comes with it where it is read first, as in the lexicon. */
static gboolean
add_type (const ClqJsonSpan *key, const ClqJsonSpan *type, gpointer user_data)
{
  GString *out = user_data;
  g_autofree char *name = clq_json_span_dup_string (key);
  g_autofree char *line = g_strconcat ("- ", name, "\n", NULL);
  ClqJsonSpan info = clq_json_find (type->start, (gssize) type->length, "info"), field, value;
  ClqJsonIter iter;

  if (strstr (out->str, line) != NULL)
    return FALSE;
  g_string_append (out, line);
  if (info.type != CLQ_JSON_OBJECT)
    return FALSE;
  clq_json_iter_init (&iter, &info);
  while (clq_json_iter_next (&iter, &field, &value))
    {
      g_autofree char *field_name = clq_json_span_dup_string (&field);
      ClqJsonSpan about = clq_json_find (value.start, (gssize) value.length, "description");
      g_autofree char *description = about.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&about) : g_strdup (field_name);

      g_string_append_printf (out, "    %s: %s\n", field_name, description);
    }
  return FALSE;
}

/* ---- what it answers ---- */

/* The answer, if it is one: an object with a type that there is, or none, and fields. */
static char *
read_answer (ClqView *view, const char *text)
{
  g_autofree char *json = clq_json_extract (text, CLQ_JSON_OBJECT);
  ClqJsonSpan goal = json != NULL ? clq_json_find (json, -1, "goal") : (ClqJsonSpan){ 0 };
  ClqJsonSpan fields = json != NULL ? clq_json_find (json, -1, "fields") : (ClqJsonSpan){ 0 };
  g_autofree char *type = goal.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&goal) : NULL;
  g_autofree char *description = json != NULL ? clq_json_find_string (json, "description") : NULL;
  g_autofree char *known = fields.type == CLQ_JSON_OBJECT ? g_strndup (fields.start, fields.length) : NULL;
  g_autoptr (GString) payload = g_string_new ("{}");

  if ((goal.type == CLQ_JSON_NONE && fields.type == CLQ_JSON_NONE) || (goal.type > CLQ_JSON_NULL && type == NULL) ||
      (type != NULL && !each_type (view, is_same, type)) || (fields.type > CLQ_JSON_NULL && known == NULL))
    return NULL;
  /* What the words have found already is not found again. */
  if (type != NULL && !clq_view_has (view, "signals.goal"))
    {
      goals_set_text (payload, "goal", type);
      goals_set_text (payload, "description", description != NULL && *description != '\0' ? description : type);
    }
  if (known != NULL)
    clq_json_set (payload, "fields", known);
  return g_strdup (payload->str);
}

/* Whatever goes wrong, the conversation goes on with what the words say. */
static void
on_classified (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  ClqView *view = clq_visit_get_view (visit);
  const GError *error = clq_call_get_error (call);
  g_autofree char *payload = error == NULL ? read_answer (view, clq_call_get_text (call)) : NULL;
  g_autoptr (GString) instead = g_string_new ("{}");

  if (payload == NULL)
    {
      clq_change_warn (clq_visit_get_change (visit), "the message was understood by words alone: %s",
                       error != NULL ? error->message : "the classifier's answer cannot be read");
      if (is_detect (view, "agent"))
        goals_set_text (instead, "unread", clq_visit_get_text (visit));
    }
  clq_visit_finish_with (visit, "detected", payload != NULL ? payload : instead->str);
}

void
goals_ask_classifier (const GoalsAssistant *self, ClqVisit *visit)
{
  ClqView *view = clq_visit_get_view (visit);
  g_autoptr (ClqPrompt) prompt = clq_prompt_new ();
  g_autoptr (GString) types = g_string_new (NULL);
  g_autofree char *summary = goals_dup_summary (view);
  g_autofree char *text = NULL, *request = NULL;

  each_type (view, add_type, types);
  text = clq_template_expand (self->classify, goals_classify_names, (const char *const[]){ types->str, summary, clq_visit_get_text (visit) }, NULL);
  g_return_if_fail (text != NULL); /* it was checked when the graph was loaded */
  clq_prompt_add (prompt, CLQ_ROLE_USER, text);
  request = clq_prompt_finish (g_steal_pointer (&prompt));
  clq_visit_call_agent (visit, "classify", *self->classifier != '\0' ? self->classifier : self->agent, request, FALSE, on_classified, NULL);
}
