#define G_LOG_DOMAIN "clq-graph"

#include "clq-guard.h"
#include "clq-guard-private.h"

#include <string.h>

/* A value on its way through a guard. It borrows its text. */
typedef struct
{
  ClqJsonType type; /* CLQ_JSON_NONE = not known before the event comes; nothing there is CLQ_JSON_NULL */
  double number;    /* of a boolean: 0 or 1 */
  const char *text;
  gsize length;
  gboolean escaped; /* the text is JSON's, with escapes */
} Value;

typedef struct
{
  const ClqGuard *guard;
  ClqView *view; /* NULL = nothing is known but the state */
  const ClqEvent *event;
  gpointer modality;
  const char *state;
} Evaluation;

static const Value unknown = { .type = CLQ_JSON_NONE };
static const Value nothing = { .type = CLQ_JSON_NULL };

/**
 * clq_guard_free:
 * @self: (nullable): a guard
 *
 * Frees a guard.
 */
void
clq_guard_free (ClqGuard *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->nodes != NULL && i < self->nodes->len; i++)
    g_free (g_array_index (self->nodes, ClqGuardNode, i).text);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_free (self->text);
  g_free (self);
}

/**
 * clq_guard_get_text:
 * @self: a guard
 *
 * Returns: (transfer none): the guard as it was written
 */
const char *
clq_guard_get_text (const ClqGuard *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

/**
 * clq_guard_reads_event:
 * @self: a guard
 *
 * Returns: whether the event may decide it
 */
gboolean
clq_guard_reads_event (const ClqGuard *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->reads_event;
}

static Value
number_value (double number)
{
  return (Value){ .type = CLQ_JSON_NUMBER, .number = number };
}

static Value
truth_value (ClqTruth truth)
{
  if (truth == CLQ_MAYBE)
    return unknown;
  return (Value){ .type = CLQ_JSON_BOOL, .number = truth == CLQ_TRUE };
}

static Value
string_value (const char *text)
{
  if (text == NULL)
    return nothing;
  return (Value){ .type = CLQ_JSON_STRING, .text = text, .length = strlen (text) };
}

static Value
span_value (const ClqJsonSpan *span)
{
  Value value = { .type = span->type };

  switch (span->type)
    {
    case CLQ_JSON_BOOL:
      value.number = clq_json_span_is_true (span);
      break;
    case CLQ_JSON_NUMBER:
      value.number = clq_json_span_get_double (span);
      break;
    case CLQ_JSON_STRING:
      value.text = span->start + 1;
      value.length = span->length - 2;
      value.escaped = memchr (value.text, '\\', value.length) != NULL;
      break;
    case CLQ_JSON_ARRAY:
    case CLQ_JSON_OBJECT:
      /* Only its being there counts, and whether something is in it. */
      {
        ClqJsonSpan key, child;
        ClqJsonIter iter;

        value.number = clq_json_iter_init (&iter, span) && clq_json_iter_next (&iter, &key, &child);
      }
      break;
    case CLQ_JSON_NONE:
    case CLQ_JSON_NULL:
    default:
      value.type = CLQ_JSON_NULL;
    }
  return value;
}

static Value
find_value (const char *json, const char *path)
{
  ClqJsonSpan span;

  if (json == NULL)
    return nothing;
  span = clq_json_find (json, -1, path);
  return span_value (&span);
}

static double
count_open_questions (const char *questions)
{
  ClqJsonSpan list = clq_json_span (questions, -1), key, question;
  ClqJsonIter iter;
  guint n = 0;

  if (list.type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, &list))
    return 0;
  while (clq_json_iter_next (&iter, &key, &question))
    n += clq_json_find (question.start, question.length, "answer").type == CLQ_JSON_NONE;
  return n;
}

static const char *
get_part (const ClqEvent *event, ClqEventPart part)
{
  static const char *const kinds[] = { "action", "outcome", "timer" };
  const GError *error = clq_event_get_error (event);

  switch (part)
    {
    case CLQ_PART_NAME:
      return clq_event_get_name (event);
    case CLQ_PART_KIND:
      return kinds[MIN ((guint) clq_event_get_kind (event), G_N_ELEMENTS (kinds) - 1)];
    case CLQ_PART_TEXT:
      return clq_event_get_text (event);
    case CLQ_PART_ROLE:
      return clq_event_get_role (event) != CLQ_ROLE_NONE ? clq_role_to_string (clq_event_get_role (event)) : NULL;
    case CLQ_PART_ACTOR:
      return clq_event_get_actor (event);
    case CLQ_PART_CLASS:
      return error != NULL ? clq_failure_to_string (clq_failure_of (error)) : NULL;
    case CLQ_PART_MESSAGE:
      return error != NULL ? error->message : NULL;
    case CLQ_PART_PARTIAL:
      return clq_event_get_partial (event);
    case CLQ_PART_PAYLOAD:
    default:
      return NULL;
    }
}

/* What the engine knows of the event comes first; what it does not, its payload may say. */
static Value
event_value (const ClqEvent *event, const ClqGuardNode *node)
{
  const char *part = get_part (event, node->detail);

  if (part != NULL)
    return string_value (part);
  return find_value (clq_event_get_payload (event), node->text);
}

static Value
constant_value (const ClqGuardNode *node)
{
  if (node->detail == CLQ_JSON_STRING)
    return string_value (node->text);
  return (Value){ .type = node->detail, .number = node->number };
}

static Value
leaf_value (const Evaluation *now, const ClqGuardNode *node)
{
  const ClqHead *head;

  if (now->view == NULL && node->op != CLQ_GUARD_CONSTANT && node->op != CLQ_GUARD_STATE)
    return unknown;
  head = now->view != NULL ? now->view->head : NULL;
  switch ((ClqGuardOp) node->op)
    {
    case CLQ_GUARD_CONSTANT:
      return constant_value (node);
    case CLQ_GUARD_PREDICATE:
      if (now->event == NULL && !node->predicate->ignores_event)
        return unknown;
      return truth_value (node->predicate->test (now->modality, now->view, now->event) ? CLQ_TRUE : CLQ_FALSE);
    case CLQ_GUARD_VISITS:
      return number_value (head != NULL ? clq_view_get_visits (now->view, node->text) : 0);
    case CLQ_GUARD_TURNS_HERE:
      return number_value (now->view->turns_here);
    case CLQ_GUARD_HOPS:
      return number_value (head != NULL ? head->hops : 0);
    case CLQ_GUARD_STATE:
      return string_value (now->state);
    case CLQ_GUARD_QUESTIONS:
      return number_value (count_open_questions (now->view->questions));
    case CLQ_GUARD_NEXT_RUN:
      return now->view->next_run != 0 ? number_value (now->view->next_run) : nothing;
    case CLQ_GUARD_SCHEDULE:
      return find_value (now->view->schedule, node->text);
    case CLQ_GUARD_DATA:
      return find_value (now->view->data, node->text);
    case CLQ_GUARD_EVENT:
      return now->event != NULL ? event_value (now->event, node) : unknown;
    case CLQ_GUARD_OR:
    case CLQ_GUARD_AND:
    case CLQ_GUARD_NOT:
    case CLQ_GUARD_COMPARE:
    case CLQ_GUARD_HAS:
    default:
      g_return_val_if_reached (nothing);
    }
}

static ClqTruth
truth_of (const Value *value)
{
  switch (value->type)
    {
    case CLQ_JSON_NONE:
      return CLQ_MAYBE;
    case CLQ_JSON_STRING:
      return value->length > 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_JSON_BOOL:
    case CLQ_JSON_NUMBER:
    case CLQ_JSON_ARRAY:
    case CLQ_JSON_OBJECT:
      return value->number != 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_JSON_NULL:
    default:
      return CLQ_FALSE;
    }
}

/* Replaces JSON's spelling by the characters; few strings have escapes, so this is the only place that copies. */
static char *
resolve_escapes (Value *value)
{
  ClqJsonSpan span = { CLQ_JSON_STRING, value->text - 1, value->length + 2 };
  char *plain = value->escaped ? clq_json_span_dup_string (&span) : NULL;

  if (plain != NULL)
    {
      value->text = plain;
      value->length = strlen (plain);
    }
  return plain;
}

static int
order_strings (Value left, Value right)
{
  g_autofree char *one = resolve_escapes (&left);
  g_autofree char *two = resolve_escapes (&right);
  int order = memcmp (left.text, right.text, MIN (left.length, right.length));

  if (order != 0)
    return order;
  return left.length < right.length ? -1 : left.length > right.length;
}

static ClqTruth
compare (ClqCompare how, const Value *left, const Value *right)
{
  gboolean ordered = left->type == CLQ_JSON_NUMBER || left->type == CLQ_JSON_STRING;
  int order;

  if (left->type == CLQ_JSON_NONE || right->type == CLQ_JSON_NONE)
    return CLQ_MAYBE;
  /* Arrays and objects are equal to nothing. */
  if (left->type != right->type || left->type == CLQ_JSON_ARRAY || left->type == CLQ_JSON_OBJECT)
    return how == CLQ_COMPARE_DIFFERENT ? CLQ_TRUE : CLQ_FALSE;
  if (!ordered && how != CLQ_COMPARE_EQUAL && how != CLQ_COMPARE_DIFFERENT)
    return CLQ_FALSE;
  if (left->type == CLQ_JSON_STRING)
    order = order_strings (*left, *right);
  else
    order = left->number < right->number ? -1 : left->number > right->number;

  switch (how)
    {
    case CLQ_COMPARE_EQUAL:
      return order == 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_COMPARE_DIFFERENT:
      return order != 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_COMPARE_LESS:
      return order < 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_COMPARE_LESS_OR_EQUAL:
      return order <= 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_COMPARE_GREATER:
      return order > 0 ? CLQ_TRUE : CLQ_FALSE;
    case CLQ_COMPARE_GREATER_OR_EQUAL:
    default:
      return order >= 0 ? CLQ_TRUE : CLQ_FALSE;
    }
}

static Value evaluate (const Evaluation *now, guint32 index);

/* Kleene's logic: a part that is not known yet matters only if the others do not decide. */
static ClqTruth
evaluate_list (const Evaluation *now, guint32 first, ClqTruth decides)
{
  ClqTruth result = decides == CLQ_TRUE ? CLQ_FALSE : CLQ_TRUE;

  for (guint32 i = first; i != 0; i = g_array_index (now->guard->nodes, ClqGuardNode, i).next)
    {
      Value value = evaluate (now, i);
      ClqTruth truth = truth_of (&value);

      if (truth == decides)
        return decides;
      if (truth == CLQ_MAYBE)
        result = CLQ_MAYBE;
    }
  return result;
}

static ClqTruth
evaluate_has (const Evaluation *now, guint32 index)
{
  const ClqGuardNode *node = &g_array_index (now->guard->nodes, ClqGuardNode, index);
  Value value = evaluate (now, index);

  if (value.type == CLQ_JSON_NONE)
    return CLQ_MAYBE;
  if (node->op == CLQ_GUARD_QUESTIONS)
    return value.number > 0 ? CLQ_TRUE : CLQ_FALSE;
  return value.type != CLQ_JSON_NULL ? CLQ_TRUE : CLQ_FALSE;
}

/* The parser limits the depth. */
static Value
evaluate (const Evaluation *now, guint32 index)
{
  const ClqGuardNode *node = &g_array_index (now->guard->nodes, ClqGuardNode, index);
  Value left, right;
  ClqTruth truth;

  switch ((ClqGuardOp) node->op)
    {
    case CLQ_GUARD_OR:
      return truth_value (evaluate_list (now, node->first, CLQ_TRUE));
    case CLQ_GUARD_AND:
      return truth_value (evaluate_list (now, node->first, CLQ_FALSE));
    case CLQ_GUARD_NOT:
      left = evaluate (now, node->first);
      truth = truth_of (&left);
      return truth_value (truth == CLQ_MAYBE ? CLQ_MAYBE : truth == CLQ_TRUE ? CLQ_FALSE
                                                                             : CLQ_TRUE);
    case CLQ_GUARD_COMPARE:
      left = evaluate (now, node->first);
      right = evaluate (now, g_array_index (now->guard->nodes, ClqGuardNode, node->first).next);
      return truth_value (compare (node->detail, &left, &right));
    case CLQ_GUARD_HAS:
      return truth_value (evaluate_has (now, node->first));
    case CLQ_GUARD_CONSTANT:
    case CLQ_GUARD_PREDICATE:
    case CLQ_GUARD_VISITS:
    case CLQ_GUARD_TURNS_HERE:
    case CLQ_GUARD_HOPS:
    case CLQ_GUARD_STATE:
    case CLQ_GUARD_QUESTIONS:
    case CLQ_GUARD_NEXT_RUN:
    case CLQ_GUARD_SCHEDULE:
    case CLQ_GUARD_DATA:
    case CLQ_GUARD_EVENT:
    default:
      return leaf_value (now, node);
    }
}

/**
 * clq_guard_eval:
 * @self: a guard
 * @view: the session
 * @event: (nullable): the event, or %NULL to ask what could be
 * @modality: (nullable): the instance of the modality, for its predicates
 *
 * Decides a guard. It always has an answer: what is not there is null, and values of different types are different.
 *
 * Returns: whether it holds; %CLQ_MAYBE only if @event is %NULL and decides it
 */
ClqTruth
clq_guard_eval (const ClqGuard *self, ClqView *view, const ClqEvent *event, gpointer modality)
{
  Evaluation now = { self, view, event, modality, NULL };
  Value value;

  g_return_val_if_fail (self != NULL && view != NULL, CLQ_FALSE);

  now.state = view->state;
  value = evaluate (&now, self->root);
  return truth_of (&value);
}

/**
 * clq_guard_eval_in_state:
 * @self: a guard
 * @state: the name of a state
 *
 * Decides a guard as far as the state alone does; whatever else it reads may be anything, at each place where it is read.
 *
 * Returns: whether it holds in the state: always, never or %CLQ_MAYBE
 */
ClqTruth
clq_guard_eval_in_state (const ClqGuard *self, const char *state)
{
  Evaluation now = { .guard = self, .state = state };
  Value value;

  g_return_val_if_fail (self != NULL && state != NULL, CLQ_MAYBE);

  value = evaluate (&now, self->root);
  return truth_of (&value);
}

/**
 * clq_guard_counts:
 * @self: a guard
 *
 * Returns: whether it reads how often something happened: `visits ()`, `hops` or `turns-here`
 */
gboolean
clq_guard_counts (const ClqGuard *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  for (guint i = 1; i < self->nodes->len; i++)
    {
      guint8 op = g_array_index (self->nodes, ClqGuardNode, i).op;

      if (op == CLQ_GUARD_VISITS || op == CLQ_GUARD_HOPS || op == CLQ_GUARD_TURNS_HERE)
        return TRUE;
    }
  return FALSE;
}
