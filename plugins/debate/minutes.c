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

/* A contribution is known by what it is, and when and by whom it was made on what. */
static guint
hash_contribution (gconstpointer data)
{
  const DebateContribution *self = data;

  return (guint) self->round * 31 + g_str_hash (self->kind) + g_str_hash (self->agent) * 7 + (self->target != NULL ? g_str_hash (self->target) : 0);
}

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  const DebateContribution *one = a, *other = b;

  return one->round == other->round && strcmp (one->kind, other->kind) == 0 && strcmp (one->agent, other->agent) == 0 &&
         g_strcmp0 (one->target, other->target) == 0;
}

void
debate_minutes_init (DebateMinutes *self, gint64 from_round)
{
  self->contributions = g_ptr_array_new_with_free_func (free_contribution);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->index = g_hash_table_new (hash_contribution, is_same);
  self->from_round = from_round;
}

void
debate_minutes_clear (DebateMinutes *self)
{
  g_clear_pointer (&self->contributions, g_ptr_array_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->index, g_hash_table_unref);
}

/* The members of a record, found in one pass: journals are read often. */
typedef struct
{
  ClqJsonSpan round, kind, agent, target, text, call, key;
} Members;

static void
read_members (const char *body, gsize length, Members *members)
{
  const struct
  {
    const char *name;
    ClqJsonSpan *place;
  } known[] = {
    { "round", &members->round },
    { "kind", &members->kind },
    { "agent", &members->agent },
    { "target", &members->target },
    { "text", &members->text },
    { "call", &members->call },
    { "key", &members->key },
  };
  ClqJsonSpan root = { CLQ_JSON_OBJECT, body, length }, name, value; /* records are objects */
  ClqJsonIter iter;

  memset (members, 0, sizeof *members);
  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &name, &value))
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (name.start[1] == known[i].name[0] && clq_json_span_string_equal (&name, known[i].name))
        {
          *known[i].place = value;
          break;
        }
}

static char *
dup_text (const ClqJsonSpan *span)
{
  return span->type == CLQ_JSON_STRING ? clq_json_span_dup_string (span) : NULL;
}

static void
add_contribution (DebateMinutes *self, const Members *members)
{
  DebateContribution *contribution;
  char *call;

  if (clq_json_span_get_int (&members->round) < self->from_round)
    {
      self->has_older = TRUE;
      return;
    }
  contribution = g_new0 (DebateContribution, 1);
  contribution->round = clq_json_span_get_int (&members->round);
  contribution->kind = dup_text (&members->kind);
  contribution->agent = dup_text (&members->agent);
  contribution->target = dup_text (&members->target);
  contribution->text = dup_text (&members->text);
  g_ptr_array_add (self->contributions, contribution);
  if (contribution->kind != NULL && contribution->agent != NULL)
    g_hash_table_add (self->index, contribution);
  call = contribution->text == NULL ? dup_text (&members->call) : NULL;
  if (call == NULL)
    return;
  contribution->twin = g_hash_table_lookup (self->waiting, call);
  g_hash_table_replace (self->waiting, call, contribution);
}

static void
take_text (DebateMinutes *self, const Members *members)
{
  g_autofree char *key = dup_text (&members->key);
  DebateContribution *contribution = key != NULL && members->text.type == CLQ_JSON_STRING ? g_hash_table_lookup (self->waiting, key) : NULL;

  if (contribution == NULL)
    return;
  for (; contribution != NULL; contribution = contribution->twin)
    contribution->text = dup_text (&members->text);
  g_hash_table_remove (self->waiting, key);
}

/* Takes a record of the journal, the newest first. */
void
debate_minutes_add (DebateMinutes *self, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqRecordType type = clq_record_get_record_type (record);
  Members members;

  if (type != CLQ_RECORD_CONTRIBUTION && type != CLQ_RECORD_CALL)
    return;
  read_members (body, length, &members);
  if (type == CLQ_RECORD_CONTRIBUTION)
    add_contribution (self, &members);
  else
    take_text (self, &members);
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
  const DebateContribution wanted = { .kind = (char *) kind, .round = round, .agent = (char *) agent, .target = (char *) target };
  const DebateContribution *contribution = g_hash_table_lookup (self->index, &wanted);

  return contribution != NULL ? contribution->text : NULL;
}

/* Whether the flow itself knows what to do with it; others are notes. */
gboolean
debate_is_own_kind (const char *kind)
{
  static const char *const kinds[] = { DEBATE_KIND_PROPOSAL, DEBATE_KIND_CRITIQUE, DEBATE_KIND_REFINEMENT, DEBATE_KIND_SUMMARY, NULL };

  return kind != NULL && g_strv_contains (kinds, kind);
}
