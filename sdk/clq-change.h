/* A change is what an event writes to a session. Everything that is written goes through one. */
#pragma once

#include "clq-question.h"
#include "clq-record.h"

G_BEGIN_DECLS

/* What of another branch becomes part of the conversation, and where. */
typedef enum
{
  CLQ_INCLUDE_TAIL,       /* what it has since both parted, after what is here */
  CLQ_INCLUDE_WHOLE,      /* all of it, from the beginning, after what is here */
  CLQ_INCLUDE_INTERLEAVE, /* what both have since they parted, by time */
} ClqInclude;

/* Data. Paths are dotted; values are set whole. */
CLQ_API void clq_change_set_string (ClqChange *self, const char *path, const char *value);
CLQ_API void clq_change_set_int (ClqChange *self, const char *path, gint64 value);
CLQ_API void clq_change_set_double (ClqChange *self, const char *path, double value);
CLQ_API void clq_change_set_bool (ClqChange *self, const char *path, gboolean value);
CLQ_API void clq_change_set_json (ClqChange *self, const char *path, const char *json);
CLQ_API void clq_change_unset (ClqChange *self, const char *path);

/* Journal. */
CLQ_API void clq_change_append (ClqChange *self, ClqRecordType type, ClqRole role, const char *json);
CLQ_API void clq_change_tag_message (ClqChange *self, const char *name, const char *value);
CLQ_API void clq_change_say (ClqChange *self, ClqRole role, const char *text);

/* What waits. */
CLQ_API void clq_change_ask (ClqChange *self, const ClqQuestion *question);
CLQ_API gboolean clq_change_ask_json (ClqChange *self, const char *question, GError **error);
CLQ_API void clq_change_clear_questions (ClqChange *self);
CLQ_API void clq_change_set_schedule (ClqChange *self, const char *json, gint64 next_run);
CLQ_API void clq_change_clear_schedule (ClqChange *self);
CLQ_API void clq_change_set_deadline (ClqChange *self, const char *name, gint64 at);
CLQ_API void clq_change_clear_deadline (ClqChange *self, const char *name);

/* The journal's tree. */
CLQ_API void clq_change_mark (ClqChange *self, const char *name);
CLQ_API void clq_change_drop_mark (ClqChange *self, const char *name);
CLQ_API void clq_change_fork (ClqChange *self);
CLQ_API void clq_change_go_to_mark (ClqChange *self, const char *name);
CLQ_API void clq_change_go_to_record (ClqChange *self, guint64 seq);
CLQ_API void clq_change_go_back (ClqChange *self, guint n_messages);
CLQ_API void clq_change_include (ClqChange *self, const char *name, ClqInclude how);
CLQ_API void clq_change_compare (ClqChange *self, const char *name);

/* What people see. */
CLQ_API void clq_change_set_title (ClqChange *self, const char *title);
CLQ_API void clq_change_set_reason (ClqChange *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
CLQ_API void clq_change_set_result (ClqChange *self, const char *json);
CLQ_API void clq_change_notify (ClqChange *self, const char *json);
CLQ_API void clq_change_warn (ClqChange *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
