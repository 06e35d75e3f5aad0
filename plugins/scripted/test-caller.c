#include "test-caller.h"

typedef struct
{
  gint64 calls;
  char *request;
  gboolean stream;
  gboolean fan_out;
  guint n_open;
} Caller;

static const ClqSetting caller_settings[] = {
  CLQ_INT (Caller, calls, 1, 1, 9, "how many calls"),
  CLQ_STRING (Caller, request, HEARD ("\"hello\""), "what is asked"),
  CLQ_BOOL (Caller, stream, false, "say the answers"),
  CLQ_BOOL (Caller, fan_out, false, "ask all at once with one callback"),
  { NULL },
};

static void
note (ClqVisit *visit, ClqCall *call)
{
  const GError *error = clq_call_get_error (call);
  g_autofree char *failure = error != NULL ? g_strdup_printf ("%s: %s", clq_failure_to_string (clq_failure_of (error)), error->message) : NULL;

  clq_change_set_string (clq_visit_get_change (visit), clq_call_get_key (call), error != NULL ? failure : clq_call_get_text (call));
}

static void
on_answer (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  Caller *self = user_data;

  note (visit, call);
  if (--self->n_open == 0)
    clq_visit_finish (visit, "done");
}

static void
on_answers (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  for (guint i = 0; i < n_calls; i++)
    note (visit, calls[i]);
  clq_visit_finish (visit, "done");
}

static void
caller_enter (gpointer data, ClqVisit *visit)
{
  static const char *const keys[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
  Caller *self = data;
  ClqRequest requests[G_N_ELEMENTS (keys)];

  if (!clq_visit_has_agent (visit, "judge"))
    clq_visit_progress (visit, -1, "judge is absent");
  self->n_open = (guint) self->calls;
  for (guint i = 0; i < self->calls; i++)
    {
      requests[i] = (ClqRequest){ keys[i], "judge", self->request };
      if (!self->fan_out)
        clq_visit_call_agent (visit, keys[i], "judge", self->request, self->stream, on_answer, self);
    }
  if (self->fan_out)
    clq_visit_fan_out (visit, requests, (guint) self->calls, CLQ_JOIN_SETTLE, 9, on_answers, NULL);
}

const ClqNodeInfo test_caller = {
  CLQ_NODE_INFO,
  .name = "caller",
  .summary = "Asks the agent judge",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = caller_settings,
  .self_size = sizeof (Caller),
  .enter = caller_enter,
};

/* Adds the agent with one setting. */
void
test_add_judge (ClqTestNode *test, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;

  clq_test_node_add_agent (test, "judge", &scripted_agent, &error, key, value, NULL);
  g_assert_no_error (error);
}

/* The agent does not take this setting. */
void
test_assert_refused (const char *key, const char *value, const char *message)
{
  g_autoptr (ClqTestNode) test = clq_test_node_new (&test_caller, NULL);
  g_autofree char *whole = g_strconcat ("agent 'agent': ", message, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clq_test_node_add_agent (test, "judge", &scripted_agent, &error, key, value, NULL));
  g_assert_cmpstr (error->message, ==, whole);
}
