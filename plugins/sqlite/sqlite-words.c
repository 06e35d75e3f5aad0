#define G_LOG_DOMAIN "sqlite-words"

#include "sqlite-words.h"

/* Of a question; the first ones. SQLite looks each of them up. */
#define MAX_WORDS 128

typedef gboolean (*WordFunc) (const char *word, gpointer user_data);

/* Calls @func for each word of @text, letters, digits and marks in a row, without case, until it wants no more. */
static void
foreach_word (const char *text, WordFunc func, gpointer user_data)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *normal = g_utf8_normalize (folded, -1, G_NORMALIZE_ALL_COMPOSE);
  char *start = NULL;

  for (char *c = normal; c != NULL; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);
      char kept = *c;

      if (letter != 0 && (g_unichar_isalnum (letter) || g_unichar_ismark (letter)))
        {
          start = start != NULL ? start : c;
          continue;
        }
      *c = '\0';
      if (start != NULL && !func (start, user_data))
        return;
      *c = kept;
      start = NULL;
      if (letter == 0)
        return;
    }
}

static gboolean
on_word (const char *word, gpointer user_data)
{
  GString *words = user_data;

  if (words->len > 0)
    g_string_append_c (words, ' ');
  g_string_append (words, word);
  return TRUE;
}

/* All strings that are values, however deep; the depth of a checked text is limited. */
static void
add_strings (const ClqJsonSpan *value, GString *words)
{
  ClqJsonIter iter;
  ClqJsonSpan inner;

  if (value->type == CLQ_JSON_STRING)
    {
      g_autofree char *text = clq_json_span_dup_string (value);

      foreach_word (text, on_word, words);
    }
  else if (clq_json_iter_init (&iter, value))
    while (clq_json_iter_next (&iter, NULL, &inner))
      add_strings (&inner, words);
}

/**
 * sqlite_words_collect:
 * @body: (array length=length): the body of a record
 * @length: bytes
 * @words: where to put its words, with a space between them; emptied first
 */
void
sqlite_words_collect (const char *body, gsize length, GString *words)
{
  const ClqJsonLimits limits = { SQLITE_JSON_LIMITS };
  ClqJsonSpan value;

  g_string_truncate (words, 0);
  if (!clq_json_check (body, length, &limits, NULL))
    return;
  value = clq_json_span (body, length);
  add_strings (&value, words);
}

typedef struct
{
  GHashTable *seen;
  GString *match;
} Question;

static gboolean
on_question_word (const char *word, gpointer user_data)
{
  Question *question = user_data;

  if (g_hash_table_add (question->seen, g_strdup (word)))
    g_string_append_printf (question->match, "%s\"%s\"", question->match->len > 0 ? " OR " : "", word);
  return g_hash_table_size (question->seen) < MAX_WORDS;
}

/**
 * sqlite_words_to_match:
 * @text: what somebody looks for
 *
 * Returns: (transfer full) (nullable): the same for MATCH; %NULL if there are no words in it
 */
char *
sqlite_words_to_match (const char *text)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) match = g_string_new (NULL);
  Question question = { seen, match };

  foreach_word (text, on_question_word, &question);
  if (match->len == 0)
    return NULL;
  return g_string_free (g_steal_pointer (&match), FALSE);
}
