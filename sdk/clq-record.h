/* A record is one line of a session's journal. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_RECORD_EVENT = 1,    /* an event that was taken, with what it changed */
  CLQ_RECORD_MESSAGE,      /* what somebody said */
  CLQ_RECORD_CONTEXT,      /* something to be remembered and found again */
  CLQ_RECORD_CONTRIBUTION, /* a part of a larger result, by one speaker */
  CLQ_RECORD_ARTIFACT,     /* a product of the session */
  CLQ_RECORD_CALL,         /* what an agent or tool was asked and answered */
  CLQ_RECORD_SNAPSHOT,     /* the whole data, so that reading need not start at the beginning */
  CLQ_RECORD_INCLUDE,      /* stretches of other segments that belong to the conversation here */
  CLQ_RECORD_NOTIFICATION, /* what the owner is told of; or {"read": [seq, …]}, what the owner has read */
} ClqRecordType;

typedef enum
{
  CLQ_ROLE_NONE,
  CLQ_ROLE_USER,
  CLQ_ROLE_ASSISTANT,
  CLQ_ROLE_SYSTEM,
} ClqRole;

CLQ_API const char *clq_record_type_to_string (ClqRecordType type);
CLQ_API gboolean clq_record_type_from_string (const char *string, ClqRecordType *type);
CLQ_API const char *clq_role_to_string (ClqRole role);
CLQ_API gboolean clq_role_from_string (const char *string, ClqRole *role);

CLQ_API ClqRecord *clq_record_new (ClqRecordType type, guint64 seq, guint32 segment, ClqRole role, gint64 at, const char *body, gssize length);
CLQ_API ClqRecord *clq_record_ref (ClqRecord *self);
CLQ_API void clq_record_unref (ClqRecord *self);
CLQ_API guint64 clq_record_get_seq (const ClqRecord *self);
CLQ_API guint32 clq_record_get_segment (const ClqRecord *self);
CLQ_API ClqRecordType clq_record_get_record_type (const ClqRecord *self);
CLQ_API ClqRole clq_record_get_role (const ClqRecord *self);
CLQ_API gint64 clq_record_get_at (const ClqRecord *self);
CLQ_API const char *clq_record_get_body (const ClqRecord *self, gsize *length);
CLQ_API GArray *clq_record_dup_read (const ClqRecord *self);
CLQ_API const char *clq_record_get_opening (const ClqRecord *self, gsize *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqRecord, clq_record_unref)

G_END_DECLS
