#define G_LOG_DOMAIN "clq-event"

#include "clq-private.h"

#include <string.h>

/* Private: a new event; @name must be interned or set owned_name. */
ClqEvent *
clq_event_new (ClqEventKind kind, const char *name)
{
  ClqEvent *self = g_new (ClqEvent, 1);

  memset (self, 0, sizeof *self);
  self->ref_count = 1;
  self->kind = kind;
  self->name = name;
  self->index = -1;
  return self;
}

/* Private. */
ClqEvent *
clq_event_ref (ClqEvent *self)
{
  self->ref_count++;
  return self;
}

/* Most events have hardly any texts: looking costs less than a call. */
static inline void
drop (char *text)
{
  if (text != NULL)
    g_free (text);
}

static void
clear (ClqEvent *self)
{
  drop (self->owned_name);
  drop (self->payload);
  drop (self->text);
  drop (self->partial);
  drop (self->to);
  drop (self->actor);
  drop (self->key);
  drop (self->said);
  g_clear_pointer (&self->calls, g_ptr_array_unref);
  g_clear_pointer (&self->absent, g_ptr_array_unref);
  g_clear_pointer (&self->error, g_error_free);
  g_clear_pointer (&self->change, clq_change_free);
}

/* Private. */
void
clq_event_unref (ClqEvent *self)
{
  if (--self->ref_count > 0)
    return;
  clear (self);
  g_free (self);
}

/* Private: makes an event that nobody else holds a new action without a name. */
void
clq_event_reset (ClqEvent *self)
{
  clear (self);
  memset (self, 0, sizeof *self);
  self->ref_count = 1;
  self->kind = CLQ_EVENT_ACTION;
  self->index = -1;
}

/**
 * clq_event_get_name:
 * @self: an event
 *
 * Returns: (transfer none): its name
 */
const char *
clq_event_get_name (const ClqEvent *self)
{
  return self->name;
}

/**
 * clq_event_get_kind:
 * @self: an event
 *
 * Returns: where it comes from
 */
ClqEventKind
clq_event_get_kind (const ClqEvent *self)
{
  return self->kind;
}

/**
 * clq_event_get_payload:
 * @self: an event
 *
 * Returns: (transfer none) (nullable): a checked JSON text
 */
const char *
clq_event_get_payload (const ClqEvent *self)
{
  return self->payload;
}

/**
 * clq_event_get_text:
 * @self: an event
 *
 * Returns: (transfer none) (nullable): what was said, by a person or by the node
 */
const char *
clq_event_get_text (const ClqEvent *self)
{
  return self->text != NULL ? self->text : self->said;
}

/**
 * clq_event_get_role:
 * @self: an event
 *
 * Returns: who said it
 */
ClqRole
clq_event_get_role (const ClqEvent *self)
{
  if (self->role == CLQ_ROLE_NONE && self->said != NULL)
    return CLQ_ROLE_ASSISTANT;
  return self->role;
}

/**
 * clq_event_get_actor:
 * @self: an event
 *
 * Returns: (transfer none) (nullable): who caused it
 */
const char *
clq_event_get_actor (const ClqEvent *self)
{
  return self->actor;
}

/**
 * clq_event_get_partial:
 * @self: an event
 *
 * Returns: (transfer none) (nullable): what the visit had said when it was cut off
 */
const char *
clq_event_get_partial (const ClqEvent *self)
{
  return self->partial;
}

/**
 * clq_event_get_error:
 * @self: an event
 *
 * Returns: (transfer none) (nullable): why the node failed
 */
const GError *
clq_event_get_error (const ClqEvent *self)
{
  return self->error;
}

/**
 * clq_event_is_message:
 * @self: an event
 *
 * A message may be the answer to an open question; the event is called `answer` then, but it is a message all the same.
 *
 * Returns: whether the event is something said, which stands in the journal as a message of its own
 */
gboolean
clq_event_is_message (const ClqEvent *self)
{
  return self->is_message;
}

/**
 * clq_event_dup_string:
 * @self: an event
 * @path: a dotted path into the payload
 *
 * Returns: (transfer full) (nullable): the text there
 */
char *
clq_event_dup_string (const ClqEvent *self, const char *path)
{
  return self->payload != NULL ? clq_json_find_string (self->payload, path) : NULL;
}
