/* Branches, checkpoints and going back. Tips of branches and checkpoints are marks in the journal. */
#include "chat.h"

#define MAX_TURNS_BACK G_MAXINT32

/* ---- the list of branches ---- */

/* The branches with one of them set anew; @from < 0 leaves where it was forked as it is. */
static char *
dup_branches_with (const ChatStep *step, const ClqJsonSpan *branches, const char *name, gint64 from, gint64 turns)
{
  g_autoptr (GString) out = g_string_new (NULL);
  ClqJsonSpan known = chat_find_key (branches, name), key, value;
  ClqJsonSpan forked = known.type == CLQ_JSON_OBJECT ? clq_json_find (known.start, (gssize) known.length, "turn") : known;
  ClqJsonIter iter;
  g_autofree char *entry = g_strdup_printf ("{\"turn\":%" G_GINT64_FORMAT ",\"turns\":%" G_GINT64_FORMAT "}",
                                            from >= 0 ? from : clq_json_span_get_int (&forked), turns);

  if (branches->type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, branches))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        g_autofree char *other = clq_json_span_dup_string (&key);
        g_autofree char *json = chat_dup_span (&value, NULL);

        chat_add_json (out, other, strcmp (other, name) == 0 ? entry : json);
      }
  if (known.type == CLQ_JSON_NONE)
    chat_add_json (out, name, entry);
  g_string_append_c (out, '}');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gint64
get_turns (const ChatStep *step)
{
  return clq_view_get_int (step->view, "turnCount");
}

static char *
dup_branch (const ChatStep *step)
{
  char *branch = clq_view_dup_string (step->view, "branch");

  return branch != NULL ? branch : g_strdup ("main");
}

static gboolean
has_branch (const ChatStep *step, const char *name)
{
  ClqJsonSpan branches = clq_view_find (step->view, "branches");

  return chat_find_key (&branches, name).type != CLQ_JSON_NONE;
}

/* Whether there is such a branch; if not, says which there are. */
gboolean
chat_find_branch (const ChatStep *step, const char *name, GError **error)
{
  ClqJsonSpan branches = clq_view_find (step->view, "branches");
  g_auto (GStrv) names = chat_dup_keys (&branches);
  g_autofree char *hint = NULL;

  if (name == NULL)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "%s: expected 'branch', a text", clq_event_get_name (step->event));
  if (g_strv_contains ((const char *const *) names, name))
    return TRUE;
  hint = clq_did_you_mean (name, (const char *const *) names);
  return chat_refuse (error, CLQ_INPUT_ERROR_NOT_FOUND, "there is no branch '%s'%s", name, hint);
}

static void
set_result_branch (const ChatStep *step, const char *branch, gint64 turn)
{
  g_autoptr (GString) result = g_string_new (NULL);

  chat_add_text (result, "branch", branch);
  if (turn >= 0)
    chat_add_number (result, "turn", turn);
  g_string_append_c (result, '}');
  clq_change_set_result (step->change, result->str);
}

/* ---- fork ---- */

static char *
dup_free_name (const ChatStep *step)
{
  char *name = g_strdup_printf ("branch-%" G_GINT64_FORMAT, get_turns (step));

  for (guint i = 2; has_branch (step, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("branch-%" G_GINT64_FORMAT "-%u", get_turns (step), i);
    }
  return name;
}

gboolean
chat_fork (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "name", NULL };
  ClqJsonSpan branches = clq_view_find (step->view, "branches");
  g_auto (GStrv) names = chat_dup_keys (&branches);
  g_autofree char *name = NULL;
  g_autoptr (GString) fork = g_string_new (NULL);

  if (!chat_expect (step, members, error) || !chat_get_name (step, "name", &name, error))
    return FALSE;
  if (name != NULL && has_branch (step, name))
    return chat_refuse (error, CLQ_INPUT_ERROR_REFUSED, "there is a branch '%s' already; expected another name", name);
  if (g_strv_length (names) >= (guint) step->chat->max_branches)
    return chat_refuse (error, CLQ_INPUT_ERROR_LIMIT, "there are %u branches; max-branches allows no more", g_strv_length (names));
  if (name == NULL)
    name = dup_free_name (step);
  chat_add_text (fork, "branch", name);
  chat_add_number (fork, "turn", get_turns (step));
  g_string_append_c (fork, '}');
  clq_change_set_json (step->change, "fork", fork->str);
  set_result_branch (step, name, get_turns (step));
  return TRUE;
}

/* The place that is left is the tip of the old branch. */
gboolean
chat_confirm_fork (const ChatStep *step, GError **error)
{
  ClqJsonSpan branches = clq_view_find (step->view, "branches");
  g_autofree char *old = dup_branch (step);
  g_autofree char *name = clq_view_dup_string (step->view, "fork.branch");
  g_autofree char *mark = chat_dup_mark (step->view, "branch", old);
  g_autofree char *left = dup_branches_with (step, &branches, old, -1, get_turns (step));
  g_autofree char *all = NULL;
  ClqJsonSpan known = clq_json_span (left, -1);

  if (name == NULL)
    {
      set_result_branch (step, old, -1);
      return TRUE;
    }
  all = dup_branches_with (step, &known, name, get_turns (step), get_turns (step));
  clq_change_mark (step->change, mark);
  clq_change_fork (step->change);
  clq_change_unset (step->change, "fork");
  clq_change_set_string (step->change, "branch", name);
  clq_change_set_json (step->change, "branches", all);
  set_result_branch (step, name, -1);
  return TRUE;
}

gboolean
chat_cancel_fork (const ChatStep *step, GError **error)
{
  g_autofree char *name = clq_view_dup_string (step->view, "fork.branch");

  clq_change_unset (step->change, "fork");
  set_result_branch (step, name, -1);
  return TRUE;
}

/* ---- switch ---- */

gboolean
chat_switch (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "branch", NULL };
  ClqJsonSpan branches = clq_view_find (step->view, "branches");
  g_autofree char *name = NULL, *old = dup_branch (step), *all = NULL;
  g_autofree char *left = chat_dup_mark (step->view, "branch", old), *wanted = NULL;

  if (!chat_expect (step, members, error) || !chat_get_text (step, "branch", &name, error) || !chat_find_branch (step, name, error))
    return FALSE;
  if (strcmp (name, old) == 0)
    return TRUE;
  all = dup_branches_with (step, &branches, old, -1, get_turns (step));
  wanted = chat_dup_mark (step->view, "branch", name);
  clq_change_mark (step->change, left);
  clq_change_go_to_mark (step->change, wanted);
  chat_carry (step);
  clq_change_set_string (step->change, "branch", name);
  clq_change_set_json (step->change, "branches", all);
  return TRUE;
}

void
chat_arrive_switch (const ChatStep *step)
{
  g_autofree char *branch = dup_branch (step);

  set_result_branch (step, branch, get_turns (step));
}

/* ---- checkpoints ---- */

/* The newest checkpoints, of which there may be so many in the data; the others are found by their marks alone. */
static char *
dup_checkpoints_with (const ChatStep *step, const char *name)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *branch = dup_branch (step), *at = clq_time_print (clq_view_get_now (step->view));
  ClqJsonSpan known = clq_view_find (step->view, "checkpoints");
  g_auto (GStrv) names = chat_dup_keys (&known);
  guint n = g_strv_length (names), max = (guint) step->chat->max_checkpoints;
  g_autoptr (GString) entry = g_string_new (NULL);

  for (guint i = n >= max ? n - max + 1 : 0; i < n; i++)
    {
      ClqJsonSpan value = chat_find_key (&known, names[i]);
      g_autofree char *json = chat_dup_span (&value, NULL);

      if (strcmp (names[i], name) != 0)
        chat_add_json (out, names[i], json);
    }
  chat_add_number (entry, "turn", get_turns (step));
  chat_add_text (entry, "branch", branch);
  chat_add_text (entry, "at", at);
  g_string_append_c (entry, '}');
  chat_add_json (out, name, entry->str);
  g_string_append_c (out, '}');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* A name that is used again stands for the new place. */
gboolean
chat_checkpoint (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "name", NULL };
  gint64 count = clq_view_get_int (step->view, "checkpointCount") + 1;
  g_autofree char *name = NULL, *mark = NULL, *all = NULL;
  g_autoptr (GString) result = g_string_new (NULL);

  if (!chat_expect (step, members, error) || !chat_get_name (step, "name", &name, error))
    return FALSE;
  if (name == NULL)
    name = g_strdup_printf ("checkpoint-%" G_GINT64_FORMAT, count);
  mark = chat_dup_mark (step->view, "checkpoint", name);
  all = dup_checkpoints_with (step, name);
  clq_change_set_json (step->change, "checkpoints", all);
  clq_change_set_int (step->change, "checkpointCount", count);
  clq_change_mark (step->change, mark);
  chat_add_text (result, "checkpoint", name);
  chat_add_number (result, "turn", get_turns (step));
  g_string_append_c (result, '}');
  clq_change_set_result (step->change, result->str);
  return TRUE;
}

/* ---- rewind ---- */

static gboolean
get_turns_back (const ChatStep *step, gint64 *back, GError **error)
{
  ClqJsonSpan span = chat_find (step, "turns");
  double value = span.type > CLQ_JSON_NULL ? clq_json_span_get_double (&span) : 1;

  if ((span.type > CLQ_JSON_NULL && span.type != CLQ_JSON_NUMBER) || value < 1 || value > MAX_TURNS_BACK || value != (double) (gint64) value)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "rewind: turns: expected a number from 1 on");
  *back = (gint64) value;
  if (*back > get_turns (step))
    return chat_refuse (error, CLQ_INPUT_ERROR_REFUSED, "cannot rewind %" G_GINT64_FORMAT " turns: there are %" G_GINT64_FORMAT, *back, get_turns (step));
  return TRUE;
}

gboolean
chat_rewind (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "turns", "checkpoint", NULL };
  g_autofree char *checkpoint = NULL;
  gint64 back = 0;

  if (!chat_expect (step, members, error) || !chat_get_text (step, "checkpoint", &checkpoint, error))
    return FALSE;
  if (checkpoint != NULL && chat_find (step, "turns").type > CLQ_JSON_NULL)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "rewind: expected either 'turns' or 'checkpoint'");
  if (checkpoint != NULL)
    {
      g_autofree char *mark = chat_dup_mark (step->view, "checkpoint", checkpoint);

      clq_change_go_to_mark (step->change, mark);
      chat_carry (step);
      return TRUE;
    }
  if (!get_turns_back (step, &back, error))
    return FALSE;
  clq_change_go_back (step->change, (guint) back);
  chat_carry (step);
  clq_change_set_int (step->change, "rewind.turn", get_turns (step) - back);
  clq_change_set_int (step->change, "rewind.entries", clq_view_get_int (step->view, "context.entries"));
  return TRUE;
}

/*
 * The data are now those of the place. A place inside of what was merged has none of its own: they are those of before
 * the merge then, and what was merged and is still there counts as not yet seen by any summary.
 */
void
chat_arrive_rewind (const ChatStep *step)
{
  ClqView *view = step->view;
  gint64 turn = clq_view_get_int (view, "rewind.turn");
  gint64 entries = clq_view_get_int (view, "context.entries");
  gint64 more = MAX (clq_view_get_int (view, "rewind.entries") - entries, 0);

  if (!clq_view_has (view, "rewind"))
    {
      chat_set_result_turn (step->change, get_turns (step));
      return;
    }
  if (turn != get_turns (step))
    {
      clq_change_set_int (step->change, "turnCount", turn);
      clq_change_set_int (step->change, "context.entries", entries + more);
      clq_change_set_int (step->change, "context.fresh", clq_view_get_int (view, "context.fresh") + more);
    }
  clq_change_unset (step->change, "rewind");
  chat_set_result_turn (step->change, turn);
}
