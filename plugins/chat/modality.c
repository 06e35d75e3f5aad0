/* The modality: what each event makes of the data of a conversation. */
#include "chat.h"

static const ClqSetting settings[] = {
  CLQ_STRING (Chat, agent, "assistant", "who replies"),
  CLQ_STRING (Chat, system_prompt, "", "what the agent is told before everything else"),
  CLQ_ENUM (Chat, context_strategy, "summarize", CHAT_STRATEGIES, "what becomes of messages for which the window has no room"),
  CLQ_INT (Chat, context_window, 8192, 16, 100000000, "how many tokens the agent is shown at most"),
  CLQ_DOUBLE (Chat, context_threshold, 0.8, 0.01, 1, "the part of the window above which older messages are summarised"),
  CLQ_INT (Chat, max_turns, 0, 0, 2147483647, "how many turns a conversation may have; 0 = any number"),
  CLQ_DURATION (Chat, turn_timeout, "60s", "how long a reply may take before it is cut off"),
  CLQ_INT (Chat, max_branches, 100, 1, 200, "how many branches a conversation may have"),
  CLQ_INT (Chat, max_checkpoints, 32, 1, 100, "how many checkpoints are listed in the data; older ones can still be rewound to"),
  { NULL },
};

typedef struct
{
  const char *name;
  gboolean (*apply) (const ChatStep *step, GError **error);
  void (*arrive) (const ChatStep *step);
} Action;

static gboolean
chat_start (const ChatStep *step, GError **error)
{
  clq_change_set_result (step->change, "{\"ready\":true}");
  return TRUE;
}

/* The reply that may be on its way is cut off. */
static gboolean
chat_stop (const ChatStep *step, GError **error)
{
  if (chat_turn_is_open (step->view))
    chat_cut_turn (step);
  return TRUE;
}

static const Action actions[] = {
  { "start", chat_start, NULL },
  { "configure", chat_configure, NULL },
  { "message", chat_take_message, NULL },
  { "fork", chat_fork, NULL },
  { "rewind", chat_rewind, chat_arrive_rewind },
  { "checkpoint", chat_checkpoint, NULL },
  { "stop", chat_stop, NULL },
  { "inject_context", chat_take_context, NULL },
  { "confirm_fork", chat_confirm_fork, NULL },
  { "cancel_fork", chat_cancel_fork, NULL },
  { "switch", chat_switch, chat_arrive_switch },
  { "merge", chat_merge, chat_arrive_merge },
  { "confirm_merge", chat_confirm_merge, NULL },
  { "cancel_merge", chat_cancel_merge, NULL },
  { "resolve_conflict", chat_resolve_conflict, NULL },
  { "flush", chat_flush, NULL },
  { "crystallize", chat_crystallize, NULL },
  { "reset", chat_reset, NULL },
  { "harvest", chat_harvest, NULL },
};

static const Action *
find_action (const ClqEvent *event)
{
  const char *name = clq_event_get_name (event);

  if (clq_event_get_kind (event) != CLQ_EVENT_ACTION)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (strcmp (actions[i].name, name) == 0)
      return &actions[i];
  return NULL;
}

static gboolean
chat_open (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  chat_open_data (self, change);
  return TRUE;
}

/* While a reply is on its way only `stop` may come; everything else waits for the end of the turn. */
static gboolean
chat_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const ChatStep step = { self, view, event, change };
  const Action *action = find_action (event);
  gboolean is_open = chat_turn_is_open (view);

  if (action != NULL && is_open && action->apply != chat_stop)
    return chat_refuse (error, CLQ_INPUT_ERROR_BUSY, "a reply is on its way; '%s' can be sent again when it is there", action->name);
  if (action != NULL)
    return action->apply (&step, error);
  if (is_open && clq_event_get_error (event) != NULL)
    chat_take_failure (&step);
  else if (is_open && clq_event_get_kind (event) == CLQ_EVENT_OUTCOME && clq_event_get_text (event) != NULL)
    chat_take_reply (&step);
  return TRUE;
}

static void
chat_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  const ChatStep step = { self, view, event, change };
  const Action *action = find_action (event);

  if (action != NULL && action->arrive != NULL)
    action->arrive (&step);
}

static char *
chat_describe (gpointer self, ClqView *view)
{
  g_autofree char *branch = clq_view_dup_string (view, "branch");
  gint64 turns = clq_view_get_int (view, "turnCount");
  gint64 window = clq_view_get_int (view, "context.window");

  return g_strdup_printf ("%s on branch %s: %" G_GINT64_FORMAT " turn%s, context %" G_GINT64_FORMAT " %% of %" G_GINT64_FORMAT " tokens",
                          clq_view_get_state (view), branch != NULL ? branch : "main", turns, turns == 1 ? "" : "s",
                          window > 0 ? clq_view_get_int (view, "context.tokens") * 100 / window : 0, window);
}

/* ---- predicates ---- */

static gboolean
test_has_conflicts (gpointer self, ClqView *view, const ClqEvent *event)
{
  return clq_view_find (view, "conflicts.0").type != CLQ_JSON_NONE;
}

static gboolean
test_has_branches (gpointer self, ClqView *view, const ClqEvent *event)
{
  ClqJsonSpan branches = clq_view_find (view, "branches");
  g_auto (GStrv) names = chat_dup_keys (&branches);

  return g_strv_length (names) > 1;
}

static gboolean
test_has_turns (gpointer self, ClqView *view, const ClqEvent *event)
{
  return clq_view_get_int (view, "turnCount") > 0;
}

static const ClqPredicate predicates[] = {
  { "has-conflicts", "a merge has open conflicts", test_has_conflicts, TRUE },
  { "has-branches", "there is more than one branch", test_has_branches, TRUE },
  { "has-turns", "there is at least one turn", test_has_turns, TRUE },
  { NULL },
};

const ClqModalityInfo chat_chat = {
  CLQ_MODALITY_INFO,
  .name = "chat",
  .summary = "A conversation in turns, with branches, checkpoints, merges and a result",
  .settings = settings,
  .self_size = sizeof (Chat),
  .predicates = predicates,
  .actions = (const char *const[]){ "start", "configure", "message", "fork", "rewind", "checkpoint", "stop", "inject_context", "confirm_fork", "cancel_fork", "switch", "merge", "confirm_merge", "cancel_merge", "resolve_conflict", "flush", "crystallize", "reset", "harvest", NULL },
  .open = chat_open,
  .apply = chat_apply,
  .arrive = chat_arrive,
  .describe = chat_describe,
};
