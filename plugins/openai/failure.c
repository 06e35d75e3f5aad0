/* Failures in plain words: what happened, and what to do about it. */
#include "openai.h"

#include <string.h>

/* Where servers put their message: OpenAI, then others that are found. */
static char *
dup_message (const OpenaiServer *server, const char *body, gsize length)
{
  static const char *const paths[] = { "error.message", "error", "message", "detail" };

  if (!clq_json_check (body, (gssize) length, NULL, NULL))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      ClqJsonSpan found = clq_json_find (body, (gssize) length, paths[i]);
      g_autofree char *text = clq_json_span_dup_string (&found);

      if (text != NULL && *text != '\0')
        return openai_clean_of (server, text);
    }
  return NULL;
}

/* Out of money is said with the same status as too many requests, but waiting does not help. */
static gboolean
is_out_of_quota (const char *body, gsize length)
{
  ClqJsonSpan code;

  if (!clq_json_check (body, (gssize) length, NULL, NULL))
    return FALSE;
  code = clq_json_find (body, (gssize) length, "error.code");
  return clq_json_span_string_equal (&code, "insufficient_quota");
}

static ClqFailure
class_of (guint status, const char *body, gsize length)
{
  switch (status)
    {
    case 401:
    case 403:
    case 407:
      return CLQ_FAILURE_AUTH;
    case 429:
      return is_out_of_quota (body, length) ? CLQ_FAILURE_CRITICAL : CLQ_FAILURE_RECOVERABLE;
    case 408:
    case 409:
    case 425:
      return CLQ_FAILURE_RECOVERABLE;
    case 402:
    case 404:
    case 405:
      return CLQ_FAILURE_CRITICAL;
    default:
      if (status >= 500)
        return CLQ_FAILURE_RECOVERABLE;
      return status >= 400 ? CLQ_FAILURE_USER : CLQ_FAILURE_CRITICAL;
    }
}

/* What the status means and what to do, for people. */
static char *
explain (guint status, ClqFailure failure, const OpenaiServer *server, const char *agent, SoupMessage *message)
{
  const char *location = soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  g_autofree char *to = location != NULL ? openai_clean_of (server, location) : NULL;

  if (status >= 300 && status < 400)
    return g_strdup_printf ("wants to send the request on to '%s', which is not done; check endpoint of agent '%s'", to != NULL ? to : "", agent);
  if (status == 401 && server->api_key == NULL)
    return g_strdup_printf ("asks for a key; set api-key of agent '%s'", agent);
  if (status == 401)
    return g_strdup_printf ("does not accept the key; check api-key of agent '%s'", agent);
  if (status == 403)
    return g_strdup_printf ("does not allow this; check what the api-key of agent '%s' may do", agent);
  if (status == 404)
    return g_strdup_printf ("knows no model '%s' or has no chat there; check model and endpoint of agent '%s'", server->model, agent);
  if (status == 429 && failure == CLQ_FAILURE_RECOVERABLE)
    return g_strdup ("gets too many requests");
  if (status == 429 || status == 402)
    return g_strdup_printf ("has no credit left for agent '%s'", agent);
  if (status >= 500)
    return g_strdup_printf ("has a problem of its own, status %u", status);
  return g_strdup_printf ("does not take the request, status %u", status);
}

/* Ends the call if the server said no; @body is what it said, as far as it has come. */
void
openai_fail_status (ClqCall *call, const OpenaiServer *server, SoupMessage *message, const char *body, gsize length)
{
  guint status = soup_message_get_status (message);
  ClqFailure failure = class_of (status, body, length);
  const char *later = soup_message_headers_get_one (soup_message_get_response_headers (message), "Retry-After");
  GTimeSpan wait = openai_parse_retry_after (later, clq_call_get_now (call));
  g_autofree char *what = explain (status, failure, server, clq_call_get_target (call), message);
  g_autofree char *said = dup_message (server, body, length);

  if (failure == CLQ_FAILURE_RECOVERABLE && wait >= 0)
    clq_call_set_retry_after (call, wait);
  clq_call_fail (call, failure, "%s %s%s%s", server->place, what, said != NULL ? ": " : "", said != NULL ? said : "");
}

/* Ends the call if the connection failed. */
void
openai_fail_network (ClqCall *call, const OpenaiServer *server, const GError *error)
{
  const char *agent = clq_call_get_target (call);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "nobody answers at %s; is the server of agent '%s' running?", server->place, agent);
  else if (error->domain == G_RESOLVER_ERROR || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND))
    clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "the host of %s is not found; check endpoint of agent '%s' and the network: %s", server->place, agent, error->message);
  else if (error->domain == G_TLS_ERROR)
    clq_call_fail (call, CLQ_FAILURE_CRITICAL, "there is no safe connection to %s: %s", server->place, error->message);
  else
    clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "the connection to %s failed: %s", server->place, error->message);
}

/* Ends the call if what came is no answer. */
void
openai_fail_answer (ClqCall *call, const OpenaiServer *server, const GError *error)
{
  g_autofree char *what = openai_clean_of (server, error->message);

  if (error->domain == CLQ_FAILURE)
    clq_call_fail (call, (ClqFailure) error->code, "%s: %s", server->place, what);
  else
    clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "%s has sent what is no JSON: %s", server->place, what);
}
