#define G_LOG_DOMAIN "clq-compare"

#include "clq-meeting.h"

/*
 * What a modality gets to see of another branch before it says what becomes of it: the data there and at the last place
 * that both know, and how much either has that the other has not.
 */
typedef struct
{
  ClqEngine *engine;
  ClqDraft *draft;
  ClqMeeting *meeting;
  GString *out;
} Compare;

#define ENTRIES (1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT)

static const ClqOp *
find_compare (const ClqChange *change)
{
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    if (clq_change_get_op (change, i)->type == CLQ_OP_COMPARE)
      return clq_change_get_op (change, i);
  return NULL;
}

/* Private. */
gboolean
clq_compare_is_needed (const ClqDraft *draft)
{
  return find_compare (draft->change) != NULL;
}

static void
end (Compare *self, const GError *error)
{
  ClqEngine *engine = self->engine;
  ClqDraft *draft = self->draft;

  if (error == NULL)
    {
      g_string_append_c (self->out, '}');
      g_free (draft->comparison);
      draft->comparison = g_string_free (g_steal_pointer (&self->out), FALSE);
      clq_draft_refresh_view (draft);
    }
  if (self->out != NULL)
    g_string_free (self->out, TRUE);
  g_clear_pointer (&self->meeting, clq_meeting_free);
  g_free (self);
  clq_engine_decide (engine, draft, error);
}

static void
on_there (const char *data, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  if (error == NULL)
    g_string_append_printf (self->out, ",\"there\":%s", data);
  end (self, error);
}

static void
on_base (const char *data, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  g_string_append_printf (self->out, ",\"base\":%s", data);
  clq_past_read (self->engine, self->meeting->id, self->meeting->there.segment, self->meeting->there.seq, on_there, self);
}

static guint
count_user_messages (const GPtrArray *records)
{
  guint n = 0;

  for (guint i = 0; i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);

      n += record->type == CLQ_RECORD_MESSAGE && record->role == CLQ_ROLE_USER;
    }
  return n;
}

static void
on_own (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  g_string_append_printf (self->out, ",\"own\":%u", records->len);
  clq_past_read (self->engine, self->meeting->id, self->meeting->base.segment, self->meeting->base.seq, on_base, self);
}

static void
on_since (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  g_string_append_printf (self->out, ",\"since\":%u", records->len);
  clq_stretches_read (self->meeting, self->meeting->own, ENTRIES, on_own, self);
}

static void
on_news (GPtrArray *records, const guint *stretches, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  if (error != NULL)
    {
      end (self, error);
      return;
    }
  g_string_append_printf (self->out, "{\"turns\":%u,\"entries\":%u", count_user_messages (records), records->len);
  clq_stretches_read (self->meeting, self->meeting->since, ENTRIES, on_since, self);
}

static void
on_meeting (ClqMeeting *meeting, const GError *error, gpointer user_data)
{
  Compare *self = user_data;

  self->meeting = meeting;
  if (error != NULL)
    end (self, error);
  else
    clq_stretches_read (meeting, meeting->news, ENTRIES, on_news, self);
}

/* Private: finds out what the draft's change wants to know, then goes on with the draft. */
void
clq_compare_start (ClqEngine *engine, ClqDraft *draft)
{
  Compare *self = g_new0 (Compare, 1);

  self->engine = engine;
  self->draft = draft;
  self->out = g_string_new (NULL);
  draft->live->work->draft = draft;
  clq_meeting_prepare (engine, draft->live, clq_change_get_string (draft->change, find_compare (draft->change)->name), on_meeting, self);
}
