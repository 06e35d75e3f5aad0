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

  g_clear_pointer (&self->record, clq_record_unref);
  g_slice_free (DebateContribution, self);
}

/* A contribution is known by what it is, and when and by whom it was made on what. */
static guint
hash_contribution (gconstpointer data)
{
  const DebateContribution *self = data;

  return (guint) self->round * 31 + (guint) self->kind[0] * 7 + g_str_hash (self->agent) + (self->target != NULL ? g_str_hash (self->target) * 3 : 0);
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
  self->index = g_hash_table_new (hash_contribution, is_same);
  self->calls = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_string_chunk_new (512);
  self->from_round = from_round;
  self->newest = 0;
}

void
debate_minutes_clear (DebateMinutes *self)
{
  g_clear_pointer (&self->calls, g_hash_table_unref);
  g_clear_pointer (&self->index, g_hash_table_unref);
  g_clear_pointer (&self->contributions, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_string_chunk_free);
}

/* Nothing before @round is needed any more. */
static void
forget_older (DebateMinutes *self, gint64 round)
{
  guint n = 0;

  for (; n < self->contributions->len; n++)
    {
      DebateContribution *oldest = g_ptr_array_index (self->contributions, n);

      if (oldest->round >= round)
        break;
      if (g_hash_table_lookup (self->index, oldest) == oldest)
        g_hash_table_remove (self->index, oldest);
      if (oldest->call != NULL)
        g_hash_table_remove (self->calls, oldest->call);
    }
  if (n > 0)
    g_ptr_array_remove_range (self->contributions, 0, n);
  self->from_round = round;
}

/* Makes them those of @round and later; what is not known has to be read. */
void
debate_minutes_want (DebateMinutes *self, gint64 round)
{
  if (round > self->from_round)
    forget_older (self, round);
  else if (round < self->from_round)
    {
      debate_minutes_clear (self);
      debate_minutes_init (self, round);
    }
}

/* ---- records ---- */

/* The members of a record, found in one pass: journals are read often. */
typedef struct
{
  ClqJsonSpan round, kind, agent, target, text, call, key;
} Members;

/* What follows the text in the record of a call, or the call in that of a contribution, is not needed. */
static void
read_members (const char *body, gsize length, Members *members)
{
  const struct
  {
    const char *name;
    ClqJsonSpan *place;
    gboolean is_last;
  } known[] = {
    { "round", &members->round },
    { "kind", &members->kind },
    { "agent", &members->agent },
    { "target", &members->target },
    { "text", &members->text, TRUE },
    { "call", &members->call, TRUE },
    { "key", &members->key },
  };
  ClqJsonSpan root = { CLQ_JSON_OBJECT, body, length }, name, value; /* records are objects */
  ClqJsonIter iter;
  gboolean is_over = FALSE;

  memset (members, 0, sizeof *members);
  clq_json_iter_init (&iter, &root);
  while (!is_over && clq_json_iter_next (&iter, &name, &value))
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (name.start[1] == known[i].name[0] && clq_json_span_string_equal (&name, known[i].name))
        {
          *known[i].place = value;
          is_over = known[i].is_last;
          break;
        }
}

static const char *
keep_name (GStringChunk *names, const ClqJsonSpan *span)
{
  g_autofree char *name = NULL;

  if (span->type != CLQ_JSON_STRING)
    return NULL;
  if (memchr (span->start, '\\', span->length) == NULL)
    return g_string_chunk_insert_len (names, span->start + 1, (gssize) span->length - 2);
  name = clq_json_span_dup_string (span);
  return g_string_chunk_insert (names, name);
}

/* The text of a record, which is kept as long as the text. White space at the end says nothing. */
static void
keep_text (DebateContribution *self, ClqRecord *record, const ClqJsonSpan *span)
{
  self->record = clq_record_ref (record);
  self->text = (DebateText){ span->start + 1, span->length - 2 };
  debate_text_trim (&self->text);
}

static void
share_text (DebateContribution *self, const DebateContribution *other)
{
  self->record = clq_record_ref (other->record);
  self->text = other->text;
}

/* ---- reading ---- */

void
debate_reading_init (DebateReading *self)
{
  self->found = g_ptr_array_new_with_free_func (free_contribution);
  self->waiting = g_hash_table_new (g_str_hash, g_str_equal);
  self->has_older = FALSE;
}

void
debate_reading_clear (DebateReading *self)
{
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->found, g_ptr_array_unref);
}

static void
add_contribution (DebateReading *self, DebateMinutes *known, ClqRecord *record, const Members *members)
{
  gint64 round = clq_json_span_get_int (&members->round);
  DebateContribution *contribution;
  const DebateContribution *other;

  if (round < known->from_round)
    {
      self->has_older = TRUE;
      return;
    }
  contribution = g_slice_new0 (DebateContribution);
  contribution->round = round;
  contribution->kind = keep_name (known->names, &members->kind);
  contribution->agent = keep_name (known->names, &members->agent);
  contribution->target = keep_name (known->names, &members->target);
  g_ptr_array_add (self->found, contribution);
  if (members->text.type == CLQ_JSON_STRING)
    {
      keep_text (contribution, record, &members->text);
      return;
    }
  contribution->call = keep_name (known->names, &members->call);
  if (contribution->call == NULL)
    return;
  other = g_hash_table_lookup (known->calls, contribution->call);
  if (other != NULL)
    {
      share_text (contribution, other);
      return;
    }
  contribution->twin = g_hash_table_lookup (self->waiting, contribution->call);
  g_hash_table_replace (self->waiting, (gpointer) contribution->call, contribution);
}

static void
take_text (DebateReading *self, ClqRecord *record, const Members *members)
{
  g_autofree char *key = g_hash_table_size (self->waiting) > 0 ? clq_json_span_dup_string (&members->key) : NULL;
  DebateContribution *contribution = key != NULL && members->text.type == CLQ_JSON_STRING ? g_hash_table_lookup (self->waiting, key) : NULL;

  if (contribution == NULL)
    return;
  g_hash_table_remove (self->waiting, key);
  keep_text (contribution, record, &members->text);
  for (DebateContribution *twin = contribution->twin; twin != NULL; twin = twin->twin)
    share_text (twin, contribution);
}

/* Takes a record of the journal, the newest first, of those that @known does not have yet. */
void
debate_reading_add (DebateReading *self, DebateMinutes *known, ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqRecordType type = clq_record_get_record_type (record);
  Members members;

  if (type != CLQ_RECORD_CONTRIBUTION && type != CLQ_RECORD_CALL)
    return;
  read_members (body, length, &members);
  if (type == CLQ_RECORD_CONTRIBUTION)
    add_contribution (self, known, record, &members);
  else
    take_text (self, record, &members);
}

/* Whether older records have nothing to add. */
gboolean
debate_reading_is_complete (const DebateReading *self)
{
  return self->has_older && g_hash_table_size (self->waiting) == 0;
}

/* What was read becomes part of the minutes. FALSE: it needs texts that they do not have; then nothing does. */
gboolean
debate_minutes_take (DebateMinutes *self, DebateReading *reading, guint64 newest)
{
  if (self->newest > 0 && g_hash_table_size (reading->waiting) > 0)
    return FALSE;
  while (reading->found->len > 0)
    {
      DebateContribution *contribution = g_ptr_array_steal_index (reading->found, reading->found->len - 1);

      g_ptr_array_add (self->contributions, contribution);
      contribution->twin = NULL;
      if (contribution->kind != NULL && contribution->agent != NULL)
        g_hash_table_replace (self->index, contribution, contribution);
      if (contribution->call != NULL && contribution->record != NULL)
        g_hash_table_replace (self->calls, (gpointer) contribution->call, contribution);
    }
  g_hash_table_remove_all (reading->waiting);
  self->newest = newest;
  return TRUE;
}

/* ---- looking up ---- */

/* The text of a contribution; NULL if there is none. */
const DebateText *
debate_minutes_find (const DebateMinutes *self, const char *kind, gint64 round, const char *agent, const char *target)
{
  const DebateContribution wanted = { .kind = kind, .round = round, .agent = agent, .target = target };
  const DebateContribution *contribution = g_hash_table_lookup (self->index, &wanted);

  return contribution != NULL && contribution->record != NULL ? &contribution->text : NULL;
}

/* Whether the flow itself knows what to do with it; others are notes. */
gboolean
debate_is_own_kind (const char *kind)
{
  static const char *const kinds[] = { DEBATE_KIND_PROPOSAL, DEBATE_KIND_CRITIQUE, DEBATE_KIND_REFINEMENT, DEBATE_KIND_SUMMARY, NULL };

  return kind != NULL && g_strv_contains (kinds, kind);
}
