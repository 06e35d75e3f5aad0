/* Guards: what they read, how they compare, and what they say before the event is there. */
#include <locale.h>
#include <string.h>

#include "clq-guard.h"

static const char *const states[] = { "a", "b", NULL };
static const char *const fields[] = { "n", "s", "t", "list", "empty", "deep", NULL };

static gboolean
says_yes (gpointer self, ClqView *view, const ClqEvent *event)
{
  return event != NULL && g_strcmp0 (clq_event_get_text (event), self) == 0;
}

static gboolean
is_in_b (gpointer self, ClqView *view, const ClqEvent *event)
{
  return g_str_equal (view->state, "b");
}

static const ClqPredicate predicates[] = {
  { "says-yes", "the text is the modality's own", says_yes, FALSE },
  { "is-in-b", "the state is b", is_in_b, TRUE },
  { NULL },
};

static const ClqModalityInfo modality = {
  CLQ_MODALITY_INFO,
  .name = "test",
  .predicates = predicates,
  .fields = fields,
};

static const ClqGuardNames names = { states, fields, &modality };

typedef struct
{
  const char *text;
  ClqTruth truth;
} Case;

static void
assert_cases (const Case *cases, guint n, ClqView *view, const ClqEvent *event)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqGuard) guard = clq_guard_parse (cases[i].text, &names, &error);

      g_assert_no_error (error);
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (clq_guard_eval (guard, view, event, (gpointer) "yes"), ==, cases[i].truth);
      g_assert_cmpstr (clq_guard_get_text (guard), ==, cases[i].text);
    }
}

static guint32 visits[] = { 3, 1 };

static const ClqHead head = { .visits = visits, .n_visits = 2, .hops = 5 };

static ClqView
make_view (void)
{
  return (ClqView){
    .head = &head,
    .data = "{\"n\":3,\"s\":\"caf\\u00e9 \\\"x\\\"\",\"t\":true,\"list\":[1],\"empty\":[],\"deep\":{\"er\":{\"est\":-1.5}}}",
    .state = "a",
    .turns_here = 4,
    .state_names = states,
    .schedule = "{\"type\":\"cron\"}",
    .questions = "[{\"id\":\"x\"},{\"id\":\"y\",\"answer\":1},{\"id\":\"z\"}]",
    .next_run = 1000,
  };
}

static void
test_data (void)
{
  static const Case cases[] = {
    { "n == 3", CLQ_TRUE },
    { "n != 3", CLQ_FALSE },
    { "n >= 3 and n <= 3 and not n < 3 and not n > 3", CLQ_TRUE },
    { "n == \"3\"", CLQ_FALSE },
    { "n != \"3\"", CLQ_TRUE },
    { "n < \"4\"", CLQ_FALSE },
    { "s == \"caf\xc3\xa9 \\\"x\\\"\"", CLQ_TRUE },
    { "s > \"caf\" and s < \"d\"", CLQ_TRUE },
    { "t", CLQ_TRUE },
    { "t == true and t != false", CLQ_TRUE },
    { "not t or false", CLQ_FALSE },
    { "deep.er.est == -1.5", CLQ_TRUE },
    { "deep.er.nothing == null", CLQ_TRUE },
    { "has(deep.er) and not has(deep.nothing)", CLQ_TRUE },
    { "list and not empty and has(empty)", CLQ_TRUE },
    { "list == list", CLQ_FALSE },
    { "n and s", CLQ_TRUE },
    { "true and (false or (not false))", CLQ_TRUE },
    { "false and true or true", CLQ_TRUE },
    { "1e3 == 1000", CLQ_TRUE },
  };
  ClqView view = make_view ();

  assert_cases (cases, G_N_ELEMENTS (cases), &view, NULL);
}

static void
test_engine (void)
{
  static const Case cases[] = {
    { "state == \"a\"", CLQ_TRUE },
    { "hops == 5", CLQ_TRUE },
    { "turns-here > 3 and turns-here <= 4", CLQ_TRUE },
    { "visits(a) == 3 and visits(b) == 1", CLQ_TRUE },
    { "questions == 2 and has(questions)", CLQ_TRUE },
    { "schedule.type == \"cron\" and has(schedule)", CLQ_TRUE },
    { "has(schedule.other)", CLQ_FALSE },
    { "nextRunAt == 1000", CLQ_TRUE },
    { "is-in-b", CLQ_FALSE },
  };
  static const Case without[] = {
    { "has(schedule)", CLQ_FALSE },
    { "schedule.type == \"cron\"", CLQ_FALSE },
    { "has(nextRunAt)", CLQ_FALSE },
    { "nextRunAt < 5", CLQ_FALSE },
    { "is-in-b and not has(n)", CLQ_TRUE },
  };
  static const ClqHead empty = { 0 };
  ClqView view = make_view ();
  ClqView other = { .head = &empty, .data = "{}", .state = "b", .state_names = states, .questions = "[]" };

  assert_cases (cases, G_N_ELEMENTS (cases), &view, NULL);
  assert_cases (without, G_N_ELEMENTS (without), &other, NULL);
}

static void
test_event (void)
{
  static const Case cases[] = {
    { "event.text == \"yes\"", CLQ_TRUE },
    { "event.name == \"message\" and event.kind == \"action\" and event.role == \"user\"", CLQ_TRUE },
    { "event.actor == \"me\"", CLQ_TRUE },
    { "event.class == \"auth\" and event.message == \"no key\"", CLQ_TRUE },
    { "event.choice.of == 2", CLQ_TRUE },
    { "has(event.choice) and not has(event.partial)", CLQ_TRUE },
    { "event.nothing", CLQ_FALSE },
    { "says-yes", CLQ_TRUE },
    { "not says-yes", CLQ_FALSE },
  };
  g_autoptr (ClqEvent) event = clq_event_new (CLQ_EVENT_ACTION, "message");
  ClqView view = make_view ();

  event->text = g_strdup ("yes");
  event->actor = g_strdup ("me");
  event->role = CLQ_ROLE_USER;
  event->payload = g_strdup ("{\"choice\":{\"of\":2},\"text\":\"the engine's comes first\"}");
  event->error = g_error_new (CLQ_FAILURE, CLQ_FAILURE_AUTH, "no key");
  assert_cases (cases, G_N_ELEMENTS (cases), &view, event);
}

/* Without an event what depends on it is not known, but the rest may decide. */
static void
test_maybe (void)
{
  static const Case cases[] = {
    { "event.text == \"yes\"", CLQ_MAYBE },
    { "not event.text", CLQ_MAYBE },
    { "has(event.text)", CLQ_MAYBE },
    { "says-yes", CLQ_MAYBE },
    { "says-yes and n == 3", CLQ_MAYBE },
    { "says-yes and n == 4", CLQ_FALSE },
    { "says-yes or n == 3", CLQ_TRUE },
    { "n == 4 or event.x", CLQ_MAYBE },
    { "not (event.x and false)", CLQ_TRUE },
    { "is-in-b", CLQ_FALSE },
  };
  ClqView view = make_view ();

  assert_cases (cases, G_N_ELEMENTS (cases), &view, NULL);
}

static void
test_reads_event (void)
{
  static const struct
  {
    const char *text;
    gboolean reads;
  } cases[] = {
    { "n == 3 and state == \"a\"", FALSE },
    { "is-in-b", FALSE },
    { "says-yes", TRUE },
    { "n == 3 or has(event.text)", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ClqGuard) guard = clq_guard_parse (cases[i].text, &names, NULL);

      g_assert_cmpint (clq_guard_reads_event (guard), ==, cases[i].reads);
    }
}

static void
test_errors (void)
{
  static const struct
  {
    const char *text;
    int code;
    const char *message;
  } cases[] = {
    { "", CLQ_GRAPH_ERROR_SYNTAX, "guard '', column 1: expected a value" },
    { "n ==", CLQ_GRAPH_ERROR_SYNTAX, "guard 'n ==', column 5: expected a value after '=='" },
    { "n == 3 4", CLQ_GRAPH_ERROR_SYNTAX, "guard 'n == 3 4', column 8: expected 'and', 'or' or the end after '3', not '4'" },
    { "(n", CLQ_GRAPH_ERROR_SYNTAX, "guard '(n', column 3: expected ')' after 'n'" },
    { "m", CLQ_GRAPH_ERROR_UNKNOWN_KEY, "guard 'm', column 1: unknown name 'm'; expected one of: n, s, t, list, empty, deep, "
                                        "says-yes, is-in-b, event, schedule, nextRunAt, questions, state, hops, turns-here" },
    { "visits(c) > 1", CLQ_GRAPH_ERROR_UNKNOWN_NODE, "guard 'visits(c) > 1', column 8: unknown state 'c'; expected one of: a, b" },
    { "has(is-in-b)", CLQ_GRAPH_ERROR_SYNTAX, "guard 'has(is-in-b)', column 5: 'is-in-b' is a predicate; expected it without has ()" },
    { "\xc3\xa4", CLQ_GRAPH_ERROR_SYNTAX, "guard '\xc3\xa4', column 1: '\xc3\xa4' means nothing here; expected a comparison, 'and', 'or', 'not' or a value" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (clq_guard_parse (cases[i].text, &names, &error));
      g_assert_error (error, CLQ_GRAPH_ERROR, cases[i].code);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* With no names nothing is checked, and a predicate that nobody knows does not hold. */
static void
test_no_names (void)
{
  static const ClqGuardNames nothing = { NULL, NULL, NULL };
  const ClqGuardNames *const both[] = { NULL, &nothing };
  ClqView view = make_view ();

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqGuard) guard = clq_guard_parse ("some-predicate or visits(nowhere) > 0", both[i], &error);

      g_assert_no_error (error);
      g_assert_cmpint (clq_guard_eval (guard, &view, NULL, NULL), ==, CLQ_FALSE);
    }
}

/* What the state alone decides; whatever else is read may be anything. */
static void
test_in_state (void)
{
  static const struct
  {
    const char *text;
    ClqTruth in_a, in_b;
    gboolean counts;
  } cases[] = {
    { "state == \"a\"", CLQ_TRUE, CLQ_FALSE, FALSE },
    { "\"a\" != state", CLQ_FALSE, CLQ_TRUE, FALSE },
    { "state < \"b\"", CLQ_TRUE, CLQ_FALSE, FALSE },
    { "state == \"elsewhere\"", CLQ_FALSE, CLQ_FALSE, FALSE },
    { "state", CLQ_TRUE, CLQ_TRUE, FALSE },
    { "has(state)", CLQ_TRUE, CLQ_TRUE, FALSE },
    { "n == 3", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "has(n)", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "n == n", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "1 == 1", CLQ_TRUE, CLQ_TRUE, FALSE },
    { "not true", CLQ_FALSE, CLQ_FALSE, FALSE },
    { "null", CLQ_FALSE, CLQ_FALSE, FALSE },
    { "visits(a) > 2", CLQ_MAYBE, CLQ_MAYBE, TRUE },
    { "hops < 0", CLQ_MAYBE, CLQ_MAYBE, TRUE },
    { "n > 1 or turns-here > 1", CLQ_MAYBE, CLQ_MAYBE, TRUE },
    { "questions > 0", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "nextRunAt != null", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "has(schedule)", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "event.text == \"x\"", CLQ_MAYBE, CLQ_MAYBE, FALSE },
    { "state == \"a\" and n > 1", CLQ_MAYBE, CLQ_FALSE, FALSE },
    { "state == \"a\" or n > 1", CLQ_TRUE, CLQ_MAYBE, FALSE },
    { "not (state == \"a\" or n > 1)", CLQ_FALSE, CLQ_MAYBE, FALSE },
    { "not (n > 1) and state != \"b\"", CLQ_MAYBE, CLQ_FALSE, FALSE },
    { "(state == \"a\" and has(n)) == true", CLQ_MAYBE, CLQ_FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClqGuard) guard = clq_guard_parse (cases[i].text, NULL, &error);

      g_assert_no_error (error);
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (clq_guard_eval_in_state (guard, "a"), ==, cases[i].in_a);
      g_assert_cmpint (clq_guard_eval_in_state (guard, "b"), ==, cases[i].in_b);
      g_assert_cmpint (clq_guard_counts (guard), ==, cases[i].counts);
    }
}

/* A long chain is no deep tree. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new ("n == 0");
  g_autoptr (ClqGuard) guard = NULL;
  ClqView view = make_view ();

  for (guint i = 0; i < 20000; i++)
    g_string_append (text, " or n == 0");
  g_string_append (text, " or n == 3");
  guard = clq_guard_parse (text->str, &names, NULL);
  g_assert_nonnull (guard);
  g_assert_cmpint (clq_guard_eval (guard, &view, NULL, NULL), ==, CLQ_TRUE);
}

/* Found by the fuzzer: where such a text ended could not be told. */
static void
test_not_utf8 (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_guard_parse ("it@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@(.l\x89\xfc", NULL, &error));
  g_assert_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_SYNTAX);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/guard/data", test_data);
  g_test_add_func ("/colloquy/guard/engine", test_engine);
  g_test_add_func ("/colloquy/guard/event", test_event);
  g_test_add_func ("/colloquy/guard/maybe", test_maybe);
  g_test_add_func ("/colloquy/guard/reads-event", test_reads_event);
  g_test_add_func ("/colloquy/guard/errors", test_errors);
  g_test_add_func ("/colloquy/guard/no-names", test_no_names);
  g_test_add_func ("/colloquy/guard/in-state", test_in_state);
  g_test_add_func ("/colloquy/guard/long", test_long);
  g_test_add_func ("/guard/not-utf8", test_not_utf8);
  return g_test_run ();
}
