/*
 * What an agent remembers of the rounds before: its own proposals and refinements and the critiques of them, or a summary of these.
 * The data hold per agent how long that is and from which round on it is told whole; older rounds are in the summary of that round.
 */
#include "debate.h"

static gint64
get_number (ClqView *view, const char *agent, const char *what)
{
  g_autofree char *path = g_strdup_printf ("history.%s.%s", agent, what);

  return clq_view_get_int (view, path);
}

static void
set_number (DebateSitting *self, const char *agent, const char *what, gint64 number)
{
  g_autofree char *path = g_strdup_printf ("history.%s.%s", agent, what);

  clq_change_set_int (clq_visit_get_change (self->visit), path, number);
}

/* The first round that is told whole. */
gint64
debate_history_get_from (ClqView *view, const char *agent)
{
  return MAX (get_number (view, agent, "from"), 1);
}

/* The first round of which somebody is told. */
gint64
debate_history_get_oldest (ClqView *view, const Debate *debate)
{
  gint64 oldest = clq_view_get_int (view, "round");

  for (guint i = 0; i < debate->n_agents; i++)
    oldest = MIN (oldest, debate_history_get_from (view, debate->members[i].name));
  return oldest;
}

gint64
debate_history_get_characters (ClqView *view, const char *agent)
{
  return get_number (view, agent, "characters");
}

/* Something was added to what an agent remembers; to be called once per agent and visit. */
void
debate_history_grow (DebateSitting *self, const char *agent, gsize n_characters)
{
  set_number (self, agent, "characters", debate_history_get_characters (clq_visit_get_view (self->visit), agent) + (gint64) n_characters);
}

/* From now on the agent remembers only a summary. */
void
debate_history_replace (DebateSitting *self, const char *agent, const char *summary)
{
  set_number (self, agent, "from", self->round);
  set_number (self, agent, "characters", MIN ((gint64) g_utf8_strlen (summary, -1), self->debate->summary_length));
}

/* ---- texts ---- */

static void
append_part (GString *out, const char *text, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
append_part (GString *out, const char *text, const char *format, ...)
{
  va_list arguments;

  if (text == NULL)
    return;
  if (out->len > 0)
    g_string_append (out, "\n\n");
  va_start (arguments, format);
  g_string_append_vprintf (out, format, arguments);
  va_end (arguments);
  g_string_append (out, "\n");
  g_string_append (out, text);
  while (out->len > 0 && g_ascii_isspace (out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
}

static void
append_critiques (const DebateSitting *self, GString *out, gint64 round, const char *target)
{
  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;

      append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_CRITIQUE, round, agent, target), "### Critique by %s", agent);
    }
}

/* What an agent is told of the rounds before this one; @with_latest: with the refinement that is its proposal now. */
char *
debate_history_dup (const DebateSitting *self, const char *agent, gboolean with_latest)
{
  GString *out = g_string_new (NULL);
  gint64 from = debate_history_get_from (clq_visit_get_view (self->visit), agent);
  const char *summary = debate_minutes_find (&self->minutes, DEBATE_KIND_SUMMARY, from, agent, NULL);
  g_autofree char *clipped = summary != NULL ? debate_clip (summary, (gsize) self->debate->summary_length) : NULL;

  append_part (out, clipped, "### What came before round %" G_GINT64_FORMAT, from);
  for (gint64 round = from; round < self->round; round++)
    {
      if (round == 1)
        append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_PROPOSAL, round, agent, NULL), "### Your proposal in round 1");
      append_critiques (self, out, round, agent);
      if (round < self->round - 1 || with_latest)
        append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_REFINEMENT, round, agent, NULL),
                     "### Your refined proposal of round %" G_GINT64_FORMAT, round);
    }
  return g_string_free (out, FALSE);
}

/* The critiques of one proposal. */
char *
debate_dup_critiques (const DebateSitting *self, gint64 round, const char *target)
{
  GString *out = g_string_new (NULL);

  append_critiques (self, out, round, target);
  return g_string_free (out, FALSE);
}

/* What nodes of other plugins have contributed to a round. */
char *
debate_dup_notes (const DebateSitting *self, gint64 round)
{
  GString *out = g_string_new (NULL);

  for (guint i = self->minutes.contributions->len; i > 0; i--)
    {
      const DebateContribution *note = g_ptr_array_index (self->minutes.contributions, i - 1);

      if (note->round == round && !debate_is_own_kind (note->kind))
        append_part (out, note->text, "### %s by %s%s%s", note->kind, note->agent, note->target != NULL ? " on the proposal of " : "",
                     note->target != NULL ? note->target : "");
    }
  return g_string_free (out, FALSE);
}

/* A whole round: proposals (in the first one), critiques, refinements, notes. */
char *
debate_dup_round (const DebateSitting *self, gint64 round)
{
  GString *out = g_string_new (NULL);
  g_autofree char *notes = debate_dup_notes (self, round);

  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;

      if (round == 1)
        append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_PROPOSAL, round, agent, NULL), "### Proposal of %s", agent);
      for (guint j = 0; j < self->debate->n_agents; j++)
        append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_CRITIQUE, round, self->debate->members[j].name, agent),
                     "### Critique of %s by %s", agent, self->debate->members[j].name);
      append_part (out, debate_minutes_find (&self->minutes, DEBATE_KIND_REFINEMENT, round, agent, NULL), "### Refined proposal of %s", agent);
    }
  if (*notes != '\0')
    g_string_append_printf (out, "\n\n%s", notes);
  return g_string_free (out, FALSE);
}

/* Where every agent stands now: its refinement of this round, else its proposal. */
char *
debate_dup_latest (const DebateSitting *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;
      const char *text = debate_minutes_find (&self->minutes, DEBATE_KIND_REFINEMENT, self->round, agent, NULL);

      if (text == NULL)
        text = debate_minutes_find (&self->minutes, DEBATE_KIND_PROPOSAL, self->round, agent, NULL);
      if (text == NULL && self->round > 1)
        text = debate_minutes_find (&self->minutes, DEBATE_KIND_REFINEMENT, self->round - 1, agent, NULL);
      append_part (out, text, "### %s", agent);
    }
  return g_string_free (out, FALSE);
}
