/* probe: nodes, a tool and a modality that do one odd thing each. */
#include "probe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- ends of visits ---- */

/* Keeps its visit until it is cancelled, then finishes all the same. */
static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  ClqVisit *visit = user_data;

  clq_visit_finish (visit, "done");
}

static void
hang_enter (gpointer self, ClqVisit *visit)
{
  GCancellable *cancellable = clq_visit_get_cancellable (visit);

  clq_visit_say (visit, "so far");
  g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), clq_visit_ref (visit), (GDestroyNotify) clq_visit_unref);
}

static const ClqNodeInfo hang = { CLQ_NODE_INFO, .name = "hang", .summary = "Never finishes by itself", .outcomes = CLQ_OUTCOMES ("done"), .enter = hang_enter };

static void
drop_enter (gpointer self, ClqVisit *visit)
{
}

static const ClqNodeInfo drop = { CLQ_NODE_INFO, .name = "drop", .summary = "Drops its visit", .outcomes = CLQ_OUTCOMES ("done"), .enter = drop_enter };

static void
twice_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish (visit, "first");
  clq_visit_finish (visit, "second");
  clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "and again");
  clq_visit_say (visit, "too late");
}

static const ClqNodeInfo twice = { CLQ_NODE_INFO, .name = "twice", .summary = "Finishes twice", .outcomes = CLQ_OUTCOMES ("first", "second"), .enter = twice_enter };

static void
undeclared_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish (visit, "dome");
}

static const ClqNodeInfo undeclared = { CLQ_NODE_INFO, .name = "undeclared", .summary = "Ends with an outcome it does not declare", .outcomes = CLQ_OUTCOMES ("done"), .enter = undeclared_enter };

/* ---- payload and change ---- */

typedef struct
{
  char *payload;
  char *outcome;
} Payload;

static const ClqSetting payload_settings[] = {
  CLQ_JSON (Payload, payload, "{}", "what the outcome carries"),
  CLQ_STRING (Payload, outcome, "one", "which outcome: one or other"),
  { NULL },
};

static void
payload_enter (gpointer self, ClqVisit *visit)
{
  Payload *payload = self;

  clq_visit_finish_with (visit, payload->outcome, payload->payload);
}

static const ClqNodeInfo payload = { CLQ_NODE_INFO, .name = "payload", .summary = "Ends with a payload", .outcomes = CLQ_OUTCOMES ("one", "other"), .settings = payload_settings, .self_size = sizeof (Payload), .enter = payload_enter };

/* Sets a named deadline, a schedule, a title, a warning and a notification. */
typedef struct
{
  GTimeSpan deadline;
  GTimeSpan run;
} Writes;

static const ClqSetting writes_settings[] = {
  CLQ_DURATION (Writes, deadline, "0s", "when the event `reminder` is due; 0 = never"),
  CLQ_DURATION (Writes, run, "0s", "when the schedule is due; 0 = never"),
  { NULL },
};

static void
writes_enter (gpointer self, ClqVisit *visit)
{
  Writes *writes = self;
  ClqChange *change = clq_visit_get_change (visit);
  gint64 now = clq_view_get_now (clq_visit_get_view (visit));

  if (writes->deadline > 0)
    clq_change_set_deadline (change, "reminder", now + writes->deadline);
  if (writes->run > 0)
    clq_change_set_schedule (change, "{\"type\":\"once\"}", now + writes->run);
  clq_change_set_title (change, "Written");
  clq_change_warn (change, "careful: %s", clq_view_get_state (clq_visit_get_view (visit)));
  clq_change_notify (change, "{\"text\":\"look\"}");
  clq_change_append (change, CLQ_RECORD_ARTIFACT, CLQ_ROLE_ASSISTANT, "{\"name\":\"thing\"}");
  clq_change_set_result (change, "{\"made\":1}");
  clq_visit_finish (visit, "done");
}

static const ClqNodeInfo writes = { CLQ_NODE_INFO, .name = "writes", .summary = "Writes a bit of everything", .outcomes = CLQ_OUTCOMES ("done"), .settings = writes_settings, .self_size = sizeof (Writes), .enter = writes_enter };

/* ---- calls ---- */

static void
on_used (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else
    {
      clq_visit_say (visit, "%s%s", clq_call_is_replayed (call) ? "again " : "", clq_call_get_text (call));
      clq_visit_finish (visit, "done");
    }
}

static void
use_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_tool (visit, "tool", "probe.stamp", "{\"n\":1}", on_used, NULL);
}

static const ClqNodeInfo use = { CLQ_NODE_INFO, .name = "use", .summary = "Uses a tool", .outcomes = CLQ_OUTCOMES ("done"), .enter = use_enter };

static void
stamp_use (gpointer self, ClqCall *call)
{
  clq_call_return (call, clq_call_get_request (call));
}

static const ClqToolInfo stamp = { CLQ_TOOL_INFO, .name = "stamp", .summary = "Changes something outside", .schema = "{\"type\":\"object\"}", .has_effects = TRUE, .policy = CLQ_TOOL_ASK, .use = stamp_use };

/* Uses a tool that changes something outside and does not come back before it is cancelled. */
static void
stick_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_tool (visit, "tool", "probe.stuck", "{}", on_used, NULL);
}

static const ClqNodeInfo stick = { CLQ_NODE_INFO, .name = "stick", .summary = "Uses a tool that does not come back", .outcomes = CLQ_OUTCOMES ("done"), .enter = stick_enter };

static void
on_never (ClqCall *call, gpointer user_data)
{
}

static void
stuck_use (gpointer self, ClqCall *call)
{
  clq_call_after (call, 1000 * G_TIME_SPAN_DAY, on_never, NULL);
}

static const ClqToolInfo stuck = { CLQ_TOOL_INFO, .name = "stuck", .summary = "Does not come back", .schema = "{\"type\":\"object\"}", .has_effects = TRUE, .policy = CLQ_TOOL_ASK, .use = stuck_use };

/* Uses a tool twenty times, one after the other. */
static void use_next (ClqVisit *visit, guint step);

static void
on_step (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  guint step = GPOINTER_TO_UINT (user_data);

  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else if (step == 20)
    clq_visit_finish (visit, "done");
  else
    use_next (visit, step + 1);
}

static void
use_next (ClqVisit *visit, guint step)
{
  g_autofree char *key = g_strdup_printf ("step/%u", step);

  clq_visit_call_tool (visit, key, "probe.note", "{}", on_step, GUINT_TO_POINTER (step));
}

static void
steps_enter (gpointer self, ClqVisit *visit)
{
  use_next (visit, 1);
}

static const ClqNodeInfo steps = { CLQ_NODE_INFO, .name = "steps", .summary = "Uses a tool twenty times", .outcomes = CLQ_OUTCOMES ("done"), .enter = steps_enter };

/* Writes to a file that it was used, and by whom. */
static void
note_use (gpointer self, ClqCall *call)
{
  g_autofree char *line = g_strconcat (clq_call_get_idempotency_key (call), "\n", NULL);
  const char *log = g_getenv ("CLQ_PROBE_LOG");
  int fd = log != NULL ? open (log, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;

  if (fd < 0 || write (fd, line, strlen (line)) != (gssize) strlen (line))
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "the log cannot be written");
  else
    clq_call_return (call, "noted");
  if (fd >= 0)
    close (fd);
}

static const ClqToolInfo note = { CLQ_TOOL_INFO, .name = "note", .summary = "Notes that it was used", .schema = "{\"type\":\"object\"}", .policy = CLQ_TOOL_RETRY, .use = note_use };

/* An agent that asks for a tool and fails all the same, the first time; then it answers. */
typedef struct
{
  guint n_calls;
} Fickle;

static void
fickle_complete (gpointer self, ClqCall *call)
{
  Fickle *fickle = self;
  g_autofree char *answer = g_strdup_printf ("thought %u", ++fickle->n_calls);

  if (fickle->n_calls > 1)
    {
      clq_call_return (call, answer);
      return;
    }
  clq_call_usage (call, 1000, 1000, 1);
  clq_call_want_tool (call, NULL, "probe.stamp", "{}");
  clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "no, wait");
}

static const ClqAgentInfo fickle = { CLQ_AGENT_INFO, .name = "fickle", .summary = "Fails after it has asked for a tool", .self_size = sizeof (Fickle), .complete = fickle_complete };

/* Asks an agent, then a person, then fails once: nothing of that is asked again in the next attempt. */
static void
on_confirmed (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  if (clq_visit_get_attempt (visit) == 1)
    clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "once");
  else
    {
      clq_visit_say (visit, "confirmed: %s", clq_call_get_text (call));
      clq_visit_finish (visit, "done");
    }
}

static void
on_proposed (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .owner = "probe", .prompt = clq_call_get_text (call) };

  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else
    clq_visit_ask (visit, "confirm", &question, on_confirmed, NULL);
}

static void
confirm_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_agent (visit, "propose", "proposer", "{\"messages\":[]}", FALSE, on_proposed, NULL);
}

static const ClqNodeInfo confirm = { CLQ_NODE_INFO, .name = "confirm", .summary = "Asks an agent, then a person", .outcomes = CLQ_OUTCOMES ("done"), .enter = confirm_enter };

/* Takes the answer only if it is a number; else says so and asks again. */
static void
on_number (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  const char *text = clq_call_get_text (call);

  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else if (g_ascii_isdigit (*text))
    {
      clq_visit_say (visit, "%s", text);
      clq_visit_finish (visit, "done");
    }
  else
    {
      clq_visit_reject_call (visit, "number", "no number");
      clq_visit_call_agent (visit, "number", "counter", "{\"messages\":[]}", FALSE, on_number, NULL);
    }
}

static void
number_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_call_agent (visit, "number", "counter", "{\"messages\":[]}", FALSE, on_number, NULL);
}

static const ClqNodeInfo number = { CLQ_NODE_INFO, .name = "number", .summary = "Wants a number of an agent", .outcomes = CLQ_OUTCOMES ("done"), .enter = number_enter };

/* Says what was said on this path, the oldest first. */
static void
on_journal (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  for (guint i = n_records; i > 0; i--)
    {
      gsize length;
      const char *body = clq_record_get_body (records[i - 1], &length);
      ClqJsonSpan span = clq_json_find (body, length, "text");
      g_autofree char *text = clq_json_span_dup_string (&span);

      clq_visit_say (visit, "%s%s", i < n_records ? " " : "", text);
    }
  clq_visit_finish (visit, "done");
}

static void
look_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE, 0, 100, on_journal, NULL);
}

static const ClqNodeInfo look = { CLQ_NODE_INFO, .name = "look", .summary = "Reads the journal", .outcomes = CLQ_OUTCOMES ("done"), .enter = look_enter };

#define N_NOTES 300

/* Says how much was written since the first visit that left a memo, and writes more. */
static void
on_notes (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  for (guint i = 0; i < N_NOTES; i++)
    clq_change_append (clq_visit_get_change (visit), CLQ_RECORD_CONTRIBUTION, CLQ_ROLE_NONE, "{}");
  clq_visit_say (visit, user_data != NULL ? "new: %u" : "all: %u", n_records);
  clq_visit_finish (visit, "done");
}

static void
remember_enter (gpointer self, ClqVisit *visit)
{
  const guint64 *since = clq_visit_get_memo (visit, "probe-since");
  guint64 newest = clq_view_get_seq (clq_visit_get_view (visit));

  if (since != NULL)
    {
      clq_visit_read_since (visit, 1u << CLQ_RECORD_CONTRIBUTION, *since, on_notes, visit);
      return;
    }
  clq_visit_set_memo (visit, "probe-since", g_memdup2 (&newest, sizeof newest), g_free);
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_CONTRIBUTION, 0, 10000, on_notes, NULL);
}

static const ClqNodeInfo remember = { CLQ_NODE_INFO, .name = "remember", .summary = "Reads what is new", .outcomes = CLQ_OUTCOMES ("done"), .enter = remember_enter };

/* Asks a batch of two. */
static void
batch_enter (gpointer self, ClqVisit *visit)
{
  ClqChange *change = clq_visit_get_change (visit);
  const char *const sizes[] = { "small", "large", NULL };

  clq_change_ask (change, &(ClqQuestion){ .type = CLQ_QUESTION_CHOICE, .owner = "a", .id = "size", .prompt = "Which size?", .options = sizes });
  clq_change_ask (change, &(ClqQuestion){ .type = CLQ_QUESTION_CONFIRMATION, .owner = "b", .id = "sure", .prompt = "Sure?" });
  clq_visit_finish (visit, "asked");
}

static const ClqNodeInfo batch = { CLQ_NODE_INFO, .name = "batch", .summary = "Asks two questions", .outcomes = CLQ_OUTCOMES ("asked"), .enter = batch_enter };

/* Counts, and notes where the stack is. The address of a variable would not do: checkers may keep those elsewhere. */
static void
depth_enter (gpointer self, ClqVisit *visit)
{
  ClqChange *change = clq_visit_get_change (visit);

  clq_change_set_int (change, "n", clq_view_get_int (clq_visit_get_view (visit), "n") + 1);
  clq_change_set_int (change, "stack", (gint64) (gsize) __builtin_frame_address (0));
  clq_visit_finish (visit, "counted");
}

static const ClqNodeInfo depth = { CLQ_NODE_INFO, .name = "depth", .summary = "Counts and notes where the stack is", .outcomes = CLQ_OUTCOMES ("counted"), .enter = depth_enter };

/* ---- a node that is a GObject ---- */

typedef struct
{
  ClqNode parent_instance;
} ProbeObject;

typedef struct
{
  ClqNodeClass parent_class;
} ProbeObjectClass;

static GType probe_object_get_type (void);
G_DEFINE_TYPE (ProbeObject, probe_object, CLQ_TYPE_NODE)

static void
probe_object_enter (ClqNode *node, ClqVisit *visit)
{
  clq_visit_say (visit, "%s", G_OBJECT_TYPE_NAME (node));
  clq_visit_finish (visit, "done");
}

static void
probe_object_class_init (ProbeObjectClass *klass)
{
  CLQ_NODE_CLASS (klass)->enter = probe_object_enter;
}

static void
probe_object_init (ProbeObject *self)
{
}

static const ClqNodeInfo object = { CLQ_NODE_INFO, .name = "object", .summary = "A GObject", .outcomes = CLQ_OUTCOMES ("done"), .get_type = probe_object_get_type, .type_name = "ProbeObject" };

/* ---- a modality whose actions walk through the journal ---- */

static gboolean
walk_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const char *name = clq_event_get_name (event);
  g_autofree char *mark = clq_event_dup_string (event, "mark");

  if (strcmp (name, "message") == 0)
    clq_change_set_string (change, "last", clq_event_get_text (event));
  else if (strcmp (name, "mark") == 0)
    clq_change_mark (change, mark);
  else if (strcmp (name, "fork") == 0)
    clq_change_fork (change);
  else if (strcmp (name, "go") == 0)
    {
      clq_change_set_bool (change, "lost", TRUE);
      clq_change_go_to_mark (change, mark);
      clq_change_set_int (change, "jumps", 1);
    }
  else if (strcmp (name, "back") == 0)
    {
      g_autofree char *how_many = clq_event_dup_string (event, "turns");

      clq_change_go_back (change, how_many != NULL ? atoi (how_many) : 1);
    }
  else if (strcmp (name, "merge") == 0)
    {
      g_autofree char *how = clq_event_dup_string (event, "how");

      clq_change_include (change, mark, g_strcmp0 (how, "whole") == 0 ? CLQ_INCLUDE_WHOLE : g_strcmp0 (how, "interleave") == 0 ? CLQ_INCLUDE_INTERLEAVE
                                                                                                                               : CLQ_INCLUDE_TAIL);
    }
  else if (strcmp (name, "grow") == 0)
    {
      g_autofree char *text = g_strnfill (70000, 'x');

      clq_change_set_string (change, "big", text);
    }
  else if (strcmp (name, "deny") == 0)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "not today");
      return FALSE;
    }
  else if (clq_event_get_partial (event) != NULL)
    clq_change_set_string (change, "partial", clq_event_get_partial (event));
  return TRUE;
}

static void
walk_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  clq_change_set_reason (change, "%s by %s", to, clq_event_get_name (event));
}

static char *
walk_describe (gpointer self, ClqView *view)
{
  return g_strdup_printf ("in %s", clq_view_get_state (view));
}

static const ClqModalityInfo walk = { CLQ_MODALITY_INFO, .name = "walk", .summary = "Walks through the journal", .apply = walk_apply, .arrive = walk_arrive, .describe = walk_describe };

CLQ_PLUGIN ("probe", "1.0", "Nodes that do one odd thing each", &hang.feature, &drop.feature, &twice.feature, &undeclared.feature, &payload.feature, &writes.feature, &use.feature, &stamp.feature, &confirm.feature, &number.feature, &look.feature, &remember.feature, &batch.feature, &object.feature, &walk.feature, &depth.feature, &steps.feature, &stick.feature, &stuck.feature, &note.feature, &fickle.feature, &probe_store.feature);
