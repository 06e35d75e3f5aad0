/* The whole debate for people. */
#include "debate.h"

typedef struct
{
  char *agent;
  guint n_calls;
  gint64 tokens_in;
  gint64 tokens_out;
  gint64 ms;
} Usage;

typedef struct
{
  const Debate *debate;
  ClqView *view;
  DebateBrief brief;
  DebateMinutes minutes;
  GHashTable *confidences; /* key of a call → its text, of the judge */
  GArray *usage;           /* Usage */
  char *solution;
} Report;

static gint64
find_number (const char *body, gsize length, const char *name)
{
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);

  return clq_json_span_get_int (&span);
}

static char *
find_text (const char *body, gsize length, const char *name)
{
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

/* ---- reading ---- */

static void
add_usage (Report *self, const char *body, gsize length)
{
  g_autofree char *agent = find_text (body, length, "agent");
  Usage *usage = NULL;

  for (guint i = 0; agent != NULL && i < self->usage->len && usage == NULL; i++)
    if (strcmp (g_array_index (self->usage, Usage, i).agent, agent) == 0)
      usage = &g_array_index (self->usage, Usage, i);
  if (agent == NULL)
    return;
  if (usage == NULL)
    {
      Usage fresh = { .agent = g_steal_pointer (&agent) };

      g_array_append_val (self->usage, fresh);
      usage = &g_array_index (self->usage, Usage, self->usage->len - 1);
    }
  usage->n_calls++;
  usage->tokens_in += find_number (body, length, "tokensIn");
  usage->tokens_out += find_number (body, length, "tokensOut");
  usage->ms += find_number (body, length, "ms");
}

static void
take_call (Report *self, const char *body, gsize length)
{
  g_autofree char *key = find_text (body, length, "key");
  char *text;

  add_usage (self, body, length);
  if (key == NULL || !g_str_has_prefix (key, "evaluation/"))
    return;
  text = find_text (body, length, "text");
  if (text != NULL)
    g_hash_table_replace (self->confidences, g_steal_pointer (&key), text);
}

static void
read_minutes (Report *self, ClqRecord *const *records, guint n_records)
{
  DebateReading reading;

  debate_reading_init (&reading);
  for (guint i = n_records; i > 0; i--)
    debate_reading_add (&reading, &self->minutes, records[i - 1]);
  debate_minutes_take (&self->minutes, &reading, 0);
  debate_reading_clear (&reading);
}

static void
read_records (Report *self, ClqRecord *const *records, guint n_records)
{
  guint64 brief = (guint64) clq_view_get_int (self->view, "brief.record");

  for (guint i = 0; i < n_records; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (records[i], &length);
      ClqRecordType type = clq_record_get_record_type (records[i]);

      if ((type == CLQ_RECORD_MESSAGE || type == CLQ_RECORD_CONTEXT) && clq_record_get_seq (records[i]) <= brief)
        debate_brief_add (&self->brief, records[i]);
      else if (type == CLQ_RECORD_MESSAGE && clq_record_get_role (records[i]) == CLQ_ROLE_ASSISTANT)
        {
          g_free (self->solution);
          self->solution = find_text (body, length, "text");
        }
      else if (type == CLQ_RECORD_CALL)
        take_call (self, body, length);
    }
  read_minutes (self, records, n_records);
}

/* ---- writing ---- */

static void
append_section (GString *out, const char *heading, const char *text)
{
  if (text != NULL && *text != '\0')
    g_string_append_printf (out, "\n## %s\n\n%s\n", heading, text);
}

/* The headings of what agents write must not look like ours. */
static void
append_contribution (GString *out, const DebateContribution *contribution)
{
  g_autofree char *kind = g_strdup (contribution->kind != NULL ? contribution->kind : "contribution");
  g_autofree char *text = NULL;

  if (contribution->record == NULL)
    return;
  text = debate_text_dup_plain (&contribution->text);
  kind[0] = g_ascii_toupper (kind[0]);
  g_string_append_printf (out, "\n### %s of %s", kind, contribution->agent);
  if (contribution->target != NULL)
    g_string_append_printf (out, ": the proposal of %s", contribution->target);
  g_string_append_printf (out, "\n\n%s\n", text);
}

static void
append_round (const Report *self, GString *out, gint64 round)
{
  g_autofree char *evaluation = g_strdup_printf ("evaluation/%" G_GINT64_FORMAT, round);
  g_autofree char *repaired = g_strconcat (evaluation, "/repair", NULL);
  const char *verdict = g_hash_table_lookup (self->confidences, repaired);

  g_string_append_printf (out, "\n## Round %" G_GINT64_FORMAT "\n", round);
  for (guint i = 0; i < self->minutes.contributions->len; i++)
    {
      const DebateContribution *contribution = g_ptr_array_index (self->minutes.contributions, i);
      gboolean is_carried = round > 1 && g_strcmp0 (contribution->kind, DEBATE_KIND_PROPOSAL) == 0;

      if (contribution->round == round && !is_carried)
        append_contribution (out, contribution);
    }
  if (verdict == NULL)
    verdict = g_hash_table_lookup (self->confidences, evaluation);
  if (verdict != NULL)
    g_string_append_printf (out, "\n### Evaluation by %s\n\n%s\n", debate_get_judge (self->debate)->name, verdict);
}

static void
append_usage (const Report *self, GString *out)
{
  if (self->usage->len == 0)
    return;
  g_string_append (out, "\n## Who did how much\n\n| agent | calls | tokens in | tokens out | seconds |\n|---|---|---|---|---|\n");
  for (guint i = 0; i < self->usage->len; i++)
    {
      const Usage *usage = &g_array_index (self->usage, Usage, i);

      g_string_append_printf (out, "| %s | %u | %" G_GINT64_FORMAT " | %" G_GINT64_FORMAT " | %.1f |\n", usage->agent, usage->n_calls,
                              usage->tokens_in, usage->tokens_out, (double) usage->ms / 1000);
    }
}

static char *
write_report (const Report *self)
{
  GString *out = g_string_new (NULL);
  g_autofree char *title = debate_clip (self->brief.problem != NULL ? self->brief.problem : "A debate", 80);
  g_autofree char *failure = clq_view_dup_string (self->view, "error.message");
  gint64 rounds = clq_view_get_int (self->view, "round");

  g_strdelimit (title, "\n\r", ' ');
  g_string_append_printf (out, "# %s\n", title);
  append_section (out, "Problem", self->brief.problem);
  append_section (out, "Context", self->brief.context);
  append_section (out, "Clarifications", self->brief.clarifications != NULL ? self->brief.clarifications->str : NULL);
  append_section (out, "Solution", self->solution);
  append_section (out, "Failure", failure);
  for (gint64 round = 1; round <= rounds; round++)
    append_round (self, out, round);
  append_usage (self, out);
  return g_string_free (out, FALSE);
}

static void
clear_usage (gpointer usage)
{
  g_free (((Usage *) usage)->agent);
}

/* Of the modality: the whole debate as Markdown. */
char *
debate_report (gpointer debate, ClqView *view, ClqRecord *const *records, guint n_records)
{
  Report self = { .debate = debate, .view = view };
  char *text;

  self.usage = g_array_new (FALSE, FALSE, sizeof (Usage));
  g_array_set_clear_func (self.usage, clear_usage);
  self.confidences = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  debate_minutes_init (&self.minutes, 0);
  read_records (&self, records, n_records);
  text = write_report (&self);
  debate_minutes_clear (&self.minutes);
  debate_brief_clear (&self.brief);
  g_hash_table_unref (self.confidences);
  g_array_unref (self.usage);
  g_free (self.solution);
  return text;
}
