/* Where the conversation stands, as a text for prompts and people. */
#include "goals.h"

static char *
dup_text (const ClqJsonSpan *object, const char *member)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, member);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : g_strdup ("");
}

static void
add_info (GString *out, const ClqJsonSpan *goal)
{
  ClqJsonSpan list = clq_json_find (goal->start, (gssize) goal->length, "requiredInfo"), info;
  ClqJsonIter iter;
  gboolean is_first = TRUE;

  if (list.type != CLQ_JSON_ARRAY)
    return;
  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &info))
    {
      g_autofree char *name = dup_text (&info, "name");
      g_autofree char *description = dup_text (&info, "description");
      g_autofree char *status = dup_text (&info, "status");

      if (is_first)
        g_string_append (out, "  Required Information:\n");
      is_first = FALSE;
      g_string_append_printf (out, "    %s %s: %s\n", strcmp (status, "provided") == 0 ? "✓" : "?", name, description);
    }
}

static gint64
count_finished (ClqView *view)
{
  ClqJsonSpan list = clq_view_find (view, "completedGoals"), goal;
  gint64 n = clq_view_get_int (view, "olderGoals");
  ClqJsonIter iter;

  if (list.type != CLQ_JSON_ARRAY)
    return n;
  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &goal))
    n++;
  return n;
}

/* Sections that would be empty are left out. */
char *
goals_dup_summary (ClqView *view)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  gint64 n_finished = count_finished (view);
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "Conversation Phase: %s\nTurn Count: %" G_GINT64_FORMAT "\n", clq_view_get_state (view),
                          clq_view_get_int (view, "turnCount"));
  if (goal.type == CLQ_JSON_OBJECT)
    {
      g_autofree char *type = dup_text (&goal, "type");
      g_autofree char *description = dup_text (&goal, "description");

      g_string_append_printf (out, "\nCurrent Goal:\n  Type: %s\n  Description: %s\n", type, description);
      add_info (out, &goal);
    }
  if (n_finished > 0)
    g_string_append_printf (out, "\nCompleted Goals: %" G_GINT64_FORMAT "\n", n_finished);
  g_string_truncate (out, out->len - 1);
  return g_strdup (out->str);
}
