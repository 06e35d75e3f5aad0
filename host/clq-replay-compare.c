#define G_LOG_DOMAIN "clq-replay"

#include "clq-replay-private.h"

#include <string.h>

/* Whether now is as it was, and what it may mean if not. */

/* How long a call took is a measurement; everything else must be the same to the byte. */
static gboolean
is_same_call (const ClqRecord *past, const ClqRecord *now)
{
  ClqJsonSpan then = clq_json_find (past->body, past->length, "ms"), today = clq_json_find (now->body, now->length, "ms");
  gsize before = then.start - past->body, after = past->length - before - then.length;

  if (then.type == CLQ_JSON_NONE || today.type == CLQ_JSON_NONE)
    return past->length == now->length && memcmp (past->body, now->body, past->length) == 0;
  return (gsize) (today.start - now->body) == before && now->length - before - today.length == after &&
         memcmp (past->body, now->body, before) == 0 && memcmp (then.start + then.length, today.start + today.length, after) == 0;
}

/* Private. */
gboolean
clq_replay_is_equal (const ClqRecord *past, const ClqRecord *now)
{
  if (past->seq != now->seq || past->type != now->type || past->role != now->role || past->segment != now->segment || past->at != now->at)
    return FALSE;
  if (past->type == CLQ_RECORD_CALL)
    return is_same_call (past, now);
  return past->length == now->length && memcmp (past->body, now->body, past->length) == 0;
}

/* Private. */
void
clq_difference_clear (Difference *self)
{
  g_free (self->state);
  g_free (self->past);
  g_free (self->now);
  g_free (self->reason);
  memset (self, 0, sizeof *self);
}

/* ---- what it may mean ---- */

static char *
dup_record (const ClqRecord *record)
{
  if (record == NULL)
    return NULL;
  return g_strdup_printf ("{\"type\":\"%s\",\"role\":\"%s\",\"segment\":%u,\"at\":%" G_GINT64_FORMAT ",\"body\":%.*s}",
                          clq_record_type_to_string (record->type), clq_role_to_string (record->role), record->segment, record->at,
                          (int) record->length, record->body);
}

static const char *
kind_of (const ClqLive *live)
{
  return live != NULL && live->work != NULL && live->work->binding != NULL ? live->work->binding->kind : NULL;
}

static char *
explain_events (const ClqReplay *self, const ClqLive *live, const ClqRecord *past, const ClqRecord *now)
{
  static const char *const others[] = { "refused", "reason", "error", "class", "partial", "payload", "set", "milestone", "ms", NULL };
  g_autofree char *then = clq_replay_dup_member (past, "event"), *today = clq_replay_dup_member (now, "event");
  g_autofree char *to = clq_replay_dup_member (past, "to"), *to_now = clq_replay_dup_member (now, "to");
  const char *kind = kind_of (live);

  if (g_strcmp0 (then, today) != 0 && clq_replay_is_input (past))
    return g_strdup_printf ("'%s' comes before '%s' could be sent: a node, a timer or the graph has changed", today, then);
  if (g_strcmp0 (then, today) != 0)
    return g_strdup_printf ("%s%s%s ends with '%s', not with '%s' as it did: the node or its settings have changed", kind != NULL ? "node '" : "the visit",
                            kind != NULL ? kind : "", kind != NULL ? "'" : "", today, then);
  if (g_strcmp0 (to, to_now) != 0)
    return g_strdup_printf ("'%s' leads to %s, not to %s as it did: a rule or a guard of graph '%s' has changed", then,
                            to_now != NULL ? to_now : "no other state", to != NULL ? to : "no other state", self->graph->name);
  for (guint i = 0; others[i] != NULL; i++)
    {
      g_autofree char *a = clq_replay_dup_member (past, others[i]), *b = clq_replay_dup_member (now, others[i]);

      if (g_strcmp0 (a, b) != 0 && strcmp (others[i], "set") == 0)
        return g_strdup_printf ("'%s' changes the data differently: the modality%s%s%s has changed", then, kind != NULL ? " or node '" : "",
                                kind != NULL ? kind : "", kind != NULL ? "'" : "");
      if (g_strcmp0 (a, b) != 0)
        return g_strdup_printf ("'%s' has another %s than it had", then, others[i]);
    }
  return g_strdup_printf ("'%s' is written down in another way", then);
}

static char *
explain (const ClqReplay *self, const ClqLive *live, const ClqRecord *past, const ClqRecord *now)
{
  if (past == NULL)
    return g_strdup ("the session goes on where it had ended: a node or a timer is there that was not, or the journal was cut off");
  if (past->type != now->type)
    return g_strdup_printf ("a record of type %s is written where there was one of type %s", clq_record_type_to_string (now->type),
                            clq_record_type_to_string (past->type));
  if (past->type == CLQ_RECORD_EVENT)
    return explain_events (self, live, past, now);
  if (past->segment != now->segment)
    return g_strdup ("it is on another branch");
  if (past->type == CLQ_RECORD_MESSAGE)
    return g_strdup ("something else is said: the node, its settings or its prompt has changed");
  if (past->type == CLQ_RECORD_CALL)
    return g_strdup ("something else is asked of agents, tools or people: the node or its settings have changed");
  return g_strdup_printf ("the content of a record of type %s has changed: the node or the modality writes something else", clq_record_type_to_string (past->type));
}

static const ClqLive *
begin (ClqReplay *self, const ClqRecord *where)
{
  const ClqLive *live = clq_live_find (self->stage->engine, self->id);
  Difference *difference = &self->difference;

  self->is_over = TRUE;
  difference->is_there = TRUE;
  difference->seq = where != NULL ? where->seq : 0;
  difference->at = where != NULL ? where->at : 0;
  difference->state = g_strdup (live != NULL ? live->head.state : NULL);
  return live;
}

/* Private: what comes is not what came. Either may be NULL. */
void
clq_replay_differs (ClqReplay *self, const ClqRecord *past, const ClqRecord *now)
{
  const ClqLive *live = begin (self, past != NULL ? past : now);

  self->difference.past = dup_record (past);
  self->difference.now = dup_record (now);
  self->difference.reason = explain (self, live, past, now);
}

/* Private: something came then, and nothing comes now. */
void
clq_replay_nothing_comes (ClqReplay *self, const ClqRecord *past)
{
  const ClqLive *live = begin (self, past);
  g_autofree char *event = clq_replay_dup_member (past, "event");
  g_autofree char *waiting = live != NULL ? clq_rehearse_dup_waiting (live) : NULL;

  self->difference.past = dup_record (past);
  if (self->refusal != NULL)
    self->difference.reason = g_strdup_printf ("'%s' was taken and is refused now: %s", event, self->refusal);
  else if (clq_replay_is_input (past))
    self->difference.reason = g_strdup_printf ("'%s' was taken and has to wait now%s%s: the state is busy", event, waiting != NULL ? " for " : "",
                                               waiting != NULL ? waiting : "");
  else if (waiting != NULL)
    self->difference.reason = g_strdup_printf ("%s was not asked then, or was asked at another place: there is no answer to it", waiting);
  else
    self->difference.reason = g_strdup ("nothing happens now: a node, a timer or the graph has changed");
}

/* ---- where it leads ---- */

static char *
dup_number (gint64 number)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

static void
end_differs (ClqReplay *self, const char *what, const char *past, const char *now)
{
  if (self->difference.is_there)
    return;
  begin (self, NULL);
  self->difference.past = g_strdup_printf ("{\"%s\":%s}", what, past != NULL ? past : "null");
  self->difference.now = g_strdup_printf ("{\"%s\":%s}", what, now != NULL ? now : "null");
  self->difference.reason = g_strdup_printf ("all records are equal, but the session's %s is another one", what);
}

static void
compare_texts (ClqReplay *self, const char *what, const char *past, const char *now)
{
  if (g_strcmp0 (past, now) != 0)
    end_differs (self, what, past, now);
}

static void
compare_numbers (ClqReplay *self, const char *what, gint64 past, gint64 now)
{
  g_autofree char *then = dup_number (past), *today = dup_number (now);

  compare_texts (self, what, then, today);
}

static void
compare_quoted (ClqReplay *self, const char *what, const char *past, const char *now)
{
  g_autofree char *then = past != NULL ? clq_json_quote (past) : NULL, *today = now != NULL ? clq_json_quote (now) : NULL;

  compare_texts (self, what, then, today);
}

static void
compare_heads (ClqReplay *self, const ClqHead *past, const ClqHead *now)
{
  static const ClqExtra nothing;
  const ClqExtra *then = past->extra != NULL ? past->extra : &nothing, *today = now->extra != NULL ? now->extra : &nothing;

  compare_quoted (self, "state", past->state, now->state);
  compare_quoted (self, "status", clq_head_get_status (past), clq_head_get_status (now));
  compare_texts (self, "data", clq_head_get_data (past), clq_head_get_data (now));
  compare_texts (self, "questions", then->questions, today->questions);
  compare_texts (self, "deadlines", then->deadlines, today->deadlines);
  compare_texts (self, "schedule", then->schedule, today->schedule);
  compare_numbers (self, "nextRunAt", then->next_run, today->next_run);
  compare_numbers (self, "segment", past->segment, now->segment);
  compare_numbers (self, "tokensIn", then->tokens_in, today->tokens_in);
  compare_numbers (self, "tokensOut", then->tokens_out, today->tokens_out);
  compare_quoted (self, "title", then->title, today->title);
  compare_texts (self, "error", then->error, today->error);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Stores give them in any order. */
static char *
print_tree (const ClqSegment *segments, guint n_segments, const ClqMark *marks, guint n_marks)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n_segments; i++)
    g_ptr_array_add (lines, g_strdup_printf ("[%u,%u,%" G_GUINT64_FORMAT "]", segments[i].segment, segments[i].parent, segments[i].parent_seq));
  for (guint i = 0; i < n_marks; i++)
    {
      g_autofree char *name = clq_json_quote (marks[i].name);

      g_ptr_array_add (lines, g_strdup_printf ("[%s,%u,%" G_GUINT64_FORMAT "]", name, marks[i].segment, marks[i].seq));
    }
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv (",", (char **) lines->pdata);
}

static void
on_stage_tree (const ClqTree *tree, const GError *error, gpointer user_data)
{
  ClqReplay *self = user_data;
  g_autofree char *past = NULL, *now = NULL, *past_list = NULL, *now_list = NULL;

  if (tree == NULL)
    return;
  compare_heads (self, self->head, tree->head);
  past = print_tree ((const ClqSegment *) (gpointer) self->segments->data, self->segments->len, (const ClqMark *) (gpointer) self->marks->data, self->marks->len);
  now = print_tree (tree->segments, tree->n_segments, tree->marks, tree->n_marks);
  past_list = g_strdup_printf ("[%s]", past);
  now_list = g_strdup_printf ("[%s]", now);
  compare_texts (self, "branches", past_list, now_list);
}

/* Private: all records are equal; so must be the state, the data, the branches and what is waited for. */
void
clq_replay_compare_ends (ClqReplay *self)
{
  clq_host_read_tree (self->stage, self->id, on_stage_tree, self);
  clq_host_settle (self->stage);
}
