#define G_LOG_DOMAIN "clq-visit"

#include "clq-calls.h"

#include <string.h>

/* ---- speaking ---- */

static ClqNews
news_of (const ClqRun *run, ClqNewsType type)
{
  return (ClqNews){
    .type = type,
    .id = run->live->head.id,
    .at = clq_clock_now (&run->engine->clock),
    .visit = run->visit.id,
    .attempt = run->visit.attempt,
  };
}

static void
visit_say (ClqVisit *visit, const char *text, gsize length)
{
  ClqRun *run = (ClqRun *) visit;
  g_autofree char *piece = NULL;
  ClqNews news;

  if (run->live == NULL || run->engine->observers->len == 0)
    return;
  piece = g_strndup (text, length);
  news = news_of (run, CLQ_NEWS_PIECE);
  news.role = CLQ_ROLE_ASSISTANT;
  news.text = piece;
  news.offset = visit->said->len;
  clq_engine_tell (run->engine, &news);
}

static void
visit_progress (ClqVisit *visit, double fraction, const char *text)
{
  ClqRun *run = (ClqRun *) visit;
  ClqNews news;

  if (run->live == NULL)
    return;
  news = news_of (run, CLQ_NEWS_PROGRESS);
  news.fraction = fraction;
  news.text = text;
  clq_engine_tell (run->engine, &news);
}

/* ---- waiting ---- */

/* A timer of the node; it holds the visit. */
typedef struct
{
  ClqTimer timer;
  ClqRun *run;
  ClqVisitFunc func;
  gpointer user_data;
} RunWait;

static void
on_wait_over (ClqTimer *timer)
{
  RunWait *wait = (RunWait *) timer;
  ClqRun *run = wait->run;

  g_ptr_array_remove_fast (run->waits, wait);
  if (!run->visit.over)
    wait->func (&run->visit, wait->user_data);
  clq_visit_unref (&run->visit);
  g_slice_free (RunWait, wait);
}

/* Private: the node waits for nothing any more. */
void
clq_run_cancel_waits (ClqRun *run)
{
  while (run->waits != NULL && run->waits->len > 0)
    {
      RunWait *wait = g_ptr_array_steal_index_fast (run->waits, run->waits->len - 1);

      clq_timers_disarm (&run->engine->timers, &wait->timer);
      g_slice_free (RunWait, wait);
      clq_visit_unref (&run->visit);
    }
}

static void
visit_after (ClqVisit *visit, GTimeSpan delay, ClqVisitFunc func, gpointer user_data)
{
  ClqRun *run = (ClqRun *) visit;
  RunWait *wait = g_slice_new0 (RunWait);

  wait->run = (ClqRun *) clq_visit_ref (visit);
  wait->func = func;
  wait->user_data = user_data;
  if (run->waits == NULL)
    run->waits = g_ptr_array_new ();
  g_ptr_array_add (run->waits, wait);
  clq_timers_arm (&run->engine->timers, &wait->timer, clq_clock_now (&run->engine->clock) + MAX (delay, 0), CLQ_TIMER_ANSWER, on_wait_over);
  clq_engine_rearm (run->engine);
}

/* ---- reading ---- */

typedef struct
{
  ClqRun *run;
  ClqJournalFunc func;
  gpointer user_data;
  gboolean is_asking; /* the store has not returned yet */
  GPtrArray *records; /* what it gave from inside */
  GError *error;
} Reading;

static void
deliver_journal (Reading *reading, GPtrArray *records, const GError *error)
{
  ClqVisit *visit = &reading->run->visit;

  if (!visit->over)
    reading->func (visit, (ClqRecord *const *) records->pdata, records->len, error, reading->user_data);
  clq_visit_unref (visit);
  g_clear_pointer (&reading->records, g_ptr_array_unref);
  g_clear_error (&reading->error);
  g_free (reading);
}

static void
on_kept_journal (gpointer user_data)
{
  Reading *reading = user_data;

  deliver_journal (reading, reading->records, reading->error);
}

/* Nothing comes back from inside a call, whatever store it is: nodes that work with one work with all. */
static void
keep_journal (Reading *reading, GPtrArray *records, const GError *error)
{
  reading->records = g_ptr_array_ref (records);
  reading->error = error != NULL ? g_error_copy (error) : NULL;
  clq_engine_later (reading->run->engine, on_kept_journal, reading);
}

static void
on_journal (GPtrArray *records, const GError *error, gpointer user_data)
{
  Reading *reading = user_data;

  if (reading->is_asking)
    keep_journal (reading, records, error);
  else
    deliver_journal (reading, records, error);
}

static void
visit_read_journal (ClqVisit *visit, guint types, guint64 after, guint64 before, guint limit, ClqJournalFunc func, gpointer user_data)
{
  ClqRun *run = (ClqRun *) visit;
  ClqWork *work = run->live->work;
  Reading *reading = g_new (Reading, 1);
  g_autoptr (GPtrArray) recent = clq_tail_read (&work->tail, types, after, before, limit);

  *reading = (Reading){ (ClqRun *) clq_visit_ref (visit), func, user_data, .is_asking = TRUE };
  g_hash_table_add (run->engine->reading_graphs, (gpointer) run->graph->hash);
  clq_tail_begin (&work->tail, run->live->head.seq);
  if (recent != NULL)
    keep_journal (reading, recent, NULL);
  else
    clq_conversation_read (run->engine, visit->view.head->id, visit->view.head->segment, types, after, before, limit, on_journal, reading);
  reading->is_asking = FALSE;
}

/* ---- calling ---- */

/* A visit that nobody wants any more may be older than its host. */
static gpointer
find_agent (const ClqRun *run, const char *agent, const ClqAgentInfo **info)
{
  return run->live != NULL ? run->engine->host_ops->find_agent (run->engine->host, agent, info, NULL) : NULL;
}

static gboolean
is_present (const ClqRun *run, const char *agent)
{
  const ClqAgentInfo *info = NULL;
  const ClqRehearsal *rehearsal = run->engine->rehearsal;
  gpointer self;

  if (rehearsal != NULL)
    return rehearsal->has_agent (rehearsal, run->visit.id, agent);
  self = find_agent (run, agent, &info);
  return self != NULL && (info->is_present == NULL || info->is_present (self));
}

/* That somebody was not there is written down with what the visit does next: it decides what that is. */
static gboolean
visit_has_agent (ClqVisit *visit, const char *agent)
{
  ClqRun *run = (ClqRun *) visit;

  if (is_present (run, agent))
    return TRUE;
  if (run->absent == NULL)
    run->absent = g_ptr_array_new_with_free_func (g_free);
  if (!g_ptr_array_find_with_equal_func (run->absent, agent, g_str_equal, NULL))
    g_ptr_array_add (run->absent, g_strdup (agent));
  return FALSE;
}

/* 0: the agent does not say. */
static guint64
visit_estimate_tokens (ClqVisit *visit, const char *agent, const char *text)
{
  const ClqAgentInfo *info = NULL;
  gpointer self = find_agent ((ClqRun *) visit, agent, &info);

  return self != NULL && info->estimate_tokens != NULL ? info->estimate_tokens (self, text) : 0;
}

static void
visit_call (ClqVisit *visit, gboolean tool, const char *key, const char *target, const char *request, gboolean stream, ClqCallFunc func, gpointer user_data)
{
  RunCall *call = clq_run_call_new ((ClqRun *) visit, tool ? CALL_TOOL : CALL_AGENT, key, target, request);

  call->stream = stream;
  call->func = func;
  call->user_data = user_data;
  clq_run_call_start (call);
  clq_call_unref (&call->call);
}

static void
visit_ask (ClqVisit *visit, const char *key, const ClqQuestion *question, ClqCallFunc func, gpointer user_data)
{
  RunCall *call = clq_run_call_new ((ClqRun *) visit, CALL_QUESTION, key, "person", NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *quoted = clq_json_quote (key);
  ClqQuestion whole = *question;

  if (whole.id == NULL)
    whole.id = key;
  clq_question_append_json (&whole, json);
  clq_json_set (json, "call", quoted);
  call->question = g_strdup (json->str);
  call->func = func;
  call->user_data = user_data;
  clq_run_call_start (call);
  clq_call_unref (&call->call);
}

static void
visit_reject (ClqVisit *visit, const char *key, const char *why)
{
  ClqRun *run = (ClqRun *) visit;
  ClqEvent *event;

  if (run->live == NULL)
    return;
  clq_run_record_answers (run);
  clq_work_forget_result (run->live->work, key);
  event = clq_event_new (CLQ_EVENT_OUTCOME, "call");
  event->purpose = CLQ_PURPOSE_RECORD;
  event->record = CLQ_RECORD_REJECTION;
  event->visit = run->serial;
  event->owned_name = g_strdup (key);
  event->text = g_strdup (why);
  event->absent = g_steal_pointer (&run->absent);
  clq_engine_queue_event (run->live, event);
}

/* A visit that nobody wants any more leaves nothing behind. */
static GData **
visit_memos (ClqVisit *visit)
{
  ClqRun *run = (ClqRun *) visit;

  return run->live != NULL ? &run->live->work->memos : NULL;
}

const ClqVisitOps clq_run_ops = {
  visit_say,
  visit_progress,
  visit_after,
  clq_run_set_timeout,
  visit_read_journal,
  visit_has_agent,
  visit_estimate_tokens,
  visit_call,
  visit_ask,
  visit_reject,
  clq_fan_out,
  clq_run_fail,
  clq_run_dispose,
  clq_run_search,
  visit_memos,
};
