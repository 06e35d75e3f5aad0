/* clarification: agents may ask what they need to know, again and again, until nobody has a question. */
#include "debate.h"

#define QUESTION_LENGTH 400

/* What was asked in this visit, and by whom it has to be asked again. */
typedef struct
{
  GPtrArray **questions; /* per agent; NULL = none that can be read */
  guint *again;          /* the agents that are asked again */
  guint n_again;
  guint n_agents;
} Collection;

static void
free_collection (gpointer data)
{
  Collection *self = data;

  for (guint i = 0; i < self->n_agents; i++)
    if (self->questions[i] != NULL)
      g_ptr_array_unref (self->questions[i]);
  g_free (self->questions);
  g_free (self->again);
  g_free (self);
}

/* ---- asking people ---- */

/* Whether the question, or another one with its id, was put before. */
static gboolean
was_asked (const DebateSitting *sitting, const char *text)
{
  const GString *known = sitting->dossier->brief.clarifications;
  g_autofree char *line = g_strdup_printf (": %s\nAnswer: ", text);

  return known != NULL && strstr (known->str, line) != NULL;
}

/* Ids are those of the agent, unless they are unusable or taken; then they are numbers. */
static char *
dup_id (const DebateQuestion *question, GHashTable *taken, gint64 *number)
{
  char *id = question->id != NULL && clq_name_is_valid (question->id) && !g_hash_table_contains (taken, question->id) ? g_strdup (question->id) : NULL;

  while (id == NULL || g_hash_table_contains (taken, id))
    {
      g_free (id);
      id = g_strdup_printf ("q%" G_GINT64_FORMAT, ++*number);
    }
  return id;
}

static guint
put_questions (DebateSitting *sitting, const DebateAgent *agent, GPtrArray *questions)
{
  ClqChange *change = clq_visit_get_change (sitting->visit);
  g_autofree char *path = g_strdup_printf ("clarifications.%s", agent->name);
  ClqJsonSpan known = clq_view_find (clq_visit_get_view (sitting->visit), path), item;
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) ids = g_string_new ("[");
  gint64 number = 0;
  ClqJsonIter iter;
  guint n = 0;

  clq_json_iter_init (&iter, &known);
  while (known.type == CLQ_JSON_ARRAY && clq_json_iter_next (&iter, NULL, &item))
    {
      g_string_append_printf (ids, "%s%.*s", ids->len > 1 ? "," : "", (int) item.length, item.start);
      g_hash_table_add (taken, clq_json_span_dup_string (&item));
    }
  for (guint i = 0; questions != NULL && i < questions->len && n < sitting->debate->clarificationsMaxPerAgent; i++)
    {
      const DebateQuestion *question = g_ptr_array_index (questions, i);
      g_autofree char *text = debate_clip (question->text, QUESTION_LENGTH);
      char *id;

      if (was_asked (sitting, text))
        continue;
      id = dup_id (question, taken, &number);
      g_hash_table_add (taken, id);
      clq_change_ask (change, &(ClqQuestion){ .type = CLQ_QUESTION_INPUT, .owner = agent->name, .id = id, .prompt = text });
      g_string_append (ids, ids->len > 1 ? "," : "");
      clq_json_append_string (ids, id, -1);
      n++;
    }
  g_string_append_c (ids, ']');
  if (n > 0)
    clq_change_set_json (change, path, ids->str);
  return n;
}

static void
put_all (DebateSitting *sitting)
{
  const Collection *self = sitting->own;
  ClqChange *change = clq_visit_get_change (sitting->visit);
  gint64 iteration = clq_view_get_int (clq_visit_get_view (sitting->visit), "clarificationIterations") + 1;
  guint n = 0;

  for (guint i = 0; i < self->n_agents; i++)
    n += put_questions (sitting, &sitting->debate->members[i], self->questions[i]);
  if (n == 0)
    {
      clq_change_set_reason (change, "nobody has a question");
      clq_visit_finish (sitting->visit, "ALL_CLEAR");
      return;
    }
  clq_change_set_int (change, "clarificationIterations", iteration);
  clq_change_set_reason (change, "%u question%s, iteration %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, n, n == 1 ? "" : "s",
                         iteration, sitting->debate->clarificationsMaxIterations);
  clq_visit_finish (sitting->visit, "QUESTIONS_PENDING");
}

/* ---- asking agents ---- */

static void
on_repaired (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  Collection *self = sitting->own;

  for (guint i = 0; i < n_calls; i++)
    {
      const char *answer = clq_call_get_text (calls[i]);
      g_autofree char *mistake = NULL;

      if (answer == NULL)
        continue; /* the fan-out has warned */
      self->questions[self->again[i]] = debate_read_questions (answer, &mistake);
      if (mistake != NULL)
        clq_change_warn (clq_visit_get_change (visit), "%s: the questions of %s cannot be read (%s); it has none",
                         clq_call_get_key (calls[i]), clq_call_get_target (calls[i]), mistake);
    }
  put_all (sitting);
}

/* Whoever cannot be asked has no questions; whoever cannot be understood is asked once more. */
static void
on_questions (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  Collection *self = sitting->own;

  g_array_set_size (sitting->requests, 0);
  for (guint i = 0; i < n_calls; i++)
    {
      const char *answer = clq_call_get_text (calls[i]);
      g_autofree char *mistake = NULL;

      if (answer == NULL)
        continue;
      self->questions[i] = debate_read_questions (answer, &mistake);
      if (mistake == NULL)
        continue;
      self->again[self->n_again++] = i;
      debate_sitting_add (sitting, sitting->debate->members[i].name, g_strconcat (clq_call_get_key (calls[i]), "/repair", NULL),
                          debate_sitting_dup_repair (sitting, clq_call_get_request (calls[i]), answer, mistake));
    }
  if (self->n_again > 0)
    debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_repaired);
  else
    put_all (sitting);
}

static void
collect (DebateSitting *sitting)
{
  const Debate *debate = sitting->debate;
  Collection *self = g_new0 (Collection, 1);
  gint64 iteration = clq_view_get_int (clq_visit_get_view (sitting->visit), "clarificationIterations") + 1;
  g_autofree char *most = g_strdup_printf ("%" G_GINT64_FORMAT, debate->clarificationsMaxPerAgent);

  self->n_agents = debate->n_agents;
  self->questions = g_new0 (GPtrArray *, debate->n_agents);
  self->again = g_new0 (guint, debate->n_agents);
  sitting->own = self;
  sitting->free_own = free_collection;
  for (guint i = 0; i < debate->n_agents; i++)
    {
      const DebateAgent *agent = &debate->members[i];
      const char *values[DEBATE_N_VALUES] = { [DEBATE_MAX_QUESTIONS] = most };

      debate_sitting_add (sitting, agent->name, g_strdup_printf ("questions/%" G_GINT64_FORMAT "/%s", iteration, agent->name),
                          debate_sitting_dup_request (sitting, DEBATE_ASK_QUESTIONS, agent, values));
    }
  debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_questions);
}

/* ---- entering ---- */

/* What was answered stands in the newest record of the brief now. */
static void
on_answers (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  const Debate *debate = user_data;
  ClqView *view = clq_visit_get_view (visit);
  ClqChange *change = clq_visit_get_change (visit);

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  if (n_records > 0)
    {
      clq_change_set_int (change, "brief.record", (gint64) clq_record_get_seq (records[0]));
      clq_change_set_int (change, "brief.count", clq_view_get_int (view, "brief.count") + 1);
    }
  if (clq_view_get_int (view, "clarificationIterations") >= debate->clarificationsMaxIterations)
    {
      clq_change_set_reason (change, "all %" G_GINT64_FORMAT " iterations are used up", debate->clarificationsMaxIterations);
      clq_visit_finish (visit, "ALL_CLEAR");
      return;
    }
  debate_sitting_open_at (visit, n_records > 0 ? clq_record_get_seq (records[0]) : 0, (guint) clq_view_get_int (view, "brief.count") + 1, collect);
}

static void
clarification_enter (gpointer self, ClqVisit *visit)
{
  const Debate *debate = debate_of (visit);

  if (debate == NULL)
    debate_fail_modality (visit);
  else if (!debate->interactiveClarifications || debate->clarificationsMaxIterations == 0)
    clq_visit_finish (visit, "ALL_CLEAR");
  else if (clq_view_get_int (clq_visit_get_view (visit), "clarificationIterations") > 0)
    clq_visit_read_journal (visit, 1u << CLQ_RECORD_CONTEXT, 0, 1, on_answers, (gpointer) debate);
  else
    debate_sitting_open (visit, DEBATE_NO_ROUND, collect);
}

const ClqNodeInfo debate_clarification = {
  CLQ_NODE_INFO,
  .name = "clarification",
  .summary = "Lets the agents ask people what they need to know",
  .outcomes = CLQ_OUTCOMES ("QUESTIONS_PENDING", "ALL_CLEAR"),
  .enter = clarification_enter,
};
