#define G_LOG_DOMAIN "clq-rehearse"

#include "clq-calls.h"

#include <string.h>

/* A past that is run again: what was outside then is brought in here. */

static ClqRun *
run_of (const ClqLive *live)
{
  ClqRun *run = live->work != NULL ? live->work->run : NULL;

  return run != NULL && !run->visit.over ? run : NULL;
}

/* Whether the call is the agent's that asked for tools under this key. */
static gboolean
is_round (const RunCall *self, const char *key)
{
  g_autofree char *round = self->kind == CALL_AGENT ? g_strdup_printf ("%s/tools-%u", self->call.key, self->n_rounds + 1) : NULL;

  return g_strcmp0 (round, key) == 0;
}

/* The agent asks for the tools that it asked for. */
static void
want_tools (RunCall *self, const char *round)
{
  g_autofree char *said = clq_json_find_string (round, "text");
  ClqJsonSpan wants = clq_json_find (round, -1, "tools"), want;
  ClqJsonIter iter;

  if (wants.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &wants))
    while (clq_json_iter_next (&iter, NULL, &want))
      {
        g_autofree char *text = g_strndup (want.start, want.length);
        g_autofree char *id = clq_json_find_string (text, "id");
        g_autofree char *name = clq_json_find_string (text, "name");
        ClqJsonSpan span = clq_json_find (text, -1, "arguments");
        g_autofree char *arguments = g_strndup (span.start, span.length);

        if (id != NULL && name != NULL)
          clq_call_want_tool (&self->call, id, name, arguments);
      }
  clq_call_return (&self->call, said != NULL ? said : "");
}

static void
answer (RunCall *self, const ClqPastCall *past)
{
  self->is_parked = FALSE;
  clq_call_usage (&self->call, past->tokens_in, past->tokens_out, past->cost);
  if (past->heard != NULL)
    clq_call_piece (&self->call, past->heard, -1);
  if (past->retry_after > 0)
    clq_call_set_retry_after (&self->call, past->retry_after);
  if (past->error != NULL)
    clq_call_fail (&self->call, past->failure, "%s", past->error);
  else if (strcmp (self->call.key, past->key) != 0)
    want_tools (self, past->text);
  else
    clq_call_return (&self->call, past->text);
}

/* Private: answers the call that waits for this, though its visit is about to be over. FALSE: none does. */
gboolean
clq_rehearse_late_call (ClqRun *run, const ClqPastCall *past)
{
  if (run->visit.id != past->visit)
    return FALSE;
  for (guint i = 0; run->calls != NULL && i < run->calls->len; i++)
    {
      RunCall *self = g_ptr_array_index (run->calls, i);

      if (!self->is_parked || self->call.over || (strcmp (self->call.key, past->key) != 0 && !is_round (self, past->key)))
        continue;
      answer (self, past);
      return TRUE;
    }
  return FALSE;
}

/* Private: answers the call that waits for this. FALSE: none does. */
gboolean
clq_rehearse_call (ClqLive *live, const ClqPastCall *past)
{
  ClqRun *run = run_of (live);

  return run != NULL && clq_rehearse_late_call (run, past);
}

/* Private: a limit of what may be spent kept the visit from asking; @refusal is what `limit` was raised with. FALSE: nobody would be asked. */
gboolean
clq_rehearse_refusal (ClqLive *live, const char *refusal)
{
  ClqRun *run = run_of (live);
  gboolean any = FALSE;

  for (guint i = 0; run != NULL && run->calls != NULL && i < run->calls->len; i++)
    {
      RunCall *self = g_ptr_array_index (run->calls, i);

      if (!self->is_parked || self->kind != CALL_AGENT)
        continue;
      self->is_parked = FALSE;
      clq_budget_refuse (self, refusal);
      any = TRUE;
    }
  return any;
}

/* Private: a call that never ended had brought the visit so far. */
void
clq_rehearse_speech (ClqLive *live, const char *said)
{
  ClqRun *run = run_of (live);
  gsize length = run != NULL && run->visit.said != NULL ? run->visit.said->len : 0;

  if (run == NULL || strlen (said) <= length || (length > 0 && strncmp (said, run->visit.said->str, length) != 0))
    return;
  for (guint i = 0; run->calls != NULL && i < run->calls->len; i++)
    {
      RunCall *self = g_ptr_array_index (run->calls, i);

      if (self->is_parked && self->stream)
        {
          clq_call_piece (&self->call, said + length, -1);
          return;
        }
    }
}

/* Private: (transfer full) (nullable): the calls that wait for an answer, for people. */
char *
clq_rehearse_dup_waiting (const ClqLive *live)
{
  const ClqRun *run = run_of (live);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; run != NULL && run->calls != NULL && i < run->calls->len; i++)
    {
      const RunCall *self = g_ptr_array_index (run->calls, i);

      if (self->is_parked)
        g_string_append_printf (list, "%scall '%s' of %s '%s'", list->len > 0 ? ", " : "", self->call.key,
                                self->kind == CALL_TOOL ? "tool" : "agent", self->call.target);
    }
  return list->len > 0 ? g_strdup (list->str) : NULL;
}

/*
 * A host that was busy, or not there, is late: what was due for the session itself came after an input then. Only
 * another attempt leaves no record, and comes when it is due.
 */
static gboolean
may_be_late (const ClqLive *live)
{
  gboolean visiting = live->head.status == CLQ_STATUS_RUNNING;

  return clq_due_find (&live->head, live->graph, live->state, visiting, live->wake->after).kind != CLQ_DUE_RETRY;
}

/*
 * Private: lets the next timer fire that is due until then. FALSE: there is none. Where an input is next, what the
 * session waits for on the clock was not looked at before it.
 */
gboolean
clq_rehearse_fire (ClqEngine *engine, ClqLive *live, gint64 until, gboolean input_is_next)
{
  ClqTimer *timer = clq_timers_peek (&engine->timers);

  if (timer == NULL || timer->at > until)
    return FALSE;
  clq_timers_disarm (&engine->timers, timer);
  if (input_is_next && live->wake != NULL && timer == &live->wake->timer && may_be_late (live))
    return TRUE; /* it is armed again with the next commit */
  engine->clock.now = MAX (engine->clock.now, timer->at);
  timer->fire (timer);
  return TRUE;
}

/*
 * Private: lets the running node's own timer fire if that is what comes next, before then. Such timers leave no record, but
 * what the node does with its calls may depend on them. FALSE: there is none.
 */
gboolean
clq_rehearse_fire_wait (ClqEngine *engine, ClqLive *live, gint64 before)
{
  ClqTimer *timer = clq_timers_peek (&engine->timers);
  const ClqRun *run = live->work != NULL ? live->work->run : NULL;

  if (timer == NULL || timer->at >= before || run == NULL || run->waits == NULL || !g_ptr_array_find (run->waits, timer, NULL))
    return FALSE;
  clq_timers_disarm (&engine->timers, timer);
  engine->clock.now = MAX (engine->clock.now, timer->at);
  timer->fire (timer);
  return TRUE;
}

static void
on_found_again (ClqLive *live, const GError *error, gpointer user_data)
{
}

/* Private: the host stops while a visit is open, and another one finds the session. */
void
clq_rehearse_loss (ClqEngine *engine, const guint8 id[16])
{
  ClqLive *live = clq_live_find (engine, id);

  if (live != NULL)
    clq_live_free (live);
  clq_live_load (engine, id, on_found_again, NULL);
}
