/* The modality helper of the SDK: what goes in, what comes out. */
#include <colloquy-testing.h>

typedef struct
{
  char *word;
} Probe;

static const ClqSetting probe_settings[] = {
  CLQ_STRING (Probe, word, "plain", "a word"),
  { NULL },
};

/* Writes down all that it sees. */
static gboolean
probe_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const GError *failure = clq_event_get_error (event);
  const char *word = clq_view_get_setting (view, "word");

  clq_change_set_reason (change, "%s %s %s %u %s %s %s %s %s %s %s %s", ((Probe *) self)->word, word != NULL ? word : "-", clq_view_get_state (view),
                         clq_view_get_visits (view, clq_view_get_state (view)), clq_view_get_schedule (view), clq_view_get_questions (view),
                         clq_event_get_name (event), clq_event_get_payload (event), clq_event_get_text (event), clq_role_to_string (clq_event_get_role (event)),
                         failure != NULL ? failure->message : "-", clq_event_get_partial (event));
  clq_change_set_int (change, "at", clq_view_get_now (view) + clq_view_get_next_run (view) + clq_view_get_turns_here (view));
  if (clq_view_has (view, "bad"))
    g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "bad");
  return !clq_view_has (view, "bad");
}

static void
probe_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  clq_change_set_string (change, from, to);
  clq_change_unset (change, "at");
}

static const ClqModalityInfo probe = {
  CLQ_MODALITY_INFO,
  .name = "probe",
  .summary = "Writes down what it sees",
  .settings = probe_settings,
  .self_size = sizeof (Probe),
  .apply = probe_apply,
  .arrive = probe_arrive,
};

static void
test_seen (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&probe, "word", "odd", NULL);
  g_autoptr (GError) failure = g_error_new (CLQ_FAILURE, CLQ_FAILURE_AUTH, "no key");

  clq_test_modality_set_state (test, "REVIEW", 3);
  clq_test_modality_set_schedule (test, "{\"a\":1}", 30);
  clq_test_modality_set_questions (test, "[{}]");
  clq_test_modality_set_now (test, 1000);
  clq_test_modality_set_event (test, CLQ_EVENT_ACTION, "message", "{\"p\":1}");
  clq_test_modality_set_said (test, CLQ_ROLE_USER, "hello");
  clq_test_modality_set_error (test, failure, "half");
  g_assert_true (clq_test_modality_apply (test, NULL));
  g_assert_cmpstr (clq_test_modality_get_written (test), ==,
                   "reason odd odd REVIEW 3 {\"a\":1} [{}] message {\"p\":1} hello user no key half\nset at 1031\n");
  clq_test_modality_arrive (test, "DONE");
  g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"REVIEW\":\"DONE\"}");
  /* Now it is there, and the event before is forgotten. */
  clq_test_modality_set_text (test, "again");
  clq_test_modality_arrive (test, "REST");
  g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"REVIEW\":\"DONE\",\"DONE\":\"REST\"}");
  g_assert_null (clq_test_modality_describe (test));
}

/* What is refused is not written. */
static void
test_refused (void)
{
  g_autoptr (ClqTestModality) test = clq_test_modality_new (&probe, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (clq_test_modality_open (test, &error));
  clq_test_modality_set_data (test, "{\"bad\":1}");
  g_assert_false (clq_test_modality_apply (test, &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED);
  g_assert_cmpstr (clq_test_modality_get_written (test), ==, "");
  g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"bad\":1}");
}

static void
test_wrong (void)
{
  static const ClqModalityInfo nameless = { CLQ_MODALITY_INFO, .summary = "Has no name" };
  g_autoptr (GError) error = NULL;

  g_assert_null (clq_test_modality_try_new (&nameless, &error, NULL));
  g_assert_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME);
  g_clear_error (&error);
  g_assert_null (clq_test_modality_try_new (&probe, &error, "wrod", "x", NULL));
  g_assert_cmpstr (error->message, ==, "modality 'probe' has no setting 'wrod'; did you mean 'word'?");
}

static void
test_no_predicate (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (ClqTestModality) test = clq_test_modality_new (&probe, NULL);

      clq_test_modality_check (test, "is-good");
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*modality 'probe' has no predicate 'is-good'*");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/test-modality/seen", test_seen);
  g_test_add_func ("/colloquy/test-modality/refused", test_refused);
  g_test_add_func ("/colloquy/test-modality/wrong", test_wrong);
  g_test_add_func ("/colloquy/test-modality/no-predicate", test_no_predicate);
  return g_test_run ();
}
