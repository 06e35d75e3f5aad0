/* synthesis: the judge writes the solution. */
#include "debate.h"

typedef struct
{
  char *debate;  /* all rounds */
  char *summary; /* of them; NULL if they are short */
} Synthesis;

static void
free_synthesis (gpointer data)
{
  Synthesis *self = data;

  g_free (self->debate);
  g_free (self->summary);
  g_free (self);
}

/* The solution was said while it came. */
static void
on_second_solution (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  if (clq_call_get_error (call) != NULL)
    clq_visit_fail_error (visit, clq_call_get_error (call));
  else if (debate_is_blank (clq_call_get_text (call)))
    clq_visit_fail (visit, CLQ_FAILURE_CRITICAL, "the judge gave no solution");
  else
    clq_visit_finish (visit, "COMPLETE");
}

static void
on_solution (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  g_autofree char *request = NULL;

  if (clq_call_get_error (call) != NULL || !debate_is_blank (clq_call_get_text (call)))
    {
      on_second_solution (visit, call, sitting);
      return;
    }
  request = debate_sitting_dup_repair (sitting, clq_call_get_request (call), clq_call_get_text (call), "the solution is empty");
  debate_sitting_count_calls (sitting, 1);
  clq_visit_call_agent (visit, "synthesis/repair", clq_call_get_target (call), request, TRUE, on_second_solution, sitting);
}

static void
write_solution (DebateSitting *sitting)
{
  const Synthesis *self = sitting->own;
  const DebateAgent *judge = debate_get_judge (sitting->debate);
  g_autofree char *proposals = debate_dup_latest (sitting);
  g_autofree char *notes = debate_dup_notes (sitting, sitting->round);
  const char *values[DEBATE_N_VALUES] = {
    [DEBATE_ROUNDS_SO_FAR] = self->summary == NULL ? self->debate : NULL,
    [DEBATE_SUMMARY] = self->summary,
    [DEBATE_PROPOSALS] = proposals,
    [DEBATE_NOTES] = notes,
  };
  g_autofree char *request = debate_sitting_dup_request (sitting, DEBATE_ASK_SYNTHESIS, judge, values);

  debate_sitting_count_calls (sitting, 1);
  clq_visit_call_agent (sitting->visit, "synthesis", judge->name, request, TRUE, on_solution, sitting);
}

/* A judge that cannot summarise reads everything. */
static void
on_digest (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  DebateSitting *sitting = user_data;
  Synthesis *self = sitting->own;
  const char *text = clq_call_get_text (calls[0]);

  if (text != NULL && !debate_is_blank (text))
    {
      g_autofree char *clipped = debate_clip (text, (gsize) sitting->debate->summary_length);

      self->summary = debate_escape (clipped);
    }
  write_solution (sitting);
}

static void
digest (DebateSitting *sitting)
{
  const Synthesis *self = sitting->own;
  const DebateAgent *judge = debate_get_judge (sitting->debate);
  g_autofree char *length = g_strdup_printf ("%" G_GINT64_FORMAT, sitting->debate->summary_length);
  const char *values[DEBATE_N_VALUES] = { [DEBATE_ROUNDS_SO_FAR] = self->debate, [DEBATE_MAX_LENGTH] = length };

  debate_sitting_add (sitting, judge->name, g_strdup ("digest"), debate_sitting_dup_request (sitting, DEBATE_ASK_DIGEST, judge, values));
  debate_sitting_ask (sitting, CLQ_JOIN_SETTLE, on_digest);
}

static void
on_minutes (DebateSitting *sitting)
{
  const Debate *debate = sitting->debate;
  Synthesis *self = g_new0 (Synthesis, 1);
  GString *all = g_string_new (NULL);
  gboolean is_long;

  for (gint64 round = 1; round <= sitting->round; round++)
    {
      g_autofree char *text = debate_dup_round (sitting, round);

      g_string_append_printf (all, "%s## Round %" G_GINT64_FORMAT "\\n\\n", round > 1 ? "\\n\\n" : "", round);
      g_string_append (all, text);
    }
  is_long = (gint64) all->len > debate->judge_threshold && (gint64) debate_text_count (&(DebateText){ all->str, all->len }) > debate->judge_threshold;
  self->debate = g_string_free (all, FALSE);
  sitting->own = self;
  sitting->free_own = free_synthesis;
  if (debate->summarization && is_long)
    digest (sitting);
  else
    write_solution (sitting);
}

static void
synthesis_enter (gpointer self, ClqVisit *visit)
{
  debate_sitting_open (visit, 1, on_minutes);
}

const ClqNodeInfo debate_synthesis = {
  CLQ_NODE_INFO,
  .name = "synthesis",
  .summary = "The judge writes the solution from all rounds",
  .outcomes = CLQ_OUTCOMES ("COMPLETE"),
  .enter = synthesis_enter,
};
