#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <string.h>

/* The alternatives of one key, in the order in which they are tried. */
typedef struct
{
  guint first;
  guint n;
  ClqPlace place; /* of the key; empty if there is none */
} Span;

/* One row of spans per state and two for the rules of any state. */
typedef struct
{
  ClqCompiler *compiler;
  GArray *rules; /* ClqAlternative, as they were read */
  Span *spans;   /* [row * n_events + event] */
} Reading;

static Span *
get_span (const Reading *reading, guint row, guint event)
{
  return &reading->spans[row * reading->compiler->graph->n_events + event];
}

static guint
get_always (const Reading *reading)
{
  return reading->compiler->graph->n_states;
}

static guint
get_otherwise (const Reading *reading)
{
  return reading->compiler->graph->n_states + 1;
}

/* A `;` in a string of a guard separates nothing. */
static char **
split_alternatives (const char *value)
{
  GPtrArray *list = g_ptr_array_new ();
  gboolean quoted = FALSE;
  const char *start = value;

  for (const char *c = value;; c++)
    {
      if (quoted && *c == '\\' && c[1] != '\0')
        {
          c++;
          continue;
        }
      if (*c == '"')
        quoted = !quoted;
      if (*c != '\0' && (*c != ';' || quoted))
        continue;
      g_ptr_array_add (list, g_strstrip (g_strndup (start, c - start)));
      if (*c == '\0')
        break;
      start = c + 1;
    }
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (list, FALSE);
}

/* Private: compiles a guard, or finds the one of the same text. NULL if it cannot be read. */
ClqGuard *
clq_compiler_get_guard (ClqCompiler *self, ClqPlace place, const char *text)
{
  const ClqModalityInfo *modality = self->graph->modality;
  const ClqGuardNames names = {
    .states = (const char *const *) self->graph->state_names,
    .fields = modality != NULL ? modality->fields : NULL,
    .modality = modality,
  };
  ClqGuard *guard = g_hash_table_lookup (self->guards, text);
  g_autoptr (GError) error = NULL;

  if (guard != NULL)
    return guard;
  guard = clq_guard_parse (text, &names, &error);
  if (guard == NULL)
    {
      clq_compiler_report (self, place, error->code, "%s", error->message);
      return NULL;
    }
  g_ptr_array_add (self->graph->guards, guard);
  g_hash_table_insert (self->guards, (gpointer) clq_guard_get_text (guard), guard);
  return guard;
}

static gboolean
read_target (ClqCompiler *self, ClqPlace place, const char *name, gint32 *target)
{
  static const char *const words[] = { "@stay", "@refuse", NULL };
  g_autofree char *hint = NULL;

  if (strcmp (name, words[0]) == 0)
    *target = CLQ_STAY;
  else if (strcmp (name, words[1]) == 0)
    *target = CLQ_REFUSE;
  else if (*name == '@')
    {
      hint = clq_did_you_mean (name, words);
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_UNKNOWN_NODE, "unknown target '%s'%s", name, hint);
      return FALSE;
    }
  else
    *target = clq_compiler_find_state (self, place, name);
  return *name == '@' || *target >= 0;
}

/* TARGET [if GUARD]. A guard that cannot be read leaves a rule without one, for the checks that follow. */
static gboolean
read_alternative (ClqCompiler *self, ClqPlace place, const char *text, ClqAlternative *rule)
{
  gsize length = strcspn (text, " \t");
  g_autofree char *target = g_strndup (text, length);
  g_autofree char *rest = g_strstrip (g_strdup (text + length));

  *rule = (ClqAlternative){ .group = place.group, .key = place.key };
  if (*text == '\0')
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "an alternative is empty; expected TARGET [if GUARD] ; ...");
      return FALSE;
    }
  if (!read_target (self, place, target, &rule->target))
    return FALSE;
  if (*rest == '\0')
    return TRUE;
  if (!g_str_has_prefix (rest, "if") || (rest[2] != '\0' && strchr (" \t(", rest[2]) == NULL))
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "'%s' stands behind the target '%s'; expected 'if GUARD' or ';'", rest, target);
  else if (*g_strchug (rest + 2) == '\0')
    clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "there is nothing behind 'if'; expected a guard");
  else
    rule->guard = clq_compiler_get_guard (self, place, rest + 2);
  if (rule->guard == NULL)
    self->lacks_rules = TRUE;
  return TRUE;
}

static void
doubt (ClqCompiler *self, guint row)
{
  self->lacks_rules = TRUE;
  for (guint i = 0; i < self->graph->n_states; i++)
    if (row >= self->graph->n_states || row == i)
      self->doubtful[i] = TRUE;
}

static void
read_alternatives (Reading *reading, ClqPlace place, guint row, guint event)
{
  ClqCompiler *self = reading->compiler;
  g_auto (GStrv) texts = split_alternatives (place.key->value);
  Span *span = get_span (reading, row, event);
  const char *last = NULL; /* one without a guard */

  span->first = reading->rules->len;
  span->place = place;
  for (guint i = 0; texts[i] != NULL; i++)
    {
      ClqAlternative rule;

      if (!read_alternative (self, place, texts[i], &rule))
        {
          doubt (self, row);
          continue;
        }
      rule.rules = row == get_always (reading) ? CLQ_RULES_ALWAYS : row == get_otherwise (reading) ? CLQ_RULES_OTHERWISE
                                                                                                   : CLQ_RULES_TRANSITIONS;
      rule.state = rule.rules == CLQ_RULES_TRANSITIONS ? (int) row : -1;
      rule.event = event;
      rule.index = i;
      if (last != NULL)
        clq_compiler_criticise (self, place, CLQ_GRAPH_ERROR_UNREACHABLE, "'%s' is never tried: '%s' before it has no guard; expected it last", texts[i], last);
      else if (strcspn (texts[i], " \t") == strlen (texts[i]))
        last = texts[i];
      g_array_append_val (reading->rules, rule);
      span->n++;
    }
}

/* Rules of any state: EVENT=... */
static void
read_common (Reading *reading, const char *name, guint row)
{
  ClqCompiler *self = reading->compiler;
  const ClqGroup *group = clq_keyfile_find_group (self->graph->keyfile, name);

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };
      int event = -1;

      if (clq_compiler_is_free (place.key->key))
        continue;
      if (strchr (place.key->key, '.') != NULL)
        clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "this is a rule of one state; expected it in [transitions], or EVENT=TARGET");
      else
        event = clq_compiler_find_event (self, place, place.key->key);
      if (event < 0)
        doubt (self, row);
      else
        read_alternatives (reading, place, row, event);
    }
}

/* STATE.EVENT=... */
static void
read_transition (Reading *reading, ClqPlace place)
{
  ClqCompiler *self = reading->compiler;
  const char *dot = strchr (place.key->key, '.');
  g_autofree char *name = dot != NULL ? g_strndup (place.key->key, dot - place.key->key) : NULL;
  int state, event;

  if (dot == NULL)
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "there is no state; expected STATE.EVENT=TARGET, or the rule in [always] or [otherwise]");
      doubt (self, G_MAXUINT);
      return;
    }
  state = clq_compiler_find_state (self, place, name);
  event = clq_compiler_find_event (self, place, dot + 1);
  if (state < 0 || event < 0)
    doubt (self, state >= 0 ? (guint) state : G_MAXUINT);
  else
    read_alternatives (reading, place, state, event);
}

static void
read_transitions (Reading *reading)
{
  const ClqGroup *group = clq_keyfile_find_group (reading->compiler->graph->keyfile, "transitions");

  for (guint i = 0; group != NULL && i < group->keys->len; i++)
    {
      ClqPlace place = { group, g_ptr_array_index (group->keys, i) };

      if (!clq_compiler_is_free (place.key->key))
        read_transition (reading, place);
    }
}

/* A rule of one state behind one of [always] that takes the event in any case. */
static void
check_hidden (Reading *reading, guint state, guint event)
{
  const Span *first = get_span (reading, get_always (reading), event), *own = get_span (reading, state, event);

  for (guint i = 0; own->n > 0 && i < first->n; i++)
    if (g_array_index (reading->rules, ClqAlternative, first->first + i).guard == NULL)
      clq_compiler_criticise (reading->compiler, own->place, CLQ_GRAPH_ERROR_UNREACHABLE,
                              "it is never tried: [always] %s takes the event first; expected a guard there, or the rule in [otherwise]",
                              first->place.key->key);
}

static void
append_rules (const Reading *reading, const Span *span, GArray *all)
{
  for (guint i = span->first; i < span->first + span->n; i++)
    {
      const ClqAlternative *written = &g_array_index (reading->rules, ClqAlternative, i);
      ClqRule rule = { written->target, i, written->guard, written->key->file, written->key->line };

      g_array_append_val (all, rule);
    }
}

/* Puts the alternatives into one list per state and event: [always], [transitions], [otherwise]. */
static void
flatten (Reading *reading)
{
  ClqGraph *graph = reading->compiler->graph;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (ClqRule));

  for (guint state = 0; state < graph->n_states; state++)
    for (guint event = 0; event < graph->n_events; event++)
      {
        const guint rows[] = { get_always (reading), state, get_otherwise (reading) };

        graph->first_rule[state * graph->n_events + event] = all->len;
        if (!reading->compiler->lacks_rules)
          check_hidden (reading, state, event);
        for (guint i = 0; i < G_N_ELEMENTS (rows) && all->len <= CLQ_MAX_RULES; i++)
          append_rules (reading, get_span (reading, rows[i], event), all);
      }
  if (all->len > CLQ_MAX_RULES)
    {
      clq_compiler_report (reading->compiler, (ClqPlace){ 0 }, CLQ_GRAPH_ERROR_VALUE, "there are too many rules; expected at most %d, counted for each state", CLQ_MAX_RULES);
      doubt (reading->compiler, G_MAXUINT);
    }
  graph->first_rule[graph->n_states * graph->n_events] = all->len;
  graph->rules = (ClqRule *) g_array_free (g_steal_pointer (&all), FALSE);
}

/* Private: reads the rules into one table by state and event. */
void
clq_compiler_read_rules (ClqCompiler *self)
{
  ClqGraph *graph = self->graph;
  Reading reading = { .compiler = self };

  graph->first_rule = g_new0 (guint32, (gsize) graph->n_states * graph->n_events + 1);
  graph->written = reading.rules = g_array_new (FALSE, FALSE, sizeof (ClqAlternative));
  reading.spans = g_new0 (Span, (gsize) (graph->n_states + 2) * graph->n_events);
  read_common (&reading, "always", get_always (&reading));
  read_transitions (&reading);
  read_common (&reading, "otherwise", get_otherwise (&reading));
  flatten (&reading);
  g_free (reading.spans);
}
