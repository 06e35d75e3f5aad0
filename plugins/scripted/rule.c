/* A rule: what is answered to a message that fits a pattern. */
#include "scripted.h"

#include <string.h>

/* A pattern gives up after so many steps instead of keeping the loop busy. */
#define LIMIT "(*LIMIT_MATCH=100000)"

void
scripted_rule_free (ScriptedRule *self)
{
  g_free (self->match);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_clear_pointer (&self->reply, scripted_reply_free);
  g_free (self);
}

/* What GLib says is wrong, without its repetition of the pattern. */
static const char *
get_detail (const GError *error)
{
  const char *colon = g_strrstr (error->message, ": ");

  return colon != NULL ? colon + 2 : error->message;
}

static GRegex *
compile (const char *match, const char *where, GError **error)
{
  g_autofree char *limited = g_strconcat (LIMIT, match, NULL);
  g_autoptr (GError) local = NULL;
  GRegex *regex;

  /* The last limit counts, so a pattern could undo ours. */
  if (strstr (match, "(*LIMIT_") != NULL)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s.match '%s' sets a limit; expected a pattern without one", where, match);
      return NULL;
    }
  regex = g_regex_new (limited, G_REGEX_CASELESS, 0, &local);
  if (regex == NULL)
    g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s.match '%s' is no regular expression: %s", where, match, get_detail (local));
  return regex;
}

static gboolean
has_references (const ScriptedReply *reply)
{
  return reply->failure == 0 && !reply->is_json;
}

static gboolean
check_references (const ScriptedReply *reply, const char *where, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!has_references (reply) || g_regex_check_replacement (reply->text, NULL, &local))
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s.reply '%s': %s; expected \\1 for the first group and \\\\ for a backslash",
               where, reply->text, get_detail (local));
  return FALSE;
}

static gboolean
find_members (const ClqJsonSpan *object, const char *where, ClqJsonSpan *match, ClqJsonSpan *reply, GError **error)
{
  static const char *const known[] = { "match", "reply", NULL };
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, object);
  while (object->type == CLQ_JSON_OBJECT && clq_json_iter_next (&iter, &key, &value))
    if (clq_json_span_string_equal (&key, "match"))
      *match = value;
    else if (clq_json_span_string_equal (&key, "reply"))
      *reply = value;
    else
      {
        g_autofree char *name = clq_json_span_dup_string (&key);
        g_autofree char *hint = clq_did_you_mean (name, known);

        g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "%s has an unknown member '%s'%s", where, name, hint);
        return FALSE;
      }
  if (match->type == CLQ_JSON_STRING && reply->type != CLQ_JSON_NONE)
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is no rule; expected {\"match\": REGULAR EXPRESSION, \"reply\": …}", where);
  return FALSE;
}

/* Reads one rule; @where is its place in the script, for messages. */
ScriptedRule *
scripted_rule_parse (const ClqJsonSpan *value, const char *where, GError **error)
{
  g_autofree char *reply_where = g_strconcat (where, ".reply", NULL);
  g_autoptr (ScriptedRule) self = g_new0 (ScriptedRule, 1);
  ClqJsonSpan match = { 0 }, reply = { 0 };

  if (!find_members (value, where, &match, &reply, error))
    return NULL;
  self->match = clq_json_span_dup_string (&match);
  self->regex = compile (self->match, where, error);
  if (self->regex == NULL)
    return NULL;
  self->reply = scripted_reply_parse (&reply, reply_where, error);
  if (self->reply == NULL || !check_references (self->reply, where, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* The rule's reply to @text; NULL without an error if it does not fit. */
ScriptedReply *
scripted_rule_apply (const ScriptedRule *self, const char *text, GError **error)
{
  g_autoptr (GMatchInfo) found = NULL;
  g_autoptr (GError) local = NULL;
  ScriptedReply *reply;

  if (!g_regex_match_full (self->regex, text, -1, 0, 0, &found, &local))
    {
      if (local != NULL)
        g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_CRITICAL, "the pattern '%s' gave up: %s", self->match, get_detail (local));
      return NULL;
    }
  reply = scripted_reply_copy (self->reply);
  if (has_references (reply))
    {
      g_free (reply->text);
      reply->text = g_match_info_expand_references (found, self->reply->text, NULL);
    }
  return reply;
}
