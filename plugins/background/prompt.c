/* What an agent is asked: a first message with what is known, the newest messages of the conversation, and maybe a last one. */
#include "background.h"

static const char *const names[] = { "now", "schedule", "next-run", "task", "step", "state", NULL };

/* Whether the prompt of a node can be filled in. */
gboolean
background_node_check (const BackgroundNode *self, GError **error)
{
  if (clq_template_check (self->prompt, names, error))
    return TRUE;
  g_prefix_error (error, "prompt: ");
  return FALSE;
}

/* The same names in the first message and in the last. */
static char *
fill_in (const char *text, ClqView *view)
{
  gint64 next = clq_view_get_next_run (view);
  g_autofree char *now = clq_time_print (clq_view_get_now (view));
  g_autofree char *next_run = next > 0 ? clq_time_print (next) : NULL;
  g_autofree char *task = clq_view_dup_string (view, "state_context.task");
  g_autofree char *step = clq_view_dup_string (view, "state_step");
  ClqJsonSpan state = clq_view_find (view, "state_data");
  g_autofree char *state_text = g_strndup (state.start, state.length);
  const char *schedule = clq_view_get_schedule (view);
  const char *values[] = { now, schedule, next_run, task, step, g_strcmp0 (state_text, "{}") == 0 ? NULL : state_text };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = values[i] != NULL ? values[i] : "";
  return clq_template_expand (text, names, values, NULL);
}

static void
add_record (ClqPrompt *prompt, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, (gssize) length, "text");
  g_autofree char *text = span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;

  if (text != NULL)
    clq_prompt_add (prompt, clq_record_get_role (record), text);
}

static void
on_journal (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  BackgroundNode *self = user_data;
  g_autofree char *first = NULL, *last = NULL, *request = NULL;
  g_autoptr (ClqPrompt) prompt = NULL;

  if (error != NULL)
    {
      clq_visit_fail (visit, CLQ_FAILURE_RECOVERABLE, "the conversation cannot be read: %s", error->message);
      return;
    }
  prompt = clq_prompt_new ();
  first = fill_in (self->prompt, clq_visit_get_view (visit));
  if (first != NULL && *first != '\0')
    clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, first);
  for (guint i = n_records; i > 0; i--)
    add_record (prompt, records[i - 1]);
  last = self->last != NULL ? fill_in (self->last, clq_visit_get_view (visit)) : NULL;
  if (last != NULL)
    clq_prompt_add (prompt, CLQ_ROLE_USER, last);
  request = clq_prompt_finish (g_steal_pointer (&prompt));
  clq_visit_call_agent (visit, "reply", self->agent, request, FALSE, self->func, self);
}

/**
 * background_ask:
 * @self: the node
 * @visit: its visit
 *
 * What the agent says is not streamed: it may be JSON, which nobody wants to read.
 */
void
background_ask (BackgroundNode *self, ClqVisit *visit)
{
  if (self->history > 0)
    clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE, 0, (guint) self->history, on_journal, self);
  else
    on_journal (visit, NULL, 0, NULL, self);
}
