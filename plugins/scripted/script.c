/* What an agent has to say: replies that wait for their turn, and rules. */
#include "scripted.h"

static const char *const known[] = { "replies", "rules", "fallback", NULL };

void
scripted_script_init (Script *self)
{
  g_queue_init (&self->replies);
  self->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) scripted_rule_free);
}

void
scripted_script_clear (Script *self)
{
  g_queue_clear_full (&self->replies, (GDestroyNotify) scripted_reply_free);
  g_clear_pointer (&self->rules, g_ptr_array_unref);
}

static gboolean
check_list (const ClqJsonSpan *list, const char *name, GError **error)
{
  if (list->type == CLQ_JSON_ARRAY)
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is %s; expected a list", name, scripted_name_type (list));
  return FALSE;
}

/* All of the list or nothing. */
gboolean
scripted_script_add_replies (Script *self, const ClqJsonSpan *list, GError **error)
{
  GQueue fresh = G_QUEUE_INIT;
  ClqJsonSpan value;
  ClqJsonIter iter;

  if (!check_list (list, "replies", error))
    return FALSE;
  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *where = g_strdup_printf ("replies[%u]", fresh.length);
      ScriptedReply *reply = scripted_reply_parse (&value, where, error);

      if (reply == NULL)
        {
          g_queue_clear_full (&fresh, (GDestroyNotify) scripted_reply_free);
          return FALSE;
        }
      g_queue_push_tail (&fresh, reply);
    }
  while (!g_queue_is_empty (&fresh))
    g_queue_push_tail (&self->replies, g_queue_pop_head (&fresh));
  return TRUE;
}

gboolean
scripted_script_add_rules (Script *self, const ClqJsonSpan *list, GError **error)
{
  ClqJsonSpan value;
  ClqJsonIter iter;
  guint n = 0;

  if (!check_list (list, "rules", error))
    return FALSE;
  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *where = g_strdup_printf ("rules[%u]", n++);
      ScriptedRule *rule = scripted_rule_parse (&value, where, error);

      if (rule == NULL)
        return FALSE;
      g_ptr_array_add (self->rules, rule);
    }
  return TRUE;
}

static gboolean
unknown_member (const ClqJsonSpan *key, GError **error)
{
  g_autofree char *name = clq_json_span_dup_string (key);
  g_autofree char *hint = clq_did_you_mean (name, known);

  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "unknown member '%s'%s", name, hint);
  return FALSE;
}

static gboolean
take_fallback (const ClqJsonSpan *value, char **fallback, GError **error)
{
  if (value->type != CLQ_JSON_STRING)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "fallback is %s; expected a text", scripted_name_type (value));
      return FALSE;
    }
  if (*fallback == NULL)
    *fallback = clq_json_span_dup_string (value);
  return TRUE;
}

static gboolean
add_members (Script *self, const char *json, char **fallback, GError **error)
{
  ClqJsonSpan root = clq_json_span (json, -1), key, value;
  ClqJsonIter iter;

  if (root.type != CLQ_JSON_OBJECT)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "there is %s; expected an object with replies, rules or fallback",
                   scripted_name_type (&root));
      return FALSE;
    }
  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      gboolean ok;

      if (clq_json_span_string_equal (&key, "replies"))
        ok = scripted_script_add_replies (self, &value, error);
      else if (clq_json_span_string_equal (&key, "rules"))
        ok = scripted_script_add_rules (self, &value, error);
      else if (clq_json_span_string_equal (&key, "fallback"))
        ok = take_fallback (&value, fallback, error);
      else
        ok = unknown_member (&key, error);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* Adds what stands in a file; @fallback is set if it was not. */
gboolean
scripted_script_add_file (Script *self, const char *path, char **fallback, GError **error)
{
  g_autofree char *json = NULL;
  gsize length;

  if (!g_file_get_contents (path, &json, &length, error))
    {
      g_prefix_error (error, "script: ");
      return FALSE;
    }
  if (clq_json_check (json, length, NULL, error) && add_members (self, json, fallback, error))
    return TRUE;
  g_prefix_error (error, "script '%s': ", path);
  return FALSE;
}

static gboolean
add_instruction (Script *self, const char *json, GError **error)
{
  ClqJsonSpan root, key, value, replies = { 0 };
  ClqJsonIter iter;

  if (!clq_json_check (json, -1, NULL, error))
    return FALSE;
  root = clq_json_span (json, -1);
  clq_json_iter_init (&iter, &root);
  while (root.type == CLQ_JSON_OBJECT && clq_json_iter_next (&iter, &key, &value))
    {
      if (!clq_json_span_string_equal (&key, "replies"))
        {
          g_autofree char *name = clq_json_span_dup_string (&key);

          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "unknown member '%s'; expected replies", name);
          return FALSE;
        }
      replies = value;
    }
  if (replies.type != CLQ_JSON_NONE)
    return scripted_script_add_replies (self, &replies, error);
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "expected {\"replies\":[…]}");
  return FALSE;
}

/* Adds what the agent is told while it runs. This is input, not configuration, and its errors say so. */
gboolean
scripted_script_add_instruction (Script *self, const char *json, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (add_instruction (self, json, &local))
    return TRUE;
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "instruction: %s", local->message);
  return FALSE;
}
