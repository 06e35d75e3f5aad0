#define G_LOG_DOMAIN "clq-replay"

#include "clq-replay-private.h"

#include <string.h>

/* What somebody sent, from what was written of it. */

typedef struct
{
  char *event;
  char *payload;
  char *text;
  char *actor;
  char *key;
  ClqRole role;
  gboolean is_message; /* a message that was an answer */
  gboolean is_cancel;
} Sent;

static void
sent_clear (Sent *self)
{
  g_free (self->event);
  g_free (self->payload);
  g_free (self->text);
  g_free (self->actor);
  g_free (self->key);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sent, sent_clear)

/* The message of an input is the first that stands behind it. */
static const ClqRecord *
find_message (const ClqReplay *self)
{
  const ClqRecord *record;

  for (guint ahead = 1; (record = clq_replay_peek (self, ahead)) != NULL && record->type != CLQ_RECORD_EVENT; ahead++)
    if (record->type == CLQ_RECORD_MESSAGE)
      return record;
  return NULL;
}

static gboolean
is_event (const ClqGraph *graph, int index, const char *name)
{
  return index >= 0 && strcmp (graph->events[index].name, name) == 0;
}

static void
read_sent (const ClqReplay *self, const ClqRecord *record, Sent *sent)
{
  const ClqRecord *message = find_message (self);

  sent->event = clq_replay_dup_member (record, "event");
  sent->payload = clq_replay_dup_member (record, "payload");
  sent->actor = clq_replay_dup_member (record, "actor");
  sent->key = clq_replay_dup_member (record, "key");
  sent->is_message = clq_json_find (record->body, record->length, "message").type != CLQ_JSON_NONE;
  sent->is_cancel = clq_json_find (record->body, record->length, "cancelled").type != CLQ_JSON_NONE;
  if (message == NULL || sent->event == NULL)
    return;
  if (sent->is_message || is_event (self->graph, self->graph->message, sent->event) || (record->seq == 1 && message->role == CLQ_ROLE_USER))
    {
      sent->text = clq_replay_dup_member (message, "text");
      sent->role = message->role;
    }
}

/* ---- answers ---- */

static gboolean
is_open (const ClqJsonSpan *list, const ClqJsonSpan *name)
{
  ClqJsonIter iter;
  ClqJsonSpan question;

  if (list->type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, list))
    return FALSE;
  while (clq_json_iter_next (&iter, NULL, &question))
    {
      ClqJsonSpan key = clq_json_find (question.start, question.length, "key");
      g_autofree char *text = clq_json_span_dup_string (&key);

      if (clq_json_span_string_equal (name, text))
        return TRUE;
    }
  return FALSE;
}

/* The event that ends a batch has all its answers; those that were given before are not given again. */
static char *
dup_new_answers (const ClqLive *live, const char *payload)
{
  const char *questions = live != NULL && live->head.extra != NULL ? live->head.extra->questions : NULL;
  g_autofree char *open = questions != NULL ? clq_questions_dup_open (questions) : NULL;
  ClqJsonSpan list = clq_json_span (open != NULL ? open : "[]", -1), values = clq_json_find (payload, -1, "values"), key, value;
  g_autoptr (GString) out = g_string_new ("{\"values\":{");
  guint n_old = 0, n_new = 0;
  ClqJsonIter iter;

  if (values.type != CLQ_JSON_OBJECT || !clq_json_iter_init (&iter, &values))
    return g_strdup (payload);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      if (!is_open (&list, &key))
        {
          n_old++;
          continue;
        }
      g_string_append_printf (out, "%s%.*s:%.*s", n_new++ > 0 ? "," : "", (int) key.length, key.start, (int) value.length, value.start);
    }
  g_string_append (out, "}}");
  return g_strdup (n_old > 0 && n_new > 0 ? out->str : payload);
}

/* ---- sending ---- */

static void
open_again (ClqReplay *self, const Sent *sent, ClqReplyFunc func, gpointer user_data)
{
  const char *owner = clq_head_get_owner (self->head);

  self->stage->engine->clock.now = self->head->created_at;
  if (strcmp (sent->event, "put") == 0 && sent->payload != NULL)
    clq_host_place_session (self->stage, self->graph, self->id, owner, sent->payload, func, user_data);
  else
    clq_host_open_session (self->stage, self->graph, self->id, owner, sent->text, sent->key, func, user_data);
}

/* Private: sends what the record tells of; @func hears whether it was taken. */
void
clq_replay_send (ClqReplay *self, const ClqRecord *record, ClqReplyFunc func, gpointer user_data)
{
  const ClqGraph *graph = self->graph;
  g_auto (Sent) sent = { NULL };
  g_autofree char *answers = NULL;
  ClqInput input = { CLQ_INPUT_ACTION };

  read_sent (self, record, &sent);
  if (sent.event == NULL)
    return;
  if (record->seq == 1)
    {
      open_again (self, &sent, func, user_data);
      return;
    }
  input.name = sent.event;
  input.payload = sent.payload;
  input.text = sent.text;
  input.role = sent.role;
  input.actor = sent.actor;
  input.key = sent.key;
  if (sent.is_cancel)
    input.kind = CLQ_INPUT_CANCEL;
  else if (sent.is_message && graph->message >= 0)
    input.name = graph->events[graph->message].name;
  else if (strcmp (sent.event, "put") == 0 && sent.payload != NULL && clq_graph_find_event (graph, "put") < 0)
    input.kind = CLQ_INPUT_PUT;
  else if (sent.payload != NULL && (strcmp (sent.event, "answer") == 0 || is_event (graph, graph->engine_events[CLQ_ENGINE_ANSWER], sent.event)))
    {
      input.kind = CLQ_INPUT_ANSWER;
      input.payload = answers = dup_new_answers (clq_live_find (self->stage->engine, self->id), sent.payload);
    }
  clq_host_send (self->stage, self->id, &input, func, user_data);
}
