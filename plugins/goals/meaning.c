/* What a message means, by the words of a lexicon. */
#include "goals.h"

/* ---- signals ---- */

/* Whether what stands before a place says that it does not count. */
static gboolean
is_void (const GoalsLexicon *lexicon, const GoalsSignal *signal, const char *text, gsize length)
{
  return goals_phrases_find (&lexicon->negations, text, length, NULL, NULL) ||
         goals_phrases_find (&signal->unless, text, length, NULL, NULL);
}

static char *
find_words (const GoalsLexicon *lexicon, const GoalsSignal *signal, const GoalsClause *clause)
{
  gsize from = 0, start, end;

  /* The words behind a place that does not count may count. */
  while (from < clause->length &&
         goals_phrases_find (&signal->words, clause->start + from, clause->length - from, &start, &end))
    {
      if (!is_void (lexicon, signal, clause->start, from + start))
        return goals_clip (clause->start + from + start, (gssize) (end - start), GOALS_MAX_VALUE);
      from += MAX (end, 1);
    }
  return NULL;
}

static const char *
skip_to_word (const char *text, const char *end)
{
  while (text < end && !g_unichar_isalnum (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return text;
}

/* Goes over one "Hello", "well" or "can you please" at the start of a clause; whether there was one. */
static gboolean
skip_step (const GoalsLexicon *lexicon, const char **text, const char *end, gboolean *is_request)
{
  gsize length;

  if (goals_phrases_find (&lexicon->requests, *text, (gsize) (end - *text), NULL, &length))
    *is_request = TRUE;
  else if (!goals_phrases_find (&lexicon->openings, *text, (gsize) (end - *text), NULL, &length))
    return FALSE;
  *text = skip_to_word (*text + length, end);
  return TRUE;
}

/* Where a clause begins behind all of these: what is said, or wanted, stands there. */
static const char *
skip_preamble (const GoalsLexicon *lexicon, const GoalsClause *clause, gboolean *is_request)
{
  const char *end = clause->start + clause->length, *start = skip_to_word (clause->start, end);

  *is_request = FALSE;
  while (skip_step (lexicon, &start, end, is_request))
    ;
  return start;
}

/* A "Yes" may be all there is, or stand before what is meant, so every step counts. */
static char *
find_beginning (const GoalsLexicon *lexicon, const GoalsSignal *signal, const GoalsClause *clause)
{
  const char *end = clause->start + clause->length, *start = skip_to_word (clause->start, end);
  gboolean is_request = FALSE;

  do
    if (goals_phrases_find (&signal->begins, start, (gsize) (end - start), NULL, NULL))
      return goals_clip (start, end - start, GOALS_MAX_VALUE);
  while (skip_step (lexicon, &start, end, &is_request));
  return NULL;
}

/* The words that give a signal; NULL if the message does not. */
char *
goals_find_signal (const GoalsLexicon *lexicon, const GoalsText *text, GoalsSignalKind kind)
{
  const GoalsSignalTrait *trait = &goals_signal_traits[kind];
  const GoalsSignal *signal = &lexicon->signals[kind];

  if (trait->asking_voids_it && goals_text_ends_asking (text))
    return NULL;
  for (guint i = 0; i < text->clauses->len; i++)
    {
      const GoalsClause *clause = &g_array_index (text->clauses, GoalsClause, i);
      char *found;

      if (clause->asks && !trait->counts_in_questions)
        continue;
      found = find_words (lexicon, signal, clause);
      if (found == NULL)
        found = find_beginning (lexicon, signal, clause);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* ---- goals ---- */

/* What is to be done, without the words that ask for it. */
static char *
describe (const char *start, const GoalsClause *clause)
{
  const char *end = clause->sentence_end;
  g_autofree char *line = NULL;
  g_autofree char *first = NULL;

  while (end > start && g_ascii_isspace (end[-1]))
    end--;
  line = goals_clip (start, end - start, GOALS_MAX_DESCRIPTION - 1);
  first = g_utf8_strup (line, g_utf8_next_char (line) - line);
  return g_strconcat (first, *line != '\0' ? g_utf8_next_char (line) : "", clause->asks ? "?" : "", NULL);
}

/* A goal is more than one word; if these are about what is known already, it is no new one. */
static gboolean
begins_goal (const GoalsLexicon *lexicon, const GoalsPhrases *phrases, const char *start, const char *end, gboolean has_goal)
{
  const char *object;
  gsize length;

  if (!goals_phrases_find (phrases, start, (gsize) (end - start), NULL, &length))
    return FALSE;
  object = skip_to_word (start + length, end);
  if (object == end && memchr (start, ' ', length) == NULL)
    return FALSE;
  return !has_goal || !goals_phrases_find (&lexicon->pronouns, object, (gsize) (end - object), NULL, NULL);
}

static const GoalsType *
find_type (const GoalsLexicon *lexicon, const char *start, const char *end, gboolean has_goal)
{
  for (guint i = 0; i < lexicon->types->len; i++)
    {
      const GoalsType *type = g_ptr_array_index (lexicon->types, i);

      if (begins_goal (lexicon, &type->begins, start, end, has_goal))
        return type;
    }
  for (guint i = 0; !has_goal && i < lexicon->types->len; i++)
    {
      const GoalsType *type = g_ptr_array_index (lexicon->types, i);

      if (begins_goal (lexicon, &type->wishes, start, end, FALSE))
        return type;
    }
  return NULL;
}

/*
 * The first sentence that begins with a request for something: not any word in it decides but the leading one. With a goal
 * at hand, a clause in the middle of a sentence is a list of what is wanted rather than another goal, unless it asks.
 */
gboolean
goals_find_goal (const GoalsLexicon *lexicon, const GoalsText *text, gboolean has_goal, GoalsFound *found)
{
  gboolean leads = TRUE;

  for (guint i = 0; i < text->clauses->len; i++)
    {
      const GoalsClause *clause = &g_array_index (text->clauses, GoalsClause, i);
      const char *end = clause->start + clause->length;
      gboolean is_request;
      const char *start = skip_preamble (lexicon, clause, &is_request);

      leads = leads || clause->is_first;
      if (start == end)
        continue; /* nothing but "Well": what comes next leads */
      if ((leads || is_request || !has_goal) && !goals_phrases_find (&lexicon->asides, start, (gsize) (end - start), NULL, NULL))
        {
          found->type = find_type (lexicon, start, end, has_goal);
          if (found->type != NULL)
            {
              found->description = describe (start, clause);
              found->start = start;
              return TRUE;
            }
        }
      leads = FALSE;
    }
  return FALSE;
}

/* ---- information ---- */

/* What a message says for a field: the names of its values, else the words themselves; NULL if nothing. */
char *
goals_find_value (const GoalsField *field, const char *text)
{
  g_autoptr (GString) names = g_string_new (NULL);
  gsize start, end, length = strlen (text);

  for (guint i = 0; i < field->values->len; i++)
    {
      const GoalsValue *value = g_ptr_array_index (field->values, i);

      if (goals_phrases_find (&value->words, text, length, NULL, NULL))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", value->name);
    }
  if (names->len > 0)
    return goals_clip (names->str, -1, GOALS_MAX_VALUE);
  if (!goals_phrases_find (&field->words, text, length, &start, &end))
    return NULL;
  return goals_clip (text + start, (gssize) (end - start), GOALS_MAX_VALUE);
}
