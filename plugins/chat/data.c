/* Reading payloads and data, writing JSON. */
#include "chat.h"

/* Says why an action is not taken; always FALSE. */
gboolean
chat_refuse (GError **error, ClqInputError code, const char *format, ...)
{
  va_list arguments;

  if (error == NULL)
    return FALSE;
  va_start (arguments, format);
  *error = g_error_new_valist (CLQ_INPUT_ERROR, code, format, arguments);
  va_end (arguments);
  return FALSE;
}

/* ---- payloads ---- */

ClqJsonSpan
chat_find (const ChatStep *step, const char *member)
{
  const char *payload = clq_event_get_payload (step->event);

  return payload != NULL ? clq_json_find (payload, -1, member) : (ClqJsonSpan){ 0 };
}

/* Whether the payload has no other members than these. */
gboolean
chat_expect (const ChatStep *step, const char *const *members, GError **error)
{
  ClqJsonSpan root = clq_json_span (clq_event_get_payload (step->event), -1);
  g_auto (GStrv) keys = chat_dup_keys (&root);

  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_strv_contains (members, keys[i]))
      {
        g_autofree char *hint = clq_did_you_mean (keys[i], members);

        return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "%s: unknown member '%s'%s", clq_event_get_name (step->event), keys[i], hint);
      }
  return TRUE;
}

/* A text of the payload; NULL if it is not there. */
gboolean
chat_get_text (const ChatStep *step, const char *member, char **text, GError **error)
{
  ClqJsonSpan span = chat_find (step, member);

  *text = NULL;
  if (span.type > CLQ_JSON_NULL && span.type != CLQ_JSON_STRING)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "%s: %s is no text", clq_event_get_name (step->event), member);
  if (span.type == CLQ_JSON_STRING)
    *text = clq_json_span_dup_string (&span);
  return TRUE;
}

static gboolean
is_name (const char *text)
{
  if (*text == '\0' || strlen (text) > CHAT_MAX_NAME)
    return FALSE;
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!g_unichar_isprint (g_utf8_get_char (text)) || *text == '/')
      return FALSE;
  return TRUE;
}

/* A name of the payload for a branch or checkpoint; NULL if it is not there. */
gboolean
chat_get_name (const ChatStep *step, const char *member, char **name, GError **error)
{
  g_autofree char *text = NULL;

  *name = NULL;
  if (!chat_get_text (step, member, &text, error))
    return FALSE;
  if (text != NULL && !is_name (text))
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "%s: %s is not fit; expected 1 to %d printable bytes without a slash",
                        clq_event_get_name (step->event), member, CHAT_MAX_NAME);
  *name = g_steal_pointer (&text);
  return TRUE;
}

/* ---- values ---- */

/* A value as JSON, or @otherwise if there is none. */
char *
chat_dup_span (const ClqJsonSpan *span, const char *otherwise)
{
  return span->type != CLQ_JSON_NONE ? g_strndup (span->start, span->length) : g_strdup (otherwise);
}

char *
chat_dup_data (ClqView *view, const char *path, const char *otherwise)
{
  ClqJsonSpan span = clq_view_find (view, path);

  return chat_dup_span (&span, otherwise);
}

char **
chat_dup_keys (const ClqJsonSpan *object)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (object->type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, object))
    while (clq_json_iter_next (&iter, &key, &value))
      g_ptr_array_add (keys, clq_json_span_dup_string (&key));
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

/* The member with this name, which may hold dots. */
ClqJsonSpan
chat_find_key (const ClqJsonSpan *object, const char *name)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (object->type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, object))
    while (clq_json_iter_next (&iter, &key, &value))
      if (clq_json_span_string_equal (&key, name))
        return value;
  return (ClqJsonSpan){ 0 };
}

static void
add_key (GString *object, const char *name)
{
  g_string_append_c (object, object->len > 0 ? ',' : '{');
  clq_json_append_string (object, name, -1);
  g_string_append_c (object, ':');
}

/* An object that is written member by member begins as an empty text and ends with a brace. */
void
chat_add_text (GString *object, const char *name, const char *text)
{
  add_key (object, name);
  if (text != NULL)
    clq_json_append_string (object, text, -1);
  else
    g_string_append (object, "null");
}

void
chat_add_number (GString *object, const char *name, gint64 number)
{
  add_key (object, name);
  g_string_append_printf (object, "%" G_GINT64_FORMAT, number);
}

void
chat_add_json (GString *object, const char *name, const char *json)
{
  add_key (object, name);
  g_string_append (object, json);
}

/* A list with one item more. */
char *
chat_dup_joined (const ClqJsonSpan *list, const char *item)
{
  GString *out = g_string_new ("[");
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (list->type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, list))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        g_string_append_len (out, value.start, (gssize) value.length);
        g_string_append_c (out, ',');
      }
  g_string_append (out, item);
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

/* ---- texts ---- */

/* The beginning of a text, on one line. */
char *
chat_clip (const char *text, gsize n_characters)
{
  g_autofree char *line = g_strstrip (g_strdelimit (g_strdup (text), "\n\r\t", ' '));
  g_autofree char *start = NULL;

  if ((gsize) g_utf8_strlen (line, -1) <= n_characters)
    return g_steal_pointer (&line);
  start = g_utf8_substring (line, 0, (glong) n_characters - 1);
  return g_strconcat (start, "…", NULL);
}

/* For those who have no agent at hand. */
gint64
chat_estimate_tokens (const char *text)
{
  return (g_utf8_strlen (text, -1) + 3) / 4;
}

/* ---- places and what survives going there ---- */

/* The name of a mark. A conversation that was begun anew has names of its own. */
char *
chat_dup_mark (ClqView *view, const char *kind, const char *name)
{
  gint64 conversation = clq_view_get_int (view, "conversation");

  if (conversation > 1)
    return g_strdup_printf ("%" G_GINT64_FORMAT "/%s/%s", conversation, kind, name);
  return g_strdup_printf ("%s/%s", kind, name);
}

/* Sets a value to what it is now; used after a jump. */
void
chat_set_from (ClqChange *change, const char *path, ClqView *view)
{
  g_autofree char *json = chat_dup_data (view, path, NULL);

  if (json != NULL)
    clq_change_set_json (change, path, json);
  else
    clq_change_unset (change, path);
}

/*
 * What is known of the conversation as a whole is not the property of one moment of it; what was pending at the place is
 * not pending any more.
 */
void
chat_carry (const ChatStep *step)
{
  static const char *const names[] = { "branch", "branches", "checkpoints", "checkpointCount", "metrics", "conversation" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    chat_set_from (step->change, names[i], step->view);
  clq_change_unset (step->change, "fork");
  clq_change_unset (step->change, "merge");
  clq_change_set_json (step->change, "conflicts", "[]");
}

void
chat_set_result_turn (ClqChange *change, gint64 turn)
{
  g_autofree char *json = g_strdup_printf ("{\"turn\":%" G_GINT64_FORMAT "}", turn);

  clq_change_set_result (change, json);
}
