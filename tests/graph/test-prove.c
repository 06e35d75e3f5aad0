/* The prover against a model that is too simple to be wrong: random graphs with random invariants. */
#include <locale.h>

#include "clq-invariant.h"
#include "fixture.h"
#include "random-model.h"

#define N_GRAPHS 1500
#define N_INVARIANTS 6

typedef struct
{
  ClqInvariantForm form;
  guint a, c;  /* states, a bit each */
  guint e;     /* events, a bit each */
  int A, B, f; /* where the form has room for one only; the first event is in e */
} Promise;

static void
append_names (GString *text, char kind, guint names)
{
  gboolean first = TRUE;

  for (int i = 0; i < 8; i++)
    if ((names >> i & 1) != 0)
      {
        g_string_append_printf (text, "%s%c%d", first ? "" : ", ", kind, i);
        first = FALSE;
      }
}

static guint
pick_some (int n)
{
  return 1u + (guint) model_pick ((1 << n) - 1);
}

static int
lowest (guint names)
{
  return g_bit_nth_lsf (names, -1);
}

static void
print_promise (const Promise *promise, GString *text)
{
  int e = lowest (promise->e);

  switch (promise->form)
    {
    case CLQ_INVARIANT_LEADS:
      g_string_append_printf (text, "s%d leads to s%d", promise->A, promise->B);
      break;
    case CLQ_INVARIANT_LEADS_BY:
      g_string_append_printf (text, "s%d leads to s%d by e%d", promise->A, promise->B, e);
      break;
    case CLQ_INVARIANT_ENTER:
      g_string_append (text, "only ");
      append_names (text, 's', promise->a);
      g_string_append (text, " enter ");
      append_names (text, 's', promise->c);
      break;
    case CLQ_INVARIANT_LEFT_BY:
      g_string_append_printf (text, "s%d is left only by ", promise->A);
      append_names (text, 'e', promise->e);
      break;
    case CLQ_INVARIANT_NEVER_LEFT:
      g_string_append_printf (text, "s%d is never left", promise->A);
      break;
    case CLQ_INVARIANT_EXIT:
      g_string_append (text, "every state has an exit except ");
      append_names (text, 's', promise->c);
      break;
    case CLQ_INVARIANT_ACCEPTS:
      g_string_append (text, "every state except ");
      append_names (text, 's', promise->c);
      g_string_append (text, " accepts ");
      append_names (text, 'e', promise->e);
      break;
    case CLQ_INVARIANT_KEEP:
      append_names (text, 'e', promise->e);
      g_string_append (text, " keep the state");
      break;
    case CLQ_INVARIANT_RETURNS:
      g_string_append_printf (text, "s%d e%d then e%d returns", promise->A, e, promise->f);
      break;
    case CLQ_INVARIANT_BEFORE:
    default:
      g_string_append_printf (text, "never s%d before s%d", promise->B, promise->A);
    }
}

static Promise
make_promise (const Model *model)
{
  return (Promise){
    .form = model_pick (CLQ_INVARIANT_BEFORE + 1),
    .a = pick_some (model->n_states),
    .c = pick_some (model->n_states),
    .e = pick_some (MODEL_N_EVENTS),
    .A = model_pick (model->n_states),
    .B = model_pick (model->n_states),
    .f = model_pick (MODEL_N_EVENTS),
  };
}

static gboolean
has (guint set, int index)
{
  return (set >> index & 1) != 0;
}

static gboolean
may_refuse (const Model *model, int state, int event)
{
  return (model->results[state][event] & MODEL_REFUSE) != 0;
}

/* Where a state and event may lead, staying included: a bit per state. */
static guint
find_states (const Model *model, int state, int event)
{
  guint results = model->results[state][event];

  return (results & ((1u << MODEL_MAX_STATES) - 1)) | ((results & MODEL_STAY) != 0 ? 1u << state : 0);
}

/* How many events break it at least, or MODEL_FAR if nothing does. A move is an event that leads from one state to another. */
static int
break_by_move (const Model *model, const Promise *promise, int from, int event, int to)
{
  gboolean broken = FALSE;

  if (promise->form == CLQ_INVARIANT_ENTER)
    broken = has (promise->c, to) && !has (promise->a, from);
  else if (promise->form == CLQ_INVARIANT_LEFT_BY)
    broken = from == promise->A && !has (promise->e, event);
  else if (promise->form == CLQ_INVARIANT_NEVER_LEFT)
    broken = from == promise->A;
  else if (promise->form == CLQ_INVARIANT_KEEP)
    broken = has (promise->e, event);
  return broken ? model->distance[from] + 1 : MODEL_FAR;
}

static int
break_by_moves (const Model *model, const Promise *promise)
{
  int best = MODEL_FAR;

  for (int from = 0; from < model->n_states; from++)
    for (int event = 0; event < MODEL_N_EVENTS; event++)
      for (int to = 0; to < model->n_states; to++)
        if (to != from && has (model->results[from][event], to) && model->distance[from] < MODEL_FAR)
          best = MIN (best, break_by_move (model, promise, from, event, to));
  return best;
}

static int
break_exit (const Model *model, const Promise *promise)
{
  int best = MODEL_FAR;

  for (int from = 0; from < model->n_states; from++)
    {
      gboolean leaves = FALSE;

      for (int event = 0; event < MODEL_N_EVENTS; event++)
        leaves = leaves || (find_states (model, from, event) & ~(1u << from)) != 0;
      if (!leaves && !has (promise->c, from))
        best = MIN (best, model->distance[from]);
    }
  return best;
}

static int
break_accepts (const Model *model, const Promise *promise)
{
  int best = MODEL_FAR;

  for (int from = 0; from < model->n_states; from++)
    for (int event = 0; event < MODEL_N_EVENTS; event++)
      if (has (promise->e, event) && !has (promise->c, from) && may_refuse (model, from, event))
        best = MIN (best, model->distance[from] + 1);
  return best;
}

/* The states that A leads to by one transition or more. */
static guint
find_followers (const Model *model, int state)
{
  guint found = 0, before;

  for (int event = 0; event < MODEL_N_EVENTS; event++)
    found |= model->results[state][event] & (MODEL_STAY - 1);
  do
    {
      before = found;
      for (int i = 0; i < model->n_states; i++)
        for (int event = 0; event < MODEL_N_EVENTS && has (before, i); event++)
          found |= model->results[i][event] & (MODEL_STAY - 1);
    }
  while (found != before);
  return found;
}

static int
break_returns (const Model *model, const Promise *promise)
{
  int out = lowest (promise->e), distance = model->distance[promise->A];

  if (may_refuse (model, promise->A, out))
    return distance + 1;
  for (int there = 0; there < model->n_states; there++)
    if (has (find_states (model, promise->A, out), there) &&
        (may_refuse (model, there, promise->f) || find_states (model, there, promise->f) != 1u << promise->A))
      return distance + 2;
  return MODEL_FAR;
}

static int
find_break (const Model *model, const Promise *promise)
{
  int distance = model->distance[promise->A], passing[MODEL_MAX_STATES];

  switch (promise->form)
    {
    case CLQ_INVARIANT_LEADS:
      return has (find_followers (model, promise->A), promise->B) ? MODEL_FAR : distance;
    case CLQ_INVARIANT_LEADS_BY:
      if (!may_refuse (model, promise->A, lowest (promise->e)) &&
          find_states (model, promise->A, lowest (promise->e)) == 1u << promise->B)
        return MODEL_FAR;
      return distance + 1;
    case CLQ_INVARIANT_EXIT:
      return break_exit (model, promise);
    case CLQ_INVARIANT_ACCEPTS:
      return break_accepts (model, promise);
    case CLQ_INVARIANT_RETURNS:
      return break_returns (model, promise);
    case CLQ_INVARIANT_BEFORE:
      model_measure (model, promise->A, passing);
      return promise->A != promise->B ? passing[promise->B] : MODEL_FAR;
    case CLQ_INVARIANT_ENTER:
    case CLQ_INVARIANT_LEFT_BY:
    case CLQ_INVARIANT_NEVER_LEFT:
    case CLQ_INVARIANT_KEEP:
    default:
      return break_by_moves (model, promise);
    }
}

/* ---- comparing ---- */

/* Every step of a counterexample must be one that the model can make. */
static void
assert_possible (const Model *model, const GArray *steps)
{
  int state = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      const ClqStep *step = &g_array_index (steps, ClqStep, i);

      g_assert_cmpint (step->event, <, MODEL_N_EVENTS);
      g_assert_true ((model->results[state][step->event] & model_bit (step->target)) != 0);
      g_assert_true (step->target != CLQ_REFUSE || i + 1 == steps->len);
      state = step->target >= 0 ? step->target : state;
    }
}

static gboolean
compare (const Model *model, const ClqWays *ways, const Promise *promise, const ClqInvariant *invariant)
{
  g_auto (ClqCounterexample) refutation = { 0 };
  gboolean holds = clq_invariant_prove (invariant, ways, &refutation);
  int length = find_break (model, promise);

  g_assert_cmpint (invariant->form, ==, promise->form);
  if (holds != (length >= MODEL_FAR))
    g_test_message ("%s\n%s: %s", model->text->str, invariant->key->value, refutation.why != NULL ? refutation.why : "holds");
  g_assert_cmpint (holds, ==, length >= MODEL_FAR);
  if (holds)
    return TRUE;
  g_assert_cmpint (refutation.steps->len, ==, length);
  g_assert_nonnull (refutation.why);
  assert_possible (model, refutation.steps);
  return FALSE;
}

static void
test_random (Fixture *fixture, gconstpointer data)
{
  const ClqGraphOptions bare = { .bare = TRUE };
  guint n_broken = 0, n_whole = 0;

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      Model model = { 0 };
      Promise promises[N_INVARIANTS];
      g_autoptr (ClqFindings) findings = clq_findings_new ();
      g_autoptr (ClqGraph) graph = NULL;
      g_autoptr (ClqGraph) full = NULL;
      g_autoptr (ClqWays) ways = NULL;
      gboolean is_safe = TRUE;

      model_init (&model);
      g_string_append (model.text, "[invariants]\n");
      for (guint j = 0; j < N_INVARIANTS; j++)
        {
          promises[j] = make_promise (&model);
          g_string_append_printf (model.text, "i%u=", j);
          print_promise (&promises[j], model.text);
          g_string_append_c (model.text, '\n');
        }
      graph = clq_graph_load_text ("text", model.text->str, &bare, findings);
      g_assert_nonnull (graph);
      ways = clq_ways_new (graph);
      for (int j = 0; j < model.n_states; j++)
        g_assert_cmpint (ways->start.reached[j], ==, model.distance[j] < MODEL_FAR);
      g_assert_cmpuint (graph->invariants->len, ==, N_INVARIANTS);
      for (guint j = 0; j < N_INVARIANTS; j++)
        is_safe = compare (&model, ways, &promises[j], g_ptr_array_index (graph->invariants, j)) && is_safe;
      full = clq_graph_load_text ("text", model.text->str, &fixture->options, findings);
      g_assert_true (is_safe || full == NULL);
      n_broken += !is_safe;
      n_whole += is_safe;
      model_clear (&model);
    }
  /* Both kinds must be there for this to say anything. */
  g_assert_cmpuint (n_broken, >, N_GRAPHS / 10);
  g_assert_cmpuint (n_whole, >, 0);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/colloquy/prove/random", Fixture, NULL, fixture_set_up, test_random, fixture_tear_down);
  return g_test_run ();
}
