#define G_LOG_DOMAIN "clq-error"

#include "clq-private.h"

G_DEFINE_QUARK (clq_plugin_error_quark, clq_plugin_error)
G_DEFINE_QUARK (clq_graph_error_quark, clq_graph_error)
G_DEFINE_QUARK (clq_node_error_quark, clq_node_error)
G_DEFINE_QUARK (clq_store_error_quark, clq_store_error)
G_DEFINE_QUARK (clq_setting_error_quark, clq_setting_error)
G_DEFINE_QUARK (clq_input_error_quark, clq_input_error)
G_DEFINE_QUARK (clq_failure_quark, clq_failure)

static const char *const input_words[] = {
  [CLQ_INPUT_ERROR_REFUSED] = "refused",
  [CLQ_INPUT_ERROR_UNHANDLED] = "unhandled",
  [CLQ_INPUT_ERROR_BUSY] = "busy",
  [CLQ_INPUT_ERROR_NOT_FOUND] = "not-found",
  [CLQ_INPUT_ERROR_NOT_WAITING] = "not-waiting",
  [CLQ_INPUT_ERROR_BAD_ANSWER] = "bad-answer",
  [CLQ_INPUT_ERROR_BAD_INPUT] = "bad-input",
  [CLQ_INPUT_ERROR_LIMIT] = "limit",
  [CLQ_INPUT_ERROR_STORE] = "store",
  [CLQ_INPUT_ERROR_FAILED] = "failed",
};

static const char *const failure_words[] = {
  [CLQ_FAILURE_RECOVERABLE] = "recoverable",
  [CLQ_FAILURE_CRITICAL] = "critical",
  [CLQ_FAILURE_USER] = "user",
  [CLQ_FAILURE_AUTH] = "auth",
};

/**
 * clq_input_error_to_string:
 * @error: an error of any domain
 *
 * The word by which programs know the error: `refused`, `busy`, ...
 *
 * Returns: (transfer none): a static string
 */
const char *
clq_input_error_to_string (const GError *error)
{
  if (error->domain == CLQ_INPUT_ERROR && error->code > 0 && error->code < (int) G_N_ELEMENTS (input_words))
    return input_words[error->code];
  if (error->domain == CLQ_STORE_ERROR)
    return error->code == CLQ_STORE_ERROR_NOT_FOUND ? "not-found" : "store";
  if (error->domain == CLQ_JSON_ERROR)
    return "bad-input";
  return "failed";
}

/**
 * clq_failure_of:
 * @error: an error of any domain
 *
 * What kind of failure @error is. Only errors of the %CLQ_FAILURE domain say so themselves; a timed-out
 * operation may succeed later, everything else is critical.
 *
 * Returns: the class
 */
ClqFailure
clq_failure_of (const GError *error)
{
  if (error->domain == CLQ_FAILURE && error->code >= CLQ_FAILURE_RECOVERABLE && error->code <= CLQ_FAILURE_AUTH)
    return error->code;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) || g_error_matches (error, CLQ_NODE_ERROR, CLQ_NODE_ERROR_TIMED_OUT))
    return CLQ_FAILURE_RECOVERABLE;
  return CLQ_FAILURE_CRITICAL;
}

/**
 * clq_failure_to_string:
 * @failure: a class
 *
 * Returns: (transfer none): `recoverable`, `critical`, `user` or `auth`
 */
const char *
clq_failure_to_string (ClqFailure failure)
{
  g_return_val_if_fail (failure >= CLQ_FAILURE_RECOVERABLE && failure <= CLQ_FAILURE_AUTH, "critical");
  return failure_words[failure];
}

/**
 * clq_failure_from_string:
 * @string: a word
 * @failure: (out): the class
 *
 * Returns: whether @string names a class
 */
gboolean
clq_failure_from_string (const char *string, ClqFailure *failure)
{
  for (guint i = CLQ_FAILURE_RECOVERABLE; i <= CLQ_FAILURE_AUTH; i++)
    if (g_strcmp0 (string, failure_words[i]) == 0)
      {
        *failure = i;
        return TRUE;
      }
  return FALSE;
}
