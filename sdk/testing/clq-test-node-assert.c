#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

#include <string.h>

#include "clq-test-change.h"

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
  return self->said->len > 0 ? self->said->str : NULL;
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
 * `result JSON`, `notify JSON`, `warn TEXT`, `go-back N`, `include NAME HOW`, `compare NAME`. A visit that has not finished
 * has written nothing.
 *
 * Returns: (transfer none): the lines; valid until another getter is called
 */
const char *
clq_test_node_get_written (ClqTestNode *self)
{
  g_string_truncate (self->answer, 0);
  test_change_print (self->change, self->answer);
  return self->answer->str;
}

/**
 * clq_test_node_get_data:
 * @self: a test
 *
 * Returns: (transfer none): the session's data, with what finished visits have set; valid until something happens
 */
const char *
clq_test_node_get_data (ClqTestNode *self)
{
  if (self->data != NULL)
    return self->data;
  return self->session != NULL ? clq_session_get_data (self->session) : "{}";
}

/* How many questions are open; the one with the text @prompt, or any if that is NULL, is put into the answer. */
static guint
find_question (ClqTestNode *self, const char *prompt, gboolean *found)
{
  g_autofree char *questions = self->session != NULL ? clq_session_dup_questions (self->session) : g_strdup ("[]");
  ClqJsonSpan list = clq_json_span (questions, -1), question;
  ClqJsonIter iter;
  guint n = 0;

  *found = FALSE;
  clq_json_iter_init (&iter, &list);
  for (; clq_json_iter_next (&iter, NULL, &question); n++)
    {
      ClqJsonSpan text = clq_json_find (question.start, (gssize) question.length, "prompt");

      if (*found || (prompt != NULL && !clq_json_span_string_equal (&text, prompt)))
        continue;
      *found = TRUE;
      g_string_truncate (self->answer, 0);
      g_string_append_len (self->answer, question.start, (gssize) question.length);
    }
  return n;
}

/**
 * clq_test_node_get_question:
 * @self: a test
 * @prompt: the text of a question
 *
 * Returns: (transfer none) (nullable): the question with this text that waits for an answer, as JSON; valid until another
 *   getter is called
 */
const char *
clq_test_node_get_question (ClqTestNode *self, const char *prompt)
{
  gboolean found;

  find_question (self, prompt, &found);
  return found ? self->answer->str : NULL;
}

static void
on_calls (GPtrArray *records, const GError *error, gpointer user_data)
{
  GString *out = user_data;

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    {
      const char *body = clq_record_get_body (g_ptr_array_index (records, i), NULL);
      g_autofree char *key = clq_json_find_string (body, "key");
      g_autofree char *why = clq_json_find_string (body, "rejected");

      if (why != NULL)
        g_string_append_printf (out, "%s rejected: %s\n", key, why);
    }
}

/**
 * clq_test_node_get_calls:
 * @self: a test
 *
 * The calls to agents and tools in all attempts of the visit: a line `KEY NAME` for each one that was made, in the order
 * in which they started, then a line `KEY rejected: WHY` for each answer that the node rejected.
 *
 * Returns: (transfer none): the lines; valid until another getter is called
 */
const char *
clq_test_node_get_calls (ClqTestNode *self)
{
  g_string_assign (self->answer, self->calls->str);
  if (self->session != NULL)
    clq_host_read_journal (self->host, self->id, 1u << CLQ_RECORD_CALL, self->begin_seq, 0, on_calls, self->answer);
  clq_host_settle (self->host);
  return self->answer->str;
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
  ClqExtra *now = self->session != NULL ? test_node_read_extra (self) : NULL;
  const ClqExtra *before = self->spent;

  if (tokens_in != NULL)
    *tokens_in = now != NULL ? now->tokens_in - (before != NULL ? before->tokens_in : 0) : 0;
  if (tokens_out != NULL)
    *tokens_out = now != NULL ? now->tokens_out - (before != NULL ? before->tokens_out : 0) : 0;
  if (cost != NULL)
    *cost = now != NULL ? now->cost - (before != NULL ? before->cost : 0) : 0;
  clq_extra_unref (now);
}

/**
 * clq_test_node_get_now:
 * @self: a test
 *
 * Returns: what the clock shows, in microseconds since 1970
 */
gint64
clq_test_node_get_now (ClqTestNode *self)
{
  return clq_host_get_now (self->host);
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

/* Private: clq_test_node_assert_outcome (). */
void
clq_test_node_check_outcome (ClqTestNode *self, const char *outcome, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_FINISHED || g_strcmp0 (self->outcome, outcome) != 0)
    fail (file, line, func, "%s; expected outcome '%s'", found, outcome);
}

/* Private: clq_test_node_assert_failed (). */
void
clq_test_node_check_failed (ClqTestNode *self, ClqFailure failure, const char *message, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_FAILED || clq_failure_of (self->error) != failure || (message != NULL && strcmp (self->error->message, message) != 0))
    fail (file, line, func, "%s; expected failure as %s: %s", found, clq_failure_to_string (failure), message != NULL ? message : "(any)");
}

/* Private: clq_test_node_assert_running (). */
void
clq_test_node_check_running (ClqTestNode *self, const char *file, int line, const char *func)
{
  g_autofree char *found = describe (self);

  if (self->end != TEST_RUNNING)
    fail (file, line, func, "%s; expected it to run", found);
}

/* Private: clq_test_node_assert_said (). */
void
clq_test_node_check_said (ClqTestNode *self, const char *text, const char *file, int line, const char *func)
{
  const char *said = clq_test_node_get_said (self);

  if (g_strcmp0 (said, text) != 0)
    fail (file, line, func, "the visit said %s%s%s; expected %s%s%s", said != NULL ? "'" : "", said != NULL ? said : "nothing",
          said != NULL ? "'" : "", text != NULL ? "'" : "", text != NULL ? text : "nothing", text != NULL ? "'" : "");
}

/* Private: clq_test_node_assert_set (). */
void
clq_test_node_check_set (ClqTestNode *self, const char *path, const char *json, const char *file, int line, const char *func)
{
  const char *found = self->end == TEST_FINISHED ? test_change_find_set (self->change, path) : NULL;

  if (found == NULL && json == NULL)
    return;
  if (found == NULL || json == NULL || !is_same_json (found, json))
    fail (file, line, func, "'%s' is set to %s; expected %s", path, found != NULL ? found : "nothing", json != NULL ? json : "nothing");
}

/* Private: clq_test_node_assert_wrote (). */
void
clq_test_node_check_wrote (ClqTestNode *self, const char *text, const char *file, int line, const char *func)
{
  const char *written = clq_test_node_get_written (self);
  g_auto (GStrv) lines = g_strsplit (written, "\n", -1);

  if (!g_strv_contains ((const char *const *) lines, text))
    fail (file, line, func, "the outcome wrote:\n%s; expected a line: %s", written, text);
}

/* Private: clq_test_node_assert_asked (). */
void
clq_test_node_check_asked (ClqTestNode *self, const char *prompt, const char *file, int line, const char *func)
{
  gboolean found, is_any;
  guint n = find_question (self, prompt, &found);

  if (prompt == NULL ? n == 0 : found)
    return;
  find_question (self, NULL, &is_any);
  fail (file, line, func, "people are asked %s (%u in all); expected %s", is_any ? self->answer->str : "nothing", n, prompt != NULL ? prompt : "nothing");
}

/* Private: clq_test_node_assert_payload (). */
void
clq_test_node_check_payload (ClqTestNode *self, const char *json, const char *file, int line, const char *func)
{
  if (self->payload == NULL && json == NULL)
    return;
  if (self->payload == NULL || json == NULL || !is_same_json (self->payload, json))
    fail (file, line, func, "the payload is %s; expected %s", self->payload != NULL ? self->payload : "nothing", json != NULL ? json : "nothing");
}

/* Private: clq_test_node_assert_released (). */
void
clq_test_node_check_released (ClqTestNode *self, const char *file, int line, const char *func)
{
  guint n_held = clq_host_count_held (self->host);

  if (n_held > 0)
    fail (file, line, func, "%u visits or calls are still held; expected none", n_held);
}
