/* A visit of one of the nodes: what it knows of the debate, and whom it asks. */
#include "debate.h"

#define KEY "debate-sitting"

static void
free_sitting (gpointer data)
{
  DebateSitting *self = data;

  if (self->free_own != NULL)
    self->free_own (self->own);
  g_clear_pointer (&self->dossier, debate_dossier_close);
  g_array_unref (self->requests);
  g_ptr_array_unref (self->texts);
  g_string_free (self->prompt, TRUE);
  g_free (self);
}

static void
begin (gpointer user_data)
{
  DebateSitting *self = user_data;

  self->func (self);
}

static void
open_sitting (ClqVisit *visit, gint64 from_round, guint64 record, guint count, DebateSittingFunc func)
{
  const Debate *debate = debate_of (visit);
  DebateSitting *self;

  if (debate == NULL)
    {
      debate_fail_modality (visit);
      return;
    }
  self = g_new0 (DebateSitting, 1);
  self->visit = visit;
  self->debate = debate;
  self->round = clq_view_get_int (clq_visit_get_view (visit), "round");
  self->dossier = debate_dossier_open (visit);
  self->func = func;
  debate_history_read (clq_visit_get_view (visit), debate, self->histories);
  self->requests = g_array_new (FALSE, FALSE, sizeof (ClqRequest));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->prompt = g_string_sized_new (1024);
  g_snprintf (self->round_text, sizeof self->round_text, "%" G_GINT64_FORMAT, self->round);
  g_snprintf (self->rounds_text, sizeof self->rounds_text, "%" G_GINT64_FORMAT, debate->rounds);
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), KEY, self, free_sitting);
  debate_dossier_read (self->dossier, visit, record, count, from_round != DEBATE_REMEMBERED ? from_round : debate_history_get_oldest (self), begin, self);
}

/*
 * Reads what the node needs: the brief, and the contributions of @from_round and later rounds, which may be DEBATE_REMEMBERED. The data say where the brief stands,
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
  values[DEBATE_PROBLEM] = self->dossier->problem;
  values[DEBATE_CONTEXT] = self->dossier->context;
  values[DEBATE_CLARIFICATIONS] = self->dossier->clarifications;
}

/* What an agent is asked: who it is, then the prompt. */
char *
debate_sitting_dup_request (const DebateSitting *self, DebateAsk ask, const DebateAgent *agent, const char **values)
{
  ClqPrompt *prompt = clq_prompt_new ();

  debate_sitting_fill (self, agent, values);
  debate_prompts_expand (self->debate, ask, values, self->prompt);
  clq_prompt_add_escaped (prompt, CLQ_ROLE_SYSTEM, agent->system);
  clq_prompt_add_escaped (prompt, CLQ_ROLE_USER, self->prompt->str);
  return clq_prompt_finish (prompt);
}

/* The same request once more, with the answer that could not be read and what is wrong with it. */
char *
debate_sitting_dup_repair (const DebateSitting *self, const char *request, const char *answer, const char *mistake)
{
  g_autofree char *escaped = debate_escape (mistake);
  const char *values[DEBATE_N_VALUES] = { [DEBATE_MISTAKE] = escaped };
  GString *out = g_string_new_len (request, (gssize) strlen (request) - (gssize) strlen ("]}"));

  debate_prompts_expand (self->debate, DEBATE_ASK_REPAIR, values, self->prompt);
  g_string_append (out, ",{\"role\":\"assistant\",\"text\":");
  clq_json_append_string (out, answer, -1);
  g_string_append (out, "},{\"role\":\"user\",\"text\":\"");
  g_string_append (out, self->prompt->str);
  g_string_append (out, "\"}]}");
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
  clq_json_append_name (out, name);
  clq_json_append_string (out, text, -1);
}

/* Writes down who contributed what; @call is the key of the call that holds the text. */
void
debate_contribute (ClqChange *change, gint64 round, const char *kind, const char *agent, const char *target, const char *call)
{
  g_autoptr (GString) body = g_string_new ("{\"round\":");

  clq_json_append_int (body, round);
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

/* What every agent has answered is its contribution and becomes part of what it remembers. */
void
debate_sitting_take (DebateSitting *self, const char *kind, ClqCall *const *calls, guint n_calls)
{
  for (guint i = 0; i < n_calls; i++)
    {
      debate_sitting_contribute (self, kind, clq_call_get_target (calls[i]), NULL, clq_call_get_key (calls[i]));
      debate_history_grow (self, i, clq_call_get_text (calls[i]));
    }
  debate_history_write (self);
}
