#define G_LOG_DOMAIN "clq-graph"

#include "clq-guard.h"
#include "clq-guard-private.h"

#include <math.h>
#include <string.h>

#include "clq-guard-lexer.h"

#define MAX_DEPTH 64

typedef struct
{
  ClqGuardLexer lexer;
  const ClqGuardNames *names;
  ClqGuard *guard;
  guint depth;
} Parser;

static const struct
{
  const char *name;
  ClqGuardOp op;
} roots[] = {
  { "event", CLQ_GUARD_EVENT },
  { "schedule", CLQ_GUARD_SCHEDULE },
  { "nextRunAt", CLQ_GUARD_NEXT_RUN },
  { "questions", CLQ_GUARD_QUESTIONS },
  { "state", CLQ_GUARD_STATE },
  { "hops", CLQ_GUARD_HOPS },
  { "turns-here", CLQ_GUARD_TURNS_HERE },
};

static const struct
{
  const char *name;
  ClqEventPart part;
} parts[] = {
  { "name", CLQ_PART_NAME },
  { "kind", CLQ_PART_KIND },
  { "text", CLQ_PART_TEXT },
  { "role", CLQ_PART_ROLE },
  { "actor", CLQ_PART_ACTOR },
  { "class", CLQ_PART_CLASS },
  { "message", CLQ_PART_MESSAGE },
  { "partial", CLQ_PART_PARTIAL },
};

static guint32 parse_or (Parser *parser);

/* Adds a node; 0 stands for "there is an error". */
static guint32
add (Parser *parser, ClqGuardOp op, guint8 detail, guint32 first, char *text)
{
  ClqGuardNode node = { .op = op, .detail = detail, .first = first, .text = text };

  g_array_append_val (parser->guard->nodes, node);
  return parser->guard->nodes->len - 1;
}

static ClqGuardNode *
get (Parser *parser, guint32 index)
{
  return &g_array_index (parser->guard->nodes, ClqGuardNode, index);
}

static const ClqPredicate *
next_predicate (const ClqModalityInfo *modality, const ClqPredicate *previous)
{
  const ClqPredicate *next;

  if (modality == NULL || modality->predicates == NULL)
    return NULL;
  next = previous == NULL ? modality->predicates
                          : (const ClqPredicate *) ((const char *) previous + modality->predicate_size);
  return next->name != NULL ? next : NULL;
}

static const ClqPredicate *
find_predicate (const ClqModalityInfo *modality, const char *name)
{
  const ClqPredicate *predicate = NULL;

  while ((predicate = next_predicate (modality, predicate)) != NULL)
    if (strcmp (predicate->name, name) == 0)
      return predicate;
  return NULL;
}

/* Whether the data may have a field of this name; complains if not. */
static gboolean
check_field (Parser *parser, const char *field)
{
  g_autoptr (GPtrArray) known = NULL;
  const ClqPredicate *predicate = NULL;
  g_autofree char *hint = NULL;

  if (parser->names == NULL || parser->names->fields == NULL || g_strv_contains (parser->names->fields, field))
    return TRUE;
  known = g_ptr_array_new ();
  for (guint i = 0; parser->names->fields[i] != NULL; i++)
    g_ptr_array_add (known, (gpointer) parser->names->fields[i]);
  while ((predicate = next_predicate (parser->names->modality, predicate)) != NULL)
    g_ptr_array_add (known, (gpointer) predicate->name);
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    g_ptr_array_add (known, (gpointer) roots[i].name);
  g_ptr_array_add (known, NULL);
  hint = clq_did_you_mean (field, (const char *const *) known->pdata);
  clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_UNKNOWN_KEY, "unknown name '%s'%s", field, hint);
  return FALSE;
}

static guint32
make_event (Parser *parser, const char *rest)
{
  ClqEventPart part = CLQ_PART_PAYLOAD;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strcmp (rest, parts[i].name) == 0)
      part = parts[i].part;
  parser->guard->reads_event = TRUE;
  return add (parser, CLQ_GUARD_EVENT, part, 0, g_strdup (rest));
}

static guint32
make_root (Parser *parser, ClqGuardOp op, const char *name, const char *rest)
{
  if (op == CLQ_GUARD_SCHEDULE)
    return add (parser, op, 0, 0, g_strdup (rest));
  if (op == CLQ_GUARD_EVENT && rest != NULL)
    return make_event (parser, rest);
  if (op == CLQ_GUARD_EVENT)
    return clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_SYNTAX,
                                 "'event' alone is no value; expected a part of it, for example event.text");
  if (rest != NULL)
    return clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_SYNTAX,
                                 "'%s' has no part '%s'; expected '%s' alone", name, rest, name);
  return add (parser, op, 0, 0, NULL);
}

/* A name: the engine's, a predicate of the modality, or a path into the data. */
static guint32
make_name (Parser *parser, const char *path)
{
  const ClqModalityInfo *modality = parser->names != NULL ? parser->names->modality : NULL;
  const char *dot = strchr (path, '.');
  g_autofree char *first = dot != NULL ? g_strndup (path, dot - path) : g_strdup (path);
  const ClqPredicate *predicate;
  guint32 node;

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    if (strcmp (first, roots[i].name) == 0)
      return make_root (parser, roots[i].op, first, dot != NULL ? dot + 1 : NULL);
  predicate = dot == NULL ? find_predicate (modality, path) : NULL;
  if (predicate != NULL)
    {
      node = add (parser, CLQ_GUARD_PREDICATE, 0, 0, NULL);
      get (parser, node)->predicate = predicate;
      if (!predicate->ignores_event)
        parser->guard->reads_event = TRUE;
      return node;
    }
  if (!check_field (parser, first))
    return 0;
  return add (parser, CLQ_GUARD_DATA, 0, 0, g_strdup (path));
}

static guint32
make_has (Parser *parser, const char *path)
{
  guint32 node = make_name (parser, path);

  if (node != 0 && get (parser, node)->op == CLQ_GUARD_PREDICATE)
    return clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_SYNTAX,
                                 "'%s' is a predicate; expected it without has ()", path);
  return node != 0 ? add (parser, CLQ_GUARD_HAS, 0, node, NULL) : 0;
}

static guint32
make_visits (Parser *parser, const char *state)
{
  const char *const *states = parser->names != NULL ? parser->names->states : NULL;
  g_autofree char *hint = NULL;

  if (states == NULL || g_strv_contains (states, state))
    return add (parser, CLQ_GUARD_VISITS, 0, 0, g_strdup (state));
  hint = clq_did_you_mean (state, states);
  return clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_UNKNOWN_NODE, "unknown state '%s'%s", state, hint);
}

/* NAME (ARGUMENT); the lexer stands at the opening parenthesis. */
static guint32
parse_function (Parser *parser, const char *name)
{
  static const char *const functions[] = { "has", "visits", NULL };
  gboolean is_has = strcmp (name, "has") == 0;
  g_autofree char *hint = NULL;
  guint32 node;

  if (!g_strv_contains (functions, name))
    {
      hint = clq_did_you_mean (name, functions);
      return clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_SYNTAX, "unknown function '%s'%s", name, hint);
    }
  clq_guard_lexer_next (&parser->lexer);
  if (parser->lexer.token != CLQ_TOKEN_NAME)
    return clq_guard_lexer_expected (&parser->lexer, is_has ? "a path" : "the name of a state");
  node = is_has ? make_has (parser, parser->lexer.text) : make_visits (parser, parser->lexer.text);
  if (node == 0)
    return 0;
  clq_guard_lexer_next (&parser->lexer);
  if (parser->lexer.token != CLQ_TOKEN_CLOSE)
    return clq_guard_lexer_expected (&parser->lexer, "')'");
  clq_guard_lexer_next (&parser->lexer);
  return node;
}

static guint32
make_constant (Parser *parser, ClqJsonType type, double number, char *text)
{
  guint32 node = add (parser, CLQ_GUARD_CONSTANT, type, 0, text);

  get (parser, node)->number = number;
  clq_guard_lexer_next (&parser->lexer);
  return node;
}

static guint32
parse_word (Parser *parser)
{
  g_autofree char *name = g_strdup (parser->lexer.text);
  ClqGuardLexer after = parser->lexer;
  guint32 node;

  if (strcmp (name, "true") == 0 || strcmp (name, "false") == 0)
    return make_constant (parser, CLQ_JSON_BOOL, name[0] == 't', NULL);
  if (strcmp (name, "null") == 0)
    return make_constant (parser, CLQ_JSON_NULL, 0, NULL);
  if (strcmp (name, "and") == 0 || strcmp (name, "or") == 0 || strcmp (name, "not") == 0)
    return clq_guard_lexer_expected (&parser->lexer, "a value");
  if (clq_guard_lexer_peek (&after) == '(')
    {
      /* Unknown functions are reported where their name stands. */
      gsize start = parser->lexer.start;

      clq_guard_lexer_next (&parser->lexer);
      parser->lexer.start = start;
      return parse_function (parser, name);
    }
  node = make_name (parser, name);
  if (node != 0)
    clq_guard_lexer_next (&parser->lexer);
  return node;
}

static gboolean
enter (Parser *parser)
{
  if (++parser->depth <= MAX_DEPTH)
    return TRUE;
  clq_guard_lexer_fail (&parser->lexer, CLQ_GRAPH_ERROR_SYNTAX, "nested too deep; expected at most %d levels", MAX_DEPTH);
  return FALSE;
}

static guint32
parse_operand (Parser *parser)
{
  guint32 node;

  switch (parser->lexer.token)
    {
    case CLQ_TOKEN_NUMBER:
      return make_constant (parser, CLQ_JSON_NUMBER, parser->lexer.number, NULL);
    case CLQ_TOKEN_STRING:
      return make_constant (parser, CLQ_JSON_STRING, 0, g_strdup (parser->lexer.text));
    case CLQ_TOKEN_NAME:
      return parse_word (parser);
    case CLQ_TOKEN_OPEN:
      if (!enter (parser))
        return 0;
      clq_guard_lexer_next (&parser->lexer);
      node = parse_or (parser);
      if (node == 0)
        return 0;
      if (parser->lexer.token != CLQ_TOKEN_CLOSE)
        return clq_guard_lexer_expected (&parser->lexer, "')'");
      parser->depth--;
      clq_guard_lexer_next (&parser->lexer);
      return node;
    case CLQ_TOKEN_END:
    case CLQ_TOKEN_CLOSE:
    case CLQ_TOKEN_COMPARE:
    case CLQ_TOKEN_BAD:
    default:
      return clq_guard_lexer_expected (&parser->lexer, "a value");
    }
}

static guint32
parse_comparison (Parser *parser)
{
  guint32 left = parse_operand (parser), right;
  guint8 how;

  if (left == 0 || parser->lexer.token != CLQ_TOKEN_COMPARE)
    return left;
  how = parser->lexer.compare;
  clq_guard_lexer_next (&parser->lexer);
  right = parse_operand (parser);
  if (right == 0)
    return 0;
  get (parser, left)->next = right;
  return add (parser, CLQ_GUARD_COMPARE, how, left, NULL);
}

static guint32
parse_not (Parser *parser)
{
  guint32 node;

  if (!clq_guard_lexer_is_word (&parser->lexer, "not"))
    return parse_comparison (parser);
  if (!enter (parser))
    return 0;
  clq_guard_lexer_next (&parser->lexer);
  node = parse_not (parser);
  parser->depth--;
  return node != 0 ? add (parser, CLQ_GUARD_NOT, 0, node, NULL) : 0;
}

/* Operands with the same word between them. */
static guint32
parse_list (Parser *parser, ClqGuardOp op, const char *word, guint32 (*parse) (Parser *parser))
{
  guint32 first = parse (parser), last = first;

  if (first == 0 || !clq_guard_lexer_is_word (&parser->lexer, word))
    return first;
  while (clq_guard_lexer_is_word (&parser->lexer, word))
    {
      guint32 node;

      clq_guard_lexer_next (&parser->lexer);
      node = parse (parser);
      if (node == 0)
        return 0;
      get (parser, last)->next = node;
      last = node;
    }
  return add (parser, op, 0, first, NULL);
}

static guint32
parse_and (Parser *parser)
{
  return parse_list (parser, CLQ_GUARD_AND, "and", parse_not);
}

static guint32
parse_or (Parser *parser)
{
  return parse_list (parser, CLQ_GUARD_OR, "or", parse_and);
}

/**
 * clq_guard_parse:
 * @text: a guard, for example `failures >= 3 and not has(schedule)`
 * @names: (nullable): the names it may use; %NULL checks none
 * @error: return location
 *
 * Compiles a guard.
 *
 *     or      := and { "or" and }
 *     and     := not { "and" not }
 *     not     := "not" not | compare
 *     compare := value [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) value ]
 *     value   := NUMBER | STRING | "true" | "false" | "null" | PATH | PREDICATE
 *              | "has" "(" PATH ")" | "visits" "(" STATE ")" | "(" or ")"
 *
 * The first element of a path says where it leads: `event` to the event and its payload, `schedule` to the schedule,
 * anything else into the data. `state`, `hops`, `turns-here`, `questions` (how many are open) and `nextRunAt`
 * (microseconds since 1970) are the engine's.
 *
 * Returns: (transfer full) (nullable): the guard, or %NULL with @error set
 */
ClqGuard *
clq_guard_parse (const char *text, const ClqGuardNames *names, GError **error)
{
  Parser parser = { .names = names };
  g_autoptr (ClqGuard) guard = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, CLQ_GRAPH_ERROR, CLQ_GRAPH_ERROR_SYNTAX, "guard: the text is not valid UTF-8");
      return NULL;
    }
  guard = g_new0 (ClqGuard, 1);
  guard->text = g_strdup (text);
  guard->nodes = g_array_new (FALSE, TRUE, sizeof (ClqGuardNode));
  g_array_set_size (guard->nodes, 1);
  parser.guard = guard;
  clq_guard_lexer_init (&parser.lexer, guard->text);
  clq_guard_lexer_next (&parser.lexer);
  guard->root = parse_or (&parser);
  if (guard->root != 0 && parser.lexer.token != CLQ_TOKEN_END)
    guard->root = clq_guard_lexer_expected (&parser.lexer, "'and', 'or' or the end");
  if (guard->root == 0)
    g_propagate_error (error, g_steal_pointer (&parser.lexer.error));
  clq_guard_lexer_clear (&parser.lexer);
  return guard->root != 0 ? g_steal_pointer (&guard) : NULL;
}
