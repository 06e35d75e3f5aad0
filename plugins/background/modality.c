/* The modality: what each event makes of the schedule, the question and the data of a conversation. */
#include "background.h"

#define TITLE_LENGTH 60
#define RETRY_KEY "background/retry"

static const ClqSetting settings[] = {
  CLQ_INT (Background, max_failures, 3, 1, 1000, "after so many failures of the worker in a row the user is asked"),
  CLQ_DURATION (Background, min_delay, "1s", "how long to wait at least before work goes on"),
  CLQ_DURATION (Background, backoff, "30s", "how long to wait after a failure of the worker; doubled each time"),
  CLQ_DURATION (Background, max_backoff, "1h", "how long to wait at most"),
  CLQ_ENUM (Background, catch_up, "once", CLQ_CHOICES ("once", "skip", "all"), "what becomes of the runs of a cron that were missed: one run for all, none, or every one"),
  CLQ_STRING (Background, timezone, "UTC", "the zone of crons that name none"),
  { NULL },
};

typedef gboolean (*Apply) (const BackgroundStep *step, GError **error);

/* ---- small things ---- */

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, message);
  return FALSE;
}

/* Whether the event comes from a run, not from a chat. */
static gboolean
is_from_worker (const BackgroundStep *step)
{
  return clq_view_has (step->view, "run");
}

static const char *
get_source (const BackgroundStep *step)
{
  return is_from_worker (step) ? "worker" : "chat";
}

static void
add_member (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "%s\"%s\":", out->len > 1 ? "," : "", name);
  clq_json_append_string (out, text, -1);
}

static void
say (const BackgroundStep *step, ClqRole role, const char *text)
{
  g_autoptr (GString) body = g_string_new ("{");

  add_member (body, "text", text);
  add_member (body, "source", get_source (step));
  g_string_append_c (body, '}');
  clq_change_append (step->change, CLQ_RECORD_MESSAGE, role, body->str);
}

/* Who is not looking is told; who chats is looking. */
static void
notify (const BackgroundStep *step, const char *type, const char *text)
{
  g_autoptr (GString) json = g_string_new ("{");

  add_member (json, "type", type);
  add_member (json, "text", text);
  if (clq_view_get_title (step->view) != NULL)
    add_member (json, "title", clq_view_get_title (step->view));
  g_string_append_c (json, '}');
  clq_change_notify (step->change, json->str);
}

static char *
clip (const char *text)
{
  g_autofree char *line = g_strdup (text);

  g_strdelimit (line, "\r\n\t", ' ');
  g_strstrip (line);
  if (g_utf8_strlen (line, -1) > TITLE_LENGTH)
    {
      g_autofree char *start = g_utf8_substring (line, 0, TITLE_LENGTH - 1);

      return g_strconcat (start, "\342\200\246", NULL);
    }
  return g_steal_pointer (&line);
}

/* ---- the next run ---- */

/* After a run of a cron, or when it is taken up again. */
static gint64
find_next (const BackgroundStep *step, const char *schedule, gint64 after)
{
  ClqJsonSpan span = clq_view_find (step->view, "runs");
  g_autofree char *runs = span.type == CLQ_JSON_ARRAY ? g_strndup (span.start, span.length) : NULL;
  ClqCron *cron = background_find_cron (step->self, schedule);

  return cron != NULL ? background_runs_next (runs, cron, after) : 0;
}

/* The time at which the run that is over was to be; now if none is. */
static gint64
get_scheduled_at (const BackgroundStep *step)
{
  g_autofree char *text = clq_view_dup_string (step->view, "run.scheduledAt");
  gint64 time = step->now;

  clq_time_parse (text, &time);
  return time;
}

/* A cron goes on with its next time, which may have passed if all are to be caught up; anything else with @otherwise. */
static void
reschedule (const BackgroundStep *step, gint64 otherwise)
{
  const char *schedule = clq_view_get_schedule (step->view);
  gboolean all = step->self->catch_up == BACKGROUND_CATCH_UP_ALL && is_from_worker (step);
  gint64 after = all ? MIN (get_scheduled_at (step), step->now) : step->now;

  if (schedule == NULL)
    return;
  if (clq_view_get_bool (step->view, "paused"))
    otherwise = 0;
  else if (background_schedule_is_cron (schedule))
    otherwise = find_next (step, schedule, after);
  clq_change_set_schedule (step->change, schedule, otherwise);
}

static void
set_next_run (const BackgroundStep *step, gint64 time)
{
  clq_change_set_schedule (step->change, clq_view_get_schedule (step->view), time);
}

/* ---- what the user does ---- */

static gboolean
take_message (const BackgroundStep *step, GError **error)
{
  const char *text = clq_event_get_text (step->event);

  if (text == NULL && clq_event_get_payload (step->event) == NULL)
    return TRUE;
  if (text == NULL || strspn (text, " \t\r\n") == strlen (text))
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "message: expected 'text', a text that is not empty");
      return FALSE;
    }
  clq_change_tag_message (step->change, "source", "chat");
  if (clq_view_get_title (step->view) == NULL)
    {
      g_autofree char *title = clip (text);

      clq_change_set_title (step->change, title);
    }
  return TRUE;
}

/* The user was asked whether to try again after failures. */
static void
take_retry (const BackgroundStep *step, gboolean again)
{
  const char *schedule = clq_view_get_schedule (step->view);

  clq_change_set_int (step->change, "failures", 0);
  if (again || schedule == NULL)
    return;
  if (background_schedule_is_cron (schedule))
    reschedule (step, 0);
  else
    clq_change_clear_schedule (step->change);
}

/* Work that was interrupted by a question goes on. */
static gboolean
take_answer (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event), *text = clq_event_get_text (step->event);
  ClqJsonSpan values = payload != NULL ? clq_json_find (payload, -1, "values") : (ClqJsonSpan){ CLQ_JSON_NONE }, key, value;
  gboolean again = TRUE, is_retry = FALSE;
  ClqJsonIter iter;

  if (clq_event_is_message (step->event))
    clq_change_tag_message (step->change, "source", "chat");
  else if (text != NULL)
    say (step, CLQ_ROLE_USER, text);
  if (values.type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, &values))
    while (clq_json_iter_next (&iter, &key, &value))
      if (clq_json_span_string_equal (&key, RETRY_KEY))
        {
          is_retry = TRUE;
          again = clq_json_span_is_true (&value);
        }
  if (clq_view_get_bool (step->view, "interrupted"))
    {
      clq_change_unset (step->change, "interrupted");
      if (again && clq_view_get_schedule (step->view) != NULL && !clq_view_get_bool (step->view, "paused"))
        set_next_run (step, step->now + step->self->min_delay);
    }
  if (is_retry)
    take_retry (step, again);
  clq_change_set_reason (step->change, "the user has answered");
  return TRUE;
}

static gboolean
take_pause (const BackgroundStep *step, GError **error)
{
  if (clq_view_get_schedule (step->view) == NULL)
    return refuse (error, "nothing is scheduled that could be paused");
  if (clq_view_get_bool (step->view, "paused"))
    return refuse (error, "the work is paused already; resume takes it up again");
  clq_change_set_bool (step->change, "paused", TRUE);
  set_next_run (step, 0);
  return TRUE;
}

static gboolean
take_resume (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);

  if (schedule == NULL || !clq_view_get_bool (step->view, "paused"))
    return refuse (error, "the work is not paused");
  clq_change_unset (step->change, "paused");
  set_next_run (step, background_schedule_is_cron (schedule) ? find_next (step, schedule, step->now)
                                                             : MAX (step->now, background_schedule_first (step->self, schedule, step->now)));
  return TRUE;
}

static gboolean
take_run_now (const BackgroundStep *step, GError **error)
{
  if (clq_view_get_schedule (step->view) == NULL)
    return refuse (error, "nothing is scheduled that could be run");
  set_next_run (step, step->now);
  return TRUE;
}

static gboolean
take_archive (const BackgroundStep *step, GError **error)
{
  clq_change_set_reason (step->change, clq_view_get_schedule (step->view) != NULL ? "archived by the user; what was scheduled is off" : "archived by the user");
  return TRUE;
}

/* ---- the worker ---- */

/* A cron that has had another time since this one was missed. */
static gboolean
is_missed (const BackgroundStep *step, const char *schedule, gint64 at)
{
  gint64 next = background_schedule_is_cron (schedule) ? find_next (step, schedule, at) : 0;

  return next != 0 && next <= step->now;
}

static gboolean
take_due (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);
  g_autofree char *text = clq_event_dup_string (step->event, "scheduledAt");
  g_autofree char *now = clq_time_print (step->now);
  gint64 at = step->now;
  ClqCron *cron = schedule != NULL && background_schedule_is_cron (schedule) ? background_find_cron (step->self, schedule) : NULL;
  gboolean skip;

  clq_time_parse (text, &at);
  skip = schedule != NULL && step->self->catch_up == BACKGROUND_CATCH_UP_SKIP && is_missed (step, schedule, at);
  clq_change_set_string (step->change, "run.scheduledAt", text != NULL ? text : now);
  clq_change_set_string (step->change, "run.startedAt", now);
  if (skip)
    clq_change_set_bool (step->change, "run.skip", TRUE);
  if (cron != NULL && clq_cron_next (cron, at - 1) == at)
    {
      ClqJsonSpan span = clq_view_find (step->view, "runs");
      g_autofree char *runs = span.type == CLQ_JSON_ARRAY ? g_strndup (span.start, span.length) : NULL;
      g_autofree char *added = background_runs_add (runs, cron, at);

      clq_change_set_json (step->change, "runs", added);
    }
  clq_change_set_reason (step->change, "due at %s", text != NULL ? text : now);
  return TRUE;
}

static gboolean
take_skipped (const BackgroundStep *step, GError **error)
{
  clq_change_set_reason (step->change, "missed, and missed runs are skipped");
  reschedule (step, step->now + step->self->min_delay);
  clq_change_unset (step->change, "run");
  return TRUE;
}

/* ---- what an agent has said ---- */

static char *
merge (ClqView *view, const char *path, const ClqJsonSpan *update)
{
  ClqJsonSpan known = clq_view_find (view, path);
  g_autoptr (JsonNode) old = known.type == CLQ_JSON_OBJECT ? clq_json_parse (known.start, (gssize) known.length, NULL) : NULL;
  g_autoptr (JsonNode) new = clq_json_parse (update->start, (gssize) update->length, NULL);
  JsonObject *into;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (old == NULL)
    old = json_node_init_object (json_node_alloc (), json_object_new ());
  into = json_node_get_object (old);
  json_object_iter_init (&iter, json_node_get_object (new));
  while (json_object_iter_next (&iter, &name, &value))
    if (JSON_NODE_HOLDS_NULL (value))
      json_object_remove_member (into, name);
    else
      json_object_set_member (into, name, json_node_copy (value));
  return clq_json_print (old);
}

/* What every result may have: a text for the user, and what is to be remembered. */
static void
take_common (const BackgroundStep *step)
{
  const char *payload = clq_event_get_payload (step->event);
  g_autofree char *text = clq_event_dup_string (step->event, "text");
  g_autofree char *task = clq_event_dup_string (step->event, "task");
  g_autofree char *next = clq_event_dup_string (step->event, "step");
  g_autofree char *problem = clq_event_dup_string (step->event, "problem");
  ClqJsonSpan state = payload != NULL ? clq_json_find (payload, -1, "state") : (ClqJsonSpan){ CLQ_JSON_NONE };

  if (text != NULL && *text != '\0')
    say (step, CLQ_ROLE_ASSISTANT, text);
  if (task != NULL)
    clq_change_set_string (step->change, "state_context.task", task);
  if (next != NULL)
    clq_change_set_string (step->change, "state_step", next);
  if (state.type == CLQ_JSON_OBJECT)
    {
      g_autofree char *merged = merge (step->view, "state_data", &state);

      clq_change_set_json (step->change, "state_data", merged);
    }
  if (problem != NULL)
    clq_change_warn (step->change, "the agent's answer is taken as text: %s", problem);
}

static gboolean
take_create_schedule (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan span = payload != NULL ? clq_json_find (payload, -1, "schedule") : (ClqJsonSpan){ CLQ_JSON_NONE };
  g_autofree char *schedule = NULL, *text = NULL, *said = NULL;

  if (span.type != CLQ_JSON_OBJECT)
    return TRUE;
  schedule = g_strndup (span.start, span.length);
  text = background_schedule_describe (step->self, schedule);
  clq_change_set_schedule (step->change, schedule, background_schedule_first (step->self, schedule, step->now));
  clq_change_set_int (step->change, "failures", 0);
  clq_change_unset (step->change, "runs");
  clq_change_unset (step->change, "paused");
  clq_change_unset (step->change, "interrupted");
  take_common (step);
  said = clq_event_dup_string (step->event, "text");
  if (said == NULL)
    {
      g_autofree char *confirmation = g_strdup_printf ("Scheduled: %s.", text);

      say (step, CLQ_ROLE_ASSISTANT, confirmation);
    }
  clq_change_set_reason (step->change, "scheduled: %s", text);
  return TRUE;
}

/* A run that asks is over; the work goes on when there is an answer. */
static gboolean
take_needs_input (const BackgroundStep *step, GError **error)
{
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan span = payload != NULL ? clq_json_find (payload, -1, "question") : (ClqJsonSpan){ CLQ_JSON_NONE };
  g_autofree char *question = NULL, *prompt = NULL;

  if (span.type != CLQ_JSON_OBJECT)
    return TRUE;
  question = g_strndup (span.start, span.length);
  prompt = clq_json_find_string (question, "prompt");
  clq_change_clear_questions (step->change);
  if (!clq_change_ask_json (step->change, question, error))
    return FALSE;
  take_common (step);
  clq_change_set_reason (step->change, "asked: %s", prompt);
  if (!is_from_worker (step))
    return TRUE;
  clq_change_set_int (step->change, "failures", 0);
  clq_change_set_bool (step->change, "interrupted", TRUE);
  reschedule (step, 0);
  clq_change_unset (step->change, "run");
  notify (step, "question", prompt);
  return TRUE;
}

static gboolean
take_complete (const BackgroundStep *step, GError **error)
{
  const char *schedule = clq_view_get_schedule (step->view);
  g_autofree char *text = clq_event_dup_string (step->event, "text");

  take_common (step);
  clq_change_set_int (step->change, "failures", 0);
  notify (step, "result", text != NULL ? text : "The work is done.");
  clq_change_set_reason (step->change, "the work is done");
  if (schedule != NULL && background_schedule_is_cron (schedule))
    reschedule (step, 0);
  else
    {
      clq_change_clear_schedule (step->change);
      clq_change_unset (step->change, "paused");
    }
  clq_change_unset (step->change, "run");
  return TRUE;
}

static gboolean
take_continue (const BackgroundStep *step, GError **error)
{
  g_autofree char *text = clq_event_dup_string (step->event, "text");
  const char *payload = clq_event_get_payload (step->event);
  ClqJsonSpan plain = payload != NULL ? clq_json_find (payload, -1, "plain") : (ClqJsonSpan){ CLQ_JSON_NONE };

  take_common (step);
  clq_change_set_int (step->change, "failures", 0);
  if (clq_json_span_is_true (&plain) && text != NULL)
    notify (step, "result", text);
  clq_change_set_reason (step->change, "the work goes on");
  reschedule (step, step->now + step->self->min_delay);
  clq_change_unset (step->change, "run");
  return TRUE;
}

static gboolean
take_text (const BackgroundStep *step, GError **error)
{
  take_common (step);
  return TRUE;
}

/* ---- failures ---- */

static GTimeSpan
find_backoff (const Background *self, gint64 failures)
{
  GTimeSpan delay = self->backoff;

  for (gint64 i = 1; i < failures && delay < self->max_backoff; i++)
    delay *= 2;
  return MIN (delay, MAX (self->max_backoff, self->backoff));
}

static void
ask_to_retry (const BackgroundStep *step, const char *prompt)
{
  const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .owner = "background", .id = "retry", .prompt = prompt };

  clq_change_clear_questions (step->change);
  clq_change_ask (step->change, &question);
  clq_change_set_bool (step->change, "interrupted", TRUE);
  clq_change_set_reason (step->change, "asked: %s", prompt);
  notify (step, "question", prompt);
}

/* Only what the worker fails at counts; a chat that fails has somebody who sees it. */
static gboolean
take_failure (const BackgroundStep *step, GError **error)
{
  const GError *failure = clq_event_get_error (step->event);
  const char *message = failure != NULL ? failure->message : "unknown";
  gint64 failures = clq_view_get_int (step->view, "failures") + 1;
  GTimeSpan delay = find_backoff (step->self, failures);
  g_autofree char *prompt = NULL;

  if (!is_from_worker (step))
    return TRUE;
  clq_change_set_int (step->change, "failures", failures);
  if (failure != NULL && g_error_matches (failure, CLQ_FAILURE, CLQ_FAILURE_AUTH))
    prompt = g_strdup_printf ("The credentials have expired or are missing (%s). Reconnect, then say yes to go on. Shall the work go on?", message);
  else if (failures >= step->self->max_failures)
    prompt = g_strdup_printf ("The work has failed %" G_GINT64_FORMAT " times, last with: %s. Shall it be tried again?", failures, message);
  if (prompt != NULL)
    {
      ask_to_retry (step, prompt);
      reschedule (step, 0);
    }
  else if (clq_view_get_schedule (step->view) != NULL)
    {
      clq_change_set_reason (step->change, "attempt %" G_GINT64_FORMAT " failed: %s", failures, message);
      set_next_run (step, clq_view_get_bool (step->view, "paused") ? 0 : step->now + delay);
    }
  clq_change_unset (step->change, "run");
  return TRUE;
}

/* ---- the modality ---- */

static const struct
{
  const char *name;
  Apply apply;
} events[] = {
  { "message", take_message },
  { "answer", take_answer },
  { "pause", take_pause },
  { "resume", take_resume },
  { "run-now", take_run_now },
  { "archive", take_archive },
  { "due", take_due },
  { "skipped", take_skipped },
  { "create_schedule", take_create_schedule },
  { "needs_input", take_needs_input },
  { "complete", take_complete },
  { "continue", take_continue },
  { "state_update", take_text },
  { "text", take_text },
  { "failed", take_failure },
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
  g_autofree char *at = next > 0 ? clq_time_print (next) : NULL;

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
