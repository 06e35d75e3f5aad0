#define G_LOG_DOMAIN "clq-tools"

#include "clq-calls.h"

#include <string.h>

#define AGAIN "/again"
#define CONFIRM "/confirm"

/*
 * Using a tool: it must be one that the state allows, its arguments must fit, a person may have to agree, and what it does
 * outside is written down before it is done.
 */

/* ---- people who decide ---- */

static void
ask_person (RunCall *self, const char *suffix, const char *prompt, ClqCallFunc func)
{
  g_autofree char *key = g_strconcat (self->call.key, suffix, NULL);
  const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .owner = "tool", .id = key, .prompt = prompt };

  clq_run_call_hold (self);
  clq_visit_ask (&self->run->visit, key, &question, func, NULL);
}

/* What the tool is about to do outside is written down first. */
static void
write_intent (RunCall *self)
{
  self->has_intent = TRUE;
  clq_run_call_wait (self);
  clq_engine_queue_event (self->run->live, clq_run_call_event (self, CLQ_PURPOSE_RECORD, CLQ_RECORD_INTENT));
}

/* The tool that waits for the answer to a question of ours. */
static RunCall *
find_waiting (ClqVisit *visit, const ClqCall *question, const char *suffix)
{
  ClqRun *run = (ClqRun *) visit;

  for (guint i = 0; i < run->calls->len; i++)
    {
      RunCall *self = g_ptr_array_index (run->calls, i);

      if (self->kind == CALL_TOOL && self->is_held && g_str_has_prefix (question->key, self->call.key) &&
          strcmp (question->key + strlen (self->call.key), suffix) == 0)
        return self;
    }
  return NULL;
}

/* The answer to whether a tool is to be used again that may have done its work already. It holds for one use. */
static void
on_again (ClqVisit *visit, ClqCall *question, gpointer user_data)
{
  RunCall *self = find_waiting (visit, question, AGAIN);

  if (self == NULL)
    return;
  if (strcmp (question->text, "true") == 0)
    write_intent (self);
  else
    clq_call_fail (&self->call, CLQ_FAILURE_CRITICAL, "tool '%s' may have done its work before it was cut off; it is not used again", self->call.target);
}

static void
ask_again (RunCall *self)
{
  g_autofree char *prompt = g_strdup_printf ("Tool '%s' was cut off while it was in use with %s. It may have done its work. Use it again?",
                                             self->call.target, self->call.request);

  ask_person (self, AGAIN, prompt, on_again);
}

static void
on_confirmed (ClqVisit *visit, ClqCall *question, gpointer user_data)
{
  RunCall *self = find_waiting (visit, question, CONFIRM);

  if (self == NULL)
    return;
  self->is_confirmed = TRUE;
  if (strcmp (question->text, "true") == 0)
    clq_run_call_restart (self);
  else
    clq_call_fail (&self->call, CLQ_FAILURE_USER, "the user does not allow tool '%s' to be used with these arguments", self->call.target);
}

/* The arguments are shown as they will be used. */
static void
ask_to_confirm (RunCall *self)
{
  g_autofree char *prompt = g_strdup_printf ("May tool '%s' be used with %s?", self->call.target, self->call.request);

  ask_person (self, CONFIRM, prompt, on_confirmed);
}

/* ---- what is allowed ---- */

static const ClqState *
place_of (const RunCall *self)
{
  return &self->run->graph->states[self->run->live->state];
}

static gboolean
has_word (char **words, const char *word)
{
  return words != NULL && g_strv_contains ((const char *const *) words, word);
}

/* What a node asks for itself is its own business; what an agent asks for must stand in the graph. */
static gboolean
is_allowed (RunCall *self)
{
  const ClqState *place = place_of (self);
  g_autofree char *tools = NULL;

  if (self->asked_by == NULL || has_word (place->tools, self->call.target))
    return TRUE;
  tools = place->tools != NULL ? g_strjoinv (", ", place->tools) : NULL;
  clq_call_fail (&self->call, CLQ_FAILURE_USER, "there is no tool '%s' here; expected one of: %s", self->call.target, tools != NULL ? tools : "none");
  return FALSE;
}

/* Private: a tool is begun; what a person said about using it again was about this. */
void
clq_work_note_intent (ClqWork *work, const char *key)
{
  g_autofree char *question = g_strconcat (key, AGAIN, NULL);

  if (work->intents == NULL)
    work->intents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (work->intents, g_strdup (key));
  if (work->results != NULL)
    g_hash_table_remove (work->results, question);
}

/* The tool was begun in an attempt that was lost with its host, or cut off; nobody knows what became of it. */
static gboolean
is_settled_by_policy (RunCall *self, const ClqToolInfo *info)
{
  const ClqWork *work = self->run->live->work;

  if (work->intents == NULL || !g_hash_table_contains (work->intents, self->call.key) || self->has_intent)
    return FALSE;
  if (info->policy == CLQ_TOOL_FAIL)
    clq_call_fail (&self->call, CLQ_FAILURE_CRITICAL, "tool '%s' may have done its work before it was cut off", self->call.target);
  else if (info->policy == CLQ_TOOL_ASK)
    ask_again (self);
  else
    self->has_intent = TRUE;
  return info->policy != CLQ_TOOL_RETRY;
}

/* ---- using it ---- */

/* Private: uses the tool of a call, or begins to find out whether it may. */
void
clq_tool_call_use (RunCall *self)
{
  ClqEngine *engine = self->engine;
  const ClqToolInfo *info = NULL;
  g_autoptr (GError) error = NULL;
  gpointer tool;

  if (!is_allowed (self))
    return;
  tool = engine->host_ops->find_tool (engine->host, self->call.target, &info, &error);
  if (tool == NULL)
    clq_call_fail (&self->call, clq_failure_of (error), "%s", error->message);
  else if (!engine->host_ops->check_arguments (engine->host, self->call.target, self->call.request, &error))
    clq_call_fail (&self->call, CLQ_FAILURE_USER, "tool '%s': %s", self->call.target, error->message);
  else if (!self->is_confirmed && has_word (place_of (self)->confirm, self->call.target))
    ask_to_confirm (self);
  else if (is_settled_by_policy (self, info))
    return;
  else if (info->has_effects && !self->has_intent)
    write_intent (self);
  else if (!clq_run_call_park (self))
    info->use (tool, &self->call);
}
