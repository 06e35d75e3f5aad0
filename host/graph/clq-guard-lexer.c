#define G_LOG_DOMAIN "clq-graph"

#include "clq-guard-lexer.h"

#include <math.h>
#include <string.h>

/* How much of a guard an error shows. */
#define MAX_SHOWN 80

/**
 * clq_guard_lexer_init:
 * @self: (out caller-allocates): a lexer
 * @source: what to read; it must live as long as the lexer
 *
 * Starts before the first token.
 */
void
clq_guard_lexer_init (ClqGuardLexer *self, const char *source)
{
  *self = (ClqGuardLexer){ .source = source };
}

/**
 * clq_guard_lexer_clear:
 * @self: a lexer
 *
 * Frees what it owns.
 */
void
clq_guard_lexer_clear (ClqGuardLexer *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_error (&self->error);
}

/**
 * clq_guard_lexer_fail:
 * @self: a lexer
 * @code: a #ClqGraphError
 * @format: what is wrong at this token
 * @...: arguments
 *
 * Sets the error, with the guard and the column. Only the first one counts.
 *
 * Returns: 0
 */
guint32
clq_guard_lexer_fail (ClqGuardLexer *self, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *shown = NULL;
  va_list arguments;

  if (self->error != NULL)
    return 0;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (g_utf8_strlen (self->source, -1) > MAX_SHOWN)
    {
      g_autofree char *head = g_utf8_substring (self->source, 0, MAX_SHOWN);

      shown = g_strconcat (head, "...", NULL);
    }
  self->error = g_error_new (CLQ_GRAPH_ERROR, code, "guard '%s', column %ld: %s",
                             shown != NULL ? shown : self->source,
                             g_utf8_strlen (self->source, self->start) + 1, message);
  return 0;
}

/**
 * clq_guard_lexer_expected:
 * @self: a lexer
 * @what: what should stand here
 *
 * Sets the error: what was expected, after what, and what is there instead.
 *
 * Returns: 0
 */
guint32
clq_guard_lexer_expected (ClqGuardLexer *self, const char *what)
{
  g_autofree char *before = NULL;
  g_autofree char *here = NULL;
  g_autoptr (GString) message = g_string_new (NULL);

  if (self->error != NULL)
    return 0;
  g_string_printf (message, "expected %s", what);
  if (self->previous_end > self->previous)
    {
      before = g_strndup (self->source + self->previous, self->previous_end - self->previous);
      g_string_append_printf (message, " after '%s'", before);
    }
  if (self->token != CLQ_TOKEN_END)
    {
      here = g_strndup (self->source + self->start, self->end - self->start);
      g_string_append_printf (message, ", not '%s'", here);
    }
  return clq_guard_lexer_fail (self, CLQ_GRAPH_ERROR_SYNTAX, "%s", message->str);
}

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

static void
bad (ClqGuardLexer *self, gsize length, const char *message)
{
  self->token = CLQ_TOKEN_BAD;
  self->end = self->start + length;
  clq_guard_lexer_fail (self, CLQ_GRAPH_ERROR_SYNTAX, "%s", message);
}

static void
read_name (ClqGuardLexer *self)
{
  const char *start = self->source + self->start, *c = start;

  while (is_name_character (*c) || *c == '.')
    c++;
  self->token = CLQ_TOKEN_NAME;
  self->end = c - self->source;
  self->text = g_strndup (start, c - start);
  if (strstr (self->text, "..") != NULL || c[-1] == '.')
    {
      g_autofree char *message = g_strdup_printf ("'%s' is no path; expected a name after each dot", self->text);

      bad (self, c - start, message);
    }
}

static const char *
skip_digits (const char *c)
{
  while (g_ascii_isdigit (*c))
    c++;
  return c;
}

static void
read_number (ClqGuardLexer *self)
{
  const char *start = self->source + self->start, *c = start;
  gboolean good;

  if (*c == '-')
    c++;
  good = g_ascii_isdigit (*c);
  c = skip_digits (c);
  if (*c == '.')
    {
      good = good && g_ascii_isdigit (c[1]);
      c = skip_digits (c + 1);
    }
  if (*c == 'e' || *c == 'E')
    {
      c += c[1] == '-' || c[1] == '+' ? 2 : 1;
      good = good && g_ascii_isdigit (*c);
      c = skip_digits (c);
    }
  good = good && !is_name_character (*c) && *c != '.';
  while (is_name_character (*c) || *c == '.')
    c++;
  self->token = CLQ_TOKEN_NUMBER;
  self->end = c - self->source;
  self->number = good ? g_ascii_strtod (start, NULL) : 0;
  if (!good || !isfinite (self->number))
    {
      g_autofree char *message = g_strdup_printf ("'%.*s' is no number", (int) (c - start), start);

      bad (self, c - start, message);
    }
}

static void
read_string (ClqGuardLexer *self)
{
  const char *start = self->source + self->start, *c = start + 1;
  g_autoptr (GString) text = g_string_new (NULL);

  for (; *c != '\0' && *c != '"'; c++)
    {
      if (*c == '\\' && (c[1] == '"' || c[1] == '\\' || c[1] == ';'))
        c++;
      else if (*c == '\\')
        {
          self->start = c - self->source;
          bad (self, 1, "'\\' starts no escape here; expected \\\" or \\\\");
          return;
        }
      g_string_append_c (text, *c);
    }
  if (*c == '\0')
    {
      bad (self, c - start, "the string has no end; expected '\"'");
      return;
    }
  self->token = CLQ_TOKEN_STRING;
  self->end = c + 1 - self->source;
  self->text = g_strdup (text->str);
}

static void
read_sign (ClqGuardLexer *self)
{
  static const struct
  {
    const char *sign;
    ClqCompare compare;
    const char *hint;
  } signs[] = {
    { "==", CLQ_COMPARE_EQUAL, NULL },
    { "!=", CLQ_COMPARE_DIFFERENT, NULL },
    { "<=", CLQ_COMPARE_LESS_OR_EQUAL, NULL },
    { ">=", CLQ_COMPARE_GREATER_OR_EQUAL, NULL },
    { "<", CLQ_COMPARE_LESS, NULL },
    { ">", CLQ_COMPARE_GREATER, NULL },
    { "=", 0, "'=' compares nothing; expected '=='" },
    { "&&", 0, "'&&' is no operator; expected 'and'" },
    { "||", 0, "'||' is no operator; expected 'or'" },
    { "!", 0, "'!' is no operator; expected 'not'" },
    { "'", 0, "strings stand in double quotes" },
    { ";", 0, "';' ends an alternative; expected the end of the guard before it" },
  };
  const char *start = self->source + self->start;
  g_autofree char *message = NULL;
  gsize length = g_utf8_next_char (start) - start;

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (start, signs[i].sign))
      {
        self->token = CLQ_TOKEN_COMPARE;
        self->end = self->start + strlen (signs[i].sign);
        self->compare = signs[i].compare;
        if (signs[i].hint != NULL)
          bad (self, strlen (signs[i].sign), signs[i].hint);
        return;
      }
  message = g_strdup_printf ("'%.*s' means nothing here; expected a comparison, 'and', 'or', 'not' or a value", (int) length, start);
  bad (self, length, message);
}

/**
 * clq_guard_lexer_next:
 * @self: a lexer
 *
 * Reads the next token.
 */
void
clq_guard_lexer_next (ClqGuardLexer *self)
{
  const char *source = self->source;
  char c;

  self->previous = self->start;
  self->previous_end = self->end;
  g_clear_pointer (&self->text, g_free);
  self->start = self->end;
  while (g_ascii_isspace (source[self->start]))
    self->start++;
  c = source[self->start];
  if (c == '\0')
    {
      self->token = CLQ_TOKEN_END;
      self->end = self->start;
    }
  else if (c == '(' || c == ')')
    {
      self->token = c == '(' ? CLQ_TOKEN_OPEN : CLQ_TOKEN_CLOSE;
      self->end = self->start + 1;
    }
  else if (c == '"')
    read_string (self);
  else if (g_ascii_isdigit (c) || c == '-')
    read_number (self);
  else if (g_ascii_isalpha (c) || c == '_')
    read_name (self);
  else
    read_sign (self);
}

/**
 * clq_guard_lexer_peek:
 * @self: a lexer
 *
 * Returns: the first character behind this token that is no white space; NUL at the end
 */
char
clq_guard_lexer_peek (const ClqGuardLexer *self)
{
  const char *c = self->source + self->end;

  while (g_ascii_isspace (*c))
    c++;
  return *c;
}

/**
 * clq_guard_lexer_is_word:
 * @self: a lexer
 * @word: a word
 *
 * Returns: whether the token is that word
 */
gboolean
clq_guard_lexer_is_word (const ClqGuardLexer *self, const char *word)
{
  return self->token == CLQ_TOKEN_NAME && strcmp (self->text, word) == 0;
}
