#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

/* Where the words behind an action go, if it is not the text. */
static const struct
{
  const char *action;
  const char *member;
} members[] = {
  { "fork", "name" },
  { "checkpoint", "name" },
  { "switch", "branch" },
  { "merge", "branch" },
  { "crystallize", "title" },
  { "approve", "feedback" },
  { "reject", "feedback" },
  { "modify", "text" },
  { "abort", "reason" },
};

static void
set_text (GString *payload, const char *path, const char *text)
{
  g_autofree char *quoted = clq_json_quote (text);

  clq_json_set (payload, path, quoted);
}

static gboolean
is_whole_number (const char *text)
{
  return *text != '\0' && strlen (text) < 10 && strspn (text, "0123456789") == strlen (text);
}

/* NAME=VALUE; a value that is no number, true, false, null, list or object is a text. */
static gboolean
set_pair (GString *payload, const char *word)
{
  const char *equals = strchr (word, '=');
  g_autofree char *path = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : NULL;

  if (path == NULL || !g_ascii_isalpha (*path) || path[strspn (path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")] != '\0')
    return FALSE;
  if (equals[1] != '\0' && clq_json_check (equals + 1, -1, NULL, NULL))
    return clq_json_set (payload, path, equals + 1);
  set_text (payload, path, equals + 1);
  return TRUE;
}

static gboolean
set_pairs (GString *payload, const char *arguments)
{
  g_auto (GStrv) words = NULL;
  int n_words;

  if (!g_shell_parse_argv (arguments, &n_words, &words, NULL))
    return FALSE;
  for (int i = 0; i < n_words; i++)
    if (!set_pair (payload, words[i]))
      {
        g_string_assign (payload, "{}");
        return FALSE;
      }
  return n_words > 0;
}

/* Some actions take words of their own. */
static gboolean
set_special (GString *payload, const char *action, const char *arguments)
{
  if (strcmp (action, "rewind") == 0)
    {
      if (is_whole_number (arguments))
        clq_json_set (payload, "turns", arguments);
      else
        set_text (payload, "checkpoint", arguments);
      return TRUE;
    }
  if (strcmp (action, "resolve_conflict") == 0)
    {
      g_auto (GStrv) words = g_strsplit (arguments, " ", 2);

      set_text (payload, "id", words[0]);
      if (words[1] != NULL && clq_json_check (words[1], -1, NULL, NULL))
        clq_json_set (payload, "choice", words[1]);
      else if (words[1] != NULL)
        set_text (payload, "choice", g_strstrip (words[1]));
      return TRUE;
    }
  return FALSE;
}

static gboolean
check_object (const char *text, GError **error)
{
  if (!clq_json_check (text, -1, NULL, error))
    return FALSE;
  if (clq_json_span (text, -1).type == CLQ_JSON_OBJECT)
    return TRUE;
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "expected an object, {\"NAME\": VALUE}");
  return FALSE;
}

/*
 * What is sent with an action for what was typed behind it: an object as it is, NAME=VALUE words as an object, any other
 * words as the member that the action asks for. NULL without an error if nothing was typed.
 */
char *
chat_dup_payload (const char *action, const char *arguments, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (arguments));
  g_autoptr (GString) payload = g_string_new ("{}");
  const char *member = "text";

  if (*stripped == '\0')
    return NULL;
  if (*stripped == '{')
    return check_object (stripped, error) ? g_steal_pointer (&stripped) : NULL;
  if (!set_pairs (payload, stripped) && !set_special (payload, action, stripped))
    {
      for (guint i = 0; i < G_N_ELEMENTS (members); i++)
        if (strcmp (members[i].action, action) == 0)
          member = members[i].member;
      set_text (payload, member, stripped);
    }
  return g_string_free (g_steal_pointer (&payload), FALSE);
}
