#define G_LOG_DOMAIN "clq-graph"

#include "clq-invariant.h"

#include <string.h>

/* How much of an invariant an error shows. */
#define MAX_SHOWN 80

typedef struct
{
  const ClqGraph *graph;
  const char *source;
  gsize start; /* of the word */
  gsize end;
  char *word;     /* "" at the end */
  char *previous; /* NULL at the beginning */
  ClqInvariant *invariant;
  GError *error; /* the first one */
} Parser;

static const char *const keywords[] = {
  "only", "enter", "every", "state", "has", "an", "exit", "except", "accepts", "never", "before", "leads", "to", "by", "is", "left",
  "keep", "the", "then", "returns", NULL
};

/**
 * clq_invariant_is_keyword:
 * @word: a word
 *
 * Returns: whether it belongs to the language, so that in an invariant it may be no name
 */
gboolean
clq_invariant_is_keyword (const char *word)
{
  return g_strv_contains (keywords, word);
}

/* ---- words ---- */

static gboolean
fail (Parser *parser, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (Parser *parser, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *head = NULL;
  gboolean is_long = g_utf8_strlen (parser->source, -1) > MAX_SHOWN;
  va_list arguments;

  if (parser->error != NULL)
    return FALSE;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  head = g_utf8_substring (parser->source, 0, is_long ? MAX_SHOWN : -1);
  parser->error = *head == '\0' ? g_error_new_literal (CLQ_GRAPH_ERROR, code, message)
                                : g_error_new (CLQ_GRAPH_ERROR, code, "invariant '%s%s', column %ld: %s", head, is_long ? "..." : "",
                                               g_utf8_strlen (parser->source, parser->start) + 1, message);
  return FALSE;
}

/* Says what should stand here, with the nearest of @names. */
static gboolean
expected (Parser *parser, const char *what, const char *const *names)
{
  g_autoptr (GString) message = g_string_new (NULL);
  g_autofree char *hint = names != NULL ? clq_did_you_mean (parser->word, names) : NULL;

  g_string_printf (message, "expected %s", what);
  if (parser->previous != NULL)
    g_string_append_printf (message, " after '%s'", parser->previous);
  if (*parser->word != '\0')
    g_string_append_printf (message, ", not '%s'", parser->word);
  /* A list of names would only repeat what is expected. */
  if (*parser->word != '\0' && hint != NULL && strstr (hint, "did you mean") != NULL)
    g_string_append (message, hint);
  return fail (parser, CLQ_GRAPH_ERROR_SYNTAX, "%s", message->str);
}

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

static void
next (Parser *parser)
{
  const char *c;

  g_free (parser->previous);
  parser->previous = g_steal_pointer (&parser->word);
  parser->start = parser->end;
  while (g_ascii_isspace (parser->source[parser->start]))
    parser->start++;
  c = parser->source + parser->start;
  if (is_name_character (*c))
    while (is_name_character (*c))
      c++;
  else if (*c != '\0')
    c = g_utf8_next_char (c);
  parser->end = c - parser->source;
  parser->word = g_strndup (parser->source + parser->start, parser->end - parser->start);
}

static gboolean
is_word (const Parser *parser, const char *word)
{
  return strcmp (parser->word, word) == 0;
}

static gboolean
take_word (Parser *parser, const char *word, gboolean behind_list)
{
  const char *const names[] = { word, NULL };
  g_autofree char *quoted = g_strdup_printf ("%s'%s'", behind_list ? "',' or " : "", word);

  if (!is_word (parser, word))
    return expected (parser, quoted, names);
  next (parser);
  return TRUE;
}

static gboolean
take_words (Parser *parser, const char *words)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  for (guint i = 0; list[i] != NULL; i++)
    if (!take_word (parser, list[i], FALSE))
      return FALSE;
  return TRUE;
}

/* The word behind this one. */
static char *
dup_following (const Parser *parser)
{
  Parser ahead = { .source = parser->source, .end = parser->end };
  char *word;

  next (&ahead);
  word = g_steal_pointer (&ahead.word);
  return word;
}

/* ---- names ---- */

static gboolean
take_state (Parser *parser, GArray *states)
{
  int found = clq_graph_find_state (parser->graph, parser->word);
  guint state = (guint) found;

  if (found < 0 && (!is_name_character (*parser->word) || clq_invariant_is_keyword (parser->word)))
    return expected (parser, "the name of a state", NULL);
  if (found < 0)
    {
      g_autofree char *hint = clq_did_you_mean (parser->word, (const char *const *) parser->graph->state_names);

      return fail (parser, CLQ_GRAPH_ERROR_UNKNOWN_NODE, "unknown state '%s'%s", parser->word, hint);
    }
  g_array_append_val (states, state);
  next (parser);
  return TRUE;
}

static gboolean
take_event (Parser *parser, GArray *events)
{
  int found = clq_graph_find_event (parser->graph, parser->word);
  guint event = (guint) found;

  if (found < 0 && (!is_name_character (*parser->word) || clq_invariant_is_keyword (parser->word)))
    return expected (parser, "the name of an event", NULL);
  if (found < 0)
    {
      g_autofree char *hint = clq_did_you_mean (parser->word, (const char *const *) parser->graph->event_names);

      return fail (parser, CLQ_GRAPH_ERROR_UNKNOWN_OUTCOME, "unknown event '%s'%s", parser->word, hint);
    }
  g_array_append_val (events, event);
  next (parser);
  return TRUE;
}

/* Names with commas between them. */
static gboolean
take_list (Parser *parser, gboolean (*take) (Parser *parser, GArray *names), GArray *names)
{
  while (take (parser, names))
    {
      if (!is_word (parser, ","))
        return TRUE;
      next (parser);
    }
  return FALSE;
}

/* ---- forms ---- */

static gboolean
parse_exception (Parser *parser)
{
  if (!is_word (parser, "except") || parser->invariant->others->len > 0)
    return TRUE;
  next (parser);
  return take_list (parser, take_state, parser->invariant->others);
}

/* every state [except A] has an exit | every state [except A] accepts e; the exception may come last. */
static gboolean
parse_every (Parser *parser)
{
  static const char *const verbs[] = { "has", "accepts", "except", NULL };
  ClqInvariant *self = parser->invariant;

  if (!take_words (parser, "every state") || !parse_exception (parser))
    return FALSE;
  if (is_word (parser, "has"))
    {
      self->form = CLQ_INVARIANT_EXIT;
      return take_words (parser, "has an exit") && parse_exception (parser);
    }
  if (!is_word (parser, "accepts"))
    return expected (parser, "'has an exit' or 'accepts'", verbs);
  self->form = CLQ_INVARIANT_ACCEPTS;
  next (parser);
  return take_list (parser, take_event, self->events) && parse_exception (parser);
}

static gboolean
parse_only (Parser *parser)
{
  ClqInvariant *self = parser->invariant;

  self->form = CLQ_INVARIANT_ENTER;
  next (parser);
  return take_list (parser, take_state, self->states) && take_word (parser, "enter", TRUE) &&
         take_list (parser, take_state, self->others);
}

static gboolean
parse_never (Parser *parser)
{
  ClqInvariant *self = parser->invariant;

  self->form = CLQ_INVARIANT_BEFORE;
  next (parser);
  return take_state (parser, self->others) && take_word (parser, "before", FALSE) && take_state (parser, self->states);
}

static gboolean
parse_keep (Parser *parser)
{
  ClqInvariant *self = parser->invariant;

  self->form = CLQ_INVARIANT_KEEP;
  return take_list (parser, take_event, self->events) && take_word (parser, "keep", TRUE) && take_words (parser, "the state");
}

static gboolean
parse_leads (Parser *parser)
{
  ClqInvariant *self = parser->invariant;

  self->form = CLQ_INVARIANT_LEADS;
  if (!take_words (parser, "leads to") || !take_state (parser, self->others))
    return FALSE;
  if (!is_word (parser, "by"))
    return TRUE;
  self->form = CLQ_INVARIANT_LEADS_BY;
  next (parser);
  return take_event (parser, self->events);
}

static gboolean
parse_is (Parser *parser)
{
  static const char *const ways[] = { "left", "never", NULL };
  ClqInvariant *self = parser->invariant;

  next (parser);
  if (is_word (parser, "never"))
    {
      self->form = CLQ_INVARIANT_NEVER_LEFT;
      return take_words (parser, "never left");
    }
  if (!is_word (parser, "left"))
    return expected (parser, "'never left' or 'left only by'", ways);
  self->form = CLQ_INVARIANT_LEFT_BY;
  return take_words (parser, "left only by") && take_list (parser, take_event, self->events);
}

static gboolean
parse_returns (Parser *parser)
{
  ClqInvariant *self = parser->invariant;

  self->form = CLQ_INVARIANT_RETURNS;
  return take_event (parser, self->events) && take_word (parser, "then", FALSE) && take_event (parser, self->events) &&
         take_word (parser, "returns", FALSE);
}

/* What begins with the name of a state. */
static gboolean
parse_state (Parser *parser)
{
  g_autoptr (GPtrArray) names = NULL;

  if (!take_state (parser, parser->invariant->states))
    return FALSE;
  if (is_word (parser, "leads"))
    return parse_leads (parser);
  if (is_word (parser, "is"))
    return parse_is (parser);
  if (clq_graph_find_event (parser->graph, parser->word) >= 0)
    return parse_returns (parser);
  names = g_ptr_array_new ();
  g_ptr_array_add (names, (gpointer) "leads");
  g_ptr_array_add (names, (gpointer) "is");
  for (guint i = 0; i < parser->graph->n_events; i++)
    g_ptr_array_add (names, (gpointer) parser->graph->event_names[i]);
  g_ptr_array_add (names, NULL);
  return expected (parser, "'leads to', 'is' or an event", (const char *const *) names->pdata);
}

/* The first word is neither a keyword nor a name; the next one may tell what was meant. */
static gboolean
unknown_beginning (Parser *parser, const char *following)
{
  static const char *const firsts[] = { "only", "every", "never" };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (strcmp (following, "leads") == 0 || strcmp (following, "is") == 0)
    return take_state (parser, parser->invariant->states);
  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    g_ptr_array_add (names, (gpointer) firsts[i]);
  for (guint i = 0; i < parser->graph->n_states; i++)
    g_ptr_array_add (names, (gpointer) parser->graph->state_names[i]);
  for (guint i = 0; i < parser->graph->n_events; i++)
    g_ptr_array_add (names, (gpointer) parser->graph->event_names[i]);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (parser->word, (const char *const *) names->pdata);
  return fail (parser, CLQ_GRAPH_ERROR_SYNTAX, "expected 'only', 'every', 'never', a state or an event, not '%s'%s", parser->word, hint);
}

static gboolean
parse (Parser *parser)
{
  g_autofree char *following = dup_following (parser);

  if (*parser->word == '\0')
    return fail (parser, CLQ_GRAPH_ERROR_SYNTAX, "it is empty; expected what always holds, for example A is never left");
  if (is_word (parser, "every"))
    return parse_every (parser);
  if (is_word (parser, "only"))
    return parse_only (parser);
  if (is_word (parser, "never"))
    return parse_never (parser);
  if (strcmp (following, ",") == 0 || strcmp (following, "keep") == 0)
    return parse_keep (parser);
  if (clq_graph_find_state (parser->graph, parser->word) >= 0)
    return parse_state (parser);
  if (clq_graph_find_event (parser->graph, parser->word) >= 0)
    return parse_keep (parser);
  return unknown_beginning (parser, following);
}

/**
 * clq_invariant_parse:
 * @graph: a graph with its states and events
 * @text: an invariant, for example `DONE is left only by reset`
 * @error: return location
 *
 * Reads an invariant. What each form means is in the README of this folder.
 *
 * Returns: (transfer full) (nullable): the invariant, or %NULL with @error set
 */
ClqInvariant *
clq_invariant_parse (const ClqGraph *graph, const char *text, GError **error)
{
  Parser parser = { .graph = graph, .source = text };
  g_autoptr (ClqInvariant) self = NULL;
  gboolean good;

  g_return_val_if_fail (graph != NULL && text != NULL, NULL);

  self = g_new0 (ClqInvariant, 1);
  self->states = g_array_new (FALSE, FALSE, sizeof (guint));
  self->others = g_array_new (FALSE, FALSE, sizeof (guint));
  self->events = g_array_new (FALSE, FALSE, sizeof (guint));
  parser.invariant = self;
  next (&parser);
  good = parse (&parser) && (*parser.word == '\0' || expected (&parser, "the end", NULL));
  if (!good)
    g_propagate_error (error, parser.error);
  g_free (parser.word);
  g_free (parser.previous);
  return good ? g_steal_pointer (&self) : NULL;
}

/**
 * clq_invariant_free:
 * @self: (nullable): an invariant
 *
 * Frees it.
 */
void
clq_invariant_free (ClqInvariant *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->states);
  g_array_unref (self->others);
  g_array_unref (self->events);
  g_free (self);
}
