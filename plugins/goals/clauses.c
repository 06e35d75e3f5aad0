/* A message, cut into sentences and clauses. */
#include "goals.h"

/* What a message means stands at its beginning or nowhere. In bytes. */
#define MAX_TEXT (64 * 1024)

/* One way to write what has several: composed letters, straight quotation marks. */
static char *
normalise (const char *text)
{
  g_autofree char *start = NULL;
  g_autofree char *composed = NULL;
  GString *out;

  if (strlen (text) > MAX_TEXT)
    {
      const char *end;

      g_utf8_validate (text, MAX_TEXT, &end);
      start = g_strndup (text, end - text);
      text = start;
    }
  composed = g_utf8_normalize (text, -1, G_NORMALIZE_DEFAULT_COMPOSE);
  out = g_string_new (composed != NULL ? composed : "");
  g_string_replace (out, "’", "'", 0);
  g_string_replace (out, "‘", "'", 0);
  g_string_replace (out, "ʼ", "'", 0);
  g_string_replace (out, "´", "'", 0);
  g_string_replace (out, "“", "\"", 0);
  g_string_replace (out, "”", "\"", 0);
  g_string_replace (out, "„", "\"", 0);
  return g_string_free (out, FALSE);
}

typedef enum
{
  NO_END,
  CLAUSE_END,
  SENTENCE_END,
} End;

/* Whether something ends at @at. A full stop inside "index.html" or "1.5" ends nothing. */
static End
find_end (const char *at)
{
  gunichar c = g_utf8_get_char (at);
  gunichar next = g_utf8_get_char (g_utf8_next_char (at));

  switch (c)
    {
    case '\n':
    case '!':
    case '?':
    case 0x2026: /* … */
    case 0x3002: /* 。 */
    case 0xff01:
    case 0xff1f:
      return SENTENCE_END;
    case '.':
      return next == '\0' || !g_unichar_isalnum (next) ? SENTENCE_END : NO_END;
    case ',':
    case ':':
      return g_unichar_isdigit (next) || next == '/' ? NO_END : CLAUSE_END;
    case ';':
    case '(':
    case ')':
    case '"':
    case 0x2013: /* – */
    case 0x2014: /* — */
    case 0x3001: /* 、 */
    case 0xff0c:
      return CLAUSE_END;
    case '-':
      return next == ' ' ? CLAUSE_END : NO_END;
    default:
      return NO_END;
    }
}

static gboolean
has_word (const char *text, gsize length)
{
  for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
    if (!g_unichar_isspace (g_utf8_get_char (at)))
      return TRUE;
  return FALSE;
}

static void
add_clause (GoalsText *self, const char *start, const char *end, guint first)
{
  GoalsClause clause = { .start = start, .length = (gsize) (end - start), .is_first = self->clauses->len == first };

  if (has_word (start, clause.length))
    g_array_append_val (self->clauses, clause);
}

/* Only the end of a sentence says what it was. */
static void
end_sentence (GoalsText *self, guint first, const char *end)
{
  gunichar mark = g_utf8_get_char (end);

  for (guint i = first; i < self->clauses->len; i++)
    {
      GoalsClause *clause = &g_array_index (self->clauses, GoalsClause, i);

      clause->sentence_end = end;
      clause->asks = mark == '?' || mark == 0xff1f;
    }
}

void
goals_text_init (GoalsText *self, const char *text)
{
  const char *start, *at;
  guint first = 0;

  self->text = normalise (text);
  self->clauses = g_array_new (FALSE, TRUE, sizeof (GoalsClause));
  start = self->text;
  for (at = self->text; *at != '\0'; at = g_utf8_next_char (at))
    {
      End end = find_end (at);

      if (end == NO_END)
        continue;
      add_clause (self, start, at, first);
      start = g_utf8_next_char (at);
      if (end == SENTENCE_END)
        {
          end_sentence (self, first, at);
          first = self->clauses->len;
        }
    }
  add_clause (self, start, at, first);
  end_sentence (self, first, at);
}

void
goals_text_clear (GoalsText *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->clauses, g_array_unref);
}

/* Whether the last sentence is a question. */
gboolean
goals_text_ends_asking (const GoalsText *self)
{
  guint n = self->clauses->len;

  return n > 0 && g_array_index (self->clauses, GoalsClause, n - 1).asks;
}

/* The beginning of a text, on one line and without control characters. */
char *
goals_clip (const char *text, gssize length, glong n_characters)
{
  GString *out = g_string_new (NULL);
  const char *end = length >= 0 ? text + length : text + strlen (text);
  gboolean gap = FALSE;
  glong n = 0;

  for (const char *at = text; at < end && n < n_characters; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (g_unichar_isspace (c) || g_unichar_iscntrl (c))
        {
          gap = TRUE;
          continue;
        }
      if (gap && out->len > 0)
        {
          g_string_append_c (out, ' ');
          n++;
        }
      gap = FALSE;
      if (++n == n_characters && g_utf8_next_char (at) < end)
        c = 0x2026;
      g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}
