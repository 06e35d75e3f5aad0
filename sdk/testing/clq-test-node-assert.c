#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

#include <string.h>

/* ---- what came of it ---- */

/**
 * clq_test_node_get_outcome:
 * @self: a test
 *
 * Returns: (transfer none) (nullable): the outcome of the last visit, if it has finished
 */
const char *
clq_test_node_get_outcome (ClqTestNode *self)
{
  return self->outcome;
}

/**
 * clq_test_node_get_payload:
 * @self: a test
 *
 * Returns: (transfer none) (nullable): the payload of the outcome
 */
const char *
clq_test_node_get_payload (ClqTestNode *self)
{
  return self->payload;
}

/**
 * clq_test_node_get_error:
 * @self: a test
 *
 * Returns: (transfer none) (nullable): why the last visit failed
 */
const GError *
clq_test_node_get_error (ClqTestNode *self)
{
  return self->error;
}

/**
 * clq_test_node_get_said:
 * @self: a test
 *
 * Returns: (transfer none) (nullable): what the visit has said, so far or in all
 */
const char *
clq_test_node_get_said (ClqTestNode *self)
{
  if (self->visit == NULL)
    return self->said;
  return self->visit->visit.said != NULL ? self->visit->visit.said->str : NULL;
}

/**
 * clq_test_node_get_pieces:
 * @self: a test
 *
 * Returns: (transfer none): what the visit has said, with a `|` between two pieces
 */
const char *
clq_test_node_get_pieces (ClqTestNode *self)
{
  return self->pieces->str;
}

/**
 * clq_test_node_get_progress:
 * @self: a test
 *
 * Returns: (transfer none): a line for each word on progress: the fraction with two digits, and the text
 */
const char *
clq_test_node_get_progress (ClqTestNode *self)
{
  return self->progress->str;
}

/**
 * clq_test_node_get_written:
 * @self: a test
 *
 * What the outcome wrote, a line for each thing, in order: `set PATH JSON`, `unset PATH`, `record TYPE ROLE JSON`,
 * `ask JSON`, `clear-questions`, `schedule NEXT-RUN JSON`, `clear-schedule`, `deadline NAME AT`, `clear-deadline NAME`,
 * `mark NAME`, `drop-mark NAME`, `fork`, `go-to-mark NAME`, `go-to-record SEQ`, `title TEXT`, `reason TEXT`,
 * `result JSON`, `notify JSON`, `warn TEXT`. A visit that has not finished has written nothing.
 *
 * Returns: (transfer none): the lines
 */
const char *
clq_test_node_get_written (ClqTestNode *self)
{
  return self->written->str;
}

/**
 * clq_test_node_get_data:
 * @self: a test
 *
 * Returns: (transfer none): the session's data, with what finished visits have set
 */
const char *
clq_test_node_get_data (ClqTestNode *self)
{
  return self->data;
}

/**
 * clq_test_node_get_question:
 * @self: a test
 * @prompt: the text of a question
 *
 * Returns: (transfer none) (nullable): the question with this text that the visit or its outcome has asked, as JSON
 */
const char *
clq_test_node_get_question (ClqTestNode *self, const char *prompt)
{
  for (guint i = 0; i < self->questions->len; i++)
    {
      const char *question = g_ptr_array_index (self->questions, i);
      ClqJsonSpan text = clq_json_find (question, -1, "prompt");

      if (clq_json_span_string_equal (&text, prompt))
        return question;
    }
  return NULL;
}

/**
 * clq_test_node_get_calls:
 * @self: a test
 *
 * The calls to agents and tools in all attempts of the visit, a line `KEY NAME` for each one that was made, in the order
 * in which they started, and a line `KEY rejected: WHY` for each answer that the node rejected.
 *
 * Returns: (transfer none): the lines
 */
const char *
clq_test_node_get_calls (ClqTestNode *self)
{
  return self->calls->str;
}

/**
 * clq_test_node_get_request:
 * @self: a test
 * @key: the key of a call of the visit
 *
 * Returns: (transfer none) (nullable): what was asked in the last call with this key
 */
const char *
clq_test_node_get_request (ClqTestNode *self, const char *key)
{
  return g_hash_table_lookup (self->requests, key);
}

/**
 * clq_test_node_get_usage:
 * @self: a test
 * @tokens_in: (out) (optional): tokens of the requests
 * @tokens_out: (out) (optional): tokens of the answers
 * @cost: (out) (optional): money
 *
 * What the answers of the visit's calls cost together.
 */
void
clq_test_node_get_usage (ClqTestNode *self, guint64 *tokens_in, guint64 *tokens_out, double *cost)
{
  if (tokens_in != NULL)
    *tokens_in = self->tokens_in;
  if (tokens_out != NULL)
    *tokens_out = self->tokens_out;
  if (cost != NULL)
    *cost = self->cost;
}

/* ---- what was expected ---- */

static char *
describe (ClqTestNode *self)
{
  switch (self->end)
    {
    case TEST_RUNNING:
      return g_strdup_printf ("the visit still runs; calls: %s", *self->calls->str != '\0' ? self->calls->str : "none");
    case TEST_FINISHED:
      return g_strdup_printf ("the visit finished with '%s'", self->outcome);
    case TEST_FAILED:
      return g_strdup_printf ("the visit failed as %s: %s", clq_failure_to_string (clq_failure_of (self->error)), self->error->message);
    case TEST_CANCELLED:
      return g_strdup ("the visit was cancelled");
    default:
      return g_strdup ("the node was never entered");
    }
}

static void fail (const char *file, int line, const char *func, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* Fails the test; that ends it, unless it says that assertions shall not. */
static void
fail (const char *file, int line, const char *func, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_assertion_message (G_LOG_DOMAIN, file, line, func, message);
}

static gboolean
is_same_json (const char *a, const char *b)
{
  g_autoptr (JsonNode) one = clq_json_parse (a, -1, NULL);
  g_autoptr (JsonNode) other = clq_json_parse (b, -1, NULL);

  return one != NULL && other != NULL && json_node_equal (one, other);
}

/**
 * clq_test_node_check_outcome:
 * @self: a test
 * @outcome: what is expected
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the visit has finished with @outcome. Tests use clq_test_node_assert_outcome ().
 */
void
clq_test_node_check_outcome (ClqTestNode *self, const char *outcome, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_FINISHED || g_strcmp0 (self->outcome, outcome) != 0)
    fail (file, line, func, "%s; expected outcome '%s'", found, outcome);
}

/**
 * clq_test_node_check_failed:
 * @self: a test
 * @failure: the expected kind of failure
 * @message: (nullable): the expected text; %NULL = any
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the visit has failed like this. Tests use clq_test_node_assert_failed ().
 */
void
clq_test_node_check_failed (ClqTestNode *self, ClqFailure failure, const char *message, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_FAILED || clq_failure_of (self->error) != failure || (message != NULL && strcmp (self->error->message, message) != 0))
    fail (file, line, func, "%s; expected failure as %s: %s", found, clq_failure_to_string (failure), message != NULL ? message : "(any)");
}

/**
 * clq_test_node_check_running:
 * @self: a test
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the visit waits for something. Tests use clq_test_node_assert_running ().
 */
void
clq_test_node_check_running (ClqTestNode *self, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_RUNNING)
    fail (file, line, func, "%s; expected it to run", found);
}

/**
 * clq_test_node_check_said:
 * @self: a test
 * @text: (nullable): what is expected; %NULL = nothing
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the visit has said @text. Tests use clq_test_node_assert_said ().
 */
void
clq_test_node_check_said (ClqTestNode *self, const char *text, const char *file, int line, const char *func)
{
  const char *said = clq_test_node_get_said (self);

  if (g_strcmp0 (said, text) != 0)
    fail (file, line, func, "the visit said %s%s%s; expected %s%s%s", said != NULL ? "'" : "", said != NULL ? said : "nothing",
          said != NULL ? "'" : "", text != NULL ? "'" : "", text != NULL ? text : "nothing", text != NULL ? "'" : "");
}

/**
 * clq_test_node_check_set:
 * @self: a test
 * @path: a path into the data
 * @json: (nullable): the value that is expected there; %NULL = the path is not set
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the outcome sets @path to @json. Tests use clq_test_node_assert_set ().
 */
void
clq_test_node_check_set (ClqTestNode *self, const char *path, const char *json, const char *file, int line, const char *func)
{
  const char *found = NULL;

  for (guint i = 0; self->change != NULL && i < clq_change_get_n_ops (self->change); i++)
    {
      const ClqOp *op = clq_change_get_op (self->change, i);

      if ((op->type == CLQ_OP_SET || op->type == CLQ_OP_UNSET) && g_strcmp0 (clq_change_get_string (self->change, op->name), path) == 0)
        found = op->type == CLQ_OP_SET ? clq_change_get_string (self->change, op->value) : NULL;
    }
  if (found == NULL && json == NULL)
    return;
  if (found == NULL || json == NULL || !is_same_json (found, json))
    fail (file, line, func, "'%s' is set to %s; expected %s", path, found != NULL ? found : "nothing", json != NULL ? json : "nothing");
}

/**
 * clq_test_node_check_wrote:
 * @self: a test
 * @text: a line, as clq_test_node_get_written () has it
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the outcome wrote @text. Tests use clq_test_node_assert_wrote ().
 */
void
clq_test_node_check_wrote (ClqTestNode *self, const char *text, const char *file, int line, const char *func)
{
  g_auto (GStrv) lines = g_strsplit (self->written->str, "\n", -1);

  if (!g_strv_contains ((const char *const *) lines, text))
    fail (file, line, func, "the outcome wrote:\n%s; expected a line: %s", self->written->str, text);
}

/**
 * clq_test_node_check_asked:
 * @self: a test
 * @prompt: (nullable): the text of a question; %NULL = none is asked
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless a person is asked @prompt, by the visit or by its outcome. Tests use
 * clq_test_node_assert_asked ().
 */
void
clq_test_node_check_asked (ClqTestNode *self, const char *prompt, const char *file, int line, const char *func)
{
  const char *first = self->questions->len > 0 ? g_ptr_array_index (self->questions, 0) : "nothing";

  if (prompt == NULL ? self->questions->len > 0 : clq_test_node_get_question (self, prompt) == NULL)
    fail (file, line, func, "people are asked %s (%u in all); expected %s", first, self->questions->len, prompt != NULL ? prompt : "nothing");
}

/**
 * clq_test_node_check_payload:
 * @self: a test
 * @json: (nullable): the expected payload of the outcome; %NULL = none
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test unless the outcome has this payload. Tests use clq_test_node_assert_payload ().
 */
void
clq_test_node_check_payload (ClqTestNode *self, const char *json, const char *file, int line, const char *func)
{
  if (self->payload == NULL && json == NULL)
    return;
  if (self->payload == NULL || json == NULL || !is_same_json (self->payload, json))
    fail (file, line, func, "the payload is %s; expected %s", self->payload != NULL ? self->payload : "nothing", json != NULL ? json : "nothing");
}

/**
 * clq_test_node_check_released:
 * @self: a test
 * @file: of the test
 * @line: of the test
 * @func: of the test
 *
 * Fails the test if anybody still holds a visit or a call. Tests use clq_test_node_assert_released ().
 */
void
clq_test_node_check_released (ClqTestNode *self, const char *file, int line, const char *func)
{
  if (self->n_held > 0)
    fail (file, line, func, "%u visits or calls are still held; expected none", self->n_held);
}
