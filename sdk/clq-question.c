#define G_LOG_DOMAIN "clq-question"

#include "clq-private.h"

#include <string.h>

static const char *const type_names[] = { "confirmation", "choice", "input", NULL };

static const char *const yes_words[] = { "yes", "y", "true", "ok", "okay", "sure", "ja", NULL };
static const char *const no_words[] = { "no", "n", "false", "nein", NULL };

/**
 * clq_question_type_to_string:
 * @type: a type
 *
 * Returns: (transfer none): its name
 */
const char *
clq_question_type_to_string (ClqQuestionType type)
{
  g_return_val_if_fail ((guint) type <= CLQ_QUESTION_INPUT, "input");
  return type_names[type];
}

/**
 * clq_question_type_from_string:
 * @string: (nullable): a name
 * @type: (out): the type
 *
 * Returns: whether @string names a type
 */
gboolean
clq_question_type_from_string (const char *string, ClqQuestionType *type)
{
  for (guint i = 0; type_names[i] != NULL; i++)
    if (g_strcmp0 (string, type_names[i]) == 0)
      {
        *type = i;
        return TRUE;
      }
  return FALSE;
}

static void
append_member (GString *out, const char *name, const char *value)
{
  clq_json_append_name (out, name);
  clq_json_append_string (out, value, -1);
}

/**
 * clq_question_append_json:
 * @question: a question
 * @out: where to write
 *
 * Writes @question as JSON.
 */
void
clq_question_append_json (const ClqQuestion *question, GString *out)
{
  const char *owner = question->owner != NULL ? question->owner : "session";
  const char *id = question->id != NULL ? question->id : "question";
  g_autofree char *key = g_strdup_printf ("%s/%s", owner, id);

  g_string_append_c (out, '{');
  append_member (out, "key", key);
  append_member (out, "owner", owner);
  append_member (out, "id", id);
  append_member (out, "type", clq_question_type_to_string (question->type));
  append_member (out, "prompt", question->prompt);
  if (question->options != NULL && question->options[0] != NULL)
    {
      g_string_append (out, ",\"options\":[");
      for (guint i = 0; question->options[i] != NULL; i++)
        {
          if (i > 0)
            g_string_append_c (out, ',');
          clq_json_append_string (out, question->options[i], -1);
        }
      g_string_append_c (out, ']');
    }
  g_string_append_c (out, '}');
}

/* A text, or a number as agents write ids; NULL if there is none. */
static char *
dup_text (const char *question, const char *name)
{
  ClqJsonSpan span = clq_json_find (question, -1, name);

  if (span.type == CLQ_JSON_STRING)
    return clq_json_span_dup_string (&span);
  return span.type == CLQ_JSON_NUMBER ? g_strndup (span.start, span.length) : NULL;
}

static char **
dup_options (const char *question, GError **error)
{
  ClqJsonSpan span = clq_json_find (question, -1, "options"), key, value;
  g_autoptr (GPtrArray) options = g_ptr_array_new_with_free_func (g_free);
  ClqJsonIter iter;

  if (span.type <= CLQ_JSON_NULL)
    return g_new0 (char *, 1);
  if (span.type != CLQ_JSON_ARRAY)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "question: options: expected a list of texts");
      return NULL;
    }
  clq_json_iter_init (&iter, &span);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      char *text = value.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&value) : g_strndup (value.start, value.length);

      g_ptr_array_add (options, text);
    }
  g_ptr_array_add (options, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&options), FALSE);
}

/**
 * clq_question_normalise:
 * @question: a question as JSON, as agents and programs write it
 * @default_id: (nullable): the id if it has none
 * @error: return location
 *
 * Checks a question and gives it owner, id and key.
 *
 * Returns: (transfer full) (nullable): the whole question as JSON
 */
char *
clq_question_normalise (const char *question, const char *default_id, GError **error)
{
  g_autofree char *type_name = NULL, *owner = NULL, *id = NULL, *prompt = NULL;
  g_auto (GStrv) options = NULL;
  GString *out;
  ClqQuestion whole = { .type = CLQ_QUESTION_INPUT };

  if (clq_json_span (question, -1).type != CLQ_JSON_OBJECT)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "question: expected an object with type, prompt and options");
      return NULL;
    }
  type_name = dup_text (question, "type");
  prompt = clq_json_find_string (question, "prompt");
  owner = dup_text (question, "owner");
  id = dup_text (question, "id");
  if (type_name != NULL && !clq_question_type_from_string (type_name, &whole.type))
    {
      g_autofree char *hint = clq_did_you_mean (type_name, type_names);

      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "question: '%s' is no type%s", type_name, hint);
      return NULL;
    }
  if (prompt == NULL || *prompt == '\0')
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "question: expected a prompt");
      return NULL;
    }
  options = dup_options (question, error);
  if (options == NULL)
    return NULL;
  if (whole.type == CLQ_QUESTION_CHOICE && options[0] == NULL)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "question: a choice needs options");
      return NULL;
    }
  whole.owner = owner;
  whole.id = id != NULL ? id : default_id;
  whole.prompt = prompt;
  whole.options = (const char *const *) options;
  out = g_string_new (NULL);
  clq_question_append_json (&whole, out);
  return g_string_free (out, FALSE);
}

static gboolean
is_one_of (const char *text, const char *const *words)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  g_strstrip (folded);
  while (*folded != '\0' && strchr (".!", folded[strlen (folded) - 1]) != NULL)
    folded[strlen (folded) - 1] = '\0';
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (folded, words[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Options that differ only in case can all be chosen, each by its own spelling. */
static const char *
find_option (char **options, const char *text)
{
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint i = 0; options[i] != NULL; i++)
    if (strcmp (options[i], text) == 0)
      return options[i];
  g_strstrip (wanted);
  for (guint i = 0; options[i] != NULL; i++)
    {
      g_autofree char *folded = g_utf8_casefold (options[i], -1);

      if (strcmp (g_strstrip (folded), wanted) == 0)
        return options[i];
    }
  return NULL;
}

/* An option by its number, from 1. */
static const char *
get_option (char **options, const char *text)
{
  char *end = NULL;
  guint64 number;

  while (g_ascii_isspace (*text))
    text++;
  if (!g_ascii_isdigit (*text))
    return NULL;
  number = g_ascii_strtoull (text, &end, 10);
  while (g_ascii_isspace (*end))
    end++;
  return *end == '\0' && number >= 1 && number <= g_strv_length (options) ? options[number - 1] : NULL;
}

static char *
fit_choice (const char *question, const char *text, GError **error)
{
  g_auto (GStrv) options = dup_options (question, NULL);
  g_autofree char *all = NULL;
  const char *option;

  if (options == NULL)
    options = g_new0 (char *, 1);
  option = find_option (options, text);
  if (option == NULL)
    option = get_option (options, text);
  if (option != NULL)
    return clq_json_quote (option);
  all = g_strjoinv (", ", options);
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER,
               "'%s' is none of the options; expected one of: %s (or a number from 1 to %u)", text, all, g_strv_length (options));
  return NULL;
}

/**
 * clq_question_fit_answer:
 * @question: a whole question, as JSON
 * @answer: an answer, as JSON
 * @error: return location
 *
 * Brings @answer into the form that the question's type has: true or false, one of the options, a text.
 *
 * Returns: (transfer full) (nullable): the answer as JSON, or %NULL with what would fit
 */
char *
clq_question_fit_answer (const char *question, const char *answer, GError **error)
{
  ClqJsonSpan span = clq_json_span (answer, -1);
  g_autofree char *type_name = clq_json_find_string (question, "type");
  g_autofree char *text = NULL;
  ClqQuestionType type = CLQ_QUESTION_INPUT;

  clq_question_type_from_string (type_name, &type);
  if (type == CLQ_QUESTION_CONFIRMATION && span.type == CLQ_JSON_BOOL)
    return g_strndup (span.start, span.length);
  if (span.type == CLQ_JSON_STRING)
    text = clq_json_span_dup_string (&span);
  else if (span.type == CLQ_JSON_NUMBER && type != CLQ_QUESTION_CONFIRMATION)
    text = g_strndup (span.start, span.length);
  if (type == CLQ_QUESTION_CONFIRMATION)
    {
      if (text != NULL && is_one_of (text, yes_words))
        return g_strdup ("true");
      if (text != NULL && is_one_of (text, no_words))
        return g_strdup ("false");
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER, "expected yes or no");
      return NULL;
    }
  if (type == CLQ_QUESTION_CHOICE)
    {
      if (text == NULL)
        text = g_strndup (span.start, span.length);
      return fit_choice (question, text != NULL ? text : "", error);
    }
  if (text == NULL || *g_strstrip (text) == '\0')
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_ANSWER, "expected a text that is not empty");
      return NULL;
    }
  return span.type == CLQ_JSON_STRING ? g_strndup (span.start, span.length) : clq_json_quote (text);
}
