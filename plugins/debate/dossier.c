/* What is known of a debate: its brief and its minutes. It is a memo of the session, so that a visit reads only what is new. */
#include "debate.h"

#define MEMO "debate-dossier"
#define BRIEF (1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT)
#define MINUTES (1u << CLQ_RECORD_CONTRIBUTION | 1u << CLQ_RECORD_CALL)
#define PAGE 64

/* Reading of the journal for a visit; it goes with the visit's cancellable. */
typedef struct
{
  DebateDossier *dossier;
  DebateReading reading;
  guint64 brief_record;
  guint brief_count;
  gint64 from_round;
  guint64 newest; /* what the reading reaches up to */
  guint64 before; /* where it goes on */
  DebateDossierFunc func;
  gpointer user_data;
} Study;

/* ---- life ---- */

static void
clear_brief (DebateDossier *self)
{
  debate_brief_clear (&self->brief);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->context, g_free);
  g_clear_pointer (&self->clarifications, g_free);
}

static void
clear_dossier (gpointer data)
{
  DebateDossier *self = data;

  clear_brief (self);
  debate_minutes_clear (&self->minutes);
}

/* Gives a reference back. */
void
debate_dossier_close (DebateDossier *self)
{
  g_rc_box_release_full (self, clear_dossier);
}

/* Returns: (transfer full): what visits before this one have left, or one without anything in it */
DebateDossier *
debate_dossier_open (ClqVisit *visit)
{
  DebateDossier *self = clq_visit_get_memo (visit, MEMO);

  if (self != NULL)
    return g_rc_box_acquire (self);
  self = g_rc_box_new0 (DebateDossier);
  debate_minutes_init (&self->minutes, DEBATE_NO_ROUND);
  clq_visit_set_memo (visit, MEMO, g_rc_box_acquire (self), (GDestroyNotify) debate_dossier_close);
  return self;
}

static void
free_study (gpointer data)
{
  Study *self = data;

  debate_reading_clear (&self->reading);
  debate_dossier_close (self->dossier);
  g_free (self);
}

/* ---- minutes ---- */

static void on_minutes (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data);

static void
read_page (Study *self, ClqVisit *visit)
{
  guint64 known = self->dossier->minutes.newest;

  if (known > 0)
    clq_visit_read_since (visit, MINUTES, known, on_minutes, self);
  else
    clq_visit_read_journal (visit, MINUTES, self->before, PAGE, on_minutes, self);
}

/* Whoever else has contributed may refer to what was not kept: then everything is read again. */
static void
finish_minutes (Study *self, ClqVisit *visit)
{
  DebateMinutes *minutes = &self->dossier->minutes;

  if (debate_minutes_take (minutes, &self->reading, self->newest))
    {
      self->func (self->user_data);
      return;
    }
  debate_reading_clear (&self->reading);
  debate_reading_init (&self->reading);
  debate_minutes_clear (minutes);
  debate_minutes_init (minutes, self->from_round);
  self->before = 0;
  read_page (self, visit);
}

static void
on_minutes (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  Study *self = user_data;
  DebateMinutes *minutes = &self->dossier->minutes;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  if (n_records > 0 && self->before == 0)
    self->newest = MAX (self->newest, clq_record_get_seq (records[0]));
  for (guint i = 0; i < n_records; i++)
    debate_reading_add (&self->reading, minutes, records[i]);
  if (minutes->newest > 0 || n_records < PAGE || debate_reading_is_complete (&self->reading))
    {
      finish_minutes (self, visit);
      return;
    }
  self->before = clq_record_get_seq (records[n_records - 1]);
  read_page (self, visit);
}

/* Backwards from the end, as far as the oldest round that is wanted or to where it was read before. */
static void
read_minutes (Study *self, ClqVisit *visit)
{
  DebateMinutes *minutes = &self->dossier->minutes;

  if (self->from_round != DEBATE_NO_ROUND)
    debate_minutes_want (minutes, self->from_round);
  if (self->from_round == DEBATE_NO_ROUND || minutes->newest >= self->newest)
    self->func (self->user_data);
  else
    read_page (self, visit);
}

/* ---- brief ---- */

static void
on_brief (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  Study *self = user_data;
  DebateDossier *dossier = self->dossier;
  DebateBrief *brief = &dossier->brief;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  clear_brief (dossier);
  for (guint i = n_records; i > 0; i--)
    debate_brief_add (brief, records[i - 1]);
  if (brief->problem == NULL)
    brief->problem = clq_view_dup_string (clq_visit_get_view (visit), "problem");
  dossier->problem = debate_escape (brief->problem);
  dossier->context = debate_escape (brief->context);
  dossier->clarifications = debate_escape (brief->clarifications != NULL ? brief->clarifications->str : NULL);
  dossier->brief_record = self->brief_record;
  dossier->brief_count = self->brief_count;
  read_minutes (self, visit);
}

/*
 * Brings the dossier up to date: the brief, which are @brief_count records up to @brief_record, and the contributions of @from_round and later rounds,
 * unless that is DEBATE_NO_ROUND. Then @func is called, maybe at once, and never if the journal cannot be read.
 */
void
debate_dossier_read (DebateDossier *self, ClqVisit *visit, guint64 brief_record, guint brief_count, gint64 from_round, DebateDossierFunc func, gpointer user_data)
{
  Study *study = g_new0 (Study, 1);

  study->dossier = g_rc_box_acquire (self);
  study->brief_record = brief_record;
  study->brief_count = brief_count;
  study->from_round = from_round;
  study->newest = clq_view_get_seq (clq_visit_get_view (visit));
  study->func = func;
  study->user_data = user_data;
  debate_reading_init (&study->reading);
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), MEMO, study, free_study);
  if (brief_record > 0 && self->brief_record == brief_record && self->brief_count == brief_count)
    read_minutes (study, visit);
  else
    clq_visit_read_journal (visit, BRIEF, brief_record > 0 ? brief_record + 1 : 0, MAX (brief_count, 1), on_brief, study);
}
