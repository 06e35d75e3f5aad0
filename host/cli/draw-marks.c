#define G_LOG_DOMAIN "colloquy"

#include "draw-marks.h"

/* Where a stored session is and how it came there, for a drawing of its graph. */

static int
find_named (const ClqGraph *graph, const char *body, gsize length, const char *member, gboolean is_event)
{
  ClqJsonSpan span = clq_json_find (body, length, member);
  g_autofree char *name = span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;

  if (name == NULL)
    return -1;
  return is_event ? clq_graph_find_event (graph, name) : clq_graph_find_state (graph, name);
}

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  DrawMarks *self = user_data;

  if (error != NULL)
    self->error = g_error_copy (error);
  for (guint i = 0; i < records->len; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (g_ptr_array_index (records, i), &length);
      int from = find_named (self->graph, body, length, "from", FALSE), to = find_named (self->graph, body, length, "to", FALSE);
      int event = find_named (self->graph, body, length, "event", TRUE);
      ClqDrawMove move = { (guint) from, (guint) event, (guint) to };

      if (from >= 0 && to >= 0 && event >= 0)
        g_array_append_val (self->path, move);
    }
}

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  DrawMarks *self = user_data;

  if (error != NULL)
    self->error = g_error_copy (error);
  else if (session == NULL)
    self->error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no such session; see colloquy sessions");
  else
    self->marks.current = clq_graph_find_state (self->graph, clq_session_get_state (session));
}

/* Reads the session @id of @host's store; it is only looked at. */
gboolean
draw_marks_read (DrawMarks *self, ClqHost *host, const ClqGraph *graph, const guint8 id[16], GError **error)
{
  self->graph = graph;
  self->path = g_array_new (FALSE, FALSE, sizeof (ClqDrawMove));
  clq_host_set_passive (host, TRUE);
  clq_host_find_session (host, id, on_session, self);
  clq_host_settle (host);
  if (self->error == NULL)
    {
      clq_host_read_journal (host, id, 1u << CLQ_RECORD_EVENT, 0, 0, on_records, self);
      clq_host_settle (host);
    }
  self->marks.path = (const ClqDrawMove *) self->path->data;
  self->marks.n_moves = self->path->len;
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

void
draw_marks_clear (DrawMarks *self)
{
  g_clear_pointer (&self->path, g_array_unref);
  g_clear_error (&self->error);
}
