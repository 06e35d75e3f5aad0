/* A reply as it is written: a text, an object, a failure, a wish for tools, or one of these with a delay. */
#include "scripted.h"

/* Some 31 years; what the clock shows plus this is still a time. */
#define MAX_DELAY 1e9

/* The members of an object that may make it more than an answer. */
typedef struct
{
  ClqJsonSpan error;
  ClqJsonSpan message;
  ClqJsonSpan retry_after;
  ClqJsonSpan after;
  ClqJsonSpan reply;
  ClqJsonSpan use;
  ClqJsonSpan text;
  guint n_members;
} Members;

/* The type of a value, for messages. */
const char *
scripted_name_type (const ClqJsonSpan *value)
{
  static const char *const names[] = { "nothing", "null", "a truth value", "a number", "a text", "a list", "an object" };

  return names[value->type];
}

ScriptedReply *
scripted_reply_new (const char *text)
{
  ScriptedReply *self = g_new0 (ScriptedReply, 1);

  self->text = g_strdup (text);
  return self;
}

ScriptedReply *
scripted_reply_copy (const ScriptedReply *self)
{
  ScriptedReply *copy = g_memdup2 (self, sizeof *self);

  copy->text = g_strdup (self->text);
  copy->uses = g_strdup (self->uses);
  return copy;
}

void
scripted_reply_free (ScriptedReply *self)
{
  g_free (self->text);
  g_free (self->uses);
  g_free (self);
}

static void
read_members (const ClqJsonSpan *object, Members *members)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  *members = (Members){ 0 };
  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      members->n_members++;
      if (clq_json_span_string_equal (&key, "error"))
        members->error = value;
      else if (clq_json_span_string_equal (&key, "message"))
        members->message = value;
      else if (clq_json_span_string_equal (&key, "retry-after"))
        members->retry_after = value;
      else if (clq_json_span_string_equal (&key, "after"))
        members->after = value;
      else if (clq_json_span_string_equal (&key, "reply"))
        members->reply = value;
      else if (clq_json_span_string_equal (&key, "use"))
        members->use = value;
      else if (clq_json_span_string_equal (&key, "text"))
        members->text = value;
    }
}

/* Only `error` and perhaps `message` and `retry-after`, and the error is a class: any other object is an answer. */
static gboolean
is_failure (const Members *members, ClqFailure *failure)
{
  g_autofree char *word = clq_json_span_dup_string (&members->error);

  return members->n_members == 1u + (members->message.type != CLQ_JSON_NONE) + (members->retry_after.type != CLQ_JSON_NONE) && clq_failure_from_string (word, failure);
}

static gboolean
is_delayed (const Members *members)
{
  return members->n_members == 2 && members->after.type != CLQ_JSON_NONE && members->reply.type != CLQ_JSON_NONE;
}

/* Only `use` and perhaps `text`, and what is used is a list of objects with a `tool`: any other object is an answer. */
static gboolean
is_use (const Members *members)
{
  ClqJsonSpan use;
  ClqJsonIter iter;
  guint n = 0;

  if (members->use.type != CLQ_JSON_ARRAY || members->n_members != 1u + (members->text.type == CLQ_JSON_STRING))
    return FALSE;
  clq_json_iter_init (&iter, &members->use);
  for (; clq_json_iter_next (&iter, NULL, &use); n++)
    if (use.type != CLQ_JSON_OBJECT || clq_json_find (use.start, (gssize) use.length, "tool").type != CLQ_JSON_STRING)
      return FALSE;
  return n > 0;
}

static ScriptedReply *
parse_use (const Members *members)
{
  ScriptedReply *self = g_new0 (ScriptedReply, 1);

  self->uses = g_strndup (members->use.start, members->use.length);
  self->text = clq_json_span_dup_string (&members->text);
  if (self->text == NULL)
    self->text = g_strdup ("");
  return self;
}

static gboolean
parse_delay (const ClqJsonSpan *after, const char *where, const char *member, GTimeSpan *delay, GError **error)
{
  double seconds = clq_json_span_get_double (after);

  if (after->type == CLQ_JSON_NUMBER && seconds >= 0 && seconds <= MAX_DELAY)
    {
      *delay = (GTimeSpan) (seconds * G_TIME_SPAN_SECOND + 0.5);
      return TRUE;
    }
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s.%s is %.*s; expected seconds, from 0 to %.0f",
               where, member, (int) MIN (after->length, 40), after->start, MAX_DELAY);
  return FALSE;
}

static ScriptedReply *
parse_failure (const Members *members, ClqFailure failure, const char *where, GError **error)
{
  ScriptedReply *self;
  GTimeSpan retry_after = 0;

  if (members->message.type != CLQ_JSON_NONE && members->message.type != CLQ_JSON_STRING)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s.message is %s; expected a text",
                   where, scripted_name_type (&members->message));
      return NULL;
    }
  if (members->retry_after.type != CLQ_JSON_NONE && !parse_delay (&members->retry_after, where, "retry-after", &retry_after, error))
    return NULL;
  self = g_new0 (ScriptedReply, 1);
  self->failure = failure;
  self->retry_after = retry_after;
  self->text = clq_json_span_dup_string (&members->message);
  if (self->text == NULL)
    self->text = g_strdup_printf ("failed as %s, as the script says", clq_failure_to_string (failure));
  return self;
}

/* Any form but the delayed one. */
static ScriptedReply *
parse_undelayed (const ClqJsonSpan *value, const Members *members, const char *where, GError **error)
{
  ScriptedReply *self;
  ClqFailure failure;

  if (value->type != CLQ_JSON_STRING && value->type != CLQ_JSON_OBJECT)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is %s; expected a text or an object",
                   where, scripted_name_type (value));
      return NULL;
    }
  if (value->type == CLQ_JSON_OBJECT && is_failure (members, &failure))
    return parse_failure (members, failure, where, error);
  if (value->type == CLQ_JSON_OBJECT && is_use (members))
    return parse_use (members);
  self = g_new0 (ScriptedReply, 1);
  self->is_json = value->type == CLQ_JSON_OBJECT;
  self->text = self->is_json ? g_strndup (value->start, value->length) : clq_json_span_dup_string (value);
  return self;
}

/* Reads one reply; @where is its place in the script, for messages. */
ScriptedReply *
scripted_reply_parse (const ClqJsonSpan *value, const char *where, GError **error)
{
  g_autofree char *inner_where = NULL;
  Members members, inner;
  GTimeSpan delay;
  ScriptedReply *self;

  read_members (value, &members);
  if (!is_delayed (&members))
    return parse_undelayed (value, &members, where, error);
  if (!parse_delay (&members.after, where, "after", &delay, error))
    return NULL;
  read_members (&members.reply, &inner);
  inner_where = g_strconcat (where, ".reply", NULL);
  if (is_delayed (&inner))
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is delayed once more; expected a text, an object or a failure", inner_where);
      return NULL;
    }
  self = parse_undelayed (&members.reply, &inner, inner_where, error);
  if (self != NULL)
    self->delay = delay;
  return self;
}
