/* Whole words of a text, in any case and script. */
#include "task.h"

/* The words of a text without case, with one space before and after each: " write a parser ". */
char *
task_words_normalise (const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *normal = g_utf8_normalize (folded, -1, G_NORMALIZE_ALL_COMPOSE);
  GString *out = g_string_new (" ");

  for (const char *c = normal != NULL ? normal : ""; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (g_unichar_isalnum (letter) || g_unichar_ismark (letter))
        g_string_append_unichar (out, letter);
      else if (out->str[out->len - 1] != ' ')
        g_string_append_c (out, ' ');
    }
  if (out->str[out->len - 1] != ' ')
    g_string_append_c (out, ' ');
  return g_string_free (out, FALSE);
}

/* Where the first of the phrases stands; NULL if none does. */
const char *
task_words_find (const char *normal, const char *const *phrases)
{
  const char *first = NULL;

  for (guint i = 0; phrases != NULL && phrases[i] != NULL; i++)
    {
      g_autofree char *phrase = task_words_normalise (phrases[i]);
      const char *found = strlen (phrase) > 2 ? strstr (normal, phrase) : NULL;

      if (found != NULL && (first == NULL || found < first))
        first = found;
    }
  return first;
}

gboolean
task_words_have (const char *normal, const char *word)
{
  return task_words_find (normal, (const char *const[]){ word, NULL }) != NULL;
}

/* What a text is about: its words but the common ones, each once, in their order. */
char **
task_words_dup_terms (const char *text, const char *const *stop_words, guint limit)
{
  g_autofree char *normal = task_words_normalise (text);
  g_auto (GStrv) words = g_strsplit (g_strstrip (normal), " ", -1);
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; words[i] != NULL && terms->len < limit; i++)
    if (g_utf8_strlen (words[i], -1) > 1 && (stop_words == NULL || !g_strv_contains (stop_words, words[i])) &&
        !g_ptr_array_find_with_equal_func (terms, words[i], g_str_equal, NULL))
      g_ptr_array_add (terms, g_strdup (words[i]));
  g_ptr_array_add (terms, NULL);
  return (char **) g_ptr_array_steal (terms, NULL);
}

/* The beginning of a text. */
char *
task_clip (const char *text, glong n_characters)
{
  return g_utf8_strlen (text, -1) <= n_characters ? g_strdup (text) : g_utf8_substring (text, 0, n_characters);
}
