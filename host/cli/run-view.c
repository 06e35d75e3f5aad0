#define G_LOG_DOMAIN "colloquy"

#include "run.h"

#include <glib-unix.h>
#include <unistd.h>

/* What people see of a session that runs: what is said, on stdout, and how it goes on, on stderr. */

/* On a terminal what is said is always drawn while it comes. */
void
run_view_init (RunView *self, ClqHost *host, const guint8 *id, gboolean is_quiet, gboolean streams)
{
  term_init (&self->term, STDOUT_FILENO, cli_is_plain (STDOUT_FILENO));
  term_stream_init (&self->stream, &self->term);
  self->streams = streams || !self->term.is_plain;
  self->heard = g_string_new (NULL);
  self->is_speaking = self->is_kept = FALSE;
  self->interrupt = 0;
  run_live_init (&self->live, host, id, is_quiet);
}

void
run_view_clear (RunView *self)
{
  run_view_rest (self);
  run_live_clear (&self->live);
  term_stream_clear (&self->stream);
  g_string_free (self->heard, TRUE);
  term_clear (&self->term);
}

static void
speak (RunView *self, const char *text)
{
  self->is_speaking = TRUE;
  self->live.is_held = TRUE;
  run_live_hide (&self->live);
  term_measure (&self->term);
  g_string_append (self->heard, text);
  term_stream_add (&self->stream, text, -1);
  term_flush (&self->term);
}

static void
end_speech (RunView *self)
{
  if (!self->is_speaking)
    return;
  self->is_speaking = FALSE;
  g_string_truncate (self->heard, 0);
  term_stream_end (&self->stream);
  term_flush (&self->term);
  self->live.is_held = FALSE;
}

/* Something else is to be written. */
void
run_view_pause (RunView *self)
{
  end_speech (self);
  run_live_hide (&self->live);
}

/* What is said as a whole; some of it may stand there already. */
static void
complete (RunView *self, const char *text)
{
  if (!g_str_has_prefix (text, self->heard->str))
    end_speech (self); /* that was something else, which was broken off */
  speak (self, text + self->heard->len);
  end_speech (self);
}

void
run_view_take (RunView *self, const ClqNews *news)
{
  if (news->type == CLQ_NEWS_PIECE && self->streams)
    speak (self, news->text);
  else if (news->type == CLQ_NEWS_SAID && news->role != CLQ_ROLE_USER)
    complete (self, news->text);
  else if (news->type == CLQ_NEWS_TAKEN && news->error != NULL)
    end_speech (self); /* nothing will come of it */
  run_live_take (&self->live, news);
}

/* ---- Ctrl-C ---- */

/* What was done is kept, so nothing is lost; the process ends as others do. */
static gboolean
on_interrupt (gpointer user_data)
{
  RunView *self = user_data;
  g_autoptr (ClqSession) session = clq_host_get_session (self->live.host, self->live.id);
  const char *id = session != NULL ? clq_session_get_id (session) : NULL;

  run_view_pause (self);
  if (self->is_kept && session != NULL)
    cli_complain ("interrupted; session %s is kept, go on with: colloquy resume %s", id, id);
  else
    cli_complain ("interrupted");
  signal (SIGINT, SIG_DFL);
  raise (SIGINT);
  return G_SOURCE_CONTINUE;
}

/* The session is about to go on. Ctrl-C interrupts it until run_view_rest (). */
void
run_view_begin (RunView *self, gboolean is_kept)
{
  self->is_kept = is_kept;
  self->interrupt = g_unix_signal_add (SIGINT, on_interrupt, self);
}

void
run_view_rest (RunView *self)
{
  g_clear_handle_id (&self->interrupt, g_source_remove);
}

/* ---- the end ---- */

/* The session has come to rest: says who has done how much. */
void
run_view_sum_up (RunView *self)
{
  end_speech (self);
  run_live_sum_up (&self->live);
}
