#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <errno.h>
#include <glib-unix.h>
#include <histedit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How long the rest of a key may take, as keys with a name come in several bytes. */
#define KEY_PATIENCE_MS 50

#define PROMPT_WIDTH 2
#define CTRL_D '\x04'
#define PASTE_BEGIN "\x1b[200~"
#define PASTE_END "\x1b[201~"

/*
 * One line that is typed. libedit reads keys from what was read for it, so it never waits, and draws below the status
 * line. Between two lines, and while something is said, it shows nothing and reads nothing; what is typed then waits.
 */
struct _ChatEditor
{
  Chat *chat;
  EditLine *el;
  ChatHistory *history;
  GString *keys; /* read, not yet given to libedit */
  guint source;
  guint typed_before; /* keys from before the line was shown are to be used */
  int status_width;
  gboolean is_open; /* a line is being edited */
  gboolean is_shown;
};

/* ---- keys ---- */

static gboolean
read_keys (ChatEditor *self)
{
  char buffer[4096];
  gssize length;

  do
    length = read (STDIN_FILENO, buffer, sizeof buffer);
  while (length < 0 && errno == EINTR);
  if (length > 0)
    g_string_append_len (self->keys, buffer, length);
  return length > 0;
}

static gboolean
wait_for_keys (ChatEditor *self)
{
  GPollFD fd = { STDIN_FILENO, G_IO_IN, 0 };

  return g_poll (&fd, 1, KEY_PATIENCE_MS) > 0 && (fd.revents & G_IO_IN) != 0 && read_keys (self);
}

/* What libedit calls for a character. */
static int
get_character (EditLine *el, wchar_t *character)
{
  ChatEditor *self = NULL;
  gunichar found;

  el_get (el, EL_CLIENTDATA, &self);
  for (;;)
    {
      if (self->keys->len == 0 && !wait_for_keys (self))
        return 0;
      found = g_utf8_get_char_validated (self->keys->str, (gssize) self->keys->len);
      if (found == (gunichar) -2 && self->keys->str[0] != '\0' && wait_for_keys (self))
        continue;
      if (found == (gunichar) -1 || found == (gunichar) -2)
        {
          g_string_erase (self->keys, 0, 1); /* no UTF-8, or ^@ */
          continue;
        }
      g_string_erase (self->keys, 0, g_utf8_skip[(guchar) self->keys->str[0]]);
      *character = (wchar_t) found;
      return 1;
    }
}

/* ---- the screen ---- */

static char *
get_prompt (EditLine *el)
{
  static char coloured[] = "\1\033[1;32m\1>\1\033[0m\1 ", bold[] = "\1\033[1m\1>\1\033[0m\1 ";
  static char asking[] = "\1\033[1m\1?\1\033[0m\1 ";
  ChatEditor *self = NULL;

  el_get (el, EL_CLIENTDATA, &self);
  if (self->chat->question != NULL)
    return asking;
  return self->chat->term.colours ? coloured : bold;
}

static gsize
line_length (const LineInfo *line)
{
  return (gsize) (line->lastchar - line->buffer);
}

static gboolean on_readable (int fd, GIOCondition condition, gpointer user_data);
static gboolean on_typed_before (gpointer user_data);

/* Asks the terminal to say where pasted text begins and ends. */
static void
set_paste_marks (ChatEditor *self, gboolean on)
{
  g_string_append (self->chat->term.out, on ? "\x1b[?2004h" : "\x1b[?2004l");
  term_flush (&self->chat->term);
}

/* Shows the status and the line. */
void
chat_editor_show (ChatEditor *self)
{
  g_autofree char *status = NULL;
  Chat *chat = self->chat;

  if (self->is_shown)
    return;
  chat_leave_gap (chat);
  status = chat_dup_status (chat);
  self->status_width = term_width (status, -1);
  term_draw_line (&chat->term, status);
  term_flush (&chat->term);
  if (self->is_open)
    el_set (self->el, EL_REFRESH);
  else
    {
      /* Leaving and entering this mode throws the old line away. */
      el_set (self->el, EL_UNBUFFERED, 0);
      el_set (self->el, EL_UNBUFFERED, 1);
    }
  self->is_open = self->is_shown = TRUE;
  if (self->source == 0)
    self->source = g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, self);
  if (self->keys->len > 0 && self->typed_before == 0)
    self->typed_before = g_idle_add (on_typed_before, self);
}

/* Takes the line and the status off the screen; what was typed stays. */
void
chat_editor_hide (ChatEditor *self)
{
  Chat *chat = self->chat;
  const LineInfo *line;
  guint rows;

  if (!self->is_shown)
    return;
  line = el_line (self->el);
  /* In a window that has become narrower the status may have been wrapped. */
  rows = 1 + (guint) MAX (self->status_width - 1, 0) / (guint) MAX (chat->term.columns, 1);
  rows += term_rows (line->buffer, line->cursor - line->buffer, PROMPT_WIDTH, chat->term.columns);
  term_erase_up (&chat->term, rows);
  term_flush (&chat->term);
  self->is_shown = FALSE;
  chat->has_gap = TRUE;
  g_clear_handle_id (&self->source, g_source_remove);
}

/* Throws away what was typed; says whether there was anything. */
gboolean
chat_editor_clear_line (ChatEditor *self)
{
  gsize length = self->is_open ? line_length (el_line (self->el)) : 0;

  g_string_truncate (self->keys, 0);
  if (length == 0)
    return FALSE;
  chat_editor_hide (self);
  self->is_open = FALSE;
  chat_update (self->chat);
  return TRUE;
}

/* The window has another size. */
void
chat_editor_resize (ChatEditor *self)
{
  gboolean was_shown = self->is_shown;

  chat_editor_hide (self);
  el_resize (self->el);
  if (was_shown)
    chat_editor_show (self);
}

/* The program was stopped and goes on: the terminal has forgotten how it was set. */
void
chat_editor_resume (ChatEditor *self)
{
  gboolean was_shown = self->is_shown;

  self->is_shown = FALSE;
  el_set (self->el, EL_PREP_TERM, 0);
  el_set (self->el, EL_PREP_TERM, 1);
  if (was_shown)
    chat_editor_show (self);
}

/* ---- what is done with a line ---- */

static void
enter_line (ChatEditor *self)
{
  const LineInfo *line = el_line (self->el);
  g_autofree char *text = g_strndup (line->buffer, line_length (line));

  term_measure (&self->chat->term); /* the signal that the window has another size may come after this key */
  chat_editor_hide (self);
  self->is_open = FALSE;
  if (text[strspn (text, " \t\n")] != '\0')
    {
      chat_history_add (self->history, text);
      chat_echo (self->chat, text);
    }
  chat_take_line (self->chat, text);
  chat_update (self->chat);
}

/* No more lines will come. */
static void
end_input (ChatEditor *self)
{
  chat_editor_hide (self);
  chat_leave (self->chat);
}

static gsize
common_length (char **words)
{
  gsize length = strlen (words[0]);

  for (guint i = 1; words[i] != NULL; i++)
    {
      gsize same = 0;

      while (same < length && words[i][same] == words[0][same])
        same++;
      length = same;
    }
  while (length > 0 && (words[0][length] & 0xC0) == 0x80)
    length--; /* no half characters */
  return length;
}

static void
list_candidates (ChatEditor *self, char **words)
{
  g_autofree char *list = g_strjoinv ("  ", words);

  chat_note (self->chat, "%s", list);
}

/* Puts text into the line where the cursor is. */
static void
insert (ChatEditor *self, const char *text)
{
  const LineInfo *line = el_line (self->el);

  term_erase_up (&self->chat->term, term_rows (line->buffer, line->cursor - line->buffer, PROMPT_WIDTH, self->chat->term.columns));
  term_flush (&self->chat->term);
  el_insertstr (self->el, text);
  el_set (self->el, EL_REFRESH);
}

/* The rest of the word if there is only one, as much as all have in common, or the list. */
static void
complete (ChatEditor *self)
{
  const LineInfo *line = el_line (self->el);
  g_autofree char *text = g_strndup (line->buffer, line_length (line));
  gsize cursor = (gsize) (line->cursor - line->buffer), start = cursor, typed, common;
  g_auto (GStrv) words = chat_dup_candidates (self->chat, text, cursor, &start);
  g_autofree char *rest = NULL;

  if (*words == NULL)
    {
      el_beep (self->el);
      return;
    }
  typed = cursor - start;
  common = common_length (words);
  rest = g_strndup (words[0] + typed, common > typed ? common - typed : 0);
  if (*rest == '\0' && words[1] != NULL)
    list_candidates (self, words);
  else
    {
      g_autofree char *more = g_strconcat (rest, words[1] == NULL && text[cursor] == '\0' ? " " : NULL, NULL);

      insert (self, more);
    }
}

/* ---- what was typed ---- */

/* What is pasted is text, whatever is in it: it is put into the line as a whole. FALSE: its end has not come yet. */
static gboolean
take_paste (ChatEditor *self)
{
  const char *end = g_strstr_len (self->keys->str, (gssize) self->keys->len, PASTE_END);
  g_autofree char *text = NULL, *safe = NULL;

  if (end == NULL)
    return FALSE;
  text = g_strndup (self->keys->str + strlen (PASTE_BEGIN), (gsize) (end - self->keys->str) - strlen (PASTE_BEGIN));
  g_string_erase (self->keys, 0, (end - self->keys->str) + (gssize) strlen (PASTE_END));
  safe = term_safe_dup (g_strdelimit (text, "\r", '\n'), -1);
  insert (self, g_strchomp (safe));
  return TRUE;
}

/* Keys that end a line or are not about editing it. */
static gboolean
take_own_key (ChatEditor *self)
{
  char key = self->keys->str[0];
  gboolean is_end = key == CTRL_D && line_length (el_line (self->el)) == 0;

  if (key != '\r' && key != '\n' && key != '\t' && !is_end)
    return FALSE;
  g_string_erase (self->keys, 0, 1);
  if (is_end)
    end_input (self);
  else if (key == '\t')
    complete (self);
  else
    enter_line (self);
  return TRUE;
}

/* Gives libedit the keys that are there, until one of them ends the line. */
static void
use_keys (ChatEditor *self)
{
  while (self->is_shown && self->keys->len > 0)
    {
      int count = 0;

      if (g_str_has_prefix (self->keys->str, PASTE_BEGIN))
        {
          if (!take_paste (self))
            return;
        }
      else if (!take_own_key (self))
        el_gets (self->el, &count);
    }
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  ChatEditor *self = user_data;

  if ((condition & G_IO_IN) == 0 || !read_keys (self))
    {
      self->source = 0;
      end_input (self);
      return G_SOURCE_REMOVE;
    }
  use_keys (self);
  return self->source != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean
on_typed_before (gpointer user_data)
{
  ChatEditor *self = user_data;

  self->typed_before = 0;
  use_keys (self);
  return G_SOURCE_REMOVE;
}

/* ---- life ---- */

static void
bind_keys (ChatEditor *self)
{
  EditLine *el = self->el;

  el_set (el, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set (el, EL_BIND, "\\e[1;5C", "em-next-word", NULL);
  el_set (el, EL_BIND, "\\e[1;5D", "ed-prev-word", NULL);
  el_set (el, EL_BIND, "\\e[3~", "ed-delete-next-char", NULL);
}

ChatEditor *
chat_editor_new (Chat *chat)
{
  ChatEditor *self = g_new0 (ChatEditor, 1);

  self->chat = chat;
  self->keys = g_string_new (NULL);
  self->history = chat_history_new ();
  self->el = el_init (g_get_prgname (), stdin, stdout, stderr);
  el_set (self->el, EL_CLIENTDATA, self);
  el_set (self->el, EL_SIGNAL, 0);
  el_set (self->el, EL_EDITOR, "emacs");
  el_set (self->el, EL_GETCFN, get_character);
  el_set (self->el, EL_PROMPT_ESC, get_prompt, '\1');
  el_set (self->el, EL_HIST, history, chat_history_get (self->history));
  el_source (self->el, NULL);
  bind_keys (self);
  set_paste_marks (self, TRUE);
  return self;
}

void
chat_editor_free (ChatEditor *self)
{
  chat_editor_hide (self);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->typed_before, g_source_remove);
  set_paste_marks (self, FALSE);
  el_end (self->el);
  chat_history_free (self->history);
  g_string_free (self->keys, TRUE);
  g_free (self);
}
