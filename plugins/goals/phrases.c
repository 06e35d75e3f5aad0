/* A list of phrases as one regular expression. */
#include "goals.h"

/* A phrase gives up after so many steps instead of keeping the loop busy. */
#define LIMIT "(*LIMIT_MATCH=100000)"

/* What a word is made of, in any script; "can" is not in "can't". */
#define NOT_BEHIND_WORD "(?<![\\p{L}\\p{N}\\p{M}_])"
#define NOT_BEFORE_WORD "(?![\\p{L}\\p{N}\\p{M}_]|'\\p{L})"

void
goals_phrases_clear (GoalsPhrases *self)
{
  if (self->pattern != NULL)
    g_string_free (g_steal_pointer (&self->pattern), TRUE);
  g_clear_pointer (&self->regex, g_regex_unref);
}

static GRegex *
compile (const GoalsPhrases *self, const char *pattern, GError **error)
{
  static const char *const forms[][2] = {
    [GOALS_ANYWHERE] = { NOT_BEHIND_WORD "(?:", ")" NOT_BEFORE_WORD },
    [GOALS_AT_START] = { "^(?:", ")" NOT_BEFORE_WORD },
    [GOALS_AT_END] = { NOT_BEHIND_WORD "(?:", ")[^\\p{L}\\p{N}]*$" },
  };
  g_autofree char *whole = g_strconcat (LIMIT, forms[self->where][0], pattern, forms[self->where][1], NULL);

  return g_regex_new (whole, G_REGEX_CASELESS | G_REGEX_NO_AUTO_CAPTURE, 0, error);
}

/* A space of a phrase stands for any white space. */
static char *
widen_spaces (const char *phrase)
{
  GString *out = g_string_new (NULL);

  for (; *phrase != '\0'; phrase++)
    if (*phrase == ' ')
      g_string_append (out, "(?:\\s+)");
    else
      g_string_append_c (out, *phrase);
  return g_string_free (out, FALSE);
}

static gboolean
add_phrase (GoalsPhrases *self, const char *phrase, const char *place, GError **error)
{
  g_autofree char *pattern = widen_spaces (phrase);
  g_autoptr (GError) local = NULL;
  g_autoptr (GRegex) alone = NULL;

  /* The last limit counts, so a phrase could undo ours; an empty one would be found everywhere. */
  if (*phrase == '\0' || strstr (phrase, "(*") != NULL)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s: '%s' is no phrase; expected words or a regular expression", place, phrase);
      return FALSE;
    }
  alone = compile (self, pattern, &local);
  if (alone == NULL)
    {
      const char *detail = g_strrstr (local->message, ": "); /* GLib repeats the pattern, with what we put around it */

      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s: '%s' is no regular expression: %s", place, phrase,
                   detail != NULL ? detail + 2 : local->message);
      return FALSE;
    }
  if (self->pattern == NULL)
    self->pattern = g_string_new (NULL);
  g_string_append_printf (self->pattern, "%s(?:%s)", self->pattern->len > 0 ? "|" : "", pattern);
  return TRUE;
}

/* Takes the phrases of a JSON list. Each is a regular expression, so that plain words are what they are. */
gboolean
goals_phrases_add (GoalsPhrases *self, const ClqJsonSpan *list, const char *place, GError **error)
{
  ClqJsonIter iter;
  ClqJsonSpan item;

  if (list->type != CLQ_JSON_ARRAY)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is no list; expected phrases: [\"never mind\", …]", place);
      return FALSE;
    }
  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      g_autofree char *phrase = item.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&item) : g_strndup (item.start, item.length);

      if (item.type != CLQ_JSON_STRING)
        {
          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s: %s is no text; expected phrases", place, phrase);
          return FALSE;
        }
      if (!add_phrase (self, phrase, place, error))
        return FALSE;
    }
  return TRUE;
}

/* Called when all lists are read. */
gboolean
goals_phrases_compile (GoalsPhrases *self, GError **error)
{
  if (self->pattern == NULL)
    return TRUE;
  self->regex = compile (self, self->pattern->str, error);
  return self->regex != NULL;
}

/* The first place of a text where one of the phrases is. What takes too many steps is not there. */
gboolean
goals_phrases_find (const GoalsPhrases *self, const char *text, gsize length, gsize *start, gsize *end)
{
  g_autoptr (GMatchInfo) found = NULL;
  int from = 0, to = 0;

  if (self->regex == NULL || !g_regex_match_full (self->regex, text, (gssize) length, 0, 0, &found, NULL))
    return FALSE;
  g_match_info_fetch_pos (found, 0, &from, &to);
  if (start != NULL)
    *start = (gsize) from;
  if (end != NULL)
    *end = (gsize) to;
  return TRUE;
}
