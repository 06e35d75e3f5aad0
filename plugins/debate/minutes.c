/*
 * What was said so far. A contribution is a record that says who contributed what in which round; its text stands in the record of
 * the call that brought it, and only there. Contributions come after their calls, so a journal that is read from its end names what
 * is wanted before it is met.
 */
#include "debate.h"

static void
free_contribution (gpointer data)
{
  DebateContribution *self = data;

  g_free (self->kind);
  g_free (self->agent);
  g_free (self->target);
  g_free (self->text);
  g_free (self);
}

void
debate_minutes_init (DebateMinutes *self, gint64 from_round)
{
  self->contributions = g_ptr_array_new_with_free_func (free_contribution);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->from_round = from_round;
}

void
debate_minutes_clear (DebateMinutes *self)
{
  g_clear_pointer (&self->contributions, g_ptr_array_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->index, g_hash_table_unref);
}

static char *
dup_member (const char *body, gsize length, const char *name)
{
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

static char *
dup_name (const char *kind, gint64 round, const char *agent, const char *target)
{
  return g_strdup_printf ("%s/%" G_GINT64_FORMAT "/%s/%s", kind, round, agent, target != NULL ? target : "");
}

static void
add_contribution (DebateMinutes *self, const char *body, gsize length)
{
  ClqJsonSpan round = clq_json_find (body, (gssize) length, "round");
  DebateContribution *contribution;
  char *call;

  if (clq_json_span_get_int (&round) < self->from_round)
    {
      self->has_older = TRUE;
      return;
    }
  contribution = g_new0 (DebateContribution, 1);
  contribution->round = clq_json_span_get_int (&round);
  contribution->kind = dup_member (body, length, "kind");
  contribution->agent = dup_member (body, length, "agent");
  contribution->target = dup_member (body, length, "target");
  contribution->text = dup_member (body, length, "text");
  g_ptr_array_add (self->contributions, contribution);
  g_hash_table_replace (self->index, dup_name (contribution->kind, contribution->round, contribution->agent, contribution->target), contribution);
  call = contribution->text == NULL ? dup_member (body, length, "call") : NULL;
  if (call == NULL)
    return;
  contribution->twin = g_hash_table_lookup (self->waiting, call);
  g_hash_table_replace (self->waiting, call, contribution);
}

static void
take_text (DebateMinutes *self, const char *body, gsize length)
{
  g_autofree char *key = dup_member (body, length, "key");
  DebateContribution *contribution = key != NULL ? g_hash_table_lookup (self->waiting, key) : NULL;
  g_autofree char *text = contribution != NULL ? dup_member (body, length, "text") : NULL;

  if (text == NULL)
    return;
  for (; contribution != NULL; contribution = contribution->twin)
    contribution->text = g_strdup (text);
  g_hash_table_remove (self->waiting, key);
}

/* Takes a record of the journal, the newest first. */
void
debate_minutes_add (DebateMinutes *self, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);

  if (clq_record_get_record_type (record) == CLQ_RECORD_CONTRIBUTION)
    add_contribution (self, body, length);
  else if (clq_record_get_record_type (record) == CLQ_RECORD_CALL)
    take_text (self, body, length);
}

/* Whether older records have nothing to add. */
gboolean
debate_minutes_are_complete (const DebateMinutes *self)
{
  return self->has_older && g_hash_table_size (self->waiting) == 0;
}

/* The text of a contribution; NULL if there is none. */
const char *
debate_minutes_find (const DebateMinutes *self, const char *kind, gint64 round, const char *agent, const char *target)
{
  g_autofree char *name = dup_name (kind, round, agent, target);
  const DebateContribution *contribution = g_hash_table_lookup (self->index, name);

  return contribution != NULL ? contribution->text : NULL;
}

/* Whether the flow itself knows what to do with it; others are notes. */
gboolean
debate_is_own_kind (const char *kind)
{
  static const char *const kinds[] = { DEBATE_KIND_PROPOSAL, DEBATE_KIND_CRITIQUE, DEBATE_KIND_REFINEMENT, DEBATE_KIND_SUMMARY, NULL };

  return kind != NULL && g_strv_contains (kinds, kind);
}
