/*
 * What an agent remembers of the rounds before: its own proposals and refinements and the critiques of them, or a summary of these.
 * The data hold per agent how long that is and from which round on it is told whole; older rounds are in the summary of that round.
 */
#include "debate.h"

static void
read_history (const ClqJsonSpan *object, DebateHistory *history)
{
  ClqJsonSpan name, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &name, &value))
    if (clq_json_span_string_equal (&name, "from"))
      history->from = MAX (clq_json_span_get_int (&value), 1);
    else if (clq_json_span_string_equal (&name, "characters"))
      history->characters = clq_json_span_get_int (&value);
}

/* What the data say, for each of the agents. */
void
debate_history_read (ClqView *view, const Debate *debate, DebateHistory *histories)
{
  ClqJsonSpan all = clq_view_find (view, "history"), name, value;
  ClqJsonIter iter;

  for (guint i = 0; i < debate->n_agents; i++)
    histories[i] = (DebateHistory){ .from = 1 };
  clq_json_iter_init (&iter, &all);
  while (clq_json_iter_next (&iter, &name, &value))
    for (guint i = 0; i < debate->n_agents; i++)
      if (clq_json_span_string_equal (&name, debate->members[i].name))
        read_history (&value, &histories[i]);
}

/* The first round of which somebody is told. */
gint64
debate_history_get_oldest (const DebateSitting *self)
{
  gint64 oldest = self->round;

  for (guint i = 0; i < self->debate->n_agents; i++)
    oldest = MIN (oldest, self->histories[i].from);
  return oldest;
}

/* Something is added to what an agent remembers. */
void
debate_history_grow (DebateSitting *self, guint agent, const char *text)
{
  self->histories[agent].characters += g_utf8_strlen (text, -1);
}

/* From now on the agent remembers only a summary. */
void
debate_history_replace (DebateSitting *self, guint agent, const char *summary)
{
  self->histories[agent].from = self->round;
  self->histories[agent].characters = MIN ((gint64) g_utf8_strlen (summary, -1), self->debate->summary_length);
}

/* Keeps it in the data. */
void
debate_history_write (DebateSitting *self)
{
  g_autoptr (GString) json = g_string_new ("{");

  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const DebateHistory *history = &self->histories[i];

      if (i > 0)
        g_string_append_c (json, ',');
      clq_json_append_string (json, self->debate->members[i].name, -1);
      g_string_append (json, ":{");
      if (history->from > 1)
        {
          clq_json_append_name (json, "from");
          clq_json_append_int (json, history->from);
        }
      clq_json_append_name (json, "characters");
      clq_json_append_int (json, history->characters);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
  clq_change_set_json (clq_visit_get_change (self->visit), "history", json->str);
}

/* ---- texts ---- */

/* A text of some parts. Making room for them once is cheaper than growing with each. */
static GString *
new_text (void)
{
  return g_string_sized_new (1000);
}

/* A part with a heading, which is made of some pieces. */
static void
append_part (GString *out, const DebateText *text, const char *heading, ...) G_GNUC_NULL_TERMINATED;

static void
append_part (GString *out, const DebateText *text, const char *heading, ...)
{
  va_list pieces;

  if (text == NULL)
    return;
  g_string_append (out, out->len > 0 ? "\\n\\n### " : "### ");
  va_start (pieces, heading);
  for (const char *piece = heading; piece != NULL; piece = va_arg (pieces, const char *))
    g_string_append (out, piece);
  va_end (pieces);
  g_string_append (out, "\\n");
  g_string_append_len (out, text->start, (gssize) text->length);
}

/* A summary that is longer than it may be. */
static char *
dup_clipped (const DebateText *summary, gsize n_characters)
{
  g_autofree char *plain = debate_text_dup_plain (summary);
  g_autofree char *clipped = debate_clip (plain, n_characters);

  return debate_escape (clipped);
}

static void
append_critiques (const DebateSitting *self, GString *out, gint64 round, const char *target)
{
  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;

      append_part (out, debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_CRITIQUE, round, agent, target), "Critique by ", agent, NULL);
    }
}

/* What an agent is told of the rounds before this one; @with_latest: with the refinement that is its proposal now. */
char *
debate_history_dup (const DebateSitting *self, guint agent, gboolean with_latest)
{
  GString *out = new_text ();
  const DebateMinutes *minutes = &self->dossier->minutes;
  const char *name = self->debate->members[agent].name;
  gint64 from = self->histories[agent].from;
  const DebateText *summary = debate_minutes_find (minutes, DEBATE_KIND_SUMMARY, from, name, NULL);
  g_autofree char *clipped = summary != NULL ? dup_clipped (summary, (gsize) self->debate->summary_length) : NULL;
  const DebateText told = { clipped, clipped != NULL ? strlen (clipped) : 0 };

  char number[24];

  if (clipped != NULL)
    {
      g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, from);
      append_part (out, &told, "What came before round ", number, NULL);
    }
  for (gint64 round = from; round < self->round; round++)
    {
      g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, round);
      if (round == 1)
        append_part (out, debate_minutes_find (minutes, DEBATE_KIND_PROPOSAL, round, name, NULL), "Your proposal in round 1", NULL);
      append_critiques (self, out, round, name);
      if (round < self->round - 1 || with_latest)
        append_part (out, debate_minutes_find (minutes, DEBATE_KIND_REFINEMENT, round, name, NULL), "Your refined proposal of round ", number, NULL);
    }
  return g_string_free (out, FALSE);
}

/* The critiques of one proposal. */
char *
debate_dup_critiques (const DebateSitting *self, gint64 round, const char *target)
{
  GString *out = new_text ();

  append_critiques (self, out, round, target);
  return g_string_free (out, FALSE);
}

/* What nodes of other plugins have contributed to a round. */
char *
debate_dup_notes (const DebateSitting *self, gint64 round)
{
  GString *out = new_text ();
  const DebateMinutes *minutes = &self->dossier->minutes;

  for (guint i = 0; i < minutes->contributions->len; i++)
    {
      const DebateContribution *note = g_ptr_array_index (minutes->contributions, i);

      if (note->round == round && !debate_is_own_kind (note->kind))
        append_part (out, note->record != NULL ? &note->text : NULL, note->kind, " by ", note->agent, note->target != NULL ? " on the proposal of " : NULL, note->target, NULL);
    }
  return g_string_free (out, FALSE);
}

/* A whole round: proposals (in the first one), critiques, refinements, notes. */
char *
debate_dup_round (const DebateSitting *self, gint64 round)
{
  GString *out = new_text ();
  g_autofree char *notes = debate_dup_notes (self, round);

  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;

      if (round == 1)
        append_part (out, debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_PROPOSAL, round, agent, NULL), "Proposal of ", agent, NULL);
      for (guint j = 0; j < self->debate->n_agents; j++)
        append_part (out, debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_CRITIQUE, round, self->debate->members[j].name, agent),
                     "Critique of ", agent, " by ", self->debate->members[j].name, NULL);
      append_part (out, debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_REFINEMENT, round, agent, NULL), "Refined proposal of ", agent, NULL);
    }
  if (*notes != '\0')
    {
      g_string_append (out, "\\n\\n");
      g_string_append (out, notes);
    }
  return g_string_free (out, FALSE);
}

/* Where every agent stands now: its refinement of this round, else its proposal. */
char *
debate_dup_latest (const DebateSitting *self)
{
  GString *out = new_text ();

  for (guint i = 0; i < self->debate->n_agents; i++)
    {
      const char *agent = self->debate->members[i].name;
      const DebateText *text = debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_REFINEMENT, self->round, agent, NULL);

      if (text == NULL)
        text = debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_PROPOSAL, self->round, agent, NULL);
      if (text == NULL && self->round > 1)
        text = debate_minutes_find (&self->dossier->minutes, DEBATE_KIND_REFINEMENT, self->round - 1, agent, NULL);
      append_part (out, text, agent, NULL);
    }
  return g_string_free (out, FALSE);
}
