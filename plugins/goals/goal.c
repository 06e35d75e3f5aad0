/* Goals as they stand in the data of a session. */
#include "goals.h"

/* Goals that are over leave the data, oldest first, when there are more; they stay in the journal. */
#define MAX_FINISHED 32
#define MAX_FINISHED_SIZE (24 * 1024)

/* Sets a text inside a JSON text; NULL is null. */
void
goals_set_text (GString *json, const char *path, const char *text)
{
  g_autofree char *quoted = text != NULL ? clq_json_quote (text) : g_strdup ("null");

  clq_json_set (json, path, quoted);
}

static void
set_time (GString *json, const char *path, gint64 time)
{
  g_autofree char *text = clq_time_print (time);

  goals_set_text (json, path, text);
}

gboolean
goals_has_goal (ClqView *view)
{
  return clq_view_find (view, "currentGoal").type == CLQ_JSON_OBJECT;
}

/* ---- a new one ---- */

/* Nothing is known of it yet. */
char *
goals_new_goal (const GoalsFound *found, gint64 number, gint64 now)
{
  g_autoptr (GString) goal = g_string_new ("{}");
  g_autofree char *id = g_strdup_printf ("goal-%" G_GINT64_FORMAT, number);

  goals_set_text (goal, "id", id);
  goals_set_text (goal, "type", found->type->name);
  goals_set_text (goal, "description", found->description);
  goals_set_text (goal, "status", "active");
  clq_json_set (goal, "requiredInfo", "[]");
  for (guint i = 0; i < found->type->fields->len; i++)
    {
      const GoalsField *field = g_ptr_array_index (found->type->fields, i);
      g_autoptr (GString) info = g_string_new ("{}");

      goals_set_text (info, "name", field->name);
      goals_set_text (info, "description", field->description);
      goals_set_text (info, "status", "unknown");
      clq_json_set (info, "value", "null");
      clq_json_set (goal, "requiredInfo.-", info->str);
    }
  set_time (goal, "createdAt", now);
  clq_json_set (goal, "completedAt", "null");
  return g_strdup (goal->str);
}

/* ---- its required information ---- */

/* The place of a field in the list, -1 if the goal does not need it; its status, if asked for. */
static int
find_field (const char *goal, const char *name, char **status)
{
  ClqJsonSpan list = clq_json_find (goal, -1, "requiredInfo"), info;
  ClqJsonIter iter;

  if (list.type != CLQ_JSON_ARRAY)
    return -1;
  clq_json_iter_init (&iter, &list);
  for (int i = 0; clq_json_iter_next (&iter, NULL, &info); i++)
    {
      ClqJsonSpan own = clq_json_find (info.start, (gssize) info.length, "name");
      ClqJsonSpan state = clq_json_find (info.start, (gssize) info.length, "status");

      if (own.type != CLQ_JSON_STRING || !clq_json_span_string_equal (&own, name))
        continue;
      if (status != NULL)
        *status = state.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&state) : g_strdup ("unknown");
      return i;
    }
  return -1;
}

static void
set_info (GString *goal, int index, const char *member, const char *text)
{
  g_autofree char *path = g_strdup_printf ("requiredInfo.%d.%s", index, member);

  goals_set_text (goal, path, text);
}

/* Whether the goal needs the field and did not know it. */
gboolean
goals_set_value (GString *goal, const char *name, const char *value)
{
  g_autofree char *status = NULL;
  int index = find_field (goal->str, name, &status);

  if (index < 0 || strcmp (status, "provided") == 0)
    return FALSE;
  set_info (goal, index, "status", "provided");
  set_info (goal, index, "value", value);
  return TRUE;
}

gboolean
goals_mark_asked (GString *goal, const char *name)
{
  g_autofree char *status = NULL;
  int index = find_field (goal->str, name, &status);

  if (index < 0 || strcmp (status, "unknown") != 0)
    return FALSE;
  set_info (goal, index, "status", "asked");
  return TRUE;
}

/* Takes from a message what is still missing; whether there was something. */
gboolean
goals_fill_goal (GString *goal, const GoalsType *type, const char *text)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < type->fields->len; i++)
    {
      const GoalsField *field = g_ptr_array_index (type->fields, i);
      g_autofree char *value = goals_find_value (field, text);

      changed = (value != NULL && goals_set_value (goal, field->name, value)) || changed;
    }
  return changed;
}

/* The first field that is missing; one that nobody has asked for comes first. NULL if all is known. */
char *
goals_find_missing (const ClqJsonSpan *goal, char **description)
{
  ClqJsonSpan list = clq_json_find (goal->start, (gssize) goal->length, "requiredInfo"), info, found = { 0 };
  ClqJsonIter iter;

  if (list.type != CLQ_JSON_ARRAY)
    return NULL;
  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &info))
    {
      ClqJsonSpan status = clq_json_find (info.start, (gssize) info.length, "status");
      gboolean is_asked = clq_json_span_string_equal (&status, "asked");

      if (clq_json_span_string_equal (&status, "provided") || (is_asked && found.type != CLQ_JSON_NONE))
        continue;
      found = info;
      if (!is_asked)
        break;
    }
  if (found.type == CLQ_JSON_NONE)
    return NULL;
  if (description != NULL)
    {
      ClqJsonSpan text = clq_json_find (found.start, (gssize) found.length, "description");

      *description = text.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&text) : NULL;
    }
  list = clq_json_find (found.start, (gssize) found.length, "name");
  return list.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&list) : NULL;
}

/* The names of all that is missing, NULL if nothing is. */
char *
goals_dup_missing (const ClqJsonSpan *goal)
{
  ClqJsonSpan list = clq_json_find (goal->start, (gssize) goal->length, "requiredInfo"), info;
  g_autoptr (GString) out = g_string_new (NULL);
  ClqJsonIter iter;

  if (list.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &list))
    while (clq_json_iter_next (&iter, NULL, &info))
      {
        ClqJsonSpan name = clq_json_find (info.start, (gssize) info.length, "name");
        ClqJsonSpan status = clq_json_find (info.start, (gssize) info.length, "status");
        g_autofree char *text = name.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&name) : NULL;

        if (text != NULL && !clq_json_span_string_equal (&status, "provided"))
          g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", text);
      }
  return out->len > 0 ? g_strdup (out->str) : NULL;
}

/* Whether nothing is missing. A goal that needs nothing has all it needs; no goal has not. */
gboolean
goals_is_known (const ClqJsonSpan *goal)
{
  g_autofree char *missing = goal->type == CLQ_JSON_OBJECT ? goals_find_missing (goal, NULL) : NULL;

  return goal->type == CLQ_JSON_OBJECT && missing == NULL;
}

/* Whether there is nothing that could be missing: a question, for example. */
gboolean
goals_needs_nothing (const ClqJsonSpan *goal)
{
  ClqJsonSpan list = clq_json_find (goal->start, (gssize) goal->length, "requiredInfo"), info;
  ClqJsonIter iter;

  return list.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &list) || !clq_json_iter_next (&iter, NULL, &info);
}

/* ---- its end ---- */

/* The list with one goal more, and without the oldest that have no room any more; how many those are. */
static char *
join_finished (const ClqJsonSpan *list, const char *goal, gint64 *n_dropped)
{
  g_autoptr (GPtrArray) goals = g_ptr_array_new_with_free_func (g_free);
  gsize size = 0;
  ClqJsonSpan item;
  ClqJsonIter iter;
  guint first;
  g_autofree char *joined = NULL;

  if (list->type == CLQ_JSON_ARRAY)
    {
      clq_json_iter_init (&iter, list);
      while (clq_json_iter_next (&iter, NULL, &item))
        g_ptr_array_add (goals, g_strndup (item.start, item.length));
    }
  g_ptr_array_add (goals, g_strdup (goal));
  for (first = goals->len; first > 0 && goals->len - first < MAX_FINISHED; first--)
    {
      size += strlen (g_ptr_array_index (goals, first - 1)) + 1;
      if (size > MAX_FINISHED_SIZE && first < goals->len)
        break;
    }
  *n_dropped = first;
  g_ptr_array_add (goals, NULL);
  joined = g_strjoinv (",", (char **) goals->pdata + first);
  return g_strconcat ("[", joined, "]", NULL);
}

/* The goal is over: in the data among those that are, in the journal as something that can be found again. */
void
goals_finish_goal (ClqView *view, const char *goal, const char *status, const char *reason, ClqChange *change)
{
  ClqJsonSpan finished = clq_view_find (view, "completedGoals");
  g_autofree char *description = clq_json_find_string (goal, "description");
  g_autofree char *text = g_strdup_printf ("Goal %s: %s", status, description != NULL ? description : "");
  g_autoptr (GString) over = g_string_new (goal), record = g_string_new ("{}");
  g_autofree char *list = NULL;
  gint64 n_dropped = 0;

  goals_set_text (over, "status", status);
  set_time (over, "completedAt", clq_view_get_now (view));
  if (reason != NULL)
    goals_set_text (over, "reason", reason);
  list = join_finished (&finished, over->str, &n_dropped);
  clq_change_set_json (change, "completedGoals", list);
  if (n_dropped > 0)
    clq_change_set_int (change, "olderGoals", clq_view_get_int (view, "olderGoals") + n_dropped);
  goals_set_text (record, "text", text);
  clq_json_set (record, "goal", over->str);
  clq_change_append (change, CLQ_RECORD_CONTEXT, CLQ_ROLE_SYSTEM, record->str);
}
