/* A visit of one of the nodes: what it knows of the debate, and whom it asks. */
#include "debate.h"

#define KEY "debate-sitting"
#define BRIEF (1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT)
#define MINUTES (1u << CLQ_RECORD_CONTRIBUTION | 1u << CLQ_RECORD_CALL)
#define PAGE 64

static void
free_sitting (gpointer data)
{
  DebateSitting *self = data;

  if (self->free_own != NULL)
    self->free_own (self->own);
  debate_brief_clear (&self->brief);
  debate_minutes_clear (&self->minutes);
  g_array_unref (self->requests);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

/* ---- reading ---- */

static void read_minutes (DebateSitting *self);

static void
on_minutes (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  DebateSitting *self = user_data;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = 0; i < n_records; i++)
    debate_minutes_add (&self->minutes, records[i]);
  if (n_records < PAGE || debate_minutes_are_complete (&self->minutes))
    {
      self->func (self);
      return;
    }
  self->before = clq_record_get_seq (records[n_records - 1]);
  read_minutes (self);
}

/* Backwards from the end, as far as the oldest round that is wanted. */
static void
read_minutes (DebateSitting *self)
{
  clq_visit_read_journal (self->visit, MINUTES, self->before, PAGE, on_minutes, self);
}

static void
on_brief (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  DebateSitting *self = user_data;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = n_records; i > 0; i--)
    debate_brief_add (&self->brief, records[i - 1]);
  if (self->brief.problem == NULL)
    self->brief.problem = clq_view_dup_string (clq_visit_get_view (visit), "problem");
  if (self->minutes.from_round == DEBATE_NO_ROUND)
    self->func (self);
  else
    read_minutes (self);
}

static void
open_sitting (ClqVisit *visit, gint64 from_round, guint64 record, guint count, DebateSittingFunc func)
{
  DebateSitting *self = g_new0 (DebateSitting, 1);

  self->visit = visit;
  self->debate = debate_of (visit);
  self->round = clq_view_get_int (clq_visit_get_view (visit), "round");
  self->func = func;
  self->requests = g_array_new (FALSE, FALSE, sizeof (ClqRequest));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  debate_minutes_init (&self->minutes, from_round);
  if (self->debate != NULL)
    {
      g_snprintf (self->round_text, sizeof self->round_text, "%" G_GINT64_FORMAT, self->round);
      g_snprintf (self->rounds_text, sizeof self->rounds_text, "%" G_GINT64_FORMAT, self->debate->rounds);
    }
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), KEY, self, free_sitting);
  if (self->debate == NULL)
    debate_fail_modality (visit);
  else
    clq_visit_read_journal (visit, BRIEF, record > 0 ? record + 1 : 0, MAX (count, 1), on_brief, self);
}

/*
 * Reads what the node needs: the brief, and the contributions of @from_round and later rounds. The data say where the brief stands,
 * so that it is found at once however long the journal has become.
 */
void
debate_sitting_open (ClqVisit *visit, gint64 from_round, DebateSittingFunc func)
{
  ClqView *view = clq_visit_get_view (visit);

  open_sitting (visit, from_round, (guint64) clq_view_get_int (view, "brief.record"), (guint) clq_view_get_int (view, "brief.count"), func);
}

/* Reads the brief alone, where the data do not say yet that it has become longer. */
void
debate_sitting_open_at (ClqVisit *visit, guint64 record, guint count, DebateSittingFunc func)
{
  open_sitting (visit, DEBATE_NO_ROUND, record, count, func);
}

/* ---- asking ---- */

/* What every prompt may say. The texts live as long as the sitting. */
void
debate_sitting_fill (const DebateSitting *self, const DebateAgent *agent, const char **values)
{
  values[DEBATE_AGENT] = agent->name;
  values[DEBATE_ROLE] = agent->role;
  values[DEBATE_ROUND] = self->round_text;
  values[DEBATE_ROUNDS] = self->rounds_text;
  values[DEBATE_PROBLEM] = self->brief.problem;
  values[DEBATE_CONTEXT] = self->brief.context;
  values[DEBATE_CLARIFICATIONS] = self->brief.clarifications != NULL ? self->brief.clarifications->str : NULL;
}

/* What an agent is asked: who it is, then the prompt. */
char *
debate_sitting_dup_request (const DebateSitting *self, DebateAsk ask, const DebateAgent *agent, const char **values)
{
  g_autofree char *system = NULL, *user = NULL;
  ClqPrompt *prompt = clq_prompt_new ();

  debate_sitting_fill (self, agent, values);
  system = debate_prompts_expand_role (agent, values);
  user = debate_prompts_expand (self->debate, ask, values);
  clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, system);
  clq_prompt_add (prompt, CLQ_ROLE_USER, user);
  return clq_prompt_finish (prompt);
}

static void
append_message (GString *out, const char *role, const char *text)
{
  g_string_append_printf (out, ",{\"role\":\"%s\",\"text\":", role);
  clq_json_append_string (out, text, -1);
  g_string_append_c (out, '}');
}

/* The same request once more, with the answer that could not be read and what is wrong with it. */
char *
debate_sitting_dup_repair (const DebateSitting *self, const char *request, const char *answer, const char *mistake)
{
  const char *values[DEBATE_N_VALUES] = { [DEBATE_MISTAKE] = mistake };
  g_autofree char *text = debate_prompts_expand (self->debate, DEBATE_ASK_REPAIR, values);
  GString *out = g_string_new_len (request, (gssize) strlen (request) - (gssize) strlen ("]}"));

  append_message (out, "assistant", answer);
  append_message (out, "user", text);
  g_string_append (out, "]}");
  return g_string_free (out, FALSE);
}

/* One more to ask; @key and @request (transfer full). */
void
debate_sitting_add (DebateSitting *self, const char *agent, char *key, char *request)
{
  ClqRequest entry = { .key = key, .agent = agent, .request = request };

  g_ptr_array_add (self->texts, key);
  g_ptr_array_add (self->texts, request);
  g_array_append_val (self->requests, entry);
}

/* Asks everybody who was added, at most so many at once; the answers come in the order in which they were added. */
void
debate_sitting_ask (DebateSitting *self, ClqJoin join, ClqJoinFunc func)
{
  debate_sitting_count_calls (self, self->requests->len);
  clq_visit_fan_out (self->visit, (const ClqRequest *) self->requests->data, self->requests->len, join, (guint) self->debate->max_parallel, func, self);
}

/* ---- writing ---- */

/* How many calls the debate has made; what a crash makes a node do again is not counted again. */
void
debate_sitting_count_calls (DebateSitting *self, guint n)
{
  ClqView *view = clq_visit_get_view (self->visit);

  self->n_calls += n;
  clq_change_set_int (clq_visit_get_change (self->visit), "calls", clq_view_get_int (view, "calls") + self->n_calls);
}

static void
append_member (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, ",\"%s\":", name);
  clq_json_append_string (out, text, -1);
}

/* Writes down who contributed what; @call is the key of the call that holds the text. */
void
debate_contribute (ClqChange *change, gint64 round, const char *kind, const char *agent, const char *target, const char *call)
{
  g_autoptr (GString) body = g_string_new (NULL);

  g_string_printf (body, "{\"round\":%" G_GINT64_FORMAT, round);
  append_member (body, "kind", kind);
  append_member (body, "agent", agent);
  if (target != NULL)
    append_member (body, "target", target);
  append_member (body, "call", call);
  g_string_append_c (body, '}');
  clq_change_append (change, CLQ_RECORD_CONTRIBUTION, CLQ_ROLE_NONE, body->str);
}

void
debate_sitting_contribute (DebateSitting *self, const char *kind, const char *agent, const char *target, const char *call)
{
  debate_contribute (clq_visit_get_change (self->visit), self->round, kind, agent, target, call);
}
