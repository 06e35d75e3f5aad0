#define G_LOG_DOMAIN "clq-put"

#include "clq-engine.h"

static const char *const members[] = { "state", "data", "question", "schedule", "nextRunAt", "counters", NULL };
static const char *const counters[] = { "visits", "turns-here", "hops", NULL };

static gboolean
bad_input (GError **error, const char *what, const char *expected)
{
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "put: %s: expected %s", what, expected);
  return FALSE;
}

static gboolean
check_names (const ClqJsonSpan *object, const char *const *known, const char *where, GError **error)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *hint = NULL;

      if (g_strv_contains (known, name))
        continue;
      hint = clq_did_you_mean (name, known);
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "%s: unknown member '%s'%s", where, name, hint);
      return FALSE;
    }
  return TRUE;
}

static gboolean
find_state (const ClqGraph *graph, const ClqJsonSpan *span, guint *state, GError **error)
{
  g_autofree char *name = span->type == CLQ_JSON_STRING ? clq_json_span_dup_string (span) : NULL;
  int index = name != NULL ? clq_graph_find_state (graph, name) : -1;
  g_autofree char *hint = NULL;

  if (index >= 0)
    {
      *state = index;
      return TRUE;
    }
  if (name == NULL)
    return bad_input (error, "state", "the name of a state");
  hint = clq_did_you_mean (name, (const char *const *) graph->state_names);
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "put: graph '%s' has no state '%s'%s", graph->name, name, hint);
  return FALSE;
}

/* Members of the data that are given replace what was there; null takes away. */
static gboolean
put_data (ClqDraft *draft, const ClqJsonSpan *data, GError **error)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  if (data->type == CLQ_JSON_NONE)
    return TRUE;
  if (data->type != CLQ_JSON_OBJECT)
    return bad_input (error, "data", "an object");
  clq_json_iter_init (&iter, data);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *json = g_strndup (value.start, value.length);

      if (*name == '\0')
        return bad_input (error, "data", "names that are not empty");
      if (value.type == CLQ_JSON_NULL)
        clq_change_unset (draft->change, name);
      else
        clq_change_set_json (draft->change, name, json);
    }
  return TRUE;
}

static gboolean
put_question (ClqDraft *draft, const ClqJsonSpan *span, GError **error)
{
  g_autofree char *json = NULL;

  if (span->type == CLQ_JSON_NONE)
    return TRUE;
  clq_change_clear_questions (draft->change);
  if (span->type == CLQ_JSON_NULL)
    return TRUE;
  json = g_strndup (span->start, span->length);
  return clq_change_ask_json (draft->change, json, error);
}

static gboolean
find_time (const ClqJsonSpan *span, gint64 *at, GError **error)
{
  g_autofree char *text = NULL;

  *at = 0;
  if (span->type <= CLQ_JSON_NULL)
    return TRUE;
  text = span->type == CLQ_JSON_STRING ? clq_json_span_dup_string (span) : NULL;
  return (text != NULL && clq_time_parse (text, at)) || bad_input (error, "nextRunAt", "a time like 2026-01-31T09:00:00Z");
}

static gboolean
put_schedule (ClqDraft *draft, const ClqJsonSpan *schedule, const ClqJsonSpan *next_run, GError **error)
{
  g_autofree char *json = NULL;
  const ClqExtra *extra = draft->commit.head.extra;
  gint64 at;

  if (!find_time (next_run, &at, error))
    return FALSE;
  if (schedule->type == CLQ_JSON_OBJECT)
    json = g_strndup (schedule->start, schedule->length);
  else if (schedule->type > CLQ_JSON_NULL)
    return bad_input (error, "schedule", "an object");
  else if (schedule->type == CLQ_JSON_NONE && next_run->type != CLQ_JSON_NONE)
    json = g_strdup (extra != NULL && extra->schedule != NULL ? extra->schedule : "{}");
  if (json != NULL)
    clq_change_set_schedule (draft->change, json, at);
  else if (schedule->type == CLQ_JSON_NULL)
    clq_change_clear_schedule (draft->change);
  return TRUE;
}

/* Counters are shared with the session: they are written only when everything was checked. */
static gboolean
put_visits (ClqDraft *draft, const ClqJsonSpan *visits, gboolean write, GError **error)
{
  const ClqGraph *graph = draft->live->graph;
  ClqJsonIter iter;
  ClqJsonSpan key, value;
  guint state;

  if (visits->type != CLQ_JSON_OBJECT)
    return bad_input (error, "counters.visits", "an object of states and numbers");
  clq_json_iter_init (&iter, visits);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      if (!find_state (graph, &key, &state, error))
        return FALSE;
      if (value.type != CLQ_JSON_NUMBER)
        return bad_input (error, "counters.visits", "an object of states and numbers");
      if (write)
        draft->live->head.visits[state] = CLAMP (clq_json_span_get_int (&value), 0, G_MAXINT32);
    }
  return TRUE;
}

static gboolean
put_counters (ClqDraft *draft, const ClqJsonSpan *span, GError **error)
{
  ClqHead *head = &draft->commit.head;
  ClqJsonSpan visits, turns, hops;

  if (span->type == CLQ_JSON_NONE)
    return TRUE;
  if (span->type != CLQ_JSON_OBJECT)
    return bad_input (error, "counters", "an object");
  if (!check_names (span, counters, "put: counters", error))
    return FALSE;
  visits = clq_json_find (span->start, span->length, "visits");
  turns = clq_json_find (span->start, span->length, "turns-here");
  hops = clq_json_find (span->start, span->length, "hops");
  if (turns.type == CLQ_JSON_NUMBER)
    head->turns_here = CLAMP (clq_json_span_get_int (&turns), 0, G_MAXINT32);
  if (hops.type == CLQ_JSON_NUMBER)
    head->hops = CLAMP (clq_json_span_get_int (&hops), 0, G_MAXINT32);
  return visits.type == CLQ_JSON_NONE || (put_visits (draft, &visits, FALSE, error) && put_visits (draft, &visits, TRUE, error));
}

static void
place (ClqDraft *draft, guint state)
{
  ClqHead *head = &draft->commit.head;

  draft->to = state;
  head->state = draft->live->graph->states[state].name;
  head->entered_at = draft->now;
  head->input_at = draft->now;
  head->entry++;
  head->fired = 0;
}

/* Private: places the session where the payload says. Timers are armed, no node is entered. */
gboolean
clq_put_take (ClqDraft *draft, GError **error)
{
  ClqJsonSpan root = clq_json_span (draft->event->payload, -1);
  ClqJsonSpan state = clq_json_find (root.start, root.length, "state");
  ClqJsonSpan data = clq_json_find (root.start, root.length, "data");
  ClqJsonSpan question = clq_json_find (root.start, root.length, "question");
  ClqJsonSpan schedule = clq_json_find (root.start, root.length, "schedule");
  ClqJsonSpan next_run = clq_json_find (root.start, root.length, "nextRunAt");
  ClqJsonSpan numbers = clq_json_find (root.start, root.length, "counters");
  guint target = draft->live->state;

  if (!check_names (&root, members, "put", error))
    return FALSE;
  if (state.type != CLQ_JSON_NONE && !find_state (draft->live->graph, &state, &target, error))
    return FALSE;
  if (!put_data (draft, &data, error) || !put_question (draft, &question, error) ||
      !put_schedule (draft, &schedule, &next_run, error) || !put_counters (draft, &numbers, error))
    return FALSE;
  place (draft, target);
  clq_draft_apply (draft, draft->change, 0);
  return TRUE;
}
