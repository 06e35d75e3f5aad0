#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

/* How long nothing may be seen before it is said that something is going on. */
#define PATIENCE_MS 400

static const TermStyle plain = { 0, TERM_DEFAULT };
static const TermStyle dim = { TERM_DIM, TERM_DEFAULT };
static const TermStyle loud = { TERM_BOLD, TERM_RED };
static const TermStyle warning = { 0, TERM_YELLOW };

/* ---- the screen ---- */

static void
erase_passing (Chat *self)
{
  g_clear_handle_id (&self->passing_id, g_source_remove);
  if (self->has_passing)
    term_erase_line (&self->term);
  self->has_passing = FALSE;
}

/* Whoever draws begins with this: the line that is typed makes room. */
void
chat_begin (Chat *self)
{
  term_measure (&self->term);
  if (self->editor != NULL)
    chat_editor_hide (self->editor);
  erase_passing (self);
}

/* Whoever has drawn ends with this. */
void
chat_end (Chat *self)
{
  gboolean is_read = term_flush (&self->term);

  term_flush (&self->aside);
  if (!is_read)
    chat_leave (self);
  else
    chat_update (self);
}

/* An empty line between what was drawn and what will be. */
void
chat_leave_gap (Chat *self)
{
  if (!self->has_gap && !self->term.is_plain)
    term_newline (&self->term);
  self->has_gap = TRUE;
}

/* Something that has to wait until what is being said is over. */
typedef struct
{
  TermStyle style;
  char *text;
} Notice;

static void
add_notice (Chat *self, TermStyle style, const char *text)
{
  Notice *notice = g_new (Notice, 1);

  *notice = (Notice){ style, g_strdup (text) };
  g_queue_push_tail (&self->notices, notice);
  chat_update (self);
}

static void
say (Chat *self, TermStyle style, const char *text)
{
  if (self->is_speaking)
    {
      add_notice (self, style, text);
      return;
    }
  chat_begin (self);
  chat_leave_gap (self);
  term_say (self->talk, style, "%s", text);
  self->has_gap = FALSE;
  chat_end (self);
}

/* Something that the program says. */
void
chat_note (Chat *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  say (self, dim, text);
}

/* Something that went wrong. */
void
chat_complain (Chat *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  say (self, loud, text);
}

/* A command that was not written as it should be. */
void
chat_reject (Chat *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (self->editor == NULL && self->status == CLI_OK)
    self->status = CLI_USAGE;
  say (self, loud, text);
}

/* Lines that were asked for. */
void
chat_print (Chat *self, const GPtrArray *lines)
{
  chat_begin (self);
  chat_leave_gap (self);
  for (guint i = 0; i < lines->len; i++)
    term_draw_line (&self->term, g_ptr_array_index (lines, i));
  self->has_gap = FALSE;
  chat_end (self);
}

/* One line that was asked for; chat_begin () and chat_end () are around all of them. */
void
chat_print_line (Chat *self, TermStyle style, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  term_say (&self->term, style, "%s", text);
  self->has_gap = FALSE;
}

/* What was typed stays on the screen without the status line above it. */
void
chat_echo (Chat *self, const char *line)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) sign = g_string_new (NULL);
  g_autofree char *safe = term_safe_dup (line, -1);

  if (self->term.is_plain)
    return;
  term_mark (sign, (TermStyle){ TERM_BOLD, TERM_GREEN });
  g_string_append (sign, "> ");
  term_mark (sign, plain);
  term_wrap (safe, term_text_columns (&self->term), sign->str, "  ", lines);
  for (guint i = 0; i < lines->len; i++)
    term_draw_line (&self->term, g_ptr_array_index (lines, i));
  self->has_gap = FALSE;
  term_flush (&self->term);
}

/* ---- what passes ---- */

static void
show_passing (Chat *self, const char *text)
{
  g_autofree char *safe = term_safe_dup (text, -1);
  g_autofree char *line = g_strdelimit (term_fit (safe, self->term.columns - 1), "\n\t", ' ');
  g_autoptr (GString) marked = g_string_new (NULL);

  if (self->term.is_plain || self->is_speaking)
    return;
  chat_begin (self);
  chat_leave_gap (self);
  term_mark (marked, dim);
  g_string_append (marked, line);
  term_draw (&self->term, marked->str, 0);
  self->has_passing = TRUE;
  term_flush (&self->term);
}

static gboolean
on_patience_over (gpointer user_data)
{
  Chat *self = user_data;

  self->passing_id = 0;
  show_passing (self, "…");
  return G_SOURCE_REMOVE;
}

/* Something runs: if nothing is seen of it soon, a sign says so. */
void
chat_watch (Chat *self)
{
  if (self->passing_id == 0 && !self->has_passing && !self->is_speaking && !self->term.is_plain)
    self->passing_id = g_timeout_add (PATIENCE_MS, on_patience_over, self);
}

/* ---- what is said ---- */

static void
stop_speaking (Chat *self)
{
  if (!self->is_speaking)
    return;
  self->is_speaking = FALSE;
  term_stream_end (&self->stream);
  self->has_gap = FALSE;
}

static void
speak (Chat *self, const char *text)
{
  if (!self->is_speaking)
    {
      chat_leave_gap (self);
      self->is_speaking = TRUE;
      self->was_kept = FALSE;
    }
  term_stream_add (&self->stream, text, -1);
}

/* A piece of another attempt begins anew. What a visit says may be interrupted, by a question for one. */
static void
on_piece (Chat *self, const ClqNews *news)
{
  chat_begin (self);
  if (self->is_speaking && (news->visit != self->visit || news->attempt != self->attempt))
    stop_speaking (self);
  self->visit = news->visit;
  self->attempt = news->attempt;
  if (news->offset == 0)
    g_string_truncate (self->streamed, 0);
  g_string_append (self->streamed, news->text);
  speak (self, news->text);
  chat_end (self);
}

/* Draws a whole message; chat_begin () and chat_end () are around it. */
void
chat_print_message (Chat *self, ClqRole role, const char *text)
{
  if (role == CLQ_ROLE_USER)
    chat_leave_gap (self);
  if (role == CLQ_ROLE_USER && !self->term.is_plain)
    chat_echo (self, text);
  else if (role == CLQ_ROLE_SYSTEM || role == CLQ_ROLE_USER)
    {
      chat_leave_gap (self);
      chat_print_line (self, dim, "%s%s", role == CLQ_ROLE_USER ? "> " : "", text);
    }
  else
    {
      stop_speaking (self);
      speak (self, text);
      stop_speaking (self);
    }
}

/* What came in pieces is on the screen already. */
static void
on_said (Chat *self, const ClqNews *news)
{
  if (*news->text == '\0')
    return;
  g_free (self->said);
  self->said = g_strdup (news->text);
  chat_begin (self);
  if (news->role == CLQ_ROLE_ASSISTANT && strcmp (self->streamed->str, news->text) == 0)
    {
      self->was_kept = TRUE;
      stop_speaking (self);
    }
  else if (self->term.is_plain && news->role == CLQ_ROLE_SYSTEM)
    term_say (self->talk, dim, "%s", news->text);
  else
    {
      stop_speaking (self);
      chat_print_message (self, news->role, news->text);
    }
  if (news->role == CLQ_ROLE_ASSISTANT)
    g_string_truncate (self->streamed, 0);
  chat_end (self);
}

/* Forgets what was not drawn. */
void
chat_drop_notices (Chat *self)
{
  Notice *notice;

  while ((notice = g_queue_pop_head (&self->notices)) != NULL)
    {
      g_free (notice->text);
      g_free (notice);
    }
}

/* Nothing goes on any more. A visit may have ended without a message. */
void
chat_rest (Chat *self)
{
  erase_passing (self);
  stop_speaking (self);
  self->is_cancelled = FALSE;
  term_flush (&self->term);
}

/* ---- what else happens ---- */

/* A visit has failed, or nobody wanted its result. What it had said may be told after this, so it is drawn later. */
static void
note_trouble (Chat *self, char *text)
{
  g_free (self->trouble);
  self->trouble = text;
  chat_update (self);
}

/* Draws what had to wait; says whether @trouble was part of it. */
static gboolean
draw_notices (Chat *self, const char *trouble)
{
  gboolean is_told = FALSE;
  Notice *notice;

  while (!self->is_speaking && (notice = g_queue_pop_head (&self->notices)) != NULL)
    {
      gboolean is_trouble = trouble != NULL && strstr (notice->text, trouble) != NULL;

      is_told = is_told || is_trouble;
      if (!is_trouble || !self->is_cancelled)
        say (self, notice->style, notice->text);
      g_free (notice->text);
      g_free (notice);
    }
  return is_told;
}

/* Draws what went wrong, once all of it is known. */
void
chat_draw_trouble (Chat *self)
{
  g_autofree char *trouble = g_steal_pointer (&self->trouble);
  gboolean was_speaking = self->is_speaking, is_told;

  if (trouble == NULL)
    {
      draw_notices (self, NULL);
      return;
    }
  chat_begin (self);
  stop_speaking (self);
  chat_end (self);
  is_told = draw_notices (self, trouble);
  if (self->is_cancelled && self->was_kept)
    chat_note (self, "cut off here");
  else if (self->is_cancelled)
    chat_note (self, was_speaking ? "cancelled; what was said so far is not part of the conversation" : "cancelled");
  else if (!is_told)
    chat_complain (self, "%s", trouble);
  self->is_cancelled = FALSE;
}

/* Who looks at the conversation has read what it says, and its questions are drawn. */
static gboolean
is_told (Chat *self, const char *notification, const char *text)
{
  g_autofree char *type = clq_json_find_string (notification, "type");

  return g_strcmp0 (text, self->said) == 0 || (g_strcmp0 (type, "question") == 0 && self->session != NULL && chat_has_question (self));
}

static void
on_notified (Chat *self, const ClqNews *news)
{
  g_autofree char *title = clq_json_find_string (news->text, "title");
  g_autofree char *text = clq_json_find_string (news->text, "text");
  g_autofree char *message = text != NULL ? NULL : clq_json_find_string (news->text, "message");
  const char *body = text != NULL ? text : message;

  if (body != NULL && is_told (self, news->text, body))
    return;
  if (title == NULL && body == NULL)
    say (self, warning, news->text);
  else
    {
      g_autofree char *whole = title != NULL && body != NULL ? g_strdup_printf ("%s: %s", title, body) : NULL;

      say (self, warning, whole != NULL ? whole : title != NULL ? title
                                                                : body);
    }
}

static void
on_progress (Chat *self, const ClqNews *news)
{
  g_autofree char *text = g_strdup_printf ("%3.0f %% %s", CLAMP (news->fraction, 0, 1) * 100, news->text != NULL ? news->text : "");

  show_passing (self, text);
}

static void
on_taken (Chat *self, const ClqNews *news)
{
  if (news->milestone && news->reason != NULL)
    chat_note (self, "◆ %s: %s", news->to, news->reason);
  else if (news->milestone)
    chat_note (self, "◆ %s", news->to);
  chat_update (self);
}

void
chat_on_news (const ClqNews *news, gpointer user_data)
{
  Chat *self = user_data;

  if (memcmp (news->id, self->id, sizeof self->id) != 0 || self->is_over)
    return;
  switch (news->type)
    {
    case CLQ_NEWS_PIECE:
      on_piece (self, news);
      break;
    case CLQ_NEWS_SAID:
      on_said (self, news);
      break;
    case CLQ_NEWS_PROGRESS:
      on_progress (self, news);
      break;
    case CLQ_NEWS_NOTIFIED:
      on_notified (self, news);
      break;
    case CLQ_NEWS_WARNED:
    case CLQ_NEWS_ALERT:
      add_notice (self, warning, news->text);
      break;
    case CLQ_NEWS_FAILED:
      self->is_cancelled = FALSE;
      note_trouble (self, g_strdup_printf ("the session has stopped: %s", news->error));
      break;
    case CLQ_NEWS_TAKEN:
      if (news->error != NULL)
        note_trouble (self, g_strdup (news->error));
      else
        on_taken (self, news);
      break;
    case CLQ_NEWS_OPENED:
    case CLQ_NEWS_ASKED:
    default:
      chat_update (self);
      break;
    }
}
