#define G_LOG_DOMAIN "clq-record"

#include "clq-private.h"

#include <string.h>

static const char *const type_names[] = {
  [CLQ_RECORD_EVENT] = "event",
  [CLQ_RECORD_MESSAGE] = "message",
  [CLQ_RECORD_CONTEXT] = "context",
  [CLQ_RECORD_CONTRIBUTION] = "contribution",
  [CLQ_RECORD_ARTIFACT] = "artifact",
  [CLQ_RECORD_CALL] = "call",
  [CLQ_RECORD_SNAPSHOT] = "snapshot",
  [CLQ_RECORD_INCLUDE] = "include",
  [CLQ_RECORD_NOTIFICATION] = "notification",
};

static const char *const role_names[] = { "none", "user", "assistant", "system" };

/**
 * clq_record_type_to_string:
 * @type: a type
 *
 * Returns: (transfer none): its name
 */
const char *
clq_record_type_to_string (ClqRecordType type)
{
  g_return_val_if_fail (type >= CLQ_RECORD_EVENT && type <= CLQ_RECORD_NOTIFICATION, "?");
  return type_names[type];
}

/**
 * clq_record_type_from_string:
 * @string: a name
 * @type: (out): the type
 *
 * Returns: whether @string names a type
 */
gboolean
clq_record_type_from_string (const char *string, ClqRecordType *type)
{
  for (guint i = CLQ_RECORD_EVENT; i <= CLQ_RECORD_NOTIFICATION; i++)
    if (g_strcmp0 (string, type_names[i]) == 0)
      {
        *type = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * clq_role_to_string:
 * @role: a role
 *
 * Returns: (transfer none): its name
 */
const char *
clq_role_to_string (ClqRole role)
{
  g_return_val_if_fail ((guint) role < G_N_ELEMENTS (role_names), "none");
  return role_names[role];
}

/**
 * clq_role_from_string:
 * @string: a name
 * @role: (out): the role
 *
 * Returns: whether @string names somebody who can speak
 */
gboolean
clq_role_from_string (const char *string, ClqRole *role)
{
  for (guint i = CLQ_ROLE_USER; i < G_N_ELEMENTS (role_names); i++)
    if (g_strcmp0 (string, role_names[i]) == 0)
      {
        *role = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * clq_record_new:
 * @type: what it is
 * @seq: its number in the session
 * @segment: the stretch of the journal that it belongs to
 * @role: who spoke
 * @at: when, in microseconds since 1970
 * @body: JSON
 * @length: of @body, or -1
 *
 * Returns: (transfer full): a record that owns a copy of @body
 */
ClqRecord *
clq_record_new (ClqRecordType type, guint64 seq, guint32 segment, ClqRole role, gint64 at, const char *body, gssize length)
{
  gsize size = length >= 0 ? (gsize) length : strlen (body);
  ClqRecord *self = g_malloc (sizeof *self + size + 1);
  char *copy = (char *) (self + 1);

  memcpy (copy, body, size);
  copy[size] = '\0';
  *self = (ClqRecord){
    .seq = seq,
    .at = at,
    .segment = segment,
    .length = size,
    .ref_count = 1,
    .type = type,
    .role = role,
    .body = copy,
  };
  return self;
}

/**
 * clq_record_ref:
 * @self: a record; one that belongs to a commit is copied
 *
 * Returns: (transfer full): a record to keep
 */
ClqRecord *
clq_record_ref (ClqRecord *self)
{
  if (self->ref_count == 0)
    return clq_record_new (self->type, self->seq, self->segment, self->role, self->at, self->body, self->length);
  g_atomic_int_inc (&self->ref_count);
  return self;
}

/**
 * clq_record_unref:
 * @self: (transfer full): a record
 */
void
clq_record_unref (ClqRecord *self)
{
  g_return_if_fail (self->ref_count > 0);
  if (g_atomic_int_dec_and_test (&self->ref_count))
    g_free (self);
}

/**
 * clq_record_get_seq:
 * @self: a record
 *
 * Returns: its number in the session
 */
guint64
clq_record_get_seq (const ClqRecord *self)
{
  return self->seq;
}

/**
 * clq_record_get_segment:
 * @self: a record
 *
 * Returns: its segment
 */
guint32
clq_record_get_segment (const ClqRecord *self)
{
  return self->segment;
}

/**
 * clq_record_get_record_type:
 * @self: a record
 *
 * Returns: what it is
 */
ClqRecordType
clq_record_get_record_type (const ClqRecord *self)
{
  return self->type;
}

/**
 * clq_record_get_role:
 * @self: a record
 *
 * Returns: who spoke
 */
ClqRole
clq_record_get_role (const ClqRecord *self)
{
  return self->role;
}

/**
 * clq_record_get_at:
 * @self: a record
 *
 * Returns: when, in microseconds since 1970
 */
gint64
clq_record_get_at (const ClqRecord *self)
{
  return self->at;
}

/**
 * clq_record_get_body:
 * @self: a record
 * @length: (out) (optional): bytes of the body
 *
 * Returns: (transfer none): the body, JSON; inside a commit it is not terminated, use @length
 */
const char *
clq_record_get_body (const ClqRecord *self, gsize *length)
{
  if (length != NULL)
    *length = self->length;
  return self->body;
}

/**
 * clq_record_dup_read:
 * @self: a record of the type %CLQ_RECORD_NOTIFICATION
 *
 * Returns: (transfer full) (nullable) (element-type guint64): the numbers of the notifications that were read; %NULL if the
 * record is one itself
 */
GArray *
clq_record_dup_read (const ClqRecord *self)
{
  ClqJsonSpan list = clq_json_find (self->body, (gssize) self->length, "read"), value;
  GArray *numbers;
  ClqJsonIter iter;

  if (list.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &list))
    return NULL;
  numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  while (clq_json_iter_next (&iter, NULL, &value))
    {
      guint64 number = (guint64) clq_json_span_get_int (&value);

      g_array_append_val (numbers, number);
    }
  return numbers;
}

/**
 * clq_record_get_opening:
 * @self: a record
 * @length: (out): bytes of the opening; 0 = none
 *
 * Many records begin alike. Where the host knows that, it says so for the records of a commit, and a store may keep the
 * opening once. It is interned: the same text is the same address, for as long as the process runs.
 *
 * Returns: (transfer none) (nullable): what the body begins with
 */
const char *
clq_record_get_opening (const ClqRecord *self, gsize *length)
{
  *length = self->opening_length;
  return self->opening;
}
