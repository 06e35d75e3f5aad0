#define G_LOG_DOMAIN "clq-head"

#include "clq-private.h"

#include <string.h>

static const char *const status_names[] = { "resting", "running", "waiting", "done", "failed" };

/* Private. */
const char *
clq_status_to_string (ClqStatus status)
{
  return status_names[status];
}

/* Private. */
ClqExtra *
clq_extra_new (void)
{
  ClqExtra *self = g_new0 (ClqExtra, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

/* Private. */
ClqExtra *
clq_extra_ref (ClqExtra *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/* Private. */
void
clq_extra_unref (ClqExtra *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->owner);
  g_free (self->title);
  g_free (self->schedule);
  g_free (self->questions);
  g_free (self->deadlines);
  g_free (self->visit);
  g_free (self->error);
  g_free (self);
}

/* Private: makes *@place ours alone, so that it can be written to. */
ClqExtra *
clq_extra_writable (ClqExtra **place)
{
  ClqExtra *old = *place, *copy;

  if (old != NULL && g_atomic_ref_count_compare (&old->ref_count, 1))
    return old;
  copy = clq_extra_new ();
  if (old != NULL)
    {
      copy->owner = g_strdup (old->owner);
      copy->title = g_strdup (old->title);
      copy->schedule = g_strdup (old->schedule);
      copy->questions = g_strdup (old->questions);
      copy->deadlines = g_strdup (old->deadlines);
      copy->visit = g_strdup (old->visit);
      copy->error = g_strdup (old->error);
      copy->next_run = old->next_run;
      copy->retry_at = old->retry_at;
      copy->tokens_in = old->tokens_in;
      copy->tokens_out = old->tokens_out;
      copy->cost = old->cost;
      clq_extra_unref (old);
    }
  *place = copy;
  return copy;
}

/**
 * clq_head_copy:
 * @self: a head
 *
 * Returns: (transfer full): a copy that owns all it has
 */
ClqHead *
clq_head_copy (const ClqHead *self)
{
  ClqHead *copy = g_memdup2 (self, sizeof *self);

  copy->data = self->data != NULL ? g_ref_string_acquire (self->data) : NULL;
  copy->extra = clq_extra_ref (self->extra);
  copy->visits = g_memdup2 (self->visits, MAX (self->n_visits, 1) * sizeof (guint32));
  return copy;
}

/**
 * clq_head_free:
 * @self: (transfer full): a head
 */
void
clq_head_free (ClqHead *self)
{
  g_clear_pointer (&self->data, g_ref_string_release);
  g_clear_pointer (&self->extra, clq_extra_unref);
  g_free (self->visits);
  g_free (self);
}

/**
 * clq_head_get_id:
 * @self: a head
 *
 * Returns: (transfer none): the 16 bytes of the session's id
 */
const guint8 *
clq_head_get_id (const ClqHead *self)
{
  return self->id;
}

/**
 * clq_head_get_seq:
 * @self: a head
 *
 * Returns: the number of the session's newest record
 */
guint64
clq_head_get_seq (const ClqHead *self)
{
  return self->seq;
}

/**
 * clq_head_get_graph_hash:
 * @self: a head
 *
 * Returns: (transfer none): the hash of the graph's text
 */
const char *
clq_head_get_graph_hash (const ClqHead *self)
{
  return self->graph_hash;
}

/**
 * clq_head_get_graph_name:
 * @self: a head
 *
 * Returns: (transfer none): the graph's name
 */
const char *
clq_head_get_graph_name (const ClqHead *self)
{
  return self->graph_name;
}

/**
 * clq_head_get_state:
 * @self: a head
 *
 * Returns: (transfer none): where the session is
 */
const char *
clq_head_get_state (const ClqHead *self)
{
  return self->state;
}

/**
 * clq_head_get_status:
 * @self: a head
 *
 * Returns: (transfer none): `resting`, `running`, `waiting`, `done` or `failed`
 */
const char *
clq_head_get_status (const ClqHead *self)
{
  return status_names[self->status];
}

/**
 * clq_head_get_owner:
 * @self: a head
 *
 * Returns: (transfer none) (nullable): whose session it is
 */
const char *
clq_head_get_owner (const ClqHead *self)
{
  return self->extra != NULL ? self->extra->owner : NULL;
}

/**
 * clq_head_get_title:
 * @self: a head
 *
 * Returns: (transfer none) (nullable): the session's title
 */
const char *
clq_head_get_title (const ClqHead *self)
{
  return self->extra != NULL ? self->extra->title : NULL;
}

/**
 * clq_head_get_created_at:
 * @self: a head
 *
 * Returns: when the session was opened
 */
gint64
clq_head_get_created_at (const ClqHead *self)
{
  return self->created_at;
}

/**
 * clq_head_get_updated_at:
 * @self: a head
 *
 * Returns: when something was written last
 */
gint64
clq_head_get_updated_at (const ClqHead *self)
{
  return self->updated_at;
}

/**
 * clq_head_get_wake_at:
 * @self: a head
 *
 * Returns: when the first of all its deadlines is due; 0 = never
 */
gint64
clq_head_get_wake_at (const ClqHead *self)
{
  return self->wake_at;
}

/**
 * clq_head_get_next_run:
 * @self: a head
 *
 * Returns: when its schedule is due; 0 = never
 */
gint64
clq_head_get_next_run (const ClqHead *self)
{
  return self->extra != NULL ? self->extra->next_run : 0;
}

/**
 * clq_head_has_visit:
 * @self: a head
 *
 * Returns: whether a visit is open, so that the session must be taken up again after a crash
 */
gboolean
clq_head_has_visit (const ClqHead *self)
{
  return self->extra != NULL && self->extra->visit != NULL;
}

/**
 * clq_head_get_data:
 * @self: a head
 *
 * Returns: (transfer none): the data, a JSON object
 */
const char *
clq_head_get_data (const ClqHead *self)
{
  return self->data != NULL ? self->data : "{}";
}

/**
 * clq_head_get_usage:
 * @self: a head
 * @tokens_in: (out) (optional): tokens of all that its agents were asked
 * @tokens_out: (out) (optional): tokens of all that they answered
 * @cost: (out) (optional): what that cost
 */
void
clq_head_get_usage (const ClqHead *self, guint64 *tokens_in, guint64 *tokens_out, double *cost)
{
  const ClqExtra *extra = self->extra;

  if (tokens_in != NULL)
    *tokens_in = extra != NULL ? extra->tokens_in : 0;
  if (tokens_out != NULL)
    *tokens_out = extra != NULL ? extra->tokens_out : 0;
  if (cost != NULL)
    *cost = extra != NULL ? extra->cost : 0;
}
