#define G_LOG_DOMAIN "clq-event"

#include "clq-private.h"

/* Private: a new event; @name must be interned or set owned_name. */
ClqEvent *
clq_event_new (ClqEventKind kind, const char *name)
{
  ClqEvent *self = g_slice_new0 (ClqEvent);

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

/* Private. */
void
clq_event_unref (ClqEvent *self)
{
  if (--self->ref_count > 0)
    return;
  g_clear_pointer (&self->calls, g_ptr_array_unref);
  g_free (self->owned_name);
  g_free (self->payload);
  g_free (self->text);
  g_free (self->partial);
  g_free (self->actor);
  g_free (self->key);
  g_free (self->said);
  g_clear_error (&self->error);
  g_clear_pointer (&self->change, clq_change_free);
  g_slice_free (ClqEvent, self);
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
