/* What the debate is about: the problem, its context, and what people have answered. */
#include "debate.h"

/* The beginning of a text, with an ellipsis if something is missing. */
char *
debate_clip (const char *text, gsize n_characters)
{
  g_autofree char *clipped = NULL;

  if ((gsize) g_utf8_strlen (text, -1) <= n_characters)
    return g_strdup (text);
  clipped = g_utf8_substring (text, 0, (glong) n_characters - 1);
  return g_strconcat (g_strchomp (clipped), "…", NULL);
}

/* An object with a problem in it says more than a text; any other text is the problem. */
static gboolean
is_structured (const char *text)
{
  return clq_json_check (text, -1, NULL, NULL) && clq_json_span (text, -1).type == CLQ_JSON_OBJECT &&
         clq_json_find (text, -1, "problem").type != CLQ_JSON_NONE;
}

gboolean
debate_is_blank (const char *text)
{
  while (g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return *text == '\0';
}

static gboolean
refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
has_text (const ClqJsonSpan *object, const char *member)
{
  ClqJsonSpan value = clq_json_find (object->start, (gssize) object->length, member);
  g_autofree char *text = value.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&value) : NULL;

  return text != NULL && !debate_is_blank (text);
}

static gboolean
check_clarifications (const ClqJsonSpan *list, GError **error)
{
  ClqJsonSpan item;
  ClqJsonIter iter;

  if (list->type != CLQ_JSON_ARRAY)
    return refuse (error, "clarifications: expected a list of {\"question\":…,\"answer\":…}");
  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &item))
    if (item.type != CLQ_JSON_OBJECT || !has_text (&item, "question") || !has_text (&item, "answer"))
      return refuse (error, "clarifications: expected {\"question\":…,\"answer\":…} with texts that are not empty");
  return TRUE;
}

/* Whether a text can open a debate. */
gboolean
debate_brief_check (const char *text, GError **error)
{
  static const char *const members[] = { "problem", "context", "clarifications", NULL };
  ClqJsonSpan root, key, value;
  ClqJsonIter iter;

  if (debate_is_blank (text))
    return refuse (error, "expected a problem, a text that is not empty");
  if (!is_structured (text))
    return TRUE;
  root = clq_json_span (text, -1);
  if (!has_text (&root, "problem"))
    return refuse (error, "problem: expected a text that is not empty");
  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *hint = clq_did_you_mean (name, members);

      if (!g_strv_contains (members, name))
        return refuse (error, "a debate has no '%s'%s", name, hint);
      if (strcmp (name, "context") == 0 && value.type != CLQ_JSON_STRING)
        return refuse (error, "context: expected a text");
      if (strcmp (name, "clarifications") == 0 && !check_clarifications (&value, error))
        return FALSE;
    }
  return TRUE;
}

/* The problem of a text that was checked. */
char *
debate_brief_dup_problem (const char *text)
{
  return is_structured (text) ? clq_json_find_string (text, "problem") : g_strdup (text);
}

static void
add_clarifications (DebateBrief *self, const ClqJsonSpan *list)
{
  ClqJsonSpan item;
  ClqJsonIter iter;

  if (list->type != CLQ_JSON_ARRAY)
    return;
  if (self->clarifications == NULL)
    self->clarifications = g_string_new (NULL);
  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *json = g_strndup (item.start, item.length);
      g_autofree char *question = clq_json_find_string (json, "question");
      g_autofree char *answer = clq_json_find_string (json, "answer");
      g_autofree char *agent = clq_json_find_string (json, "agent");

      g_string_append_printf (self->clarifications, "%sQuestion%s%s: %s\nAnswer: %s", self->clarifications->len > 0 ? "\n\n" : "",
                              agent != NULL ? " of " : "", agent != NULL ? agent : "", question, answer);
    }
}

/* Takes what a record of the brief says: the message that opened the debate, or answers of people. Older ones come first. */
void
debate_brief_add (DebateBrief *self, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan text = clq_json_find (body, (gssize) length, "text"), list;
  g_autofree char *said = NULL;

  if (clq_record_get_record_type (record) != CLQ_RECORD_MESSAGE)
    {
      list = clq_json_find (body, (gssize) length, "clarifications");
      add_clarifications (self, &list);
      return;
    }
  said = clq_json_span_dup_string (&text);
  if (said == NULL)
    return;
  g_free (self->problem);
  g_free (self->context);
  self->problem = debate_brief_dup_problem (said);
  self->context = is_structured (said) ? clq_json_find_string (said, "context") : NULL;
  list = is_structured (said) ? clq_json_find (said, -1, "clarifications") : (ClqJsonSpan){ 0 };
  add_clarifications (self, &list);
}

void
debate_brief_clear (DebateBrief *self)
{
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->context, g_free);
  if (self->clarifications != NULL)
    g_string_free (g_steal_pointer (&self->clarifications), TRUE);
}
