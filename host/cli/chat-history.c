#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How many lines can be called back. The file may hold twice as many before it is cut. */
#define MAX_LINES 1000

/* Lines that were typed before. The file has one line for each, appended at once, so several terminals can share it. */
struct _ChatHistory
{
  History *history;
  char *path;
};

/* A line of the file: its own line ends and backslashes are escaped. */
static char *
dup_escaped (const char *line)
{
  GString *out = g_string_new (NULL);

  for (; *line != '\0'; line++)
    if (*line == '\n')
      g_string_append (out, "\\n");
    else if (*line == '\\')
      g_string_append (out, "\\\\");
    else
      g_string_append_c (out, *line);
  return g_string_free (out, FALSE);
}

static char *
dup_plain (const char *line)
{
  GString *out = g_string_new (NULL);

  for (; *line != '\0'; line++)
    if (*line == '\\' && line[1] != '\0')
      g_string_append_c (out, *++line == 'n' ? '\n' : *line);
    else
      g_string_append_c (out, *line);
  return g_string_free (out, FALSE);
}

static void
enter (ChatHistory *self, const char *line)
{
  HistEvent event;

  history (self->history, &event, H_ENTER, line);
}

/* Keeps the newest lines of a file that has grown. */
static void
cut_file (ChatHistory *self, char **lines, guint n_lines)
{
  g_autofree char *text = g_strjoinv ("\n", lines + (n_lines - MAX_LINES));

  g_file_set_contents_full (self->path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

static void
read_file (ChatHistory *self)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_lines;

  if (!g_file_get_contents (self->path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  n_lines = g_strv_length (lines);
  for (guint i = n_lines > MAX_LINES ? n_lines - MAX_LINES : 0; i < n_lines; i++)
    {
      g_autofree char *line = dup_plain (lines[i]);

      if (*line != '\0' && g_utf8_validate (line, -1, NULL))
        enter (self, line);
    }
  if (n_lines > 2 * MAX_LINES)
    cut_file (self, lines, n_lines);
}

/* The history of this user; it works without a file, too. */
ChatHistory *
chat_history_new (void)
{
  ChatHistory *self = g_new0 (ChatHistory, 1);
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "colloquy", NULL);
  HistEvent event;

  self->history = history_init ();
  history (self->history, &event, H_SETSIZE, MAX_LINES);
  history (self->history, &event, H_SETUNIQUE, 1);
  self->path = g_build_filename (folder, "history", NULL);
  g_mkdir_with_parents (folder, 0700);
  read_file (self);
  return self;
}

void
chat_history_free (ChatHistory *self)
{
  history_end (self->history);
  g_free (self->path);
  g_free (self);
}

/* The history as libedit knows it. */
gpointer
chat_history_get (ChatHistory *self)
{
  return self->history;
}

/* Remembers a line, unless it is the one before again. */
void
chat_history_add (ChatHistory *self, const char *line)
{
  g_autofree char *escaped = dup_escaped (line);
  g_autofree char *row = g_strconcat (escaped, "\n", NULL);
  HistEvent event;
  int fd;

  if (history (self->history, &event, H_FIRST) == 0 && strcmp (event.str, line) == 0)
    return;
  enter (self, line);
  fd = open (self->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  /* A history that cannot be written is no reason to disturb a conversation. */
  if (write (fd, row, strlen (row)) < 0)
    g_debug ("history: %s", g_strerror (errno));
  close (fd);
}
