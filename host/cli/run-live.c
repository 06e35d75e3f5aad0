#define G_LOG_DOMAIN "colloquy"

#include "run.h"

#include <string.h>
#include <unistd.h>

#define BAR_LENGTH 20
#define BAR_COLUMNS (BAR_LENGTH + 8) /* with the number behind it */

typedef struct
{
  char *name;
  guint n_calls; /* that have ended */
  guint n_open;  /* that have not */
  gint64 since;  /* when the oldest open one began */
  gint64 ms;     /* of those that have ended */
  guint64 tokens_in;
  guint64 tokens_out;
} LiveAgent;

static const TermStyle strong = { TERM_BOLD, TERM_DEFAULT };
static const TermStyle plain = { 0, TERM_DEFAULT };

static void
free_agent (gpointer data)
{
  LiveAgent *agent = data;

  g_free (agent->name);
  g_free (agent);
}

void
run_live_init (RunLive *self, ClqHost *host, const guint8 *id, gboolean is_quiet)
{
  term_init (&self->term, STDERR_FILENO, cli_is_plain (STDERR_FILENO));
  self->host = host;
  self->id = id;
  self->is_quiet = is_quiet;
  self->fraction = -1;
  self->ended = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->agents = g_ptr_array_new_with_free_func (free_agent);
}

void
run_live_clear (RunLive *self)
{
  run_live_hide (self);
  g_clear_pointer (&self->agents, g_ptr_array_unref);
  g_clear_pointer (&self->ended, g_hash_table_unref);
  term_clear (&self->term);
}

/* ---- drawing ---- */

static void
append_bar (GString *out, double fraction)
{
  guint n = (guint) (CLAMP (fraction, 0, 1) * BAR_LENGTH + 0.5);

  g_string_append (out, "  ");
  for (guint i = 0; i < BAR_LENGTH; i++)
    g_string_append (out, i < n ? "█" : "░");
  g_string_append_printf (out, " %3.0f %%", CLAMP (fraction, 0, 1) * 100);
}

static char *
dup_agent (const LiveAgent *agent, gint64 now)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "  %-14s %3u call%s  %6" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT " tokens  %.1f s", agent->name, agent->n_calls,
                          agent->n_calls == 1 ? " " : "s", agent->tokens_in, agent->tokens_out, (double) agent->ms / 1000);
  if (agent->n_open > 0)
    g_string_append_printf (out, "  thinking, %.0f s", (double) MAX (now - agent->since, 0) / G_TIME_SPAN_SECOND);
  return g_string_free (out, FALSE);
}

/* One row per line: what does not fit is cut off, so that the rows can be counted. */
static void
draw_row (RunLive *self, TermStyle style, const char *text)
{
  g_autofree char *safe = term_safe_dup (text, -1);
  g_autofree char *fitting = term_fit (safe, term_text_columns (&self->term));

  term_say (&self->term, style, "%s", fitting);
  self->n_rows++;
}

/* Where the session is, and how far; the bar is there whole, however long the rest is. */
static char *
dup_head (RunLive *self, const char *summary)
{
  gboolean has_bar = self->fraction >= 0;
  int columns = term_text_columns (&self->term) - (has_bar ? BAR_COLUMNS : 0);
  g_autofree char *safe = term_safe_dup (summary, -1);
  g_autofree char *fitting = term_fit (safe, MAX (columns, 1));
  GString *out = g_string_new (fitting);

  if (has_bar)
    append_bar (out, self->fraction);
  return g_string_free (out, FALSE);
}

static void
erase (RunLive *self)
{
  if (self->n_rows > 0)
    term_erase_up (&self->term, self->n_rows);
  self->n_rows = 0;
}

static gboolean on_tick (gpointer user_data);

static void
draw (RunLive *self)
{
  g_autoptr (ClqSession) session = clq_host_get_session (self->host, self->id);
  g_autofree char *summary = session != NULL ? clq_session_dup_summary (session) : NULL;
  g_autofree char *head = NULL;

  if (self->term.is_plain || self->is_quiet || self->is_held || session == NULL)
    return;
  erase (self);
  term_measure (&self->term);
  head = dup_head (self, summary != NULL ? summary : "");
  draw_row (self, strong, head);
  for (guint i = 0; i < self->agents->len; i++)
    {
      g_autofree char *row = dup_agent (g_ptr_array_index (self->agents, i), clq_host_get_now (self->host));

      draw_row (self, plain, row);
    }
  term_flush (&self->term);
  if (self->tick == 0)
    self->tick = g_timeout_add_seconds (1, on_tick, self);
}

/* Whoever thinks has thought a second longer. */
static gboolean
on_tick (gpointer user_data)
{
  RunLive *self = user_data;

  draw (self);
  return G_SOURCE_CONTINUE;
}

/* Makes room for what is said. */
void
run_live_hide (RunLive *self)
{
  erase (self);
  term_flush (&self->term);
  g_clear_handle_id (&self->tick, g_source_remove);
}

/* ---- what happens ---- */

static LiveAgent *
find_agent (RunLive *self, const char *name)
{
  LiveAgent *agent;

  for (guint i = 0; i < self->agents->len; i++)
    {
      agent = g_ptr_array_index (self->agents, i);
      if (strcmp (agent->name, name) == 0)
        return agent;
    }
  agent = g_new0 (LiveAgent, 1);
  agent->name = g_strdup (name);
  g_ptr_array_add (self->agents, agent);
  return agent;
}

static char *
dup_end (const ClqNews *news)
{
  if (news->error != NULL)
    return g_strdup (news->error);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT " tokens, %.1f s", news->tokens_in, news->tokens_out, (double) news->ms / 1000);
}

static void
take_call (RunLive *self, const ClqNews *news)
{
  LiveAgent *agent = find_agent (self, news->target);

  if (news->type == CLQ_NEWS_CALLING)
    {
      if (agent->n_open++ == 0)
        agent->since = news->at;
      return;
    }
  agent->n_open -= agent->n_open > 0;
  agent->n_calls++;
  agent->ms += news->ms;
  agent->tokens_in += news->tokens_in;
  agent->tokens_out += news->tokens_out;
  g_hash_table_replace (self->ended, g_strdup (news->call), dup_end (news));
}

/* What is known of the call that a node speaks of; NULL if it speaks of something else. */
static const char *
find_end (const RunLive *self, const char *text)
{
  const char *colon = strchr (text, ':');
  g_autofree char *call = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : NULL;

  return call != NULL ? g_hash_table_lookup (self->ended, call) : NULL;
}

static void
tell_progress (const RunLive *self, const ClqNews *news)
{
  const char *end = find_end (self, news->text);
  int length = end != NULL ? (int) (strchr (news->text, ':') - news->text) : (int) strlen (news->text);

  cli_tell ("%3.0f%% %.*s%s%s", CLAMP (news->fraction, 0, 1) * 100, length, news->text, end != NULL ? ": " : "", end != NULL ? end : "");
}

static void
tell_line (RunLive *self, const ClqNews *news)
{
  if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    cli_tell ("%s --%s--> %s%s%s%s", news->from, news->event, news->to, news->reason != NULL ? " (" : "", news->reason != NULL ? news->reason : "",
              news->reason != NULL ? ")" : "");
  else if (news->type == CLQ_NEWS_PROGRESS)
    tell_progress (self, news);
}

void
run_live_take (RunLive *self, const ClqNews *news)
{
  if (news->type == CLQ_NEWS_CALLING || news->type == CLQ_NEWS_ANSWERED)
    take_call (self, news);
  else if (news->type == CLQ_NEWS_PROGRESS)
    self->fraction = news->fraction;
  else if (news->type == CLQ_NEWS_TAKEN && news->to != NULL)
    {
      self->fraction = 0;
      g_hash_table_remove_all (self->ended);
    }
  if (self->is_quiet)
    return;
  if (self->term.is_plain)
    tell_line (self, news);
  if (news->type == CLQ_NEWS_WARNED)
    {
      run_live_hide (self);
      cli_tell ("warning: %s", news->text);
    }
  if (news->type != CLQ_NEWS_PIECE && news->type != CLQ_NEWS_SAID)
    draw (self);
}

/* Who has done how much, when all is over and there was more than one. */
void
run_live_sum_up (RunLive *self)
{
  run_live_hide (self);
  for (guint i = 0; !self->is_quiet && self->agents->len > 1 && i < self->agents->len; i++)
    {
      LiveAgent *agent = g_ptr_array_index (self->agents, i);
      g_autofree char *row = NULL;

      agent->n_open = 0;
      row = dup_agent (agent, 0);
      cli_tell ("%s", row + 2);
    }
}
