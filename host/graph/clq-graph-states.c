#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

typedef struct
{
  char *node;
  int wait; /* -1 = for nothing */
  GTimeSpan timeout;
  GTimeSpan idle;
  GTimeSpan visit_timeout;
  gint64 retry;
  char *backoff;
  int busy;
  gint64 max_visits;
  GTimeSpan target;
  GTimeSpan alert;
  gboolean milestone;
  char *summary;
  gboolean final;
  char **accept;
  char **tools;
  char **confirm;
  gint64 max_tool_rounds;
} StateValues;

/* All keys of a state but node.EVENT, visit-timeout.EVENT and the settings of its nodes. */
static const ClqSetting state_settings[] = {
  CLQ_STRING (StateValues, node, NULL, "what runs on every entry, PLUGIN.NAME; node.EVENT only if EVENT led here"),
  CLQ_ENUM (StateValues, wait, NULL, CLQ_CHOICES ("answer"), "waits for answers to the open questions"),
  CLQ_DURATION (StateValues, timeout, "0", "raises `timeout` so long after the entry; 0 = never"),
  CLQ_DURATION (StateValues, idle, "0", "raises `idle` so long after the last input; 0 = never"),
  CLQ_DURATION (StateValues, visit_timeout, "0", "how long a visit may last; 0 = any time; visit-timeout.EVENT for one event"),
  CLQ_INT (StateValues, retry, 0, 0, 1000, "how often a recoverable failure is tried again"),
  CLQ_STRING (StateValues, backoff, "1s..60s", "pause before a retry, doubled each time: MIN..MAX or one duration"),
  CLQ_ENUM (StateValues, busy, "queue", CLQ_CHOICES ("queue", "refuse", "interrupt"), "what an action meets while a visit runs"),
  CLQ_INT (StateValues, max_visits, 0, 0, 1e9, "entries before `limit` is raised; 0 = any number"),
  CLQ_DURATION (StateValues, target, "0", "how long a stay should last at most"),
  CLQ_DURATION (StateValues, alert, "0", "a longer stay raises an alert"),
  CLQ_BOOL (StateValues, milestone, false, "entering it from another state is a milestone"),
  CLQ_STRING (StateValues, summary, NULL, "what the state is, for people"),
  CLQ_BOOL (StateValues, final, false, "entering it clears schedule, deadlines and questions"),
  CLQ_LIST (StateValues, accept, NULL, "findings that are meant: unreachable, dead-end, never-taken, unhandled, unanswered, endless"),
  CLQ_LIST (StateValues, tools, NULL, "the tools that agents may ask for here, PLUGIN.NAME"),
  CLQ_LIST (StateValues, confirm, NULL, "those of them that a person has to allow each time"),
  CLQ_INT (StateValues, max_tool_rounds, 8, 1, 1000, "how often an agent may ask for tools before it must answer"),
  { NULL },
};

/* The words of accept=. */
static const struct
{
  const char *word;
  ClqAccept bit;
} accepts[] = {
  { "unreachable", CLQ_ACCEPT_UNREACHABLE },
  { "dead-end", CLQ_ACCEPT_DEAD_END },
  { "never-taken", CLQ_ACCEPT_NEVER_TAKEN },
  { "unhandled", CLQ_ACCEPT_UNHANDLED },
  { "unanswered", CLQ_ACCEPT_UNANSWERED },
  { "endless", CLQ_ACCEPT_ENDLESS },
};

/* Private: the word of accept= for a finding. */
const char *
clq_compiler_accept_word (ClqAccept bit)
{
  for (guint i = 0; i < G_N_ELEMENTS (accepts); i++)
    if (accepts[i].bit == bit)
      return accepts[i].word;
  g_return_val_if_reached ("");
}

/* Private: a key of a state: its own or that of [state *]. */
ClqPlace
clq_compiler_find_key (const ClqCompiler *self, guint state, const char *key)
{
  const ClqGroup *groups[] = { g_ptr_array_index (self->state_groups, state), self->defaults };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const ClqKey *found = groups[i] != NULL ? g_hash_table_lookup (groups[i]->index, key) : NULL;

      if (found != NULL)
        return (ClqPlace){ groups[i], found };
    }
  return (ClqPlace){ NULL, NULL };
}

/* Private: whether a key means something to the engine, so that it is no setting of a node. */
gboolean
clq_compiler_is_state_key (const char *key)
{
  return clq_compiler_find_setting (state_settings, key) != NULL || g_str_has_prefix (key, "node.") ||
         g_str_has_prefix (key, "visit-timeout.") || clq_compiler_is_free (key);
}

/* Private: an error with the nearest of the state's keys and of @settings. */
void
clq_compiler_unknown_state_key (ClqCompiler *self, ClqPlace place, GPtrArray *settings)
{
  const char *dot = strchr (place.key->key, '.');
  g_autofree char *node = dot != NULL ? g_strconcat ("node", dot, NULL) : NULL;
  g_autofree char *limit = dot != NULL ? g_strconcat ("visit-timeout", dot, NULL) : NULL;
  g_autoptr (GPtrArray) more = g_ptr_array_new ();

  for (guint i = 0; i < settings->len; i++)
    g_ptr_array_add (more, g_ptr_array_index (settings, i));
  if (dot != NULL)
    {
      g_ptr_array_add (more, node);
      g_ptr_array_add (more, limit);
    }
  clq_compiler_unknown_key (self, place, state_settings, more);
}

/* Private: the index of a state; complains and gives -1 if there is none of that name. */
int
clq_compiler_find_state (ClqCompiler *self, ClqPlace place, const char *name)
{
  int state = clq_graph_find_state (self->graph, name);
  g_autofree char *hint = NULL;

  if (state >= 0)
    return state;
  hint = clq_did_you_mean (name, (const char *const *) self->graph->state_names);
  clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_NODE, "unknown state '%s'%s", name, hint);
  return -1;
}

static void
read_backoff (ClqCompiler *self, ClqPlace place, const char *text, ClqState *state)
{
  const char *dots = strstr (text, "..");
  g_autofree char *first = dots != NULL ? g_strstrip (g_strndup (text, dots - text)) : g_strdup (text);
  g_autofree char *second = dots != NULL ? g_strstrip (g_strdup (dots + 2)) : g_strdup (text);

  if (!clq_duration_parse (first, &state->backoff_min) || !clq_duration_parse (second, &state->backoff_max))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "'%s' is no backoff; expected MIN..MAX or one duration, for example 1s..60s", text);
  else if (state->backoff_min > state->backoff_max)
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "'%s' runs backwards; expected %s..%s", text, second, first);
}

static void
read_accept (ClqCompiler *self, ClqPlace place, char **words, ClqState *state)
{
  const char *known[G_N_ELEMENTS (accepts) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (accepts); i++)
    known[i] = accepts[i].word;
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_autofree char *hint = NULL;
      guint j = 0;

      while (j < G_N_ELEMENTS (accepts) && strcmp (words[i], accepts[j].word) != 0)
        j++;
      if (j < G_N_ELEMENTS (accepts))
        {
          state->accepts |= accepts[j].bit;
          continue;
        }
      hint = clq_did_you_mean (words[i], known);
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "'%s' is no finding that can be accepted%s", words[i], hint);
    }
}

static void
read_state (ClqCompiler *self, guint index)
{
  ClqState *state = &self->graph->states[index];
  StateValues values = { .wait = -1 };
  const ClqSetting *setting = NULL;

  clq_settings_set_defaults (state_settings, sizeof (ClqSetting), &values, NULL);
  while ((setting = clq_settings_next (state_settings, sizeof (ClqSetting), setting)) != NULL)
    {
      g_autofree char *key = clq_setting_dup_key (setting);
      ClqPlace place = clq_compiler_find_key (self, index, key);

      if (place.key != NULL)
        clq_compiler_parse (self, place, setting, &values);
    }
  read_backoff (self, clq_compiler_find_key (self, index, "backoff"), values.backoff, state);
  read_accept (self, clq_compiler_find_key (self, index, "accept"), values.accept, state);
  state->waits = values.wait >= 0;
  state->timeout = values.timeout;
  state->idle = values.idle;
  state->visit_timeout = values.visit_timeout;
  state->retry = (guint) values.retry;
  state->busy = (ClqBusy) values.busy;
  state->max_visits = (guint) values.max_visits;
  state->target = values.target;
  state->alert = values.alert;
  state->milestone = values.milestone;
  state->title = g_steal_pointer (&values.summary);
  state->final = values.final;
  state->tools = g_steal_pointer (&values.tools);
  state->confirm = g_steal_pointer (&values.confirm);
  state->max_tool_rounds = (guint) values.max_tool_rounds;
  clq_compiler_read_tools (self, index);
  clq_settings_clear (state_settings, sizeof (ClqSetting), &values);
}

static void
add_state (ClqCompiler *self, const ClqGroup *group)
{
  ClqPlace place = { group, NULL };
  const char *name = group->name + strlen ("state");

  if (*name == '\0')
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "the state has no name; expected [state NAME]");
      return;
    }
  name++;
  if (strcmp (name, "*") == 0)
    self->defaults = group;
  else if (clq_compiler_check_name (self, place, "a state", name))
    g_ptr_array_add (self->state_groups, (gpointer) group);
}

/* Private: finds the states and reads their keys, but not what their nodes are. */
void
clq_compiler_read_states (ClqCompiler *self)
{
  ClqGraph *graph = self->graph;
  GPtrArray *groups = clq_keyfile_get_groups (graph->keyfile);
  guint n;

  for (guint i = 0; i < groups->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (groups, i);

      if (strcmp (group->name, "state") == 0 || g_str_has_prefix (group->name, "state "))
        add_state (self, group);
    }
  n = self->state_groups->len;
  if (n == 0)
    clq_compiler_report (self, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_FORMAT, "there is no state; expected at least one [state NAME]");
  else if (n > CLQ_MAX_STATES)
    clq_compiler_report (self, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_VALUE, "there are %u states; expected at most %d", n, CLQ_MAX_STATES);
  if (n == 0 || n > CLQ_MAX_STATES)
    return;
  graph->n_states = n;
  graph->states = g_new0 (ClqState, n);
  graph->state_names = g_new0 (const char *, n + 1);
  self->doubtful = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++)
    {
      const ClqGroup *group = g_ptr_array_index (self->state_groups, i);
      const char *name = g_intern_string (group->name + strlen ("state "));

      graph->state_names[i] = name;
      graph->states[i].name = name;
      graph->states[i].file = group->file;
      graph->states[i].line = group->line;
      g_hash_table_insert (graph->state_index, (gpointer) name, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < n; i++)
    read_state (self, i);
}
