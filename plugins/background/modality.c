/* The modality: which event changes what, and what is shown of a conversation. */
#include "background.h"

static const ClqSetting settings[] = {
  CLQ_INT (Background, max_failures, 3, 1, 1000, "after so many failures of the worker in a row the user is asked"),
  CLQ_DURATION (Background, min_delay, "1s", "how long to wait at least before work goes on"),
  CLQ_DURATION (Background, backoff, "30s", "how long to wait after a failure of the worker; doubled each time"),
  CLQ_DURATION (Background, max_backoff, "1h", "how long to wait at most"),
  CLQ_ENUM (Background, catch_up, "once", CLQ_CHOICES ("once", "skip", "all"), "what becomes of the runs of a cron that were missed: one run for all, none, or every one"),
  CLQ_STRING (Background, timezone, "UTC", "the zone of crons that name none"),
  { NULL },
};

static const struct
{
  const char *name;
  gboolean (*apply) (const BackgroundStep *step, GError **error);
} events[] = {
  { "message", background_take_message },
  { "answer", background_take_answer },
  { "pause", background_take_pause },
  { "resume", background_take_resume },
  { "run-now", background_take_run_now },
  { "archive", background_take_archive },
  { "due", background_take_due },
  { "skipped", background_take_skipped },
  { "create_schedule", background_take_create_schedule },
  { "needs_input", background_take_needs_input },
  { "complete", background_take_complete },
  { "continue", background_take_continue },
  { "state_update", background_take_text },
  { "text", background_take_text },
  { "failed", background_take_failure },
};

static gboolean
conversation_open (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  clq_change_set_json (change, "state_context", "{}");
  clq_change_set_string (change, "state_step", NULL);
  clq_change_set_json (change, "state_data", "{}");
  clq_change_set_int (change, "failures", 0);
  return TRUE;
}

static gboolean
conversation_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const BackgroundStep step = { self, view, event, change, clq_view_get_now (view) };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    if (strcmp (events[i].name, clq_event_get_name (event)) == 0)
      return events[i].apply (&step, error);
  return TRUE;
}

static void
conversation_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  g_autofree char *result = g_strdup_printf ("{\"newStatus\":\"%s\"}", to);

  if (strcmp (from, to) != 0)
    clq_change_set_result (change, result);
  if (strcmp (to, "archived") == 0)
    {
      clq_change_unset (change, "run");
      clq_change_unset (change, "paused");
      clq_change_unset (change, "interrupted");
    }
}

/* What is scheduled and when it is due; NULL if nothing is. */
static char *
conversation_headline (gpointer self, ClqView *view)
{
  const char *schedule = clq_view_get_schedule (view);
  gint64 next = clq_view_get_next_run (view);
  g_autofree char *text = schedule != NULL ? background_schedule_describe (self, schedule) : NULL;
  g_autofree char *at = schedule != NULL && next > 0 ? background_schedule_print_time (schedule, next) : NULL;

  if (text == NULL)
    return NULL;
  return g_strdup_printf ("%s%s%s%s", text, clq_view_get_bool (view, "paused") ? ", paused" : "", at != NULL ? ", next run " : "", at != NULL ? at : "");
}

static char *
conversation_describe (gpointer self, ClqView *view)
{
  g_autoptr (GString) out = g_string_new (clq_view_get_state (view));
  g_autofree char *headline = conversation_headline (self, view);
  g_autofree char *task = clq_view_dup_string (view, "state_context.task");

  if (headline != NULL)
    g_string_append_printf (out, ", %s", headline);
  if (task != NULL)
    g_string_append_printf (out, ": %s", task);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
conversation_init (gpointer self, GError **error)
{
  Background *background = self;
  g_autoptr (ClqCron) cron = clq_cron_new ("@daily", background->timezone, error);

  if (cron != NULL)
    return TRUE;
  g_prefix_error (error, "timezone: ");
  return FALSE;
}

static void
conversation_clear (gpointer self)
{
  Background *background = self;

  g_clear_pointer (&background->crons, g_hash_table_unref);
}

const ClqModalityInfo background_conversation = {
  CLQ_MODALITY_INFO,
  .name = "conversation",
  .summary = "A conversation that works on a schedule, asks when it needs something and counts its failures",
  .settings = settings,
  .self_size = sizeof (Background),
  .init = conversation_init,
  .clear = conversation_clear,
  .fields = (const char *const[]){ "state_context", "state_step", "state_data", "failures", "run", "runs", "paused", "interrupted", NULL },
  .open = conversation_open,
  .apply = conversation_apply,
  .arrive = conversation_arrive,
  .describe = conversation_describe,
  .headline = conversation_headline,
};
