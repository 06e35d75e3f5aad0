#define G_LOG_DOMAIN "colloquy"

#include "run.h"

#include <unistd.h>

/* What people see of a session that runs: what is said, on stdout, and how it goes on, on stderr. */

void
run_view_init (RunView *self, ClqHost *host, const guint8 *id, gboolean is_quiet)
{
  term_init (&self->term, STDOUT_FILENO, cli_is_plain (STDOUT_FILENO));
  term_stream_init (&self->stream, &self->term);
  self->is_speaking = FALSE;
  run_live_init (&self->live, host, id, is_quiet);
}

void
run_view_clear (RunView *self)
{
  run_live_clear (&self->live);
  term_stream_clear (&self->stream);
  term_clear (&self->term);
}

static void
speak (RunView *self, const char *text)
{
  self->is_speaking = TRUE;
  self->live.is_held = TRUE;
  run_live_hide (&self->live);
  term_measure (&self->term);
  term_stream_add (&self->stream, text, -1);
  term_flush (&self->term);
}

static void
end_speech (RunView *self)
{
  if (!self->is_speaking)
    return;
  self->is_speaking = FALSE;
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

void
run_view_take (RunView *self, const ClqNews *news)
{
  if (news->type == CLQ_NEWS_PIECE)
    speak (self, news->text);
  else if (news->type == CLQ_NEWS_SAID && self->is_speaking)
    end_speech (self); /* its pieces were printed */
  else if (news->type == CLQ_NEWS_SAID && news->role != CLQ_ROLE_USER)
    {
      speak (self, news->text);
      end_speech (self);
    }
  run_live_take (&self->live, news);
}

/* The session has come to rest: says who has done how much. */
void
run_view_sum_up (RunView *self)
{
  end_speech (self);
  run_live_sum_up (&self->live);
}
