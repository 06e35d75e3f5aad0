#define G_LOG_DOMAIN "clq-graph"

#include "clq-draw.h"

#include "clq-guard-private.h"
#include "clq-invariant.h"

/* ---- names ---- */

/* S0_DORMANT, E3_fork: the number makes it unique, the name is for the reader. */
static void
append_name (GString *out, char kind, guint number, const char *name)
{
  g_string_append_printf (out, "%c%u_", kind, number);
  for (const char *c = name; *c != '\0'; c++)
    g_string_append_c (out, *c == '-' ? '_' : *c);
}

static void
append_state (GString *out, const ClqGraph *graph, guint state)
{
  append_name (out, 'S', state, graph->state_names[state]);
}

static void
append_event (GString *out, const ClqGraph *graph, guint event)
{
  append_name (out, 'E', event, graph->event_names[event]);
}

static void
append_target (GString *out, const ClqGraph *graph, int target)
{
  if (target >= 0)
    append_state (out, graph, (guint) target);
  else
    g_string_append (out, target == CLQ_STAY ? "STAY" : "REFUSE");
}

typedef void (*AppendFunc) (GString *out, const ClqGraph *graph, guint index);

/* (VARIABLE == A || VARIABLE == B) */
static void
append_any (GString *out, const ClqGraph *graph, const char *variable, const GArray *indices, AppendFunc append)
{
  g_string_append_c (out, '(');
  for (guint i = 0; i < indices->len; i++)
    {
      g_string_append_printf (out, "%s%s == ", i > 0 ? " || " : "", variable);
      append (out, graph, g_array_index (indices, guint, i));
    }
  g_string_append (out, indices->len > 0 ? ")" : "false)");
}

/* ---- guards ---- */

/* In which states a part of a guard may be TRUE, or FALSE. */
static void
append_leaf (GString *out, const ClqGraph *graph, const ClqGuard *guard, guint32 index, gboolean wanted)
{
  ClqGuard part = *guard;
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (guint));

  part.root = index;
  for (guint i = 0; i < graph->n_states; i++)
    if (clq_guard_eval_in_state (&part, graph->state_names[i]) != (wanted ? CLQ_FALSE : CLQ_TRUE))
      g_array_append_val (states, i);
  if (states->len == graph->n_states)
    g_string_append (out, "true");
  else
    append_any (out, graph, "from", states, append_state);
}

/* A guard as two expressions over the state: whether it may hold, and whether it may not. */
static void
append_guard (GString *out, const ClqGraph *graph, const ClqGuard *guard, guint32 index, gboolean wanted)
{
  const ClqGuardNode *node = &g_array_index (guard->nodes, ClqGuardNode, index);
  gboolean all = (node->op == CLQ_GUARD_AND) == wanted;

  if (node->op == CLQ_GUARD_NOT)
    {
      append_guard (out, graph, guard, node->first, !wanted);
      return;
    }
  if (node->op != CLQ_GUARD_AND && node->op != CLQ_GUARD_OR)
    {
      append_leaf (out, graph, guard, index, wanted);
      return;
    }
  g_string_append_c (out, '(');
  for (guint32 i = node->first; i != 0; i = g_array_index (guard->nodes, ClqGuardNode, i).next)
    {
      if (i != node->first)
        g_string_append (out, all ? " && " : " || ");
      append_guard (out, graph, guard, i, wanted);
    }
  g_string_append_c (out, ')');
}

/* ---- rules ---- */

static void
append_rule (GString *out, const ClqGraph *graph, guint index)
{
  const ClqAlternative *rule = &g_array_index (graph->written, ClqAlternative, index);

  g_string_append_printf (out, "      TRY (%u, ", index);
  if (rule->guard != NULL)
    {
      append_guard (out, graph, rule->guard, rule->guard->root, TRUE);
      g_string_append (out, ", ");
      append_guard (out, graph, rule->guard, rule->guard->root, FALSE);
    }
  else
    g_string_append (out, "true, false");
  g_string_append (out, ", ");
  append_target (out, graph, rule->target);
  g_string_append_printf (out, ") /* rule %u: %s:%u alternative %u */\n", index, rule->key->file, rule->key->line, rule->index);
}

/* The rules of one group, key by key: the alternatives of a key stand together. */
static void
append_rules (GString *out, const ClqGraph *graph, ClqRuleGroup group)
{
  const ClqKey *key = NULL;

  g_string_append (out, "    if\n");
  for (guint i = 0; i < graph->written->len; i++)
    {
      const ClqAlternative *rule = &g_array_index (graph->written, ClqAlternative, i);

      if (rule->rules != group)
        continue;
      if (rule->key != key)
        {
          g_string_append (out, "    :: event == ");
          append_event (out, graph, (guint) rule->event);
          if (rule->state >= 0)
            {
              g_string_append (out, " && from == ");
              append_state (out, graph, (guint) rule->state);
            }
          g_string_append (out, " ->\n");
          key = rule->key;
        }
      append_rule (out, graph, i);
    }
  g_string_append (out, "    :: else\n    fi;\n");
}

/* ---- invariants ---- */

/* When a step breaks it, over what was before (from), what came (event) and what is now (state, taken). */
static void
append_bad (GString *out, const ClqGraph *graph, const ClqInvariant *self)
{
  switch (self->form)
    {
    case CLQ_INVARIANT_LEADS_BY:
      append_any (out, graph, "from", self->states, append_state);
      g_string_append (out, " && ");
      append_any (out, graph, "event", self->events, append_event);
      g_string_append (out, " && !(TAKEN && ");
      append_any (out, graph, "state", self->others, append_state);
      g_string_append_c (out, ')');
      break;
    case CLQ_INVARIANT_ENTER:
      g_string_append (out, "MOVED && ");
      append_any (out, graph, "state", self->others, append_state);
      g_string_append (out, " && !");
      append_any (out, graph, "from", self->states, append_state);
      break;
    case CLQ_INVARIANT_LEFT_BY:
    case CLQ_INVARIANT_NEVER_LEFT:
      g_string_append (out, "MOVED && ");
      append_any (out, graph, "from", self->states, append_state);
      g_string_append (out, " && !");
      append_any (out, graph, "event", self->events, append_event);
      break;
    case CLQ_INVARIANT_ACCEPTS:
      g_string_append (out, "!TAKEN && ");
      append_any (out, graph, "event", self->events, append_event);
      g_string_append (out, " && !");
      append_any (out, graph, "from", self->others, append_state);
      break;
    case CLQ_INVARIANT_KEEP:
      g_string_append (out, "MOVED && ");
      append_any (out, graph, "event", self->events, append_event);
      break;
    case CLQ_INVARIANT_LEADS:
    case CLQ_INVARIANT_EXIT:
    case CLQ_INVARIANT_RETURNS:
    case CLQ_INVARIANT_BEFORE:
    default:
      g_return_if_reached ();
    }
}

static void
append_equal (GString *out, const ClqGraph *graph, const char *variable, const GArray *indices, guint index, AppendFunc append)
{
  g_string_append_printf (out, "%s == ", variable);
  append (out, graph, g_array_index (indices, guint, index));
}

/* Those that need to know more of the past than one step. */
static void
append_watch (GString *out, const ClqGraph *graph, const ClqInvariant *self, guint number)
{
  g_string_append_printf (out, "    if\n    :: focus == %u ->\n", number);
  if (self->form == CLQ_INVARIANT_LEADS)
    {
      g_string_append (out, "      memory = (to >= 0 && (memory || ");
      append_equal (out, graph, "from", self->states, 0, append_state);
      g_string_append (out, ")) || memory;\n      NOTE (MET, ");
      g_string_append_printf (out, "%u, to >= 0 && memory && ", number);
      append_equal (out, graph, "state", self->others, 0, append_state);
      g_string_append (out, ")\n");
    }
  else if (self->form == CLQ_INVARIANT_RETURNS)
    {
      g_string_append_printf (out, "      NOTE (BROKEN, %u, memory && ", number);
      append_equal (out, graph, "event", self->events, 1, append_event);
      g_string_append (out, " && !(TAKEN && ");
      append_equal (out, graph, "state", self->states, 0, append_state);
      g_string_append (out, "))\n      memory = ");
      append_equal (out, graph, "from", self->states, 0, append_state);
      g_string_append (out, " && ");
      append_equal (out, graph, "event", self->events, 0, append_event);
      g_string_append_printf (out, ";\n      NOTE (BROKEN, %u, memory && !TAKEN)\n", number);
    }
  else
    {
      g_string_append_printf (out, "      NOTE (BROKEN, %u, !memory && ", number);
      append_equal (out, graph, "state", self->others, 0, append_state);
      g_string_append (out, " && !(");
      append_equal (out, graph, "state", self->states, 0, append_state);
      g_string_append (out, "))\n      memory = memory || ");
      append_equal (out, graph, "state", self->states, 0, append_state);
      g_string_append (out, ";\n");
    }
  g_string_append (out, "    :: else\n    fi;\n");
}

static gboolean
is_watched (const ClqInvariant *self)
{
  return self->form == CLQ_INVARIANT_LEADS || self->form == CLQ_INVARIANT_RETURNS || self->form == CLQ_INVARIANT_BEFORE;
}

static void
append_invariants (GString *out, const ClqGraph *graph)
{
  for (guint i = 0; i < graph->invariants->len; i++)
    {
      const ClqInvariant *self = g_ptr_array_index (graph->invariants, i);

      g_string_append_printf (out, "    /* %s: %s */\n", self->key->key, self->key->value);
      if (is_watched (self))
        append_watch (out, graph, self, i);
      else if (self->form != CLQ_INVARIANT_EXIT)
        {
          g_string_append_printf (out, "    NOTE (BROKEN, %u, ", i);
          append_bad (out, graph, self);
          g_string_append (out, ")\n");
        }
    }
}

/* What one has to be asked for at the start: a way that begins there is broken before the first step. */
static void
append_start (GString *out, const ClqGraph *graph)
{
  for (guint i = 0; i < graph->invariants->len; i++)
    {
      const ClqInvariant *self = g_ptr_array_index (graph->invariants, i);

      if (self->form != CLQ_INVARIANT_BEFORE)
        continue;
      g_string_append_printf (out, "    NOTE (BROKEN, %u, ", i);
      append_equal (out, graph, "state", self->others, 0, append_state);
      g_string_append (out, " && !(");
      append_equal (out, graph, "state", self->states, 0, append_state);
      g_string_append_printf (out, "))\n    if :: focus == %u -> memory = ", i);
      append_equal (out, graph, "state", self->states, 0, append_state);
      g_string_append (out, " :: else fi;\n");
    }
}

/* ---- the report, in C ---- */

static void
append_list (GString *out, const char *name, const char *const *values, guint n)
{
  g_string_append_printf (out, "  static const char *const %s[] = { ", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "\"%s\", ", values[i]);
  g_string_append (out, "0 };\n");
}

/* Promises that something can happen are judged when everything has happened. */
static void
append_verdicts (GString *out, const ClqGraph *graph)
{
  g_string_append (out, "  static void\n  judge (unsigned char *facts)\n  {\n    int i;\n\n    (void) i;\n");
  for (guint i = 0; i < graph->invariants->len; i++)
    {
      const ClqInvariant *self = g_ptr_array_index (graph->invariants, i);

      if (self->form == CLQ_INVARIANT_LEADS)
        g_string_append_printf (out, "    if (facts[REACHED + %u] && !facts[MET + %u])\n      facts[BROKEN + %u] = 1;\n",
                                g_array_index (self->states, guint, 0), i, i);
      if (self->form != CLQ_INVARIANT_EXIT)
        continue;
      g_string_append_printf (out, "    for (i = 0; i < %u; i++)\n      if (facts[REACHED + i] && !facts[LEFT + i]", graph->n_states);
      for (guint j = 0; j < self->others->len; j++)
        g_string_append_printf (out, " && i != %u", g_array_index (self->others, guint, j));
      g_string_append_printf (out, ")\n        facts[BROKEN + %u] = 1;\n", i);
    }
  g_string_append (out, "  }\n");
}

static void
append_report (GString *out, const ClqGraph *graph)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < graph->invariants->len; i++)
    g_ptr_array_add (names, ((ClqInvariant *) g_ptr_array_index (graph->invariants, i))->key->key);
  g_string_append (out, "c_decl {\n");
  append_list (out, "state_names", graph->state_names, graph->n_states);
  append_list (out, "invariant_names", (const char *const *) names->pdata, names->len);
  g_string_append (out, "  static unsigned char facts[(N_RULES + 1) * (N_STATES + 1)][N_FACTS];\n"
                        "  static int is_begun;\n");
  append_verdicts (out, graph);
  g_string_append (out,
                   "  static void\n"
                   "  report (void)\n"
                   "  {\n"
                   "    int i, j;\n\n"
                   "    for (i = 0; i < (N_RULES + 1) * (N_STATES + 1); i++)\n"
                   "      {\n"
                   "        if (!facts[i][N_FACTS - 1])\n"
                   "          continue;\n"
                   "        judge (facts[i]);\n"
                   "        printf (\"verdict %d %d |\", i / (N_STATES + 1) - 1, i % (N_STATES + 1) - 1);\n"
                   "        for (j = 0; j < N_STATES; j++)\n"
                   "          if (facts[i][REACHED + j])\n"
                   "            printf (\" %s\", state_names[j]);\n"
                   "        printf (\" |\");\n"
                   "        for (j = 0; j < N_INVARIANTS; j++)\n"
                   "          if (facts[i][BROKEN + j])\n"
                   "            printf (\" %s\", invariant_names[j]);\n"
                   "        printf (\"\\n\");\n"
                   "      }\n"
                   "  }\n"
                   "}\n\n");
}

/* ---- the whole model ---- */

static const char introduction[] =
    "/*\n"
    " * The graph '%s' for spin, which checks what `colloquy check` has proved:\n"
    " *\n"
    " *     spin -a FILE && cc -w -DSAFETY -o pan pan.c && ./pan\n"
    " *\n"
    " * Any event may come at any time; a guard that reads more than the state may hold or not. The line `verdict -1 -1` lists the\n"
    " * states that were reached and, behind the next bar, the invariants that are broken. With spin -DMUTANTS the same is said of every graph in which one\n"
    " * alternative is missing (`verdict RULE -1`) or leads to another state (`verdict RULE STATE`).\n"
    " */\n";

static const char machinery[] =
    "/* what was seen, one byte each */\n"
    "#define REACHED 0\n"
    "#define LEFT N_STATES\n"
    "#define BROKEN (2 * N_STATES)\n"
    "#define MET (BROKEN + N_INVARIANTS)\n"
    "#define N_FACTS (MET + N_INVARIANTS + 1)\n\n"
    "#define NONE (-1)\n"
    "#define STAY (-1)\n"
    "#define REFUSE (-2)\n\n"
    "#define MOVED (state != from)\n"
    "#define TAKEN (to != REFUSE)\n"
    "#define IS_THERE(rule) (mutated != rule || changed != NONE)\n"
    "#define TARGET(rule, target) (mutated == rule -> changed : target)\n"
    "#define FACTS facts[(now.mutated + 1) * (N_STATES + 1) + now.changed + 1]\n"
    "#define NOTE(what, number, condition) if :: (condition) -> c_code { FACTS[what + number] = 1; } :: else fi;\n"
    "#define TRY(rule, may, may_not, target) if \\\n"
    "      :: done \\\n"
    "      :: !done && IS_THERE (rule) && (may) -> to = TARGET (rule, target); done = true \\\n"
    "      :: !done && (!IS_THERE (rule) || (may_not)) \\\n"
    "      fi;\n\n";

static void
append_numbers (GString *out, const ClqGraph *graph)
{
  g_string_append_printf (out, "#define N_STATES %u\n#define N_RULES %u\n#define N_INVARIANTS %u\n\n",
                          graph->n_states, graph->written->len, graph->invariants->len);
  for (guint i = 0; i < graph->n_states; i++)
    {
      g_string_append (out, "#define ");
      append_state (out, graph, i);
      g_string_append_printf (out, " %u\n", i);
    }
  for (guint i = 0; i < graph->n_events; i++)
    {
      g_string_append (out, "#define ");
      append_event (out, graph, i);
      g_string_append_printf (out, " %u\n", i);
    }
  g_string_append_c (out, '\n');
}

static void
append_process (GString *out, const ClqGraph *graph)
{
  g_string_append (out, "short mutated = NONE, changed = NONE, focus, state = ");
  append_state (out, graph, graph->initial);
  g_string_append (out, ", from, event, to;\n"
                        "bool done, memory;\n\n"
                        "active proctype graph ()\n{\n"
                        "  atomic {\n"
                        "#ifdef MUTANTS\n"
                        "    do :: mutated < N_RULES - 1 -> mutated++ :: break od;\n"
                        "    do :: mutated >= 0 && changed < N_STATES - 1 -> changed++ :: break od;\n"
                        "#endif\n"
                        "    do :: focus < N_INVARIANTS - 1 -> focus++ :: break od;\n");
  append_start (out, graph);
  g_string_append (out, "    c_code {\n"
                        "      if (!is_begun)\n"
                        "        atexit (report);\n"
                        "      is_begun = 1;\n"
                        "      FACTS[N_FACTS - 1] = 1;\n"
                        "      FACTS[REACHED + now.state] = 1;\n"
                        "    }\n"
                        "  }\n"
                        "  do\n"
                        "  :: atomic {\n"
                        "    do :: event < ");
  g_string_append_printf (out, "%u", graph->n_events - 1);
  g_string_append (out, " -> event++ :: break od;\n"
                        "    from = state; to = REFUSE;\n");
  append_rules (out, graph, CLQ_RULES_ALWAYS);
  append_rules (out, graph, CLQ_RULES_TRANSITIONS);
  append_rules (out, graph, CLQ_RULES_OTHERWISE);
  g_string_append (out, "    if :: to >= 0 -> state = to :: else fi;\n"
                        "    c_code {\n"
                        "      FACTS[REACHED + now.state] = 1;\n"
                        "      FACTS[LEFT + now.from] |= now.state != now.from;\n"
                        "    }\n");
  append_invariants (out, graph);
  g_string_append (out, "    from = 0; to = 0; event = 0; done = false\n"
                        "  }\n"
                        "  od\n"
                        "}\n");
}

/* Private: a model for spin. */
char *
clq_draw_promela (const ClqGraph *graph)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, introduction, graph->name);
  append_numbers (out, graph);
  g_string_append (out, machinery);
  append_report (out, graph);
  append_process (out, graph);
  return g_string_free (out, FALSE);
}
