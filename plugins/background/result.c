/*
 * What an agent means. A result is a JSON object, alone or inside a text, that has a member with the name of the result,
 * {"needs_input":{…}}, or a member that names it, {"type":"needs_input",…}. If there are several the first word of the list
 * decides. Everything else is plain text.
 */
#include "background.h"

#define MAX_OBJECTS 8

static const char *const chat_words[] = { "create_schedule", "needs_input", "state_update", NULL };
static const char *const work_words[] = { "needs_input", "complete", "continue", NULL };
static const char *const naming[] = { "type", "action", "status", "event", NULL };
static const char *const text_names[] = { "message", "text", "response", "summary", NULL };
static const char *const state_names[] = { "state_update", "state", "state_data", NULL };

/* What is being read. */
typedef struct
{
  const char *word;  /* NULL until one is found */
  char *object;      /* the whole */
  char *body;        /* of the result: a part of the object, or the whole */
  gboolean is_named; /* the object's own `type` is the word */
  char *prose;       /* what stands around the object */
} Reading;

static void
clear_reading (Reading *self)
{
  g_free (self->object);
  g_free (self->body);
  g_free (self->prose);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, clear_reading)

static char *
dup_span (const ClqJsonSpan *span)
{
  return g_strndup (span->start, span->length);
}

/* Whether the object has a member for the word that is not empty. */
static gboolean
has_member (const char *object, const char *word, ClqJsonSpan *span)
{
  *span = clq_json_find (object, -1, word);
  return span->type > CLQ_JSON_NULL && !(span->type == CLQ_JSON_BOOL && !clq_json_span_is_true (span));
}

static gboolean
is_named (const char *object, const char *word)
{
  for (guint i = 0; naming[i] != NULL; i++)
    {
      ClqJsonSpan span = clq_json_find (object, -1, naming[i]);

      if (clq_json_span_string_equal (&span, word))
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_word (Reading *self, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      ClqJsonSpan span;
      gboolean has = has_member (self->object, words[i], &span);

      self->is_named = is_named (self->object, words[i]);
      if (!has && !self->is_named)
        continue;
      self->word = words[i];
      self->is_named = self->is_named && !(has && span.type == CLQ_JSON_OBJECT);
      self->body = has && span.type == CLQ_JSON_OBJECT ? dup_span (&span) : g_strdup (self->object);
      return TRUE;
    }
  return FALSE;
}

/* A fence around the object is not worth saying. */
static char *
dup_prose (const char *text, const char *start, gsize length)
{
  g_autoptr (GString) out = g_string_new_len (text, start - text);

  g_strchomp (out->str);
  out->len = strlen (out->str);
  for (guint i = 0; i < 2; i++)
    if (g_str_has_suffix (out->str, i == 0 ? "```json" : "```"))
      g_string_truncate (out, out->len - (i == 0 ? 7 : 3));
  start += length;
  while (g_ascii_isspace (*start))
    start++;
  if (g_str_has_prefix (start, "```"))
    start += 3;
  g_string_append (out, start);
  return g_strstrip (g_string_free (g_steal_pointer (&out), FALSE));
}

static void
find_object (Reading *self, const char *text, const char *const *words)
{
  const char *rest = text;

  for (guint i = 0; i < MAX_OBJECTS; i++)
    {
      const char *start;

      g_free (self->object);
      self->object = clq_json_extract (rest, CLQ_JSON_OBJECT);
      if (self->object == NULL)
        return;
      start = strstr (rest, self->object);
      if (find_word (self, words))
        {
          self->prose = dup_prose (text, start, strlen (self->object));
          return;
        }
      rest = start + strlen (self->object);
    }
}

/* ---- the payload ---- */

static void
add_json (GString *out, const char *name, const char *json)
{
  g_string_append_printf (out, "%s\"%s\":%s", out->len > 1 ? "," : "", name, json);
}

static void
add_text (GString *out, const char *name, const char *text)
{
  g_autofree char *json = clq_json_quote (text);

  add_json (out, name, json);
}

/* The first of some members, of the body or else of the whole, that is of a type. */
static gboolean
find_first (const Reading *self, const char *const *names, ClqJsonType type, ClqJsonSpan *span)
{
  const char *places[] = { self->body, self->object };

  for (guint place = 0; place < G_N_ELEMENTS (places); place++)
    for (guint i = 0; names[i] != NULL; i++)
      {
        *span = clq_json_find (places[place], -1, names[i]);
        if (span->type == type)
          return TRUE;
      }
  return FALSE;
}

static void
add_first_text (GString *out, const char *name, const Reading *self, const char *const *names)
{
  ClqJsonSpan span;
  g_autofree char *text = find_first (self, names, CLQ_JSON_STRING, &span) ? clq_json_span_dup_string (&span) : NULL;

  if (text != NULL && *text != '\0')
    add_text (out, name, text);
}

static gboolean
add_schedule (GString *out, const Reading *self, const char *timezone, GError **error)
{
  ClqJsonSpan span;
  g_autofree char *inner = find_first (self, CLQ_CHOICES ("schedule"), CLQ_JSON_OBJECT, &span) ? dup_span (&span) : NULL;
  g_autofree char *schedule = background_schedule_normalise (inner != NULL ? inner : self->body, timezone, error);

  if (schedule == NULL)
    return FALSE;
  add_json (out, "schedule", schedule);
  return TRUE;
}

/* The type may be missing, or be the name of the result. */
static gboolean
add_question (GString *out, const Reading *self, GError **error)
{
  ClqJsonSpan span;
  gboolean has_inner = find_first (self, CLQ_CHOICES ("question", "pendingQuestion", "pending_question"), CLQ_JSON_OBJECT, &span);
  g_autoptr (GString) raw = g_string_new (NULL);
  g_autofree char *question = NULL, *prompt = NULL;

  if (has_inner)
    g_string_append_len (raw, span.start, (gssize) span.length);
  else
    g_string_append (raw, self->body);
  prompt = clq_json_find_string (raw->str, "prompt");
  if (prompt == NULL && find_first (self, CLQ_CHOICES ("question", "needs_input"), CLQ_JSON_STRING, &span))
    {
      g_autofree char *quoted = dup_span (&span);

      clq_json_set (raw, "prompt", quoted);
    }
  if ((!has_inner && self->is_named) || clq_json_find (raw->str, -1, "type").type == CLQ_JSON_NONE)
    clq_json_set (raw, "type", clq_json_find (raw->str, -1, "options").type == CLQ_JSON_ARRAY ? "\"choice\"" : "\"input\"");
  clq_json_unset (raw, "owner");
  clq_json_unset (raw, "id");
  question = clq_question_normalise (raw->str, NULL, error);
  if (question == NULL)
    return FALSE;
  add_json (out, "question", question);
  return TRUE;
}

static void
add_state (GString *out, const Reading *self)
{
  ClqJsonSpan span;

  if (find_first (self, state_names, CLQ_JSON_OBJECT, &span))
    {
      g_autofree char *state = dup_span (&span);

      add_json (out, "state", state);
    }
  else if (strcmp (self->word, "state_update") == 0 && !self->is_named)
    add_json (out, "state", self->body);
  add_first_text (out, "step", self, CLQ_CHOICES ("step", "state_step"));
  add_first_text (out, "task", self, CLQ_CHOICES ("task", "description"));
}

static void
read_plain (BackgroundResult *self, const char *text, gboolean is_worker, const GError *problem)
{
  g_autoptr (GString) out = g_string_new ("{");

  self->word = is_worker ? "continue" : "text";
  add_text (out, "text", text);
  add_json (out, "plain", "true");
  if (problem != NULL)
    add_text (out, "problem", problem->message);
  g_string_append_c (out, '}');
  self->payload = g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * background_result_read:
 * @self: (out): the result
 * @text: what the agent has said
 * @is_worker: whether it was at work; otherwise it was in a chat
 * @timezone: the zone of schedules that name none
 */
void
background_result_read (BackgroundResult *self, const char *text, gboolean is_worker, const char *timezone)
{
  g_auto (Reading) reading = { NULL };
  g_autoptr (GString) out = g_string_new ("{");
  g_autoptr (GError) error = NULL;
  gboolean fits = TRUE;

  *self = (BackgroundResult){ NULL };
  find_object (&reading, text, is_worker ? work_words : chat_words);
  if (reading.word != NULL && strcmp (reading.word, "create_schedule") == 0)
    fits = add_schedule (out, &reading, timezone, &error);
  else if (reading.word != NULL && strcmp (reading.word, "needs_input") == 0)
    fits = add_question (out, &reading, &error);
  if (reading.word == NULL || !fits)
    {
      read_plain (self, text, is_worker, error);
      return;
    }
  add_state (out, &reading);
  if (*reading.prose != '\0')
    add_text (out, "text", reading.prose);
  else
    add_first_text (out, "text", &reading, text_names);
  g_string_append_c (out, '}');
  self->word = reading.word;
  self->payload = g_string_free (g_steal_pointer (&out), FALSE);
}

void
background_result_clear (BackgroundResult *self)
{
  g_clear_pointer (&self->payload, g_free);
}
