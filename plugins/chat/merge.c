/* Merging: another branch becomes part of this one. */
#include "chat.h"

static const char *const strategies[] = { "append-branch", "sequential", "interleave", NULL };

/* ---- merge ---- */

gboolean
chat_merge (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "branch", "strategy", NULL };
  g_autofree char *name = NULL, *strategy = NULL, *mark = NULL;
  g_autofree char *current = clq_view_dup_string (step->view, "branch");

  if (!chat_expect (step, members, error) || !chat_get_text (step, "branch", &name, error) ||
      !chat_get_text (step, "strategy", &strategy, error) || !chat_find_branch (step, name, error))
    return FALSE;
  if (g_strcmp0 (name, current) == 0)
    return chat_refuse (error, CLQ_INPUT_ERROR_REFUSED, "'%s' is the current branch; expected another one", name);
  if (strategy != NULL && !g_strv_contains (strategies, strategy))
    {
      g_autofree char *hint = clq_did_you_mean (strategy, strategies);

      return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "merge: unknown strategy '%s'%s", strategy, hint);
    }
  mark = chat_dup_mark (step->view, "branch", name);
  clq_change_compare (step->change, mark);
  clq_change_set_string (step->change, "merge.branch", name);
  clq_change_set_string (step->change, "merge.strategy", strategy != NULL ? strategy : strategies[0]);
  return TRUE;
}

/* What the two branches have, as far as merging needs it. */
typedef struct
{
  ClqJsonSpan here;
  ClqJsonSpan base;
  ClqJsonSpan there;
  gint64 turns;   /* there and not here */
  gint64 entries; /* there and not here */
  gint64 own;     /* entries here and not there */
  gint64 since;   /* entries here since both parted */
  gboolean whole;
  gboolean by_time;
} Sides;

static ClqJsonSpan
find_in (const ClqJsonSpan *object, const char *path)
{
  return object->type == CLQ_JSON_OBJECT ? clq_json_find (object->start, (gssize) object->length, path) : (ClqJsonSpan){ 0 };
}

static gint64
get_int (const ClqJsonSpan *object, const char *path)
{
  ClqJsonSpan span = find_in (object, path);

  return clq_json_span_get_int (&span);
}

static void
add_int (ChatThreeWay *merged, const char *path, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  ClqJsonSpan span = clq_json_span (text, -1);

  chat_three_way_add (merged, path, &span);
}

/* Lists that only grow: what is new there follows what is here. */
static void
join_lists (ChatThreeWay *merged, const char *path, const Sides *sides)
{
  ClqJsonSpan here = find_in (&sides->here, path), base = find_in (&sides->base, path), there = find_in (&sides->there, path), key, item;
  g_autofree char *list = chat_dup_span (&here, "[]");
  ClqJsonIter iter, known;
  ClqJsonSpan joined, old;
  gboolean is_known = base.type == CLQ_JSON_ARRAY && clq_json_iter_init (&known, &base);

  if (there.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &there))
    return;
  while (clq_json_iter_next (&iter, &key, &item))
    {
      g_autofree char *json = chat_dup_span (&item, NULL);
      g_autofree char *shorter = NULL;

      is_known = is_known && clq_json_iter_next (&known, &key, &old) && old.length == item.length && memcmp (old.start, item.start, item.length) == 0;
      if (is_known)
        continue;
      shorter = g_steal_pointer (&list);
      joined = clq_json_span (shorter, -1);
      list = chat_dup_joined (&joined, json);
    }
  joined = clq_json_span (list, -1);
  if (strcmp (list, "[]") != 0)
    chat_three_way_add (merged, path, &joined);
}

/* All that was said here is there, too: what follows from it is as it is there. */
static void
follow_branch (ChatThreeWay *merged, const Sides *sides)
{
  static const char *const paths[] = { "turnCount", "turn", "closing", "decisions", "artifacts", "context.tokens", "context.entries",
                                       "context.fresh", "context.summary", "context.system" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      ClqJsonSpan value = find_in (&sides->there, paths[i]);

      chat_three_way_add (merged, paths[i], &value);
    }
}

/* What is included is in no summary yet. What is put into another order may be in one, and is shown once more. */
static void
count_both (ChatThreeWay *merged, const Sides *sides)
{
  gint64 turns = sides->whole ? get_int (&sides->there, "turnCount") : sides->turns;
  gint64 entries = sides->whole ? get_int (&sides->there, "context.entries") : sides->entries;
  gint64 fresh = get_int (&sides->here, "context.fresh");
  gint64 tokens = get_int (&sides->here, "context.tokens") + get_int (&sides->there, "context.tokens");

  if (sides->by_time)
    fresh = MAX (fresh, sides->since);
  add_int (merged, "turnCount", get_int (&sides->here, "turnCount") + turns);
  add_int (merged, "context.entries", get_int (&sides->here, "context.entries") + entries);
  add_int (merged, "context.fresh", fresh + entries);
  add_int (merged, "context.tokens", MIN (tokens, get_int (&sides->here, "context.window")));
  join_lists (merged, "context.system", sides);
  join_lists (merged, "decisions", sides);
  join_lists (merged, "artifacts", sides);
}

/* Whether the branch is what is here and more. What was merged as a whole before may stand in it twice. */
static gboolean
is_continued (const Sides *sides)
{
  return sides->own == 0 && get_int (&sides->here, "turnCount") + sides->turns == get_int (&sides->there, "turnCount");
}

static void
finish_comparison (const ChatStep *step, const Sides *sides)
{
  ChatThreeWay merged = { g_string_new ("["), g_string_new ("[") };
  g_autofree char *result = NULL;

  chat_three_way_run (&merged, &sides->here, &sides->base, &sides->there);
  if (sides->entries > 0 && is_continued (sides))
    follow_branch (&merged, sides);
  else if (sides->entries > 0)
    count_both (&merged, sides);
  g_string_append_c (merged.values, ']');
  g_string_append_c (merged.conflicts, ']');
  clq_change_set_json (step->change, "merge.values", merged.values->str);
  clq_change_set_json (step->change, "conflicts", merged.conflicts->str);
  result = g_strdup_printf ("{\"conflicts\":%s}", merged.conflicts->str);
  clq_change_set_result (step->change, result);
  g_string_free (merged.values, TRUE);
  g_string_free (merged.conflicts, TRUE);
}

/* Merging is following if only one side has gone on: then nothing comes twice, whatever the strategy. */
void
chat_arrive_merge (const ChatStep *step)
{
  const char *comparison = clq_view_get_comparison (step->view);
  g_autofree char *strategy = clq_view_dup_string (step->view, "merge.strategy");
  Sides sides = { .here = clq_json_span (clq_view_get_data (step->view), -1) };
  ClqJsonSpan root;

  if (comparison == NULL)
    return;
  root = clq_json_span (comparison, -1);
  sides.base = find_in (&root, "base");
  sides.there = find_in (&root, "there");
  sides.turns = get_int (&root, "turns");
  sides.entries = get_int (&root, "entries");
  sides.own = get_int (&root, "own");
  sides.since = get_int (&root, "since");
  if (sides.entries == 0 || sides.own == 0)
    clq_change_set_string (step->change, "merge.strategy", strategies[0]);
  else
    {
      sides.whole = strcmp (strategy, "sequential") == 0;
      sides.by_time = strcmp (strategy, "interleave") == 0;
    }
  finish_comparison (step, &sides);
}

/* ---- conflicts ---- */

static char *
dup_without (const ClqJsonSpan *conflicts, guint index)
{
  g_autofree char *all = chat_dup_span (conflicts, "[]");
  GString *out = g_string_new ("[");
  ClqJsonSpan root = clq_json_span (all, -1), key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  for (guint i = 0; clq_json_iter_next (&iter, &key, &value); i++)
    if (i != index)
      {
        if (out->len > 1)
          g_string_append_c (out, ',');
        g_string_append_len (out, value.start, (gssize) value.length);
      }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

/* The conflict with this id, or the only one if @id is NULL. */
static gboolean
find_conflict (const ChatStep *step, const char *id, ClqJsonSpan *conflict, guint *index, GError **error)
{
  ClqJsonSpan conflicts = clq_view_find (step->view, "conflicts"), key, value;
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *hint = NULL;
  ClqJsonIter iter;
  gboolean found = FALSE;

  clq_json_iter_init (&iter, &conflicts);
  for (guint i = 0; clq_json_iter_next (&iter, &key, &value); i++)
    {
      ClqJsonSpan name = find_in (&value, "id");

      g_ptr_array_add (ids, clq_json_span_dup_string (&name));
      if (id != NULL && !clq_json_span_string_equal (&name, id))
        continue;
      found = TRUE;
      *conflict = value;
      *index = i;
    }
  if (found && (id != NULL || ids->len == 1))
    return TRUE;
  if (ids->len == 0)
    return chat_refuse (error, CLQ_INPUT_ERROR_NOT_FOUND, "there is no conflict");
  g_ptr_array_add (ids, NULL);
  if (id == NULL)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "resolve_conflict: expected 'id', one of %u", ids->len - 1);
  hint = clq_did_you_mean (id, (const char *const *) ids->pdata);
  return chat_refuse (error, CLQ_INPUT_ERROR_NOT_FOUND, "there is no conflict '%s'%s", id, hint);
}

static void
add_value (const ChatStep *step, const char *path, const ClqJsonSpan *value)
{
  ChatThreeWay pair = { g_string_new (NULL), NULL };
  ClqJsonSpan values = clq_view_find (step->view, "merge.values");
  g_autofree char *all = NULL;

  chat_three_way_add (&pair, path, value);
  all = chat_dup_joined (&values, pair.values->str);
  clq_change_set_json (step->change, "merge.values", all);
  g_string_free (pair.values, TRUE);
}

/* Without a payload it is only a step of the machine. */
gboolean
chat_resolve_conflict (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "id", "choice", NULL };
  g_autofree char *id = NULL, *path = NULL, *rest = NULL, *result = NULL;
  ClqJsonSpan choice = chat_find (step, "choice"), conflicts = clq_view_find (step->view, "conflicts"), conflict = { 0 }, name;
  guint index = 0;

  if (clq_event_get_payload (step->event) == NULL)
    return TRUE;
  if (!chat_expect (step, members, error) || !chat_get_text (step, "id", &id, error) || !find_conflict (step, id, &conflict, &index, error))
    return FALSE;
  if (choice.type == CLQ_JSON_NONE)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "resolve_conflict: expected 'choice': \"base\", \"branch\" or a value");
  name = find_in (&conflict, "id");
  path = clq_json_span_dup_string (&name);
  if (clq_json_span_string_equal (&choice, "branch"))
    choice = find_in (&conflict, "branch");
  else if (clq_json_span_string_equal (&choice, "base"))
    choice = find_in (&conflict, "base");
  add_value (step, path, &choice);
  rest = dup_without (&conflicts, index);
  clq_change_set_json (step->change, "conflicts", rest);
  result = g_strdup_printf ("{\"conflicts\":%s}", rest);
  clq_change_set_result (step->change, result);
  return TRUE;
}

/* ---- ends ---- */

static void
apply_values (const ChatStep *step)
{
  ClqJsonSpan values = clq_view_find (step->view, "merge.values"), key, pair;
  ClqJsonIter iter;

  if (values.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &values))
    return;
  while (clq_json_iter_next (&iter, &key, &pair))
    {
      ClqJsonSpan path, value;
      ClqJsonIter inner;
      g_autofree char *name = NULL;

      clq_json_iter_init (&inner, &pair);
      clq_json_iter_next (&inner, &key, &path);
      name = clq_json_span_dup_string (&path);
      if (clq_json_iter_next (&inner, &key, &value))
        {
          g_autofree char *json = chat_dup_span (&value, NULL);

          clq_change_set_json (step->change, name, json);
        }
      else
        clq_change_unset (step->change, name);
    }
}

static gint64
get_merged_turns (const ChatStep *step)
{
  ClqJsonSpan values = clq_view_find (step->view, "merge.values"), key, pair, path, value;
  ClqJsonIter iter, inner;
  gint64 turns = clq_view_get_int (step->view, "turnCount");

  if (values.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &values))
    return turns;
  while (clq_json_iter_next (&iter, &key, &pair))
    if (clq_json_iter_init (&inner, &pair) && clq_json_iter_next (&inner, &key, &path) && clq_json_span_string_equal (&path, "turnCount") &&
        clq_json_iter_next (&inner, &key, &value))
      turns = clq_json_span_get_int (&value);
  return turns;
}

gboolean
chat_confirm_merge (const ChatStep *step, GError **error)
{
  ClqJsonSpan conflicts = clq_view_find (step->view, "conflicts");
  g_autofree char *branch = clq_view_dup_string (step->view, "merge.branch");
  g_autofree char *strategy = clq_view_dup_string (step->view, "merge.strategy");
  g_autofree char *mark = NULL;
  ClqInclude how = CLQ_INCLUDE_TAIL;

  if (conflicts.type == CLQ_JSON_ARRAY && clq_json_find (conflicts.start, (gssize) conflicts.length, "0").type != CLQ_JSON_NONE)
    return chat_refuse (error, CLQ_INPUT_ERROR_REFUSED, "there are open conflicts; expected resolve_conflict or cancel_merge");
  chat_set_result_turn (step->change, get_merged_turns (step));
  if (branch == NULL)
    return TRUE;
  if (g_strcmp0 (strategy, "sequential") == 0)
    how = CLQ_INCLUDE_WHOLE;
  else if (g_strcmp0 (strategy, "interleave") == 0)
    how = CLQ_INCLUDE_INTERLEAVE;
  mark = chat_dup_mark (step->view, "branch", branch);
  clq_change_include (step->change, mark, how);
  apply_values (step);
  clq_change_unset (step->change, "merge");
  return TRUE;
}

gboolean
chat_cancel_merge (const ChatStep *step, GError **error)
{
  clq_change_unset (step->change, "merge");
  clq_change_set_json (step->change, "conflicts", "[]");
  chat_set_result_turn (step->change, clq_view_get_int (step->view, "turnCount"));
  return TRUE;
}
