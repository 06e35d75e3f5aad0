#define G_LOG_DOMAIN "clq-view"

#include "clq-private.h"

#include <string.h>

/**
 * clq_view_get_id:
 * @self: a view
 *
 * Returns: (transfer none): the session's id
 */
const char *
clq_view_get_id (ClqView *self)
{
  if (self->id_text[0] == '\0')
    clq_id_print (self->head->id, self->id_text);
  return self->id_text;
}

/**
 * clq_view_get_graph:
 * @self: a view
 *
 * Returns: (transfer none): the name of the graph
 */
const char *
clq_view_get_graph (ClqView *self)
{
  return self->head->graph_name;
}

/**
 * clq_view_get_state:
 * @self: a view
 *
 * Returns: (transfer none): where the session is
 */
const char *
clq_view_get_state (ClqView *self)
{
  return self->state;
}

/**
 * clq_view_get_owner:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): whose session it is
 */
const char *
clq_view_get_owner (ClqView *self)
{
  return self->head->extra != NULL ? self->head->extra->owner : NULL;
}

/**
 * clq_view_get_title:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the session's title
 */
const char *
clq_view_get_title (ClqView *self)
{
  return self->head->extra != NULL ? self->head->extra->title : NULL;
}

/**
 * clq_view_get_seq:
 * @self: a view
 *
 * Returns: the number of the newest record in the session's journal
 */
guint64
clq_view_get_seq (ClqView *self)
{
  return self->head->seq;
}

/**
 * clq_view_get_now:
 * @self: a view
 *
 * Returns: the host's time, in microseconds since 1970
 */
gint64
clq_view_get_now (ClqView *self)
{
  return self->now;
}

/**
 * clq_view_get_data:
 * @self: a view
 *
 * Returns: (transfer none): the data, a JSON object
 */
const char *
clq_view_get_data (ClqView *self)
{
  return self->data;
}

/**
 * clq_view_find:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: the value there
 */
ClqJsonSpan
clq_view_find (ClqView *self, const char *path)
{
  return clq_json_find (self->data, -1, path);
}

/**
 * clq_view_has:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: whether there is something that is not null
 */
gboolean
clq_view_has (ClqView *self, const char *path)
{
  return clq_view_find (self, path).type > CLQ_JSON_NULL;
}

/**
 * clq_view_dup_string:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: (transfer full) (nullable): the text there
 */
char *
clq_view_dup_string (ClqView *self, const char *path)
{
  return clq_json_find_string (self->data, path);
}

/**
 * clq_view_get_int:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: the number there, or 0
 */
gint64
clq_view_get_int (ClqView *self, const char *path)
{
  ClqJsonSpan span = clq_view_find (self, path);

  return clq_json_span_get_int (&span);
}

/**
 * clq_view_get_double:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: the number there, or 0
 */
double
clq_view_get_double (ClqView *self, const char *path)
{
  ClqJsonSpan span = clq_view_find (self, path);

  return clq_json_span_get_double (&span);
}

/**
 * clq_view_get_bool:
 * @self: a view
 * @path: a dotted path into the data
 *
 * Returns: whether true is there
 */
gboolean
clq_view_get_bool (ClqView *self, const char *path)
{
  ClqJsonSpan span = clq_view_find (self, path);

  return clq_json_span_is_true (&span);
}

/**
 * clq_view_get_visits:
 * @self: a view
 * @state: a state of the graph
 *
 * Returns: how often the session has entered it
 */
guint
clq_view_get_visits (ClqView *self, const char *state)
{
  for (guint i = 0; i < self->head->n_visits && self->state_names[i] != NULL; i++)
    if (strcmp (self->state_names[i], state) == 0)
      return self->head->visits[i];
  return 0;
}

/**
 * clq_view_get_turns_here:
 * @self: a view
 *
 * Returns: the messages since the state was entered from another one, the entering one included
 */
guint
clq_view_get_turns_here (ClqView *self)
{
  return self->turns_here;
}

/**
 * clq_view_get_entered_at:
 * @self: a view
 *
 * Returns: when the state was entered
 */
gint64
clq_view_get_entered_at (ClqView *self)
{
  return self->head->entered_at;
}

/**
 * clq_view_get_input_at:
 * @self: a view
 *
 * Returns: when the last user input came, or when the session was opened
 */
gint64
clq_view_get_input_at (ClqView *self)
{
  return self->head->input_at;
}

/**
 * clq_view_get_schedule:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the schedule, a JSON object
 */
const char *
clq_view_get_schedule (ClqView *self)
{
  return self->schedule;
}

/**
 * clq_view_get_next_run:
 * @self: a view
 *
 * Returns: when the schedule is due next, or 0
 */
gint64
clq_view_get_next_run (ClqView *self)
{
  return self->next_run;
}

/**
 * clq_view_get_questions:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the pending questions, a JSON array
 */
const char *
clq_view_get_questions (ClqView *self)
{
  return self->questions;
}

/**
 * clq_view_get_comparison:
 * @self: a view
 *
 * What clq_change_compare() has asked for, a JSON object: `there`, the data of the marked place; `base`, the data of the
 * last place that both conversations know; `turns` and `entries`, how many messages of the user, and messages and
 * context records in all, are there and not here; `own`, how many of the latter are here and not there; `since`, how many
 * are here since the paths of the two parted.
 *
 * Returns: (transfer none) (nullable): the answer
 */
const char *
clq_view_get_comparison (ClqView *self)
{
  return self->comparison;
}

/**
 * clq_view_get_tokens:
 * @self: a view
 * @tokens_in: (out): tokens of all requests so far
 * @tokens_out: (out): tokens of all answers so far
 *
 * What the session has used. A modality sees it with the calls that end with the event.
 */
void
clq_view_get_tokens (ClqView *self, guint64 *tokens_in, guint64 *tokens_out)
{
  const ClqExtra *extra = self->head != NULL ? self->head->extra : NULL;

  *tokens_in = extra != NULL ? extra->tokens_in : 0;
  *tokens_out = extra != NULL ? extra->tokens_out : 0;
}

/**
 * clq_view_get_setting:
 * @self: a view
 * @key: a key of the graph's [modality] group
 *
 * Returns: (transfer none) (nullable): its value as written
 */
const char *
clq_view_get_setting (ClqView *self, const char *key)
{
  return self->setting != NULL ? self->setting (self, key) : NULL;
}

/**
 * clq_view_get_modality:
 * @self: a view
 * @info: a modality of the plugin that asks
 *
 * What a modality has made of its settings, for the nodes that belong to it. It is the same for all sessions of the graph and is
 * not to be written to.
 *
 * Returns: (transfer none) (nullable): the modality's own struct, or %NULL if the graph has another modality
 */
gpointer
clq_view_get_modality (ClqView *self, const ClqModalityInfo *info)
{
  return self->modality != NULL ? self->modality (self, info) : NULL;
}
