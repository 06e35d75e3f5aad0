/* The modality: what a debate is told when it opens, and what its events change in the data. */
#include "debate.h"

#define TITLE_LENGTH 60
#define PROBLEM_LENGTH 500
#define SOLUTION_LENGTH 8000

#define AT(member, Type) CLQ_MEMBER (Debate, member, Type)

static const ClqSetting settings[] = {
  CLQ_LIST (Debate, agents, "architect;performance;security", "who debates: names of agents, each with :ROLE behind it if the role has another name"),
  CLQ_STRING (Debate, judge, "judge", "who judges, with :ROLE behind it if the role has another name"),
  CLQ_INT (Debate, rounds, 3, 1, 100, "how many rounds there are at the most"),
  { "terminationCondition.type", CLQ_SETTING_ENUM, AT (termination, int), "fixed", 0, 0, CLQ_CHOICES ("fixed", "convergence", "quality"),
    "what ends the debate: all rounds, or the judge's confidence that the agents agree or that the proposals are good" },
  { "terminationCondition.threshold", CLQ_SETTING_DOUBLE, AT (threshold, double), "80", 0, 100, NULL, "the confidence that is enough" },
  CLQ_BOOL (Debate, interactiveClarifications, false, "let the agents ask questions before the first round"),
  CLQ_INT (Debate, clarificationsMaxIterations, 3, 0, 20, "how often they may ask"),
  CLQ_INT (Debate, clarificationsMaxPerAgent, 5, 1, 20, "how many questions an agent may ask each time"),
  { "summarization.enabled", CLQ_SETTING_BOOL, AT (summarization, gboolean), "true", 0, 0, NULL, "summarise what has become long" },
  { "summarization.threshold", CLQ_SETTING_INT, AT (summary_threshold, gint64), "5000", 100, 10000000, NULL, "how many characters are not long yet" },
  { "summarization.maxLength", CLQ_SETTING_INT, AT (summary_length, gint64), "2500", 50, 1000000, NULL, "how many characters a summary may have" },
  { "summarization.judgeThreshold", CLQ_SETTING_INT, AT (judge_threshold, gint64), "100000", 100, 10000000, NULL, "how many characters of a debate the judge reads whole" },
  CLQ_INT (Debate, max_parallel, 8, 1, 64, "how many calls are made at the same time"),
  CLQ_DURATION (Debate, round_timeout, "0", "how long a round may take before the debate ends with what there is; 0 = any time"),
  CLQ_JSON (Debate, prompts, NULL, "the texts that agents are asked with, by the names of their files: ${folder:PATH}"),
  { NULL },
};

/* ---- settings ---- */

/* NAME or NAME:ROLE. */
static gboolean
read_member (const char *text, DebateAgent *agent, GError **error)
{
  const char *colon = strchr (text, ':');

  agent->name = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  agent->role = g_strdup (colon != NULL ? colon + 1 : text);
  if (clq_name_is_valid (agent->name) && clq_name_is_valid (agent->role))
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' is no agent; expected NAME or NAME:ROLE", text);
  return FALSE;
}

static gboolean
read_members (Debate *self, GError **error)
{
  self->n_agents = self->agents != NULL ? g_strv_length (self->agents) : 0;
  self->members = g_new0 (DebateAgent, self->n_agents + 1);
  if (self->n_agents < DEBATE_MIN_AGENTS || self->n_agents > DEBATE_MAX_AGENTS)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "agents names %u; expected %d to %d", self->n_agents, DEBATE_MIN_AGENTS, DEBATE_MAX_AGENTS);
      return FALSE;
    }
  for (guint i = 0; i <= self->n_agents; i++)
    {
      if (!read_member (i < self->n_agents ? self->agents[i] : self->judge, &self->members[i], error))
        return FALSE;
      for (guint j = 0; j < i; j++)
        if (strcmp (self->members[i].name, self->members[j].name) == 0)
          {
            g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' takes part twice; expected every name once, the judge's too", self->members[i].name);
            return FALSE;
          }
    }
  return TRUE;
}

static void
debate_clear (gpointer data)
{
  Debate *self = data;

  for (guint i = 0; self->members != NULL && i <= self->n_agents; i++)
    {
      g_free (self->members[i].name);
      g_free (self->members[i].role);
      g_free (self->members[i].system);
    }
  g_clear_pointer (&self->members, g_free);
  debate_prompts_clear (self);
}

static gboolean
debate_init (gpointer data, GError **error)
{
  Debate *self = data;

  if (read_members (self, error) && debate_prompts_load (self, error))
    return TRUE;
  debate_clear (self);
  return FALSE;
}

/* The settings of the debate that a visit belongs to; NULL if it belongs to something else. */
const Debate *
debate_of (ClqVisit *visit)
{
  return clq_view_get_modality (clq_visit_get_view (visit), &debate_debate);
}

void
debate_fail_modality (ClqVisit *visit)
{
  clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "the graph has another modality; expected modality=debate.debate");
}

/* ---- events ---- */

static gboolean
take_problem (ClqView *view, const char *text, ClqChange *change, GError **error)
{
  g_autofree char *problem = NULL, *clipped = NULL, *title = NULL, *now = clq_time_print (clq_view_get_now (view));

  if (!debate_brief_check (text, error))
    return FALSE;
  problem = debate_brief_dup_problem (text);
  clipped = debate_clip (problem, PROBLEM_LENGTH);
  title = debate_clip (problem, TITLE_LENGTH);
  clq_change_set_string (change, "problem", clipped);
  clq_change_set_string (change, "startedAt", now);
  clq_change_set_title (change, title);
  return TRUE;
}

/* What was asked and answered becomes part of what the debate is about. */
static void
take_answers (ClqView *view, ClqChange *change)
{
  const char *questions = clq_view_get_questions (view);
  ClqJsonSpan list = clq_json_span (questions, -1), item;
  g_autoptr (GString) body = g_string_new ("{\"clarifications\":[");
  const char *separator = "";
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &list);
  while (questions != NULL && clq_json_iter_next (&iter, NULL, &item))
    {
      ClqJsonSpan owner = clq_json_find (item.start, (gssize) item.length, "owner");
      ClqJsonSpan id = clq_json_find (item.start, (gssize) item.length, "id");
      ClqJsonSpan prompt = clq_json_find (item.start, (gssize) item.length, "prompt");
      ClqJsonSpan answer = clq_json_find (item.start, (gssize) item.length, "answer");

      g_string_append_printf (body, "%s{\"agent\":%.*s,\"id\":%.*s,\"question\":%.*s,\"answer\":%.*s}", separator,
                              (int) owner.length, owner.start, (int) id.length, id.start,
                              (int) prompt.length, prompt.start, (int) answer.length, answer.start);
      separator = ",";
    }
  g_string_append (body, "]}");
  clq_change_append (change, CLQ_RECORD_CONTEXT, CLQ_ROLE_USER, body->str);
}

static void
take_solution (ClqView *view, const ClqEvent *event, ClqChange *change)
{
  g_autofree char *started = clq_view_dup_string (view, "startedAt");
  g_autofree char *clipped = debate_clip (clq_event_get_text (event), SOLUTION_LENGTH);
  guint64 tokens_in, tokens_out;
  gint64 at = 0;

  clq_view_get_tokens (view, &tokens_in, &tokens_out);
  if (started != NULL)
    clq_time_parse (started, &at);
  clq_change_set_string (change, "result.solution", clipped);
  clq_change_set_int (change, "result.rounds", clq_view_get_int (view, "round"));
  clq_change_set_int (change, "result.calls", clq_view_get_int (view, "calls"));
  clq_change_set_int (change, "result.tokensIn", (gint64) tokens_in);
  clq_change_set_int (change, "result.tokensOut", (gint64) tokens_out);
  clq_change_set_int (change, "result.durationMs", MAX (clq_view_get_now (view) - at, 0) / 1000);
}

static gboolean
debate_open (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const char *text = clq_event_get_text (event);

  return text == NULL || take_problem (view, text, change, error);
}

static gboolean
debate_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  const char *name = clq_event_get_name (event), *text = clq_event_get_text (event);

  if (clq_event_get_kind (event) == CLQ_EVENT_ACTION && strcmp (name, "message") == 0)
    return text == NULL || take_problem (view, text, change, error);
  if (strcmp (name, "ANSWERS_SUBMITTED") == 0)
    take_answers (view, change);
  else if (strcmp (name, "COMPLETE") == 0 && text != NULL)
    take_solution (view, event, change);
  else if (strcmp (name, DEBATE_ROUND_TIMEOUT) == 0)
    clq_change_warn (change, "round %" G_GINT64_FORMAT " was not over in time; the debate ends with what there is", clq_view_get_int (view, "round"));
  return TRUE;
}

/* Why a debate has failed stands in its data. */
static void
debate_arrive (gpointer self, ClqView *view, const ClqEvent *event, const char *from, const char *to, ClqChange *change)
{
  const GError *error = clq_event_get_error (event);

  if (strcmp (to, "Failed") != 0)
    return;
  clq_change_set_string (change, "error.state", from);
  clq_change_set_string (change, "error.message", error != NULL ? error->message : clq_event_get_name (event));
}

static char *
debate_describe (gpointer data, ClqView *view)
{
  const Debate *self = data;
  g_autofree char *problem = clq_view_dup_string (view, "problem");
  g_autofree char *clipped = debate_clip (problem != NULL ? problem : "no problem yet", TITLE_LENGTH);
  gint64 round = clq_view_get_int (view, "round");

  if (round == 0)
    return g_strdup_printf ("%s: %s", clq_view_get_state (view), clipped);
  return g_strdup_printf ("Round %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", %s: %s", round, self->rounds, clq_view_get_state (view), clipped);
}

/* ---- predicates ---- */

static gboolean
test_last_round (gpointer data, ClqView *view, const ClqEvent *event)
{
  const Debate *self = data;

  return clq_view_get_int (view, "round") >= self->rounds;
}

static const ClqPredicate predicates[] = {
  { "last-round", "no round may follow", test_last_round, TRUE },
  { NULL },
};

const ClqModalityInfo debate_debate = {
  CLQ_MODALITY_INFO,
  .name = "debate",
  .summary = "Agents that debate a problem in rounds, and a judge",
  .settings = settings,
  .self_size = sizeof (Debate),
  .init = debate_init,
  .clear = debate_clear,
  .predicates = predicates,
  .actions = (const char *const[]){ "message", NULL },
  .open = debate_open,
  .apply = debate_apply,
  .arrive = debate_arrive,
  .describe = debate_describe,
  .report = debate_report,
};
