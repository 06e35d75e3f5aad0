#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_word (GPtrArray *words, const char *typed, const char *word)
{
  if (g_str_has_prefix (word, typed) && !g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
    g_ptr_array_add (words, g_strdup (word));
}

/* The actions that are valid now. */
static void
add_actions (Chat *self, GPtrArray *words, const char *typed, const char *prefix)
{
  g_auto (GStrv) actions = clq_session_dup_actions (self->session);

  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_autofree char *word = g_strconcat (prefix, actions[i], NULL);

      add_word (words, typed, word);
    }
}

static void
add_commands (Chat *self, GPtrArray *words, const char *typed)
{
  guint n_commands;
  const ChatCommand *commands = chat_get_commands (&n_commands);

  for (guint i = 0; i < n_commands; i++)
    {
      g_autofree char *word = g_strconcat ("/", commands[i].name, NULL);

      add_word (words, typed, word);
    }
  add_actions (self, words, typed, "/");
}

/* The names in a part of the data: the members of an object, or what is in a list. */
static void
add_names (Chat *self, GPtrArray *words, const char *typed, const char *path)
{
  ClqJsonSpan names = clq_json_find (clq_session_get_data (self->session), -1, path), key = { 0 }, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &names);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      ClqJsonSpan found = names.type == CLQ_JSON_OBJECT ? key : value;
      g_autofree char *name = NULL;

      if (found.type == CLQ_JSON_OBJECT)
        found = clq_json_find (value.start, (gssize) value.length, "name");
      name = clq_json_span_dup_string (&found);
      if (name != NULL)
        add_word (words, typed, name);
    }
}

static void
add_arguments (Chat *self, GPtrArray *words, const char *line, const char *typed)
{
  guint n_commands;
  const ChatCommand *commands = chat_get_commands (&n_commands);
  gsize length = strcspn (line + 1, " ");

  for (guint i = 0; i < n_commands; i++)
    {
      if (strlen (commands[i].name) != length || strncmp (commands[i].name, line + 1, length) != 0)
        continue;
      if (commands[i].complete == CHAT_COMPLETE_BRANCH)
        add_names (self, words, typed, "branches");
      else if (commands[i].complete == CHAT_COMPLETE_CHECKPOINT)
        add_names (self, words, typed, "checkpoints");
    }
}

/* What the word before the cursor may become, in order; @start is where it begins. */
char **
chat_dup_candidates (Chat *self, const char *line, gsize cursor, gsize *start)
{
  GPtrArray *words = g_ptr_array_new ();
  g_autofree char *typed = NULL;

  while (*start > 0 && line[*start - 1] != ' ')
    (*start)--;
  typed = g_strndup (line + *start, cursor - *start);
  if (*line == '/' && *start == 0)
    add_commands (self, words, typed);
  else if (*line == '/')
    add_arguments (self, words, line, typed);
  else if (*start == 0 && chat_reads_actions (self))
    add_actions (self, words, typed, "");
  g_ptr_array_sort (words, compare_words);
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}
