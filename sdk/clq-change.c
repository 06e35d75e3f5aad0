#define G_LOG_DOMAIN "clq-change"

#include "clq-private.h"

#include <string.h>

#include "clq-put-private.h"

/* Private: an empty change. */
ClqChange *
clq_change_new (void)
{
  ClqChange *self = g_new (ClqChange, 1);

  self->ops = g_array_new (FALSE, FALSE, sizeof (ClqOp));
  self->text = g_string_sized_new (64);
  g_string_append_c (self->text, '\0');
  return self;
}

/* Private: empties a change, so that it can be used again. */
void
clq_change_reset (ClqChange *self)
{
  g_array_set_size (self->ops, 0);
  g_string_truncate (self->text, 1);
}

/* Private. */
void
clq_change_free (ClqChange *self)
{
  g_array_unref (self->ops);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static gsize
keep (ClqChange *self, const char *string)
{
  gsize offset = self->text->len;

  if (string == NULL)
    return 0;
  clq_put (self->text, string, strlen (string) + 1);
  return offset;
}

static ClqOp *
add (ClqChange *self, ClqOpType type, const char *name, const char *value)
{
  ClqOp op = { .type = type, .name = keep (self, name), .value = keep (self, value) };

  g_array_append_val (self->ops, op);
  return &g_array_index (self->ops, ClqOp, self->ops->len - 1);
}

/* Private: appends what another change says. */
void
clq_change_extend (ClqChange *self, const ClqChange *other)
{
  g_return_if_fail (self != other);
  for (guint i = 0; i < other->ops->len; i++)
    {
      const ClqOp *op = clq_change_get_op (other, i);
      ClqOp *copy = add (self, op->type, clq_change_get_string (other, op->name), clq_change_get_string (other, op->value));

      copy->record_type = op->record_type;
      copy->role = op->role;
      copy->number = op->number;
    }
}

/**
 * clq_change_set_string:
 * @self: a change
 * @path: a dotted path into the data
 * @value: (nullable): a text; %NULL sets null
 */
void
clq_change_set_string (ClqChange *self, const char *path, const char *value)
{
  g_autofree char *json = value != NULL ? clq_json_quote (value) : NULL;

  g_return_if_fail (path != NULL && *path != '\0');
  add (self, CLQ_OP_SET, path, json != NULL ? json : "null");
}

/**
 * clq_change_set_int:
 * @self: a change
 * @path: a dotted path into the data
 * @value: a number
 */
void
clq_change_set_int (ClqChange *self, const char *path, gint64 value)
{
  g_autoptr (GString) text = g_string_sized_new (24);

  g_return_if_fail (path != NULL && *path != '\0');
  clq_json_append_int (text, value);
  add (self, CLQ_OP_SET, path, text->str);
}

/**
 * clq_change_set_double:
 * @self: a change
 * @path: a dotted path into the data
 * @value: a number; one that is not finite sets null
 */
void
clq_change_set_double (ClqChange *self, const char *path, double value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_if_fail (path != NULL && *path != '\0');
  clq_json_append_double (text, value);
  add (self, CLQ_OP_SET, path, text->str);
}

/**
 * clq_change_set_bool:
 * @self: a change
 * @path: a dotted path into the data
 * @value: a truth value
 */
void
clq_change_set_bool (ClqChange *self, const char *path, gboolean value)
{
  g_return_if_fail (path != NULL && *path != '\0');
  add (self, CLQ_OP_SET, path, value ? "true" : "false");
}

/**
 * clq_change_set_json:
 * @self: a change
 * @path: a dotted path into the data
 * @json: a JSON text; a broken one is a programming error
 */
void
clq_change_set_json (ClqChange *self, const char *path, const char *json)
{
  g_return_if_fail (path != NULL && *path != '\0');
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  add (self, CLQ_OP_SET, path, json);
}

/**
 * clq_change_unset:
 * @self: a change
 * @path: a dotted path into the data
 *
 * Takes away what is there, if anything.
 */
void
clq_change_unset (ClqChange *self, const char *path)
{
  g_return_if_fail (path != NULL && *path != '\0');
  add (self, CLQ_OP_UNSET, path, NULL);
}

/**
 * clq_change_append:
 * @self: a change
 * @type: message, context, contribution or artifact
 * @role: who spoke
 * @json: the body, a JSON object
 *
 * Appends a record to the journal.
 */
void
clq_change_append (ClqChange *self, ClqRecordType type, ClqRole role, const char *json)
{
  ClqOp *op;

  g_return_if_fail (type >= CLQ_RECORD_MESSAGE && type <= CLQ_RECORD_ARTIFACT);
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  op = add (self, CLQ_OP_RECORD, NULL, json);
  op->record_type = type;
  op->role = role;
}

/**
 * clq_change_say:
 * @self: a change
 * @role: who speaks
 * @text: what
 *
 * Appends a message to the journal.
 */
void
clq_change_say (ClqChange *self, ClqRole role, const char *text)
{
  g_autoptr (GString) body = g_string_new ("{\"text\":");
  ClqOp *op;

  g_return_if_fail (text != NULL);
  clq_json_append_string (body, text, -1);
  g_string_append_c (body, '}');
  op = add (self, CLQ_OP_RECORD, NULL, body->str);
  op->record_type = CLQ_RECORD_MESSAGE;
  op->role = role;
}

/**
 * clq_change_tag_message:
 * @self: a change of a modality's `apply`
 * @name: a name that is not `text`
 * @value: a text
 *
 * Adds a member to the message that the event itself brings; nothing happens if it brings none.
 */
void
clq_change_tag_message (ClqChange *self, const char *name, const char *value)
{
  g_autofree char *json = NULL;

  g_return_if_fail (name != NULL && value != NULL && strcmp (name, "text") != 0);
  json = clq_json_quote (value);
  add (self, CLQ_OP_TAG, name, json);
}

/**
 * clq_change_ask:
 * @self: a change
 * @question: what to ask
 *
 * Leaves a question open. Several with different keys are a batch.
 */
void
clq_change_ask (ClqChange *self, const ClqQuestion *question)
{
  g_autoptr (GString) json = g_string_new (NULL);

  g_return_if_fail (question != NULL && question->prompt != NULL);
  clq_question_append_json (question, json);
  add (self, CLQ_OP_ASK, NULL, json->str);
}

/**
 * clq_change_ask_json:
 * @self: a change
 * @question: a question as JSON, as agents write it: type, prompt, options
 * @error: return location
 *
 * Returns: whether @question is one
 */
gboolean
clq_change_ask_json (ClqChange *self, const char *question, GError **error)
{
  g_autofree char *json = clq_question_normalise (question, NULL, error);

  if (json == NULL)
    return FALSE;
  add (self, CLQ_OP_ASK, NULL, json);
  return TRUE;
}

/**
 * clq_change_clear_questions:
 * @self: a change
 *
 * Nothing is asked any more.
 */
void
clq_change_clear_questions (ClqChange *self)
{
  add (self, CLQ_OP_CLEAR_QUESTIONS, NULL, NULL);
}

/**
 * clq_change_set_schedule:
 * @self: a change
 * @json: the schedule, a JSON object
 * @next_run: when it is due, in microseconds since 1970; 0 = not yet known
 */
void
clq_change_set_schedule (ClqChange *self, const char *json, gint64 next_run)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  add (self, CLQ_OP_SCHEDULE, NULL, json)->number = next_run;
}

/**
 * clq_change_clear_schedule:
 * @self: a change
 */
void
clq_change_clear_schedule (ClqChange *self)
{
  add (self, CLQ_OP_SCHEDULE, NULL, NULL);
}

/**
 * clq_change_set_deadline:
 * @self: a change
 * @name: the event to raise, listed in the graph's deadlines=
 * @at: when, in microseconds since 1970
 */
void
clq_change_set_deadline (ClqChange *self, const char *name, gint64 at)
{
  g_return_if_fail (name != NULL && at > 0);
  add (self, CLQ_OP_DEADLINE, name, NULL)->number = at;
}

/**
 * clq_change_clear_deadline:
 * @self: a change
 * @name: its event
 */
void
clq_change_clear_deadline (ClqChange *self, const char *name)
{
  g_return_if_fail (name != NULL);
  add (self, CLQ_OP_DEADLINE, name, NULL);
}

/**
 * clq_change_mark:
 * @self: a change
 * @name: a name for the place in the journal after this change
 *
 * If the change leads elsewhere afterwards, by fork or by going to another place, the name is for the place that is left.
 */
void
clq_change_mark (ClqChange *self, const char *name)
{
  g_return_if_fail (name != NULL);
  add (self, CLQ_OP_MARK, name, NULL);
}

/**
 * clq_change_drop_mark:
 * @self: a change
 * @name: a name that is no longer needed; the records stay
 */
void
clq_change_drop_mark (ClqChange *self, const char *name)
{
  g_return_if_fail (name != NULL);
  add (self, CLQ_OP_DROP_MARK, name, NULL);
}

/**
 * clq_change_fork:
 * @self: a change
 *
 * What follows goes to a new segment that continues from here.
 */
void
clq_change_fork (ClqChange *self)
{
  add (self, CLQ_OP_FORK, NULL, NULL);
}

/**
 * clq_change_go_to_mark:
 * @self: a change
 * @name: a marked place
 *
 * The conversation goes on from there, with the data of that moment; nothing is deleted.
 */
void
clq_change_go_to_mark (ClqChange *self, const char *name)
{
  g_return_if_fail (name != NULL);
  add (self, CLQ_OP_GO_TO_MARK, name, NULL);
}

/**
 * clq_change_go_to_record:
 * @self: a change
 * @seq: a record of the current path
 *
 * The conversation goes on after that record, with the data of that moment; nothing is deleted.
 */
void
clq_change_go_to_record (ClqChange *self, guint64 seq)
{
  add (self, CLQ_OP_GO_TO_RECORD, NULL, NULL)->number = seq;
}

/**
 * clq_change_go_back:
 * @self: a change
 * @n_messages: how many messages of the user, at least 1
 *
 * The conversation goes on from before the user's @n_messages last messages, with the data of that moment; nothing is
 * deleted. The event is refused if there are fewer.
 */
void
clq_change_go_back (ClqChange *self, guint n_messages)
{
  g_return_if_fail (n_messages > 0);
  add (self, CLQ_OP_GO_BACK, NULL, NULL)->number = n_messages;
}

/**
 * clq_change_include:
 * @self: a change
 * @name: a marked place
 * @how: what of it, and where
 *
 * Makes the conversation that leads to a marked place part of this one, by reference. The data stays as it is.
 */
void
clq_change_include (ClqChange *self, const char *name, ClqInclude how)
{
  g_return_if_fail (name != NULL && (guint) how <= CLQ_INCLUDE_INTERLEAVE);
  add (self, CLQ_OP_INCLUDE, name, NULL)->number = how;
}

/**
 * clq_change_compare:
 * @self: a change of a modality's `apply`
 * @name: a marked place
 *
 * Asks what the conversation that leads to a marked place has that this one has not; nothing is changed by it. The
 * modality finds the answer with clq_view_get_comparison() when its `arrive` is called for the same event.
 */
void
clq_change_compare (ClqChange *self, const char *name)
{
  g_return_if_fail (name != NULL);
  add (self, CLQ_OP_COMPARE, name, NULL);
}

/**
 * clq_change_set_title:
 * @self: a change
 * @title: the session's title
 */
void
clq_change_set_title (ClqChange *self, const char *title)
{
  g_return_if_fail (title != NULL);
  add (self, CLQ_OP_TITLE, NULL, title);
}

/**
 * clq_change_set_reason:
 * @self: a change
 * @format: why the transition is made, for people
 * @...: arguments
 */
void
clq_change_set_reason (ClqChange *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (self, CLQ_OP_REASON, NULL, text);
}

/**
 * clq_change_set_result:
 * @self: a change
 * @json: what the caller of the action gets
 */
void
clq_change_set_result (ClqChange *self, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  add (self, CLQ_OP_RESULT, NULL, json);
}

/**
 * clq_change_notify:
 * @self: a change
 * @json: a notification for the owner, a JSON object
 *
 * It stands in the journal until the owner has read it, whoever hears of it meanwhile.
 */
void
clq_change_notify (ClqChange *self, const char *json)
{
  g_return_if_fail (json != NULL && clq_json_check (json, -1, NULL, NULL));
  add (self, CLQ_OP_NOTIFY, NULL, json);
}

/**
 * clq_change_warn:
 * @self: a change
 * @format: something that went wrong and was survived
 * @...: arguments
 */
void
clq_change_warn (ClqChange *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (self, CLQ_OP_WARN, NULL, text);
}
